"""The textbook tracks: hump, loop, circle, infinity, oval, spiral, cardioid.

Formulas of hump and circle are those of PhysLab's page on the roller coaster; it gives none for the others, which are
chosen here to show the same things: a vertical loop, a crossing, vertical straights, a path that turns in on itself,
and a corner. x to the right, y up, metres.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache

import numpy as np

from ..base.arrays import Array
from ..base.errors import InputError
from ..base.sentence import say
from .plane_curve import Piece, PlaneCurve, arc_piece, curve_of_segments, line_piece

CARDIOID_FILLET = 0.05  # m, radius that rounds the cusp of the cardioid


def _polynomial(x: Sequence[float], y: Sequence[float]) -> Callable[[Array], tuple[Array, Array, Array]]:
    px, py = np.polynomial.Polynomial(x), np.polynomial.Polynomial(y)

    def formula(t: Array) -> tuple[Array, Array, Array]:
        c, c1, c2 = (np.stack([px.deriv(k)(t), py.deriv(k)(t)], axis=1) for k in range(3))
        return c, c1, c2

    return formula


def hump() -> PlaneCurve:
    """y = 3 - 7/6 x^2 + 1/6 x^4: two valleys with a hill between them (PhysLab)."""
    piece = Piece(_polynomial([0.0, 1.0], [3.0, 0.0, -7.0 / 6.0, 0.0, 1.0 / 6.0]), -3.0, 3.0)
    return curve_of_segments("hump", [piece], closed=False)


def loop() -> PlaneCurve:
    """x = t^3/3 - 3t/2, y = 2 - t^2 + t^4/7: down, round a vertical loop, and up again."""
    piece = Piece(_polynomial([0.0, -1.5, 0.0, 1.0 / 3.0], [2.0, 0.0, -1.0, 0.0, 1.0 / 7.0]), -3.2, 3.2)
    return curve_of_segments("loop", [piece], closed=False)


def circle() -> PlaneCurve:
    """Radius 1 m, s = 0 at its apex."""
    return curve_of_segments(
        "circle", [arc_piece((0.0, 0.0), 1.0, np.pi / 2.0, 5.0 * np.pi / 2.0)], closed=True
    )


def infinity() -> PlaneCurve:
    """x = 2 cos t, y = sin 2t: Gerono's lemniscate, which crosses itself."""

    def formula(t: Array) -> tuple[Array, Array, Array]:
        c = np.stack([2.0 * np.cos(t), np.sin(2.0 * t)], axis=1)
        c1 = np.stack([-2.0 * np.sin(t), 2.0 * np.cos(2.0 * t)], axis=1)
        c2 = np.stack([-2.0 * np.cos(t), -4.0 * np.sin(2.0 * t)], axis=1)
        return c, c1, c2

    return curve_of_segments("infinity", [Piece(formula, 0.0, 2.0 * np.pi)], closed=True)


def oval() -> PlaneCurve:
    """Two half circles of radius 1 m joined by vertical straights of 2 m; s = 0 at its apex."""
    pieces = [
        arc_piece((0.0, 1.0), 1.0, np.pi / 2.0, np.pi),
        line_piece(np.array([-1.0, 1.0]), np.array([-1.0, -1.0])),
        arc_piece((0.0, -1.0), 1.0, np.pi, 2.0 * np.pi),
        line_piece(np.array([1.0, -1.0]), np.array([1.0, 1.0])),
        arc_piece((0.0, 1.0), 1.0, 0.0, np.pi / 2.0),
    ]
    return curve_of_segments("oval", pieces, closed=True)


def spiral() -> PlaneCurve:
    """Archimedes' spiral r = t/6 for t from pi to 6 pi; both ends go up."""

    def formula(t: Array) -> tuple[Array, Array, Array]:
        out = np.stack([np.cos(t), np.sin(t)], axis=1)
        across = np.stack([-np.sin(t), np.cos(t)], axis=1)
        r = t[:, None] / 6.0
        return r * out, out / 6.0 + r * across, across / 3.0 - r * out

    return curve_of_segments("spiral", [Piece(formula, np.pi, 6.0 * np.pi)], closed=False)


def _heart(t: Array) -> tuple[Array, Array, Array]:
    """r = 1 - cos t about the cusp at the origin, t measured from straight up, so that the cusp is on top."""
    c = np.stack([np.sin(t) - 0.5 * np.sin(2.0 * t), np.cos(t) - 0.5 - 0.5 * np.cos(2.0 * t)], axis=1)
    c1 = np.stack([np.cos(t) - np.cos(2.0 * t), -np.sin(t) + np.sin(2.0 * t)], axis=1)
    c2 = np.stack([-np.sin(t) + 2.0 * np.sin(2.0 * t), -np.cos(t) + 2.0 * np.cos(2.0 * t)], axis=1)
    return c, c1, c2


def cardioid(fillet: float = CARDIOID_FILLET) -> PlaneCurve:
    """r = 1 - cos t with its cusp on top, rounded by an arc of radius `fillet` (m) that touches both branches.

    s = 0 at the lowest place of that arc. Raises InputError for a fillet outside 0.001 to 0.3 m.
    """
    from scipy.optimize import brentq  # not needed to show the window

    if not 1e-3 <= fillet <= 0.3:
        raise InputError(
            say("The fillet of the cardioid must be from 0.001 to 0.3 m, found {fillet:g m}.", fillet=fillet)
        )

    def off_axis(t: float) -> float:
        c, c1, _ = _heart(np.array([t]))
        tangent = c1[0] / np.hypot(*c1[0])
        return float(c[0, 0] - fillet * tangent[1])

    touch = float(brentq(off_axis, 1e-3, 1.0, xtol=1e-15))
    c, c1, _ = _heart(np.array([touch]))
    tangent = c1[0] / np.hypot(*c1[0])
    centre = np.array([0.0, float(c[0, 1] + fillet * tangent[0])])
    angle = float(np.arctan2(c[0, 1] - centre[1], c[0, 0]))
    pieces = [
        arc_piece(tuple(centre), fillet, -np.pi / 2.0, angle),
        Piece(_heart, touch, 2.0 * np.pi - touch),
        arc_piece(tuple(centre), fillet, -np.pi - angle, -np.pi / 2.0),
    ]
    return curve_of_segments("cardioid", pieces, closed=True, fillet=fillet)


PRESETS: dict[str, Callable[[], PlaneCurve]] = {
    "hump": hump,
    "loop": loop,
    "circle": circle,
    "infinity": infinity,
    "oval": oval,
    "spiral": spiral,
    "cardioid": cardioid,
}


@cache
def preset(name: str) -> PlaneCurve:
    """The textbook curve of that name. Raises InputError naming those there are."""
    if name not in PRESETS:
        raise InputError(f"There is no textbook track '{name}'; there are {', '.join(PRESETS)}.")
    return PRESETS[name]()


def curve_points(name: str, n: int) -> Array:
    """n places evenly along a textbook curve, (n, 2) m, for drawing."""
    return preset(name).points(n)
