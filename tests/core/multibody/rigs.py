"""Systems with every kind of joint, guide, driver and force element, at general poses."""

from __future__ import annotations

import numpy as np

from ridewright.core.base.frames import from_rotation_vector
from ridewright.core.model.assembly import Assembly
from ridewright.core.model.bodies import Body
from ridewright.core.model.drivers import Driver
from ridewright.core.model.forces.actuator import Actuator
from ridewright.core.model.forces.air_drag import AirDrag
from ridewright.core.model.forces.belt import Belt, BeltPoint
from ridewright.core.model.forces.bushing import Bushing
from ridewright.core.model.forces.draft_gear import DraftGear
from ridewright.core.model.forces.dry_friction import DryFriction
from ridewright.core.model.forces.force import AppliedForce
from ridewright.core.model.forces.joint_stop import JointStop
from ridewright.core.model.forces.posture_muscle import PostureMuscle
from ridewright.core.model.forces.rail_wheels import RailWheels
from ridewright.core.model.forces.range_of_motion import RangeOfMotion
from ridewright.core.model.forces.rolling_resistance import RollingResistance
from ridewright.core.model.forces.rotational_spring import RotationalSpring
from ridewright.core.model.forces.spring import SpringDamper
from ridewright.core.model.forces.torque import AppliedTorque
from ridewright.core.model.forces.two_branch_spring import TwoBranchSpring
from ridewright.core.model.functions import AnalyticFunction, Harmonic, TableFunction
from ridewright.core.model.guides import Guide
from ridewright.core.model.joints import Joint
from ridewright.core.multibody.compile import System, compile_system
from ridewright.core.project.project import Project
from ridewright.core.project.scenario import Ride, Rig, SolverSettings
from ridewright.core.track.description import ControlPoint, SplineSection, Track

WAVE = AnalyticFunction(
    offset=0.1, rate=0.3, half_acceleration=-0.2, harmonics=(Harmonic(amplitude=0.4, omega=2.1, phase=0.3),)
)
STEPS = TableFunction(times=(-1.0, 0.0, 0.7, 1.5), values=(0.2, 0.5, -0.1, 0.3))


def body(k: int, rng: np.random.Generator) -> Body:
    """A body with general mass, inertia, place and orientation."""
    inertia = rng.uniform(0.5, 1.0, 3)
    return Body(
        name=f"B{k}",
        mass=float(rng.uniform(0.5, 3.0)),
        inertia=tuple(map(float, inertia)),
        position=tuple(map(float, rng.uniform(-1.5, 1.5, 3))),
        orientation=tuple(map(float, from_rotation_vector(0.6 * rng.standard_normal(3)))),
    )


def vector(rng: np.random.Generator, size: float = 0.5) -> tuple[float, float, float]:
    x, y, z = rng.uniform(-size, size, 3)
    return float(x), float(y), float(z)


def every_joint(seed: int = 3) -> Project:
    """A chain ground-B0-B1-... with one joint of each kind between neighbours, drivers on each coordinate."""
    rng = np.random.default_rng(seed)
    kinds = ("revolute", "prismatic", "cylindrical", "universal", "spherical", "distance", "rigid")
    bodies = tuple(body(k, rng) for k in range(len(kinds) + 1))
    joints = tuple(
        Joint(
            name=kind,
            kind=kind,
            body_i=f"B{k}",
            body_j=f"B{k + 1}" if k % 2 else "ground",
            point_i=vector(rng),
            point_j=vector(rng),
            axis_i=vector(rng),
            axis_j=vector(rng),
            length=1.3 if kind == "distance" else None,
        )
        for k, kind in enumerate(kinds)
    )
    drivers = (
        Driver(name="turn", target="revolute", coordinate="angle", function=WAVE),
        Driver(name="push", target="prismatic", coordinate="slide", function=STEPS),
        Driver(name="cross i", target="universal", coordinate="angle", function=WAVE),
        Driver(name="cross j", target="universal", coordinate="angle_j", function=WAVE),
        Driver(
            name="reach",
            target="distance",
            coordinate="length",
            function=AnalyticFunction(offset=1.3, rate=0.2),
        ),
        Driver(name="lift", target="B7", coordinate="z", function=WAVE),
    )
    return Project(
        name="every joint",
        scenario=Rig(
            assembly=Assembly(name="Rig", role="rig", bodies=bodies, joints=joints, drivers=drivers)
        ),
    )


