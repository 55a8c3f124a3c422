"""`ridewright who-may-ride PROJECT...`: bodies on seats behind restraints, each ridden freely, and who is admitted."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..base.errors import InputError
from ..base.sentence import counted
from ..base.text_table import text_table
from ..base.units import percent
from ..edits.changes import set_evaluation
from ..human.population import Named, admitted_by, check_heaviest, drawn, usual
from ..project.project import Project, load_project
from .commands import add_command, add_json_switch, print_json
from .set_fields import set_fields
from .study import add_engine, make_study

if TYPE_CHECKING:
    from ..studies.who_closes import Closes
    from ..studies.who_may_ride import Ridden, WhoMayRide


def add(commands: Any) -> None:
    """Add the command to the program."""
    command = add_command(
        commands, "who-may-ride", "ride bodies of many sizes on seats behind restraints: who is admitted", run
    )
    command.add_argument("projects", metavar="PROJECT", nargs="+", help="rides: project files (*.ridewright)")
    command.add_argument(
        "--at", metavar="SEAT", action="append",
        help="seat on which everybody is seated in turn, may be given again (default: that of the first rider)",
    )  # fmt: skip
    command.add_argument(
        "--seat", metavar="KEY", action="append", default=[],
        help="seat of the library to try, may be given again (default: as it is)",
    )  # fmt: skip
    command.add_argument(
        "--restraint", metavar="KEY", action="append", default=[],
        help="restraint of the library to try, may be given again (default: that of the seat)",
    )  # fmt: skip
    command.add_argument(
        "--load-case",
        metavar="NAME",
        action="append",
        default=[],
        help="load case to ride, may be given again",
    )
    command.add_argument(
        "--draw", metavar="N", type=int,
        help="draw so many people from the public instead of five usual bodies",
    )  # fmt: skip
    command.add_argument("--seed", metavar="K", type=int, default=0, help="same seed, same people (0)")
    command.add_argument("--women", metavar="SHARE", type=float, default=0.5, help="among those drawn (0.5)")
    command.add_argument("--children", metavar="SHARE", type=float, default=0.0, help="among those drawn (0)")
    command.add_argument("--youngest", metavar="YEARS", type=float, default=8.0, help="child drawn (8)")
    command.add_argument(
        "--heaviest", metavar="KG", type=float, help="who is admitted (evaluation.largest_mass of the project, or 136)"
    )  # fmt: skip
    command.add_argument(
        "--set", metavar="KEY=VALUE", action="append", default=[],
        help="change a field first, such as evaluation.patron_height=1.4",
    )  # fmt: skip
    command.add_argument(
        "--muscles", choices=("limp", "normal", "braced"), default="braced", help="of everybody (braced)"
    )
    command.add_argument(
        "--by-ride", action=argparse.BooleanOptionalAction, default=True,
        help="then ride for the statures and masses between which people may ride, to 1 cm and 1 kg (on; the rides it"
        " takes are told first)",
    )  # fmt: skip
    command.add_argument("--fit-only", action="store_true", help="only look who fits, and ride nobody")
    add_engine(command, needed=False)
    add_json_switch(command)


def run(arguments: argparse.Namespace) -> int:
    """Ride everybody and print who is admitted; that somebody is not is no failure."""
    from ..studies.admitted import most_rides, whole_answer
    from ..studies.plan import run_count
    from ..studies.who_closes import closes, closes_of
    from ..studies.who_may_ride import study_of

    if arguments.out is None and not arguments.fit_only:
        raise InputError("--out: name a folder for the runs, or say --fit-only.")
    told, interrupted = [], False
    loaded = [(path, _project(arguments, path)) for path in arguments.projects]
    for k, (path, project) in enumerate(loaded):
        seats = arguments.at or [_first(project, path)]
        found: WhoMayRide | None = None
        fits: tuple[Closes, ...] = ()
        if arguments.fit_only:
            fits = closes(project, seats[0], arguments.seat, arguments.restraint)
        else:
            study = study_of(
                path, seats, _bodies(arguments, project), shapes=arguments.seat, restraints=arguments.restraint,
                cases=arguments.load_case, by_ride=arguments.by_ride,
            )  # fmt: skip
            out = (
                arguments.out if len(loaded) == 1 else str(Path(arguments.out) / f"{k + 1} {Path(path).stem}")
            )
            if arguments.by_ride and arguments.progress == "line":
                rides = run_count(study)
                more = most_rides(rides // len(study.parameters[-1].levels))
                said = (
                    f"{counted(rides, 'ride')}, then at most {more} for who is admitted (--no-by-ride: none)"
                )
                print(f"ridewright: {said}", file=sys.stderr, flush=True)
            made = make_study(arguments, study, project, out)
            found, interrupted = whole_answer(made.store), made.interrupted
            fits = () if interrupted else closes_of(made.store)
        told.append((project, seats, fits, found))
        if interrupted:
            break
    if arguments.json:
        print_json([_data(*one) for one in told])
    else:
        print("\n\n".join(_text(*one) for one in told))
    return 1 if interrupted else 0


def _project(arguments: argparse.Namespace, path: str) -> Project:
    project = set_fields(load_project(path), arguments.set)
    if arguments.heaviest is None:
        return project
    check_heaviest(arguments.heaviest)
    return set_evaluation(project, {"largest_mass": arguments.heaviest})


def _bodies(arguments: argparse.Namespace, project: Project) -> tuple[Named, ...]:
    admitted = admitted_by(project.evaluation)
    if arguments.draw is None:
        return usual(admitted, arguments.muscles)
    return drawn(
        arguments.draw, arguments.seed, women=arguments.women, children=arguments.children,
        youngest=arguments.youngest, admitted=admitted, tone=arguments.muscles,
    )  # fmt: skip


def _first(project: Project, path: str) -> str:
    """The seat of the first rider, or else the first of all."""
    top = project.assembly
    seats = [] if top is None else [*top.every("seat")]
    riders = {} if top is None else top.with_role("rider")
    taken = (f"{name.rpartition('/')[0]}/{rider.seat}".lstrip("/") for name, rider in riders.items())
    found = next((seat for seat in (*taken, *seats) if seat in seats), None)
    if found is None:
        raise InputError(f"{path}: has no seat to sit on; add one to a car.")
    return found


def _data(
    project: Project, seats: list[str], fits: Sequence[Closes], found: WhoMayRide | None
) -> dict[str, Any]:
    return {
        "project": project.name,
        "seats": seats,
        "admitted": admitted_by(project.evaluation)._asdict(),
        "fits": [{"seat": one.seat, "restraint": one.restraint, **one.fits._asdict()} for one in fits],
        "rows": [] if found is None else [row._asdict() for row in found.rows],
        "margins": []
        if found is None
        else [{**vars(one), "body": found.row(one.run).body} for one in found.margins],
        "by_ride": [] if found is None else [as_data(one) for one in found.admitted],
    }


def as_data(value: Any) -> Any:
    """Named tuples within one another ready for JSON, by the names of their fields."""
    if isinstance(value, tuple):
        fields = getattr(value, "_fields", None)
        return (
            [as_data(one) for one in value]
            if fields is None
            else dict(zip(fields, map(as_data, value), strict=True))
        )
    return value


def _text(project: Project, seats: list[str], fits: Sequence[Closes], found: WhoMayRide | None) -> str:
    """A ride as text: everybody, the least margins, who fits."""
    lines = [f"{project.name}, at {', '.join(seats)}; admitted {admitted_by(project.evaluation).sentence}"]
    if found is not None:
        lines += ["", text_table([HEAD, *map(_row, found.rows)]), ""]
        lines += [f"{_who(row)}: {row.verdict}, {row.reason}" for row in found.rows if row.reason]
        if found.margins:
            lines += ["", "least margins of those who stay in their seats"]
            lines += [text_table([("criterion", "margin", "of"), *_margins(found)])]
        lines += ["", *found.sentences()]
    lines += [one.sentence for one in fits]
    if found is not None:
        lines += [said for one in found.admitted for said in one.sentences(admitted_by(project.evaluation))]
    return "\n".join(lines)


HEAD = (
    "body", "seat", "restraint", "ride", "verdict", "margin", "governed by", "off the pan s", "by mm", "restraint N"
)  # fmt: skip


def _row(row: Ridden) -> tuple[str, ...]:
    return (
        row.body, row.seat or "-", row.restraint or "-", row.ride or "-", row.verdict,
        "-" if row.margin is None else percent(row.margin), _short(row.governs),
        "-" if row.airtime is None else f"{row.airtime:.2f}",
        "-" if row.gap is None else f"{1e3 * row.gap:.1f}",
        "-" if row.load is None else f"{row.load:.0f}",
    )  # fmt: skip


def _who(row: Ridden) -> str:
    """Somebody, with seat, restraint and ride where there is a choice."""
    return ", ".join(word for word in (row.body, row.seat, row.restraint, row.ride) if word)


def _margins(found: WhoMayRide) -> list[tuple[str, str, str]]:
    return [
        (one.criterion, percent(one.margin), f"{_who(found.row(one.run))}, {one.who}")
        for one in found.margins[:12]
    ]


def _short(governs: str) -> str:
    """What governs, without what its limits are taken from and who it is on."""
    return governs.partition(" (")[0].partition(", ")[0] or "-"
