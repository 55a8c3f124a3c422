"""Surfaces of bodies and of the ground: what files hold of them, and what is refused."""

from __future__ import annotations

import math

import numpy as np
import pytest
from pydantic import ValidationError

from ridewright.core.base.frames import rotation_matrix
from ridewright.core.model.assembly import Assembly
from ridewright.core.model.bodies import Body
from ridewright.core.model.surfaces import (
    Box,
    Capsule,
    Cylinder,
    Ellipsoid,
    Plane,
    Sphere,
    Surface,
    bounding_radius,
)
from ridewright.core.project.project import sentence

TURN = (0.8, 0.3, -0.4, 0.33)
EVERY: tuple[Surface, ...] = (
    Ellipsoid(name="e", semi_axes=(0.3, 0.2, 0.1), position=(0.1, -0.2, 0.05), orientation=TURN),
    Sphere(name="s", radius=0.12),
    Capsule(name="c", radius=0.05, length=0.3),
    Cylinder(name="y", radius=0.05, length=0.3, orientation=TURN),
    Box(name="b", half_sizes=(0.3, 0.2, 0.1)),
    Plane(name="p", half_length=0.4, orientation=TURN),
)


def _body(**more: object) -> Body:
    return Body.model_validate(
        {"name": "A", "mass": 2.0, "inertia": (1.0, 1.1, 1.2), "position": (0.0, 0.1, 0.2), **more}
    )


def test_that_surfaces_are_kept_and_none_leave_no_trace_in_the_file() -> None:
    body = _body(surfaces=EVERY)
    assert Body.model_validate_json(body.model_dump_json(), strict=True) == body
    assert "surfaces" not in _body().model_dump()
    rig = Assembly(name="R", role="rig", bodies=(_body(),))
    assert "surfaces" not in rig.model_dump()
    assert rig.model_copy(update={"surfaces": EVERY}).model_dump()["surfaces"][1]["radius"] == 0.12


def test_that_the_normal_of_a_plane_is_its_third_axis() -> None:
    plane = EVERY[-1]
    assert isinstance(plane, Plane)
    np.testing.assert_allclose(plane.normal, rotation_matrix(np.array(plane.orientation))[:, 2], atol=1e-15)


def test_that_the_bounding_sphere_holds_the_surface() -> None:
    radii = {surface.name: bounding_radius(surface) for surface in EVERY}
    assert radii == pytest.approx(
        {"e": 0.3, "s": 0.12, "c": 0.2, "y": math.hypot(0.05, 0.15), "b": math.sqrt(0.14), "p": math.inf}
    )
    closed = Plane(name="p", half_length=0.3, half_width=0.2, depth=0.1)
    assert bounding_radius(closed) == pytest.approx(math.sqrt(0.14))


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"kind": "sphere", "radius": 0.0}, "radius of surface 'skin' must be at least 1e-6 m, found 0 m"),
        (
            {"kind": "ellipsoid", "semi_axes": (0.3, 0.0, 0.1)},
            "semi axes of surface 'skin' must be at least 1e-6 m, found 0 m",
        ),
        ({"kind": "box", "half_sizes": (0.3, -0.2, 0.1)}, "half sizes of surface 'skin' must be"),
        ({"kind": "cone"}, "unknown kind 'cone'"),
        ({"kind": "plane", "orientation": (0.0, 0.0, 0.0, 0.0)}, "Euler parameters have no length"),
    ],
)
def test_that_a_surface_without_extent_is_refused_in_one_sentence(
    given: dict[str, object], said: str
) -> None:
    with pytest.raises(ValidationError) as caught:
        _body(surfaces=({"name": "skin", **given},))
    assert said in sentence(caught.value, "file")


def test_that_doubled_names_and_ground_of_a_car_are_refused() -> None:
    with pytest.raises(ValidationError, match="two surfaces are named 's'"):
        _body(surfaces=(EVERY[1], EVERY[1]))
    with pytest.raises(ValidationError, match="is a car and has no surfaces of the ground"):
        Assembly(name="C", role="car", bodies=(_body(),), surfaces=EVERY)
