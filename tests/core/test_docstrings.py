"""What other rooms of the program call says in sections what it takes, gives and refuses."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from pathlib import Path

from tests.sources import ROOT, imports, texts

ROOMS = 2  # others that use a function make it an entry point of its room
SMALL = (["base"], ["jit"])  # words, rotations and decorators, of which a line says all


def _entry_points() -> dict[str, ast.FunctionDef]:
    """Functions with two arguments or more by their places."""
    used = defaultdict[tuple[str, ...], set[str]](set)
    for path in texts():
        parts = path.relative_to(ROOT).with_suffix("").parts
        for node in imports(path):
            origin = (*parts[: -node.level], *(node.module or "").split("."))
            for alias in node.names:
                used[(*origin, alias.name)].add(parts[1] if parts[0] == "core" else parts[0])
    wanted = defaultdict[Path, set[str]](set)
    for (*parts, name), rooms in used.items():
        if parts[0] == "core" and parts[1:2] not in SMALL and len(rooms - {parts[1]}) >= ROOMS:
            wanted[ROOT.joinpath(*parts).with_suffix(".py")].add(name)
    return {
        ".".join((*path.relative_to(ROOT).with_suffix("").parts, one.name)): one
        for path in sorted(wanted.keys() & texts().keys())
        for one in ast.parse(texts()[path]).body
        if isinstance(one, ast.FunctionDef)
        and one.name in wanted[path]
        and len(one.args.args) + len(one.args.kwonlyargs) > 1
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
        args = function.args
        rest = [args.kwarg] if args.kwarg else []
        taken = [arg.arg for arg in (*args.args, *args.kwonlyargs, *rest)]
        assert names | {"project"} == {*taken, "project"}, place  # the project of an edit goes without saying
        returns = ast.unparse(function.returns) if function.returns is not None else "None"  # kernels
        assert (returns == "None") != ("\nReturns\n-------\n" in told), place


def test_that_no_section_has_run_into_its_text() -> None:
    """A heading and its line stand each on a line of its own, or no reader of sections finds them."""
    run_in = re.compile(r"(?:Parameters|Returns|Raises|Notes|Yields) -{3,}")
    wrong = [str(path.relative_to(ROOT)) for path, text in texts().items() if run_in.search(text)]
    assert not wrong
