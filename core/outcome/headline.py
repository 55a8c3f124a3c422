"""What cover, table of runs and summary say of a run in a word: taken from here, so that they cannot disagree."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..injury.result import Verdict
from ..model.forces import type_of
from ..model.losses import losses_of
from ..project.project import Project
from ..results.results import Results, cars_of
from .rider_view import RiderJudgement

VERDICTS: tuple[Verdict, ...] = ("outside", "within 10 %", "inside")


def top_speed_at(results: Results) -> int | None:
    """The sample at which the first car was fastest, forwards or backwards; None without a car."""
    cars = cars_of(results)
    if not cars or not len(speed := results.channels[f"car/{cars[0]}/speed"].values):
        return None
    return int(np.argmax(np.abs(speed)))


def top_speed(results: Results) -> float | None:
    """The largest speed (m/s) of the first car; None without a car."""
    k = top_speed_at(results)
    return None if k is None else abs(float(results.channels[f"car/{cars_of(results)[0]}/speed"].values[k]))


def verdict_counts(rows: Sequence[RiderJudgement]) -> dict[Verdict, int]:
    """How many checks are outside, within 10 % of and inside their limits."""
    words = [one.result.verdict for one in rows if one.result.judged]
    return {word: words.count(word) for word in VERDICTS}


def verdict_line(rows: Sequence[RiderJudgement]) -> str:
    """All checks of a run in one line; "" where no limit applies."""
    counts = verdict_counts(rows)
    total = sum(counts.values())
    if not total:
        return ""
    if counts["outside"]:
        return f"{_seats(rows)}{counts['outside']} of {total} checks outside their limit"
    if counts["within 10 %"]:
        return f"No limit exceeded; {counts['within 10 %']} of {total} checks within 10 % of one"
    return f"All {total} checks inside their limits"


def _seats(rows: Sequence[RiderJudgement]) -> str:
    """How many of the assessed seats are outside a limit, before the number of checks; "" where none is assessed."""
    seats = dict.fromkeys(one.rider for one in rows if one.part == "seat" and one.result.judged)
    beyond = {
        one.rider for one in rows
        if one.part == "seat" and one.result.judged and one.result.verdict == "outside"
    }  # fmt: skip
    return f"{len(beyond)} of {len(seats)} seats outside a limit; " if beyond else ""


def losses_text(project: Project) -> tuple[str, bool]:
    """What takes energy from the ride by its description, in words, and whether wheels or air take any.

    Dampers and stops are in the energy ledger of the run.
    """
    train = project.train if project.assembly is project.train else None
    if train is None:
        top = project.assembly
        every = {} if top is None else top.every("force")
        kinds = [type_of(one) for one in every.values() if one.enabled]
        slowing = dict.fromkeys(made.word for made in kinds if made is not None and made.slows)
        words = ", ".join(slowing) or "no air drag and no rolling resistance described"
        return words, bool(slowing)
    losses = losses_of(train)
    if not losses.rolling and not losses.drag_area:
        return "none: the wheels roll freely and there is no air drag", False
    rolling = f"rolling resistance {losses.rolling:.3g} of the force on the wheels" if losses.rolling else ""
    air = f"air drag on {losses.drag_area:.3g} m²" if losses.drag_area else ""
    alone = " alone" if not (rolling and air) else ""
    return ", ".join(filter(None, (rolling, air))) + alone, True
