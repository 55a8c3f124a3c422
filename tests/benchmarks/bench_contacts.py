"""Contacts: pairs of shapes a second beside coal and MuJoCo, a fall beside MuJoCo, a rider who rests on a seat."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import coal
import mujoco
import numpy as np

from ridewright.core.base.arrays import Array
from ridewright.core.base.frames import rotation_matrix
from ridewright.core.contact.common_normal import between
from ridewright.core.contact.shapes import (
    BOX,
    CAPSULE,
    CYLINDER,
    ELLIPSOID,
    PLANE,
    SCRATCH,
    SPHERE,
)
from ridewright.core.edits import riders
from ridewright.core.edits.elements import add_element, delete_element, set_element
from ridewright.core.jit.decorators import kernel
from ridewright.core.model.forces import TYPES
from ridewright.core.model.person import Person
from ridewright.core.model.surfaces import Box, Capsule
from ridewright.core.multibody.contact_places import touching_of
from ridewright.core.project.examples import load_example
from ridewright.core.project.project import Project
from ridewright.core.run.simulate import simulate
from ridewright.core.track.build import build_track
from tests.benchmarks import measure

POSES = 2000
TIMES = 6  # runs of each, by turns, of which the least counts
PAIRS = {
    "sphere on plane": (SPHERE, PLANE), "ellipsoid on plane": (ELLIPSOID, PLANE), "sphere on sphere": (SPHERE, SPHERE),
    "capsule on capsule": (CAPSULE, CAPSULE), "sphere on box": (SPHERE, BOX), "capsule on box": (CAPSULE, BOX),
    "sphere on cylinder": (SPHERE, CYLINDER), "ellipsoid on sphere": (ELLIPSOID, SPHERE),
    "ellipsoid on capsule": (ELLIPSOID, CAPSULE), "ellipsoid on cylinder": (ELLIPSOID, CYLINDER),
    "ellipsoid on box": (ELLIPSOID, BOX), "ellipsoid on ellipsoid": (ELLIPSOID, ELLIPSOID),
}  # fmt: skip
SIZES = {
    SPHERE: (0.3, 0.0, 0.0), CAPSULE: (0.2, 0.3, 0.0), CYLINDER: (0.25, 0.3, 0.0), BOX: (0.3, 0.25, 0.2),
    ELLIPSOID: (0.35, 0.25, 0.2), PLANE: (np.inf, np.inf, np.inf),
}  # fmt: skip
REACH = {kind: 0.0 if kind == PLANE else 0.28 for kind in SIZES}  # m, about the middle of each
MUJOCO = {
    SPHERE: ("sphere", "0.3"), CAPSULE: ("capsule", "0.2 0.3"), CYLINDER: ("cylinder", "0.25 0.3"),
    BOX: ("box", "0.3 0.25 0.2"), ELLIPSOID: ("ellipsoid", "0.35 0.25 0.2"), PLANE: ("plane", "5 5 1"),
}  # fmt: skip
#: How a rider is, and at most how many times the CPU time of one fixed at the pelvis alone resting on a seat may take.
RESTING = {"normal": 1.9, "braced": 1.4}


@kernel
def _all(ka, kb, ca, Ra, sa, cb, Rb, sb, start, T, out):  # type: ignore[no-untyped-def]
    for k in range(ca.shape[0]):
        between(ka, kb, ca[k], Ra[k], sa, cb[k], Rb[k], sb, start, T, out)


class Poses:
    """Random poses of two surfaces near touching."""

    def __init__(self, ka: int, kb: int) -> None:
        rng = np.random.default_rng([3, ka, kb])
        turns = rng.normal(size=(2, POSES, 4))
        self.R = [rotation_matrix(p / np.linalg.norm(p, axis=1, keepdims=True)) for p in turns]
        self.cb = rng.normal(size=(POSES, 3))
        way = rng.normal(size=(POSES, 3))
        way /= np.linalg.norm(way, axis=1, keepdims=True)
        if kb == PLANE:
            way = self.R[1][:, :, 2]
        self.ca = self.cb + way * (REACH[ka] + REACH[kb]) * rng.uniform(0.8, 1.2, (POSES, 1))


def ours(ka: int, kb: int, poses: Poses) -> float:
    """CPU seconds of one pose."""
    flat = [np.ascontiguousarray(R.reshape(-1, 9)) for R in poses.R]
    sizes = [np.array(SIZES[k]) for k in (ka, kb)]
    T, out = np.zeros((SCRATCH, 9)), np.zeros(7)

    def call() -> None:
        _all(ka, kb, poses.ca, flat[0], sizes[0], poses.cb, flat[1], sizes[1], np.zeros(3), T, out)

    return measure.cpu_each(call) / POSES


def of_coal(ka: int, kb: int, poses: Poses) -> float:
    """CPU seconds of one pose, its call from Python included (about 1 us)."""
    made: dict[int, Callable[[tuple[float, ...]], object]] = {
        SPHERE: lambda s: coal.Sphere(s[0]), CAPSULE: lambda s: coal.Capsule(s[0], 2.0 * s[1]),
        CYLINDER: lambda s: coal.Cylinder(s[0], 2.0 * s[1]), BOX: lambda s: coal.Box(*(2.0 * x for x in s)),
        ELLIPSOID: lambda s: coal.Ellipsoid(*s), PLANE: lambda s: coal.Halfspace(np.array([0.0, 0.0, 1.0]), 0.0),
    }  # fmt: skip
    shapes = [made[k](SIZES[k]) for k in (ka, kb)]
    at = [
        [coal.Transform3s(R[k], c[k]) for k in range(POSES)]
        for R, c in zip(poses.R, (poses.ca, poses.cb), strict=True)
    ]
    request, result = coal.DistanceRequest(), coal.DistanceResult()
    request.enable_signed_distance = True

    def call() -> None:
        for a, b in zip(*at, strict=True):
            coal.distance(shapes[0], a, shapes[1], b, request, result)

    return measure.cpu_each(call) / POSES


def of_mujoco(ka: int, kb: int, poses: Poses) -> float:
    """CPU seconds of one pose: collision of as many pairs, each of which stands apart from all others."""
    count = min(POSES, 400)
    text, excluded = [], []
    for k in range(count):
        shift = np.array([20.0 * (k % 20), 20.0 * (k // 20), 0.0])
        for name, kind, c, R in (("a", ka, poses.ca, poses.R[0]), ("b", kb, poses.cb, poses.R[1])):
            place = c[k] - poses.cb[k] + shift
            turn = " ".join(repr(float(x)) for x in np.concatenate([R[k][:, 0], R[k][:, 1]]))
            shape, size = MUJOCO[kind]
            fixed = kind == PLANE
            body = f'<geom name="{name}{k}" type="{shape}" size="{size}"/>'
            pos = " ".join(repr(float(x)) for x in place)
            text.append(
                f'<body pos="{pos}" xyaxes="{turn}">{"" if fixed else "<freejoint/>"}{body}</body>'
                if not fixed
                else f'<geom name="{name}{k}" type="plane" size="5 5 1" pos="{pos}" xyaxes="{turn}"/>'
            )
        excluded.append(f'<pair geom1="a{k}" geom2="b{k}"/>')
    model = mujoco.MjModel.from_xml_string(
        f'<mujoco><option gravity="0 0 0"/><default><geom contype="0" conaffinity="0"/></default>'
        f"<worldbody>{''.join(text)}</worldbody><contact>{''.join(excluded)}</contact></mujoco>"
    )
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    return measure.cpu_each(lambda: mujoco.mj_collision(model, data)) / count


def resting(how: str, contact: bool) -> Project:
    """The Looping Star with one generated rider: fixed at the pelvis alone, or resting on pan, back and bar too."""
    person = Person(sex="male", stature=1.78, mass=81.5, neck=how, trunk=how, arms=how, legs=how)
    project = load_example("looping_star")
    assert project.train is not None
    (path,) = [tuple(name.split("/")) for name in project.train.with_role("rider")]
    project, path = riders.make_rider(delete_element(project, "assembly", path), path[:-1], person)
    if not contact:
        return project
    assert project.assembly is not None
    car = project.assembly.at(path[:-1])
    assert car is not None
    seat, turn = car.seats[0], np.sqrt(0.5)
    at = np.array(seat.position)
    pan = Box(name="Pan", position=tuple(at + np.array([0.05, 0.0, -0.25])), half_sizes=(0.25, 0.25, 0.1))
    back = Box(name="Back", position=tuple(at + np.array([-0.245, 0.0, 0.35])), half_sizes=(0.1, 0.25, 0.45))
    bar = Capsule(
        name="Bar",
        position=tuple(at + np.array([0.2, 0.0, 0.11])),
        orientation=(turn, turn, 0, 0),
        radius=0.03,
        length=0.22,
    )
    project = set_element(project, "body", (*path[:-1], seat.body), {"surfaces": (pan, back, bar)})
    made = TYPES["contact"].model(
        name="Rider on seat", group_i=path[-1], body_j=seat.body, stiffness=1e5, restitution=0.3, start_depth=0.05,
        friction="smooth", friction_coefficient=0.4,
    )  # fmt: skip
    return add_element(project, "force", path[:-1], made)[0]


def of_falls() -> tuple[float, float]:
    """CPU seconds of a fall from 4 m, 2 s: ours with Hunt & Crossley, and MuJoCo's soft contact on the same bodies."""
    project = load_example("human_fall")
    simulate(project)
    own, _ = measure.min_cpu(lambda: simulate(project), 3)
    assert project.assembly is not None
    body = project.assembly.children[0]
    model = mujoco.MjModel.from_xml_string(_as_mjcf(body, 4.0))
    data = mujoco.MjData(model)

    def fall() -> None:
        mujoco.mj_resetData(model, data)
        while data.time < 2.0:
            mujoco.mj_step(model, data)

    return own, measure.min_cpu(fall, 3)[0]


