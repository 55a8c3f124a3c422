"""Dynamic response index: how far a spring in place of the spine is pressed together by an acceleration headward."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ..base.arrays import Array
from .limits import LimitTable, Positive
from .oscillator import oscillator_response, peak_between_samples


class SpineModel(LimitTable):
    """resources/limits/dri.json: natural frequency (rad/s) and damping ratio of the model, and the index (1) at which
    so many per cent of spines are injured."""

    natural_frequency: Positive
    damping_ratio: Positive
    risk: dict[str, Positive]


@dataclass(frozen=True)
class DriResult:
    """Dynamic response index: value (1), time s of it, and the response (n,) in g over time."""

    value: float
    time: float
    response: Array


def dri(time: ArrayLike, acceleration_z: ArrayLike, model: SpineModel) -> DriResult:
    """Dynamic response index of an acceleration headward.

    x'' + 2 zeta omega x' + omega^2 x = a(t), DRI = omega^2 max x / g.

    time (n,) s, uniform; acceleration_z (n,) g at the seat, headward positive, gravity in: a body at rest has 1. The
    spring starts at rest under the first value; between samples the record is taken as straight and the peak as a
    parabola.
    Raises InputError for an uneven grid. Source: Payne 1965; Brinkley & Shaffer 1971 as transcribed.
    """
    omega = model.natural_frequency
    a = np.asarray(acceleration_z, dtype=np.float64)
    x = oscillator_response(time, a, omega**2, 2.0 * model.damping_ratio * omega, steady_start=True)
    response = omega**2 * x
    k, value = peak_between_samples(response)
    return DriResult(value, float(np.asarray(time)[k]), response)
