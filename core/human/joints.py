"""The joints of a generated rider: ranges of motion, passive moments and posture muscles."""

from __future__ import annotations

import math
from typing import Any, Final

import numpy as np

from ..model.forces import TYPES, Force
from ..model.person import Person
from .posture import base_name
from .shape import Segment
from .tables import row, rows

Three = tuple[float, float, float]
REFERENCE: Final = 80.0 * 1.75  # kg m, of the start values
RANGE, MUSCLE = "range_of_motion", "posture_muscle"
#: Angles (degrees of flexion, dorsiflexion for the ankle) between which the measured curves are used; their end slopes
#: hold beyond. The sign: flexion of hip and elbow and dorsiflexion turn about -y, flexion of the knee about +y.
_SAMPLED: Final = {"hip": (-15, 110, -1.0), "knee": (0, 125, 1.0), "ankle": (-35, 30, -1.0)}
_STEP: Final = 5  # degrees


def limits(name: str) -> tuple[Three, Three]:
    """Lower and upper limits (rad) of a joint about x, y, z of its parent in program axes, from Table 4.3.

    The table counts about X left, Y up, Z forward: X -> y, Y -> z, Z -> x. This is the one place of that mapping.
    """
    found = row("joint_rom", joint=name.replace("Left ", "L ").replace("Right ", "R "))
    upper = tuple(math.radians(float(found[f"{c}_plus"])) for c in "zxy")
    lower = tuple(-math.radians(float(found[f"{c}_minus"])) for c in "zxy")
    return lower, upper  # type: ignore[return-value]


def passive_moment(joint: str, hip: float, knee: float, ankle: float) -> float:
    """Moment (N m) that flexes hip or knee or dorsiflexes the ankle, at angles in degrees (Riener & Edrich 1999).

    M = sum of sign exp(c0 + c_ankle a + c_knee k + c_hip h) + constant, of able-bodied adults without muscle activity.
    """
    found = {
        r["parameter"]: float(r["value"])
        for r in rows("passive_joints")
        if (r["model"], r["joint"]) == ("riener1999", joint)
    }
    moment = found["constant"]
    for k in (1, 2, 3):
        if f"term{k}_c0" in found:
            power = found[f"term{k}_c0"] + found[f"term{k}_c_ankle"] * ankle
            power += found[f"term{k}_c_knee"] * knee + found[f"term{k}_c_hip"] * hip
            moment += found[f"term{k}_sign"] * math.exp(power)
    return moment


def _curve(joint: str, drawn: dict[str, float], size: float) -> tuple[tuple[float, float], ...]:
    """Moment against the rotation about y (N m) over that rotation (rad), the other joints of the leg as drawn."""
    low, high, sign = _SAMPLED[joint]
    angles = np.arange(low, high + 1, _STEP)
    made = [
        (
            math.radians(sign * float(a)),
            -sign * size * passive_moment(joint, **{**drawn, joint: float(a)}),
        )
        for a in angles
    ]
    return tuple(sorted(made))


def size_factor(mass: float, stature: float) -> float:
    """By how much moments differ from the start values: mass times stature."""
    return mass * stature / REFERENCE


def ends(
    segments: tuple[Segment, ...], turned: dict[str, Three], person: Person, size: float
) -> tuple[Force, ...]:
    """A range of motion for every joint, counted from the standing pose."""
    made = []
    for s in segments:
        if s.parent is None:
            continue
        start, (lower, upper) = row("joint_start", joint=base_name(s.joint_name)), limits(s.joint_name)
        side = s.joint_name.removesuffix(base_name(s.joint_name))
        drawn = {
            joint: math.degrees(turned[side + joint][1]) * sign
            for joint, (_, _, sign) in _SAMPLED.items()
            if side + joint in turned
        }
        curve = {"curve_y": _curve(start["curve"], drawn, size)} if start["curve"] else {}
        inside = tuple(size * float(start[f"inside_{c}"]) for c in "xyz")

        def alike(column: str, start: dict[str, str] = start) -> Three:
            return (size * float(start[column]),) * 3

        fields: dict[str, Any] = {
            "kind": RANGE, "name": f"{s.joint_name} range", "joint": s.joint_name, "lower": lower, "upper": upper,
            "rest": turned[s.joint_name], "stiffness_inside": inside, "stiffness_beyond": alike("beyond"),
            "damping_inside": alike("damping_inside"), "damping_beyond": alike("damping_beyond"),
            "corner": math.radians(float(start["corner"])), "zero": (1.0, 0.0, 0.0, 0.0), "enabled": person.limits,
            **curve,
        }  # fmt: skip
        made.append(TYPES[RANGE].model(**fields))
    return tuple(made)


def muscles(segments: tuple[Segment, ...], person: Person, size: float) -> tuple[Force, ...]:
    """A posture muscle for every joint, disabled where its group is limp."""
    made = []
    for s in segments:
        if s.parent is None:
            continue
        joint = base_name(s.joint_name)
        tone = getattr(person, row("muscle_start", joint=joint)["group"])
        start = row("muscle_start", joint=joint, tone="normal" if tone == "limp" else tone)
        fields: dict[str, Any] = {
            "kind": MUSCLE, "name": f"{s.joint_name} muscle", "joint": s.joint_name, "enabled": tone != "limp",
            "delay": float(start["delay"]),
        }  # fmt: skip
        fields |= {key: size * float(start[key]) for key in ("stiffness", "damping", "largest")}
        made.append(TYPES[MUSCLE].model(**fields))
    return tuple(made)


def acting_muscles(data: Any) -> int:
    """How many posture muscles are enabled in a rider, a train or a project, given as its JSON data."""
    if not isinstance(data, dict):
        return 0
    forces: list[Any] = data.get("forces") or []
    own = sum(bool(force.get("enabled")) for force in forces if force.get("kind") == MUSCLE)
    inside = (*(data.get("children") or ()), data.get("train"), data.get("scenario"), data.get("assembly"))
    return own + sum(acting_muscles(one) for one in inside)
