"""The vehicles and riders that come with the program, and the choices they leave open.

The files are in resources/library; each carries its source and, as notes, what was corrected and why. Cars the user
saved (`core.model.own_library`) stand beside them, and kinds of couplings that no file is of.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from importlib import resources
from importlib.resources.abc import Traversable
from typing import Any, Literal

from pydantic import TypeAdapter, ValidationError

from ..base.errors import InputError
from ..base.frozen import Vec3
from ..base.wording import worded
from .assembly import Assembly
from .couplings import TYPES as COUPLINGS
from .couplings import Coupling
from .forces import Force
from .joints import Joint
from .own_library import library_fault, own_cars
from .restraints import Restraint
from .seats import SeatShape

ROLL_JOINT = "Roll joint"
ROLL_STOP = "Roll stop"
ADDITION = "(addition)"
AS_PRINTED = "as_printed"  # how keys of what is kept with the misprints of its source end

Kind = Literal["vehicle", "occupant", "coupling", "seat", "restraint"]
_FOLDER: dict[Kind, str] = {
    "vehicle": "vehicles",
    "occupant": "occupants",
    "coupling": "couplers",
    "seat": "seats",
    "restraint": "restraints",
}


@dataclass(frozen=True)
class LibraryEntry:
    """One file of the library: its key, what it is, where it is from, and what was decided about it.

    switches: keys of suggested corrections that load_occupant can leave as printed.
    """

    key: str
    kind: Kind
    title: str
    source: str
    notes: tuple[str, ...]
    switches: tuple[str, ...] = ()


def list_library(kinds: tuple[Kind, ...] = ("vehicle", "occupant")) -> tuple[LibraryEntry, ...]:
    """Every entry of some kinds of the library, kind by kind, the user's own first, in the order of their keys."""
    entries = []
    for kind in kinds:
        own = _own(kind)
        read = {key: _read(kind, key) for key in sorted(_files(kind))}
        for key, data in (own | read).items():
            switches = tuple(str(s["key"]) for s in data.get("switches", ()))
            entries.append(
                LibraryEntry(key, kind, data["title"], data["source"], tuple(data["notes"]), switches)
            )
    return tuple(entries)


def load_vehicle(key: str = "viegas2016") -> Assembly:
    """A vehicle of the library without riders, in the car frame (x forward, y left, z up, rail plane at z = 0).

    Raises InputError naming the vehicles there are when `key` is none of them.
    """
    return Assembly.model_validate_json(json.dumps(_read("vehicle", key)["assembly"]))


def load_occupant(key: str = "viegas2016", as_printed: Iterable[str] = ()) -> Assembly:
    """A rider of the library about the seat frame.

    Parameters
    ----------
    key
        Which one.
    as_printed
        Keys of suggested corrections (see LibraryEntry.switches) to leave as the source prints them.

    Returns
    -------
    The rider.

    Raises
    ------
    InputError
        Naming the choices when `key` or one of the switches is unknown.
    """
    data = _read("occupant", key)
    switches = {s["key"]: s for s in data.get("switches", ())}
    for name in as_printed:
        if name not in switches:
            known = ", ".join(switches) or "none"
            raise InputError(f"rider '{key}' has no switch '{name}'; there are {known}.")
        for change in switches[name]["changes"]:
            row = next(r for r in data["assembly"][change["table"]] if r["name"] == change["name"])
            row[change["field"]] = change["printed"]
    return Assembly.model_validate_json(json.dumps(data["assembly"]))


def library_rider(key: str = "") -> Assembly:
    """A rider of the library to be seated, the first one for "".

    Hands and feet are held where the program has added what the source left out (`with_wrist_ankle_stiffness`): free
    ones whirl about, and reach the head with other digits in every run. What is asked for as printed is as printed.
    Raises InputError naming the riders there are when `key` is none of them.
    """
    rider = load_occupant(key) if key else load_occupant()
    added = any(force.name.endswith(ADDITION) for force in rider.forces)
    return with_wrist_ankle_stiffness(rider) if added and not key.endswith(AS_PRINTED) else rider


def load_coupling(key: str, name: str, first: tuple[str, Vec3], second: tuple[str, Vec3]) -> Coupling:
    """A coupling of the library under a name, between two bodies of neighbouring cars, each with its point (m).

    Raises InputError naming the couplers there are when `key` is none of them.
    """
    (body_i, point_i), (body_j, point_j) = first, second
    where = {"name": name, "body_i": body_i, "point_i": point_i, "body_j": body_j, "point_j": point_j}
    made: Coupling = TypeAdapter(Coupling).validate_json(
        json.dumps({**_read("coupling", key)["coupling"], **where})
    )
    return made


