"""Bad input of every kind: exit code 2, one sentence on stderr, nothing on stdout, never a traceback."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import h5py
import numpy as np
import pytest

from ridewright.core.cli import main
from ridewright.core.results.file import write_results

HERE = Path(__file__).parents[1] / "damaged"
RIDE = str(HERE / "ride.ridewright")


def _load_damage():
    spec = importlib.util.spec_from_file_location("damage", HERE / "damage.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


PROJECTS = _load_damage().project_texts()

HEADER = "t,ax,ay,az\n"
GOOD_ROWS = "".join(f"{k / 1000},0.1,0.2,{1.0 + 0.01 * k % 1}\n" for k in range(200))
RECORDS = {
    "empty": b"",
    "blank": b"\n\n \n",
    "header only": HEADER.encode(),
    "one row": (HEADER + "0,0,0,1\n").encode(),
    "two columns": b"t,ax\n0,1\n1,2\n",
    "text for a number": (HEADER + GOOD_ROWS.replace("0.005,0.1", "0.005,fast")).encode(),
    "not a number": (HEADER + GOOD_ROWS.replace("0.005,0.1", "0.005,nan")).encode(),
    "infinity": (HEADER + GOOD_ROWS.replace("0.005,0.1", "0.005,inf")).encode(),
    "empty cell": (HEADER + GOOD_ROWS.replace("0.005,0.1", "0.005,")).encode(),
    "missing cell": (HEADER + GOOD_ROWS.replace("0.005,0.1,", "0.005,")).encode(),
    "extra cell": (HEADER + GOOD_ROWS.replace("0.005,0.1,", "0.005,0.1,7,")).encode(),
    "time runs back": (HEADER + GOOD_ROWS.replace("0.005,0.1", "0.001,0.1")).encode(),
    "time stands still": (HEADER + GOOD_ROWS.replace("0.005,0.1", "0.004,0.1")).encode(),
    "beyond belief": (HEADER + GOOD_ROWS.replace("0.005,0.1", "0.005,1e9")).encode(),
    "no time column": (GOOD_ROWS.join(["ax,ay,az,temperature\n", ""])).encode(),
    "doubled column": (GOOD_ROWS.join(["t,ax,ax,az\n", ""])).encode(),
    "random bytes": np.random.default_rng(5).bytes(4000),
    "zeros": bytes(4000),
    "web page": b"<!doctype html>\n<html><body>404</body></html>\n",
    "json": b'{"t": [0, 1], "ax": [0, 1]}\n',
    "project": Path(RIDE).read_bytes(),
    "unit in doubt": (HEADER + "".join(f"{k / 1000},0,0,4\n" for k in range(200))).encode(),
}

NL2_ROW = "{k}\t{x}\t2.0\t0.0\t1\t0\t0\t0\t0\t-1\t0\t1\t0\n"
NL2 = "".join(NL2_ROW.format(k=k, x=0.5 * k) for k in range(40))
TRACKS = {
    "empty": b"",
    "header only": b'"No."\t"PosX"\t"PosY"\n',
    "few rows": "".join(NL2.splitlines(keepends=True)[:3]).encode(),
    "text for a number": NL2.replace("\t2.5\t", "\tfar\t").encode(),
    "not a number": NL2.replace("\t2.5\t", "\tnan\t").encode(),
    "beyond the horizon": NL2.replace("\t2.5\t", "\t1e12\t").encode(),
    "missing cell": NL2.replace("\t2.5\t2.0", "\t2.0").encode(),
    "extra cell": NL2.replace("\t2.5\t", "\t2.5\t2.5\t").encode(),
    "all in one point": "".join(NL2_ROW.format(k=k, x=1.0) for k in range(40)).encode(),
    "one vector missing": NL2.replace(
        "2.5\t2.0\t0.0\t1\t0\t0\t0\t0\t-1\t0\t1\t0", "2.5\t2.0" + "\t0" * 10
    ).encode(),
    "random bytes": np.random.default_rng(6).bytes(4000),
    "zeros": bytes(4000),
    "web page": b"<!doctype html>\n<html><body>404</body></html>\n",
    "measured record": (HEADER + GOOD_ROWS).encode(),
    "project": Path(RIDE).read_bytes(),
    "rows with n along b": b"0 0 0 0 1 0 0 1 0\n" * 8,
    "rows with a word": b"0 0 0 0 1 0 0 0 1\n" * 8 + b"1 0 0 0 1 0 0 0 up\n",
}

OPTIONS: list[list[str]] = [
    [],
    ["fly"],
    ["simulate"],
    ["simulate", RIDE],
    ["simulate", RIDE, "--out"],
    ["simulate", RIDE, "--out", "{tmp}/o", "--fast"],
    *(
        ["simulate", RIDE, "--out", "{tmp}/o", "--duration", text]
        for text in ("soon", "-1", "0", "nan", "inf", "1e9", "")
    ),
    *(
        ["simulate", RIDE, "--out", "{tmp}/o", "--set", text]
        for text in (
            "scenario",
            "=",
            "=3",
            "scenario.=3",
            ".speed=3",
            "scenario.sped=3",
            "scenario.speed.x=3",
            "scenario.speed=fast",
            "scenario.speed=[1]",
            "train.cars.7.name=x",
            "train.children.x.name=x",
            "train.cars.0.bodies.0.mass=-1",
            "train.cars.0.bodies.0.mass=1e400",
            "train.children=[]",
            "track=null",
            "settings.tolerance=" + "[" * 5000,
            "version=3",
        )
    ),
    ["simulate", "{tmp}/none.ridewright", "--out", "{tmp}/o"],
    ["simulate", "{tmp}", "--out", "{tmp}/o"],
    ["simulate", RIDE, "--out", RIDE],
    ["simulate", RIDE, "--out", "{tmp}/" + "x" * 300],
    ["check"],
    ["check", "{tmp}/none.ridewright"],
    ["check", "{tmp}"],
    ["check", ""],
    ["check", "nul\0byte"],
    ["check", RIDE, "--jason"],
    ["info", "{tmp}/none.h5"],
    ["info", "{tmp}"],
    ["info", RIDE],
    ["criteria", "{tmp}/none.csv"],
    ["criteria", "{tmp}"],
    ["criteria", RIDE, "--unit", "furlong"],
    ["import-track", "{tmp}/none.csv", "--out", "{tmp}/p.ridewright"],
    ["import-track", "{tmp}", "--out", "{tmp}/p.ridewright"],
    ["import-track", RIDE, "--out", "{tmp}/p.ridewright", "--open", "--closed"],
    ["export-table", RIDE, "--out", "{tmp}/t.txt", "--step", "small"],
    ["export-table", RIDE, "--out", "{tmp}/t.txt", "--step", "0"],
    ["export-table", RIDE, "--out", "{tmp}/t.txt", "--step", "nan"],
    ["export-table", RIDE, "--out", "{tmp}/t.txt", "--step", "1e9"],
    ["export-table", str(HERE / "rig.ridewright"), "--out", "{tmp}/t.txt"],
    ["example", "no such ride", "--out", "{tmp}/p.ridewright"],
]


def _refused(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    code = main(arguments)
    shown = capsys.readouterr()
    assert code == 2, f"exit code {code}: {shown.err}"
    assert shown.out == ""
    assert shown.err.startswith("ridewright: ")
    assert shown.err.endswith("\n")
    assert len(shown.err.splitlines()) == 1
    assert "Traceback" not in shown.err
    assert len(shown.err) < 800
    return shown.err


@pytest.fixture(autouse=True)
def _no_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever gets through to the engine must have been refused before: make that visible."""
    monkeypatch.setitem(sys.modules, "ridewright.core.run.simulate", None)


