"""Edits of seats as things: what a place to sit is made of, and what closes onto who sits there."""

from __future__ import annotations

from typing import Any

from ..base.errors import InputError
from ..model.library import load_restraint, load_seat
from ..model.restraints import Restraint
from ..model.seats import SeatShape
from ..project.project import Project
from .elements import Path, assembly_at, element_at, set_element
from .remaking import refitted

NONE = "none"


def put_seat(
    project: Project,
    owner: Path,
    seat: str,
    shape: str | SeatShape = "",
    restraint: str | Restraint = "",
    *,
    shared: str = "",
) -> Project:
    """Make a place to sit a seat of the library, or one of its own; a generated rider there is fitted to it.

    Parameters
    ----------
    owner
        Path of the car, or of the part of a rig, that has the seat.
    seat
        Its name.
    shape
        Key of the library, or the seat itself; "none" takes it away, "" leaves it as it is.
    restraint
        Key of the library, or the restraint itself, open; "none" for no restraint, "" for the one that goes with the
        seat of the library, or leaves it as it is.
    shared
        Name of a bar that it shares with other seats of the same car.

    Returns
    -------
    The changed project.

    Raises
    ------
    InputError
        For a seat or key that there is not, and where nothing is to be changed.
    """
    there = [one.name for one in assembly_at(project, owner).seats]
    if seat not in there:
        where = "/".join(owner) or "The rig"
        raise InputError(f"'{where}' has no seat '{seat}'; it has {', '.join(there) or 'none'}.")
    old = element_at(project, "seat", (*owner, seat))
    fields = _fields(old.restraint, shape, restraint, shared)
    if not fields:
        raise InputError("Say which seat or restraint it is; 'none' takes it away.")
    made = set_element(project, "seat", (*owner, seat), fields)
    for rider in assembly_at(made, owner).riders:
        if rider.seat == seat:
            made = refitted(made, (*owner, rider.name), old.shape)
    return made


def _fields(
    old: Restraint | None, shape: str | SeatShape, restraint: str | Restraint, shared: str
) -> dict[str, Any]:
    """The fields of the seat to be changed."""
    fields: dict[str, Any] = {}
    if isinstance(shape, SeatShape) or shape == NONE:
        fields["shape"] = None if shape == NONE else shape
    elif shape:
        fields["shape"], usual = load_seat(shape)
        restraint = restraint or usual
    if isinstance(restraint, Restraint) or restraint == NONE:
        fields["restraint"] = None if restraint == NONE else restraint
    elif restraint:
        fields["restraint"] = load_restraint(restraint)
    if shared:
        made = fields.get("restraint", old)
        if made is None:
            raise InputError(f"The seat has no restraint that could be the shared bar '{shared}'; name one.")
        fields["restraint"] = made.model_copy(update={"shared": shared})
    return fields
