"""The world around the track: sky dome, ground with a grid that fades into the horizon, shadow, station."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ...core.base.arrays import Array
from ...core.track.build import BuiltTrack
from ...core.track.supports import open_level
from ..widgets.theme import Colours
from .mesh import Part, box, grid_faces, merged, polyline, rgb, surface
from .track_mesh import Course

if TYPE_CHECKING:
    import pyvista as pv


PLATFORM_GAP = 1.15  # m from the centreline to the edge of the platform
PLATFORM_WIDTH = 3.2  # m
PLATFORM_TOP = 0.32  # m above the rail plane
LONGEST_STATION = 40.0  # m
FADING = 0.7  # exponent of the fading towards the horizon
GONE = 1.0 / 1.15  # share of that fading at which the lines of the grid are gone
GRID_POINTS = 13  # of a line of the grid


def ground_height(built: BuiltTrack | None) -> float:
    """Height (m) of the level ground that is drawn: that of the site or, when it is open, a little below the lowest
    rail; 0 without a track."""
    if built is None:
        return 0.0
    level = built.track.site.level
    return open_level(built) if level is None else level


def round_number(value: float) -> float:
    """1, 2 or 5 times a power of ten, at most `value`."""
    power = 10.0 ** np.floor(np.log10(max(value, 1e-6)))
    return float(max(step * power for step in (1.0, 2.0, 5.0) if step * power <= value * (1.0 + 1e-9)))


def _blend(a: str, b: str, share: Array) -> NDArray[np.uint8]:
    low, high = np.array(rgb(a), dtype=float), np.array(rgb(b), dtype=float)
    mix = low + (high - low) * share[:, None]
    return np.asarray(np.rint(mix), dtype=np.uint8)


def _horizon(colours: Colours) -> str:
    return colours.sky_bottom if colours.name == "light" else colours.sky_top


def sky(colours: Colours, radius: float) -> pv.PolyData:
    """A dome (m) that is seen from inside and moved along with the camera: the horizon lighter, the zenith deeper."""
    rows, sides = 13, 24
    height = np.linspace(-0.25, 1.0, rows)
    angle = np.linspace(0.0, 2.0 * np.pi, sides, endpoint=False)
    flat = np.sqrt(np.maximum(1.0 - np.clip(height, 0.0, 1.0) ** 2, 0.0))
    net = np.stack(
        [flat[:, None] * np.cos(angle), flat[:, None] * np.sin(angle), np.repeat(height[:, None], sides, 1)],
        axis=-1,
    )
    zenith = colours.sky_top if colours.name == "light" else colours.sky_bottom
    share = np.repeat(np.clip(height, 0.0, 1.0) ** 0.55, sides)
    paint = _blend(_horizon(colours), zenith, share)
    return surface(radius * net, grid_faces(rows, sides), colours=paint)


def _fade(points: Array, centre: Array, near: float, far: float) -> Array:
    away = np.hypot(points[:, 0] - centre[0], points[:, 1] - centre[1])
    share: Array = np.clip((away - near) / (far - near), 0.0, 1.0) ** FADING
    return share


def ground_disc(colours: Colours, centre: Array, near: float, far: float) -> pv.PolyData:
    """A disc (m) around centre (3,) that takes the colour of the horizon from near to far."""
    radii = np.concatenate([[0.0, 0.5 * near, near], np.linspace(near, far, 9)[1:]])
    sides = 48
    angle = np.linspace(0.0, 2.0 * np.pi, sides, endpoint=False)
    net = np.stack(
        [
            centre[0] + radii[:, None] * np.cos(angle),
            centre[1] + radii[:, None] * np.sin(angle),
            np.full((len(radii), sides), centre[2]),
        ],
        axis=-1,
    ).reshape(-1, 3)
    paint = _blend(colours.ground, _horizon(colours), _fade(net, centre, near, far))
    return surface(net, grid_faces(len(radii), sides), colours=paint)


def grid_lines(colours: Colours, centre: Array, near: float, far: float, spacing: float) -> pv.PolyData:
    """Lines of the ground grid, fading like the ground; none is drawn where it cannot be seen.

    Every `spacing` m as far as the site reaches, every fifth of them on to the horizon: further off the others would
    lie closer than pixels, flicker, and take a quarter of a picture's time where a processor draws.
    """
    ends = ((1.2 * near, False), (0.75 * far, True))
    nets = [_net(colours, centre, (near, far), (0.4 * near, end), (spacing, fifth)) for end, fifth in ends]
    points, paint = (np.concatenate([net[k] for net in nets]) for k in range(2))
    return polyline(points, np.arange(len(points)).reshape(-1, GRID_POINTS), paint)


def _net(
    colours: Colours,
    centre: Array,
    ground: tuple[float, float],
    span: tuple[float, float],
    kept: tuple[float, bool],
) -> tuple[Array, Array]:
    """Points (n, 3) m and colours (n, 3) of lines that fade over a span of radii, on a ground that fades over its own.

    kept: spacing (m), and whether the fifth ones of all lines are drawn, or the others.
    """
    (begin, end), (near, far), (spacing, fifth) = span, ground, kept
    rim = begin + (end - begin) * GONE ** (1.0 / FADING)  # m, where the lines have the colour of the ground
    flat = np.concatenate([_chords(centre[:2], axis, rim, spacing, fifth) for axis in (0, 1)])
    points = np.column_stack([flat, np.full(len(flat), centre[2] + 0.03 * min(1.0, near / 20.0))])
    own = _blend(colours.ground, _horizon(colours), _fade(points, centre, near, far)).astype(float)
    line = np.array(rgb(colours.ground_line), dtype=float)
    strength = 1.0 - np.clip(_fade(points, centre, begin, end) / GONE, 0.0, 1.0)
    return points, np.rint(own + (line - own) * strength[:, None])


def _chords(centre: Array, axis: int, rim: float, spacing: float, fifth: bool) -> Array:
    """Points (n, 2) m of the lines of a grid along one axis inside a circle, `GRID_POINTS` on each line."""
    share = np.linspace(-1.0, 1.0, GRID_POINTS)
    share *= np.sqrt(np.abs(share))  # closer in the middle, where the colour changes
    number = np.arange(np.ceil((centre[axis] - rim) / spacing), (centre[axis] + rim) / spacing)
    across = number[(number % 5 == 0) == fifth] * spacing
    half = np.sqrt(np.maximum(rim**2 - (across - centre[axis]) ** 2, 0.0))
    out = np.empty((len(across), GRID_POINTS, 2))
    out[:, :, axis] = across[:, None]
    out[:, :, 1 - axis] = centre[1 - axis] + half[:, None] * share
    return out.reshape(-1, 2)


def shadow(course: Course, half_width: float, ground: float) -> Array:
    """Points (2k, 3) m of the strip under the track that tells its place on the ground."""
    side = np.stack([-course.t[:, 1], course.t[:, 0], np.zeros(len(course.s))], axis=1)
    side /= np.maximum(np.linalg.norm(side, axis=1, keepdims=True), 1e-3)
    left = course.position + half_width * side
    right = course.position - half_width * side
    strip = np.stack([left, right], axis=1).reshape(-1, 3)
    strip[:, 2] = ground + 0.06
    return strip


def station(built: BuiltTrack, ground: float, start: float, colours: Colours) -> Part | None:
    """Platforms with a roof beside the track where the train starts (m); None where the track is no station there."""
    span = _station_span(built, start)
    if span is None:
        return None
    s0, s1 = span
    at = Course.of(built, np.array([s0, 0.5 * (s0 + s1), s1]))
    t, left, up = at.t[1], at.left[1], np.array([0.0, 0.0, 1.0])
    frame = np.stack([t, left, up], axis=1)
    origin = at.position[1]
    half = 0.5 * (s1 - s0)
    depth = origin[2] - ground
    dark = colours.name == "dark"
    floor, edge = ("#4a5159" if dark else "#b9c0c7"), "#dcb13c"
    roof, post = ("#59626c", "#6d7782") if dark else ("#d7dce0", "#8d97a1")
    parts: list[Part] = []
    for side in (1.0, -1.0):
        middle = side * (PLATFORM_GAP + 0.5 * PLATFORM_WIDTH)
        top, low = PLATFORM_TOP, -depth
        parts.append(
            box([0.0, middle, 0.5 * (top + low)], [half, 0.5 * PLATFORM_WIDTH, 0.5 * (top - low)], floor)
        )
        parts.append(box([0.0, side * (PLATFORM_GAP + 0.12), top + 0.01], [half, 0.1, 0.012], edge))
        for x in np.linspace(-half + 1.0, half - 1.0, max(2, int(half / 4) + 1)):
            y = side * (PLATFORM_GAP + PLATFORM_WIDTH - 0.5)
            parts.append(box([x, y, 0.5 * (top + 4.3)], [0.09, 0.09, 0.5 * (4.3 - top)], post))
        over = side * (PLATFORM_GAP + 0.5 * PLATFORM_WIDTH + 0.3)
        parts.append(box([0.0, over, 4.4], [half + 0.6, 0.5 * PLATFORM_WIDTH + 0.7, 0.1], roof))
    return merged(parts).moved(frame, origin)


def _station_span(built: BuiltTrack, start: float) -> tuple[float, float] | None:
    """Arc lengths (m) of the straight level stretch around the start of the ride, or of a section called station."""
    named = [span for span in built.sections if "station" in span.name.lower()]
    s0, s1 = (named[0].s0, named[0].s1) if named else (start - 6.0, start + 10.0)
    s0, s1 = max(0.0, s0), min(built.length, s1)
    if s1 - s0 > LONGEST_STATION:
        s1 = s0 + LONGEST_STATION
    if s1 - s0 < 6.0:
        return None
    s0, s1 = s0 + 0.5, s1 - 0.5
    at = Course.of(built, np.linspace(s0, s1, 12))
    straight = np.min(at.t @ at.t[6]) > 0.9995
    level = np.max(np.abs(at.t[:, 2])) < 0.02 and np.min(at.up[:, 2]) > 0.99
    return (s0, s1) if straight and level else None