def test_that_there_are_more_than_two_hundred_cases() -> None:
    names = [name for name, _ in PROJECTS]
    assert len(set(names)) == len(names)
    assert len({text for _, text in PROJECTS}) > 0.97 * len(names)
    assert len(names) + len(RECORDS) + len(TRACKS) + len(OPTIONS) > 700


@pytest.mark.parametrize(("name", "text"), PROJECTS, ids=[name for name, _ in PROJECTS])
def test_that_a_damaged_project_is_refused(name: str, text: str, tmp_path: Path, capsys) -> None:
    file = tmp_path / "damaged.ridewright"
    file.write_text(text, encoding="utf-8", errors="surrogatepass")
    assert "damaged.ridewright" in _refused(["check", str(file)], capsys) or name in OF_THE_TRACK


# Refused when the track is built, where the place is the point and no longer the file.
OF_THE_TRACK = (
    "ride: track of one point",
    "ride: points on top of each other",
    "ride: straight of no length",
)


# One bad row of two hundred is left out, and said.
LEFT_OUT = (
    "empty cell", "extra cell", "infinity", "missing cell", "not a number", "text for a number", "time runs back",
    "time stands still",
)  # fmt: skip


@pytest.mark.parametrize("name", LEFT_OUT)
def test_that_a_bad_row_of_a_record_is_left_out_and_said(name: str, tmp_path: Path, capsys) -> None:
    (tmp_path / "record.csv").write_bytes(RECORDS[name])
    assert main(["criteria", str(tmp_path / "record.csv")]) == 0
    assert "WARNING: 1 of 200 rows left out" in capsys.readouterr().out


