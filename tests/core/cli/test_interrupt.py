"""Ctrl-C during a real run in a process of its own: what was ridden is kept, and can be read."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np

from ridewright.core.results.file import read_results

RIG = Path(__file__).parents[1] / "damaged" / "rig.ridewright"
HOURS = "7200"


def test_that_an_interrupted_run_leaves_a_readable_results_file(tmp_path: Path) -> None:
    command = [
        sys.executable,
        "-m",
        "ridewright.core.cli",
        "simulate",
        str(RIG),
        "--out",
        str(tmp_path),
        "--duration",
        HOURS,
    ]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            # The first progress line says that the run is on its way.
            first = process.stderr.readline()
            process.send_signal(signal.SIGINT)
            out, err = process.communicate(timeout=300)
        except BaseException:
            process.kill()
            raise
    assert first.startswith("ridewright: t = "), first + err
    assert process.returncode == 1, err
    assert "Traceback" not in err
    results = read_results(tmp_path / "results.h5")
    assert results.status.name == "stopped"
    assert 0.0 < results.states.time[-1] < float(HOURS)
    assert np.isfinite(results.states.position).all()
    summary = json.loads((tmp_path / "summary.json").read_text())
    assert summary["status"]["complete"] is False
    assert summary["time"]["end"] == results.states.time[-1]
    assert "stopped" in out
    assert {path.name for path in tmp_path.iterdir()} == {"results.h5", "summary.json"}
