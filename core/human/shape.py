"""The segments standing upright: joints, centres of mass, half axes and moments of inertia.

Axes: x forward, y left, z up, the floor at z = 0, the middle at y = 0; body axes are parallel to them.
Places scale with stature. A segment's skin is an ellipsoid with one given half axis; the others follow from mass and
density, m = 4/3 pi rho a b c, in a given ratio. Its moments about the axis of a are m/5 (b^2 + c^2).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from ..base.arrays import Array
from ..model.person import Person
from .anthropometry import Size, sitting_ratio, size_of
from .masses import PAIRED, SEGMENTS, de_leva, masses
from .tables import Sourced, rows

DENSITY: Final = 1000.0  # kg/m^3
REFERENCE_INDEX: Final = 24.0  # kg/m^2, of the body whose girths go with a stature
SEAT_OF_ADULT: Final = 0.477  # height of the seated buttocks over stature, 1 - 0.523 (ANSUR II, median men)
NECK_ABOVE: Final = 0.0117  # of T1/C7 above the suprasternale, over stature
SHOULDER_BELOW: Final = 0.0183  # of the shoulder below it
JOINT_IN_HEAD: Final = 0.0132  # of C1/head above the chin


@dataclass(frozen=True)
class Outline:
    """One segment in fractions of stature: its joint to the parent, centre of mass, middle of the skin (all (x, y, z)),
    long axis, half length along it, ratio of the two other half axes."""

    joint: tuple[float, float, float] | None
    centre: tuple[float, float, float]
    middle: tuple[float, float, float]
    long: str
    half: float
    ratio: float
    source: str


@dataclass(frozen=True)
class Segment:
    """One of the 17 bodies, standing (m, kg, kg m^2).

    joint: in the axes of the whole body, None for the pelvis; centre: of mass; middle and half: centre and half axes
    (x, y, z) of the skin's ellipsoid; inertia: principal, about the body axes.
    """

    name: str
    parent: str | None
    joint_name: str
    joint: Array | None
    centre: Array
    middle: Array
    half: Array
    inertia: Array
    mass: Sourced
    length: Sourced
    girth: Sourced
    moments: Sourced


def segments(person: Person) -> tuple[Segment, ...]:
    """The 17 segments of a person, parents first. Raises InputError for sizes that are missing or out of range."""
    size = size_of(person)
    weights = masses(person, size)
    filled = weights if person.girths == "mass" else masses(person, _of_reference(size))
    outlines = _outlines(person, size, weights)
    found = []
    for r in rows("geometry"):
        name = r["body"]
        for side in ("Left ", "Right ") if name in PAIRED else ("",):
            parent = r["parent"] and (f"{side}{r['parent']}" if r["parent"] in PAIRED else r["parent"])
            joint = f"{side}{r['joint']}" if side else r["joint"]
            found.append(
                _segment(
                    person,
                    size,
                    weights[name],
                    filled[name],
                    outlines[name],
                    name,
                    side,
                    parent or None,
                    joint,
                )
            )
    return tuple(found)


def _of_reference(size: Size) -> Size:
    """Somebody of the same stature with the mass of the reference index."""
    mass = REFERENCE_INDEX * size.stature.value**2
    return replace(size, mass=Sourced(mass, "kg", "chosen", f"{REFERENCE_INDEX:g} kg/m^2"))


def _segment(
    person: Person,
    size: Size,
    mass: Sourced,
    filled: Sourced,
    outline: Outline,
    name: str,
    side: str,
    parent: str | None,
    joint: str,
) -> Segment:
    h = size.stature.value
    mirror = np.array([1.0, -1.0 if side == "Right " else 1.0, 1.0])
    half, girth = _half_axes(person, size, filled, outline, name)
    inertia, moments = _inertia(person, size, mass, half, name)
    return Segment(
        side + name,
        parent,
        joint,
        None if outline.joint is None else h * mirror * np.array(outline.joint),
        h * mirror * np.array(outline.centre),
        h * mirror * np.array(outline.middle),
        half,
        inertia,
        mass,
        Sourced(2.0 * h * outline.half, "m", "inferred", outline.source),
        girth,
        moments,
    )


def _half_axes(
    person: Person, size: Size, filled: Sourced, outline: Outline, name: str
) -> tuple[Array, Sourced]:
    source = f"mass over {DENSITY:g} kg/m^3"
    if person.girths == "stature":
        source = f"stature alone, as of {REFERENCE_INDEX:g} kg/m^2"
    long = size.stature.value * outline.half
    product = 3.0 * filled.value / (4.0 * math.pi * DENSITY * long)
    first, second = math.sqrt(product * outline.ratio), math.sqrt(product / outline.ratio)
    half = np.array([long, first, second] if outline.long == "x" else [second, first, long])
    around = math.pi * (3.0 * (first + second) - math.sqrt((3.0 * first + second) * (first + 3.0 * second)))
    return half, Sourced(around, "m", "inferred", source)


def _inertia(person: Person, size: Size, mass: Sourced, half: Array, name: str) -> tuple[Array, Sourced]:
    found = de_leva(name, person.sex)
    if person.inertia == "gyration" and found is not None:
        length = found["length"] * size.stature.value
        about = ("r_sagittal", "r_transverse", "r_long")  # about the fore-aft, the side and the long axis
        if name == "Foot":
            about = ("r_long", "r_transverse", "r_sagittal")
        made = mass.value * (np.array([found[key] for key in about]) * length) ** 2
        return made, Sourced(float(made.max()), "kg m^2", "measured", "radii of gyration, de Leva 1996")
    squares = half**2
    ellipsoid: Array = mass.value / 5.0 * (squares.sum() - squares)
    source = "homogeneous ellipsoid, m/5 (b^2 + c^2)"
    return ellipsoid, Sourced(float(ellipsoid.max()), "kg m^2", "inferred", source)


def _table() -> dict[str, Outline]:
    made = {}
    for r in rows("geometry"):
        joint = tuple(float(r[f"joint_{c}"]) for c in "xyz") if r["joint_x"] else None
        centre = tuple(float(r[f"centre_{c}"]) for c in "xyz")
        made[r["body"]] = Outline(
            joint, centre, centre, r["long"], float(r["half_long"]), float(r["ratio"]),  # type: ignore[arg-type]
            "fractions of stature, Drillis & Contini 1966 and de Leva 1996, some chosen",
        )  # fmt: skip
    return made


def _outlines(person: Person, size: Size, weights: dict[str, Sourced]) -> dict[str, Outline]:
    table = _table()
    if person.scaling == "de_leva":
        return _de_leva_outlines(table, person.sex)
    if person.scaling == "child":
        return _child_outlines(table, person, size, weights)
    return table


def _de_leva_outlines(table: dict[str, Outline], sex: str) -> dict[str, Outline]:
    """Lengths and centres of mass of de Leva, from the ankle upwards; widths and shapes of the table."""
    r = {name: de_leva(name, sex) for name in SEGMENTS}
    length = {name: found["length"] for name, found in r.items() if found}
    ankle = _height(table, "Foot")
    knee = ankle + length["Calf"]
    hip = knee + length["Thigh"]
    omphalion = hip + length["Pelvis"]
    xiphion = omphalion + length["Abdomen"]
    sternale = xiphion + length["Thorax"]
    chin = 1.0 - length["Head"]
    shoulder = sternale - SHOULDER_BELOW
    elbow = shoulder - length["Arm"]
    wrist = elbow - length["Forearm"]
    neck, skull = sternale + NECK_ABOVE, chin + JOINT_IN_HEAD
    joints = {
        "Abdomen": omphalion, "Thorax": xiphion, "Neck": neck, "Head": skull, "Arm": shoulder, "Forearm": elbow,
        "Hand": wrist, "Thigh": hip, "Calf": knee, "Foot": ankle,
    }  # fmt: skip
    upper = {
        "Pelvis": omphalion, "Abdomen": xiphion, "Thorax": sternale, "Head": 1.0, "Arm": shoulder, "Forearm": elbow,
        "Hand": wrist, "Thigh": hip, "Calf": knee,
    }  # fmt: skip
    made = {}
    for name, old in table.items():
        x, y, z = old.centre
        row = r[name]
        if row is None:  # the neck, between its two joints
            z = 0.5 * (neck + skull)
        elif name == "Foot":
            x = -0.25 * length["Foot"] + row["com"] * length["Foot"]
        else:
            z = upper[name] - row["com"] * length[name]
        middle = (old.centre[0], y, upper[name] - 0.5 * length[name]) if name in upper else (x, y, z)
        if name == "Foot":
            middle = (0.25 * length["Foot"], y, z)
        if name == "Hand":  # his length ends at the knuckles
            middle = (x, y, wrist - old.half)
        joint = None if old.joint is None else (*old.joint[:2], joints[name])
        half = (
            old.half
            if row is None or name == "Hand"
            else 0.5 * length[name] * (2.0 * old.half / _span(table, name))
        )
        source = f"de Leva 1996, {'women' if sex == 'female' else 'men'}; widths as fractions of stature"
        made[name] = replace(old, joint=joint, centre=(x, y, z), middle=middle, half=half, source=source)
    return made


def _height(table: dict[str, Outline], name: str) -> float:
    """Height of a segment's joint to its parent, over stature."""
    joint = table[name].joint
    assert joint is not None
    return joint[2]


