"""One import package: `ridewright`, beside whatever else is called core."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

import ridewright
from ridewright.core import api
from tests.sources import imports, texts
from tools import sources

ROOT = Path(__file__).parents[2]


def _told(code: str, path: Path, *options: str) -> str:
    """What code prints in a process that is in another folder and finds packages in `path` first."""
    done = subprocess.run(
        [sys.executable, *options, "-c", code], cwd=path, env={"PYTHONPATH": str(path), "PATH": ""},
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    return done.stdout.strip()


def test_that_the_package_hands_on_what_the_door_offers_and_nothing_else() -> None:
    assert set(api.__all__) <= set(dir(ridewright))
    for name in api.__all__:
        assert getattr(ridewright, name) is getattr(api, name)
    with pytest.raises(AttributeError, match="has no attribute 'no_such_thing'"):
        ridewright.no_such_thing  # noqa: B018


def test_that_rooms_are_found_under_one_name_and_load_nothing_else(tmp_path: Path) -> None:
    (tmp_path / "core.py").write_text("WORD = 'somebody else'\n")
    code = (
        "import sys, core, ridewright.core.base.errors as errors\n"
        "print(core.WORD, 'ridewright.core.api' in sys.modules, 'numpy' in sys.modules, errors.__name__)"
    )
    assert _told(code, tmp_path) == "somebody else False False ridewright.core.base.errors"


def test_that_imports_are_relative_inside_the_package_and_by_its_name_outside() -> None:
    """So that every tool that follows imports by path finds what uses what."""
    inside = re.compile(r"^\s*(?:from|import) ridewright\b", re.MULTILINE)
    outside = re.compile(r"^\s*(?:from|import) (?:core|app|resources)\b", re.MULTILINE)
    rules = {
        "core": inside,
        "app": inside,
        "resources": outside,
        "tests": outside,
        "tools": outside,
    }  # scripts
    wrong = [
        str(path.relative_to(ROOT))
        for folder, rule in rules.items()
        for path, text in texts(folder).items()
        if not path.is_relative_to(ROOT / "core" / "ridewright")
        # examples in docstrings are those of a script
        if rule.search(text)
        and any(
            isinstance(node, (ast.Import, ast.ImportFrom)) and rule.match(ast.unparse(node))
            for node in ast.walk(ast.parse(text))
        )
    ]
    assert not wrong


#: Files that know one another, by a reason; anywhere else what two files need stands in a third.
CIRCLES = {
    # a joint is driven along its coordinate, and a driver is given in a joint's coordinates: one family by two names
    ("core/model/drivers/__init__.py", "core/model/drivers/base.py", "core/model/joints/__init__.py",
     "core/model/joints/base.py"),
    # how a floating body stiffens is a part of its making, and says so with the bodies it is made for
    ("core/structure/floating.py", "core/structure/stiffening.py"),
}  # fmt: skip


def _named(path: Path, node: ast.ImportFrom, files: set[Path]) -> set[Path]:
    """Files of the tree that a relative import names."""
    target = path.parents[node.level - 1].joinpath(*(node.module or "").split("."))
    if target.with_suffix(".py") in files:
        return {target.with_suffix(".py")}
    found = {target / f"{name.name}.py" for name in node.names}
    found |= {target / name.name / "__init__.py" for name in node.names}
    return (found & files) or {target / "__init__.py"} & files


def test_that_no_files_know_one_another_but_those_named_with_a_reason() -> None:
    """Imports that only types need count as well."""
    files = set(texts())
    files -= {*(ROOT / "core" / "ridewright").rglob("*.py")}
    knows = {path: {other for node in imports(path) for other in _named(path, node, files)} for path in files}
    assert sum(map(len, knows.values())) > 5000
    reached = {path: set(others) for path, others in knows.items()}
    waiting = list(files)
    known_by: dict[Path, set[Path]] = {path: set() for path in files}
    for path, others in knows.items():
        for other in others:
            known_by[other].add(path)
    while waiting:
        path = waiting.pop()
        for user in known_by[path]:
            if not reached[path] <= reached[user]:
                reached[user] |= reached[path]
                waiting.append(user)
    circles = {
        tuple(sorted(str(other.relative_to(ROOT)) for other in reached[path] if path in reached[other]))
        for path in files
        if path in reached[path]
    }
    assert circles == CIRCLES


@pytest.mark.nightly
def test_that_a_wheel_lies_beside_another_package_called_core(tmp_path: Path) -> None:
    """Every module of the tree is in it, under ridewright, with its data; nothing stands at the top."""
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]
    tree = tmp_path / "tree"
    tree.mkdir()
    sources.copy(tree)
    build = [*pip, "wheel", "--no-deps", "--wheel-dir", str(tmp_path), str(tree)]
    subprocess.run(build, check=True, capture_output=True)
    (wheel,) = tmp_path.glob("*.whl")
    place = tmp_path / "place"
    subprocess.run([*pip, "install", "--no-deps", "--target", str(place), str(wheel)], check=True)
    (place / "core").mkdir()
    (place / "core" / "__init__.py").write_text("WORD = 'somebody else'\n")
    assert sorted(path.name for path in place.glob("*/__init__.py")) == ["__init__.py"] * 2
    found = {str(path.relative_to(place / "ridewright")) for path in (place / "ridewright").rglob("*.py")}
    own = {
        str(path.relative_to(ROOT))
        for room in ("core", "app")
        for path in (ROOT / room).rglob("*.py")
        if "ridewright" not in path.parts[len(ROOT.parts) :]
    }
    assert own <= found
    code = "import core, ridewright; print(core.WORD, len(ridewright.examples()) > 3, ridewright.__file__)"
    assert _told(code, place).startswith(f"somebody else True {place}")
