"""What the project tree holds, as plain values: built anew from the project and compared with what is shown."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from ...core.edits.elements import elements_of
from ...core.model.assembly import Assembly
from ...core.model.couplings import CouplingBase, coupling_type
from ...core.model.forces import type_of
from ...core.model.joints import Joint
from ...core.project.project import Project
from ...core.track.description import SplineSection, StraightSection, TableSection, Track
from ...core.track.devices import Device
from ..document.selection import NOTHING, Selection
from ..elements.track_elements import section_icon

GROUPS = (
    ("body", "Bodies", "body"),
    ("flexible", "Flexible bodies", "body"),
    ("joint", "Joints", "joint"),
    ("guide", "Guides", "guide"),
    ("force", "Forces", "force"),
    ("driver", "Drivers", "driver"),
    ("seat", "Seats", "seat"),
    ("coupling", "Couplings", "force-coupler"),
)
ICONS = {kind: icon for kind, _, icon in GROUPS}
ROLE_ICONS = {"rig": "car", "train": "train", "car": "car", "rider": "rider", "subassembly": "assembly"}


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


def with_above(
    nodes: tuple[Node, ...], above: tuple[str, ...] | None = None
) -> Iterator[tuple[tuple[str, ...], tuple[Node, tuple[str, ...] | None]]]:
    """Keys of rows and of all inside them, from above; each with the row, and the key of the one that holds it."""
    for node in nodes:
        yield node.key, (node, above)
        yield from with_above(node.children, node.key)


def first_about(subject: str, nodes: Mapping[tuple[str, ...], Node]) -> tuple[str, ...] | None:
    """The row that a workspace about "train", "rider" or "structure" begins with: without any rider or structure that
    of the train, of which they are made. None where nothing is about it."""
    about = (subject, "train") if subject in ("rider", "structure") else (subject,)
    return next((key for one in about for key, node in nodes.items() if _begins(one, node)), None)


def _begins(subject: str, node: Node) -> bool:
    """Whether a row is the one that a workspace about "train", "rider" or "structure" begins with."""
    if subject == "rider":
        return node.key[0] == "assembly" and node.icon == ROLE_ICONS["rider"]
    if subject == "structure":
        return node.key[0] == "flexible"
    return subject == "train" and node.key == ("assembly",)


def icon_of(kind: str, element: object) -> str:
    """The icon of an element: of its own kind where that has one, else of all of its list."""
    if isinstance(element, Joint):
        return element.type.icon
    if isinstance(element, CouplingBase):
        return coupling_type(element).icon
    made = type_of(element)
    return ICONS[kind] if made is None else made.icon


def project_nodes(project: Project) -> tuple[Node, ...]:
    """Track, train or rig, scenario and settings of a project."""
    nodes = [_track_node(project.track)] if project.track is not None else []
    top = project.assembly
    if top is None:
        nodes.append(Node(("assembly",), "Train", "train", Selection("assembly", ()), "car", note="empty"))
    else:
        nodes.append(_assembly(top, ()))
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
            Node(("device", d.name), d.name, "device", Selection("device", (d.name,)), note=_where(d))
            for d in track.devices
        )
        number = str(len(devices))
        rows.append(
            Node(("devices",), "Lifts, launches, brakes", "device", None, note=number, children=devices)
        )
    note = "closed" if track.closed else "open"
    return Node(("track",), "Track", "track", NOTHING, "section", note=note, children=tuple(rows))


def _where(device: Device) -> str:
    """Where a device lies, in words."""
    return f"on {device.section}" + (f" to {device.end_section}" if device.end_section else "")


def _assembly(assembly: Assembly, path: tuple[str, ...]) -> Node:
    """A row for an assembly, with its elements in groups, its riders in one, and a row for each other one inside."""
    role = assembly.role
    rows = []
    for kind, title, icon in GROUPS:
        elements = tuple(_element(kind, path, e) for e in elements_of(assembly, kind))
        # empty groups stay away but for those a person looks for: a seat for a rider, couplings of several cars
        couples = role == "train" and len(assembly.children) > 1
        if elements or (kind == "seat" and role in ("car", "rig")) or (kind == "coupling" and couples):
            note = str(len(elements)) if elements else "none"
            rows.append(Node(("group", *path, kind), title, icon, None, kind, path, note, children=elements))
    riders = tuple(_assembly(rider, (*path, rider.name)) for rider in assembly.riders)
    if riders or role in ("car", "rig"):
        note = str(len(riders)) if riders else "none"
        rows.append(
            Node(("group", *path, "rider"), "Riders", "rider", None, "rider", path, note, children=riders)
        )
    inside = [child for child in assembly.children if child.role != "rider"]
    parts = [_assembly(child, (*path, child.name)) for child in inside]
    rows = [*parts, *rows] if role == "train" else [*rows, *parts]
    note = assembly.seat or ""
    if role == "train":
        note = f"{len(parts)} car" + ("" if len(parts) == 1 else "s")
    return Node(
        ("assembly", *path),
        assembly.name if path else role.capitalize(),
        ROLE_ICONS[role],
        Selection("assembly", path),
        owner=path,
        holds="car" if role == "train" else "",
        note=note,
        movable=bool(path),
        children=tuple(rows),
    )


def _element(kind: str, path: tuple[str, ...], element: object) -> Node:
    fields = vars(
        element
    )  # asking a description for what it does not have takes long, with thousands of rows
    name = str(fields.get("name", ""))
    where = Selection(kind, (*path, name))  # type: ignore[arg-type]
    faded = not fields.get("enabled", True)
    note = "off" if faded else "locked" if fields.get("locked", False) else ""
    return Node(
        (kind, *path, name),
        name,
        icon_of(kind, element),
        where,
        note=note,
        faded=faded,
        movable=True,
    )
