"""Rigs with a flexible body, for tests."""

from __future__ import annotations

import math

import numpy as np

from ridewright.core.base.arrays import Array
from ridewright.core.model.assembly import Assembly
from ridewright.core.model.bodies import Body
from ridewright.core.model.drivers import Driver
from ridewright.core.model.flexible import BeamPart, BeamSection, FlexibleBody, Interface, Node
from ridewright.core.model.functions import AnalyticFunction, Harmonic
from ridewright.core.model.joints import Joint
from ridewright.core.multibody.arrays import GCOL, GROW, PHI, int_line
from ridewright.core.multibody.compile import State, System
from ridewright.core.multibody.constraint_kernels import constraints
from ridewright.core.multibody.force_kernels import forces
from ridewright.core.multibody.mass_kernels import subtract_mass
from ridewright.core.project.project import Project
from ridewright.core.project.scenario import Rig, SolverSettings
from ridewright.core.solver.kkt import add_constraint_force, move

HINGE = "axle"


def rig(
    bodies: tuple[Body, ...],
    flexible: FlexibleBody,
    joints: tuple[Joint, ...] = (),
    drivers: tuple[Driver, ...] = (),
    *,
    gravity: tuple[float, float, float] = (0.0, 0.0, 0.0),
    duration: float = 1.0,
    forces: tuple[object, ...] = (),
    **settings: object,
) -> Project:
    """A test rig with a flexible body."""
    top = Assembly(
        name="Rig", role="rig", bodies=bodies, joints=joints, drivers=drivers, flexibles=(flexible,),
        forces=forces,  # type: ignore[arg-type]
    )  # fmt: skip
    scenario = Rig(assembly=top, duration=duration)
    return Project(
        name="rig", gravity=gravity, scenario=scenario, settings=SolverSettings.model_validate(settings)
    )


def bent(*, highest: float | None = None, **settings: object) -> Project:
    """A free bent arm with a turning hub at one end and a head at the other, none of them on an axis."""
    section = BeamSection(shape="box", width=0.12, height=0.08, wall=0.004)
    nodes = {"root": (0.1, 0.2, 0.3), "knee": (1.6, 0.5, 0.2), "tip": (1.9, 0.4, 1.5)}
    flexible = FlexibleBody(
        name="arm",
        nodes=tuple(Node(name=name, position=place) for name, place in nodes.items()),
        beams=(
            BeamPart(start="root", end="knee", section=section, up=(0.0, 0.2, 1.0)),
            BeamPart(start="knee", end="tip", section=section, up=(0.0, 1.0, 0.1)),
        ),
        interfaces=(Interface(node="root", body="hub"), Interface(node="tip", body="head")),
        modes=3, ratio=0.0, highest=highest,
    )  # fmt: skip
    hub = Body(
        name="hub", mass=3.0, inertia=(0.02, 0.03, 0.04), position=(0.05, 0.2, 0.25),
        orientation=(0.9, 0.1, 0.3, 0.2), angular_velocity=(0.5, -0.4, 0.6),
    )  # fmt: skip
    head = Body(name="head", mass=5.0, inertia=(0.05, 0.03, 0.04), position=(1.95, 0.4, 1.55))
    return rig((hub, head), flexible, **settings)  # type: ignore[arg-type]


def slender(
    length: float,
    mass: float,
    E_I: float,
    E_A: float,
    interfaces: tuple[Interface, ...],
    **more: object,
) -> FlexibleBody:
    """A uniform beam along x without shear and rotary inertia to speak of, its nodes `root` at the origin and `tip`."""
    area = 1e-2
    E, rho = E_A / area, mass / (length * area)
    section = BeamSection(
        shape="own", area=area, moment_y=E_I / E, moment_z=E_I / E, torsion=2.0 * E_I / E, shear_y=area * 100.0,
        shear_z=area * 100.0,
    )  # fmt: skip
    beam = BeamPart(start="root", end="tip", section=section, E=E, G=E, density=rho, elements=16)
    nodes = (Node(name="root", position=(0.0, 0.0, 0.0)), Node(name="tip", position=(length, 0.0, 0.0)))
    given = {"modes": 4, "ratio": 0.0, **more}
    return FlexibleBody(name="beam", nodes=nodes, beams=(beam,), interfaces=interfaces, **given)  # type: ignore[arg-type]


def ends(*bodies: str) -> tuple[Interface, ...]:
    """Interfaces of bodies at root and tip."""
    return tuple(
        Interface(node=node, body=body) for node, body in zip(("root", "tip"), bodies, strict=False) if body
    )


