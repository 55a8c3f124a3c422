"""The results file: exact round trip, open to other readers, refused when it is not whole."""

from __future__ import annotations

import zlib
from collections.abc import Callable
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest

from ridewright.core.base.errors import InputError
from ridewright.core.results.file import (
    SELDOM,
    STATES,
    VIOLATIONS,
    read_results,
    write_results,
)
from ridewright.core.results.packing import CHUNK_INSTANTS
from ridewright.core.results.results import (
    CONTACT_TERMS,
    Channel,
    Ledger,
    Names,
    Results,
    States,
    Status,
    Violations,
)

Make = Callable[..., Results]


def _assert_same(a: Results, b: Results) -> None:
    assert (a.status, a.size, a.names, a.provenance) == (b.status, b.size, b.names, b.provenance)
    assert a.events == b.events
    for part in ("states", "energy", "violations"):
        for entry in fields(getattr(a, part)):
            x, y = getattr(getattr(a, part), entry.name), getattr(getattr(b, part), entry.name)
            assert x.shape == y.shape
            assert x.tobytes() == y.tobytes(), entry.name
    assert a.sample_time.tobytes() == b.sample_time.tobytes()
    assert a.channels.keys() == b.channels.keys()
    for name, channel in a.channels.items():
        other = b.channels[name]
        assert (channel.unit, channel.frame, channel.description) == (
            other.unit,
            other.frame,
            other.description,
        )
        assert channel.values.tobytes() == other.values.tobytes()


def test_that_a_run_comes_back_bit_for_bit(make_results: Make, tmp_path: Path) -> None:
    results = make_results()
    write_results(results, tmp_path / "new folder" / "results.h5")
    _assert_same(results, read_results(tmp_path / "new folder" / "results.h5"))


def test_that_a_rig_without_guides_springs_riders_and_channels_comes_back(
    make_results: Make, tmp_path: Path
) -> None:
    full = make_results(instants=3)
    none = {
        key: getattr(full.states, key)[:, :0]
        for key in ("path_coordinate", "path_speed", "path_acceleration")
    }
    springs = {key: getattr(full.states, key)[:, :0] for key in ("spring_force", "spring_length")}
    bare = replace(
        full,
        status=Status("failed", "the step became too small", "loosen the tolerance"),
        names=Names(bodies=("a", "b"), guides=(), joints=("j", "k"), springs=()),
        states=replace(full.states, **none, **springs),
        channels={},
    )
    write_results(bare, tmp_path / "r.h5")
    _assert_same(bare, read_results(tmp_path / "r.h5"))


def test_that_special_numbers_survive(make_results: Make, tmp_path: Path) -> None:
    results = make_results(instants=5)
    odd = np.array([0.0, -0.0, 5e-324, 1.7976931348623157e308, -np.pi])
    results = replace(results, energy=replace(results.energy, drag=odd))
    write_results(results, tmp_path / "r.h5")
    _assert_same(results, read_results(tmp_path / "r.h5"))


def test_that_a_channel_name_with_a_lone_dot_keeps_its_place(make_results: Make, tmp_path: Path) -> None:
    results = make_results(instants=5)
    channels = {f"car/{name}/speed": results.channels["car/car 1/speed"] for name in (".", "..", "ü %2E")}
    results = replace(results, channels=channels)
    write_results(results, tmp_path / "r.h5")
    _assert_same(results, read_results(tmp_path / "r.h5"))


