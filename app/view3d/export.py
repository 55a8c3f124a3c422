"""The scene as a file for other programs: rails, ties, supports, station, train and riders as they stand, in metres."""

from __future__ import annotations

import base64
import json
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ...core.base.atomic import replacing, scratch_folder
from ...core.base.errors import InputError
from ...core.edits.changes import free_name
from ...core.exchange.gltf import binary_gltf
from ...core.project.scenario import Ride
from ...core.track.supports import SPACING
from .actors import add, colour_of, make_actor, mesh_of
from .coupling_layer import CouplingLayer
from .flexible_layer import FlexibleLayer
from .mesh import COLOUR, overwrite
from .off_screen import OffScreen
from .scene import Scene
from .track_layer import TrackLayer
from .train_layer import TrainLayer

if TYPE_CHECKING:
    import pyvista as pv

ENDINGS: Final = (".glb", ".gltf", ".obj")
WORLD: Final = ("sky", "ground", "grid", "shadow")  # what is no thing to build
# glTF says y is up and +z forward; here z is up and x forward
TO_GLTF: Final = np.array(
    [[0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0], [1.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 1.0]]
)


def export_scene(scene: Scene, path: Path) -> tuple[Path, ...]:
    """Write what a scene shows of track, train and riders at its time; returns the files.

    glTF has the colours of the points and y up, OBJ one colour a part and z up, both metres. Raises InputError when
    there is nothing to write, for another ending, and when a file cannot be written.
    """
    if path.suffix.lower() not in ENDINGS:
        raise InputError(f"{path.name}: end the name in {', '.join(ENDINGS[:-1])} or {ENDINGS[-1]}.")
    screen = OffScreen()
    try:
        if not screen.works:
            raise InputError("This machine cannot draw off screen, so that no scene can be exported.")
        parts = list(_solids(scene, screen.plotter))
        if not parts:
            raise InputError("There is nothing to export yet; begin a track or a train first.")
        screen.plotter.clear_actors()
        upright = path.suffix.lower() != ".obj"
        for _, mesh, colour in parts:
            if upright:
                mesh.transform(TO_GLTF, inplace=True)
            add(screen.plotter, make_actor(mesh, colour=colour if upright or colour else _mean_colour(mesh)))
        screen.draw()  # the exporters take what has been drawn
        return _write(screen.plotter, path, [name for name, *_ in parts])
    finally:
        screen.close()


def _solids(scene: Scene, plotter: pv.BasePlotter) -> Iterator[tuple[str, pv.PolyData, str | None]]:
    """What is drawn, without world, marks and lines: its name, it at its place (m), and its colour where it has one.

    Drawn anew, so that the view and what it hides for its camera stay as they are.
    """
    track, train = TrackLayer(plotter), TrainLayer(plotter)
    project, results = scene.project, scene.results
    start = project.scenario.start if project is not None and isinstance(project.scenario, Ride) else 0.0
    spacing = SPACING if project is None else project.steelwork.spacing
    track.rebuild(scene.built, scene.colours, scene.quality, start, spacing)
    if track.mesh is not None and scene.track.mesh is not None:
        overwrite(track.mesh.tubes.point_data[COLOUR], scene.track.mesh.tubes.point_data[COLOUR])
    for part in WORLD:
        track.show(part, False)
    others: tuple[CouplingLayer | FlexibleLayer, ...] = ()
    if project is not None:
        train.rebuild(project, scene.train.flat, scene.train.poses, scene.colours)
        train.show_time(scene.time)
        couplings, flexible = CouplingLayer(plotter), FlexibleLayer(plotter)
        others = couplings, flexible
        couplings.rebuild(project, results, train, scene.colours)
        couplings.show_time(scene.time)
        flexible.rebuild(project, results, train, scene.colours)
        flexible.show_time(scene.time)
    taken: set[str] = set()
    for actor in plotter.actors.values():
        mesh = mesh_of(actor)
        if actor.visibility and mesh.GetNumberOfPolys():
            moved = mesh.copy().transform(actor.GetMatrix(), inplace=True)
            name = free_name(_called(actor, track, train, others), taken)
            taken.add(name)
            yield name, moved, colour_of(actor)


def _called(
    actor: object, track: TrackLayer, train: TrainLayer, others: Sequence[CouplingLayer | FlexibleLayer]
) -> str:
    """What an actor is called: a part of the track, a body or a force element by its path, a coupling."""
    other = next((name for layer in (train, *others) if (name := layer.of_actor(actor))), "")
    return track.name_of(actor) or other or "part"


def _mean_colour(mesh: pv.PolyData) -> str:
    """The mean of the colours of the points, "#rrggbb"."""
    red, green, blue = np.rint(mesh.point_data[COLOUR][:, :3].mean(axis=0)).astype(int)
    return f"#{red:02x}{green:02x}{blue:02x}"


def _write(plotter: pv.BasePlotter, path: Path, names: list[str]) -> tuple[Path, ...]:
    """In a scratch folder first: VTK says nothing of a disk that is full, and OBJ is two files. names: of the parts."""
    with scratch_folder("ridewright-scene") as scratch:
        made = scratch / f"{path.stem}{path.suffix.lower()}"
        if made.suffix == ".obj":
            plotter.export_obj(made)
        else:
            plain = made.with_suffix(".gltf")
            plotter.export_gltf(str(plain), rotate_scene=False)
            document = _named(json.loads(plain.read_text(encoding="utf-8")), names)
            plain.unlink()
            if made.suffix == ".glb":
                made.write_bytes(_packed(document))
            else:
                made.write_text(json.dumps(document), encoding="utf-8")
        files = sorted(scratch.iterdir())
        for file in files:
            with replacing(path.parent / file.name) as part:
                shutil.copyfile(file, part)
        return tuple(path.parent / file.name for file in files)


def _named(document: dict[str, Any], names: list[str]) -> dict[str, Any]:
    """A glTF document of VTK with the names of its parts, which are in the order in which they were drawn."""
    if len(document["meshes"]) == len(names):
        for mesh, name in zip(document["meshes"], names, strict=True):
            mesh["name"] = name
        for node in document["nodes"]:
            if "mesh" in node:
                node["name"] = names[node["mesh"]]
    return document


def _packed(document: dict[str, Any]) -> bytes:
    """A glTF document whose buffers are written in it, as one binary file."""
    blob, begins = bytearray(), []
    for buffer in document["buffers"]:
        begins.append(len(blob))
        data = base64.b64decode(buffer["uri"].partition(",")[2])
        blob.extend(data + b"\0" * (-len(data) % 4))
    for view in document["bufferViews"]:
        view["byteOffset"] = begins[view["buffer"]] + view.get("byteOffset", 0)
        view["buffer"] = 0
    document["buffers"] = [{"byteLength": len(blob)}]
    return binary_gltf(document, bytes(blob))
