"""What another engine cannot have is taken out of a project by name, so that both engines ride the same."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ..base.errors import InputError
from ..model.assembly import Assembly
from ..outcome.rigid import with_rigid
from ..project.project import Project
from ..project.scenario import Ride
from .engines.base import Engine
from .model import Model, read_model


@dataclass(frozen=True)
class LeftOut:
    """Something of a project that the other engine does not have: its path, what it is, and why."""

    name: str
    what: str
    why: str


def translate(project: Project, engine: Engine, speed: float | None) -> tuple[Project, tuple[LeftOut, ...]]:
    """The project without what an engine cannot have, and what that is; itself when it can have everything.

    speed (m/s): what the ride starts with, which devices of the track may have given. Raises InputError where what is
    missing is a joint or a driver: another mechanism would be no check of this one.
    """
    out: list[LeftOut] = []
    flexible = [prefix + one.name for prefix, at in _walk(project) for one in at.flexibles]
    if flexible:
        out += [
            LeftOut(name, "flexible body", "it does not bend: rigid, of the same mass, in both rides")
            for name in flexible
        ]
        project = with_rigid(project)
    track = project.track
    if track is not None and track.devices and isinstance(project.scenario, Ride):
        out += [
            LeftOut(device.name, "device of the track", "lifts, launches and brakes are not handed over")
            for device in track.devices
        ]
        scenario = project.scenario.model_copy(update={"speed": speed})
        project = project.model_copy(
            update={"track": track.model_copy(update={"devices": ()}), "scenario": scenario}
        )
    model = read_model(project)
    _refuse(project, model, engine)
    missing = {e.name: (e.word, engine.why_not_element(e)) for e in model.elements}
    missing = {name: (word, why) for name, (word, why) in missing.items() if why}
    missing |= {name: ("wind", "air that moves is not handed over") for name in model.winds}
    out += [LeftOut(name, word, why) for name, (word, why) in missing.items()]
    return (_without(project, set(missing)) if missing else project), tuple(out)


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
