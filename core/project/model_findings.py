"""What is odd about the model of a project as drawn, car by car."""

from __future__ import annotations

from ..base.finding import Finding
from ..model.consistency import check_assembly
from .project import Project


def model_findings(project: Project) -> dict[str, tuple[Finding, ...]]:
    """What is odd about each car as drawn and about what joins them, or about the assembly of a rig."""
    top = project.assembly
    if top is None or top.role == "rig":
        return {} if top is None else {"rig": check_assembly(top)}
    found: dict[str, tuple[Finding, ...]] = {f"car {car.name}": () for car in top.children}
    for finding in check_assembly(top):
        car, slash, _ = finding.element.partition("/")
        key = f"car {car}" if slash else top.role
        found[key] = (*found.get(key, ()), finding)
    return found
