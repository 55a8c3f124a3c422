"""Which part of a human being each body of a rider is, read from the roles and the joints of the rider."""

from __future__ import annotations

from typing import Literal

from ...core.model.assembly import Assembly

BodyPart = Literal[
    "head", "neck", "chest", "belly", "pelvis", "thigh", "calf", "foot", "arm", "forearm", "hand", "other"
]
LEG: tuple[BodyPart, ...] = ("thigh", "calf", "foot")
ARM: tuple[BodyPart, ...] = ("arm", "forearm", "hand")


def body_parts(rider: Assembly) -> dict[str, BodyPart]:
    """The part that every body of a rider is, by its name.

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
