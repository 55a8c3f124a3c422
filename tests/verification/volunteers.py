"""Human volunteers on a sled at 15 g: what was measured, and head and neck, or a whole rider, under the same motion."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
from scipy.integrate import cumulative_trapezoid
from scipy.interpolate import CubicSpline

from ridewright.core.base.frames import rotation_matrix
from ridewright.core.edits.elements import set_element
from ridewright.core.edits.riders import make_rider
from ridewright.core.edits.seats import put_seat
from ridewright.core.human.belts import belt_of
from ridewright.core.human.make import mechanism
from ridewright.core.model.assembly import Assembly, Seat
from ridewright.core.model.bodies import GROUND, Body
from ridewright.core.model.drivers import Driver
from ridewright.core.model.forces import TYPES, Force
from ridewright.core.model.functions import TableFunction
from ridewright.core.model.joints import Joint
from ridewright.core.model.library import load_restraint
from ridewright.core.model.person import Person
from ridewright.core.model.restraints import Restraint
from ridewright.core.model.seats import SeatShape
from ridewright.core.model.surfaces import Capsule
from ridewright.core.model.webbing import Webbing
from ridewright.core.project.project import Project
from ridewright.core.project.scenario import Rig, SolverSettings
from ridewright.core.results.results import Results
from ridewright.core.results.sampler import Motion, Sampler
from ridewright.core.run.simulate import simulate

G = 9.80665
MEASURED = json.loads(Path(__file__).with_name("volunteers_15g.json").read_text(encoding="utf-8"))
TIME = np.array(MEASURED["time_ms"]) * 1e-3
END = 0.25  # s
BEYOND = 0.05  # s, by which tables of motion go on behind the end, since they end with a standstill


def measured(name: str) -> tuple[np.ndarray, np.ndarray]:
    """Mean and standard deviation (26,) at every 10 ms, in mm, degrees or g."""
    return np.array(MEASURED[name]["mean"]), np.array(MEASURED[name]["sd"])


def sled(time: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Place (m) and acceleration (m/s^2) of the sled."""
    t = np.array(MEASURED["sled_time_ms"]) * 1e-3
    fine = np.arange(0.0, END + BEYOND + 1e-9, 1e-4)
    a = np.interp(fine, t, np.array(MEASURED["sled_g"]) * G)
    v = cumulative_trapezoid(a, fine, initial=0.0)
    x = cumulative_trapezoid(v, fine, initial=0.0)
    return np.interp(time, fine, x), np.interp(time, fine, a)


def subject(tone: str = "braced", **more: Any) -> Person:
    """A volunteer: men of the size of the average one (their figures are not in the data base of the runs)."""
    return Person(stature=1.77, mass=77.0, sex="male", neck=tone, trunk=tone, legs=tone, arms=tone, **more)


def head_and_neck(tone: str) -> Results:
    """Head and neck on a thorax whose T1 moves and turns as measured, in the mean of all runs."""
    whole = mechanism(subject(tone))
    names = ("Thorax", "Neck", "Head")
    joints = tuple(j for j in whole.joints if {j.body_i, j.body_j} <= set(names))
    held = {joint.name for joint in joints}
    bodies = tuple(body for body in whole.bodies if body.name in names)
    thorax = next(body for body in bodies if body.name == "Thorax")
    (base,) = [j for j in joints if "Thorax" in (j.body_i, j.body_j)]
    arm = np.array(base.point_i if base.body_i == "Thorax" else base.point_j)
    arm = rotation_matrix(thorax.orientation) @ arm
    fine = np.arange(0.0, END + BEYOND + 1e-9, 5e-3)
    pitch = np.radians(CubicSpline(TIME, measured("t1_pitch")[0])(fine))
    x = CubicSpline(TIME, measured("t1_x")[0] * 1e-3)(fine) + sled(fine)[0]
    z = CubicSpline(TIME, measured("t1_z")[0] * 1e-3)(fine)
    c, s = np.cos(pitch), np.sin(pitch)
    moves = {
        "x": arm[0] + x - (c * arm[0] + s * arm[2]),
        "z": arm[2] + z - (-s * arm[0] + c * arm[2]),
        "pitch": pitch,
    }
    still = {"y": 0.0 * fine, "yaw": 0.0 * fine, "roll": 0.0 * fine}
    drivers = tuple(
        Driver(name=f"T1 {name}", target="Thorax", coordinate=name,
               function=TableFunction(times=tuple(fine.tolist()), values=tuple(values.tolist())))
        for name, values in (moves | still).items()
    )  # fmt: skip
    forces = tuple(f for f in whole.forces if getattr(f, "joint", "") in held)
    rig = Assembly(name="Rig", role="rig", bodies=bodies, joints=joints, forces=forces, drivers=drivers)
    project = Project(
        name="Head and neck", scenario=Rig(assembly=rig, duration=END),
        settings=SolverSettings(tolerance=1e-6),
    )  # fmt: skip
    return simulate(project)


