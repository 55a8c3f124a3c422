"""What is odd about a drawn assembly although its description is valid: gaps, skew axes, loaded springs, loose bodies.

Nothing here is an error: assembly closes small gaps, and a spring may be meant to be loaded. Everything is
measured in the drawn pose, riders on their seats included; elements are called by their paths, "Rider/Neck".
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..base.fields import specs_of
from ..base.finding import Finding, Severity
from ..base.frames import rotation_matrix
from ..base.sentence import say
from ..base.where import Keys, Where
from .assembly import Assembly
from .bodies import GROUND
from .connections import uncoupled, uncoupled_sentence
from .coupled import coincident
from .drivers import Driver
from .flexible import FlexibleBody
from .forces import ForceElement, type_of
from .forces.base import drawn_load
from .forces.ends import TwoPoints
from .frame_checks import frame_faults
from .functions import TableFunction, TimeFunction
from .joints import Joint
from .joints.base import Ends
from .placement import PlacedModel, joined, placed_model

#: How bad a kind of finding is; a warning but for these.
SEVERITY: dict[str, Severity] = {"load as drawn": "note", "frame": "error"}
NEEDED_SEAT_DISTANCE = 0.45
OVERSHOOT = 0.25  # of the range of a table's values; smooth functions sampled coarsely stay far below
BETWEEN = 16  # places looked at between two entries of a table


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
    drawn = placed_model(assembly)
    found: list[Finding] = []
    for path, part in drawn.assemblies.items():
        found += _inertia(path, part)
        found += itertools.chain.from_iterable(_joint(drawn, path, joint, limits) for joint in part.joints)
        found += _loads(drawn, path, part, limits)
    found += [*_unstiffened(assembly), *_frames(assembly)]
    for coupling in assembly.couplings:
        if words := coincident(drawn, coupling):
            where = element_where("", "couplings", coupling.name)
            found.append(_found("points coincide", words, where, 0.0, "m"))
    if words := uncoupled_sentence(assembly):
        found.append(_found("uncoupled cars", words, Where(("children", uncoupled(assembly)[0][1])), 0.0))
    found += [*_unconnected(drawn), *_dead_bands(drawn)]
    for path, part in drawn.assemblies.items():
        found += _seats(path, part)
    for path, part in drawn.assemblies.items():
        found += _tables(path, part)
    return _rooted(assembly, found)


def unstiffened(assembly: Assembly) -> tuple[Finding, ...]:
    """Imported structures that are to have geometric stiffening and have none."""
    return _rooted(assembly, _unstiffened(assembly))


def _rooted(top: Assembly, found: Iterable[Finding]) -> tuple[Finding, ...]:
    """Findings with their paths from the project down."""
    root = top_path(top)
    return tuple(one.model_copy(update={"where": one.where.under(*root)}) for one in found)


def element_where(path: str, field: str, name: str, row: tuple[str, int] | None = None) -> Where:
    """The place of an element below the top assembly.

    Parameters
    ----------
    path
        Of the assembly that holds it, names joined by "/"; "" is the top.
    field
        The list in which it stands, "joints" for example.
    name
        Of the element.
    row
        Name of a list of the element and number of a row in it, counted from 0; None for the element as a whole.

    Returns
    -------
    The path into the project, as findings carry it.
    """
    holders = [key for holder in path.split("/") if path for key in ("children", holder)]
    return Where((*holders, field, name, *(row or ())))


def top_path(top: Assembly) -> Keys:
    """Where in a project an assembly stands that it moves."""
    return ("scenario", "assembly") if top.role == "rig" else ("train",)


def _found(kind: str, message: str, where: Where, value: float | None = None, unit: str = "") -> Finding:
    severity = SEVERITY.get(kind, "warning")
    return Finding(kind=kind, message=message, severity=severity, where=where, value=value, unit=unit)


def _inertia(path: str, part: Assembly) -> Iterator[Finding]:
    for body in part.bodies:
        defect = body.triangle_defect()
        # Tables print four digits; a lamina meets the rule with equality and misses it by their rounding.
        if defect > 1e-3 * max(body.inertia):
            a, b, c = body.principal_moments()
            text = say(
                "body '{name}': no mass distribution has these moments, {a:g (kg m²)} + {b:g (kg m²)} is less than"
                " {c:g kg m²}.",
                name=joined(path, body.name), a=a, b=b, c=c,
            )  # fmt: skip
            yield _found("inertia", text, element_where(path, "bodies", body.name), defect, "kg m^2")


def _flexibles(top: Assembly) -> Iterator[tuple[str, FlexibleBody, Where]]:
    for path, part in top.walk():
        for body in part.flexibles:
            yield path + body.name, body, element_where(path.rstrip("/"), "flexibles", body.name)


def _unstiffened(top: Assembly) -> Iterator[Finding]:
    for name, body, where in _flexibles(top):
        if body.unstiffened:
            text = say(
                "Flexible body '{name}': no geometric stiffening is known of it, as of one that was imported as"
                " matrices, so that it bends wrongly where it turns fast or carries much; import its mesh, or switch"
                " its stiffening off to say that this is meant.",
                name=name,
            )
            yield _found("no stiffening", text, where, 0.0)


def _frames(top: Assembly) -> Iterator[Finding]:
    """Frames of beams that cannot be built as they are."""
    for name, body, where in _flexibles(top):
        for row, fault in frame_faults(body):
            text = say("Flexible body '{name}': {fault}", name=name, fault=fault)
            yield _found("frame", text, replace(where, path=(*where.path, *row)), 0.0)


def _joint(drawn: PlacedModel, path: str, joint: Joint, limits: Thresholds) -> Iterator[Finding]:
    i, j = drawn.at(path, joint.body_i), drawn.at(path, joint.body_j)
    name, where = joined(path, joint.name), element_where(path, "joints", joint.name)
    ends = Ends(
        j.point(joint.point_j) - i.point(joint.point_i),
        None if joint.axis_i is None else i.direction(joint.axis_i),
        None if joint.axis_j is None else j.direction(joint.axis_j),
    )
    for odd in joint.type.oddities(joint, ends):
        if odd.value > (limits.gap if odd.unit == "m" else limits.angle):
            text = say("joint '{name}': {odd}", name=name, odd=odd.said)
            yield _found(odd.check, text, where, odd.value, odd.unit)


def _loads(drawn: PlacedModel, path: str, part: Assembly, limits: Thresholds) -> Iterator[Finding]:
    for force in part.forces:
        made, name = type_of(force), joined(path, force.name)
        if made is None or made.law is None or not force.enabled:
            continue
        geometry = made.geometry(next((joint.kind for joint in drawn.joints(path, force)), ""))
        use, what = made.law(force, geometry), f"{made.word} '{name}'"
        where = element_where(path, "forces", force.name)
        if use.law.given is not None:  # a drive: its load at the start is meant
            continue
        x: list[float] = [-use.origin]
        how = "is loaded with"
        after: str = ""
        if isinstance(force, TwoPoints):
            first, second = drawn.at(path, force.body_i), drawn.at(path, force.body_j)
            span = second.point(force.point_j) - first.point(force.point_i)
            length = float(np.linalg.norm(span))
            if geometry == "distance" and length < 1e-6:
                text = f"{what}: its points coincide as drawn, so it has no direction."
                yield _found("points coincide", text, where, length, "m")
                continue
            x = [length - use.origin]
            after = say(": it is {now:.5g m} long, unloaded {free:.5g m}", now=length, free=use.origin)
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
                size = say(f"{{load:.4g {unit}}}" if unit else "{load:.4g}", load=abs(value))
                text = say("{what} {how} {size} as drawn{after}.", what=what, how=how, size=size, after=after)
                yield _found("load as drawn", text, where, value, unit)


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
            path, _, own = name.rpartition("/")
            yield _found("unconnected body", text, element_where(path, "bodies", own), 0.0)


def _seats(path: str, part: Assembly) -> Iterator[Finding]:
    for a, b in itertools.combinations(part.seats, 2):
        if a.body == b.body:
            distance = math.dist(a.position, b.position)
            if distance < NEEDED_SEAT_DISTANCE:
                first, second = joined(path, a.name), joined(path, b.name)
                text = say(
                    "seats '{first}' and '{second}' are {distance:.3g m} apart; riders would overlap.",
                    first=first, second=second, distance=distance,
                )  # fmt: skip
                yield _found("seats too close", text, element_where(path, "seats", a.name), distance, "m")


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
                yield _found("no dead band", text, element_where(path, "forces", force.name), 0.0, "rad/s")


def _tables(path: str, part: Assembly) -> Iterator[Finding]:
    """Tables of drivers and applied loads through which the spline swings out."""
    acting: tuple[Driver | ForceElement, ...] = (*part.drivers, *(f for f in part.forces if f.enabled))
    for element in acting:
        made, name = type_of(element), joined(path, element.name)
        where = element_where(path, "drivers" if made is None else "forces", element.name)
        what = f"{'driver' if made is None else made.word} '{name}'"
        for spec in specs_of(type(element)):
            if spec.entry == "function":
                yield from _swings(what, where, getattr(element, spec.name))
            elif spec.entry == "functions":
                for axis, component in zip("xyz", getattr(element, spec.name), strict=True):
                    yield from _swings(f"{what} along {axis}", where, component)


def _swings(what: str, where: Where, function: TimeFunction) -> Iterator[Finding]:
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
        yield _found("table overshoot", text, where, size)
