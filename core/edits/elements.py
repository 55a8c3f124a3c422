"""Edits of assemblies and their elements: change, rename, add, delete, duplicate, put in another order.

An element is named by its kind and a path from what the scenario moves, the train or the rig's assembly: ("Car 1",
"Rider", "Neck"); an assembly inside by the kind "assembly" and its path, the train or rig itself by the empty path.
Renaming carries every reference along, at every level; deleting takes with it what cannot exist without.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import reduce
from typing import Any, Final

from ..base.errors import InputError
from ..base.frozen import Frozen
from ..model.assembly import JUDGED, Assembly
from ..model.couplings import CouplingBase, coupling_type
from ..model.flexible import FlexibleBody
from ..model.forces import type_of
from ..model.references import LISTS, WORDS, redirected, references
from ..project.project import Project
from ..project.scenario import Rig
from .changes import changed, free_name, set_steelwork, the_train

Path = tuple[str, ...]
FieldsOf = Callable[[Path, Assembly], Mapping[str, Any]]
STEELWORK: Final = "steelwork"  # the steel of the track by its path: itself ("steelwork",) or a part of it
GAP = 0.5  # m, left between a new car and the one ahead


def assembly_at(project: Project, path: Path) -> Assembly:
    """The assembly at a path.

    Parameters
    ----------
    project
        With a train or a rig.
    path
        Names from the top down; empty for the train or the rig itself.

    Returns
    -------
    The assembly.

    Raises
    ------
    InputError
        When there is none.
    """
    top = project.assembly or the_train(project)
    found = top.at(path)
    if found is None:
        raise InputError(f"The {top.role} has no assembly '{'/'.join(path)}'.")
    return found


def elements_of(holder: Assembly, kind: str) -> tuple[Any, ...]:
    """All elements of a kind that an assembly itself holds."""
    found: tuple[Any, ...] = getattr(holder, LISTS[kind])
    return found


def element_at(project: Project, kind: str, path: Path) -> Any:
    """The element of a kind at a path.

    Parameters
    ----------
    project
        With a train or a rig.
    kind
        "body", "joint", "force", ...; "steelwork" of the rules of the steel.
    path
        Names from the top down, its own the last.

    Returns
    -------
    The element.

    Raises
    ------
    InputError
        When it does not exist.
    """
    if kind == "assembly":
        return assembly_at(project, path)
    if kind == STEELWORK:
        return reduce(getattr, path[1:], project.steelwork)
    holder = assembly_at(project, path[:-1])
    for element in elements_of(holder, kind):
        if element.name == path[-1]:
            return element
    raise InputError(f"{_where(path[:-1], holder)} has no {WORDS[kind]} '{path[-1]}'.")


def _where(path: Path, assembly: Assembly) -> str:
    return f"'{'/'.join(path)}'" if path else f"The {assembly.role}"


def rebuilt(project: Project, owner: Path, fields_of: FieldsOf) -> Project:
    """The project with the fields replaced that `fields_of(path, assembly)` gives for the assembly at the path `owner`
    and for each one that holds it; every one of them is checked again."""
    made: Assembly | None = None
    for depth in range(len(owner), -1, -1):
        path = owner[:depth]
        holder = assembly_at(project, path)
        fields = dict(fields_of(path, holder))
        if made is not None:
            children = fields.get("children", holder.children)
            fields["children"] = tuple(made if child.name == owner[depth] else child for child in children)
        cars = fields.get("children", holder.children)
        if holder.role == "train" and not cars:
            return changed(project, "Project", {"train": None})
        if holder.role == "train" and len(cars) < len(holder.children):
            fields["children"] = _counted_from_first(cars)
        if holder.person is not None and "person" not in fields and _moulded(holder, fields):
            fields["person"] = None
        made = changed(holder, _where(path, holder), fields)
    if isinstance(project.scenario, Rig):
        return changed(project, "Project", {"scenario": changed(project.scenario, "Rig", {"assembly": made})})
    return changed(project, "Project", {"train": made})


def _moulded(rider: Assembly, fields: Mapping[str, Any]) -> bool:
    """Whether new fields change segments or joints of a generated rider, which then is one made by hand."""
    return any(
        fields.get(name, getattr(rider, name)) != getattr(rider, name) for name in ("bodies", "joints")
    )


def _counted_from_first(cars: tuple[Assembly, ...]) -> tuple[Assembly, ...]:
    first = cars[0].offset
    return tuple(car.model_copy(update={"offset": car.offset - first}) for car in cars)


def set_assembly(project: Project, path: Path, fields: Mapping[str, Any]) -> Project:
    """Change fields of an assembly; the whole of it is checked again, and so are those that hold it.

    Parameters
    ----------
    path
        Of the assembly; () is the train or the rig.
    fields
        Values by name, in SI.

    Returns
    -------
    The changed project.

    Raises
    ------
    InputError
        When a value is not allowed.
    """
    return rebuilt(project, path, lambda at, _: fields if at == path else {})


def set_element(project: Project, kind: str, path: Path, fields: Mapping[str, Any]) -> Project:
    """Change fields of an element other than its name.

    Parameters
    ----------
    kind
        The list that it is in.
    path
        Of the element.
    fields
        Values by name, in SI.

    Returns
    -------
    The changed project.

    Raises
    ------
    InputError
        When a value is not allowed or something it refers to does not exist.
    """
    if "name" in fields:
        raise InputError("Give an element another name by renaming it, so that references to it follow.")
    if kind == "assembly":
        return set_assembly(project, path, fields)
    if kind == STEELWORK:
        for k in range(len(path) - 1, 0, -1):
            part = element_at(project, kind, path[: k + 1])
            fields = {path[k]: changed(part, path[k].capitalize(), fields)}
        return set_steelwork(project, fields)
    old = element_at(project, kind, path)
    new = changed(old, f"{WORDS[kind].capitalize()} '{path[-1]}'", fields)
    rows = elements_of(assembly_at(project, path[:-1]), kind)
    return set_assembly(project, path[:-1], {LISTS[kind]: tuple(new if e is old else e for e in rows)})


def free_seats(assembly: Assembly) -> tuple[str, ...]:
    """Names of the seats nobody sits on."""
    taken = {rider.seat for rider in assembly.riders}
    return tuple(seat.name for seat in assembly.seats if seat.name not in taken)


def car_extent(car: Assembly) -> tuple[float, float]:
    """Rear and front end (m) of a car along its own x: where its bodies and wheels are."""
    xs = [body.position[0] for body in car.own("body").values()] + [
        g.point[0] for g in car.own("guide").values()
    ]
    return min(xs), max(xs)


def add_element(project: Project, kind: str, owner: Path, element: Frozen) -> tuple[Project, Path]:
    """Add an element to an assembly; a name in use gets a number.

    Parameters
    ----------
    kind
        The list that it goes to, such as "bodies", "joints" or "forces".
    owner
        Path of the assembly.
    element
        What is added.

    Returns
    -------
    The project and the path of the element. A car is put behind the last one, clear of it; a rider takes the first free
    seat unless its own is free.

    Raises
    ------
    InputError
        When a value is not allowed or something it refers to does not exist.
    """
    holder = assembly_at(project, owner)
    rows = elements_of(holder, kind)
    name = free_name(str(getattr(element, "name", "")), (e.name for e in rows))
    fields: dict[str, Any] = {"name": name}
    if isinstance(element, Assembly):
        fields |= _fitting(holder, _where(owner, holder), element)
    added = changed(element, f"{WORDS[kind].capitalize()} '{name}'", fields)
    return set_assembly(project, owner, {LISTS[kind]: (*rows, added)}), (*owner, name)


def _fitting(holder: Assembly, where: str, inner: Assembly) -> dict[str, Any]:
    """The place of a new assembly in the one that is to hold it."""
    if holder.role == "train":
        last = holder.children[-1]
        return {"offset": last.offset - car_extent(last)[0] + car_extent(inner)[1] + 2.0 * GAP}
    if inner.role != "rider":
        return {}
    free = free_seats(holder)
    if not free:
        what = "has no seat" if not holder.seats else "has no free seat"
        raise InputError(f"{where} {what}; add a seat first.")
    return {} if inner.seat in free else {"seat": free[0]}


def duplicate_element(project: Project, kind: str, path: Path) -> tuple[Project, Path]:
    """Add a copy of an element to the same assembly under a new name.

    A copied car goes to the end of the train, a copied rider to the first free seat; a copied seat is moved aside by
    its width (0.6 m to the right).
    """
    if not path:
        raise InputError("The train and the rig cannot be duplicated; only what they hold can.")
    element = element_at(project, kind, path)
    if kind == "seat":
        x, y, z = element.position
        element = element.model_copy(update={"position": (x, y - 0.6, z)})
    return add_element(project, kind, path[:-1], element)


def move_element(project: Project, kind: str, path: Path, to: int) -> Project:
    """Put an element at place `to` (from 0) among its kind, an assembly among those of its role.

    Cars of a train change over: their places along the track stay.
    """
    holder = assembly_at(project, path[:-1])
    rows, element = elements_of(holder, kind), element_at(project, kind, path)
    like = [row for row in rows if kind != "assembly" or row.role == element.role]
    order = [row for row in like if row is not element]
    order.insert(to, element)
    if holder.role == "train" and kind == "assembly":
        order = [car.model_copy(update={"offset": old.offset}) for car, old in zip(order, like, strict=True)]
    ordered = iter(order)
    moved = tuple(next(ordered) if row in like else row for row in rows)
    return set_assembly(project, path[:-1], {LISTS[kind]: moved})


def rename_element(project: Project, kind: str, path: Path, name: str) -> tuple[Project, Path]:
    """Give an element another name and change every reference to it.

    Parameters
    ----------
    kind
        The list that it is in.
    path
        Of the element.
    name
        The new one.

    Returns
    -------
    The project and the new path.

    Raises
    ------
    InputError
        When the name cannot be used.
    """
    if not path:
        return set_assembly(project, path, {"name": name}), path
    old, owner = element_at(project, kind, path), path[:-1]
    there = (*owner, name)
    if name == path[-1]:
        return project, path

    def fields_of(at: Path, holder: Assembly) -> dict[str, Any]:
        before, after = "/".join(path[len(at) :]), "/".join(there[len(at) :])

        def renamed(what: str, ref: str) -> str:
            return after + ref[len(before) :] if _names(kind, before, what, ref) else ref

        fields: dict[str, Any] = {
            role: renamed("body", getattr(holder, role)) for role in JUDGED if holder.role == "rider"
        }
        for listed, attribute in LISTS.items():
            rows = []
            for element in elements_of(holder, listed):
                news = [(field, ref, renamed(what, ref)) for field, what, ref in references(element)]
                update = redirected(element, {field: new for field, ref, new in news if new != ref})
                if at == owner and element is old:
                    update["name"] = name
                # model_copy would accept any name; the element is checked like one that was read
                where = f"{WORDS[listed].capitalize()} '{element.name}'"
                rows.append(changed(element, where, update) if update else element)
            fields[attribute] = tuple(rows)
        return fields

    made = _cases_follow(
        rebuilt(project, owner, fields_of),
        ((kind, path),),
        lambda seat: "/".join(there) + seat[len("/".join(path)) :],
    )
    return (_devices_follow(made, path[0], name) if kind == "assembly" and not owner else made), there


def _devices_follow(project: Project, car: str, name: str) -> Project:
    """Devices that act on a car by its name go on acting on it under its new one."""
    track = project.track
    if track is None or project.train is None or all(car not in d.cars for d in track.devices):
        return project
    devices = tuple(
        d.model_copy(update={"cars": tuple(name if c == car else c for c in d.cars)})
        if not isinstance(d.cars, str) and car in d.cars
        else d
        for d in track.devices
    )
    return changed(project, "Project", {"track": track.model_copy(update={"devices": devices})})


def _cases_follow(
    project: Project, of: Iterable[tuple[str, Path]], follow: Callable[[str], str | None]
) -> Project:
    """Load cases name the seats as `follow` calls them that are one of some elements, or within one of them."""

    def called(seat: str) -> str | None:
        return follow(seat) if any(_names(kind, "/".join(path), "seat", seat) for kind, path in of) else seat

    cases = tuple(case.with_seats(called) for case in project.load_cases)
    return project if cases == project.load_cases else changed(project, "Project", {"load_cases": cases})


def _names(kind: str, path: str, what: str, ref: str) -> bool:
    """Whether a reference to an element of a kind `what` means the element at a path, or one inside that assembly."""
    return (what == kind and ref == path) or (kind == "assembly" and ref.startswith(f"{path}/"))


def dependants(project: Project, kind: str, path: Path) -> tuple[tuple[str, Path], ...]:
    """What cannot exist without an element, by kind and path, indirect ones included."""
    gone: list[tuple[str, Path]] = [(kind, path)]
    for its_kind, its_path in gone:  # grows meanwhile
        for depth in range(len(its_path)):
            at = its_path[:depth]
            own = "/".join(its_path[depth:])
            holder = assembly_at(project, at)
            for listed in LISTS:
                for element in elements_of(holder, listed):
                    entry = (listed, (*at, str(element.name)))
                    if entry not in gone and any(
                        _names(its_kind, own, what, ref) for _, what, ref in references(element)
                    ):
                        gone.append(entry)
    return tuple(gone[1:])


def delete_element(project: Project, kind: str, path: Path) -> Project:
    """Delete an element and everything that cannot exist without it (see `dependants`).

    Parameters
    ----------
    kind
        The list that it is in.
    path
        Of the element.

    Returns
    -------
    The changed project; without a car left it has no train.

    Raises
    ------
    InputError
        For the last body of an assembly and for the segments by which a rider is judged.
    """
    if not path:
        raise InputError("The train and the rig cannot be deleted; delete what they hold.")
    element_at(project, kind, path)
    gone = {(kind, path), *dependants(project, kind, path)}

    def fields_of(at: Path, holder: Assembly) -> dict[str, Any]:
        if holder.role == "rider":
            for role in JUDGED:
                segment = getattr(holder, role)
                if any(
                    _names(k, "/".join(p[len(at) :]), "body", segment) for k, p in gone if p[: len(at)] == at
                ):
                    raise InputError(
                        f"A rider is judged by '{segment}'; choose another segment for it first."
                    )
        fields: dict[str, Any] = {}
        for listed, attribute in LISTS.items():
            rows = elements_of(holder, listed)
            kept = tuple(e for e in rows if (listed, (*at, e.name)) not in gone)
            if len(kept) < len(rows):
                fields[attribute] = kept
        left = holder.model_copy(update=fields)
        if holder.role != "train" and not left.own("body"):
            raise InputError(f"'{path[-1]}' has the last body of {_where(at, holder)}; delete that instead.")
        return fields

    return _cases_follow(rebuilt(project, path[:-1], fields_of), gone, lambda _seat: None)


def element_word(element: Any) -> str:
    """What an element is called in the field: "spring-damper", "revolute joint", "end stop", ..."""
    if isinstance(element, Assembly):
        return str(element.role)
    if isinstance(element, CouplingBase):
        return coupling_type(element).word
    if isinstance(element, FlexibleBody):
        return WORDS["flexible"]
    made = type_of(element)
    return made.word if made is not None else type(element).__name__.lower()
