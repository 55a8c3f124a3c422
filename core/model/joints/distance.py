"""Distance joint: a rod with a ball at either end."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
from pydantic import Field

from ...base.errors import InputError
from ...base.fields import described
from ...base.frozen import Frozen
from ...base.sentence import say
from ..functions import constant
from .base import Coordinate, Ends, JointGeometry, JointType, Oddity, PairRows

if TYPE_CHECKING:
    from ..drivers import Driver

MIN_DISTANCE = 1e-9  # m; points nearer than that have no direction between them


class Rod(Frozen):
    """What a distance joint has of its own."""

    length: Annotated[float, Field(gt=0.0)] | None = described(
        None,
        "Length",
        "Length of the rod; empty takes the drawn distance.",
        unit="m",
        empty="as drawn",
        when={"kind": ("distance",)},
    )


def rows(joint: Any, at: JointGeometry, rows: PairRows) -> None:
    """The distance of the points."""
    length = float(np.linalg.norm(at.gap)) if joint.length is None else joint.length
    if length < MIN_DISTANCE:
        raise InputError(
            f"Joint '{rows.name}': the points of a distance joint coincide; use a spherical joint or set a length."
        )
    rows.distance(constant(length))


def odd(joint: Any, ends: Ends) -> Iterator[Oddity]:
    """Points that are not as far apart as the rod is long."""
    if joint.length is not None:
        distance = float(np.linalg.norm(ends.gap))
        text = say(
            "its points are {apart:.5g m} apart as drawn, its length is {length:.5g m}.",
            apart=distance, length=joint.length,
        )  # fmt: skip
        yield Oddity("joint gap", abs(distance - joint.length), "m", text)


def _length(driver: Driver, at: JointGeometry, rows: PairRows) -> None:
    rows.follow(driver.function)


TYPE = JointType(
    "distance", "Distance (rod)", rows, turns="all", moves="all", driven={"length": Coordinate("Length", "m", _length)},
    own=Rod, locks=False, odd=odd,
)  # fmt: skip
