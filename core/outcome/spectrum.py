"""Amplitude spectra of signals of a run: vibration of couplers, bodies and joints by frequency.

Signals by name: any channel; body/<name>/acceleration, velocity, angular_velocity or angular_acceleration (world axes,
rates in body axes); joint/<name>/force or moment and guide/<name>/force (multipliers as forces, world axes);
element/<name>/force or length.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..base.arrays import Array
from ..base.errors import InputError
from ..results.results import Results

MIN_SAMPLES = 16  # samples
MAX_SAMPLES = 1 << 20  # samples
MOTIONS = {
    "velocity": "m/s", "acceleration": "m/s^2", "angular_velocity": "rad/s", "angular_acceleration": "rad/s^2"
}  # fmt: skip


@dataclass(frozen=True)
class Spectrum:
    """frequency (m,) Hz and amplitude (m,) in the unit of the signal: a sine of amplitude a shows as a. step: of the
    samples it was taken from (s)."""

    frequency: Array
    amplitude: Array
    step: float


@dataclass(frozen=True)
class Peak:
    """A peak of a spectrum: frequency (Hz), between the lines of the spectrum, and amplitude."""

    frequency: float
    amplitude: float


def signal_of(results: Results, name: str) -> tuple[Array, Array, str]:
    """Times (n,) s, values (n, k) and unit of a signal; InputError when the run has none of that name."""
    channel = results.channels.get(name)
    if channel is not None:
        return results.sample_time, channel.values.reshape(len(channel.values), -1), channel.unit
    kind, _, rest = name.partition("/")
    inner, _, what = rest.rpartition("/")
    states, names = results.states, results.names
    if kind == "body" and inner in names.bodies and what in MOTIONS:
        return states.time, getattr(states, what)[:, names.bodies.index(inner)], MOTIONS[what]
    if kind == "element" and inner in names.springs and what in ("force", "length"):
        column = names.springs.index(inner)
        values = states.spring_force if what == "force" else states.spring_length
        return states.time, values[:, column, None], "N or N m" if what == "force" else "m or rad"
    listed = {"joint": names.joints, "guide": names.guides}.get(kind, ())
    if inner in listed and what in ("force", "moment"):
        row = listed.index(inner) + (len(names.joints) if kind == "guide" else 0)
        first, unit = (0, "N") if what == "force" else (3, "N m")
        return states.time, states.reactions[:, row, first : first + 3], unit
    raise InputError(
        f"the run has no signal '{name}'; name a channel of `ridewright info`, body/<name>/acceleration,"
        " joint/<name>/force or element/<name>/force."
    )


def spectrum(
    time: Array, values: Array, start: float | None = None, end: float | None = None, *, window: bool = True
) -> Spectrum:
    """Amplitude spectrum of values (n,) at times (n,) s from start to end (s), the mean left out.

    window: by a Hann window, for vibration that goes on; without, for what decays after a blow at the start, whose
    lines are then as high as their mean over the stretch.

    Uneven instants are read straight between them at even ones, as many as there are; their own even steps stay as they
    are. Raises InputError for fewer than 16 samples.
    """
    inside = (time >= (-np.inf if start is None else start)) & (time <= (np.inf if end is None else end))
    t, x = time[inside], values[inside]
    if len(t) < MIN_SAMPLES:
        raise InputError(
            f"a spectrum needs at least {MIN_SAMPLES} samples, and there are {len(t)} in this stretch."
        )
    count = min(len(t), MAX_SAMPLES)
    even = np.linspace(t[0], t[-1], count)
    step = float(even[1] - even[0])
    if count < len(t) or np.abs(np.diff(t) - step).max() > 1e-6 * step:
        x = np.interp(even, t, x)
    weights = np.hanning(count) if window else np.ones(count)
    amplitude = 2.0 * np.abs(np.fft.rfft((x - x.mean()) * weights)) / weights.sum()
    lines = np.arange(len(amplitude)) / (count * step)
    return Spectrum(lines, np.asarray(amplitude, dtype=np.float64), step)


def peaks(found: Spectrum, count: int = 8) -> tuple[Peak, ...]:
    """The largest peaks, largest first; between lines by a parabola through the logarithms of three."""
    a = np.maximum(found.amplitude, 1e-300)
    inner = np.flatnonzero((a[1:-1] >= a[:-2]) & (a[1:-1] > a[2:])) + 1
    made = []
    width = float(found.frequency[1])
    for k in inner[np.argsort(-a[inner])][:count]:
        low, middle, high = np.log(a[k - 1 : k + 2])
        bend = low - 2.0 * middle + high
        shift = 0.5 * (low - high) / bend if bend < 0.0 else 0.0
        top = float(np.exp(middle - 0.25 * (low - high) * shift))
        made.append(Peak(float(found.frequency[k] + shift * width), top))
    return tuple(made)
