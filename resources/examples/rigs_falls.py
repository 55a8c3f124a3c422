"""Human bodies that fall and are thrown against the ground (Spicka 2020, section 6.5)."""

from __future__ import annotations

import math

from rig_tools import DOWN_Z, quat, rig

from ridewright.core.human.make import mechanism
from ridewright.core.model.assembly import Assembly
from ridewright.core.model.bodies import GROUND
from ridewright.core.model.forces import TYPES
from ridewright.core.model.person import Person
from ridewright.core.model.surfaces import Plane
from ridewright.core.project.project import Project

HARD, SOFT = 2e5, 2e4  # N/m^1.5, chosen: the document gives no parameters of any contact
RESTITUTION = 0.3  # chosen
TRUNK = ("Pelvis", "Abdomen", "Thorax")
UPRIGHT = (1.0, 0.0, 0.0, 0.0)
ON_ITS_BACK = quat([math.cos(math.pi / 4.0), 0.0, -math.sin(math.pi / 4.0), 0.0])
ADULT = Person(stature=1.8, mass=80.0, posture="standing")
HEAVY = Person(stature=1.8, mass=100.0, posture="standing", scaling="regression_raw")
LEVEL = Plane(name="Ground")
CHOSEN = "Stiffness and restitution of the contact are chosen; the document gives none."


def sloping(angle: float, height: float = 0.0) -> Plane:
    """Ground that falls towards +x with an angle (rad)."""
    half = 0.5 * angle
    return Plane(
        name="Ground", position=(0.0, 0.0, height), orientation=quat([math.cos(half), 0, math.sin(half), 0])
    )


def falling(
    name: str,
    notes: str,
    person: Person = ADULT,
    *,
    height: float,
    ground: Plane = LEVEL,
    stiffness: float = HARD,
    orientation: tuple[float, float, float, float] = UPRIGHT,
    velocity: tuple[float, float, float] = (0.0, 0.0, 0.0),
    thrown: tuple[str, ...] | None = None,
    duration: float = 2.0,
) -> Project:
    """A person above the ground, its origin (the soles of who stands) at a height (m); velocity (m/s, world): of the
    bodies thrown, all when None."""
    made = mechanism(person)
    bodies = tuple(
        body.model_copy(
            update={"velocity": velocity if thrown is None or body.name in thrown else (0.0, 0.0, 0.0)}
        )
        for body in made.bodies
    )
    person_there = made.model_copy(
        update={"bodies": bodies, "position": (0.0, 0.0, height), "orientation": orientation}
    )
    contact = TYPES["contact"].model(
        name="Contact", group_i=made.name, body_j=GROUND, law="hunt_crossley", stiffness=stiffness,
        restitution=RESTITUTION,
    )  # fmt: skip
    assembly = Assembly(
        name="Rig", role="rig", children=(person_there,), forces=(contact,), surfaces=(ground,)
    )
    return rig(name, f"{notes}\n{CHOSEN}", assembly, duration, DOWN_Z)


def human_fall() -> Project:
    """Feet first from 4 m on hard ground."""
    notes = "Fall from 4 m on rigid ground (Spicka 2020, section 6.5.1): 80 kg, 1.80 m, upright, limp."
    return falling("Fall from 4 m", notes, height=4.0)


def human_fall_soft() -> Project:
    """The same on softer ground."""
    notes = "Fall from 4 m on softer ground (Spicka 2020, section 6.5.1): 80 kg, 1.80 m, upright, limp."
    return falling("Fall on soft ground", notes, height=4.0, stiffness=SOFT)


def human_slope() -> Project:
    """From 4 m on a slope of 45 degrees."""
    notes = (
        "Fall from 4 m on a slope of 45 degrees without friction (Spicka 2020, section 6.5.2): 80 kg, 1.80 m."
    )
    return falling("Fall on a slope", notes, height=4.0, ground=sloping(math.radians(45.0)))


def human_wall() -> Project:
    """Against a wall of 70 degrees with 5 m/s."""
    notes = "Thrown against a wall of 70 degrees with 5 m/s (Spicka 2020, section 6.5.3): 80 kg, 1.80 m, no friction."
    ground = sloping(math.radians(70.0), -1.5)
    return falling(
        "Against a wall", notes, height=0.0, ground=ground, velocity=(-5.0, 0.0, 0.0), duration=1.0
    )


def human_lying() -> Project:
    """On its back from 5 m."""
    notes = "Fall from 5 m lying on the back (Spicka 2020, section 6.5.4): 80 kg, 1.80 m."
    return falling("Lying fall", notes, height=5.2, orientation=ON_ITS_BACK, duration=1.5)


def human_jump() -> Project:
    """Backwards from 14 m, the velocity given to the trunk only."""
    notes = (
        "Backward jump (Spicka 2020, section 6.5.5): 100 kg, 1.80 m, feet at 14 m; 1 m/s up and 1.5 m/s back given to\n"
        "pelvis, abdomen and thorax. The joints forbid that: fitted to them the whole body starts with 0.449 of it."
    )
    return falling("Backward jump", notes, HEAVY, height=14.0, velocity=(-1.5, 0.0, 1.0), thrown=TRUNK)


RIGS = {
    made.__name__: made
    for made in (human_fall, human_fall_soft, human_slope, human_wall, human_lying, human_jump)
}
