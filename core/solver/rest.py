"""A project at rest: compiled with its drives off, assembled and settled under its weight."""

from __future__ import annotations

from typing import NamedTuple

from ..model.assembly import Assembly
from ..model.forces.drive import Drive, running_free
from ..multibody.compile import System, compile_system
from ..project.project import Project
from .assemble import assemble
from .balance import Equilibrium
from .equilibrium import static_equilibrium
from .kkt import new_factor
from .ldl import Factor


class AtRest(NamedTuple):
    """A compiled project, the factorisation of its equations, and its static equilibrium."""

    system: System
    factor: Factor
    rest: Equilibrium


def at_rest(project: Project, *, each: bool = True) -> AtRest:
    """Static equilibrium of a project's scenario at its start, its drives off (see `drives_in`).

    each: every car of a train is held at its place; otherwise the first of each row of coupled cars, and the others
    hang on their couplings. Raises InputError when it cannot be assembled or does not come to rest.
    """
    system = compile_system(undriven(project), speed=0.0)
    X = new_factor(system)
    state, _ = assemble(system, X)
    return AtRest(system, X, static_equilibrium(system, X, state, each=each))


def drives_in(project: Project) -> tuple[str, ...]:
    """The drives of a project that act, by their paths: a push of theirs at the start belongs to no rest."""
    if project.assembly is None:
        return ()
    forces = project.assembly.every("force")
    return tuple(name for name, one in forces.items() if isinstance(one, Drive) and one.enabled)


def undriven(project: Project) -> Project:
    """The project with its drives off."""
    if not drives_in(project) or project.assembly is None:
        return project

    def off(part: Assembly) -> Assembly:
        forces = tuple(running_free(one) if isinstance(one, Drive) else one for one in part.forces)
        return part.model_copy(update={"forces": forces, "children": tuple(map(off, part.children))})

    if project.train is not None and project.assembly is project.train:
        return project.model_copy(update={"train": off(project.train)})
    scenario = project.scenario.model_copy(update={"assembly": off(project.assembly)})
    return project.model_copy(update={"scenario": scenario})