@pytest.mark.parametrize("name", sorted(set(RECORDS) - set(LEFT_OUT)))
def test_that_a_damaged_record_is_refused(name: str, tmp_path: Path, capsys) -> None:
    (tmp_path / "record.csv").write_bytes(RECORDS[name])
    assert "record.csv" in _refused(["criteria", str(tmp_path / "record.csv")], capsys)


def test_that_the_records_are_damaged_by_nothing_else(tmp_path: Path, capsys) -> None:
    (tmp_path / "record.csv").write_text(HEADER + GOOD_ROWS)
    assert main(["criteria", str(tmp_path / "record.csv")]) == 0


@pytest.mark.parametrize("name", sorted(TRACKS))
def test_that_a_damaged_track_file_is_refused(name: str, tmp_path: Path, capsys) -> None:
    (tmp_path / "track.csv").write_bytes(TRACKS[name])
    target = tmp_path / "p.ridewright"
    _refused(["import-track", str(tmp_path / "track.csv"), "--out", str(target)], capsys)
    assert not target.exists()


def test_that_the_track_files_are_damaged_by_nothing_else(tmp_path: Path, capsys) -> None:
    (tmp_path / "track.csv").write_text(NL2)
    assert main(["import-track", str(tmp_path / "track.csv"), "--out", str(tmp_path / "p.ridewright")]) == 0


@pytest.mark.parametrize("arguments", OPTIONS, ids=[" ".join(a)[-60:].replace("\0", "0") for a in OPTIONS])
def test_that_a_wrong_command_line_is_refused(arguments: list[str], tmp_path: Path, capsys) -> None:
    _refused([a.replace("{tmp}", str(tmp_path)) for a in arguments], capsys)
    assert not list(tmp_path.glob("*.ridewright"))
    assert not list(tmp_path.glob("t*.txt"))


BINARY: dict[str, Callable[[bytes], bytes]] = {
    "empty": lambda sound: b"",
    "zeros": lambda sound: bytes(1000),
    "random bytes": lambda sound: np.random.default_rng(7).bytes(5000),
    "first half": lambda sound: sound[: len(sound) // 2],
    "second half": lambda sound: sound[len(sound) // 2 :],
    "one byte short": lambda sound: sound[:-1],
    "overwritten in the middle": lambda sound: sound[:2000] + bytes(6000) + sound[8000:],
}


@pytest.mark.parametrize("name", sorted(BINARY))
def test_that_a_damaged_results_file_is_refused(name: str, make_results, tmp_path: Path, capsys) -> None:
    write_results(make_results(instants=40, duration=0.1), tmp_path / "results.h5")
    (tmp_path / "results.h5").write_bytes(BINARY[name]((tmp_path / "results.h5").read_bytes()))
    assert "results.h5" in _refused(["info", str(tmp_path / "results.h5")], capsys)


def test_that_a_foreign_hdf5_file_is_refused(tmp_path: Path, capsys) -> None:
    with h5py.File(tmp_path / "other.h5", "w") as file:
        file["data"] = [1.0, 2.0]
    assert "other.h5" in _refused(["info", str(tmp_path / "other.h5")], capsys)
    assert "not valid JSON" in _refused(["check", str(HERE / "damage.py")], capsys)
    assert "not a text file" in _refused(["check", str(tmp_path / "other.h5")], capsys)


@pytest.mark.parametrize(
    "arguments",
    [
        ["check", "{tmp}/cut.ridewright"],
        ["simulate", "{tmp}/cut.ridewright", "--out", "{tmp}/out"],
        ["info", "{tmp}/cut.ridewright"],
        ["criteria", "{tmp}/cut.ridewright"],
        ["fly"],
    ],
    ids=lambda arguments: arguments[0],
)
def test_that_the_installed_command_refuses_in_the_same_way(arguments: list[str], tmp_path: Path) -> None:
    (tmp_path / "cut.ridewright").write_text(Path(RIDE).read_text()[:700])
    command = [
        sys.executable,
        "-m",
        "ridewright.core.cli",
        *(a.replace("{tmp}", str(tmp_path)) for a in arguments),
    ]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 2
    assert done.stdout == ""
    assert len(done.stderr.splitlines()) == 1
    assert done.stderr.startswith("ridewright: ")


def test_that_a_reader_who_has_seen_enough_causes_no_complaint() -> None:
    command = f"{sys.executable} -m ridewright.core.cli schema | head -c 20"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, timeout=300, check=False)
    assert len(done.stdout) == 20
    assert done.stderr == ""