def bushing(rng: np.random.Generator, i: str, j: str, damping: float) -> Bushing:
    """A bushing with full matrices and a preload."""
    roots = rng.standard_normal((2, 6, 6))
    K, C = (tuple(tuple(row) for row in (a @ a.T).tolist()) for a in roots)
    turn = rng.standard_normal(4)
    return Bushing(
        name="b", body_i=i, body_j=j, point_i=vector(rng), point_j=vector(rng),
        orientation=tuple((turn / np.linalg.norm(turn)).tolist()), stiffness=K,
        damping=C if damping else ((0.0,) * 6,) * 6, preload=(vector(rng), vector(rng)),
    )  # fmt: skip


def range_of_motion(name: str, joint: str, moment: str, damping: float) -> RangeOfMotion:
    """A range of motion that is beyond some of its limits at most poses."""
    return RangeOfMotion(
        name=name, joint=joint, moment=moment, lower=(-0.05, -0.1, -0.02), upper=(0.1, 0.03, 0.06), corner=0.2,
        rest=(0.1, -0.2, 0.05), stiffness_inside=(3.0, 1.0, 5.0), stiffness_beyond=(20.0, 35.0, 11.0),
        damping_inside=(0.2 * damping, 0.1 * damping, 0.3 * damping), damping_beyond=(damping, damping, 0.5 * damping),
        curve_z=((-1.0, -4.0), (0.0, 0.3), (0.8, 2.0)),
    )  # fmt: skip


def every_force(seed: int = 5, damping: bool = True) -> Project:
    """Bodies in pairs with every force element, some to the ground, stops pushed in."""
    rng = np.random.default_rng(seed)
    bodies = tuple(body(k, rng) for k in range(4))
    c = 1.0 if damping else 0.0

    def joint(name: str, kind: str, i: str, j: str) -> Joint:
        axis = vector(rng)
        turned = tuple(a + 0.2 * b for a, b in zip(axis, vector(rng), strict=True))
        return Joint(
            name=name,
            kind=kind,
            body_i=i,
            body_j=j,
            point_i=vector(rng),
            point_j=vector(rng),
            axis_i=axis,
            axis_j=turned,
        )

    joints = (
        joint("hinge", "revolute", "B0", "B1"),
        joint("screw", "cylindrical", "B1", "ground"),
        joint("slot", "prismatic", "B2", "B1"),
        joint("ball", "spherical", "B2", "B3"),
        joint("cross", "universal", "ground", "B3"),
    )
    forces = [
        SpringDamper(
            name="s1", body_i="B0", body_j="B2", point_i=vector(rng), point_j=vector(rng),
            stiffness=40.0, damping=3.0 * c, free_length=0.7,
        ),
        SpringDamper(
            name="s2", body_i="ground", body_j="B3", point_i=vector(rng), point_j=vector(rng),
            damping=2.0 * c, free_length=0.4,
            curve=((-3.0, -90.0), (-1.0, -20.0), (0.0, 0.0), (1.0, 30.0), (4.0, 200.0)),
        ),
        RotationalSpring(name="r1", joint="hinge", stiffness=11.0, damping=0.8 * c, free_angle=0.3),
        RotationalSpring(name="r2", joint="ball", stiffness=7.0, damping=0.5 * c),
        RotationalSpring(name="r3", joint="cross", stiffness=5.0, damping=0.4 * c),
        JointStop(name="t1", joint="screw", lower=-0.9, upper=-0.2, stiffness=50.0, damping=0.1 * c),
        JointStop(name="t2", joint="slot", lower=-5.0, upper=-0.5, stiffness=60.0, exponent=2.0, damping=0.1 * c),
        SpringDamper(
            name="s3", body_i="B3", body_j="B0", point_i=vector(rng), point_j=vector(rng), damping=1.0 * c,
            curve=((-3.0, -90.0), (-1.0, -20.0), (0.0, 0.0), (1.0, 30.0), (4.0, 200.0)), curve_kind="corners",
        ),
        bushing(rng, "B1", "B3", c),
        RailWheels(
            name="w", body_i="B0", body_j="B2", point_i=(0.2, 0.1, 0.0), point_j=(-0.1, 0.3, 0.2),
            orientation=(0.8, 0.0, 0.6, 0.0), road_stiffness=30.0, up_stiffness=20.0, side_stiffness=25.0, drag=15.0,
            damping=0.3 * c,
        ),
        range_of_motion("m1", "ball", "potential", c),
        range_of_motion("m2", "hinge", "potential", c),
        DraftGear(
            name="g", body_i="B1", body_j="B2", stiffness=30.0, damping=2.0 * c, free_length=0.5, slack=0.02,
            preload=3.0, stop_out=0.4, stop_stiffness=200.0,
        ),
        belt("b1", rng, c, 0.0, ("ground", "B0", "B3", "B3", "B1"), -2.0),
        belt("b2", rng, c, 40.0, ("B2", "B1", "ground", "B2", "B0"), -6.9),
    ]  # fmt: skip
    if damping:
        forces += [
            AppliedForce(name="f1", body="B1", point=vector(rng), components=(WAVE, STEPS, WAVE)),
            AppliedForce(
                name="f2", body="B2", point=vector(rng), components=(WAVE, WAVE, STEPS), axes="body"
            ),
            AppliedTorque(name="f3", body="B0", components=(STEPS, WAVE, WAVE)),
            AppliedTorque(name="f4", body="B3", components=(WAVE, STEPS, WAVE), axes="body"),
            AirDrag(name="d", body="B3", drag_area=2.0),
            range_of_motion("m3", "ball", "printed", c),
            range_of_motion("m4", "ball", "printed_own", c),
            PostureMuscle(
                name="p", joint="ball", enabled=True, stiffness=9.0, damping=1.3, largest=2.0, delay=0.0
            ),
            DryFriction(name="c1", joint="hinge", load=3.0, transition_rate=0.4),
            DryFriction(name="c2", joint="slot", load=2.0, transition_rate=0.3),
            Actuator(name="a", body_i="B0", body_j="B3", point_j=vector(rng), pull=WAVE),
            TwoBranchSpring(
                name="h",
                body_i="ground",
                body_j="B2",
                point_i=vector(rng),
                transition_rate=0.5,
                loading=((-9.0, -5.0), (0.0, 4.0), (9.0, 40.0)),
                unloading=((-9.0, -9.0), (0.0, -2.0), (9.0, 12.0)),
            ),
        ]
    return Project(
        name="every force",
        scenario=Rig(
            assembly=Assembly(name="Rig", role="rig", bodies=bodies, joints=joints, forces=tuple(forces))
        ),
    )


