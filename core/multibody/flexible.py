"""Flexible bodies compiled: reduced once, placed among the bodies, their interface frames as constraint rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from ..base.arrays import Array, Integers
from ..base.errors import InputError, located
from ..base.frames import from_matrix, rotation_matrix
from ..base.sentence import say
from ..model.bodies import MIN_MASS, MIN_MOMENT, Body
from ..model.flexible import FlexibleBody, Imported, ImportedSurface
from ..model.frame_checks import frame_faults
from . import arrays as t
from .flatten import Flat, Local, Placed
from .layout import RIGID, Layout
from .rows import Pose, Rows, Tied

if TYPE_CHECKING:  # loaded by those who have a flexible body
    from ..structure.beams import Piece
    from ..structure.floating import Cloud, Floating
    from ..structure.model import Structure
    from ..structure.surface import Surface

KEPT = 32  # reductions that are remembered


@dataclass(frozen=True)
class End:
    """An interface: its name among the joints, its node, the body there and the node in that body's axes (m)."""

    name: str
    node: str
    at: Local
    point: Array


@dataclass(frozen=True)
class Flexible:
    """A flexible body of a system: its name, number among the bodies, description, modes, ends, and the bodies that are
    taken out of its mass."""

    name: str
    body: int
    description: FlexibleBody
    floating: Floating
    ends: tuple[End, ...]
    less: tuple[Carried, ...] = ()


@dataclass(frozen=True)
class Carried:
    """A rigid body at a node that is a part of the structure's own mass: kg, tensor (9 numbers) kg m^2 and place of its
    centre from the node (m), in the axes of the structure."""

    node: str
    mass: float
    inertia: tuple[float, ...]
    arm: tuple[float, ...]


@lru_cache(maxsize=KEPT)
def built_of(description: FlexibleBody) -> tuple[Structure, list[Piece]]:
    """The structure of a description, its nodes as frames, and its elements. Raises InputError for what cannot be
    built."""
    from ..structure.beams import Spring, frame, lay_out
    from ..structure.model import check_structure

    if description.imported is not None:
        raise InputError(f"Flexible body '{description.name}' is imported: it has no beams to be stressed.")
    nodes = {node.name: node.position for node in description.nodes}
    beams = [beam.made() for beam in description.beams]
    springs = [Spring(one.start, one.end, (*one.along, *one.about)) for one in description.springs]
    structure = frame(nodes, beams, springs)
    for sentence in check_structure(structure):
        raise InputError(sentence)
    return structure, lay_out(nodes, beams)[2]


def floating_of(given: Imported, stiffening: bool = True) -> Floating:
    """An imported structure in its floating frame, without shapes; stiffening: with the second-order displacement,
    where it was kept."""
    from ..structure.floating import Floating, Interface

    n, position = len(given.modal_mass), np.array(given.centre)
    known = stiffening and bool(given.stiffened)
    frames = {
        frame.node: Interface(
            np.array(frame.place) - position,
            np.array(frame.moves),
            np.array(frame.turns),
            np.reshape(frame.stiffened, (RIGID, n, n)) if known else np.zeros((RIGID, n, n)),
        )
        for frame in given.frames
    }
    J2 = np.reshape(given.bent_twice, (n, n, 3, 3))
    centrifugal = np.reshape(given.stiffened, J2.shape) if known else None
    return Floating(
        given.mass,
        position,
        np.reshape(given.inertia, (3, 3)),
        np.reshape(given.bent, (n, 3, 3)),
        J2 if centrifugal is None else J2 + centrifugal,
        np.reshape(given.coupling, (n, n, 3)),
        np.array(given.modal_mass),
        np.array(given.modal_stiffness),
        np.zeros((0, n)),
        frames,
        centrifugal,
    )


@lru_cache(maxsize=KEPT)
def surface_of(given: Imported) -> Surface:
    """The outside of an imported structure. Raises InputError when none was kept, or it is damaged."""
    from ..structure.surface import unpack

    s = given.surface
    if s is None:
        raise InputError(
            "The structure was imported without its nodes: it cannot be drawn and has no stress; import it again."
        )
    return unpack(s.packed, s.points, s.triangles, len(given.modal_mass), s.stressed, s.whole)


