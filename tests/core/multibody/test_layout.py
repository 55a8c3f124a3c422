"""The layout of unknowns: every slot has one owner, and nobody else counts them."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from ridewright import core
from ridewright.core.multibody.arrays import GCOL, GROW, PLAIN, SIZE, SLOT, int_line, sizes
from ridewright.core.multibody.compile import compile_system
from ridewright.core.multibody.layout import Layout
from ridewright.core.project.examples import load_example

LAYOUTS = (
    Layout((0,) * 4, guides=2, counts={"points": 3, "dots": 2, "guides": 2, "arcs": 1}),
    Layout((0, 3, 0, 7), guides=2, counts={"slides": 1, "alignments": 4}, internals=(1, 6)),
    Layout((), guides=0),
    Layout((2,)),
)
# Sizes of rigid bodies as numbers in code: six times or slots, and six more than a count of unknowns.
COUNTED = re.compile(
    r"(?<![\w.])6 \*|\* 6(?![\w.])|\+ 6(?![\w.])|// 6(?![\w.])|% 6(?![\w.])|range\(6\)|, 6, 6\)"
)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_that_every_slot_has_one_owner(layout: Layout) -> None:
    """Blocks of bodies, paths and the ground fill a line without gap or overlap, and so do rows and internals."""
    owned = [*range(layout.width)[layout.paths]]
    for body in range(layout.bodies + 1):
        owned += range(layout.width)[layout.block(body)]
    assert sorted(owned) == list(range(layout.width))
    assert len(layout.line(2)[0]) == layout.width == layout.coordinates + layout.sizes[-1]
    rows = [row for kind, n in layout.counts.items() for k in range(n) for row in layout.rows(kind, k)]
    assert sorted(rows) == list(range(layout.multipliers))
    assert np.diff(layout.internal_slots).tolist() == list(layout.internals)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_that_plain_coordinates_are_all_that_is_neither_place_nor_turn(layout: Layout) -> None:
    rigid = set(layout.rigid[:-1].ravel().tolist())
    assert sorted({*rigid, *layout.plain.tolist()}) == list(range(layout.coordinates))
    assert layout.plain[: layout.guides].tolist() == list(range(layout.width))[layout.paths]
    assert not rigid & set(layout.plain.tolist())


@pytest.mark.parametrize("layout", LAYOUTS)
def test_that_the_motion_of_bodies_is_read_where_it_was_written(layout: Layout) -> None:
    lines = layout.line(3)
    given = np.arange(3.0 * layout.bodies * 6).reshape(3, layout.bodies, 6)
    lines[:, layout.rigid[:-1]] = given
    np.testing.assert_array_equal(layout.rigid_of(lines), given)
    np.testing.assert_array_equal(lines[:, layout.spins], given[:, :, 3:])
    assert np.shares_memory(layout.rigid_of(lines), lines) == (layout.bodies > 0 and not any(layout.modes))


def test_that_compiled_code_sees_the_same_layout() -> None:
    """Tables and sizes of a ride with guides; Jacobian entries on slots of bodies, guides and the ground."""
    system = compile_system(load_example("straight"))
    S, layout = system.arrays, system.layout
    for kind, expected in ((SLOT, layout.slots), (SIZE, layout.sizes), (PLAIN, layout.plain)):
        np.testing.assert_array_equal(int_line(S, kind), expected)
    assert sizes(S) == (layout.bodies, layout.guides, layout.coordinates, layout.multipliers)
    assert len(int_line(S, GROW)) == layout.multipliers + 1
    assert int_line(S, GCOL).max() < layout.width


def test_that_nobody_else_counts_slots() -> None:
    """No arithmetic by six in the equations and the solver outside the layout."""
    root = Path(str(core.__file__)).parent
    found = []
    for path in sorted([*(root / "multibody").rglob("*.py"), *(root / "solver").rglob("*.py")]):
        if path.name == "layout.py":
            continue
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            code = line.partition("#")[0]
            if COUNTED.search(code) and " = range(6)" not in code:  # names of columns may be six
                found.append(f"{path.relative_to(root)}:{number}: {line.strip()}")
    assert not found
