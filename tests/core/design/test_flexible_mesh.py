"""A rigid body made flexible of a mesh in one step: what is carried over, and how the mesh swings."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import ridewright as rw
from ridewright.core.base.errors import InputError
from ridewright.core.cli import main
from ridewright.core.design.flexible_mesh import MeshWanted, make_flexible_of_mesh
from ridewright.core.edits.elements import set_element
from ridewright.core.model.assembly import Assembly, Seat
from ridewright.core.model.bodies import GROUND, Body
from ridewright.core.model.joints import Joint
from ridewright.core.model.placement import placed_model
from ridewright.core.project.project import Project, load_project, save_project
from ridewright.core.project.scenario import Rig
from tests.core.structure import test_mesh_ties as ties

ARM = Path(__file__).parents[1] / "structure" / "arm"
REFERENCE = json.loads((ARM / "reference.json").read_text(encoding="utf-8"))
SETS = [
    {"name": "root", "position": [0.0, 0.0, 0.0], "set": "ROOT"},
    {"name": "tip", "position": [2.4, 0.25, 0.0], "set": "TIP"},
    {"name": "middle", "position": [1.2, 0.1, 0.0], "within": 0.2},
]
TIP = (2.4, 0.25, 0.0)

pytest.importorskip("skfem")
pytest.importorskip("meshio")


def _project(hinge: str = "rigid", mass: float = REFERENCE["mass"]) -> Project:
    """An arm of the size of the mesh, held at its root, with a head of no weight at its tip."""
    arm = Body(name="Arm", mass=mass, inertia=(1.0, 60.0, 60.0), position=(1.2, 0.1, 0.0))
    head = Body(name="Head", mass=1e-6, inertia=(1e-9,) * 3, position=TIP)
    root = (-1.2, -0.1, 0.0)
    axes = {} if hinge == "rigid" else {"axis_i": (0.0, 1.0, 0.0), "axis_j": (0.0, 1.0, 0.0)}
    joints = (
        Joint(name="Foot", kind=hinge, body_i=GROUND, body_j="Arm", point_j=root, **axes),
        Joint(name="Head joint", kind="rigid", body_i="Arm", point_i=(1.2, 0.15, 0.0), body_j="Head"),
    )
    seat = Seat(name="Seat", body="Arm", position=(1.0, 0.2, 0.3))
    rig = Assembly(name="Rig", role="rig", bodies=(arm, head), joints=joints, seats=(seat,))
    return Project(name="p", gravity=(0.0, 0.0, 0.0), scenario=Rig(assembly=rig, duration=0.1))


@pytest.fixture(scope="module")
def sets(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("sets") / "sets.json"
    file.write_text(json.dumps(SETS), encoding="utf-8")
    return file


@pytest.fixture(scope="module")
def made(sets: Path):
    return make_flexible_of_mesh(
        MeshWanted(_project(), ("Arm",), ARM / "arm.inp", frames=sets, modes=4, ratio=0.02)
    )


def test_that_it_swings_as_the_whole_mesh_does_where_it_is_held(made):
    """The reference is the whole mesh clamped at its root (README beside it); hubs are a part of its mass."""
    swings = [mode.frequency for mode in rw.modes(made.project).modes if mode.kind == "swing"]
    np.testing.assert_allclose(swings[:2], REFERENCE["clamped_root_Hz"][:2], rtol=2e-4)
    assert made.after.mass == pytest.approx(REFERENCE["mass"], rel=1e-6)
    assert made.project.assembly.mass() == pytest.approx(REFERENCE["mass"], rel=1e-5)


def test_that_hubs_joints_and_seats_are_carried_over(made):
    top, old = made.project.assembly, _project().assembly
    assert [body.name for body in top.bodies] == ["Head", "Arm at root", "Arm at tip"]
    (arm,) = top.flexibles
    assert (arm.name, arm.ratio) == ("Arm", 0.02)
    assert [(one.node, one.body) for one in arm.interfaces] == [
        ("root", "Arm at root"), ("tip", "Arm at tip")
    ]  # fmt: skip
    drawn, drawn_old = placed_model(top), placed_model(old)
    for new, was in zip(top.joints, old.joints, strict=True):
        for end in "ij":
            here, there = (
                model.at("", getattr(joint, f"body_{end}")).point(getattr(joint, f"point_{end}"))
                for model, joint in ((drawn, new), (drawn_old, was))
            )
            assert here == pytest.approx(there, abs=1e-7)
    assert top.seats[0].body == "Arm at tip"
    assert made.path == ("Arm",)
    assert any("hub at" in one or "'root' takes Foot" in one for one in made.said)
    results = rw.simulate(made.project)
    assert results.status.complete


def test_that_a_mesh_without_ties_is_held_by_the_nodes_around_and_one_with_ties_by_the_nearest(tmp_path):
    wanted = MeshWanted(_project("revolute"), ("Arm",), ARM / "arm.inp", reach=0.2, modes=2)
    made = make_flexible_of_mesh(wanted)
    assert [one.node for one in made.project.assembly.flexibles[0].interfaces] == ["Foot", "Head joint"]
    assert [one.body_j for one in made.project.assembly.joints] == ["Arm at Foot", "Head"]
    with pytest.raises(InputError, match="fewer than 3 nodes are within"):
        make_flexible_of_mesh(MeshWanted(_project(), ("Arm",), ARM / "arm.inp", reach=1e-4))
    small = ties._nastran(tmp_path, ties._small)
    tied = make_flexible_of_mesh(MeshWanted(_project(), ("Arm",), small, modes=2))
    assert [one.node for one in tied.project.assembly.flexibles[0].interfaces] == ["RBE2 101", "RBE3 102"]
    assert "'RBE2 101' takes Foot; 'RBE3 102' takes Head joint." in tied.said


def test_that_another_mass_is_said(sets):
    light = make_flexible_of_mesh(
        MeshWanted(_project(mass=10.0), ("Arm",), ARM / "arm.inp", frames=sets, modes=2)
    )
    assert any("the body 10 kg" in one for one in light.said)
    assert any("add what else the body carried" in one for one in light.said)
    moved = set_element(_project(), "body", ("Arm",), {"position": (1.2, 0.1, 5.0)})
    with pytest.raises(InputError, match=r"'Foot' holds the body 5 m from the nearest interface"):
        make_flexible_of_mesh(MeshWanted(moved, ("Arm",), ARM / "arm.inp", frames=sets))


def test_that_the_command_writes_the_same(made, sets, tmp_path, capsys):
    project, out = str(tmp_path / "p.ridewright"), str(tmp_path / "out.ridewright")
    save_project(_project(), project)
    given = ["make-flexible", project, "--body", "Arm", "--out", out]
    mesh = ["--mesh", str(ARM / "arm.inp"), "--frames", str(sets), "--modes", "4", "--damping", "0.02"]
    assert main([*given, *mesh]) == 0
    assert capsys.readouterr().out.splitlines() == list(made.said)
    (arm,), (same,) = load_project(out).assembly.flexibles, made.project.assembly.flexibles
    assert arm.interfaces == same.interfaces
    assert arm.mass() == pytest.approx(same.mass())


def test_that_the_command_refuses_what_belongs_to_a_mesh_and_a_mesh_there_is_not(tmp_path, capsys):
    project = str(tmp_path / "p.ridewright")
    save_project(_project(), project)
    given = ["make-flexible", project, "--body", "Arm", "--out", str(tmp_path / "out.ridewright")]
    for wrong, said in (
        (["--reach", "0.2"], "--reach belongs to --mesh FILE"),
        (["--mesh", str(tmp_path / "none.inp")], "none.inp"),
        (["--mesh", str(ARM / "arm.inp"), "--tube", "0.3", "0.01"], "not allowed with argument"),
    ):
        try:
            code = main([*given, *wrong])
        except SystemExit as left:  # of argparse
            code = left.code
        assert code == 2
        assert said in capsys.readouterr().err
