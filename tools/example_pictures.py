"""Pictures of the examples: `python -m tools.example_pictures`, on any display.

They are drawn by the scene of the 3D view. Those of the rides, in the colours of both themes, lie beside the examples,
for the start page; a light one of every example and the page that shows all, `gallery.md`, lie in the guide.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Final

import numpy as np

from ridewright.app.shell.application import make_application
from ridewright.app.view3d.framing import points_of
from ridewright.app.view3d.off_screen import OffScreen
from ridewright.app.view3d.scene import Scene
from ridewright.app.widgets.theme import DARK, LIGHT, Colours
from ridewright.core.base.bundled import (
    example_names,
    example_note,
    example_path,
    example_picture,
    example_title,
    ride_names,
)
from ridewright.core.project.project import Project, load_project
from ridewright.core.track.build import build_track

GUIDE = Path(__file__).parents[1] / "resources" / "guide"
WIDTH, HEIGHT = 440, 264  # px, twice what the start page shows
AROUND, LEAST = 1.1, 7.0  # a train with what is around it: of its own size, and at least in m
WIRE = 30.0  # m: a track of this size is seen whole
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
    points = points_of(scene, "everything")
    if name in COASTERS or project.track is None or np.ptp(points, axis=0).max() < WIRE:
        scene.rig.frame_points(points, WIDTH / HEIGHT)
    else:
        points = points_of(scene, "train")
        centre = 0.5 * (points.min(axis=0) + points.max(axis=0))
        radius = AROUND * float(np.linalg.norm(points - centre, axis=1).max())
        scene.rig.elevation = 0.35
        scene.rig.frame(centre, max(radius, LEAST), WIDTH / HEIGHT)
    scene.apply_camera()
    screen.draw().save(str(file), "PNG")
    screen.close()


HEAD: Final = """# Gallery

Every project that comes with the program, as it is drawn before it runs, and the commands that ride it. In the studio
they are under *File > Examples* and on the start page.
"""


def gallery() -> str:
    """The page with all examples as Markdown: rides, then rigs; a picture, what it is, and the command that runs it."""
    rides = ride_names()
    rigs = [name for name in example_names() if name not in rides]
    parts = [HEAD]
    for title, names in (("Rides", rides), ("Test rigs", rigs)):
        parts.append(f"## {title}\n")
        for name in names:
            parts.append(
                f"### {example_title(name)}\n\n![{example_title(name)}](pictures/examples/{name}.png)\n\n"
                f"{example_note(name)}\n\n"
                f"    ridewright example {name} --out {name}.ridewright\n"
                f"    ridewright simulate {name}.ridewright --out {name}\n"
            )
    return "\n".join(parts)


def main() -> None:
    """Draw all rides in both themes, and the gallery."""
    app = make_application([sys.argv[0]])
    example_picture(ride_names()[0], "dark").parent.mkdir(exist_ok=True)
    for name in ride_names():
        project = load_project(example_path(name))
        for colours in (DARK, LIGHT):
            picture(name, project, colours, example_picture(name, colours.name))
    shown = GUIDE / "pictures" / "examples"
    shown.mkdir(exist_ok=True)
    for name in example_names():
        picture(name, load_project(example_path(name)), LIGHT, shown / f"{name}.png")
    (GUIDE / "gallery.md").write_text(gallery(), encoding="utf-8")
    app.quit()


if __name__ == "__main__":
    main()