LEAD = 0.3  # s, in which a rider sinks into the seat before the pulse
HARNESS = {"stiffness": 1.5e4, "damping": 150.0, "slack": 0.0, "slip_resistance": 50.0}


#: Of the pelvic strap, in the seat from its anchor below the pan, and on the pelvis where the lap belt lies (m).
PELVIC = (0.02, 0.05, -0.12), (0.11, 0.03, 0.02)


def on_sled(tone: str, pelvic_strap: bool = False, **webbing: float) -> Results:
    """A whole rider, held by lap belt and two shoulder straps alone, on a stiff seat on the sled.

    pelvic_strap: with an inverted V from the lap belt down between the thighs, which volunteers are said to have worn.
    """
    moves = np.arange(0.0, END + BEYOND + 1e-9, 5e-3)
    place = np.concatenate([np.zeros(round(LEAD / 5e-3)), sled(moves)[0]])
    times = tuple((np.arange(len(place)) * 5e-3).tolist())
    base = Body(name="Sled", mass=500.0, inertia=(100.0,) * 3, position=(0.0, 0.0, 1.0))
    rail = Joint(name="Rail", kind="prismatic", body_i=GROUND, body_j="Sled", point_i=(0.0, 0.0, 1.0),
                 axis_i=(1.0, 0.0, 0.0), axis_j=(1.0, 0.0, 0.0))  # fmt: skip
    pulse = Driver(name="Pulse", target="Rail", coordinate="slide",
                   function=TableFunction(times=times, values=tuple(place.tolist())))  # fmt: skip
    seat = Seat(name="Seat", body="Sled", position=(0.0, 0.0, 0.0))
    rig = Assembly(name="Rig", role="rig", bodies=(base,), joints=(rail,), drivers=(pulse,), seats=(seat,))
    project = Project(
        name="Sled", scenario=Rig(assembly=rig, duration=LEAD + END), settings=SolverSettings(tolerance=1e-5)
    )
    project = put_seat(project, (), "Seat", "viegas2016", "none")
    project = set_element(project, "seat", ("Seat",), {"shape": _plain(project)})
    project, _ = make_rider(project, (), subject(tone, held=False, hinges=True))
    top = project.assembly
    assert top is not None
    (rider,) = top.riders
    belts = tuple(
        belt_of(top.seats[0].model_copy(update={"restraint": made}), rider, 1.0).model_copy(
            update={"name": f"Belt {made.name}"}
        )
        for made in _harness(HARNESS | webbing)
    )
    if pelvic_strap:
        belts += tuple(_pelvic(rider, side, HARNESS | webbing) for side in ("left", "right"))
    top = top.model_copy(update={"forces": belts})
    scenario = project.scenario.model_copy(update={"assembly": top})
    return simulate(project.model_copy(update={"scenario": scenario}))


def _pelvic(rider: Assembly, side: str, webbing: dict[str, float]) -> Force:
    """One half of the inverted V."""
    (x, y, z), (u, v, w) = PELVIC
    sign = 1.0 if side == "left" else -1.0
    return TYPES["belt"].model(
        name=f"Belt pelvic {side}", body_i="Sled", point_i=(x, sign * y, z),
        body_j=f"{rider.name}/Pelvis", point_j=(u, sign * v, w), **webbing,
    )  # fmt: skip


def _plain(project: Project) -> SeatShape:
    """The seat with pan and back alone, as that of the sled was: nothing stands before the hips or beside the chest."""
    assert project.assembly is not None
    shape = project.assembly.seats[0].shape
    assert shape is not None
    parts = tuple(part for part in shape.parts if part.kind not in ("pommel", "bolster"))
    return shape.model_copy(update={"parts": parts})


