"""The tables of acceleration limits there are, and those that count for a project."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from ...base.errors import InputError, LimitTableError
from ...base.evaluation import EvaluationOptions
from ...base.wording import worded
from ..limit_files import (
    SUFFIX,
    LimitFile,
    faults,
    keep_fault,
    limit_files,
    once,
    read_limit_file,
    user_files,
)
from ..limits import CurveSet, load_file, load_limits
from .table import AccelerationTable, table_of_curve_set

KIND = "acceleration limits"

#: Curve sets that can be drawn and judged like a table: short name, start of the ids, whom the numbers are from.
CURVE_SETS = {"sustained_g_brulle": ("Sustained g", "sustained", "a recollection of the table")}
#: Tables of physiology: always evaluated, whatever standards a project names.
PHYSIOLOGY = ("nasa_std_3001", "eiband", "lateral_volunteers")


@once
def load_table(name: str) -> AccelerationTable:
    """A table of acceleration limits by its id. Raises InputError when there is none or it does not fit."""
    if name in CURVE_SETS:
        curves = load_limits(name, CurveSet)
        try:
            return table_of_curve_set(curves, *CURVE_SETS[name])
        except ValidationError as error:
            raise LimitTableError(f"Limit table {name}: {worded(error.errors()[0])}.") from None
    table = load_limits(name, AccelerationTable)
    if table.combined is not None and table.series() == ():
        raise LimitTableError(f"Limit table {name}: a combined rule needs curves to take its limits from.")
    return table


def table_ids() -> tuple[str, ...]:
    """Ids of all tables of acceleration limits, the program's and the user's, and of the curve sets."""
    return tuple(name for name, file in limit_files().items() if _is_table(file) and _usable(file))


def table_with(prefix: str) -> str | None:
    """Id of the table whose results have a prefix; None without one."""
    return next((name for name in table_ids() if load_table(name).prefix == prefix), None)


@once
def evaluated_ids(options: EvaluationOptions) -> tuple[str, ...]:
    """Ids of the tables that are evaluated: those the options name, the user's own, and physiology.

    A table of the user's that does not fit is left out; `table_faults` names it.
    """
    files = limit_files()
    own = [name for name, file in files.items() if file.user and name not in CURVE_SETS and _is_table(file)]
    broken = {file.id for file in user_files()} - set(files)
    return tuple(
        name
        for name in dict.fromkeys((*options.standards, *own, *PHYSIOLOGY))
        if name not in broken and (name not in files or _usable(files[name]))
    )


def check_own(path: str | Path) -> AccelerationTable:
    """The table in a file of one's own. Raises InputError, in a sentence, where it is none that can be judged by."""
    path = Path(path)
    if path.suffix != SUFFIX:
        raise InputError(f"{path}: a table is a JSON file; give it the extension {SUFFIX}.")
    file = LimitFile(path.stem, path, True)
    data = json.loads(read_limit_file(file))
    if data.get("kind") != KIND:
        raise LimitTableError(f"Limit table {path}: kind: must be {KIND!r}.")
    table = load_file(file, AccelerationTable)
    taken = table_with(table.prefix)
    if taken not in (None, path.stem):
        raise LimitTableError(
            f"Limit table {path}: its prefix {table.prefix!r} is that of the table {taken}; choose another."
        )
    return table


def table_faults() -> tuple[str, ...]:
    """Why files in the user's folder of limits are left out, a sentence each."""
    table_ids()
    return faults()


def refuse_unusable(name: str) -> None:
    """Raises LimitTableError, saying why, when the user's own file of a name cannot be used."""
    for fault in table_faults():
        if f"{name}.json" in fault:
            raise LimitTableError(fault)


def _is_table(file: LimitFile) -> bool:
    return file.id in CURVE_SETS or _kind(file) == KIND


def _usable(file: LimitFile) -> bool:
    """Whether a table can be judged by; the program's own always can, or something is wrong with the program."""
    if not file.user:
        return True
    try:
        load_table(file.id)
    except LimitTableError as error:
        keep_fault(file, str(error))
        return False
    return True


def _kind(file: LimitFile) -> Any:
    """The field "kind" of a limit file."""
    try:
        return json.loads(read_limit_file(file)).get("kind")
    except LimitTableError:
        return None  # it was damaged since it was listed
