"""Stretches in which a limit is exceeded, as shaded spans behind the curves of rider loads."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..injury.intervals import merged
from ..injury.result import CriterionResult
from ..outcome.rider_view import RiderJudgement
from .abscissa import Abscissa
from .chart import Span


def exceeded_rows(
    rows: Sequence[RiderJudgement], plot: str, riders: Sequence[str], parts: Sequence[str]
) -> list[RiderJudgement]:
    """Verdicts beyond their limit that belong to a plot.

    Parameters
    ----------
    rows
        Verdicts of a run.
    plot
        "gx", "gy", "gz" or "head".
    riders, parts
        Those that are drawn.

    Returns
    -------
    Those of the ride standards count on every part but the head, to which they are not applied.
    """
    found = []
    for row in rows:
        result = row.result
        if not result.exceeded or result.apart or result.verdict != "outside" or row.rider not in riders:
            continue
        if row.part not in parts and not result.group.startswith("standard "):
            continue
        if _belongs(result, row.part, plot):
            found.append(row)
    return found


def _belongs(result: CriterionResult, part: str, plot: str) -> bool:
    if plot == "head":
        return part == "head" and result.group == "head"
    return plot in ("gx", "gy", "gz") and plot[1:] in result.about.axes


def exceeded_spans(rows: Sequence[RiderJudgement], axis: Abscissa | None = None) -> list[Span]:
    """Shaded stretches of the abscissa (s or m) of a run, by default of its time."""
    times = merged([interval for row in rows for interval in row.result.exceeded])
    spans = []
    for start, end in times:
        a, b = (start, end) if axis is None else map(float, axis.x_of(np.array([start, end])))
        spans.append(Span(min(a, b), max(a, b), label="beyond a limit"))
    return spans


def exceeded_note(rows: Sequence[RiderJudgement]) -> str:
    """Which limits the shaded stretches are beyond, with what they are worth."""
    if not rows:
        return ""
    lines = [f"{row.result.title}, {row.part.replace('_', ' ')}: {row.result.verdict_text}" for row in rows]
    return "\n".join(["Shaded red: beyond a limit.", *dict.fromkeys(lines)])
