"""Bodies that touch: a bouncing ball, all laws of contact side by side, an ellipsoid on a slope, a sliding block."""

from __future__ import annotations

import math

import numpy as np
from rig_tools import DOWN_Z, quat, rig, vec

from ridewright.core.model.assembly import Assembly
from ridewright.core.model.bodies import GROUND, Body
from ridewright.core.model.contact_laws import LAMBDA
from ridewright.core.model.forces import TYPES, ForceElement
from ridewright.core.model.surfaces import Box, Ellipsoid, Plane, Sphere
from ridewright.core.project.project import Project

MASS, RADIUS, HEIGHT = 1.0, 0.2, 0.5  # kg, m, m: Spicka 2020, section 6.2
STIFFNESS = 3.2e6  # N/m^1.5, for which Hertz's law gives the 1.32 kN of the document's table 6.1; it is not given there
RESTITUTION = 0.5  # not given there either
BALL_INERTIA = (0.4 * MASS * RADIUS**2,) * 3
FLOOR = Plane(name="Floor")
PRINTED = "_printed"
AXES = (0.5, 0.2, 0.2)  # m, half of the axes of section 6.3, read as full lengths
TIGHT = 1e-6


def touching(name: str, body: str, surface: str | None = None, **more: object) -> ForceElement:
    """A contact of a body with the ground, or with one surface of it."""
    model = TYPES["contact"].model
    return model(name=name, body_i=body, body_j=GROUND, surface_j=surface, **more)


def _ball(name: str, across: float = 0.0) -> Body:
    skin = Sphere(name="Skin", radius=RADIUS)
    return Body(
        name=name, mass=MASS, inertia=BALL_INERTIA, position=(0.0, across, HEIGHT), surfaces=(skin,),
        part="sphere of Spicka 2020, section 6.2",
    )  # fmt: skip


def bouncing_ball() -> Project:
    """A ball let go above the floor, with Hunt and Crossley's law."""
    notes = (
        "Bouncing ball (Spicka 2020, section 6.2): 1 kg, radius 0.2 m, centre released at 0.5 m. It touches after"
        "\n0.24731 s with 2.42611 m/s. Not given there and chosen here: stiffness 3.2e6 N/m^1.5, restitution 0.5."
    )
    contact = touching("Contact", "Ball", law="hunt_crossley", stiffness=STIFFNESS, restitution=RESTITUTION)
    assembly = Assembly(name="Rig", role="rig", bodies=(_ball("Ball"),), forces=(contact,), surfaces=(FLOOR,))
    return rig("Bouncing ball", notes, assembly, 2.0, DOWN_Z, tolerance=TIGHT)


def ball_laws() -> Project:
    """The same ball once for every law of its table, side by side."""
    laws = [law for law in LAMBDA if not law.endswith(PRINTED)]
    bodies = tuple(_ball(law.replace("_", " ").capitalize(), 0.6 * k) for k, law in enumerate(laws))
    contacts = tuple(
        touching(f"{body.name} law", body.name, law=law, stiffness=STIFFNESS, restitution=RESTITUTION)
        for body, law in zip(bodies, laws, strict=True)
    )
    notes = (
        "All laws of normal force (Spicka 2020, section 6.2, table 6.1): the same ball once for each, restitution 0.5"
        "\nasked of all. What comes back differs; see 'Contact' in the guide."
    )
    assembly = Assembly(name="Rig", role="rig", bodies=bodies, forces=contacts, surfaces=(FLOOR,))
    return rig("Laws of contact", notes, assembly, 0.5, DOWN_Z, tolerance=TIGHT)


def ellipsoid_on_slope() -> Project:
    """An ellipsoid that falls level on a slope of 45 degrees and is turned by what hits it off its centre."""
    a, b, c = AXES
    moments = np.array([b * b + c * c, a * a + c * c, a * a + b * b]) * MASS / 5.0
    skin = Ellipsoid(name="Skin", semi_axes=AXES)
    body = Body(name="Ellipsoid", mass=MASS, inertia=vec(moments), position=(0.0, 0.0, 1.2), surfaces=(skin,))
    slope = Plane(
        name="Slope", orientation=quat([math.cos(math.pi / 8.0), 0.0, math.sin(math.pi / 8.0), 0.0])
    )
    notes = (
        "Ellipsoid on a slope (Spicka 2020, section 6.3): 1 kg, axes 1.0, 0.4, 0.4 m read as full lengths, 45 degrees,"
        "\nHertz, no friction; stiffness chosen, 1e6 N/m^1.5. Along the slope only gravity acts, energy is kept."
    )
    contact = touching("Contact", "Ellipsoid", law="hertz", stiffness=1e6)
    assembly = Assembly(name="Rig", role="rig", bodies=(body,), forces=(contact,), surfaces=(slope,))
    return rig("Ellipsoid on a slope", notes, assembly, 1.2, DOWN_Z, tolerance=1e-8)


def sliding_block() -> Project:
    """Two blocks on the floor with 1 m/s: smoothed friction, and bristles."""
    g, half, friction, stiffness = 9.81, (0.3, 0.3, 0.1), 0.4, 1e5
    sunk = MASS * g / 8.0 / stiffness
    bodies, contacts = [], []
    for k, (name, kind) in enumerate((("Smoothed", "smooth"), ("Bristles", "bristle"))):
        skin = Box(name="Skin", half_sizes=half)
        moments = np.array(
            [half[1] ** 2 + half[2] ** 2, half[0] ** 2 + half[2] ** 2, half[0] ** 2 + half[1] ** 2]
        )
        bodies.append(Body(
            name=name, mass=MASS, inertia=vec(moments * MASS / 3.0), position=(0.0, 1.0 * k, half[2] - sunk),
            velocity=(1.0, 0.0, 0.0), surfaces=(skin,),
        ))  # fmt: skip
        contacts.append(touching(
            f"{name} contact", name, law="spring_dashpot", stiffness=stiffness, exponent=1.0, damping=1000.0,
            friction=kind, friction_coefficient=friction, slip_speed=1e-3, tangential_stiffness=1e5,
            tangential_damping=200.0,
        ))  # fmt: skip
    notes = (
        "Sliding blocks: 1 kg with 1 m/s on a floor with friction 0.4. They stop after v^2/(2 mu g) = 0.1274 m;"
        "\nsmoothed friction holds by creeping, bristles hold."
    )
    assembly = Assembly(
        name="Rig", role="rig", bodies=tuple(bodies), forces=tuple(contacts), surfaces=(FLOOR,)
    )
    return rig("Sliding blocks", notes, assembly, 0.5, DOWN_Z, tolerance=TIGHT)


RIGS = {
    "bouncing_ball": bouncing_ball,
    "ball_laws": ball_laws,
    "ellipsoid_on_slope": ellipsoid_on_slope,
    "sliding_block": sliding_block,
}