def belt(
    name: str, rng: np.random.Generator, damping: float, friction: float, on: tuple[str, ...], slack: float
) -> Belt:
    """A belt that is tight from the start; where there is friction at all, so much that it does not slip."""
    over = tuple(BeltPoint(body=one, point=vector(rng), friction=friction) for one in on[1:-1])
    return Belt(
        name=name, body_i=on[0], point_i=vector(rng), over=over, body_j=on[-1], point_j=vector(rng), stiffness=60.0,
        damping=3.0 * damping, slack=slack,
    )  # fmt: skip


def banked_track(frame: str = "canted") -> Track:
    """An open track that turns, climbs and banks."""
    turn = np.linspace(0.0, 4.0, 13)
    places = [(20 * np.sin(a), 20 - 20 * np.cos(a), 3 * a + np.sin(2 * a), -0.3 * np.sin(a)) for a in turn]
    points = tuple(ControlPoint(x=float(x), y=float(y), z=float(z), cant=float(c)) for x, y, z, c in places)
    return Track(
        name="banked",
        closed=False,
        frame=frame,
        sections=(SplineSection(kind="spline", name="all", points=points),),
    )


def every_guide(frame: str = "canted", path: str = "smooth") -> Project:
    """Three bodies on the rails and the centreline of a banked track, one with each kind of guide."""
    rng = np.random.default_rng(11)
    bodies = tuple(body(k, rng) for k in range(3))
    guides = (
        Guide(name="point", kind="point", body="B0", point=vector(rng), path="left_rail"),
        Guide(name="cylindrical", kind="cylindrical", body="B1", point=vector(rng), path="right_rail"),
        Guide(name="full", kind="full", body="B2", point=vector(rng), path="centreline"),
    )
    drivers = (Driver(name="go", target="full", coordinate="arc_length", function=WAVE),)
    forces = (RollingResistance(name="roll", guide="point", coefficient=0.02),)
    car = Assembly(role="car", name="Car", bodies=bodies, guides=guides, drivers=drivers, forces=forces)
    return Project(
        name="every guide",
        track=banked_track(frame),
        train=Assembly(name="Train", role="train", children=(car,)),
        scenario=Ride(start=25.0, speed=9.0, duration=1.0),
        settings=SolverSettings(path_evaluation=path),
    )


def random_velocity(system: System, seed: int = 9) -> np.ndarray:
    """Velocities (nu + 6,) of general size, the ground at rest."""
    u = np.zeros(system.coordinates + 6)
    u[: system.coordinates] = np.random.default_rng(seed).standard_normal(system.coordinates)
    return u


def compiled(project: Project) -> System:
    return compile_system(project)
