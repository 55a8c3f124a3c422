"""Measured records: accelerometer CSV files of loggers and phones into a `History`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Literal

import numpy as np

from ..base.arrays import Array, Integers
from ..base.errors import InputError
from .csv_columns import NAMES, ROTATION_UNITS, TIME_UNITS, Column, without_gravity
from .csv_text import MAX_DROPPED, Table, read_table
from .filters import FilterName
from .grid import MAX_SAMPLES, is_uniform, resample_uniform, uniform_rate
from .history import WIDTHS, G, History
from .mounting import REST_TOLERANCE, quiet_stretches

AccelerationUnit = Literal["g", "m/s2"]
TimeUnit = Literal["s", "ms", "us", "ns"]
RotationUnit = Literal["rad/s", "deg/s"]

#: Without a stated unit: median resultant below the first is g, above the second m/s^2, between them nobody can tell.
DETECT_G_BELOW = 3.0
DETECT_SI_ABOVE = 5.0
#: The same for the largest rotation rate: riders stay below the first in rad/s and pass the second in deg/s.
DETECT_RADIANS_BELOW = 8.0
DETECT_DEGREES_ABOVE = 30.0
#: A median resultant below the first (g), or stillness below the second, looks like a record without gravity; a gap of
#: this length (s) can carry a limit.
MIN_MEDIAN = 0.5
MIN_AT_REST = 0.4
LONG_GAP = 0.2
#: What the 5 Hz filter still shows of a load (g above what is felt at the end) this long (s) after it.
AFTER_LOAD, LOADED = 0.3, 1.0
#: From rest to rest the mean of what is felt is 1 g upward; bends and slopes turn some of it, never most, in a
#: record of so many seconds at least.
MIN_MEAN = 0.35
LONG_ENOUGH = 10.0
#: More than this is a damaged number, not a ride or an impact (g).
LARGEST_CREDIBLE = 1e4
#: As written in the file, before any unit: clocks that count microseconds since 1970 stay below the second.
LARGEST_NUMBER = 1e9
LARGEST_TIME = 1e19
#: A clock beyond this (s) counts from 1970; the same in ms, us and ns.
EPOCH = 1e8
CLOCKS = ((1e17, 1e-9, "ns"), (1e14, 1e-6, "us"), (1e11, 1e-3, "ms"))
#: Below so many changes of a record nobody can tell how often its sensor was read.
MIN_CHANGES = 20
#: Of the spread of a signal: numbers written in finer steps show whether it runs in straight lines.
FINE = 1e-3
#: Largest rate to resample to, Hz; the fastest filter ends far below.
MAX_RATE = 20_000.0
#: Loggers of impacts reach this many samples per second.
FASTEST = 50_000.0


def read_accelerometer_csv(
    path: str | Path,
    *,
    unit: AccelerationUnit | None = None,
    body: str = "accelerometer",
    contains_gravity: bool | None = None,
    gravity: float = G,
    delimiter: str | None = None,
    time_unit: TimeUnit | None = None,
    rotation_unit: RotationUnit | None = None,
    columns: Mapping[str, str] | None = None,
) -> History:
    """Accelerometer record from a CSV file, in the axes of the file.

    Parameters
    ----------
    path
        A text file with the columns t, ax, ay, az and optionally wx, wy, wz, separated by comma, semicolon, tab
        or bar, with or without header, byte order mark, quotes, or decimal commas (not with comma as
        separator). The header may be written in other usual ways ("Time (s)", "Acceleration x [m/s^2]", "gyro_x
        (deg/s)"); without one the columns are taken in that order. Other columns and lines starting with # are
        left out. Bad rows are left out and counted, up to 5 % (`core.injury.csv_text`).
    unit, time_unit, rotation_unit
        The argument, else the header, else a rule. Acceleration: median resultant below 3 is g, above 5 m/s^2;
        between them, or when contains_gravity is False, it must be stated. Rotation: largest rate below 8 is
        rad/s, above 30 deg/s, between them it must be stated. Time: s, or dates and times of day (ISO 8601),
        counted from the first row.
    body
        What the record is called.
    contains_gravity
        None finds it out: False when the header says linear acceleration, else True; but a record that shows
        about 0 g where it is quiet, or mostly less than 0.5 g, or averages to next to nothing over a ride, must
        be stated to be one or the other.
    gravity
        m/s^2 per g.
    delimiter
        Which may also be " "; None finds it.
    columns
        Which column is which, by number or name, where the header does not say.

    Returns
    -------
    The record. An uneven grid is resampled linearly. What was decided is in `History.notes`. A sensor that is not
    fixed in rider axes is turned by `core.injury.mounting`.

    Raises
    ------
    InputError
        Naming file, row and column for anything that cannot be used.
    """
    file = Path(path)
    _check_asked(unit, time_unit, rotation_unit, gravity)
    table = _in_order(file, read_table(file, delimiter, columns))
    found, data, rows = table.columns, table.data, table.rows
    read = [found[name] for name in NAMES if name in found]
    _credible(file, data[:, :1], LARGEST_TIME, "", rows, read[:1])
    _credible(file, data[:, 1:], LARGEST_NUMBER, "", rows, read[1:])
    factor = found["t"].factor if time_unit is None or table.dated else TIME_UNITS[time_unit]
    clock = data[:, 0]
    notes_of_clock: tuple[str, ...] = ()
    if time_unit is None and not found["t"].stated and not table.dated:
        factor, notes_of_clock = _epoch(float(np.median(clock)))
    # From the first row on, when it counts from 1970: nothing of the steps is lost in the size.
    time = (clock - clock[0]) * factor if abs(clock[0] * factor) > EPOCH else clock * factor
    table_notes = (*table.notes, *notes_of_clock)
    asked = contains_gravity
    if asked is not False and without_gravity(found):
        if asked:
            raise InputError(
                f"{file.name}: the header says linear (user) acceleration, which has gravity taken out; it cannot be "
                "read as a record with gravity."
            )
        asked = False
        table_notes += ("The header says linear acceleration: gravity taken as left out.",)
    factors, unit_note = _acceleration_factors(file, data[:, 1:4], found, unit, asked is not False, gravity)
    acceleration = data[:, 1:4] * factors
    _credible(file, acceleration, LARGEST_CREDIBLE, " g", rows, read[1:4])
    notes = (*table_notes, unit_note)
    rate = None
    if "wx" in found:
        turns, turn_note = _rotation_factors(file, data[:, 4:7], found, rotation_unit)
        rate = data[:, 4:7] * turns
        notes += (turn_note,)
    _check_size(file, time)
    if is_uniform(time):
        history = History(time, acceleration, body, rate)
    else:
        history = History.resampled(time, acceleration, body=body, rotation_rate=rate)
    times, straight = _repeated(acceleration), _straight(history.acceleration)
    if max(times, straight) > 1:
        slow = history.sample_rate / max(times, straight)
        history = replace(history, recorded_rate=min(history.own_rate, slow))
        what = (
            f"stand {times} times in a row" if times >= straight else f"lie on straight lines of {straight}"
        )
        notes += (
            f"WARNING: Samples {what}: taken as {history.own_rate:.4g} recorded per second, which filters ask for.",
        )
    notes += _gravity_notes(file, history, asked)
    notes += _doubts(time, acceleration, asked is not False)
    return replace(history, contains_gravity=asked is not False, notes=(*notes, *history.notes))


def conditioned(history: History, *, filter_name: FilterName = "none", rate: float | None = None) -> History:
    """A record filtered and then resampled, all its channels alike.

    Parameters
    ----------
    history
        The record.
    filter_name
        One of `FILTER_NAMES`.
    rate
        Hz of the new grid, None keeps the grid.

    Returns
    -------
    The record. Notes say what was done and warn of a rate below that of the record without a filter, which folds
    fast shaking into slow.

    Raises
    ------
    InputError
        When the record is too slow for the filter, or as `resample_uniform`.
    """
    kept = {name: getattr(history, name) for name in WIDTHS if getattr(history, name) is not None}
    acceleration, notes = history.acceleration, list(history.notes)
    if filter_name != "none":
        acceleration = history.filtered(acceleration, filter_name)
        for name in kept:
            if name != "arc_length":
                kept[name] = history.filtered(kept[name], filter_name)
        notes.append(f"Filtered with {filter_name}.")
    time = history.time
    if rate is not None:
        if not 0.0 < rate <= MAX_RATE:
            raise InputError(
                f"The new sample rate is {rate:g} Hz; give one above 0 and up to {MAX_RATE:g} Hz."
            )
        if filter_name == "none" and rate < history.sample_rate:
            notes.append("Resampled to a lower rate without a filter: fast shaking folds into slow.")
        time, acceleration = resample_uniform(history.time, acceleration, rate)
        kept = {name: resample_uniform(history.time, values, rate)[1] for name, values in kept.items()}
        notes.append(f"Resampled linearly to {uniform_rate(time):.6g} samples per second.")
        if rate > history.own_rate * (1.0 + 1e-6):
            notes.append(
                f"That adds nothing to the {history.own_rate:.4g} recorded: filters ask for the latter."
            )
    return History(
        time,
        acceleration,
        history.body,
        contains_gravity=history.contains_gravity,
        notes=tuple(notes),
        recorded_rate=min(history.own_rate, uniform_rate(time)),
        **kept,
    )


def _check_asked(unit: str | None, time_unit: str | None, rotation_unit: str | None, gravity: float) -> None:
    if unit not in (None, "g", "m/s2"):
        raise InputError(f"The unit of the acceleration must be 'g' or 'm/s2', found {unit!r}.")
    if time_unit not in (None, "s", "ms", "us", "ns"):
        raise InputError(f"The unit of time must be 's', 'ms', 'us' or 'ns', found {time_unit!r}.")
    if rotation_unit not in (None, "rad/s", "deg/s"):
        raise InputError(f"The unit of rotation must be 'rad/s' or 'deg/s', found {rotation_unit!r}.")
    if not (np.isfinite(gravity) and gravity > 0.0):
        raise InputError(f"Gravity must be a positive number of m/s^2, found {gravity}.")


def _rotation_factors(
    file: Path, rates: Array, columns: dict[str, Column], unit: RotationUnit | None
) -> tuple[Array, str]:
    """Factor per column to rad/s, and a note on where the unit came from."""
    if unit is not None:
        return np.full(3, ROTATION_UNITS[unit]), f"Rotation in {unit}, as asked."
    own = [columns[name] for name in NAMES[4:]]
    if all(column.stated for column in own):
        return np.array([column.factor for column in own]), "Rotation in the unit of the header."
    if any(column.stated for column in own):
        raise InputError(
            f"{file.name}: the header gives a unit for some of wx, wy, wz only; "
            "state the unit of rotation, rad/s or deg/s."
        )
    largest = float(np.abs(rates).max())
    if DETECT_RADIANS_BELOW <= largest <= DETECT_DEGREES_ABOVE:
        raise InputError(
            f"{file.name}: no unit of rotation in the header, and a largest rate of {largest:.3g} fits neither rad/s "
            "nor deg/s for sure; state the unit of rotation, rad/s or deg/s."
        )
    guess = "rad/s" if largest < DETECT_RADIANS_BELOW else "deg/s"
    rule = f"below {DETECT_RADIANS_BELOW:g} is rad/s, above {DETECT_DEGREES_ABOVE:g} deg/s"
    note = f"Rotation taken as {guess}: the largest rate is {largest:.3g} ({rule})."
    return np.full(3, ROTATION_UNITS[guess]), note


def _acceleration_factors(
    file: Path,
    acceleration: Array,
    columns: dict[str, Column],
    unit: AccelerationUnit | None,
    contains_gravity: bool,
    gravity: float,
) -> tuple[Array, str]:
    """Factor per column to g, and a note on where the unit came from."""
    per_unit = {"g": 1.0, "mg": 1e-3, "m/s2": 1.0 / gravity}
    stated = [columns[name].unit for name in ("ax", "ay", "az")]
    if unit is not None:
        return np.full(3, per_unit[unit]), f"Acceleration in {unit}, as asked."
    if all(s is not None for s in stated):
        units = ", ".join(dict.fromkeys(s or "" for s in stated))
        return np.array([per_unit[s or ""] for s in stated]), f"Acceleration in {units}, from the header."
    if any(s is not None for s in stated):
        raise InputError(
            f"{file.name}: the header gives a unit for some of ax, ay, az only; "
            "state the unit of acceleration, g or m/s2."
        )
    if not contains_gravity:
        raise InputError(
            f"{file.name}: the header gives no unit of acceleration; state the unit of acceleration, g or m/s2."
        )
    median = float(np.median(np.linalg.norm(acceleration, axis=1)))
    if DETECT_G_BELOW <= median <= DETECT_SI_ABOVE:
        raise InputError(
            f"{file.name}: no unit of acceleration in the header, and a median resultant of {median:.3g} fits neither "
            "g nor m/s^2; state the unit of acceleration, g or m/s2."
        )
    guess = "g" if median < DETECT_G_BELOW else "m/s2"
    rule = f"below {DETECT_G_BELOW:g} is g, above {DETECT_SI_ABOVE:g} m/s2"
    return np.full(
        3, per_unit[guess]
    ), f"Acceleration taken as {guess}: the median resultant is {median:.3g} ({rule})."


def _credible(
    file: Path, values: Array, limit: float, unit: str, rows: Integers, shown: list[Column]
) -> None:
    """Refuse values (n, k) beyond a limit, naming row and column; shown are the k columns."""
    wild = np.argwhere(np.abs(values) > limit)
    if wild.size:
        k, m = wild[0]
        raise InputError(
            f"{file.name}, row {rows[k]}, column {shown[m].label}: {values[k, m]:.4g}{unit} cannot be right (allowed "
            f"up to {limit:g}{unit}); check the number and the unit."
        )


def _in_order(file: Path, table: Table) -> Table:
    """A table whose times rise: rows with a clock a little behind are left out and counted, as other bad rows are."""
    time = table.data[:, 0]
    late = np.append(False, time[1:] <= np.maximum.accumulate(time)[:-1])
    if not late.any():
        return table
    k = int(np.argmax(late))
    if late.sum() > MAX_DROPPED * time.size or time.size - late.sum() < 2:
        raise InputError(
            f"{file.name}, row {table.rows[k]}, column {table.columns['t'].label}: time {time[k]:.15g} does not come "
            f"after {time[:k].max():.15g} in a row before, as in {late.sum()} of {time.size} rows; sort the rows "
            "or remove doubles."
        )
    note = f"WARNING: {late.sum()} of {time.size} rows left out: their time does not come after that of the row before."
    return replace(table, data=table.data[~late], rows=table.rows[~late], notes=(*table.notes, note))


def _epoch(middle: float) -> tuple[float, tuple[str, ...]]:
    """Factor to s of a clock without a unit, by its size when it counts from 1970, and a note."""
    for least, factor, unit in CLOCKS:
        if middle > least:
            return factor, (f"Time taken as {unit} since 1970.",)
    return 1.0, ()


def _repeated(acceleration: Array) -> int:
    """How many times a sample mostly stands in a row (n, 3): a slow sensor written at a fast rate holds each."""
    changed = np.flatnonzero(np.any(np.diff(acceleration, axis=0) != 0.0, axis=1))
    return int(np.median(np.diff(changed))) if changed.size > MIN_CHANGES else 1


def _straight(acceleration: Array) -> int:
    """How many samples (n, 3) mostly lie on a straight line: a slow record drawn out to a fast rate has corners at its
    own samples alone. Told only where numbers are written far finer than they move, as else rounding makes lines."""
    bends = np.zeros(max(len(acceleration) - 2, 0), dtype=bool)
    for column in acceleration.T:
        steps = np.abs(np.diff(column))
        finest = float(steps[steps > 1e-12].min(initial=np.inf))
        if finest > FINE * float(column.std()):
            return 1
        bends |= np.abs(np.diff(column, 2)) > 4.0 * finest
    corners = np.flatnonzero(bends)
    return int(np.median(np.diff(corners))) if corners.size > MIN_CHANGES else 1


def _check_size(file: Path, time: Array) -> None:
    """Refuse records that the filters would need all memory for."""
    rate = (time.size - 1) / float(time[-1] - time[0])
    if rate > FASTEST:
        raise InputError(
            f"{file.name}: {time.size} rows in {time[-1] - time[0]:.3g} s are {rate:.3g} samples per second (allowed "
            f"{FASTEST:g}): state the unit of time, or thin the record out."
        )
    if time.size > MAX_SAMPLES:
        raise InputError(
            f"{file.name}: {time.size} rows (allowed {MAX_SAMPLES}); cut the record or thin it out."
        )


def _gravity_notes(file: Path, history: History, asked: bool | None) -> tuple[str, ...]:
    """What the record shows of gravity; InputError when nobody said whether it is in and it looks taken out.

    asked: what was stated, None for nothing. A rider at rest feels 1 g: a record that is quiet at about 0 g, or
    mostly feels next to nothing, has no gravity in it or a sensor with an offset.
    """
    middle = float(np.median(history.resultant))
    quiet = [float(np.linalg.norm(rest.mean)) for rest in quiet_stretches(history)[0]]
    if quiet and max(quiet) < MIN_AT_REST:
        shown = f"is quiet at {max(quiet):.2g} g"
    elif middle < MIN_MEDIAN and not any(size >= 1.0 - REST_TOLERANCE for size in quiet):
        shown = f"feels {middle:.2g} g half of the time"
    elif (mean := float(np.linalg.norm(history.acceleration.mean(axis=0)))) < MIN_MEAN and (
        history.duration >= LONG_ENOUGH and not any(size >= 1.0 - REST_TOLERANCE for size in quiet)
    ):
        shown = f"averages to {mean:.2g} g over {history.duration:.4g} s"
    else:
        at_one = any(abs(size - 1.0) < REST_TOLERANCE for size in quiet)
        if asked is False and at_one:
            return (
                "WARNING: The record is quiet at 1 g: gravity seems to be in it, though it is said to be taken out.",
            )
        if asked is None and mean < MIN_MEAN and history.duration < LONG_ENOUGH and not at_one:
            return (
                f"WARNING: The record averages to {mean:.2g} g, a rider feels 1 g over a whole ride: it is too short to"
                " tell whether gravity is in it; state it.",
            )
        return ()
    if asked is None:
        raise InputError(
            f"{file.name}: the record {shown}, a rider at rest feels 1 g: check the unit, and "
            "state whether gravity is in the record or "
            "was taken out."
        )
    return (f"WARNING: The record {shown}, though gravity is said to be in it.",) if asked else ()


def _doubts(time: Array, acceleration: Array, contains_gravity: bool) -> tuple[str, ...]:
    """Things that are allowed but look like a mistake, or that the reader must know."""
    doubts = []
    rate = (time.size - 1) / float(time[-1] - time[0])
    if rate < 20.0:
        doubts.append(f"Only {rate:.3g} samples per second: is the time column in another unit than s?")
    if contains_gravity and float(np.median(acceleration[:, 2])) < -0.5:
        doubts.append("The median of az is negative: does z point down? A rider at rest feels +1 Gz.")
    last = np.linalg.norm(acceleration[time > time[-1] - AFTER_LOAD] - acceleration[-1], axis=1)
    if last.size and last.max() > LOADED:
        doubts.append(
            f"WARNING: The record ends within {AFTER_LOAD:g} s of a load of {last.max():.2g} g: what filters show of "
            "it later is missing, and their values are too small. Record until the rider is at rest."
        )
    gaps = np.diff(time)
    wide = gaps > max(LONG_GAP, 5.0 * float(np.median(gaps)))
    if wide.any():
        doubts.append(
            f"The record has gaps ({np.sum(wide)} of more than {LONG_GAP:g} s, {gaps[wide].sum():.3g} s in all): "
            "what is judged there is a straight line between samples, not a measurement."
        )
    return tuple(doubts)
