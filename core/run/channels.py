"""Derived signals on one even time grid: what riders feel, speed, place, tilting.

What lies between the stored instants `results.sampler` says.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..base.arrays import Array
from ..base.frames import rotation_matrix
from ..base.specific_force import lateral_in_plane, nca_of_body, roll_between, specific_force
from ..model.assembly import Assembly
from ..model.forces.belt import SLIPPING_BELT
from ..model.placement import joined
from ..multibody.compile import System
from ..multibody.flatten import PlacedCar
from ..project.project import Project
from ..project.sampling import assessed_seats
from ..results.results import Channel, States
from ..results.sampler import Motion, Sampler
from ..results.spilled import release, zeros
from ..solver.devices import device_power, device_work
from .coupling_forces import CouplingForces, coupling_channels, coupling_forces, stored_values
from .neck import NeckCut, neck_cuts, neck_load, outside_loads

RIDER_BODIES = ("head", "upper_torso", "pelvis")
SHARED = "train/"  # what the names of channels begin with to which every car adds its part
BLOCK = 4096  # samples derived together: no ride needs room for all that leads to its channels


def sample_times(states: States, rate: float) -> Array:
    """Instants k / rate from the first stored instant to the last."""
    span = float(states.time[-1] - states.time[0])
    return float(states.time[0]) + np.arange(int(np.floor(span * rate + 1e-9)) + 1) / rate


@dataclass(frozen=True)
class _Neck:
    """A rider's neck with what pulls on the head from outside the rider at the stored instants: force (n, 3) N and
    moment (n, 3) N m."""

    cut: NeckCut
    force: Array
    moment: Array


def derive_channels(project: Project, system: System, states: States, times: Array) -> dict[str, Channel]:
    """All channels of a run: per rider the specific force of head, upper torso and pelvis, the head's angular
    velocity and acceleration and the load of the neck; per car speed, arc length of its origin on the
    centreline, NCA of the carbody and of the rail plane, and roll of the carbody; per coupling force, work, extension,
    angles and inner travel; slip of belts; force and work of the devices of the track. times: evenly apart."""
    cuts = {rider: cut for rider, cut in neck_cuts(project).items() if rider in system.riders}
    outside = outside_loads(tuple(cuts.values()), system, states)
    necks = {rider: _Neck(cut, *outside[rider]) for rider, cut in cuts.items()}
    couplings = coupling_forces(project, system, states)
    release(*vars(states).values())
    out: dict[str, Channel] = {}
    every = float(times[1] - times[0]) if len(times) > 1 else None
    for first in range(0, len(times), BLOCK):
        block = slice(first, first + BLOCK)
        parts = _block(project, system, necks, couplings, Sampler(states, times[block], every))
        if not out:
            room = zeros(len(times), *(part.values.shape[1:] for part in parts.values()))
            out = {
                name: replace(parts[name], values=values) for name, values in zip(parts, room, strict=True)
            }
        for name, part in parts.items():
            out[name].values[block] = part.values
        release(*(channel.values for channel in out.values()))
        release(*vars(states).values())
    return out


def joined_channels(each: Sequence[dict[str, Channel]]) -> dict[str, Channel]:
    """Channels of all parts; those of the train are the sums of the parts'."""
    out: dict[str, Channel] = {}
    for channels in each:
        for name, channel in channels.items():
            if name in out and name.startswith(SHARED):
                out[name].values[:] += channel.values
            else:
                out[name] = channel
    return out


def _block(
    project: Project,
    system: System,
    necks: dict[str, _Neck],
    couplings: tuple[CouplingForces, ...],
    sampler: Sampler,
) -> dict[str, Channel]:
    """All channels at the instants of a sampler."""
    index = {name: k for k, name in enumerate(system.names)}
    gravity = np.array(project.gravity)

    def of_neck(rider: str, head: Motion) -> dict[str, Channel]:
        return _neck_channels(gravity, necks[rider], head, sampler) if rider in necks else {}

    out = rider_channels(project, system.riders, index, sampler.body, of_neck)
    if system.built is not None:
        for car in system.cars:
            out |= _car_channels(project, system, car, sampler)
    out |= seat_channels(project, index, sampler.body)
    for one in couplings:
        out |= _coupling_channels(one, sampler)
    return out | _belt_channels(system, sampler) | _device_channels(system, sampler)


