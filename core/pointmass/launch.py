"""Launch calculator: what it takes to reach a speed on a stretch of track, and what the rider feels of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..base.errors import InputError
from ..base.sentence import say
from ..base.where import Where
from ..project.point_settings import PointRideSettings
from ..track.build import BuiltTrack
from ..track.device_spans import device_spans, stretch
from ..track.devices import Device
from ..track.devices.launch import Launch
from .result import PointRide
from .ride import EARTH, STEP, ride_point
from .table_ride import speed_for_top
from .tables import line_tables

# Least of the base cases along x of ASTM F2291, for any duration: +Gx from 12 s on, -Gx from 0.5 s on.
GX_LIMITS = (-1.5, 2.5)
STRONGEST = 60.0  # m/s^2


@dataclass(frozen=True)
class LaunchPlan:
    """A launch by constant acceleration along the track.

    start, end (m); speed_in, speed_out (m/s); acceleration (m/s^2); time (s); force (N): largest thrust, level_force:
    mass times acceleration; power (W): largest; energy (J): work of the launch; g (6,): smallest and largest Gx, Gy, Gz
    at the heartline on the way; warning: a sentence when Gx goes beyond the limits, else "".
    """

    start: float
    end: float
    speed_in: float
    speed_out: float
    acceleration: float
    time: float
    force: float
    level_force: float
    power: float
    energy: float
    g: tuple[float, float, float, float, float, float]
    warning: str


@dataclass(frozen=True)
class TopPassage:
    """The highest place of the line a ride came over: s (m), height (m) of the heartline, speed (m/s) there."""

    s: float
    height: float
    speed: float


def _launch(built: BuiltTrack, start: float, end: float, pull: float) -> Launch:
    """A launch of `pull` (m/s^2) from start to end (m)."""
    return Launch.model_validate(
        {"name": "launch", "value": pull, "top_speed": 150.0, **stretch(built.sections, start, end)}
    )


def launch_needed(
    built: BuiltTrack,
    place_from: float,
    place_to: float,
    speed_target: float,
    settings: PointRideSettings | None = None,
    *,
    speed_in: float | None = None,
    gravity: Sequence[float] = EARTH,
    gx_limits: tuple[float, float] = GX_LIMITS,
) -> LaunchPlan:
    """The constant acceleration that brings the train from its speed at one place to a higher one at another.

    place_from < place_to (m); speed_target (m/s); speed_in (m/s): None takes that of a ride with the
    settings and the devices of the track up to place_from. gx_limits (g): smallest and largest Gx allowed without a
    warning, by default the strictest of ASTM F2291 for any duration. The thrust carries slope, friction and drag as
    well. Raises InputError when the stretch is empty, the train does not get there, or is already as fast.
    """
    used = settings or PointRideSettings()
    if not 0.0 <= place_from < place_to <= built.length:
        raise InputError(
            say(
                "A launch needs two places 0 <= from < to <= {length:.2f m} on the track, found {begin:g (m)} and"
                " {end:g m}.",
                length=built.length,
                begin=place_from,
                end=place_to,
            )
        )
    came = _speed_at(built, place_from, used, gravity) if speed_in is None else speed_in
    if speed_target <= came:
        raise InputError(
            say(
                "The train comes to s = {s:.2f m} at {came:.2f m/s} already; a launch to {target:.2f m/s} is"
                " not needed.",
                s=place_from,
                came=came,
                target=speed_target,
            )
        )
    pull = (speed_target**2 - came**2) / (2.0 * (place_to - place_from))
    if pull > STRONGEST:
        raise InputError(
            say("That takes {pull:.0f m/s²}, which no launch gives; use a longer stretch.", pull=pull)
        )
    there = used.model_copy(update={"start": place_from, "speed": came, "laps": 1})
    ride = ride_point(built, there, (_launch(built, place_from, place_to, pull),), gravity=gravity)
    return launch_plan(ride, place_from, place_to, pull, used.mass, gx_limits)


def _speed_at(
    built: BuiltTrack, position: float, settings: PointRideSettings, gravity: Sequence[float]
) -> float:
    ride = ride_point(built, settings, gravity=gravity)
    first = ride.forward()
    s = ride.s[first]
    target = position
    if built.centreline.closed:
        target = s[0] + np.mod(position - s[0], built.length)
    if not s[0] - 1e-9 <= target <= s[-1] + 1e-9:
        raise InputError(
            say("The train does not come to s = {s:.2f m}: {reason}", s=position, reason=ride.message),
            Where(s=position),
        )
    # v^2 is nearly straight over a sample's distance, v is not near standstill
    return float(np.sqrt(np.interp(target, s, ride.speed[first] ** 2)))


def launch_plan(
    ride: PointRide,
    start: float,
    end: float,
    pull: float,
    mass: float,
    limits: tuple[float, float] = GX_LIMITS,
) -> LaunchPlan:
    """A launch of `pull` (m/s^2) as a ride goes over it; start, end (m) as `ride.s`; mass (kg); limits of Gx (g)."""
    on = np.flatnonzero((ride.s >= start - 1e-6) & (ride.s <= end + 1e-6))
    on = on[: int(np.argmax(ride.s[on])) + 1]
    s, work = ride.s[on], ride.energy.driven[on]
    thrust = np.gradient(work, s)
    pushed = ride.g[on[:-1]]
    low, high = pushed.min(axis=0), pushed.max(axis=0)
    warning = ""
    if high[0] > limits[1] or low[0] < limits[0]:
        worst = high[0] if high[0] > limits[1] else low[0]
        bound = limits[1] if high[0] > limits[1] else limits[0]
        warning = f"Gx reaches {worst:.2f} g, beyond {bound:g} g; use a longer stretch or a lower speed."
    return LaunchPlan(
        start,
        end,
        float(ride.speed[on[0]]),
        float(ride.speed[on[-1]]),
        pull,
        float(ride.time[on[-1]] - ride.time[on[0]]),
        float(thrust.max()),
        mass * pull,
        float((thrust * ride.speed[on]).max()),
        float(work[-1] - work[0]),
        (float(low[0]), float(high[0]), float(low[1]), float(high[1]), float(low[2]), float(high[2])),
        warning,
    )


def speed_over_top(ride: PointRide, mass: float, gravity: Sequence[float] = EARTH) -> TopPassage:
    """The highest place the train came over on its way, and its speed there.

    mass (kg) as in the settings of the ride. Height is that of the train's mass on its line.
    """
    first = ride.forward()
    weight = mass * float(np.linalg.norm(np.asarray(gravity, dtype=float)))
    if weight == 0.0:
        raise InputError("Without gravity no place of the track is the highest.")
    height = ride.energy.potential[first] / weight
    k = int(np.argmax(height))
    return TopPassage(float(ride.place[first][k]), float(height[k]), float(ride.speed[first][k]))


def start_speed_for_top(
    built: BuiltTrack,
    top_speed: float,
    settings: PointRideSettings | None = None,
    devices: Sequence[Device] | None = None,
    *,
    gravity: Sequence[float] = EARTH,
) -> float:
    """The start speed (m/s) that takes the train over the highest place ahead at `top_speed` (m/s).

    settings: their speed is not used; devices: None takes those of the track. Raises InputError when no speed from 0 to
    150 m/s does it, because a device sets the speed on the way for instance.
    """
    used = (settings or PointRideSettings()).model_copy(update={"top_speed": top_speed})
    spans = device_spans(built.track.devices if devices is None else devices, built.sections)
    return speed_for_top(line_tables(built, used, spans, gravity, STEP, True), built, used, spans).speed
