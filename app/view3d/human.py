"""Riders as human beings: one mesh for every segment of an occupant, in the segment's own frame.

A segment that has surfaces is drawn by them, for they are its skin. Of others lengths come from the joints and girths
from the masses, so another occupant looks like another person.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Literal

import numpy as np

from ...core.base.arrays import Array
from ...core.human.drawing import inertia_half_axes
from ...core.model.assembly import Assembly
from ...core.model.bodies import Body
from ...core.model.surfaces import Ellipsoid
from ..widgets.theme import Colours
from .mesh import Part, box, capsule, ellipsoid, loft, merged, mixed, solid
from .skin import face_on, skin_part

if TYPE_CHECKING:
    import pyvista as pv

DENSITY = 1000.0  # kg/m^3 of the body segments
HEAD_MASS = 4.24  # kg of the head whose half axes are below
HEAD_HALF = (0.094, 0.074, 0.118)  # m
HAIR, SHOE = "#3a2a1e", "#2b2f36"
BARE = ("head", "neck", "forearm", "hand")
DRESSED = ("chest", "belly", "arm", "other")
BodyPart = Literal[
    "head", "neck", "chest", "belly", "pelvis", "thigh", "calf", "foot", "arm", "forearm", "hand", "other"
]
LEG: tuple[BodyPart, ...] = ("thigh", "calf", "foot")
ARM: tuple[BodyPart, ...] = ("arm", "forearm", "hand")


def rider_meshes(occupant: Assembly, colours: Colours, clothes: str) -> dict[str, pv.PolyData]:
    """A mesh for every body of an occupant by its name, in the body's frame (m); clothes: colour of the shirt."""
    parts = body_parts(occupant)
    return {
        body.name: solid(_segment(body, parts[body.name], occupant, colours, clothes))
        for body in occupant.bodies
    }


def _joint_points(body: Body, occupant: Assembly) -> Array:
    points = [j.point_i for j in occupant.joints if j.body_i == body.name and not j.type.rigid]
    points += [j.point_j for j in occupant.joints if j.body_j == body.name and not j.type.rigid]
    return np.array(points, dtype=float).reshape(-1, 3)


def _segment(body: Body, part: BodyPart, occupant: Assembly, colours: Colours, clothes: str) -> Part:
    points = _joint_points(body, occupant)
    trousers = mixed(colours.steel, "#1d2a44", 0.72)
    if body.surfaces:
        dress = SHOE if part == "foot" else clothes if part in DRESSED else trousers
        return _skin(body, part, colours.skin if part in BARE else dress, colours.skin)
    if part == "head":
        return _head(body, colours)
    if part == "chest" and len(points):
        return _upper_torso(points, clothes)
    if part == "pelvis" and len(points):
        return _pelvis(points, clothes, trousers)
    if part == "foot" and len(points):
        return _foot(points[0])
    if part == "hand" and len(points):
        return _hand(points[0], colours.skin)
    if len(points) >= 2:
        return _limb(body, part, points, colours, clothes, trousers)
    return _lump(body, clothes)


def _skin(body: Body, part: BodyPart, colour: str, skin: str) -> Part:
    """A segment as its surfaces; an ellipsoid that is a head gets a face."""
    whole = skin_part(body.surfaces, colour)
    first = body.surfaces[0]
    plain = isinstance(first, Ellipsoid) and len(body.surfaces) == 1 and first.orientation[0] == 1.0
    if part == "head" and isinstance(first, Ellipsoid) and plain:
        return face_on(whole, np.array(first.position), np.array(first.semi_axes), skin, HAIR)
    return whole


def _limb(body: Body, part: BodyPart, points: Array, colours: Colours, clothes: str, trousers: str) -> Part:
    """A limb from joint to joint, thicker towards the trunk; sleeves end above the elbow."""
    gaps = np.linalg.norm(points[:, None] - points[None], axis=-1)
    i, j = np.unravel_index(int(np.argmax(gaps)), gaps.shape)
    a, b = points[i], points[j]
    length = max(float(np.linalg.norm(b - a)), 0.03)
    radius = math.sqrt(body.mass / (DENSITY * math.pi * length))
    if part in ("thigh", "calf"):
        if a[2] + (a[0] < b[0]) * 0.0 < b[2] or (abs(a[2] - b[2]) < 1e-6 and a[0] > b[0]):
            a, b = b, a  # from the hip or knee downwards
        narrow = 0.74 if part == "thigh" else 0.8
        return capsule(a, b, 1.12 * radius, narrow * radius, trousers, sides=12)
    if part == "neck":
        return capsule(a, b, 0.054, 0.05, colours.skin, sides=12)
    if a[2] < b[2] or (abs(a[2] - b[2]) < 1e-6 and a[0] > b[0]):
        a, b = b, a
    if part == "arm":
        middle = a + 0.62 * (b - a)
        sleeve = capsule(a, middle, 1.32 * radius, 1.12 * radius, clothes, sides=12)
        return merged([sleeve, capsule(middle, b, 0.95 * radius, 0.86 * radius, colours.skin, sides=12)])
    return capsule(a, b, 1.0 * radius, 0.72 * radius, colours.skin, sides=12)