def rider_channels(
    project: Project,
    riders: Mapping[str, Mapping[str, str]],
    index: Mapping[str, int],
    body: Callable[[int], Motion],
    neck: Callable[[str, Motion], dict[str, Channel]] = lambda rider, head: {},
) -> dict[str, Channel]:
    """What every rider feels, from the motion of bodies by their numbers; neck: the load of a rider's, by the motion of
    the head."""
    gravity = np.array(project.gravity)
    out: dict[str, Channel] = {}
    for rider, roles in riders.items():
        for role in RIDER_BODIES:
            motion = body(index[roles[role]])
            felt = specific_force(motion.acceleration, motion.orientation, gravity, g=_unit(gravity))
            out[f"rider/{rider}/{role}/acceleration"] = Channel(
                felt, "g", "rider axes", "specific force at the centre of mass, gravity in, unfiltered"
            )
            if role == "head":
                out[f"rider/{rider}/head/angular_velocity"] = Channel(
                    motion.angular_velocity, "rad/s", "rider axes", "angular velocity of the head"
                )
                out[f"rider/{rider}/head/angular_acceleration"] = Channel(
                    motion.angular_acceleration, "rad/s^2", "rider axes", "angular acceleration of the head"
                )
                out |= neck(rider, motion)
    return out


def _unit(gravity: Array) -> float:
    """m/s^2 that are one g."""
    return float(np.linalg.norm(gravity)) or 9.81


def seat_channels(
    project: Project, index: Mapping[str, int], body: Callable[[int], Motion]
) -> dict[str, Channel]:
    """Specific force at every assessed seat, from the motion of the body that carries it:
    a = a_C + A (w' x s + w x (w x s)), less gravity, in the axes of the seat."""
    out: dict[str, Channel] = {}
    motions: dict[str, Motion] = {}
    top = project.assembly
    for path, (on, seat) in (assessed_seats(top) if top is not None else {}).items():
        if on not in index:
            continue
        if on not in motions:
            motions[on] = body(index[on])
        motion = motions[on]
        s, w = np.asarray(seat.position), motion.angular_velocity
        relative = np.cross(motion.angular_acceleration, s) + np.cross(w, np.cross(w, s))
        gravity = np.array(project.gravity)
        unit = _unit(gravity)
        felt = specific_force(motion.acceleration, motion.orientation, gravity, g=unit)
        turned = (felt + relative / unit) @ rotation_matrix(seat.orientation)
        out[f"seat/{path}/acceleration"] = Channel(
            turned, "g", "seat axes", "specific force at the seat, gravity in, unfiltered"
        )
    return out


def _coupling_channels(one: CouplingForces, sampler: Sampler) -> dict[str, Channel]:
    """Force, extension, angles, work and what moves inside of a coupling."""
    motions = [sampler.body(end.body) for end in one.ends]
    poses = [(motion.position, motion.orientation) for motion in motions]
    return coupling_channels(one, poses, sampler.linear(stored_values(one)))


def _belt_channels(system: System, sampler: Sampler) -> dict[str, Channel]:
    """How far webbing that slips has passed over each of its points."""
    about, out = "webbing that has passed over point {} since the start, towards its first anchor", {}
    for one in system.connectors:
        if one.use is None or one.use.law is not SLIPPING_BELT:
            continue
        passed = sampler.linear(sampler.states.internal[:, slice(*one.internal)])
        for k in range(passed.shape[1]):
            out[f"belt/{one.name}/slip {k + 1}"] = Channel(
                passed[:, k], "m", "along the belt", about.format(k + 1)
            )
    return out


def _device_channels(system: System, sampler: Sampler) -> dict[str, Channel]:
    """What the devices of the track do to each car and to the train; nothing without devices."""
    if not system.device_cars:
        return {}
    states, frame = sampler.states, "along the track"
    force = sampler.linear(states.device_force)
    power = device_power(system, states.path_speed, states.device_force)
    work = sampler.scalar(device_work(states.time, power)[:, None], power[:, None])[:, 0]
    each = "force of lifts, launches, brakes and tyres on the car, forward positive"
    out = {
        f"car/{car}/device_force": Channel(force[:, k], "N", frame, each)
        for k, car in enumerate(system.device_cars)
    }
    out["train/device_force"] = Channel(
        force.sum(axis=1), "N", frame, f"{each.replace('the car', 'all cars')}"
    )
    out["train/device_work"] = Channel(
        work, "J", "-", "work of lifts, launches, brakes and tyres on the train since the start"
    )
    return out


