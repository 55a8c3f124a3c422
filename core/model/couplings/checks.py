"""What the couplings of a train have to keep."""

from __future__ import annotations

from typing import Any

SAME_POINT = 1e-6  # m


def check_couplings(train: Any) -> None:
    """Raise ValueError, one sentence, for a coupling that cannot be (train: an Assembly)."""
    positions = {car.name: k for k, car in enumerate(train.children)}
    taken: dict[tuple[Any, ...], str] = {}
    for coupling in train.couplings:
        name = f"coupling '{coupling.name}'"
        first, second = coupling.cars
        for body, car in ((coupling.body_i, first), (coupling.body_j, second)):
            if car not in positions or "/" not in body:
                raise ValueError(f"{name} is fixed to '{body}', which is no body of a car; name one of a car")
        if first == second:
            raise ValueError(f"{name} joins car '{first}' to itself; name bodies of two neighbouring cars")
        if abs(positions[first] - positions[second]) != 1:
            between = sorted((positions[first], positions[second]))[0] + 1
            raise ValueError(
                f"{name} joins '{first}' and '{second}', which are not neighbours: '{train.children[between].name}'"
                " runs between them; couple neighbours only"
            )
        for body in (coupling.body_i, coupling.body_j):
            if any(body.startswith(f"{path}/") for path in train.with_role("rider")):
                raise ValueError(f"{name} is fixed to '{body}' of a rider; name a body of the car")
        key = tuple((body, *(round(x / SAME_POINT) for x in point)) for body, point in sorted(coupling.ends))
        other = taken.setdefault(key, coupling.name)
        if other != coupling.name:
            raise ValueError(
                f"couplings '{other}' and '{coupling.name}' join the same two points; remove one"
            )
        _check_names(train, coupling)


def _check_names(train: Any, coupling: Any) -> None:
    """Nothing of the train may be called as what the coupling is made of."""
    own = [*train.joints, *train.forces]
    inside = [child for car in train.children if car.name in coupling.cars for child in car.children]
    for element in (*own, *inside):
        if element.name == coupling.name or element.name.startswith(f"{coupling.name} "):
            raise ValueError(
                f"coupling '{coupling.name}' and '{element.name}' of the train or its cars need names of their own;"
                " rename one"
            )
