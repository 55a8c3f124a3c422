"""What joins two bodies at two places that somebody points at: a joint, a spring, any element with two points."""

from __future__ import annotations

from itertools import takewhile
from typing import NamedTuple

import numpy as np

from ..base.errors import InputError
from ..base.fields import references, specs_of
from ..base.frozen import Frozen, Vec3
from ..model.bodies import GROUND
from ..model.forces import TYPES
from ..model.joints import TYPES as JOINTS
from ..model.placement import placed_model
from ..project.project import Project
from .elements import Path, add_element, assembly_at
from .new_elements import new_force, new_joint
from .sizing import Ends, Surroundings, world_of


class Spot(NamedTuple):
    """A place on a body: the path of the body, empty for the ground, and the point (m) in its axes from its centre of
    mass, of the ground in the axes of the rig."""

    body: Path
    point: Vec3


class Joining(NamedTuple):
    """What can join two places: what it is called, and what it does."""

    title: str
    about: str


def joining_kinds() -> dict[str, Joining]:
    """Each kind of force element with two points and of joint by its key, those sized for their masses first."""
    forces = {
        kind: Joining(made.word.capitalize(), _values(made.model))
        for kind, made in sorted(TYPES.items(), key=lambda item: item[1].sized is None)
        if "point_j" in made.model.model_fields
    }
    return forces | {kind: Joining(f"{kind.capitalize()} joint", made.title) for kind, made in JOINTS.items()}


def _values(made: type[Frozen]) -> str:
    """The titles of what somebody may set in it beside its ends."""
    ends = ("name", "enabled", "point_i", "point_j", *references(made, "body"))
    titles = [spec.title.lower() for spec in specs_of(made) if spec.name not in ends]
    return f"With {', '.join(titles)}." if titles else ""


def join_places(project: Project, kind: str, first: Spot, second: Spot) -> tuple[Project, tuple[str, Path]]:
    """Add a joint or force element between two places, held by the assembly in which both are.

    Parameters
    ----------
    kind
        A key of `joining_kinds`.
    first, second
        The places. A joint lies at the first one, a rod between both.

    Returns
    -------
    The project, and what was added: "joint" or "force", and its path. Its values are those of `new_force`.

    Raises
    ------
    InputError
        For a kind that joins no two places, two places on one body, and a place on the ground beside a track, which
        moves past a train.
    """
    if kind not in joining_kinds():
        raise InputError(f"A '{kind}' joins no two places; choose one of {', '.join(joining_kinds())}.")
    if first.body == second.body:
        on = "the ground" if not first.body else f"'{'/'.join(first.body)}'"
        raise InputError(f"Both places are on {on}; choose one on another body.")
    if project.train is not None and not (first.body and second.body):
        raise InputError("A train moves past the ground; choose both places on bodies of the train.")
    grounded = not (first.body and second.body)
    owner = () if grounded else _common(first.body[:-1], second.body[:-1])
    top = project.assembly
    assert top is not None  # its bodies were found
    holder, world = assembly_at(project, owner), world_of(top, owner)
    drawn, around = placed_model(top), Surroundings(holder, world)
    turn = world.rotation.T
    names, points = [], []
    for spot in (first, second):
        path = "/".join(spot.body)
        if path and path not in drawn.bodies:
            raise InputError(f"There is no body '{path}'.")
        place = drawn.frame(path or GROUND).point(spot.point)
        names.append("/".join(spot.body[len(owner) :]) or GROUND)
        points.append(turn @ (place - world.position))
    ends = Ends(names[0], np.array(points[0]), names[1], np.array(points[1]))
    what = "joint" if kind in JOINTS else "force"
    make = new_joint if kind in JOINTS else new_force
    made, path_of = add_element(project, what, owner, make(around.holder, kind, ends, world))
    return made, (what, path_of)


def _common(one: Path, other: Path) -> Path:
    alike = takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False))
    return tuple(name for name, _ in alike)
