"""`ridewright contact-peaks RESULTS`: what contacts did to heads, thighs and chests, and which peaks they caused."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..base.errors import InputError
from ..base.text_table import text_table
from ..base.units import percent
from .commands import add_command, add_json_switch, print_json
from .interrupt import stop_on_interrupt

if TYPE_CHECKING:
    from ..injury.result import CriterionResult
    from ..outcome.contact_stiffness import Stiffness


NOT_REPEATED = "not repeated"


def add(commands: Any) -> None:
    """Add the command to the program."""
    command = add_command(
        commands,
        "contact-peaks",
        "HIC and 3 ms of each contact of a head, and peaks that contacts caused",
        run,
    )
    command.add_argument("results", metavar="RESULTS", help="results file (results.h5)")
    command.add_argument(
        "--no-stiffness", action="store_true",
        help="do not ride again with the contacts that caused peaks half and twice as stiff",
    )  # fmt: skip
    command.add_argument(
        "--whole", action="store_true",
        help="for these let the whole train ride again, not each rider alone while the seat moves as in the run",
    )  # fmt: skip
    add_json_switch(command)


def run(arguments: argparse.Namespace) -> int:
    """Print what contacts did, and how verdicts change with their stiffness."""
    from ..outcome.contact_peaks import contact_peaks
    from ..outcome.contact_stiffness import half_and_twice
    from ..outcome.rider_view import judge_riders
    from ..project.project import parse_project
    from ..results.file import read_results

    results = read_results(arguments.results)
    project = parse_project(results.provenance.get("project"), Path(arguments.results).name)
    found = contact_peaks(results, judge_riders(results, project.evaluation))
    if not (found.blows or found.pressed or found.peaks):
        raise InputError(
            f"{arguments.results}: nothing touched a rider; contacts and free riders are needed."
        )

    said: list[str] = []

    def told(_share: float, text: str) -> None:
        if said[-1:] != [text]:
            said.append(text)
            print(f"ridewright: {text}", file=sys.stderr)

    changed: tuple[Stiffness, ...] = ()
    interrupted = False
    if found.peaks and not arguments.no_stiffness:
        with stop_on_interrupt() as stopped:
            changed = half_and_twice(results, found.peaks, told, stopped.is_set, whole=arguments.whole)
            interrupted = stopped.is_set()
    if arguments.json:
        print_json({
            "blows": [one._asdict() for one in found.blows],
            "pressed": [one._asdict() for one in found.pressed],
            "peaks": [
                {**peak._asdict(), "result": peak.result.model_dump(mode="json"), **_around(changed, k)}
                for k, peak in enumerate(found.peaks)
            ],
        })  # fmt: skip
        return 1 if interrupted else 0
    lines = []
    if found.blows:
        rows = [("rider", "head on", "from s", "to s", "HIC15", "3 ms g", "force N", "met at m/s")]
        rows += [
            (b.rider, b.contact, f"{b.began:.3f}", f"{b.ended:.3f}", _number(b.hic), _number(b.clip),
             _number(b.force), _number(b.speed)) for b in found.blows
        ]  # fmt: skip
        lines += ["each contact of a head, the hardest time", text_table(rows), ""]
    if found.pressed:
        pressed = [("rider", "thigh compressed N", "pads into the chest mm (proxy)")]
        pressed += [
            (p.rider, _number(p.thigh), "-" if p.chest is None else f"{1e3 * p.chest:.1f}")
            for p in found.pressed
        ]
        lines += [text_table(pressed), ""]
    peaks = [("rider", "part", "criterion", "value", "verdict", "contact", "share", "half as stiff", "twice")]
    for k, peak in enumerate(found.peaks):
        one, half, twice = peak.result, "-", "-"
        if changed:
            half, twice = (_end(changed[k], e) for e in (changed[k].half, changed[k].twice))
        peaks.append(
            (peak.rider, peak.part.replace("_", " "), one.title.partition(" (")[0], f"{_number(one.value)} {one.unit}",
             one.verdict, peak.contact, percent(peak.share), half, twice)
        )  # fmt: skip
    lines += ["peaks that a contact caused", text_table(peaks) if found.peaks else "  none"]
    if any(not one.holds for one in changed):
        lines += ["", f"{NOT_REPEATED}: that rider alone misses the value with nothing changed; see --whole."]
    print("\n".join(lines))
    return 1 if interrupted else 0


def _around(changed: Any, k: int) -> dict[str, Any]:
    if not changed:
        return {}
    made = changed[k]
    ends = {"half": made.half, "twice": made.twice, "again": made.again}
    told = {name: None if one is None else one.model_dump(mode="json") for name, one in ends.items()}
    return {**told, "holds": made.holds}


def _end(ridden: Stiffness, one: CriterionResult | None) -> str:
    if not ridden.holds:
        return NOT_REPEATED
    return "-" if one is None or one.value is None else f"{one.value:.4g}, {one.verdict}"


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.4g}"
