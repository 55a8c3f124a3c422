"""`ridewright modes PROJECT`: static equilibrium and the modes about it."""

from __future__ import annotations

import argparse
from typing import Any

from core.cli.commands import add_command, add_json_switch, print_json
from core.project import load_project
from core.text_table import text_table


def add(commands: Any) -> None:
    """Add the command to the program."""
    command = add_command(
        commands, "modes", "static equilibrium of the model at its start, and its modes", run
    )
    command.add_argument("project", metavar="PROJECT", help="project file (*.ridewright)")
    add_json_switch(command)


def run(arguments: argparse.Namespace) -> int:
    """Print equilibrium and modes."""
    from core.solver.modes import modes_at_rest, modes_dict

    system, equilibrium, modes = modes_at_rest(load_project(arguments.project))
    if arguments.json:
        print_json(modes_dict(system, equilibrium, modes))
        return 0
    print(
        f"at rest after {equilibrium.steps} steps; largest imbalance {equilibrium.unbalanced:.3g} N or N m,"
        f" largest movement {equilibrium.moved:.4g} m or rad\n"
    )
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
