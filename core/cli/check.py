"""`ridewright check PROJECT`: the geometry of the track, and what is odd about the model."""

from __future__ import annotations

import argparse
from typing import Any

from ..base.text_table import text_table
from ..project.effort import long_run
from ..project.model_findings import model_findings
from ..project.project import load_project
from .commands import add_command, add_json_switch, print_json
from .set_fields import set_fields
from .track_text import track_text

KINKS = 30  # that are printed


def add(commands: Any) -> None:
    """Add the command to the program."""
    command = add_command(commands, "check", "check the geometry of a project's track and its model", run)
    command.add_argument("project", metavar="PROJECT", help="project file (*.ridewright)")
    command.add_argument(
        "--kinks", action="store_true", help="where the rails bend suddenly, and what that costs in g"
    )
    command.add_argument(
        "--set", metavar="KEY=VALUE", action="append", default=[],
        help="change a field first, such as track.as_built.quality=rough",
    )  # fmt: skip
    add_json_switch(command)


def run(arguments: argparse.Namespace) -> int:
    """Print the report; findings are no failure."""
    # Building a track loads compiled kernels: only the commands that need them pay for it.
    from ..base.bundled import source_of
    from ..design.rail_kinks import kinks_of
    from ..design.rider_clearance import asks_for_reach, margin_source, reach_findings
    from ..track.check import check_track
    from ..track.deviation import TABLE

    project = set_fields(load_project(arguments.project), arguments.set)
    report = None if project.track is None else check_track(project.track)
    reached = reach_findings(project)
    model, reported = model_findings(project), long_run(project)
    kinks = kinks_of(project) if arguments.kinks else None
    if arguments.json:
        print_json(
            {
                **({} if kinks is None else {"kinks": [one._asdict() for one in kinks]}),
                "project": project.name,
                "track": None if report is None else report.model_dump(mode="json"),
                "reach": [one.model_dump(mode="json") for one in reached],
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
    if kinks is not None:
        print(f"\nkinks of the rails, the costliest first: {len(kinks) or 'none'}")
        rows = [
            (
                f"{one.s:.1f}",
                one.rail,
                one.way,
                f"{1e3 * one.turn:.2f}",
                f"{one.speed:.1f}",
                f"{one.cost:.1f}",
            )
            for one in kinks[:KINKS]
        ]
        if rows:
            print(text_table([("at s m", "rail", "bends", "mrad", "m/s", "g"), *rows]))
        if project.track is not None and project.track.as_built.quality != "drawn":
            print(f"class of the rails: {source_of(TABLE)}")
    if asks_for_reach(project):
        print(f"\nwhat riders reach: {'clear' if not reached else len(reached)}")
        for one in reached:
            print(f"{one.severity}: {one.message}")
        print(f"margins: {margin_source()}")
    for name, found in model.items():
        print(f"\n{name}: {'nothing odd' if not found else 'as drawn'}")
        if found:
            print(text_table((f.kind, f.message) for f in found))
    if reported:
        print(f"\nsettings: {reported}")
    return 0
