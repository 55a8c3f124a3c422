"""What is odd about the drawn model, element by element: gaps, skew axes, loaded springs, impossible inertia."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from app.selection import RIG, Selection, SelectionKind
from core.model.assembly import Assembly
from core.model.consistency import Finding, check_assembly
from core.project import Project
from core.scenario import Rig

_KIND: dict[str, SelectionKind] = {
    "joint gap": "joint",
    "joint angle": "joint",
    "universal axes": "joint",
    "spring load": "force",
    "spring points coincide": "force",
    "inertia": "body",
    "unconnected body": "body",
    "seats too close": "seat",
}


@dataclass(frozen=True)
class Oddity:
    """A finding with what it is about."""

    finding: Finding
    where: Selection

    @property
    def text(self) -> str:
        """The finding as a sentence that begins with a capital letter."""
        message = self.finding.message
        return message[0].upper() + message[1:]


@lru_cache(maxsize=16)
def _checked(assembly: Assembly) -> tuple[Finding, ...]:
    return check_assembly(assembly)


def oddities(project: Project) -> tuple[Oddity, ...]:
    """Everything odd about the cars of a project, or about its rig, as drawn."""
    if isinstance(project.scenario, Rig):
        assemblies: list[tuple[str, Assembly]] = [(RIG, project.scenario.assembly)]
    else:
        assemblies = [(car.name, car) for car in (project.train.cars if project.train else ())]
    return tuple(
        Oddity(finding, _where(name, assembly, finding))
        for name, assembly in assemblies
        for finding in _checked(assembly)
    )


def _where(name: str, assembly: Assembly, finding: Finding) -> Selection:
    kind = _KIND[finding.kind]
    element = finding.element.split(", ")[0] if kind == "seat" else finding.element
    rider, _, part = element.partition("/")  # names themselves hold no stroke
    if part and any(o.name == rider for o in assembly.occupants):
        return Selection(kind, (name, rider, part))
    return Selection(kind, (name, element))
