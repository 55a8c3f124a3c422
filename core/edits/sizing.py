"""What a new element between two bodies is sized for: where it is drawn, and what it moves.

A spring between two masses swings with their reduced mass. Each of the two is what moves together as drawn: all bodies
that joints or flexible bodies join, with who sits on them. What a guide or a joint holds to the track or the ground
does not give way, and counts as held.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from ..base.arrays import Array
from ..base.frame import IDENTITY, Frame
from ..base.frozen import Vec3
from ..model.assembly import Assembly
from ..model.bodies import GROUND, SEAT
from ..model.carried import mass_of, passengers_on
from ..model.forces.base import Sizing
from ..model.placement import PlacedModel, joined, placed_model

DIGITS = 7  # of a metre, and of a direction
APART = 0.01  # m; nearer centres are no two ends of an element
AWAY = 0.5  # m below a body, where its element meets what has no place of its own

Inertia = Callable[[Array], float]  # of a moment of inertia (3, 3) kg m^2 what an element turns


class Ends(NamedTuple):
    """Two bodies by the names that the holder has for them, and points (3,) m in the frame of the holder."""

    body_i: str
    point_i: Array
    body_j: str
    point_j: Array


class _Group(NamedTuple):
    """What moves together: mass (kg), moment of inertia about a point (3, 3) kg m^2, whether it is held."""

    mass: float
    inertia: Array
    held: bool


class Surroundings:
    """An assembly that gets a new element; world: the frame of the assembly in that of the ground."""

    def __init__(self, holder: Assembly, world: Frame = IDENTITY) -> None:
        self.holder, self.world = holder, world
        self.drawn: PlacedModel = placed_model(holder)

    def frame(self, body: str) -> Frame:
        """The frame that a body's name means, in that of the holder."""
        if body != GROUND:
            return self.drawn.at("", body)
        turn = self.world.rotation.T
        return Frame(-turn @ self.world.position, turn)

    def on(self, body: str, position: Array) -> Vec3:
        """A place (3,) m of the holder's frame as a point on a body."""
        frame = self.frame(body)
        return _vec(frame.rotation.T @ (position - frame.position))

    def along(self, body: str, direction: Array) -> Vec3:
        """A direction (3,) of the holder's frame on a body."""
        return _vec(self.frame(body).rotation.T @ direction)

    def centre(self, body: str) -> Array:
        """The centre (3,) m of a body, in the holder's frame."""
        return self.frame(body).position

    def between(self, body_i: str, body_j: str) -> Ends:
        """The centres of two bodies; where one has no place, or the same, half a metre below the other."""
        fixed = (GROUND, SEAT)
        i, j = self.centre(body_i), self.centre(body_j)
        below = AWAY * (self.world.rotation.T @ np.array([0.0, 0.0, -1.0]))
        if body_j in fixed or np.linalg.norm(i - j) < APART:
            j = i + below
        elif body_i in fixed:
            i = j + below
        return Ends(body_i, i, body_j, j)

    def sizing(self, ends: Ends) -> Sizing:
        """For an element between two points."""
        middle = 0.5 * (ends.point_i + ends.point_j)
        mass, turning = self._moves(ends.body_i, ends.body_j, middle, _mean)
        return Sizing(mass, turning, float(np.linalg.norm(ends.point_i - ends.point_j)))

    def sizing_in(self, path: str) -> Sizing:
        """For an element in the joint at a path of the holder."""
        owner, joint = path.rpartition("/")[0], self.holder.every("joint")[path]
        one, other = self.drawn.at(owner, joint.body_i), joint.axis_i
        about = _mean if other is None or joint.type.acts_in == "turn" else _about(one.direction(other))
        i, j = (self.drawn.anchor(owner, body).body for body in (joint.body_i, joint.body_j))
        mass, turning = self._moves(i, j, one.point(joint.point_i), about)
        return Sizing(mass if joint.type.acts_in == "slide" else turning, turning)

    def _moves(self, one: str, other: str, point: Array, turned: Inertia) -> tuple[float, float]:
        """Mass (kg) and moment of inertia (kg m^2) that move between two bodies: of each what moves with it when what
        joins just the two is gone, or that body alone where they still move together."""
        every = [self.drawn.anchor("", body).body for body in (one, other)]
        gone = frozenset(every)
        together = self._together(every[0], gone)
        reach = [together, self._together(every[1], gone)]
        if every[1] in together:
            reach = [frozenset({body}) for body in every]
        groups = [self._group(bodies, point, alone=every[1] in together) for bodies in reach]
        if all(group.held for group in groups):
            groups = [self._group(frozenset({body}), point, alone=True) for body in every]
        moving = [group for group in groups if not group.held]
        if not moving:
            return 1.0, 1.0
        masses = sum(1.0 / group.mass for group in moving)
        turns = sum(1.0 / turned(group.inertia) for group in moving)
        return 1.0 / masses, 1.0 / turns

    def _links(self) -> Iterator[tuple[str, ...]]:
        for prefix, at in self.drawn.assemblies.items():
            for element in (*at.joints, *at.flexibles):
                yield self.drawn.connected(prefix, element)

    def _together(self, start: str, without: frozenset[str]) -> frozenset[str]:
        """The bodies, GROUND among them, that are joined with one, by others than what joins just two of them."""
        found, news = {start}, [start]
        links = [link for link in self._links() if not frozenset(link) <= without]
        while news:
            body = news.pop()
            if body == GROUND:
                continue
            for link in links:
                if body in link:
                    more = [other for other in link if other not in found]
                    found.update(more)
                    news += more
        return frozenset(found)

    def _group(self, bodies: frozenset[str], point: Array, *, alone: bool) -> _Group:
        guided = {
            self.drawn.anchor(prefix, guide.body).body
            for prefix, at in self.drawn.assemblies.items()
            for guide in at.guides
        }
        held = GROUND in bodies or (not alone and bool(bodies & guided))
        mass, inertia = 0.0, np.zeros((3, 3))
        for body in bodies - {GROUND}:
            frame, own = self.drawn.frame(body), self.drawn.bodies[body]
            parts = [(own.mass, np.zeros(3), own.inertia_tensor()), *self._sitting(body)]
            for m, centre, tensor in parts:
                turned = frame.rotation @ tensor @ frame.rotation.T
                mass += m
                inertia = inertia + turned + m * _square(frame.point(centre) - point)
        for prefix, at in self.drawn.assemblies.items():
            for beams in () if alone else at.flexibles:
                if bodies & {*self.drawn.connected(prefix, beams)}:
                    middle = np.mean([node.position for node in beams.nodes], axis=0)
                    mass += beams.mass()
                    inertia = inertia + beams.mass() * _square(
                        self.drawn.origin(prefix).point(middle) - point
                    )
        return _Group(mass, inertia, held)

    def _sitting(self, body: str) -> Iterator[tuple[float, Array, Array]]:
        """Passengers on the seats of a body: mass (kg), centre (3,) m and moments (3, 3) kg m^2 in its axes."""
        for prefix, at in self.drawn.assemblies.items():
            for carrier, seats in passengers_on(at).items():
                if joined(prefix, carrier) == body:
                    yield mass_of(seats)


def _square(r: Array) -> Array:
    out: Array = np.dot(r, r) * np.eye(3) - np.outer(r, r)
    return out


def _mean(inertia: Array) -> float:
    return float(np.trace(inertia)) / 3.0


def _about(axis: Array) -> Inertia:
    a = axis / np.linalg.norm(axis)
    return lambda inertia: float(a @ inertia @ a)


def _vec(values: Array) -> Vec3:
    x, y, z = (round(float(v), DIGITS) + 0.0 for v in values)
    return x, y, z


def world_of(top: Assembly, owner: tuple[str, ...]) -> Frame:
    """The frame of an assembly inside, in that of the top."""
    return placed_model(top).origin("/".join(owner))
