"""Vehicle and riders: what the model is made of."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

from core.model.assembly import Assembly, Car, Occupant
from core.model.elements import (
    AirDrag,
    Body,
    Force,
    Joint,
    JointStop,
    RollingResistance,
    RotationalSpring,
    SpringDamper,
)
from core.report.book import Book
from core.report.cells import count, figures, fixed, left, text
from core.report.document import Block, Cell, Column, Section, Table, Text
from core.report.figures.vehicle_figure import car_diagram
from core.report.run_view import RunView


def vehicle_section(view: RunView, book: Book) -> Section | None:
    """Cars (or the rig) and riders; cars alike are described once. None without any bodies."""
    project = view.project
    if project.scenario.kind == "rig":
        groups: tuple[tuple[str, Assembly], ...] = (("the rig", project.scenario.assembly),)
        blocks: tuple[Block, ...] = ()
    elif project.train is not None:
        groups = _alike(project.train.cars)
        blocks = (_train(project.train.cars),)
    else:
        return None
    inner = [_group(book, k, title, group) for k, (title, group) in enumerate(groups)]
    riders = _riders_alike(groups)
    inner += [_rider(k, title, rider) for k, (title, rider) in enumerate(riders)]
    return Section(id="vehicle", title="Vehicle and riders", page=True, blocks=blocks, sections=tuple(inner))


def _alike(cars: tuple[Car, ...]) -> tuple[tuple[str, Assembly], ...]:
    """Cars that differ in name, place and riders only stand as one."""
    groups: dict[Car, list[str]] = {}
    for car in cars:
        same = car.model_copy(update={"name": "-", "offset": 0.0, "occupants": ()})
        groups.setdefault(same, []).append(car.name)
    first = {car.name: car for car in cars}
    return tuple((_names(names), first[names[0]]) for names in groups.values())


def _names(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _riders_alike(groups: tuple[tuple[str, Assembly], ...]) -> list[tuple[str, Occupant]]:
    found: dict[Occupant, tuple[str, Occupant]] = {}
    for _, group in groups:
        for rider in group.occupants:
            same = rider.model_copy(update={"name": "-", "seat": "-"})
            found.setdefault(same, (rider.description or rider.name, rider))
    return list(found.values())


def _train(cars: tuple[Car, ...]) -> Table:
    def mass(bodies: Iterable[Body]) -> float:
        return sum(body.mass for body in bodies)

    rows = []
    for car in cars:
        riders = {rider.seat: rider.name for rider in car.occupants}
        seats = ", ".join(f"{s.name}: {riders.get(s.name, 'free')}" for s in car.seats)
        rows.append(
            (
                text(car.name),
                fixed(car.offset, 2),
                count(len(car.bodies)),
                fixed(mass(car.bodies), 1),
                fixed(mass(body for rider in car.occupants for body in rider.bodies), 1),
                text(seats),
            )
        )
    return Table(
        id="train",
        title="The train",
        columns=(
            left("car", "Car"),
            Column(key="offset", title="Behind the first", unit="m"),
            Column(key="bodies", title="Bodies"),
            Column(key="mass", title="Mass, empty", unit="kg"),
            Column(key="riders_mass", title="Riders", unit="kg"),
            left("seats", "Seats", 1.0),
        ),
        rows=tuple(rows),
    )


def _group(book: Book, k: int, title: str, group: Assembly) -> Section:
    blocks: list[Block] = [
        book.figure(
            f"vehicle_{k + 1}",
            f"Diagram of {title}",
            "Bodies as drawn, with what connects them; grey lines run from a joint to the bodies it joins.",
            car_diagram(group),
        ),
        _bodies(f"bodies_{k + 1}", f"Bodies of {title}", group.bodies),
    ]
    if group.seats:
        blocks.append(_seats(k, title, group))
    if group.joints:
        blocks.append(_joints(f"joints_{k + 1}", f"Joints of {title}", group.joints))
    if group.guides:
        blocks.append(_guides(k, title, group))
    if group.forces:
        blocks.append(_forces(f"forces_{k + 1}", f"Force elements of {title}", group.forces))
    if group.drivers:
        names = ", ".join(f"{d.name} ({d.coordinate} of {d.target})" for d in group.drivers)
        blocks.append(Text(text=f"Drivers: {names}."))
    return Section(id=f"vehicle_{k + 1}", title=title[0].upper() + title[1:], blocks=tuple(blocks))


def _rider(k: int, title: str, rider: Occupant) -> Section:
    blocks: list[Block] = [
        Text(
            text=(
                f"{_sentence(rider.description)}Judged are the segments {rider.head} (head), "
                f"{rider.upper_torso} (upper torso) and {rider.pelvis} (pelvis). Places are in the frame of the seat."
            ).strip()
        ),
        _bodies(f"rider_bodies_{k + 1}", "Segments of the rider", rider.bodies),
        _joints(f"rider_joints_{k + 1}", "Joints of the rider", rider.joints),
    ]
    if rider.forces:
        blocks.append(_forces(f"rider_forces_{k + 1}", "Force elements of the rider", rider.forces))
    name = rider.name if rider.name.lower().startswith("rider") else f"Rider {rider.name}"
    return Section(id=f"rider_{k + 1}", title=name, blocks=tuple(blocks))


def _sentence(text: str) -> str:
    """A text with a full stop and a space after it; nothing where there is none."""
    return f"{text.rstrip('. ')}. " if text.strip() else ""


def _vector(values: Iterable[float], decimals: int = 3) -> tuple[Cell, ...]:
    return tuple(fixed(value, decimals) for value in values)


def _three(
    key: str, group: str, unit: str, names: tuple[str, str, str] = ("x", "y", "z")
) -> tuple[Column, ...]:
    return tuple(Column(key=f"{key}_{name}", title=name, unit=unit, group=group) for name in names)


def _bodies(table_id: str, title: str, bodies: tuple[Body, ...]) -> Table:
    total = sum(body.mass for body in bodies)
    return Table(
        id=table_id,
        title=title,
        columns=(
            left("body", "Body", 1.0),
            Column(key="mass", title="Mass", unit="kg"),
            *_three("inertia", "Principal moments of inertia", "kg m²", ("ξ", "η", "ζ")),
            *_three("position", "Centre of mass", "m"),
        ),
        rows=tuple(
            (text(b.name), fixed(b.mass, 3), *(figures(i, 4) for i in b.inertia), *_vector(b.position))
            for b in bodies
        ),
        note=f"Mass of all: {fixed(total, 3).text} kg.",
    )


def _seats(k: int, title: str, group: Assembly) -> Table:
    riders = {rider.seat: rider.name for rider in group.occupants}
    return Table(
        id=f"seats_{k + 1}",
        title=f"Seats of {title}",
        columns=(
            left("seat", "Seat", 1.0),
            left("body", "On body"),
            *_three("position", "Place on the body", "m"),
            left("rider", "Rider"),
        ),
        rows=tuple(
            (text(s.name), text(s.body), *_vector(s.position), text(riders.get(s.name, "free")))
            for s in group.seats
        ),
    )


def _joints(table_id: str, title: str, joints: tuple[Joint, ...]) -> Table:
    return Table(
        id=table_id,
        title=title,
        columns=(
            left("joint", "Joint", 1.0),
            left("kind", "Kind"),
            left("body_i", "Body i"),
            left("body_j", "Body j"),
            *_three("point", "Point in body i", "m"),
        ),
        rows=tuple(
            (
                text(j.name),
                text(f"{j.kind}, locked" if j.locked else j.kind),
                text(j.body_i),
                text(j.body_j),
                *_vector(j.point_i),
            )
            for j in joints
        ),
    )


def _guides(k: int, title: str, group: Assembly) -> Table:
    return Table(
        id=f"guides_{k + 1}",
        title=f"Guides of {title} on the track",
        columns=(
            left("guide", "Guide", 1.0),
            left("kind", "Constraint"),
            left("body", "Body"),
            left("path", "Path"),
        ),
        rows=tuple(
            (text(g.name), text(g.kind), text(g.body), text(g.path.replace("_", " "))) for g in group.guides
        ),
    )


def _forces(table_id: str, title: str, forces: tuple[Force, ...]) -> Table:
    return Table(
        id=table_id,
        title=title,
        columns=(
            left("name", "Element", 1.0),
            left("kind", "Kind"),
            Column(key="stiffness", title="Stiffness"),
            Column(key="damping", title="Damping"),
            left("units", "Units"),
            left("more", "Further data", 0.9),
        ),
        rows=tuple(_force(force) for force in forces),
    )


def _force(force: Any) -> tuple[Cell, ...]:
    name, kind = text(force.name), text(force.kind.replace("_", " "))
    off = "" if force.enabled else "switched off; "
    match force:
        case SpringDamper():
            curve = f"curve of {len(force.curve)} points; " if force.curve else ""
            more = f"{off}{curve}free length {figures(force.free_length).text} m"
            return (
                name,
                kind,
                figures(force.stiffness),
                figures(force.damping),
                text("N/m, N s/m"),
                text(more),
            )
        case RotationalSpring():
            more = f"{off}joint {force.joint}, free angle {fixed(math.degrees(force.free_angle), 1).text}°"
            units = text("N m/rad, N m s/rad")
            return name, kind, figures(force.stiffness), figures(force.damping), units, text(more)
        case JointStop():
            more = (
                f"{off}joint {force.joint}, from {figures(force.lower, 3).text} to {figures(force.upper, 3).text} "
                f"rad or m, exponent {figures(force.exponent, 3).text}"
            )
            units = text("N m/rad or N/m, s/rad or s/m")
            return name, kind, figures(force.stiffness), figures(force.damping), units, text(more)
        case AirDrag():
            more = f"{off}body {force.body}, drag area {figures(force.drag_area, 3).text} m²"
        case RollingResistance():
            more = f"{off}guide {force.guide}, coefficient {figures(force.coefficient, 3).text}"
        case _:
            more = f"{off}body {force.body}, {force.axes} axes"
    return name, kind, text(""), text(""), text(""), text(more)