def light(name: str, x: float, **more: object) -> Body:
    """A body that weighs all but nothing."""
    return Body(name=name, mass=1e-7, inertia=(1e-12,) * 3, position=(x, 0.0, 0.0), **more)  # type: ignore[arg-type]


def blade(eta: float, **more: object) -> Project:
    """A cantilever of length, mass and bending stiffness 1 on a hub that a driver turns about z."""
    beam = slender(1.0, 1.0, 1.0, 4e6, ends("hub", "end"), **more)
    hub = Body(
        name="hub", mass=1.0, inertia=(1.0,) * 3, position=(0.0, 0.0, 0.0), angular_velocity=(0.0, 0.0, eta)
    )
    end = light("end", 1.0, velocity=(0.0, eta, 0.0), angular_velocity=(0.0, 0.0, eta))
    up = (0.0, 0.0, 1.0)
    joint = Joint(name=HINGE, kind="revolute", body_i="ground", body_j="hub", axis_i=up, axis_j=up)
    turn = Driver(name="drive", target=HINGE, coordinate="angle", function=AnalyticFunction(rate=eta))
    return rig((hub, end), beam, (joint,), (turn,))


RAMP, SPEED = 15.0, 6.0  # s, rad/s


def spun_up(*, duration: float, stiffening: bool = True, **settings: object) -> Project:
    """The spin-up of Simo & Vu-Quoc (1987): a beam whose root follows a prescribed angle about z."""
    part = 1e-2
    beam = slender(
        10.0, 12.0, 1.4e4, 2.8e7, ends("hub", "end"), modes=6, ratio=0.02, stiffening=stiffening,
        includes_bodies=True,
    )  # fmt: skip
    hub, end = (
        Body(name=name, mass=part, inertia=(1e-4,) * 3, position=(x, 0.0, 0.0))
        for name, x in (("hub", 0.0), ("end", 10.0))
    )
    up, w = (0.0, 0.0, 1.0), 2.0 * math.pi / RAMP
    joint = Joint(name=HINGE, kind="revolute", body_i="ground", body_j="hub", axis_i=up, axis_j=up)
    swing = SPEED / RAMP / w**2
    function = AnalyticFunction(
        offset=-swing,
        half_acceleration=0.5 * SPEED / RAMP,
        harmonics=(Harmonic(amplitude=swing, omega=w, phase=math.pi / 2),),
    )
    turn = Driver(name="drive", target=HINGE, coordinate="angle", function=function)
    return rig((hub, end), beam, (joint,), (turn,), duration=duration, **settings)  # type: ignore[arg-type]


def turning(system: System, eta: float) -> tuple[State, Array]:
    """The state in which a whole system turns about z with eta (rad/s) and nothing moves in it, and its multipliers."""
    S, W, layout = system.arrays, system.new_work(), system.layout
    nu, g_row, g_col = layout.coordinates, int_line(S, GROW), int_line(S, GCOL)
    spin, start = np.array([0.0, 0.0, eta]), system.start

    def pose(x: Array) -> tuple[Array, Array, Array]:
        r, p, plain, dx = start.r.copy(), start.p.copy(), start.path.copy(), layout.line()
        dx[:nu] = x
        move(S, start.r, start.p, start.path, dx, r, p, plain)
        return r, p, plain

    def motion(r: Array) -> tuple[Array, Array]:
        u, du = layout.line(), layout.line()
        for b in range(system.bodies):
            own = layout.rigid[b]
            u[own[:3]] = np.cross(spin, r[b])
            u[own[3:]] = W.A[b].T @ spin
            du[own[:3]] = np.cross(spin, u[own[:3]])
        return u, du

    def left(y: Array) -> Array:
        r, p, plain = pose(y[:nu])
        constraints(S, W, 0.0, r, p, plain)
        u, du = motion(r)
        forces(S, W, u, y[nu:])
        out = W.vel[0].copy()
        add_constraint_force(g_row, g_col, W.gx, y[nu:], out)
        subtract_mass(S, W.block, du, out)
        return np.concatenate([out[:nu], 100.0 * W.row[PHI]])

    y, each = np.zeros(nu + system.rows), 1e-6 * np.eye(nu + system.rows)
    for _ in range(4):
        slope = np.array([(left(y + e) - left(y - e)) / 2e-6 for e in each]).T
        y -= np.linalg.lstsq(slope, left(y), rcond=1e-13)[0]
    assert np.abs(left(y)).max() < 1e-10
    r, p, plain = pose(y[:nu])
    constraints(S, W, 0.0, r, p, plain)
    return State(0.0, r, p, plain, motion(r)[0]), y[nu:]
