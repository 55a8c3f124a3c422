"""`ridewright textbook [TRACK]`: a ball on a plane curve, its table, its ride, and what the method of chords costs."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import numpy as np

from ..base.errors import InputError
from ..base.text_table import text_table
from ..project.project import write_atomically
from .commands import add_command, add_json_switch, print_json


def add(commands: Any) -> None:
    """Add the command to the program."""
    command = add_command(
        commands, "textbook", "a ball on a plane track, and what the method of chords costs", run
    )
    command.add_argument(
        "track", nargs="?", metavar="TRACK", help="a textbook track; without one they are listed"
    )
    command.add_argument("--x", metavar="FORMULA", help="x(t) in m of a curve of your own, in place of TRACK")
    command.add_argument("--y", metavar="FORMULA", help="y(t) in m, upwards")
    command.add_argument("--from", dest="t0", type=float, default=0.0, metavar="T", help="first t (0)")
    command.add_argument("--to", dest="t1", type=float, default=1.0, metavar="T", help="last t (1)")
    for name, default, what in (
        ("gravity", 9.81, "m/s^2"), ("damping", 0.0, "N s/m"), ("mass", 1.0, "kg"), ("speed", 0.0, "m/s at the start"),
        ("duration", 10.0, "s"), ("rate", 50.0, "samples a second"), ("step", 0.02, "s, of the method of chords"),
    ):  # fmt: skip
        command.add_argument(
            f"--{name}", type=float, default=default, metavar="X", help=f"{what} ({default:g})"
        )
    command.add_argument(
        "--start", type=float, metavar="S", help="where the ball starts, m along the track (5 %% of it)"
    )
    command.add_argument("--rows", type=int, default=200, metavar="N", help="of the table of chords (200)")
    command.add_argument("--table", metavar="FILE", help="write the table T, P, X, Y")
    command.add_argument("--csv", metavar="FILE", help="write the ride, one line a sample")
    add_json_switch(command)


def run(arguments: argparse.Namespace) -> int:
    """Ride and print."""
    from ..pointmass.ball_text import history_csv, table_csv
    from ..pointmass.chords import ChordBall, chord_table
    from ..pointmass.formula import formula_curve
    from ..pointmass.presets import PRESETS, preset
    from ..pointmass.textbook import Textbook

    own = arguments.x is not None or arguments.y is not None
    if own and (arguments.x is None or arguments.y is None or arguments.track is not None):
        raise InputError("A curve of your own takes --x and --y, and no TRACK.")
    if not own and arguments.track is None:
        print("\n".join(PRESETS))
        return 0
    typed = (arguments.x, arguments.y, arguments.t0, arguments.t1)
    curve = formula_curve(*typed) if own else preset(arguments.track)
    for name in ("duration", "rate"):
        if not 0.0 < getattr(arguments, name) <= 1e5:
            raise InputError(
                f"--{name} is {getattr(arguments, name):g}; choose more than 0 and at most 100000."
            )
    start = 0.05 * curve.length if arguments.start is None else arguments.start
    if not (curve.closed or 0.0 <= start <= curve.length):
        raise InputError(f"--start is {start:g} m, but the track is {curve.length:.3f} m long.")
    world = {name: getattr(arguments, name) for name in ("gravity", "damping", "mass")}
    table = chord_table(curve, arguments.rows)
    ball = Textbook(curve, **world, s=start, v=arguments.speed)
    chords = ChordBall(
        table,
        curve.closed,
        **world,
        s=start * float(table.p[-1]) / curve.length,
        v=arguments.speed,
        step=arguments.step,
    )
    ride, other = ball.run(arguments.duration, arguments.rate), chords.run(arguments.duration)
    if arguments.table is not None:
        write_atomically(Path(arguments.table), table_csv(table))
    if arguments.csv is not None:
        write_atomically(Path(arguments.csv), history_csv(ride))
    size = max(float(np.ptp(ride.kinetic)), float(ride.kinetic.max()), 1e-12)
    rows = [
        (name, length, float(h.total[-1] - h.total[0]), float(h.s[-1]), float(h.v[-1]))
        for name, length, h in (("ours", curve.length, ride), ("chords", chords.length, other))
    ]
    if arguments.json:
        keys = ("method", "length", "energy_change", "s_end", "v_end")
        print_json(
            {
                "track": curve.name,
                "closed": curve.closed,
                "methods": [dict(zip(keys, row, strict=True)) for row in rows],
            }
        )
        return 0
    shown = [("method", "length m", "energy change J", "of the kinetic %", "end m", "end m/s")]
    shown += [
        (name, f"{length:.6f}", f"{change:.3g}", f"{100.0 * change / size:.3g}", f"{s:.4f}", f"{v:.4f}")
        for name, length, change, s, v in rows
    ]
    print(f"{curve.name}, {arguments.duration:g} s from {start:.3f} m with {arguments.speed:g} m/s\n")
    print(text_table(shown))
    return 0