def test_that_every_stored_quantity_says_its_unit_frame_and_axes(make_results: Make, tmp_path: Path) -> None:
    assert set(STATES) == {entry.name for entry in fields(States)}
    assert set(VIOLATIONS) == {entry.name for entry in fields(Violations)}
    write_results(make_results(), tmp_path / "r.h5")
    found = []

    def look(name: str, node: h5py.Group | h5py.Dataset) -> None:
        if isinstance(node, h5py.Dataset) and node.dtype == np.float64:
            assert {"unit", "frame", "axes"} <= set(node.attrs), name
            assert len(str(node.attrs["axes"]).split(",")) == node.ndim, name
            found.append(name)

    with h5py.File(tmp_path / "r.h5") as file:
        file.visititems(look)
        # Readable with h5py alone, at the documented place.
        assert file["channels/rider/car 1/rider/head/acceleration"].attrs["unit"] == "g"
        assert file["states/position"].shape == (400, 2, 3)
        assert file.attrs["layout"] == 1
    assert (
        len(found)
        == len(fields(States))
        - len(SELDOM)
        + len(fields(Ledger))
        - len(CONTACT_TERMS)
        + len(fields(Violations))
        + 1
        + 8
        + 2
    )


def test_that_a_minute_of_riding_stays_small(make_results: Make, tmp_path: Path) -> None:
    """Per number stored, so that it holds for any model: smooth signals take less than their 8 bytes."""
    results = make_results(instants=6000, duration=60.0)
    write_results(results, tmp_path / "r.h5")
    arrays = [getattr(results.states, e.name) for e in fields(States)] + [
        c.values for c in results.channels.values()
    ]
    raw = sum(a.nbytes for a in arrays)
    assert (tmp_path / "r.h5").stat().st_size < 0.95 * raw


def test_that_rounding_stays_below_its_step_and_packs_better(make_results: Make, tmp_path: Path) -> None:
    noise = np.random.default_rng(3).standard_normal((6000, 2, 3)) * 1e-11
    results = make_results(instants=6000)
    states = replace(results.states, position=results.states.position + noise, velocity=noise * 1e9)
    results = replace(results, states=states)
    write_results(results, tmp_path / "all")
    write_results(results, tmp_path / "compact", compact=True)
    kept = read_results(tmp_path / "compact")
    steps = {"position": 1e-12, "velocity": 6e-11, "acceleration": 4e-9, "reactions": 1e-6}
    for key, step in steps.items():
        off = np.abs(getattr(kept.states, key) - getattr(results.states, key)).max()
        assert 0.2 * step < off <= 0.5 * step, key
    assert kept.energy.kinetic.tobytes() == results.energy.kinetic.tobytes()
    assert (tmp_path / "compact").stat().st_size < 0.8 * (tmp_path / "all").stat().st_size
    write_results(kept, tmp_path / "again", compact=True)
    _assert_same(read_results(tmp_path / "again"), kept)


def test_that_a_run_with_a_tolerance_is_packed_within_a_tenth_of_it(
    make_results: Make, tmp_path: Path
) -> None:
    n, tolerance = 2 * CHUNK_INSTANTS + 5, 1e-5
    results = make_results(instants=n, duration=60.0)
    t = np.linspace(0.0, 60.0, n)[:, None, None]
    shape = results.states.position.shape
    place = 100.0 * np.sin(t * np.linspace(0.5, 2.0, shape[1] * 3).reshape(shape[1:]))
    forces = 3e4 * np.cos(3.0 * t) * np.ones(results.states.reactions.shape)
    states = replace(results.states, position=place, reactions=forces)
    settings = {"method": "generalized_alpha", "tolerance": tolerance}
    results = replace(results, states=states, provenance={"project": {"settings": settings}})
    write_results(results, tmp_path / "packed.h5", compact=True)
    write_results(results, tmp_path / "all.h5")
    kept = read_results(tmp_path / "packed.h5")
    for key, most in (("position", 0.1 * tolerance), ("reactions", 0.1 * 0.07 * tolerance * 3e4)):
        off = np.abs(getattr(kept.states, key) - getattr(results.states, key)).max()
        assert 0.2 * most < off <= most, key
    with h5py.File(tmp_path / "packed.h5") as file, h5py.File(tmp_path / "all.h5") as plain:
        assert (file.attrs["layout"], plain.attrs["layout"]) == (2, 1)
        stored = file["states/position"]
        size = stored.id.get_storage_size()
        assert size < 0.25 * plain["states/position"].id.get_storage_size()
        # as the guide says that it is read anywhere
        d = stored[()].astype(np.int64)
        d = (d >> 1) ^ -(d & 1)
        assert np.array_equal(stored.attrs["step"] * d.cumsum(0).cumsum(0), kept.states.position)
    write_results(kept, tmp_path / "again.h5", compact=True)
    _assert_same(read_results(tmp_path / "again.h5"), kept)


