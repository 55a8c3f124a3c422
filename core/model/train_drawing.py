"""A train drawn from its left side, as plain shapes: for the gallery, the window that makes trains, and the report.

Cars are hulls around their bodies and wheels, with the riders on their seats; couplings draw themselves. It
is a drawing, not a surface: heights of hulls follow the centres of mass.
"""

from __future__ import annotations

import numpy as np

from ..base.arrays import Array
from .assembly import Assembly
from .bodies import GROUND
from .couplings import Coupling
from .placement import PlacedModel, placed_model
from .shapes import Shape

OVERHANG, WHEEL, HEAD = 0.25, 0.16, 0.13  # m
SEAT = np.array([[-0.22, 0.6], [-0.12, -0.08], [0.3, -0.04]])  # m, about where the rider's lower torso is


def side_view(train: Assembly) -> tuple[Shape, ...]:
    """The shapes of a train, or of one car, first car at the right; couplings last, in front of the cars."""
    top = train
    if train.role == "car":
        car = train.model_copy(update={"offset": 0.0})
        top = Assembly.model_construct(name="Train", role="train", children=(car,))
    drawn = placed_model(top)
    shapes = [shape for k in range(len(top.children)) for shape in _car(top, drawn, k)]
    xs = np.concatenate([shape.points[:, 0] for shape in shapes])
    ends = [[xs.min() - OVERHANG, 0.0], [xs.max() + OVERHANG, 0.0]]
    rail = Shape("rail", "", np.array(ends))
    return (rail, *shapes, *(shape for c in top.couplings for shape in _coupling(drawn, c)))


def bounds(shapes: tuple[Shape, ...]) -> tuple[float, float, float, float]:
    """Least and greatest x, then least and greatest z (m)."""
    low = np.min([shape.points.min(axis=0) - shape.radius for shape in shapes], axis=0)
    high = np.max([shape.points.max(axis=0) + shape.radius for shape in shapes], axis=0)
    return float(low[0]), float(high[0]), float(low[1]), float(high[1])


def _car(top: Assembly, drawn: PlacedModel, k: int) -> list[Shape]:
    car = top.children[k]
    own = car.own("body")
    points = {name: drawn.frame(f"{car.name}/{name}").position for name in own}
    wheels = [
        drawn.frame(_full(car.name, name, guide.body)).point(guide.point)
        for name, guide in car.own("guide").items()
    ]
    weights = [body.mass for body in own.values()]
    high = float(np.average([p[2] for p in points.values()], weights=weights))
    low = min((w[2] for w in wheels), default=0.0)
    rear, front = _reach(top, drawn, k, [*points.values(), *wheels])
    floor, roof = 0.45 * max(high - low, 0.3) + low, 1.45 * max(high - low, 0.3) + low
    seats = [
        float(drawn.at(f"{car.name}/{prefix}"[:-1], s.body).point(s.position)[2])
        for prefix, at in car.walk()
        for s in at.seats
    ]
    roof = max(roof, min(seats) + 0.15) if seats else roof
    nose = min(0.3 * (roof - floor), 0.1 * (front - rear))
    hull = [
        [rear, floor], [front - nose, floor], [front, floor + nose], [front, roof - nose], [front - nose, roof],
        [rear + nose, roof], [rear, roof - nose],
    ]  # fmt: skip
    shapes = [Shape("hull", car.name, np.array(hull), closed=True)]
    size = min(WHEEL, 0.4 * max(high - low, 0.3))
    # what follows the centreline is guided as a whole, and has no wheels
    on_rails = [guide.path != "centreline" for guide in car.own("guide").values()]
    positions = {round(float(w[0]), 2) for w, rail in zip(wheels, on_rails, strict=True) if rail}
    shapes += [Shape("wheel", car.name, np.array([[x, low + size]]), size) for x in sorted(positions)]
    return shapes + _seats(drawn, car) + _riders(drawn, car)


def _reach(top: Assembly, drawn: PlacedModel, k: int, points: list[Array]) -> tuple[float, float]:
    """Rear and front end (m) of the hull of car number k: what stands on it, or what room its neighbours leave it."""
    rear, front = min(p[0] for p in points) - OVERHANG, max(p[0] for p in points) + OVERHANG
    car, middle = top.children[k], float(np.mean([p[0] for p in points]))
    ends = []
    for c in top.couplings:
        for body, point in ((c.body_i, c.point_i), (c.body_j, c.point_j)):
            if body.startswith(f"{car.name}/"):
                ends.append(float(drawn.frame(body).point(point)[0]))
    if front - rear > 4.0 * OVERHANG or not ends:
        return rear, front
    half = max(abs(x - middle) for x in ends)
    return middle - half - OVERHANG, middle + half + OVERHANG


def _seats(drawn: PlacedModel, car: Assembly) -> list[Shape]:
    """Back and cushion of the seats nobody sits on, one for those that stand abreast."""
    positions = set()
    for path, holder in car.walk():
        taken = {rider.seat for rider in holder.riders}
        for seat in holder.seats:
            if seat.name not in taken:
                x, _, z = drawn.at(f"{car.name}/{path}"[:-1], seat.body).point(seat.position)
                positions.add((round(float(x), 2), round(float(z), 2)))
    return [Shape("seat", car.name, SEAT + position) for position in sorted(positions)]


def _riders(drawn: PlacedModel, car: Assembly) -> list[Shape]:
    shapes = []
    for path, holder in car.walk():
        for rider in holder.riders:
            here = f"{car.name}/{path}{rider.name}/"
            head, torso, pelvis = (
                drawn.frame(f"{here}{getattr(rider, part)}").position[[0, 2]]
                for part in ("head", "upper_torso", "pelvis")
            )
            shapes.append(Shape("rider", car.name, np.array([pelvis, torso, head])))
            shapes.append(Shape("rider", car.name, head[None], HEAD))
    return shapes


def _coupling(drawn: PlacedModel, coupling: Coupling) -> list[Shape]:
    a = drawn.frame(coupling.body_i).point(coupling.point_i)[[0, 2]]
    b = drawn.frame(coupling.body_j).point(coupling.point_j)[[0, 2]]
    if float(np.linalg.norm(b - a)) < 1e-6:
        return [Shape("bar", coupling.name, a[None], 0.05)]
    return coupling.side_view(a, b)


def _full(car: str, path: str, body: str) -> str:
    """The full name of a body that an element at a path inside a car names."""
    if body == GROUND:
        return body
    inside = path.rpartition("/")[0]
    return "/".join(part for part in (car, inside, body) if part)