def _harness(webbing: dict[str, float]) -> tuple[Restraint, ...]:
    """Lap belt and two shoulder straps, each from an anchor to another."""
    lap = load_restraint("lap_belt")
    stops = tuple(stop.model_dump() for stop in lap.webbing.stops) if lap.webbing else ()
    made = [lap.model_copy(update={"name": "lap", "webbing": Webbing(stops=stops, **webbing)})]
    for side, sign in (("left", 1.0), ("right", -1.0)):
        pad = Capsule(name="Strap", position=(0.4, 0.09 * sign, 0.36), radius=0.02, length=0.22)
        ends = ((-0.20, 0.09 * sign, 0.56), (-0.05, 0.20 * sign, -0.15))
        way = ({"place": ends[0]}, {"pad": "Strap"}, {"place": ends[1]})
        made.append(
            Restraint(kind="vest", name=side, pads=(pad,), motion="slides", axis=(-1.0, 0.0, 0.0), slide=0.4,
                      webbing=Webbing(stops=way, **webbing))
        )  # fmt: skip
    return tuple(made)


def t1_on_sled(results: Results) -> dict[str, np.ndarray]:
    """Motion of T1 of a rider relative to the sled at the instants of `TIME`: mm and degrees."""
    whole = mechanism(subject())
    joint = next(j for j in whole.joints if {j.body_i, j.body_j} == {"Thorax", "Neck"})
    arm = np.array(joint.point_i if joint.body_i == "Thorax" else joint.point_j)
    thorax, base = (moved(results, name, LEAD) for name in ("Rider/Thorax", "Sled"))
    turn = rotation_matrix(thorax.orientation)
    place = thorax.position + turn @ arm - base.position
    whole_turn = np.einsum("nij,jk->nik", turn, turn[0].T)
    place -= place[0]
    pitch = np.degrees(np.arctan2(-whole_turn[:, 2, 0], whole_turn[:, 0, 0]))
    return {"t1_x": 1e3 * place[:, 0], "t1_z": 1e3 * place[:, 2], "t1_pitch": pitch}


def compared(results: Results, head: str = "Head") -> dict[str, np.ndarray]:
    """What the head does beside what was measured at the same instants, as (value - mean) in mm, degrees or g."""
    out = seen(results, head)
    return {name: values - measured(name)[0] for name, values in out.items()}


def seen(results: Results, head: str = "Head", lead: float = 0.0) -> dict[str, np.ndarray]:
    """Motion of a head relative to the sled at the instants of `TIME`: mm, degrees, g."""
    motion = moved(results, head, lead)
    place = motion.position - motion.position[0]
    turn = rotation_matrix(motion.orientation)
    first = turn[0].T
    whole = np.einsum("nij,jk->nik", turn, first)
    return {
        "head_x": 1e3 * (place[:, 0] - sled(TIME)[0]),
        "head_z": 1e3 * place[:, 2],
        "head_pitch": np.degrees(np.unwrap(np.arctan2(-whole[:, 2, 0], whole[:, 0, 0]))),
        "head_ax": motion.acceleration[:, 0] / G,
    }


#: The anatomical origin of the head, between the ears, from its centre of mass: 8 mm behind and 31 mm below (Beier and
#: others 1980, recalled), in m.
ORIGIN = np.array([-0.0083, 0.0, -0.0313])


def origin_of_head(results: Results) -> dict[str, np.ndarray]:
    """Way of the anatomical origin of a rider's head relative to the sled at the instants of `TIME`, mm."""
    motion = moved(results, "Rider/Head", LEAD)
    place = motion.position + rotation_matrix(motion.orientation) @ ORIGIN
    place -= place[0]
    return {"head_x": 1e3 * (place[:, 0] - sled(TIME)[0]), "head_z": 1e3 * place[:, 2]}


def moved(results: Results, body: str, lead: float) -> Motion:
    """Motion of a body at the instants of `TIME` themselves: the nearest stored one is up to half a step away, in which
    T1 goes 0.6 mm."""
    return Sampler(results.states, TIME + lead).body(results.names.bodies.index(body))
