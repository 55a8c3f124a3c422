"""The tables of a static equilibrium: which rows and columns each has."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np

from ...core.base.arrays import Array
from ...core.run.static_loads import Kind, StaticLoad, StaticSolution
from ..widgets import units


class Cell(NamedTuple):
    """A number in SI, the unit it is shown in (a key of `units`), and its decimals (None: those of the unit)."""

    value: float
    unit: str
    decimals: int | None = None


class Row(NamedTuple):
    """A row: the name it shows, the path of what it is about, its numbers, and the load (3,) N that is drawn at a place
    (3,) m, if one is."""

    name: str
    path: str
    cells: tuple[Cell | None, ...]
    at: Array | None = None
    force: Array | None = None


@dataclass(frozen=True)
class Sheet:
    """A table: title in the list, heads of its columns, a sentence on them, and its rows of a solution."""

    title: str
    heads: tuple[str, ...]
    note: str
    rows: Callable[[StaticSolution], tuple[Row, ...]]


def _bodies(solution: StaticSolution) -> tuple[Row, ...]:
    bends = any(one.bend for one in solution.bodies)
    return tuple(
        Row(
            one.name,
            one.name,
            (
                Cell(float(np.linalg.norm(one.shift)), "mm"),
                *(Cell(float(x), "mm") for x in one.shift),
                Cell(one.turn, "rad"),
                Cell(one.bend, "mm") if bends and one.bend else None,
            ),
        )
        for one in solution.bodies
    )


def _loads(
    kind: Kind, cells: Callable[[StaticLoad, float], tuple[Cell | None, ...]]
) -> Callable[..., tuple[Row, ...]]:
    """The rows of the loads of a kind; less than what the balance leaves open is shown as nothing."""

    def rows(solution: StaticSolution) -> tuple[Row, ...]:
        least = solution.resolution
        return tuple(
            Row(one.name, one.path, cells(one, least), one.at, one.force) for one in solution.of(kind)
        )

    return rows


def _cut(value: float, least: float) -> float:
    return value if abs(value) > least else 0.0


def _force(value: float, unit: str, least: float) -> Cell:
    """A force in N, in kN from ten of them on; a moment as it is."""
    if unit != "N":
        return Cell(_cut(value, least), unit)
    large = abs(value) >= 1e4 and units.current() == "SI"
    return Cell(_cut(value, least), "kN" if large else "N", 2 if large else 0)


def _vector(one: StaticLoad, least: float) -> tuple[Cell | None, ...]:
    parts = () if one.parts is None else tuple(_force(float(x), "N", least) for x in one.parts)
    return (_force(one.load, "N", least), *parts)


def _joint(one: StaticLoad, least: float) -> tuple[Cell | None, ...]:
    moment = 0.0 if one.moment is None else float(np.linalg.norm(one.moment))
    return (*_vector(one, least), Cell(_cut(moment, least), "N m"))


def _stretch(one: StaticLoad, least: float) -> tuple[Cell | None, ...]:
    unit = {"m": "mm"}.get(one.travel_unit, one.travel_unit)
    travel = None if one.travel is None else Cell(one.travel, unit)
    return (_force(one.load, one.unit, least), travel)


DIRECTIONS: Final = ("Forwards", "Left", "Up")
SHEETS: Final = (
    Sheet(
        "Deflections",
        ("Body", "Moved", "x", "y", "z", "Turned", "Bent"),
        "From where bodies are drawn, axes of the world.",
        _bodies,
    ),
    Sheet(
        "Wheels and guides",
        ("Wheel or guide", "Force", *DIRECTIONS),
        "Force of the rail.",
        _loads("guide", _vector),
    ),
    Sheet(
        "Springs and forces",
        ("Force element", "Load", "Beyond unloaded"),
        "Tension is positive.",
        _loads("element", _stretch),
    ),
    Sheet(
        "Couplings", ("Coupling", "Force", "Extension"), "Tension is positive.", _loads("coupling", _stretch)
    ),
    Sheet(
        "Joints",
        ("Joint", "Force", "x", "y", "z", "Moment"),
        "On the first body of a joint, in its axes.",
        _loads("joint", _joint),
    ),
    Sheet("Seats", ("Rider or seat", "Weight", *DIRECTIONS), "What a seat carries.", _loads("seat", _vector)),
)
