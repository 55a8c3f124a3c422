"""Pictures of the rides among the examples, for the start page: `python -m tools.example_pictures`, on any display.

They are drawn by the scene of the 3D view, in the colours of both themes, and lie beside the examples.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

from ridewright.app.shell.application import make_application
from ridewright.app.view3d.off_screen import OffScreen
from ridewright.app.view3d.scene import Scene
from ridewright.app.widgets.theme import DARK, LIGHT, Colours
from ridewright.core.base.bundled import example_path, example_picture, ride_names
from ridewright.core.project.project import Project, load_project
from ridewright.core.track.build import build_track

WIDTH, HEIGHT = 440, 264  # px, twice what the start page shows
AROUND, LEAST = 1.3, 8.0  # a train with what is around it: of its own size, and at least in m
COASTERS = ("looping_star", "gatekeeper", "veloci2")  # seen whole; of others the train is seen


def picture(name: str, project: Project, colours: Colours, file: Path) -> None:
    """Draw an example and save it as PNG."""
    screen = OffScreen(WIDTH, HEIGHT, samples=4)
    scene = Scene(screen.plotter, colours)
    scene.draw_as("high")
    built = None if project.track is None else build_track(project.track, ride=False)
    scene.set_track(built, project)
    scene.set_train(project, None)
    scene.show_time(0.0)
    if name in COASTERS and scene.track.mesh is not None:
        scene.rig.frame_points(np.asarray(scene.track.mesh.course.position), WIDTH / HEIGHT)
    elif project.track is None:
        scene.rig.frame(*scene.bounds(), WIDTH / HEIGHT)
    else:
        poses = scene.train.poses
        assert poses is not None
        centre, radius = poses.ball()
        scene.rig.elevation = 0.35
        scene.rig.frame(centre, max(AROUND * radius, LEAST), WIDTH / HEIGHT)
    scene.apply_camera()
    screen.draw().save(str(file), "PNG")
    screen.close()


def main() -> None:
    """Draw all rides in both themes."""
    app = make_application([sys.argv[0]])
    example_picture(ride_names()[0], "dark").parent.mkdir(exist_ok=True)
    for name in ride_names():
        project = load_project(example_path(name))
        for colours in (DARK, LIGHT):
            picture(name, project, colours, example_picture(name, colours.name))
    app.quit()


if __name__ == "__main__":
    main()