@pytest.mark.parametrize(
    "layout",
    [
        {
            "chunks": (8192, 1, 1),
            "compression": "gzip",
            "compression_opts": 1,
            "shuffle": True,
        },  # as older versions do
        {"chunks": (100, 1, 1), "compression": "gzip", "compression_opts": 9, "shuffle": True},
        {"chunks": (100, 1, 1), "compression": "gzip", "shuffle": True, "fletcher32": True},
        {"chunks": (100, 2, 3), "compression": "gzip", "shuffle": True},
        {"chunks": (100, 1, 1), "compression": "gzip"},
        {"compression": None},
    ],
)
@pytest.mark.parametrize("kind", ["<u4", "<u8", ">u4"])
def test_that_packed_numbers_are_read_however_they_were_chunked(
    make_results: Make, tmp_path: Path, layout: dict[str, Any], kind: str
) -> None:
    settings = {"method": "generalized_alpha", "tolerance": 1e-5}
    results = make_results(instants=2 * 8192 + 5)
    results = replace(results, provenance={"project": {"settings": settings}})
    write_results(results, tmp_path / "new.h5", compact=True)
    kept = read_results(tmp_path / "new.h5")
    write_results(results, tmp_path / "old.h5", compact=True)
    with h5py.File(tmp_path / "old.h5", "r+") as file:
        group, stored = file["states"], file["states/position"]
        numbers, attributes = stored[()], dict(stored.attrs)
        del group["position"]
        group.create_dataset("position", data=numbers.astype(kind), **layout)
        group["position"].attrs.update(attributes)
    _assert_same(read_results(tmp_path / "old.h5"), kept)


def test_that_a_damaged_chunk_of_packed_numbers_is_refused(make_results: Make, tmp_path: Path) -> None:
    settings = {"method": "generalized_alpha", "tolerance": 1e-5}
    results = replace(make_results(instants=50), provenance={"project": {"settings": settings}})
    for chunk in (b"no deflate", zlib.compress(b"short"), zlib.compress(bytes(4 * 50))[:-9]):
        write_results(results, tmp_path / "r.h5", compact=True)
        with h5py.File(tmp_path / "r.h5", "r+") as file:
            file["states/position"].id.write_direct_chunk((0, 0, 0), chunk)
        with pytest.raises(InputError, match=r"r\.h5"):
            read_results(tmp_path / "r.h5")


@pytest.mark.parametrize("bad", [np.nan, np.inf, 1e300])
def test_that_what_no_step_can_hold_is_stored_as_it_is(
    make_results: Make, tmp_path: Path, bad: float
) -> None:
    results = make_results(instants=50)
    place = results.states.position.copy()
    place[3, 0, 1] = bad
    settings = {"method": "generalized_alpha", "tolerance": 1e-5}
    results = replace(
        results,
        states=replace(results.states, position=place),
        provenance={"project": {"settings": settings}},
    )
    write_results(results, tmp_path / "r.h5", compact=True)
    kept = read_results(tmp_path / "r.h5").states.position
    assert np.array_equal(kept[3, 0, 1], bad, equal_nan=True)
    np.testing.assert_allclose(kept, place, rtol=0.0, atol=1e-12)


def test_that_arrays_longer_than_a_chunk_and_not_in_order_in_memory_come_back(
    make_results: Make, tmp_path: Path
) -> None:
    results = make_results(instants=2 * CHUNK_INSTANTS + 5)
    states = replace(results.states, velocity=np.asfortranarray(results.states.velocity))
    assert not states.velocity.flags.c_contiguous
    write_results(replace(results, states=states), tmp_path / "r.h5")
    _assert_same(results, read_results(tmp_path / "r.h5"))


