"""The gondola arm as a whole mesh: what it does when its root is moved or its gondola pushed, without reduction.

Linear, the root held; K u + M u'' = f - M r a(t) with the gondola as a rigid body in M at the tip, a the acceleration
of the root along one direction r, by the trapezoidal rule (Newmark with gamma 1/2, beta 1/4), which loses nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import numpy as np
from scipy.interpolate import CubicSpline
from scipy.sparse import csc_matrix, lil_matrix

from ridewright.core.base.arrays import Array
from ridewright.core.model.assembly import Assembly
from ridewright.core.model.bodies import Body
from ridewright.core.model.drivers import Driver
from ridewright.core.model.flexible import FlexibleBody, Interface, Node
from ridewright.core.model.forces.force import AppliedForce
from ridewright.core.model.functions import TableFunction, TimeFunction, constant
from ridewright.core.model.joints import Joint
from ridewright.core.multibody.flexible import imported_of
from ridewright.core.project.project import Project
from ridewright.core.project.scenario import Rig, SolverSettings
from ridewright.core.results.results import Results
from ridewright.core.run.simulate import simulate
from ridewright.core.structure.floating import Floating, cloud_of_matrices, floating
from ridewright.core.structure.model import Structure
from ridewright.core.structure.reduction import craig_bampton, factor
from ridewright.core.structure.solids import Solid, nodal_stress, structure_of
from ridewright.core.structure.surface import PARTS
from ridewright.core.structure.ties import Tie, Tied, tie
from tests.benchmarks.bench_structure import LENGTH, TIP, arm_mesh

CELLS, MODES = (8, 3, 2), 8
MASS, MOMENTS = 400.0, (60.0, 70.0, 80.0)  # of the gondola, kg and kg m^2
DOWN = 2  # direction of shock and force: z
STEP = 5e-5  # s
EVERY = 10  # steps between the instants that are compared


@cache
def mesh() -> tuple[Solid, Structure, Tied]:
    """The arm, before and after its ends are tied."""
    solid = arm_mesh(CELLS)
    whole = structure_of(solid)
    ends = (("root", 0.0, (0.0, 0.0, 0.0)), ("tip", LENGTH, TIP))
    ties = [
        Tie(name, place, tuple(np.flatnonzero(np.abs(solid.nodes[:, 0] - x) < 1e-9).tolist()))
        for name, x, place in ends
    ]
    return solid, whole, tie(whole, ties)


def reduced(corrected: bool) -> Floating:
    """The arm by eight modes between its ends, with or without static corrections."""
    _, whole, tied = mesh()
    cloud = cloud_of_matrices(whole, tied.T[: whole.size])
    return floating(
        craig_bampton(tied.structure, ("root", "tip"), MODES, corrected=corrected, centrifugal=corrected),
        cloud,
    )


def whole_response(
    duration: float, shock: Callable[[Array], Array], force: Callable[[Array], Array]
) -> Array:
    """Von Mises stress (instants, nodes) Pa of the mesh: shock m/s^2 of the root, force N on the gondola."""
    _, whole, tied = mesh()
    s = tied.structure
    free = np.setdiff1d(np.arange(s.size), s.of_frame("root"))
    heavy = lil_matrix((s.size, s.size))
    tip = s.of_frame("tip")
    heavy[tip, tip] = np.array([MASS] * 3 + list(MOMENTS))
    M_all = csc_matrix(s.M + heavy)
    K, M = s.K[free][:, free], M_all[free][:, free]
    felt = -(M_all @ s.rigid_motions()[:, DOWN])[free]
    pushed = np.zeros(s.size)
    pushed[tip[DOWN]] = 1.0
    t = STEP * np.arange(round(duration / STEP) + 1)
    loads = np.stack([shock(t), force(t)])
    shapes = np.stack([felt, pushed[free]], axis=1)
    u, v = np.zeros(len(free)), np.zeros(len(free))
    a = factor(csc_matrix(M)).solve(shapes @ loads[:, 0])
    solver = factor(csc_matrix(M + 0.25 * STEP**2 * K))
    kept = np.zeros((s.size, (len(t) - 1) // EVERY + 1))
    for k in range(1, len(t)):
        ahead = u + STEP * v + 0.25 * STEP**2 * a
        new = solver.solve(shapes @ loads[:, k] - K @ ahead)
        v = v + 0.5 * STEP * (a + new)
        u, a = ahead + 0.25 * STEP**2 * new, new
        if k % EVERY == 0:
            kept[free, k // EVERY] = u
    return mises((tied.T[: whole.size] @ kept).reshape(-1, 3, kept.shape[1]))


def mises(moves: Array) -> Array:
    """Von Mises stress (instants, nodes) Pa under displacements of all nodes (nodes, 3, instants)."""
    solid = mesh()[0]
    out = np.empty((moves.shape[2], len(solid.nodes)))
    for first in range(0, moves.shape[2], 50):
        parts = np.einsum("pc,vck->pvk", PARTS[:5], nodal_stress(solid, moves[:, :, first : first + 50]))
        out[first : first + 50] = np.sqrt((parts**2).sum(axis=0)).T
    return out


def ride(made: Floating, duration: float, travel: TimeFunction, force: TimeFunction) -> Results:
    """The same in a run of the program: the root moved along z, the gondola pushed along it, no gravity."""
    places = {"root": np.zeros(3), "tip": np.array(TIP)}
    flexible = FlexibleBody(
        name="Arm",
        nodes=tuple(Node(name=name, position=tuple(at.tolist())) for name, at in places.items()),
        interfaces=(Interface(node="root", body="Hub"), Interface(node="tip", body="Gondola")),
        imported=imported_of(made, places, "arm"),
        ratio=0.0,
        stiffening=False,
    )
    bodies = (
        Body(name="Hub", mass=60.0, inertia=(2.0, 2.0, 2.0), position=(0.0, 0.0, 0.0)),
        Body(name="Gondola", mass=MASS, inertia=MOMENTS, position=TIP),
    )
    up = (0.0, 0.0, 1.0)
    guide = Joint(name="Guide", kind="prismatic", body_i="ground", body_j="Hub", axis_i=up, axis_j=up)
    drive = Driver(name="Shock", target="Guide", coordinate="slide", function=travel)
    push = AppliedForce(name="Push", body="Gondola", components=(constant(0.0), constant(0.0), force))
    top = Assembly(
        name="Rig", role="rig", bodies=bodies, joints=(guide,), drivers=(drive,), forces=(push,),
        flexibles=(flexible,),
    )  # fmt: skip
    settings = SolverSettings(fixed_step=STEP, rho_infinity=1.0, sample_rate=1.0 / (EVERY * STEP))
    return simulate(
        Project(
            name="arm",
            gravity=(0.0, 0.0, 0.0),
            scenario=Rig(assembly=top, duration=duration),
            settings=settings,
        )
    )


def reduced_response(made: Floating, run: Results, duration: float) -> Array:
    """Von Mises stress (instants, nodes) Pa by superposition."""
    _, whole, tied = mesh()
    t = EVERY * STEP * np.arange(round(duration / STEP / EVERY) + 1)
    s = run.states
    at = np.abs(s.time[:, None] - t).argmin(axis=0)
    assert np.abs(s.time[at] - t).max() < 1e-9
    moves = (tied.T[: whole.size] @ (made.shapes @ s.modal[at].T)).reshape(-1, 3, len(t))
    return mises(moves)


def spline(table: TableFunction) -> CubicSpline:
    """A table as the program reads it."""
    return CubicSpline(table.times, table.values, bc_type="clamped")
