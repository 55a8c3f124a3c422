"""Texts in HDF5 files, whose lengths are looked at before HDF5 takes memory for them."""

from __future__ import annotations

from pathlib import Path

import h5py
import numpy as np


def texts(data: h5py.Dataset) -> tuple[str, ...]:
    """The texts of a data set, one of a scalar.

    Raises ValueError where they are longer than the whole file, as a damaged length says: HDF5 takes the memory of it,
    gigabytes, before it looks for the text. A reference to a text of any length is its length (4 bytes, the lowest
    first), the place of its heap and its number there (HDF5 File Format Specification 3.0, IV.B, variable-length type).
    """
    if not data.size:
        return ()
    place, told = data.id.get_offset(), h5py.check_string_dtype(data.dtype)
    if place is not None and told is not None and told.length is None:
        path = Path(data.file.filename)
        with path.open("rb") as file:
            file.seek(place)
            references = np.frombuffer(file.read(data.id.get_storage_size()), dtype=np.uint8)
        lengths = references.reshape(data.size, -1)[:, :4].copy().view("<u4")
        if lengths.sum(dtype=np.int64) > path.stat().st_size:
            raise ValueError("texts are longer than their file")
    read = data.asstr()[()]
    return tuple(map(str, read)) if data.shape else (str(read),)
