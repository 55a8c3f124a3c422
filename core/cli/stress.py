"""`ridewright stress RESULTS`: where flexible bodies are stressed most over a run."""

from __future__ import annotations

import argparse
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import numpy as np

from ..base.errors import InputError
from ..base.text_table import significant, text_table
from ..results.file import read_results
from .commands import add_command, add_json_switch, print_json

if TYPE_CHECKING:
    from ..outcome.rigid import RigidRun
    from ..outcome.stress import BodyStress
    from ..outcome.stress_life import SpotLife
    from ..results.results import Results

LIFE = ("category", "partial", "rides")
BOXES = (
    "loaded",
    "clamped",
    "forces",
    *(f"F{c} kN" for c in "xyz"),
    *(f"M{c} kN m" for c in "xyz"),
    "MPa",
    "to run",
)


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
    command.add_argument(
        "--rigid",
        action="store_true",
        help="the load cases also of the forces that the ride has with its flexible bodies rigid; it is run again",
    )
    command.add_argument(
        "--life", action="store_true",
        help="fatigue by EN 1993-1-9 where the stress changes most, of a run that is repeated",
    )  # fmt: skip
    for name, what in (
        ("category", "of the detail, MPa (steelwork.spine_detail of the project)"),
        ("partial", "factor of its strength (steelwork.partial)"), ("rides", "that are planned (steelwork.rides)"),
    ):  # fmt: skip
        command.add_argument(f"--{name}", metavar="X", type=float, help=what)
    add_json_switch(command)


def run(arguments: argparse.Namespace) -> int:
    """Print the spots with the largest von Mises stress of every flexible body."""
    from ..outcome.deflection import deflection
    from ..outcome.excitation import truncation
    from ..outcome.rigid import rigid_run
    from ..outcome.spectrum import MIN_SAMPLES
    from ..outcome.stress import WITHOUT_ELEMENTS, stress_of

    if arguments.spots < 1:
        raise InputError(f"--spots {arguments.spots}: must be at least 1.")
    if not 0.0 < arguments.factor < 1e3:
        raise InputError(f"--factor {arguments.factor:g}: must be larger than 0 and below 1000.")
    if not arguments.life and any(getattr(arguments, name) is not None for name in LIFE):
        raise InputError("--category, --partial and --rides are about fatigue; ask for it by --life.")
    if arguments.rigid and not arguments.cases:
        raise InputError("--rigid is about load cases; say of which interface by --cases LOADED CLAMPED.")
    results = read_results(arguments.results)
    bodies = stress_of(results)
    lives = _lives(results, arguments) if arguments.life else ()
    rigid = rigid_run(results) if arguments.rigid else None
    messages = [_told(one, arguments, rigid) for one in bodies if one.known or len(bodies) == 1]
    truncated = {one.flexible.name: truncation(one) for one in bodies if len(one.time) >= MIN_SAMPLES}
    bent = {one.flexible.name: deflection(one) for one in bodies}
    unknown = [one.flexible.name for one in bodies if not one.known]
    if not messages:
        raise InputError(f"No flexible body of the run has stress: each {WITHOUT_ELEMENTS}.")
    if arguments.json:
        for body in messages:
            if arguments.life:
                body["lives"] = [_life_values(one) for one in lives if one.body == body["body"]]
            if body["body"] in truncated:
                body["modes"] = asdict(truncated[body["body"]])
            found = bent[body["body"]]
            body["deflection"] = {
                "largest_m": found.largest,
                "turn_rad": found.turn,
                "highest_Hz": found.highest,
            }
        print_json(messages)
        return 0
    for body in messages:
        print(f"{body['body']}: von Mises stress, largest first\n")
        head = ["part", "where", "largest MPa", "at s", "principal MPa", f"{body['signed']} MPa"]
        cases = body.get("load_cases", ())
        head += [f"{one['loaded']} loaded{', rigid' if one['rigid'] else ''} MPa" for one in cases]
        print(text_table((tuple(head), *(_row(spot) for spot in body["spots"]))))
        if cases:
            print(
                f"\nBoxes around the forces, and the largest stress; in the run {_MPa(body['largest_Pa'])} MPa\n"
            )
            print(text_table((BOXES, *(_box(one, body["largest_Pa"]) for one in cases))))
    if lives:
        print("\nfatigue, shortest life first (EN 1993-1-9)\n")
        heads = ("body", "part", "where", "range MPa", "equivalent", "life used", "rides it stands")
        print(text_table((heads, *map(_life, lives[: arguments.spots]))))
    if rigid is not None and rigid.words:
        print(f"\nWARNING: {rigid.words}")
    for one, cut in truncated.items():
        print(f"\n{one}: {'' if cut.enough else 'WARNING: '}{cut.words}")
    for name, deflected in bent.items():
        print(f"{name}: {'' if deflected.small else 'WARNING: '}{deflected.words}")
    for name in unknown:
        print(f"'{name}' has no stress: {WITHOUT_ELEMENTS}.")
    return 0


