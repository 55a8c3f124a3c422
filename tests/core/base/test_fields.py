"""Fields of descriptions: every one of the project is told to people, and what is told fits its type."""

from __future__ import annotations

import types
from typing import Annotated, Any, Literal, get_args

import pytest
from pydantic import Field

from ridewright.core.base.fields import (
    DIMENSIONLESS,
    described,
    entry_of,
    is_numeric,
    references,
    spec_of,
    specs_of,
    told,
)
from ridewright.core.base.frozen import Frozen, Quat, Vec3
from ridewright.core.project.project import Project, schema

ENTRIES = {
    "number", "optional", "vector", "direction", "angles", "numbers", "matrix", "rows", "text", "long_text", "choice",
    "flag", "function", "functions", "symmetric", "group", "hidden", "cars", "programme", "",
}  # fmt: skip
REFERENCES = {"assembly", "body", "joint", "guide", "seat", "segment", "section", "node"}


def _models(annotation: Any, found: dict[str, type[Frozen]]) -> dict[str, type[Frozen]]:
    if isinstance(annotation, type) and issubclass(annotation, Frozen):
        if annotation.__name__ not in found:
            found[annotation.__name__] = annotation
            for info in annotation.model_fields.values():
                _models(info.annotation, found)
    else:
        for part in get_args(annotation):
            _models(part, found)
    return found


MODELS = _models(Project, {})
FIELDS = [
    pytest.param(model, name, id=f"{model.__name__}.{name}")
    for model in MODELS.values()
    for name, info in model.model_fields.items()
    # a word that can be only one is the kind of the description, not a field people fill in
    if not (len(get_args(info.annotation)) == 1 and isinstance(get_args(info.annotation)[0], str | int))
]


def _literals(annotation: Any) -> set[str]:
    parts = [part for part in get_args(annotation) if part is not types.NoneType]
    if parts and all(isinstance(part, str) for part in parts):
        return set(parts)
    return set().union(*(_literals(part) for part in parts), set())


@pytest.mark.parametrize(("model", "name"), FIELDS)
def test_that_every_field_of_a_project_has_title_help_and_unit(model, name):
    info = model.model_fields[name]
    assert info.title
    assert info.description
    assert info.description.endswith(".")
    assert entry_of(info) in ENTRIES
    assert set(told(info, "refers_to", ())) <= REFERENCES
    if is_numeric(info) or entry_of(info) == "function":
        assert told(info, "unit") or told(info, "columns"), "say the unit, or that it is DIMENSIONLESS"
    if entry_of(info) == "optional":
        assert told(info, "empty"), "say what no value means"
    if entry_of(info) == "choice" and not told(info, "refers_to"):
        choices = _literals(info.annotation) or set(told(info, "words"))
        assert choices == set(told(info, "words", {})), "a word for every choice"
    others = model.model_fields
    for other, values in told(info, "when", {}).items():
        own = others[other].annotation
        assert set(values) <= ({True, False} if own is bool else _literals(own))
    unit_by = told(info, "unit_by", None)
    if unit_by is not None and not told(others[unit_by[0]], "refers_to"):
        assert set(unit_by[1]) <= _literals(others[unit_by[0]].annotation)


def test_that_the_walk_reaches_every_part_of_a_project():
    assert {"Project", "Track", "SplineSection", "ForceSection", "Key", "BlockBrake", "HeightField"} <= set(
        MODELS
    )
    assert {"Body", "Joint", "Guide", "Driver", "Harmonic", "SolverSettings", "EvaluationOptions"} <= set(
        MODELS
    )
    assert len(FIELDS) > 250


def test_that_the_schema_tells_units_and_words():
    definitions = schema()["$defs"]
    mass = definitions["Body"]["properties"]["mass"]
    assert (mass["unit"], mass["title"], mass["minimum"]) == ("kg", "Mass", 1e-9)
    assert definitions["Launch"]["properties"]["value"]["unit_by"] == ["mode", {"force": "N", "power": "W"}]
    radius = definitions["HelixSection"]["properties"]["radius"]
    assert (radius["unit"], radius["default"]) == ("m", 15.0)
    assert definitions["HelixSection"]["properties"]["turns"]["unit"] == DIMENSIONLESS


Limited = Annotated[float, Field(ge=0.5, lt=2.0)]


class _Sample(Frozen):
    kind: Literal["sample"] = "sample"
    number: Annotated[Limited, described(..., "Number", "H.", unit="m")] = 1.0
    nothing: Limited | None = described(None, "Nothing", unit="m", empty="none")
    whole: int = described(1, "Whole", unit="1", gt=0)
    yes: bool = described(False, "Yes")
    word: str = described("", "Word")
    body: str = described("", "Body", refers_to="body")
    target: str = described("", "Target", refers_to=("body", "joint"))
    one: Literal["a", "b"] = described("a", "One", words={"a": "A", "b": "B"})
    vector: tuple[Limited, Limited, Limited] = described((1.0, 1.0, 1.0), "Vector", unit="m")
    axis: Vec3 | None = described(None, "Axis", unit="1")
    turned: Quat = described((1.0, 0.0, 0.0, 0.0), "Turned", unit="1")
    six: tuple[float, float, float, float, float, float] = described((0.0,) * 6, "Six", unit="N")
    square: tuple[Vec3, Vec3, Vec3] = described(((0.0,) * 3,) * 3, "Square", unit="N/m")
    curve: tuple[tuple[float, float], ...] = described((), "Curve", columns=(("x", "m"), ("F", "N")))
    many: tuple[float, ...] = described((), "Many", unit="m")
    secret: float = described(0.0, "Secret", unit="m", entry="hidden")
    depends: float = described(0.0, "Depends", unit="m", unit_by=("one", {"b": "rad"}), when={"one": ("b",)})
    fine: float = described(0.0, "Fine", unit="m", shown="mm")


def test_that_the_entry_follows_from_the_type():
    found = {name: entry_of(info) for name, info in _Sample.model_fields.items()}
    assert found == {
        "kind": "", "number": "number", "nothing": "optional", "whole": "number", "yes": "flag", "word": "text",
        "body": "choice", "target": "choice", "one": "choice", "vector": "vector", "axis": "direction",
        "turned": "angles", "six": "numbers", "square": "matrix", "curve": "rows", "many": "", "secret": "hidden",
        "depends": "number", "fine": "number",
    }  # fmt: skip
    assert [s.name for s in specs_of(_Sample)] == [n for n, e in found.items() if e not in ("", "hidden")]


def test_that_ranges_are_those_of_the_description():
    for name in ("number", "nothing", "vector"):
        spec = spec_of(_Sample, name)
        assert (spec.low, spec.low_open, spec.high) == (0.5, False, 2.0)
    assert (spec_of(_Sample, "whole").low, spec_of(_Sample, "whole").low_open) == (0.0, True)
    assert spec_of(_Sample, "fine").unit == "mm"


def test_that_unit_and_use_of_a_field_follow_another():
    spec = spec_of(_Sample, "depends")
    a, b = _Sample(), _Sample(one="b")
    assert not spec.applies(a)
    assert spec.applies(b)
    assert spec.fitted(lambda name: getattr(a, name)).unit == "m"
    assert spec.fitted(lambda name: getattr(b, name)).unit == "rad"


def test_that_references_are_found_by_what_they_name():
    assert references(_Sample, "body") == ("body", "target")
    assert references(_Sample, "joint") == ("target",)
    assert references(_Sample, "seat") == ()
