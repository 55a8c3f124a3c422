"""A kind of joint, of driver and of coupling, each in one file of the developer's pages, is all over the program:
checks, schema, menu, inspector, run, plots and report."""

from __future__ import annotations

import json
import math
import os
import re
import subprocess
import sys
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np
import pytest

GUIDE = Path(str(resources.files("ridewright.resources"))) / "guide" / "developing"
EXERCISE = re.compile(r"Save this as\s`core/model/([\w/]+\.py)`:\n\n```python\n(.*?)```", re.DOTALL)


def exercises() -> dict[str, str]:
    """The kinds that the developer's pages make up: files by their places in core/model."""
    pages = [(GUIDE / f"{name}.md").read_text(encoding="utf-8") for name in ("joints", "couplings")]
    return {place: code for page in pages for place, code in EXERCISE.findall(page)}


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Any:
    folder: Path = tmp_path_factory.mktemp("kinds")
    files = exercises()
    assert set(files) == {"joints/planar.py", "drivers/diagonal.py", "couplings/tether.py"}
    for name, text in files.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    script = Path(__file__).with_name("made_up_kinds.py")
    made = subprocess.run(
        [sys.executable, str(script), str(folder)],
        capture_output=True, text=True, check=False, env={**os.environ, "QT_QPA_PLATFORM": "offscreen"},
    )  # fmt: skip
    assert made.returncode == 0, made.stderr
    return json.loads(made.stdout.splitlines()[-1])


def test_that_a_joint_in_one_file_is_described_checked_and_offered(told: Any) -> None:
    assert told["same"]
    assert '"planar"' in told["schema"]
    assert '"clearance"' in told["schema"]
    assert "is planar and needs axis_i and axis_j" in told["faults"][0]
    assert "is spherical and has no clearance; only a planar joint has one" in told["faults"][1]
    assert "joint 'Plane': its point is drawn 0.2 m off its plane." in told["faults"]
    assert "Add planar joint" in told["studio"]["menu"]
    page = told["studio"]["pages"]["Plane"]
    assert page["about"] == "planar joint"
    assert "planar" in page["fields"]["Kind"]
    assert {"Axis in the first body", "Clearance"} <= set(page["fields"])


def test_that_a_joint_in_one_file_moves_is_plotted_and_reported(told: Any) -> None:
    run = told["plates"]
    assert run["status"] == "done"
    assert run["redundant"] == []
    thrown = run["names"].index("Thrown")
    assert run["position"][thrown] == pytest.approx([0.8, 0.4, 0.3], abs=1e-9)
    assert run["turned"][thrown] == pytest.approx(1.6, abs=1e-9)
    assert run["violation"] < 1e-9
    # the plane carries the weight; the reaction is told on the first body, the ground
    assert run["reaction"][0] == pytest.approx([0.0, 0.0, -2.0 * 9.81], abs=1e-8)
    assert {"joint/Plane/force", "spring/Hand/length"} <= set(run["signals"])
    assert "planar" in run["report"]


def test_that_a_driver_in_one_file_drives(told: Any) -> None:
    assert '"diagonal"' in told["schema"]
    assert "driver 'Pull' drives body 'Nobody', which does not exist" in told["faults"][2]
    assert "diagonal" in told["studio"]["pages"]["Pull"]["fields"]["Coordinate"]
    run = told["plates"]
    x, y, z = run["position"][run["names"].index("Driven")]
    assert (x - 5.0 + y - 1.0) / math.sqrt(2.0) == pytest.approx(0.7 * 0.8, abs=1e-9)
    assert z == pytest.approx(0.3, abs=1e-9)
    assert "Pull (diagonal of Driven)" in run["report"]


def test_that_a_coupling_in_one_file_is_described_offered_and_drawn(told: Any) -> None:
    assert '"tether"' in told["schema"]
    assert "Join the cars by tether" in told["train_studio"]["menu"]
    page = told["train_studio"]["pages"]["Coupling 1"]
    assert page["about"] == "tether"
    assert {"Body of one car", "Rated force", "Stiffness of the tether"} <= set(page["fields"])
    assert page["law"] == 1
    assert set(told["drawn"]) == {"bar"}


def test_that_a_coupling_in_one_file_pulls_is_plotted_and_reported(told: Any) -> None:
    run = told["train"]
    force, stretch, extension = (
        np.array(run["channels"][f"coupling/Coupling 1/{name}"]) for name in ("force", "stretch", "extension")
    )
    assert np.abs(force).max() > 1e3
    assert force == pytest.approx(2e5 * stretch, abs=1e-6)
    assert extension == pytest.approx(stretch, abs=1e-4)
    assert "coupling/Coupling 1/stretch" in run["signals"]
    assert "tether" in run["report"]
