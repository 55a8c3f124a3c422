"""The track on paper: plan, and what changes along it."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from ...base.arrays import Array
from .canvas import (
    ALARM,
    BLUE,
    GREEN,
    INK,
    PALE,
    PURPLE,
    TEXT_WIDTH,
    VERMILION,
    Drawing,
    draw_svg,
    legend_above,
    panels,
    thin,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from ..run_view import RunView  # loads what judges, which nothing that only draws needs

SHADES = 48  # colours of the speed
PIECES = 420  # straight pieces of the drawn plan
Mark = tuple[str, float]  # letter, arc length (m)


def speed_along(view: RunView, s: Array) -> Array:
    """Speed (m/s) of the first car where it first passed each arc length s (n,) m; nan where it never was."""
    car = view.cars[0] if view.cars else ""
    place, speed = view.channel(car, "arc_length"), view.channel(car, "speed")
    out = np.full(len(s), np.nan)
    if place is None or speed is None or view.built is None:
        return out
    length = view.built.length
    ahead = np.maximum.accumulate(place)
    first = np.concatenate([[True], np.diff(ahead) > 0.0])
    laps = range(int(ahead[0] // length), int(ahead[-1] // length) + 1) if view.built.track.closed else (0,)
    for lap in reversed(laps):
        there = s + lap * length
        passed = (there >= ahead[0]) & (there <= ahead[-1])
        out[passed] = np.interp(there[passed], ahead[first], speed[first])
    return out


def plan(view: RunView, marks: tuple[Mark, ...]) -> Drawing:
    """The centreline from above, coloured by speed, with section numbers and the governing moments, as SVG."""
    assert view.built is not None
    line = view.built.centreline
    s = np.linspace(0.0, view.built.length, PIECES + 1)
    numbers = [(str(one.number), line.position([0.5 * (one.s0 + one.s1)])[0, :2]) for one in view.stretches]
    letters = []
    for k, (letter, at) in enumerate(marks):  # beside the track, to its left and right in turn
        state = line.state([at])
        tangent = state.tangent[0, :2]
        side = np.array([-tangent[1], tangent[0]]) / max(float(np.linalg.norm(tangent)), 1e-6)
        letters.append((letter, state.curve[0, 0, :2], (15.0 if k % 2 else -15.0) * side))
    return partial(_plan, line.position(s)[:, :2], speed_along(view, s), numbers, letters)


def _plan(
    flat: Array, speed: Array, numbers: list[tuple[str, Array]], letters: list[tuple[str, Array, Array]]
) -> bytes:
    """flat (n, 2) m, speed (n,) m/s; numbers and their places (2,) m, letters and theirs with the way (2,) in points to
    where they are written."""
    wide, tall = np.ptp(flat, axis=0)
    height = float(np.clip(13.6 * (tall + 4.0) / (wide + 4.0), 5.0, 9.2)) + 1.6

    def draw(figure: Figure) -> None:
        from matplotlib import colormaps
        from matplotlib.collections import LineCollection

        shades = colormaps["viridis"].resampled(SHADES)
        axes = panels(figure, (1.0,), right=3.2, bottom=1.0, top=0.5)[0, 0]
        axes.plot(flat[:, 0], flat[:, 1], color=PALE, linewidth=1.0, zorder=1)
        lines = LineCollection(
            list(np.stack([flat[:-1], flat[1:]], axis=1)), cmap=shades, linewidths=2.2, zorder=2
        )
        lines.set_array(0.5 * (speed[:-1] + speed[1:]))
        lines.set_capstyle("butt")
        axes.add_collection(lines)
        axes.set_aspect("equal", adjustable="datalim")
        axes.margins(0.06)
        axes.set(title="Plan, coloured by speed", xlabel="x / m", ylabel="y / m")
        if np.isfinite(speed).any():
            bar = figure.colorbar(lines, cax=axes.inset_axes((1.035, 0.0, 0.016, 0.6)), label="speed / (m/s)")
            bar.outline.set_visible(False)
            bar.solids.set_rasterized(False)  # type: ignore[union-attr]
            bar.solids.set_edgecolor("face")  # type: ignore[union-attr]
        _number_sections(axes, numbers)
        _mark_moments(axes, letters)
        place = flat[0]
        ahead = (flat[2] - flat[0]) / max(float(np.linalg.norm(flat[2] - flat[0])), 1e-9)
        reach = 0.05 * max(wide, tall)
        axes.annotate(
            "",
            xy=tuple(place + reach * ahead),
            xytext=tuple(place),
            arrowprops={"arrowstyle": "-|>", "color": INK, "linewidth": 0.9},
            zorder=4,
        )
        handles = [
            axes.plot([], [], color=INK, marker=">", markersize=3, linewidth=0.9, label="s = 0, way ahead")[0]
        ]
        if numbers:
            handles.append(_handle(axes, "o", "white", INK, "section number"))
        if letters:
            handles.append(_handle(axes, "s", ALARM, ALARM, "governing moment"))
        axes.legend(handles=handles, loc="upper left", bbox_to_anchor=(1.01, 1.02))

    return draw_svg(draw, TEXT_WIDTH, height)


def _handle(axes: Axes, marker: str, face: str, edge: str, label: str) -> object:
    style = {"markerfacecolor": face, "markeredgecolor": edge, "markeredgewidth": 0.5}
    return axes.plot([], [], linestyle="", marker=marker, markersize=5, label=label, **style)[0]  # type: ignore[arg-type]


def _number_sections(axes: Axes, numbers: list[tuple[str, Array]]) -> None:
    for number, middle in numbers:
        axes.annotate(
            number,
            xy=(middle[0], middle[1]),
            ha="center",
            va="center",
            fontsize=6.0,
            zorder=5,
            bbox={"boxstyle": "circle,pad=0.18", "facecolor": "white", "edgecolor": INK, "linewidth": 0.5},
        )


def _mark_moments(axes: Axes, letters: list[tuple[str, Array, Array]]) -> None:
    for letter, place, offset in letters:
        axes.annotate(
            letter,
            xy=(place[0], place[1]),
            xytext=(offset[0], offset[1]),
            textcoords="offset points",
            ha="center",
            va="center",
            fontsize=6.5,
            color="white",
            zorder=6,
            bbox={"boxstyle": "square,pad=0.2", "facecolor": ALARM, "edgecolor": "none"},
            arrowprops={"arrowstyle": "-", "color": ALARM, "linewidth": 0.6, "shrinkA": 0, "shrinkB": 0},
        )


def along(view: RunView, marks: tuple[Mark, ...]) -> Drawing:
    """Elevation, cant, curvature and speed against the arc length, with the borders of the sections, as SVG."""
    assert view.built is not None
    line = view.built.centreline
    s = np.linspace(0.0, view.built.length, 1200)
    state = line.state(s)
    bend = state.curve[:, 2]
    cant = np.degrees(state.cant)
    cant[np.hypot(state.tangent[:, 0], state.tangent[:, 1]) < 0.1] = np.nan
    jump = np.abs(np.diff(cant, prepend=cant[:1])) > 180.0
    cant[jump] = np.nan
    curvature = np.stack([np.sum(bend * way, axis=-1) for way in (state.up, state.left)])
    stretches = [(one.number, one.s0, one.s1) for one in view.stretches]
    letters = [(letter, place, float(line.position([place])[0, 2])) for letter, place in marks]
    return partial(_along, s, state.curve[:, 0, 2], cant, curvature, speed_along(view, s), stretches, letters)


def _along(
    s: Array,
    z: Array,
    cant: Array,
    curvature: Array,
    speed: Array,
    stretches: list[tuple[int, float, float]],
    letters: list[tuple[str, float, float]],
) -> bytes:
    """s, z (n,) m, cant (n,) deg, curvature (2, n) 1/m upwards and to the left, speed (n,) m/s; stretches: number and
    ends (m); letters: with arc length and height (m)."""

    def draw(figure: Figure) -> None:
        rows = panels(figure, (3.0, 2.0, 2.0, 2.0), top=0.95)[:, 0]
        height, roll, curve, fast = rows
        height.plot(s, z, color=INK)
        height.set(title="Elevation of the centreline", ylabel="z / m")
        roll.plot(s, cant, color=PURPLE)
        roll.set(title="Cant, positive with the left rail up", ylabel="cant / °")
        roll.locator_params(axis="y", nbins=5, steps=[1, 3, 6, 9])
        curve.plot(*thin(s, curvature[0]), color=BLUE, label="vertical, positive upwards")
        curve.plot(*thin(s, curvature[1]), color=VERMILION, label="lateral, positive to the left")
        curve.set(title="Curvature in the track frame", ylabel="κ / (1/m)")
        legend_above(curve)
        fast.plot(s, speed, color=GREEN)
        fast.set(title="Speed of the first car, first passage", ylabel="v / (m/s)", xlabel="arc length s / m")
        fast.set_ylim(bottom=0.0)
        fast.set_xlim(0.0, s[-1])
        for axes in rows:
            for _, start, _ in stretches[1:]:
                axes.axvline(start, color=PALE, linewidth=0.4, linestyle=(0, (2, 2)), zorder=1)
        for number, start, end in stretches:
            if end - start > 0.012 * s[-1]:
                height.text(
                    0.5 * (start + end), 1.015, str(number), fontsize=6.0, ha="center",
                    color="#59636e", transform=height.get_xaxis_transform(),
                )  # fmt: skip
        height.set_title("Elevation of the centreline; section numbers above", pad=11.0)
        for letter, *place in letters:
            height.plot(*place, marker="s", markersize=3.0, color=ALARM)
            height.annotate(
                letter,
                xy=(place[0], place[1]),
                xytext=(4, -1),
                textcoords="offset points",
                ha="left",
                fontsize=6.5,
                color=ALARM,
            )

    return draw_svg(draw, TEXT_WIDTH, 12.6)
