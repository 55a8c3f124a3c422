"""Bundled examples ridden in a second engine, and the table of it in the guide's verification page.

    python -m tools.cross_checks [EXAMPLE ...] [--table]

Rides the examples (all of them take half an hour), keeps their figures in resources/guide/cross-checks.json, and writes
the table anew; --table: only that. The nightly tests ride them too and hold them against these figures.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any, Final, NamedTuple

from ridewright.core.base.atomic import replacing
from ridewright.core.base.errors import InputError
from ridewright.core.cross_check.check import cross_check
from ridewright.core.outcome.second_engine import CrossCheck, quantity_text, worst_of
from ridewright.core.project.examples import load_example

GUIDE: Final = Path(__file__).resolve().parent.parent / "resources" / "guide"
FIGURES, PAGE = GUIDE / "cross-checks.json", GUIDE / "verification.md"
BEGIN, END = "<!-- python -m tools.cross_checks -->", "<!-- end -->"


class Ride(NamedTuple):
    """How an example is checked: duration (s), engine, the longer of its steps (s)."""

    duration: float
    engine: str = "exudyn"
    step: float | None = None


#: Of bodies that fall MuJoCo takes longer steps than exudyn does.
FALL = Ride(0.4, "mujoco", 1e-3)
RIDES: Final = {
    "andrews_squeezer": Ride(0.01), "ball_laws": Ride(0.3, "exudyn", 2.5e-4), "bar_pendulum": Ride(3.0),
    "bead_cycloid": Ride(2.0), "bead_helix": Ride(2.0), "bead_loop": Ride(1.0), "bouncing_ball": Ride(0.7),
    "bricard": Ride(0.5), "curve50": Ride(0.5), "double_pendulum": Ride(3.0), "driven_crank": Ride(1.0),
    "driven_oscillator": Ride(1.0), "ellipsoid_double_pendulum": Ride(1.0), "ellipsoid_on_slope": Ride(0.6),
    "ellipsoid_pendulum": Ride(1.0), "four_bar": Ride(1.0), "frame_helix": Ride(1.0), "free_body": Ride(1.0),
    "freight_curve": Ride(0.5), "frisbee": Ride(1.0), "gatekeeper": Ride(0.3), "heavy_top": Ride(1.0),
    "human_fall": Ride(1.0, "mujoco", 5e-4), "human_fall_soft": FALL, "human_jump": FALL,
    "human_lying": Ride(1.1, "mujoco", 5e-4), "human_slope": FALL,
    "human_wall": Ride(0.3, "mujoco", 3e-4), "limited_pendulum_20": Ride(1.0), "limited_pendulum_70": Ride(1.0),
    "limited_pendulum_spatial": Ride(1.0), "looping_star": Ride(1.5), "pirate_ship": Ride(1.0),
    "planar_pendulum": Ride(1.0), "slider_crank": Ride(2.0), "sliding_block": Ride(0.2, "exudyn", 1e-3),
    "spatial_double_pendulum": Ride(1.0), "spatial_pendulum": Ride(1.0), "stopped_pendulum": Ride(2.0),
    "straight": Ride(0.5), "swing_beam": Ride(2.0), "swing_driven": Ride(1.0), "ten_cars": Ride(0.1, "exudyn", 1e-3),
    "torsion_chain": Ride(1.0), "two_cars_empty": Ride(0.3), "two_cars_loaded": Ride(0.3), "universal_shaft": Ride(1.0),
    "unlimited_pendulum": Ride(1.0), "veloci2": Ride(0.1, "exudyn", 1e-3),
}  # fmt: skip
LOOSE: Final = 0.1  # of a value: errors that are told
FORCES: Final = ("force at the joint", "force of the guide", "load of the force element")


def check_example(name: str) -> CrossCheck:
    """An example ridden as RIDES says. Raises InputError where it cannot be ridden in the other engine."""
    ride = RIDES[name]
    return cross_check(load_example(name), ride.engine, step=ride.step, duration=ride.duration)


def figures_of(check: CrossCheck) -> dict[str, Any]:
    """What is kept of a check."""
    kept: dict[str, Any] = {"project": check.project, "engine": check.engine, "duration": check.duration}
    for what in ("place", "velocity", *FORCES, "criterion"):
        own = [one for one in check.agreements if one.quantity == what]
        if own:
            worst = max(own, key=lambda one: one.difference)
            if what == "criterion":
                worst = worst_of(check)[what]
            names = ("difference", "allowed", "largest", "unit", "name")
            kept[what] = {field: getattr(worst, field) for field in names}
            kept[what]["verdict"] = (
                "agrees" if all(one.holds for one in own) else worst_of(check)[what].verdict
            )
    kept["differs"] = [str(one.message) for one in check.findings if one.severity != "note"]
    kept["left_out"] = [[one.name, one.what, one.why] for one in check.left_out]
    kept["cost"] = None if check.cost is None else [check.cost.place[0], check.cost.speed[0]]
    return kept


def table(figures: dict[str, dict[str, Any]]) -> str:
    """The table in Markdown."""
    lines = [
        "| example | s | engine | places | velocities | forces | criteria | not handed over, and what that moves |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for name in RIDES:
        kept = figures.get(name)
        if kept is None:
            continue
        if "refused" in kept:
            lines.append(
                f"| {name} | {RIDES[name].duration:g} | {RIDES[name].engine} | | | | | {kept['refused']} |"
            )
            continue
        forces = [_cell(kept[what]) for what in FORCES if what in kept]
        cells = [
            name, f"{kept['duration']:.3g}", kept["engine"].split()[0], _cell(kept["place"]), _cell(kept["velocity"]),
            "; ".join(forces), _cell(kept["criterion"], of=True) if "criterion" in kept else "", _left(kept),
        ]  # fmt: skip
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


def _cell(one: dict[str, Any], *, of: bool = False) -> str:
    said = f"{quantity_text(one['difference'], '')} of {quantity_text(one['largest'], one['unit'])}"
    if one["allowed"] > LOOSE * one["largest"] and one["difference"] > LOOSE * one["largest"]:
        said += f" (errors of both {quantity_text(one['allowed'], '')})"
    if of:
        said += f" ({one['name'].partition(',')[0]})"
    return said if one["verdict"] == "agrees" else f"{said} ({one['verdict']})"


def _left(kept: dict[str, Any]) -> str:
    if not kept["left_out"]:
        return ""
    what = "; ".join(dict.fromkeys(f"{name}: {why}" for name, _, why in kept["left_out"]))
    place, speed = kept["cost"]
    return f"{what} ({place:.2g} m, {speed:.2g} m/s)"


def kept_figures() -> dict[str, dict[str, Any]]:
    """Of the examples that were ridden."""
    found: dict[str, dict[str, Any]] = json.loads(FIGURES.read_text(encoding="utf-8"))
    return found


def write_table() -> None:
    """Put the table between its marks in the guide."""
    page = PAGE.read_text(encoding="utf-8")
    before, _, rest = page.partition(BEGIN)
    after = rest.partition(END)[2]
    made = f"{before}{BEGIN}\n\n{table(kept_figures())}\n\n{END}{after}"
    with replacing(PAGE) as part:
        part.write_text(made, encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("examples", nargs="*", metavar="EXAMPLE")
    parser.add_argument("--table", action="store_true", help="only write the table anew")
    arguments = parser.parse_args()
    for name in () if arguments.table else arguments.examples or RIDES:
        try:
            kept = figures_of(check_example(name))
        except InputError as error:
            kept = {"refused": str(error)}
        figures = kept_figures() if FIGURES.exists() else {}
        figures[name] = kept
        with replacing(FIGURES) as part:
            part.write_text(
                json.dumps(figures, indent=1, sort_keys=True, ensure_ascii=False) + "\n", encoding="utf-8"
            )
        print(name, kept.get("refused") or kept["differs"] or "agrees", flush=True)
    write_table()


if __name__ == "__main__":
    main()