def _span(table: dict[str, Outline], name: str) -> float:
    """Length between the ends of a segment in the table, of which its skin covers a given share."""
    reached = {
        "Pelvis": 0.6137 - 0.53, "Abdomen": 0.7375 - 0.6137, "Thorax": 0.836 - 0.7375, "Head": 0.13, "Arm": 0.186,
        "Forearm": 0.146, "Hand": 0.108, "Thigh": 0.245, "Calf": 0.246, "Foot": 0.152,
    }  # fmt: skip
    return reached[name]


def _child_outlines(
    table: dict[str, Outline], person: Person, size: Size, weights: dict[str, Sourced]
) -> dict[str, Outline]:
    """The table with shorter legs, by the ratio of sitting height to stature, and a head as large as its mass says."""
    assert size.age is not None
    ratio = sitting_ratio(person, size.age.value).value
    legs: float = (1.0 - ratio) / SEAT_OF_ADULT
    old_hip, old_skull = _height(table, "Thigh"), _height(table, "Head")
    head = table["Head"]
    volume = weights["Head"].value / DENSITY / size.stature.value**3
    # the shape of an adult's head of 4.3 kg at 1.75 m
    slim = 3.0 * 4.3 / (4.0 * math.pi * DENSITY * head.half * 1.75**3) / head.half**2
    half: float = (3.0 * volume / (4.0 * math.pi * slim)) ** (1.0 / 3.0)
    skull = 1.0 - (1.0 - old_skull) * half / head.half
    hip = old_hip * legs
    trunk = (skull - hip) / (old_skull - old_hip)

    def up(z: float) -> float:
        if z <= old_hip:
            return z * legs
        if z <= old_skull:
            return hip + (z - old_hip) * trunk
        return skull + (z - old_skull) * half / head.half

    made = {}
    shoulder = _height(table, "Arm")
    for name, old in table.items():
        scale = legs if name in ("Thigh", "Calf") else trunk
        if name == "Head":
            scale = half / head.half
        if name in ("Foot", "Hand", "Arm", "Forearm"):
            scale = 1.0

        def moved(p: tuple[float, float, float], name: str = name) -> tuple[float, float, float]:
            if name in ("Arm", "Forearm", "Hand"):  # hanging from the shoulder with an adult's proportions
                return (p[0], p[1], up(shoulder) + p[2] - shoulder)
            return (p[0], p[1], up(p[2]))

        made[name] = replace(
            old, joint=None if old.joint is None else moved(old.joint), centre=moved(old.centre),
            middle=moved(old.middle), half=scale * old.half,
            source=f"sitting height over stature {ratio:.3f} (Fredriks et al. 2005), head from its mass",
        )  # fmt: skip
    return made
