"""Programs of the elements that roll, solved for how they leave."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache

import numpy as np

from ...base.arrays import Array
from ...base.errors import InputError
from ..elements.rolls import (
    CamelbackSection,
    CobraRollSection,
    CorkscrewSection,
    InlineRollSection,
    ZeroGRollSection,
)
from .channel import Channel, channel, constant
from .entry import Entry, frame_from_angles
from .force import Forces, felt, follow_forces, lay_forces, line_entry
from .leg import NODES, ElementLeg, Samples
from .plane import SIGN
from .program import Program, follow, seen_from
from .solve import newton, root_between

Piece = tuple[float, float, str]  # width, value at its end, transition
LEAD_STEP = 0.15  # rad, from one entry to the next on the way from the level one
COBRA_RAMP = 0.18  # part of half a cobra roll over which the bend comes
MAX_CANT = 0.1  # rad, of the entry of a zero-g roll
LONGEST_HOLD = 400.0  # m, of one g


def inline_roll(section: InlineRollSection, entry: Entry) -> Program:
    """A roll about a straight line; the pole is only there to measure the roll from."""
    view = seen_from(entry, entry.up)
    length = section.length
    rolled = view.bank - SIGN[section.direction] * 2.0 * np.pi * section.turns
    still = channel(view.latitude, [(length, view.latitude, "linear")])
    bank = channel(view.bank, [(length, rolled, "quintic")])
    return Program(constant(0.0, length), still, bank, entry.up, section.line_height)


def _screw(bend: float, roll: float) -> Program:
    """Corkscrew of unit length: bend and roll come over the first fifth and go over the last."""

    def bump(value: float) -> Channel:
        return channel(0.0, [(0.2, value, "quintic"), (0.6, value, "linear"), (0.2, 0.0, "quintic")])

    return Program(constant(0.0, 1.0), bump(bend), bump(roll))


def _half(program: Program, length: float) -> Program:
    """The first part of a program without a pole whose channels have an edge or hold their value at `length`."""

    def cut(c: Channel) -> Channel:
        keep = c.edges[:-1] < length - 1e-12
        edges = np.append(c.edges[:-1][keep], length)
        return Channel(edges, c.start[keep], c.step[keep], c.kind[keep], c.slope[keep])

    return Program(cut(program.turn), cut(program.climb), cut(program.bank))


def _from_level(
    middle: Callable[[Array, Entry], Array], start: Array, pitch: float, cant: float, where: str, what: str
) -> Array:
    """Root of middle(x, entry) for an entry of given pitch and cant: found from the level entry and then led there,
    so that it is the one kin to the level element.

    Raises InputError when it gets lost on the way.
    """
    x = start
    steps = int(np.ceil(max(abs(pitch), abs(cant)) / LEAD_STEP))
    for k in range(steps + 1):
        part = k / max(steps, 1)
        tangent, up = frame_from_angles(0.0, part * pitch, part * cant)
        entry = Entry(np.zeros(3), tangent, up)
        x = newton(lambda y, entry=entry: middle(y, entry), x, where, what)  # type: ignore[misc]
    return x


def _summit(line: Samples) -> float:
    """Largest height (m) over the start, between the samples by the cubic through heights and slopes."""
    s = (np.cumsum(line.widths) - line.widths)[:, None] + line.widths[:, None] * NODES
    s, z, slope = s.ravel(), line.position[..., 2].ravel(), line.tangent[..., 2].ravel()
    k = int(np.argmax(z))
    summit = float(z[k])
    for i in (k - 1, k, k + 1):  # the border of two pieces is there twice
        if not 0 <= i < len(s) - 1 or s[i + 1] - s[i] < 1e-12 or slope[i] * slope[i + 1] >= 0.0:
            continue
        rise, (a, b) = z[i + 1] - z[i], (s[i + 1] - s[i]) * slope[i : i + 2]
        cubic = np.array([a + b - 2.0 * rise, 3.0 * rise - 2.0 * a - b, a, z[i]])
        level = np.roots(np.polyder(cubic))
        level = level[(level >= 0.0) & (level <= 1.0)].real
        summit = max(summit, float(np.max(np.polyval(cubic, level), initial=summit)))
    return summit


def corkscrew(section: CorkscrewSection, entry: Entry) -> Program:
    """Bend and roll in equal measure: the frame turns about one axis of its own, and after a whole turn it is what it
    was. The length follows from the height.

    Raises InputError from entries so steep that the screw does not climb.
    """
    sign = SIGN[section.direction]
    strength = 2.0 * np.pi / (np.sqrt(2.0) * 0.8)  # the ends of the bump count half
    unit = _screw(strength, -sign * strength)
    start = Entry(np.zeros(3), entry.tangent, entry.up)
    rise = _summit(follow(unit, start))
    if rise <= 0.02:
        raise InputError(f"{entry.where}: a corkscrew cannot climb from here; enter it more level.")
    length = section.height / rise
    return _stretched(_screw(strength / length, -sign * strength / length), length)


def _cobra(bend: float, roll: float, begin: float) -> Program:
    """Cobra roll of length 2: bend all along, one roll from `begin` to the middle and its mirror image after it."""
    still, quarter = 1.0 - begin, 0.5 * (1.0 - begin)
    held = 2.0 - 2.0 * COBRA_RAMP
    bends = [(COBRA_RAMP, bend, "quintic"), (held, bend, "linear"), (COBRA_RAMP, 0.0, "quintic")]
    before = [(begin, 0.0, "linear"), (quarter, roll, "quintic"), (quarter, 0.0, "quintic")]
    after = [(quarter, -roll, "quintic"), (still - quarter, 0.0, "quintic"), (begin, 0.0, "linear")]
    return Program(constant(0.0, 2.0), channel(0.0, bends), channel(0.0, [*before, *after]))


def _cobra_middle(x: Array, entry: Entry) -> Samples:
    program = _cobra(float(x[0]), float(x[1]), float(np.clip(x[2], 0.2, 0.9)))
    return follow(_half(program, 1.0), entry)


@lru_cache(maxsize=256)
def _cobra_numbers(pitch: float, cant: float, where: str) -> tuple[float, float, float, float]:
    """Bend, roll rate, begin of the roll and rise of the cobra roll of length 2 from a given entry.

    The middle has to be level, square to the entry and upright. First guess: a half turn about an axis halfway
    between tangent and right turns the tangent exactly to the side, whatever has been pulled up before.
    """

    def miss(x: Array, entry: Entry) -> Array:
        line = _cobra_middle(x, entry)
        return np.array([line.tangent[-1, -1, 0], line.tangent[-1, -1, 2], line.up[-1, -1, 0]])

    found = _from_level(miss, np.array([5.9, 8.1, 0.57]), pitch, cant, where, "cobra roll")
    tangent, up = frame_from_angles(0.0, pitch, cant)
    line = _cobra_middle(found, Entry(np.zeros(3), tangent, up))
    if line.up[-1, -1, 2] < 0.0 or not 0.2 < found[2] < 0.9:
        raise InputError(f"{where}: no cobra roll can be found from here; enter it more level.")
    return float(found[0]), float(found[1]), float(found[2]), _summit(line)


def cobra_roll(section: CobraRollSection, entry: Entry) -> Program:
    """Half a loop and half a corkscrew up to a level, upright middle square to the entry, then its mirror image.

    By the mirror plane through the middle the exit is opposite to the entry, at its height and as upright.
    """
    sign = SIGN[section.direction]
    cant = round(-sign * entry.cant, 12)
    bend, roll, begin, rise = _cobra_numbers(round(entry.pitch, 12), cant, entry.where)
    length = section.height / rise
    return _stretched(_cobra(bend / length, -sign * roll / length, begin), length)


def _stretched(program: Program, length: float) -> Program:
    def longer(c: Channel) -> Channel:
        return replace(c, edges=c.edges * length)

    return replace(program, turn=longer(program.turn), climb=longer(program.climb), bank=longer(program.bank))


# -- hills drawn by forces

Hill = CamelbackSection | ZeroGRollSection


def _pulled_up(section: Hill, gz: float, holds: tuple[float, float]) -> list[Piece]:
    """Normal g up to the top: to the pull-up, held, to the hill, held."""
    ramp, pull = section.transition, section.pull_up
    return [
        (ramp, pull, "quintic"),
        (holds[0], pull, "linear"),
        (ramp, gz, "quintic"),
        (holds[1], gz, "linear"),
    ]


def _ridden(section: Hill, entry: Entry, pieces: list[Piece], free: bool) -> tuple[Array, Array, Array]:
    """Distance, slope and height (n,) along the line that feels the pieces of normal g, without roll."""
    normal = channel(felt(entry, section.entry_speed)[0], pieces)
    still = constant(0.0, normal.end)
    forces = Forces(normal, still, still, section.entry_speed, lateral_free=free).losing_as(section)
    line = follow_forces(forces, entry)
    run = np.concatenate([[0.0], np.cumsum(line.widths)])
    slope = np.append(line.tangent[:, 0, 2], line.tangent[-1, -1, 2])
    height = np.append(line.position[:, 0, 2], line.position[-1, -1, 2]) - entry.position[2]
    return run, slope, height


def _ride_up(
    section: Hill, entry: Entry, gz: float, holds: tuple[float, float], free: bool
) -> tuple[Array, Array, Array]:
    """Distance, slope and height (n,) along the way to the top."""
    return _ridden(section, entry, _pulled_up(section, gz, holds), free)


def _hold_to_the_top(
    section: Hill, entry: Entry, gz: float, pulled: float, free: bool
) -> tuple[float, float] | None:
    """Length of hill from the last transition to where it is level, and the height there; None when it is level
    before. The riding speed must last: a hill that stalls raises InputError."""
    begin = 2.0 * section.transition + pulled
    _, slope, height = _ride_up(section, entry, gz, (pulled, 1e-3), free)
    if slope[-1] <= 0.0:
        return None
    # along a hill of constant g the slope falls at least as fast as at its foot; a little more than that is enough
    v2 = section.entry_speed**2 - 2.0 * entry.gravity * height[-1]
    fall = entry.gravity * (1.0 - gz) / max(v2, 1.0)
    reach = 1.3 * float(np.arcsin(min(slope[-1], 1.0))) / (fall * 0.9)

    def level(length: float) -> float:
        return float(_ride_up(section, entry, gz, (pulled, length), free)[1][-1])

    length = root_between(level, 1e-3, min(reach, LONGEST_HOLD))
    if length is None:
        return None
    run, _, height = _ride_up(section, entry, gz, (pulled, length), free)
    return float(run[-1] - begin), float(height[-1])


def _solved_hill(section: Hill, entry: Entry, gz: float, free: bool) -> tuple[float, float]:
    """Lengths (m) of the pull-up and of the hill up to its top for the height of the section."""
    speed = section.entry_speed
    reachable = speed**2 / (2.0 * entry.gravity)
    if section.height >= 0.95 * reachable:
        raise InputError(
            f"{entry.where}: at {speed:.1f} m/s the ride reaches at most {reachable:.1f} m; a hill of"
            f" {section.height:g} m needs more speed."
        )

    quick = _quick_hill(section, entry, gz, free)
    if quick is not None:
        return quick

    def miss(pulled: float) -> float:
        try:
            found = _hold_to_the_top(section, entry, gz, pulled, free)
        except InputError:
            return section.height  # it stalls: far too high
        return (0.0 if found is None else found[1]) - section.height

    pulled = _pull_up(miss, section, entry)
    found = _hold_to_the_top(section, entry, gz, pulled, free)
    if found is None:
        raise InputError(f"{entry.where}: the hill is level before it begins; shorten the transition.")
    return pulled, found[0]


def _quick_hill(section: Hill, entry: Entry, gz: float, free: bool) -> tuple[float, float] | None:
    """Both lengths at once by Newton's method from an estimate with circular arcs; None when that fails."""
    speed, ramp, g = section.entry_speed, section.transition, entry.gravity
    radius = speed**2 / (g * (section.pull_up - 1.0))
    fall = g * (1.0 - gz)
    start = entry.pitch

    def climbed(angle: float) -> tuple[float, float]:
        low = radius * (np.cos(start) - np.cos(angle)) + ramp * np.sin(angle)
        v2 = speed**2 - 2.0 * g * low
        return float(low + v2 * np.sin(angle) ** 2 / (2.0 * fall)), float(v2)

    angle = root_between(lambda x: climbed(x)[0] - section.height, start, 1.5)
    if angle is None:
        return None
    half = climbed(angle)[1] * np.sin(angle) * np.cos(angle) / fall - 0.5 * ramp
    guess = np.array([max((angle - start) * radius - ramp, 0.1), max(half, 0.5)])

    def miss(x: Array) -> Array:
        holds = (float(x[0]), float(x[1]))
        if min(holds) < 1e-3:
            raise InputError("no hill")
        _, slope, height = _ride_up(section, entry, gz, holds, free)
        return np.array([slope[-1], height[-1] / section.height - 1.0])

    try:
        found = newton(miss, guess, entry.where, "hill")
    except InputError:
        return None
    return float(found[0]), float(found[1])


