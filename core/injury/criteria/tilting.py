"""Non-compensated acceleration of the carbody and what its tilting takes off (Viegas 2016, eq. 3.1)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ...base.errors import InputError
from ..grid import as_signal, as_time
from ..result import CriterionResult
from .base import Criterion, CriterionTrace, Output, Signals


@dataclass(frozen=True)
class TiltingEffect:
    """Peaks of both (m/s^2, sizes) with their times (s), r.m.s. values (m/s^2) over the ride, and what the
    tilting takes off them: 1 is all of it, 0 nothing, below 0 means that it adds to the load. Zero where there
    was no load."""

    peak_carbody: float
    time_carbody: float
    peak_rails: float
    time_rails: float
    rms_carbody: float
    rms_rails: float

    @property
    def off_peak(self) -> float:
        return _part_off(self.peak_carbody, self.peak_rails)

    @property
    def off_rms(self) -> float:
        return _part_off(self.rms_carbody, self.rms_rails)


def tilting_effect(time: ArrayLike, nca_carbody: ArrayLike, nca_rails: ArrayLike) -> TiltingEffect:
    """Compare the NCA that the riders feel with the one they would feel in the rail plane.

    time (n,) s; nca_carbody, nca_rails (n,) m/s^2, lateral specific force of the carbody in its own axes and in
    the rail plane (`core.base.specific_force`). Raises InputError when the shapes do not fit.
    Source: definition; Viegas 2016, section 3.2 for the purpose of tilting.
    """
    t = as_time(time)
    body, rails = as_signal(t, nca_carbody, "NCA of the carbody"), as_signal(t, nca_rails, "NCA of the rails")
    if body.ndim != 1 or rails.ndim != 1:
        raise InputError(f"An NCA has one column, found shapes {body.shape} and {rails.shape}.")
    k, m = int(np.argmax(np.abs(body))), int(np.argmax(np.abs(rails)))
    span = t[-1] - t[0]
    return TiltingEffect(
        peak_carbody=float(abs(body[k])),
        time_carbody=float(t[k]),
        peak_rails=float(abs(rails[m])),
        time_rails=float(t[m]),
        rms_carbody=float(np.sqrt(np.trapezoid(body**2, t) / span)),
        rms_rails=float(np.sqrt(np.trapezoid(rails**2, t) / span)),
    )


def _part_off(felt: float, without: float) -> float:
    return 1.0 - felt / without if without > 0.0 else 0.0


ABOUT = "carbody under the rider, gravity in, as computed"


def _output(ident: str, title: str, unit: str, definition: str) -> Output:
    return Output(
        f"tilting_{ident}",
        title,
        unit,
        group="track",
        definition=definition,
        applicability="a car on a track",
    )


CARBODY = _output(
    "nca", "largest NCA of the carbody", "m/s^2", "lateral specific force of the carbody, its size"
)
RAILS = _output(
    "nca_rails",
    "largest NCA of the rail plane",
    "m/s^2",
    "the same in the rail plane: what riders would feel if the carbody did not tilt",
)
OFF_PEAK = _output(
    "off_peak", "part of the NCA peak taken off by tilting", "%", "1 - peak carbody / peak rail plane"
)
OFF_RMS = _output(
    "off_rms", "part of the NCA taken off by tilting, r.m.s.", "%", "1 - r.m.s. carbody / rail plane"
)


def _evaluate(signals: Signals) -> Iterator[CriterionResult]:
    h = signals.history
    if h.nca is None or h.rail_nca is None:
        return
    found = tilting_effect(h.time, h.nca, h.rail_nca)
    at, under = (found.time_carbody, found.time_carbody), (found.time_rails, found.time_rails)
    yield CARBODY.result(signals, found.peak_carbody, at, note=ABOUT)
    yield RAILS.result(signals, found.peak_rails, under, note=ABOUT)
    note = "negative: tilting adds to the load" if found.off_peak < 0.0 else ABOUT
    yield OFF_PEAK.result(signals, 100.0 * found.off_peak, at, note=note)
    whole = (float(h.time[0]), float(h.time[-1]))
    note = "negative: tilting adds to the load" if found.off_rms < 0.0 else ABOUT
    yield OFF_RMS.result(signals, 100.0 * found.off_rms, whole, note=note)


def _trace(signals: Signals, result: CriterionResult) -> CriterionTrace | None:
    in_rails = result.criterion == RAILS.criterion
    values = signals.history.rail_nca if in_rails else signals.history.nca
    title = "NCA of the rail plane" if in_rails else "NCA of the carbody"
    return None if values is None else signals.trace(values, "m/s^2", title)


CRITERIA = (
    Criterion(
        (CARBODY, RAILS, OFF_PEAK, OFF_RMS),
        _evaluate,
        needs=("NCA of carbody and rail plane",),
        parts=("pelvis",),
        trace=_trace,
    ),
)
