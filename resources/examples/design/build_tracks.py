"""Build the example tracks "Looping Star" and "GateKeeper" as control-point lists.

No measured geometry of either track is public. These layouts are drawn anew from published dimensions only
and are examples, not surveys: confidence in the totals is good, in every single coordinate nil.

Looping Star (Viegas 2016, sect. 5.1 and 5.2, a conceptual design): highest point 32 m, length about 765 m,
one loop, seven curves, start with 26 m/s towards -x just enough for the highest point, last two curves
without cant.

GateKeeper (Viegas 2016, sect. 5.1 and 5.3; the ride at Cedar Point, Sandusky): highest point 45 m and length
about 1315 m as in the thesis' model (the real ride: 52 m, 1269 m, 108 km/h), a first curve and hill, then in
the order of the real ride wing-over, Immelmann, camelback, flat spin, zero-g roll, inclined dive loop, in-
line roll, camelback, and the loop that the thesis counts (a spiral in its place on the real ride), brakes.
"curve 2" between wing-over and Immelmann does not exist on the real ride; it makes the published length close.

Each layout is a chain of pieces (track_pieces); a few free values (see the functions) close the circuit and
give the length. What is written is reconstructed and judged from the written points alone (track_check). Run:
python build_tracks.py
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from scipy.optimize import least_squares
from track_check import reconstruct, report, track_document
from track_pieces import Array, Layout

DEG = np.pi / 180.0
STAR_SPEED, STAR_LENGTH = 26.0, 765.0
GATEKEEPER_SPEED, GATEKEEPER_LENGTH = 30.5, 1315.0
# 4 % of the initial energy lost evenly along the way: the banking and the loads of GateKeeper assume it
GATEKEEPER_LOSS = 0.04 * GATEKEEPER_SPEED**2 / GATEKEEPER_LENGTH
TILT_WING, TILT_IMMELMANN, TILT_DIVE = 30.0 * DEG, 25.0 * DEG, 35.0 * DEG


def looping_star(x: Array) -> Layout:
    """Looping Star; x: straight after loop, brake run, radius of curves 4 and 5 (m), slope of curve 3 (rad)."""
    w = Layout(heading=np.pi, heart=0.0, speed=STAR_SPEED, loss_per_metre=0.0)
    w.section("station")
    w.straight(20.0)
    w.section("climb", 4.0)
    w.change_height(32.0, 35.0 * DEG, 34.0, 13.0)
    w.section("curve 1", 4.5)
    w.pitch(-4.0 * DEG, 60.0)
    w.turn(12.0, np.pi, 14.0, 0.75)
    w.section("first drop")
    w.change_height(1.5, 42.0 * DEG, 18.0, 25.0)
    w.straight(4.0)
    w.section("loop", 3.0)
    w.pull(2.0 * np.pi, 1.0, 1.0, 19.0, shift=-4.6, bend_mid=2.7, ramp=0.2)
    w.section("second hill")
    w.straight(x[0])
    w.change_height(14.0, 26.5 * DEG, 27.0, 34.0)
    w.section("curve 2")
    w.turn(15.5, -np.pi, 28.0, 0.75)
    w.section("second drop")
    w.change_height(9.0, 14.0 * DEG, 34.0, 32.0)
    w.section("curve 3")
    w.pitch(-x[3], 80.0)
    w.turn(19.0, np.pi, 31.0, 0.72)
    w.pitch(0.0, 60.0)
    w.section("curve 4")
    w.turn(x[2], 60.0 * DEG, x[2], 0.6)
    w.section("curve 5")
    w.turn(x[2], 60.0 * DEG, x[2], 0.6)
    w.section("curve 6", 5.0)
    w.turn(28.5, 30.0 * DEG, 14.8, 0.0)
    w.section("curve 7", 5.0)
    w.turn(28.5, 30.0 * DEG, 14.8, 0.0)
    w.section("brake run")
    w.straight(x[1])
    return w


def gatekeeper(x: Array) -> Layout:
    """GateKeeper; x: roll after wing-over, straight after the camelback, brake run (m)."""
    w = Layout(heading=np.pi, heart=1.0, speed=GATEKEEPER_SPEED, loss_per_metre=GATEKEEPER_LOSS)
    w.section("station")
    w.straight(20.0)
    w.section("curve 1", 4.5)
    w.turn(33.0, 0.5 * np.pi, 39.0, 0.74)
    w.section("climb", 4.0)
    w.change_height(44.0 - np.cos(TILT_WING), 45.0 * DEG, 33.0, 14.0, 0.35)
    w.section("wing-over", 4.5)
    w.roll(22.0, np.pi - TILT_WING)
    w.pull(np.pi, 2.6, 1.0, (w.height() - 4.0) / np.cos(TILT_WING))
    w.roll(x[0], -TILT_WING)
    w.section("curve 2")
    w.turn(32.0, 0.5 * np.pi, 37.0, 0.74)
    w.section("immelmann", 3.0)
    w.roll(25.0, -TILT_IMMELMANN)
    w.pull(np.pi, 1.0, 2.2, 28.0)
    w.pitch(-37.0 * DEG, 28.0, 0.3, roll=np.pi - TILT_IMMELMANN)
    w.section("camelback")
    w.arc(22.5 * DEG, 28.0, 4.0, 0.25)
    w.arc(-21.5 * DEG, 37.0, 14.5)
    w.arc(0.0, 31.0, 6.0)
    w.straight(x[1])
    _gatekeeper_return(w, x)
    return w


def _gatekeeper_return(w: Layout, x: Array) -> None:
    """The second half of GateKeeper, from the flat spin to the brakes."""
    w.section("flat spin", 4.0)
    w.corkscrew(84.0, 0.52, 1.0, 0.3)
    w.section("zero-g roll", 5.0)
    w.pitch(29.0 * DEG, 29.0, 0.3)
    w.arc(-29.0 * DEG, 42.0, 23.5, 0.3, roll=2.0 * np.pi)
    w.section("dive loop", 3.0)
    w.arc(38.0 * DEG, 28.0, 6.0, 0.25)
    w.arc(0.0, 26.0, 29.5, 0.3, roll=np.pi - TILT_DIVE)
    w.pull(np.pi, 1.8, 1.0, (w.height() - 6.0) / np.cos(TILT_DIVE))
    w.section("in-line roll")
    w.straight(5.0)
    w.roll(82.0, 2.0 * np.pi - TILT_DIVE)
    w.straight(5.0)
    w.section("second camelback")
    w.pitch(24.0 * DEG, 31.0, 0.3)
    w.arc(-19.0 * DEG, 34.0, 15.5)
    w.arc(0.0, 34.0, 0.0, 0.25)
    w.section("loop", 3.0)
    w.straight(4.0)
    w.pull(2.0 * np.pi, 1.0, 1.0, 25.5, shift=-5.4, bend_mid=2.7, ramp=0.2)
    w.section("brake run")
    w.straight(x[2])


def closed(make: Callable[[Array], Layout], start: list[float], length: float) -> Layout:
    """Layout whose free values close the circuit at its start and give the length (m) on the rail plane."""

    def gap(x: Array) -> Array:
        w = make(x)
        return np.array([w.p[0], w.p[1], w.height(), w.rail_length() - length])

    found = least_squares(
        gap, start, x_scale=np.maximum(np.abs(start), 0.1), xtol=1e-15, ftol=1e-15, gtol=1e-15
    )
    if np.abs(found.fun).max() > 1e-6:
        raise RuntimeError(f"the circuit does not close: gap {found.fun}, free values {found.x}")
    return make(found.x)


def written(document: dict[str, Any]) -> str:
    """JSON text of a control-point document, one point a line."""
    head = {k: v for k, v in document.items() if k != "sections"}
    parts = []
    for section in document["sections"]:
        points = ",\n".join("   " + json.dumps(point) for point in section["points"])
        parts.append(
            f'  {{"name": {json.dumps(section["name"])}, "kind": "spline", "points": [\n{points}\n  ]}}'
        )
    return json.dumps(head)[:-1] + ', "sections": [\n' + ",\n".join(parts) + "\n]}\n"


def main() -> None:
    """Write both documents next to this script and print the table of each."""
    folder = Path(__file__).resolve().parent
    for name, file, make, start, length, speed, loss in (
        (
            "Looping Star",
            "looping_star",
            looping_star,
            [11.0, 10.0, 26.0, 0.09],
            STAR_LENGTH,
            STAR_SPEED,
            0.0,
        ),
        (
            "GateKeeper",
            "gatekeeper",
            gatekeeper,
            [19.7, 31.7, 17.1],
            GATEKEEPER_LENGTH,
            GATEKEEPER_SPEED,
            GATEKEEPER_LOSS,
        ),
    ):
        text = written(track_document(name, closed(make, start, length)))
        (folder / f"{file}.points.json").write_text(text, encoding="utf-8")
        print(report(name, reconstruct(json.loads(text)), speed, loss), end="\n\n")


if __name__ == "__main__":
    main()
