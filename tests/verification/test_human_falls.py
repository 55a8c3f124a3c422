"""Human bodies that fall on the ground (Spicka 2020, section 6.5): what gravity alone says of them, and the ledger."""

from __future__ import annotations

import math

import numpy as np
import pytest

from ridewright.core.base.arrays import Array
from ridewright.core.base.frames import rotation_matrix
from ridewright.core.model.placement import PlacedModel
from ridewright.core.model.surfaces import Ellipsoid, Plane
from ridewright.core.project.examples import load_example
from ridewright.core.project.project import Project
from ridewright.core.project.scenario import Rig
from ridewright.core.results.results import Results
from ridewright.core.results.sampler import Sampler
from ridewright.core.run.simulate import simulate

G = 9.81
FALLS = ("human_fall", "human_fall_soft", "human_slope", "human_wall", "human_lying", "human_jump")


def _changed(project: Project, **assembly: object) -> Project:
    assert isinstance(project.scenario, Rig)
    rig = project.scenario.assembly.model_copy(update=assembly)
    return project.model_copy(update={"scenario": project.scenario.model_copy(update={"assembly": rig})})


def _loose(project: Project, height: float) -> Project:
    """Without torques in the joints, which would move the feet while it falls, and with its skin so far (m) up."""
    assert isinstance(project.scenario, Rig)
    (body,) = project.scenario.assembly.children
    lifted = body.position[2] + height - _lowest(project)
    return _changed(
        project, children=(body.model_copy(update={"forces": (), "position": (0.0, 0.0, lifted)}),)
    )


def _lowest(project: Project) -> float:
    """Height (m) of the lowest point of all ellipsoids as drawn."""
    assert project.assembly is not None
    drawn, found = PlacedModel(project.assembly), []
    for path, body in drawn.bodies.items():
        for skin in body.surfaces:
            assert isinstance(skin, Ellipsoid)
            frame = drawn.frame(path)
            turn = frame.rotation @ rotation_matrix(np.array(skin.orientation))
            found.append(frame.point(skin.position)[2] - float(np.linalg.norm(skin.semi_axes * turn[2])))
    return min(found)


def _centre(project: Project, run: Results) -> tuple[Array, Array]:
    """Place and velocity (n, 3) of the centre of mass at the stored instants."""
    assert project.assembly is not None
    m = np.array([body.mass for body in project.assembly.every("body").values()])
    share = (m / m.sum())[None, :, None]
    return (run.states.position * share).sum(axis=1), (run.states.velocity * share).sum(axis=1)


def _touch(run: Results) -> float:
    return next(event.time for event in run.events if event.kind == "touch")


@pytest.mark.parametrize(
    ("height", "time", "speed"), [(0.01, 0.0452, 0.443), (4.0, 0.9030, 8.859)], ids=["0.01 m", "4 m"]
)
def test_that_who_falls_upright_touches_when_gravity_says(height: float, time: float, speed: float) -> None:
    project = _loose(load_example("human_fall"), height)
    run = simulate(project)
    assert math.sqrt(2.0 * height / G) == pytest.approx(time, abs=1e-4)
    assert _touch(run) == pytest.approx(math.sqrt(2.0 * height / G), abs=2e-5)
    at = int(np.searchsorted(run.states.time, _touch(run) - 1e-9))
    assert _centre(project, run)[1][at, 2] == pytest.approx(-math.sqrt(2.0 * G * height), abs=1e-3)
    assert math.sqrt(2.0 * G * height) == pytest.approx(speed, abs=1e-3)


def test_that_who_falls_lying_touches_when_gravity_says() -> None:
    project = _loose(load_example("human_lying"), 5.0)
    run = simulate(project)
    assert _touch(run) == pytest.approx(1.0096, abs=1e-4)
    at = int(np.searchsorted(run.states.time, _touch(run) - 1e-9))
    assert _centre(project, run)[1][at, 2] == pytest.approx(-9.905, abs=1e-3)


@pytest.mark.parametrize("name", FALLS)
def test_that_a_fall_closes_its_ledger_and_keeps_its_joints(name: str) -> None:
    run = simulate(load_example(name))
    assert run.status.name == "done"
    at = int(np.searchsorted(run.states.time, _touch(run) - 1e-9))
    assert np.abs(run.energy.residual).max() < 1e-3 * run.energy.kinetic[at]
    assert run.violations.joints.max() < 1e-6
    assert run.energy.contact_loss[-1] > 0.0
    assert np.all(np.diff(run.energy.contact_loss) > -1e-12 * run.energy.contact_loss[-1])


