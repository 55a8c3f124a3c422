"""`ridewright modes PROJECT`: static equilibrium, or a state of the run, and the modes about it."""

from __future__ import annotations

import argparse
from typing import Any

from core.base.errors import InputError
from core.base.text_table import text_table
from core.cli.commands import add_command, add_json_switch, print_json
from core.project.project import load_project

LONGEST = 86400.0  # s


def add(commands: Any) -> None:
    """Add the command to the program."""
    command = add_command(
        commands, "modes", "static equilibrium of the model at its start, and its modes", run
    )
    command.add_argument(
        "--time", metavar="S", type=float, help="instead, the modes about the state S seconds after the start"
    )
    command.add_argument("project", metavar="PROJECT", help="project file (*.ridewright)")
    add_json_switch(command)


def run(arguments: argparse.Namespace) -> int:
    """Print equilibrium or time, and modes."""
    from core.solver.modes import modes_at, modes_at_rest, modes_dict

    project = load_project(arguments.project)
    if arguments.time is None:
        system, rest, modes = modes_at_rest(project)
        about = modes_dict(system, rest, modes)
        first = (
            f"at rest after {rest.steps} steps; largest imbalance {rest.unbalanced:.3g} N or N m,"
            f" largest movement {rest.moved:.4g} m or rad\n"
        )
    else:
        if not 0.0 < arguments.time <= LONGEST:
            raise InputError(f"--time {arguments.time:g}: must be larger than 0 and at most {LONGEST:g} s.")
        system, state, modes = modes_at(project, arguments.time)
        about = modes_dict(system, state, modes)
        first = f"in motion at t = {state.time:g} s; poles as seen from the bodies, frozen at that instant\n"
    if arguments.json:
        print_json(about)
        return 0
    print(first)
    head = ("mode", "kind", "pole 1/s", "frequency Hz", "damping", "moves most")
    rows = []
    for k, mode in enumerate(modes, start=1):
        pole = f"{mode.pole.real:.5g}" + (f" ± {mode.pole.imag:.5g}i" if mode.pole.imag else "")
        rows.append(
            (
                str(k),
                mode.kind,
                pole,
                f"{mode.frequency:.4g}",
                f"{mode.damping:.3g}",
                ", ".join(mode.where[:2]),
            )
        )
    print(text_table((head, *rows)))
    return 0
