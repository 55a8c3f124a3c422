"""The results file: one run in HDF5, with units and frames beside the numbers.

The layout is described in resources/guide/results-file.md and kept stable: what is there keeps its name and
meaning, new things are added, and LAYOUT rises only when an old reader would misread a new file.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import MISSING, dataclass, fields
from pathlib import Path
from threading import Lock
from typing import Any, TypeVar

import h5py
import numpy as np

from ..base.arrays import Array
from ..base.atomic import replacing
from ..base.errors import InputError
from ..base.system_words import because
from ..base.version import VERSION
from ..base.wording import in_words
from .packing import (
    ACCELERATION,
    FORCE,
    GZIP_LEVEL,
    PLACE,
    SPEED,
    Rounding,
    chunk_length,
    read_packed,
    step_of,
    to_places,
    write_packed,
)
from .results import (
    ABSENT,
    CONTACT_TERMS,
    MODAL,
    Channel,
    Event,
    Ledger,
    ModelSize,
    Names,
    Results,
    States,
    Status,
    Violations,
)
from .spilled import release
from .swallowing import SwallowingFile
from .texts import texts
from .unread import UnreadChannel, UnreadStates, Waiting, whole

FORMAT = "ridewright-results"
LAYOUT = 2
PLAIN = 1  # of files without packed arrays, which programs that know no layout 2 read as well

Group = TypeVar("Group")
CONTROLLED = "generalized_alpha"  # the method whose steps have a tolerance


@dataclass(frozen=True)
class Quantity:
    """What a stored array holds: unit, frame, the names of its axes, and how a compact file rounds it: as a `Rounding`
    says (None: not at all)."""

    unit: str
    frame: str
    axes: str
    rounding: Rounding | None = None


STATES: dict[str, Quantity] = {
    "time": Quantity("s", "-", "instant"),
    "position": Quantity("m", "world, centre of mass", "instant, body, component", PLACE),
    "orientation": Quantity(
        "1", "body to world, Euler parameters e0 e1 e2 e3", "instant, body, component", PLACE
    ),
    "velocity": Quantity("m/s", "world, centre of mass", "instant, body, component", SPEED),
    "angular_velocity": Quantity("rad/s", "body", "instant, body, component", SPEED),
    "acceleration": Quantity("m/s^2", "world, centre of mass", "instant, body, component", ACCELERATION),
    "angular_acceleration": Quantity("rad/s^2", "body", "instant, body, component", ACCELERATION),
    "path_coordinate": Quantity("m", "along the guide's own path", "instant, guide", PLACE),
    "path_speed": Quantity("m/s", "along the guide's own path", "instant, guide", SPEED),
    "path_acceleration": Quantity("m/s^2", "along the guide's own path", "instant, guide", ACCELERATION),
    "reactions": Quantity(
        "N (first three), N m (last three)",
        "world, at the joint point, on body_i of the joint or on the guided body",
        "instant, joint then guide, component",
        FORCE,
    ),
    "spring_force": Quantity("N or N m", "along the spring, tension positive", "instant, spring", FORCE),
    "spring_length": Quantity("m or rad", "along the spring", "instant, spring", PLACE),
    "head_contact": Quantity(
        "N (first three), N m (last three)",
        "force in world axes, moment about the centre of mass in body axes, of all contacts on a head",
        "instant, rider whose head they may touch, component",
        FORCE,
    ),
    "internal": Quantity(
        "as the element says", "internal unknowns of force elements", "instant, unknown", PLACE
    ),
    "memory": Quantity(
        "as the element says", "what laws of force elements remember", "instant, number", PLACE
    ),
    "modal": Quantity(
        "m", "largest displacement that the mode makes", "instant, modal coordinate", Rounding(44)
    ),
    "modal_speed": Quantity(
        "m/s", "largest displacement that the mode makes", "instant, modal coordinate", Rounding(38)
    ),
    "modal_acceleration": Quantity(
        "m/s^2", "largest displacement that the mode makes", "instant, modal coordinate", Rounding(28)
    ),
    "device_force": Quantity("N", "along the track, forward", "instant, car devices act on", FORCE),
}
#: How channels are rounded, by their unit.
CHANNELS: dict[str, Rounding] = {
    "m": PLACE,
    "rad": PLACE,
    "m/s": SPEED,
    "rad/s": SPEED,
    "m/s^2": ACCELERATION,
    "rad/s^2": ACCELERATION,
    "g": SPEED,
    "N": FORCE,
    "N m": FORCE,
}
#: What reading a damaged file may end in.
READING = (KeyError, ValueError, TypeError, RuntimeError)
OTHERS = (AttributeError, RecursionError, OverflowError, IndexError)
DAMAGE = (*READING, *OTHERS)
SELDOM = ("head_contact", "internal", "memory", *MODAL)  # written only where a model has them
ENERGY_UNIT = "J"
VIOLATIONS: dict[str, str] = {"joints": "m or rad", "guides": "m or rad", "velocity": "m/s or rad/s"}


def write_results(results: Results, path: str | Path, *, compact: bool = False) -> None:
    """Write a run to an HDF5 file, under a temporary name that is renamed when the file is complete.

    Parameters
    ----------
    results
        Of the run.
    path
        Of the file.
    compact
        Round motion, forces and channels to what the numerics can know; else every number is stored as it is (64 bit).

    Raises
    ------
    InputError
        When the file cannot be written.

    Notes
    -----
    What the numerics can know of an error controlled run is a tenth of its tolerance, and what is stored are second
    differences along time of multiples of a step: a twelfth of the size, see `packing`. Else it is 2^-40 m (1e-12 m)
    of places, 2^-34 of speeds, 2^-28 of accelerations, 2^-20 N or N m (1e-6 N) of forces, and channels stay as they
    are, as energies and violations always do.
    """
    with replacing(Path(path)) as part, SwallowingFile(part) as stream:
        with h5py.File(stream, "w") as file:
            _write(results, file, compact, _tolerance(results) if compact else None)
        stream.check()


def compact_channels(results: Results) -> Iterator[tuple[str, Array]]:
    """The channels in the order of their names, with the values that a compact file keeps of them."""
    tolerance = _tolerance(results)
    for name in sorted(results.channels):
        channel = results.channels[name]
        rounding = CHANNELS.get(channel.unit)
        if rounding is None or tolerance is None:
            yield name, channel.values
            continue
        packed = step_of(channel.values, rounding, tolerance)
        yield (
            name,
            to_places(channel.values, rounding.places)
            if packed is None
            else np.rint(channel.values / packed[0]) * packed[0] + 0.0,  # whole numbers have no -0
        )


def read_results(path: str | Path) -> Results:
    """Read a results file written by `write_results`.

    Raises InputError with one sentence when the file is missing, cut off, damaged, foreign or of a newer layout.
    """
    return whole(open_results(path))


def open_results(path: str | Path) -> Results:
    """As `read_results`, but each array of states and channels is read when it is first asked for.

    The file stays open until all are read (`read_rest`), and must stay as it is. Damage to an array is said to who asks
    for it, by an InputError.
    """
    path = Path(path)
    try:
        there, folder = path.is_file(), path.is_dir()
    except (OSError, ValueError) as error:  # names that no file can have
        why = because(error) if isinstance(error, OSError) else "it is no name of a file"
        raise InputError(
            f"{str(path)[:200]!r}: cannot be read ({why}); give the results.h5 of a run."
        ) from None
    if not there:
        raise InputError(
            f"{path}: {'is a folder' if folder else 'does not exist'}; give the results.h5 of a run."
        )
    with _saying(path):
        file = h5py.File(path, "r")  # until nothing waits to be read any more
        try:
            _check_layout(file, path.name)
            return _read(file, path)
        except BaseException:
            file.close()
            raise


@contextmanager
def _saying(path: Path) -> Iterator[None]:
    """What reading ends in, said in one sentence about the file."""
    try:
        yield
    except InputError:
        raise
    except OSError as error:
        if isinstance(error, PermissionError):
            raise InputError(f"{path}: cannot be read ({because(error)}).") from None
        raise InputError(
            f"{path.name}: not a results file, or cut off while it was written or copied."
        ) from None
    except DAMAGE as error:
        raise InputError(f"{path.name}: damaged results file ({in_words(error)}).") from None


def _check_layout(file: h5py.File, name: str) -> None:
    if file.attrs.get("format") != FORMAT:
        raise InputError(f"{name}: an HDF5 file, but not one of Ridewright's results files.")
    layout = int(file.attrs["layout"])
    if layout > LAYOUT:
        raise InputError(
            f"{name}: written by a newer Ridewright (layout {layout}, this program reads up to {LAYOUT});"
            " update the program."
        )


def _tolerance(results: Results) -> float | None:
    """Of an error controlled run; None of others, and of results that do not say."""
    project = results.provenance.get("project")
    settings = project.get("settings") if isinstance(project, dict) else None
    if not isinstance(settings, dict) or settings.get("fixed_step") or settings.get("method") != CONTROLLED:
        return None
    tolerance = settings.get("tolerance")
    return tolerance if isinstance(tolerance, float) else None


def _write(results: Results, file: h5py.File, compact: bool, tolerance: float | None) -> None:
    file.attrs["format"] = FORMAT
    file.attrs["layout"] = PLAIN if tolerance is None else LAYOUT
    file.attrs["program"] = f"ridewright {VERSION}"
    status = file.create_group("status")
    for key in ("name", "message", "advice"):
        status.attrs[key] = str(getattr(results.status, key))  # a sentence with numbers is a text in a file
    size = file.create_group("size")
    for entry in fields(ModelSize):
        value = getattr(results.size, entry.name)
        if entry.name == "redundant":
            _write_strings(size, entry.name, value, "constraint rows implied by the others")
        else:
            size.attrs[entry.name] = value
    names = file.create_group("names")
    for key in ("bodies", "guides", "joints", "springs"):
        _write_strings(
            names, key, getattr(results.names, key), f"names of the {key}, in the order of the arrays"
        )
    _write_json(
        names, "riders", results.names.riders, "rider -> names of head, upper_torso and pelvis bodies"
    )
    if results.names.flexible:
        _write_json(
            names, "flexible", results.names.flexible, "flexible body -> number of its modal coordinates"
        )
    states = file.create_group("states")
    for key, quantity in STATES.items():
        values = getattr(results.states, key)
        if values.size or key not in SELDOM:
            _write_array(states, key, values, quantity, compact, tolerance)
    energy = file.create_group("energy")
    for entry in fields(Ledger):
        quantity, values = Quantity(ENERGY_UNIT, "-", "instant"), getattr(results.energy, entry.name)
        if entry.name not in CONTACT_TERMS or values.any():
            _write_array(energy, entry.name, values, quantity)
    violations = file.create_group("violations")
    for key, unit in VIOLATIONS.items():
        _write_array(violations, key, getattr(results.violations, key), Quantity(unit, "-", "instant"))
    _write_events(results.events, file.create_group("events"))
    _write_array(file, "sample_time", results.sample_time, Quantity("s", "-", "sample"))
    channels = file.create_group("channels")
    for name, channel in results.channels.items():
        axes = "sample" if channel.values.ndim == 1 else "sample, component"
        where = _channel_path(name)
        rounding = CHANNELS.get(channel.unit) if tolerance is not None else None
        quantity = Quantity(channel.unit, channel.frame, axes, rounding)
        data = _write_array(channels, where, channel.values, quantity, compact, tolerance)
        data.attrs["name"] = name
        data.attrs["description"] = channel.description
    _write_json(
        file, "provenance", results.provenance, "program, project, settings and figures of the run, JSON"
    )


def _write_events(events: tuple[Event, ...], group: h5py.Group) -> None:
    _write_strings(group, "kind", tuple(event.kind for event in events), "what kind of event")
    _write_strings(group, "name", tuple(event.name for event in events), "what it happened to")
    places = [np.nan if event.place is None else event.place for event in events]
    _write_array(group, "time", np.array([event.time for event in events]), Quantity("s", "-", "event"))
    _write_array(group, "place", np.array(places), Quantity("m", "centreline, over laps", "event"))


def _read_events(group: h5py.Group) -> tuple[Event, ...]:
    return tuple(
        Event(kind, name, time, None if np.isnan(place) else place)
        for kind, name, time, place in zip(
            texts(group["kind"]),
            texts(group["name"]),
            _array(group["time"]).tolist(),
            _array(group["place"]).tolist(),
            strict=True,
        )
    )


def _read(file: h5py.File, path: Path) -> Results:
    status = file["status"].attrs
    size = file["size"]
    counts = {e.name: int(size.attrs[e.name]) for e in fields(ModelSize) if e.name != "redundant"}
    names = file["names"]
    nodes: list[h5py.Dataset] = []

    def collect(_: str, node: h5py.Group | h5py.Dataset) -> None:
        if isinstance(node, h5py.Dataset):
            nodes.append(node)  # read afterwards: until the visit ends no other thread may read the file

    file["channels"].visititems(collect)
    channels: dict[str, Channel] = {}
    for node in nodes:
        text = {key: str(node.attrs[key]) for key in ("unit", "frame", "description")}
        channels[str(node.attrs["name"])] = UnreadChannel.of(text, {"values": _waiting(file, node, path)})
    results = Results(
        status=Status(name=str(status["name"]), message=str(status["message"]), advice=str(status["advice"])),  # type: ignore[arg-type]
        size=ModelSize(**counts, redundant=texts(size["redundant"])),
        names=Names(
            **{key: texts(names[key]) for key in ("bodies", "guides", "joints", "springs")},
            riders=json.loads("".join(texts(names["riders"]))),
            flexible=json.loads("".join(texts(names["flexible"]))) if "flexible" in names else {},
        ),
        states=_unread(file, path),
        energy=_read_group(Ledger, file["energy"]),
        violations=_read_group(Violations, file["violations"]),
        sample_time=_array(file["sample_time"]),
        channels=channels,
        provenance=json.loads("".join(texts(file["provenance"]))),
        events=_read_events(file["events"]) if "events" in file else (),
    )
    _check_lengths(results, path.name)
    return results


def _unread(file: h5py.File, path: Path) -> UnreadStates:
    group = file["states"]
    there = [f.name for f in fields(States) if f.name in group or f.default_factory is MISSING]
    arrays: dict[str, h5py.Dataset] = {name: group[name] for name in there}
    n = arrays["time"].shape[:1]
    known = {f.name: np.zeros((*n, *ABSENT.get(f.name, (0,)))) for f in fields(States) if f.name not in there}
    known["time"] = _array(arrays.pop("time"))
    made: UnreadStates = UnreadStates.of(known, {k: _waiting(file, a, path) for k, a in arrays.items()})
    return made


def _waiting(file: h5py.File, data: h5py.Dataset, path: Path) -> Waiting:
    """What reads an array and, until then, keeps its file open."""

    def read(file: h5py.File = file) -> Array:
        with _saying(path):
            return _array(data)

    return Waiting(data.shape, read, Lock())


def _check_lengths(results: Results, where: str) -> None:
    """A file whose arrays disagree about the number of instants is damaged, whatever its other content."""
    states = results.states
    assert isinstance(states, UnreadStates)
    n, springs = len(states.time), len(results.names.springs)
    shapes = [(entry.name, states.shape_of(entry.name)) for entry in fields(States)]
    for part in (results.energy, results.violations):
        shapes += [(entry.name, getattr(part, entry.name).shape) for entry in fields(part)]
    for name in ("spring_force", "spring_length"):
        if states.shape_of(name) != (n, springs):
            raise InputError(f"{where}: damaged results file ({name} does not hold {springs} springs).")
    for what, time in (("instants", states.time), ("samples", results.sample_time)):
        if time.ndim != 1 or not np.isfinite(time).all() or (np.diff(time) < 0.0).any():
            raise InputError(f"{where}: damaged results file (the times of the {what} do not rise).")
    for name, shape in shapes:
        if shape[:1] != (n,):
            count = shape[0] if shape else "no"
            raise InputError(f"{where}: damaged results file ({name} has {count} instants instead of {n}).")
    m = len(results.sample_time)
    for name, channel in results.channels.items():
        assert isinstance(channel, UnreadChannel)
        shape = channel.shape_of("values")
        if shape[:1] != (m,):
            count = shape[0] if shape else "no"
            raise InputError(
                f"{where}: damaged results file (channel '{name}' has {count} samples instead of {m})."
            )


def _channel_path(name: str) -> str:
    """The path of a channel below `channels`: its name, but HDF5 would read a part '.' as 'this group'."""
    return "/".join("%2E" if part == "." else part for part in name.split("/"))


def _write_array(
    group: h5py.Group,
    name: str,
    values: Array,
    quantity: Quantity,
    compact: bool = False,
    tolerance: float | None = None,
) -> h5py.Dataset:
    values, rounding = np.asarray(values, dtype=np.float64), quantity.rounding if compact else None
    packed = None if rounding is None or tolerance is None else step_of(values, rounding, tolerance)
    step, dtype = packed or (None, np.float64)
    if values.size:
        rows = chunk_length(len(values))
        data = group.create_dataset(
            name,
            shape=values.shape,
            dtype=dtype,
            chunks=(rows, *(1 for _ in values.shape[1:])),
            compression="gzip",
            compression_opts=GZIP_LEVEL,
            shuffle=True,
        )
        if step is not None:
            data.attrs["step"] = step
            write_packed(data, values, step)
        else:
            # in whole chunks: rounding and h5py make copies of what they are given, felt with a long ride
            for first in range(0, len(values), rows):
                part = values[first : first + rows]
                data[first : first + rows] = part if rounding is None else to_places(part, rounding.places)
                release(values)
    else:
        data = group.create_dataset(name, data=values)
    data.attrs["unit"] = quantity.unit
    data.attrs["frame"] = quantity.frame
    data.attrs["axes"] = quantity.axes
    return data


def _write_strings(group: h5py.Group, name: str, values: tuple[str, ...], description: str) -> None:
    data = group.create_dataset(name, data=list(values), shape=(len(values),), dtype=h5py.string_dtype())
    data.attrs["description"] = description


def _write_json(group: h5py.Group, name: str, value: Any, description: str) -> None:
    text = json.dumps(value, ensure_ascii=False, default=_plain)
    group.create_dataset(name, data=text, dtype=h5py.string_dtype()).attrs["description"] = description


def _plain(value: Any) -> Any:
    """numpy scalars and arrays in the provenance as plain JSON."""
    if isinstance(value, np.generic | np.ndarray):
        return value.tolist()
    raise TypeError(f"provenance holds a {type(value).__name__}, which JSON cannot hold")


def _array(data: h5py.Dataset) -> Array:
    if "step" in data.attrs:
        return read_packed(data)
    return np.asarray(data[()], dtype=np.float64)


def _read_group(kind: type[Group], group: h5py.Group) -> Group:
    there = [entry.name for entry in fields(kind) if entry.name in group or entry.default_factory is MISSING]  # type: ignore[arg-type]
    return kind(**{name: _array(group[name]) for name in there})
