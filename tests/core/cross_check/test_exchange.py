"""Mechanisms as files of MuJoCo, and back."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from ridewright.core.base.errors import InputError
from ridewright.core.cli import main
from ridewright.core.cross_check.engines.mujoco.exchange import export_mjcf, import_mechanism
from ridewright.core.cross_check.model import read_model
from ridewright.core.edits.changes import set_scenario
from ridewright.core.edits.elements import set_assembly
from ridewright.core.model.assembly import Assembly
from ridewright.core.model.forces.joint_stop import JointStop
from ridewright.core.model.forces.rotational_spring import RotationalSpring
from ridewright.core.project.examples import load_example
from ridewright.core.project.project import Project, load_project, save_project
from ridewright.core.run.simulate import simulate
from ridewright.core.solver.modes import modes_at_rest

needs_mujoco = pytest.mark.skipif(find_spec("mujoco") is None, reason="MuJoCo is not installed")


def there_and_back(project: Project, folder: Path) -> Project:
    file = folder / "mechanism.xml"
    file.write_text(str(export_mjcf(project).made), encoding="utf-8")
    back = import_mechanism(file).made
    assert isinstance(back, Project)
    return back


def test_that_what_a_file_cannot_hold_is_named_and_limits_are_written() -> None:
    found = export_mjcf(load_example("stopped_pendulum"))
    assert found.left_out == ()
    (joint,) = ET.fromstring(str(found.made)).iter("joint")
    stop = next(f for f in load_example("stopped_pendulum").assembly.forces if isinstance(f, JointStop))
    assert [float(x) for x in joint.attrib["range"].split()] == [stop.lower, stop.upper]
    assert "joint 'Bore', which closes a loop" in export_mjcf(load_example("slider_crank")).left_out
    with pytest.raises(InputError, match="Joint 'Rod' is a distance joint"):
        export_mjcf(load_example("planar_pendulum"))


@needs_mujoco
@pytest.mark.parametrize("example", ["human_fall", "spatial_double_pendulum", "torsion_chain", "free_body"])
def test_that_bodies_come_back_to_rounding(example: str, tmp_path: Path) -> None:
    before = read_model(load_example(example))
    after = {body.name: body for body in read_model(there_and_back(load_example(example), tmp_path)).bodies}
    assert len(after) == len(before.bodies)
    for body in before.bodies:
        same = after[body.name.replace("/", " ")]
        assert same.mass == pytest.approx(body.mass, rel=1e-12)
        assert same.inertia == pytest.approx(body.inertia, rel=1e-9, abs=1e-9 * body.inertia.max())
        assert same.position == pytest.approx(body.position, abs=1e-12)
        assert same.axes == pytest.approx(body.axes, abs=1e-12)


@needs_mujoco
def test_that_joints_come_back_with_names_kinds_and_points(tmp_path: Path) -> None:
    before = {one.name: one for one in read_model(load_example("human_fall")).links}
    after = {one.name: one for one in read_model(there_and_back(load_example("human_fall"), tmp_path)).links}
    assert {name.replace("/", " ") for name in before} == set(after)
    for name, link in before.items():
        same = after[name.replace("/", " ")]
        assert same.kind == link.kind
        gaps = [np.linalg.norm(one.at.gap) for one in (link, same)]
        assert gaps == pytest.approx([0.0, 0.0], abs=1e-12)


@needs_mujoco
@pytest.mark.parametrize("example", ["double_pendulum", "spatial_double_pendulum"])
def test_that_modes_come_back(example: str, tmp_path: Path) -> None:
    """About the pose at rest: they hang on masses, inertias, joints and gravity."""
    project = load_example(example)
    modes = [modes_at_rest(one, None)[2] for one in (project, there_and_back(project, tmp_path))]
    before, after = ([mode.frequency for mode in found if mode.frequency > 1e-3] for found in modes)
    assert len(before) >= 2
    assert after == pytest.approx(before, rel=1e-6)


def sprung_human() -> Project:
    """The 17-body human without weight, with springs of different stiffness in its 16 ball joints and nothing else."""
    project = load_example("human_fall")
    top = project.assembly
    assert top is not None

    def change(at: Assembly) -> Assembly:
        springs = tuple(
            RotationalSpring(name=f"{joint.name} spring", joint=joint.name, stiffness=20.0 + 7.0 * k)
            for k, joint in enumerate(at.joints)
        )
        children = tuple(change(child) for child in at.children)
        return at.model_copy(update={"forces": springs, "children": children})

    rig = project.scenario.model_copy(update={"assembly": change(top)})
    return project.model_copy(update={"scenario": rig, "gravity": (0.0, 0.0, 0.0)})


@needs_mujoco
def test_that_the_modes_of_a_human_come_back(tmp_path: Path) -> None:
    """They hang on masses, inertias, joints and the springs in them."""
    project = sprung_human()
    assert export_mjcf(project).left_out == ()
    modes = [modes_at_rest(one, None)[2] for one in (project, there_and_back(project, tmp_path))]
    before, after = ([mode.frequency for mode in found if mode.frequency > 1e-2] for found in modes)
    assert len(before) == 3 * 16
    assert after == pytest.approx(before, rel=1e-6)


URDF = """<robot name="arm">
  <link name="base"/>
  <link name="upper"><inertial><origin xyz="0 0 -0.2"/><mass value="2"/>
    <inertia ixx="0.03" iyy="0.03" izz="0.002" ixy="0" ixz="0" iyz="0.001"/></inertial></link>
  <link name="lower"><inertial><origin xyz="0 0 -0.1"/><mass value="1"/>
    <inertia ixx="0.01" iyy="0.01" izz="0.001" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <joint name="shoulder" type="revolute"><parent link="base"/><child link="upper"/><origin xyz="0 0 1"/>
    <axis xyz="0 1 0"/><limit lower="-1" upper="0.5" effort="1" velocity="1"/></joint>
  <joint name="rail" type="prismatic"><parent link="upper"/><child link="lower"/><origin xyz="0 0 -0.4"/>
    <axis xyz="0 0 1"/><limit lower="-0.1" upper="0.1" effort="1" velocity="1"/></joint>
