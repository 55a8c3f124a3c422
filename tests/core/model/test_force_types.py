"""Types of force elements: one file each, and nothing else of the program knows one by name."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from ridewright.core.base.fields import references, specs_of
from ridewright.core.model import forces
from ridewright.core.model.forces import TYPES
from ridewright.core.model.references import LISTS
from tests.sources import naming

ROOT = Path(__file__).parents[3]
OWN = Path(forces.__file__).resolve().parent
NAMES = {made.model.__name__ for made in TYPES.values()}
# "force" is also the word for all force elements, for a kind of track section and for a mode of a launch; "contact"
# that for what touches, a column of tables
KINDS = set(TYPES) - set(LISTS) - {"contact"}
# what joins cars is made of force elements, and one of its models is called as the element without mass is
COUPLINGS = {f"core/model/couplings/{name}.py" for name in ("coupler", "spring_bar")}
# the joints of a generated rider end and are held by them
JOINTS = {"core/human/joints.py"}
# wheels of a car hold it on its rails
WHEELS = {"core/edits/wheels.py"}
# seats and restraints touch their riders
SEATS = {"core/human/seated.py", "core/human/belts.py"}
# templates of rides are made of them, as examples are
TEMPLATES = {str(path.relative_to(ROOT)) for path in (ROOT / "core/edits/templates").glob("*.py")}
# what wheels give the steel is taken from them by forces
STEEL = {"core/steelwork/staggered.py"}
# limits and springs of joints are what files of MuJoCo know of joints
FILES = {"core/cross_check/engines/mujoco/exchange.py"}


def _told(tree: ast.AST) -> set[str]:
    """Classes that a source file names, and kinds among its texts."""
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            found |= {node.value} & KINDS
        else:
            name = getattr(node, "id", "") or getattr(node, "attr", "") or getattr(node, "name", "")
            found |= {str(name).rpartition(".")[2]} & NAMES
    return found


def test_that_no_types_name_stands_in_code_outside_its_file() -> None:
    assert {"SpringDamper", "JointStop", "Bushing"} <= NAMES
    assert {"spring", "joint_stop", "bushing"} <= KINDS
    knowing = {}
    for place, tree in naming(NAMES | KINDS, {OWN}):
        told = _told(tree)
        if told and place not in COUPLINGS | JOINTS | SEATS | WHEELS | TEMPLATES | STEEL | FILES:
            knowing[place] = told
    assert knowing == {}


@pytest.mark.parametrize("kind", TYPES)
def test_that_a_type_says_all_that_the_program_derives(kind: str) -> None:
    made = TYPES[kind]
    assert made.kind == kind
    assert made.word == made.word.strip()
    assert made.word
    named = [what for what in ("body", "joint", "guide") if references(made.model, what)]
    assert named == {
        "points": ["body"], "line": ["body"], "frames": ["body"], "body": ["body"], "load": ["body"],
        "joint": ["joint"], "guide": ["guide"], "surfaces": ["body"],
    }[made.place]  # fmt: skip
    assert bool(made.acts_in) == (made.place == "joint")
    assert set(made.added) <= set(made.model.model_fields)
    titles = [spec.title for spec in specs_of(made.model)]
    assert len(set(titles)) == len(titles)
    assert made.outputs or made.place in ("body", "load", "guide")


def test_that_a_type_is_called_differently_from_all_others() -> None:
    assert len({made.word for made in TYPES.values()}) == len(TYPES)
