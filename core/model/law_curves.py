"""Force over travel of gears and of elements between two points, from the laws that the equations use."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..base.arrays import Array
from .forces import TYPES, type_of
from .forces.base import Use
from .forces.gear import Gear

COUNT = 241
TRAVEL = 0.02  # m, shown of what says nothing of its range
FASTER = 5.0  # times the transition rate, at which branches are told apart


@dataclass(frozen=True)
class LawCurve:
    """A curve of a law: what it is, travel (n,) m, force (n,) N; back: it is the way back."""

    name: str
    travel: Array
    force: Array
    back: bool = False


def law_curves(element: Any) -> tuple[LawCurve, ...]:
    """The force over travel of a coupling or a force element between two points; empty where there is no such thing.

    Tension positive. At rest, or where loading and unloading differ, at five times the transition rate either way,
    dashpots included. A coupling tells its own (`CouplingBase.law_curves`).
    """
    own: Callable[[], tuple[LawCurve, ...]] | None = getattr(element, "law_curves", None)
    if own is not None:
        return own()
    made = type_of(element)
    if made is None or made.law is None or made.place != "points":
        return ()
    if isinstance(element, Gear):
        return gear_curves(element)
    use = made.law(element, "distance")
    if use.law.wide or use.law.active:
        return ()
    x = np.linspace(-1.0, 1.0, COUNT) * _range(element)
    force = _force(use, x, 0.0)
    return (LawCurve("", x, force),) if np.any(force != 0.0) else ()


def _force(use: Use, x: Array, rate: float) -> Array:
    p, m = np.array(use.parameters), np.array(use.memory or (0.0,) * use.law.memory)
    return np.array([use.law.evaluate(p, float(at), rate, m, 0.0)[0] for at in x])


def _use(gear: Gear) -> Use:
    """The law of a gear, as that of the force element which is one."""
    made = next(one for one in TYPES.values() if issubclass(one.model, Gear))
    fields: dict[str, Any] = {name: getattr(gear, name) for name in Gear.model_fields}
    assert made.law is not None
    return made.law(made.model(**{"name": "Gear", "body_i": "a", "body_j": "b", **fields}), made.geometry())


def gear_curves(gear: Gear, name: str = "", reach: float | None = None) -> tuple[LawCurve, ...]:
    """The force of a gear over its travel, up to a reach (m) or as far as it is worth showing; two curves where loading
    and unloading differ."""
    x, use = _grid(gear, reach), _use(gear)
    if not gear.unloading:
        return (LawCurve(name, x, _force(use, x, 0.0)),)
    v = FASTER * gear.transition_rate
    # outwards either way is loading
    sign = np.where(x < 0.0, -1.0, 1.0)
    out, back = (
        np.array(
            [float(_force(use, np.array([at]), float(s * way))[0]) for at, s in zip(x, sign, strict=True)]
        )
        for way in (v, -v)
    )
    return LawCurve(name, x, out), LawCurve(name, x, back, back=True)


def _grid(gear: Gear, reach: float | None = None) -> Array:
    """Travels (m): even ones, and both sides of every corner."""
    reach = reach or _range(gear)
    corners = [gear.slack, gear.stop_out or 0.0, gear.stop_in or 0.0, *(abs(x) for x, _ in gear.curve)]
    near = [s * (c + d) for c in corners for s in (-1.0, 1.0) for d in (-1e-9, 0.0, 1e-9)]
    x = np.array(sorted({*np.linspace(-reach, reach, COUNT).tolist(), *near}))
    return np.asarray(x[np.abs(x) <= reach])


def _range(element: Any) -> float:
    """How far (m) a law is worth showing: a little beyond its stops and tables, or its rated force."""
    rows = [abs(x) for x, _ in (*getattr(element, "curve", ()), *getattr(element, "unloading", ()))]
    stops = [getattr(element, name, None) or 0.0 for name in ("stop_out", "stop_in")]
    slack = float(getattr(element, "slack", 0.0))
    stiffness, rating = float(getattr(element, "stiffness", 0.0)), getattr(element, "rating", None)
    if rows or any(stops):
        return float(1.15 * max(*rows, *stops, 2.0 * slack))
    if rating and stiffness:
        return slack + 1.2 * float(rating) / stiffness
    return max(TRAVEL, 3.0 * slack)


def row_curve(name: str, gears: Sequence[tuple[Gear, float | None]], maximum: float) -> LawCurve:
    """The curve of gears one behind the other at rest, up to a force (N): at equal force their travels add up. gears:
    each with how far it is looked at (m), None as far as it is worth showing."""
    load = np.linspace(-maximum, maximum, 2 * COUNT)
    load = np.sort(np.concatenate([load, [-1e-9 * maximum, 1e-9 * maximum]]))
    total = np.zeros_like(load)
    for gear, reach in gears:
        x = _grid(gear, reach)
        force = _force(_use(gear), x, 0.0)
        total += np.interp(load, force + 1e-12 * maximum * np.arange(len(x)), x)
    return LawCurve(name, total, load)
