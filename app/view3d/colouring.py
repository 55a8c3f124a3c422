"""Quantities along the track as colours: from its geometry, from a run, or from the point ride."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from ...core.base.arrays import Array
from ...core.base.errors import InputError
from ...core.outcome.free_riders import felt_airtime, free_riders
from ...core.pointmass.columns import LONGEST_GAP, in_track_order
from ...core.pointmass.result import PointRide
from ...core.results.results import Results
from ...core.track.build import BuiltTrack
from ..widgets import theme
from ..widgets.theme import MAGNITUDE_MAP, SIGNED_MAP


@dataclass(frozen=True)
class Quantity:
    """Something the track can be coloured by: key, name, SI unit, whether it has a sign, what it needs.

    least: the end of the scale is no smaller, so that a gentle ride is pale and not as red as a hard one.
    """

    key: str
    name: str
    unit: str
    signed: bool
    source: Literal["none", "track", "run"]
    about: str
    least: float = 1e-6


QUANTITIES: Final = (
    Quantity("plain", "Plain track", "", False, "none", "The track in its own colour"),
    Quantity("speed", "Speed", "m/s", False, "run", "Speed of the first car in the run shown"),
    Quantity(
        "gz",
        "Gz, vertical load",
        "g",
        True,
        "run",
        "Load of the first rider's chest along the spine, 5 Hz filter",
        3.0,
    ),
    Quantity(
        "gy",
        "Gy, lateral load",
        "g",
        True,
        "run",
        "Load of the first rider's chest to the left, 5 Hz filter",
        1.0,
    ),
    Quantity(
        "gx",
        "Gx, load forward",
        "g",
        True,
        "run",
        "Load of the first rider's chest forward, 5 Hz filter",
        1.0,
    ),
    Quantity(
        "nca",
        "Non-compensated acceleration",
        "m/s^2",
        True,
        "run",
        "Lateral acceleration in the carbody, 5 Hz filter",
    ),
    Quantity(
        "airtime",
        "Airtime as felt",
        "mm",
        False,
        "run",
        "Gap to the seat pan of riders who sit freely, while nothing touches it; the widest of all",
        0.005,
    ),
    Quantity(
        "margin",
        "Margin to the limits",
        "%",
        False,
        "run",
        "What is left of the acceleration limits the project is judged by, least of all riders' pelvises:"
        " red outside, amber within 10 %, blue more",
    ),
    Quantity("curvature", "Curvature", "1/m", False, "track", "One over the radius of the centreline"),
    Quantity(
        "cant_rate",
        "Cant rate",
        "rad/m",
        True,
        "track",
        "Turn of the track about its own direction per metre",
    ),
)
BY_KEY: Final = {q.key: q for q in QUANTITIES}
LOADS: Final = {"gx": 0, "gy": 1, "gz": 2}
ON_RIDE: Final = ("speed", *LOADS)  # what the point ride knows as well
DIMMED = 0.32  # part that white loses on light ground
#: Arc length (n,) m of a rider's car and what is left of the limits there, (n,) as a part of them.
Margins = tuple[tuple[Array, Array], ...]


@dataclass(frozen=True)
class Scale:
    """The legend of a colouring: its quantity, values at the ends (SI), its colours (256, 3), values to be named."""

    quantity: Quantity
    low: float
    high: float
    colours: NDArray[np.uint8]
    named: tuple[float, ...]


@cache
def colour_map(signed: bool, light: bool = False) -> NDArray[np.uint8]:
    """256 colours: a uniform map for magnitudes, a diverging one for signed values.

    light: the ground is light; what is nearly white becomes grey, or the track would not be seen.
    """
    name = SIGNED_MAP if signed else MAGNITUDE_MAP
    text = (resources.files("ridewright.resources") / "colours" / f"{name}.csv").read_text(encoding="utf-8")
    steps = np.loadtxt(text.splitlines(), delimiter=",", comments="#")
    shares = np.linspace(0.0, len(steps) - 1.0, 256)
    colours = _between(shares, np.arange(len(steps), dtype=np.float64), steps)
    if not light:
        return colours
    white = colours.min(axis=1, keepdims=True) / 255.0
    return np.asarray(np.rint(colours * (1.0 - DIMMED * white)), dtype=np.uint8)


def _between(x: Array, places: Array, steps: Array) -> NDArray[np.uint8]:
    """Colours (n, 3) at x (n,) between the colours `steps` (k, 3) at `places` (k,)."""
    channels = [np.interp(x, places, steps[:, k]) for k in range(3)]
    return np.asarray(np.rint(np.stack(channels, axis=1)), dtype=np.uint8)


@cache
def margin_colours() -> tuple[float, float, NDArray[np.uint8]]:
    """Ends of the scale of what is left of a limit (parts of it) and 256 colours, with borders at 0 and 10 %."""
    text = (resources.files("ridewright.resources") / "colours" / "margin.csv").read_text(encoding="utf-8")
    rows = np.loadtxt(text.splitlines(), delimiter=",", comments="#")
    low, high = float(rows[0, 0]), float(rows[-1, 0])
    return low, high, _between(np.linspace(low, high, 256), rows[:, 0], rows[:, 1:])


def along_track(
    quantity: Quantity, s: Array, built: BuiltTrack, results: Results | None, margins: Margins = ()
) -> Array | None:
    """Values (k,) of a quantity at arc lengths s (m), nan where the run did not come; None when there are none.

    margins: those of the run's riders, which take longer than a frame and are computed by whoever draws.
    """
    if quantity.source == "track":
        line = built.centreline
        return line.curvature(s) if quantity.key == "curvature" else line.roll_rate(s)
    if quantity.source != "run" or results is None:
        return None
    if quantity.key == "margin":
        left = [_by_place(s, built, *one) for one in margins]
        return np.fmin.reduce(left) if left else None
    if quantity.key == "airtime":
        felt = [_by_place(s, built, *one) for one in _felt(results)]
        return np.fmax.reduce(felt) if felt else None
    found = run_signal(quantity.key, results)
    return None if found is None else _by_place(s, built, *found)


def _felt(results: Results) -> Margins:
    """Arc length (m) of the car of each rider who sits freely, and the airtime (m) as felt, at the samples of a run."""
    found, time = [], results.sample_time
    for rider in free_riders(results):
        place = results.channels.get(f"car/{rider.rider.split('/')[0]}/arc_length")
        felt = felt_airtime(results, rider)
        if place is not None and felt is not None:
            found.append((place.values, np.interp(time, results.states.time, felt)))
    return tuple(found)


def run_signal(key: str, results: Results) -> tuple[Array, Array] | None:
    """Arc length (m) of the first car and the values of a quantity at the samples of a run; None when missing."""
    channels, time = results.channels, results.sample_time
    car = next((name.split("/")[1] for name in channels if name.endswith("/arc_length")), None)
    if car is None:
        return None
    place = channels[f"car/{car}/arc_length"].values
    if key in LOADS:
        rider = next(iter(results.names.riders), None)
        if rider is None:
            return None
        values = channels[f"rider/{rider}/upper_torso/acceleration"].values[:, LOADS[key]]
    else:
        values = channels[f"car/{car}/{key}"].values
    if key == "speed":
        return place, values
    try:
        from ...core.injury.filters import ride_filter  # the criteria beside it take long to load

        return place, ride_filter(time, values)
    except InputError:  # too short or too coarse for the filter
        return place, values


def on_point_ride(key: str, s: Array, ride: PointRide, length: float, closed: bool) -> Array | None:
    """Values (k,) of a quantity on the first passage of a point ride at arc lengths s (m) of its track, nan where it
    did not come; None for what a point does not feel. length (m) and closed: of the track."""
    place, sample = in_track_order(ride, length, closed)
    if key == "speed":
        values = ride.line_speed[sample]
    elif key in LOADS:
        values = ride.g[sample, LOADS[key]]
    else:
        return None
    found: Array = np.interp(s, place, values, left=np.nan, right=np.nan)
    gap = int(np.argmax(np.diff(place))) if len(place) > 1 else 0
    if len(place) > 1 and place[gap + 1] - place[gap] > LONGEST_GAP:
        found[(s > place[gap]) & (s < place[gap + 1])] = np.nan
    return found


def _by_place(s: Array, built: BuiltTrack, place: Array, values: Array) -> Array:
    """Values over time as values over the track: the first pass counts."""
    rising = np.maximum.accumulate(place)
    keep = np.concatenate([[True], np.diff(rising) > 1e-9])
    x, y = rising[keep], values[keep]
    if built.track.closed:
        laps = np.ceil((x[0] - s) / built.length - 1e-12)
        s = s + np.maximum(laps, 0.0) * built.length
    found: Array = np.interp(s, x, y, left=np.nan, right=np.nan)
    return found


def paint_values(
    quantity: Quantity, values: Array, missing: tuple[int, int, int], held: Scale | None = None
) -> tuple[NDArray[np.uint8], Scale]:
    """Colours (k, 3) of values (k,) and their scale; places without a value take the colour `missing`.

    held: a scale to keep when it is of the same quantity, so that colours can be compared while a point is dragged.
    """
    if held is not None and held.quantity == quantity:
        return _painted(values, held, missing), held
    scale = _scale(quantity, values[np.isfinite(values)])
    return _painted(values, scale, missing), scale


def _scale(quantity: Quantity, known: Array) -> Scale:
    """The scale that holds the known values; that of the margin is always the same, for it means a verdict."""
    if quantity.key == "margin":
        low, high, table = margin_colours()
        return Scale(quantity, low, high, table, (low, 0.0, 0.1, high))
    if not len(known):
        known = np.zeros(1)
    if quantity.signed:
        high = max(float(np.abs(known).max()), quantity.least)
        low = -high
    else:
        low, high = min(0.0, float(known.min())), max(float(known.max()), quantity.least)
    table = colour_map(quantity.signed, theme.current().name == "light")
    return Scale(quantity, low, high, table, (low, 0.5 * (low + high), high))


def _painted(values: Array, scale: Scale, missing: tuple[int, int, int]) -> NDArray[np.uint8]:
    """Colours (k, 3) of values (k,) on a scale."""
    index = np.nan_to_num((values - scale.low) / (scale.high - scale.low) * 255.0, nan=0.0)
    colours: NDArray[np.uint8] = scale.colours[np.clip(np.rint(index), 0, 255).astype(int)]
    colours[~np.isfinite(values)] = missing
    return colours
