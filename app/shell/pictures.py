"""Pictures of a finished run, drawn without a display (matplotlib's Agg canvas) as PNG files."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.collections import LineCollection
from matplotlib.figure import Figure
from matplotlib.rcsetup import cycler

from ...core.base.arrays import Array
from ...core.base.atomic import replacing
from ...core.base.errors import InputError
from ...core.injury.criteria.sustained import sustained_g
from ...core.injury.filters import ride_filter
from ...core.injury.limits import CurveSet, load_limits
from ...core.injury.parts import PARTS
from ...core.injury.rider_axes import DIRECTIONS
from ...core.outcome.rider_view import rider_history
from ...core.outcome.summary import Summary
from ...core.results.results import Results
from ...core.track.build import BuiltTrack

DPI = 120
WIDE = (11.0, 6.2)
# Okabe and Ito's colours: told apart by everyone, in print too.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
AXIS_NAMES = ("Gx, forward", "Gy, left", "Gz, up")
STYLE: Any = {
    "axes.grid": True,
    "grid.alpha": 0.3,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.titlesize": 11,
    "axes.titleweight": "bold",
    "axes.prop_cycle": cycler(color=COLOURS),
    "legend.framealpha": 0.85,
    "legend.fontsize": 8.5,
    "font.size": 9.5,
}


def draw_pictures(results: Results, summary: Summary, track: BuiltTrack | None, folder: Path) -> list[Path]:
    """Draw every picture the run has signals for; returns the files written, PNG, in `folder`.

    results and summary: of one run; track: its built track, None for a rig. A run too short for a filter or a
    criterion gets the pictures that need neither.
    """
    folder.mkdir(parents=True, exist_ok=True)
    files = []
    with mpl.rc_context(STYLE):
        for name, draw in _pictures(results, summary, track):
            figure = Figure(figsize=WIDE, dpi=DPI, layout="constrained")
            FigureCanvasAgg(figure)
            draw(figure)
            path = folder / f"{name}.png"
            with replacing(path) as part:
                figure.savefig(part, format="png")
            files.append(path)
    return files


def _pictures(
    results: Results, summary: Summary, track: BuiltTrack | None
) -> Iterator[tuple[str, Callable[[Figure], None]]]:
    car = _first_car(results)
    if track is not None and car is not None and f"car/{car}/arc_length" in results.channels:
        yield "track", lambda figure: draw_track(figure, results, summary, track, car)
    if car is not None:
        yield "speed_energy", lambda figure: draw_speed_and_energy(figure, results, summary, car)
    if car is not None and f"car/{car}/arc_length" in results.channels:
        yield "nca_roll", lambda figure: draw_nca_and_roll(figure, results, summary, car)
    for k, rider in enumerate(results.names.riders):
        tail = "" if len(results.names.riders) == 1 else f"_{k + 1}"
        try:
            rider_history(results, rider, "head")
        except InputError:
            continue
        yield (
            f"rider_loads{tail}",
            partial(draw_rider_loads, results=results, summary=summary, rider=rider),
        )
        yield f"head{tail}", partial(draw_head, results=results, summary=summary, rider=rider)
        yield (
            f"g_duration{tail}",
            partial(draw_g_duration, results=results, summary=summary, rider=rider),
        )
    yield "violations", lambda figure: draw_violations(figure, results, summary)


def _first_car(results: Results) -> str | None:
    cars = [
        name.split("/")[1] for name in results.channels if name.startswith("car/") and name.endswith("/speed")
    ]
    return cars[0] if cars else None


def draw_track(figure: Figure, results: Results, summary: Summary, track: BuiltTrack, car: str) -> None:
    """Plan and elevation of the centreline, coloured by the speed with which the first car passed."""
    place = results.channels[f"car/{car}/arc_length"].values
    speed = results.channels[f"car/{car}/speed"].values
    s = np.linspace(0.0, track.length, 2400)
    xyz = track.centreline.position(s)
    # Where the car came by; a place passed twice (after a full lap) keeps the first speed.
    wrapped = np.mod(place, track.length) if track.track.closed else place
    first = np.unique(np.round(wrapped, 3), return_index=True)[1]
    passed = np.interp(s, wrapped[first], speed[first], left=np.nan, right=np.nan)
    if track.track.closed and np.ptp(place) < 0.999 * track.length:
        ridden = np.interp(np.mod(s - place[0], track.length), [0.0, np.ptp(place)], [1.0, 1.0], right=np.nan)
        passed = passed * ridden
    figure.suptitle(f"{summary.project}: the track and the speed on it", fontweight="bold")
    plan, elevation = figure.subplots(2, 1, height_ratios=(3, 2))
    lines = None
    for axes, across, title, label in (
        (plan, xyz[:, [0, 1]], "plan", ("x / m", "y / m")),
        (elevation, np.column_stack([s, xyz[:, 2]]), "elevation along the track", ("s / m", "z / m")),
    ):
        pieces = np.stack([across[:-1], across[1:]], axis=1)
        axes.plot(across[:, 0], across[:, 1], color="0.75", linewidth=1.0, zorder=1)
        lines = LineCollection(list(pieces), cmap="viridis", linewidths=3.0, capstyle="round", zorder=2)
        lines.set_array(0.5 * (passed[:-1] + passed[1:]))
        axes.add_collection(lines)
        axes.set(title=title, xlabel=label[0], ylabel=label[1])
    plan.set_aspect("equal", adjustable="datalim")
    start = track.centreline.position(place[:1])[0]
    ahead = track.centreline.position(np.array([place[0] + 1.0]))[0] - start
    plan.plot(*start[:2], "o", color="#D55E00", markersize=8, zorder=3, label="start, and the way it goes")
    plan.quiver(*start[:2], *ahead[:2], color="#D55E00", scale=25.0, width=0.004, zorder=3)
    plan.legend(loc="best")
    assert lines is not None
    figure.colorbar(lines, ax=[plan, elevation], label="speed / (m/s)")


def draw_speed_and_energy(figure: Figure, results: Results, summary: Summary, car: str) -> None:
    """Speed of the first car, the energies of the whole system, and what the ledger gained or lost."""
    figure.suptitle(f"{summary.project}: speed and energy", fontweight="bold")
    speed, large, small, drift = figure.subplots(4, 1, sharex=True, height_ratios=(3, 3, 3, 2))
    speed.plot(results.sample_time, results.channels[f"car/{car}/speed"].values)
    speed.set(title=f"speed of {car}", ylabel="speed / (m/s)", ylim=(0.0, None))
    ledger, t = results.energy, results.states.time
    large.plot(t, ledger.kinetic / 1e3, label="kinetic")
    large.plot(t, (ledger.potential - ledger.potential[0]) / 1e3, label="potential, from the start")
    large.set(title="energy of the whole train with its riders", ylabel="energy / kJ")
    terms = {
        "in springs": ledger.elastic,
        "lost in dampers and stops": ledger.dissipated,
        "lost to drag": ledger.drag,
        "driven": ledger.driven,
    }
    for (name, values), colour in zip(terms.items(), COLOURS[2:], strict=False):
        if np.any(values != 0.0):
            small.plot(t, values / 1e3, color=colour, label=name)
    small.set(title="held by springs, lost and put in", ylabel="energy / kJ")
    for axes in (large, small):
        if axes.lines:
            axes.legend(loc="center left", bbox_to_anchor=(1.0, 0.5))
    reference = summary.energy.reference or 1.0
    drift.plot(t, ledger.residual / reference, color="0.2")
    drift.set(title=f"ledger residual / {summary.energy.reference_is}", xlabel="time / s", ylabel="ratio")
    drift.ticklabel_format(axis="y", style="sci", scilimits=(-2, 2))


def draw_nca_and_roll(figure: Figure, results: Results, summary: Summary, car: str) -> None:
    """Non-compensated acceleration and roll of the carbody, against the place on the track."""
    figure.suptitle(f"{summary.project}: sideways in the curves", fontweight="bold")
    place = results.channels[f"car/{car}/arc_length"].values
    signals = {
        "nca": (f"non-compensated acceleration of {car}", "NCA / (m/s²)", 1.0),
        "roll": ("roll of the carbody against its chassis", "roll / °", math.degrees(1.0)),
    }
    there = [name for name in signals if f"car/{car}/{name}" in results.channels]
    rows = figure.subplots(len(there), 1, sharex=True, squeeze=False)[:, 0]
    for axes, name, colour in zip(rows, there, COLOURS, strict=False):
        title, label, factor = signals[name]
        axes.plot(place, factor * results.channels[f"car/{car}/{name}"].values, color=colour)
        axes.set(title=title, ylabel=label)
    rows[-1].set_xlabel("arc length s / m")


def draw_rider_loads(figure: Figure, results: Results, summary: Summary, rider: str) -> None:
    """What an accelerometer on head, upper torso and pelvis feels, as computed and through the 5 Hz ride filter."""
    figure.suptitle(f"{summary.project}: loads on rider {rider}, rider axes, gravity in", fontweight="bold")
    grid = figure.subplots(3, 3, sharex=True, sharey="row")
    for column, (part, colour) in enumerate(zip(PARTS, COLOURS, strict=False)):
        history = rider_history(results, rider, part)
        try:
            smooth = ride_filter(history.time, history.acceleration)
        except InputError:
            smooth = None
        for k, axes in enumerate(grid[:, column]):
            axes.plot(
                history.time, history.acceleration[:, k], color="0.6", linewidth=0.7, label="as computed"
            )
            if smooth is not None:
                axes.plot(history.time, smooth[:, k], color=colour, linewidth=1.5, label="5 Hz ride filter")
        grid[0, column].set_title(part.replace("_", " "))
        grid[2, column].set_xlabel("time / s")
        grid[2, column].legend(loc="upper center", bbox_to_anchor=(0.5, -0.25), ncols=2, frameon=False)
    for axes, name in zip(grid[:, 0], AXIS_NAMES, strict=True):
        axes.set_ylabel(f"{name} / g")


def draw_head(figure: Figure, results: Results, summary: Summary, rider: str) -> None:
    """Resultant acceleration of the head, whole and around the HIC windows, with the 3 ms level."""
    history = rider_history(results, rider, "head")
    found = {c.criterion: c for c in summary.riders[rider]["head"].criteria if c.value is not None}
    figure.suptitle(f"{summary.project}: head of rider {rider}, resultant acceleration", fontweight="bold")
    whole, near = figure.subplots(2, 1)
    for axes in (whole, near):
        axes.plot(history.time, history.resultant, color="0.25", linewidth=1.0)
        axes.set(xlabel="time / s", ylabel="resultant / g", ylim=(0.0, None))
        for name, colour in (("hic36", COLOURS[0]), ("hic15", COLOURS[1])):
            result = found.get(name)
            if result is not None and result.time is not None:
                label = (
                    f"{name.upper()} = {result.value:.3g} (limit {result.limit:g})" if result.limit else name
                )
                # The outline keeps a window of milliseconds visible in a ride of a minute.
                axes.axvspan(*result.time, color=colour, alpha=0.3, linewidth=1.0, label=label)
        if "clip_3ms" in found:
            clip = found["clip_3ms"]
            axes.axhline(clip.value, color=COLOURS[2], linestyle="--", label=f"held 3 ms: {clip.value:.3g} g")
    whole.set_title("the whole ride")
    whole.legend(loc="best")
    centre = found["hic36"].time if "hic36" in found else None
    if centre is not None:
        middle = 0.5 * (centre[0] + centre[1])
        near.set_xlim(max(middle - 0.3, history.time[0]), min(middle + 0.3, history.time[-1]))
        inside = np.abs(history.time - middle) <= 0.3
        near.set_ylim(0.0, 1.15 * float(history.resultant[inside].max()))
    near.set_title("around the HIC36 window")


def draw_g_duration(figure: Figure, results: Results, summary: Summary, rider: str) -> None:
    """Level held without a break against how long, in the six directions, with the tolerance curves."""
    history = rider_history(results, rider, "upper_torso")
    limits = load_limits("sustained_g_brulle", CurveSet)
    figure.suptitle(
        f"{summary.project}: g held against duration, upper torso of rider {rider}", fontweight="bold"
    )
    figure.supxlabel(f"tolerance: {limits.title} (confidence {limits.confidence})", fontsize=8, color="0.35")
    grid = figure.subplots(2, 3, sharex=True)
    for axes, direction in zip(grid.T.ravel(), DIRECTIONS, strict=True):
        try:
            curve = sustained_g(history.time, history.acceleration, direction, limits)
        except InputError as error:
            axes.set_title(direction)
            axes.text(0.5, 0.5, str(error), transform=axes.transAxes, ha="center", va="center", wrap=True)
            continue
        axes.semilogx(curve.duration, np.maximum(curve.level, 0.0), label="ride")
        if curve.limit is not None:
            axes.semilogx(curve.duration, curve.limit, color=COLOURS[1], linestyle="--", label="tolerance")
            axes.legend(loc="best")
        known = direction if curve.limit is not None else f"{direction} (no tolerance curve known)"
        axes.set(title=known, ylim=(0.0, None))
    for axes in grid[-1]:
        axes.set_xlabel("duration / s")
    for axes in grid[:, 0]:
        axes.set_ylabel("held level / g")


def draw_violations(figure: Figure, results: Results, summary: Summary) -> None:
    """How far the constraints were off, at position and at velocity level."""
    figure.suptitle(f"{summary.project}: constraint violations", fontweight="bold")
    position, velocity = figure.subplots(2, 1, sharex=True)
    t, off = results.states.time, results.violations
    _log_plot(position, t, {"joints": off.joints, "guides (wheels on rails)": off.guides})
    position.axhline(1e-6, color="0.4", linestyle=":", label="1e-6")
    position.legend(loc="best")
    position.set(title="position level, largest of all rows", ylabel="|Φ| / m or rad")
    _log_plot(velocity, t, {"all rows": off.velocity})
    velocity.set(
        title="velocity level, largest of all rows", xlabel="time / s", ylabel="|dΦ/dt| / (m/s or rad/s)"
    )


def _log_plot(axes: Axes, time: Array, series: dict[str, Array]) -> None:
    """Zero cannot be drawn on a logarithmic axis: it is shown at the smallest size a double tells apart from 1."""
    for name, values in series.items():
        axes.semilogy(time, np.maximum(values, np.finfo(float).eps), linewidth=0.9, label=name)
