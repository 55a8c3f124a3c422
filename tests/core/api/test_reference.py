"""The pages about the Python door say what it has."""

from __future__ import annotations

import re

from ridewright.core import api as rw
from tools.python_reference import PAGE, page

GUIDE = PAGE.parent


def test_that_the_reference_is_what_the_docstrings_say() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "run: python -m tools.python_reference"


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
