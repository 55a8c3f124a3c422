"""Vehicle and riders: what the model is made of."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ...model.assembly import Assembly
from ...model.bodies import Body
from ...model.joints import Joint
from ..book import Book
from ..cells import count, figures, fixed, left, text
from ..document import Block, Cell, Column, Section, Table, Text
from ..figures.vehicle_figure import car_diagram
from ..run_view import RunView
from .forces_part import force_tables
from .rider_part import rider_blocks


def vehicle_section(view: RunView, book: Book) -> Section | None:
    """Cars (or the rig) and riders; cars alike are described once. None without any bodies."""
    top = view.project.assembly
    if top is None:
        return None
    groups: list[tuple[str, Assembly]] = [("the rig", top)]
    blocks: tuple[Block, ...] = ()
    if top.role == "train":
        groups, blocks = _alike(top.children), (_train(top.children),)
        between = top.model_copy(update={"children": ()})
        if between.every("body") or between.joints or between.forces:
            groups.append(("the train", between))
    inner = [_group(book, k, title, group) for k, (title, group) in enumerate(groups)]
    riders = _riders_alike(groups)
    inner += [_rider(book, k, title, rider) for k, (title, rider) in enumerate(riders)]
    return Section(id="vehicle", title="Vehicle and riders", page=True, blocks=blocks, sections=tuple(inner))


def _alike(cars: tuple[Assembly, ...]) -> list[tuple[str, Assembly]]:
    """Cars that differ in name, place and riders only stand as one."""
    groups: dict[Assembly, list[str]] = {}
    for car in cars:
        parts = tuple(child for child in car.children if child.role != "rider")
        same = car.model_copy(update={"name": "-", "offset": 0.0, "children": parts})
        groups.setdefault(same, []).append(car.name)
    first = {car.name: car for car in cars}
    return [(_names(names), first[names[0]]) for names in groups.values()]


def _names(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _riders_alike(groups: list[tuple[str, Assembly]]) -> list[tuple[str, Assembly]]:
    found: dict[Assembly, tuple[str, Assembly]] = {}
    for _, group in groups:
        for rider in group.with_role("rider").values():
            same = rider.model_copy(update={"name": "-", "seat": "-"})
            found.setdefault(same, (rider.description or rider.name, rider))
    return list(found.values())


def _train(cars: tuple[Assembly, ...]) -> Table:
    rows = []
    for car in cars:
        own = car.own("body")
        empty = sum(body.mass for body in own.values())
        riders = {rider.seat: rider.name for rider in car.riders}
        seats = ", ".join(f"{s.name}: {riders.get(s.name, 'free')}" for s in car.seats)
        rows.append(
            (
                text(car.name),
                fixed(car.offset, 2),
                count(len(own)),
                fixed(empty, 1),
                fixed(car.mass() - empty, 1),
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
        _bodies(f"bodies_{k + 1}", f"Bodies of {title}", group.own("body")),
    ]
    if group.own("seat"):
        blocks.append(_seats(k, title, group))
    if joints := group.own("joint"):
        blocks.append(_joints(f"joints_{k + 1}", f"Joints of {title}", joints))
    if group.own("guide"):
        blocks.append(_guides(k, title, group))
    blocks += force_tables(f"forces_{k + 1}", f"Force elements of {title}", group)
    if drivers := group.own("driver"):
        names = ", ".join(f"{path} ({d.coordinate} of {d.target})" for path, d in drivers.items())
        blocks.append(Text(text=f"Drivers: {names}."))
    return Section(id=f"vehicle_{k + 1}", title=title[0].upper() + title[1:], blocks=tuple(blocks))


def _rider(book: Book, k: int, title: str, rider: Assembly) -> Section:
    blocks: list[Block] = [
        Text(
            text=(
                f"{_sentence(rider.description)}Judged are the segments {rider.head} (head), "
                f"{rider.upper_torso} (upper torso) and {rider.pelvis} (pelvis). Places are in the frame of the seat."
            ).strip()
        ),
        *rider_blocks(book, k, rider),
        _bodies(f"rider_bodies_{k + 1}", "Segments of the rider", rider.own("body")),
        _joints(f"rider_joints_{k + 1}", "Joints of the rider", rider.own("joint")),
    ]
    blocks += force_tables(f"rider_forces_{k + 1}", "Force elements of the rider", rider)
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


def _bodies(table_id: str, title: str, bodies: dict[str, Body]) -> Table:
    total = sum(body.mass for body in bodies.values())
    return Table(
        id=table_id,
        title=title,
        columns=(
            left("body", "Body", 1.0),
            Column(key="mass", title="Mass", unit="kg"),
            *_three("inertia", "Moments of inertia", "kg m²", ("ξ", "η", "ζ")),
            *_three("position", "Centre of mass", "m"),
        ),
        rows=tuple(
            (text(path), fixed(b.mass, 3), *(figures(i, 4) for i in b.inertia), *_vector(b.position))
            for path, b in bodies.items()
        ),
        note=" ".join((f"Mass of all: {fixed(total, 3).text} kg.", *_products(bodies))),
    )


def _products(bodies: dict[str, Body]) -> Iterator[str]:
    """A sentence for every body that is not described on its principal axes."""
    for path, body in bodies.items():
        if any(body.products):
            given = ", ".join(figures(value, 4).text for value in body.products)
            yield f"Products of inertia of {path} (ξη, ξζ, ηζ): {given} kg m²."


def _seats(k: int, title: str, group: Assembly) -> Table:
    riders = {rider.seat: rider.name for rider in group.riders}
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


def _joints(table_id: str, title: str, joints: dict[str, Joint]) -> Table:
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
                text(path),
                text(f"{j.kind}, locked" if j.locked else j.kind),
                text(j.body_i),
                text(j.body_j),
                *_vector(j.point_i),
            )
            for path, j in joints.items()
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
            (text(path), text(g.kind), text(g.body), text(g.path.replace("_", " ")))
            for path, g in group.own("guide").items()
        ),
    )
