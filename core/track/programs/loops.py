"""Programs of the elements that go over the top. The pole is the axis of the loop; see `program`."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from itertools import pairwise

import numpy as np

from ...base.arrays import Array
from ...base.errors import InputError
from ..elements.loops import (
    DiveLoopSection,
    ImmelmannSection,
    LoopSection,
    WingOverSection,
)
from .channel import Channel, channel
from .entry import Entry
from .plane import SIGN, right_of
from .program import UP, Program, seen_from
from .solve import newton, root_between

_X, _W = np.polynomial.legendre.leggauss(12)
MAX_LEAN = 1.2  # rad, of a line out of the plane of its loop, or of its climb


def integral_over(channel_: Channel, f: Callable[[Array], Array], low: float, high: float) -> float:
    """Integral of f(channel rows) over [low, high] by Gauss rules between the edges and in parts of them."""
    inner = channel_.edges[(channel_.edges > low) & (channel_.edges < high)]
    edges = np.concatenate([[low], inner, [high]])
    edges = np.unique(np.concatenate([np.linspace(a, b, 7) for a, b in pairwise(edges)]))
    half = 0.5 * np.diff(edges)
    places = (edges[:-1] + half)[:, None] + half[:, None] * _X
    values = f(channel_.at(places.ravel())).reshape(places.shape)
    return float(np.sum(values * _W * half[:, None]))


def _rise(turn: Channel, until: float) -> float:
    """Rise (m) over [0, until] of a curve in a plane whose direction turns as `turn` says, from level."""
    return integral_over(turn, lambda row: np.sin(row[:, 3]), 0.0, until)


def _leaning_rise(turn: Channel, lean: Channel, until: float) -> float:
    """Rise (m) like `_rise` of a curve that leans out of its plane by the angle `lean`."""
    edges = np.concatenate([np.linspace(0.0, until, 25), turn.edges[turn.edges < until]])
    edges = np.unique(edges)
    half = 0.5 * np.diff(edges)
    x = ((edges[:-1] + half)[:, None] + half[:, None] * _X).ravel()
    weight = (_W * half[:, None]).ravel()
    return float(np.sum(weight * np.sin(turn.at(x)[:, 3]) * np.cos(lean.at(x)[:, 0])))


def loop_axis(entry: Entry, inclination: float) -> Array:
    """Axis of a loop entered here, (3,): to the right, leaning with the plane of the loop."""
    side = -right_of(entry)
    up = np.cross(entry.tangent, side)
    return np.asarray(-np.cos(inclination) * side + np.sin(inclination) * up)


def _full_loop(clothoid: float, shape: str) -> Channel:
    """Turn rate of clothoid, arc, clothoid over a whole turn with top radius 1."""
    arc = 2.0 * np.pi - clothoid
    return channel(0.0, [(clothoid, 1.0, shape), (arc, 1.0, "linear"), (clothoid, 0.0, shape)])


@lru_cache(maxsize=256)
def _clothoid_length(ratio: float, shape: str) -> float | None:
    """Length of each clothoid of a loop whose height is `ratio` times its top radius, in top radii."""

    def miss(clothoid: float) -> float:
        turn = _full_loop(clothoid, shape)
        return _rise(turn, 0.5 * turn.end) - ratio

    return root_between(miss, 0.01, 2.0 * np.pi - 1e-9)


@lru_cache(maxsize=256)
def _loop_limit(shape: str) -> float:
    """Largest height of a loop in top radii: clothoids only."""
    turn = _full_loop(2.0 * np.pi - 1e-9, shape)
    return _rise(turn, 0.5 * turn.end)


def _towards(angle: float, near: float) -> float:
    return angle - 2.0 * np.pi * round((angle - near) / (2.0 * np.pi))


def loop(section: LoopSection, entry: Entry) -> Program:
    """Clothoid, arc, clothoid about the axis of the loop; the latitude leans out of the plane for the offset.

    Raises InputError when height and top radius do not go together.
    """
    pole = loop_axis(entry, section.inclination)
    view = seen_from(entry, pole)
    clothoid = _clothoid_length(section.height / section.top_radius, section.smoothness)
    if clothoid is None:
        least, most = section.height / _loop_limit(section.smoothness), section.height / 2.01
        raise InputError(
            f"{entry.where}: a loop {section.height:g} m high needs a top radius of {least:.2f} to {most:.2f} m, not"
            f" {section.top_radius:g} m."
        )

    def made(values: Array) -> tuple[Channel, Channel]:
        radius, lean = values
        unit = _full_loop(clothoid, section.smoothness)
        pieces = [
            (float(w) * radius, float(a + b) / radius, section.smoothness if b else "linear")
            for w, a, b in zip(np.diff(unit.edges), unit.start, unit.step, strict=True)
        ]
        turn = channel(0.0, pieces)
        half = 0.5 * turn.end
        return turn, channel(0.0, [(half, lean, "quintic"), (turn.end - half, 0.0, "quintic")])

    def miss(values: Array) -> Array:
        turn, lean = made(values)
        height = _leaning_rise(turn, lean, 0.5 * turn.end)
        side = -integral_over(lean, lambda row: np.sin(row[:, 0]), 0.0, lean.end)
        return np.array([height / section.height - 1.0, (side - section.offset) / section.height])

    guess = np.array([section.top_radius, -section.offset / (3.2 * section.height)])
    radius, lean_most = newton(miss, guess, entry.where, "loop")
    if abs(lean_most) > MAX_LEAN:
        raise InputError(
            f"{entry.where}: an offset of {section.offset:g} m is too much for a loop {section.height:g} m high."
        )
    turn, lean = made(np.array([radius, lean_most]))
    upright = _towards(-0.5 * np.pi, view.bank)
    ends = float(turn.edges[1])
    bank_shape = "quintic"
    bank = channel(
        view.bank,
        [
            (ends, upright, bank_shape),
            (turn.end - 2.0 * ends, upright, "linear"),
            (ends, view.bank, bank_shape),
        ],
    )
    return Program(turn, lean, bank, pole)


def _half_loop(height: float, radius: float, run: float, where: str) -> tuple[float, float]:
    """Lengths (m) of the clothoid and the arc of half a loop that ends straight over `run`.

    Raises InputError when the values do not go together.
    """

    def turn(clothoid: float) -> Channel:
        arc = np.pi * radius - 0.5 * (clothoid + run)
        bend = 1.0 / radius
        return channel(0.0, [(clothoid, bend, "cubic"), (arc, bend, "linear"), (run, 0.0, "cubic")])

    def miss(clothoid: float) -> float:
        made = turn(clothoid)
        return _rise(made, made.end) - height

    most = 2.0 * np.pi * radius - run
    clothoid = root_between(miss, 1e-3, most - 1e-6) if most > 1e-2 else None
    if clothoid is None:
        lowest, highest = (miss(c) + height for c in (1e-3, max(most - 1e-6, 2e-3)))
        if most <= 1e-2:
            raise InputError(f"{where}: a run-out of {run:g} m is too long for a top radius of {radius:g} m.")
        raise InputError(
            f"{where}: with a top radius of {radius:g} m and these lengths half a loop is {min(lowest, highest):.1f} to"
            f" {max(lowest, highest):.1f} m high, not {height:g} m; change the radius."
        )
    return clothoid, np.pi * radius - 0.5 * (clothoid + run)


def immelmann(section: ImmelmannSection, entry: Entry) -> Program:
    """Half a loop up, half a roll about the straight line it ends in."""
    pole = loop_axis(entry, 0.0)
    view = seen_from(entry, pole)
    clothoid, arc = _half_loop(section.height, section.top_radius, section.run_out, entry.where)
    half = clothoid + arc + section.run_out
    overlap = min(section.overlap, section.roll_length, half)
    bend = 1.0 / section.top_radius
    rest = section.roll_length - overlap
    pieces = [(clothoid, bend, "cubic"), (arc, bend, "linear"), (section.run_out, 0.0, "cubic")]
    turn = channel(0.0, [*pieces, (rest, 0.0, "linear")])
    rolled = view.bank - SIGN[section.direction] * np.pi
    bank = channel(
        view.bank, [(half - overlap, view.bank, "linear"), (section.roll_length, rolled, "quintic")]
    )
    return Program(
        turn, channel(view.latitude, [(turn.end, view.latitude, "linear")]), bank, pole, section.line_height
    )


def dive_loop(section: DiveLoopSection, entry: Entry) -> Program:
    """Half a roll about a straight line, half a loop down."""
    pole = loop_axis(entry, 0.0)
    view = seen_from(entry, pole)
    clothoid, arc = _half_loop(section.height, section.top_radius, section.run_in, entry.where)
    half = clothoid + arc + section.run_in
    overlap = min(section.overlap, section.roll_length, half)
    bend = -1.0 / section.top_radius
    rest = section.roll_length - overlap
    pieces = [(section.run_in, bend, "cubic"), (arc, bend, "linear"), (clothoid, 0.0, "cubic")]
    turn = channel(0.0, [(rest, 0.0, "linear"), *pieces])
    rolled = view.bank - SIGN[section.direction] * np.pi
    bank = channel(view.bank, [(section.roll_length, rolled, "quintic"), (half - overlap, rolled, "linear")])
    return Program(
        turn, channel(view.latitude, [(turn.end, view.latitude, "linear")]), bank, pole, section.line_height
    )


def wing_over(section: WingOverSection, entry: Entry) -> Program:
    """Heading, pitch and cant over the length; the largest pitch is solved for the height.

    Raises InputError when the length is too short for the height.
    """
    view = seen_from(entry, UP)
    length = section.length
    half, quarter = 0.5 * length, 0.25 * length
    sign = SIGN[section.direction]
    most = 2.0 * sign * section.angle / length
    turn = channel(0.0, [(half, most, "quintic"), (half, 0.0, "quintic")])

    def climb(steepest: float) -> Channel:
        pieces = [(quarter, steepest, "quintic"), (half, -steepest, "quintic"), (quarter, 0.0, "quintic")]
        return channel(view.latitude, pieces)

    def miss(steepest: float) -> float:
        return integral_over(climb(steepest), lambda row: np.sin(row[:, 0]), 0.0, half) - section.height

    steepest = root_between(miss, 0.0, MAX_LEAN)
    if steepest is None:
        raise InputError(
            f"{entry.where}: {length:g} m are too short to climb {section.height:g} m and come down again; at least"
            f" {3.0 * section.height:.0f} m are needed."
        )
    lean = -sign * section.bank
    bank = channel(view.bank, [(half, lean, "quintic"), (half, 0.0, "quintic")])
    return Program(turn, climb(steepest), bank, UP)
