"""What another engine cannot have is taken out of a project by name, so that both engines ride the same."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..base.errors import InputError
from ..model.assembly import Assembly
from ..outcome.rigid import with_rigid
from ..outcome.second_engine import LeftOut
from ..project.project import Project
from ..project.scenario import Ride
from .engines.base import Engine
from .model import Model, read_model
from .touching import why_not_touch


def translate(project: Project, engine: Engine) -> tuple[Project, tuple[LeftOut, ...]]:
    """The project without what an engine cannot have, and what that is; itself when it can have everything.

    Devices of the track stay: what they did in our run is handed over as forces over time. Raises InputError where what
    is missing is a joint or a driver: another mechanism would be no check of this one.
    """
    project, out = _flexible(project, engine)
    model = read_model(project)
    _refuse(project, model, engine)
    missing = {e.name: (e.word, engine.why_not_element(e)) for e in model.elements}
    missing |= {touch.contact: (touch.word, why) for touch in model.touching if (why := why_not_touch(touch))}
    missing = {name: (word, why) for name, (word, why) in missing.items() if why}
    out += [LeftOut(name=name, what=word, why=why) for name, (word, why) in missing.items()]
    return (_without(project, set(missing)) if missing else project), tuple(out)


def _flexible(project: Project, engine: Engine) -> tuple[Project, list[LeftOut]]:
    """Flexible bodies as an engine has them: those of matrices bend to first order, others are rigid."""
    out: list[LeftOut] = []
    rigid: list[str] = []
    stiffened: set[str] = set()
    for prefix, at in _walk(project):
        for one in at.flexibles:
            name = prefix + one.name
            if not engine.bends or one.imported is not None:
                why = (
                    "it does not bend there"
                    if not engine.bends
                    else "its nodes and their masses were not kept"
                )
                whole = f"{why}: rigid, of the same mass, in both rides"
                out.append(LeftOut(name=name, what="flexible body", why=whole))
                rigid.append(name)
            elif one.stiffening:
                why = "it bends to first order in both rides: the other engine's floating frame has no more"
                what = "what bending adds to second order"
                out.append(LeftOut(name=name, what=what, why=why))
                stiffened.add(name)
    if stiffened:
        top = project.assembly
        assert top is not None

        def change(prefix: str, at: Assembly) -> Assembly:
            bent = tuple(
                one.model_copy(update={"stiffening": False}) if prefix + one.name in stiffened else one
                for one in at.flexibles
            )
            children = tuple(change(f"{prefix}{child.name}/", child) for child in at.children)
            return at.model_copy(update={"flexibles": bent, "children": children})

        project = with_assembly(project, change, top)
    return (with_rigid(project, rigid) if rigid else project), out


def _walk(project: Project) -> Any:
    return () if project.assembly is None else project.assembly.walk()


def _refuse(project: Project, model: Model, engine: Engine) -> None:
    reasons: list[tuple[str, str]] = [("The model", engine.why_not_model(model))]
    reasons += [(f"Joint '{link.name}'", engine.why_not_link(link)) for link in model.links]
    reasons += [(f"Driver '{one.name}'", engine.why_not_steered(one)) for one in model.steered]
    for what, why in reasons:
        if why:
            raise InputError(f"{project.name}: cannot be ridden in {engine.name}. {what}: {why}.")


def _without(project: Project, names: set[str]) -> Project:
    top = project.assembly
    assert top is not None

    def change(prefix: str, at: Assembly) -> Assembly:
        forces = tuple(
            force.model_copy(update={"enabled": False}) if prefix + force.name in names else force
            for force in at.forces
        )
        return at.model_copy(
            update={
                "forces": forces,
                "couplings": tuple(one for one in at.couplings if prefix + one.name not in names),
                "children": tuple(change(f"{prefix}{child.name}/", child) for child in at.children),
            }
        )

    return with_assembly(project, change, top)


def with_assembly(project: Project, change: Callable[[str, Assembly], Assembly], top: Assembly) -> Project:
    """The project with its assembly changed, which is not checked again."""
    whole = change("", top)
    if isinstance(project.scenario, Ride):
        return project.model_copy(update={"train": whole})
    return project.model_copy(update={"scenario": project.scenario.model_copy(update={"assembly": whole})})
