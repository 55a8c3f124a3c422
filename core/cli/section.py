"""`ridewright section OUTLINE`: figures of a cross-section of any outline, as a beam of a project has them."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from ..base.text_table import text_table
from .commands import add_command, add_json_switch, print_json

FIELDS = (
    ("area", "m^2"), ("moment_y", "m^4"), ("moment_z", "m^4"), ("torsion", "m^4"), ("shear_y", "m^2"),
    ("shear_z", "m^2"), ("half_y", "m"), ("half_z", "m"), ("twist", "m^3"),
)  # fmt: skip


def add(commands: Any) -> None:
    """Add the command to the program."""
    command = add_command(commands, "section", "figures of a beam's cross-section from its outline", run)
    command.add_argument(
        "outline", metavar="OUTLINE", help="CSV of corners: y, z (m); after an empty line a hole, and so on"
    )
    add_json_switch(command)


def run(arguments: argparse.Namespace) -> int:
    """Print the figures; as JSON they are the section of a beam in a project file."""
    from ..structure.outlines import read_outlines, section_of

    made = section_of(read_outlines(Path(arguments.outline)), arguments.outline)
    figures = (made.area, made.Iy, made.Iz, made.torsion, made.shear_y, made.shear_z, *made.reach, made.twist)
    if arguments.json:
        print_json({"shape": "own"} | {name: x for (name, _), x in zip(FIELDS, figures, strict=True)})
    else:
        print(text_table((name, f"{x:.6g}", unit) for (name, unit), x in zip(FIELDS, figures, strict=True)))
    return 0
