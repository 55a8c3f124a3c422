"""The governing moments: where the margins are least, with a picture and what is known about the place."""

from __future__ import annotations

import math
from dataclasses import replace

from ...injury.result import LONGEST, CriterionResult
from ...outcome.origin.moment import Origin, explain, moment_of
from ..book import Book, Event, Pictures, PictureWish
from ..cells import entry, fixed, percent, text, verdict
from ..document import Block, Entry, Moment, Section, Text
from ..figures.moment_figure import sketch
from ..run_view import RunView
from .words import (
    direction_text,
    limit_cell,
    part_name,
    title_of,
    unit_of,
    value_cell,
    whose,
)

SAME_MOMENT = 0.75  # s; judgements nearer than this are one moment
STRAIGHT = 1e-4  # 1/m


def events_of(view: RunView, maximum: int) -> tuple[Event, ...]:
    """The moments with the least margins, at most `maximum`, lettered A, B, ...; the least margin first."""
    events: list[Event] = []
    for one in view.judged:
        if (
            not one.result.judged
            or (one.result.value or 0.0) <= 0.0
            or one.moment is None
            or one.result.lasts
        ):
            continue
        time = moment_of(one, float(view.results.sample_time[0]))
        near = [k for k, event in enumerate(events) if abs(event.time - time) < SAME_MOMENT]
        if near:
            event = events[near[0]]
            events[near[0]] = replace(event, others=(*event.others, one))
        elif len(events) < maximum:
            origin = explain(view.project, view.results, one, built=view.built)
            events.append(Event(chr(ord("A") + len(events)), one, origin))
    return tuple(events)


def moments_section(
    view: RunView, book: Book, events: tuple[Event, ...], pictures: Pictures | None
) -> Section | None:
    """One block a moment; None when no criterion has a limit."""
    if not events:
        return None
    blocks: list[Block] = [
        Text(
            text=(
                "The moments with the least margins of all. Criteria whose windows lie within "
                f"{SAME_MOMENT} s of one another count as one moment, named by the least margin; values taken over "
                f"more than {LONGEST:g} s belong to no moment. "
                f"{'Loads' if view.built is None else 'Place, track and suspension'} are those at the "
                "time of the place: for values through the 5 Hz ride filter that is earlier than the value by the "
                "delay of the filter."
            )
        )
    ]
    width = 0.05 if book.options.sensitivity else 0.2  # the short rides come after, and take longer
    for k, event in enumerate(events):
        book.step(0.65 + width * k / len(events), f"picture of moment {event.mark}")
        blocks.append(_moment(view, book, event, pictures))
    return Section(id="moments", title="Governing moments", page=True, blocks=tuple(blocks))


def _moment(view: RunView, book: Book, event: Event, pictures: Pictures | None) -> Moment:
    one = event.judged
    picture = None if pictures is None else pictures(PictureWish(event.time, one.rider, one.part))
    if picture is not None:
        file = f"moment_{event.mark}.png"
        book.files[file] = picture
    else:
        file = f"moment_{event.mark}.svg"
        book.files[file] = sketch(view, event.time, event.place)
    result = one.result
    minimum: dict[tuple[str, str], float] = {}
    for other in event.others:  # the least margin first
        minimum.setdefault((title_of(other.result), part_name(other.part)), other.result.margin or 0.0)
    others = [
        f"{title} ({part}, {percent(margin).text}\u00a0%)" for (title, part), margin in [*minimum.items()][:4]
    ]
    margins = f"Margins at the same moment: {'; '.join(others)}." if others else ""
    return Moment(
        id=f"moment_{event.mark}",
        mark=event.mark,
        title=f"{title_of(result)}, {whose(one, view.judged_on)}",
        picture=file,
        verdict=verdict(result.verdict),
        entries=(
            entry(
                "Value", value_cell(result.value, result.unit, view.uncertainty.get(one.key)), unit_of(result)
            ),
            entry("Limit", limit_cell(result.limit, result.unit), unit_of(result)),
            entry("Margin", percent(result.margin), "%"),
            entry("Time t", fixed(one.moment, 3), "s"),
            entry("Time at the place", fixed(event.time, 3), "s"),
            *_place(view, event.origin),
            *_loads(view, event),
        ),
        note=" ".join(filter(None, (_how(result), margins))),
    )


def _how(result: CriterionResult) -> str:
    """What a result says about its value, as a sentence: for how long a level was held, what to beware of."""
    note = direction_text(result.note)
    return note[:1].upper() + note[1:] + "." if note else ""


def _radius(curvature: float, positive: str, negative: str) -> tuple[float | None, str]:
    """Radius (m) and the side it bends to; None for what is straight."""
    if abs(curvature) < STRAIGHT:
        return None, "straight"
    return 1.0 / abs(curvature), positive if curvature > 0.0 else negative


def _place(view: RunView, origin: Origin) -> tuple[Entry, ...]:
    """Where the car was and what the track and the suspension did there."""
    entries: list[Entry] = []
    stretch = None if origin.arc_length is None else view.stretch_at(origin.arc_length)
    if stretch is not None and origin.cant is not None:
        vertical, up = _radius(origin.curvature_normal or 0.0, "upwards", "downwards")
        lateral, side = _radius(origin.curvature_lateral or 0.0, "to the left", "to the right")
        entries += [
            entry("Arc length s", fixed(origin.arc_length, 1), "m"),
            entry("Section", text(f"{stretch.number} {stretch.name}")),
            entry("Speed", fixed(origin.speed, 2), "m/s"),
            entry(f"Vertical radius, {up}", fixed(vertical, 1), "m"),
            entry(f"Lateral radius, {side}", fixed(lateral, 1), "m"),
            entry("Cant", fixed(math.degrees(origin.cant), 1), "°"),
        ]
    if origin.roll is not None:
        entries.append(entry("Roll of the carbody", fixed(math.degrees(origin.roll), 1), "°"))
    for spring in origin.springs:
        if spring.contact is not None:
            unit = "N m" if spring.unit == "rad" else "N"
            push = fixed(abs(spring.force), 0) if spring.contact else text("free")
            entries.append(entry(spring.name, push, unit if spring.contact else ""))
    return tuple(entries)


def _loads(view: RunView, event: Event) -> tuple[Entry, ...]:
    """The three components of the judged part through the 5 Hz filter at the moment."""
    one = event.judged
    smooth, history = view.smooth(one.rider, one.part), view.history(one.rider, one.part)
    if smooth is None or history is None:
        return ()
    k = min(round(((one.moment or 0.0) - float(history.time[0])) * history.sample_rate), len(smooth) - 1)
    return tuple(
        entry(f"{axis}, 5 Hz", fixed(float(smooth[k, i]), 2), "g")
        for i, axis in enumerate(("Gx", "Gy", "Gz"))
    )
