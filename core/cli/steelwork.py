"""`ridewright steelwork PROJECT|RESULTS`: track and supports under the train: stress, footings, frequencies."""

from __future__ import annotations

import argparse
import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..base.atomic import replacing
from ..base.errors import InputError
from ..base.text_table import significant, text_table
from ..project.project import load_project
from .commands import add_command, add_json_switch, print_json
from .run_file import is_results
from .set_fields import set_fields

if TYPE_CHECKING:
    from ..project.project import Project
    from ..results.results import Results
    from ..steelwork.checks import CombinationCheck, MemberCheck
    from ..steelwork.life import MemberLife
    from ..steelwork.staggered import Round, Staggered
    from ..steelwork.tables import FootingLoad, MemberStress, SteelAnswer


def add(commands: Any) -> None:
    """Add the command to the program."""
    command = add_command(
        commands, "steelwork", "track and supports under the train: stress and footings", run
    )
    command.add_argument(
        "what", metavar="PROJECT|RESULTS",
        help="results.h5 of a run, whose wheels load the track; or a project file, whose ride as points does",
    )  # fmt: skip
    command.add_argument("--members", metavar="N", type=int, default=12, help="how many are listed (12)")
    command.add_argument("--footings", metavar="FILE", help="write the loads of all footings as CSV")
    command.add_argument("--rate", metavar="HZ", type=float, default=400.0, help="steps a second (400)")
    command.add_argument(
        "--life", action="store_true", help="fatigue by EN 1993-1-9 of the members whose stress changes most"
    )
    command.add_argument(
        "--checks", action="store_true",
        help="combine with weight, wind, ice, earthquake, temperature: utilisation, buckling, deflection",
    )  # fmt: skip
    command.add_argument(
        "--two-way", action="store_true",
        help="of a project: ride it on rails that give, run and steel in turn until both agree",
    )  # fmt: skip
    command.add_argument(
        "--reactions", metavar="FILE", help="with --checks: loads of footings in every combination as CSV"
    )
    command.add_argument(
        "--watch", metavar="MEMBER", action="append", default=[],
        help="with --life: a member that is judged in any case, such as 'column 7'",
    )  # fmt: skip
    command.add_argument(
        "--histories", metavar="FILE",
        help="with --life: stress over time of what was judged as CSV; of watched members alone where there are any",
    )  # fmt: skip
    command.add_argument("--frame", metavar="FILE", help="write the frame itself as import-frame takes it")
    command.add_argument(
        "--csv", metavar="FOLDER", help="write every table of the report's part on it as CSV"
    )
    command.add_argument(
        "--set", metavar="KEY=VALUE", action="append", default=[],
        help="of a project: change a field first, such as steelwork.spacing=9",
    )  # fmt: skip
    add_json_switch(command)


def run(arguments: argparse.Namespace) -> int:
    """Ride over the steel and print what it bears."""
    from ..exchange.frame_file import frame_csv
    from ..results.file import read_results
    from ..steelwork.checks import reactions_csv
    from ..steelwork.finished import as_finished
    from ..steelwork.life import histories_csv
    from ..steelwork.tables import footings_csv, steelwork_of

    if arguments.members < 1:
        raise InputError(f"--members {arguments.members}: must be at least 1.")
    if not 10.0 <= arguments.rate <= 1e5:
        raise InputError(f"--rate {arguments.rate:g}: must be between 10 and 100000 a second.")
    if arguments.reactions is not None and not arguments.checks:
        raise InputError("--reactions: are loads of footings in combinations; give --checks as well.")
    if (arguments.watch or arguments.histories is not None) and not arguments.life:
        raise InputError(
            "--watch and --histories: are of members whose life is asked for; give --life as well."
        )
    if is_results(Path(arguments.what)):
        if arguments.set:
            raise InputError("--set: changes a project; the results of a run are of the project it had.")
        what: Project | Results = read_results(arguments.what)
    else:
        what = set_fields(load_project(arguments.what), arguments.set)
    found = steelwork_of(
        what, arguments.rate, life=arguments.life, checks=arguments.checks, two_way=arguments.two_way,
        watch=arguments.watch,
    )  # fmt: skip
    if arguments.histories is not None:
        told = [
            one for one in found.lives if not arguments.watch or one.name.split(", ")[0] in arguments.watch
        ]
        with replacing(Path(arguments.histories)) as file:
            file.write_text(histories_csv(told), encoding="utf-8")
    if arguments.footings is not None:
        with replacing(Path(arguments.footings)) as file:
            file.write_text(footings_csv(found.footings), encoding="utf-8")
    if arguments.reactions is not None and found.checks is not None:
        with replacing(Path(arguments.reactions)) as file:
            file.write_text(reactions_csv(found.frame, found.checks), encoding="utf-8")
    if arguments.frame is not None:
        with replacing(Path(arguments.frame)) as file:
            file.write_text(frame_csv(as_finished(found.frame)), encoding="utf-8")
    if arguments.csv is not None:
        _write_tables(found, what, Path(arguments.csv))
    if arguments.json:
        print_json(_values(found))
        return 0
    _print(found, arguments.members)
    return 0