def load_seat(key: str) -> tuple[SeatShape, str]:
    """A seat of the library, and the key of the restraint that goes with it.

    Raises InputError naming the seats there are when `key` is none of them.
    """
    data = _read("seat", key)
    return SeatShape.model_validate_json(json.dumps(data["seat"])), str(data["restraint"])


def load_restraint(key: str) -> Restraint:
    """A restraint of the library, open. Raises InputError naming those there are when `key` is none of them."""
    return Restraint.model_validate_json(json.dumps(_read("restraint", key)["restraint"]))


def with_rider(car: Assembly, occupant: Assembly, seat: str, name: str = "Rider") -> Assembly:
    """The car with a rider called `name` on `seat`.

    Raises InputError when there is no such seat, somebody sits there, or the name is taken.
    """
    rider = occupant.model_copy(update={"name": name, "seat": seat})
    try:
        return Assembly.model_validate({**dict(car), "children": (*car.children, rider)})
    except ValidationError as error:
        message = worded(error.errors()[0])
        raise InputError(f"car '{car.name}': {message}.") from None


def with_secondary_locked(car: Assembly, locked: bool = True) -> Assembly:
    """The car with the roll of the carbody on the chassis held as drawn, or set free again.

    Viegas 2016, section 3.2.3 asks for the lock in loops that push the riders upwards. Raises InputError when
    the car has no roll joint.
    """

    def change(joint: Joint) -> Joint:
        return joint.model_copy(update={"locked": locked}) if joint.name == ROLL_JOINT else joint

    if all(joint.name != ROLL_JOINT for joint in car.joints):
        raise InputError(f"car '{car.name}' has no joint '{ROLL_JOINT}' that could be locked.")
    return car.model_copy(update={"joints": tuple(change(joint) for joint in car.joints)})


def with_roll_stop(car: Assembly, enabled: bool = True) -> Assembly:
    """The car with its roll stop enabled, or taken out. Raises InputError when the car has none."""
    if all(force.name != ROLL_STOP for force in car.forces):
        raise InputError(f"car '{car.name}' has no element '{ROLL_STOP}'.")
    return car.model_copy(update={"forces": _switched(car.forces, ROLL_STOP, enabled)})


def with_wrist_ankle_stiffness(occupant: Assembly, enabled: bool = True) -> Assembly:
    """The rider with the added stiffness of wrists and ankles enabled, or without.

    It is an addition of this program: Viegas 2016 gives these joints no elastic element. Raises InputError
    when the rider has none.
    """
    if all(not force.name.endswith(ADDITION) for force in occupant.forces):
        raise InputError(f"rider '{occupant.name}' has no added stiffness to switch.")
    return occupant.model_copy(update={"forces": _switched(occupant.forces, ADDITION, enabled)})


def _switched(forces: tuple[Force, ...], ending: str, enabled: bool) -> tuple[Force, ...]:
    return tuple(f.model_copy(update={"enabled": enabled}) if f.name.endswith(ending) else f for f in forces)


def _files(kind: Kind) -> dict[str, Traversable]:
    folder = resources.files("ridewright.resources") / "library" / _FOLDER[kind]
    return {f.name.removesuffix(".json"): f for f in folder.iterdir() if f.name.endswith(".json")}


def _own(kind: Kind) -> dict[str, dict[str, Any]]:
    """What stands beside the files: cars of the user, and kinds of couplings that no file is of."""
    if kind == "vehicle":
        return own_cars()
    if kind != "coupling":
        return {}
    known = {_of_file(file)["coupling"]["kind"] for file in _files(kind).values()}
    return {
        key: {
            "title": made.word.capitalize(),
            "source": "As its kind makes it",
            "notes": [],
            "coupling": {"kind": key, **made.added},
        }
        for key, made in COUPLINGS.items()
        if key not in known
    }


def _of_file(file: Traversable) -> dict[str, Any]:
    data: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return data


def _read(kind: Kind, key: str) -> dict[str, Any]:
    files = _files(kind)
    own = _own(kind)
    if key in own:
        return own[key]
    if fault := library_fault(key):
        raise InputError(fault)
    if key not in files:
        known = ", ".join(sorted((*files, *own)))
        raise InputError(f"the library has no {kind} '{key}'; there are {known}.")
    return _of_file(files[key])
