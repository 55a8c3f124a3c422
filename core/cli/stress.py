"""`ridewright stress RESULTS`: where flexible bodies are stressed most over a run."""

from __future__ import annotations

import argparse
from dataclasses import asdict
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
        action="append",
        default=[],
        metavar=("LOADED", "CLAMPED"),
        help="beside it, the 64 static load cases of an interface; may be given again, for the other one",
    )
    command.add_argument("--factor", metavar="X", type=float, default=1.0, help="on the load cases (1)")
    add_json_switch(command)


def run(arguments: argparse.Namespace) -> int:
    """Print the spots with the largest von Mises stress of every flexible body."""
    from ridewright.core.outcome.excitation import truncation
    from ridewright.core.outcome.spectrum import LEAST
    from ridewright.core.outcome.stress import WITHOUT_ELEMENTS, stress_of

    if arguments.spots < 1:
        raise InputError(f"--spots {arguments.spots}: must be at least 1.")
    if not 0.0 < arguments.factor < 1e3:
        raise InputError(f"--factor {arguments.factor:g}: must be larger than 0 and below 1000.")
    bodies = stress_of(read_results(arguments.results))
    told = [_told(one, arguments) for one in bodies if one.known or len(bodies) == 1]
    truncated = {one.flexible.name: truncation(one) for one in bodies if len(one.time) >= LEAST}
    unknown = [one.flexible.name for one in bodies if not one.known]
    if not told:
        raise InputError(f"No flexible body of the run has stress: each {WITHOUT_ELEMENTS}.")
    if arguments.json:
        for body in told:
            if body["body"] in truncated:
                body["modes"] = asdict(truncated[body["body"]])
        print_json(told)
        return 0
    for body in told:
        print(f"{body['body']}: von Mises stress, largest first\n")
        head = ["part", "where", "largest MPa", "at s", f"{body['signed']} MPa"]
        head += [f"{loaded} loaded MPa" for loaded, _ in arguments.cases]
        print(text_table((tuple(head), *(_row(spot) for spot in body["spots"]))))
        for cases in body.get("load_cases", ()):
            print(
                f"\nlargest anywhere: {body['largest_Pa'] / 1e6:.4g} MPa in the run,"
                f" {cases['largest_Pa'] / 1e6:.4g} MPa by load cases of '{cases['loaded']}' with"
                f" '{cases['clamped']}' clamped, {cases['largest_Pa'] / body['largest_Pa']:.3g} times as much"
            )
    for one, cut in truncated.items():
        print(f"\n{one}: {'' if cut.enough else 'WARNING: '}{cut.words}")
    for name in unknown:
        print(f"'{name}' has no stress: {WITHOUT_ELEMENTS}.")
    return 0


def _row(spot: dict[str, Any]) -> tuple[str, ...]:
    row = (
        spot["part"], spot["where"], f"{spot['largest_Pa'] / 1e6:.4g}",
        f"{spot['time_s']:.4g}", f"{spot['range_Pa'][0] / 1e6:.4g} to {spot['range_Pa'][1] / 1e6:.4g}",
    )  # fmt: skip
    return (*row, *(f"{stress / 1e6:.4g}" for stress in spot.get("load_cases_Pa", ())))


def _told(one: BodyStress, arguments: argparse.Namespace) -> dict[str, Any]:
    envelope = one.superposition.envelope(one.modal)
    cases = [one.cases(loaded, clamped, arguments.factor) for loaded, clamped in arguments.cases]
    spots = []
    for k in np.argsort(-envelope.worst, kind="stable")[: arguments.spots].tolist():
        spot = one.spot(k)
        about = {
            "part": spot.part, "where": spot.there, "place_m": list(spot.place),
            "largest_Pa": float(envelope.worst[k]), "time_s": float(one.time[envelope.instant[k]]),
            "range_Pa": [float(envelope.low[k]), float(envelope.high[k])],
        }  # fmt: skip
        spots.append(about | ({"load_cases_Pa": [float(case.worst[k]) for case in cases]} if cases else {}))
    out: dict[str, Any] = {
        "body": one.flexible.name, "signed": one.signed, "largest_Pa": float(envelope.worst.max()), "spots": spots
    }  # fmt: skip
    if cases:
        out["load_cases"] = [
            {
                "loaded": pair[0], "clamped": pair[1], "factor": arguments.factor, "low": case.low.tolist(),
                "high": case.high.tolist(), "largest_Pa": float(case.worst.max()),
            }
            for pair, case in zip(arguments.cases, cases, strict=True)
        ]  # fmt: skip
    return out
