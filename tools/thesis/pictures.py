"""The figure set of chapter 5: what the thesis draws of a ride, five pictures each."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import matplotlib

matplotlib.use("Agg")

import numpy as np
from matplotlib import pyplot as plt
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import NDArray

from ridewright.core.injury.rider_axes import Direction
from tools.thesis.rides import ThesisRide

Array = NDArray[np.float64]
BLUE, RED, GREY, GREEN = "#1f5fa8", "#b3261e", "#8a8f98", "#2e7d4f"
STYLE = {
    "font.size": 9,
    "axes.grid": True,
    "grid.color": "#dfe3e8",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.edgecolor": "#8a8f98",
    "svg.hashsalt": "ridewright",
}
MAX_POINTS = 2400


def _thin(x: Array, y: Array) -> tuple[Array, Array]:
    """Fewer points with the same extremes: least and largest of each of many slices."""
    if x.size <= MAX_POINTS:
        return x, y
    edges = np.linspace(0, x.size, MAX_POINTS // 2 + 1).astype(int)
    pick = []
    for a, b in pairwise(edges):
        pick += sorted({a + int(np.argmin(y[a:b])), a + int(np.argmax(y[a:b]))})
    return x[pick], y[pick]


def _line(axes: Axes, x: Array, y: Array, colour: str, label: str | None = None) -> None:
    axes.plot(*_thin(x, y), color=colour, linewidth=0.9, label=label)


def _sections(axes: Axes, ride: ThesisRide) -> None:
    """Borders of the sections as thin lines, and the stretch that does not count shaded."""
    for span in ride.built.sections[1:]:
        axes.axvline(span.s0, color="#eceff2", linewidth=0.6, zorder=0)
    if ride.last is not None:
        axes.axvspan(ride.last, ride.built.length, color="#f3e9dc", zorder=0)
    axes.set_xlim(0.0, ride.built.length)


def tilting(ride: ThesisRide, numbers: tuple[str, str]) -> Figure:
    """Roll of the carbody against the track, and NCA with and without it, along the track."""
    figure, (top, bottom) = plt.subplots(2, 1, figsize=(8.0, 5.0), sharex=True, layout="constrained")
    s = ride.car("arc_length")
    _line(top, s, np.degrees(ride.car("roll")), BLUE)
    top.set_ylabel("roll of the carbody / °")
    top.set_title(f"{ride.title}: tilting ({numbers[0]})", loc="left")
    _line(bottom, s, ride.car("nca_rails"), GREY, "in the rail plane")
    _line(bottom, s, ride.car("nca"), RED, "in the tilting carbody")
    bottom.set_ylabel("NCA / (m/s²)")
    bottom.set_xlabel("along the track / m")
    bottom.set_title(f"Non-compensated acceleration ({numbers[1]})", loc="left")
    bottom.legend(frameon=False, ncols=2, loc="upper left")
    for axes in (top, bottom):
        _sections(axes, ride)
    return figure


def speed(ride: ThesisRide, number: str) -> Figure:
    """Speed along the track."""
    figure, axes = plt.subplots(figsize=(8.0, 2.8), layout="constrained")
    _line(axes, ride.car("arc_length"), ride.car("speed"), BLUE)
    axes.set_ylabel("speed / (m/s)")
    axes.set_xlabel("along the track / m")
    axes.set_ylim(bottom=0.0)
    axes.set_title(f"{ride.title}: speed of the vehicle ({number})", loc="left")
    _sections(axes, ride)
    return figure


def accelerations(ride: ThesisRide, numbers: tuple[str, str, str]) -> Figure:
    """The upper torso's acceleration in its own axes over time."""
    figure, rows = plt.subplots(3, 1, figsize=(8.0, 6.4), sharex=True, layout="constrained")
    names = ("longitudinal (ξ, forward)", "lateral (η, to the left)", "vertical (ζ, upward)")
    a = ride.acceleration()
    for k, axes in enumerate(rows):
        _line(axes, ride.time, a[:, k], BLUE)
        axes.set_ylabel("g")
        axes.set_title(f"{names[k]} ({numbers[k]})", loc="left", fontsize=9)
        if ride.last is not None:
            start = float(ride.time[np.searchsorted(ride.car("arc_length"), ride.last)])
            axes.axvspan(start, float(ride.time[-1]), color="#f3e9dc", zorder=0)
    rows[-1].set_xlabel("time / s")
    rows[-1].set_xlim(0.0, float(ride.time[-1]))
    figure.suptitle(f"{ride.title}: acceleration of the upper torso, gravity in", x=0.01, ha="left")
    return figure


