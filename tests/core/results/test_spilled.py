"""Arrays in a file are ordinary arrays; what cannot go there stays in memory, and nothing is left behind."""

from __future__ import annotations

import errno
import json
import os
import pickle
import resource
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from ridewright.core.project.examples import load_example
from ridewright.core.project.scenario import Ride
from ridewright.core.results import spilled
from ridewright.core.results.results import Results
from ridewright.core.run.simulate import simulate
from ridewright.core.solver import written_step

TAILS: tuple[tuple[int, ...], ...] = ((), (7, 3), (0,), (5,))
DESCRIPTORS = Path("/proc/self/fd")
Filled = tuple[tuple[np.ndarray, ...], list[np.ndarray]]

# Peak of a process that rides, and the size of what it stored.
RIDE = """
import json, sys
from ridewright.core.project.examples import load_example
from ridewright.core.run.simulate import simulate
from tests.benchmarks.measure import peak_memory
project = load_example("looping_star")
scenario = project.scenario.model_copy(update={"duration": float(sys.argv[1])})
settings = project.settings.model_copy(update={"sample_rate": 1000.0})
results = simulate(project.model_copy(update={"scenario": scenario, "settings": settings}))
stored = [*vars(results.states).values(), *(channel.values for channel in results.channels.values())]
print(json.dumps([peak_memory(), sum(values.nbytes for values in stored) / 1e6]))
"""


def filled(rows: int, grown: bool = False) -> Filled:
    """Arrays with random numbers that were released as they came, and what was written to them."""
    rng = np.random.default_rng(3)
    plain = [rng.normal(size=(rows, *tail)) for tail in TAILS]
    arrays = spilled.zeros(1 if grown else rows, *TAILS)
    for begin in range(0, rows, 600):
        end = min(begin + 600, rows)
        if grown and end > len(arrays[0]):
            arrays = spilled.longer(arrays, end)
        for values, source in zip(arrays, plain, strict=True):
            assert not values[begin:end].any()
            values[begin:end] = source[begin:end]
        spilled.release(*arrays)
    return tuple(values[:rows] for values in arrays), plain


def files() -> set[str]:
    """Files without a name that this process holds."""
    found = set()
    for entry in DESCRIPTORS.iterdir():
        try:
            target = entry.readlink()
        except OSError:  # the folder's own
            continue
        if "(deleted)" in target.name:
            found.add(f"{entry.name} {target}")
    return found


def assert_same(one: Results, other: Results) -> None:
    for part in ("states", "energy", "violations"):
        for name, values in vars(getattr(one, part)).items():
            assert values.tobytes() == getattr(getattr(other, part), name).tobytes(), name
    assert one.channels.keys() == other.channels.keys()
    for name, channel in one.channels.items():
        assert channel.values.tobytes() == other.channels[name].values.tobytes(), name
    assert one.events == other.events


