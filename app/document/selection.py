"""What is selected, and whether it is still there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from core.model.assembly import Assembly
from core.project.project import Project
from core.project.scenario import Rig
from core.track.description import SplineSection

SelectionKind = Literal[
    "none",
    "points",
    "section",
    "device",
    "car",
    "body",
    "joint",
    "guide",
    "force",
    "seat",
    "occupant",
    "place",
    "driver",
    "scenario",
    "settings",
]
RIG: Final = "rig"  # stands for the car in paths of elements of a rig

_LISTS: Final = {
    "body": "bodies",
    "joint": "joints",
    "guide": "guides",
    "force": "forces",
    "seat": "seats",
    "occupant": "occupants",
    "driver": "drivers",
}


@dataclass(frozen=True)
class Selection:
    """The one selection of the studio.

    kind "points": path (section name,), indices of its control points counted from 0 within the section;
    "section": (section name,); "device": (device name,); "place": only s (m, arc length of the centreline); "car":
    (car name,);
    elements: (car name or RIG, element name), or (car, rider, element) for the parts of a rider;
    "none", "scenario" and "settings" have no path.
    """

    kind: SelectionKind = "none"
    path: tuple[str, ...] = ()
    indices: tuple[int, ...] = ()
    s: float | None = None


NOTHING: Final = Selection()


def assembly_of(project: Project, name: str) -> Assembly | None:
    """The car called `name`, or the assembly of a rig when it is RIG; None when there is none."""
    if name == RIG:
        return project.scenario.assembly if isinstance(project.scenario, Rig) else None
    cars = project.train.cars if project.train is not None else ()
    return next((car for car in cars if car.name == name), None)


def exists(selection: Selection, project: Project) -> bool:
    """Whether what is selected is part of the project."""
    kind, path = selection.kind, selection.path
    if kind in ("none", "scenario", "settings"):
        return True
    if kind == "place":
        return project.track is not None
    if not path:
        return False
    if kind == "device":
        return project.track is not None and any(d.name == path[0] for d in project.track.devices)
    if kind in ("points", "section"):
        sections = project.track.sections if project.track is not None else ()
        found = next((section for section in sections if section.name == path[0]), None)
        if found is None or kind == "section":
            return found is not None
        count = len(found.points) if isinstance(found, SplineSection) else 0
        return bool(selection.indices) and all(0 <= k < count for k in selection.indices)
    assembly = assembly_of(project, path[0])
    if assembly is None or kind == "car":
        return assembly is not None
    return _element_exists(assembly, kind, path[1:])


def _element_exists(assembly: Assembly, kind: str, path: tuple[str, ...]) -> bool:
    holder: object = assembly
    if len(path) == 2:
        holder = next((o for o in assembly.occupants if o.name == path[0]), None)
    if not path or holder is None:
        return False
    return any(element.name == path[-1] for element in getattr(holder, _LISTS[kind], ()))
