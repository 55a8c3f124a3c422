"""Versions of the project file: data of an older one is lifted to the current one before it is checked."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Final

from ..base.errors import InputError

VERSION: Final = 2
#: Where version 1 kept the children of an assembly.
_CHILDREN: Final = ("cars", "occupants")


def lifted(data: dict[str, Any], where: str) -> dict[str, Any]:
    """The data of a project file as the current version has it; what is faulty stays as it is, for the check.

    Raises InputError for versions that there are not, or that are newer than this program.
    """
    version = data.get("version", 1)  # the first files may go without
    if not isinstance(version, int) or isinstance(version, bool) or version < 1:
        raise InputError(
            f"{where}: field 'version' is {version!r}; expected a whole number from 1 to {VERSION}."
        )
    if version > VERSION:
        raise InputError(
            f"{where}: written by a newer Ridewright (file version {version}, this program reads up to {VERSION});"
            " update the program."
        )
    return _from_1(data) if version == 1 else data


def current_field(field: str, node: dict[str, Any]) -> str:
    """What a field of an older file is called now.

    Parameters
    ----------
    field
        As the file calls it.
    node
        The object of the current version that has it.

    Returns
    -------
    Its name.
    """
    return "children" if field in _CHILDREN and field not in node and "children" in node else field


def field_in_file(field: str | int, node: dict[str, Any]) -> str | int:
    """What a field of the current version is called in an object of an older file."""
    return next((old for old in _CHILDREN if field == "children" and old in node), field)


def _from_1(data: dict[str, Any]) -> dict[str, Any]:
    """Version 1 had cars and riders for assemblies, and rides took no account of the initial velocities of bodies."""
    new = {**data, "version": 2}
    if isinstance(train := new.get("train"), dict):
        new["train"] = _assembly(train, "train", "Train", riding=True)
    if isinstance(scenario := new.get("scenario"), dict) and isinstance(scenario.get("assembly"), dict):
        new["scenario"] = {
            **scenario,
            "assembly": _assembly(scenario["assembly"], "rig", "Rig", riding=False),
        }
    return new


def _assembly(data: dict[str, Any], role: str, name: str | None = None, *, riding: bool) -> dict[str, Any]:
    new = {"role": role, **({} if name is None else {"name": name}), **data}
    for old, inner in zip(_CHILDREN, ("car", "rider"), strict=True):
        if old in new:
            new["children"] = _each(new.pop(old), partial(_assembly, role=inner, riding=riding))
    if riding and "bodies" in new:
        new["bodies"] = _each(new["bodies"], _still)
    return new


def _each(rows: Any, change: Callable[[dict[str, Any]], Any]) -> Any:
    return [change(row) if isinstance(row, dict) else row for row in rows] if isinstance(rows, list) else rows


def _still(body: dict[str, Any]) -> dict[str, Any]:
    """A body without the initial velocities it may have; faulty ones stay, for the check."""
    still = {
        field: [0.0] * len(values)
        for field in ("velocity", "angular_velocity")
        if isinstance(values := body.get(field), list)
        and all(type(value) in (int, float) for value in values)
    }
    return {**body, **still}
