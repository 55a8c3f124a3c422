"""A check by a second engine as values, for those who show it."""

from __future__ import annotations

from ridewright.core.base.finding import Finding
from ridewright.core.base.where import Where
from ridewright.core.outcome.second_engine import Agreement, Cost, CrossCheck, LeftOut


def lower_bar_differs(**changed: object) -> CrossCheck:
    """A check in which the inertia and the place of the lower bar of the double pendulum differ."""
    same = {"name": "Lower bar", "allowed": 1e-3, "largest": 0.5}
    far = Agreement(quantity="place", unit="m", difference=0.02, time=0.25, since=0.1, then=2e-3, **same)
    near = Agreement(
        quantity="velocity", unit="m/s", difference=1e-4, time=0.2, since=None, then=None, **same
    )
    bar = Where(("scenario", "assembly", "bodies", "Lower bar"))
    inertia = Finding(
        kind="cross-check", message="Lower bar: other inertia", where=bar, value=0.1, unit="kg m^2"
    )
    given = {
        "project": "Double pendulum", "engine": "other 1", "duration": 0.3, "steps": (1e-3, 5e-4),
        "ours": ("tolerance 1e-05", "tolerance 1e-07"), "agreements": (far, near),
        "findings": (inertia, far.finding("other", bar)),
        "left_out": (LeftOut(name="Shoulder", what="joint", why="it is not wanted"),),
        "cost": Cost(place=(0.1, "Lower bar", 0.2), speed=(0.3, "Lower bar", 0.1)), "open_forces": False,
    }  # fmt: skip
    return CrossCheck.model_validate({**given, **changed})
