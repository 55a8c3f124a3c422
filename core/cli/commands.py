"""What the command modules share: adding a sub-command and printing JSON."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from typing import Any

Run = Callable[[argparse.Namespace], int]


def add_command(commands: Any, name: str, summary: str, run: Run) -> argparse.ArgumentParser:
    """Add a sub-command to the program; `run` gets the parsed arguments and returns the exit code."""
    command: argparse.ArgumentParser = commands.add_parser(
        name, help=summary, description=summary, allow_abbrev=False
    )
    command.set_defaults(run=run)
    return command


def add_json_switch(command: argparse.ArgumentParser) -> None:
    """Add --json, the form for programs."""
    command.add_argument("--json", action="store_true", help="print JSON instead of a table")


def print_json(data: Any) -> None:
    """Print JSON on stdout; not-a-number is no JSON and is refused here, not at the reader's."""
    encoding = (getattr(sys.stdout, "encoding", None) or "utf-8").lower()
    print(json.dumps(data, indent=1, ensure_ascii="utf" not in encoding, allow_nan=False))
