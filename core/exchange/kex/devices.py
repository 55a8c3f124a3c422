"""Tyres that hold a train at the speeds a KexEdit project prescribes on its driven sections."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from ...base.arrays import Array
from ...track.devices import Device
from ...track.devices.drive_tyres import DriveTyres
from .course import KexCourse, KexSection
from .kernels import RAIL_RUN, SPEED

SHORTEST = 0.1  # m, of a stretch of one acceleration
CATCHING = 0.5  # m, over which a train of another speed is brought to the first one prescribed
SAME_SPEED = 0.04  # m/s the train may be off the speed prescribed
JUMP = 0.1  # m/s, between the section before and the first speed prescribed
MIN_DECELERATION, HOLDING, MAX_DECELERATION = (
    1e-3,
    20.0,
    60.0,
)  # m/s^2; that of stretches without change, which catch up what is missing
SLOWEST, FASTEST = 0.1, 150.0  # m/s


def speed_stretches(run: Array, speed: Array) -> list[tuple[int, int]]:
    """Index ranges, borders shared, over each of which one acceleration follows the speed (n,) along run (n,) m."""
    borders = [0]
    while borders[-1] < len(run) - 1:
        a = borders[-1]
        fits, reach = a + 1, len(run) - 1
        while fits < reach:  # the longest that follows, by halving
            b = (fits + reach + 1) // 2
            if run[b] - run[a] < SHORTEST or _miss(run, speed, a, b) <= SAME_SPEED:
                fits = b
            else:
                reach = b - 1
        borders.append(fits)
    if len(borders) > 2 and run[-1] - run[borders[-2]] < SHORTEST:
        del borders[-2]
    return list(pairwise(borders))


def _miss(run: Array, speed: Array, a: int, b: int) -> float:
    """Largest difference (m/s) of speed from one acceleration between the indices a and b."""
    part = (run[a : b + 1] - run[a]) / max(float(run[b] - run[a]), 1e-9)
    square = (1.0 - part) * speed[a] ** 2 + part * speed[b] ** 2
    return float(np.abs(np.sqrt(square) - speed[a : b + 1]).max())


def section_devices(section: KexSection) -> list[Device]:
    """Devices (places in m from the start of the section) that hold the speeds of a driven section."""
    run = section.states[:, RAIL_RUN] - section.states[0, RAIL_RUN]
    before = float(section.states[0, SPEED])
    speed = np.clip(section.states[:, SPEED], SLOWEST, FASTEST)
    if len(speed) > 2:  # the first state still has the speed of the section before
        speed[0] = max(2.0 * speed[1] - speed[2], SLOWEST)
    stretches = speed_stretches(run, speed)
    jump = abs(before - speed[0]) > JUMP
    if jump and run[-1] > 2.0 * CATCHING:
        caught = int(np.searchsorted(run, CATCHING))
        stretches = [(0, caught), *((max(a, caught), b) for a, b in stretches if b > caught)]
    devices: list[Device] = []
    for k, (a, b) in enumerate(stretches):
        end = None if k == len(stretches) - 1 else float(run[b])
        length = max(float(run[b] - run[a]), SHORTEST)
        need = abs(float(speed[b]) ** 2 - float(speed[a]) ** 2) / (2.0 * length)
        if abs(speed[b] - speed[a]) <= SAME_SPEED:
            need = HOLDING
        if k == 0 and jump:
            need = MAX_DECELERATION
        devices.append(
            DriveTyres(
                name=f"{section.name}, drive {k + 1}" if len(stretches) > 1 else f"{section.name}, drive",
                section=section.name,
                start=float(run[a]),
                end=end,
                speed=float(speed[b]),
                mode="acceleration",
                acceleration=float(np.clip(need, MIN_DECELERATION, MAX_DECELERATION)),
            )
        )
    return devices


def course_devices(course: KexCourse) -> tuple[Device, ...]:
    """Devices of all driven sections that were laid, in running order: the train has the speeds prescribed all along
    them, to SAME_SPEED where they change by no more than MOST."""
    return tuple(
        device for section in course.sections if section.node.driven for device in section_devices(section)
    )
