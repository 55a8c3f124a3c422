"""What can be done with the rows of the project tree, each as one step of the document."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from ...core.base.errors import InputError
from ...core.base.frozen import Frozen
from ...core.edits import along_track, couplings, elements, riders, sections, train
from ...core.edits.changes import the_track, the_train
from ...core.edits.elements_track import duplicate_section
from ...core.edits.frames import new_frame
from ...core.edits.new_elements import (
    new_assembly,
    new_body,
    new_driver,
    new_force,
    new_guide,
    new_joint,
    new_seat,
)
from ...core.edits.sizing import world_of
from ...core.model.forces import TYPES
from ...core.model.joints import TYPES as JOINTS
from ...core.model.library import list_library
from ...core.model.references import LISTS, WORDS
from ...core.project.project import Project
from ..document.document import Document
from ..document.selection import MANY, Selection, exists
from .tree_nodes import ICONS, Node

ELEMENTS = tuple(LISTS)


@dataclass(frozen=True)
class Addition:
    """An entry of a context menu that adds something; menu: the submenu it stands in."""

    text: str
    icon: str
    do: Callable[[], None]
    tip: str = ""
    menu: str = ""


def _is_part(node: Node) -> bool:
    """Whether a row stands for an element or for an assembly inside the train or rig."""
    return node.key[0] in ELEMENTS and len(node.key) > 1


def can_rename(node: Node) -> bool:
    """Whether a row carries a name that can be changed."""
    return _is_part(node) or node.key[0] in ("section", "device")


def can_duplicate(node: Node) -> bool:
    """Whether a row can be copied."""
    return _is_part(node) or node.key[0] == "section"


def can_delete(node: Node) -> bool:
    """Whether a row can be deleted."""
    return can_rename(node)


def rename(document: Document, node: Node, text: str) -> None:
    """Give what a row stands for another name."""
    kind, path = node.key[0], node.key[1:]
    project = document.project
    step = f"Rename {node.text} to {text}"
    if kind == "section":
        document.apply(step, sections.set_section(project, path[0], {"name": text}))
        document.select(Selection("section", (text,)))
    elif kind == "device":
        document.apply(step, along_track.set_device(project, path[0], {"name": text}))
        document.select(Selection("device", (text,)))
    else:
        made, there = elements.rename_element(project, kind, path, text)
        document.apply(step, made)
        document.select(Selection(kind, there))  # type: ignore[arg-type]


def delete_text(document: Document, node: Node) -> str:
    """What deleting a row means: "Delete with 3 that depend on it"."""
    if node.key[0] not in ELEMENTS:
        return "Delete"
    count = len(elements.dependants(document.project, node.key[0], node.key[1:]))
    return f"Delete with {count} that depend on it" if count else "Delete"


def delete(document: Document, node: Node, *, join: bool = False) -> None:
    """Delete what a row stands for; join: of a car, and join its neighbours."""
    if join:
        made = couplings.delete_car(document.project, node.key[1], join=True)
    else:
        made = _without(document.project, node.key[0], node.key[1:])
    document.apply(f"Delete {node.text}", made)


def delete_several(document: Document, selection: Selection) -> None:
    """Delete everything that is selected, as one step."""
    project = document.project
    for one in selection.each:
        if exists(one, project):  # it may have gone with another one
            project = _without(project, one.kind, one.path)
    document.apply(f"Delete {len(selection.each)} {MANY[selection.kind]}", project)


def _without(project: Project, kind: str, path: tuple[str, ...]) -> Project:
    if kind == "section":
        return sections.delete_section(project, path[0])
    if kind == "device":
        return along_track.delete_device(project, path[0])
    return elements.delete_element(project, kind, path)


def neighbours_of(document: Document, node: Node) -> tuple[str, str] | None:
    """The two cars that can be joined when the car of a row is deleted; None when there are none."""
    if not _is_car(document, node) or not couplings.joins_neighbours(document.project, node.key[1]):
        return None
    names = [car.name for car in the_train(document.project).children]
    at = names.index(node.key[1])
    return names[at - 1], names[at + 1]


def _is_car(document: Document, node: Node) -> bool:
    there = node.key[0] == "assembly" and len(node.key) == 2 and document.project.train is not None
    return there and document.project.train is document.project.assembly


def duplicate(document: Document, node: Node) -> None:
    """Add a copy of what a row stands for and select it."""
    kind, path = node.key[0], node.key[1:]
    if kind == "section":
        project, name = duplicate_section(document.project, path[0])
        there: tuple[str, ...] = (name,)
    elif kind == "coupling":
        project, name = couplings.duplicate_coupling(document.project, path[0])
        there = (name,)
    elif _is_car(document, node):
        project, name = couplings.duplicate_car(document.project, path[0])
        there = (name,)
    else:
        project, there = elements.duplicate_element(document.project, kind, path)
    document.apply(f"Duplicate {node.text}", project)
    document.select(Selection(kind, there))  # type: ignore[arg-type]


def drop(document: Document, what: Node, onto: Node, index: int, *, on: bool, below: bool) -> None:
    """Carry out a drag: another place among its like, a rider onto a seat or into another car.

    index: place of the row it was dropped on among its siblings. Raises InputError for what means nothing.
    """
    kind, path = what.key[0], what.key[1:]
    project = document.project
    rider = kind == "assembly" and elements.assembly_at(project, path).role == "rider"
    if rider and _takes_rider(document, onto):
        _drop_rider(document, what, onto)
        return
    same_place = onto.key[0] == kind and onto.key[1:-1] == path[:-1] and len(onto.key) > 1
    if not same_place:
        raise InputError(
            f"'{what.text}' can be dragged to another place among its like"
            + (", onto a seat or onto a car." if rider else ".")
        )
    to = index + (1 if below else 0)
    start = _place_of(document, kind, path)
    to -= 1 if to > start and not on else 0
    if kind == "section":
        made = sections.move_section(project, path[0], to)
    elif _is_car(document, what):
        made = couplings.move_car(project, path[0], to)
    else:
        made = elements.move_element(project, kind, path, to)
    document.apply(f"Move {what.text}", made)


def _place_of(document: Document, kind: str, path: tuple[str, ...]) -> int:
    project = document.project
    rows: tuple[Any, ...]
    if kind == "section":
        rows = the_track(project).sections
    else:
        rows = elements.elements_of(elements.assembly_at(project, path[:-1]), kind)
        if kind == "assembly":
            role = elements.assembly_at(project, path).role
            rows = tuple(row for row in rows if row.role == role)
    return next(k for k, row in enumerate(rows) if row.name == path[-1])


def _takes_rider(document: Document, onto: Node) -> bool:
    """Whether a rider can be dropped on a row: a seat, what has seats, or its group of seats or riders."""
    if onto.key[0] == "assembly":
        return elements.assembly_at(document.project, onto.key[1:]).role not in ("rider", "train")
    return onto.key[0] == "seat" or (onto.key[0] == "group" and onto.holds in ("seat", "rider"))


def seat_of(document: Document, node: Node) -> str | None:
    """The path of the seat of a row: of a seat, of a rider, of what has seats the first free one; None without."""
    if node.key[0] == "seat":
        return "/".join(node.key[1:])
    if node.key[0] != "assembly":
        return None
    path = node.key[1:]
    one = elements.assembly_at(document.project, path)
    if one.role == "rider":
        return None if one.seat is None else "/".join((*path[:-1], one.seat))
    return "/".join((*path, free[0])) if (free := elements.free_seats(one)) else None


def _drop_rider(document: Document, rider: Node, onto: Node) -> None:
    owner = onto.key[1:-1] if onto.key[0] == "seat" else onto.owner
    seat = onto.key[-1] if onto.key[0] == "seat" else None
    if seat is None:
        holder = elements.assembly_at(document.project, owner)
        free = elements.free_seats(holder)
        if owner == rider.key[1:-1] or not free:
            raise InputError(
                f"'{holder.name}' has no free seat for {rider.text}."
                if not free
                else "Drag the rider to a seat."
            )
        seat = free[0]
    project, path = train.move_rider(document.project, rider.key[1:], owner, seat)
    document.apply(f"Seat {rider.text} on {seat}", project)
    document.select(Selection("assembly", path))


# -- adding


def additions(document: Document, node: Node) -> tuple[Addition, ...]:
    """What the context menu of a row offers to add."""
    if node.key[0] in ("track", "section"):
        return _sections(document, node)
    cars: tuple[Addition, ...] = ()
    if node.holds == "coupling":
        return _couplers(document)
    if node.holds == "car":
        cars = _library(document, "vehicle", lambda key: train.insert_vehicle(document.project, key))
    elif node.holds:
        return _elements(document, node.owner, node.holds)
    if node.key[0] != "assembly" or document.project.assembly is None:
        return cars
    kinds: tuple[str, ...] = ("body", "joint", "force")
    role = elements.assembly_at(document.project, node.owner).role
    if role != "rider":
        kinds = (
            *kinds,
            "guide",
            "driver",
            "flexible",
            "seat",
            "rider",
            *(("assembly",) if role != "train" else ()),
        )
    if document.project.track is None:
        kinds = tuple(kind for kind in kinds if kind != "guide")
    couplers = _couplers(document, "Join the cars") if role == "train" else ()
    made = (addition for kind in kinds for addition in _elements(document, node.owner, kind, short=True))
    return (*cars, *couplers, *made)


def _sections(document: Document, node: Node) -> tuple[Addition, ...]:
    track = the_track(document.project)
    made: list[Addition] = []
    built = document.built(document.project)
    if not track.closed and built is not None:

        def add(edit: Callable[..., Any], what: str) -> None:
            project, name = edit(document.project, built)
            document.apply(f"Add {what}", project)
            document.select(Selection("section", (name,)))

        made.append(
            Addition(
                "Add spline section at the end",
                "add",
                lambda: add(sections.add_spline_section, "spline section"),
            )
        )
        made.append(
            Addition(
                "Add straight section at the end",
                "add",
                lambda: add(sections.add_straight_section, "straight section"),
            )
        )
    if node.key[0] == "section":
        name = node.key[1]
        section = next(s for s in track.sections if s.name == name)
        following = track.sections.index(section) + 1
        spline = section.kind == "spline"
        if spline and following < len(track.sections) and track.sections[following].kind == "spline":
            made.append(
                Addition(
                    "Join with the next section",
                    "section",
                    lambda: document.apply(f"Join {name}", sections.join_with_next(document.project, name)),
                )
            )
        if section.kind == "table" and built is not None:
            made.append(
                Addition(
                    "Convert to control points",
                    "points",
                    lambda: document.apply(
                        f"Convert {name} to points",
                        sections.table_to_spline(document.project, built, name, 5.0),
                    ),
                    "A spline through points about 5 m apart on the fitted curve",
                )
            )
    return tuple(made)


def _library(document: Document, kind: str, edit: Callable[[str], Any]) -> tuple[Addition, ...]:
    def insert(key: str, title: str) -> None:
        project, path = edit(key)
        document.apply(f"Add {title}", project)
        document.select(Selection("assembly", path))

    icon = "car" if kind == "vehicle" else "rider"
    menu = "Add car" if kind == "vehicle" else ""
    found = tuple(
        Addition(
            f"Add {entry.title}",
            icon,
            lambda entry=entry: insert(entry.key, entry.title),  # type: ignore[misc]
            "\n".join((entry.source, *entry.notes[:3])),
            menu,
        )
        for entry in list_library()
        if entry.kind == kind
    )
    if kind != "vehicle":
        return found
    tip = "One body that follows the track; wheels, joints, springs and seats are added to it."
    return (*found, Addition("Add empty car", "car", lambda: insert("", "empty car"), tip, menu))


def _couplers(document: Document, menu: str = "") -> tuple[Addition, ...]:
    """The couplings of the library, each to join all neighbouring cars that nothing joins yet."""

    def join(key: str, title: str) -> None:
        before = the_train(document.project).couplings
        project = couplings.couple_cars(document.project, key)
        made = the_train(project).couplings[len(before) :]
        if not made:
            raise InputError(
                "All neighbouring cars are joined already; delete a coupling to put another there."
            )
        document.apply(f"Join the cars by {title.lower()}", project)
        document.select(Selection("coupling", (made[0].name,)))

    if document.project.train is None or len(document.project.train.children) < 2:
        return ()
    return tuple(
        Addition(
            f"Join the cars by {entry.title.lower()}",
            "force-coupler",
            lambda entry=entry: join(entry.key, entry.title),  # type: ignore[misc]
            "\n".join((entry.source, *entry.notes[:3])),
            menu,
        )
        for entry in list_library(("coupling",))
    )


def _elements(
    document: Document, owner: tuple[str, ...], kind: str, *, short: bool = False
) -> tuple[Addition, ...]:
    if kind == "rider":
        if not elements.free_seats(elements.assembly_at(document.project, owner)):
            return ()
        every = _library(document, "occupant", lambda key: train.insert_rider(document.project, owner, key))

        def make() -> None:
            project, path = riders.make_rider(document.project, owner, riders.MEDIAN)
            document.apply(f"Make {path[-1]}", project)
            document.select(Selection("assembly", path))

        any_size = Addition(
            "Make rider of any size", "rider", make, "Stature, mass, sex, age and percentile follow."
        )
        return (any_size, *(every[:1] if short else every))
    makers: dict[str, tuple[str, Callable[[Any], Frozen]]] = {
        "body": ("body", new_body),
        "guide": ("guide", new_guide),
        "driver": ("driver", new_driver),
        "flexible": ("frame of beams", new_frame),
        "seat": ("seat", new_seat),
        "assembly": ("assembly", new_assembly),
    }
    if kind in makers:
        word, maker = makers[kind]
        return (_addition(document, owner, kind, word, maker),)
    top = document.project.assembly
    if top is None:
        return ()
    world = world_of(top, owner)
    made: Mapping[str, Any] = JOINTS if kind == "joint" else TYPES
    new: Callable[..., Frozen] = new_joint if kind == "joint" else new_force
    every = tuple(
        _addition(
            document, owner, kind, f"{k} joint" if kind == "joint" else one.word,
            partial(new, kind=k, world=world), one.icon,
        )
        for k, one in made.items()
    )  # fmt: skip
    return tuple(replace(entry, menu=f"Add {WORDS[kind]}") for entry in every) if short else every


def _addition(
    document: Document,
    owner: tuple[str, ...],
    kind: str,
    word: str,
    maker: Callable[[Any], Frozen],
    icon: str = "",
) -> Addition:
    def do() -> None:
        element = maker(elements.assembly_at(document.project, owner))
        project, path = elements.add_element(document.project, kind, owner, element)
        document.apply(f"Add {word}", project)
        document.select(replace(Selection(kind), path=path))  # type: ignore[arg-type]

    return Addition(f"Add {word}", icon or ICONS.get(kind, kind), do)
