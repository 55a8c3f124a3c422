"""From the axes of a sensor to those of the rider: offsets, swapped axes, gravity at rest, forward by a launch
or brake."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import Field, model_validator

from ..base.arrays import Array
from ..base.errors import InputError
from ..base.frozen import Frozen, Vec3
from .history import History

Stretch = tuple[float, float]

#: Length (s) of the stretch looked for at rest, the most its acceleration may spread there (g), and how far
#: its length may be from 1 g.
REST_LENGTH = 2.0
REST_SPREAD = 0.05
REST_TOLERANCE = 0.15
#: A stretch of rest is at most so much noisier than the quietest one, and below the second (g) it is quiet anyway.
REST_QUIETEST = 3.0
REST_MIN_SPREAD = 1e-6
#: Stretches whose gravity differs by less than this (degrees) say the same; one that leans further than the second from
#: what is felt over the ride is a slope. Rest in the station is within so many s of the start or end of a record.
SAME_REST = 4.0
LIKELY = 15.0
NEAR_AN_END = 10.0
#: Of a short record: at most this part of it.
END_SHARE = 0.15
#: So much of the record (s) must be in motion, and so much be felt there (g), to show where up is over the ride.
MIN_MOVING = 10.0
MIN_FELT = 0.3
MAX_LISTED = 4
#: A launch or a brake must be at least this strong on average (g) to show where forward is.
MIN_PUSH = 0.03
#: A sensor axis closer to the vertical than this (sine) does not show where forward is.
MIN_LEVEL = 0.3
AXIS_WORDS = {
    sign + axis: (k, -1.0 if sign == "-" else 1.0) for k, axis in enumerate("xyz") for sign in ("", "+", "-")
}


class Mounting(Frozen):
    """How a sensor sat on the rider.

    axes: rider axes forward, left, up in words of the sensor's, "x y z" when it sat straight, "-y x z" when its y axis
    pointed backward and its x axis to the left; None when nobody said: taken as "x y z", and rest is not measured
    against it. offset (g, sensor axes) is taken off every sample; "rest" takes
    off, along the vertical, what the record shows more than 1 g at rest. level: turn the record so that gravity
    at rest points up, with the rider sitting upright then. rest: stretch (s) of rest, found when None. push:
    stretch (s) of a launch or a brake on a straight, which shows where forward is; without one the sensor's x
    axis, made level, is forward. push_is: which of both. yaw (rad): what counts as forward is turned to the left
    by this, after all else.
    """

    axes: str | None = None
    offset: Vec3 | Literal["rest"] = (0.0, 0.0, 0.0)
    level: bool = True
    rest: Stretch | None = None
    push: Stretch | None = None
    push_is: Literal["launch", "brake"] = "launch"
    yaw: Annotated[float, Field(ge=-7.0, le=7.0)] = 0.0

    @model_validator(mode="after")
    def _makes_sense(self) -> Mounting:
        _axes_matrix(self.axes)
        for name, stretch in (("rest", self.rest), ("push", self.push)):
            if stretch is not None and not stretch[0] < stretch[1]:
                raise ValueError(f"{name}: the stretch must end after it starts")
        if not self.level and (self.push is not None or self.rest is not None or self.offset == "rest"):
            raise ValueError("rest, push and an offset by rest need level = true")
        return self


def _axes_matrix(words: str | None) -> Array:
    """Rotation (3, 3) from sensor axes to rider axes; ValueError unless three axes that make a right hand."""
    parts = ("x y z" if words is None else words).split()
    if len(parts) != 3 or any(part not in AXIS_WORDS for part in parts):
        raise ValueError(f"axes: expected three of x, y, z with signs, such as '-y x z', found {words!r}")
    matrix = np.zeros((3, 3))
    for row, part in enumerate(parts):
        column, sign = AXIS_WORDS[part]
        matrix[row, column] = sign
    if abs(np.linalg.det(matrix)) < 0.5:
        raise ValueError(f"axes: {words!r} names an axis twice")
    if np.linalg.det(matrix) < 0.0:
        raise ValueError(f"axes: {words!r} is a left-handed set; turn one sign around")
    return matrix


@dataclass(frozen=True)
class Rest:
    """A stretch at rest: start and end (s), mean acceleration (3,) g and its spread (g), mean rotation rate or None."""

    start: float
    end: float
    mean: Array
    spread: float
    rotation: Array | None


@dataclass(frozen=True)
class Rests:
    """The quiet stretches of a record, which of them is taken for rest, and what speaks against it.

    candidates in order of time; chosen: None when none of them can be told from a lift hill; doubts: sentences.
    """

    candidates: tuple[Rest, ...]
    chosen: Rest | None
    doubts: tuple[str, ...] = ()

    def listed(self) -> str:
        """The candidates in words: when, and how far gravity leans there from the first one."""
        first = self.candidates[0]
        words = [f"{first.start:.1f} to {first.end:.1f} s"]
        for other in self.candidates[1:MAX_LISTED]:
            leaning = angle_between(first.mean, other.mean)
            words.append(f"{other.start:.1f} to {other.end:.1f} s ({leaning:.0f} degrees from the first)")
        more = len(self.candidates) - MAX_LISTED
        return ", ".join(words) + (f" and {more} more" if more > 0 else "")


def angle_between(a: Array, b: Array) -> float:
    """Angle between two vectors (3,) in degrees."""
    return float(np.degrees(np.arctan2(np.linalg.norm(np.cross(a, b)), a @ b)))


def quiet_stretches(history: History, length: float = REST_LENGTH) -> tuple[tuple[Rest, ...], Array]:
    """Stretches without a change, each by one window of it, and whether each sample (n,) lies in one (1) or not (0).

    Quiet means: over `length` s, or the whole record when it is shorter, the acceleration spreads by less than
    0.05 g. Stretches in which it turns by more than a few degrees are parted.
    """
    x, time = history.acceleration, history.time
    width = min(time.size - 1, max(2, round(length * history.sample_rate)))
    centre = x.mean(axis=0)
    d = x - centre
    total = np.concatenate([np.zeros((1, 3)), np.cumsum(d, axis=0)])
    squares = np.concatenate([[0.0], np.cumsum(np.einsum("ni,ni->n", d, d))])
    mean = (total[width:] - total[:-width]) / width
    spread = np.sqrt(
        np.maximum((squares[width:] - squares[:-width]) / width - np.einsum("ni,ni->n", mean, mean), 0.0)
    )
    quiet = spread < REST_SPREAD
    # The quietest windows first: at the edges of a stretch what comes next lies in the window already.
    if quiet.any():
        quiet &= spread <= max(REST_QUIETEST * float(spread[quiet].min()), REST_MIN_SPREAD)
    steps = np.diff(np.concatenate([[0], quiet.astype(np.int8), [0]]))
    found: list[tuple[int, int]] = []
    covered = np.zeros(time.size)
    edges = np.flatnonzero(steps == 1).tolist(), (np.flatnonzero(steps == -1) - 1).tolist()
    for first, last in zip(*edges, strict=True):
        covered[first : last + width] = 1.0
        begin = first
        for k in range(first, last + 1, max(1, width // 4)):
            if angle_between(mean[k] + centre, mean[begin] + centre) > SAME_REST:
                found.append((begin, max(begin, k - width)))
                begin = k
        found.append((begin, last))
    # The first window of a stretch stands for it, the last one where the record ends at rest.
    late = time[-1] - NEAR_AN_END
    ends = (
        (b, b) if time[b + width - 1] > late and time[a] > time[0] + NEAR_AN_END else (a, a) for a, b in found
    )
    return tuple(_rest(history, slice(a, b + width)) for a, b in ends), covered


def find_rests(history: History, axes: str | None = None, length: float = REST_LENGTH) -> Rests:
    """Where a record may be at rest, and where it most likely is.

    A stretch may be rest when it is quiet (`quiet_stretches`) within 15 % of 1 g. A lift hill is quiet too: a
    coasting train feels next to nothing along the track, so at rest gravity must lie within 15 degrees of the
    middle of what is felt while the record is not quiet, and of the axis that `axes` (forward, left, up in words of
    the sensor's) calls up, when given; where there is neither, of an axis of the
    sensor. Of those that do, one at the start or the end of the record comes first.
    Raises InputError when the record is nowhere quiet near 1 g.
    """
    quiet, covered = quiet_stretches(history, length)
    candidates = tuple(rest for rest in quiet if abs(float(np.linalg.norm(rest.mean)) - 1.0) < REST_TOLERANCE)
    if not candidates:
        raise InputError(
            f"The record nowhere rests for {length:g} s (less than {REST_SPREAD:g} g of spread at 1 g); state "
            "the stretch of rest, or switch levelling off when the sensor sat in rider axes."
        )
    felt = _felt(history, covered < 0.5)
    up = None if axes is None else _axes_matrix(axes)[2]
    shown = [v for v in (felt, up) if v is not None]
    if shown:
        likely = [r for r in candidates if all(angle_between(r.mean, v) < LIKELY for v in shown)]
    else:  # nothing says where up is but that sensors are mounted straight, or nearly
        straight = np.vstack([np.eye(3), -np.eye(3)])
        likely = [r for r in candidates if min(angle_between(r.mean, v) for v in straight) < LIKELY]
    at_end = [r for r in likely if _at_an_end(history, r)]
    if not likely:
        return Rests(candidates, None)
    chosen = (at_end or likely)[0]
    doubts = []
    if not shown:
        doubts.append(
            f"Nothing else shows where up is: less than {MIN_MOVING:g} s of the record are in motion, and no axes "
            "are given."
        )
    if not at_end:
        doubts.append(
            "It lies neither at the start nor at the end of the record, as rest in the station does."
        )
    others = [r for r in candidates if angle_between(r.mean, chosen.mean) > SAME_REST]
    if others:
        doubts.append(f"Other quiet stretches lean differently: {Rests((chosen, *others), chosen).listed()}.")
    return Rests(candidates, chosen, tuple(doubts))


def find_rest(history: History, axes: str | None = None) -> Rest:
    """The stretch taken for rest (`find_rests`). Raises InputError when it cannot be told which one is."""
    found = find_rests(history, axes)
    if found.chosen is None:
        leaning = "from what is felt over the ride, as on a lift hill"
        if axes is not None:
            leaning += f", or from the axis that {axes!r} calls up"
        elif _felt(history, quiet_stretches(history)[1] < 0.5) is None:
            leaning = (
                "from all axes of the sensor, and too little of the record is in motion to show where up is"
            )
        raise InputError(
            f"It cannot be told where the record rests: it is quiet from {found.listed()}, but gravity leans there "
            f"{leaning}; state the stretch of rest, or switch levelling off when the sensor sat in rider axes."
        )
    return found.chosen


def _felt(history: History, moving: NDArray[np.bool_]) -> Array | None:
    """The middle (3,) g of what is felt while the record is not quiet; None when that is too short to tell."""
    if np.count_nonzero(moving) < MIN_MOVING * history.sample_rate:
        return None
    middle = np.median(history.acceleration[moving], axis=0)
    return middle if float(np.linalg.norm(middle)) > MIN_FELT else None


def _at_an_end(history: History, rest: Rest) -> bool:
    near = min(NEAR_AN_END, END_SHARE * history.duration)
    return bool(rest.start - history.time[0] < near or history.time[-1] - rest.end < near)


def _rest(history: History, inside: slice | NDArray[np.bool_]) -> Rest:
    x, time = history.acceleration[inside], history.time[inside]
    rate = None if history.rotation_rate is None else history.rotation_rate[inside].mean(axis=0)
    spread = float(np.sqrt(np.mean(np.sum((x - x.mean(axis=0)) ** 2, axis=1))))
    return Rest(float(time[0]), float(time[-1]), np.asarray(x.mean(axis=0)), spread, rate)


def _inside(history: History, stretch: Stretch, name: str) -> NDArray[np.bool_]:
    inside = (history.time >= stretch[0]) & (history.time <= stretch[1])
    if inside.sum() < 3:
        raise InputError(
            f"The stretch of {name} from {stretch[0]:g} to {stretch[1]:g} s holds less than three samples; the record "
            f"goes from {history.time[0]:g} to {history.time[-1]:g} s."
        )
    return np.asarray(inside)


def mounted(history: History, mounting: Mounting) -> History:
    """A record in rider axes (forward, left, up) from one in the axes of its sensor.

    Parameters
    ----------
    history
        As read from a file.
    mounting
        How the sensor sat. In this order: offset, axes, levelling with the mean rotation rate at rest taken
        off, forward, yaw.

    Returns
    -------
    The record; each step is named in the notes.

    Raises
    ------
    InputError
        For a record that nowhere rests, without gravity when levelling is asked for, or with a push that is too
        weak to show where forward is.
    """
    turn = _axes_matrix(mounting.axes)
    notes: list[str] = []
    a = history.acceleration
    if mounting.offset != "rest" and any(mounting.offset):
        a = a - np.asarray(mounting.offset)
        notes.append("Offset of {:g}, {:g}, {:g} g taken off.".format(*mounting.offset))
    if mounting.axes not in (None, "x y z"):
        notes.append(f"Rider axes forward, left, up are the sensor's {mounting.axes}.")
    plain = replace(history, acceleration=a)
    bias = None
    if mounting.level:
        turn, bias, a, more = _levelled(plain, mounting, turn)
        notes += more
    if mounting.yaw:
        turn = _about_z(-mounting.yaw) @ turn
        notes.append(f"Forward turned by {np.degrees(mounting.yaw):.4g} degrees to the left.")
    rate = history.rotation_rate
    if rate is not None:
        rate = (rate if bias is None else rate - bias) @ turn.T
    angular = history.rotation_acceleration
    return replace(
        history,
        acceleration=a @ turn.T,
        rotation_rate=rate,
        rotation_acceleration=None if angular is None else angular @ turn.T,
        notes=(*history.notes, *notes),
    )


def _levelled(
    history: History, mounting: Mounting, turn: Array
) -> tuple[Array, Array | None, Array, list[str]]:
    """Rotation from sensor to level rider axes, rotation rate at rest, acceleration less its offset, and notes."""
    if not history.contains_gravity:
        raise InputError("A record without gravity does not show where up is; switch levelling off.")
    rest, doubts = _chosen_rest(history, mounting)
    size = float(np.linalg.norm(rest.mean))
    if size < 0.5:
        raise InputError(f"At rest the record shows only {size:.3g} g; state another stretch of rest.")
    up = rest.mean / size
    how = "found" if mounting.rest is None else "as asked"
    notes = [f"At rest ({rest.start:.4g} to {rest.end:.4g} s, {how}) the record shows {size:.4g} g."]
    notes += [f"WARNING: {doubt}" for doubt in doubts]
    a = history.acceleration
    if mounting.offset == "rest":
        a = a - (size - 1.0) * up
        notes.append(f"Offset of {size - 1.0:.3g} g along the vertical taken off, so that it rests at 1 g.")
    if rest.rotation is not None:
        shown = ", ".join(f"{w:.3g}" for w in rest.rotation)
        notes.append(f"Rotation rate at rest ({shown} rad/s) taken off.")
    forward, note = _forward(replace(history, acceleration=a), mounting, turn, up, rest)
    tilt = float(np.degrees(np.arccos(np.clip(turn[2] @ up, -1.0, 1.0))))
    notes += [f"Turned by {tilt:.3g} degrees so that gravity at rest points up.", note]
    level = np.vstack([forward, np.cross(up, forward), up])
    return level, rest.rotation, a, notes


def _chosen_rest(history: History, mounting: Mounting) -> tuple[Rest, tuple[str, ...]]:
    """The stretch of rest asked for or found, and what speaks against it."""
    if mounting.rest is None:
        return find_rest(history, mounting.axes), find_rests(history, mounting.axes).doubts
    rest = _rest(history, _inside(history, mounting.rest, "rest"))
    felt = _felt(history, quiet_stretches(history)[1] < 0.5)
    leaning = 0.0 if felt is None else angle_between(rest.mean, felt)
    if leaning < LIKELY:
        return rest, ()
    return rest, (
        f"Gravity in this stretch leans {leaning:.0f} degrees from what is felt over the ride: a slope?",
    )


def _forward(history: History, mounting: Mounting, turn: Array, up: Array, rest: Rest) -> tuple[Array, str]:
    """Unit vector forward in sensor axes, level, and how it was found."""
    if mounting.push is None:
        flat = turn[0] - (turn[0] @ up) * up
        size = float(np.linalg.norm(flat))
        if size < MIN_LEVEL:
            raise InputError(
                "The axis named forward stands upright at rest; name other axes, or a launch or brake that "
                "shows forward."
            )
        return flat / size, "Forward is the sensor's axis made level."
    push = history.acceleration[_inside(history, mounting.push, mounting.push_is)].mean(axis=0)
    flat = push - (push @ up) * up
    size = float(np.linalg.norm(flat))
    if size < MIN_PUSH:
        raise InputError(
            f"From {mounting.push[0]:g} to {mounting.push[1]:g} s the mean push is only {size:.2g} g (needed are "
            f"{MIN_PUSH:g} g); name another {mounting.push_is}."
        )
    sign = 1.0 if mounting.push_is == "launch" else -1.0
    return sign * flat / size, f"Forward is where the {mounting.push_is} of {size:.3g} g shows."


def _about_z(angle: float) -> Array:
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
