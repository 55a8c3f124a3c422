"""What the numbers that a study keeps of a run are called, by the names they have in its files."""

from __future__ import annotations

from functools import cache
from typing import Final

from ..base.evaluation import EvaluationOptions
from ..injury.evaluate import criteria_for

TITLES: Final = {
    "margin": "Least margin",
    "arrived": "Reached its end",
    "duration": "Duration (s)",
    "max_speed": "Highest speed (m/s)",
    "min_speed": "Lowest speed (m/s)",
    "end_speed": "Speed at the end (m/s)",
    "lost": "Energy lost (J)",
    "driven": "Energy of drives (J)",
    "length": "Length of the track (m)",
    "height": "Height of the track (m)",
    "own_envelope": "Places within the own envelope",
    "in_ground": "Depth in the ground (m)",
    "misfits": "Misfits of riders and seats",
    "unfit": "Misfits that keep from riding",
    "restraint_gap": "Widest gap to a restraint (m)",
    "left_the_seat": "Left the seat",
    "airtime": "Longest airtime (s)",
    "seat_gap": "Widest gap to the seat (m)",
    "restraint_load": "Largest load of a restraint (N)",
}
#: What is kept beside the value of a criterion, by the end of its name.
BESIDE: Final = {"margin": "margin", "time": "when (s)", "s": "where (m)"}
POINTS: Final = "points."


@cache
def _criteria() -> dict[str, str]:
    every = criteria_for(EvaluationOptions())
    return {output.criterion: output.title for one in every for output in one.outputs}


def number_title(name: str) -> str:
    """The title of a kept number; a name that a study itself has given stays as it is.

    Parameters
    ----------
    name
        As in the study's files: "min_speed", "f2291_+Gz.margin", "points.margin".
    """
    if name.startswith(POINTS):
        return f"{number_title(name.removeprefix(POINTS))}, ride as points"
    if name in TITLES:
        return TITLES[name]
    front, _, end = name.rpartition(".")
    if front in _known() and end in BESIDE:
        return f"{_known()[front]}, {BESIDE[end]}"
    return _criteria().get(name, name)


def _known() -> dict[str, str]:
    return {"margin": TITLES["margin"], **_criteria()}
