"""`ridewright design TOOL PROJECT`: tools that change a track for a reason."""

from __future__ import annotations

import argparse
from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np

from ..base.atomic import replacing
from ..base.errors import InputError
from ..project.project import Project, load_project, save_project
from .commands import add_command
from .export_track import number

TOOLS = ("bank", "smooth", "close", "launch", "speeds", "supports")


def add(commands: Any) -> None:
    """Add the command to the program."""
    command = add_command(
        commands, "design", "bank, smooth or close a track, add a launch, match speeds, place supports", run
    )
    command.add_argument("tool", choices=TOOLS, metavar="TOOL", help=", ".join(TOOLS))
    command.add_argument("project", metavar="PROJECT", help="project file (*.ridewright)")
    command.add_argument(
        "--out", metavar="FILE", required=True, help="project file to write; for supports a table (*.csv)"
    )
    command.add_argument(
        "--sections",
        metavar="NAME",
        nargs="+",
        default=(),
        help="sections that may change, by default all splines",
    )
    command.add_argument("--lateral", metavar="G", default="0", help="bank: lateral load wanted (g), 0")
    command.add_argument("--max-cant", metavar="DEG", default="120", help="bank: largest cant (deg), 120")
    command.add_argument(
        "--roll-speed", metavar="DEG", help="bank: largest roll speed (deg/s), by default any"
    )
    command.add_argument(
        "--tube", metavar="M", default="0.1", help="smooth: how far the curve may move (m), 0.1"
    )
    command.add_argument("--reach", metavar="M", default="15", help="close: how far points may move (m), 15")
    command.add_argument(
        "--gz", metavar="G", nargs=2, default=("-0.8", "4.5"), help="close: least and most Gz (g)"
    )
    command.add_argument("--gy", metavar="G", default="1.2", help="close: most lateral load (g), 1.2")
    command.add_argument(
        "--speed", metavar="M/S", help="launch: speed wanted at the end of the section (m/s)"
    )
    command.add_argument(
        "--spacing", metavar="M", default="11", help="supports: distance along the track (m), 11"
    )


def run(arguments: argparse.Namespace) -> int:
    """Run one tool, write what it made, print its report."""
    from ..design.findings import design_findings, finding_change

    project = load_project(arguments.project)
    if project.track is None:
        raise InputError(f"{arguments.project}: has no track.")
    if arguments.tool == "supports":
        return _supports(project, arguments)
    if arguments.tool == "speeds":
        return _speeds(project, arguments)
    new, report = {"bank": _bank, "smooth": _smooth, "close": _close, "launch": _launch}[arguments.tool](
        project, arguments
    )
    save_project(new, arguments.out)
    for one in fields(report):
        value = getattr(report, one.name)
        if one.name != "notes" and value != "":
            print(
                f"{one.name.replace('_', ' '):<20} {value:.5g}"
                if isinstance(value, float)
                else _line(one.name, value)
            )
    change = finding_change(design_findings(project), design_findings(new))
    sentences = (
        getattr(report, "sentence", ""),
        *getattr(report, "notes", ()),
        *change.sentences,
        change.relief,
    )
    for sentence in filter(None, sentences):
        print(sentence)
    return 0


def _line(name: str, value: Any) -> str:
    if isinstance(value, tuple):
        value = " ".join(f"{part:.4g}" for part in value)
    return f"{name.replace('_', ' '):<20} {value}"


def _sections(project: Project, arguments: argparse.Namespace) -> tuple[str, ...]:
    assert project.track is not None
    return tuple(arguments.sections) or tuple(s.name for s in project.track.sections if s.kind == "spline")


def _bank(project: Project, arguments: argparse.Namespace) -> tuple[Project, Any]:
    from ..design.bank import BankWish
    from ..design.by_ride import bank_by_ride

    slow = arguments.roll_speed
    wish = BankWish(
        lateral=_signed(arguments.lateral, "--lateral"),
        max_cant=float(np.radians(number(arguments.max_cant, "--max-cant", 180.0))),
        roll_speed=None if slow is None else float(np.radians(number(slow, "--roll-speed", 1000.0))),
    )
    return bank_by_ride(project, _sections(project, arguments), wish)


def _smooth(project: Project, arguments: argparse.Namespace) -> tuple[Project, Any]:
    from ..design.smooth import smooth

    return smooth(project, _sections(project, arguments), number(arguments.tube, "--tube", 5.0))


def _close(project: Project, arguments: argparse.Namespace) -> tuple[Project, Any]:
    from ..design.by_ride import close_by_ride
    from ..design.closing_fit import CloseLimits

    limits = CloseLimits(
        gz_min=_signed(arguments.gz[0], "--gz"),
        gz_max=_signed(arguments.gz[1], "--gz"),
        gy_max=number(arguments.gy, "--gy", 20.0),
        reach=number(arguments.reach, "--reach", 1000.0),
    )
    return close_by_ride(project, _sections(project, arguments), limits)


def _launch(project: Project, arguments: argparse.Namespace) -> tuple[Project, Any]:
    from ..design.launch import add_launch

    if arguments.speed is None or len(arguments.sections) != 1:
        raise InputError(
            "A launch needs one section (--sections NAME) and the speed at its end (--speed M/S)."
        )
    return add_launch(project, arguments.sections[0], number(arguments.speed, "--speed", 150.0))


def _speeds(project: Project, arguments: argparse.Namespace) -> int:
    from ..design.entry_speeds import match_entry_speeds

    new, changes = match_entry_speeds(project)
    save_project(new, arguments.out)
    for change in changes:
        with_losses = ", with gravity and losses of the ride" if change.losses else ""
        print(
            f"{change.section}: drawn for {change.now:.2f} m/s instead of {change.before:.2f} m/s{with_losses}"
        )
    if not changes:
        print("every element is drawn for the speed the ride enters it with")
    return 0


def _supports(project: Project, arguments: argparse.Namespace) -> int:
    from ..track.build import build_track
    from ..track.supports import place_supports, supports_csv

    assert project.track is not None
    plan = place_supports(
        build_track(project.track, ride=False), number(arguments.spacing, "--spacing", 200.0)
    )
    with replacing(Path(arguments.out)) as position:
        position.write_text(supports_csv(plan.supports), encoding="utf-8")
    kinds = [support.kind for support in plan.supports]
    counted = ", ".join(f"{kinds.count(kind)} {kind}" for kind in dict.fromkeys(kinds))
    print(f"{len(kinds)} supports ({counted}), {plan.length:.0f} m of legs")
    if plan.missing:
        print("no free place near " + ", ".join(f"{s:.0f} m" for s in plan.missing))
    return 0


def _signed(text: str, name: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = np.nan
    if not abs(value) <= 20.0:
        raise InputError(f"{name} is '{text}'; give a number of g between -20 and 20.")
    return value
