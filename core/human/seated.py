"""Seats and restraints as equations know them: surfaces on the bodies that carry them, contacts with who sits there,
belts over them.

Only riders whom nothing but their seat holds get them: a pelvis that is fixed to its seat rides as before.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from ..base.frame import Frame
from ..base.frames import from_matrix, rotation_matrix
from ..model.assembly import Assembly, Seat
from ..model.bodies import GROUND, SEAT
from ..model.forces import TYPES, Force
from ..model.references import references
from ..model.restraints import RESTRAINTS
from ..model.seats import PARTS, Padding
from ..model.surfaces import Surface
from .posture import base_name

SUNK = 0.1  # m, to which who rests in soft padding may have sunk; a fit begins at the surface
HELD = 1e5  # N/m along a surface, of the skin and clothes that friction holds by


def with_seats(top: Assembly) -> Assembly:
    """The assembly with surfaces and contacts of the seats on which somebody sits freely; itself without such. It is
    not checked again."""
    if not any(seat.shape or seat.restraint for seat in top.every("seat").values()):
        return top
    surfaces: dict[str, list[Surface]] = {}
    forces: dict[str, list[Force]] = {}
    for prefix, holder in top.walk():
        for seat, rider in _free(top, prefix, holder):
            for surface, padding, touches in _surfaces(holder, seat):
                carrier = GROUND if seat.body == GROUND else prefix + seat.body
                surfaces.setdefault(carrier, []).append(surface)
                forces.setdefault(prefix, []).extend(_contacts(seat, rider, surface, padding, touches))
            if seat.restraint is not None and seat.restraint.webbing is not None:
                from .belts import belt_of
                from .closing import closed_on

                forces.setdefault(prefix, []).append(belt_of(seat, rider, closed_on(holder, seat).locked))

    def change(prefix: str, at: Assembly) -> Assembly:
        update: dict[str, Any] = {"children": tuple(change(f"{prefix}{c.name}/", c) for c in at.children)}
        if any(prefix + body.name in surfaces for body in at.bodies):
            update["bodies"] = tuple(
                body.model_copy(update={"surfaces": (*body.surfaces, *surfaces.get(prefix + body.name, ()))})
                for body in at.bodies
            )
        if prefix in forces:
            update["forces"] = (*at.forces, *forces[prefix])
        if not prefix and GROUND in surfaces:
            update["surfaces"] = (*at.surfaces, *surfaces[GROUND])
        return at.model_copy(update=update)

    return change("", top) if forces else top


def _free(top: Assembly, prefix: str, holder: Assembly) -> Iterator[tuple[Seat, Assembly]]:
    """The seats of an assembly, with a shape or a restraint, on which somebody sits whom no joint holds."""
    seats = {seat.name: seat for seat in holder.seats if seat.shape or seat.restraint}
    for rider in holder.riders:
        seat = seats.get(str(rider.seat))
        if seat is None or any(SEAT in (joint.body_i, joint.body_j) for joint in rider.joints):
            continue
        own = f"{prefix}{rider.name}/"
        ends = (
            {(above + path).startswith(own) for _, kind, path in references(joint) if kind == "body"}
            for above, at in top.walk()
            if own.startswith(above) and own != above
            for joint in at.joints
        )
        if not any(len(sides) == 2 for sides in ends):
            yield seat, rider


def _surfaces(holder: Assembly, seat: Seat) -> Iterator[tuple[Surface, Padding, tuple[str, ...]]]:
    """The surfaces of a seat and its closed restraint on the body that carries it, how they yield, what they touch."""
    frame = Frame(np.asarray(seat.position), rotation_matrix(seat.orientation))
    for part in seat.shape.parts if seat.shape else ():
        yield _on_body(frame, seat, part.placed, part.name), part.padding, PARTS[part.kind].touches
    restraint = seat.restraint
    if restraint is not None and restraint.webbing is None:
        from .closing import closed_on  # takes kernels, which whoever has no restraint does not need

        for pad in restraint.closed(closed_on(holder, seat).locked):
            name = f"{restraint.word}, {pad.name.lower()}"
            yield _on_body(frame, seat, pad, name), restraint.padding, RESTRAINTS[restraint.kind].touches


def _on_body(frame: Frame, seat: Seat, surface: Surface, name: str) -> Surface:
    x, y, z = frame.point(surface.position).tolist()
    a, b, c, d = from_matrix(frame.rotation @ rotation_matrix(surface.orientation)).tolist()
    update = {"name": f"{seat.name} {name}", "position": (x, y, z), "orientation": (a, b, c, d)}
    return surface.model_copy(update=update)


def _contacts(
    seat: Seat, rider: Assembly, surface: Surface, padding: Padding, touches: Iterable[str]
) -> Iterator[Force]:
    """The contacts of a surface with the segments of a rider that it is meant for."""
    for body in rider.bodies:
        if base_name(body.name) not in touches or not body.surfaces:
            continue
        fields: dict[str, Any] = {
            "kind": "contact", "name": f"{surface.name}, {rider.name}/{body.name}".replace("/", " "),
            "body_i": f"{rider.name}/{body.name}", "body_j": seat.body, "surface_j": surface.name,
            "start_depth": SUNK, **padding.as_contact,
        }  # fmt: skip
        if padding.friction > 0.0:
            fields |= {
                "friction": "bristle", "friction_coefficient": padding.friction, "tangential_stiffness": HELD
            }  # fmt: skip
        yield TYPES["contact"].model(**fields)
