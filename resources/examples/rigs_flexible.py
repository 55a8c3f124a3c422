"""Rigs with a flexible body: the main beam of a pendulum ride.

The ride is that of Blaauw (flexible multibody dynamics of a ride, sections 5 to 7): a fixed frame, a main beam hinged
at its top, a seat structure turning about the beam's axis at its lower end. That paper gives no length, section or
mass: every dimension here is ours, chosen so that the beam clamped at its top bends first at its 8.80 Hz.
"""

from __future__ import annotations

import math

from rig_tools import DOWN_Z, rig

from ridewright.core.edits.templates.base import spin_function
from ridewright.core.model.assembly import Assembly
from ridewright.core.model.bodies import Body
from ridewright.core.model.drivers import Driver
from ridewright.core.model.flexible import BeamPart, BeamSection, FlexibleBody, Interface, Node
from ridewright.core.model.forces import Force
from ridewright.core.model.forces.motor import Motor
from ridewright.core.model.functions import AnalyticFunction, TimeFunction
from ridewright.core.model.joints import Joint
from ridewright.core.model.programme import Phase
from ridewright.core.project.project import Project

LENGTH, WIDTH, HEIGHT, WALL = 8.0, 0.52, 0.4891, 0.012  # m; the height is along the swing
HUB, BEARING, SEATS = 450.0, 350.0, 3200.0  # kg
SWING = math.radians(120.0)  # to each side
TURN = 15.0 * 2.0 * math.pi / 60.0  # rad/s of the seats about the beam
HUB_INERTIA, BEARING_INERTIA, SEATS_INERTIA = (
    (60.0, 60.0, 60.0),
    (20.0, 20.0, 30.0),
    (9000.0, 9000.0, 16000.0),
)
SEATS_DEPTH = 9.0  # m below the hinge, of the centre of the seats
DENSITY = 7850.0
TORQUE = 30e3  # N m at the hinge
# rad/s beyond a turning point: at its top the beam swings back and forth on its own by less, which a controller without
# one takes for turning points, and drives
DEAD_BAND = 0.05
DRIVEN = 120.0  # s
Drives = tuple[TimeFunction, tuple[Force, ...]]  # of the seats, and force elements


def beam() -> FlexibleBody:
    """The main beam, from the hinge straight down, with a flange at its end."""
    section = BeamSection(shape="box", width=WIDTH, height=HEIGHT, wall=WALL)
    part = BeamPart(start="top", end="bottom", section=section, up=(1.0, 0.0, 0.0), elements=12)
    return FlexibleBody(
        name="Main beam",
        description="520 x 489.1 x 12 mm box, 8 m, steel. Dimensions of this example, not of a real ride.",
        nodes=(Node(name="top", position=(0.0, 0.0, 0.0)), Node(name="bottom", position=(0.0, 0.0, -LENGTH))),
        beams=(part,),
        interfaces=(Interface(node="top", body="Hub"), Interface(node="bottom", body="Bearing")),
        modes=2,
    )


def _ride(speed: float, turn: float, drives: Drives) -> Assembly:
    """Hub, beam, bearing and seats between the ground and each other; speed rad/s of the swing, turn rad/s of the seats
    at the start."""

    def swung(name: str, mass: float, moments: tuple[float, float, float], depth: float, own: float) -> Body:
        return Body(
            name=name, mass=mass, inertia=moments, position=(0.0, 0.0, -depth),
            velocity=(-speed * depth, 0.0, 0.0), angular_velocity=(0.0, speed, own),
        )  # fmt: skip

    bodies = (
        swung("Hub", HUB, HUB_INERTIA, 0.0, 0.0),
        swung("Bearing", BEARING, BEARING_INERTIA, LENGTH, 0.0),
        swung("Seats", SEATS, SEATS_INERTIA, SEATS_DEPTH, turn),
    )
    across, along = (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)
    hinge = Joint(name="Hinge", kind="revolute", body_i="ground", body_j="Hub", axis_i=across, axis_j=across)
    slewing = Joint(
        name="Slewing ring", kind="revolute", body_i="Bearing", body_j="Seats",
        point_j=(0.0, 0.0, SEATS_DEPTH - LENGTH), axis_i=along, axis_j=along,
    )  # fmt: skip
    rotation, motors = drives
    driver = Driver(name="Rotation", target="Slewing ring", coordinate="angle", function=rotation)
    return Assembly(
        name="Rig", role="rig", bodies=bodies, joints=(hinge, slewing), forces=motors, drivers=(driver,),
        flexibles=(beam(),),
    )  # fmt: skip


def swing_beam() -> Project:
    """A pendulum ride that swings freely to 120 degrees, its seats turning at 15 rpm about the main beam."""
    area = WIDTH * HEIGHT - (WIDTH - 2 * WALL) * (HEIGHT - 2 * WALL)
    steel = DENSITY * area * LENGTH
    falls = (steel * LENGTH / 2 + BEARING * LENGTH + SEATS * SEATS_DEPTH) * 9.81
    inertia = HUB_INERTIA[1] + steel * LENGTH**2 / 3 + BEARING_INERTIA[1] + BEARING * LENGTH**2
    inertia += SEATS_INERTIA[1] + SEATS * SEATS_DEPTH**2
    speed = math.sqrt(2.0 * falls * (1.0 - math.cos(SWING)) / inertia)  # energy of a rigid pendulum
    notes = (
        "Pendulum ride with a flexible main beam, after Blaauw: it swings to 120 degrees, its seats turn at 15 rpm"
        " about the beam. The paper gives no dimensions; those here are ours, the beam clamped at its top bends first"
        " at 8.80 Hz."
    )
    top = _ride(speed, TURN, (AnalyticFunction(rate=TURN), ()))
    return rig("Pendulum ride with a flexible beam", notes, top, 10.0, DOWN_Z)


def swing_driven() -> Project:
    """The same ride from rest: a motor at the hinge whose torque follows the swing, up to 120 degrees, while the seats
    are brought up to 15 rpm by prescribed motion (Blaauw, section 2)."""
    motor = Motor(
        name="Swing drive", joint="Hinge", torque_curve=((0.0, TORQUE),), dead_band=DEAD_BAND,
        programme=(Phase(mode="swing", amplitude=SWING),),
    )  # fmt: skip
    notes = (
        "Pendulum ride with a flexible main beam, after Blaauw, from rest: a motor at the hinge whose torque follows"
        " the swing brings it up to 120 degrees, its seats are turned up to 15 rpm by prescribed motion. All dimensions"
        " are ours."
    )
    turned = spin_function(TURN, 15.0, 2.0 * DRIVEN)  # up in 15 s; it ends while they still turn
    return rig(
        "Driven pendulum ride with a flexible beam",
        notes,
        _ride(0.0, 0.0, (turned, (motor,))),
        DRIVEN,
        DOWN_Z,
    )


RIGS = {"swing_beam": swing_beam, "swing_driven": swing_driven}
