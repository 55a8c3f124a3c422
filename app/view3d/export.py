"""The scene as a file for other programs: rails, ties, supports, station, train and riders as they stand, in metres."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

from ...core.base.atomic import replacing, scratch_folder
from ...core.base.errors import InputError
from ...core.project.scenario import Ride
from .actors import add, make_actor
from .coupling_layer import CouplingLayer
from .flexible_layer import FlexibleLayer
from .mesh import COLOUR, overwrite
from .off_screen import OffScreen
from .scene import Scene
from .track_layer import TrackLayer
from .train_layer import TrainLayer

if TYPE_CHECKING:
    import pyvista as pv

ENDINGS: Final = (".gltf", ".obj")
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
        raise InputError(f"{path.name}: end the name in {' or '.join(ENDINGS)}.")
    screen = OffScreen()
    try:
        if not screen.works:
            raise InputError("This machine cannot draw off screen, so that no scene can be exported.")
        parts = list(_solids(scene, screen.plotter))
        if not parts:
            raise InputError("There is nothing to export yet; begin a track or a train first.")
        screen.plotter.clear_actors()
        upright = path.suffix.lower() == ".gltf"
        for mesh, colour in parts:
            if upright:
                mesh.transform(TO_GLTF, inplace=True)
            add(screen.plotter, make_actor(mesh, colour=colour if upright or colour else _mean_colour(mesh)))
        screen.draw()  # the exporters take what has been drawn
        return _write(screen.plotter, path)
    finally:
        screen.close()


def _solids(scene: Scene, plotter: pv.BasePlotter) -> Iterator[tuple[pv.PolyData, str | None]]:
    """What is drawn, without world, marks and lines, at its place in the world (m), and its colour where it has one.

    Drawn anew, so that the view and what it hides for its camera stay as they are.
    """
    track, train = TrackLayer(plotter), TrainLayer(plotter)
    project, results = scene.project, scene.results
    start = project.scenario.start if project is not None and isinstance(project.scenario, Ride) else 0.0
    track.rebuild(scene.built, scene.colours, scene.quality, start)
    if track.mesh is not None and scene.track.mesh is not None:
        overwrite(track.mesh.tubes.point_data[COLOUR], scene.track.mesh.tubes.point_data[COLOUR])
    for part in WORLD:
        track.show(part, False)
    if project is not None:
        train.rebuild(project, scene.train.flat, scene.train.poses, scene.colours)
        train.show_time(scene.time)
        couplings, flexible = CouplingLayer(plotter), FlexibleLayer(plotter)
        couplings.rebuild(project, results, train, scene.colours)
        couplings.show_time(scene.time)
        flexible.rebuild(project, results, train, scene.colours)
        flexible.show_time(scene.time)
    for actor in plotter.actors.values():
        mesh = actor.mapper.dataset
        if actor.visibility and mesh.GetNumberOfPolys():
            own = actor.mapper.scalar_visibility
            moved = mesh.copy().transform(actor.GetMatrix(), inplace=True)
            yield moved, None if own else actor.prop.color.hex_rgb


def _mean_colour(mesh: pv.PolyData) -> str:
    """The mean of the colours of the points, "#rrggbb"."""
    red, green, blue = np.rint(mesh.point_data[COLOUR][:, :3].mean(axis=0)).astype(int)
    return f"#{red:02x}{green:02x}{blue:02x}"


def _write(plotter: pv.BasePlotter, path: Path) -> tuple[Path, ...]:
    """In a scratch folder first: VTK says nothing of a disk that is full, and OBJ is two files."""
    with scratch_folder("ridewright-scene") as scratch:
        made = scratch / f"{path.stem}{path.suffix.lower()}"
        if made.suffix == ".gltf":
            plotter.export_gltf(str(made), rotate_scene=False)
        else:
            plotter.export_obj(made)
        files = sorted(scratch.iterdir())
        for file in files:
            with replacing(path.parent / file.name) as part:
                shutil.copyfile(file, part)
        return tuple(path.parent / file.name for file in files)
