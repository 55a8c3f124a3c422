"""Lifts, launches and brakes in the scene: a coloured band between the rails for each kind, named in the keys."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from ...core.track.build import BuiltTrack
from ...core.track.device_spans import DeviceSpan
from ...core.track.devices import KINDS
from ..widgets.device_looks import device_colour
from ..widgets.theme import Colours
from .actors import make_actor
from .marks import line_actor
from .mesh import grid_faces, polyline, surface
from .track_mesh import Course

if TYPE_CHECKING:
    import pyvista as pv

GROUP = "devices"
SPACING = 2.0  # m between two stations of a band
MAX_STATIONS = 150
SHARE = 0.62  # of the gauge, width of the band
ABOVE = 0.05  # m above the rail plane
LINE = 4.0  # px, so that a band is seen from far away


def device_actors(built: BuiltTrack, spans: Sequence[DeviceSpan], colours: Colours) -> list[pv.Actor]:
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
