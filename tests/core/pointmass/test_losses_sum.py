"""Rolling resistances that add up to more than the force on the wheels are refused in a sentence."""

from __future__ import annotations

import pytest

from ridewright.core.base.errors import InputError
from ridewright.core.model.losses import Losses, losses_of, with_losses
from ridewright.core.project.examples import load_example


def test_that_resistances_that_add_up_to_more_than_the_force_are_refused() -> None:
    train = load_example("looping_star").assembly
    assert train is not None
    slowed = with_losses(train, Losses(rolling=0.6))
    assert losses_of(slowed).rolling == pytest.approx(0.6)
    twice = slowed.model_copy(
        update={"children": tuple(
            car.model_copy(update={"forces": (*car.forces, *(
                force.model_copy(update={"name": f"{force.name} again"})
                for force in car.forces
                if getattr(force, "guide", None)
            ))})
            for car in slowed.children
        )}
    )  # fmt: skip
    with pytest.raises(InputError, match=r"add up to 1\.2 .* lower them"):
        losses_of(twice)
