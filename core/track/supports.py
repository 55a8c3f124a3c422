"""Where the supports of a track stand: columns, leaning legs and A-frames that keep clear of the track itself."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from ..base.arrays import Array
from ..base.errors import InputError
from ..base.frozen import Vec3
from ..base.remembered import remembered
from ..base.sentence import say
from .build import BuiltTrack
from .centreline import FrameState
from .site import ground_height

if TYPE_CHECKING:
    from scipy.spatial import cKDTree

SupportKind = Literal["column", "leaning", "A-frame"]

SPACING = 11.0  # m along the track
MIN_SPACING = 0.5  # m; closer ones would be a wall
SPINE_DEPTH = 0.45  # m from the rail plane down to the spine that rests on the supports
CLEAR = 2.0  # m from the middle of a column to the middle of the envelope of the train
ENVELOPE_MIDDLE = 0.8  # m above the rails
OWN = 5.0  # m along the track on both sides that do not count as in the way of a column
SHIFTS = (0.0, 2.0, -2.0, 4.0, -4.0)  # m along the track, tried in this order
LEANS = (0.0, 0.35, -0.35, 0.7, -0.7)  # sideways run of a leg for each metre of height
AWAY = 0.25  # least part of a leg's direction that leads away from the side on which the train runs
LOWEST = 0.5  # m of height below which no support stands
TALL = 18.0  # m of height from which a column gets a second leg
BANKED = np.radians(35.0)  # cant from which the load leans so far that a column gets a second leg
BRACE_LEAN = 0.35  # sideways run of the second leg for each metre of height
LEVEL_BELOW = 1.6  # m below the lowest place of the track the ground lies when the site leaves it open


@dataclass(frozen=True)
class Support:
    """A support at s (m) of the centreline: what kind, and its legs as pairs of top and foot (m, world)."""

    s: float
    kind: SupportKind
    legs: tuple[tuple[Vec3, Vec3], ...]

    @property
    def length(self) -> float:
        """Length of all its legs (m)."""
        return sum(float(np.linalg.norm(np.subtract(foot, top))) for top, foot in self.legs)


@dataclass(frozen=True)
class SupportPlan:
    """All supports of a track, and the places s (m) at which none could stand clear of the track."""

    supports: tuple[Support, ...]
    missing: tuple[float, ...]

    @property
    def length(self) -> float:
        """Length of all legs (m)."""
        return sum(support.length for support in self.supports)

    def names_of(self, support: Support) -> tuple[str, ...]:
        """Names of its legs: "column 14", or "column 15a" and "column 15b" of a support with two."""
        number = self.supports.index(support) + 1
        return tuple(
            f"column {number}" + ("ab"[k] if len(support.legs) > 1 else "") for k in range(len(support.legs))
        )

    def legs(self) -> tuple[Array, Array, Array]:
        """Tops (k, 3), feet (k, 3) m and radii (k,) m of all legs, for drawing."""
        pairs = [leg for support in self.supports for leg in support.legs]
        top = np.array([leg[0] for leg in pairs]).reshape(-1, 3)
        foot = np.array([leg[1] for leg in pairs]).reshape(-1, 3)
        return top, foot, 0.13 + 0.006 * np.clip(top[:, 2] - foot[:, 2], 0.0, 30.0)


def open_level(built: BuiltTrack) -> float:
    """Level (m) of the ground when the site of the track leaves it open: a little below its lowest place."""
    s = np.linspace(0.0, built.length, max(50, int(built.length / 2)))
    return float(np.min(built.centreline.position(s)[:, 2])) - LEVEL_BELOW


@remembered(4)
def place_supports(built: BuiltTrack, spacing: float = SPACING) -> SupportPlan:
    """Supports under the spine, down to the ground of the site.

    A leg stands upright where it is free of the rest of the track and leads away from the train, else it leans or
    moves a few metres along the track; where nothing is free the place is listed as missing. High and strongly banked
    places get a second leg to the side the load leans to. Level places below half a metre need none. The sizes are
    those of a drawing; no strength is computed.

    Parameters
    ----------
    built
        The track.
    spacing
        Between two places, about (m along the centreline).

    Returns
    -------
    The supports, and the places (m) without one.

    Raises
    ------
    InputError
        For a spacing that would make too many.
    """
    from scipy.spatial import cKDTree  # not needed to show the window

    line_s = np.linspace(0.0, built.length, max(8, int(built.length)))
    state = built.centreline.state(line_s)
    around = _Around(
        built, line_s, cKDTree(state.curve[:, 0] + ENVELOPE_MIDDLE * state.up), open_level(built)
    )
    if not spacing >= MIN_SPACING:
        raise InputError(
            say(
                "Supports every {spacing:.3g m} are too many; keep them at least {least:g m} apart.",
                spacing=spacing,
                least=MIN_SPACING,
            )
        )
    spots = np.arange(0.5 * spacing, built.length, spacing)
    found, missing = [], []
    for s in spots.tolist():
        outcome = around.support(s)
        if isinstance(outcome, Support):
            found.append(outcome)
        elif outcome:
            missing.append(s)
    return SupportPlan(tuple(found), tuple(missing))


@dataclass(frozen=True)
class _Around:
    """The track that legs must keep clear of, with stations line_s (n,) m of the points in the tree, and the level."""

    built: BuiltTrack
    line_s: Array
    tree: cKDTree
    level: float

    def ground(self, position: Array) -> float:
        return float(ground_height(self.built.track.site, position[0], position[1], otherwise=self.level))

    def support(self, s: float) -> Support | bool:
        """The first support near s that is free; True when one is needed and none stands, False when none is."""
        positions = np.clip(np.array([s + shift for shift in SHIFTS]), 0.0, self.built.length)
        at = self.built.centreline.state(positions)
        spine = at.curve[:, 0] - SPINE_DEPTH * at.up
        side = np.cross(at.tangent, [0.0, 0.0, 1.0])
        side /= np.maximum(np.linalg.norm(side, axis=1, keepdims=True), 0.3)
        for lean in LEANS:
            for k in range(len(positions)):
                height = float(spine[k, 2]) - self.ground(spine[k])
                if height < LOWEST:
                    return False
                foot = self._foot(spine[k], side[k], lean)
                if self._stands(at, k, float(positions[k]), spine[k], foot):
                    return self._with_brace(at, k, float(positions[k]), spine[k], foot, side[k], lean)
        return True

    def _foot(self, top: Array, side: Array, lean: float) -> Array:
        """Where a leg that leans sideways meets the ground, which may slope."""
        foot = top.copy()
        for _ in range(4):
            height = top[2] - self.ground(foot)
            foot = top + lean * height * side
            foot[2] = self.ground(foot)
        return foot

    def _stands(self, at: FrameState, k: int, s: float, top: Array, foot: Array) -> bool:
        leg = (foot - top) / max(float(np.linalg.norm(foot - top)), 1e-9)
        leads_away = float(leg @ at.up[k]) <= -AWAY  # else it would stand where the train is
        return leads_away and self._free(s, top, foot)

    def _with_brace(
        self, at: FrameState, k: int, s: float, top: Array, foot: Array, side: Array, lean: float
    ) -> Support:
        legs = [_pair(top, foot)]
        kind: SupportKind = "column" if lean == 0.0 else "leaning"
        tall = float(top[2] - foot[2]) > TALL
        if lean == 0.0 and (tall or abs(float(at.cant[k])) > BANKED):
            # the load presses along -up: the second leg goes to the side it leans to
            towards = float(np.sign(-at.up[k] @ side)) or 1.0
            brace = self._foot(top, side, BRACE_LEAN * towards)
            if self._stands(at, k, s, top, brace):
                legs.append(_pair(top, brace))
                kind = "A-frame"
        return Support(s, kind, tuple(legs))

    def _free(self, s: float, top: Array, foot: Array) -> bool:
        count = max(3, int(np.linalg.norm(foot - top) / 1.2))
        along = np.linspace(0.0, 1.0, count)[:, None]
        near = self.tree.query_ball_point(top + along * (foot - top), CLEAR)
        for k, hits in enumerate(near):
            if not hits:
                continue
            apart = np.abs(self.line_s[hits] - s)
            if self.built.track.closed:
                apart = np.minimum(apart, self.built.length - apart)
            if np.any(apart > (OWN if k < 3 else 1.0)):
                return False
        return True


def _pair(top: Array, foot: Array) -> tuple[Vec3, Vec3]:
    a, b, c = top.tolist()
    x, y, z = foot.tolist()
    return (a, b, c), (x, y, z)


def supports_csv(supports: Iterable[Support]) -> str:
    """The legs as a table for other programs: place, kind, top and foot in metres, length."""
    lines = ["s_m,kind,top_x_m,top_y_m,top_z_m,foot_x_m,foot_y_m,foot_z_m,length_m"]
    for support in supports:
        for top, foot in support.legs:
            numbers = ",".join(f"{v:.3f}" for v in (*top, *foot))
            length = float(np.linalg.norm(np.subtract(foot, top)))
            lines.append(f"{support.s:.3f},{support.kind},{numbers},{length:.3f}")
    return "\n".join(lines) + "\n"
