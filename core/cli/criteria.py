"""`ridewright criteria FILE`: the injury criteria of a measured acceleration history."""

from __future__ import annotations

import argparse
import textwrap
from typing import TYPE_CHECKING, Any

from ..base.errors import InputError
from ..project.project import sentence
from .assessment import add_assessment, add_classes, options_of
from .commands import add_command, add_json_switch, print_json

if TYPE_CHECKING:
    from ..injury.align import Alignment
    from ..injury.history import History
    from ..injury.mounting import Mounting

SEPARATORS = {"comma": ",", "semicolon": ";", "tab": "\t", "bar": "|", "space": " "}
#: What a refusal asks for, and the option that states it.
ANSWERS = (
    ("state the unit of acceleration", "--unit"),
    ("state the unit of rotation", "--rotation-unit"),
    ("state the unit of time", "--time-unit"),
    ("state whether gravity", "--with-gravity or --without-gravity"),
    ("state the stretch of rest", "--rest T0,T1"),
    ("state another stretch of rest", "--rest T0,T1"),
    ("name other axes", "--axes"),
    ("name the columns", "--columns"),
    ("name another launch", "--launch T0,T1"),
    ("name another brake", "--brake T0,T1"),
    ("switch levelling off", "without --level"),
)
FILTERS = ("none", "5 Hz", "CFC60", "CFC180", "CFC600", "CFC1000")


def add(commands: Any) -> None:
    """Add the command to the program."""
    command = add_command(commands, "criteria", "judge a measured acceleration history (CSV)", run)
    command.add_argument(
        "file", metavar="FILE", help="CSV with columns t, ax, ay, az and optionally wx, wy, wz"
    )
    add_record(command)
    command.add_argument(
        "--against", metavar="RESULTS", help="results file of a run to lay the record over in time"
    )
    command.add_argument("--rider", metavar="NAME", help="rider of that run, by default the first")
    command.add_argument(
        "--part", choices=("head", "upper_torso", "pelvis"), default="head", help="part of that rider"
    )
    add_assessment(command)
    add_classes(command, run)
    add_json_switch(command)


def add_record(command: Any) -> None:
    """Add the arguments that `record_of` reads."""
    _add_reading(command)
    _add_mounting(command)
    command.add_argument(
        "--filter", choices=FILTERS, default="none", help="filter the record before all else"
    )
    command.add_argument("--rate", type=float, metavar="HZ", help="resample the record to this rate")


def _add_reading(command: Any) -> None:
    command.add_argument(
        "--unit", choices=("g", "m/s2"), help="unit of the acceleration, where the header does not say"
    )
    command.add_argument(
        "--columns",
        metavar="t=1,ax=NAME,...",
        help="which column is which, by number or name, where the header does not say",
    )
    command.add_argument("--time-unit", choices=("s", "ms", "us", "ns"), help="unit of the time column")
    command.add_argument("--rotation-unit", choices=("rad/s", "deg/s"), help="unit of the rotation rates")
    command.add_argument("--separator", choices=tuple(SEPARATORS), help="what stands between the columns")
    command.add_argument(
        "--body", default="accelerometer", help="where it was worn, for the report (head, ...)"
    )
    gravity = command.add_mutually_exclusive_group()
    gravity.add_argument(
        "--without-gravity",
        action="store_const",
        dest="gravity",
        const=False,
        help="the record has gravity taken out (linear acceleration)",
    )
    gravity.add_argument(
        "--with-gravity",
        action="store_const",
        dest="gravity",
        const=True,
        help="gravity is in the record, however little it shows",
    )


def _add_mounting(command: Any) -> None:
    command.add_argument(
        "--axes",
        metavar="'X Y Z'",
        help="forward, left, up in sensor axes, such as '-y x z'; rest is measured against them",
    )
    command.add_argument(
        "--offset",
        metavar="X,Y,Z",
        help="offset of the sensor in g to take off, or 'rest': so that it rests at 1 g",
    )
    command.add_argument(
        "--level", action="store_true", help="turn the record so that gravity at rest points up"
    )
    command.add_argument("--rest", metavar="T0,T1", help="stretch of rest in s, found when not given")
    command.add_argument("--launch", metavar="T0,T1", help="stretch of a launch in s, which shows forward")
    command.add_argument("--brake", metavar="T0,T1", help="stretch of a brake in s, which shows forward")
    command.add_argument(
        "--yaw", type=float, default=0.0, metavar="DEGREES", help="turn forward to the left by this"
    )


