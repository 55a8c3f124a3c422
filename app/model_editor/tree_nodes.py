"""What the project tree holds, as plain values: built anew from the project and compared with what is shown."""

from __future__ import annotations

from dataclasses import dataclass, field

from app.document.selection import NOTHING, RIG, Selection
from app.model_editor.track_pages import section_icon
from core.edits.elements import elements_of
from core.model.assembly import Assembly, Occupant
from core.project.project import Project
from core.project.scenario import Rig
from core.track.description import SplineSection, StraightSection, TableSection, Track

GROUPS = (
    ("body", "Bodies", "body"),
    ("joint", "Joints", "joint"),
    ("guide", "Guides", "guide"),
    ("force", "Forces", "force"),
    ("driver", "Drivers", "driver"),
    ("seat", "Seats", "seat"),
    ("occupant", "Riders", "rider"),
)
ICONS = {
    "body": "body",
    "joint": "joint",
    "guide": "guide",
    "force": "force",
    "driver": "driver",
    "seat": "seat",
}


@dataclass(frozen=True)
class Node:
    """One row of the tree.

    key: what it is, stable while it exists; text, icon; select: what a click selects (None: nothing changes);
    holds: kind of element a group row collects, with the path of its holder in `owner`; note: what the second
    column says; faded: exists without effect; children.
    """

    key: tuple[str, ...]
    text: str
    icon: str
    select: Selection | None = None
    holds: str = ""
    owner: tuple[str, ...] = ()
    note: str = ""
    faded: bool = False
    movable: bool = False
    children: tuple[Node, ...] = field(default=())


def project_nodes(project: Project) -> tuple[Node, ...]:
    """Track, train or rig, scenario and settings of a project."""
    nodes = [_track_node(project.track)] if project.track is not None else []
    if isinstance(project.scenario, Rig):
        rows = _groups(project.scenario.assembly, (RIG,))
        nodes.append(Node(("car", RIG), "Rig", "car", Selection("car", (RIG,)), owner=(RIG,), children=rows))
    else:
        cars = () if project.train is None else project.train.cars
        count = f"{len(cars)} car" + ("" if len(cars) == 1 else "s")
        children = tuple(
            Node(
                ("car", car.name),
                car.name,
                "car",
                Selection("car", (car.name,)),
                owner=(car.name,),
                movable=True,
                children=_groups(car, (car.name,)),
            )
            for car in cars
        )
        note = count if cars else "empty"
        nodes.append(Node(("train",), "Train", "train", None, "car", note=note, children=children))
    nodes.append(
        Node(("scenario",), "Scenario", "scenario", Selection("scenario"), note=project.scenario.kind)
    )
    nodes.append(Node(("settings",), "Solver settings", "settings", Selection("settings")))
    return tuple(nodes)


def _track_node(track: Track) -> Node:
    rows = []
    for section in track.sections:
        if isinstance(section, SplineSection):
            count = len(section.points)
            note = f"{count} point" + ("" if count == 1 else "s")
        elif isinstance(section, StraightSection):
            note = "straight"
        elif isinstance(section, TableSection):
            note = f"{len(section.positions)} rows"
        else:
            note = section.kind.replace("_", " ")
        where = Selection("section", (section.name,))
        icon = section_icon(section)
        rows.append(Node(("section", section.name), section.name, icon, where, note=note, movable=True))
    if track.devices:
        devices = tuple(
            Node(("device", d.name), d.name, "device", Selection("device", (d.name,)), note=f"on {d.section}")
            for d in track.devices
        )
        count = str(len(devices))
        rows.append(
            Node(("devices",), "Lifts, launches, brakes", "device", None, note=count, children=devices)
        )
    note = "closed" if track.closed else "open"
    return Node(("track",), "Track", "track", NOTHING, "section", note=note, children=tuple(rows))


def _groups(holder: Assembly | Occupant, path: tuple[str, ...]) -> tuple[Node, ...]:
    nodes = []
    for kind, title, icon in GROUPS:
        if isinstance(holder, Occupant) and kind not in ("body", "joint", "force"):
            continue
        rows = tuple(_element(holder, kind, path, e) for e in elements_of(holder, kind))
        # empty groups stay away but for those a person looks for: a seat for a rider
        if rows or kind in ("seat", "occupant"):
            note = str(len(rows)) if rows else "none"
            nodes.append(Node(("group", *path, kind), title, icon, None, kind, path, note, children=rows))
    return tuple(nodes)


def _element(holder: Assembly | Occupant, kind: str, path: tuple[str, ...], element: object) -> Node:
    name = str(getattr(element, "name", ""))
    where = Selection(kind, (*path, name))  # type: ignore[arg-type]
    if isinstance(element, Occupant):
        rows = _groups(element, (*path, name))
        return Node(
            ("occupant", *path, name), name, "rider", where, owner=(*path, name), note=element.seat, movable=True,
            children=rows,
        )  # fmt: skip
    faded = not getattr(element, "enabled", True)
    note = "off" if faded else "locked" if getattr(element, "locked", False) else ""
    return Node(
        (kind, *path, name),
        name,
        ICONS[kind],
        where,
        note=note,
        faded=faded,
        movable=True,
    )
