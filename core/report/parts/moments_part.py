"""The governing moments: where the margins are least, with a picture and what is known about the place."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from ...base.arrays import Array
from ...base.frames import rotation_matrix
from ...injury.result import LONGEST, CriterionResult
from ...outcome.origin.moment import Origin, explain, moment_of
from ..book import Book, Event, Pictures, PictureWish
from ..cells import entry, fixed, percent, text, verdict
from ..document import Block, Entry, Moment, Section, Text
from ..figures.canvas import BLUE, INK, PALE, draw_svg
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

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

SAME_MOMENT = 0.75  # s; judgements nearer than this are one moment
STRAIGHT = 1e-4  # 1/m
WIDTH, HEIGHT = 9.4, 5.3  # cm, as the rendered pictures
BEHIND, AHEAD = 9.0, 14.0  # m of track that are shown
BROADEST = 1.2  # m, half axes of a body on a track
SLEEPER = 1.5  # m between drawn sleepers
AZIMUTH, RISE = np.radians(-58.0), np.radians(24.0)  # of the look, against the way ahead and the horizon


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


def expect(pictures: Pictures | None, events: tuple[Event, ...]) -> None:
    """Tell who draws pictures which ones come, if that is of use to it: they may be drawn while the rest is written."""
    told = getattr(pictures, "expect", None)
    if told is not None:
        told(tuple(_wish(event) for event in events))


def _wish(event: Event) -> PictureWish:
    return PictureWish(event.time, event.judged.rider, event.judged.part)


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
    picture = None if pictures is None else pictures(_wish(event))
    if picture is not None:
        file = f"moment_{event.mark}.png"
        book.files[file] = picture
    else:
        file = f"moment_{event.mark}.svg"
        book.files[file] = _sketch(view, event.time, event.place)
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


def _sketch(view: RunView, time: float, s: float | None) -> bytes:
    """Track around arc length s (m) and the train at a time (s) in parallel projection, as SVG.

    Used where no rendered picture can be made (a core without the studio).
    """
    position, orientation = _pose(view, time)
    centre = position.mean(axis=0)
    look = _axes_of_look(view, s)

    def flat(points: Array) -> Array:
        return np.asarray((points - centre) @ look.T)

    def draw(figure: Figure) -> None:
        axes = figure.add_axes((0.0, 0.0, 1.0, 1.0))
        axes.set_axis_off()
        if view.built is not None and s is not None:
            _track(axes, view, s, flat)
        low, high = _bodies(
            axes, view, flat(position), orientation, look, BROADEST if s is not None else np.inf
        )
        middle, reach = np.zeros(2), 2.3
        if s is None:  # a rig as a whole
            middle, spread = 0.5 * (low + high), 0.5 * (high - low)
            reach = 1.1 * max(float(spread[1]), float(spread[0]) * HEIGHT / WIDTH, 0.25)
        axes.set_xlim(middle[0] - reach * WIDTH / HEIGHT, middle[0] + reach * WIDTH / HEIGHT)
        axes.set_ylim(middle[1] - reach, middle[1] + reach)

    return draw_svg(draw, WIDTH, HEIGHT)


def _pose(view: RunView, time: float) -> tuple[Array, Array]:
    """Positions (nb, 3) m and orientations (nb, 4) at the stored instant next to a time."""
    states = view.results.states
    k = int(np.argmin(np.abs(states.time - time)))
    return states.position[k], states.orientation[k]


def _axes_of_look(view: RunView, s: float | None) -> Array:
    """Right and up on the paper as world vectors, (2, 3); seen from ahead and to the right of the train."""
    way = np.array([1.0, 0.0, 0.0])
    if view.built is not None and s is not None:
        tangent = view.built.centreline.state([s]).tangent[0]
        if np.hypot(tangent[0], tangent[1]) > 0.05:
            way = np.array([tangent[0], tangent[1], 0.0]) / np.hypot(tangent[0], tangent[1])
    side = np.array([-way[1], way[0], 0.0])
    away = np.cos(AZIMUTH) * way + np.sin(AZIMUTH) * side  # from the train to the eye, level
    right = np.array([-away[1], away[0], 0.0])
    up = np.cos(RISE) * np.array([0.0, 0.0, 1.0]) - np.sin(RISE) * away
    return np.stack([right, up])


def _track(axes: Axes, view: RunView, s: float, flat: Callable[[Array], Array]) -> None:
    assert view.built is not None
    places = np.linspace(s - BEHIND, s + AHEAD, 160)
    if not view.built.track.closed:
        places = places[(places >= 0.0) & (places <= view.built.length)]
    state = view.built.centreline.state(places)
    half = 0.5 * view.built.track.gauge * state.left
    for rail in (state.curve[:, 0] + half, state.curve[:, 0] - half):
        axes.plot(*flat(rail).T, color="#59636e", linewidth=1.3, zorder=2)
    step = max(1, round(SLEEPER / (places[1] - places[0])))
    for k in range(0, len(places), step):
        ends = flat(np.stack([state.curve[k, 0] + half[k], state.curve[k, 0] - half[k]]))
        axes.plot(*ends.T, color=PALE, linewidth=0.7, zorder=1)


def _bodies(
    axes: Axes, view: RunView, spots: Array, orientation: Array, look: Array, broadest: float
) -> tuple[Array, Array]:
    """Each body as the outline of the ellipsoid with its moments of inertia; the corners of what is drawn."""
    halves, drawn = _half_axes(view, broadest), []
    names = view.results.names.bodies
    riders = tuple(f"{rider}/" for rider in view.results.names.riders)
    turn = np.linspace(0.0, 2.0 * np.pi, 33)
    for k, name in enumerate(names):
        # The outline of an ellipsoid with matrix M = R diag(h^2) R^T is an ellipse with matrix L M L^T.
        r = rotation_matrix(orientation[k])
        shape = look @ (r * halves.get(name, np.full(3, 0.05)) ** 2) @ r.T @ look.T
        values, vectors = np.linalg.eigh(shape)
        circle = np.stack([np.cos(turn), np.sin(turn)], axis=1) * np.sqrt(np.maximum(values, 0.0))
        outline = spots[k] + circle @ vectors.T
        drawn.append(outline)
        rider = name.startswith(riders)
        axes.fill(
            outline[:, 0], outline[:, 1], facecolor="#f3c9a8" if rider else "#d5e2ee",
            edgecolor=INK if rider else BLUE, linewidth=0.6, alpha=0.9, zorder=5 if rider else 4,
        )  # fmt: skip
    every = np.concatenate(drawn)
    return every.min(axis=0), every.max(axis=0)


def _half_axes(view: RunView, broadest: float) -> dict[str, Array]:
    """Half axes (m, at most `broadest`) of the homogeneous ellipsoid with mass and moments of each body, by name."""
    found: dict[str, Array] = {}
    top = view.project.assembly
    for name, body in {} if top is None else top.every("body").items():
        a, b, c = body.inertia
        squares = 2.5 / body.mass * np.array([b + c - a, a + c - b, a + b - c])
        found[name] = np.clip(np.sqrt(np.maximum(squares, 0.0)), 0.04, broadest)
    return found