</robot>
"""


@needs_mujoco
def test_that_a_urdf_becomes_a_rig_by_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, out = tmp_path / "arm.urdf", tmp_path / "arm.ridewright"
    file.write_text(URDF, encoding="utf-8")
    assert main(["import-mjcf", str(file), str(out)]) == 0
    assert str(out) in capsys.readouterr().out
    top = load_project(out).assembly
    assert top is not None
    upper, lower = top.bodies
    assert (upper.name, upper.mass, lower.mass) == ("upper", 2.0, 1.0)
    assert upper.position == pytest.approx((0.0, 0.0, 0.8))
    assert lower.position == pytest.approx((0.0, 0.0, 0.5))
    assert upper.inertia_tensor()[1, 2] == pytest.approx(0.001)
    assert [(one.name, one.kind) for one in top.joints] == [("shoulder", "revolute"), ("rail", "prismatic")]
    limits = {f.joint: (f.lower, f.upper) for f in top.forces if isinstance(f, JointStop)}
    assert limits == {"shoulder": (-1.0, 0.5), "rail": (-0.1, 0.1)}


@needs_mujoco
@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("<mujoco><worldbody/></mujoco>", "has no body with a mass"),
        ("<mujoco", "cannot be read as MJCF or URDF"),
        (
            '<mujoco><worldbody><body name="A"><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>'
            '<joint type="slide" axis="1 0 0"/><joint type="slide" axis="0 1 0"/></body></worldbody></mujoco>',
            "the 2 joints of body 'A' are no joint that a rig has",
        ),
    ],
)
def test_that_a_file_that_cannot_be_a_rig_is_one_sentence(text: str, said: str, tmp_path: Path) -> None:
    file = tmp_path / "bad.xml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=said):
        import_mechanism(file)


BODY = """<mujoco><compiler angle="radian"/><worldbody>
  <body name="hips" pos="0 0 1"><freejoint/><inertial pos="0 0 0" mass="12" diaginertia="0.1 0.1 0.1"/>
    <body name="trunk" pos="0 0 0.1"><joint name="back" type="hinge" axis="1 0 0" range="-0.5 0.6"/>
      <inertial pos="0 0 0.2" mass="30" diaginertia="1 1 0.4"/>
      <body name="skull" pos="0 0 0.5"><joint name="neck" type="ball"/>
        <inertial pos="0 0 0.1" mass="4.5" diaginertia="0.02 0.02 0.01"/></body></body>
    <body name="leg" pos="0 0 -0.1"><joint name="hip" type="hinge" axis="1 0 0" range="-0.3 2.2"
        stiffness="50" damping="5" springref="1.2"/>
      <inertial pos="0 0 -0.4" mass="20" diaginertia="1 1 0.1"/></body></body>