def _pull_up(miss: Callable[[float], float], section: Hill, entry: Entry) -> float:
    """Length of the pull-up (m) with which the hill gets its height: the first root from short to long."""
    low, value = 1e-3, miss(1e-3)
    if value > 0.0:
        raise InputError(
            f"{entry.where}: the transitions alone climb more than {section.height:g} m; shorten them or lower the"
            " pull-up."
        )
    step = 0.1 * section.height
    for _ in range(200):
        high = low + step
        if miss(high) > 0.0:
            found = root_between(miss, low, high)
            if found is not None:
                return found
        low = high
        if low * (section.pull_up - 1.0) * entry.gravity / section.entry_speed**2 > 2.2:
            break
    raise InputError(
        f"{entry.where}: no hill of {section.height:g} m can be reached from here; change the height, the pull-up or"
        " the speed."
    )


def _over_the_hill(
    section: Hill, entry: Entry, gz: float, holds: tuple[float, float], down: float
) -> list[Piece]:
    """Normal g over the whole hill: up to the top, `down` (m) of hill behind it, pull-out, and to what it was."""
    ramp, pull = section.transition, section.pull_up
    start, _ = felt(entry, section.entry_speed)
    up = _pulled_up(section, gz, (holds[0], holds[1] + down))
    return [*up, (ramp, pull, "quintic"), (holds[0], pull, "linear"), (ramp, start, "quintic")]