def run(arguments: argparse.Namespace) -> int:
    """Evaluate the file and print the criteria."""
    # Compiled kernels: loaded by the commands that need them only.
    from ..injury.assumptions import assumptions
    from ..injury.evaluate import evaluate_history
    from ..injury.report_text import criteria_dict, criteria_table
    from ..injury.standards.files import table_faults

    history = record_of(arguments, arguments.file)
    match = None if arguments.against is None else _match(arguments, history)
    options = options_of(arguments, arguments.filter == "5 Hz")
    results = evaluate_history(history, options=options)
    left_out = table_faults()
    assumed = assumptions(options, [history.body])
    if arguments.json:
        about = {
            "file": arguments.file,
            "duration": history.duration,
            "sample_rate": history.sample_rate,
            "notes": [*history.notes, *left_out],
        }
        if match is not None:
            about["alignment"] = {**vars(match), "quality": match.quality}
        print_json(about | {"assumptions": dict(assumed)} | criteria_dict(results))
        return 0
    print(f"{arguments.file}: {history.duration:.6g} s at {history.sample_rate:.6g} Hz")
    for note in (*history.notes, *(f"Left out: {fault}" for fault in left_out)):
        print(f"  {note}")
    if match is not None:
        print(
            f"  Lies on {arguments.against} at simulated time = measured time {match.offset:+.3f} s: {match.quality} "
            f"(correlation {match.correlation:.3f}, elsewhere {match.second:.3f}, {match.overlap:.1f} s in common)."
        )
    print(criteria_table(results))
    print("\nAssumed")
    for what, words in assumed:
        print(textwrap.fill(f"{what}: {words}", 116, initial_indent="  ", subsequent_indent="    "))
    return 0


def record_of(arguments: argparse.Namespace, file: str) -> History:
    """The record as it is to be judged; a refusal names the options that answer it."""
    from ..injury.measured import conditioned, read_accelerometer_csv
    from ..injury.mounting import mounted

    mounting = _mounting(arguments)
    try:
        history = read_accelerometer_csv(
            file,
            unit=arguments.unit,
            body=arguments.body,
            contains_gravity=arguments.gravity,
            delimiter=None if arguments.separator is None else SEPARATORS[arguments.separator],
            time_unit=arguments.time_unit,
            rotation_unit=arguments.rotation_unit,
            columns=_columns(arguments.columns),
        )
        return conditioned(mounted(history, mounting), filter_name=arguments.filter, rate=arguments.rate)
    except InputError as error:
        text = str(error)
        options = " or ".join(option for words, option in ANSWERS if words in text)
        raise InputError(f"{text.rstrip('.')} ({options})." if options else text) from None


def _columns(text: str | None) -> dict[str, str] | None:
    if text is None:
        return None
    pairs = [part.partition("=") for part in text.split(",")]
    if not all(name.strip() and equals and column.strip() for name, equals, column in pairs):
        raise InputError(f"--columns needs pairs such as t=1,ax=4,ay=5,az=6, found {text!r}.")
    return {name.strip(): column.strip() for name, _, column in pairs}


def _mounting(arguments: argparse.Namespace) -> Mounting:
    """How the sensor sat, from the arguments."""
    import math

    from pydantic import ValidationError

    from ..injury.mounting import Mounting

    if arguments.launch and arguments.brake:
        raise InputError("Name a launch or a brake, not both.")
    push = arguments.launch or arguments.brake
    offset = arguments.offset or "0,0,0"
    try:
        return Mounting(
            axes=arguments.axes,
            offset="rest" if offset == "rest" else _numbers("--offset", offset, 3),
            level=bool(arguments.level or arguments.rest or push or offset == "rest"),
            rest=None if arguments.rest is None else _numbers("--rest", arguments.rest, 2),
            push=None if push is None else _numbers("--brake" if arguments.brake else "--launch", push, 2),
            push_is="brake" if arguments.brake else "launch",
            yaw=math.radians(arguments.yaw),
        )
    except ValidationError as error:
        raise InputError(sentence(error, "mounting of the sensor")) from None


def _numbers(option: str, text: str, count: int) -> Any:
    try:
        found = tuple(float(part) for part in text.split(","))
    except ValueError:
        found = ()
    if len(found) != count:
        raise InputError(f"{option} needs {count} numbers with commas between them, found {text!r}.")
    return found


def _match(arguments: argparse.Namespace, history: History) -> Alignment:
    """Where the record lies on a run."""
    from ..injury.align import align
    from ..outcome.rider_view import rider_history
    from ..results.file import open_results

    results = open_results(arguments.against)
    riders = tuple(results.names.riders)
    if not riders:
        raise InputError(f"{arguments.against} has no rider to lay the record over.")
    rider = riders[0] if arguments.rider is None else arguments.rider
    if rider not in riders:
        raise InputError(f"{arguments.against} has no rider '{rider}'; there are {', '.join(riders)}.")
    return align(history, rider_history(results, rider, arguments.part))
