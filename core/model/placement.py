"""Where the bodies of an assembly stand as drawn, and what the names in each of its parts mean."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from ..base.arrays import Array
from ..base.frame import IDENTITY, Frame
from ..base.frames import from_matrix, multiply, rotation_matrix
from ..base.remembered import remembered
from .assembly import Assembly
from .bodies import GROUND, SEAT, Body
from .joints import Joint
from .references import references


class Anchor(NamedTuple):
    """What a name means: a body by its path from the top, or GROUND, and the frame on it in which points are given."""

    body: str
    frame: Frame


class PlacedModel:
    """An assembly as drawn, in its own frame.

    bodies: path -> body, in the order of the equations. position (m) and orientation (Euler parameters): of every body.
    Bodies are placed when they are asked for: most who ask what a name means want no places, and a run asks for each
    of its parts.
    """

    def __init__(self, top: Assembly, origins: Mapping[str, Frame] | None = None) -> None:
        """origins: frames of assemblies, by path, in place of those that the description gives them."""
        self.assemblies = {prefix[:-1]: assembly for prefix, assembly in top.walk()}
        self.bodies: dict[str, Body] = top.every("body")
        self._origins: dict[str, Frame] = {"": IDENTITY, **(origins or {})}
        self._placed: dict[str, tuple[Array, Array]] = {}
        self._turned: dict[str, Array] = {}
        self.position: Mapping[str, Array] = _OfBodies(self, 0)
        self.orientation: Mapping[str, Array] = _OfBodies(self, 1)

    def origin(self, path: str) -> Frame:
        """The frame of the assembly at a path."""
        if path not in self._origins:
            assembly, holder = self.assemblies[path], path.rpartition("/")[0]
            if assembly.role == "rider":
                body, on = self.anchor(path, SEAT)
                self._origins[path] = on if body == GROUND else self.frame(body).inside(on)
            elif self.assemblies[holder].role == "train":
                behind = Frame(np.array([-assembly.offset, 0.0, 0.0]), np.eye(3))
                self._origins[path] = self.origin(holder).inside(behind)
            else:
                own = Frame(np.asarray(assembly.position), rotation_matrix(assembly.orientation))
                self._origins[path] = self.origin(holder).inside(own)
        return self._origins[path]

    def frame(self, body: str) -> Frame:
        """The frame of a body by its path; that of the top for GROUND."""
        if body == GROUND:
            return IDENTITY
        position, orientation = self.placed(body)
        return Frame(position, rotation_matrix(orientation))

    def placed(self, path: str) -> tuple[Array, Array]:
        """Position (3,) m and orientation (4,) of the body at a path."""
        if path not in self._placed:
            holder = path.rpartition("/")[0]
            body, origin = self.bodies[path], self.origin(holder)
            if holder not in self._turned:
                self._turned[holder] = from_matrix(origin.rotation)
            p = multiply(self._turned[holder], np.asarray(body.orientation))
            self._placed[path] = origin.point(body.position), p / np.linalg.norm(p)
        return self._placed[path]

    def anchor(self, holder: str, name: str) -> Anchor:
        """What a body's name means in the assembly at the path `holder`; "seat" is where a rider sits."""
        if name == GROUND:
            return Anchor(GROUND, IDENTITY)
        assembly = self.assemblies[holder]
        if name == SEAT and assembly.role == "rider":
            if not holder:  # a rider on its own: the top is the seat
                return Anchor(GROUND, IDENTITY)
            above = holder.rpartition("/")[0]
            seat = next(s for s in self.assemblies[above].seats if s.name == assembly.seat)
            on = Frame(np.asarray(seat.position), rotation_matrix(seat.orientation))
            return Anchor(joined(above, seat.body) if seat.body != GROUND else GROUND, on)
        return Anchor(joined(holder, name), IDENTITY)

    def at(self, holder: str, name: str) -> Frame:
        """Where the frame that a body's name means stands."""
        body, on = self.anchor(holder, name)
        return self.frame(body).inside(on)

    def connected(self, holder: str, element: object) -> tuple[str, ...]:
        """The bodies an element joins, acts on or drives, by their paths; GROUND among them where it does."""
        found: list[str] = []
        for _, kind, path in references(element):
            if kind == "body":
                found.append(self.anchor(holder, path).body)
            elif kind == "assembly":
                found += [body for body in self.bodies if body.startswith(f"{joined(holder, path)}/")]
            elif kind in ("joint", "guide"):
                owner, _, name = joined(holder, path).rpartition("/")
                rows = getattr(self.assemblies[owner], f"{kind}s")
                found += self.connected(owner, next(row for row in rows if row.name == name))
        return tuple(found)

    def joints(self, holder: str, element: object) -> tuple[Joint, ...]:
        """The joints that an element of the assembly at the path `holder` acts in."""
        found = []
        for _, kind, path in references(element):
            if kind == "joint":
                owner, _, name = joined(holder, path).rpartition("/")
                found.append(next(j for j in self.assemblies[owner].joints if j.name == name))
        return tuple(found)

    def beyond(self, holder: str, joint: Joint, body: str) -> set[str]:
        """The bodies that joints connect with a body of a joint of the assembly at the path `holder`, that joint left
        out: what turns with it against the other side."""
        links = [
            self.connected(path, other)
            for path, assembly in self.assemblies.items()
            for other in assembly.joints
            if other is not joint
        ]
        start = self.anchor(holder, body).body
        moved: set[str] = set()
        waiting = [] if start == GROUND else [start]
        while waiting:
            at = waiting.pop()
            if at in moved:
                continue
            moved.add(at)
            waiting += [other for link in links if at in link for other in link if other not in (GROUND, at)]
        return moved


class _OfBodies(Mapping[str, Array]):
    """One of the figures by which bodies are placed, by their paths."""

    def __init__(self, drawn: PlacedModel, which: int) -> None:
        self._drawn, self._which = drawn, which

    def __getitem__(self, path: str) -> Array:
        return self._drawn.placed(path)[self._which]

    def __iter__(self) -> Iterator[str]:
        return iter(self._drawn.bodies)

    def __len__(self) -> int:
        return len(self._drawn.bodies)


def joined(*parts: str) -> str:
    """A path of paths, empty ones left out."""
    return "/".join(part for part in parts if part)


class GuidePlace(NamedTuple):
    """A guide of a car: its path in the car, the curve it follows, how far forward of the car's origin (m) it is."""

    name: str
    path: str
    ahead: float


def guide_places(car: Assembly) -> tuple[GuidePlace, ...]:
    """Where the guides of a car are."""
    drawn = placed_model(car)
    return tuple(
        GuidePlace(
            name, guide.path, float(drawn.at(name.rpartition("/")[0], guide.body).point(guide.point)[0])
        )
        for name, guide in car.every("guide").items()
    )


def middle_of(positions: Sequence[GuidePlace]) -> float:
    """How far forward of the origin of a car (m) the middle of its guides is; 0 without guides."""
    return float(np.mean([position.ahead for position in positions])) if positions else 0.0


@remembered(16)  # a train, its cars, and those of before
def placed_model(top: Assembly) -> PlacedModel:
    """An assembly as it is drawn: whoever asks for one again gets the same."""
    return PlacedModel(top)