def _as_mjcf(person: object, height: float) -> str:
    """A generated person above a plane as MJCF: bodies, ball joints and ellipsoids; no limits of joints."""
    bodies = {b.name: b for b in person.bodies}  # type: ignore[attr-defined]
    near: dict[str, list[tuple[str, Array]]] = {name: [] for name in bodies}
    for joint in person.joints:  # type: ignore[attr-defined]
        near[joint.body_i].append((joint.body_j, np.array(joint.point_j)))
        near[joint.body_j].append((joint.body_i, np.array(joint.point_i)))

    def text(values: object) -> str:
        return " ".join(repr(float(v)) for v in values)  # type: ignore[attr-defined]

    def body(name: str, parent: str | None, joint: str) -> str:
        b = bodies[name]
        R = rotation_matrix(np.array(b.orientation))
        place = np.array(b.position) + np.array([0.0, 0.0, height])
        if parent is not None:
            p = bodies[parent]
            place = rotation_matrix(np.array(p.orientation)).T @ (np.array(b.position) - np.array(p.position))
            R = rotation_matrix(np.array(p.orientation)).T @ R
        axes = text(np.concatenate([R[:, 0], R[:, 1]]))
        skin = b.surfaces[0]
        children = "".join(
            body(other, name, f'<joint type="ball" pos="{text(point)}"/>')
            for other, point in near[name]
            if other != parent
        )
        return (
            f'<body pos="{text(place)}" xyaxes="{axes}">{joint}'
            f'<inertial pos="0 0 0" mass="{b.mass!r}" diaginertia="{text(b.inertia)}"/>'
            f'<geom type="ellipsoid" size="{text(skin.semi_axes)}" pos="{text(skin.position)}" contype="1"'
            f' conaffinity="2"/>{children}</body>'
        )

    root = body(next(iter(bodies)), None, "<freejoint/>")
    ground = '<geom type="plane" size="9 9 1" contype="2" conaffinity="1"/>'
    return (
        '<mujoco><option timestep="0.002" integrator="implicitfast"/>'
        f"<worldbody>{ground}{root}</worldbody></mujoco>"
    )


