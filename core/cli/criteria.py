"""`ridewright criteria FILE`: the injury criteria of a measured acceleration history."""

from __future__ import annotations

import argparse
from typing import Any

from core.cli.commands import add_command, add_json_switch, print_json


def add(commands: Any) -> None:
    """Add the command to the program."""
    command = add_command(commands, "criteria", "judge a measured acceleration history (CSV)", run)
    command.add_argument(
        "file", metavar="FILE", help="CSV with columns t, ax, ay, az and optionally wx, wy, wz (rider axes)"
    )
    command.add_argument(
        "--unit", choices=("g", "m/s2"), help="unit of the acceleration, where the header does not say"
    )
    command.add_argument(
        "--body", default="accelerometer", help="where it was worn, for the report (head, ...)"
    )
    command.add_argument(
        "--without-gravity",
        action="store_true",
        help="the record has gravity taken out (linear acceleration)",
    )
    add_json_switch(command)


def run(arguments: argparse.Namespace) -> int:
    """Evaluate the file and print the criteria."""
    # Compiled kernels: loaded by the commands that need them only.
    from core.injury.evaluate import evaluate_history
    from core.injury.measured import read_accelerometer_csv
    from core.injury.report_text import criteria_dict, criteria_table

    history = read_accelerometer_csv(
        arguments.file,
        unit=arguments.unit,
        body=arguments.body,
        contains_gravity=not arguments.without_gravity,
    )
    results = evaluate_history(history)
    if arguments.json:
        about = {
            "file": arguments.file,
            "duration": history.duration,
            "sample_rate": history.sample_rate,
            "notes": list(history.notes),
        }
        print_json(about | criteria_dict(results))
    else:
        print(f"{arguments.file}: {history.duration:.6g} s at {history.sample_rate:.6g} Hz")
        for note in history.notes:
            print(f"  {note}")
        print(criteria_table(results))
    return 0
