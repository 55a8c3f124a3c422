"""Arrays that stay in their file until somebody asks for them: the same numbers, each read once."""

from __future__ import annotations

import json
import os
import pickle
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import fields, replace
from pathlib import Path

import h5py
import numpy as np
import pytest

from ridewright.core.base.errors import InputError
from ridewright.core.cli.program import main
from ridewright.core.project.examples import load_example
from ridewright.core.results import file as results_file
from ridewright.core.results.file import open_results, read_results, write_results
from ridewright.core.results.results import Channel, Results, States
from ridewright.core.results.unread import UnreadChannel, UnreadStates, read_rest, read_signals

Make = Callable[..., Results]
HEAD = "rider/car 1/rider/head/acceleration"
SETTINGS = {"method": "generalized_alpha", "tolerance": 1e-5}


@pytest.fixture
def there(make_results: Make, tmp_path: Path) -> Path:
    """A file with packed arrays."""
    results = replace(make_results(instants=50), provenance={"project": {"settings": SETTINGS}})
    write_results(results, tmp_path / "r.h5", compact=True)
    return tmp_path / "r.h5"


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The places in the file of the arrays that have been read, in their order."""
    found: list[str] = []
    array = results_file._array

    def noted(data: h5py.Dataset) -> np.ndarray:
        found.append(data.name)
        time.sleep(0.02)  # so that others ask meanwhile
        return array(data)

    monkeypatch.setattr(results_file, "_array", noted)
    return found


def test_that_what_is_read_when_it_is_asked_for_is_what_is_read_at_once(there: Path, read: list[str]) -> None:
    whole = read_results(there)
    assert type(whole.states) is States
    assert {type(channel) for channel in whole.channels.values()} == {Channel}
    read.clear()
    later = open_results(there)
    assert isinstance(later.states, States)
    assert not {"/states/position", f"/channels/{HEAD}"} & set(read)
    assert later.channels[HEAD].shape == whole.channels[HEAD].shape
    assert repr(later.channels[HEAD]) == repr(whole.channels[HEAD])
    assert f"/channels/{HEAD}" not in read
    with ThreadPoolExecutor(8) as several:
        asked = list(several.map(lambda _: later.states.position, range(32)))
    assert all(one is asked[0] for one in asked)
    assert read.count("/states/position") == 1
    for entry in fields(States):
        assert getattr(later.states, entry.name).tobytes() == getattr(whole.states, entry.name).tobytes()
        assert getattr(later.states, entry.name).shape == getattr(whole.states, entry.name).shape
    for name, channel in whole.channels.items():
        assert later.channels[name].values.tobytes() == channel.values.tobytes()
    assert len(read) == len(set(read))
    with pytest.raises(AttributeError, match="States has no 'elsewhere'"):
        later.states.elsewhere  # noqa: B018


def test_that_the_file_is_let_go_of_when_all_is_read(there: Path) -> None:
    results = open_results(there)
    with pytest.raises(OSError, match=r"lock|open"), h5py.File(there, "r+"):
        pass
    for _ in read_rest(results):
        pass
    with h5py.File(there, "r+") as file:
        assert "states" in file
    open_results(there)
    h5py.File(there, "r+").close()


@pytest.mark.skipif(os.name == "nt", reason="a file that is open stays where it is")
def test_that_a_file_that_is_written_anew_or_moved_meanwhile_keeps_what_it_had(there: Path) -> None:
    whole = read_results(there)
    results = open_results(there)
    write_results(replace(whole, states=replace(whole.states, velocity=0.0 * whole.states.velocity)), there)
    there.rename(there.with_name("elsewhere.h5"))
    assert results.states.velocity.tobytes() == whole.states.velocity.tobytes()
    write_results(results, there, compact=True)
    assert read_results(there).states.reactions.tobytes() == whole.states.reactions.tobytes()


def test_that_damage_is_told_to_who_asks_for_it_and_to_no_other(there: Path) -> None:
    whole = read_results(there)
    with h5py.File(there, "r+") as file:
        file["states/velocity"].id.write_direct_chunk((0, 0, 0), b"no deflate")
    with pytest.raises(InputError, match=r"r\.h5"):
        read_results(there)
    results = open_results(there)
    assert results.states.position.tobytes() == whole.states.position.tobytes()
    for _ in range(2):
        with pytest.raises(InputError, match=r"r\.h5: not a results file, or cut off"):
            results.states.velocity  # noqa: B018
    with pytest.raises(InputError, match=r"r\.h5"):
        list(read_rest(results))


@pytest.mark.parametrize(("place", "shape"), [("states/velocity", (49, 2, 3)), (f"channels/{HEAD}", (3,))])
def test_that_arrays_of_wrong_lengths_are_refused_before_they_are_read(
    there: Path, read: list[str], place: str, shape: tuple[int, ...]
) -> None:
    with h5py.File(there, "r+") as file:
        attributes = dict(file[place].attrs)
        del file[place]
        file.create_dataset(place, data=np.zeros(shape)).attrs.update(attributes)
    with pytest.raises(InputError, match="damaged results file"):
        open_results(there)
    assert f"/{place}" not in read


def test_that_copies_hold_everything(there: Path) -> None:
    whole, later = read_results(there), open_results(there)
    assert isinstance(later.states, UnreadStates)
    assert isinstance(later.channels[HEAD], UnreadChannel)
    for states in (pickle.loads(pickle.dumps(later.states)), replace(later.states, time=whole.states.time)):
        assert states.reactions.tobytes() == whole.states.reactions.tobytes()
    sent = pickle.loads(pickle.dumps(later.channels[HEAD]))
    assert type(sent) is Channel
    assert sent.values.tobytes() == whole.channels[HEAD].values.tobytes()


def test_that_commands_read_every_signal_and_only_the_states_they_name(there: Path, read: list[str]) -> None:
    results = open_results(there)
    read_signals(results, "position")
    assert {name for name in read if name.startswith("/channels")} == {
        f"/channels/{n}" for n in results.channels
    }
    assert "/states/position" in read
    assert "/states/reactions" not in read


def test_that_a_report_and_seats_of_a_file_with_a_damaged_signal_are_refused(
    there: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with h5py.File(there, "r+") as file:
        data = file["provenance"]
        kept = json.loads(data[()])
        kept["project"] = load_example("looping_star").model_dump(mode="json") | {
            "settings": kept["project"]["settings"]
        }
        data[()] = json.dumps(kept)
        file[f"channels/{HEAD}"].id.write_direct_chunk((0, 0), b"no deflate")
    for command in (["report", str(there), "--no-pdf", "--html"], ["seats", str(there)]):
        assert main(command) != 0
        assert "r.h5: not a results file, or cut off" in capsys.readouterr().err
    assert not there.with_name("report.html").exists()
