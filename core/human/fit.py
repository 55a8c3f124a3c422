"""A body of any size put on a seat: inverse kinematics within the limits of its joints, closed on the surfaces.

Hips go as far back as the back lets them and down until thighs or pelvis lie on the pan; the trunk lies along the
back, thighs along the pan. Legs hang or find the foot rest, hands the grips or the lap, the head keeps out of the
headrest. Of what is left open the posture nearest to the usual one is taken, by least squares; then what has to touch
is closed to `CLOSED`. What does not fit is told with how much is missing.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

import numpy as np

from ..base.arrays import Array
from ..base.frames import from_matrix
from ..base.frozen import Vec3, kept_quaternion
from ..base.sentence import say
from ..model.person import Person
from ..model.seats import SeatPart, SeatShape
from ..model.solids import Solids
from .figure import Figure, Three
from .joints import limits
from .misfit import Misfit
from .posture import Placing, chain, rotations
from .shape import segments

CLOSED: Final = 1e-6  # m
CLOSE: Final = 1e-14  # of what is solved to close it
FIRM: Final = 300.0  # how much what has to touch counts (1/m) beside the posture (1/rad)
SIDES: Final = ("Left ", "Right ")
TRUNK: Final = ("Abdomen", "Thorax", "Neck", "Head")
ARM: Final = ("Arm", "Forearm", "Hand")
AHEAD: Final = 0.03  # m of the hips before the H-point, from where on it is told
PAN, BACK = "pan", "back"


@dataclass(frozen=True)
class Fit:
    """A body on a seat: rotation vectors of all joints (rad), segments placed in the frame of the seat, what does not
    fit, and how far what has to touch is off (m)."""

    turned: dict[str, Three]
    placed: dict[str, Placing]
    misfits: tuple[Misfit, ...]
    closure: float


@lru_cache(maxsize=256)
def fit(person: Person, shape: SeatShape, *, arms: bool = True) -> Fit:
    """Put a person on a seat; arms: find places for the hands, too. Raises InputError as `segments` where no body can
    be made."""
    made = segments(person)
    figure = Figure(made, rotations("seated", made, person.pose))
    on_seat = _OnSeat(figure, shape, dict(person.pose))
    on_seat.sit()
    on_seat.rest_head()
    for side in SIDES if arms else ():
        on_seat.reach(side)
    on_seat.measure()
    centre, rotation = figure.at["Pelvis"]
    placed = {
        name: replace(one, orientation=np.array(kept_quaternion(tuple(one.orientation.tolist()))))
        for name, one in chain(made, figure.turned, centre, from_matrix(rotation)).items()
    }
    return Fit(figure.turned, placed, tuple(on_seat.misfits), on_seat.closure)


def _bounds(joint: str, axis: int) -> tuple[float, float]:
    lower, upper = limits(joint)
    return lower[axis], upper[axis]


def _within(value: float, bounds: tuple[float, float]) -> float:
    return min(max(value, bounds[0]), bounds[1])


def _solved(
    residual: Callable[[Array], Sequence[float]],
    start: Sequence[float] | Array,
    bounds: Sequence[tuple[float, float]],
    tolerance: float = 1e-6,
) -> Array:
    """Least squares from a start within bounds; a posture need not be found to the last digit, a touch is."""
    from scipy.optimize import least_squares  # not needed to show the window

    low, high = np.array(bounds).T
    begin = np.clip(start, low + 1e-9, high - 1e-9)
    found = least_squares(
        residual, begin, bounds=(low, high), method="trf", xtol=tolerance, ftol=tolerance, gtol=tolerance,
        max_nfev=60,
    )  # fmt: skip
    x: Array = found.x
    return x


class _OnSeat:
    """A figure that is being put on a seat."""

    def __init__(self, figure: Figure, shape: SeatShape, pose: dict[str, Three]) -> None:
        self.figure, self.shape, self.pose = figure, shape, pose
        self.misfits: list[Misfit] = []
        self.closure = 0.0
        self.solids: dict[str, Solids] = {
            kind: Solids.of(part.placed for part in shape.of(kind)) for kind in {p.kind for p in shape.parts}
        }
        self.none = Solids.of(())
        self.back, self.pan = back, pan = shape.back_turn, shape.pan_turn
        self.recline = math.atan2(-back[0, 2], back[2, 2])
        self.tilt = math.atan2(pan[2, 0], pan[0, 0])
        self.legs = tuple(side + name for side in SIDES for name in ("Thigh", "Calf", "Foot"))

    def of(self, kind: str) -> Solids:
        """The surfaces of a kind."""
        return self.solids.get(kind, self.none)

    # -- trunk and legs

    def sit(self) -> None:
        """Pelvis, trunk and legs: hips back and down, the legs hanging, or on the foot rest if they reach it."""
        hip = _within(-(math.pi / 2 + self.tilt - self.recline), _bounds("Left hip", 1))
        knee = self._hanging(hip)
        self._legs_posed(hip, knee, 0.0)
        rest = self.shape.of("foot_rest")
        if rest:
            hip, knee, ankle = self._on_rest(hip, knee)
            self._legs_posed(hip, knee, ankle)
        self._settle()
        if rest:
            self._feet(self._deepest("foot_rest", "Foot"))

    def _hanging(self, hip: float) -> float:
        """The knee's angle with which the calf hangs straight down, or as far down as the pan lets it."""
        from scipy.optimize import brentq  # not needed to show the window

        low, high = _bounds("Left knee", 1)
        usual = _within(self.recline - hip, (low, high))

        def depth(knee: float) -> float:
            self._legs_posed(hip, knee, 0.0)
            return self._deepest(PAN, "Calf")

        if depth(usual) <= 0.0:
            return usual
        last = low
        for knee in np.linspace(low, usual, 24)[1:]:  # deep inside the pan a depth says little
            if depth(float(knee)) > 0.0:
                return brentq(depth, last, float(knee), xtol=1e-12) if depth(last) < 0.0 else last
            last = float(knee)
        return usual

    def _on_rest(self, hip: float, knee: float) -> tuple[float, float, float]:
        """Hips, knees and ankles with the feet flat on the rest where they reach down to it, else as they hang."""
        axes, plate = self.of("foot_rest").axes[0].reshape(3, 3), self.of("foot_rest").centres[0]
        along, level = axes[:, 0], math.atan2(axes[2, 0], axes[0, 0])
        bounds = [_bounds(f"Left {joint}", 1) for joint in ("hip", "knee", "ankle")]
        flat = _within(self.recline - hip - knee - level, bounds[2])
        self._legs_posed(hip, knee, flat)
        if self._plane_depth("foot_rest", 2, "Foot") <= 0.0:
            return hip, knee, flat

        def contacts(x: Array) -> list[float]:
            self._legs_posed(*x)
            return [self._plane_depth("foot_rest", 2, "Foot"), max(0.0, self._deepest(PAN, "Calf"))]

        def residual(x: Array) -> list[float]:
            found = [FIRM * value for value in contacts(x)]
            middle = 0.5 * sum(self.figure.skin(f"{side}Foot")[0] for side in SIDES)
            turned = x[0] + x[1] + x[2] - self.recline + level
            return [*found, x[0] - hip, 0.2 * (x[1] - knee), turned, 3.0 * float(along @ (middle - plate))]

        x = _solved(residual, (hip, knee, flat), bounds)
        for _ in range(3):
            if max(map(abs, contacts(x))) <= 1e-9:
                break
            x = _solved(contacts, x, bounds, CLOSE)
        return float(x[0]), float(x[1]), float(x[2])

    def _feet(self, depth: float) -> None:
        """Tell of feet that are not on the rest."""
        if abs(depth) <= CLOSED:
            self.closure = max(self.closure, abs(depth))
        elif depth > 0.0:
            said = "the legs are {amount:.0f mm} too long for the foot rest"
            self._tell("legs too long", said, depth, ("Calf", "Foot"), self._named("foot_rest"))
        elif self._plane_depth("foot_rest", 2, "Foot") < -CLOSED:
            above = -self._plane_depth("foot_rest", 2, "Foot")
            said, down = (
                "the feet are {amount:.0f mm} above the foot rest",
                -above * self._axes("foot_rest")[:, 2],
            )
            lines = [(sole, sole + down) for sole in (self._sole(side) for side in SIDES)]
            self._tell("feet in the air", said, above, ("Foot",), self._named("foot_rest"), lines)
        else:
            said = "the feet are {amount:.0f mm} beside the foot rest"
            self._tell("feet beside the rest", said, -depth, ("Foot",), self._named("foot_rest"))

    def _legs_posed(self, hip: float, knee: float, ankle: float) -> None:
        """Legs turned about y, the whole back against the back and down on the pan, both as far as they are planes."""
        figure = self.figure
        for side in SIDES:
            for joint, value in zip(("hip", "knee", "ankle"), (hip, knee, ankle), strict=True):
                if side + joint not in self.pose:
                    figure.turned[side + joint] = (0.0, float(value), 0.0)
        figure.set_pelvis(np.zeros(3), self.back)
        figure.place(("Abdomen", "Thorax", *self.legs))
        up, ahead = self.pan[:, 2], self.back[:, 0]
        deep = (
            self._plane_depth(PAN, 2, "Pelvis", "Thigh"),
            self._plane_depth(BACK, 0, "Pelvis", "Abdomen", "Thorax"),
        )
        x, z = np.linalg.solve([[up[0], up[2]], [ahead[0], ahead[2]]], deep)
        figure.shift(np.array([x, 0.0, z]))

    def _plane_depth(self, kind: str, axis: int, *names: str) -> float:
        """How deep (m) the deepest of some segments lies below the outer face of a box, as if it had no end."""
        box = self.of(kind)
        way = box.axes[0].reshape(3, 3)[:, axis]
        face = float(way @ box.centres[0] + box.sizes[0, axis])
        return max(face - self.figure.lowest(name, way) for name in self._sided(names))

    def _settle(self) -> None:
        """Close pan and back where what lies nearest to their planes is beside their edges, and note what is left."""
        figure = self.figure

        def contacts(move: Array) -> list[float]:
            figure.shift(np.array([move[0], 0.0, move[1]]) - done)
            done[:] = move[0], 0.0, move[1]
            return [
                self._deepest(PAN, "Pelvis", "Thigh"), self._deepest(BACK, "Pelvis", "Abdomen", "Thorax")
            ]  # fmt: skip

        done = np.zeros(3)
        if max(map(abs, contacts(np.zeros(2)))) > 1e-9:
            contacts(_solved(contacts, (0.0, 0.0), [(-0.3, 0.3), (-0.3, 0.3)], CLOSE))
        off = max(map(abs, contacts(done[[0, 2]].copy())))
        self.closure = max(self.closure, off)
        if off > CLOSED:
            on = self._named(PAN, BACK)
            self._tell(
                "no place",
                "no place is found on pan and back, {amount:.2g mm} are left",
                off,
                ("Pelvis",),
                on,
            )

    def _sided(self, names: Sequence[str]) -> list[str]:
        """Names of segments with those of both sides in place of what has two."""
        every = self.figure.segments
        return [full for n in names for full in ((n,) if n in every else tuple(s + n for s in SIDES))]

    def _deepest(self, kind: str, *names: str) -> float:
        """How deep (m) the deepest of some segments, both sides of them, lies in the parts of a kind."""
        solids = self.of(kind)
        return max((self.figure.depth(name, solids) for name in self._sided(names)), default=-math.inf)

    # -- head and hands

    def rest_head(self) -> None:
        """Head and neck in line with the trunk, or bent as far forward as the headrest asks for."""
        from scipy.optimize import brentq  # not needed to show the window

        figure, rest = self.figure, self.of("headrest")
        figure.place(TRUNK)
        if figure.depth("Head", rest) <= 0.0 or {"T1-C7", "C1-Head"} & self.pose.keys():
            return
        ends = {name: _bounds(name, 1)[1] for name in ("T1-C7", "C1-Head")}

        def depth(share: float) -> float:
            for name, end in ends.items():
                figure.turned[name] = (0.0, share * end, 0.0)
            figure.place(("Neck", "Head"))
            return figure.depth("Head", rest)

        if depth(1.0) > 0.0:
            depth(0.0)
            return
        share = brentq(depth, 0.0, 1.0, xtol=1e-14)
        self.closure = max(self.closure, abs(depth(share)))

    def reach(self, side: str) -> None:
        """A hand on the nearest grip of its side, or on the lap."""
        figure = self.figure
        figure.place(side + name for name in ARM)
        grips = [
            p
            for p in self.shape.of("hand_grip")
            if p.placed.position[1] * (1 if side == "Left " else -1) > -0.05
        ]
        if grips and not self._pose_of_arm(side):
            hand = figure.skin(f"{side}Hand")[0]
            grip = min(grips, key=lambda p: float(np.linalg.norm(hand - p.placed.position)))
            missing = self._arm(side, Solids.of((grip.placed,)), np.array(grip.placed.position))
            if missing <= CLOSED:
                return
            sentence = say(
                "the {side}hand is {amount:.0f mm} short of its grip", side=side.lower(), amount=missing
            )
            line = (_vec(figure.skin(f"{side}Hand")[0]), grip.placed.position)
            self.misfits.append(
                Misfit("hands do not reach", sentence, missing, (f"{side}Hand",), (grip.name,), lines=(line,))
            )
        if not self._pose_of_arm(side):
            centre, turned, half = figure.skin(f"{side}Thigh")
            lap = centre - turned[:, 2] * 0.4 * half[2] + turned[:, 0] * half[0]
            self._arm(side, figure.solid(f"{side}Thigh"), lap)

    def _pose_of_arm(self, side: str) -> bool:
        return bool({f"{side}shoulder", f"{side}elbow"} & self.pose.keys())

    def _arm(self, side: str, target: Solids, goal: Array) -> float:
        """Turn shoulder and elbow until the hand touches a surface near a point (m); returns what is missing (m)."""
        figure, names = self.figure, tuple(side + name for name in ARM)
        shoulder, elbow, hand = f"{side}shoulder", f"{side}elbow", f"{side}Hand"
        lower, upper = limits(shoulder)
        bounds = [*zip(lower, upper, strict=True), _bounds(elbow, 1)]
        usual = np.array([*figure.turned[shoulder], figure.turned[elbow][1]])

        def gap(x: Array) -> float:
            figure.turned[shoulder] = (float(x[0]), float(x[1]), float(x[2]))
            figure.turned[elbow] = (0.0, float(x[3]), 0.0)
            figure.place(names)
            return figure.depth(hand, target)

        def residual(x: Array) -> list[float]:
            touch = FIRM * gap(x)
            return [touch, *(20.0 * (figure.skin(hand)[0] - goal)), *(0.2 * (x - usual))]

        x = _solved(residual, usual, bounds)
        for _ in range(3):
            if abs(gap(x)) <= 1e-9:
                break
            x = _solved(lambda y: [gap(y)], x, bounds, CLOSE)
        missing = abs(gap(x))
        if missing <= CLOSED:
            self.closure = max(self.closure, missing)
        return missing

    # -- what does not fit

    def measure(self) -> None:
        """Tell what does not fit of a body that sits."""
        self._hips()
        self._knees()
        self._headrest()
        said = "hips and thighs are {amount:.0f mm} wider than the seat"
        self._wide("side", ("Pelvis", "Thigh"), said)
        self._wide(
            "bolster", ("Thorax",), "the chest is {amount:.0f mm} wider than the bolsters leave room for"
        )

    def _wide(self, kind: str, segments: Sequence[str], said: str) -> None:
        """Tell of segments that lie in the parts on both sides of them."""
        names = self._sided(segments)
        wide = sum(
            max(0.0, *(self.figure.depth(name, Solids.of((part.placed,))) for name in names))
            for part in self.shape.of(kind)
        )
        if wide > 1e-3:
            self._tell("wider than the seat", said, wide, segments, self._named(kind))

    def _tell(
        self,
        kind: str,
        sentence: str,
        amount: float,
        segments: Sequence[str] = (),
        parts: Sequence[str] = (),
        lines: Sequence[tuple[Array, Array]] = (),
    ) -> None:
        """Note a misfit; segments: without their sides."""
        drawn = tuple((_vec(start), _vec(end)) for start, end in lines)
        named = tuple(self._sided(segments))
        self.misfits.append(
            Misfit(kind, say(sentence, amount=amount), amount, named, tuple(parts), lines=drawn)
        )

    def _named(self, *kinds: str) -> tuple[str, ...]:
        return tuple(part.name for kind in kinds for part in self.shape.of(kind))

    def _axes(self, kind: str) -> Array:
        axes: Array = self.of(kind).axes[0].reshape(3, 3)
        return axes

    def _sole(self, side: str) -> Array:
        """The point (3,) of a foot that is lowest over the foot rest."""
        way, (centre, turned, half) = self._axes("foot_rest")[:, 2], self.figure.skin(f"{side}Foot")
        across = half * (way @ turned)
        lowest: Array = centre - turned @ (half * across) / np.linalg.norm(across)
        return lowest

    def _hips(self) -> None:
        hips = 0.5 * (self.figure.joint("Left Thigh") + self.figure.joint("Right Thigh"))
        ahead = float(self.pan[:, 0] @ (hips - np.array(self.shape.h_point)))
        if ahead > AHEAD:
            said, meant = "the hips are {amount:.0f mm} before the H-point", hips - ahead * self.pan[:, 0]
            self._tell("before the H-point", said, ahead, ("Pelvis",), lines=[(hips, meant)])

    def _knees(self) -> None:
        """Knees behind the front edge of the pan, over which the legs are stretched."""
        pan = self.shape.of(PAN)[0].placed
        forward = self.pan[:, 0]
        edge = forward @ np.array(pan.position) + pan.half_sizes[0]  # type: ignore[union-attr]
        behind = float(edge - forward @ self.figure.joint("Left Calf"))
        calf = self.figure.at["Left Calf"][1]
        stretched = abs(math.atan2(calf[0, 2], calf[2, 2])) > math.radians(20.0)
        if behind > 1e-3 and stretched:
            said, knees = (
                "the knees are {amount:.0f mm} behind the front edge of the pan",
                [self.figure.joint(f"{side}Calf") for side in SIDES],
            )
            lines = [(knee, knee + behind * forward) for knee in knees]
            self._tell("pan too long", said, behind, ("Calf",), self._named(PAN), lines)

    def _headrest(self) -> None:
        rests = self.shape.of("headrest")
        if not rests:
            return
        up = self.back[:, 2]
        head = self.figure.skin("Head")[0]
        top = max(float(up @ np.array(part.placed.position)) + _reach(part, up) for part in rests)
        above = float(up @ head) - top
        if above > 1e-3:
            said, names = (
                "the middle of the head is {amount:.0f mm} above the headrest",
                self._named("headrest"),
            )
            self._tell("above the headrest", said, above, ("Head",), names, [(head, head - above * up)])
        inside = self.figure.depth("Head", self.of("headrest"))
        if inside > 1e-3:
            said = "the head is {amount:.0f mm} in the headrest"
            self._tell("head in the headrest", said, inside, ("Head",), self._named("headrest"))


def _vec(point: Array) -> Vec3:
    x, y, z = point.tolist()
    return x, y, z


def _reach(part: SeatPart, way: Array) -> float:
    """How far (m) a part reaches from its middle in a direction (3,)."""
    solids = Solids.of((part.placed,))
    size, turned = solids.sizes[0], solids.axes[0].reshape(3, 3).T @ way
    kind = part.surface.kind
    if kind == "box":
        return float(np.abs(turned) @ size)
    if kind in ("capsule", "cylinder"):
        return float(size[0] + abs(turned[2]) * size[1])
    return float(np.linalg.norm(size * turned)) if kind == "ellipsoid" else float(size[0])