def _neck_channels(gravity: Array, neck: _Neck, head: Motion, sampler: Sampler) -> dict[str, Channel]:
    outside = sampler.linear(neck.force), sampler.linear(neck.moment)
    force, moment = neck_load(neck.cut, head, gravity, outside)
    rider, axes = neck.cut.rider, "head, SAE J211 (forward, right, down)"
    return {
        f"rider/{rider}/neck/force": Channel(
            force, "N", axes, "force of the neck on the head, muscles included: Fz positive in tension"
        ),
        f"rider/{rider}/neck/moment": Channel(
            moment, "N m", axes, "moment of the neck on the head at its joint: My positive in flexion"
        ),
    }


def _car_channels(project: Project, system: System, car: PlacedCar, sampler: Sampler) -> dict[str, Channel]:
    index = {name: k for k, name in enumerate(system.names)}
    own = car.description.own("body")
    bodies = [index[joined(car.name, path)] for path in own]
    mass = np.array([body.mass for body in own.values()])
    velocity = sum(m * sampler.body(b).velocity for m, b in zip(mass, bodies, strict=True)) / mass.sum()
    prefix = f"car/{car.name}/"
    out = {
        prefix + "speed": Channel(
            np.linalg.norm(velocity, axis=1),
            "m/s",
            "world",
            "speed of the car's centre of mass, riders left out",
        )
    }
    position = car_arc_length(system, car, sampler)
    if position is not None:
        out[prefix + "arc_length"] = Channel(
            position,
            "m",
            "centreline",
            "arc length of the car's origin on the centreline, counted on over laps",
        )
    carbody = _carbody(car.description)
    motion = sampler.body(index[joined(car.name, carbody)])
    out[prefix + "nca"] = Channel(
        nca_of_body(motion.acceleration, motion.orientation, np.array(project.gravity)),
        "m/s^2",
        "carbody",
        "non-compensated acceleration: lateral specific force of the carbody, positive to its left",
    )
    if position is not None and system.built is not None:
        out[prefix + "nca_rails"] = Channel(
            lateral_in_plane(
                motion.acceleration, system.built.frame_at(position)[1], np.array(project.gravity)
            ),
            "m/s^2",
            "rail plane",
            "the same acceleration in the rail plane: what the NCA would be if the carbody did not tilt",
        )
    chassis = _chassis(car.description, carbody)
    if chassis is not None:
        under = sampler.body(index[joined(car.name, chassis)])
        out[prefix + "roll"] = Channel(
            roll_between(under.orientation, motion.orientation),
            "rad",
            "chassis",
            f"roll of {carbody} against {chassis}, positive when the left side is raised",
        )
    return out


def _carbody(car: Assembly) -> str:
    """The body that carries the first seat, else the heaviest one."""
    own = car.own("body")
    carrying = (joined(path.rpartition("/")[0], seat.body) for path, seat in car.every("seat").items())
    return next((body for body in carrying if body in own), max(own, key=lambda path: own[path].mass))


def _chassis(car: Assembly, carbody: str) -> str | None:
    """What the carbody is hinged to."""
    own = car.own("body")
    for path, joint in car.every("joint").items():
        i, j = (joined(path.rpartition("/")[0], body) for body in (joint.body_i, joint.body_j))
        other = j if i == carbody else i if j == carbody else None
        if other in own:
            return other
    return None


def car_arc_length(system: System, car: PlacedCar, sampler: Sampler) -> Array | None:
    """Arc length (m) of a car's origin on the centreline: mean of its guides' places less their offsets."""
    built = system.built
    if built is None or not car.places:
        return None
    s = sampler.states
    positions = []
    for k, guide in enumerate(car.places, car.guides[0]):
        along = sampler.scalar(s.path_coordinate[:, [k]], s.path_speed[:, [k]])[:, 0]
        if guide.path != "centreline":
            along = built.rails[guide.path].to_centreline(along)
        positions.append(along - guide.ahead)
    return np.asarray(np.mean(positions, axis=0))
