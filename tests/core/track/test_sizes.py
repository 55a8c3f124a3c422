"""Small files that ask for a large machine are refused before any work is done, with the number in the sentence."""

from __future__ import annotations

import json
import resource
import time

import numpy as np
import pytest

from ridewright.core.base.errors import InputError
from ridewright.core.exchange import import_track
from ridewright.core.exchange.thesis_table import table_text
from ridewright.core.injury.measured import conditioned, read_accelerometer_csv
from ridewright.core.project.examples import example_path
from ridewright.core.project.project import load_project

MEMORY = 400_000  # kB that a refusal may take
SECONDS = 20.0


def element(places) -> str:
    vertices = "".join(f"<vertex><x>{x}</x><y>{y}</y><z>{z}</z></vertex>" for x, y, z in places)
    return f"<root><element><description>far</description>{vertices}</element></root>"


def refused(path, action, words: str) -> None:
    before, start = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, time.process_time()
    with pytest.raises(InputError, match=words) as caught:
        action(path)
    assert "\n" not in str(caught.value)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < MEMORY
    assert time.process_time() - start < SECONDS


def test_that_a_vertex_that_is_far_off_is_refused(tmp_path):
    path = tmp_path / "far.nl2elem"
    places = [(10.0 * k, 5.0, 2.0 * (k % 3)) for k in range(60)]
    places[30] = (9.9e5, 0.0, 0.0)
    path.write_text(element(places), encoding="utf-8")
    assert path.stat().st_size < 10_000
    refused(path, import_track, "1980 km apart")


@pytest.mark.parametrize("rate", [120_000.0, 500_000.0])
def test_that_a_record_of_an_impossible_rate_is_refused(tmp_path, rate):
    path = tmp_path / "fast.csv"
    t = np.arange(325) / rate
    path.write_text("t,ax (g),ay (g),az (g)\n" + "".join(f"{x:.9f},0,0,1\n" for x in t), encoding="utf-8")
    refused(path, read_accelerometer_csv, "325 rows.*samples per second.*state the unit of time")


def test_that_a_record_is_not_resampled_beyond_all_bounds(tmp_path):
    path = tmp_path / "long.csv"
    path.write_text(
        "t,ax (g),ay (g),az (g)\n" + "".join(f"{k * 10},0,0,1\n" for k in range(600)), encoding="utf-8"
    )
    refused(path, lambda p: conditioned(read_accelerometer_csv(p), rate=20_000.0), "would give")


def test_that_a_table_of_too_many_rows_is_refused(tmp_path):
    k = np.arange(120_000)
    nine = tmp_path / "table.txt"
    np.savetxt(
        nine,
        np.column_stack([k * 0.1, 0 * k, 0 * k, 0 * k, 0 * k, 1 + 0 * k, 0 * k, 1 + 0 * k, 0 * k]),
        fmt="%g",
    )
    refused(nine, import_track, "more than 100000 rows|120000 rows")
    nolimits = tmp_path / "spline.csv"
    with nolimits.open("w", encoding="utf-8") as file:
        file.write("No.\tPosX\tPosY\tPosZ\tFrontX\tFrontY\tFrontZ\tLeftX\tLeftY\tLeftZ\tUpX\tUpY\tUpZ\n")
        file.writelines(f"{i}\t{i / 10}\t0\t0\t1\t0\t0\t0\t0\t1\t0\t1\t0\n" for i in k)
    refused(nolimits, import_track, "120000")


def test_that_a_project_of_too_many_points_or_bytes_is_refused(tmp_path):
    data = json.loads(example_path("looping_star").read_text(encoding="utf-8"))
    for section in data["track"]["sections"]:
        if "points" in section:
            section["points"] = section["points"][:1] * 100_001
    path = tmp_path / "points.ridewright"
    path.write_text(json.dumps(data), encoding="utf-8")
    refused(path, load_project, "at most 100000 entries|larger than")
    path.write_bytes(b" " * 33_000_000)
    refused(path, load_project, "larger than 32 MB")


def test_that_the_table_of_a_rail_is_refused_by_its_name(tmp_path):
    path = tmp_path / "rail.txt"
    path.write_text(table_text(np.ones((50, 37))), encoding="utf-8")
    for said in (None, "table", "nl2"):
        refused(
            path, lambda file, said=said: import_track(file, format_id=said), "37-column table of one rail"
        )
