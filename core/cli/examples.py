"""`ridewright examples` and `ridewright example NAME --out FILE`: the projects that come with the program."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from ..base.bundled import example_names, example_note, example_path
from ..base.text_table import text_table
from ..project.project import write_atomically
from .commands import add_command, add_json_switch, print_json


def add(commands: Any) -> None:
    """Add both commands to the program."""
    add_json_switch(add_command(commands, "examples", "list the example projects", run_list))
    command = add_command(commands, "example", "copy an example project to a file of your own", run_copy)
    command.add_argument("name", metavar="NAME", help="as listed by 'ridewright examples'")
    command.add_argument("--out", metavar="FILE", required=True, help="project file to write")


def run_list(arguments: argparse.Namespace) -> int:
    """Print the names with what each is."""
    notes = {name: example_note(name) for name in example_names()}
    if arguments.json:
        print_json(notes)
    else:
        print(text_table(notes.items(), indent=""))
    return 0


def run_copy(arguments: argparse.Namespace) -> int:
    """Copy one example."""
    text = example_path(arguments.name).read_text(encoding="utf-8")
    write_atomically(Path(arguments.out), text)
    print(f"written: {arguments.out}")
    return 0
