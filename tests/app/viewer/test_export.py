"""The scene as glTF and OBJ: read back, it lies where track and train are, in metres."""

from __future__ import annotations

import gc
import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
import pyvista as pv

from ridewright.app.view3d.actors import mesh_of
from ridewright.app.view3d.export import ENDINGS, TO_GLTF, export_scene
from ridewright.app.view3d.off_screen import OffScreen
from ridewright.app.view3d.scene import Scene
from ridewright.app.widgets.theme import DARK
from ridewright.core.base.errors import InputError
from ridewright.core.project.examples import load_example
from ridewright.core.project.project import Project
from ridewright.core.track.build import build_track


@pytest.fixture
def scene() -> Iterator[Scene]:
    """The Looping Star as drawn."""
    project = load_example("looping_star")
    screen = OffScreen()
    made = Scene(screen.plotter, DARK)
    made.set_track(build_track(project.track, ride=False), project)
    made.set_train(project, None)
    made.apply_camera()  # from afar: the ties are hidden in the view, not in the file
    yield made
    screen.close()
    gc.collect()


def _points(path: Path) -> np.ndarray:
    """All points of a file (m), with z up."""
    read = pv.read(path)
    blocks = read.combine().points if isinstance(read, pv.MultiBlock) else read.points
    return blocks @ TO_GLTF[:3, :3] if path.suffix != ".obj" else np.asarray(blocks)


@pytest.mark.parametrize("ending", ENDINGS)
def test_that_a_scene_that_is_read_back_lies_where_track_and_riders_are(
    scene: Scene, tmp_path: Path, ending: str
) -> None:
    files = export_scene(scene, tmp_path / f"whole scene{ending}")
    assert files[-1].suffix == ending
    assert all(file.is_file() for file in files)
    points = _points(files[-1])
    low, high = points.min(axis=0), points.max(axis=0)
    # rails are beside the line of the centres, legs end at the ground, outside of curves too
    line = scene.built.centreline
    rails = line.position(np.linspace(0.0, scene.built.length, 2000))
    assert (low[:2] < rails.min(axis=0)[:2]).all()
    assert (low[:2] > rails.min(axis=0)[:2] - 12.0).all()
    assert (high[:2] < rails.max(axis=0)[:2] + 12.0).all()
    assert high[2] == pytest.approx(rails[:, 2].max(), abs=1.5)
    assert low[2] == pytest.approx(scene.track.ground, abs=0.3)
    head = scene.train.frame_of(next(name for name in scene.train.members if name.endswith("/Head"))).position
    assert np.linalg.norm(points - head, axis=1).min() < 0.2
    assert np.isfinite(points).all()
    text = files[0 if ending == ".obj" else -1].read_bytes().decode("utf-8", "replace")
    assert (
        text.count("COLOR_0") > 10 or len({line for line in text.splitlines() if line.startswith("Kd")}) > 5
    )


def test_that_parts_have_the_names_of_bodies_and_of_the_track(scene: Scene, tmp_path: Path) -> None:
    (file,) = export_scene(scene, tmp_path / "a.gltf")
    document = json.loads(file.read_text(encoding="utf-8"))
    names = [node["name"] for node in document["nodes"] if "mesh" in node]
    assert {"Car/Carbody", "Car/Rider/Head", "ties"} <= {*names}
    assert len({*names}) == len(names)
    assert not [name for name in names if name.startswith("part")]  # springs have theirs
    assert [document["meshes"][node["mesh"]]["name"] for node in document["nodes"] if "mesh" in node] == names
    (packed,) = export_scene(scene, tmp_path / "a.glb")
    assert packed.read_bytes()[:4] == b"glTF"
    head = np.array(document["accessors"][_positions(document, "Car/Rider/Head")]["max"])
    at = scene.train.frame_of("Car/Rider/Head").position @ TO_GLTF[:3, :3].T
    assert np.linalg.norm(head - at) < 0.5


def _positions(document: dict, name: str) -> int:
    mesh = next(mesh for mesh in document["meshes"] if mesh["name"] == name)
    return int(mesh["primitives"][0]["attributes"]["POSITION"])


def test_that_bodies_move_with_the_time_of_the_view(scene: Scene, tmp_path: Path) -> None:
    member = next(one for one in scene.train.members.values() if one.of_rider)
    at_rest = _points(export_scene(scene, tmp_path / "a.gltf")[0])
    scene.train.poses._position[:, member.column] += (0.0, 0.0, 50.0)
    moved = _points(export_scene(scene, tmp_path / "b.gltf")[0])
    assert len(moved) == len(at_rest)
    lifted = np.abs(moved - at_rest).max(axis=1) > 1e-3
    assert lifted.sum() == mesh_of(member.actor).n_points
    assert moved[lifted] - at_rest[lifted] == pytest.approx(
        np.broadcast_to((0.0, 0.0, 50.0), (lifted.sum(), 3)), abs=1e-3
    )


def test_that_nothing_and_another_ending_are_refused(scene: Scene, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"end the name in \.glb, \.gltf or \.obj"):
        export_scene(scene, tmp_path / "scene.stl")
    (tmp_path / "file").touch()
    with pytest.raises(InputError, match="cannot be written"):
        export_scene(scene, tmp_path / "file" / "scene.gltf")
    scene.set_track(None, Project(name="Nothing"))
    scene.set_train(Project(name="Nothing"), None)
    with pytest.raises(InputError, match="nothing to export"):
        export_scene(scene, tmp_path / "scene.gltf")