def _write_tables(found: SteelAnswer, what: Project | Results, folder: Path) -> None:
    """The tables of the report's part on it, a file each."""
    from ..project.project import Project, parse_project
    from ..report.document import Facts, Table
    from ..report.parts.steelwork_part import steelwork_blocks
    from ..report.write import facts_csv, table_csv

    project = what if isinstance(what, Project) else parse_project(what.provenance.get("project"), "the run")
    folder.mkdir(parents=True, exist_ok=True)
    for block in steelwork_blocks(found, project.steelwork):
        if isinstance(block, Facts | Table):
            written = table_csv(block) if isinstance(block, Table) else facts_csv([block])
            with replacing(folder / f"{block.id.removeprefix('steelwork_')}.csv") as file:
                file.write_text(written, encoding="utf-8")


def _print(found: SteelAnswer, count: int) -> None:
    """The frame, then tables of at most so many rows."""
    frame, ride = found.frame, found.ride
    steel, members, feet = frame.mass / 1e3, len(frame.members), len(frame.footings)
    print(f"steel: {steel:.1f} t in {members} members on {feet} footings")
    print(f"lowest frequencies: {', '.join(f'{one:.2f}' for one in ride.frequencies[:4])} Hz")
    print(f"largest deflection of the track by the train: {1e3 * abs(ride.deflection).max():.2f} mm")
    for s in frame.missing:
        print(f"no support could stand free near s = {s:.1f} m; the span there is longer")
    if found.two_way is not None:
        print(found.two_way.said)
    ranked = sorted(found.footings, key=lambda one: -one.most[2])
    tables: list[tuple[str, str, list[tuple[str, ...]]]] = [
        (
            "rounds of the run and the steel under it",
            "round, gives mm, off mm, wheel kN, changed N, work J, taken J",
            []
            if found.two_way is None
            else [_round(k, one) for k, one in enumerate(found.two_way.rounds, 1)],
        ),
        (
            "members, largest stress first (weight included)",
            "member, MPa, weight alone, at s m, time s, train at m",
            [_member(one) for one in found.members[:count]],
        ),
        (
            "fatigue, shortest life first (EN 1993-1-9)",
            "member, at s m, range MPa, equivalent, detail, life used, rides it stands",
            [_life(one) for one in found.lives[:count]],
        ),
        (
            "members used most by a combination (1 is all)",
            "member, used, by, combination, MPa, axial kN, moment kN m, at s m",
            [] if found.checks is None else [_check(one) for one in found.checks.members[:count]],
        ),
        (
            "combinations of actions",
            "combination, member, used, buckles at, deflection mm, of allowed, at s m, footings down kN",
            [] if found.checks is None else [_combination(one) for one in found.checks.combinations],
        ),
        (
            "footings, largest load down first (weight included)",
            "footing, x m, y m, weight kN, down kN, aside kN, moment kN m, time s, train at m",
            [_footing(one) for one in ranked[:count]],
        ),
    ]
    for title, heads, rows in tables:
        if rows:
            print(f"\n{title}")
            print(text_table([tuple(heads.split(", ")), *rows]))
    if found.checks is not None:
        print(f"\nactions and factors: {found.checks.about}")


def _round(number: int, one: Round) -> tuple[str, ...]:
    return (
        f"{number}", f"{1e3 * one.deflection:.3f}", f"{1e3 * one.apart:.4f}", f"{one.force / 1e3:.2f}",
        "-" if number == 1 else f"{one.changed:.1f}", f"{one.work:.1f}",
        f"{one.booked:.1f}",
    )  # fmt: skip