def imported_of(
    made: Floating, positions: Mapping[str, Array], source: str, surface: Surface | None = None
) -> Imported:
    """A reduced structure as a project keeps it; positions (3,) m of its frames. Raises InputError for a surface
    that is too large to be kept."""
    from ..structure.surface import pack

    def flat(values: Array) -> tuple[float, ...]:
        return tuple(np.ravel(values).tolist())

    stiff = made.centrifugal
    frames = [
        {
            "node": name, "place": flat(positions[name]), "moves": one.U.tolist(), "turns": one.R.tolist(),
            "stiffened": () if stiff is None else flat(one.H),
        }
        for name, one in made.interfaces.items()
    ]  # fmt: skip
    kept = None
    if surface is not None:
        packed, whole = pack(surface)
        kept = ImportedSurface(
            points=len(surface.points), triangles=len(surface.faces), stressed=surface.stressed, whole=whole,
            packed=packed,
        )  # fmt: skip
    return Imported(
        source=source,
        mass=made.mass,
        centre=flat(made.centre),  # type: ignore[arg-type]
        inertia=flat(made.J0),
        bent=flat(made.J1),
        bent_twice=flat(made.J2 if stiff is None else made.J2 - stiff),
        stiffened=() if stiff is None else flat(stiff),
        coupling=flat(made.G),
        modal_mass=flat(made.inertia),
        modal_stiffness=flat(made.stiffness),
        frames=frames,  # type: ignore[arg-type]
        surface=kept,
    )


def cloud_of(
    description: FlexibleBody, less: tuple[Carried, ...] = ()
) -> tuple[Structure, list[Piece], Cloud]:
    """The structure of a description with its elements, and all of its mass; less: bodies to be taken out of that.
    Raises InputError for what cannot be built."""
    from ..structure.floating import cloud_of_beams, cloud_of_body

    structure, pieces = built_of(description)
    cloud = cloud_of_beams(structure, pieces)
    for mass in description.masses:
        place = structure.frames[mass.node]
        cloud = cloud.joined(cloud_of_body(structure, place, mass.mass, np.zeros((3, 3)), np.zeros(3)))
    for body in less:
        inertia = -np.reshape(body.inertia, (3, 3))
        cloud = cloud.joined(
            cloud_of_body(structure, structure.frames[body.node], -body.mass, inertia, body.arm)
        )
    return structure, pieces, cloud


@lru_cache(maxsize=KEPT)
def reduced_body(description: FlexibleBody, less: tuple[Carried, ...] = ()) -> Floating:
    """A description as a body in a floating frame; less: bodies to be taken out of its mass.

    Reductions are remembered by content. Raises InputError naming the body for what cannot be built.
    """
    from ..structure.floating import floating
    from ..structure.reduction import LooseError, craig_bampton

    try:
        if description.imported is not None:
            made = floating_of(description.imported, description.stiffening)
            _check_weight(made)
            return made
        structure, pieces, cloud = cloud_of(description, less)
        frames = [one.node for one in description.interfaces]
        inner = structure.size - RIGID * len(frames)
        reduced = craig_bampton(structure, frames, min(description.modes, max(0, inner - 1)))
        highest = None if description.highest is None else 2.0 * np.pi * description.highest
        made = floating(reduced, cloud, pieces=pieces if description.stiffening else (), highest=highest)
        _check_weight(made)
        return made
    except InputError as error:
        fault = error.said
        if isinstance(
            error, LooseError
        ):  # by rounding it is met here or there; what its rows say is the same
            (_, fault) = next(frame_faults(description), ((), fault))
        raise InputError(say("Flexible body '{name}': {fault}", name=description.name, fault=fault)) from None


def _check_weight(made: Floating) -> None:
    minimum = float(np.linalg.eigvalsh(made.J0)[0])
    if not made.mass >= MIN_MASS or not minimum >= MIN_MOMENT:
        raise InputError(
            say(
                "It weighs {mass:.3g kg}, with a least moment of {minimum:.3g} kg m^2; a body has at least"
                " {min_mass:g kg} and {min_moment:g} kg m^2, so look at densities and sections.",
                mass=made.mass,
                minimum=minimum,
                min_mass=MIN_MASS,
                min_moment=MIN_MOMENT,
            )
        )


def add_flexible(flat: Flat) -> tuple[Flexible, ...]:
    """Add the flexible bodies of a scenario to its bodies, behind all others."""
    added = []
    for placed in flat.flexibles:
        with located(placed.where):
            added.append(_add(flat, placed))
    return tuple(added)


