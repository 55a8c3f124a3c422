"""Power and work of the devices of a track from the stored motion of a run."""

from __future__ import annotations

import numpy as np

from ..base.arrays import Array
from ..multibody.arrays import DC, ints
from ..multibody.compile import System


def device_power(system: System, path_speed: Array, force: Array) -> Array:
    """Power (n,) W of the track's devices from the path speeds (n, ng) m/s and their forces (n, cars) N."""
    guides = [range(first, end) for first, end in ints(system.arrays, DC)[:, 2:4]]
    each = [force[:, k] * path_speed[:, own].mean(axis=1) for k, own in enumerate(guides)]
    return np.sum(each, axis=0) if each else np.zeros(len(path_speed))


def device_work(time: Array, power: Array) -> Array:
    """Running integral (n,) J of the power of devices, which rises and falls steeply between even stretches: by a cubic
    that stays between its values (Fritsch & Carlson 1980)."""
    if not np.any(power):
        return np.zeros(len(time))
    from scipy.interpolate import PchipInterpolator  # slow to load, rarely needed

    return np.asarray(PchipInterpolator(time, power).antiderivative()(time))
