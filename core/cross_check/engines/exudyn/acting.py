"""What exudyn's connectors do not have: generalised forces on the coordinates of its bodies, differentiated by it.

A body has seven coordinates, place and Euler parameters p, counted from their reference; w = 2 G(p) p' in its axes, so
that a moment M is 2 G^T M on them.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ....base.arrays import Array
from ....base.frames import from_matrix, rotation_matrix
from ...acting import Acting, Actor, Moving
from .system import System


def add_actor(system: System, actor: Actor) -> None:
    """Add what acts on bodies; its loads are read off the ride."""
    ground = len(system.model.bodies)
    bodies = sorted({b % (ground + 1) for b in actor.bodies} - {ground})
    if not bodies:
        return
    reference = [_reference(system, b) for b in bodies]

    def state(q: Array, q_t: Array) -> tuple[Moving, list[Array]]:
        r, A = {ground: _ZERO, -1: _ZERO}, {ground: _EYE, -1: _EYE}
        v, w = {ground: _ZERO, -1: _ZERO}, {ground: _ZERO, -1: _ZERO}
        turns = []
        for k, b in enumerate(bodies):
            here = reference[k] + q[7 * k : 7 * k + 7]
            turn = _turn(here[3:])
            r[b], A[b], v[b] = here[:3], rotation_matrix(here[3:]), q_t[7 * k : 7 * k + 3]
            w[b] = A[b] @ (turn @ q_t[7 * k + 3 : 7 * k + 7])
            turns.append(turn)
        return Moving(r, A, v, w), turns

    def acting() -> Acting:
        every = (*bodies, ground, -1)
        return Acting({b: np.zeros(3) for b in every}, {b: np.zeros(3) for b in every})

    def force(mbs: Any, t: float, item: int, q: Any, q_t: Any) -> Array:
        at, turns = state(np.array(q), np.array(q_t))
        out = acting()
        actor(at, out, t)
        made = np.empty(7 * len(bodies))
        for k, b in enumerate(bodies):
            made[7 * k : 7 * k + 3] = out.force[b]
            made[7 * k + 3 : 7 * k + 7] = turns[k].T @ (at.A[b].T @ out.moment[b])
        return made

    nodes = [system.nodes[b] for b in bodies]
    system.mbs.AddObject(system.items.ObjectGenericODE2(nodeNumbers=nodes, forceUserFunction=force))

    def now(mbs: Any, t: float) -> tuple[float, ...]:
        """Its loads at the state that exudyn has."""
        kinds = system.exu.OutputVariableType
        q, q_t = (
            np.concatenate([mbs.GetNodeOutput(node, kind) for node in nodes])
            for kind in (kinds.Coordinates, kinds.Coordinates_t)
        )
        return actor(state(q, q_t)[0], acting(), t)

    if actor.remembers:

        def accept() -> None:
            now(system.mbs, system.time())
            actor.accept()

        system.accepted.append(accept)
    if actor.rows:

        def load(mbs: Any, t: float, sensors: Any, factors: Any, configuration: Any) -> list[float]:
            return list(now(mbs, t))

        system.watch(
            ("loads", actor.rows[0]),
            system.items.SensorUserFunction(sensorUserFunction=load, storeInternal=True),
        )
        system.rows[actor.rows[0]] = actor.rows


_ZERO, _EYE = np.zeros(3), np.eye(3)


def _reference(system: System, body: int) -> Array:
    """Coordinates (7,) of a body that are zero for exudyn."""
    given = system.model.bodies[body]
    return np.concatenate([given.position, from_matrix(given.axes)])


def _turn(p: Array) -> Array:
    """2 G (3, 4): the angular velocity in the axes of the body by the rates of Euler parameters."""
    e0, e1, e2, e3 = p
    return 2.0 * np.array([[-e1, e0, e3, -e2], [-e2, -e3, e0, e1], [-e3, e2, -e1, e0]])
