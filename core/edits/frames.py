"""Frames of beams made by hand: a new one, new rows of its lists, and which of its parts a place belongs to."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from ..base.errors import InputError
from ..base.frozen import Frozen, Vec3
from ..model.assembly import Assembly
from ..model.bodies import GROUND, Body
from ..model.flexible import (
    BeamPart,
    BeamSection,
    FlexibleBody,
    Interface,
    Node,
    NodeMass,
    NodeSpring,
)
from ..model.placement import placed_model
from ..project.project import Project
from ..project.scenario import Rig
from .changes import changed, free_name
from .elements import add_element

LENGTH = 3.0  # m, of the beam of a new frame
LOAD = 200.0  # kg at the end of a new frame that stands alone
HEIGHT = 2.0  # m above the ground, there
SECTION = BeamSection(shape="tube", diameter=0.1683, wall=0.0063)  # a size of EN 10210-2
NEAR = 0.05  # of the size of a frame: how far from a node a place still means it


def new_frame(holder: Assembly) -> FlexibleBody:
    """A steel tube of 168.3 x 6.3 mm, 3 m along x from the first body of the assembly, which it is fixed to; from the
    ground where there is none."""
    bodies = [*holder.every("body")]
    start: Vec3 = (0.0, 0.0, HEIGHT)
    if bodies:
        x, y, z = (float(c) for c in placed_model(holder).placed(bodies[0])[0])
        start = (x, y, z)
    end = (start[0] + LENGTH, *start[1:])
    taken = (one.name for rows in (holder.bodies, holder.children, holder.flexibles) for one in rows)
    return FlexibleBody(
        name=free_name("Frame", taken),
        nodes=(Node(name="A", position=start), Node(name="B", position=end)),
        beams=(BeamPart(start="A", end="B", section=SECTION),),
        interfaces=(Interface(node="A", body=bodies[0] if bodies else GROUND),),
    )


def add_frame(project: Project, owner: tuple[str, ...]) -> tuple[Project, tuple[str, ...]]:
    """Add `new_frame` to an assembly. A project without track, train or rig becomes a test rig: the frame stands out
    from the ground, with a load of 200 kg at its end. Returns the project and the path of the frame.

    Raises InputError for a project with a track but nothing that moves, which a rig would take the place of.
    """
    top = project.assembly
    if top is not None:
        holder = top.at(owner)
        if holder is None or holder.role == "rider":
            raise InputError("A rider cannot hold a frame of beams; select a car, the train or the rig.")
        return add_element(project, "flexible", owner, new_frame(holder))
    if project.track is not None:
        raise InputError(
            "The project has a track but no train to hold a frame; add a car first (Train menu)."
        )
    end = (LENGTH, 0.0, HEIGHT)
    load = Body(name="Load", mass=LOAD, inertia=(10.0, 10.0, 10.0), position=end)
    frame = FlexibleBody(
        name="Frame",
        nodes=(Node(name="A", position=(0.0, 0.0, HEIGHT)), Node(name="B", position=end)),
        beams=(BeamPart(start="A", end="B", section=SECTION),),
        interfaces=(Interface(node="A", body=GROUND), Interface(node="B", body="Load")),
    )
    rig = Rig(assembly=Assembly(name="Rig", role="rig", bodies=(load,), flexibles=(frame,)))
    return changed(project, "Project", {"scenario": rig}), ("Frame",)


def new_row(body: FlexibleBody, name: str, chosen: Sequence[int], bodies: Sequence[str]) -> Frozen:
    """A new row of the list `name` of a frame, like the last of the chosen rows or of all; bodies: what an interface
    may be fixed to. Raises InputError where there is nothing that it could be of."""
    if name == "nodes":
        return _next_node(body, chosen)
    if name == "beams":
        return _next_beam(body, chosen)
    nodes = [node.name for node in body.nodes]
    if name == "springs":
        if len(nodes) < 2:
            raise InputError(f"'{body.name}' has one node; add another for a spring between them.")
        if body.imported is not None:
            raise InputError(f"'{body.name}' is imported and has no springs of its own.")
        return NodeSpring(start=nodes[-2], end=nodes[-1])
    taken = [one.node for one in (body.masses if name == "masses" else body.interfaces)]
    node = next((node for node in reversed(nodes) if node not in taken), None)
    if node is None:
        what = "a mass" if name == "masses" else "an interface"
        raise InputError(f"Every node of '{body.name}' has {what}; add a node first.")
    if name == "masses":
        return NodeMass(node=node, mass=100.0)
    fixed = [one.body for one in body.interfaces]
    free = next((one for one in bodies if one == GROUND or one not in fixed), None)
    if free is None:
        raise InputError(f"Every body has an interface of '{body.name}'; add a body first.")
    return Interface(node=node, body=free)


def _next_node(body: FlexibleBody, chosen: Sequence[int]) -> Node:
    """A node one step further: as far from the chosen one as that is from the node before it, or 1 m along x."""
    k = chosen[-1] if chosen else len(body.nodes) - 1
    here = body.nodes[k].position
    before = body.nodes[k - 1].position if k > 0 else (here[0] - 1.0, *here[1:])
    x, y, z = (2.0 * a - b for a, b in zip(here, before, strict=True))
    last = body.nodes[-1].name
    following = chr(ord(last) + 1) if len(last) == 1 and last not in "Zz9" else last
    return Node(name=free_name(following, [node.name for node in body.nodes]), position=(x, y, z))


def _next_beam(body: FlexibleBody, chosen: Sequence[int]) -> BeamPart:
    """A beam like the chosen one from its end to the first node that has none, or that it does not lead to yet."""
    if not body.beams:
        raise InputError(f"'{body.name}' is imported and has no beams of its own.")
    like = body.beams[chosen[-1] if chosen else -1]
    used = {node for beam in body.beams for node in (beam.start, beam.end)}
    joined = {
        node for beam in body.beams if like.end in (beam.start, beam.end) for node in (beam.start, beam.end)
    }
    nodes = [node.name for node in body.nodes]
    to = [n for n in nodes if n not in used] + [n for n in nodes if n not in {*joined, like.end}]
    if not to:
        raise InputError(
            f"Node '{like.end}' has a beam to every other node of '{body.name}'; add a node first."
        )
    return like.model_copy(update={"start": like.end, "end": to[0]})


def part_at(body: FlexibleBody, position: ArrayLike) -> tuple[str, int] | None:
    """List and number of the node or beam that a position (3,) m as drawn belongs to; None where it
    is near no node of an imported structure."""
    p = np.asarray(position, dtype=np.float64)
    positions = {node.name: node.position for node in body.nodes}
    corners = np.array([*positions.values()])
    size = float(np.linalg.norm(np.ptp(corners, axis=0)))
    away = np.linalg.norm(corners - p, axis=1)
    if away.min() <= NEAR * size:
        return "nodes", int(away.argmin())
    if not body.beams:
        return None
    return "beams", min(range(len(body.beams)), key=lambda k: _from_line(p, *body.beams[k].ends(positions)))


def _from_line(p: np.ndarray, start: Vec3, end: Vec3) -> float:
    """How far (m) a place is from a line between two places."""
    a, along = np.array(start), np.subtract(end, start)
    length = math.hypot(*along)
    share = 0.0 if length == 0.0 else float(np.clip((p - a) @ along / length**2, 0.0, 1.0))
    return float(np.linalg.norm(p - a - share * along))
