"""Head injury criterion: the worst mean acceleration to the power 2.5 times its duration, over all windows.

The record is taken as linear between samples. In units of the sample step, with V the integral of a from the start,
H(t1, t2) = (V(t2) - V(t1))^2.5 (t2 - t1)^-1.5. On a record that is linear between samples its largest value is found
exactly, because it can only lie at one of four kinds of windows:

1. both ends on samples;
2. the longest window allowed, anywhere: V(t1 + W) - V(t1) is quadratic between breakpoints;
3. both ends inside, where a(t1) = a(t2) = 0.6 mean(a), a rising at t1 and falling at t2: with c = a(t1) = a(t2) the
   length is linear and the integral quadratic in c, so c solves 0.7 l1 c^2 + l0 c - 0.6 s0 = 0;
4. one end at an end of the record, the other where a = 0.6 mean(a).

Kinds 1 and 3 would cost n times the window. Jensen's inequality bounds every window by the integral of a^2.5 over it,
which is cheap to slide (the Gadd index); starts whose bound is below the best so far are skipped.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
from numba import njit
from numpy.typing import ArrayLike

from ...base.arrays import Array
from ...base.errors import InputError, LimitTableError
from ...base.frozen import Frozen
from ...base.text_table import significant
from ..filters import FilterName
from ..grid import as_signal, as_time, uniform_rate
from ..limits import Confidence, LimitTable, Positive, ScalarLimits, load_limits
from ..parts import part_note
from ..result import About, CriterionResult
from .base import Criterion, CriterionTrace, Output, Signals, titled

HicMethod = Literal["exact", "samples", "smooth"]

#: Starts examined together; one bound per block keeps the sort short.
BLOCK = 64
#: Steps of the ends within a sample step for method "smooth".
SMOOTH_FACTOR = 32


@dataclass(frozen=True)
class HicResult:
    """Head injury criterion of one record: value (s, a in g), window t1, t2 in s, longest window allowed in s."""

    value: float
    t1: float
    t2: float
    window: float
    method: HicMethod


def hic(
    time: ArrayLike, resultant: ArrayLike, window: float = 0.015, method: HicMethod = "exact"
) -> HicResult:
    """Head injury criterion over all windows up to a longest one.

    HIC = max over t1 < t2 <= t1 + window of (t2 - t1) [1/(t2 - t1) integral of a from t1 to t2]^2.5.

    time (n,) s, uniform; resultant (n,) g, not negative; window s (0.015 for HIC15, 0.036 for HIC36).
    method "exact": ends anywhere on the record taken as linear between samples (default); "samples": ends on
    samples only, as most crash-test programs do; "smooth": the exact window is improved with a monotone cubic
    between samples, ends moved by up to two steps, which removes the O(step^2) error that the trapezoid makes on
    smooth pulses.
    Raises InputError for a grid that is not uniform, a negative resultant, or a window shorter than one step.
    Source: Viegas 2016, eq. 4.1; optimum and pruning derived in the head of this module.
    """
    if method not in get_args(HicMethod):
        raise InputError(f"Unknown HIC method {method!r}; allowed are {', '.join(get_args(HicMethod))}.")
    t = as_time(time)
    a = as_signal(t, resultant, "resultant acceleration")
    step = 1.0 / uniform_rate(t)
    _check(t, a, step, window)
    value, u1, u2 = _search(a, window / step, method != "samples")
    value, t1, t2 = value * step, t[0] + u1 * step, t[0] + u2 * step
    if method == "smooth":
        value, t1, t2 = _smooth(t, a, window, t1, t2)
    return HicResult(float(value), float(t1), float(t2), float(window), method)


def _check(t: Array, a: Array, step: float, window: float) -> None:
    if a.ndim != 1:
        raise InputError(
            f"HIC needs one column, the resultant of the head acceleration; found shape {a.shape}."
        )
    if (a < 0.0).any():
        k = int(np.argmax(a < 0.0))
        raise InputError(
            "HIC needs the resultant acceleration, which cannot be negative; "
            f"sample {k + 1} (t = {t[k]:.9g} s) is {a[k]:.6g} g."
        )
    if not (np.isfinite(window) and window >= step * (1.0 - 1e-9)):
        raise InputError(f"The HIC window ({window} s) must be at least one sample step ({step:.6g} s).")


def _search(a: Array, width: float, free_ends: bool) -> tuple[float, float, float]:
    """Best window in units of the step: (value / step, start, end). width is the longest window in steps."""
    n = a.size
    if abs(width - round(width)) < 1e-7 * width:
        width = float(round(width))
    width = min(width, float(n - 1))
    V = np.concatenate([[0.0], np.cumsum(0.5 * (a[1:] + a[:-1]))])
    power = a**2.5
    P = np.concatenate([[0.0], np.cumsum(0.5 * (power[1:] + power[:-1]))])
    # A window that starts in [i, i + 1] ends before i + 1 + width. The trapezoid of the convex a^2.5 is an upper bound.
    reach = np.minimum(np.arange(n) + 1 + int(np.ceil(width)), n - 1)
    bound = P[reach] - P + 8.0 * np.finfo(np.float64).eps * P[-1]
    blocks = np.maximum.reduceat(bound, np.arange(0, n, BLOCK))
    order = np.argsort(-blocks, kind="stable")
    best = np.zeros(3)
    best[2] = 1.0
    if free_ends:
        _longest_windows(a, V, width, best)
        _end_windows(a, V, width, False, best)
        _end_windows(a[::-1].copy(), V[-1] - V[::-1], width, True, best)
    _pruned_pairs(a, V, width, free_ends, order, blocks, BLOCK, best)
    return float(best[0]), float(best[1]), float(best[2])


def _smooth(t: Array, a: Array, window: float, t1: float, t2: float) -> tuple[float, float, float]:
    """Best window of the monotone cubic with ends within two steps of a window found before.

    The value is flat at its optimum, so a grid of ends of step / SMOOTH_FACTOR is enough; windows of exactly the
    longest length, where it is not flat, are tried beside the grid.
    """
    step = float(t[-1] - t[0]) / (t.size - 1)
    lo = max(0, int(np.searchsorted(t, t1)) - 6)
    hi = min(t.size, int(np.searchsorted(t, t2)) + 6)
    from scipy.interpolate import PchipInterpolator  # not needed to show the window

    integral = PchipInterpolator(t[lo:hi], a[lo:hi]).antiderivative()
    offsets = step / SMOOTH_FACTOR * np.arange(-2 * SMOOTH_FACTOR, 2 * SMOOTH_FACTOR + 1)
    begin, finish = np.meshgrid(
        np.clip(t1 + offsets, t[lo], t[hi - 1]), np.clip(t2 + offsets, t[lo], t[hi - 1])
    )
    longest = np.clip(t1 + offsets, t[lo], max(t[lo], t[hi - 1] - window))
    begin = np.concatenate([begin.ravel(), longest])
    finish = np.concatenate([finish.ravel(), np.minimum(longest + window, t[hi - 1])])
    length = finish - begin
    allowed = (length > 0.25 * step) & (length <= window * (1.0 + 1e-12))
    begin, finish, length = begin[allowed], finish[allowed], length[allowed]
    values = np.maximum(integral(finish) - integral(begin), 0.0) ** 2.5 / length**1.5
    k = int(np.argmax(values))
    return float(values[k]), float(begin[k]), float(finish[k])


@njit(cache=True, nogil=True)
def _integral(a, V, u):  # type: ignore[no-untyped-def]
    """Integral of the record from its start to u (steps)."""
    k = min(int(u), a.size - 2)
    f = u - k
    return V[k] + f * (a[k] + 0.5 * f * (a[k + 1] - a[k]))


@njit(cache=True, nogil=True)
def _offer(a, V, u1, u2, best):  # type: ignore[no-untyped-def]
    """Take the window (u1, u2) when it beats the best so far."""
    length = u2 - u1
    s = _integral(a, V, u2) - _integral(a, V, u1)
    if length > 0.0 and s > 0.0:
        value = s * s * np.sqrt(s) / (length * np.sqrt(length))
        if value > best[0]:
            best[0] = value
            best[1] = u1
            best[2] = u2
            return True
    return False


@njit(cache=True, nogil=True)
def _longest_windows(a, V, width, best):  # type: ignore[no-untyped-def]
    """Kind 2: all windows of exactly the longest length (steps)."""
    last = a.size - 1
    whole = int(width)
    part = width - whole
    for i in range(last - whole + 1):
        # Between two samples the end of the window passes at most one sample, at the fraction 1 - part.
        for piece in range(2):
            u = 0.0 if piece == 0 else 1.0 - part
            stop = min(1.0 - part if piece == 0 else 1.0, last - width - i)
            j = i + whole + piece
            if stop < u:
                continue
            _offer(a, V, i + u, i + u + width, best)
            if j + 1 > last or i + 1 > last:
                continue
            gap = a[j] + (i + u + width - j) * (a[j + 1] - a[j]) - a[i] - u * (a[i + 1] - a[i])
            fall = (a[j + 1] - a[j]) - (a[i + 1] - a[i])
            if fall < 0.0 and u < u - gap / fall < stop:
                _offer(a, V, i + u - gap / fall, i + u - gap / fall + width, best)
    _offer(a, V, last - width, float(last), best)


@njit(cache=True, nogil=True)
def _end_windows(a, V, width, mirrored, best):  # type: ignore[no-untyped-def]
    """Kind 4: windows from the first sample to where a = 0.6 mean; mirrored for those ending at the last sample."""
    last = a.size - 1
    local = best.copy()
    for j in range(min(last, int(np.ceil(width)))):
        slope = a[j + 1] - a[j]
        if slope >= 0.0:
            continue
        # (a_j + slope f)(j + f) = 0.6 (V_j + a_j f + slope f^2 / 2)
        qa = 0.7 * slope
        qb = 0.4 * a[j] + slope * j
        qc = a[j] * j - 0.6 * V[j]
        disc = qb * qb - 4.0 * qa * qc
        if disc < 0.0:
            continue
        for sign in (-1.0, 1.0):
            f = (-qb + sign * np.sqrt(disc)) / (2.0 * qa)
            if 0.0 <= f <= 1.0 and j + f <= width and _offer(a, V, 0.0, j + f, local):
                best[0] = local[0]
                best[1] = last - local[2] if mirrored else local[1]
                best[2] = last - local[1] if mirrored else local[2]


@njit(cache=True, nogil=True)
def _inside(a, V, i, j, width, best):  # type: ignore[no-untyped-def]
    """Kind 3: the window with a(t1) = a(t2) = 0.6 mean, t1 in the rising step i, t2 in the falling step j."""
    rise = a[i + 1] - a[i]
    fall = a[j + 1] - a[j]
    low = max(a[i], a[j + 1])
    high = min(a[i + 1], a[j])
    l1 = 1.0 / fall - 1.0 / rise
    l0 = (j - i) + a[i] / rise - a[j] / fall
    s0 = V[j] - V[i] + 0.5 * (a[i] * a[i] / rise - a[j] * a[j] / fall)
    disc = l0 * l0 + 1.68 * l1 * s0
    improved = False
    if disc >= 0.0:
        for sign in (-1.0, 1.0):
            c = (-l0 + sign * np.sqrt(disc)) / (1.4 * l1)
            # The search is exact, so a hair of rounding at the borders of the steps is let through and clamped.
            if low - 1e-12 * high <= c <= high * (1.0 + 1e-12):
                u1 = i + min(max((c - a[i]) / rise, 0.0), 1.0)
                u2 = j + min(max((c - a[j]) / fall, 0.0), 1.0)
                if u2 - u1 <= width and _offer(a, V, u1, u2, best):
                    improved = True
    return improved


@njit(cache=True, nogil=True)
def _pruned_pairs(a, V, width, free_ends, order, blocks, block, best):  # type: ignore[no-untyped-def]
    """Kinds 1 and 3, starts in blocks of falling bound, until no block can beat the best."""
    n = a.size
    longest = int(width)
    reach = int(np.ceil(width))
    # A window of length k beats the best when its integral exceeds best^0.4 k^0.6.
    scale = np.arange(reach + 1) ** 0.6
    root = best[0] ** 0.4
    for b in order:
        if blocks[b] <= best[0]:
            break
        for i in range(b * block, min((b + 1) * block, n - 1)):
            for k in range(1, min(longest, n - 1 - i) + 1):
                if V[i + k] - V[i] > root * scale[k] and _offer(a, V, float(i), float(i + k), best):
                    root = best[0] ** 0.4
            if not free_ends or a[i + 1] <= a[i]:
                continue
            for j in range(i + 1, min(i + reach, n - 2) + 1):
                if (
                    a[j + 1] < a[j]
                    and V[j + 1] - V[i] > root * scale[j - i - 1]
                    and max(a[i], a[j + 1]) <= min(a[i + 1], a[j])
                    and _inside(a, V, i, j, width, best)
                ):
                    root = best[0] ** 0.4


class RiskCurve(Frozen):
    """Probability of an injury of at least one severity.

    form "expanded_prasad_mertz": 1 / (1 + exp(c1 + 200 / HIC36 - c2 HIC36)); "lognormal": Phi((ln HIC15 - c1) / c2).
    window: the HIC it is for, in ms.
    """

    id: str
    severity: str
    form: Literal["expanded_prasad_mertz", "lognormal"]
    window: Literal[15, 36]
    c1: float
    c2: Positive
    confidence: Confidence

    def probability(self, hic: ArrayLike) -> Array:
        """Probability in 0..1 at values of the head injury criterion; 0 at HIC 0. Shape of hic."""
        value = np.asarray(hic, dtype=np.float64)
        if (value < 0.0).any():
            raise InputError(f"A head injury criterion cannot be negative, found {float(value.min()):.6g}.")
        known = np.maximum(value, 1e-12)
        if self.form == "lognormal":
            from scipy.special import ndtr  # not needed to show the window

            return np.asarray(ndtr((np.log(known) - self.c1) / self.c2))
        return np.asarray(1.0 / (1.0 + np.exp(np.minimum(self.c1 + 200.0 / known - self.c2 * known, 700.0))))


class HicRisk(LimitTable):
    """resources/limits/hic_risk.json."""

    curves: tuple[RiskCurve, ...]

    def curve(self, curve_id: str) -> RiskCurve:
        """The curve of that id; InputError naming those there are."""
        for curve in self.curves:
            if curve.id == curve_id:
                return curve
        raise LimitTableError(
            f"'{self.title}' has no curve {curve_id!r}; it has {', '.join(c.id for c in self.curves)}."
        )


APPLICABILITY = "head, 50th percentile man; made for blows of the head"
#: The curves of resources/limits/hic_risk.json, by window in ms.
SEVERITIES = {15: ("ais2", "ais3"), 36: ("ais1", "ais2", "ais3", "ais4", "ais5", "fatal")}
FORMS = {"expanded_prasad_mertz": "expanded Prasad-Mertz", "lognormal": "NHTSA lognormal"}


def _criterion(milliseconds: int, filter_name: FilterName) -> Criterion:
    suffix = "" if filter_name == "none" else f"_{filter_name.lower()}"
    title = f"HIC{milliseconds}" + ("" if filter_name == "none" else f", {filter_name}")
    output = Output(
        f"hic{milliseconds}{suffix}",
        title,
        "1",
        filter_name,
        group="head",
        definition=f"largest (t2 - t1) (mean resultant in g)^2.5 over windows up to {milliseconds} ms",
        applicability=APPLICABILITY,
        about=About() if suffix else About(mark="window", name=f"{title} window"),
    )
    # One filter is enough for the risks; most records are too slow for CFC1000.
    risks = _risks(milliseconds) if filter_name == "none" else ()

    def evaluate(signals: Signals) -> Iterator[CriterionResult]:
        limit = load_limits("hic_3ms", ScalarLimits).get(f"hic{milliseconds}")
        found = hic(signals.history.time, signals.resultant(filter_name), milliseconds / 1000.0)
        window = (found.t1, found.t2)
        over = (window,) if found.value > limit.value else ()
        whose = part_note("head", signals.history.body)
        yield output.result(signals, found.value, window, limit, whose, exceeded=over)
        if not risks:
            return
        table = load_limits("hic_risk", HicRisk)
        for severity, risk in risks:
            curve = table.curve(f"hic{milliseconds}_{severity}")
            note = f"{FORMS[curve.form]}, HIC{milliseconds} {significant(found.value)}; confidence {curve.confidence}"
            yield risk.result(
                signals,
                100.0 * float(curve.probability(found.value)),
                window,
                note="; ".join(filter(None, (note, whose))),
                rule=table.title,
            )

    def trace(signals: Signals, result: CriterionResult) -> CriterionTrace:
        return signals.trace(signals.resultant(filter_name), "g", titled("resultant", filter_name))

    return Criterion(
        (output, *(risk for _, risk in risks)),
        evaluate,
        rate=1000.0 / milliseconds,
        parts=("head",),
        trace=trace,
    )


def _risks(milliseconds: int) -> tuple[tuple[str, Output], ...]:
    """Severities that have a curve for a HIC, with what they give."""
    found = []
    for severity in SEVERITIES[milliseconds]:
        what = "a fatal injury" if severity == "fatal" else f"an injury {severity.upper()}+"
        output = Output(
            f"hic{milliseconds}_{severity}_risk",
            f"probability of {what} from HIC{milliseconds}",
            "%",
            group="head",
            definition="probability of an injury of at least this severity on the abbreviated injury scale",
            applicability="adult men, blows of the head",
        )
        found.append((severity, output))
    return tuple(found)


FILTERS: tuple[FilterName, ...] = ("none", "CFC1000")
CRITERIA = tuple(_criterion(ms, name) for name in FILTERS for ms in (15, 36))
