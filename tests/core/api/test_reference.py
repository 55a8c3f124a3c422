"""The pages about the Python door say what it has."""

from __future__ import annotations

import inspect
import re

import pytest

from ridewright.core import api as rw
from tools.python_reference import PAGE, page

GUIDE = PAGE.parent
FUNCTIONS = [
    *(name for name in rw.__all__ if name[0].islower() and name != "edits"),
    *(f"edits.{name}" for name in rw.edits.__all__),
]


def test_that_the_reference_is_what_the_docstrings_say() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "run: python -m tools.python_reference"


@pytest.mark.parametrize("name", FUNCTIONS)
def test_that_every_function_says_what_it_takes_gives_and_refuses(name: str) -> None:
    edit = name.startswith("edits.")
    function = getattr(rw.edits, name[6:]) if edit else getattr(rw, name)
    taken = [one for one in inspect.signature(function).parameters if not (edit and one == "project")]
    parts = re.split(r"^(\w+)\n-+\n", inspect.getdoc(function) or "", flags=re.MULTILINE)
    sections = dict(zip(parts[1::2], parts[2::2], strict=True))
    assert re.findall(r"^(\w+)$", sections.get("Parameters", ""), re.MULTILINE) == taken
    assert "Raises" in sections or edit or not taken
    assert ("Returns" in sections) == (inspect.signature(function).return_annotation != "None")


def test_that_the_page_names_every_function_of_the_door() -> None:
    text = (GUIDE / "python.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`(\w+)`", text))
    assert {name for name in rw.__all__ if name[0].islower()} <= named


def test_that_the_examples_of_the_page_work(tmp_path, monkeypatch, capsys) -> None:
    rw.save(
        rw.edits.set_scenario(rw.example("looping_star"), {"duration": 1.0}), tmp_path / "mine.ridewright"
    )
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"```python\n(.*?)```", (GUIDE / "python.md").read_text(encoding="utf-8"), re.DOTALL)
    names: dict[str, object] = {"rw": rw}
    for block in blocks:
        exec(block.replace("import ridewright as rw\n", ""), names)
    assert (tmp_path / "faster.ridewright").is_file()
    assert len(capsys.readouterr().out.splitlines()) == 4