def _head(body: Body, colours: Colours) -> Part:
    """A face looking along xi, with hair, ears, eyes and nose."""
    k = (body.mass / HEAD_MASS) ** (1.0 / 3.0)
    x, y, z = (k * h for h in HEAD_HALF)
    rise = 0.018 * k
    share = np.linspace(-1.0, 1.0, 11)
    flat = np.sqrt(np.maximum(1.0 - share**2, 0.0))
    jaw = 1.0 - 0.22 * np.clip(-share, 0.0, 1.0)  # narrower below
    centres = np.stack([0.012 * k * np.clip(-share, 0, 1), np.zeros(11), rise + z * share], axis=1)
    face = loft(centres, x * flat * jaw, y * flat * jaw, colours.skin, sides=16)
    cap = ellipsoid([-0.022 * k, 0.0, rise + 0.026 * k], [0.98 * x, 1.07 * y, 0.94 * z], HAIR, sides=16)
    parts = [face, cap]
    nose = rise - 0.012 * k
    parts.append(
        ellipsoid(
            [x + 0.002 * k, 0.0, nose], [0.02 * k, 0.013 * k, 0.022 * k], colours.skin, rings=5, sides=8
        )
    )
    for side in (1.0, -1.0):
        eye = [0.88 * x, side * 0.031 * k, rise + 0.012 * k]
        parts.append(ellipsoid(eye, [0.012 * k, 0.012 * k, 0.009 * k], "#1f2328", rings=5, sides=8))
        ear = [-0.004 * k, side * 1.06 * y, rise]
        parts.append(ellipsoid(ear, [0.02 * k, 0.01 * k, 0.03 * k], colours.skin, rings=5, sides=8))
    mouth = [0.9 * x, 0.0, rise - 0.058 * k]
    parts.append(ellipsoid(mouth, [0.008 * k, 0.024 * k, 0.005 * k], "#9c5a4f", rings=5, sides=8))
    return merged(parts)


def _upper_torso(points: Array, clothes: str) -> Part:
    """Chest and shoulders between the lumbar joint (lowest point) and the neck."""
    low, high = float(points[:, 2].min()), float(points[:, 2].max())
    wide = max(float(np.abs(points[:, 1]).max()), 0.1)
    h = high - low
    rise = np.array([-0.16, -0.12, 0.0, 0.3, 0.58, 0.8, 0.95, 1.07, 1.14, 1.16])
    width = wide * np.array([0.0, 0.7, 0.84, 0.93, 1.0, 1.02, 0.95, 0.68, 0.36, 0.0])
    depth = wide * np.array([0.0, 0.52, 0.6, 0.68, 0.72, 0.68, 0.58, 0.44, 0.32, 0.0])
    lean = wide * np.array([0.0, 0.0, 0.0, 0.03, 0.06, 0.03, -0.02, -0.03, -0.02, -0.02])
    centres = np.stack([lean, np.zeros(len(rise)), low + h * rise], axis=1)
    return loft(centres, depth, width, clothes, exponent=2.5, sides=18)


def _pelvis(points: Array, clothes: str, trousers: str) -> Part:
    """Hips and belly from the seat up to the lumbar joint."""
    low, high = float(points[:, 2].min()), float(points[:, 2].max())
    wide = 1.75 * max(float(np.abs(points[:, 1]).max()), 0.06)
    h = high - low
    rise = np.array([-0.34, -0.3, -0.14, 0.1, 0.34, 0.36, 0.6, 0.85, 1.06, 1.1])
    width = wide * np.array([0.0, 0.62, 0.94, 1.02, 0.98, 0.96, 0.9, 0.85, 0.8, 0.0])
    depth = wide * np.array([0.0, 0.55, 0.76, 0.78, 0.74, 0.72, 0.66, 0.61, 0.55, 0.0])
    centres = np.stack([np.zeros(len(rise)), np.zeros(len(rise)), low + h * rise], axis=1)
    shades = [trousers] * 5 + [clothes] * 5
    return loft(centres, depth, width, shades, exponent=2.4, sides=18)


