"""`ridewright ride-point PROJECT`: the ride of the train as points, section by section."""

from __future__ import annotations

import argparse
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from ..base.errors import InputError
from ..base.text_table import text_table
from ..pointmass.result import PointRide
from ..pointmass.sections import Extreme, SectionFigures
from ..project.point_train import ridden_settings
from ..project.project import Project, load_project, write_atomically
from .commands import add_command, add_json_switch, print_json

COLUMNS = (
    "time_s", "s_m", "place_m", "speed_m_s", "acceleration_m_s2", "gx", "gy", "gz", "rail_gx", "rail_gy", "rail_gz",
    "roll_rate_rad_s", "jerk_x_g_s", "jerk_y_g_s", "jerk_z_g_s", "kinetic_J", "potential_J", "friction_J", "drag_J",
    "driven_J",
)  # fmt: skip


def add(commands: Any) -> None:
    """Add the command to the program."""
    command = add_command(
        commands, "ride-point", "ride the train as points: speeds, loads, stalls, energy", run
    )
    command.add_argument("project", metavar="PROJECT", help="project file (*.ridewright)")
    command.add_argument("--csv", metavar="FILE", help="write the samples, one line each")
    add_json_switch(command)


def run(arguments: argparse.Namespace) -> int:
    """Ride and print; a train that stalls is no failure."""
    from ..pointmass.ride import ride_point
    from ..pointmass.sections import section_figures
    from ..track.build import build_track

    project = load_project(arguments.project)
    if project.track is None:
        raise InputError(f"{arguments.project}: has no track to ride on.")
    built = build_track(project.track, ride=False)
    ride = ride_point(built, ridden_settings(project), gravity=project.gravity)
    figures = section_figures(built, ride)
    if arguments.csv is not None:
        write_atomically(Path(arguments.csv), csv_text(ride))
    if arguments.json:
        print_json(_contents(project, ride, figures))
    else:
        print(_text(project, ride, figures))
    return 0


def csv_text(ride: PointRide) -> str:
    """The samples of a ride as CSV with a header: names with their units."""
    e = ride.energy
    columns = [ride.time, ride.s, ride.place, ride.speed, ride.acceleration, *ride.g.T, *ride.rail_g.T]
    columns += [ride.roll_rate, *ride.jerk.T, e.kinetic, e.potential, e.friction, e.drag, e.driven]
    lines = [",".join(COLUMNS)]
    lines += [",".join(f"{value:.10g}" for value in row) for row in np.column_stack(columns)]
    return "\n".join(lines) + "\n"


def _energy(ride: PointRide) -> dict[str, float]:
    e = ride.energy
    return {
        "kinetic_start": float(e.kinetic[0]),
        "kinetic_end": float(e.kinetic[-1]),
        "potential_change": float(e.potential[-1] - e.potential[0]),
        "friction": float(e.friction[-1]),
        "drag": float(e.drag[-1]),
        "driven": float(e.driven[-1]),
        "residual": float(np.abs(e.residual).max()),
    }


def _contents(project: Project, ride: PointRide, figures: tuple[SectionFigures, ...]) -> dict[str, Any]:
    """Everything, ready for JSON."""
    return {
        "project": project.name,
        "status": ride.status,
        "message": ride.message,
        "time": float(ride.time[-1]),
        "settings": ridden_settings(project).model_dump(mode="json"),
        "sections": [asdict(figure) for figure in figures],
        "devices": [asdict(stay) for stay in ride.intervals],
        "events": [asdict(event) for event in ride.events],
        "energy": _energy(ride),
    }


def _speed(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}"


def _range(low: Extreme | None, high: Extreme | None) -> str:
    return "-" if low is None or high is None else f"{low.value:.2f} .. {high.value:.2f}"


def _text(project: Project, ride: PointRide, figures: tuple[SectionFigures, ...]) -> str:
    rows = [("section", "length m", "in m/s", "out m/s", "time s", "Gx", "Gy", "Gz", "roll rad/s")]
    for f in figures:
        roll = "-" if f.roll_rate is None else f"{f.roll_rate.value:.2f}"
        rows.append(
            (
                f.name,
                f"{f.length:.1f}",
                _speed(f.entry_speed),
                _speed(f.exit_speed),
                _speed(f.time),
                _range(f.min_gx, f.max_gx),
                _range(f.min_gy, f.max_gy),
                _range(f.min_gz, f.max_gz),
                roll,
            )
        )
    parts = [f"project {project.name}: {ride.message} {ride.time[-1]:.1f} s.\n", text_table(rows)]
    messages = [event.message for event in ride.events if event.message != ride.message]
    if messages:
        parts += ["\nOn the way", text_table((f"{e.time:.2f} s", e.message) for e in ride.events)]
    if ride.intervals:
        stays = [("device", "in m/s", "out m/s", "time s", "work kJ")]
        stays += [
            (
                d.device,
                f"{d.speed_in:.2f}",
                f"{d.speed_out:.2f}",
                f"{d.time_out - d.time_in:.2f}",
                f"{d.work / 1e3:.1f}",
            )
            for d in ride.intervals
        ]
        parts += ["\nDevices", text_table(stays)]
    energy = [(name.replace("_", " "), f"{value / 1e3:.6g}") for name, value in _energy(ride).items()]
    parts += ["\nEnergy kJ", text_table(energy)]
    return "\n".join(parts)
