"""Riders as one rigid body each: of the same mass, centre and inertia, on the same seats."""

from __future__ import annotations

import numpy as np

from ridewright.core.base.frames import rotation_matrix
from ridewright.core.model.assembly import Assembly
from ridewright.core.model.placement import PlacedModel
from ridewright.core.model.rigid_riders import with_rigid_riders
from ridewright.core.project.examples import load_example


def _figures(train: Assembly) -> tuple[float, np.ndarray, np.ndarray]:
    """Mass (kg), centre (m) and inertia about the origin (kg m^2) of all bodies as drawn."""
    drawn, mass, first, second = PlacedModel(train), 0.0, np.zeros(3), np.zeros((3, 3))
    for path, body in drawn.bodies.items():
        r, R = drawn.position[path], rotation_matrix(drawn.orientation[path])
        mass += body.mass
        first += body.mass * r
        second += R @ body.inertia_tensor() @ R.T + body.mass * (r @ r * np.eye(3) - np.outer(r, r))
    return mass, first / mass, second


def test_that_mass_centre_and_inertia_stay_and_bodies_go() -> None:
    train = load_example("looping_star").train
    assert train is not None
    rigid = with_rigid_riders(train)
    for a, b in zip(_figures(train), _figures(rigid), strict=True):
        np.testing.assert_allclose(b, a, rtol=1e-12, atol=1e-9)
    riders = train.with_role("rider")
    assert riders
    assert len(rigid.every("body")) == len(train.own("body")) + len(riders)
    assert Assembly.model_validate(rigid.model_dump()) == rigid


def test_that_a_rider_whom_something_refers_to_stays() -> None:
    train = load_example("looping_star").train
    assert train is not None
    path, rider = next(iter(train.with_role("rider").items()))
    car, name = path.split("/")
    spring = {
        "kind": "spring", "name": "Belt", "body_i": next(iter(train.at([car]).own("body"))),  # type: ignore[union-attr]
        "body_j": f"{name}/{rider.pelvis}", "stiffness": 1e4,
    }  # fmt: skip
    data = train.model_dump()
    held = next(one for one in data["children"] if one["name"] == car)
    held["forces"] = [*held["forces"], spring]
    belted = Assembly.model_validate(data)
    kept = with_rigid_riders(belted).at([car, name])
    assert kept == rider
