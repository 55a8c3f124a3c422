"""Channels of a run as tables of pandas and xarray."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from ridewright.core import api as rw
from ridewright.core.api.signals import POINT_CHANNELS
from ridewright.core.pointmass.result import PointRide
from ridewright.core.results.results import Results


@pytest.fixture(scope="module")
def ride() -> PointRide:
    return rw.ride_point(rw.example("straight"))


def test_that_a_table_has_every_channel_with_its_unit(make_results: Callable[..., Results]) -> None:
    pytest.importorskip("pandas")
    run = make_results(duration=1.0)
    table = rw.channels(run)
    assert table.index.name == "time"
    np.testing.assert_array_equal(table.index, run.sample_time)
    assert list(table.attrs["units"]) == ["time", *table.columns]
    for name, channel in run.channels.items():
        columns = [f"{name}.{axis}" for axis in "xyz"] if channel.values.ndim == 2 else [name]
        np.testing.assert_array_equal(table[columns].to_numpy(), channel.values.reshape(-1, len(columns)))
        assert {table.attrs["units"][column] for column in columns} == {channel.unit}


def test_that_a_data_set_has_units_and_axes(ride: PointRide) -> None:
    pytest.importorskip("xarray")
    found = rw.channels(ride, "xarray")
    assert found["speed"].attrs["units"] == "m/s"
    np.testing.assert_array_equal(found["g"].sel(axis="z"), ride.g[:, 2])
    assert {name: found[name].attrs["units"] for name in found} == {
        k: u for k, (u, _) in POINT_CHANNELS.items()
    }


def test_that_what_is_not_there_is_refused_in_a_sentence(ride: PointRide, monkeypatch: Any) -> None:
    with pytest.raises(rw.InputError, match="form must be 'pandas' or 'xarray', found 'csv'"):
        rw.channels(ride, "csv")  # type: ignore[arg-type]
    monkeypatch.setattr("ridewright.core.api.signals.find_spec", lambda name: None)
    with pytest.raises(rw.InputError, match="xarray is not installed: pip install xarray"):
        rw.channels(ride, "xarray")


def test_that_a_picture_without_the_studio_names_what_to_install(monkeypatch: Any) -> None:
    monkeypatch.setattr("ridewright.core.api.pictures.entry_points", lambda group: [])
    with pytest.raises(rw.InputError, match=r'pip install "ridewright\[studio\]"'):
        rw.plot(rw.example("straight"))


def test_that_a_time_outside_the_run_is_refused(make_results: Callable[..., Results]) -> None:
    with pytest.raises(rw.InputError, match="a project has no times"):
        rw.plot(rw.example("straight"), time=1.0)
    with pytest.raises(rw.InputError, match=r"times from 0 to .* s, found 99"):
        rw.plot(make_results(duration=1.0), time=99.0)