</worldbody><keyframe><key name="sitting" qpos="0 0 1 1 0 0 0 0.1 1 0 0 0 1.5"/></keyframe></mujoco>
"""


@needs_mujoco
def test_that_a_body_of_another_program_sits_on_a_seat_as_a_keyframe_has_it(tmp_path: Path) -> None:
    """It looks along y there, and rides with its legs forward."""
    file, ride, out = (tmp_path / name for name in ("body.xml", "ride.ridewright", "ridden.ridewright"))
    file.write_text(BODY, encoding="utf-8")
    project = load_example("straight")
    (car,) = project.train.children
    save_project(set_assembly(project, (car.name,), {"children": ()}), ride)
    line = [
        "import-mjcf",
        str(file),
        str(out),
        "--key",
        "sitting",
        "--ride",
        str(ride),
        "--on",
        "Car/Right seat",
    ]
    assert main([*line, "--pelvis", "hips", "--upper-torso", "trunk", "--head", "skull", "--yaw", "-90"]) == 0
    made = load_project(out)
    (sits,) = made.train.children[0].children
    assert (sits.role, sits.seat, sits.pelvis, sits.head) == ("rider", "Right seat", "hips", "skull")
    places = {body.name: np.array(body.position) for body in sits.bodies}
    legs = places["leg"] - places["hips"]
    assert legs == pytest.approx((0.4 * np.sin(1.5), 0.0, -0.1 - 0.4 * np.cos(1.5)), abs=1e-12)
    (limit,) = (one for one in sits.forces if isinstance(one, JointStop) and one.joint == "hip")
    assert (limit.lower, limit.upper) == pytest.approx((-1.8, 0.7))
    (spring,) = (one for one in sits.forces if isinstance(one, RotationalSpring))
    assert spring.free_angle == pytest.approx(-0.3)
    run = simulate(set_scenario(made, {"duration": 0.05}))
    assert run.status.name == "done", run.status.sentence
    pelvis, cab = (run.names.bodies.index(f"Car/{name}") for name in ("Rider/hips", "Carbody"))
    apart = np.linalg.norm(run.states.position[:, pelvis] - run.states.position[:, cab], axis=1)
    assert apart == pytest.approx(apart[0], abs=1e-6)


@needs_mujoco
@pytest.mark.parametrize(
    ("more", "said"),
    [
        (["--key", "lying"], "has no keyframe 'lying'; those of the file: sitting"),
        (
            ["--ride", "r", "--on", "Car/Left seat"],
            "needs --on, the seat, and --pelvis, --upper-torso and --head",
        ),
    ],
)
def test_that_what_seating_lacks_is_one_sentence(
    more: list[str], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "body.xml"
    file.write_text(BODY, encoding="utf-8")
    assert main(["import-mjcf", str(file), str(tmp_path / "out.ridewright"), *more]) == 2
    assert said in capsys.readouterr().err
