"""The signals of a run as a table of pandas or a data set of xarray, with their units."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import Any, Final, Literal

from ..base.arrays import Array
from ..base.errors import InputError
from ..pointmass.result import PointRide
from ..results.results import Channel, Results
from .door import door

#: Channels of a ride as points: unit, what it is.
POINT_CHANNELS: Final = {
    "place": ("m", "Arc length of the middle of the train, inside the track"),
    "speed": ("m/s", "Speed along the track"),
    "acceleration": ("m/s^2", "Second rate of the arc length"),
    "g": ("g", "What an accelerometer on the heartline feels: forward, left, up"),
    "rail_g": ("g", "The same on the centreline of the rails"),
    "roll_rate": ("rad/s", "Turn rate of the track about its tangent"),
    "jerk": ("g/s", "Rate of change of g: forward, left, up"),
}


@door
def channels(run: Results | PointRide, form: Literal["pandas", "xarray"] = "pandas") -> Any:
    """The channels of a run, or of a ride as points, over its time (s); units as everywhere in the program, SI and g.

    Parameters
    ----------
    run
        With n samples.
    form
        The library that the table is of.

    Returns
    -------
    For "pandas" a DataFrame (n rows) indexed by `time`, a column a channel, of vectors one each for .x, .y and .z
    (forward, left, up where the channel is of a rider or a car); its `attrs["units"]` has the unit of every column.
    For "xarray" a Dataset with dimensions time (n) and axis (3), unit, frame and description in the `attrs` of every
    variable.

    Raises
    ------
    InputError
        Where the library is not installed, and for a form that is neither.
    """
    if find_spec(form) is None:
        raise InputError(f"channels: {form} is not installed: pip install {form}.")
    library = import_module(form)
    time, found = _signals(run)
    if form == "xarray":
        return _dataset(library, time, found)
    columns: dict[str, Array] = {}
    units: dict[str, str] = {}
    for name, channel in found.items():
        parts = {name: channel.values}
        if channel.values.ndim == 2:
            parts = {f"{name}.{axis}": channel.values[:, k] for k, axis in enumerate("xyz")}
        columns |= parts
        units |= dict.fromkeys(parts, channel.unit)
    frame = library.DataFrame(columns, index=library.Index(time, name="time"))
    frame.attrs["units"] = {"time": "s", **units}
    return frame


def _signals(run: Results | PointRide) -> tuple[Array, dict[str, Channel]]:
    if isinstance(run, Results):
        return run.sample_time, dict(run.channels)
    found = {
        name: Channel(getattr(run, name), unit, "track", stated)
        for name, (unit, stated) in POINT_CHANNELS.items()
    }
    return run.time, found


def _dataset(xarray: Any, time: Array, found: dict[str, Channel]) -> Any:
    variables = {}
    for name, channel in found.items():
        dims = ("time", "axis")[: channel.values.ndim]
        stated = {"units": channel.unit, "frame": channel.frame, "description": channel.description}
        variables[name] = (dims, channel.values, stated)
    coordinates = {"time": ("time", time, {"units": "s"}), "axis": list("xyz")}
    return xarray.Dataset(variables, coordinates)
