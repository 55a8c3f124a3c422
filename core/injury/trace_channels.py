"""The signals behind criteria of rotation, neck, spine, vibration and tilting."""

from __future__ import annotations

import numpy as np

from ..base.arrays import Array
from .brain_rotation import DamageTable, damage
from .criteria.neck import PEAKS
from .criteria.vibration import AXIS_WEIGHTINGS
from .filters import FilterName
from .history import G
from .limits import load_limits
from .neck import NeckTable, nij
from .registry import Signals
from .result import CriterionResult
from .spine import SpineModel, dri
from .vibration import VibrationTable, WeightingName, weighted

#: Values (n,), unit, title, and the limit where it is one level of the signal.
Behind = tuple[Array, str, str, float | None]
OF_ROTATION = ("peak_rotation", "bric", "damage", "hip", "gambit", "ric")


def behind_channels(signals: Signals, result: CriterionResult) -> Behind | None:
    """The signal behind a result that is no acceleration in g; None for all others or where the record lacks it."""
    criterion = result.criterion.removesuffix("_risk")
    if criterion.startswith(("nij", "neck_")):
        return _neck(signals, result, criterion)
    if criterion.startswith(OF_ROTATION):
        return _rotation(signals, criterion, result.limit)
    if criterion == "dri":
        model = load_limits("dri", SpineModel)
        z = np.ascontiguousarray(signals.history.acceleration[:, 2])
        return (
            dri(signals.history.time, z, model).response,
            "1",
            "response of the spine's spring",
            result.limit,
        )
    if criterion.startswith("iso2631_"):
        return _vibration(signals, criterion)
    if criterion.startswith("tilting_"):
        in_rails = criterion == "tilting_nca_rails"
        values = signals.history.rail_nca if in_rails else signals.history.nca
        title = "NCA of the rail plane" if in_rails else "NCA of the carbody"
        return None if values is None else (values, "m/s^2", title, None)
    return None


def _neck(signals: Signals, result: CriterionResult, criterion: str) -> Behind | None:
    h = signals.history
    if h.neck_force is None or h.neck_moment is None:
        return None
    if criterion.startswith("nij"):
        name: FilterName = "CFC600" if criterion.endswith("cfc600") else "none"
        dummy = load_limits("neck_nij", NeckTable).dummy(signals.options.neck)
        force, moment = (h.filtered(x, name) for x in (h.neck_force, h.neck_moment))
        limit = None if result.criterion.endswith("_risk") else result.limit
        return nij(h.time, force, moment, dummy).history, "1", "Nij", limit
    for ident, title, column, sign, unit in PEAKS:
        if criterion == f"neck_{ident}":
            values = (h.neck_force if unit == "N" else h.neck_moment)[:, column]
            shown = sign * values if sign else np.abs(values)
            return np.ascontiguousarray(shown), unit, f"neck {title}", result.limit
    return None


def _rotation(signals: Signals, criterion: str, limit: float | None) -> Behind | None:
    h = signals.history
    if h.rotation_rate is None:
        return None
    rate = h.filtered(h.rotation_rate, "CFC60")
    if criterion.startswith(("peak_rotation_rate", "bric")):
        return np.asarray(np.linalg.norm(rate, axis=1)), "rad/s", "rotation rate, CFC60", None
    turning = h.rotation_acceleration
    if turning is None:
        alpha = np.asarray(np.gradient(rate, h.time, axis=0), dtype=np.float64)
    else:
        alpha = h.filtered(turning, "CFC60")
    if criterion == "damage":
        strain = damage(h.time, alpha, load_limits("damage", DamageTable))[2]
        return strain, "1", "deflection of the brain model", limit
    return np.asarray(np.linalg.norm(alpha, axis=1)), "rad/s^2", "rotation acceleration, CFC60", None


def _vibration(signals: Signals, criterion: str) -> Behind:
    h = signals.history
    weightings = load_limits("iso2631", VibrationTable).weightings

    def along(axis: int, name: WeightingName) -> Array:
        return weighted(h.time, G * h.acceleration[:, axis], weightings[name])

    if criterion == "iso2631_msdv":
        return along(2, "Wf"), "m/s^2", "vertical acceleration, Wf", None
    for axis, (letter, name) in enumerate(zip("xyz", AXIS_WEIGHTINGS, strict=True)):
        if criterion == f"iso2631_aw{letter}":
            return along(axis, name), "m/s^2", f"acceleration along {letter}, {name}", None
    every = np.column_stack([along(axis, name) for axis, name in enumerate(AXIS_WEIGHTINGS)])
    return np.asarray(np.linalg.norm(every, axis=1)), "m/s^2", "weighted acceleration, all axes", None