def _member(one: MemberStress) -> tuple[str, ...]:
    return (
        one.name, f"{one.stress / 1e6:.1f}", f"{one.dead / 1e6:.1f}", f"{one.s:.1f}", f"{one.time:.2f}",
        f"{one.train:.1f}",
    )  # fmt: skip


def _life(one: MemberLife) -> tuple[str, ...]:
    fatigue = one.fatigue
    stands = "without end" if fatigue.damage == 0.0 else significant(fatigue.rides(), 3)
    return (
        one.name, f"{one.s:.1f}", f"{fatigue.largest / 1e6:.1f}", f"{fatigue.equivalent / 1e6:.1f}",
        f"{one.category / 1e6:.0f}", f"{100.0 * one.share:.3g} %", stands,
    )  # fmt: skip


def _check(one: MemberCheck) -> tuple[str, ...]:
    return (
        one.name, f"{one.share:.2f}", one.by, one.combination, f"{one.stress / 1e6:.1f}", f"{one.N / 1e3:.1f}",
        f"{one.M / 1e3:.1f}", f"{one.s:.1f}",
    )  # fmt: skip


def _combination(one: CombinationCheck) -> tuple[str, ...]:
    strength = one.combination.limit == "strength"
    factor = "-" if not strength else f"{one.critical:.1f}" if one.critical < math.inf else "never"
    return (
        one.combination.name, one.member or "-", f"{one.share:.2f}" if strength else "-", factor,
        f"{1e3 * one.deflection:.1f}", "-" if strength else f"{one.deflection_share:.2f}", f"{one.s:.1f}",
        f"{one.least[:, 2].min() / 1e3:.1f} to {one.most[:, 2].max() / 1e3:.1f}",
    )  # fmt: skip


def _footing(one: FootingLoad) -> tuple[str, ...]:
    x, y, _ = one.place
    return (
        one.name, f"{x:.1f}", f"{y:.1f}", f"{one.dead[2] / 1e3:.1f}",
        f"{one.least[2] / 1e3:.1f} to {one.most[2] / 1e3:.1f}", f"{one.aside / 1e3:.1f}", f"{one.moment / 1e3:.1f}",
        f"{one.time:.2f}", f"{one.train:.1f}",
    )  # fmt: skip


def _values(found: SteelAnswer) -> dict[str, Any]:
    frame, ride = found.frame, found.ride
    return {
        "mass_kg": frame.mass, "frequencies_Hz": ride.frequencies.tolist(),
        "deflection_m": float(abs(ride.deflection).max()), "balance_N": ride.balance,
        "without_support_m": list(frame.missing),
        "two_way": None if found.two_way is None else _two_way(found.two_way),
        "members": [
            {"name": one.name, "stress_Pa": one.stress, "dead_Pa": one.dead, "s_m": one.s, "time_s": one.time,
             "train_m": one.train, "point_m": list(one.point)}
            for one in found.members
        ],
        "lives": [
            {"name": one.name, "s_m": one.s, "range_Pa": one.fatigue.largest, "equivalent_Pa": one.fatigue.equivalent,
             "category_Pa": one.category, "damage_a_ride": one.fatigue.damage, "life_used": one.share,
             "point_m": list(one.point)}
            for one in found.lives
        ],
        "checks": None if found.checks is None else {
            "about": found.checks.about,
            "members": [one._asdict() for one in found.checks.members],
            "combinations": [
                {"name": one.combination.name, "limit": one.combination.limit, "member": one.member,
                 "used": one.share, "critical": one.critical if one.critical < math.inf else None,
                 "deflection_m": one.deflection, "s_m": one.s, "of_allowed": one.deflection_share,
                 "least": one.least.tolist(), "most": one.most.tolist()}
                for one in found.checks.combinations
            ],
        },
        "footings": [
            {"name": one.name, "place_m": list(one.place), "dead": one.dead.tolist(), "least": one.least.tolist(),
             "most": one.most.tolist(), "time_s": one.time, "train_m": one.train}
            for one in found.footings
        ],
    }  # fmt: skip


def _two_way(found: Staggered) -> dict[str, Any]:
    rounds = [
        one._asdict() | {"changed": None if k == 0 else one.changed} for k, one in enumerate(found.rounds)
    ]
    return {"agrees": found.agrees, "near_m": found.near, "said": found.said, "rounds": rounds}
