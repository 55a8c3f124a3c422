"""Where limits are exceeded: by place along the ride, and one by one."""

from __future__ import annotations

from dataclasses import dataclass, field

from ...outcome.rider_view import RiderJudgement
from ..cells import count, fixed, left, percent, text
from ..document import Cell, Column, Table
from ..run_view import RunView
from .words import part_name, place_cell, rider_name, title_of

JOINED = 0.3  # s; exceedances nearer than this are at one place
MAX_ROWS = 60  # rows that are printed


TIMES = (
    Column(key="start", title="from", unit="s", group="Time"),
    Column(key="end", title="to", unit="s", group="Time"),
)
DURATION = Column(key="duration", title="for", unit="s", group="Time")


def _columns(view: RunView, share: float) -> tuple[Column, ...]:
    """The columns of `_span`."""
    if view.built is None:
        return ()
    return (
        Column(key="s0", title="from", unit="m", group="Arc length"),
        Column(key="s1", title="to", unit="m", group="Arc length"),
        left("section", "Section", share),
    )


def _arc_length(view: RunView, end: str) -> str:
    """Whose arc length it is, where there is one."""
    return "" if view.built is None else f" Arc length of the first car{end}"


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
    positions: list[_Place] = []
    for start, end, one in _exceeding(view):
        if positions and start <= positions[-1].end + JOINED:
            positions[-1].end = max(positions[-1].end, end)
            positions[-1].judged.append(one)
        else:
            positions.append(_Place(start, end, [one]))
    return positions


def _span(view: RunView, start: float, end: float, car: str | None = None) -> tuple[Cell, ...]:
    """Arc lengths (m) at both ends, and the stretches of the track; nothing without one."""
    if view.built is None:
        return ()
    s0, s1 = view.place_at(start, car), view.place_at(end, car)
    if s0 is None or s1 is None:
        return place_cell(None), place_cell(None), text("")
    first, last = view.stretch_at(s0), view.stretch_at(s1)
    names = dict.fromkeys(f"{one.number} {one.name}" for one in (first, last) if one is not None)
    return place_cell(s0), place_cell(s1), text(" to ".join(names))


def places_table(view: RunView) -> Table | None:
    """The places of the ride at which any limit is exceeded; None when there are none."""
    positions = _places(view)
    if not positions:
        return None
    rows = []
    for k, position in enumerate(positions):
        titles = dict.fromkeys(title_of(one.result) for one in position.judged)
        rows.append(
            (
                count(k + 1),
                fixed(position.start, 2),
                fixed(position.end, 2),
                *_span(view, position.start, position.end),
                count(len(position.judged)),
                text(", ".join(titles)),
            )
        )
    return Table(
        id="places",
        title="Where limits are exceeded",
        columns=(
            Column(key="place", title="Place"),
            *TIMES,
            *_columns(view, 0.45),
            Column(key="exceedances", title="Exceedances"),
            left("criteria", "Criteria", 1.0),
        ),
        rows=tuple(rows),
        note=(
            f"All {'riders and body parts' if view.riders else 'seats'} together; exceedances within {JOINED} s of"
            f" one another are one place.{_arc_length(view, '.')}"
        ),
    )


def exceedance_tables(view: RunView) -> tuple[Table, ...]:
    """Every stretch of time in which a limit is exceeded, in order of time; of several riders those of one criterion
    and part in one row on paper. Nothing when there are none."""
    found = _exceeding(view)
    if not found:
        return ()
    if len(view.judged_on) == 1 and len(found) <= MAX_ROWS:
        return (_every(view, found, printed=True),)
    return _together(view, found), _every(view, found, printed=False)


@dataclass
class _Stretch:
    """A stretch in which a criterion on a part is exceeded on somebody, with the judgement of the least margin."""

    start: float
    end: float
    one: RiderJudgement
    who: set[str] = field(default_factory=set)
    times: int = 1


def _joined(found: list[tuple[float, float, RiderJudgement]]) -> list[_Stretch]:
    """Exceedances of one criterion and part within `JOINED` as one, whoever they are on."""
    last: dict[tuple[str, str], _Stretch] = {}
    out: list[_Stretch] = []
    for start, end, one in found:
        key = one.part, one.result.criterion
        before = last.get(key)
        if before is None or start > before.end + JOINED:
            before = last[key] = _Stretch(start, end, one, {one.rider})
            out.append(before)
            continue
        before.end, before.times = max(before.end, end), before.times + 1
        before.who.add(one.rider)
        if (one.result.margin or 0.0) < (before.one.result.margin or 0.0):
            before.one = one
    return out


def _together(view: RunView, found: list[tuple[float, float, RiderJudgement]]) -> Table:
    """One row for a criterion and part wherever it is exceeded; of too many those with the least margins."""
    every = _joined(found)
    rows = sorted(
        sorted(every, key=lambda one: one.one.result.margin or 0.0)[:MAX_ROWS], key=lambda one: one.start
    )
    many = "" if len(rows) == len(every) else f", the {len(rows)} of {len(every)} with the least margins"
    several = len(view.judged_on) > 1
    whose = (Column(key="riders", title=f"{view.who}s"), left("worst", "Worst")) if several else ()
    return Table(
        id="exceeded",
        title=f"Where each limit is exceeded{many}",
        columns=(
            *TIMES, *_columns(view, 0.8), *whose, left("part", "Part"),
            left("criterion", "Criterion", 1.0), Column(key="margin", title="Least margin", unit="%"),
        ),
        rows=tuple(
            (
                *(fixed(x, 2) for x in (row.start, row.end)),
                *_span(view, row.start, row.end, view.car_of(row.one.rider)),
                *((count(len(row.who)), text(rider_name(row.one.rider, view.judged_on))) if several else ()),
                text(part_name(row.one.part)), text(title_of(row.one.result)), percent(row.one.result.margin),
            )
            for row in rows
        ),
        note=f"Exceedances of one criterion and part within {JOINED} s of one another are one row."
        f"{_arc_length(view, ', or that of the rider.')} Margin: of the whole ride, of whoever has the least.",
    )  # fmt: skip


def _every(view: RunView, found: list[tuple[float, float, RiderJudgement]], *, printed: bool) -> Table:
    several = len(view.judged_on) > 1
    rows = []
    for start, end, one in found:
        rider = (text(rider_name(one.rider, view.judged_on)),) if several else ()
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
            *TIMES,
            DURATION,
            *_columns(view, 0.8),
            *((left("rider", view.who),) if several else ()),
            left("part", "Part"),
            left("criterion", "Criterion", 1.0),
        ),
        rows=tuple(rows),
        printed=printed,
    )
