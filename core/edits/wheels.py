"""Wheels of a car in one step: two axles with wheelsets on sprung slides, the running gear of the library's car."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, Final

import numpy as np

from ..base.errors import InputError
from ..base.frames import rotation_matrix
from ..model.assembly import Assembly
from ..model.bodies import Body
from ..model.forces.ends import TwoPoints
from ..model.forces.rail_wheels import RailWheels
from ..model.joints import TYPES as JOINTS
from ..model.joints import Joint
from ..model.library import load_vehicle
from ..model.losses import Losses, losses_of, with_losses
from ..project.project import Project
from .changes import changed, free_name
from .elements import Path, assembly_at, delete_element, set_assembly
from .sizing import Surroundings
from .station import keep_on_track

LIKE: Final = "viegas2016"
FIRST_WHEELBASE = 2.0  # m, that of the library's car
FRAME, CARBODY = "Frame", "Carbody"  # of the library's car: what its axles carry, and what that carries
MOUNT, PIVOT = "Front axle mount", "Rear axle pivot"


def wheelbase_of(car: Assembly) -> float:
    """A wheelbase (m) for a car: as long as its seats reach along it, and no less than 2 m."""
    ahead = [seat.position[0] for seat in car.own("seat").values()]
    return max(FIRST_WHEELBASE, round(max(ahead) - min(ahead), 1)) if ahead else FIRST_WHEELBASE


def make_wheels(
    project: Project, car: Path, wheelbase: float | None = None, body: str = ""
) -> tuple[Project, str]:
    """Put a car on wheels: a front axle held by its body, a rear one that turns about the car's long axis, and at each
    of their ends a wheelset that follows a rail and slides across against a spring.

    Parameters
    ----------
    car
        Path of the car.
    wheelbase
        From axle to axle, m; by default as `wheelbase_of`.
    body
        What the axles carry; "" for what follows the track now, or the heaviest body.

    Returns
    -------
    The project, and a sentence of what was made. Guides of that body alone are replaced; wheels stand as far apart as
    the track's rails.

    Raises
    ------
    InputError
        Where there is no car, where other bodies are guided already, or for a wheelbase that is not above 0.
    """
    holder = assembly_at(project, car)
    if holder.role != "car":
        raise InputError("Wheels are made for a car; select a car of the train.")
    carried = _carried(holder, body)
    length = wheelbase_of(holder) if wheelbase is None else wheelbase
    if not 0.0 < length < 100.0:
        raise InputError(f"The wheelbase is {length:g} m; give a length above 0 and below 100 m.")
    gauge = project.track.gauge if project.track is not None else None
    parts, mass = _gear(holder, carried, length, gauge)
    kept = tuple(guide for guide in holder.guides if guide.body != carried)
    losses = losses_of(holder)
    bare = with_losses(holder, Losses())  # rolling resistance acts in the guides
    fields = {name: (*getattr(bare, name), *made) for name, made in parts.items()}
    fields["guides"] = (*kept, *parts["guides"])
    on_wheels = with_losses(changed(bare, f"'{holder.name}'", fields), losses)
    made = keep_on_track(set_assembly(project, car, {**fields, "forces": on_wheels.forces}))
    return made, (
        f"{holder.name}: two axles {length:g} m apart, four wheelsets and their springs, {mass:.0f} kg in all, carry"
        f" {carried}."
    )


def give_clearance(
    project: Project, car: Path, fields: Mapping[str, float] | None = None
) -> tuple[Project, str]:
    """Let the wheels of a car have clearance around their rails, tyres that give and up-stops.

    Wheelsets that slide across on an axle against a spring, as those of the library's car, are held by a force element
    `rail_wheels` in place of slide and spring, and turn with the rail: bodies, axles and seats stay as they are.

    Parameters
    ----------
    car
        Path of the car.
    fields
        Of the element: `road_stiffness`, `side_stiffness`, `up_stiffness` (N/m), `side_clearance`, `up_clearance`
        (m), `damping` (s/m).

    Returns
    -------
    The project, and a sentence of what was made.

    Raises
    ------
    InputError
        Where there is no car, none of its wheelsets slides on an axle, or a value is not allowed.
    """
    holder = assembly_at(project, car)
    bodies = holder.own("body")
    made: list[RailWheels] = []
    guides = list(holder.guides)
    gone: list[tuple[str, str]] = []  # kind and name, of slides and springs
    for k, guide in enumerate(holder.guides):
        slide = next((one for one in holder.joints if _slides(one, guide.body)), None)
        if guide.kind != "point" or slide is None:
            continue
        axle = slide.body_i if slide.body_j == guide.body else slide.body_j
        wheelset, held = bodies[guide.body], bodies[axle]
        at = np.add(wheelset.position, rotation_matrix(wheelset.orientation) @ np.array(guide.point))
        point = rotation_matrix(held.orientation).T @ (at - np.array(held.position))
        made.append(
            changed(
                RailWheels(
                    name=f"{guide.body} on its rail", body_i=guide.body, point_i=guide.point, body_j=axle,
                    point_j=tuple(point.tolist()),
                ),
                f"Wheels of '{guide.body}'", fields or {},
            )
        )  # fmt: skip
        guides[k] = guide.model_copy(update={"kind": "full"})
        between = {guide.body, axle}
        gone.append(("joint", slide.name))
        gone += [
            ("force", one.name)
            for one in holder.forces
            if {getattr(one, "body_i", ""), getattr(one, "body_j", "")} == between
        ]
    if not made:
        raise InputError(
            f"No wheelset of '{holder.name}' slides across on an axle; put it on wheels first (Put on wheels)."
        )
    for kind, name in gone:  # with what acts in them
        project = delete_element(project, kind, (*car, name))
    edited = {"guides": tuple(guides), "forces": (*assembly_at(project, car).forces, *made)}
    said = f"{len(made)} wheelsets of '{holder.name}' have clearance around their rails, and tyres that give."
    return set_assembly(project, car, edited), said


def _slides(joint: Joint, body: str) -> bool:
    made = JOINTS[joint.kind]
    return (made.turns, made.moves) == ("none", "axis") and body in (joint.body_i, joint.body_j)


def _carried(car: Assembly, body: str) -> str:
    own = {one.name: one for one in car.bodies}
    guided = sorted({guide.body for guide in car.guides})
    if body and body not in own:
        raise InputError(f"'{car.name}' has no body '{body}' of its own.")
    if len(guided) > 1 or any(name != (body or name) for name in guided):
        raise InputError(
            f"'{car.name}' has wheels already: {', '.join(guided)} follow the track. Delete them first."
        )
    if not own:
        raise InputError(f"'{car.name}' has no body of its own to carry; add one first.")
    return body or next((name for name in guided if name in own), max(own, key=lambda name: own[name].mass))


def _gear(
    car: Assembly, carried: str, wheelbase: float, gauge: float | None
) -> tuple[dict[str, tuple[Any, ...]], float]:
    """The parts by the lists they go to, and their mass (kg)."""
    like = load_vehicle(LIKE)
    around = Surroundings(car)
    gear = [one for one in like.bodies if one.name not in (FRAME, CARBODY)]
    own_gauge = 2.0 * max(abs(one.position[1]) for one in gear)
    aside = 0.5 * ((gauge or own_gauge) - own_gauge)
    names = {
        kind: {
            one.name: free_name(one.name, [other.name for other in getattr(car, kind)])
            for one in getattr(like, kind)
        }
        for kind in ("bodies", "joints", "guides", "forces")
    }
    named = names["bodies"] | {FRAME: carried}
    bodies = tuple(_placed(one, named[one.name], wheelbase, aside) for one in gear)
    there = {one.name for one in gear} | {FRAME}
    joints, forces = [], []
    for joint in like.joints:
        if {joint.body_i, joint.body_j} <= there:
            joints.append(_joint(joint, names["joints"], named, around, wheelbase, aside))
    for force in like.forces:
        if isinstance(force, TwoPoints) and {force.body_i, force.body_j} <= there - {FRAME}:
            update = {
                "name": names["forces"][force.name],
                "body_i": named[force.body_i],
                "body_j": named[force.body_j],
                "point_i": _aside(force.point_i, aside),
            }
            forces.append(force.model_copy(update=update))
    guides = tuple(
        guide.model_copy(update={"name": names["guides"][guide.name], "body": named[guide.body]})
        for guide in like.guides
    )
    made = {"bodies": bodies, "joints": tuple(joints), "forces": tuple(forces), "guides": guides}
    return made, sum(one.mass for one in bodies)


def _placed(body: Body, name: str, wheelbase: float, aside: float) -> Body:
    x, y, z = body.position
    return body.model_copy(
        update={
            "name": name, "position": (math.copysign(0.5 * wheelbase, x), y + _sign(y) * aside, z),
            "part": f"Running gear of {body.part}",
        }
    )  # fmt: skip


def _sign(value: float) -> float:
    return 0.0 if value == 0.0 else math.copysign(1.0, value)


def _aside(point: tuple[float, float, float], aside: float) -> tuple[float, float, float]:
    """A point of an axle, whose own x lies across the car, as far further out as its wheels."""
    return point[0] + _sign(point[0]) * aside, point[1], point[2]


def _joint(
    joint: Joint, names: dict[str, str], named: dict[str, str], around: Surroundings, wheelbase: float,
    aside: float,
) -> Joint:  # fmt: skip
    update: dict[str, Any] = {
        "name": names[joint.name], "body_i": named[joint.body_i], "body_j": named[joint.body_j]
    }  # fmt: skip
    if joint.name == PIVOT:
        like = load_vehicle(LIKE)
        frame = next(body for body in like.bodies if body.name == FRAME)
        x, y, z = np.add(frame.position, joint.point_i).tolist()
        at = np.array([math.copysign(0.5 * wheelbase, x), y, z])
        update["point_i"] = around.on(named[FRAME], at)
        update["axis_i"] = around.along(named[FRAME], np.array(joint.axis_i))
    elif joint.name != MOUNT:
        update["point_i"] = _aside(joint.point_i, aside)
    return joint.model_copy(update=update)
