"""Seats of a run, assessed or sat on freely: a map coloured by margin, and the loads at the chosen seat."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from PySide6.QtWidgets import QWidget

from ...core.base.frames import rotation_matrix
from ...core.base.units import percent
from ...core.charts.chart import Chart, over_time
from ...core.charts.loads import PLOTS, free_sources, load_recipe
from ...core.charts.recipe import Source
from ...core.model.assembly import Assembly, Seat
from ...core.model.placement import placed_model
from ...core.model.seat_rows import SAME_ROW
from ...core.outcome.free_riders import RESTRAINT, FreeRiderSummary, free_riders
from ...core.outcome.seats import AXES, SeatAssessment, assessed_in, worst_seat
from ..document.document import Selection
from ..document.runs import Run
from ..widgets import units
from ..widgets.turning_splitter import TurningSplitter
from ..work.assessment import assessment_of
from .plot_panel import PlotPanel
from .seat_map import SeatMap, SeatSpot

ROW_APART, CAR_APART = 0.9, 0.7  # m on the map, from row to row and more from car to car
UNASSESSED = "; its rider is judged in Injury"
FREE = [key for key, (_, kind, *_) in PLOTS.items() if kind == "free"]
TITLES = {"Gx": "Gx, forward positive", "Gy": "Gy, to the left positive", "Gz": "Gz, headward positive"}


class SeatsPanel(PlotPanel):
    """Click a seat: its loads are drawn, and playback goes to the moment that is nearest to its limit."""

    name = "seats"
    empty_text = (
        "Loads at every seat are drawn here. Mark seats as assessed, or begin with File > New from template, and press"
        " F5 to run."
    )

    def fill_bar(self) -> None:
        self.bar.addWidget(self.said)

    def body(self) -> QWidget:
        self._chosen = ""
        self.map = SeatMap()
        self.map.chosen.connect(self.choose)
        self.assessment = assessment_of(self.document)
        self.assessment.judged.connect(lambda _run: self.refresh_soon())
        self.assessment.outdated.connect(self.refresh_soon)
        splitter = TurningSplitter()
        splitter.addWidget(self.map)
        splitter.addWidget(self.grid)
        splitter.setSizes([380, 720])
        return splitter

    def choose(self, seat: str) -> None:
        """Draw another seat, and be at its governing moment."""
        self._chosen = seat
        found = self._found(self.runs[0]).get(seat) if self.runs else None
        governing = None if found is None else found.governing
        if governing is not None and governing.time is not None:
            self.playback.show_peak(0.5 * (governing.time[0] + governing.time[1]))
        top = self.document.project.assembly
        if top is not None and seat in top.every("seat"):
            self.document.select(Selection("seat", tuple(seat.split("/"))))
        self.refresh()

    def _found(self, run: Run) -> dict[str, SeatAssessment]:
        return {one.seat: one for one in self.assessment.seats(run) or ()}

    def make_contents(self) -> Sequence[Chart]:
        run = self.runs[0]
        free = {one.seat: one.rider for one in free_riders(run.results)}
        names = tuple(dict.fromkeys((*assessed_in(run.results), *free)))
        if not names:
            self.map.show_seats((), "")
            self.said.setText("")
            return []
        found = self._found(run)
        worst = worst_seat([*found.values()])
        if self._chosen not in names:
            self._chosen = names[0] if worst is None else worst.seat
        self.map.show_seats(_spots(run, names, found), self._chosen)
        self.said.setText(self._sentence(found, worst))
        seat = [Source(f"seat/{self._chosen}/acceleration", k, "") for k in range(3)]
        loads = [over_time(axis, TITLES[axis], "g", self.curves([seat[k]])) for k, axis in enumerate(AXES)]
        riders = [rider for at, rider in free.items() if at == self._chosen]
        kept = [load_recipe(key, free_sources(run.results, riders, PLOTS[key][2])) for key in FREE]
        return [chart for chart in (*loads, *self.drawn(kept)) if chart.curves]

    def _sentence(self, found: dict[str, SeatAssessment], worst: SeatAssessment | None) -> str:
        if not found:
            return "Seats are being assessed …"
        one = found.get(self._chosen)
        said = [] if worst is None else [f"Worst: {worst.seat}, {_left(worst.margin)}"]
        if one is not None and one.governing is not None:
            said.append(f"{one.seat}: {one.governing.title}, {_left(one.margin)}")
        if one is not None and one.free is not None:
            said.append(f"{one.seat}: {_felt(one.free)}" + ("" if one.loads else UNASSESSED))
        return "   ·   ".join(said) or "No limit applies at these seats."


def _felt(free: FreeRiderSummary) -> str:
    """What seat and restraint did to who sits freely, in the units shown."""
    said = []
    if free.airtime is not None:
        said.append(f"off the pan for {units.text(free.airtime, 's', decimals=2)}")
        if free.gap:
            said.append(f"by up to {units.text(free.gap, 'mm', decimals=1)}")
    bears = [part.load for part in free.parts.values() if part.kind == RESTRAINT]
    if bears:
        said.append(f"restraint bears up to {units.text(max(bears), 'N', decimals=0)}")
    return ", ".join(said)


def _left(margin: float | None) -> str:
    if margin is None:
        return "no limit"
    return f"{percent(abs(margin))} {'left' if margin >= 0.0 else 'beyond the limit'}"


def _spots(run: Run, names: Sequence[str], found: dict[str, SeatAssessment]) -> list[SeatSpot]:
    """The seats in the plane across zeta of their body; those of a second body beside the first. Of a train of cars the
    rows one behind the other, its front at the left."""
    top = run.project.assembly
    seats: dict[str, Seat] = {} if top is None else top.every("seat")
    if top is not None and top.role == "train" and len({name.partition("/")[0] for name in names}) > 1:
        return _train_spots(top, [name for name in names if name in seats], seats, found)
    spots: list[SeatSpot] = []
    shift, bodies = 0.0, list(dict.fromkeys(seats[name].body for name in names if name in seats))
    for body in bodies:
        own = [name for name in names if name in seats and seats[name].body == body]
        left = [seats[name].position[1] for name in own]
        for name in own:
            seat = seats[name]
            ahead = rotation_matrix(seat.orientation)[:, 0]
            yaw = float(np.arctan2(ahead[1], ahead[0]))
            spots.append(
                _spot(name, seat, (seat.position[0], seat.position[1] - shift), yaw, found.get(name))
            )
        shift += max(left) - min(left) + 1.5
    return spots


def _train_spots(
    train: Assembly, names: Sequence[str], seats: dict[str, Seat], found: dict[str, SeatAssessment]
) -> list[SeatSpot]:
    """Seats row by row from the front: rows stand close together, and cars a little apart."""
    drawn, placed = placed_model(train), []
    for name in names:
        frame = drawn.at(name.rpartition("/")[0], seats[name].body)
        x, y, _ = frame.point(seats[name].position)
        ahead = frame.direction(rotation_matrix(seats[name].orientation)[:, 0])
        placed.append((float(x), float(y), float(np.arctan2(ahead[1], ahead[0])), name))
    placed.sort(key=lambda one: -one[0])
    spots: list[SeatSpot] = []
    along, last, car = 0.0, placed[0][0], placed[0][3].partition("/")[0]
    for x, y, yaw, name in placed:
        own = name.partition("/")[0]
        if last - x > SAME_ROW or own != car:
            along, last = along + ROW_APART + (CAR_APART if own != car else 0.0), x
        car = own
        # seen from above with the front at the left: the riders' left is below
        spots.append(_spot(name, seats[name], (-y, -along), yaw + 0.5 * np.pi, found.get(name)))
    return spots


def _spot(
    name: str, seat: Seat, place: tuple[float, float], yaw: float, one: SeatAssessment | None
) -> SeatSpot:
    """A seat with what is known of it."""
    margin = None if one is None else one.margin
    text = f"{name}: {_left(margin)}" if one is not None else name
    if one is not None and one.governing is not None:
        text += f"\n{one.governing.title}"
        text += "".join(f"\n{axis} {low:.2f} to {high:.2f} g" for axis, (low, high) in one.loads.items())
    if one is not None and one.free is not None and one.free.airtime is not None:
        text += f"\noff the pan for {one.free.airtime:.2f} s"
    return SeatSpot(name, *place, yaw, margin, text, seat.passenger > 0.0)
