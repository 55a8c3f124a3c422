"""Names and units in the header of an accelerometer file."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ..base.errors import InputError
from ..base.reading import natural

#: The columns a record can have, in the order taken without a header.
NAMES = ("t", "ax", "ay", "az", "wx", "wy", "wz")

TIME_NAMES = {
    "t",
    "time",
    "times",
    "timestamp",
    "epoch",
    "elapsed",
    "elapsedtime",
    "seconds",
    "secondselapsed",
    "zeit",
    "tempo",
}
ACCELERATION_NAMES = (
    *("a", "acc", "accel", "acceleration", "accelerometer", "accelero", "g", "gforce"),
    *(
        "useracceleration",
        "motionuseracceleration",
        "accelerometeracceleration",
        "linearacceleration",
        "linacc",
        "specificforce",
        "beschleunigung",
        "aceleracao",
        "",
    ),
)
#: Parts of a name by which phones say that gravity is taken out of a column.
WITHOUT_GRAVITY = ("linear", "linacc", "useracc")
#: A clock from the start of the record comes before one that counts from 1970 beside it.
ELAPSED_NAMES = ("elapsed", "elapsedtime", "secondselapsed")
ROTATION_NAMES = (
    *("w", "omega", "gyro", "gyr", "gyroscope", "rotationrate", "rotrate", "angularvelocity", "angularrate"),
    *("angvel", "rate", "ω"),
)
#: A clock with its unit behind it: "time_ms", "t_us", "timestamp ns".
TIME_WITH_UNIT = re.compile(
    r"(?:t|time|timestamp|elapsed|epoch)([nuµm]s|[num]secs?|s|secs?|seconds?|(?:milli|micro|nano)s(?:econds?)?)"
)
#: Loads of coaster programs, in g along the rider: "G-Force vertical", "lateral g", "Gs long.".
TELEMETRY = re.compile(
    r"(?:(?:gs?|gforces?)(vert(?:ical)?|lat(?:eral)?|long(?:itudinal)?)|(vert(?:ical)?|lat(?:eral)?|long(?:itudinal)?)(?:gs?|gforces?))"
)
TIME_UNITS = {
    **dict.fromkeys(("s", "sec", "secs", "second", "seconds"), 1.0),
    **dict.fromkeys(("ms", "msec", "msecs", "millis", "millisecond", "milliseconds"), 1e-3),
    **dict.fromkeys(("us", "µs", "usec", "usecs", "micros", "microsecond", "microseconds"), 1e-6),
    **dict.fromkeys(("ns", "nsec", "nsecs", "nanos", "nanosecond", "nanoseconds"), 1e-9),
    **dict.fromkeys(("min", "minute", "minutes"), 60.0),
}
ACCELERATION_UNITS = {
    **dict.fromkeys(("g", "gn", "g0", "gs"), "g"),
    "mg": "mg",
    **dict.fromkeys(
        ("m/s2", "m/s^2", "m/s²", "m/s/s", "m/s**2", "ms-2", "ms^-2", "ms⁻²", "m*s^-2", "mps2"), "m/s2"
    ),
}
DEGREE = 0.017453292519943295
ROTATION_UNITS = {
    **dict.fromkeys(("rad/s", "rads", "rad/sec", "rads-1", "rad*s^-1"), 1.0),
    **dict.fromkeys(("deg/s", "°/s", "deg/sec", "degrees/s", "dps"), DEGREE),
}


@dataclass(frozen=True)
class Column:
    """A column of the file: place from 0, label for messages, stated unit of acceleration, factor to s or rad/s, and
    whether the header states a unit."""

    index: int
    label: str
    unit: str | None = None
    factor: float = 1.0
    stated: bool = False


def numbered_columns(place: str, count: int) -> dict[str, Column]:
    """Columns of a file without header: t, ax, ay, az and with seven also wx, wy, wz. InputError for another count."""
    if count not in (4, 7):
        raise InputError(
            f"{place}: without a header there must be 4 columns (t, ax, ay, az) or 7 (and wx, wy, wz), found {count}; "
            "add a header row."
        )
    return {name: Column(k, f"{k + 1} ({name})") for k, name in enumerate(NAMES[:count])}


def mapped_columns(place: str, cells: Sequence[str], mapping: Mapping[str, str]) -> dict[str, Column]:
    """Columns that a person has named: mapping from NAMES to the number of a column from 1, or its name.

    Raises InputError for a name or number that there is not.
    """
    columns: dict[str, Column] = {}
    for name, asked in mapping.items():
        if name not in NAMES:
            raise InputError(f"There is no column {name!r} in a record; name {', '.join(NAMES)}.")
        labels = [cell.strip().strip("'\"") for cell in cells]
        if 1 <= (natural(asked) or 0) <= len(cells):
            index = int(asked) - 1
        elif asked in labels and asked:
            index = labels.index(asked)
        else:
            raise InputError(
                f"{place}: there is no column {asked!r} for {name}; give a number from 1 to {len(cells)}"
                + (f" or one of {', '.join(filter(None, labels))}." if any(labels) else ".")
            )
        if index in {column.index for column in columns.values()}:
            raise InputError(
                f"{place}: column {asked!r} is named for {name} and another one; name each column once."
            )
        unit = _name_and_unit(labels[index])[1] if labels[index] else None
        columns[name] = _column(place, index, labels[index] or name, name, unit)
    return columns


def read_header(
    place: str, cells: Sequence[str], mapping: Mapping[str, str] | None = None
) -> tuple[dict[str, Column], tuple[str, ...]]:
    """Columns named by a header row.

    mapping: those a person has named (`mapped_columns`), which come first.
    place for messages; cells of the row. Returns the columns by their name in NAMES, and the labels left out.
    Raises InputError for a missing, repeated or half given group of columns, or an unknown unit.
    """
    own = mapped_columns(place, cells, mapping or {})
    columns: dict[str, Column] = dict(own)
    taken = {column.index for column in own.values()}
    left_out = []
    for index, cell in enumerate(cells):
        if index in taken:
            continue
        name, unit = _name_and_unit(cell)
        if name is None or name in own:
            left_out.append(cell.strip() or f"(column {index + 1})")
            continue
        if name == "t" and name in columns and _is_elapsed(cell) != _is_elapsed(cells[columns["t"].index]):
            dropped = columns["t"].index if _is_elapsed(cell) else index
            left_out.append(cells[dropped].strip())
            if dropped == index:
                continue
        elif name in columns:
            raise InputError(
                f"{place}, column {index + 1}: {cell.strip()!r} names {name} again; keep one column for it."
            )
        columns[name] = _column(place, index, cell.strip(), name, unit)
    missing = [name for name in NAMES[:4] if name not in columns]
    if missing:
        found = ", ".join(repr(cell.strip()) for cell in cells)
        raise InputError(
            f"{place}: no column for {', '.join(missing)} (found {found}); name the columns t, ax, ay, az."
        )
    rotation = [name for name in NAMES[4:] if name in columns]
    if rotation and len(rotation) < 3:
        raise InputError(f"{place}: found {', '.join(rotation)} but rotation rates need all of wx, wy, wz.")
    return columns, tuple(left_out)


def _column(place: str, index: int, label: str, name: str, unit: str | None) -> Column:
    shown = f"{index + 1} ({label})"
    known: dict[str, float] | dict[str, str] = TIME_UNITS
    if name[0] == "a":
        known = ACCELERATION_UNITS
    elif name[0] == "w":
        known = ROTATION_UNITS
    if unit is None:
        return Column(index, shown)
    if unit not in known:
        raise InputError(
            f"{place}, column {index + 1}: unknown unit {unit!r} in {label!r}; known are {', '.join(known)}."
        )
    meaning = known[unit]
    if isinstance(meaning, str):
        return Column(index, shown, meaning, stated=True)
    return Column(index, shown, factor=meaning, stated=True)


def without_gravity(columns: dict[str, Column]) -> bool:
    """Whether the header says that gravity is taken out of the acceleration ("Linear Acceleration x")."""
    label = re.sub(r"[^a-z]", "", columns["ax"].label.lower())
    return any(word in label for word in WITHOUT_GRAVITY)


def _is_elapsed(cell: str) -> bool:
    return _plain(cell.split("(")[0].split("[")[0]) in ELAPSED_NAMES


def _plain(text: str) -> str:
    return re.sub(r"[\s_.\-:]", "", text).lower()


def _name_and_unit(cell: str) -> tuple[str | None, str | None]:
    text = cell.strip().strip("'\"").strip()
    unit = None
    found = re.fullmatch(r"(.*?)\s*[\[(]([^\])]*)[\])]\s*", text) or re.fullmatch(
        r"(.*?)\s+(?:/|in)\s+(\S+)", text
    )
    if found and found.group(1):
        text, unit = found.group(1), found.group(2).replace(" ", "").lower() or None
    plain = _plain(text)
    if plain in TIME_NAMES:
        return "t", unit
    clock = TIME_WITH_UNIT.fullmatch(plain)
    if clock is not None and unit is None:
        return "t", clock[1]
    telemetry = TELEMETRY.fullmatch(plain)
    if telemetry is not None:
        which = next(word for word in telemetry.groups() if word)[:3]
        return {"ver": "az", "lat": "ay", "lon": "ax"}[which], unit or "g"
    for letter in "xyz":
        for names, prefix in ((ACCELERATION_NAMES, "a"), (ROTATION_NAMES, "w")):
            if any(plain in (name + letter, letter + name, name + letter + "axis") for name in names):
                return prefix + letter, unit
    return None, unit
