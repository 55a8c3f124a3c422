"""What other rooms of the program call says in sections what it takes, gives and refuses."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
ROOMS = 3  # others that use a function make it an entry point of its room
SMALL = ("base", "jit")  # words, rotations and decorators, of which a line says all


def _modules(room: str) -> Iterator[tuple[tuple[str, ...], ast.Module]]:
    for path in sorted((ROOT / room).rglob("*.py")):
        yield path.relative_to(ROOT).with_suffix("").parts, ast.parse(path.read_text(encoding="utf-8"))


def _entry_points() -> dict[str, ast.FunctionDef]:
    """Functions with two arguments or more by their places."""
    made = {
        (*parts, one.name): one
        for parts, tree in _modules("core")
        for one in tree.body
        if isinstance(one, ast.FunctionDef) and len(one.args.args) + len(one.args.kwonlyargs) > 1
    }
    used = defaultdict[tuple[str, ...], set[str]](set)
    for room in ("core", "app"):
        for parts, tree in _modules(room):
            for node in ast.walk(tree):
                if isinstance(node, ast.ImportFrom) and node.level:
                    origin = (*parts[: -node.level], *(node.module or "").split("."))
                    for alias in node.names:
                        used[(*origin, alias.name)].add(parts[1] if room == "core" else room)
    return {
        ".".join(place): one
        for place, one in made.items()
        if place[1] not in SMALL and len(used[place] - {place[1]}) >= ROOMS
    }


def test_that_entry_points_of_rooms_say_in_sections_what_they_take_and_refuse() -> None:
    found = _entry_points()
    assert len(found) > 30
    assert "core.run.simulate.simulate" in found
    for place, function in found.items():
        told = ast.get_docstring(function) or ""
        assert "\nParameters\n----------\n" in told, place
        listed = told.partition("----------\n")[2].partition("\n\n")[0].splitlines()
        names = {name for line in listed if not line.startswith(" ") for name in line.split(", ")}
        taken = [arg.arg for arg in (*function.args.args, *function.args.kwonlyargs)]
        assert names | {"project"} == {*taken, "project"}, place  # the project of an edit goes without saying
        returns = ast.unparse(function.returns) if function.returns is not None else ""
        assert (returns == "None") != ("\nReturns\n-------\n" in told), place


def test_that_no_section_has_run_into_its_text() -> None:
    """A heading and its line stand each on a line of its own, or no reader of sections finds them."""
    run_in = re.compile(r"^ *(?:Parameters|Returns|Raises|Notes|Yields) -{3,}", re.MULTILINE)
    wrong = [
        ".".join(parts)
        for room in ("core", "app")
        for parts, tree in _modules(room)
        for node in ast.walk(tree)
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and run_in.search(ast.get_docstring(node) or "")
    ]
    assert not wrong
