"""How motion, forces and channels are packed: rounded to what the numerics can know, as second differences along time.

A component is smooth in time, so that its second differences in steps of the rounding are small whole numbers. A chunk
of a dataset is one component over many instants; its numbers are made, and their bytes put in the order of HDF5's
shuffle filter, in one pass by a kernel, and it is handed to HDF5 as it lies on disk. Runs of equal bytes are all that
such a chunk has to be packed, so deflate looks for nothing else (zlib's Z_RLE); any HDF5 reader opens it.
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from typing import Any, Final

import h5py
import numpy as np
from numpy.typing import NDArray

from ..base.arrays import Array
from ..jit.decorators import kernel
from .spilled import release, zeros

GZIP_LEVEL = 1
# Chunks of at most so many instants of one component each, so that one signal can be read without the others.
CHUNK_INSTANTS = 8192
TOGETHER: Final = 8  # components in a line of the processor's cache; read and written beside one another
PACKED = (np.uint32, np.uint64)


@dataclass(frozen=True)
class Rounding:
    """Binary places behind the point that the numerics can know, and the share of the tolerance of an error controlled
    run below which nothing is known either (None: whatever the tolerance); of the largest value if `relative`."""

    places: int
    share: float | None = None
    relative: bool = False


# Rounding to a step is wrong by half of it at most, so by a tenth of what a step of the solver may be wrong by: the
# tolerance for places, 0.07 of it of the largest force for forces (project.scenario.SolverSettings). Rates have no
# tolerance of their own; a step of 3 ms makes 3e-3 and 1 of it (m/s, m/s^2) where a place may be wrong by 1e-5 m.
PLACE, SPEED, ACCELERATION = Rounding(40, 0.2), Rounding(34, 2.0), Rounding(28, 20.0)
FORCE = Rounding(20, 0.2 * 0.07, relative=True)


def chunk_length(rows: int) -> int:
    """Instants in a chunk: as few chunks as there must be, of about one length."""
    return -(-rows // -(-rows // CHUNK_INSTANTS)) if rows else 1


def to_places(values: Array, places: int) -> Array:
    """Values to so many binary places behind the point; what is too large for that as it is."""
    with np.errstate(over="ignore"):
        rounded = np.ldexp(np.round(np.ldexp(values, places)), -places)
    return np.where(np.isfinite(rounded), rounded, values)


def step_of(
    values: Array, rounding: Rounding, tolerance: float
) -> tuple[Array, type[np.unsignedinteger[Any]]] | None:
    """What values are rounded to multiples of, a power of two: one for all, or one for each of the last components;
    and what holds their second differences. None where they are not rounded to it, because they are too large for it
    or not finite."""
    if rounding.share is None or values.size == 0:
        return None
    spread = np.zeros(values.shape[-1] if values.ndim > 2 else 1)
    for first in range(0, len(values), CHUNK_INSTANTS):
        _largest(_in_three(values[first : first + CHUNK_INSTANTS]), spread)
        release(values)
    largest = spread if values.ndim > 2 else spread[0]
    scale = np.where(largest > 0.0, largest, 1.0) if rounding.relative else np.ones_like(largest)
    with np.errstate(invalid="ignore", divide="ignore", over="ignore"):
        step: Array = np.asarray(np.exp2(np.floor(np.log2(tolerance * rounding.share * scale))))
        # never finer than what is rounded whatever the tolerance
        step = np.maximum(step, 2.0**-rounding.places)
        if not np.all(largest / step < 2.0**50):  # a part of a double's 53 bits
            return None
    # second differences are at most four times, and written down eight times, the values
    return step, np.uint32 if np.all(8.0 * largest / step < 2.0**32 - 8.0) else np.uint64


def write_packed(data: h5py.Dataset, values: Array, step: Array) -> None:
    """Fill a dataset of whole numbers, chunked by components, shuffled and deflated, with values (n, ...)."""
    rows, width = data.chunks[0], data.dtype.itemsize
    steps = _steps(values, step)
    whole = _in_three(values)
    places = _places(data.shape)
    count = len(places)
    before = np.zeros((2, count), dtype=np.int64)
    words, planes = np.empty(rows, dtype=np.uint64), np.zeros((TOGETHER, width, rows), dtype=np.uint8)
    beside, goes = np.empty((TOGETHER, rows)), np.zeros(TOGETHER, dtype=np.bool_)
    still = _deflated(planes[0])  # of what goes on evenly, as much does
    for first in range(0, len(values), rows):
        part = whole[first : first + rows]
        if len(part) < rows:
            planes[:] = 0
        for begin in range(0, count, TOGETHER):
            some = min(TOGETHER, count - begin)
            _pack(part, steps, begin, some, before, beside, words, planes, goes)
            for k in range(some):
                stored = _deflated(planes[k]) if goes[k] else still
                data.id.write_direct_chunk((first, *places[begin + k]), stored)
        release(values)


def _deflated(planes: NDArray[np.uint8]) -> bytes:
    deflate = zlib.compressobj(GZIP_LEVEL, zlib.DEFLATED, 15, 8, zlib.Z_RLE)
    return deflate.compress(planes.data) + deflate.flush()


def read_packed(data: h5py.Dataset) -> Array:
    """The values (n, ...) of a packed dataset."""
    step = np.asarray(data.attrs["step"], dtype=np.float64)
    if not _as_written(data) or step.shape not in ((), data.shape[-1:]):
        return unpacked(np.asarray(data[()], dtype=np.uint64), step)
    (values,) = zeros(len(data), data.shape[1:])
    steps, whole = _steps(values, step), _in_three(values)
    places = _places(data.shape)
    before = np.zeros((2, len(places)), dtype=np.int64)
    for first in range(0, len(values), data.chunks[0]):
        for begin in range(0, len(places), TOGETHER):
            if not _read_part(data, places, first, steps, before, whole, begin):
                return unpacked(np.asarray(data[()], dtype=np.uint64), step)
        release(values)
    return values


def _read_part(
    data: h5py.Dataset,
    places: list[tuple[int, ...]],
    first: int,
    steps: Array,
    before: NDArray[np.int64],
    whole: Array,
    begin: int,
) -> bool:
    """Fill in some components from `begin` on, over the chunk of instants from `first` on; places: of all; before: as
    `_unpack` has it, kept from the chunk before. Whether they lie there as they are written."""
    rows, width = data.chunks[0], data.dtype.itemsize
    words, planes = np.empty(rows, dtype=np.uint64), np.empty((TOGETHER, width, rows), dtype=np.uint8)
    some = places[begin : begin + TOGETHER]
    for k, place in enumerate(some):
        skipped, stored = data.id.read_direct_chunk((first, *place))
        if skipped:
            return False
        planes[k] = _inflated(stored, width * rows).reshape(width, rows)
    _unpack(planes, steps, begin, len(some), before, words, whole[first : first + rows])
    return True


def unpacked(stored: NDArray[np.uint64], step: Array) -> Array:
    """Values from what a packed array holds: z = 2 d for d >= 0 and -2 d - 1 for d < 0 of the second differences d
    along time of multiples of the step (before the first: 0). So neighbours that go on alike are small numbers."""
    d = (stored >> np.uint64(1)).view(np.int64) ^ -(stored & np.uint64(1)).view(np.int64)
    for _ in range(2):
        np.cumsum(d, axis=0, out=d)
    return d * step


def _inflated(stored: bytes, size: int) -> NDArray[np.uint8]:
    """The bytes of a chunk; OSError, as of HDF5 itself, when there are not `size` of them."""
    inflate = zlib.decompressobj()
    try:
        found = inflate.decompress(stored, size)
    except zlib.error as error:
        raise OSError(f"chunk cannot be inflated ({error})") from None
    if len(found) != size:
        raise OSError("chunk is cut off")
    return np.frombuffer(found, dtype=np.uint8)


def _as_written(data: h5py.Dataset) -> bool:
    """Whether the chunks of a dataset lie on disk as `write_packed` leaves them."""
    plain = data.chunks is not None and data.shuffle and data.compression == "gzip" and data.size > 0
    return (
        plain
        and 1 <= data.ndim <= 3
        and data.chunks[1:] == (1,) * (data.ndim - 1)
        and data.chunks[0] <= data.shape[0]
        and data.id.get_create_plist().get_nfilters() == 2
        and data.dtype in [np.dtype(kind).newbyteorder("<") for kind in PACKED]
        and data.id.get_num_chunks() == -(-data.shape[0] // data.chunks[0]) * (data.size // data.shape[0])
    )


def _in_three(values: Array) -> Array:
    """Values (n,), (n, q) or (n, p, q) as (n, p, q), not copied."""
    if values.ndim == 1:
        return values[:, None, None]
    return values[:, :, None] if values.ndim == 2 else values


def _steps(values: Array, step: Array) -> Array:
    """A step for each of the last components of values in three axes."""
    return np.broadcast_to(step, values.shape[-1:] if values.ndim > 2 else (1,)).copy()


def _places(shape: tuple[int, ...]) -> list[tuple[int, ...]]:
    """Where the components of an array of a shape lie in it, time left out."""
    return list(np.ndindex(shape[1:]))


@kernel
def _largest(values, largest):  # type: ignore[no-untyped-def]
    """Raise `largest` (q,) to the largest size of values (n, p, q); not a number where one is none."""
    for i in range(values.shape[0]):
        for j in range(values.shape[1]):
            for k in range(values.shape[2]):
                size = abs(values[i, j, k])
                if size > largest[k] or size != size:
                    largest[k] = size


@kernel
def _pack(values, steps, begin, some, before, beside, words, planes, goes):  # type: ignore[no-untyped-def]
    """The bytes of some components of values (n, p, q) from `begin` on: planes (some, width, n), lowest byte first; and
    in `goes` (some,) whether any of those of a component is not zero, without which its planes stay as they are.

    before (2, components): the last two counts of steps; they are brought up to date. beside (some, n), words (n,):
    room.
    """
    n, q = values.shape[0], values.shape[2]
    for row in range(n):  # components lie beside one another, and each row far from the next
        j, i = begin // q, begin % q
        for k in range(some):
            beside[k, row] = values[row, j, i]
            i += 1
            if i == q:
                j, i = j + 1, 0
    for k in range(some):
        c = begin + k
        per = 1.0 / steps[c % q]  # of a power of two, exact
        last, now = before[0, c], before[1, c]
        for row in range(n):
            new = np.int64(np.rint(beside[k, row] * per))
            second = new - 2 * now + last
            words[row] = np.uint64((second << 1) ^ (second >> 63))
            last, now = now, new
        before[0, c], before[1, c] = last, now
        every = np.uint64(0)
        for row in range(n):
            every |= words[row]
        goes[k] = every != 0
        for byte in range(planes.shape[1] if goes[k] else 0):
            plane, shift = planes[k, byte], np.uint64(8 * byte)
            for row in range(n):
                plane[row] = np.uint8((words[row] >> shift) & np.uint64(255))


@kernel
def _unpack(planes, steps, begin, some, before, words, values):  # type: ignore[no-untyped-def]
    """The other way round: values (n, p, q) of some components from their bytes.

    before (2, components): first the last count of steps, then its last difference. words (n,): room.
    """
    n, q = values.shape[0], values.shape[2]
    for k in range(some):
        c = begin + k
        j, i = c // q, c % q
        words[:n] = np.uint64(0)
        for byte in range(planes.shape[1]):
            plane, shift = planes[k, byte], np.uint64(8 * byte)
            for row in range(n):
                words[row] |= np.uint64(plane[row]) << shift
        count, rise = before[0, c], before[1, c]
        for row in range(n):
            word = words[row]
            rise += np.int64(word >> np.uint64(1)) ^ -np.int64(word & np.uint64(1))
            count += rise
            values[row, j, i] = count * steps[i]
        before[0, c], before[1, c] = count, rise
