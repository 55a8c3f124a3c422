"""Neck: Nij and its modes, and the peaks of the neck's loads."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ..filters import FilterName
from ..intervals import above
from ..limits import ScalarLimit, ScalarLimits, load_limits
from ..neck import NeckTable, nij
from ..registry import Criterion, Output, Signals
from ..result import CriterionResult

CUT = "load of the neck on the head at the upper neck joint, joint and muscles together"
RATE = 600.0  # Hz, as CFC60 asks for the head that the neck carries
APPLICABILITY = "head and neck of a seated rider; intercepts of the dummy chosen"
PEAKS = (
    ("tension", "tension", 2, 1.0, "N"),
    ("compression", "compression", 2, -1.0, "N"),
    ("shear_forward", "shear, head pushed forward", 0, 1.0, "N"),
    ("shear_rearward", "shear, head pushed rearward", 0, -1.0, "N"),
    ("shear_right", "shear, head pushed right", 1, 1.0, "N"),
    ("shear_left", "shear, head pushed left", 1, -1.0, "N"),
    ("flexion", "flexion moment", 1, 1.0, "N m"),
    ("extension", "extension moment", 1, -1.0, "N m"),
    ("lateral_bending", "lateral bending moment, either side", 0, 0.0, "N m"),
    ("twist", "twisting moment, either side", 2, 0.0, "N m"),
)


def _nij(filter_name: FilterName) -> Criterion:
    suffix = "" if filter_name == "none" else f"_{filter_name.lower()}"
    tail = "" if filter_name == "none" else f", {filter_name}"
    about = {
        "filter": filter_name,
        "group": "neck",
        "applicability": APPLICABILITY,
    }
    worst = Output(
        "nij" + suffix,
        "Nij" + tail,
        "1",
        definition="worst sum of axial force and bending moment of the neck, each by its intercept",
        **about,  # type: ignore[arg-type]
    )
    risk = Output(
        f"nij{suffix}_risk",
        f"probability of an injury AIS3+ from Nij{tail}",
        "%",
        definition="probability of a neck injury of at least AIS 3",
        **about,  # type: ignore[arg-type]
    )

    def evaluate(signals: Signals) -> Iterator[CriterionResult]:
        h = signals.history
        if h.neck_force is None or h.neck_moment is None:
            return
        table = load_limits("neck_nij", NeckTable)
        dummy = table.dummy(signals.options.neck)
        force = h.filtered(h.neck_force, filter_name)
        found = nij(h.time, force, h.filtered(h.neck_moment, filter_name), dummy)
        limit = ScalarLimit(
            id="nij",
            value=table.limit,
            unit="1",
            source=f"Nij 1 with the intercepts of {dummy.title}; {table.source}",
            confidence=dummy.confidence,
            unconfirmed=table.unconfirmed,
        )
        modes = ", ".join(f"{mode} {value:.3g}" for mode, value in found.modes.items())
        at = (found.time, found.time)
        over = above(h.time, found.history, table.limit)
        note = f"{found.mode}; {CUT}. Largest by mode: {modes}"
        yield worst.result(signals, found.value, at, limit, note, exceeded=over, rule=dummy.title)
        note = f"from Nij {found.value:.3g}; a curve of blows, it does not fall to zero without load"
        yield risk.result(signals, 100.0 * table.probability(found.value), at, note=note)

    return Criterion((worst, risk), evaluate, needs=("neck loads",), rate=RATE)


def _peaks() -> Criterion:
    outputs = tuple(
        Output(
            f"neck_{ident}",
            f"neck {title}",
            unit,
            group="neck",
            definition=f"peak of the {CUT}",
            applicability="head and neck of a seated rider",
        )
        for ident, title, _, _, unit in PEAKS
    )

    def evaluate(signals: Signals) -> Iterator[CriterionResult]:
        h = signals.history
        if h.neck_force is None or h.neck_moment is None:
            return
        limits = {limit.id: limit for limit in load_limits("neck_peaks", ScalarLimits).limits}
        for output, (_, _, column, sign, unit) in zip(outputs, PEAKS, strict=True):
            values = (h.neck_force if unit == "N" else h.neck_moment)[:, column]
            values = np.ascontiguousarray(sign * values if sign else np.abs(values))
            k = int(np.argmax(values))
            value, at = float(values[k]), float(h.time[k])
            limit = limits.get(output.criterion)
            note = "" if value > 0.0 else "never loaded this way"
            over = () if limit is None else above(h.time, values, limit.value)
            yield output.result(signals, value, (at, at), limit, note, exceeded=over)

    return Criterion(outputs, evaluate, needs=("neck loads",), rate=RATE)


CRITERIA = (_nij("none"), _nij("CFC600"), _peaks())
