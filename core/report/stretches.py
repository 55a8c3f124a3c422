"""What the track and the ride were like on each numbered stretch."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..base.arrays import Array
from .run_view import RunView, Stretch

STEP = 0.1  # m, spacing of the places looked at
LOAD_PART = "upper_torso"


@dataclass(frozen=True)
class StretchFigures:
    """Geometry of a stretch (m, rad) and the ride over it, None where it was not ridden: speeds (m/s) where the first
    car entered and left it first; largest and least g of all riders' upper torsos through the 5 Hz filter."""

    stretch: Stretch
    min_radius: float | None
    lowest: float
    highest: float
    min_cant: float | None
    largest_cant: float | None
    speed_in: float | None = None
    speed_out: float | None = None
    loads: tuple[tuple[float, float], ...] | None = None  # (least, largest) of Gx, Gy, Gz


def figures_of(view: RunView) -> tuple[StretchFigures, ...]:
    """Geometry and ride of every stretch of the track, in running order."""
    ride = _Ride(view)
    return tuple(ride.figures(stretch) for stretch in view.stretches)


class _Ride:
    """The signals of a run over the track, wrapped to one lap."""

    def __init__(self, view: RunView) -> None:
        assert view.built is not None
        self.line = view.built.centreline
        self.length, self.closed = view.built.length, view.built.track.closed
        car = view.cars[0] if view.cars else ""
        self.speed = view.channel(car, "speed")
        self.place = self._wrapped(view.channel(car, "arc_length"))
        self.loads: list[tuple[Array, Array]] = []
        for rider in view.riders:
            smooth = view.smooth(rider, LOAD_PART)
            where = self._wrapped(view.channel(view.car_of(rider) or "", "arc_length"))
            if smooth is not None and where is not None:
                self.loads.append((where, smooth))

    def _wrapped(self, position: Array | None) -> Array | None:
        return np.mod(position, self.length) if position is not None and self.closed else position

    def figures(self, stretch: Stretch) -> StretchFigures:
        s = np.linspace(stretch.s0, stretch.s1, max(int((stretch.s1 - stretch.s0) / STEP), 8) + 1)
        state = self.line.state(s)
        curvature = float(np.linalg.norm(state.curve[:, 2], axis=-1).max())
        z = state.curve[:, 0, 2]
        flat = np.hypot(state.tangent[:, 0], state.tangent[:, 1]) > 0.1
        cant = state.cant[flat]
        speed_in, speed_out = self._speeds(stretch)
        return StretchFigures(
            stretch=stretch,
            min_radius=1.0 / curvature if curvature > 1e-6 else None,
            lowest=float(z.min()),
            highest=float(z.max()),
            min_cant=float(cant.min()) if cant.size else None,
            largest_cant=float(cant.max()) if cant.size else None,
            speed_in=speed_in,
            speed_out=speed_out,
            loads=self._loads(stretch),
        )

    def _speeds(self, stretch: Stretch) -> tuple[float | None, float | None]:
        if self.place is None or self.speed is None:
            return None, None
        inside = (self.place >= stretch.s0) & (self.place < stretch.s1)
        if not inside.any():
            return None, None
        first = int(np.argmax(inside))
        left = np.flatnonzero(~inside[first:])
        last = first + int(left[0]) - 1 if len(left) else len(inside) - 1
        return float(self.speed[first]), float(self.speed[last])

    def _loads(self, stretch: Stretch) -> tuple[tuple[float, float], ...] | None:
        found = []
        for where, smooth in self.loads:
            inside = (where >= stretch.s0) & (where < stretch.s1)
            if inside.any():
                found.append(np.stack([smooth[inside].min(axis=0), smooth[inside].max(axis=0)]))
        if not found:
            return None
        every = np.stack(found)
        minimum, largest = every[:, 0].min(axis=0), every[:, 1].max(axis=0)
        return tuple((float(a), float(b)) for a, b in zip(minimum, largest, strict=True))
