"""An acceleration history: what an accelerometer on one body felt during one ride."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from ..base.arrays import Array
from ..base.errors import InputError
from .filters import FilterName, apply_filter
from .grid import as_signal, resample_uniform, sealed, sealed_time, uniform_rate

#: m/s^2 per g wherever a record in g is turned into SI, as gravity in a new project.
G = 9.81

#: No ride, impact or track comes near this in any of the units here; larger numbers only overflow later.
LARGEST = 1e9

#: An uneven record is as fast as this part of its steps: a few gaps do not make it slow, a slow half does.
MAX_STEPS = 0.95

#: Columns of every channel beside the acceleration; None is a single column without a second axis.
WIDTHS: dict[str, int | None] = {
    "rotation_rate": 3,
    "arc_length": None,
    "rotation_acceleration": 3,
    "neck_force": 3,
    "neck_moment": 3,
    "nca": None,
    "rail_nca": None,
}


@dataclass(frozen=True, eq=False)
class History:
    """Acceleration of one point of one body over time, on a uniform grid.

    time (n,) s, uniform; acceleration (n, 3) g in rider axes (Gx, Gy, Gz) as an accelerometer feels it; body the
    name of the body or location; rotation_rate (n, 3) rad/s in the same axes, or None; arc_length (n,) m along the
    track, or None; contains_gravity False when gravity was taken out; notes say what was done to the data on the
    way in; recorded_rate Hz at which it was sampled, where a grid in between was made afterwards, else None.
    The rest may be None: rotation_acceleration (n, 3) rad/s^2 in rider axes; neck_force (n, 3) N and neck_moment
    (n, 3) N m, what the neck puts on the head at the upper neck joint, in the signs of SAE J211/J1733 (x forward,
    y right, z down: Fz positive in tension, My positive in flexion); nca and rail_nca (n,) m/s^2, lateral specific
    force of the carbody in its own axes and in the rail plane below it, positive to the left.
    Raises InputError for wrong shapes, values that are not finite, or a grid that is not uniform (use
    `History.resampled`).
    """

    time: Array
    acceleration: Array
    body: str = "head"
    rotation_rate: Array | None = None
    arc_length: Array | None = None
    contains_gravity: bool = True
    notes: tuple[str, ...] = ()
    rotation_acceleration: Array | None = None
    neck_force: Array | None = None
    neck_moment: Array | None = None
    nca: Array | None = None
    rail_nca: Array | None = None
    recorded_rate: float | None = None

    def __post_init__(self) -> None:
        t = sealed_time(self.time)
        uniform_rate(t)
        object.__setattr__(self, "time", t)
        for name, width in (("acceleration", 3), *WIDTHS.items()):
            given = getattr(self, name)
            if given is None:
                continue
            x = as_signal(t, given, name.replace("_", " "))
            if (x.ndim, x.shape[-1]) != (2, 3) if width else x.ndim != 1:
                raise InputError(
                    f"The {name.replace('_', ' ')} must have {width or 1} column(s), found shape {x.shape}."
                )
            if (np.abs(x) > LARGEST).any():
                raise InputError(
                    f"The {name.replace('_', ' ')} holds numbers above {LARGEST:g}; check it and its unit."
                )
            object.__setattr__(self, name, sealed(x, given))

    @classmethod
    def resampled(
        cls,
        time: ArrayLike,
        acceleration: ArrayLike,
        *,
        rate: float | None = None,
        body: str = "head",
        contains_gravity: bool = True,
        notes: tuple[str, ...] = (),
        **channels: ArrayLike | None,
    ) -> History:
        """History from an uneven grid, by linear interpolation onto an even one.

        Arguments as the fields, `channels` the optional ones (rotation_rate=..., neck_force=...); rate in Hz, by
        default one over the median step. A note says what was done.
        Raises InputError as `resample_uniform`, and for a channel that does not exist.
        """
        unknown = sorted(set(channels) - set(WIDTHS))
        if unknown:
            raise InputError(f"A history has no channel {unknown[0]!r}; there are {', '.join(WIDTHS)}.")
        t, a = resample_uniform(time, acceleration, rate)
        even: dict[str, Array] = {
            name: resample_uniform(time, values, rate)[1]
            for name, values in channels.items()
            if values is not None
        }
        gap = np.diff(np.asarray(time, dtype=np.float64))
        k = int(np.argmax(gap))
        note = (
            f"Resampled linearly from {gap.size + 1} uneven samples to {t.size} at {uniform_rate(t):.6g} Hz; "
            f"the longest gap was {gap[k]:.6g} s at t = {float(np.asarray(time)[k]):.6g} s."
        )
        own = 1.0 / float(np.quantile(gap, MAX_STEPS, method="lower"))
        return cls(
            t,
            a,
            body,
            contains_gravity=contains_gravity,
            notes=(*notes, note),
            recorded_rate=min(own, uniform_rate(t)),
            **even,
        )

    @cached_property
    def sample_rate(self) -> float:
        """Samples per second, Hz."""
        return uniform_rate(self.time)

    @property
    def own_rate(self) -> float:
        """Samples per second that something was measured at, Hz: values laid in between say nothing new."""
        return self.sample_rate if self.recorded_rate is None else min(self.recorded_rate, self.sample_rate)

    def filtered(self, values: Array, name: FilterName) -> Array:
        """A channel (n,) or (n, m) of this record through a filter (`core.injury.filters.apply_filter`).

        Raises InputError as the filter does, by the rate of the record itself and not of a finer grid made from it.
        """
        return apply_filter(self.time, values, name, self.own_rate)

    @property
    def duration(self) -> float:
        """Length of the record, s."""
        return float(self.time[-1] - self.time[0])

    @property
    def resultant(self) -> Array:
        """Length of the acceleration, (n,) g."""
        return np.asarray(np.linalg.norm(self.acceleration, axis=1), dtype=np.float64)

    def arc_length_at(self, start: float, end: float) -> float | None:
        """Arc length in m at the middle of a time interval in s; None when the history has no arc length."""
        if self.arc_length is None:
            return None
        moment = 0.5 * (start + end)
        # plain numbers: every result asks for its place
        k = min(max(int(self.time.searchsorted(moment, side="right")), 1), self.time.size - 1)
        t0, t1 = float(self.time[k - 1]), float(self.time[k])
        s0, s1 = float(self.arc_length[k - 1]), float(self.arc_length[k])
        return float(s0 + (s1 - s0) * min(max((moment - t0) / (t1 - t0), 0.0), 1.0))