def _foot(ankle: Array) -> Part:
    """A shoe below the ankle, toes along xi."""
    drop = ankle[2] - 0.035
    along = np.array([-0.085, -0.08, -0.045, 0.02, 0.1, 0.16, 0.185, 0.19])
    high = np.array([0.0, 0.03, 0.045, 0.042, 0.031, 0.026, 0.018, 0.0])
    wide = np.array([0.0, 0.03, 0.038, 0.04, 0.046, 0.043, 0.03, 0.0])
    shift = np.array([ankle[0], ankle[1], drop])
    centres = np.stack([along, np.zeros(8), -0.04 + high], axis=1) + shift
    shoe = loft(centres, wide, high, SHOE, u=(0, 1, 0), v=(0, 0, 1), exponent=2.6, sides=14)
    sole = box(shift + np.array([0.052, 0.0, -0.042]), [0.13, 0.042, 0.008], "#d8dbde")
    ankle_top = capsule(
        shift + np.array([-0.005, 0.0, 0.0]),
        shift + np.array([-0.005, 0.0, 0.045]),
        0.04,
        0.04,
        "#d8dbde",
        sides=12,
    )
    return merged([shoe, sole, ankle_top])


def _hand(wrist: Array, skin: str) -> Part:
    """A slightly closed hand, fingers along xi."""
    along = np.array([0.0, 0.012, 0.045, 0.09, 0.125, 0.165, 0.18])
    thick = np.array([0.0, 0.021, 0.022, 0.02, 0.017, 0.014, 0.0])
    wide = np.array([0.0, 0.026, 0.038, 0.043, 0.04, 0.032, 0.0])
    bend = np.array([0.0, 0.0, 0.0, -0.002, -0.008, -0.022, -0.028])
    centres = wrist + np.stack([along, np.zeros(7), bend], axis=1)
    palm = loft(centres, thick, wide, skin, u=(0, 0, 1), v=(0, 1, 0), exponent=2.6, sides=12)
    inward = 1.0 if wrist[1] < 0.0 else -1.0
    thumb = capsule(
        wrist + np.array([0.04, inward * 0.03, -0.004]),
        wrist + np.array([0.1, inward * 0.045, -0.02]),
        0.014,
        0.011,
        skin,
        sides=8,
    )
    return merged([palm, thumb])


def _lump(body: Body, colour: str) -> Part:
    """A segment of unknown kind: the ellipsoid that has its moments of inertia."""
    half = inertia_half_axes(body)
    return ellipsoid([0.0, 0.0, 0.0], half, colour)


def body_parts(rider: Assembly) -> dict[str, BodyPart]:
    """The part that every body of a rider is, by its name, read from its roles and joints.

    The trunk lies between pelvis and head; what hangs on the pelvis are legs, what hangs on the rest of it are arms,
    both from the trunk outwards, with feet and hands at ends that are three or more joints away.
    """
    near: dict[str, list[str]] = {body.name: [] for body in rider.bodies}
    for joint in rider.joints:
        if joint.body_i in near and joint.body_j in near:
            near[joint.body_i].append(joint.body_j)
            near[joint.body_j].append(joint.body_i)
    found: dict[str, BodyPart] = dict.fromkeys(near, "other")
    trunk = _between(near, rider.pelvis, rider.head)
    for k, name in enumerate(trunk):
        below_head = k == len(trunk) - 2 and name != rider.upper_torso
        found[name] = "neck" if below_head else "belly"
    roles: tuple[tuple[str | None, BodyPart], ...] = (
        (rider.upper_torso, "chest"), (rider.pelvis, "pelvis"), (rider.head, "head")
    )  # fmt: skip
    for role, part in roles:
        if role is not None and role in found:
            found[role] = part
    seen = set(trunk)
    for root in trunk:
        for first in near[root]:
            if first not in seen:
                limb = _outwards(near, first, seen)
                names = LEG if root == rider.pelvis else ARM
                last = max(limb.values())
                for name, depth in limb.items():
                    found[name] = names[2] if depth == last >= 2 else names[min(depth, 1)]
    return found


def _between(near: dict[str, list[str]], start: str | None, end: str | None) -> list[str]:
    """The bodies from one to another along the joints, both included; empty where nothing joins them."""
    if start not in near or end not in near:
        return []
    before: dict[str, str | None] = {start: None}
    waiting = [start]
    for name in waiting:
        for other in near[name]:
            if other not in before:
                before[other] = name
                waiting.append(other)
    path: list[str] = []
    at: str | None = end if end in before else None
    while at is not None:
        path.append(at)
        at = before[at]
    return path[::-1]


def _outwards(near: dict[str, list[str]], first: str, seen: set[str]) -> dict[str, int]:
    """The bodies of a limb with the number of joints between each and the first; `seen` gets them."""
    depth = {first: 0}
    seen.add(first)
    waiting = [first]
    for name in waiting:
        for other in near[name]:
            if other not in seen:
                seen.add(other)
                depth[other] = depth[name] + 1
                waiting.append(other)
    return depth
