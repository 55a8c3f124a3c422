"""Non-compensated acceleration of the carbody and what its tilting takes off (Viegas 2016, eq. 3.1)."""

from __future__ import annotations

from collections.abc import Iterator

from ..registry import Criterion, Output, Signals
from ..result import CriterionResult
from ..tilting import tilting_effect

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


CRITERIA = (
    Criterion((CARBODY, RAILS, OFF_PEAK, OFF_RMS), _evaluate, needs=("NCA of carbody and rail plane",)),
)
