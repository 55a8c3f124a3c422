"""Loads on riders over the ride: what an accelerometer on head, torso and pelvis feels, in rider axes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from ..injury.history import History
from ..injury.result import CriterionResult
from ..outcome.free_riders import RESTRAINT, free_riders, load_over_time
from ..outcome.rider_view import RiderJudgement
from ..results.results import Results
from .abscissa import Abscissa
from .bands import bands_of, head_levels, note_of
from .chart import INK, TIME, Axis, Chart, Colour, Curve, Level, Span
from .exceedances import exceeded_note, exceeded_spans
from .recipe import Recipe, Source

#: What is plotted by key: title, kind, component or channel, quantity, unit.
PLOTS: dict[str, tuple[str, str, int | str, str, str]] = {
    "gz": ("Gz up", "load", 2, "Gz", "g"),
    "gy": ("Gy left", "load", 1, "Gy", "g"),
    "gx": ("Gx forward", "load", 0, "Gx", "g"),
    "head": ("Head resultant", "head", 3, "resultant", "g"),
    "speed": ("Speed", "car", "speed", "v", "m/s"),
    "nca": ("NCA of the carbody", "car", "nca", "NCA", "m/s^2"),
    "roll": ("Roll of the carbody", "car", "roll", "roll", "rad"),
    "rotation": ("Head rotation rate", "rotation", 3, "rate", "rad/s"),
    "gap": ("Gap to seat and restraint", "free", "gap", "gap", "mm"),
    "load": ("Load of seat and restraint", "free", "load", "F", "N"),
    "slip": ("Slip on seat and restraint", "free", "slip", "slip", "mm"),
    "pressure": ("Load over patch", "free", "pressure", "pressure", "kPa"),
}
SHORT = {"head": "head", "upper_torso": "torso", "pelvis": "pelvis"}
FILTER_WORDS = {"raw": "as computed", "5hz": "5 Hz"}
ZERO = Level(0.0, "")
ZOOM = 0.25  # s shown to both sides of the window that gave a value of the head


def load_sources(
    kind: str,
    what: int | str,
    riders: Sequence[str],
    parts: Sequence[str],
    filters: Sequence[str],
    called: dict[str, str] | None = None,
) -> tuple[Source, ...]:
    """Signals of a plot of riders' parts ("raw" and "5hz" by `filters`), named for what tells them apart.

    called: what a rider is called, where several are drawn.
    """
    signal = "angular_velocity" if kind == "rotation" else "acceleration"
    sources = []
    for rider in riders:
        for part in parts:
            for name in filters:
                words = [
                    (called or {}).get(rider, rider) if len(riders) > 1 else "",
                    SHORT[part] if len(parts) > 1 else "",
                    FILTER_WORDS[name] if len(filters) > 1 else "",
                ]
                key = f"rider/{rider}/{part}/{signal}" + (" 5 Hz" if name == "5hz" else "")
                label = ", ".join(word for word in words if word)
                sources.append(Source(key, int(what), label, rider.split("/")[0]))
    return tuple(sources)


def free_sources(
    results: Results, riders: Sequence[str], what: int | str, called: dict[str, str] | None = None
) -> tuple[Source, ...]:
    """Signals of what held riders who sit freely: of seat pan and restraint, and of what touched them.

    Parameters
    ----------
    results
        A run.
    riders
        Names of those that are drawn.
    what
        Which signal: "gap", "load", "slip" or "pressure".
    called
        What riders are called, by name; None where they have their own names.

    Returns
    -------
    The signals, as sources of a plot.
    """
    sources = []
    for one in free_riders(results):
        if one.rider in riders:
            who = (called or {}).get(one.rider, one.rider) if len(riders) > 1 else ""
            for part in one.parts:
                if part.webbing and what not in ("load", "slip"):
                    continue
                if part.kind in ("pan", RESTRAINT) or load_over_time(results, part.rows).any():
                    label = ", ".join(word for word in (who, part.name.lower()) if word)
                    key = f"free/{one.rider}/{part.name}/{what}"
                    sources.append(Source(key, 0, label, one.rider.split("/")[0]))
    return tuple(sources)


def load_recipe(
    key: str,
    sources: tuple[Source, ...],
    *,
    title: str = "",
    exceeded: Sequence[RiderJudgement] = (),
    axis: Abscissa | None = None,
    symptoms: bool = False,
    about: str = "",
) -> Recipe:
    """A plot of `PLOTS`.

    Parameters
    ----------
    key
        Its name there.
    sources
        Whose signals are drawn.
    title
        By default its own.
    exceeded
        Verdicts whose spans are shaded.
    axis
        Along which it is drawn, by default the time.
    symptoms
        Whether bands of observed ones are behind it.
    about
        The signals, for the note.

    Returns
    -------
    The recipe.
    """
    own, kind, _, quantity, unit = PLOTS[key]
    bands = kind == "load" and symptoms
    notes = (exceeded_note(exceeded), about, note_of(key) if symptoms else "")
    return Recipe(
        key, title or own, unit, sources, quantity,
        bands=bands_of(key) if bands else (), levels=head_levels() if kind == "head" else (),
        spans=tuple(exceeded_spans(exceeded, axis)), note="\n\n".join(note for note in notes if note),
    )  # fmt: skip


def head_charts(history: History, results: Iterable[CriterionResult]) -> tuple[Chart, Chart]:
    """The resultant of the head, whole and around the longest window that gave a value, with windows and held levels.

    results: those of the head; what of them is marked, their criteria say (`core.injury.result.About`).
    """
    marked = sorted((one for one in results if one.about.mark), key=lambda one: one.about.name)
    levels = [
        Level(one.value, one.about.name, Colour("series", 2))
        for one in marked
        if one.about.mark == "level" and one.value is not None
    ]
    windows = [(one.time, one.about.name) for one in marked if one.about.mark == "window" and one.time]
    spans = [Span(*time, Colour("series", k), name) for k, (time, name) in enumerate(windows)]
    widest = max((time for time, _ in windows), key=lambda one: one[1] - one[0], default=None)
    time, resultant = history.time, history.resultant
    ends = (float(time[0]), float(time[-1]))
    middle = 0.5 * sum(ends if widest is None else widest)
    near = (max(middle - ZOOM, ends[0]), min(middle + ZOOM, ends[1]))
    charts = []
    for title, low, high in (("whole ride", *ends), ("around the longest window", *near)):
        inside = (time >= low) & (time <= high)
        top = 1.12 * float(np.max(resultant[inside]))
        curve = Curve("", time[inside], resultant[inside], INK, weight=0.8, time=time[inside])
        charts.append(
            Chart(
                "head", f"Resultant of the head, {title}", Axis(TIME.quantity, "s", False, low, high),
                Axis("resultant", "g", False, 0.0, top), (curve,), levels=(*levels,), spans=(*spans,),
            )
        )  # fmt: skip
    return charts[0], charts[1]
