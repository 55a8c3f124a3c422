"""Vehicle and riders: what the model is made of, and the diagram of a car."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial

from ...base.arrays import Array
from ...edits.load_cases import with_load_case
from ...model.assembly import Assembly, Seat
from ...model.bodies import GROUND, SEAT, Body
from ...model.carried import with_passengers
from ...model.forces import TYPES, Force, type_of
from ...model.forces.ends import TwoPoints
from ...model.joints import Joint
from ...model.losses import losses_of
from ...model.masses import CALLED, MassBudget, mass_budget
from ...model.placement import PlacedModel, placed_model
from ...project.project import Project
from ..book import Book
from ..cells import NOTHING, count, figures, fixed, left, text
from ..document import Block, Cell, Column, Section, Table, Text
from ..figures.canvas import BLUE, FAINT, GREEN, INK, PALE, VERMILION, Drawing
from ..figures.diagram import Part, Side, Stroke, diagram, line, spots
from ..run_view import RunView
from .forces_part import force_tables
from .rider_part import rider_blocks

NOTHING_BESIDE = 1e-9  # of the moments of inertia, of products that rounding leaves
FEW = 3  # cars alike that are named one by one
VIEWS = (("Side view", 0, 2, "x / m", "z / m"), ("Plan", 0, 1, "x / m", "y / m"))


def vehicle_section(view: RunView, book: Book) -> Section | None:
    """Cars (or the rig) and riders; cars alike are described once. None without any bodies."""
    top = view.project.assembly
    if top is None:
        return None
    groups: list[tuple[str, Assembly]] = [("the rig", top)]
    budget = mass_budget(top)
    blocks: tuple[Block, ...] = (_masses(budget), *_case_masses(view.project))
    if top.role == "train":
        groups, blocks = _alike(top.children), (*blocks, _train(top, budget))
        between = top.model_copy(update={"children": ()})
        if between.every("body") or between.joints or between.forces:
            groups.append(("the train", between))
    inner = [_group(book, k, title, group) for k, (title, group) in enumerate(groups)]
    riders = _riders_alike(groups)
    inner += [_rider(book, k, title, rider) for k, (title, rider) in enumerate(riders)]
    return Section(id="vehicle", title="Vehicle and riders", page=True, blocks=blocks, sections=tuple(inner))


def _alike(cars: tuple[Assembly, ...]) -> list[tuple[str, Assembly]]:
    """Cars that differ in name, place, riders and losses only stand as one; their losses are in the table of cars."""
    groups: dict[Assembly, list[str]] = {}
    for car in cars:
        parts = tuple(child for child in car.children if child.role != "rider")
        same = _freely(car.model_copy(update={"name": "-", "offset": 0.0, "children": parts}))
        groups.setdefault(same, []).append(car.name)
    first = {car.name: car for car in cars}
    return [(_names(names), _freely(first[names[0]])) for names in groups.values()]


def _freely(car: Assembly) -> Assembly:
    """A car without what slows it."""

    def slows(force: Force) -> bool:
        made = type_of(force)
        return made is not None and bool(made.slows)

    return car.each(lambda at: {"forces": tuple(force for force in at.forces if not slows(force))})


def _names(names: list[str]) -> str:
    if len(names) > FEW:
        return f"{names[0]} to {names[-1]}, {len(names)} cars alike"
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _riders_alike(groups: list[tuple[str, Assembly]]) -> list[tuple[str, Assembly]]:
    found: dict[Assembly, tuple[str, Assembly]] = {}
    for _, group in groups:
        for rider in group.with_role("rider").values():
            same = rider.model_copy(update={"name": "-", "seat": "-"})
            found.setdefault(same, (rider.description or rider.name, rider))
    return list(found.values())


def _masses(budget: MassBudget) -> Table:
    """What all that moves weighs, by kind."""
    rows = [
        (text(several.capitalize()), count(budget.count(kind)), fixed(budget.of(kind), 1))
        for kind, (_, several) in CALLED.items()
        if budget.count(kind)
    ]
    return Table(
        id="masses",
        title="Masses",
        columns=(
            left("kind", "What", 1.0),
            Column(key="count", title="Number"),
            Column(key="mass", title="Mass", unit="kg"),
        ),
        rows=tuple(rows),
        note=f"Together {fixed(budget.total, 1).text} kg move, {fixed(budget.empty, 1).text} kg without riders and"
        " passengers.",
    )


def _case_masses(project: Project) -> tuple[Table, ...]:
    """What moves in every load case of the project; none where it has none."""
    rows = []
    for case in project.load_cases:
        loaded = with_load_case(project, case.name).assembly
        assert loaded is not None
        budget = mass_budget(loaded)
        rows.append(
            (text(case.name), count(len(budget.aboard)), fixed(budget.on_board, 1), fixed(budget.total, 1))
        )
    if not rows:
        return ()
    return (
        Table(
            id="load_case_masses",
            title="Masses by load case",
            columns=(
                left("case", "Load case", 1.0),
                Column(key="aboard", title="On board"),
                Column(key="on_board", title="On board", unit="kg"),
                Column(key="total", title="Together", unit="kg"),
            ),
            rows=tuple(rows),
            note="",
        ),
    )


def _train(train: Assembly, whole: MassBudget) -> Table:
    """The cars with their loads and losses."""
    rows = []
    for car in train.children:
        own, budget = car.own("body"), mass_budget(car)
        losses = losses_of(car)
        seats = sum(len(at.seats) for _, at in car.walk())
        rows.append(
            (
                text(car.name), fixed(car.offset, 2), count(len(own)), fixed(budget.empty, 1),
                fixed(budget.on_board, 1), fixed(budget.total, 1), text(f"{len(budget.aboard)} of {seats}"),
                fixed(losses.rolling, 4), fixed(losses.drag_area, 2),
            )
        )  # fmt: skip
    return Table(
        id="train",
        title="The train: loads and losses of its cars",
        columns=(
            left("car", "Car", 1.0),
            Column(key="offset", title="Behind the first", unit="m"),
            Column(key="bodies", title="Bodies"),
            Column(key="empty", title="Empty", unit="kg"),
            Column(key="riders", title="Riders", unit="kg"),
            Column(key="mass", title="Together", unit="kg"),
            left("seats", "Seats taken"),
            Column(key="rolling", title="Rolling resistance"),
            Column(key="drag", title="Drag area", unit="m²"),
        ),
        rows=tuple(rows),
        note=f"Mass of all cars with who rides: {fixed(train.mass(), 1).text} kg"
        f"{_of_couplings(whole)}. Rolling resistance: part of the force on the wheels.",
    )


def _of_couplings(budget: MassBudget) -> str:
    mass = budget.of("coupling")
    return f", with their couplings {fixed(budget.total, 1).text} kg" if mass else ""


def _group(book: Book, k: int, title: str, group: Assembly) -> Section:
    blocks: list[Block] = [
        book.figure(
            f"vehicle_{k + 1}",
            f"Diagram of {title}",
            "Bodies as drawn, with what connects them; grey lines run from a joint to the bodies it joins.",
            _car_diagram(group),
        ),
        _bodies(
            f"bodies_{k + 1}",
            f"Bodies of {title}",
            with_passengers(group).own("body"),
            _flexible_masses(group),
        ),
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
    ]
    inner = [_joints(f"rider_joints_{k + 1}", "Joints of the rider", rider.own("joint"))]
    inner += force_tables(f"rider_forces_{k + 1}", "Force elements of the rider", rider)
    blocks += [
        table.model_copy(update={"printed": False}) for table in inner
    ]  # those of the library: too long
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


def _flexible_masses(group: Assembly) -> dict[str, float]:
    """Flexible bodies by their paths: mass (kg) beside that of the bodies at their interfaces."""
    return {row.name: row.mass for row in group.mass_rows() if row.kind == "beam"}


def _bodies(
    table_id: str, title: str, bodies: dict[str, Body], flexible: dict[str, float] | None = None
) -> Table:
    """flexible: mass (kg) of bodies that bend, whose inertia is in the section about them."""
    flexible = flexible or {}
    total = sum(body.mass for body in bodies.values()) + sum(flexible.values())
    rows = [
        (text(path), fixed(b.mass, 3), *(figures(i, 4) for i in b.inertia), *_vector(b.position))
        for path, b in bodies.items()
    ]
    rows += [(text(f"{path}, flexible"), fixed(mass, 3), *(NOTHING,) * 6) for path, mass in flexible.items()]
    return Table(
        id=table_id,
        title=title,
        columns=(
            left("body", "Body", 1.0),
            Column(key="mass", title="Mass", unit="kg"),
            *_three("inertia", "Moments of inertia", "kg m²", ("ξ", "η", "ζ")),
            *_three("position", "Centre of mass", "m"),
        ),
        rows=tuple(rows),
        note=" ".join((f"Mass of all: {fixed(total, 3).text} kg.", *_products(bodies))),
    )


def _products(bodies: dict[str, Body]) -> Iterator[str]:
    """A sentence for every body that is not described on its principal axes."""
    for path, body in bodies.items():
        if max(map(abs, body.products)) > NOTHING_BESIDE * max(body.inertia):
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
            (text(s.name), text(s.body), *_vector(s.position), text(riders.get(s.name) or _sits(s)))
            for s in group.seats
        ),
    )


def _sits(seat: Seat) -> str:
    return f"passenger, {seat.passenger:g} kg" if seat.passenger else "free"


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


def _car_diagram(car: Assembly) -> Drawing:
    """A car or rig in its own frame, bodies at their centres of mass with what connects them, as SVG."""
    drawn = placed_model(car)
    sides = [
        Side([*_of_car(car, drawn, a, b), *_legend(car)], 0.08, title, across, up)
        for title, a, b, across, up in VIEWS
    ]
    return partial(diagram, sides, 7.9, legend=True, bottom=1.75)


def _of_car(car: Assembly, drawn: PlacedModel, a: int, b: int) -> Iterator[Part]:
    """What is seen of a car along its axes a and b."""

    def spot(path: str, body: str, point: tuple[float, float, float]) -> Array | None:
        return None if body == GROUND else drawn.at(path, body).point(point)

    for path, joint in car.own("joint").items():
        holder = path.rpartition("/")[0]
        place = spot(holder, joint.body_i, joint.point_i)
        place = spot(holder, joint.body_j, joint.point_j) if place is None else place
        if place is None:
            continue
        for body in (joint.body_i, joint.body_j):
            if body != GROUND:
                end = drawn.at(holder, body).position
                yield line([place[a], end[a]], [place[b], end[b]], color=FAINT, linewidth=1.6, zorder=1)
        yield spots(place[a], place[b], "o", color="white", markeredgecolor=VERMILION, markersize=4, zorder=4)
    for path, force in car.own("force").items():
        if isinstance(force, TwoPoints):
            holder = path.rpartition("/")[0]
            p, q = spot(holder, force.body_i, force.point_i), spot(holder, force.body_j, force.point_j)
            if p is not None and q is not None:
                yield line([p[a], q[a]], [p[b], q[b]], color=GREEN, linewidth=1.1, zorder=3)
    for path, guide in car.own("guide").items():
        place = drawn.at(path.rpartition("/")[0], guide.body).point(guide.point)
        yield spots(place[a], place[b], "s", color=INK, markersize=3.5, zorder=4)
    for path in car.own("body"):
        centre = drawn.position[path]
        yield spots(centre[a], centre[b], "+", color=INK, markersize=6, markeredgewidth=0.9, zorder=5)
    for path in car.with_role("rider"):
        if path:
            yield from _of_rider(drawn, path, a, b)
    for path, seat in car.every("seat").items():
        holder = path.rpartition("/")[0]
        taken = any(rider.seat == seat.name for rider in drawn.assemblies[holder].riders)
        base = spot(holder, seat.body, seat.position)
        if base is not None:
            yield spots(
                base[a], base[b], "D", color=BLUE if taken else "white", markeredgecolor=BLUE, markersize=5,
                zorder=7 if taken else 6,
            )  # fmt: skip


def _of_rider(drawn: PlacedModel, rider: str, a: int, b: int) -> Iterator[Part]:
    """The segments of a rider, joined along its joints."""
    for joint in drawn.assemblies[rider].joints:
        if SEAT not in (joint.body_i, joint.body_j):
            p, q = (drawn.at(rider, body).position for body in (joint.body_i, joint.body_j))
            yield line([p[a], q[a]], [p[b], q[b]], color=PALE, linewidth=1.0, zorder=2)
    for path, spot in drawn.position.items():
        if path.startswith(f"{rider}/"):
            yield spots(spot[a], spot[b], ".", color="#59636e", markersize=4, zorder=5)


def _legend(car: Assembly) -> Iterator[Part]:
    def sample(label: str, line: str = "", **style: object) -> Stroke:
        return Stroke([], [], {"linestyle": line, "label": label, **style})

    yield sample("body, centre of mass", marker="+", color=INK, markersize=6)
    if car.own("joint"):
        yield sample("joint", marker="o", color="white", markeredgecolor=VERMILION, markersize=4)
    words = dict.fromkeys(TYPES[f.kind].word for f in car.own("force").values() if isinstance(f, TwoPoints))
    if words:
        yield sample(", ".join(words), line="-", color=GREEN, linewidth=1.1)
    if car.own("guide"):
        yield sample("wheel on rail", marker="s", color=INK, markersize=3.5)
    if car.every("seat"):
        yield sample("seat (filled: taken)", marker="D", color="white", markeredgecolor=BLUE, markersize=5)
    if car.with_role("rider"):
        yield sample(
            "rider, segments", marker=".", line="-", color=PALE, markerfacecolor="#59636e", markersize=4
        )
