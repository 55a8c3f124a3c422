"""Charts on paper."""

from __future__ import annotations

import threading
import warnings
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
import pytest

from ridewright.core.charts.chart import INK, Axis, Chart, Curve
from ridewright.core.report.figures.canvas import draw_svg, panels
from ridewright.core.report.figures.paper import paper

if TYPE_CHECKING:
    from matplotlib.figure import Figure

pytest.importorskip("matplotlib")


@pytest.mark.parametrize("log", [False, True])
def test_that_a_curve_beyond_reason_is_drawn_without_a_word_of_the_library(log: bool) -> None:
    """A damaged file said that a constraint is 1e300 m/s off: the margin of its axis overflowed, aloud."""
    x = np.linspace(0.0, 1.0, 20)
    curve = Curve("off", x, np.where(x > 0.5, 1e300, 1e-3), INK)
    chart = Chart("velocity", "Gap speed", Axis("time", "s"), Axis("gap", "m/s", log=log), (curve,))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert paper([chart], 5.0)().startswith(b"<?xml")


def test_that_a_figure_drawn_beside_another_is_as_drawn_alone() -> None:
    """matplotlib has settings for a whole process, which are those of a figure while it is drawn."""
    begun, over = threading.Event(), threading.Event()
    drawn: list[bytes] = []

    def plain(figure: Figure) -> None:
        panels(figure, (1.0,))[0, 0].plot([0.0, 1.0], [0.0, 1.0], label="a line")

    def late(figure: Figure) -> None:
        begun.set()
        over.wait(5.0)  # until the other figure is drawn and has put back what it changed
        plain(figure)

    def first(figure: Figure) -> None:
        beside.start()
        begun.wait(0.5)
        plain(figure)

    beside = threading.Thread(target=lambda: drawn.append(draw_svg(late, 5.0, 5.0)))
    alone = draw_svg(plain, 5.0, 5.0)
    drawn.append(draw_svg(first, 5.0, 5.0))
    over.set()
    beside.join(30.0)
    assert drawn == [alone, alone]


@pytest.mark.parametrize("kind", ["over time", "peaks", "to and fro", "two axes"])
def test_that_a_chart_goes_to_who_draws_it_with_what_is_drawn_alone(kind: str) -> None:
    time = np.linspace(0.0, 60.0, 20_001)
    values = np.sin(3.0 * time) + 0.3 * np.sin(200.0 * time)
    across = np.cos(2.0 * time) if kind in ("to and fro", "two axes") else time
    up = np.abs(values) + 1e-3 if kind == "peaks" else values
    curve = Curve("a", across, up, INK, time=time, place=time, used=time)
    chart = Chart(
        "key",
        "Title",
        Axis("x", "s"),
        Axis("y", "m", log=kind == "peaks"),
        (curve,),
        cross=kind == "two axes",
    )
    sent = paper([chart], 5.0)
    assert isinstance(sent, partial)
    (bare,), *rest = sent.args
    assert sent() == sent.func((chart,), *rest)
    assert (len(bare.curves[0].x) < len(time)) == (kind in ("over time", "two axes"))
    assert bare.curves[0].used is None
