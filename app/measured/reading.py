"""Reading a measured ride with what a person has chosen, off the thread of the window."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from ...core.base.errors import InputError
from ...core.base.system_words import because
from ...core.injury.align import Alignment, align
from ...core.injury.csv_columns import NAMES
from ...core.injury.csv_text import read_table
from ...core.injury.filters import FilterName
from ...core.injury.history import History
from ...core.injury.measured import (
    AccelerationUnit,
    RotationUnit,
    TimeUnit,
    conditioned,
    read_accelerometer_csv,
)
from ...core.injury.mounting import Mounting, Rests, find_rests, mounted
from ...core.outcome.rider_view import rider_history
from ..document.runs import Run
from ..widgets import units


@dataclass(frozen=True)
class Reading:
    """How a file is read: separator and units, and whether gravity is in it; None where that is detected."""

    path: Path
    delimiter: str | None = None
    unit: AccelerationUnit | None = None
    time_unit: TimeUnit | None = None
    rotation_unit: RotationUnit | None = None
    contains_gravity: bool | None = None
    columns: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Asked:
    """A reading with how the sensor sat, what is done to the record, whose it is and the run it is laid over."""

    reading: Reading
    mounting: Mounting
    filter_name: FilterName = "none"
    rate: float | None = None
    rider: str = ""
    part: str = "head"
    over: Run | None = None


@dataclass(frozen=True, eq=False)
class Prepared:
    """What became of it: the columns in words, the record as it stands in the file, the record in rider axes, the
    stretches that may be rest, the match in time.

    fault: why there is no record; doubt: why it could not be laid over the run.
    """

    asked: Asked
    columns: str = ""
    raw: History | None = None
    history: History | None = None
    rests: Rests | None = None
    match: Alignment | None = None
    fault: str = ""
    doubt: str = ""


def prepare(asked: object) -> Prepared:
    """Read, turn, filter and align. Trouble with the file is told in `fault`."""
    assert isinstance(asked, Asked)
    try:
        columns, raw = _read(asked.reading, asked.reading.path.stat().st_mtime_ns)
    except InputError as error:
        return Prepared(asked, fault=units.told(error))
    except OSError as error:
        return Prepared(asked, fault=f"{asked.reading.path}: {because(error)}.")
    rests = None
    try:
        if asked.mounting.level and asked.mounting.rest is None:
            rests = find_rests(raw, asked.mounting.axes)
        turned = conditioned(mounted(raw, asked.mounting), filter_name=asked.filter_name, rate=asked.rate)
    except InputError as error:
        return Prepared(asked, columns, raw, rests=rests, fault=units.told(error))
    match, doubt = None, ""
    if asked.over is not None:
        try:
            match = align(turned, rider_history(asked.over.results, asked.rider, asked.part))
        except InputError as error:
            doubt = units.told(error)
    return Prepared(asked, columns, raw, turned, rests, match, doubt=doubt)


@lru_cache(maxsize=2)
def _read(reading: Reading, _changed: int) -> tuple[str, History]:
    """The columns in words and the record as it stands in the file; kept, for everything else is quick."""
    history = read_accelerometer_csv(
        reading.path,
        unit=reading.unit,
        body="measured",
        contains_gravity=reading.contains_gravity,
        delimiter=reading.delimiter,
        time_unit=reading.time_unit,
        rotation_unit=reading.rotation_unit,
        columns=dict(reading.columns),
    )
    table = read_table(reading.path, reading.delimiter, dict(reading.columns))
    found = [f"{name}: column {table.columns[name].label}" for name in NAMES if name in table.columns]
    return ", ".join(found), history