@pytest.fixture(params=["full disk", "forbidden", "no place", "not this system"])
def refusing(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A system that gives no room, or not all, for what is to be written."""
    allocate = os.posix_fallocate
    calls = []

    def full(handle: int, offset: int, size: int) -> None:
        calls.append(size)
        if len(calls) > 1:
            raise OSError(errno.ENOSPC, "No space left on device")
        allocate(handle, offset, size)

    if request.param == "full disk":
        monkeypatch.setattr(spilled, "ROOM", 0)  # so that a second file is asked for
        monkeypatch.setattr(os, "posix_fallocate", full)
    elif request.param == "no place":
        monkeypatch.setenv("TMPDIR", "/nowhere")
        monkeypatch.setattr("tempfile.tempdir", "/nowhere")
    elif request.param == "not this system":
        monkeypatch.delattr(os, "posix_fallocate")
        monkeypatch.setattr(spilled, "sys", SimpleNamespace(platform="darwin"))
    else:
        limits = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (3 << 20, limits[1]))
    yield request.param
    if request.param == "forbidden":
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)


@pytest.mark.parametrize("grown", [False, True])
def test_that_values_stay_when_they_are_released(grown: bool) -> None:
    arrays, plain = filled(60_000, grown)
    assert all(spilled.behind(values) is not None for values in arrays if values.size)
    for values, source in zip(arrays, plain, strict=True):
        assert values.dtype == source.dtype
        assert values.shape == source.shape
        assert values.tobytes() == source.tobytes()
    arrays[1][41] = -1.0  # they can be written to as any others
    spilled.release(*arrays)
    assert np.all(arrays[1][41] == -1.0)
    assert pickle.loads(pickle.dumps(arrays[1])).tobytes() == arrays[1].tobytes()


@pytest.mark.skipif(not DESCRIPTORS.is_dir(), reason="the system does not tell")
def test_that_the_file_has_no_name_and_is_gone_with_the_last_array() -> None:
    before = files()
    arrays, _ = filled(60_000)
    assert len(files() - before) == 1
    part = arrays[1][100:200, 2]
    del arrays
    assert len(files() - before) == 1
    del part
    assert files() == before


@pytest.mark.skipif(not DESCRIPTORS.is_dir(), reason="the system does not tell")
def test_that_few_rows_need_no_file() -> None:
    before = files()
    arrays, _ = filled(1000)
    assert files() == before
    assert spilled.behind(arrays[1]) is None


@pytest.mark.parametrize("grown", [False, True])
def test_that_rows_stay_in_memory_where_the_disk_refuses(refusing: str, grown: bool) -> None:
    arrays, plain = filled(60_000, grown)
    if grown or refusing != "full disk":  # which still had room for the first file
        assert spilled.behind(arrays[1]) is None
    for values, source in zip(arrays, plain, strict=True):
        assert values.tobytes() == source.tobytes()


@pytest.fixture
def spilling(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    def eager() -> None:
        monkeypatch.setattr(spilled, "SMALL", 0)
        monkeypatch.setattr(written_step, "PIECE", 1)

    return eager


def short_ride() -> Results:
    project = load_example("looping_star")
    assert isinstance(project.scenario, Ride)
    scenario = project.scenario.model_copy(update={"duration": 5.0})
    return simulate(project.model_copy(update={"scenario": scenario}))


def test_that_a_run_in_files_is_the_same_as_one_in_memory(spilling: Callable[[], None]) -> None:
    in_memory = short_ride()
    assert all(spilled.behind(values) is None for values in vars(in_memory.states).values())
    spilling()
    in_files = short_ride()
    mappings = [spilled.behind(values) for values in vars(in_files.states).values() if values.size]
    assert all(mapping is not None for mapping in mappings)
    assert_same(in_memory, in_files)


def test_that_a_run_on_a_disk_that_fills_up_is_the_same(refusing: str, spilling: Callable[[], None]) -> None:
    in_memory = short_ride()
    spilling()
    assert_same(in_memory, short_ride())


@pytest.mark.nightly
def test_that_a_longer_ride_hardly_takes_more_memory() -> None:
    root = Path(__file__).resolve().parents[3]
    peaks, sizes = [], []
    for seconds in ("30", "80"):
        done = subprocess.run(
            [sys.executable, "-c", RIDE, seconds], cwd=root, capture_output=True, text=True, check=True
        )
        peak, size = json.loads(done.stdout.splitlines()[-1])
        peaks.append(peak)
        sizes.append(size)
    assert sizes[1] - sizes[0] > 30.0
    assert peaks[1] - peaks[0] < 0.1 * (sizes[1] - sizes[0])


def test_that_a_place_of_every_row_is_copied_whatever_the_array_lies_in() -> None:
    rows = 2 * spilled.MOVED + 5
    (mapped,) = spilled.zeros(rows, (300, 4))
    assert spilled.behind(mapped) is not None
    mapped[:] = np.arange(mapped.size).reshape(mapped.shape)
    for array in (mapped, mapped.copy(), mapped[:, 10:20]):
        assert np.array_equal(spilled.taken(array, 7), array[:, 7])
        column = spilled.taken(array, 7, 2)
        assert np.array_equal(column, array[:, 7, 2])
        assert not np.shares_memory(column, array)
