"""Air drag at the centre of mass of a body."""
# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

from typing import Literal

from ...base.fields import NonNegative, described
from ...jit.decorators import inner
from ..laws import Law
from .base import ElementType, Geometry, Mark, Use
from .ends import OnBody


class AirDrag(OnBody):
    """Air drag -1/2 rho Cd A |v| v at the centre of mass of a body; density kg/m^3, drag_area Cd A in m^2."""

    kind: Literal["air_drag"] = "air_drag"
    drag_area: NonNegative = described(0.0, "Drag area", "Drag coefficient times frontal area.", unit="m^2")
    density: NonNegative = described(
        1.225, "Air density", "1.225 kg/m³ is dry air at 15 °C at sea level.", unit="kg/m^3"
    )


@inner
def _drag(p, x, v, m, s):
    return p[0] * v * v, 0.0, 2.0 * p[0] * v, 0.0, p[0] * v**3


DRAG = Law("air drag", _drag)  # 1/2 rho Cd A


def law(drag: AirDrag, geometry: Geometry) -> Use:
    """Drag with the square of the speed."""
    return Use(DRAG, (0.5 * drag.density * drag.drag_area,))


TYPE = ElementType(AirDrag, "air drag", "body", law, "force-wind", Mark("wind"), slows="drag_area")
