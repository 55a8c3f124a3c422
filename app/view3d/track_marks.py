"""What is drawn along the track: its devices as coloured bands between the rails, the frame sweep, and the line a shown
run was ridden on."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

import numpy as np

from ...core.base.errors import InputError
from ...core.track.build import BuiltTrack
from ...core.track.device_spans import DeviceSpan, device_spans
from ...core.track.devices import KINDS
from ..widgets.device_looks import device_colour
from ..widgets.theme import Colours
from .actors import make_actor
from .marks import Sweep, line_actor, ridden_line, sweep_actors, sweep_keys
from .mesh import grid_faces, polyline, surface
from .scene import Scene
from .track_mesh import Course

if TYPE_CHECKING:
    import pyvista as pv

DEVICES, SWEEP, RIDDEN = "devices", "sweep", "ridden"  # groups of marks
SPACING = 2.0  # m between two stations of a band
MAX_STATIONS = 150  # of a band
SHARE = 0.62  # of the gauge, width of the band
ABOVE = 0.05  # m above the rail plane
LINE = 4.0  # px, so that a band is seen from far away


def _device_actors(built: BuiltTrack, spans: Sequence[DeviceSpan], colours: Colours) -> list[pv.Actor]:
    """A band and a line for every device."""
    half = 0.5 * SHARE * built.track.gauge
    actors = []
    for span in spans:
        count = int(np.clip((span.s1 - span.s0) / SPACING, 2, MAX_STATIONS))
        course = Course.of(built, np.linspace(span.s0, span.s1, count))
        colour = device_colour(span.device.kind, colours)
        sides = np.stack([course.beside(half, ABOVE), course.beside(-half, ABOVE)], axis=1)
        band = surface(sides, grid_faces(count, 2, around=False))
        actors.append(make_actor(band, colour=colour, lit=False, cull=False))
        actors.append(line_actor(polyline(course.beside(0.0, ABOVE)), colour, LINE))
    return actors


def device_keys(spans: Sequence[DeviceSpan], colours: Colours) -> list[tuple[str, str]]:
    """Colour and name of every kind of device there is."""
    kinds = {span.device.kind for span in spans}
    return [(device_colour(kind, colours), made.title) for kind, made in KINDS.items() if kind in kinds]


class TrackMarks:
    """Marks along the drawn track of a scene; `keys` says what their colours mean."""

    def __init__(self, scene: Scene) -> None:
        self._scene = scene
        self._spans: tuple[DeviceSpan, ...] = ()
        self._sweep: Sweep | None = None

    def show_devices(self) -> None:
        """Bands where lifts, launches and brakes are."""
        built, self._spans = self._scene.built, ()
        if built is None or not built.track.devices:
            self._scene.marks.clear(DEVICES)
            return
        with suppress(InputError):  # told among the problems
            self._spans = device_spans(built.track.devices, built.sections)
        self._scene.marks.set(DEVICES, _device_actors(built, self._spans, self._scene.colours))

    def show_sweep(self, sweep: Sweep | None) -> None:
        """Combs of the moving frame with these options; None takes them away."""
        built, self._sweep = self._scene.built, sweep
        if sweep is None or built is None:
            self._scene.marks.clear(SWEEP)
        else:
            self._scene.marks.set(SWEEP, sweep_actors(built, sweep, self._scene.colours))

    def show_ridden(self) -> None:
        """The line of the track the shown run was ridden on, where that is not the drawn one."""
        ridden = self._scene.ridden
        if ridden is None:
            self._scene.marks.clear(RIDDEN)
        else:
            self._scene.marks.set(RIDDEN, [ridden_line(ridden, self._scene.colours.muted)])

    def keys(self) -> list[tuple[str, str]]:
        """What the colours mean: colour and sentence."""
        colours = self._scene.colours
        entries = device_keys(self._spans, colours)
        if self._sweep is not None and self._scene.built is not None:
            entries += sweep_keys(self._sweep, colours)
        if self._scene.ridden is not None:
            entries.append((colours.muted, "Track as it was in the shown run"))
        return entries
