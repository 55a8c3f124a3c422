"""Numbers packed column by column: what goes on evenly, and what leaves that by a single step."""

from __future__ import annotations

from pathlib import Path

import h5py
import numpy as np
import pytest

from ridewright.core.results.packing import TOGETHER, read_packed, write_packed


@pytest.mark.parametrize("rows", [7, 40])
def test_that_a_single_step_in_a_column_comes_back_beside_columns_that_go_on_evenly(
    tmp_path: Path, rows: int
) -> None:
    step = 2.0**-10
    values = np.zeros((40, TOGETHER + 1, 2))
    values[:, 1, 0] = step * np.arange(40)
    for k in range(TOGETHER + 1):
        values[4 * k, k, 1] = step  # once, at another instant in each
    with h5py.File(tmp_path / "packed.h5", "w") as file:
        data = file.create_dataset(
            "x",
            values.shape,
            np.uint32,
            chunks=(rows, 1, 1),
            compression="gzip",
            compression_opts=1,
            shuffle=True,
        )
        data.attrs["step"] = step
        write_packed(data, values, np.asarray(step))
        assert np.array_equal(read_packed(data), values)
