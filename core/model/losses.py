"""Rolling resistance and air drag of a train or a car: one description, on the vehicle, that every ride uses.

The description is the force elements themselves, of the types that say that they slow a vehicle: one at every wheel
guide, one for the air. Here they are read and set together.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib import resources
from typing import Annotated, Any

from pydantic import Field

from ..base.delimited import records_of
from ..base.errors import InputError
from ..base.fields import NonNegative, described
from ..base.frozen import Frozen
from .assembly import Assembly
from .forces import TYPES, type_of
from .forces.base import ElementType, Place

#: Rows of resources/library/resistance.csv the library's vehicles take.
ROLLING, DRAG_AREA = "wheel_rolling", "cda_from_2e-5"


class Losses(Frozen):
    """What slows a train or a car: a share of the force on every wheel, and the air."""

    rolling: Annotated[float, Field(ge=0.0, le=1.0)] = described(
        0.0,
        "Rolling resistance",
        "Slowing force over the force on the wheels, in the mean; 0.009 to 0.018 is printed for coasters.",
        unit="1",
    )
    drag_area: NonNegative = described(
        0.0, "Drag area", "Drag coefficient times frontal area, of all together.", unit="m^2"
    )


def _type(position: Place) -> ElementType:
    """The type of element that slows a vehicle at a guide, or at a body."""
    return next(made for made in TYPES.values() if made.slows and made.place == position)


def _slowing(assembly: Assembly, position: Place) -> Iterator[tuple[str, Any, float]]:
    """Path from here of what every enabled slowing element acts on, the element, and its factor."""
    made = _type(position)
    (field,) = made.bodies() if position == "body" else ("guide",)
    for prefix, at in assembly.walk():
        for force in at.forces:
            if type_of(force) is made and force.enabled and made.law is not None:
                factor = made.law(force, made.geometry()).parameters[0]
                yield prefix + getattr(force, field), force, factor


def _cars(assembly: Assembly) -> tuple[Assembly, ...]:
    return assembly.children if assembly.role == "train" else (assembly,)


def _rolling(assembly: Assembly) -> float:
    """Mean share over the guides of the cars, each car counting by its mass."""
    total, mass = 0.0, 0.0
    for car in _cars(assembly):
        guides = car.every("guide")
        if guides:
            total += car.mass() * sum(factor for _, _, factor in _slowing(car, "guide")) / len(guides)
            mass += car.mass()
    return total / mass if mass > 0.0 else 0.0


def losses_of(assembly: Assembly) -> Losses:
    """The losses of a train or a car; what is switched off does not count. Raises InputError where the elements at its
    wheels together slow by more than the force there."""
    rolling = _rolling(assembly)
    if rolling > 1.0:
        raise InputError(
            f"The rolling resistances of '{assembly.name}' add up to {rolling:.3g} of the force on its wheels (at"
            " most 1 is allowed); lower them, or take out one that is there twice."
        )
    area = sum(getattr(drag, _type("body").slows) for _, drag, _ in _slowing(assembly, "body"))
    return Losses(rolling=rolling, drag_area=area)


def drag_per_mass(assembly: Assembly) -> float:
    """R (1/m) of the deceleration R v^2 by the air."""
    return float(sum(factor for _, _, factor in _slowing(assembly, "body")) / assembly.mass())


def with_losses(assembly: Assembly, losses: Losses) -> Assembly:
    """The train or car with these losses.

    Parameters
    ----------
    assembly
        A train or a car.
    losses
        The share stands at every wheel guide; the drag area in the proportions of the elements there are, else
        at the first car's heaviest body.

    Returns
    -------
    The assembly; elements that would stand at zero are removed.

    Raises
    ------
    InputError
        Without a guide for a rolling resistance.
    """
    if losses.rolling > 0.0 and not assembly.every("guide"):
        raise InputError(f"'{assembly.name}' has no wheel guide that could roll; add one.")
    before = losses_of(assembly).drag_area
    scale = losses.drag_area / before if before > 0.0 else 0.0
    cars = [_car_with(car, losses.rolling, scale) for car in _cars(assembly)]
    if before == 0.0 and losses.drag_area > 0.0:
        bodies = cars[0].own("body")
        heaviest = max(bodies, key=lambda path: bodies[path].mass)
        cars[0] = _with(cars[0], "body", heaviest, "Air drag", losses.drag_area)
    return assembly.model_copy(update={"children": tuple(cars)}) if assembly.role == "train" else cars[0]


def _car_with(car: Assembly, rolling: float, scale: float) -> Assembly:
    """A car with a share at every guide, and the drag areas it has times `scale`."""
    rolls, drags = _type("guide"), _type("body")

    def changed(at: Assembly) -> dict[str, Any]:
        forces = []
        for force in at.forces:
            made = type_of(force) if force.enabled else None
            if made is drags:
                force = force.model_copy(update={drags.slows: getattr(force, drags.slows) * scale})
            elif made is rolls:
                force = force.model_copy(update={rolls.slows: rolling})
            if made not in (rolls, drags) or getattr(force, made.slows) > 0.0:
                forces.append(force)
        return {"forces": tuple(forces)}

    out = car.each(changed)
    have = {guide for guide, _, _ in _slowing(out, "guide")}
    for guide in car.every("guide") if rolling > 0.0 else ():
        if guide not in have:
            out = _with(out, "guide", guide, f"Rolling resistance of {guide.replace('/', ', ')}", rolling)
    return out


def _with(car: Assembly, position: Place, on: str, wanted: str, value: float) -> Assembly:
    """A car with one slowing element more, under a free name."""
    made = _type(position)
    (field,) = made.bodies() if position == "body" else ("guide",)
    taken, name, count = {force.name for force in car.forces}, wanted, 2
    while name in taken:
        name, count = f"{wanted} {count}", count + 1
    element = made.model(**{"name": name, field: on, made.slows: value})  # type: ignore[arg-type]
    return car.model_copy(update={"forces": (*car.forces, element)})


def _stated(row: str) -> dict[str, str]:
    """A row of resources/library/resistance.csv by its columns."""
    table = resources.files("ridewright.resources") / "library" / "resistance.csv"
    return next(found for found in records_of(table.read_text(encoding="utf-8")) if found["id"] == row)


def library_losses(*, behind: bool = False) -> Losses:
    """The losses a vehicle of the library is inserted with; behind: in the slipstream of a car that has the drag."""
    rolling, area = (float(_stated(row)["value"]) for row in (ROLLING, DRAG_AREA))
    return Losses(rolling=rolling, drag_area=0.0 if behind else area)


def library_sources() -> str:
    """Where the losses of the library's vehicles come from, in a sentence for the screen."""
    rolling, area = _stated(ROLLING), _stated(DRAG_AREA)
    return (
        f"The library gives its vehicles {float(rolling['value']):g} ({rolling['confidence']}, {rolling['low']} to"
        f" {rolling['high']}: {rolling['source']}) and {float(area['value']):g} m² ({area['confidence']}:"
        f" {area['source']}). Nobody has published measured ones; together they lose about as much height per metre as"
        " two real rides do, 0.021 to 0.022."
    )