def _add(flat: Flat, placed: Placed[FlexibleBody]) -> Flexible:
    description, origin = placed.element, flat.origins[placed.scope]
    positions = {node.name: origin.point(node.position) for node in description.nodes}
    ends, less = [], []
    for one in description.interfaces:
        local = placed.bodies[one.body]
        name = f"{placed.name}/{one.node}"
        if local.body < 0:
            ends.append(End(name, one.node, local, positions[one.node]))
            continue
        turn = _axes(flat, local.body)
        arm = positions[one.node] - flat.position[local.body]
        ends.append(End(name, one.node, local, turn.T @ arm))
        if description.includes_bodies:
            body = flat.bodies[local.body]
            own = origin.rotation.T @ turn
            tensor = own @ body.inertia_tensor() @ own.T
            centre = -origin.rotation.T @ arm
            less.append(Carried(one.node, body.mass, tuple(tensor.ravel().tolist()), tuple(centre.tolist())))
    made = reduced_body(description, tuple(less))
    position = origin.point(made.centre)
    velocity, spin = _carried_by(flat, ends[0], position)
    flat.names.append(placed.name)
    flat.bodies.append(_body(description.name, made))
    flat.position.append(position)
    flat.orientation.append(from_matrix(origin.rotation))
    flat.velocity.append(velocity)
    flat.angular_velocity.append(origin.rotation.T @ spin)
    return Flexible(placed.name, len(flat.names) - 1, description, made, tuple(ends), tuple(less))


def _axes(flat: Flat, body: int) -> Array:
    return rotation_matrix(flat.orientation[body])


def _carried_by(flat: Flat, end: End, position: Array) -> tuple[Array, Array]:
    """Velocity (world) at a place and angular velocity (world) of the body at an interface."""
    k = end.at.body
    if k < 0:
        return np.zeros(3), np.zeros(3)
    spin = _axes(flat, k) @ flat.angular_velocity[k]
    return flat.velocity[k] + np.cross(spin, position - flat.position[k]), spin


def _body(name: str, made: Floating) -> Body:
    """A stand-in among the bodies, rigid as drawn."""
    J = made.J0
    return Body(
        name=name, mass=made.mass, inertia=tuple(np.diag(J)), products=(-J[0, 1], -J[0, 2], -J[1, 2]),
        position=(0.0, 0.0, 0.0),
    )  # fmt: skip


def add_ties(rows: Rows, number: int, one: Flexible, pose: Pose) -> None:
    """Append the rows of the interface frames of the flexible body of a number."""
    for end in one.ends:
        interface = one.floating.interfaces[end.node]
        other = pose.index(end.at)
        turn = pose.A[one.body].T @ pose.A[other]
        parts = (interface.place, end.point, turn, interface.U, interface.R, interface.H)
        rows.owners.append(("ties", len(rows.ties), end.name))
        numbers = np.concatenate([np.ravel(part) for part in parts])
        rows.ties.append(Tied(number, one.body, other, numbers))


def flexible_tables(
    flexible: Sequence[Flexible], rows: Rows, layout: Layout, with_blocks: Sequence[int]
) -> tuple[dict[int, Integers], dict[int, Array]]:
    """The tables FLEX and TIE."""
    plain = layout.plain.tolist()
    index, numbers = [], []
    for one in flexible:
        m = len(one.floating.inertia)
        first = plain.index(int(layout.slots[one.body]) + RIGID)
        index.append([one.body, m, first, list(with_blocks).index(one.body)])
        f = one.floating
        parts = (f.stiffness, damping_of(one), f.J1, f.J2, f.G)
        numbers.append(np.concatenate([np.ravel(part) for part in parts]))
    ties = [[tie.flexible, tie.body, tie.other] for tie in rows.ties]
    return {
        t.FLEX: np.array(index, dtype=np.int64),
        t.TIE: np.array(ties, dtype=np.int64),
    }, {t.FLEX: _padded(numbers), t.TIE: _padded([tie.numbers for tie in rows.ties])}


def damping_of(one: Flexible) -> Array:
    """Damping (modes, modes) between modal coordinates: the ratio holds with the first interface held, as the
    modes of a free body are far above those with which it swings when it is held."""
    given, f = one.description, one.floating
    if given.damping == "proportional":
        return np.diag(given.alpha * f.inertia + given.beta * f.stiffness)
    return f.damping_held(one.ends[0].node, given.ratio)


def _padded(rows: Sequence[Array]) -> Array:
    out = np.zeros((len(rows), max(len(row) for row in rows)))
    for k, row in enumerate(rows):
        out[k, : len(row)] = row
    return out
