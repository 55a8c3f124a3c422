"""`ridewright load-cases PROJECT`: run every load case; joints, footings, couplings and stress side by side."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from ..base.text_table import significant, text_table
from ..project.project import load_project, save_project
from .commands import add_command, add_json_switch, print_json

if TYPE_CHECKING:
    from ..outcome.envelopes import CaseRun

SCALE = {"N": (1e-3, "kN"), "Pa": (1e-6, "MPa")}


def add(commands: Any) -> None:
    """Add the command to the program."""
    command = add_command(
        commands, "load-cases", "run with seats taken in several ways, and compare what is loaded most", run
    )
    command.add_argument("project", metavar="PROJECT", help="project file (*.ridewright)")
    command.add_argument("--case", metavar="NAME", nargs="+", default=(), help="which ones; all unless given")
    command.add_argument(
        "--usual", action="store_true",
        help="full, empty, half, worst eccentric, women and children, in place of those of the project",
    )  # fmt: skip
    command.add_argument(
        "--out", metavar="FILE", help="with --usual: write the project with them, and run nothing"
    )
    add_json_switch(command)


def run(arguments: argparse.Namespace) -> int:
    """Run the cases and print their envelopes."""
    from ..base.errors import InputError
    from ..edits.load_cases import set_load_cases, usual_cases
    from ..outcome.envelopes import KINDS, run_load_cases

    project = load_project(arguments.project)
    if arguments.out is not None and not arguments.usual:
        raise InputError("--out: writes the project with --usual only.")
    if arguments.usual:
        project = set_load_cases(project, usual_cases())
    if arguments.out is not None:
        save_project(project, arguments.out)
        print(f"load cases: {', '.join(case.name for case in project.load_cases)}")
        return 0
    made = run_load_cases(project, arguments.case)
    found, rows = made.runs, made.rows
    if arguments.json:
        print_json({
            "cases": [_case(one) for one in found],
            "envelopes": [
                {"kind": row.kind, "name": row.name, "unit": KINDS[row.kind][1], "values": list(row.values),
                 "governs": found[row.governs].name}
                for row in rows
            ],
        })  # fmt: skip
        return 0
    print(text_table([("load case", "on board kg", "together kg", "run"), *map(_line, found)]))
    for kind, (title, unit) in KINDS.items():
        own = [row for row in rows if row.kind == kind]
        factor, shown = SCALE[unit]
        if own:
            print(f"\n{title}, largest, {shown}")
            table = [("", *(one.name for one in found), "governs")]
            for row in own:
                cells = ("-" if value is None else significant(factor * value, 4) for value in row.values)
                table.append((row.name, *cells, found[row.governs].name))
            print(text_table(table))
    return 0


def _line(one: CaseRun) -> tuple[str, ...]:
    masses = (f"{mass:.1f}" for mass in (one.masses.on_board, one.masses.total))
    return (one.name, *masses, one.ended or "complete")


def _case(one: CaseRun) -> dict[str, Any]:
    return {
        "name": one.name, "ended": one.ended, "mass_kg": one.masses.total, "on_board_kg": one.masses.on_board,
        "extremes": [
            {"kind": each.kind, "name": each.name, "value": each.value, "unit": each.unit, "time_s": each.time}
            for each in one.extremes
        ],
    }  # fmt: skip