@pytest.mark.parametrize("degrees", [20.0, 45.0, 70.0])
def test_that_along_a_slope_only_gravity_acts(degrees: float) -> None:
    angle = math.radians(degrees)
    half = 0.5 * angle
    ground = Plane(name="Ground", orientation=(math.cos(half), 0.0, math.sin(half), 0.0))
    project = _changed(load_example("human_slope"), surfaces=(ground,))
    run = simulate(project)
    assert any(event.kind == "touch" for event in run.events)
    speed = _centre(project, run)[1] @ np.array([math.cos(angle), 0.0, -math.sin(angle)])
    np.testing.assert_allclose(speed, G * math.sin(angle) * run.states.time, atol=1e-4)


@pytest.mark.parametrize("speed", [2.0, 5.0, 10.0])
def test_that_along_a_wall_only_gravity_acts(speed: float) -> None:
    project = load_example("human_wall")
    assert isinstance(project.scenario, Rig)
    (body,) = project.scenario.assembly.children
    bodies = tuple(b.model_copy(update={"velocity": (-speed, 0.0, 0.0)}) for b in body.bodies)
    project = _changed(project, children=(body.model_copy(update={"bodies": bodies}),))
    run = simulate(project)
    assert any(event.kind == "touch" for event in run.events)
    angle = math.radians(70.0)
    along = np.array([math.cos(angle), 0.0, -math.sin(angle)])
    found = _centre(project, run)[1] @ along
    np.testing.assert_allclose(found, -speed * along[0] + G * math.sin(angle) * run.states.time, atol=2e-4)


def test_that_a_jump_given_to_the_trunk_moves_the_centre_by_the_trunks_share() -> None:
    project = load_example("human_jump")
    run = simulate(project)
    place, velocity = _centre(project, run)
    np.testing.assert_allclose(velocity[0, [0, 2]], [-1.5 * 0.449, 0.449], atol=2e-4)
    np.testing.assert_allclose(velocity[0, 0] / velocity[0, 2], -1.5, atol=1e-9)
    time = 1.7358  # for 14 m of the centre
    motion = np.array([np.interp(time, run.states.time, place[:, k] - place[0, k]) for k in (0, 2)])
    if _touch(run) > time:
        np.testing.assert_allclose(motion, [-1.169, -14.0], atol=5e-3)


def test_that_a_jump_given_to_the_whole_body_ends_feet_first_where_gravity_says() -> None:
    project = _loose(load_example("human_jump"), 14.0)
    assert isinstance(project.scenario, Rig)
    (body,) = project.scenario.assembly.children
    bodies = tuple(one.model_copy(update={"velocity": (-1.5, 0.0, 1.0)}) for one in body.bodies)
    project = _changed(project, children=(body.model_copy(update={"bodies": bodies}),))
    run = simulate(project)
    assert _touch(run) == pytest.approx(1.0 / G + math.sqrt(1.0 / G**2 + 2.0 * 14.0 / G), abs=2e-5)
    assert _touch(run) == pytest.approx(1.7945, abs=1e-4)
    first = {event.name for event in run.events if event.kind == "touch" and event.time < _touch(run) + 1e-6}
    assert first
    assert all("Foot" in name for name in first)
    place, _ = _centre(project, run)
    at = int(np.searchsorted(run.states.time, _touch(run) - 1e-9))
    assert place[at, 0] - place[0, 0] == pytest.approx(-2.692, abs=1e-3)


@pytest.mark.nightly
@pytest.mark.parametrize("name", FALLS)
def test_that_two_solvers_agree_on_a_fall_up_to_its_second_contact(name: str) -> None:
    project = load_example(name)
    one = simulate(
        project.model_copy(update={"settings": project.settings.model_copy(update={"tolerance": 1e-6})})
    )
    assert isinstance(project.scenario, Rig)
    end = [event.time for event in one.events if event.kind == "touch"][1]
    other = {
        "method": "adaptive_dop853", "relative_tolerance": 1e-7, "absolute_tolerance": 1e-9, "baumgarte_alpha": 20.0,
        "baumgarte_beta": 20.0,
    }  # fmt: skip
    scenario = project.scenario.model_copy(update={"duration": end + 0.001})
    settings = project.settings.model_copy(update=other)
    two = simulate(project.model_copy(update={"scenario": scenario, "settings": settings}))
    time = np.linspace(0.0, end, 100)
    for b in range(len(one.names.bodies)):
        a, c = (Sampler(run.states, time).body(b) for run in (one, two))
        np.testing.assert_allclose(a.position, c.position, atol=1e-4)
