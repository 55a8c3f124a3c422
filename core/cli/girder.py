"""`ridewright girder`: a plain girder under axles that pass it: deflection, moment, stress, force of the axles."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

from ..base.atomic import replacing
from ..base.errors import InputError
from ..base.text_table import significant, text_table
from .commands import add_command, add_json_switch, print_json

if TYPE_CHECKING:
    from ..steelwork.girder import Passage

AXLE = ("force", "behind", "mass", "sprung", "stiffness", "damping")


def add(commands: Any) -> None:
    """Add the command to the program."""
    command = add_command(
        commands, "girder", "a plain girder under axles that pass it, as closed forms have it", run
    )
    for name, what in (
        ("length", "m"), ("E", "Pa"), ("I", "m^4"), ("mass", "kg/m; 0: a girder without mass"),
        ("speed", "of the axles, m/s"),
    ):  # fmt: skip
        command.add_argument(f"--{name}", metavar="X", type=float, required=True, help=what)
    command.add_argument(
        "--axle", metavar="KEY=VALUE,...", action="append", required=True,
        help="force (N), behind (m), mass, sprung (kg), stiffness (N/m), damping (N s/m); once for each axle",
    )  # fmt: skip
    command.add_argument(
        "--supports", metavar="WORD|M,...", default="simple",
        help="simple, clamped, cantilever, free, or places where it is held up",
    )  # fmt: skip
    for name, what in (
        ("fibre", "m from the neutral axis: stress is asked for there"), ("foundation", "N/m^2 under all of it"),
        ("damping", "part of critical"), ("after", "s that are looked at after the last axle"),
        ("acceleration", "of the axles, m/s^2; below 0 they are braked, to a stand if need be"),
    ):  # fmt: skip
        command.add_argument(f"--{name}", metavar="X", type=float, default=0.0, help=what)
    command.add_argument("--shear", metavar="N", type=float, help="k G A of a girder that gives in shear")
    command.add_argument("--gravity", metavar="X", type=float, default=9.81, help="m/s^2 (9.81)")
    command.add_argument("--at", metavar="M,...", help="places that are looked at; the middle by default")
    command.add_argument("--rate", metavar="HZ", type=float, help="instants a second")
    command.add_argument("--slowly", action="store_true", help="without inertia")
    command.add_argument(
        "--lifts", action="store_true", help="masses leave the girder where they would have to be pulled"
    )
    command.add_argument("--csv", metavar="FILE", help="write everything over time")
    add_json_switch(command)


def run(arguments: argparse.Namespace) -> int:
    """Let the axles pass and print the largest values with their times."""
    from ..steelwork.girder import Axle, Girder, Supports, passage, passage_csv

    held = (
        arguments.supports
        if arguments.supports in get_args(Supports)
        else _places("--supports", arguments.supports)
    )
    girder = Girder(
        arguments.length, arguments.E, arguments.I, arguments.mass, arguments.fibre, held, arguments.foundation,
        arguments.damping, arguments.shear,
    )  # fmt: skip
    found = passage(
        girder, [Axle(**_axle(text)) for text in arguments.axle], arguments.speed,
        at=None if arguments.at is None else _places("--at", arguments.at), after=arguments.after,
        rate=arguments.rate, slowly=arguments.slowly, gravity=arguments.gravity,
        acceleration=arguments.acceleration, lifts=arguments.lifts,
    )  # fmt: skip
    if arguments.csv is not None:
        with replacing(Path(arguments.csv)) as file:
            file.write_text(passage_csv(found), encoding="utf-8")
    if arguments.json:
        print_json(_values(found))
        return 0
    _print(found)
    return 0


def _places(option: str, text: str) -> tuple[float, ...]:
    try:
        return tuple(float(one) for one in text.split(","))
    except ValueError:
        raise InputError(
            f"{option} '{text}': must be a word it knows or places in m, such as 0,12,24."
        ) from None


def _axle(text: str) -> dict[str, float]:
    """The fields of an axle."""
    found: dict[str, float] = {}
    for part in text.split(","):
        name, _, value = part.partition("=")
        try:
            number = float(value)
        except ValueError:
            number = None
        if name not in AXLE or number is None:
            raise InputError(
                f"--axle '{text}': '{part}' is none of {', '.join(AXLE)} with a number, such as force=1e4."
            )
        found[name] = number
    return found


def _peaks(found: Passage) -> list[tuple[str, float, float, float, float, str]]:
    """Name, largest value, its time, smallest value, its time, unit."""
    out = []
    named = [
        (f"{name} at {place:g} m", values[:, k], unit)
        for k, place in enumerate(found.at)
        for name, values, unit in (
            ("deflection", found.deflection, "m"), ("moment", found.moment, "N m"), ("stress", found.stress, "Pa"),
        )
        if values.any()
    ]  # fmt: skip
    for k in range(found.x.shape[1]):
        named += [
            (f"force of axle {k + 1}", found.force[:, k], "N"),
            (f"under axle {k + 1}", found.under[:, k], "m"),
        ]
        if found.sprung[:, k].any():
            named.append((f"sprung mass {k + 1}", found.sprung[:, k], "m"))
    named += [(f"reaction {k + 1}", one, "N") for k, one in enumerate(found.reactions.T)]
    for name, values, unit in named:
        high, low = int(values.argmax()), int(values.argmin())
        out.append(
            (
                name,
                float(values[high]),
                float(found.time[high]),
                float(values[low]),
                float(found.time[low]),
                unit,
            )
        )
    return out


def _print(found: Passage) -> None:
    if len(found.frequencies):
        print(f"lowest frequencies: {', '.join(f'{one:.4g}' for one in found.frequencies[:4])} Hz")
    rows = [
        (name, significant(high, 5), f"{when:.4f}", significant(low, 5), f"{then:.4f}", unit)
        for name, high, when, low, then, unit in _peaks(found)
    ]
    print(text_table([("what", "most", "at s", "least", "at s", ""), *rows]))


def _values(found: Passage) -> dict[str, Any]:
    peaks = [
        {"name": name, "most": high, "most_s": when, "least": low, "least_s": then, "unit": unit}
        for name, high, when, low, then, unit in _peaks(found)
    ]
    return {"frequencies_Hz": found.frequencies.tolist(), "instants": len(found.time), "peaks": peaks}
