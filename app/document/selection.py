"""What is selected, and whether it is still there."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final, Literal

from ...core.base.where import Keys, Where
from ...core.model.references import LISTS
from ...core.project.project import Project
from ...core.project.scenario import Ride
from ...core.track.description import SplineSection

SelectionKind = Literal[
    "none",
    "points",
    "section",
    "device",
    "assembly",
    "body",
    "joint",
    "guide",
    "force",
    "seat",
    "coupling",
    "flexible",
    "place",
    "driver",
    "scenario",
    "settings",
]


# what several of a kind can be selected of, and their word
MANY: Final = {
    "section": "sections",
    "device": "devices",
    "body": "bodies",
    "joint": "joints",
    "guide": "guides",
    "force": "forces",
    "seat": "seats",
    "coupling": "couplings",
    "driver": "drivers",
}


@dataclass(frozen=True)
class Selection:
    """The one selection of the studio.

    kind "points": path (section name,), indices of its control points counted from 0 within the section;
    "section": (section name,); "device": (device name,); "place": only s (m, arc length of the centreline);
    "assembly": from the train or the rig's assembly, which itself has the empty path, ("Car 1", "Rider"); elements: the
    path of their assembly and their name, ("Car 1", "Rider", "Head");
    rows: the list of an element whose rows are selected, by `indices`, "nodes" of a flexible body for example.
    "none", "scenario" and "settings" have no path. also: paths of others of the same kind (one of MANY) that are
    selected with it.
    """

    kind: SelectionKind = "none"
    path: tuple[str, ...] = ()
    indices: tuple[int, ...] = ()
    s: float | None = None
    also: tuple[tuple[str, ...], ...] = ()
    rows: str = ""

    @property
    def each(self) -> tuple[Selection, ...]:
        """What is selected, one by one."""
        if not self.also:
            return (self,)
        return tuple(replace(self, path=path, also=()) for path in (self.path, *self.also))


NOTHING: Final = Selection()


_KINDS: Final = {field: kind for kind, field in LISTS.items()}


def selection_of(where: Where, project: Project) -> Selection | None:
    """What of a project a place leads to: what its path names, else the place on the track; None for neither.

    Of a path that ends at nothing that can be selected it is what holds that.
    """
    for end in range(len(where.path), 0, -1):
        found = _at(where.path[:end], where.s)
        if found is not None and exists(found, project):
            return found
    return Selection("place", s=where.s) if where.s is not None and project.track is not None else None


def _at(path: Keys, s: float | None) -> Selection | None:
    match path:
        case ("track", "sections", str(name)):
            return Selection("section", (name,), s=s)
        case ("track", "sections", str(name), "points", int(index)):
            return Selection("points", (name,), (index,), s)
        case ("track", "devices", str(name)):
            return Selection("device", (name,))
        case ("scenario",):
            return Selection("scenario")
        case ("settings", *_):
            return Selection("settings")
        case ("train", *inner) | ("scenario", "assembly", *inner):
            return _of_model(tuple(inner))
    return None


def _of_model(path: Keys) -> Selection | None:
    """What a path from the top of the model leads to: pairs of a list and a name, and the row of an element."""
    pairs = list(zip(path[::2], path[1::2], strict=False))
    if len(path) % 2 or not all(isinstance(field, str) for field, _ in pairs):
        return None
    rows = pairs.pop() if pairs and isinstance(pairs[-1][1], int) else None
    names = tuple(str(name) for _, name in pairs)
    kind = _KINDS.get(str(pairs[-1][0])) if pairs else "assembly"
    if kind is None:
        return None
    if rows is None:
        return Selection(kind, names)  # type: ignore[arg-type]
    return Selection(kind, names, (int(rows[1]),), rows=str(rows[0]))  # type: ignore[arg-type]


def exists(selection: Selection, project: Project) -> bool:
    """Whether what is selected, all of it, is part of the project."""
    if selection.also:
        return all(exists(one, project) for one in selection.each)
    kind, path = selection.kind, selection.path
    if kind in ("none", "scenario", "settings"):
        return True
    if kind == "place":
        return project.track is not None
    if kind in LISTS:
        top = project.assembly
        if top is None:  # the train of a ride may still be without a car
            return kind == "assembly" and not path and isinstance(project.scenario, Ride)
        holder = top.at(path if kind == "assembly" else path[:-1])
        if holder is None or kind == "assembly":
            return holder is not None
        found = next((part for part in getattr(holder, LISTS[kind]) if part.name == path[-1]), None)
        if found is None or not selection.rows:
            return found is not None
        return all(0 <= k < len(getattr(found, selection.rows, ())) for k in selection.indices)
    if not path:
        return False
    if kind == "device":
        return project.track is not None and any(d.name == path[0] for d in project.track.devices)
    sections = project.track.sections if project.track is not None else ()
    section = next((section for section in sections if section.name == path[0]), None)
    if section is None or kind == "section":
        return section is not None
    count = len(section.points) if isinstance(section, SplineSection) else 0
    return bool(selection.indices) and all(0 <= k < count for k in selection.indices)
