"""`ridewright stress RESULTS`: where flexible bodies are stressed most over a run."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

import numpy as np

from ridewright.core.base.errors import InputError
from ridewright.core.base.text_table import text_table
from ridewright.core.cli.commands import add_command, add_json_switch, print_json
from ridewright.core.results.file import read_results

if TYPE_CHECKING:
    from ridewright.core.outcome.stress import BodyStress


def add(commands: Any) -> None:
    """Add the command to the program."""
    command = add_command(commands, "stress", "where flexible bodies are stressed most over a run", run)
    command.add_argument("results", metavar="RESULTS", help="results.h5 of a run")
    command.add_argument("--spots", metavar="N", type=int, default=8, help="how many spots a body (8)")
    command.add_argument(
        "--cases",
        nargs=2,
        metavar=("LOADED", "CLAMPED"),
        help="beside it, the 64 static load cases of an interface",
    )
    command.add_argument("--factor", metavar="X", type=float, default=1.0, help="on the load cases (1)")
    add_json_switch(command)


def run(arguments: argparse.Namespace) -> int:
    """Print the spots with the largest von Mises stress of every flexible body."""
    from ridewright.core.outcome.stress import stress_of

    if arguments.spots < 1:
        raise InputError(f"--spots {arguments.spots}: must be at least 1.")
    if not 0.0 < arguments.factor < 1e3:
        raise InputError(f"--factor {arguments.factor:g}: must be larger than 0 and below 1000.")
    told = [_told(one, arguments) for one in stress_of(read_results(arguments.results))]
    if arguments.json:
        print_json(told)
        return 0
    for body in told:
        print(f"{body['body']}: von Mises stress, largest first\n")
        head = ["beam", "at m", "corner y z", "largest MPa", "at s", "normal MPa"]
        head += ["load cases MPa"] if arguments.cases else []
        print(text_table((tuple(head), *(_row(spot) for spot in body["spots"]))))
        if arguments.cases:
            print(
                f"\nlargest anywhere: {body['largest_Pa'] / 1e6:.4g} MPa in the run,"
                f" {body['load_cases']['largest_Pa'] / 1e6:.4g} MPa by load cases,"
                f" {body['load_cases']['largest_Pa'] / body['largest_Pa']:.3g} times as much"
            )
    return 0


def _row(spot: dict[str, Any]) -> tuple[str, ...]:
    row = (
        spot["beam"], f"{spot['along_m']:.4g}", spot["corner"], f"{spot['largest_Pa'] / 1e6:.4g}",
        f"{spot['time_s']:.4g}", f"{spot['normal_Pa'][0] / 1e6:.4g} to {spot['normal_Pa'][1] / 1e6:.4g}",
    )  # fmt: skip
    return (*row, f"{spot['load_cases_Pa'] / 1e6:.4g}") if "load_cases_Pa" in spot else row


def _told(one: BodyStress, arguments: argparse.Namespace) -> dict[str, Any]:
    envelope, map_ = one.superposition.envelope(one.modal), one.superposition
    cases = one.cases(arguments.cases[0], arguments.cases[1], arguments.factor) if arguments.cases else None
    beams = one.flexible.description.beams
    spots = []
    for k in np.argsort(-envelope.worst, kind="stable")[: arguments.spots].tolist():
        spot, beam = map_.spots[k], beams[map_.spots[k].beam]
        signs = " ".join("+" if sign > 0 else "-" for sign in spot.corner)
        about = {
            "beam": f"{beam.start} - {beam.end}", "along_m": spot.along, "corner": signs,
            "largest_Pa": float(envelope.worst[k]), "time_s": float(one.time[envelope.instant[k]]),
            "normal_Pa": [float(envelope.low[k]), float(envelope.high[k])],
        }  # fmt: skip
        spots.append(about | ({"load_cases_Pa": float(cases.worst[k])} if cases is not None else {}))
    out: dict[str, Any] = {
        "body": one.flexible.name, "largest_Pa": float(envelope.worst.max()), "spots": spots
    }  # fmt: skip
    if cases is not None:
        out["load_cases"] = {
            "loaded": arguments.cases[0], "clamped": arguments.cases[1], "factor": arguments.factor,
            "low": cases.low.tolist(), "high": cases.high.tolist(), "largest_Pa": float(cases.worst.max()),
        }  # fmt: skip
    return out
