"""The developer's pages are true: files they name exist, and the exercise works as written."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from importlib import resources
from pathlib import Path

import pytest

PAGES = sorted((Path(str(resources.files("ridewright.resources"))) / "guide" / "developing").glob("*.md"))
ROOT = Path(__file__).parents[2]
PLACE = re.compile(r"`((?:core|app|tests|tools|resources)/[\w./-]*|pyproject\.toml|CHANGELOG\.md)")
RIDE = """
import json
from ridewright.core.model.assembly import Assembly
from ridewright.core.model.bodies import Body
from ridewright.core.model.forces import TYPES
from ridewright.core.project.project import Project
from ridewright.core.project.scenario import Rig
from ridewright.core.run.simulate import simulate
body = Body(name="Mass", mass=2.0, inertia=(1, 1, 1), position=(1.5, 0, 0))
made = TYPES["cubic_spring"]
spring = made.model(name="s", body_i="ground", body_j="Mass", stiffness=800.0, free_length=1.0)
rig = Rig(assembly=Assembly(name="Rig", role="rig", bodies=(body,), forces=(spring,)), duration=0.5)
run = simulate(Project(name="cubic", gravity=(0, 0, 0), scenario=rig))
print(json.dumps([made.word, float(run.states.velocity[:, 0, 0].min()), float(abs(run.energy.residual).max())]))
"""


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_that_every_file_a_page_names_exists(page: Path) -> None:
    text = re.sub(r"Save this as `[^`]*`", "", page.read_text(encoding="utf-8"))
    named = {name.rstrip("/.") for name in PLACE.findall(text)}
    made = {"core/jit/shipped"}  # in wheels only
    missing = [name for name in sorted(named - made) if not (ROOT / name).exists()]
    assert not missing


@pytest.mark.nightly
def test_that_the_exercise_makes_a_type_that_rides(tmp_path: Path) -> None:
    """A mass let go at an extension of 0.5 m passes the free length with the speed its energy says."""
    text = (
        Path(str(resources.files("ridewright.resources"))) / "guide" / "developing" / "force-elements.md"
    ).read_text()
    (code,) = re.findall(r"```python\n(.*?)```", text, flags=re.S)
    left_out, package = shutil.ignore_patterns("__pycache__"), tmp_path / "ridewright"
    for name, source in (("", "core/ridewright"), ("core", "core"), ("resources", "resources")):
        shutil.copytree(ROOT / source, package / name, ignore=left_out, dirs_exist_ok=True)
    (package / "core" / "model" / "forces" / "cubic_spring.py").write_text(code, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-c", RIDE], cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(tmp_path)},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-2000:]
    word, fastest, residual = json.loads(done.stdout)
    assert word == "cubic spring"
    assert fastest == pytest.approx(-((2.0 * 0.25 * 800.0 * 0.5**4 / 2.0) ** 0.5), rel=2e-3)
    assert residual < 0.05


def test_that_what_is_handed_out_as_source_holds_tests_tools_and_makefile(monkeypatch) -> None:
    filelist = pytest.importorskip("setuptools.command.egg_info").FileList
    monkeypatch.chdir(ROOT)
    found = filelist()
    for line in (ROOT / "MANIFEST.in").read_text(encoding="utf-8").splitlines():
        found.process_template_line(line)
    taken = set(found.files)
    own = {str(path.relative_to(ROOT)) for folder in ("tests", "tools", ".ci", "core", "app", "resources")
           for path in (ROOT / folder).rglob("*")
           if path.is_file() and "__pycache__" not in path.parts and "shipped" not in path.parts}  # fmt: skip
    assert own | {"Makefile", "CHANGELOG.md"} <= taken
    assert not [name for name in taken if "__pycache__" in name]
