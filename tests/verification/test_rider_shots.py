"""Limp people thrown about in a cabin: nobody leaves through a wall that should have been met."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from ridewright.core.base.frames import rotation_matrix
from ridewright.core.human import make
from ridewright.core.model.assembly import Assembly
from ridewright.core.model.forces import TYPES
from ridewright.core.model.person import Person
from ridewright.core.model.surfaces import Box, Plane
from ridewright.core.project.project import Project
from ridewright.core.project.scenario import Rig, SolverSettings
from ridewright.core.results.results import Results
from ridewright.core.run.simulate import simulate

HALF = (1.4, 0.9, 1.3)  # m, of the cabin
LASTS = 0.35  # s
THINNEST, THICKEST = 0.1, 0.4  # m
SIZES: tuple[dict[str, Any], ...] = (
    {"stature": 1.78, "mass": 81.5},
    {"stature": 1.50, "mass": 49.0, "sex": "female", "scaling": "de_leva"},
    {"stature": 1.2, "scaling": "child", "mass_percentile": "50"},
)


def _cabin(thin: float) -> tuple[Plane | Box, ...]:
    """Six walls: planes solid down to a depth (m), or boxes as thick, one after the other."""
    found: list[Plane | Box] = []
    root = math.sqrt(0.5)
    # turns that take z to the inner normal of each wall
    turns = {
        (0, 1): (root, 0.0, -root, 0.0), (0, -1): (root, 0.0, root, 0.0), (1, 1): (root, root, 0.0, 0.0),
        (1, -1): (root, -root, 0.0, 0.0), (2, 1): (0.0, 1.0, 0.0, 0.0), (2, -1): (1.0, 0.0, 0.0, 0.0),
    }  # fmt: skip
    for number, ((axis, side), turn) in enumerate(turns.items()):
        at = [0.0, 0.0, 0.0]
        at[axis] = side * HALF[axis]
        if number % 2:
            found.append(Plane(name=f"Wall {number}", position=tuple(at), orientation=turn, depth=thin))
        else:
            at[axis] += side * 0.5 * thin
            found.append(
                Box(
                    name=f"Wall {number}",
                    position=tuple(at),
                    orientation=turn,
                    half_sizes=(4.0, 4.0, 0.5 * thin),
                )
            )
    return tuple(found)


def thrown(number: int) -> Project:
    """Somebody in the middle of the cabin with a speed of up to 12 m/s in any direction, turning, limp or braced."""
    rng = np.random.default_rng([34, number])
    tones = dict.fromkeys(("neck", "trunk", "arms", "legs"), ("limp", "braced")[number % 2])
    person = Person.model_validate({**SIZES[number % len(SIZES)], **tones, "held": False})
    body = make.mechanism(person, "Rider")
    way, spin = rng.normal(size=3), rng.normal(size=3)
    velocity = way / np.linalg.norm(way) * rng.uniform(2.0, 12.0)
    turning = spin / np.linalg.norm(spin) * rng.uniform(0.0, 4.0)
    middle = np.mean([b.position for b in body.bodies], axis=0)
    bodies = []
    for b in body.bodies:
        place = np.array(b.position) - middle
        moves = velocity + np.cross(turning, place)
        A = rotation_matrix(np.asarray(b.orientation))
        update = {
            "position": tuple(place), "velocity": tuple(moves), "angular_velocity": tuple(A.T @ turning),
        }  # fmt: skip
        bodies.append(b.model_copy(update=update))
    stiffness = float(np.exp(rng.uniform(math.log(2e5), math.log(5e6))))
    walls = TYPES["contact"].model(
        name="Walls", group_i="Rider", body_j="ground", stiffness=stiffness,
        restitution=0.3, friction="smooth", friction_coefficient=0.3, start_depth=0.2,
    )  # fmt: skip
    rig = Assembly(
        name="Cabin", role="rig", children=(body.model_copy(update={"bodies": tuple(bodies)}),), forces=(walls,),
        surfaces=_cabin(float(rng.uniform(THINNEST, THICKEST))),
    )  # fmt: skip
    return Project(name="Thrown", scenario=Rig(assembly=rig, duration=LASTS), settings=SolverSettings())


def wrong(run: Results) -> str:
    """What is wrong with a throw; empty for nothing. A wall that is crushed through ends the run and is told."""
    crushed = run.status.name == "failed" and "crushed through" in run.status.message
    if run.status.name != "done" and not crushed:
        return f"{run.status.name}: {run.status.message}"
    # no middle of a segment comes to the middle of the thinnest wall: the other side begins there
    outside = np.abs(run.states.position) - np.array(HALF)
    if float(outside.max()) > 0.0 and not any(event.kind == "touch" for event in run.events):
        return "no wall was met"  # slow ones do not come to one in that time
    if float(outside.max()) > 0.5 * THINNEST:
        return f"outside by {outside.max():.3g} m"
    return ""


def _wrong_ones(numbers: range) -> dict[int, str]:
    found = {number: wrong(simulate(thrown(number))) for number in numbers}
    return {number: why for number, why in found.items() if why}


def test_that_nobody_leaves_through_a_wall() -> None:
    assert _wrong_ones(range(6)) == {}


@pytest.mark.nightly
def test_that_none_of_300_leaves_through_a_wall() -> None:
    assert _wrong_ones(range(300)) == {}
