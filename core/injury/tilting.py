"""How much of the lateral load the tilting of the carbody takes off: NCA of carbody and rail plane."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ..base.errors import InputError
from .grid import as_signal, as_time


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
    the rail plane (`core.injury.nca`). Raises InputError when the shapes do not fit.
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