def _way_down(section: Hill, entry: Entry, gz: float, holds: tuple[float, float], free: bool) -> float:
    """Length (m) of hill behind the top that lets the element end at the pitch it began with, turned down.

    Without losses that is the way up. A ride that has lost speed needs less of it.
    """
    if section.friction == 0.0 and section.drag == 0.0:
        return holds[1]

    def miss(down: float) -> float:
        try:
            _, slope, _ = _ridden(section, entry, _over_the_hill(section, entry, gz, holds, down), free)
        except InputError:  # so steep that the line gets too tight
            return -2.0
        return float(slope[-1] + entry.tangent[2])

    found = root_between(miss, 0.3 * holds[1], 1.5 * holds[1])
    if found is None:
        raise InputError(
            f"{entry.where}: the losses leave no way down from the hill; lower the friction or the hill."
        )
    return found


def camelback(section: CamelbackSection, entry: Entry) -> ElementLeg:
    """Hill of one g, symmetric about its top but for what losses take, in the plane of tangent and up of the track."""
    line = line_entry(section, entry)
    holds = _solved_hill(section, line, section.gz, True)
    down = _way_down(section, line, section.gz, holds, True)
    normal = channel(
        felt(line, section.entry_speed)[0], _over_the_hill(section, line, section.gz, holds, down)
    )
    still = constant(0.0, normal.end)
    forces = Forces(normal, still, still, section.entry_speed, lateral_free=True).losing_as(section)
    return lay_forces(forces, line, section.line_height)


