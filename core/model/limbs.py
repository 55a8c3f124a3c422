"""The limbs of a rider: what lies beyond the parts that riders are judged by."""

from __future__ import annotations

from .assembly import JUDGED
from .placement import PlacedModel, joined


def limbs(drawn: PlacedModel, rider: str) -> tuple[str, ...]:
    """Paths of the bodies of the rider at a path that no criterion reads and that carry nothing between those it does:
    all but the judged ones (`assembly.JUDGED`) and what lies between them along the rider's joints, where loads such
    as the neck's pass. With the usual riders these are arms and legs."""
    inside = f"{rider}/" if rider else ""
    own = [path for path in drawn.bodies if path.startswith(inside)]
    beside: dict[str, list[str]] = {path: [] for path in own}
    for path, assembly in drawn.assemblies.items():
        if path == rider or path.startswith(inside):
            for joint in assembly.joints:
                ends = [body for body in drawn.connected(path, joint) if body in beside]
                for body in ends:
                    beside[body] += [end for end in ends if end != body]
    first, *others = (joined(rider, str(getattr(drawn.assemblies[rider], part))) for part in JUDGED)
    before = {first: first}
    reached = [first]
    for body in reached:  # grows: joint by joint
        for end in beside[body]:
            if end not in before:
                before[end] = body
                reached.append(end)
    between = {first, *others}
    for body in others:
        while before.get(body, first) != first:
            body = before[body]
            between.add(body)
    return tuple(body for body in own if body not in between)
