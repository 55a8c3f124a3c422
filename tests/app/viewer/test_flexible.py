"""Beams and imported structures in the scene: where they are drawn, bent and in the colours of their stress."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from ridewright.app.view3d.colouring import colour_map
from ridewright.app.view3d.mesh import COLOUR
from ridewright.app.view3d.off_screen import OffScreen
from ridewright.app.view3d.scene import Scene
from ridewright.app.widgets import units
from ridewright.app.widgets.theme import DARK
from ridewright.core.cli.program import main
from ridewright.core.edits.elements import set_element
from ridewright.core.outcome.stress import stress_of
from ridewright.core.project.examples import load_example
from ridewright.core.project.project import Project, load_project
from ridewright.core.project.scenario import Rig
from ridewright.core.results.results import Results
from ridewright.core.run.simulate import simulate
from tests.core.cli.test_import_structure import ARM, _rig


@pytest.fixture(scope="module")
def swung() -> tuple[Project, Results]:
    project = load_example("swing_beam")
    scenario = project.scenario.model_copy(update={"duration": 0.8})
    project = project.model_copy(update={"scenario": scenario})
    return project, simulate(project)


def _end(scene: Scene, along: np.ndarray, place: np.ndarray) -> np.ndarray:
    """Middle of the points of the beam that lie at a node as described."""
    (body,) = scene.flexible._bodies
    at = np.abs((body.skin.points - place) @ along) < 1e-9
    assert at.sum() > 7
    points = np.array(body.mesh.points, dtype=float)[at]
    return 0.5 * (points.min(axis=0) + points.max(axis=0)) if len(points) else points


def test_that_beams_are_drawn_as_described_and_bend_with_the_run(swung: tuple[Project, Results]) -> None:
    project, results = swung
    scene = Scene(OffScreen().plotter, DARK)
    scene.set_train(project, None)
    (one,) = stress_of(results)
    nodes = {node.name: np.array(node.position) for node in one.flexible.description.nodes}
    drawn = np.array(scene.flexible.meshes[0].points)
    for place in nodes.values():
        assert np.all(place > drawn.min(axis=0) - 1e-6)
        assert np.all(place < drawn.max(axis=0) + 1e-6)
    assert scene.flexible.keys() == []
    scene.set_train(project, results)
    assert results.states.modal is not None
    k = int(np.abs(results.states.modal).max(axis=1).argmax())
    scene.show_time(float(results.states.time[k]))
    # the end of the beam is where the body is that is tied to it
    end = one.flexible.ends[-1]
    along = nodes[end.node] - nodes[one.flexible.ends[0].node]
    along /= np.linalg.norm(along)
    body = results.names.bodies[end.at.body]
    column = scene.train.poses.index[body]
    tied = scene.train.position[column] + scene.train.rotation[column] @ end.point
    # in the middle of the outermost points, but for what the section leans
    assert _end(scene, along, nodes[end.node]) == pytest.approx(tied, abs=1e-3)
    straight = _end(scene, along, nodes[end.node])
    scene.flexible.exaggerate(100.0)
    bent = _end(scene, along, nodes[end.node])
    (part,) = scene.flexible._bodies
    q = results.states.modal[k]
    A = scene.train.rotation[part.column]
    at = np.abs((part.skin.points - nodes[end.node]) @ along) < 1e-9
    gone = (part.skin.moves[at] @ q).mean(axis=0) @ A.T
    assert bent - straight == pytest.approx(99.0 * gone, rel=0.05, abs=2e-3)


def test_that_colours_are_the_stress_and_the_legend_names_the_largest(swung: tuple[Project, Results]) -> None:
    project, results = swung
    scene = Scene(OffScreen().plotter, DARK)
    scene.set_train(project, results)
    (one,) = stress_of(results)
    envelope = one.superposition.envelope(one.modal)
    assert scene.flexible.most == pytest.approx(envelope.worst.max(), rel=1e-9)
    assert units.text(envelope.worst.max(), "MPa") in scene.flexible.keys()[-1][1]
    k = int(envelope.instant[envelope.worst.argmax()])
    scene.show_time(float(results.states.time[k]))
    colours = np.array(scene.flexible.meshes[0].point_data[COLOUR])
    assert (colours == colour_map(signed=False)[255]).all(axis=1).any()


def _imported(tmp_path: Path, *words: str) -> tuple[Project, Results]:
    """The solid arm with a heavy head, sinking under its weight, from a mesh or from matrices."""
    _rig(tmp_path / "rig.ridewright")
    out = str(tmp_path / "out.ridewright")
    given = ["import-structure", str(tmp_path / "rig.ridewright"), *words, "--out", out, "--name", "Arm"]
    frames = ["--frames", str(ARM / "interface.json"), "--modes", "2", "--join", "root=ground", "tip=Head"]
    assert main([*given, *frames]) == 0
    project = load_project(out)
    heavy = {"mass": 200.0, "inertia": (4.0, 5.0, 6.0)}
    project = set_element(project, "body", ("Head",), heavy).model_copy(update={"gravity": (0.0, 0.0, -9.81)})
    return project, simulate(project)


def test_that_a_meshed_structure_is_drawn_bent_ten_times_and_in_its_stress(tmp_path: Path) -> None:
    pytest.importorskip("skfem")
    project, results = _imported(tmp_path, "--mesh", str(ARM / "arm.inp"))
    scene = Scene(OffScreen().plotter, DARK)
    scene.set_train(project, None)
    drawn = np.array(scene.flexible.meshes[0].points)
    assert drawn[:, 0].max() == pytest.approx(2.4)
    assert np.ptp(drawn[:, 2]) == pytest.approx(0.16, abs=1e-6)
    scene.set_train(project, results)
    (one,) = stress_of(results)
    envelope = one.superposition.envelope(one.modal)
    assert scene.flexible.most == pytest.approx(envelope.worst.max(), rel=1e-6)
    k = int(envelope.instant[envelope.worst.argmax()])
    scene.show_time(float(results.states.time[k]))
    mesh = scene.flexible.meshes[0]
    assert (np.array(mesh.point_data[COLOUR]) == colour_map(signed=False)[255]).all(axis=1).any()
    # the head is fixed 0.25 m beside the end, which turns little about the arm
    tip = drawn[:, 0] > 2.4 - 1e-6
    head = results.states.position[k, results.names.bodies.index("Head"), 2]
    sunk = np.array(mesh.points, dtype=float)[tip, 2].mean()
    turn = np.polyfit(drawn[tip, 1], np.array(mesh.points, dtype=float)[tip, 2], 1)[0]
    assert sunk + 0.25 * turn == pytest.approx(head, abs=2e-6)
    # ten times what the points move against the floating frame
    near, body = np.array(mesh.points, dtype=float), scene.flexible._bodies[0]
    A, r = scene.train.rotation[body.column], scene.train.position[body.column]
    stiff = (body.skin.points - body.centre) @ A.T + r
    scene.flexible.exaggerate(10.0)
    far = np.array(mesh.points, dtype=float)
    np.testing.assert_allclose(far - stiff, 10.0 * (near - stiff), atol=1e-5)
    assert np.abs(near - stiff).max() > 5e-4
    assert scene.flexible.keys()[0][1].startswith("Von Mises stress")


def test_that_a_structure_of_matrices_is_its_nodes_without_colours_of_stress(tmp_path: Path) -> None:
    words = ("--stiffness", "K.mtx.gz", "--mass", "M.mtx.gz", "--nodes", "nodes.csv")
    project, results = _imported(tmp_path, *(x if x.startswith("--") else str(ARM / x) for x in words))
    scene = Scene(OffScreen().plotter, DARK)
    scene.set_train(project, results)
    (mesh,) = scene.flexible.meshes
    assert (mesh.n_points, mesh.n_verts) == (488, 488)
    assert scene.flexible.keys() == []
    before = np.array(mesh.points)
    scene.show_time(float(results.states.time[-1]))
    assert np.ptp(np.array(mesh.points)[:, 2] - before[:, 2]) > 1e-4


def test_that_an_edit_draws_anew_only_the_bodies_that_it_changed(swung: tuple[Project, Results]) -> None:
    project, results = swung
    scene = Scene(OffScreen().plotter, DARK)
    scene.set_train(project, None)
    (mesh,) = scene.flexible.meshes
    heavier = set_element(project, "body", (next(iter(project.assembly.every("body"))),), {"mass": 4321.0})
    scene.set_train(heavier, None)
    assert scene.flexible.meshes[0] is mesh
    damped = set_element(heavier, "flexible", ("Main beam",), {"ratio": 0.01})
    scene.set_train(damped, None)
    (other,) = scene.flexible.meshes
    assert other is not mesh
    scene.set_train(damped, results)
    (bent,) = scene.flexible.meshes
    scene.set_train(heavier, results)  # of another design: what is shown is the run
    assert scene.flexible.meshes[0] is bent
    scene.set_train(heavier, None)
    assert np.array_equal(scene.flexible.meshes[0].points, mesh.points)


def test_that_an_arm_with_one_body_at_its_end_is_framed_whole(swung: tuple[Project, Results]) -> None:
    project, _ = swung
    top = project.assembly
    (beam,) = top.flexibles
    moved = {
        "nodes": tuple(
            n.model_copy(update={"position": (0.0, 0.0, -5.0 * k)}) for k, n in enumerate(beam.nodes)
        )
    }
    beam = beam.model_copy(update={**moved, "interfaces": beam.interfaces[:1]})
    hub = next(body for body in top.bodies if body.name == beam.interfaces[0].body)
    alone = type(top)(name="Rig", role="rig", bodies=(hub,), flexibles=(beam,))
    scene = Scene(OffScreen().plotter, DARK)
    scene.set_train(project.model_copy(update={"scenario": Rig(assembly=alone, duration=1.0)}), None)
    centre, radius = scene.bounds()
    far = np.linalg.norm(np.array(scene.flexible.meshes[0].points) - centre, axis=1)
    assert 2.4 < far.max() < radius