def test_that_a_file_cut_off_anywhere_is_refused(make_results: Make, tmp_path: Path) -> None:
    write_results(make_results(instants=50, duration=0.2), tmp_path / "r.h5")
    content = (tmp_path / "r.h5").read_bytes()
    for part in np.linspace(0.0, 0.999, 25):
        (tmp_path / "cut.h5").write_bytes(content[: int(part * len(content))])
        with pytest.raises(InputError, match=r"cut\.h5"):
            read_results(tmp_path / "cut.h5")


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda f: f.attrs.__setitem__("format", "other"), "not one of Ridewright's"),
        (lambda f: f.attrs.__setitem__("layout", 99), "newer Ridewright"),
        (lambda f: f.attrs.__delitem__("layout"), "damaged"),
        (lambda f: f.__delitem__("states/velocity"), "damaged"),
        (lambda f: f.__delitem__("status"), "damaged"),
        (lambda f: f["names"].__delitem__("riders"), "damaged"),
        (lambda f: f["status"].attrs.__delitem__("advice"), "damaged"),
        (
            lambda f: (f.__delitem__("energy/drag"), f["energy"].create_dataset("drag", data=[1.0])),
            "instants",
        ),
        (lambda f: (f.__delitem__("sample_time"), f.create_dataset("sample_time", data=[0.0])), "samples"),
        (lambda f: (f.__delitem__("provenance"), f.create_dataset("provenance", data="{")), "damaged"),
        (lambda f: (f.__delitem__("energy/drag"), f["energy"].create_group("drag")), "damaged"),
    ],
)
def test_that_a_damaged_file_is_refused_by_what_is_wrong(
    make_results: Make, tmp_path: Path, damage: Callable[[h5py.File], object], message: str
) -> None:
    write_results(make_results(instants=5), tmp_path / "r.h5")
    with h5py.File(tmp_path / "r.h5", "r+") as file:
        damage(file)
    with pytest.raises(InputError, match=message):
        read_results(tmp_path / "r.h5")


def test_that_a_failed_write_leaves_the_old_file_and_no_rubbish(make_results: Make, tmp_path: Path) -> None:
    results = make_results(instants=5)
    write_results(results, tmp_path / "r.h5")
    before = (tmp_path / "r.h5").read_bytes()
    broken = replace(results, channels={"odd": Channel(np.array(["text"] * 5), "1", "-", "")})
    with pytest.raises(ValueError, match="text"):
        write_results(broken, tmp_path / "r.h5")
    assert (tmp_path / "r.h5").read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == ["r.h5"]
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(InputError, match="cannot be written"):
        write_results(results, tmp_path / "file" / "r.h5")


@pytest.mark.parametrize("room", [0, 2000, 20000])
def test_that_a_full_disk_is_said_and_the_program_lives_on(
    make_results: Make, tmp_path: Path, room: int
) -> None:
    resource = pytest.importorskip("resource")
    results = make_results()
    write_results(results, tmp_path / "whole.h5")
    assert (tmp_path / "whole.h5").stat().st_size > room
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (room, limits[1]))  # what a full disk does, here alone
    try:
        with pytest.raises(InputError, match="cannot be written"):
            write_results(results, tmp_path / "results.h5")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert [file.name for file in tmp_path.iterdir()] == ["whole.h5"]


def test_that_a_link_stays_and_what_it_leads_to_is_replaced(make_results: Make, tmp_path: Path) -> None:
    (tmp_path / "kept").mkdir()
    there = tmp_path / "kept" / "results.h5"
    link = tmp_path / "results.h5"
    link.symlink_to(there)
    for _ in range(2):  # also when there is nothing yet where it leads to
        write_results(make_results(), link)
        assert link.is_symlink()
        assert not there.is_symlink()
        read_results(there)
