"""The signal behind a result, for every criterion, and what may be drawn of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from core.errors import InputError
from core.evaluation import EvaluationOptions
from core.injury.charts import DurationChart, EggChart, duration_charts, egg_charts
from core.injury.filters import FILTER_NAMES, FilterName, apply_filter
from core.injury.history import History
from core.injury.result import CriterionResult
from core.injury.rider_axes import DIRECTIONS, Direction
from core.injury.standards.files import load_table, table_ids
from core.injury.trace import criterion_trace
from core.rider_view import RiderJudgement

Array = NDArray[np.float64]
Picture = Literal["signal", "held", "pair", "origin"]
PAIRS = ("GxGy", "GxGz", "GyGz")
#: Where the signal of a criterion that is no acceleration in g comes from, by the start of its id.
OF_ROTATION = ("peak_rotation_rate", "bric", "damage", "hip", "gambit", "ric")
OF_NECK_FORCE = ("neck_tension", "neck_compression", "neck_shear", "nij")
OF_NECK_MOMENT = ("neck_flexion", "neck_extension", "neck_lateral", "neck_twist")
NECK_COLUMNS = {"tension": 2, "compression": 2, "shear_forward": 0, "shear_rearward": 0, "shear_right": 1}
NECK_COLUMNS |= {"shear_left": 1, "flexion": 1, "extension": 1, "lateral_bending": 0, "twist": 2}
NECK_AXES = {"force": ("Fx", "Fy", "Fz"), "moment": ("Mx", "My", "Mz")}


@dataclass(frozen=True, eq=False)
class Trace:
    """A signal over time: time (n,) s, values (n,), SI unit (and g), what it is, and the level of its limit or None."""

    time: Array
    values: Array
    unit: str
    title: str
    limit: float | None = None


def direction_of(criterion: str) -> Direction | None:
    """The direction in a criterion's id, "peak_+Gz_5hz" -> "+Gz"."""
    return next((direction for direction in DIRECTIONS if f"_{direction}" in criterion), None)


def pair_of(criterion: str) -> str | None:
    """The pair of axes in a criterion's id, "f2291_egg_GyGz" -> "GyGz"."""
    return next((pair for pair in PAIRS if criterion.endswith(f"egg_{pair}")), None)


def table_of(row: RiderJudgement) -> str | None:
    """Id of the limit table a row is judged by, when it is one of accelerations."""
    return _table_of(row.result.criterion)


def _table_of(criterion: str) -> str | None:
    fitting = [
        (load_table(name).prefix, name)
        for name in table_ids()
        if criterion.startswith(load_table(name).prefix + "_")
    ]
    # One prefix may begin with another: the longest that fits is the table's.
    return max(fitting, key=lambda found: len(found[0]))[1] if fitting else None


def pictures_of(row: RiderJudgement) -> tuple[Picture, ...]:
    """What may be drawn of a row; the first says most about it."""
    criterion = row.result.criterion
    drawn: list[Picture] = ["signal", "held", "pair"]
    if pair_of(criterion) is not None:
        drawn = ["pair", "signal", "held"]
    elif (
        direction_of(criterion) is not None
        and _table_of(criterion) is not None
        and not any(word in criterion for word in ("after", "onset"))
    ):
        drawn = ["held", "signal", "pair"]
    return (*drawn, "origin")


def trace(history: History, result: CriterionResult, options: EvaluationOptions) -> Trace:
    """The signal behind a result. Raises InputError when there is none to draw."""
    if result.value is None:
        raise InputError(f"{result.title}: {result.note}.")
    found = criterion_trace(history, result, options)
    if found is not None:
        return Trace(found.time, found.values, found.unit, found.title, found.limit)
    own = _other_signal(history, result)
    if own is None:
        raise InputError(f"{result.title} is about the ride as a whole; it has no signal of its own to draw.")
    values, unit, title, limit = own
    name: FilterName = next((f for f in FILTER_NAMES if f == result.signal.filter), "none")
    if name != "none":
        values, title = apply_filter(history.time, values, name), f"{title}, {name}"
    size = values if values.ndim == 1 else np.linalg.norm(values, axis=1)
    return Trace(history.time, np.asarray(size), unit, title, limit)


def _other_signal(history: History, result: CriterionResult) -> tuple[Array, str, str, float | None] | None:
    """Values (n,) or (n, 3), unit, title and limit of what is no acceleration in g."""
    name = result.criterion
    if name.startswith("peak_rotation_acceleration") and history.rotation_acceleration is not None:
        return history.rotation_acceleration, "rad/s^2", "rotation acceleration, size", result.limit
    if name.startswith(OF_ROTATION) and history.rotation_rate is not None:
        level = result.limit if name.startswith("peak_rotation_rate") else None
        return history.rotation_rate, "rad/s", "rotation rate, size", level
    for load, starts in (("force", OF_NECK_FORCE), ("moment", OF_NECK_MOMENT)):
        values = history.neck_force if load == "force" else history.neck_moment
        if name.startswith(starts) and values is not None:
            what = next((k for n, k in NECK_COLUMNS.items() if n in name), 2)
            unit = "N" if load == "force" else "N m"
            return values[:, what], unit, f"neck {load} {NECK_AXES[load][what]} (SAE J211)", None
    if name.startswith("tilting_nca_rails") and history.rail_nca is not None:
        return history.rail_nca, "m/s^2", "NCA in the rail plane", None
    if name.startswith("tilting_") and history.nca is not None:
        return history.nca, "m/s^2", "NCA of the carbody", None
    if name.startswith(("dri", "iso2631_")):
        axis = "xyz".index(name[-1]) if name.startswith("iso2631_aw") else 2
        return history.acceleration[:, axis], "g", f"G{'xyz'[axis]} as recorded, unweighted", None
    return None


def charts_of_direction(
    history: History, direction: Direction, tables: tuple[str, ...], options: EvaluationOptions
) -> list[DurationChart]:
    """Held g over duration of one direction under several tables; those without a curve for it are left out.

    Raises InputError when the record allows none.
    """
    found, fault = [], ""
    for table in tables:
        try:
            chart = next(c for c in duration_charts(history, table, options) if c.direction == direction)
        except InputError as error:
            fault = str(error)
            continue
        if chart.limits or not found:
            found.append(chart)
    if not found:
        raise InputError(fault or f"No table has a curve for {direction}.")
    drawn = [chart for chart in found if chart.limits]
    return drawn or found[:1]


def eggs_of_pair(
    history: History, pair: str, tables: tuple[str, ...], options: EvaluationOptions
) -> list[EggChart]:
    """The loads of an axis pair under several tables, those with a figure; at least one."""
    found = []
    for table in tables:
        chart = next(c for c in egg_charts(history, table, options) if c.pair == pair)
        if chart.figure is not None or not found:
            found.append(chart)
    drawn = [chart for chart in found if chart.figure is not None]
    return drawn or found[:1]
