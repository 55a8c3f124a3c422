"""Where limits are exceeded: by place along the ride, and one by one."""

from __future__ import annotations

from dataclasses import dataclass

from ...outcome.rider_view import RiderJudgement
from ..cells import count, fixed, left, text
from ..document import Cell, Column, Table
from ..run_view import RunView
from .words import part_name, place_cell, rider_name, title_of

JOINED = 0.3  # s; exceedances nearer than this are at one place
MOST = 250  # rows that are printed


@dataclass
class _Place:
    start: float
    end: float
    judged: list[RiderJudgement]


def _exceeding(view: RunView) -> list[tuple[float, float, RiderJudgement]]:
    found = [
        (start, end, one) for one in view.judged if not one.result.apart for start, end in one.result.exceeded
    ]
    return sorted(found, key=lambda each: each[:2])


def _places(view: RunView) -> list[_Place]:
    """Exceedances of all criteria, riders and parts that follow one another within `JOINED`, in order of time."""
    places: list[_Place] = []
    for start, end, one in _exceeding(view):
        if places and start <= places[-1].end + JOINED:
            places[-1].end = max(places[-1].end, end)
            places[-1].judged.append(one)
        else:
            places.append(_Place(start, end, [one]))
    return places


def _span(view: RunView, start: float, end: float, car: str | None = None) -> tuple[Cell, Cell, Cell]:
    """Arc lengths (m) at both ends, and the stretches of the track."""
    s0, s1 = view.place_at(start, car), view.place_at(end, car)
    if s0 is None or s1 is None:
        return place_cell(None), place_cell(None), text("")
    first, last = view.stretch_at(s0), view.stretch_at(s1)
    names = dict.fromkeys(f"{one.number} {one.name}" for one in (first, last) if one is not None)
    return place_cell(s0), place_cell(s1), text(" to ".join(names))


def places_table(view: RunView) -> Table | None:
    """The places of the ride at which any limit is exceeded; None when there are none."""
    places = _places(view)
    if not places:
        return None
    rows = []
    for k, place in enumerate(places):
        titles = dict.fromkeys(title_of(one.result) for one in place.judged)
        rows.append(
            (
                count(k + 1),
                fixed(place.start, 2),
                fixed(place.end, 2),
                *_span(view, place.start, place.end),
                count(len(place.judged)),
                text(", ".join(titles)),
            )
        )
    return Table(
        id="places",
        title="Where limits are exceeded",
        columns=(
            Column(key="place", title="Place"),
            Column(key="start", title="from", unit="s", group="Time"),
            Column(key="end", title="to", unit="s", group="Time"),
            Column(key="s0", title="from", unit="m", group="Arc length"),
            Column(key="s1", title="to", unit="m", group="Arc length"),
            left("section", "Section", 0.45),
            Column(key="exceedances", title="Exceedances"),
            left("criteria", "Criteria", 1.0),
        ),
        rows=tuple(rows),
        note=(
            f"All riders and body parts together; exceedances within {JOINED} s of one another are one place. Arc "
            "length of the first car."
        ),
    )


def exceedance_table(view: RunView) -> Table | None:
    """Every stretch of time in which a limit is exceeded, in order of time; None when there are none."""
    found = _exceeding(view)
    if not found:
        return None
    several = len(view.riders) > 1
    rows = []
    for start, end, one in found:
        rider = (text(rider_name(one.rider, view.riders)),) if several else ()
        rows.append(
            (
                fixed(start, 2),
                fixed(end, 2),
                fixed(end - start, 2),
                *_span(view, start, end, view.car_of(one.rider)),
                *rider,
                text(part_name(one.part)),
                text(title_of(one.result)),
            )
        )
    return Table(
        id="exceedances",
        title="Exceedances in the order of the ride",
        columns=(
            Column(key="start", title="from", unit="s", group="Time"),
            Column(key="end", title="to", unit="s", group="Time"),
            Column(key="duration", title="for", unit="s", group="Time"),
            Column(key="s0", title="from", unit="m", group="Arc length"),
            Column(key="s1", title="to", unit="m", group="Arc length"),
            left("section", "Section", 0.8),
            *((left("rider", "Rider"),) if several else ()),
            left("part", "Part"),
            left("criterion", "Criterion", 1.0),
        ),
        rows=tuple(rows),
        printed=len(rows) <= MOST,
    )
