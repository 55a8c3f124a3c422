"""Wind on a body, with gusts."""

from __future__ import annotations

import math
from typing import Literal

from pydantic import field_validator

from ...base.fields import AXES, NonNegative, described
from ...base.frozen import Vec3
from ..functions import AnalyticFunction, TimeFunction, constant
from .base import ElementType, Mark
from .ends import OnBody


class Wind(OnBody):
    """Wind on a point of a body, 1/2 rho Cd A |w - v| (w - v); w its velocity, v that of the point, in world axes.

    Static: without v, as codes of practice have it. Its work is that of applied forces in the energy ledger.
    """

    kind: Literal["wind"] = "wind"
    point: Vec3 = described(
        (0.0, 0.0, 0.0), "Acts at", "Centre of pressure, in the axes of the body, from its centre of mass.", unit="m",
        axes=AXES,
    )  # fmt: skip
    drag_area: NonNegative = described(0.0, "Drag area", "Drag coefficient times area.", unit="m^2")
    density: NonNegative = described(
        1.225, "Air density", "1.225 kg/m³ is dry air at 15 °C at sea level.", unit="kg/m^3"
    )
    direction: Vec3 = described(
        (1.0, 0.0, 0.0), "Blows towards", "Direction in world axes, of any length.", unit="1"
    )
    speed: TimeFunction = described(
        constant(0), "Wind speed over time", "With its gusts.", unit="m/s", entry="function"
    )
    static: bool = described(
        False, "Static", "Leaves out the motion of the body: pressure of the wind on what stands."
    )

    @field_validator("direction")
    @classmethod
    def _some_way(cls, value: Vec3) -> Vec3:
        if math.hypot(*value) < 1e-9:
            raise ValueError("the direction has no length; give one such as [1, 0, 0]")
        return value

    @property
    def air(self) -> tuple[float, bool] | None:
        return 0.5 * self.density * self.drag_area, self.static

    @property
    def components(self) -> tuple[TimeFunction, TimeFunction, TimeFunction]:
        """The velocity of the air, m/s, in world axes."""
        size = math.hypot(*self.direction)
        x, y, z = (_scaled(self.speed, c / size) for c in self.direction)
        return x, y, z


def _scaled(f: TimeFunction, share: float) -> TimeFunction:
    if isinstance(f, AnalyticFunction):
        waves = tuple(h.model_copy(update={"amplitude": share * h.amplitude}) for h in f.harmonics)
        own = {name: share * getattr(f, name) for name in ("offset", "rate", "half_acceleration")}
        return f.model_copy(update={**own, "harmonics": waves})
    return f.model_copy(update={"values": tuple(share * value for value in f.values)})


TYPE = ElementType(Wind, "wind", "load", None, "force-wind", Mark("wind"), added={"drag_area": 1.0})
