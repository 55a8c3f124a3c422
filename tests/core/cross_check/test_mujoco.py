"""Rides in MuJoCo, where it is installed, and the files that are written for it."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from importlib.util import find_spec

import numpy as np
import pytest

from ridewright.core.base.errors import InputError
from ridewright.core.base.frames import from_rotation_vector, rotation_matrix
from ridewright.core.cross_check.check import check_with, cross_check
from ridewright.core.cross_check.engines.mujoco.engine import Mujoco
from ridewright.core.cross_check.engines.mujoco.mjcf import mjcf, tree
from ridewright.core.cross_check.model import Link, Model, read_model
from ridewright.core.model.assembly import Assembly
from ridewright.core.model.bodies import GROUND, Body
from ridewright.core.model.forces.bushing import Bushing, Matrix
from ridewright.core.project.examples import load_example
from ridewright.core.project.project import Project
from ridewright.core.project.scenario import Rig
from tools.cross_checks import RIDES, check_example, figures_of, kept_figures

needs_mujoco = pytest.mark.skipif(find_spec("mujoco") is None, reason="MuJoCo is not installed")


def short(name: str, duration: float) -> Project:
    project = load_example(name)
    return project.model_copy(update={"scenario": project.scenario.model_copy(update={"duration": duration})})


def written(model: Model) -> ET.Element:
    branches = tree(model)
    assert isinstance(branches, tuple)
    return ET.fromstring(mjcf(model, branches, 1e-3))


def test_that_the_file_of_a_human_has_its_tree_its_masses_and_its_places() -> None:
    model = read_model(load_example("human_fall"))
    top = written(model)
    bodies = {node.attrib["name"]: node for node in top.iter("body")}
    assert len(bodies) == 17
    assert len(list(top.iter("freejoint"))) == 1
    assert sum(1 for joint in top.iter("joint") if joint.attrib["type"] == "ball") == 16

    places: dict[str, tuple[np.ndarray, np.ndarray]] = {}

    def walk(node: ET.Element, r: np.ndarray, A: np.ndarray) -> None:
        for child in node.findall("body"):
            there = r + A @ np.array([float(x) for x in child.attrib["pos"].split()])
            turn = A @ rotation_matrix([float(x) for x in child.attrib["quat"].split()])
            places[child.attrib["name"]] = there, turn
            walk(child, there, turn)

    world = top.find("worldbody")
    assert world is not None
    walk(world, np.zeros(3), np.eye(3))
    for body in model.bodies:
        inertial = bodies[body.name].find("inertial")
        assert inertial is not None
        assert float(inertial.attrib["mass"]) == body.mass
        assert places[body.name][0] == pytest.approx(body.position, abs=1e-12)
        assert places[body.name][1] == pytest.approx(body.axes, abs=1e-12)


def test_that_a_loop_a_curve_and_a_prescribed_motion_are_refused_by_name() -> None:
    assert isinstance(tree(read_model(load_example("four_bar"))), Link)
    engine = Mujoco()
    with pytest.raises(InputError, match="its joint 'Bore' closes a loop, which MuJoCo holds only softly"):
        check_with(load_example("slider_crank"), engine)
    with pytest.raises(InputError, match="it follows a curve"):
        check_with(short("bead_helix", 0.1), engine)
    with pytest.raises(InputError, match=r"(Driver|Joint) .*: MuJoCo holds a prescribed motion only softly"):
        check_with(short("swing_beam", 0.1), engine)


@needs_mujoco
@pytest.mark.parametrize("example", ["human_fall", "free_body", "spatial_double_pendulum"])
def test_that_mujoco_reads_masses_and_inertias_to_rounding(example: str) -> None:
    import mujoco

    model = read_model(load_example(example))
    branches = tree(model)
    assert isinstance(branches, tuple)
    made = mujoco.MjModel.from_xml_string(mjcf(model, branches, 1e-3))
    for body in model.bodies:
        number = mujoco.mj_name2id(made, mujoco.mjtObj.mjOBJ_BODY, body.name)
        R = rotation_matrix(made.body_iquat[number])
        assert made.body_mass[number] == pytest.approx(body.mass, rel=1e-12)
        assert R @ np.diag(made.body_inertia[number]) @ R.T == pytest.approx(
            body.inertia, rel=1e-9, abs=1e-12
        )


def bushed() -> Project:
    """Two bodies in a row on bushings of full matrices, turned and off their centres, spinning."""
    rng = np.random.default_rng(3)

    def matrix(force: float, moment: float) -> Matrix:
        size = np.sqrt(np.array([force] * 3 + [moment] * 3))
        made = rng.normal(size=(6, 8))
        rows = (size[:, None] * (made @ made.T / 8.0) * size).tolist()
        return tuple((a, b, c, d, e, f) for a, b, c, d, e, f in rows)  # type: ignore[return-value]

    turn = tuple(from_rotation_vector(np.array([0.4, -0.3, 0.6])).tolist())
    bodies = (
        Body(name="One", mass=2.0, inertia=(0.02, 0.03, 0.04), position=(0.0, 0.0, 0.0), velocity=(0.3, 0.0, 0.1)),
        Body(
            name="Two", mass=1.0, inertia=(0.01, 0.02, 0.02), products=(0.002, -0.001, 0.003),
            position=(0.3, 0.1, 0.0), angular_velocity=(1.0, -2.0, 3.0),
        ),
    )  # fmt: skip
    elements = tuple(
        Bushing(
            name=name, body_i=i, point_i=at, body_j=j, point_j=(-0.1, 0.02, 0.05), orientation=turn,
            stiffness=matrix(2e3, 30.0), damping=matrix(10.0, 0.1), preload=((5.0, 0.0, 1.0), (0.2, 0.0, 0.0)),
        )
        for name, i, at, j in (
            ("To ground", GROUND, (-0.1, 0.02, 0.05), "One"), ("Between", "One", (0.2, 0.12, 0.05), "Two"),
        )
    )  # fmt: skip
    top = Assembly(name="Rig", role="rig", bodies=bodies, forces=elements)
    return Project(name="Bushed", scenario=Rig(assembly=top, duration=0.5))


@needs_mujoco
def test_that_bushings_agree() -> None:
    found = check_with(bushed(), Mujoco())
    assert found.agrees, [str(one.message) for one in found.findings]
    assert found.left_out == ()
    (turned,) = (one for one in found.agreements if (one.quantity, one.name) == ("orientation", "Two"))
    assert turned.difference < 2e-3
    (place,) = (one for one in found.agreements if (one.quantity, one.name) == ("place", "Two"))
    assert place.difference < 2e-4


@needs_mujoco
@pytest.mark.parametrize(
    "example", ["double_pendulum", "spatial_double_pendulum", "stopped_pendulum", "driven_oscillator"]
)
def test_that_both_engines_agree(example: str) -> None:
    found = cross_check(short(example, 0.7), "mujoco")
    assert found.agrees, [str(one.message) for one in found.findings]
    quantities = {one.quantity for one in found.agreements}
    assert "force at the joint" in quantities
    assert max(one.difference for one in found.agreements if one.quantity == "place") < 2e-4


@needs_mujoco
def test_that_the_acceleration_is_the_slope_of_the_velocity() -> None:
    """What MuJoCo adds of gravity is taken out again."""
    model = read_model(short("spatial_double_pendulum", 0.1))
    run = Mujoco().ride(model, 1e-3, np.linspace(0.0, 0.1, 101))
    for rate, values in ((run.acceleration, run.velocity), (run.angular_acceleration, run.angular_velocity)):
        slope = np.gradient(values, run.time, axis=0)
        assert rate[1:-1] == pytest.approx(slope[1:-1], abs=0.02 * np.abs(rate).max())


@needs_mujoco
@pytest.mark.nightly
@pytest.mark.parametrize("example", [name for name in kept_figures() if RIDES[name].engine == "mujoco"])
def test_that_the_bundled_examples_agree_as_the_guide_says(example: str) -> None:
    kept = kept_figures()[example]
    found = figures_of(check_example(example))
    assert found["left_out"] == kept["left_out"]
    assert bool(found["differs"]) == bool(kept["differs"]), found["differs"]
    assert found["place"]["difference"] <= 2.0 * kept["place"]["allowed"]
