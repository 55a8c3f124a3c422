"""A train with its couplings as what they are made of: bodies, joints and force elements.

What a coupling is made of, its kind says (`core.model.couplings`). It is called after it: its force element or joint
has its name, bodies stand in an assembly of that name in each car, the rest has an addition behind it.
"""

from __future__ import annotations

import numpy as np

from ..base.arrays import Array
from ..base.errors import InputError
from ..base.frames import conjugate, multiply
from ..base.frozen import Quat
from .assembly import Assembly
from .couplings import Coupling
from .couplings.base import CarPart, DrawnEnd, Parts
from .placement import PlacedModel, placed_model

COINCIDE = 1e-9  # m; points nearer than that have no direction between them
AHEAD: Quat = (1.0, 0.0, 0.0, 0.0)
BACK: Quat = (0.0, 0.0, 0.0, 1.0)


def with_couplings(train: Assembly) -> Assembly:
    """The train as its equations have it; itself where it has no couplings. It is not checked again."""
    if not train.couplings:
        return train
    drawn = placed_model(train)
    made = [(coupling.name, parts_of(drawn, coupling)) for coupling in train.couplings]
    added = [(part.car, _assembly(name, part)) for name, one in made for part in one.bodies]
    cars = tuple(
        car.model_copy(
            update={"children": (*car.children, *(part for name, part in added if name == car.name))}
        )
        for car in train.children
    )
    return train.model_copy(
        update={
            "children": cars if added else train.children,
            "joints": (*train.joints, *(joint for _, one in made for joint in one.joints)),
            "forces": (*train.forces, *(force for _, one in made for force in one.forces)),
            "couplings": (),
        }
    )


def _assembly(name: str, part: CarPart) -> Assembly:
    orientation = AHEAD if part.forward else BACK
    return Assembly(name=name, position=part.position, orientation=orientation, bodies=part.bodies)


def parts_of(drawn: PlacedModel, coupling: Coupling) -> Parts:
    """What a coupling of the train `drawn` is made of. Raises InputError where its points coincide and it has no length
    of its own."""
    if words := coincident(drawn, coupling):
        raise InputError(words)
    return coupling.parts(drawn_ends(drawn, coupling), free_length(drawn, coupling))


def straight_length(drawn: PlacedModel, coupling: Coupling) -> float:
    """How far the two points of a coupling are apart (m) on straight level track."""
    first, second = drawn_ends(drawn, coupling)
    return float(np.linalg.norm(second.place - first.place))


def free_length(drawn: PlacedModel, coupling: Coupling) -> float:
    """The distance of its points (m) at which a coupling has no force; the length of a bar."""
    return coupling.own_length or straight_length(drawn, coupling)


def standing_length(drawn: PlacedModel, coupling: Coupling) -> float:
    """The distance of its points (m) at which its cars are put on the track."""
    return (free_length if coupling.RIGID else straight_length)(drawn, coupling)


def coincident(drawn: PlacedModel, coupling: Coupling) -> str:
    """A sentence about a coupling without a length of its own whose points coincide as drawn; empty for any other."""
    if free_length(drawn, coupling) > COINCIDE:
        return ""
    return (
        f"Coupling '{coupling.name}': its points coincide as drawn, so that its bar has no length;"
        " give it one, or move a point."
    )


def drawn_ends(drawn: PlacedModel, coupling: Coupling) -> tuple[DrawnEnd, DrawnEnd]:
    """Both ends of a coupling as its train is drawn.

    Parameters
    ----------
    drawn
        The train, with both cars of the coupling.
    coupling
        One of the train's.

    Returns
    -------
    The ends at the first and the second of its cars: points (m) and axes in their cars and bodies.
    """
    cars = [car.name for car in drawn.assemblies[""].children]
    own = coupling.cars
    ahead = cars.index(own[0]) > cars.index(own[1])  # whether the second car runs ahead of the first
    along = np.array(AHEAD if ahead else BACK)

    def end(side: int) -> DrawnEnd:
        body, point = coupling.ends[side]
        frame, car = drawn.frame(body), drawn.origin(own[side])
        position = frame.point(point)
        towards = np.array([1.0 if ahead == (side == 0) else -1.0, 0.0, 0.0])
        axes = _quat(multiply(conjugate(drawn.orientation[body]), along))
        in_car = car.rotation.T @ (position - car.position)
        return DrawnEnd(body, point, own[side], position, in_car, towards, frame.rotation, axes)

    return end(0), end(1)


def _quat(value: Array) -> Quat:
    a, b, c, d = (float(v) + 0.0 for v in value)
    return (a, b, c, d)
