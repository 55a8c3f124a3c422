"""Kinematic joints: one file a kind. Every file of this folder that has a TYPE is one (see
`core.model.joints.base`)."""

from __future__ import annotations

import math
from importlib import import_module
from pkgutil import iter_modules
from typing import TYPE_CHECKING, Any, Literal

from pydantic import create_model, field_validator, model_validator

from ...base.fields import AXES, described
from ...base.frozen import Frozen, Name, Vec3
from .base import JointType


def _found() -> dict[str, JointType]:
    modules = [import_module(f"{__name__}.{m.name}") for m in iter_modules(__path__)]
    types: list[JointType] = [m.TYPE for m in modules if hasattr(m, "TYPE")]
    return {made.kind: made for made in sorted(types, key=lambda made: made.kind)}


TYPES = _found()
NEEDS_AXES = tuple(kind for kind, made in TYPES.items() if made.axes != "none")


def _direction(value: Vec3 | None) -> Vec3 | None:
    if value is not None and math.hypot(*value) < 1e-9:
        raise ValueError("the axis has no length; give a direction such as [0, 1, 0]")
    return value


if TYPE_CHECKING:
    JointKind = str
else:
    JointKind = Literal[tuple(TYPES)]


def _point(which: str) -> Any:
    about = f"In the axes of the {which} body, from its centre of mass."
    return described((0.0, 0.0, 0.0), f"Point on the {which} body", about, unit="m", axes=AXES)


def _axis(which: str, arm: str) -> Any:
    return described(
        None,
        f"Axis in the {which} body",
        f"Direction of the joint's axis (of {arm} arm of a universal joint).",
        unit="1",
        axes=AXES,
        when={"kind": NEEDS_AXES},
    )


class _Common(Frozen):
    name: Name = described(..., "Name", "What the joint is called; references to it follow.")
    kind: JointKind = described(
        ..., "Kind", "What the joint lets free.", words={kind: made.title for kind, made in TYPES.items()}
    )
    body_i: str = described(..., "First body", "The joint's first body.", refers_to="body")
    point_i: Vec3 = _point("first")
    axis_i: Vec3 | None = _axis("first", "one")
    body_j: str = described(..., "Second body", "The joint's second body.", refers_to="body")
    point_j: Vec3 = _point("second")
    axis_j: Vec3 | None = _axis("second", "the other")

    _axes = field_validator("axis_i", "axis_j")(_direction)


if TYPE_CHECKING:
    _Described = _Common
else:
    # with the fields that single kinds have of their own
    _OWN = dict.fromkeys(made.own for made in TYPES.values() if made.own is not None)
    _Described = create_model("_Described", __base__=(*_OWN, _Common), __module__=__name__)


class Joint(_Described):
    """A kinematic joint between body_i and body_j.

    A rigid joint, and the locked rotation of a prismatic joint, hold the relative pose in which the assembly is drawn.
    """

    locked: bool = described(
        False,
        "Locked as drawn",
        "Holds the joint rigid in the drawn pose.",
        when={"kind": tuple(kind for kind, made in TYPES.items() if not made.rigid)},
    )

    @property
    def type(self) -> JointType:
        """What its kind is."""
        return TYPES[self.kind]

    @property
    def held(self) -> JointType:
        """The kind whose constraints it makes: a rigid one when it is locked."""
        return TYPES["rigid"] if self.locked and self.type.locks else self.type

    @model_validator(mode="after")
    def _complete(self) -> Joint:
        if self.body_i == self.body_j:
            raise ValueError(f"joins '{self.body_i}' to itself; name two different bodies")
        if self.kind in NEEDS_AXES and (self.axis_i is None or self.axis_j is None):
            raise ValueError(f"is {self.kind} and needs axis_i and axis_j")
        for kind, made in TYPES.items():
            if made.own is None or made.own is self.type.own:
                continue
            for name, info in made.own.model_fields.items():
                if getattr(self, name) != info.default:
                    raise ValueError(f"is {self.kind} and has no {name}; only a {kind} joint has one")
        return self


__all__ = ["NEEDS_AXES", "TYPES", "Joint", "JointKind", "JointType"]
