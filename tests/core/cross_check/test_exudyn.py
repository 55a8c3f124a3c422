"""Rides in exudyn, where it is installed."""

from __future__ import annotations

from dataclasses import replace
from importlib.util import find_spec

import numpy as np
import pytest

from ridewright.core.base.frames import from_rotation_vector, rotation_matrix
from ridewright.core.cross_check.check import CrossCheck, check_with, cross_check
from ridewright.core.cross_check.engines.base import OtherRun
from ridewright.core.cross_check.engines.exudyn.engine import Exudyn
from ridewright.core.cross_check.engines.exudyn.paths import Rows, Turned
from ridewright.core.cross_check.model import Guided, Model, read_model
from ridewright.core.project.examples import load_example
from ridewright.core.project.project import Project

needs_exudyn = pytest.mark.skipif(find_spec("exudyn") is None, reason="exudyn is not installed")


def short(name: str, duration: float) -> Project:
    project = load_example(name)
    return project.model_copy(update={"scenario": project.scenario.model_copy(update={"duration": duration})})


def test_that_derivatives_of_a_turned_lever_are_those_of_the_rotation_matrix() -> None:
    p, s = np.array([0.5, -0.4, 0.6, 0.3]), np.array([0.2, -1.3, 0.7])
    p /= np.linalg.norm(p)
    value, slopes = Turned(s).at(p)
    assert value == pytest.approx(rotation_matrix(p) @ s)
    steps = 1e-6 * np.eye(4)
    told = np.stack([(rotation_matrix(p + d) - rotation_matrix(p - d)) @ s / 2e-6 for d in steps], axis=1)
    assert slopes == pytest.approx(told, abs=1e-8)


@pytest.mark.parametrize("example", ["frame_helix", "bead_loop"])
def test_that_derivatives_of_the_rows_of_a_guide_are_theirs(example: str) -> None:
    """Off the curve by millimetres and turned, where all of their terms count."""
    (guided,) = read_model(load_example(example)).guided
    body = read_model(load_example(example)).bodies[guided.body]
    lever = Guided(
        guided.name, 0, np.array([0.3, -0.2, 0.1]), guided.path, guided.arc, guided.kept, guided.driven
    )
    p = from_rotation_vector(np.array([0.2, -0.1, 0.3]))
    q = np.concatenate([body.position + np.array([2e-3, -1e-3, 3e-3]) - rotation_matrix(p) @ lever.point, p])
    slopes = Rows(lever).at(q, 0.0)[1]
    h = 1e-6
    told = [
        (Rows(lever).at(q + d, 0.0)[0] - Rows(lever).at(q - d, 0.0)[0]) / (2.0 * h) for d in h * np.eye(7)
    ]
    assert slopes == pytest.approx(np.stack(told, axis=1), abs=1e-7)


@needs_exudyn
@pytest.mark.parametrize(
    ("example", "duration", "place"),
    [
        ("double_pendulum", 0.6, 2e-4),
        ("slider_crank", 0.3, 2e-4),
        ("driven_oscillator", 0.3, 2e-5),
        ("spatial_double_pendulum", 0.3, 1e-4),
    ],
)
def test_that_both_engines_agree(example: str, duration: float, place: float) -> None:
    found = cross_check(short(example, duration))
    assert found.agrees, [str(one.message) for one in found.findings]
    assert max(one.difference for one in found.agreements if one.quantity == "place") < place
    assert any(one.quantity == "force at the joint" for one in found.agreements)


@needs_exudyn
def test_that_a_wrong_inertia_is_found_and_named() -> None:
    """As the masses tell it, and as the ride alone tells it, with body, time and size."""

    class Wrong(Exudyn):
        def ride(self, model: Model, step: float, instants: np.ndarray) -> OtherRun:
            bodies = tuple(
                replace(body, inertia=1.05 * body.inertia) if body.name == "Lower bar" else body
                for body in model.bodies
            )
            return super().ride(replace(model, bodies=bodies), step, instants)

    found = check_with(short("double_pendulum", 0.6), Wrong())
    assert not found.agrees
    named = [str(one.message) for one in found.findings]
    assert named[0].startswith("Lower bar: its moment of inertia about")
    moved = [one for one in found.findings if one.message.startswith("Lower bar: angular velocity differs")]
    assert moved
    assert moved[0].value is not None
    assert moved[0].value > 0.01
    assert moved[0].time is not None
    assert moved[0].time < 0.3


#: Duration (s), largest difference of places (m), what is left out.
EXAMPLES: dict[str, tuple[float, float, int]] = {
    "four_bar": (2.0, 5e-3, 0),
    "bricard": (1.0, 1e-4, 0),
    "driven_crank": (2.0, 1e-7, 0),
    "universal_shaft": (2.0, 1e-9, 0),
    "heavy_top": (1.0, 1e-3, 0),
    "planar_pendulum": (3.0, 1e-3, 0),
    "stopped_pendulum": (3.0, 5e-4, 0),
    "torsion_chain": (3.0, 1e-9, 0),
    "limited_pendulum_spatial": (3.0, 1e-3, 0),
    "bead_helix": (3.0, 2e-4, 0),
    "frame_helix": (3.0, 1e-3, 0),
    "curve50": (1.0, 1e-9, 0),
    "straight": (2.0, 2e-4, 0),
    "looping_star": (3.0, 1e-3, 0),
}


def by_example(found: CrossCheck) -> float:
    return max(one.difference for one in found.agreements if one.quantity == "place")


@needs_exudyn
@pytest.mark.nightly
@pytest.mark.parametrize("example", EXAMPLES)
def test_that_both_engines_agree_on_the_bundled_examples(example: str) -> None:
    duration, place, left = EXAMPLES[example]
    found = cross_check(short(example, duration))
    assert found.agrees, [str(one.message) for one in found.findings]
    assert by_example(found) < place
    assert len(found.left_out) == left
