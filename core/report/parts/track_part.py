"""The track: drawings, sections with the ride over each, figures, findings."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ...base.arrays import Array
from ...base.fields import specs_of
from ...design.rider_clearance import RiderClearance, margin_source
from ...track.build import BuiltTrack
from ...track.check import Extreme, TrackReport
from ...track.device_spans import device_spans
from ...track.devices import Device, kind_of
from ..book import Book, Event
from ..cells import NOTHING, count, entry, figures, fixed, left, text
from ..document import Block, Cell, Column, Entry, Facts, Section, Table, Text
from ..figures import track_figures
from ..run_view import RunView, Stretch

MAX_FINDINGS = 25
PLACE_OF_DEVICE = ("name", "section", "start", "end", "end_section")
STEP = 0.1  # m, spacing of the places looked at
LOAD_PART = "upper_torso"


def track_section(view: RunView, book: Book, events: tuple[Event, ...]) -> Section:
    """Plan, elevation, tables of sections and devices, figures and findings of the track."""
    report = view.track_report
    assert report is not None
    marks = tuple((event.mark, view_place(view, event.place)) for event in events if event.place is not None)
    plan = book.figure(
        "track_plan",
        "Plan of the track",
        "Numbers: sections of the section table. Letters: the governing moments, which have a section of their own.",
        track_figures.plan(view, marks),
    )
    along = book.figure(
        "track_along",
        "Elevation, cant, curvature and speed along the track",
        "Cant is left out where the track is steeper than 84°.",
        track_figures.along(view, marks),
    )
    assert view.built is not None
    along_it = (device_table(view.built),) if view.built.track.devices else ()
    blocks: tuple[Block, ...] = (_facts(view, report), _sections(figures_of(view)), *along_it, plan, along)
    return Section(
        id="track", title="Track", page=True, blocks=(*blocks, *_findings(report), *_reached(view.reached))
    )


def view_place(view: RunView, position: float) -> float:
    """An arc length brought into one lap (m)."""
    assert view.built is not None
    return float(view.built.centreline.wrap(position)[0])


def _facts(view: RunView, report: TrackReport) -> Facts:
    assert view.project.track is not None

    def at(
        label: str, extreme: Extreme | None, decimals: int, unit: str, factor: float = 1.0
    ) -> tuple[Entry, ...]:
        if extreme is None:
            return (entry(label, text("none, all straight")),)
        return (
            entry(label, fixed(factor * extreme.value, decimals), unit),
            entry(f"{label}, at s", fixed(extreme.s, 1), "m"),
        )

    degrees = math.degrees(1.0)
    entries = (
        entry("Length of the centreline", fixed(report.length, 2), "m"),
        entry("Course", text("closed" if report.closed else "open")),
        entry("Length of the left rail", fixed(report.left_rail_length, 2), "m"),
        entry("Length of the right rail", fixed(report.right_rail_length, 2), "m"),
        entry("Gauge", fixed(view.project.track.gauge, 3), "m"),
        entry("Inversions", count(report.inversions)),
        *at("Highest point z", report.highest, 2, "m"),
        *at("Lowest point z", report.lowest, 2, "m"),
        *at("Least radius", report.smallest_radius, 2, "m"),
        *at("Least vertical radius", report.smallest_vertical_radius, 2, "m"),
        *at("Least lateral radius", report.smallest_lateral_radius, 2, "m"),
        *at("Largest cant", report.largest_cant, 1, "°", degrees),
        *at("Largest cant rate", report.largest_cant_rate, 2, "°/m", degrees),
        *at("Largest change of curvature in 1 m", report.largest_curvature_jump, 4, "1/m"),
    )
    return Facts(id="track_figures", entries=entries)


def device_table(built: BuiltTrack) -> Table:
    """What drives and slows the train: kind, stretch and settings of every device, in the order of the track."""
    columns = (
        left("name", "Device"),
        left("kind", "Kind"),
        Column(key="start", title="from", unit="m", group="Arc length"),
        Column(key="end", title="to", unit="m", group="Arc length"),
        left("settings", "Settings", 1.0),
    )
    rows = tuple(
        (
            text(span.device.name),
            text(kind_of(span.device).word),
            fixed(span.s0, 1),
            fixed(span.s1, 1),
            text(", ".join(_settings(span.device))),
        )
        for span in device_spans(built.track.devices, built.sections)
    )
    note = "Forces of devices are given over the mass of the train."
    return Table(
        id="track_devices", title="Lifts, launches and brakes", columns=columns, rows=rows, note=note
    )


def _settings(device: Device) -> list[str]:
    messages = []
    for every in specs_of(type(device)):
        if every.name in PLACE_OF_DEVICE or not every.applies(device):
            continue
        spec = every.fitted(lambda name: str(getattr(device, name)))
        value = getattr(device, spec.name)
        if spec.entry == "cars" and value == "all":
            continue
        if isinstance(value, bool):
            words = "yes" if value else "no"
        elif isinstance(value, int | float):
            words = f"{figures(value).text} {spec.unit.replace('^2', '²')}".strip()
        elif isinstance(value, tuple):
            words = ", ".join(value)
        else:
            words = (spec.empty if value is None else spec.words.get(value, str(value))).lower()
        messages.append(f"{spec.title.lower()} {words}")
    return messages


def _sections(found: tuple[StretchFigures, ...]) -> Table:
    columns = (
        Column(key="number", title="No."),
        left("name", "Section", 1.0),
        Column(key="start", title="from", unit="m", group="Arc length"),
        Column(key="length", title="long", unit="m", group="Arc length"),
        Column(key="least_radius", title="least", unit="m", group="Radius"),
        Column(key="lowest", title="low", unit="m", group="Height z"),
        Column(key="highest", title="high", unit="m", group="Height z"),
        Column(key="least_cant", title="least", unit="°", group="Cant"),
        Column(key="largest_cant", title="most", unit="°", group="Cant"),
        Column(key="speed_in", title="in", unit="m/s", group="Speed"),
        Column(key="speed_out", title="out", unit="m/s", group="Speed"),
        *(
            Column(key=f"{word}_{axis.lower()}", title=word, unit="g", group=axis)
            for axis in ("Gx", "Gy", "Gz")
            for word in ("least", "most")
        ),
    )
    return Table(
        id="track_sections",
        title="Sections of the track and the ride over them",
        columns=columns,
        rows=tuple(_row(one) for one in found),
        note=(
            "Gx, Gy, Gz: least and largest value on the upper torso of all riders, 5 Hz ride filter, gravity in. "
            "Speed of the first car where it entered and left the section first. Cant where the track is not steeper "
            "than 84°."
        ),
    )


def _row(one: StretchFigures) -> tuple[Cell, ...]:
    degrees = math.degrees(1.0)
    loads = (NOTHING,) * 6 if one.loads is None else tuple(fixed(x, 2) for pair in one.loads for x in pair)
    return (
        count(one.stretch.number),
        text(one.stretch.name),
        fixed(one.stretch.s0, 1),
        fixed(one.stretch.s1 - one.stretch.s0, 1),
        fixed(one.min_radius, 1) if (one.min_radius or math.inf) < 1e4 else text("straight"),
        fixed(one.lowest, 1),
        fixed(one.highest, 1),
        fixed(None if one.min_cant is None else degrees * one.min_cant, 0),
        fixed(None if one.largest_cant is None else degrees * one.largest_cant, 0),
        fixed(one.speed_in, 1),
        fixed(one.speed_out, 1),
        *loads,
    )


def _findings(report: TrackReport) -> tuple[Block, ...]:
    faults = [finding for finding in report.findings if finding.severity != "note"]
    faults.sort(key=lambda finding: (finding.severity != "error", finding.s))
    if not faults:
        return (Text(text="The check of the track found no error and nothing to warn of."),)
    rows = tuple(
        (
            text(one.severity, "outside" if one.severity == "error" else "near"),
            fixed(one.s, 1),
            text(one.message),
        )
        for one in faults[:MAX_FINDINGS]
    )
    more = len(faults) - len(rows)
    return (
        Table(
            id="track_findings",
            title="Findings of the check of the track",
            columns=(
                left("severity", "Severity"),
                Column(key="s", title="s", unit="m"),
                left("message", "Finding", 1.0),
            ),
            rows=rows,
            note=f"{more} more of lesser weight are listed by the command 'ridewright check'."
            if more
            else "",
        ),
    )


def _reached(found: RiderClearance | None) -> tuple[Block, ...]:
    """What riders reach along the track: a row for every stretch with something in the way, the limb that reaches
    farthest, and whose."""
    if found is None:
        return ()
    wide = ", ".join(f"{limb} {1e3 * margin:.0f} mm" for limb, margin in found.margins.items()) or "none"
    about = f"Reach of the {found.body} on every seat as it was ridden; margins: {wide}. {margin_source()}"
    if not found.encounters:
        return (Text(text=f"Riders reach nothing along the track. {about}"),)
    rows = tuple(
        (
            fixed(one.s0, 1),
            fixed(one.s1, 1),
            text(one.worst.on),
            text(", ".join(one.limbs)),
            text(one.worst.what, "outside" if one.worst.reached else "near"),
            fixed(max(0.0, -one.worst.beyond), 2),
            fixed(one.worst.margin, 2),
        )
        for one in found.encounters[:MAX_FINDINGS]
    )
    more = len(found.encounters) - len(rows)
    return (
        Table(
            id="rider_reach",
            title="What riders reach",
            columns=(
                Column(key="start", title="from", unit="m", group="Arc length"),
                Column(key="end", title="to", unit="m", group="Arc length"),
                left("seat", "Seat", 1.0),
                left("limbs", "Limbs", 1.0),
                left("what", "What is in the way", 1.0),
                Column(key="gap", title="left", unit="m"),
                Column(key="margin", title="margin", unit="m"),
            ),
            rows=rows,
            note=f"{about}{f' {more} more are listed by the command ridewright check.' if more else ''}",
        ),
    )


@dataclass(frozen=True)
class StretchFigures:
    """Geometry of a stretch (m, rad) and the ride over it, None where it was not ridden: speeds (m/s) where the first
    car entered and left it first; largest and least g of all riders' upper torsos through the 5 Hz filter."""

    stretch: Stretch
    min_radius: float | None
    lowest: float
    highest: float
    min_cant: float | None
    largest_cant: float | None
    speed_in: float | None = None
    speed_out: float | None = None
    loads: tuple[tuple[float, float], ...] | None = None  # (least, largest) of Gx, Gy, Gz


