"""What riders feel over the ride: the three components, the head's resultant, the level held against duration."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ...outcome.rider_view import RiderJudgement
from ..run_view import RunView
from .canvas import (
    BLUE,
    COLOURS,
    GREEN,
    INK,
    PALE,
    TEXT_WIDTH,
    VERMILION,
    draw_svg,
    legend_above,
    panels,
    shade,
    thin,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

COMPONENTS = ("Gx, forward", "Gy, left", "Gz, up")
ZOOM = 0.25  # s shown to both sides of the HIC window
Intervals = tuple[tuple[float, float], ...]


def components(view: RunView, rider: str, part: str, exceeded: dict[int, Intervals]) -> bytes:
    """Gx, Gy, Gz of a part unfiltered and through the 5 Hz filter, the stretches beyond a limit shaded, as SVG.

    exceeded: component 0, 1, 2 -> time intervals (s).
    """
    history = view.history(rider, part)
    assert history is not None
    smooth = view.smooth(rider, part)
    car = view.car_of(rider)
    speed = None if car is None else view.channel(car, "speed")
    time = history.time

    def draw(figure: Figure) -> None:
        rows = panels(figure, (1.0,) * (3 if speed is None else 4), top=0.7)[:, 0]
        for k, axes in enumerate(rows[:3]):
            axes.plot(*thin(time, history.acceleration[:, k]), color=PALE, linewidth=0.5, label="unfiltered")
            if smooth is not None:
                axes.plot(
                    *thin(time, smooth[:, k]), color=COLOURS[k], linewidth=1.1, label="5 Hz ride filter"
                )
            shade(axes, exceeded.get(k, ()), least=0.002 * float(time[-1] - time[0]))
            axes.axhline(0.0, color="#59636e", linewidth=0.4, zorder=1)
            axes.set(title=COMPONENTS[k], ylabel=f"{COMPONENTS[k][:2]} / g")
            if exceeded.get(k):
                axes.fill_between([], [], color="#c22f2f", alpha=0.16, label="beyond a limit")
            legend_above(axes)
        if speed is not None:
            rows[3].plot(*thin(time, speed), color=INK)
            rows[3].set(title=f"Speed of {car}", ylabel="v / (m/s)")
            rows[3].set_ylim(bottom=0.0)
        rows[-1].set_xlim(time[0], time[-1])
        rows[-1].set_xlabel("time t / s")

    return draw_svg(draw, TEXT_WIDTH, 7.6 if speed is None else 9.2)


def head_resultant(view: RunView, rider: str, found: dict[str, RiderJudgement]) -> bytes:
    """Resultant of the head, whole and around the HIC36 window, with HIC windows and the 3 ms level, as SVG.

    found: criterion id -> judgement of the head.
    """
    history = view.history(rider, "head")
    assert history is not None
    time, resultant = history.time, history.resultant

    def draw(figure: Figure) -> None:
        whole, near = panels(figure, (1.0,), columns=2, top=0.6, share_x=False, between=1.3)[0]
        for axes in (whole, near):
            axes.set(xlabel="time t / s", ylabel="resultant / g")
            _windows(axes, found)
        whole.plot(*thin(time, resultant, 450), color=INK, linewidth=0.7)
        whole.set_title("Resultant of the head, whole ride")
        whole.set_xlim(time[0], time[-1])
        whole.set_ylim(bottom=0.0)
        window = found["hic36"].result.time if "hic36" in found else None
        middle = 0.5 * (time[0] + time[-1]) if window is None else 0.5 * (window[0] + window[1])
        inside = np.abs(time - middle) <= ZOOM
        near.plot(*thin(time[inside], resultant[inside], 450), color=INK)
        near.set_title("Around the HIC36 window")
        near.set_xlim(max(middle - ZOOM, time[0]), min(middle + ZOOM, time[-1]))
        near.set_ylim(0.0, 1.12 * float(resultant[inside].max()))
        near.legend(loc="lower left")

    return draw_svg(draw, TEXT_WIDTH, 5.6)


def _windows(axes: Axes, found: dict[str, RiderJudgement]) -> None:
    for name, colour in (("hic36", BLUE), ("hic15", VERMILION)):
        judged = found.get(name)
        if judged is not None and judged.result.time is not None:
            axes.axvspan(
                *judged.result.time, color=colour, alpha=0.25, linewidth=0.6, label=f"{name.upper()} window"
            )
    clip = found.get("clip_3ms")
    if clip is not None and clip.result.value is not None:
        axes.axhline(
            clip.result.value, color=GREEN, linewidth=0.8, linestyle=(0, (4, 2)), label="held for 3 ms"
        )
