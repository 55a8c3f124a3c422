"""Damaged inputs of every kind, by night new ones at every run.

See `tests/core/damaged/fuzz.py`, also for doing one again.
"""

from __future__ import annotations

import importlib.util
import os
import random
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

PLACE = Path(__file__).parents[1] / "damaged" / "fuzz.py"
FEW, MANY, PARTS = 12, 10_000, 20


def _fuzz() -> ModuleType:
    spec = importlib.util.spec_from_file_location("fuzz", PLACE)
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules["fuzz"] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _all_end_well(count: int, first: int | None = None) -> None:
    """In a process of its own: a case is forked, and what this one has grown to by other tests would count as its."""
    begin = os.environ.get("RIDEWRIGHT_FUZZ", first)
    line = [sys.executable, str(PLACE), "--count", str(count)]
    found = subprocess.run(
        line if begin is None else [*line, "--first", str(begin)], capture_output=True, text=True, check=False
    )
    assert found.returncode == 0, f"(do one again: --only)\n{found.stdout}\n{found.stderr[-2000:]}"
    assert f"0 of {count} wrong" in found.stdout


def test_that_damaged_inputs_end_with_a_sentence() -> None:
    """The same ones every day: a run that fails says something of what was changed."""
    _all_end_well(FEW, first=1)


def test_that_a_case_is_the_same_again(tmp_path: Path) -> None:
    fuzz = _fuzz()
    sound, files = tmp_path / "sound", []
    sound.mkdir()
    for name in ("ride.ridewright", "rig.ridewright"):
        (sound / name).write_bytes((PLACE.parent / name).read_bytes())
    (sound / "record.csv").write_text("t,ax,ay,az\n" + "".join(f"{k},0,0,1\n" for k in range(50)))
    seed = next(n for n in range(1000) if random.Random(n).random() < 0.34)
    for _ in range(2):
        folder = tmp_path / "case"
        folder.mkdir()
        line = fuzz.case(seed, sound, folder)
        files.append((line, {path.name: path.read_bytes() for path in folder.iterdir()}))
        for path in folder.iterdir():
            path.unlink()
        folder.rmdir()
    assert files[0] == files[1]


def test_that_what_is_wrong_is_seen() -> None:
    fuzz = _fuzz()
    sentence = "ridewright: the file is empty."
    assert fuzz._fault(2, 1.0, 10**8, sentence) == ""
    assert fuzz._fault(0, 1.0, 10**8, "") == ""
    wrong = [(3, 1.0, 10**8, sentence), (-11, 1.0, 10**8, ""), (2, 61.0, 10**8, sentence),
             (2, 1.0, 3 * 10**9, sentence), (2, 1.0, 10**8, ""), (1, 1.0, 10**8, "Traceback (most recent call last)"),
             (2, 1.0, 10**8, "ridewright: Unable to synchronously open object")]  # fmt: skip
    assert all(fuzz._fault(*outcome) for outcome in wrong)


@pytest.mark.nightly
@pytest.mark.parametrize("part", range(PARTS))
def test_that_ten_thousand_damaged_inputs_end_with_a_sentence(part: int) -> None:
    _all_end_well(MANY // PARTS)
