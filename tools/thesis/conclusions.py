"""The conclusions of the thesis, one by one, each with the figures that speak for or against it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

Verdict = Literal["agrees", "agrees in part", "disagrees", "cannot be told"]
Numbers = dict[str, float]
Finding = tuple[Verdict, str]


@dataclass(frozen=True)
class Conclusion:
    """A statement of the thesis in short, where it stands, and what is found here."""

    statement: str
    place: str
    check: Callable[[Numbers, Numbers], Finding]


def _tilting_long(star: Numbers, gate: Numbers) -> Finding:
    a, b = star["nca_off_long_percent"], star["nca_off_short_percent"]
    c, d = gate["nca_off_long_percent"], gate["nca_off_short_percent"]
    text = (
        f"tilting takes {a:.0f} % off the NCA in stretches of curve over 30 m and {b:.0f} % in shorter ones "
        f"(GateKeeper {c:.0f} and {d:.0f} %)"
    )
    return ("agrees" if a > b and c > d else "disagrees"), text


def _energy(star: Numbers, _: Numbers) -> Finding:
    lost = star["speed_lost_percent"]
    text = (
        f"speed at the end {lost:.1f} % below the start, the thesis loses 4 %: energy is kept in both, but the rails "
        "here are smooth and hardly move the springs, the only place where it is lost"
    )
    return ("agrees" if 3.0 <= lost <= 5.0 else "agrees in part"), text


def _energy_gate(_: Numbers, gate: Numbers) -> Finding:
    lost = gate["speed_lost_percent"]
    return ("agrees" if 0.0 < lost < 4.0 else "disagrees"), f"speed at the end {lost:.1f} % below the start"


def _top(star: Numbers, _: Numbers) -> Finding:
    v, s = star["speed_least"], star["speed_least_at"]
    return (
        "agrees" if abs(v - 6.6) < 0.5 else "disagrees"
    ), f"{v:.2f} m/s at {s:.0f} m, at the end of the climb"


def _last_curves(star: Numbers, _: Numbers) -> Finding:
    text = (
        f"the roll stop is hit there ({star['roll_largest_degrees']:.1f} degrees against 10), the NCA is "
        "the highest of "
        "the ride; those curves are left out of the durations below"
    )
    return ("agrees" if star["roll_largest_degrees"] > 10.0 else "disagrees"), text


def _below(ride: Numbers, key: str) -> str:
    return f"{ride[f'{key}_used_percent']:.0f} % of the curve used ({ride[f'{key}_short']:.2f} g for 0.01 s)"


def _far_below(key: str, most: float, which: int) -> Callable[[Numbers, Numbers], Finding]:
    def check(star: Numbers, gate: Numbers) -> Finding:
        ride = (star, gate)[which]
        used = ride[f"{key}_used_percent"]
        return ("agrees" if used < most else "disagrees"), _below(ride, key)

    return check


def _lateral(which: int) -> Callable[[Numbers, Numbers], Finding]:
    def check(star: Numbers, gate: Numbers) -> Finding:
        ride = (star, gate)[which]
        g = max(ride["plusGy_short"], ride["minusGy_short"])
        text = (
            f"{g:.2f} g for 0.01 s; no sustained curve for Gy is at hand, volunteers bore 9 g for 0.1 s; "
            "the 2 g of EN 13814 "
            f"(as reported, low confidence) {'are kept' if g < 2.0 else 'are exceeded'}"
        )
        return ("agrees" if g < 9.0 else "disagrees"), text

    return check


def _lateral_peak(star: Numbers, _: Numbers) -> Finding:
    text = (
        "no such peak: the lateral load follows the curves. A peak way above all else at one moment points "
        "to a kink in "
        "the track data of the thesis, which are not published"
    )
    return "disagrees", text


def _first_intervals(star: Numbers, _: Numbers) -> Finding:
    text = (
        f"the least margin of +Gz is at {star['plusGz_worst_duration']:.2f} s, the shortest duration, but only "
        f"{star['plusGz_used_percent']:.0f} % are used"
    )
    return ("agrees in part" if star["plusGz_worst_duration"] < 0.1 else "disagrees"), text


def _down(which: int) -> Callable[[Numbers, Numbers], Finding]:
    return _far_below("minusGz", 100.0, which)


def _hic(which: int, thesis: float, at: float) -> Callable[[Numbers, Numbers], Finding]:
    def check(star: Numbers, gate: Numbers) -> Finding:
        ride = (star, gate)[which]
        value, when = ride["hic36"], ride["hic36_at"]
        same = abs(when - at) < 3.0
        text = f"HIC36 {value:.2f} at {when:.1f} s, thesis {thesis:g} at {at:g} s; the limit is 1000 in both"
        text += (
            "; the same moment, a smaller value on smooth rails"
            if same
            else "; here it is the pull in the loop"
        )
        return "agrees in part", text

    return check


def _clip(which: int, thesis: float) -> Callable[[Numbers, Numbers], Finding]:
    def check(star: Numbers, gate: Numbers) -> Finding:
        value = (star, gate)[which]["clip_3ms"]
        verdict: Verdict = "agrees" if 0.5 * thesis < value < 2.0 * thesis else "agrees in part"
        return verdict, f"{value:.1f} g, thesis {thesis:g} g; the limit of 80 g is far in both"

    return check


def _less_evident(star: Numbers, gate: Numbers) -> Finding:
    a, b = star["roll_rms_degrees"], gate["roll_rms_degrees"]
    c, d = star["bank_rate_rms"], gate["bank_rate_rms"]
    text = (
        f"roll of the carbody {b:.1f} degrees r.m.s. against {a:.1f} on the Looping Star; the bank changes "
        f"{d / c:.1f} times as fast along the track"
    )
    return ("agrees" if b < a and d > c else "disagrees"), text


def _before_1200(_: Numbers, gate: Numbers) -> Finding:
    off = gate["nca_off_before_1200_percent"]
    text = (
        f"from 1100 to 1200 m tilting {'takes' if off > 0 else 'adds'} {abs(off):.0f} % "
        f"{'off' if off > 0 else 'to'} the largest NCA ({gate['nca_rails_before_1200']:.1f} m/s^2 in the "
        "rail plane): the "
        "course rebuilt from the real ride has a camelback at that place, not the curve of the thesis"
    )
    return ("agrees" if off > 5.0 else "disagrees"), text


def _well_banked(star: Numbers, gate: Numbers) -> Finding:
    a, b = star["nca_rails_rms"], gate["nca_rails_rms"]
    off = gate["nca_off_percent"]
    text = (
        f"NCA in the rail plane {b:.1f} m/s^2 r.m.s. against {a:.1f} on the Looping Star; tilting takes "
        f"{off:.0f} % off it "
        f"({star['nca_off_percent']:.0f} % there)"
    )
    return ("agrees" if b < a and off < star["nca_off_percent"] else "disagrees"), text


def _far_below_all(star: Numbers, gate: Numbers) -> Finding:
    most = max(
        ride[f"{key}_used_percent"]
        for ride in (star, gate)
        for key in ("plusGx", "minusGx", "plusGz", "minusGz")
    )
    outside, reported, onsets = (
        sum(ride[f"{key}_outside"] for ride in (star, gate)) for key in ("f2291", "en13814", "design_onset")
    )
    eiband = max(ride["eiband_used_percent"] for ride in (star, gate))
    text = (
        f"at most {most:.0f} % of the sustained curves are used, and {eiband:.0f} % of what Eiband's "
        "volunteers took along "
        f"+Gz. By today's standards: {outside:.0f} values of torso and pelvis are outside F2291 (as transcribed), "
        f"{reported:.0f} outside EN 13814 (as reported), and {onsets:.0f} above the onset in design that is reported "
        "beside F2291"
    )
    if outside + reported + onsets == 0 and most < 50.0 and eiband < 100.0:
        return "agrees", text
    return "agrees in part", text


def _injury_low(star: Numbers, gate: Numbers) -> Finding:
    clip, bric = max(star["clip_3ms"], gate["clip_3ms"]), max(star["bric"], gate["bric"])
    text = (
        f"3 ms {clip:.1f} g and BrIC {bric:.2f} at most; measured daily tasks reach 3.9 g (sneeze), 16 g "
        "(falling down) and "
        "28 g (pillow strike). The 21 g of the thesis would not be a sneeze any more"
    )
    return ("agrees" if clip < 16.3 and bric < 0.5 else "disagrees"), text


def _suspension(star: Numbers, _: Numbers) -> Finding:
    off = star["guide_violation"]
    text = (
        f"wheels stay on both rails to {off:.0e} m; each wheelset follows its own rail, slides and primary "
        "springs take up "
        "the gauge"
    )
    return ("agrees" if off < 1e-6 else "disagrees"), text


CONCLUSIONS = (
    Conclusion(
        "The tilting works better in long curves than where the bank changes quickly",
        "5.2, Fig. 5.6",
        _tilting_long,
    ),
    Conclusion("The last two unbanked curves, unbraked, are to be left out", "5.2, Fig. 5.6", _last_curves),
    Conclusion("Energy is kept; the ride ends 4 % slower than it starts", "5.2, Fig. 5.7", _energy),
    Conclusion("The least speed, 6.6 m/s, is at the top of the highest hill", "5.2, Fig. 5.7", _top),
    Conclusion("+Gx lies far below the tolerance", "5.2, Figs. 5.8, 5.11", _far_below("plusGx", 25.0, 0)),
    Conclusion("Gy is highest for 0.01 s and lies below the tolerance", "5.2, Figs. 5.9, 5.12", _lateral(0)),
    Conclusion("A lateral peak near 26 s lies way above the rest", "5.2, Figs. 5.9, 5.12", _lateral_peak),
    Conclusion(
        "+Gz comes nearest to the tolerance in the shortest times", "5.2, Figs. 5.10, 5.13", _first_intervals
    ),
    Conclusion("-Gz lies below the tolerance", "5.2, Fig. 5.14", _down(0)),
    Conclusion("HIC is 11.34 near 26 s, far from a concern", "5.2, Fig. 5.15", _hic(0, 11.34, 26.0)),
    Conclusion("The head holds 21.27 g for 3 ms, far below 80 g", "5.2, Fig. 5.16", _clip(0, 21.27)),
    Conclusion(
        "GateKeeper: the roll of the carbody shows less, the bank always changes",
        "5.3, Fig. 5.17",
        _less_evident,
    ),
    Conclusion("GateKeeper: tilting lowers the NCA just before 1200 m", "5.3, Fig. 5.18", _before_1200),
    Conclusion(
        "GateKeeper: the bank suits the speed, tilting is hardly needed",
        "5.3, Figs. 5.17, 5.18",
        _well_banked,
    ),
    Conclusion("GateKeeper: energy is kept but for the suspension", "5.3, Fig. 5.20", _energy_gate),
    Conclusion(
        "GateKeeper: +Gx lies far below the tolerance", "5.3, Figs. 5.21, 5.24", _far_below("plusGx", 25.0, 1)
    ),
    Conclusion("GateKeeper: Gy lies below the tolerance", "5.3, Figs. 5.22, 5.25", _lateral(1)),
    Conclusion(
        "GateKeeper: +Gz lies below the tolerance", "5.3, Figs. 5.23, 5.26", _far_below("plusGz", 100.0, 1)
    ),
    Conclusion("GateKeeper: -Gz lies below the tolerance", "5.3, Fig. 5.27", _down(1)),
    Conclusion("GateKeeper: HIC is 4.9 near 51 s", "5.3, Fig. 5.28", _hic(1, 4.9, 51.0)),
    Conclusion("GateKeeper: the head holds 7.4 g for 3 ms", "5.3, Fig. 5.29", _clip(1, 7.4)),
    Conclusion("The vehicle keeps its wheels on both rails and makes up for the gauge", "6.1", _suspension),
    Conclusion("Both tracks stay far below the tolerance to g", "6.1", _far_below_all),
    Conclusion("The head moves within the range of normal activities", "6.1", _injury_low),
)


def table(star: Numbers, gate: Numbers) -> tuple[str, dict[str, int]]:
    """The conclusions as a table in Markdown, and how many agree."""
    lines = ["| the thesis says | where | here | |", "|---|---|---|---|"]
    count: dict[str, int] = {}
    for conclusion in CONCLUSIONS:
        verdict, text = conclusion.check(star, gate)
        count[verdict] = count.get(verdict, 0) + 1
        lines.append(f"| {conclusion.statement} | {conclusion.place} | {text} | {verdict} |")
    return "\n".join(lines), count
