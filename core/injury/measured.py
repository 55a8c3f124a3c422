"""Measured records: accelerometer CSV files of loggers and phones into a `History`."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from core.errors import InputError
from core.injury.csv_columns import NAMES, Column, numbered_columns, read_header
from core.injury.grid import is_uniform
from core.injury.history import History

F8 = NDArray[np.float64]
AccelerationUnit = Literal["g", "m/s2"]

#: Without a stated unit: median resultant below the first is g, above the second m/s^2, between them nobody can tell.
DETECT_G_BELOW = 3.0
DETECT_SI_ABOVE = 5.0
#: More than this is a damaged number, not a ride or an impact (g).
LARGEST_CREDIBLE = 1e4
#: As written in the file, before any unit: clocks that count microseconds since 1970 stay below the second.
LARGEST_NUMBER = 1e9
LARGEST_TIME = 1e16


def read_accelerometer_csv(
    path: str | Path,
    *,
    unit: AccelerationUnit | None = None,
    body: str = "accelerometer",
    contains_gravity: bool = True,
    gravity: float = 9.81,
) -> History:
    """Accelerometer record from a CSV file.

    path of a text file with the columns t, ax, ay, az and optionally wx, wy, wz in rider axes (x forward, y left, z
    up), separated by comma, semicolon or tab, with or without header, byte order mark, quotes, or decimal commas
    (not with comma as separator). The header may be written in other usual ways ("Time (s)", "Acceleration x
    [m/s^2]", "gyro_x (deg/s)"); without one the columns are taken in that order. Other columns and lines starting
    with # are left out.
    unit of the acceleration: the argument, else the header, else by the rule: median resultant below 3 is g, above
    5 m/s^2; between them, or when contains_gravity is False, it must be stated. gravity m/s^2 per g. Time is in s
    and rotation in rad/s unless the header says otherwise. An uneven grid is resampled linearly. What was decided
    is in `History.notes`.
    Raises InputError naming file, row and column for anything that cannot be used.
    """
    file = Path(path)
    if unit not in (None, "g", "m/s2"):
        raise InputError(f"The unit of the acceleration must be 'g' or 'm/s2', found {unit!r}.")
    if not (np.isfinite(gravity) and gravity > 0.0):
        raise InputError(f"Gravity must be a positive number of m/s^2, found {gravity}.")
    lines = _lines(file)
    delimiter = _delimiter(file, *lines[0])
    columns, notes, width = _columns(file, lines, delimiter)
    data = _numbers(file, lines, delimiter, columns, width)
    row_numbers = np.array([number for number, _ in lines])
    read = [columns[name] for name in NAMES if name in columns]
    _credible(file, data[:, :1], LARGEST_TIME, "", row_numbers, read[:1])
    _credible(file, data[:, 1:], LARGEST_NUMBER, "", row_numbers, read[1:])
    time = data[:, 0] * columns["t"].factor
    bad = np.flatnonzero(np.diff(time) <= 0.0)
    if bad.size:
        k = int(bad[0]) + 1
        raise InputError(
            f"{file.name}, row {row_numbers[k]}, column {columns['t'].label}: time {data[k, 0]:.9g} does not come "
            f"after {data[k - 1, 0]:.9g} in the row before; sort the rows or remove doubles."
        )
    factors, unit_note = _acceleration_factors(file, data[:, 1:4], columns, unit, contains_gravity, gravity)
    acceleration = data[:, 1:4] * factors
    _credible(file, acceleration, LARGEST_CREDIBLE, " g", row_numbers, read[1:4])
    rate = data[:, 4:7] * [columns[name].factor for name in NAMES[4:]] if "wx" in columns else None
    notes += (unit_note, *_doubts(time, acceleration, contains_gravity))
    if is_uniform(time):
        return History(time, acceleration, body, rate, None, contains_gravity, notes)
    return History.resampled(
        time, acceleration, body=body, rotation_rate=rate, contains_gravity=contains_gravity, notes=notes
    )


def _lines(file: Path) -> list[tuple[int, str]]:
    """Lines that hold something, with their row numbers in the file."""
    try:
        raw = file.read_bytes()
    except FileNotFoundError:
        raise InputError(f"There is no file {file}.") from None
    except OSError as error:
        raise InputError(f"The file {file} cannot be read: {error.strerror}.") from None
    encoding = "utf-16" if raw.startswith((b"\xff\xfe", b"\xfe\xff")) else "utf-8-sig"
    try:
        text = raw.decode(encoding)
    except UnicodeDecodeError:
        # Older loggers write the superscript of m/s² in the Windows code page.
        text = raw.decode("latin-1")
    if "\x00" in text:
        raise InputError(f"{file.name} is not a text file; export the record as CSV.")
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    lines = [(k, line.strip(" ")) for k, line in enumerate(text.split("\n"), start=1)]
    lines = [(k, line) for k, line in lines if line.strip() and not line.lstrip().startswith("#")]
    if not lines:
        raise InputError(f"{file.name} is empty; expected rows of t, ax, ay, az.")
    if all(line.startswith('"') and line.endswith('"') and line.count('"') == 2 for _, line in lines):
        # Some exports put each whole line in quotes.
        lines = [(k, line[1:-1]) for k, line in lines]
    return lines


def _delimiter(file: Path, row: int, line: str) -> str:
    for candidate in ("\t", ";", ","):
        if line.count(candidate) >= 3:
            return candidate
    raise InputError(
        f"{file.name}, row {row}: expected at least 4 columns (t, ax, ay, az) separated by comma, semicolon or tab, "
        f"found {line[:60]!r}."
    )


def _columns(
    file: Path, lines: list[tuple[int, str]], delimiter: str
) -> tuple[dict[str, Column], tuple[str, ...], int]:
    """Columns by name; takes the header off the lines."""
    row, first = lines[0]
    cells = _cells(file, row, first, delimiter)
    if all(_number(cell, delimiter) is not None for cell in cells):
        return (
            numbered_columns(f"{file.name}, row {row}", len(cells)),
            ("No header: columns in the usual order.",),
            len(cells),
        )
    columns, left_out = read_header(f"{file.name}, row {row}", cells)
    del lines[0]
    if len(lines) < 2:
        raise InputError(
            f"{file.name} has {len(lines)} row(s) of numbers under its header; at least 2 are needed."
        )
    return columns, (f"Columns left out: {', '.join(left_out)}.",) if left_out else (), len(cells)


def _numbers(
    file: Path, lines: list[tuple[int, str]], delimiter: str, columns: dict[str, Column], width: int
) -> F8:
    """The wanted columns as an array (rows, 4 or 7) in the order of NAMES."""
    wanted = [columns[name] for name in NAMES if name in columns]
    if len(lines) < 2:
        raise InputError(f"{file.name} has only {len(lines)} row of numbers; at least 2 are needed.")
    quoted = any('"' in line for _, line in lines)
    if not quoted:
        for row, line in lines:
            if line.count(delimiter) != width - 1:
                _wrong_width(file, row, line.count(delimiter) + 1, width)
        decimal = [line if delimiter == "," else line.replace(",", ".") for _, line in lines]
        try:
            data = np.loadtxt(
                decimal, delimiter=delimiter, comments=None, usecols=[c.index for c in wanted], ndmin=2
            )
        except ValueError:
            data = np.full((1, 1), np.nan)  # the careful reading below finds the cell
        if np.isfinite(data).all():
            return np.asarray(data, dtype=np.float64)
    result = np.empty((len(lines), len(wanted)))
    for k, (row, line) in enumerate(lines):
        cells = _cells(file, row, line, delimiter)
        if len(cells) != width:
            _wrong_width(file, row, len(cells), width)
        for m, column in enumerate(wanted):
            value = _number(cells[column.index], delimiter)
            if value is None:
                raise InputError(
                    f"{file.name}, row {row}, column {column.label}: expected a finite number, "
                    f"found {cells[column.index][:40]!r}."
                )
            result[k, m] = value
    return result


def _cells(file: Path, row: int, line: str, delimiter: str) -> list[str]:
    """Cells of a line, quotes taken off."""
    try:
        return next(csv.reader([line], delimiter=delimiter))
    except csv.Error as error:
        raise InputError(f"{file.name}, row {row}: the line cannot be read as CSV ({error}).") from None


def _wrong_width(file: Path, row: int, found: int, width: int) -> None:
    raise InputError(
        f"{file.name}, row {row}, column {min(found, width) + (found > width)}: found {found} columns, "
        f"the rows before have {width}."
    )


def _number(cell: str, delimiter: str) -> float | None:
    text = cell.strip()
    if delimiter != ",":
        text = text.replace(",", ".")
    try:
        value = float(text)
    except ValueError:
        return None
    # Python would read 1_000 as a number, no logger writes that.
    return value if np.isfinite(value) and "_" not in text else None


def _acceleration_factors(
    file: Path,
    acceleration: F8,
    columns: dict[str, Column],
    unit: AccelerationUnit | None,
    contains_gravity: bool,
    gravity: float,
) -> tuple[F8, str]:
    """Factor per column to g, and a note on where the unit came from."""
    per_unit = {"g": 1.0, "mg": 1e-3, "m/s2": 1.0 / gravity}
    stated = [columns[name].unit for name in ("ax", "ay", "az")]
    if unit is not None:
        return np.full(3, per_unit[unit]), f"Acceleration in {unit}, as asked."
    if all(s is not None for s in stated):
        return np.array([per_unit[s or ""] for s in stated]), f"Acceleration in {stated[0]}, from the header."
    if any(s is not None for s in stated):
        raise InputError(
            f"{file.name}: the header gives a unit for some of ax, ay, az only; state unit='g' or 'm/s2'."
        )
    if not contains_gravity:
        raise InputError(f"{file.name}: the header gives no unit of acceleration; state unit='g' or 'm/s2'.")
    median = float(np.median(np.linalg.norm(acceleration, axis=1)))
    if DETECT_G_BELOW <= median <= DETECT_SI_ABOVE:
        raise InputError(
            f"{file.name}: no unit of acceleration in the header, and a median resultant of {median:.3g} fits neither "
            "g nor m/s^2; state unit='g' or 'm/s2'."
        )
    guess = "g" if median < DETECT_G_BELOW else "m/s2"
    rule = f"below {DETECT_G_BELOW:g} is g, above {DETECT_SI_ABOVE:g} m/s2"
    return np.full(
        3, per_unit[guess]
    ), f"Acceleration taken as {guess}: the median resultant is {median:.3g} ({rule})."


def _credible(
    file: Path, values: F8, limit: float, unit: str, rows: NDArray[np.int64], shown: list[Column]
) -> None:
    """Refuse values (n, k) beyond a limit, naming row and column; shown are the k columns."""
    wild = np.argwhere(np.abs(values) > limit)
    if wild.size:
        k, m = wild[0]
        raise InputError(
            f"{file.name}, row {rows[k]}, column {shown[m].label}: {values[k, m]:.4g}{unit} cannot be right (allowed "
            f"up to {limit:g}{unit}); check the number and the unit."
        )


def _doubts(time: F8, acceleration: F8, contains_gravity: bool) -> tuple[str, ...]:
    """Things that are allowed but look like a mistake."""
    doubts = []
    rate = (time.size - 1) / float(time[-1] - time[0])
    if rate < 20.0:
        doubts.append(f"Only {rate:.3g} samples per second: is the time column in another unit than s?")
    if contains_gravity and float(np.median(acceleration[:, 2])) < -0.5:
        doubts.append("The median of az is negative: does z point down? A rider at rest feels +1 Gz.")
    return tuple(doubts)
