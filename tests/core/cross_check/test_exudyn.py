"""Rides in exudyn, where it is installed."""

from __future__ import annotations

from dataclasses import replace
from importlib.util import find_spec

import numpy as np
import pytest

from ridewright.core.base.errors import InputError
from ridewright.core.base.frames import from_rotation_vector, rotation_matrix
from ridewright.core.cross_check.check import check_with, cross_check
from ridewright.core.cross_check.engines.base import OtherRun
from ridewright.core.cross_check.engines.exudyn.engine import Exudyn
from ridewright.core.cross_check.engines.exudyn.paths import Rows, Turned
from ridewright.core.cross_check.model import Guided, Model, read_model
from ridewright.core.project.examples import load_example
from ridewright.core.project.project import Project
from ridewright.core.track.devices.launch import Launch
from tests.core.cross_check.test_mujoco import bushed
from tools.cross_checks import RIDES, check_example, figures_of, kept_figures

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


@needs_exudyn
def test_that_bushings_agree() -> None:
    """Between frames, where exudyn has no connector whose lever is ours: as generalised forces on its coordinates."""
    found = cross_check(bushed(), duration=0.1)
    assert found.agrees, [str(one.message) for one in found.findings]
    assert found.left_out == ()
    (turned,) = (one for one in found.agreements if (one.quantity, one.name) == ("orientation", "Two"))
    assert turned.difference < 2e-3


@needs_exudyn
def test_that_a_ball_that_bounces_agrees() -> None:
    """Until after its first touch: depth, normal and point of surfaces are found anew."""
    found = cross_check(load_example("bouncing_ball"), duration=0.35, step=2e-4)
    assert found.agrees, [str(one.message) for one in found.findings]
    assert found.left_out == ()
    (push,) = (one for one in found.agreements if one.quantity == "load of the force element")
    assert push.largest > 100.0


@needs_exudyn
def test_that_a_flexible_body_bends_alike_and_what_exudyn_has_not_of_it_is_named() -> None:
    found = cross_check(load_example("swing_beam"), duration=0.15)
    assert found.agrees, [str(one.message) for one in found.findings]
    assert [(one.name, one.what) for one in found.left_out] == [
        ("Main beam", "what bending adds to second order")
    ]
    (bent,) = (one for one in found.agreements if one.quantity == "bending")
    assert bent.largest > 1e-4
    assert bent.difference < 0.02 * bent.largest
    assert any(one.name == "Main beam/top" and one.largest > 1e4 for one in found.agreements)


@needs_exudyn
@pytest.mark.nightly
def test_that_a_launch_pushes_both_rides_as_it_was_recorded() -> None:
    project = load_example("straight")
    assert project.track is not None
    launch = Launch(name="Launch", section=project.track.sections[0].name, value=4.0, top_speed=11.0)
    track = project.track.model_copy(update={"devices": (launch,)})
    found = cross_check(project.model_copy(update={"track": track}), duration=0.4)
    assert found.agrees, [str(one.message) for one in found.findings]
    assert found.recorded == ("Launch",)
    assert max(one.largest for one in found.agreements if one.quantity == "velocity") > 11.0


@needs_exudyn
@pytest.mark.nightly
@pytest.mark.parametrize("example", [name for name in kept_figures() if RIDES[name].engine == "exudyn"])
def test_that_the_bundled_examples_agree_as_the_guide_says(example: str) -> None:
    hold_against_the_guide(example)


def hold_against_the_guide(example: str) -> None:
    """Ride an example: what is left out is what the table of the guide says, and it differs by no more than that."""
    kept = kept_figures()[example]
    if "refused" in kept:
        with pytest.raises(InputError) as refused:
            check_example(example)
        assert str(refused.value) == kept["refused"]
        return
    check = check_example(example)
    found = figures_of(check)
    assert found["left_out"] == kept["left_out"]
    assert bool(found["differs"]) == bool(kept["differs"]), found["differs"]
    place, allowed = found["place"]["difference"], kept["place"]["allowed"]
    assert place <= 2.0 * allowed
