"""What is odd about the model of a project as drawn, car by car."""

from __future__ import annotations

from ..base.finding import Finding
from ..human.findings import seat_findings
from ..model.assembly import Assembly
from ..model.consistency import check_assembly
from .project import Project


def assembly_findings(top: Assembly) -> tuple[Finding, ...]:
    """What is odd about a train or a rig as drawn, and what of its riders does not fit their seats."""
    return (*check_assembly(top), *seat_findings(top))


def model_findings(project: Project) -> dict[str, tuple[Finding, ...]]:
    """What is odd about each car as drawn and about what joins them, or about the assembly of a rig."""
    top = project.assembly
    if top is None or top.role == "rig":
        return {} if top is None else {"rig": assembly_findings(top)}
    found: dict[str, tuple[Finding, ...]] = {f"car {car.name}": () for car in top.children}
    for finding in assembly_findings(top):
        car, slash, _ = finding.element.partition("/")
        key = f"car {car}" if slash else top.role
        found[key] = (*found.get(key, ()), finding)
    return found
