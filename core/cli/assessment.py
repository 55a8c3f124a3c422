"""How a measured record is judged, from the command line: restraint of the rider, standards, editions."""

from __future__ import annotations

import argparse
from typing import get_args

from pydantic import ValidationError

from ..base.errors import InputError
from ..base.evaluation import STANDARDS, EvaluationOptions, Restraint
from ..base.wording import worded
from .commands import Run


def add_assessment(command: argparse.ArgumentParser) -> None:
    """Add the arguments that `options_of` reads."""
    group = command.add_argument_group("how the rider is judged")
    group.add_argument(
        "--restraint",
        choices=get_args(Restraint),
        default="base",
        help="what holds the rider (base: lap bar, belt)",
    )
    group.add_argument("--restraint-class", type=int, metavar="1-5", help="class of restraint built in")
    group.add_argument(
        "--extended-gz", action="store_true", help="the restraint allows the extended -Gz limits"
    )
    group.add_argument("--no-headrest", action="store_true", help="the seat does not support the head")
    group.add_argument("--patron-height", type=float, metavar="M", help="smallest rider admitted, m")
    group.add_argument(
        "--standards",
        metavar="NAME,NAME",
        help=f"tables to judge by, as 'ridewright limits' lists them (default {','.join(STANDARDS)})",
    )
    group.add_argument(
        "--f2291-edition",
        default="25",
        help="edition of ASTM F2291, as 'ridewright limits astm_f2291' lists them (default 25)",
    )


def add_classes(command: argparse.ArgumentParser, run: Run) -> None:
    """Add --classes, tables of one's own that count for one call of a command."""
    command.add_argument(
        "--classes", metavar="FILE", action="append", default=[],
        help="judge by this limit table too, such as your transcription of a standard's classes of restraint; may be"
        " given again",
    )  # fmt: skip

    def with_classes(arguments: argparse.Namespace) -> int:
        from ..injury.limit_files import tables_given
        from ..injury.standards.files import check_own

        for path in arguments.classes:
            check_own(path)
        with tables_given(arguments.classes):
            return run(arguments)

    command.set_defaults(run=with_classes)


def options_of(arguments: argparse.Namespace, filtered: bool) -> EvaluationOptions:
    """The options from the arguments; filtered: the record went through the 5 Hz filter already.

    Raises InputError for values that cannot be.
    """
    names = STANDARDS if arguments.standards is None else tuple(arguments.standards.split(","))
    try:
        return EvaluationOptions.model_validate(
            {
                "restraint": arguments.restraint,
                "restraint_class": arguments.restraint_class,
                "extended_negative_gz": arguments.extended_gz,
                "headrest": not arguments.no_headrest,
                "patron_height": arguments.patron_height,
                "standards": tuple(name.strip() for name in names),
                "f2291_edition": arguments.f2291_edition,
                "standard_filter": "none" if filtered else "5 Hz",
            }
        )
    except ValidationError as error:
        first = error.errors()[0]
        name = "--" + str(first["loc"][0]).replace("_", "-") if first["loc"] else "--standards"
        raise InputError(f"{name}: {worded(first)}.") from None
