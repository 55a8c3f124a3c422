"""The steps by which KexEdit lays track: compiled, on arrays and scalars only; documented in `course` beside it."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

GRAVITY = 9.80665
SLOWEST = 1e-3  # m/s, a train slower than this stops
CENTRE = 0.9  # height of the centre of mass over that of the heartline
TINY = 1.192092896e-07

# places in a state
POSITION, DIRECTION, LATERAL, NORMAL = 0, 3, 6, 9
SPEED, ENERGY, HEART_STEP, RAIL_RUN, HEART_RUN, ORIGIN, HEART, FRICTION, RESISTANCE, PLACE = range(12, 22)
STATE = 22
FORCE, GEOMETRIC, CURVED = 0, 1, 2
MAX_STEPS = 1_000_000


@njit(cache=True, nogil=True)
def curve_value(keys: Any, first: int, last: int, at: float, default: float) -> Any:
    """Value of a keyframed curve at `at`: rows first..last-1 of keys (k, 8) time, value, kinds in and out (0 held,
    1 linear, 2 Bezier), slopes in and out, weights in and out."""
    if last <= first:
        return default
    if at <= keys[first, 0]:
        return keys[first, 1]
    i = first
    while i < last - 1 and at > keys[i + 1, 0]:
        i += 1
    if i >= last - 1:
        return keys[last - 1, 1]
    t0, y0, t1, y1 = keys[i, 0], keys[i, 1], keys[i + 1, 0], keys[i + 1, 1]
    kind_out, kind_in = keys[i, 3], keys[i + 1, 2]
    if kind_out == 0.0 and at < t1:
        return y0
    if kind_in == 0.0:
        return y1
    width = t1 - t0
    if kind_out < 2.0 and kind_in < 2.0:
        return y0 + (y1 - y0) * (at - t0) / width
    a, b = keys[i, 7], keys[i + 1, 6]
    u = (at - t0) / width
    target = u
    for _ in range(60):  # the abscissa is a cubic in u: 3 a u (1-u)^2 + 3 (1-b) u^2 (1-u) + u^3
        v = 1.0 - u
        miss = 3.0 * v * v * u * a + 3.0 * v * u * u * (1.0 - b) + u * u * u - target
        slope = 3.0 * v * v * a + 6.0 * v * u * (1.0 - b - a) + 3.0 * u * u * b
        if abs(miss) < 1e-14 or abs(slope) < 1e-12:
            break
        u = min(max(u - miss / slope, 0.0), 1.0)
    v = 1.0 - u
    return (
        v * v * v * y0
        + 3.0 * v * v * u * (y0 + keys[i, 5] * width * a)
        + 3.0 * v * u * u * (y1 - keys[i + 1, 4] * width * b)
        + u * u * u * y1
    )


@njit(cache=True, nogil=True)
def turned(axis: Any, angle: float, vector: Any) -> Any:
    """vector (3,) turned about the unit axis (3,) by angle (rad), as x cos + (a x v) sin + a (a.v)(1 - cos)."""
    c, s = np.cos(angle), np.sin(angle)
    return vector * c + np.cross(axis, vector) * s + axis * (np.dot(axis, vector) * (1.0 - c))


@njit(cache=True, nogil=True)
def unit(vector: Any) -> Any:
    """vector (3,) at unit length."""
    return vector / np.sqrt(np.dot(vector, vector))


@njit(cache=True, nogil=True)
def set_speed(state: Any, speed: float) -> None:
    """Give the state a speed (m/s), count friction from here, and the energy that belongs to them."""
    state[SPEED] = speed
    state[ORIGIN] = state[RAIL_RUN]
    height = state[POSITION + 1] + CENTRE * state[HEART] * state[NORMAL + 1]
    state[ENERGY] = 0.5 * speed * speed + GRAVITY * height


@njit(cache=True, nogil=True)
def level_axis(direction: Any, normal: Any) -> Any:
    """The horizontal axis a pitch turns about; the other way round when the train hangs upside down."""
    up = np.array([0.0, 1.0 if normal[1] >= 0.0 else -1.0, 0.0])
    return unit(np.cross(up, direction))


@njit(cache=True, nogil=True)
def turn_by_force(state: Any, normal_g: float, lateral_g: float, rate: float) -> Any:
    """Direction and lateral (2, 3) one step on, turned so that the rider feels normal_g and lateral_g."""
    d, lateral, down = state[DIRECTION:LATERAL], state[LATERAL:NORMAL], state[NORMAL:SPEED]
    need_normal = GRAVITY * (normal_g + down[1])
    need_lateral = GRAVITY * (lateral_g + lateral[1])
    speed = state[SPEED]
    heart_speed = state[HEART_STEP] * rate
    if abs(heart_speed) < TINY * rate:
        heart_speed = speed
    sideways = -need_lateral / speed / rate
    out = np.empty((2, 3))
    out[0] = turned(lateral, need_normal / heart_speed / rate, turned(down, sideways, d))
    out[1] = turned(down, sideways, lateral)
    return out


@njit(cache=True, nogil=True)
def turn_by_curve(state: Any, axis: float, angle: float) -> Any:
    """Direction and lateral (2, 3) after turning by angle (rad) about an axis across the track, the roll kept.

    axis (rad): 0 turns about the upward normal, a right angle about the lateral.
    """
    d, lateral, down = state[DIRECTION:LATERAL], state[LATERAL:NORMAL], state[NORMAL:SPEED]
    about = -np.cos(axis) * down + np.sin(axis) * lateral
    roll = np.arctan2(lateral[1], -down[1])
    out = np.empty((2, 3))
    out[0] = unit(turned(about, angle, d))
    flat = np.cross(out[0], np.array([0.0, 1.0, 0.0]))
    if np.sqrt(np.dot(flat, flat)) < TINY:
        flat = np.array([1.0, 0.0, 0.0])
    out[1] = turned(out[0], -roll, unit(flat))
    return out


@njit(cache=True, nogil=True)
def finish(state: Any, before: Any, frame: Any, roll: float, driven: bool, moves: bool, rate: float) -> None:
    """Move on by half a step along the old and half along the new direction, roll about the heartline, settle energy.

    frame (2, 3): new direction and lateral before the roll. moves: turning carries the heartline round the rail.
    """
    heart = state[HEART]
    d = unit(frame[0])
    lateral = unit(frame[1])
    down = unit(np.cross(d, lateral))
    half = 0.5 * before[SPEED] / rate
    step = (d + before[DIRECTION:LATERAL]) * half
    if moves:
        step = step + heart * (before[NORMAL:SPEED] - down)
    state[POSITION:DIRECTION] = before[POSITION:DIRECTION] + step
    state[DIRECTION:LATERAL] = d
    state[LATERAL:NORMAL] = unit(turned(d, -roll, lateral))
    state[NORMAL:SPEED] = unit(np.cross(d, state[LATERAL:NORMAL]))
    ahead = state[POSITION:DIRECTION] - before[POSITION:DIRECTION]
    rail = ahead + heart * (state[NORMAL:SPEED] - before[NORMAL:SPEED])
    state[HEART_STEP] = np.sqrt(np.dot(ahead, ahead))
    state[HEART_RUN] = before[HEART_RUN] + state[HEART_STEP]
    state[RAIL_RUN] = before[RAIL_RUN] + np.sqrt(np.dot(rail, rail))
    if not driven:
        height = state[POSITION + 1] + CENTRE * heart * state[NORMAL + 1]
        spent = (state[RAIL_RUN] - state[ORIGIN]) * state[FRICTION]
        state[ENERGY] = before[ENERGY] - before[SPEED] ** 3 * state[RESISTANCE] / rate
        state[SPEED] = np.sqrt(2.0 * max(0.0, state[ENERGY] - GRAVITY * (height + spent)))


@njit(cache=True, nogil=True)
def eased(angle: float, run: float, full: float) -> float:
    """Part of a turn left by a lead of length `full` at distance `run` into it: smoothstep."""
    share = run / full
    return angle * share * share * (3.0 - 2.0 * share) if share <= 1.0 else angle


@njit(cache=True, nogil=True)
def turn_by_rates(state: Any, pitch: float, yaw: float, rolled: float) -> Any:
    """Direction and lateral (2, 3) after pitching about the level axis and then yawing about the vertical (rad).

    rolled: roll (rad) to take off before, so that the axis does not follow it.
    """
    frame = np.empty((2, 3))
    frame[0] = state[DIRECTION:LATERAL]
    frame[1] = turned(frame[0], rolled, state[LATERAL:NORMAL])
    axis = level_axis(frame[0], np.cross(frame[0], frame[1]))
    vertical = np.array([0.0, 1.0, 0.0])
    for k in range(2):
        frame[k] = turned(vertical, yaw, turned(axis, pitch, frame[k].copy()))
    return frame


@njit(cache=True, nogil=True)
def arc_turn(state: Any, run: float, arc: Any, memory: Any, rate: float) -> Any:
    """Angle (rad) of the next step of a curved section, negative when its lead-out is over.

    run (m) since its start; arc as in `lay`; memory (3,): angle turned so far, where the lead-out began (m of rail, -1
    before) and the angle left then. A lead is a smoothstep over 1.997 times the length its angle takes unhindered.
    """
    turn = state[SPEED] / arc[0] / rate
    full = 1.997 * state[SPEED] / rate
    if arc[3] > 0.0:
        turn = eased(turn, run, full * arc[3] / turn)
    if memory[1] < 0.0 and memory[0] > arc[1] - arc[4]:
        memory[1], memory[2] = run, arc[1] - memory[0]
    if memory[1] >= 0.0 and arc[4] > 0.0 and turn > 0.0:
        left = 1.0 - (run - memory[1]) / (full * memory[2] / turn)
        if left < 0.0:
            return -1.0
        turn *= left * left * (3.0 - 2.0 * left)
    memory[0] += turn
    return turn


@njit(cache=True, nogil=True)
def drive(state: Any, keys: Any, spans: Any, position: float, start_speed: float, driven: bool) -> bool:
    """Give a state the speed prescribed at `position`, or push a train about to roll off; False when it stops."""
    if driven:
        speed = curve_value(keys, spans[5, 0], spans[5, 1], position, start_speed)
        if speed < SLOWEST:
            return False
        set_speed(state, speed)
    elif state[SPEED] < SLOWEST:
        if state[DIRECTION + 1] >= 0.0:
            return False
        set_speed(state, SLOWEST)
    return True


@njit(cache=True, nogil=True)
def lay(
    kind: int, start: Any, duration: float, by_distance: bool, driven: bool, steering: bool, arc: Any, keys: Any,
    spans: Any, rate: float, out: Any,
) -> int:  # fmt: skip
    """Lay one section step by step; returns the number of states written to out (n, STATE), the start included.

    arc (5,): radius (m), angle, axis, lead in, lead out (rad). keys (k, 8) and spans (9, 2): curves as in
    `curve_value`, in the order of `file.CURVES`. The result is cut where the train would stop.
    """
    out[0] = start
    n = 1
    steps = int(np.floor(rate * duration + 1e-6)) if kind != CURVED and not by_distance else MAX_STEPS
    rolled = 0.0
    memory = np.array([0.0, -1.0, 0.0])
    while n < min(steps, len(out)):
        run = out[n - 1, RAIL_RUN] - start[RAIL_RUN]
        if (kind == CURVED and memory[0] >= arc[1] - 1e-9) or (
            kind != CURVED and by_distance and run >= duration
        ):
            break
        before = out[n - 1].copy()
        position = n / rate
        if kind == CURVED:
            position = (n - 1) / rate
        elif by_distance:
            position = run + before[SPEED] / rate
        if not drive(before, keys, spans, position, start[SPEED], driven):
            break
        for k in range(3):
            before[HEART + k] = curve_value(
                keys, spans[6 + k, 0], spans[6 + k, 1], position, start[HEART + k]
            )
        pace = before[SPEED] / rate if by_distance and kind != CURVED else 1.0 / rate
        if kind == FORCE:
            normal_g = curve_value(keys, spans[1, 0], spans[1, 1], position, 1.0)
            lateral_g = curve_value(keys, spans[2, 0], spans[2, 1], position, 0.0)
            frame = turn_by_force(before, normal_g, lateral_g, rate)
        elif kind == GEOMETRIC:
            pitch = pace * curve_value(keys, spans[3, 0], spans[3, 1], position, 0.0)
            yaw = pace * curve_value(keys, spans[4, 0], spans[4, 1], position, 0.0)
            frame = turn_by_rates(before, pitch, yaw, rolled)
        else:
            turn = arc_turn(before, run, arc, memory, rate)
            if turn < 0.0:
                break
            frame = turn_by_curve(before, arc[2], turn)
            position = np.degrees(memory[0])
        roll = pace * curve_value(keys, spans[0, 0], spans[0, 1], position, 0.0)
        moves = kind != GEOMETRIC or not steering
        if not moves:  # the roll is kept apart from the frame that is steered
            rolled += roll
            roll = rolled
        state = before.copy()
        finish(state, before, frame, roll, driven, moves, rate)
        state[PLACE] = position
        out[n] = state
        n += 1
    return n
