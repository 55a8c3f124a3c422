"""Neck: Nij and its modes, and the peaks of the neck's loads."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike

from ...base.arrays import Array
from ...base.errors import InputError, LimitTableError
from ...base.frozen import Frozen
from ..filters import FilterName
from ..grid import as_signal, as_time
from ..intervals import above
from ..limits import Confidence, LimitTable, Positive, ScalarLimit, ScalarLimits, load_limits
from ..result import CriterionResult
from .base import Criterion, CriterionTrace, Output, Signals

NeckMode = Literal["tension-extension", "tension-flexion", "compression-extension", "compression-flexion"]
NECK_MODES: tuple[NeckMode, ...] = get_args(NeckMode)


class NeckIntercepts(Frozen):
    """Loads that give Nij = 1 on their own, for one dummy: N and N m; offset (m) of the load cell above the
    occipital condyle, by which a measured moment is corrected."""

    id: str
    title: str
    tension: Positive
    compression: Positive
    flexion: Positive
    extension: Positive
    offset: float
    confidence: Confidence


class NeckTable(LimitTable):
    """resources/limits/neck_nij.json: intercepts, the limit, and the risk 1 / (1 + exp(b0 - b1 Nij)).

    unconfirmed as in `ScalarLimit`.
    """

    limit: Positive
    risk: tuple[float, float]
    dummies: tuple[NeckIntercepts, ...]
    unconfirmed: str = ""

    def dummy(self, dummy_id: str) -> NeckIntercepts:
        """The intercepts of that dummy; InputError naming those there are."""
        for dummy in self.dummies:
            if dummy.id == dummy_id:
                return dummy
        raise LimitTableError(
            f"No neck of a {dummy_id!r}; there are {', '.join(d.id for d in self.dummies)}."
        )

    def probability(self, nij: float) -> float:
        """Probability of an injury of AIS 3 or more at a value of Nij."""
        return float(1.0 / (1.0 + np.exp(self.risk[0] - self.risk[1] * nij)))


@dataclass(frozen=True)
class NijResult:
    """Nij: value (1), mode and time s of it, the largest value of each mode, and the sum (n,) over time."""

    value: float
    mode: NeckMode
    time: float
    modes: dict[NeckMode, float]
    history: Array


def nij(
    time: ArrayLike,
    force: ArrayLike,
    moment: ArrayLike,
    dummy: NeckIntercepts,
    *,
    at_condyle: bool = True,
) -> NijResult:
    """Neck injury criterion: the worst sum of the part of the axial and the part of the bending intercept.

    Nij = |Fz| / Fz of the direction + |My| / My of the direction, at every instant.

    time (n,) s; force (n, 3) N and moment (n, 3) N m of the neck on the head in the signs of SAE J211 (Fz positive in
    tension, My positive in flexion); at_condyle False takes the moment as measured by the load cell of the dummy and
    moves it to the occipital condyle, My - offset Fx. Raises InputError for wrong shapes.
    Source: Eppinger et al. 1999 (NHTSA); 49 CFR 571.208 S6.6.
    """
    t = as_time(time)
    f, m = as_signal(t, force, "neck force"), as_signal(t, moment, "neck moment")
    if f.shape != (t.size, 3) or m.shape != (t.size, 3):
        raise InputError(f"Neck force and moment need three columns each, found {f.shape} and {m.shape}.")
    axial = f[:, 2]
    bending = m[:, 1] if at_condyle else m[:, 1] - dummy.offset * f[:, 0]
    along = np.where(axial >= 0.0, axial / dummy.tension, -axial / dummy.compression)
    about = np.where(bending >= 0.0, bending / dummy.flexion, -bending / dummy.extension)
    both = along + about
    kind = 2 * (axial < 0.0) + (bending >= 0.0)
    modes = {mode: float(both[kind == k].max(initial=0.0)) for k, mode in enumerate(NECK_MODES)}
    k = int(np.argmax(both))
    return NijResult(float(both[k]), NECK_MODES[int(kind[k])], float(t[k]), modes, both)


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

    def answer(signals: Signals) -> NijResult | None:
        h = signals.history
        if h.neck_force is None or h.neck_moment is None:
            return None
        dummy = load_limits("neck_nij", NeckTable).dummy(signals.options.neck)
        force = h.filtered(h.neck_force, filter_name)
        return nij(h.time, force, h.filtered(h.neck_moment, filter_name), dummy)

    def evaluate(signals: Signals) -> Iterator[CriterionResult]:
        found = answer(signals)
        if found is None:
            return
        table = load_limits("neck_nij", NeckTable)
        dummy = table.dummy(signals.options.neck)
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
        over = above(signals.history.time, found.history, table.limit)
        note = f"{found.mode}; {CUT}. Largest by mode: {modes}"
        yield worst.result(signals, found.value, at, limit, note, exceeded=over, rule=dummy.title)
        note = f"from Nij {found.value:.3g}; a curve of blows, it does not fall to zero without load"
        yield risk.result(signals, 100.0 * table.probability(found.value), at, note=note)

    def trace(signals: Signals, result: CriterionResult) -> CriterionTrace | None:
        found = answer(signals)
        limit = None if result.criterion == risk.criterion else result.limit
        return None if found is None else signals.trace(found.history, "1", "Nij", limit)

    return Criterion((worst, risk), evaluate, needs=("neck loads",), rate=RATE, parts=("head",), trace=trace)


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

    def load(signals: Signals, column: int, sign: float, unit: str) -> Array | None:
        given = signals.history.neck_force if unit == "N" else signals.history.neck_moment
        if given is None:
            return None
        values = given[:, column]
        return np.ascontiguousarray(sign * values if sign else np.abs(values))

    def evaluate(signals: Signals) -> Iterator[CriterionResult]:
        time = signals.history.time
        limits = {limit.id: limit for limit in load_limits("neck_peaks", ScalarLimits).limits}
        for output, (_, _, column, sign, unit) in zip(outputs, PEAKS, strict=True):
            values = load(signals, column, sign, unit)
            if values is None:
                return
            k = int(np.argmax(values))
            value, at = float(values[k]), float(time[k])
            limit = limits.get(output.criterion)
            note = "" if value > 0.0 else "never loaded this way"
            over = () if limit is None else above(time, values, limit.value)
            yield output.result(signals, value, (at, at), limit, note, exceeded=over)

    def trace(signals: Signals, result: CriterionResult) -> CriterionTrace | None:
        k = [output.criterion for output in outputs].index(result.criterion)
        _, title, column, sign, unit = PEAKS[k]
        values = load(signals, column, sign, unit)
        return None if values is None else signals.trace(values, unit, f"neck {title}", result.limit)

    return Criterion(outputs, evaluate, needs=("neck loads",), rate=RATE, parts=("head",), trace=trace)


CRITERIA = (_nij("none"), _nij("CFC600"), _peaks())