def main() -> None:
    """Print and store contacts a second, falls, and what a resting rider costs."""
    rows = []
    for name, (ka, kb) in PAIRS.items():
        poses = Poses(ka, kb)
        each = ours(ka, kb, poses), of_coal(ka, kb, poses), of_mujoco(ka, kb, poses)
        rows.append((name, *(1e6 * x for x in each)))
    print(measure.table(("pair, us each", "ours", "coal", "MuJoCo"), rows))
    own, other = of_falls()
    print(f"  fall from 4 m, 2 s: {own:.3f} s CPU, MuJoCo at 2 ms with its soft contact {other:.3f} s")
    seats = [of_seat(how) for how in RESTING]
    print(measure.table(tuple(seats[0]), [tuple(one.values()) for one in seats]))
    each_us = {name: dict(zip(("ours", "coal", "mujoco"), rest, strict=True)) for name, *rest in rows}
    goals = [
        measure.goal(
            f"{one['rider']} rider resting on a seat at most {most:g} times one fixed: {one['times CPU']:.2f}",
            one["times CPU"] <= most,
        )
        for one, most in zip(seats, RESTING.values(), strict=True)
    ]
    fall = {"ours": own, "mujoco": other}
    measure.write("contacts", {"us_each": each_us, "fall_s": fall, "seats": seats, "goals": goals})


def of_seat(how: str) -> dict[str, Any]:
    """What resting on a seat costs a rider who is fixed at the pelvis besides: least CPU time of several runs."""
    made = {contact: resting(how, contact) for contact in (False, True)}
    took, runs = dict.fromkeys(made, np.inf), {}
    for _ in range(TIMES):  # by turns: a machine that slows down for a while is not the contacts' fault
        for contact, project in made.items():
            seconds, runs[contact] = measure.min_cpu(lambda project=project: simulate(project), 1)
            assert runs[contact].status.complete
            took[contact] = min(took[contact], seconds)
    track = made[True].track
    assert track is not None
    steps = {contact: len(run.states.time) for contact, run in runs.items()}
    return {
        "rider": how,
        "pairs": len(touching_of(made[True], build_track(track)).pairs),
        "fixed s": took[False],
        "resting s": took[True],
        "times CPU": took[True] / took[False],
        "times steps": steps[True] / steps[False],
    }
