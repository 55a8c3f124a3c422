"""`ridewright origin PROJECT|RESULTS`: where a peak comes from, and what would change it."""

from __future__ import annotations

import argparse
import math
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..base.errors import InputError
from ..base.text_table import significant, text_table
from .commands import add_command, add_json_switch, print_json
from .interrupt import stop_on_interrupt
from .run_file import run_of

if TYPE_CHECKING:
    from ..outcome.origin import Origin, Sensitivity
    from ..outcome.rider_view import Judgement, RiderJudgement


def add(commands: Any) -> None:
    """Add the command to the program."""
    command = add_command(commands, "origin", "where a peak comes from, and what would change it", run)
    command.add_argument(
        "source",
        metavar="FILE",
        help="results.h5 of a run, or a project file (*.ridewright), which is run first",
    )
    command.add_argument(
        "--criterion", metavar="ID", help="which value, by default the one nearest its limit"
    )
    command.add_argument("--rider", metavar="NAME", help="on whom, by default the worst of all")
    command.add_argument("--part", choices=("head", "upper_torso", "pelvis"), help="by default the worst")
    command.add_argument(
        "--sensitivity", action="store_true", help="ride the moment again with speed, cant ... changed"
    )
    add_json_switch(command)


def run(arguments: argparse.Namespace) -> int:
    """Explain one value; 0 when all was found, 1 when stopped."""
    project, results = run_of(Path(arguments.source))
    from ..outcome.origin import explain, sensitivity
    from ..outcome.rider_view import judge_riders

    row = chosen(judge_riders(results, project.evaluation), arguments)
    found = explain(project, results, row)
    effects: Sensitivity | None = None
    if arguments.sensitivity:
        with stop_on_interrupt() as interrupted:
            effects = sensitivity(
                project, results, row, on_progress=_progress, should_stop=interrupted.is_set
            )
        print(file=sys.stderr)
    if arguments.json:
        data = {"origin": found.model_dump(mode="json")}
        if effects is not None:
            data["sensitivity"] = effects.model_dump(mode="json")
        print_json(data)
    else:
        print(origin_text(row, found))
        if effects is not None:
            print("\n" + effects_text(effects))
    return 0 if effects is None or effects.complete else 1


def _progress(fraction: float) -> None:
    print(f"\rridewright: short rides {100.0 * fraction:3.0f} %", end="", file=sys.stderr, flush=True)


def chosen(judgement: Judgement, arguments: argparse.Namespace) -> RiderJudgement:
    """The row that was asked for, the one with the least margin first. Raises InputError when there is none."""
    rows = [
        row
        for row in judgement.rows
        if arguments.criterion in (None, row.result.criterion)
        and arguments.rider in (None, row.rider)
        and arguments.part in (None, row.part)
        and row.result.value is not None
        and (arguments.criterion is not None or row.result.judged)
    ]
    if arguments.criterion is None:
        rows = [
            row
            for row in rows
            if row.result.time is not None and row.result.time[1] - row.result.time[0] <= 5.0
        ]
    if not rows:
        known = sorted({row.result.criterion for row in judgement.rows if row.result.value is not None})
        if not known:
            raise InputError(
                "The run has no rider whose loads were judged, and so no peak to explain; seat a rider, and run again."
            )
        wanted = arguments.criterion or "with a limit and a peak of at most 5 s"
        raise InputError(
            f"The run has no value {wanted} for that rider and part; there are {', '.join(known)}."
        )
    if rows[0].result.margin is None:
        rows.sort(key=lambda row: -(row.result.value or 0.0))
    return rows[0]


def origin_text(row: RiderJudgement, o: Origin) -> str:
    """A moment as lines for a terminal."""
    unit = "" if o.unit == "1" else f" {o.unit}"
    part = o.part.replace("_", " ")
    lines = [f"{row.result.title}: {significant(o.value)}{unit}, {part} of {o.rider} at {o.time:.3f} s"]
    rows: list[tuple[str, str]] = []
    if o.arc_length is not None and o.section is not None and o.position is not None:
        x, y, z = o.position
        rows.append(("place", f"{o.arc_length:.2f} m, {o.section}, ({x:.2f}, {y:.2f}, {z:.2f}) m"))
    if o.curvature is not None:
        bend = "straight" if o.radius is None else f"radius {o.radius:.2f} m"
        sides = f"{o.curvature_lateral:.5f} 1/m to the left, {o.curvature_normal:.5f} upward"
        rows.append(("track", f"{bend}; curvature {sides}"))
        rows.append(
            (
                "",
                f"gradient {_degrees(o.gradient)}, cant {_degrees(o.cant)}, changing by {_degrees(o.cant_rate)} per m"
                f" or {_degrees(o.cant_speed)} per s",
            )
        )
    if o.speed is not None:
        rows.append(("speed", f"{o.speed:.2f} m/s"))
    if o.felt is not None:
        rows.append(("felt", "Gx {:.2f}, Gy {:.2f}, Gz {:.2f} g, as recorded".format(*o.felt)))
    if o.nca is not None and o.nca_rails is not None:
        roll = "" if o.roll is None else f", roll of the carbody {_degrees(o.roll)}"
        rows.append(("tilting", f"NCA {o.nca:.2f} m/s^2, in the rail plane {o.nca_rails:.2f} m/s^2{roll}"))
    for spring in o.springs:
        touch = "" if spring.contact is None else ", in contact" if spring.contact else ", free"
        force = "N" if spring.unit == "m" else "N m"
        travel = f"{1000.0 * spring.travel:.1f} mm" if spring.unit == "m" else _degrees(spring.travel)
        rows.append((spring.name, f"{travel} from free, {spring.force:.0f} {force}{touch}"))
    lines.append(text_table(rows))
    lines += [f"  {note}" for note in o.notes]
    return "\n".join(lines)


def _degrees(angle: float | None) -> str:
    return "-" if angle is None else f"{round(math.degrees(angle), 2) + 0.0:.2f} deg"


def effects_text(s: Sensitivity) -> str:
    """The effects of all changes as a table for a terminal."""
    rows: list[tuple[str, ...]] = [("what", "step", f"change in {s.unit}", "of the value")]
    rows += [(e.title, e.step, f"{e.change:+.4g}", f"{100.0 * e.relative:+.2f} %") for e in s.effects]
    same = "as in the run" if s.reproduced else "not as in the run"
    head = f"Ridden again from {s.start:.2f} to {s.end:.2f} s: {significant(s.again)} {s.unit} ({same})"
    return "\n".join([head, text_table(rows), *(f"  {note}" for note in s.notes)])
