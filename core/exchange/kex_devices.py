"""Launches and tyres that give a train the speeds a KexEdit project prescribes on its driven sections."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from core.exchange.kex_course import KexCourse, KexSection
from core.exchange.kex_kernels import DIRECTION, GRAVITY, RAIL_RUN, SPEED
from core.track.devices import Device, DriveTyres, Launch

Array = NDArray[np.float64]

SHORTEST = 0.5  # m, stretches of speed change shorter than this are not told apart
SAME_SPEED = 0.05  # m/s
SPARE = 1.0  # m/s^2 that tyres have beyond what the change of speed and the slope need
LEAST, MOST = 0.05, 60.0  # m/s^2, what a device may be given
SLOWEST, FASTEST = 0.1, 150.0  # m/s


def speed_stretches(run: Array, speed: Array) -> list[tuple[int, int]]:
    """Index ranges over which the speed (n,) only rises or only falls along run (n,) m, borders shared."""
    borders = [0]
    rising = 0.0
    for i in range(1, len(speed)):
        change = speed[i] - speed[borders[-1]]
        if rising == 0.0 and abs(change) > SAME_SPEED:
            rising = np.sign(change)
        top = borders[-1] + int(np.argmax(rising * speed[borders[-1] : i + 1])) if rising else 0
        if (
            rising
            and rising * (speed[top] - speed[i]) > SAME_SPEED
            and run[top] - run[borders[-1]] >= SHORTEST
        ):
            borders.append(top)
            rising = -rising
    if len(borders) > 1 and run[-1] - run[borders[-1]] < SHORTEST:
        borders.pop()
    return list(zip(borders, [*borders[1:], len(speed) - 1], strict=True))


def section_devices(section: KexSection) -> list[Device]:
    """Devices (places in m from the start of the section) that follow the speeds of a driven section."""
    run = section.states[:, RAIL_RUN] - section.states[0, RAIL_RUN]
    speed = section.states[:, SPEED].copy()
    speed[0] = speed[1]  # the first state still has the speed of the section before
    steep = np.abs(section.states[:, DIRECTION + 1])
    devices: list[Device] = []
    stretches = speed_stretches(run, speed)
    for k, (a, b) in enumerate(stretches):
        end = None if k == len(stretches) - 1 else float(run[b])
        if end is not None and end - run[a] < SHORTEST:
            continue
        name = f"{section.name}, drive {k + 1}" if len(stretches) > 1 else f"{section.name}, drive"
        reached = a + int(np.argmax(np.abs(speed[a : b + 1] - speed[a])))
        goal = float(np.clip(speed[reached], SLOWEST, FASTEST))
        length = max(float(run[reached] - run[a]), SHORTEST)
        need = abs(goal**2 - float(speed[a]) ** 2) / (2.0 * length)
        place = {"name": name, "section": section.name, "start": float(run[a]), "end": end}
        if goal > speed[a] + SAME_SPEED:
            value = float(np.clip(need, LEAST, MOST))
            devices.append(Launch.model_validate(place | {"value": value, "top_speed": goal}))
        else:
            slope = GRAVITY * float(steep[a : b + 1].max())
            pull = float(np.clip(need + slope + SPARE, LEAST, MOST))
            devices.append(DriveTyres.model_validate(place | {"speed": goal, "acceleration": pull}))
    return devices


def course_devices(course: KexCourse) -> tuple[Device, ...]:
    """Devices of all driven sections that were laid, in running order.

    A rising speed becomes a launch of constant acceleration to the same end, a falling or constant one tyres that
    bring the train to it: the speeds at the ends agree with the project, those in between within a few percent.
    """
    return tuple(
        device for section in course.sections if section.node.driven for device in section_devices(section)
    )
