"""What is selected, and whether it is still there."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final, Literal

from ...core.model.references import LISTS
from ...core.project.project import Project
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
        holder = None if top is None else top.at(path if kind == "assembly" else path[:-1])
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
