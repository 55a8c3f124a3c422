"""Peaks that contacts caused from the command line: a rider alone on the seat's motion."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from ridewright.core.cli.program import main
from ridewright.core.results.file import write_results
from tests.core.outcome.test_contact_peaks import fallen


def test_that_a_rider_rides_again_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    write_results(fallen(), stored := tmp_path / "results.h5")
    monkeypatch.setattr("ridewright.core.outcome.contact_stiffness.LIGHT", 0)  # as of many riders
    assert main(["contact-peaks", str(stored), "--json"]) == 0
    told = capsys.readouterr()
    peaks = json.loads(told.out)["peaks"]
    assert len(peaks) > 10
    for one in peaks:
        assert one["holds"]
        assert one["again"]["value"] == pytest.approx(
            one["result"]["value"], abs=0.02 * one["result"]["limit"]
        )
        assert one["half"]["value"] is not None
    said = told.err.splitlines()
    assert len(said) == len(set(said))  # each ride once
    assert said[0] == "ridewright: Rider: as it was"


def test_that_a_rider_alone_that_misses_the_run_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    write_results(fallen(), stored := tmp_path / "results.h5")
    monkeypatch.setattr("ridewright.core.outcome.contact_stiffness.LIGHT", 0)
    monkeypatch.setattr("ridewright.core.outcome.contact_stiffness.OFF", -1.0)
    assert main(["contact-peaks", str(stored)]) == 0
    out = capsys.readouterr().out
    assert re.search(r"not repeated +not repeated", out)
    assert out.rstrip().endswith("with nothing changed; see --whole.")
