"""What is odd about a drawn assembly although its description is valid: gaps, skew axes, loaded springs, loose bodies.

Nothing here is an error: assembly closes small gaps, and a spring may be meant to be loaded. Everything is
measured in the drawn pose, riders on their seats included; elements are called by their paths, "Rider/Neck".
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from ..base.fields import specs_of
from ..base.frames import rotation_matrix
from .assembly import Assembly
from .bodies import GROUND
from .connections import uncoupled, uncoupled_sentence
from .coupled import coincident
from .drivers import Driver
from .forces import ForceElement, type_of
from .forces.base import drawn_load
from .forces.ends import TwoPoints
from .frame_checks import frame_faults
from .functions import TableFunction, TimeFunction
from .joints import Joint
from .joints.base import Ends
from .placement import PlacedModel, joined

FindingKind = Literal[
    "joint gap",
    "joint angle",
    "no dead band",
    "universal axes",
    "load as drawn",
    "points coincide",
    "inertia",
    "unconnected body",
    "seats too close",
    "table overshoot",
    "no stiffening",
    "frame",
    "uncoupled cars",
]
NEEDED_SEAT_DISTANCE = 0.45
OVERSHOOT = 0.25  # of the range of a table's values; smooth functions sampled coarsely stay far below
BETWEEN = 16  # places looked at between two entries of a table


@dataclass(frozen=True)
class Finding:
    """One oddity: which element, how large (m, rad, N or kg m^2 as `unit` says), and a sentence for a person; row: list
    and number of the row of the element that it is about."""

    kind: FindingKind
    element: str
    value: float
    unit: str
    message: str
    row: tuple[str, int] | None = None


@dataclass(frozen=True)
class Thresholds:
    """From where on something is reported: gap m, angle rad, load N or N m."""

    gap: float = 1e-4
    angle: float = 1e-3
    load: float = 10.0


def check_assembly(assembly: Assembly, thresholds: Thresholds | None = None) -> tuple[Finding, ...]:
    """Everything odd about an assembly in its drawn pose, its riders included.

    Returns findings in the order of the description: bodies that break the triangle rule of principal moments,
    joints whose points (m) or axes (rad) do not meet, universal joints whose arms are not perpendicular, force
    elements that are loaded (N, N m), bodies connected to nothing, seats closer than a person is wide (m), tables of
    drivers and forces whose curve swings far beyond their values because they jump, imported structures without
    geometric stiffening, frames of beams that cannot be built, cars of a train that nothing couples.
    """
    limits = thresholds or Thresholds()
    drawn = PlacedModel(assembly)
    found: list[Finding] = []
    for path, part in drawn.assemblies.items():
        found += _inertia(path, part)
        found += itertools.chain.from_iterable(_joint(drawn, path, joint, limits) for joint in part.joints)
        found += _loads(drawn, path, part, limits)
    found += [*unstiffened(assembly), *_frames(assembly)]
    for coupling in assembly.couplings:
        if words := coincident(drawn, coupling):
            found.append(Finding("points coincide", coupling.name, 0.0, "m", words))
    if words := uncoupled_sentence(assembly):
        found.append(Finding("uncoupled cars", uncoupled(assembly)[0][1], 0.0, "", words))
    seats = itertools.chain.from_iterable(_seats(path, part) for path, part in drawn.assemblies.items())
    tables = itertools.chain.from_iterable(_tables(path, part) for path, part in drawn.assemblies.items())
    return (*found, *_unconnected(drawn), *_dead_bands(drawn), *seats, *tables)


def _inertia(path: str, part: Assembly) -> Iterator[Finding]:
    for body in part.bodies:
        defect = body.triangle_defect()
        # Tables print four digits; a lamina meets the rule with equality and misses it by their rounding.
        if defect > 1e-3 * max(body.inertia):
            name = joined(path, body.name)
            a, b, c = body.principal_moments()
            yield Finding(
                "inertia",
                name,
                defect,
                "kg m^2",
                f"body '{name}': no mass distribution has these moments, {a:g} + {b:g} is less than {c:g} kg m^2.",
            )


def unstiffened(assembly: Assembly) -> Iterator[Finding]:
    """Imported structures that are to have geometric stiffening and have none."""
    for name, body in assembly.every("flexible").items():
        if body.unstiffened:
            text = (
                f"flexible body '{name}': no geometric stiffening is known of it, as of one that was imported as"
                " matrices, so that it bends wrongly where it turns fast or carries much; import its mesh, or switch"
                " its stiffening off to say that this is meant."
            )
            yield Finding("no stiffening", name, 0.0, "", text)


def _frames(assembly: Assembly) -> Iterator[Finding]:
    """Frames of beams that cannot be built as they are."""
    for name, body in assembly.every("flexible").items():
        for row, fault in frame_faults(body):
            yield Finding("frame", name, 0.0, "", f"flexible body '{name}': {fault}", row)


def _joint(drawn: PlacedModel, path: str, joint: Joint, limits: Thresholds) -> Iterator[Finding]:
    i, j = drawn.at(path, joint.body_i), drawn.at(path, joint.body_j)
    name = joined(path, joint.name)
    ends = Ends(
        j.point(joint.point_j) - i.point(joint.point_i),
        None if joint.axis_i is None else i.direction(joint.axis_i),
        None if joint.axis_j is None else j.direction(joint.axis_j),
    )
    for odd in joint.type.oddities(joint, ends):
        if odd.value > (limits.gap if odd.unit == "m" else limits.angle):
            yield Finding(odd.check, name, odd.value, odd.unit, f"joint '{name}': {odd.said}")


def _loads(drawn: PlacedModel, path: str, part: Assembly, limits: Thresholds) -> Iterator[Finding]:
    for force in part.forces:
        made, name = type_of(force), joined(path, force.name)
        if made is None or made.law is None or not force.enabled:
            continue
        geometry = made.geometry(next((joint.kind for joint in drawn.joints(path, force)), ""))
        use, what = made.law(force, geometry), f"{made.word} '{name}'"
        if use.law.given is not None:  # a drive: its load at the start is meant
            continue
        x: list[float] = [-use.origin]
        how = "is loaded with"
        after = ""
        if isinstance(force, TwoPoints):
            first, second = drawn.at(path, force.body_i), drawn.at(path, force.body_j)
            span = second.point(force.point_j) - first.point(force.point_i)
            length = float(np.linalg.norm(span))
            if geometry == "distance" and length < 1e-6:
                text = f"{what}: its points coincide as drawn, so it has no direction."
                yield Finding("points coincide", name, length, "m", text)
                continue
            x = [length - use.origin]
            after = f": it is {length:.5g} m long, unloaded {use.origin:.5g} m"
        if geometry == "frame":
            turn = first.rotation @ rotation_matrix(force.orientation)  # type: ignore[attr-defined, operator]
            x, after = [*(turn.T @ span), 0.0, 0.0, 0.0], ""
        elif geometry not in ("distance", "angle", "slide"):
            continue  # a ball is not turned as drawn, and what moves or rolls is at rest
        load = drawn_load(use, x)
        for value, unit in _sizes(load, made.shown(geometry)[1].unit):
            if geometry == "distance":
                how = "pulls with" if value > 0.0 else "pushes with"
            if abs(value) > limits.load:
                yield Finding(
                    "load as drawn",
                    name,
                    value,
                    unit,
                    f"{what} {how} {abs(value):.4g} {unit} as drawn{after}.",
                )


def _sizes(load: Sequence[float], unit: str) -> tuple[tuple[float, str], ...]:
    """A load as drawn with its unit; of six components the sizes of force and moment."""
    if len(load) < 2:
        return tuple((value, unit) for value in load)
    return (float(np.linalg.norm(load[:3])), "N"), (float(np.linalg.norm(load[3:])), "N m")


def _unconnected(drawn: PlacedModel) -> Iterator[Finding]:
    """Bodies that no joint, guide, flexible body or element between two bodies touches."""
    touched: set[str] = set()
    for path, part in drawn.assemblies.items():
        between = [force for force in part.forces if force.enabled and len(drawn.connected(path, force)) > 1]
        for element in (*part.joints, *part.guides, *part.flexibles, *between):
            touched |= set(drawn.connected(path, element))
    for name in drawn.bodies:
        if name not in touched:
            text = f"body '{name}' is connected to nothing: no joint, guide or element between two bodies names it."
            yield Finding("unconnected body", name, 0.0, "", text)


def _seats(path: str, part: Assembly) -> Iterator[Finding]:
    for a, b in itertools.combinations(part.seats, 2):
        if a.body == b.body:
            distance = math.dist(a.position, b.position)
            if distance < NEEDED_SEAT_DISTANCE:
                first, second = joined(path, a.name), joined(path, b.name)
                text = f"seats '{first}' and '{second}' are {distance:.3g} m apart; riders would overlap."
                yield Finding("seats too close", f"{first}, {second}", distance, "m", text)


def _dead_bands(drawn: PlacedModel) -> Iterator[Finding]:
    """Drives that turn about at every turning point of a joint which a flexible body makes swing on its own."""
    bent = {
        body: joined(path, one.name)
        for path, part in drawn.assemblies.items()
        for one in part.flexibles
        for body in drawn.connected(path, one)
        if body != GROUND
    }
    for path, part in drawn.assemblies.items():
        for force in part.forces:
            swings = any(phase.mode == "swing" for phase in getattr(force, "programme", ()))
            if not swings or not force.enabled or getattr(force, "dead_band", 0.0) > 0.0:
                continue
            by = next((bent[body] for body in drawn.connected(path, force) if body in bent), None)
            if by is not None:
                name = joined(path, force.name)
                text = (
                    f"force element '{name}': drives a joint at the flexible body '{by}' without a dead band; the body"
                    " swings there on its own, and the torque follows that and feeds it; give a dead band above its"
                    " speed, such as 0.05 rad/s"
                )
                yield Finding("no dead band", name, 0.0, "rad/s", text)


def _tables(path: str, part: Assembly) -> Iterator[Finding]:
    """Tables of drivers and applied loads through which the spline swings out."""
    acting: tuple[Driver | ForceElement, ...] = (*part.drivers, *(f for f in part.forces if f.enabled))
    for element in acting:
        made, name = type_of(element), joined(path, element.name)
        what = f"{'driver' if made is None else made.word} '{name}'"
        for spec in specs_of(type(element)):
            if spec.entry == "function":
                yield from _swings(what, name, getattr(element, spec.name))
            elif spec.entry == "functions":
                for axis, component in zip("xyz", getattr(element, spec.name), strict=True):
                    yield from _swings(f"{what} along {axis}", name, component)


def _swings(what: str, name: str, function: TimeFunction) -> Iterator[Finding]:
    if not isinstance(function, TableFunction):
        return
    from scipy.interpolate import CubicSpline  # slow to load, rarely needed

    t, values = np.asarray(function.times), np.asarray(function.values)
    share = np.arange(1, BETWEEN) / BETWEEN
    between = t[:-1, None] + np.diff(t)[:, None] * share
    curve = CubicSpline(t, values, bc_type="clamped")(between)
    low, high = np.minimum(values[:-1], values[1:])[:, None], np.maximum(values[:-1], values[1:])[:, None]
    beyond = np.maximum(curve - high, low - curve)
    worst = np.unravel_index(int(np.argmax(beyond)), beyond.shape)
    size, whole = float(beyond[worst]), float(np.ptp(values))
    if size > OVERSHOOT * whole and whole > 0.0:
        first, second = values[worst[0] : worst[0] + 2]
        text = (
            f"{what}: the curve through its table reaches {curve[worst]:.4g} at {between[worst]:.4g} s, between"
            f" entries of {first:.4g} and {second:.4g}; spread the jump near there over more entries."
        )
        yield Finding("table overshoot", name, size, "", text)
