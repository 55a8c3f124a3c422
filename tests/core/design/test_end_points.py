"""Points of joints and force elements taken from where the other end is drawn."""

from __future__ import annotations

import numpy as np
import pytest

from ridewright.core.base.errors import InputError
from ridewright.core.base.frames import rotation_matrix
from ridewright.core.design.end_points import point_of_other_end
from ridewright.core.edits.elements import element_at, set_element
from ridewright.core.edits.field_paths import set_field
from ridewright.core.project.examples import load_example
from ridewright.core.track.build import build_track


@pytest.mark.parametrize("end", ["i", "j"])
@pytest.mark.parametrize("kind", ["joint", "force"])
def test_that_a_point_is_where_the_other_end_is_drawn(end: str, kind: str) -> None:
    """In a car askew on a banked stretch of track: against positions and axes that the engine starts from."""
    from ridewright.core.multibody.compile import compile_system

    project = set_field(load_example("looping_star"), "scenario.start", 128.0)  # in a banked curve
    built = build_track(project.track)
    car = project.train.children[0]
    chosen = next(e for e in (car.joints if kind == "joint" else car.forces) if hasattr(e, "point_j"))
    path = ("Car", chosen.name)
    moved = set_element(project, kind, path, {f"point_{'j' if end == 'i' else 'i'}": (0.21, -0.17, 0.33)})
    made = point_of_other_end(moved, built, kind, path, end)
    element = element_at(made, kind, path)
    system = compile_system(made, built=built)
    names = list(system.names)
    places = []
    for side in "ij":
        k = names.index(f"Car/{getattr(element, f'body_{side}')}")
        A = rotation_matrix(system.start.p[k])
        places.append(system.start.r[k] + A @ np.array(getattr(element, f"point_{side}")))
    assert np.allclose(places[0], places[1], atol=2e-7)
    untouched = "point_i" if end == "j" else "point_j"
    assert getattr(element, untouched) == (0.21, -0.17, 0.33)


def test_that_what_joins_no_two_points_is_refused() -> None:
    project = load_example("looping_star")
    car = project.train.children[0]
    with pytest.raises(InputError, match="does not join points of two bodies"):
        point_of_other_end(project, build_track(project.track), "body", ("Car", car.bodies[0].name), "i")
