"""Where the ride of the train as points and the multibody run of one project differ, by how much, and why."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..base.errors import InputError
from ..base.sentence import say, together
from ..pointmass.ride import preview_ride
from ..project.point_train import ridden_settings
from ..project.project import Project
from ..project.scenario import Ride
from ..results.results import Results, cars_of
from ..track.build import BuiltTrack

TOLD = 0.01  # of the speed; a smaller difference is not worth a sentence
PART = 0.15  # of the difference in energy; a smaller part is not named
KILO = 1e3  # J, from which an energy is said in kJ


@dataclass(frozen=True)
class TwoRides:
    """The largest difference of speed: where (s m), when in the run (s), speeds there (m/s) of the run and the points;
    lost: what each has lost by then to wheels and air (J); why: its parts, in words, largest first."""

    s: float
    time: float
    run_speed: float
    point_speed: float
    run_lost: float
    point_lost: float
    why: tuple[str, ...]

    @property
    def sentence(self) -> str:
        """By how much they differ, and why."""
        apart = self.run_speed - self.point_speed
        word = "faster" if apart > 0.0 else "slower"
        reason = say(": {why}", why=together("; ", self.why)) if self.why else ""
        return say(
            "At {s:.0f m} the run is {apart:.2f m/s} {word} than the preview ({run:.2f (m/s)} against {points:.2f m/s})"
            "{reason}.",
            s=self.s, apart=abs(apart), word=word, run=self.run_speed, points=self.point_speed, reason=reason,
        )  # fmt: skip


def two_rides(results: Results, project: Project, built: BuiltTrack | None) -> TwoRides | None:
    """The comparison over what both have ridden on their way; None where one of them has not ridden.

    project: that of the run; built: its track.
    """
    channel = next((results.channels.get(f"car/{car}/arc_length") for car in cars_of(results)), None)
    if not isinstance(project.scenario, Ride) or built is None or project.train is None or channel is None:
        return None
    settings = ridden_settings(project)
    try:
        points = preview_ride(built, settings, gravity=project.gravity)
    except InputError:
        return None
    time = results.states.time
    s = np.interp(time, results.sample_time, channel.values)
    mass = settings.mass
    ahead = points.forward()
    along, lost = points.s[ahead], (points.energy.friction + points.energy.drag)[ahead]
    kinetic = points.energy.kinetic[ahead]
    if len(time) < 3 or len(along) < 3:
        return None
    # the first car's origin and the middle of the points at the start
    s = s - s[0] + along[0]
    forward = np.flatnonzero(np.diff(s, prepend=s[0] - 1.0) > 0.0)
    on = forward[(s[forward] >= along[0]) & (s[forward] <= along[-1])]
    if len(on) < 3:
        return None
    run_speed = np.sqrt(2.0 * results.energy.kinetic[on] / mass)
    point_speed = np.sqrt(2.0 * np.interp(s[on], along, kinetic) / mass)
    worst = int(np.argmax(np.abs(run_speed - point_speed)))
    k = int(on[worst])
    there = float(np.interp(s[k], along, lost))
    height = np.interp([s[0], s[k]], along, points.energy.potential[ahead])
    raised = float(results.energy.potential[k] - results.energy.potential[0] - height[1] + height[0])
    why = _why(results, k, there, raised, mass, run_speed[0], point_speed[0])
    return TwoRides(
        float(built.centreline.wrap(s[k])[0]), float(time[k]), float(run_speed[worst]), float(point_speed[worst]),
        float(results.energy.drag[k] - results.energy.drag[0]), there, why,
    )  # fmt: skip


def _why(
    results: Results, k: int, point_lost: float, raised: float, mass: float, v_run: float, v_points: float
) -> tuple[str, ...]:
    """The parts by which the kinetic energies differ at instant k of the run, in words; raised (J): how much more the
    masses of the run have gained in height."""
    ledger = results.energy
    run_lost = float(ledger.drag[k] - ledger.drag[0])
    start = 0.5 * mass * (float(v_run) ** 2 - float(v_points) ** 2)
    spent = float(ledger.dissipated[k] - ledger.dissipated[0])
    stored = float(ledger.elastic[k] - ledger.elastic[0])
    apart = run_lost - point_lost
    taken: str = say(
        f"wheels and air take {_kJ('run', run_lost)} from the run and nothing from the preview", run=run_lost
    )
    if point_lost > 0.0:
        taken = say(
            f"wheels and air take {_kJ('run', run_lost)} from the run and {_kJ('points', point_lost)} from the preview,"
            " whose cars do not lean or shake",
            run=run_lost, points=point_lost,
        )  # fmt: skip
    begun = say("they start with {run:.2f (m/s)} and {points:.2f m/s}", run=v_run, points=v_points)
    heights = say(
        f"its masses, which are not all at one height, need {_kJ('energy', raised)} {{more}} for their height there",
        energy=abs(raised), more="more" if raised > 0.0 else "less",
    )  # fmt: skip
    springs = say(
        f"springs hold {_kJ('stored', stored)} {{more}} than at the start",
        stored=abs(stored), more="more" if stored > 0.0 else "less",
    )  # fmt: skip
    parts: tuple[tuple[str, float], ...] = (
        (begun, start),
        (taken, -apart),
        (heights, -raised),
        (say(f"dampers and stops take {_kJ('spent', spent)}, which points do not have", spent=spent), -spent),
        (springs, -stored),
    )
    total = sum(abs(value) for _, value in parts)
    ranked = sorted(parts, key=lambda part: -abs(part[1]))
    named = tuple(text for text, value in ranked if total > 0.0 and abs(value) > PART * total)
    return named or ("the bodies of the train move against one another, points do not",)


def _kJ(name: str, energy: float) -> str:
    """Where an energy (J) stands in a sentence: in kJ, and in J where it is less than one."""
    return f"{{{name}:.2f kJ}}" if abs(energy) >= KILO else f"{{{name}:.0f J}}"


def differs(rides: TwoRides | None) -> bool:
    """Whether the difference is worth telling."""
    return rides is not None and abs(rides.run_speed - rides.point_speed) > TOLD * max(rides.run_speed, 1.0)