def _lives(results: Results, arguments: argparse.Namespace) -> tuple[SpotLife, ...]:
    """The lives of the spots, by what is given and else by the project of the run."""
    from ..outcome.stress_life import stress_lives

    category = None if arguments.category is None else 1e6 * arguments.category
    return stress_lives(results, category, arguments.partial, arguments.rides)


def _life(one: SpotLife) -> tuple[str, ...]:
    stands = "without end" if one.fatigue.damage == 0.0 else significant(one.fatigue.rides(), 3)
    return (
        one.body, one.where.part, one.where.there, _MPa(one.fatigue.largest), _MPa(one.fatigue.equivalent),
        f"{100.0 * one.share:.3g} %", stands,
    )  # fmt: skip


def _life_values(one: SpotLife) -> dict[str, Any]:
    return {
        "part": one.where.part, "where": one.where.there, "place_m": list(one.where.place),
        "range_Pa": one.fatigue.largest, "equivalent_Pa": one.fatigue.equivalent,
        "damage_a_ride": one.fatigue.damage, "life_used": one.share,
    }  # fmt: skip


def _row(spot: dict[str, Any]) -> tuple[str, ...]:
    row = (
        spot["part"], spot["where"], f"{spot['largest_Pa'] / 1e6:.4g}",
        f"{spot['time_s']:.4g}", ", ".join(f"{round(x / 1e6, 3) + 0.0:.4g}" for x in spot["principal_Pa"]),
        f"{spot['range_Pa'][0] / 1e6:.4g} to {spot['range_Pa'][1] / 1e6:.4g}",
    )  # fmt: skip
    return (*row, *(_MPa(stress) for stress in spot.get("load_cases_Pa", ())))


def _box(case: dict[str, Any], largest: float) -> tuple[str, ...]:
    spans = (
        f"{low / 1e3:.4g} to {high / 1e3:.4g}" for low, high in zip(case["low"], case["high"], strict=True)
    )
    about = (case["loaded"], case["clamped"], "rigid" if case["rigid"] else "of the run")
    return (*about, *spans, _MPa(case["largest_Pa"]), f"{case['largest_Pa'] / largest:.3g}")


def _MPa(stress: float) -> str:
    return f"{stress / 1e6:.4g}"


def _told(one: BodyStress, arguments: argparse.Namespace, rigid: RigidRun | None) -> dict[str, Any]:
    envelope = one.superposition.envelope(one.modal)
    made = [
        (loaded, clamped, of, one.cases(loaded, clamped, arguments.factor, of))
        for loaded, clamped in arguments.cases
        for of in ((None,) if rigid is None else (None, rigid))
    ]
    cases = [case for *_, case in made]
    spots = []
    for k in np.argsort(-envelope.worst, kind="stable")[: arguments.spots].tolist():
        spot = one.spot(k)
        about = {
            "part": spot.part, "where": spot.there, "place_m": list(spot.place),
            "largest_Pa": float(envelope.worst[k]), "time_s": float(one.time[envelope.instant[k]]),
            "range_Pa": [float(envelope.low[k]), float(envelope.high[k])],
            "principal_Pa": one.superposition.principal(k, one.modal[envelope.instant[k]][None])[0].tolist(),
        }  # fmt: skip
        spots.append(about | ({"load_cases_Pa": [float(case.worst[k]) for case in cases]} if cases else {}))
    out: dict[str, Any] = {
        "body": one.flexible.name, "signed": one.signed, "largest_Pa": float(envelope.worst.max()), "spots": spots
    }  # fmt: skip
    if cases:
        out["load_cases"] = [
            {
                "loaded": loaded, "clamped": clamped, "rigid": of is not None, "factor": arguments.factor,
                "low": case.low.tolist(), "high": case.high.tolist(), "largest_Pa": float(case.worst.max()),
            }
            for loaded, clamped, of, case in made
        ]  # fmt: skip
    return out