def durations(ride: ThesisRide, numbers: tuple[str, str, str, str]) -> Figure:
    """g held against duration beside the tolerance curve, four directions."""
    figure, grid = plt.subplots(2, 2, figsize=(8.0, 5.6), layout="constrained")
    shown: tuple[tuple[Direction, ...], ...] = (("+Gx",), ("+Gy", "-Gy"), ("+Gz",), ("-Gz",))
    for axes, directions, number in zip(grid.ravel(), shown, numbers, strict=True):
        for direction, colour in zip(directions, (BLUE, GREEN), strict=False):
            curve = ride.held(direction)
            level = np.maximum(curve.level, 1e-3)
            axes.loglog(curve.duration, level, color=colour, label=f"{direction} of this ride")
            if curve.limit is not None:
                axes.loglog(
                    curve.duration, curve.limit, color=RED, label="tolerance (recalled, low confidence)"
                )
        axes.set_ylim(0.05, 400.0)
        axes.set_xlabel("held for / s")
        axes.set_ylabel("g")
        axes.set_title(f"{' and '.join(directions)} ({number})", loc="left", fontsize=9)
        axes.legend(frameon=False, fontsize=8, loc="upper right")
    figure.suptitle(f"{ride.title}: g against duration at the upper torso", x=0.01, ha="left")
    return figure


def head(ride: ThesisRide, numbers: tuple[str, str]) -> Figure:
    """HIC36 of the windows that begin at a time, and the acceleration held for 3 ms."""
    figure, (top, bottom) = plt.subplots(2, 1, figsize=(8.0, 4.6), sharex=True, layout="constrained")
    at, values = ride.running_hic()
    top.plot(at, values, color=BLUE, linewidth=0.9)
    k = int(np.argmax(values))
    top.annotate(
        f"{values[k]:.2f}",
        (at[k], values[k]),
        xytext=(-6, -2),
        textcoords="offset points",
        color=RED,
        ha="right",
    )
    top.set_ylabel("HIC36")
    top.set_ylim(bottom=0.0)
    top.set_title(f"{ride.title}: HIC of windows up to 36 ms, limit 1000 ({numbers[0]})", loc="left")
    held = ride.running_clip()
    _line(bottom, ride.time, held, BLUE)
    k = int(np.argmax(held))
    bottom.annotate(
        f"{held[k]:.2f} g",
        (ride.time[k], held[k]),
        xytext=(-6, -2),
        textcoords="offset points",
        color=RED,
        ha="right",
    )
    bottom.set_ylabel("head, held for 3 ms / g")
    bottom.set_ylim(bottom=0.0)
    bottom.set_xlabel("time / s")
    bottom.set_xlim(0.0, float(ride.time[-1]))
    bottom.set_title(f"Resultant head acceleration over 3 ms, limit 80 g ({numbers[1]})", loc="left")
    return figure


SETS = {
    "looping_star": (
        ("Fig. 5.6", "in kind as Fig. 5.18"),
        "Fig. 5.7",
        ("Fig. 5.8", "Fig. 5.9", "Fig. 5.10"),
        ("Fig. 5.11", "Fig. 5.12", "Fig. 5.13", "Fig. 5.14"),
        ("Fig. 5.15", "Fig. 5.16"),
    ),
    "gatekeeper": (
        ("Fig. 5.17", "Fig. 5.18"),
        "Fig. 5.20",
        ("Fig. 5.21", "Fig. 5.22", "Fig. 5.23"),
        ("Fig. 5.24", "Fig. 5.25", "Fig. 5.26", "Fig. 5.27"),
        ("Fig. 5.28", "Fig. 5.29"),
    ),
}
NAMES = ("tilting", "speed", "accelerations", "durations", "head")


def draw(ride: ThesisRide, folder: Path, form: str = "png") -> list[Path]:
    """Draw the figures of a ride into a folder; form "png" or "svg". Returns the files."""
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    with matplotlib.rc_context(STYLE):
        makers = (tilting, speed, accelerations, durations, head)
        for name, make, numbers in zip(NAMES, makers, SETS[ride.name], strict=True):
            figure = make(ride, numbers)  # type: ignore[operator]
            file = folder / f"thesis_{ride.name}_{name}.{form}"
            figure.savefig(file, dpi=110, metadata={"Date": None} if form == "svg" else {"Software": None})
            plt.close(figure)
            written.append(file)
    return written