def figures_of(view: RunView) -> tuple[StretchFigures, ...]:
    """Geometry and ride of every stretch of the track, in running order."""
    ride = _Ride(view)
    return tuple(ride.figures(stretch) for stretch in view.stretches)


class _Ride:
    """The signals of a run over the track, wrapped to one lap."""

    def __init__(self, view: RunView) -> None:
        assert view.built is not None
        self.line = view.built.centreline
        self.length, self.closed = view.built.length, view.built.track.closed
        car = view.cars[0] if view.cars else ""
        self.speed = view.channel(car, "speed")
        self.place = self._wrapped(view.channel(car, "arc_length"))
        of_cars: dict[str, list[Array]] = {}
        for rider in view.riders:
            smooth = view.smooth(rider, LOAD_PART)
            if smooth is not None:
                of_cars.setdefault(view.car_of(rider) or "", []).append(smooth)
        self.loads = [
            (where, riders)
            for car, riders in of_cars.items()
            if (where := self._wrapped(view.channel(car, "arc_length"))) is not None
        ]

    def _wrapped(self, position: Array | None) -> Array | None:
        return np.mod(position, self.length) if position is not None and self.closed else position

    def figures(self, stretch: Stretch) -> StretchFigures:
        s = np.linspace(stretch.s0, stretch.s1, max(int((stretch.s1 - stretch.s0) / STEP), 8) + 1)
        state = self.line.state(s)
        curvature = float(np.linalg.norm(state.curve[:, 2], axis=-1).max())
        z = state.curve[:, 0, 2]
        flat = np.hypot(state.tangent[:, 0], state.tangent[:, 1]) > 0.1
        cant = state.cant[flat]
        speed_in, speed_out = self._speeds(stretch)
        return StretchFigures(
            stretch=stretch,
            min_radius=1.0 / curvature if curvature > 1e-6 else None,
            lowest=float(z.min()),
            highest=float(z.max()),
            min_cant=float(cant.min()) if cant.size else None,
            largest_cant=float(cant.max()) if cant.size else None,
            speed_in=speed_in,
            speed_out=speed_out,
            loads=self._loads(stretch),
        )

    def _speeds(self, stretch: Stretch) -> tuple[float | None, float | None]:
        if self.place is None or self.speed is None:
            return None, None
        inside = (self.place >= stretch.s0) & (self.place < stretch.s1)
        if not inside.any():
            return None, None
        first = int(np.argmax(inside))
        left = np.flatnonzero(~inside[first:])
        last = first + int(left[0]) - 1 if len(left) else len(inside) - 1
        return float(self.speed[first]), float(self.speed[last])

    def _loads(self, stretch: Stretch) -> tuple[tuple[float, float], ...] | None:
        found = []
        for where, riders in self.loads:
            inside = (where >= stretch.s0) & (where < stretch.s1)
            turns = np.flatnonzero(np.diff(inside, prepend=False, append=False))
            for one in riders:
                late = len(where) - len(one)  # samples before a settled start, which are not judged
                parts = [one[max(a - late, 0) : max(b - late, 0)] for a, b in turns.reshape(-1, 2)]
                found += [np.stack([part.min(axis=0), part.max(axis=0)]) for part in parts if len(part)]
        if not found:
            return None
        every = np.stack(found)
        minimum, largest = every[:, 0].min(axis=0), every[:, 1].max(axis=0)
        return tuple((float(a), float(b)) for a, b in zip(minimum, largest, strict=True))
