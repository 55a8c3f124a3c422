"""`ridewright schema`: the JSON Schema of the project file."""

from __future__ import annotations

import argparse
from typing import Any

from ..project.project import schema
from .commands import add_command, print_json


def add(commands: Any) -> None:
    """Add the command to the program."""
    add_command(commands, "schema", "print the JSON Schema of the project file", run)


def run(arguments: argparse.Namespace) -> int:
    """Print the schema."""
    print_json(schema())
    return 0