def zero_g_roll(section: ZeroGRollSection, entry: Entry) -> ElementLeg:
    """Hill at 0 g on which the track rolls about the line of the riders.

    Raises InputError when the track is canted at the entry: the way up would lead aside.
    """
    if abs(entry.cant) > MAX_CANT:
        raise InputError(
            f"{entry.where}: a zero-g roll has to be entered level, the cant here is {np.degrees(entry.cant):.1f} deg."
        )
    line = line_entry(section, entry)
    holds = _solved_hill(section, line, 0.0, False)
    upright = float(
        section.turns
    ).is_integer()  # half a turn more leads down upside down, where no pull-out is
    down = _way_down(section, line, 0.0, holds, False) if upright else holds[1]
    normal = channel(felt(line, section.entry_speed)[0], _over_the_hill(section, line, 0.0, holds, down))
    before, whole = 2.0 * section.transition + holds[0], holds[1] + down
    turned = -SIGN[section.direction] * 2.0 * np.pi * section.turns
    edge = 0.25 * whole  # the roll rate comes over the first quarter of the hill and goes over the last
    most = turned / (whole - edge)
    pieces = [(before, 0.0, "linear"), (edge, most, "quintic"), (whole - 2.0 * edge, most, "linear")]
    roll = channel(0.0, [*pieces, (edge, 0.0, "quintic"), (before, 0.0, "linear")])
    forces = Forces(normal, constant(0.0, normal.end), roll, section.entry_speed).losing_as(section)
    return lay_forces(forces, line, section.line_height)
