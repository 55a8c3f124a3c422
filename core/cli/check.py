"""`ridewright check PROJECT`: the geometry of the track, and what is odd about the model."""

from __future__ import annotations

import argparse
from typing import Any

from ..base.text_table import text_table
from ..project.effort import long_run
from ..project.model_findings import model_findings
from ..project.project import load_project
from .commands import add_command, add_json_switch, print_json
from .track_text import track_text


def add(commands: Any) -> None:
    """Add the command to the program."""
    command = add_command(commands, "check", "check the geometry of a project's track and its model", run)
    command.add_argument("project", metavar="PROJECT", help="project file (*.ridewright)")
    add_json_switch(command)


def run(arguments: argparse.Namespace) -> int:
    """Print the report; findings are no failure."""
    # Building a track loads compiled kernels: only the commands that need them pay for it.
    from ..track.check import check_track

    project = load_project(arguments.project)
    report = None if project.track is None else check_track(project.track)
    model, reported = model_findings(project), long_run(project)
    if arguments.json:
        print_json(
            {
                "project": project.name,
                "track": None if report is None else report.model_dump(mode="json"),
                "settings": [reported] if reported else [],
                "model": {
                    name: [finding.model_dump(mode="json") for finding in found]
                    for name, found in model.items()
                },
            }
        )
        return 0
    print(f"project {project.name}")
    print("no track" if report is None else track_text(report))
    for name, found in model.items():
        print(f"\n{name}: {'nothing odd' if not found else 'as drawn'}")
        if found:
            print(text_table((f.kind, f.message) for f in found))
    if reported:
        print(f"\nsettings: {reported}")
    return 0
