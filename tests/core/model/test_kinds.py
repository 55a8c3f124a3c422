"""Kinds of joints and couplings: one file each, and nothing else of the program asks for one by name."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from ridewright.core.model import couplings, drivers, joints
from ridewright.core.model.joints.base import NEW_AXES
from tests.sources import naming

ROOT = Path(__file__).parents[3]
# "rigid", "distance" and "cylindrical" are also words of ties, curves and guides
KINDS = {"revolute", "prismatic", "universal", "spherical"}
MODELS = {made.model.__name__ for made in couplings.TYPES.values()}
# what makes joints: riders, templates of rides, couplers with mass, the first choice of a new one
MAKERS = {
    "core/human/make.py", "core/edits/templates/base.py", "core/edits/new_elements.py",
    "core/model/couplings/coupler.py",
    # engines of others have joints of their own, by their names
    *(str(path.relative_to(ROOT)) for path in (ROOT / "core/cross_check/engines").rglob("*.py")),
}  # fmt: skip
OWN = {ROOT / "core" / "model" / family for family in ("joints", "couplings")}


def _told(tree: ast.AST) -> set[str]:
    """Kinds of joints among the texts of a source file, models of couplings among its names."""
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            found |= {node.value} & KINDS
        else:
            found |= {
                getattr(node, "id", "") or getattr(node, "attr", "") or getattr(node, "name", "")
            } & MODELS
    return found


def test_that_no_kinds_name_stands_in_code_outside_its_file() -> None:
    assert set(joints.TYPES) >= KINDS
    assert {"Bar", "SpringBar", "CarCoupler"} <= MODELS
    told = {place: _told(tree) for place, tree in naming(KINDS | MODELS, OWN)}
    assert {place: names for place, names in told.items() if names and place not in MAKERS} == {}


@pytest.mark.parametrize("kind", joints.TYPES)
def test_that_a_joint_says_what_it_lets_free(kind: str) -> None:
    made = joints.TYPES[kind]
    assert made.title.lower().startswith(kind)
    assert (made.axes in NEW_AXES) == (kind in joints.NEEDS_AXES)
    # what turns about axes, or slides along one, has them
    assert made.axes != "none" or (made.turns in ("none", "all") and made.moves in ("none", "all"))
    assert made.rigid == (not made.driven and made.acts_in is None and made.turns == "none")
    for name, one in made.driven.items():
        assert drivers.DRIVEN[name] == "joint"
        assert (drivers.COORDINATES[name].word, drivers.COORDINATES[name].unit) == (one.word, one.unit)


def test_that_a_coordinate_belongs_to_one_kind_of_driver() -> None:
    every = [name for made in drivers.TYPES for name in made.coordinates]
    assert len(set(every)) == len(every)
    assert set(every) == set(drivers.COORDINATES)


@pytest.mark.parametrize("kind", couplings.TYPES)
def test_that_a_coupling_says_what_it_is(kind: str) -> None:
    made = couplings.TYPES[kind]
    assert made.kind == kind
    assert made.word
    assert made.model.parts is not couplings.CouplingBase.parts
