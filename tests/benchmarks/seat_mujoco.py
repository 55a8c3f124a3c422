"""The seated rider in MuJoCo: a kinematic tree with spatial tendons for springs."""

from __future__ import annotations

import time
from collections.abc import Iterable

import mujoco
import numpy as np

from ridewright.core.base.arrays import Array
from ridewright.core.model.bodies import SEAT
from ridewright.core.model.joints import Joint
from tests.benchmarks.seat_case import DURATION, GRAVITY, REST, ROOT, WATCHED, SeatedRider, seat_acceleration
from tests.benchmarks.seat_ridewright import Run

INTEGRATORS = {
    "discrete": mujoco.mjtIntegrator.mjINT_DISCRETE,
    "Euler": mujoco.mjtIntegrator.mjINT_EULER,
    "implicitfast": mujoco.mjtIntegrator.mjINT_IMPLICITFAST,
    "RK4": mujoco.mjtIntegrator.mjINT_RK4,
}


def _text(values: Iterable[float]) -> str:
    return " ".join(repr(float(v)) for v in values)


def _joints(rider: SeatedRider, parent: str, child: str, joint: Joint) -> str:
    """MuJoCo joints of a child body, in its frame; of two hinges the first turns with the parent."""
    i_is_child = joint.body_i == child
    point = joint.point_i if i_is_child else joint.point_j
    if joint.kind == "spherical":
        return f'<joint type="ball" pos="{_text(point)}"/>'
    own = joint.axis_i if i_is_child else joint.axis_j
    other = joint.axis_j if i_is_child else joint.axis_i
    assert own is not None
    assert other is not None
    if joint.kind == "revolute":
        return f'<joint type="hinge" pos="{_text(point)}" axis="{_text(own)}"/>'
    turned = rider.segments[child].matrix.T @ (rider.segments[parent].matrix @ np.asarray(other))
    return "".join(f'<joint type="hinge" pos="{_text(point)}" axis="{_text(a)}"/>' for a in (turned, own))


def model_text(rider: SeatedRider) -> str:
    """The MJCF model."""
    sites: dict[str, list[str]] = {name: [] for name in (*rider.segments, SEAT)}
    tendons = []
    for k, s in enumerate(rider.springs):
        for end, body, point in (("i", s.body_i, s.point_i), ("j", s.body_j, s.point_j)):
            sites[body].append(f'<site name="{k}{end}" pos="{_text(point)}"/>')
        tendons.append(
            f'<spatial springlength="{s.free_length!r}" stiffness="{s.stiffness!r}" damping="{s.damping!r}">'
            f'<site site="{k}i"/><site site="{k}j"/></spatial>'
        )
    tree = rider.tree()

    def body(name: str, place: Array, turn: Array, joints: str) -> str:
        segment = rider.segments[name]
        inner = "".join(
            body(child, *rider.relative(name, child), _joints(rider, name, child, joint))
            for parent, child, joint in tree
            if parent == name
        )
        mass = f'<inertial pos="0 0 0" mass="{segment.mass!r}" diaginertia="{_text(segment.inertia)}"/>'
        head = f'<body name="{name}" pos="{_text(place)}" quat="{_text(turn)}">'
        return head + mass + joints + "".join(sites[name]) + inner + "</body>"

    root = rider.segments[ROOT]
    return (
        '<mujoco><compiler angle="radian" autolimits="false" boundmass="0" boundinertia="0"/>'
        '<option><flag contact="disable" constraint="disable"/></option>'
        f"<worldbody>{''.join(sites[SEAT])}{body(ROOT, root.position, root.orientation, '')}</worldbody>"
        f"<tendon>{''.join(tendons)}</tendon></mujoco>"
    )


def _watch(model: mujoco.MjModel, states: Array) -> Array:
    data = mujoco.MjData(model)
    ids = [mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_BODY, name) for name in WATCHED]
    out = np.empty((len(states), len(ids), 3))
    for k, q in enumerate(states):
        data.qpos[:] = q
        mujoco.mj_kinematics(model, data)
        out[k] = data.xipos[ids]
    return out


def _model(rider: SeatedRider, integrator: str, step: float) -> mujoco.MjModel:
    model = mujoco.MjModel.from_xml_string(model_text(rider))
    model.opt.timestep, model.opt.integrator = step, INTEGRATORS[integrator]
    return model


def run(rider: SeatedRider, integrator: str, step: float, every: int, repeats: int) -> Run | None:
    """Least CPU of some repeats with a fixed step (s), watched every so many steps; None when it explodes.

    The gravity that carries the seat's motion is set before each step from a table of its mid-step values.
    """
    model = _model(rider, integrator, step)
    n = round(DURATION / step)
    pull = np.asarray(GRAVITY) - seat_acceleration(step * (np.arange(n) + 0.5))
    stored = np.zeros((n // every + 1, model.nq))
    best = np.inf
    for _ in range(repeats):
        data = mujoco.MjData(model)
        best = min(best, _march(model, data, pull, stored, every))
        # an exploding run is reset by MuJoCo and counted in its warnings
        if not np.all(np.isfinite(stored)) or any(w.number for w in data.warning):
            return None
    at = every * step * np.arange(len(stored))
    return Run(f"MuJoCo {integrator}", f"h {step:g}", best, n, at, _watch(model, stored))


def _march(model: mujoco.MjModel, data: mujoco.MjData, pull: Array, stored: Array, every: int) -> float:
    gravity, advance = model.opt.gravity, mujoco.mj_step
    started = time.process_time()
    stored[0] = data.qpos
    for block in range(1, len(stored)):
        for k in range((block - 1) * every, block * every):
            gravity[:] = pull[k]
            advance(model, data)
        stored[block] = data.qpos
    return time.process_time() - started


def reference(
    rider: SeatedRider, step: float, every: int, *, end: float = DURATION, moving: bool = True
) -> Run:
    """A fourth-order run with the exact gravity at every stage; moving: False leaves gravity alone."""
    model = _model(rider, "RK4", step)
    data = mujoco.MjData(model)
    blocks = round(end / step) // every
    stored = np.zeros((blocks + 1, model.nq))
    stored[0] = data.qpos
    share = 1.0 if moving else 0.0

    def at_stage(m: mujoco.MjModel, d: mujoco.MjData) -> None:
        m.opt.gravity = np.asarray(GRAVITY) - share * seat_acceleration(np.float64(d.time))

    mujoco.set_mjcb_passive(at_stage)
    started = time.process_time()
    try:
        for block in range(blocks):
            mujoco.mj_step(model, data, nstep=every)
            stored[block + 1] = data.qpos
    finally:
        mujoco.set_mjcb_passive(None)
    cpu = time.process_time() - started
    at = every * step * np.arange(blocks + 1)
    return Run("MuJoCo RK4", f"h {step:g}, gravity at stages", cpu, blocks * every, at, _watch(model, stored))


def at_rest(rider: SeatedRider) -> Array:
    """The watched bodies (3, 3) m after REST seconds of gravity alone, with small steps."""
    return reference(rider, 1e-4, 100, end=REST, moving=False).watched[-1]
