"""A body above the floor, as the tests of contacts need it."""

from __future__ import annotations

from typing import Any

from ridewright.core.model.assembly import Assembly
from ridewright.core.model.bodies import Body
from ridewright.core.model.forces import TYPES
from ridewright.core.model.surfaces import Plane, Sphere, Surface
from ridewright.core.project.project import Project
from ridewright.core.project.scenario import Rig, SolverSettings

TIGHT: dict[str, Any] = {
    "method": "adaptive_dop853", "relative_tolerance": 1e-12, "absolute_tolerance": 1e-13, "max_step": 1e-3,
}  # fmt: skip
FLOOR = Plane(name="Floor")
BALL: dict[str, Any] = {"name": "Ball", "mass": 1.0, "inertia": (0.016,) * 3}


def ball(**more: Any) -> Body:
    """A ball of 1 kg and 0.2 m that lies 0.5 mm above the floor and falls on it with 1 m/s."""
    fields = {"position": (0.0, 0.0, 0.2005), "velocity": (0.0, 0.0, -1.0)} | more
    fields = {"surfaces": (Sphere(name="Skin", radius=0.2),)} | fields
    return Body(**(BALL | fields))


def contact(**fields: Any) -> Any:
    """A contact of the ball with the ground."""
    between = {"name": "Contact", "body_i": "Ball", "body_j": "ground", "stiffness": 1e6}
    return TYPES["contact"].model(**(between | fields))


def on_floor(
    body: Body,
    *contacts: Any,
    duration: float = 0.03,
    gravity: tuple[float, float, float] = (0.0, 0.0, 0.0),
    ground: tuple[Surface, ...] = (FLOOR,),
    more: tuple[Body, ...] = (),
    settings: dict[str, Any] | None = None,
) -> Project:
    """A rig of one body, and more, over the ground."""
    assembly = Assembly(name="Rig", role="rig", bodies=(body, *more), forces=contacts, surfaces=ground)
    return Project(
        name="Rig", gravity=gravity, scenario=Rig(assembly=assembly, duration=duration),
        settings=SolverSettings(**(TIGHT if settings is None else settings)),
    )  # fmt: skip
