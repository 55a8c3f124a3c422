"""`ridewright modes PROJECT`: static equilibrium, or a state of the run, and the modes about it."""

from __future__ import annotations

import argparse
from typing import Any

from ..base.errors import InputError
from ..base.text_table import text_table
from ..project.project import load_project
from .commands import add_command, add_json_switch, print_json

LONGEST = 86400.0  # s
MENTIONED = 0.01  # of the mass
DUST = 1e-9  # below it rates and damping are what rounding has left


def add(commands: Any) -> None:
    """Add the command to the program."""
    command = add_command(
        commands, "modes", "static equilibrium of the model at its start, and its modes", run
    )
    command.add_argument(
        "--time", metavar="S", type=float, help="instead, the modes about the state S seconds after the start"
    )
    command.add_argument("--lowest", metavar="N", type=int, help="only the N slowest modes")
    command.add_argument("project", metavar="PROJECT", help="project file (*.ridewright)")
    add_json_switch(command)


def run(arguments: argparse.Namespace) -> int:
    """Print equilibrium or time, and modes."""
    from ..solver.modes import modes_at, modes_at_rest, modes_dict
    from ..solver.rest import drives_in

    if arguments.lowest is not None and arguments.lowest < 1:
        raise InputError(f"--lowest {arguments.lowest}: must be at least 1.")
    project = load_project(arguments.project)
    if arguments.time is None:
        system, rest, modes = modes_at_rest(project, arguments.lowest)
        about = modes_dict(system, rest, modes)
        first = (
            f"at rest after {rest.steps} steps; largest imbalance {rest.unbalanced:.3g} N or N m,"
            f" largest movement {rest.moved:.4g} m or rad\n"
        )
        drives = drives_in(project)
        if drives:
            first += f"drives off: {', '.join(drives)}\n"
    else:
        if not 0.0 <= arguments.time <= LONGEST:
            raise InputError(f"--time {arguments.time:g}: must be from 0 to {LONGEST:g} s.")
        system, state, modes = modes_at(project, arguments.time, arguments.lowest)
        about = modes_dict(system, state, modes)
        first = f"in motion at t = {state.time:g} s; poles as seen from the bodies, frozen at that instant\n"
    if arguments.json:
        print_json(about)
        return 0
    print(first)
    head = ("mode", "kind", "pole 1/s", "frequency Hz", "damping", "along", "most of the energy")
    rows = []
    for k, mode in enumerate(modes, start=1):
        shares = dict(zip(system.names, mode.energy.tolist(), strict=True))
        real, imag = (0.0 if abs(x) < DUST else x for x in (mode.pole.real, mode.pole.imag))
        pole = f"{real:.5g}" + (f" ± {imag:.5g}i" if imag else "")
        rows.append(
            (
                str(k),
                mode.kind,
                pole,
                f"{mode.frequency if mode.frequency > DUST else 0.0:.4g}",
                f"{mode.damping if abs(mode.damping) > DUST else 0.0:.3g}",
                _direction(mode.participation),
                ", ".join(f"{name} {_percent(shares[name])}" for name in mode.where[:2]),
            )
        )
    print(text_table((head, *rows)))
    return 0


def _percent(share: float) -> str:
    return f"{100.0 * share:.0f} %"


def _direction(participation: Any) -> str:
    """The axes of the world along which a mode moves some of the mass."""
    shares = zip("xyz", participation.tolist(), strict=True)
    return ", ".join(f"{axis} {_percent(share)}" for axis, share in shares if share >= MENTIONED)
