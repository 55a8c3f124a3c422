"""`ridewright mass-division PROJECT`: a flexible body with its mass divided over frames, against its whole model."""

from __future__ import annotations

import argparse
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from ..base.errors import InputError
from ..base.text_table import text_table
from ..project.project import load_project
from .commands import add_command, add_json_switch, print_json

if TYPE_CHECKING:
    from ..model.flexible import FlexibleBody

HEAD = ("way", "internal modes", "frequency off %", "force off %", "weight off %", "highest Hz")


def add(commands: Any) -> None:
    """Add the command to the program."""
    command = add_command(
        commands,
        "mass-division",
        "a flexible body with its mass divided over frames, against its whole model",
        run,
    )
    command.add_argument("project", metavar="PROJECT", help="project file with a flexible body of beams")
    command.add_argument("--body", metavar="NAME", help="which one; the first unless given")
    command.add_argument("--clamp", metavar="NODE", help="interface that is held; the first unless given")
    command.add_argument("--free", metavar="NODE", help="interface at the free end; the last unless given")
    command.add_argument(
        "--at-free", metavar="KG", type=float, default=0.0, help="mass fixed to the free end (0)"
    )
    add_json_switch(command)


def run(arguments: argparse.Namespace) -> int:
    """Print what each way of dividing the mass makes of the first frequency and of two deflections."""
    import numpy as np

    from ..multibody.flexible import built_of
    from ..structure.mass_division import mass_division

    if not 0.0 <= arguments.at_free < 1e9:
        raise InputError(f"--at-free {arguments.at_free:g}: must be 0 kg or more, and below 1e9.")
    body = _body(arguments)
    ends = [one.node for one in body.interfaces]
    clamped, free = arguments.clamp or ends[0], arguments.free or ends[-1]
    for node in (clamped, free):
        if node not in ends:
            known = ", ".join(f"'{end}'" for end in ends)
            raise InputError(f"'{body.name}' has no interface at node '{node}'; it has some at {known}.")
    at_free = np.diag([arguments.at_free] * 3 + [0.0] * 3)
    found = mass_division(built_of(body)[0], clamped, free, at_free)
    if arguments.json:
        print_json(
            {
                "body": body.name,
                "clamped": clamped,
                "free": free,
                "at_free_kg": arguments.at_free,
                **asdict(found),
            }
        )
        return 0
    with_it = f", {arguments.at_free:g} kg at '{free}'" if arguments.at_free else ""
    print(f"{body.name}: {found.mass:.5g} kg, clamped at '{clamped}'{with_it}: first {found.first:.5g} Hz\n")
    rows = [
        (
            row.way, str(row.modes), *(f"{100.0 * x:.4f}" for x in (row.frequency, row.force, row.weight)),
            f"{row.highest:.4g}",
        )
        for row in found.rows
    ]  # fmt: skip
    print(text_table((HEAD, *rows)))
    return 0


def _body(arguments: argparse.Namespace) -> FlexibleBody:
    """The flexible body that is asked for. Raises InputError when there is none, or none of beams."""
    top = load_project(arguments.project).assembly
    every = {} if top is None else top.every("flexible")
    found: list[FlexibleBody] = [one for one in every.values() if arguments.body in (None, one.name)]
    if not found:
        known = ", ".join(f"'{one.name}'" for one in every.values()) or "none"
        what = "a flexible body" if arguments.body is None else f"the flexible body '{arguments.body}'"
        raise InputError(f"{arguments.project}: does not have {what}; it has: {known}.")
    if found[0].imported is not None:
        raise InputError(
            f"'{found[0].name}' is imported: only its modes are kept, and its mass cannot be divided anew; name a"
            " body of beams."
        )
    return found[0]
