"""`ridewright limits [NAME]`: the limit tables, where they come from, and what is in one of them."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from ..base.errors import InputError
from ..base.text_table import text_table
from .commands import add_command, add_json_switch, print_json


def add(commands: Any) -> None:
    """Add the command to the program."""
    command = add_command(
        commands, "limits", "list the limit tables with source and confidence, or show one", run
    )
    command.add_argument(
        "name", metavar="NAME", nargs="?", help="a table as listed; without it all tables are listed"
    )
    command.add_argument(
        "--copy", action="store_true", help="copy the table to your own folder, to be changed there"
    )
    command.add_argument(
        "--add",
        metavar="FILE",
        help="check a table of your own and copy it to your own folder, where all find it",
    )
    add_json_switch(command)


def run(arguments: argparse.Namespace) -> int:
    """Print the list or one table."""
    # Reads numpy-based checks: loaded by the commands that need them only.
    from ..injury.limit_files import LimitFile, copy_to_user, limit_file, read_limit_file, user_folder
    from ..injury.standards.files import check_own, refuse_unusable, table_faults
    from ..injury.standards.listing import list_tables, table_text

    if arguments.add is not None:
        if arguments.name is not None or arguments.copy:
            raise InputError("--add: takes a file alone; leave the name and --copy out.")
        table = check_own(arguments.add)
        path = Path(arguments.add)
        written = copy_to_user(LimitFile(path.stem, path, True))
        print(f"written: {written}; rides are judged by it from now on, as {table.short}.")
        return 0
    if arguments.copy and arguments.name is None:
        raise InputError("Name the table to copy: ridewright limits NAME --copy.")
    if arguments.name is not None:
        file = limit_file(arguments.name)
        refuse_unusable(arguments.name)
        if arguments.copy:
            print(f"written: {copy_to_user(file)}; it now takes the place of the program's table.")
        elif arguments.json:
            print_json(json.loads(read_limit_file(file)))
        else:
            print(table_text(arguments.name))
        return 0
    tables = list_tables()
    if arguments.json:
        print_json([table.model_dump(mode="json") for table in tables])
        return 0
    rows = [("name", "from", "confidence", "title")]
    rows += [(t.id, "user" if t.user else "program", t.confidence, t.title) for t in tables]
    print(text_table(rows, indent=""))
    for sentence in table_faults():
        print(f"\nLeft out: {sentence}")
    print(f"\nYour own tables: {user_folder()} (a file of the same name takes the place of the program's)")
    print(
        "Tables called as reported or not confirmed were not compared with the standard they are named after."
    )
    return 0
