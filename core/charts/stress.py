"""Stress at a spot: its load ranges."""

from __future__ import annotations

from ..base.arrays import Array
from ..base.errors import InputError
from .abscissa import Abscissa
from .chart import Axis, Bars, Chart, Colour, Curve, over_time


def ranges_chart(edges: Array, cycles: Array, note: str = "") -> Chart:
    """Cycles by their range of stress.

    Parameters
    ----------
    edges
        (bins,) Pa, the upper ends of bins of one width.
    cycles
        (bins,), how many.
    note
        What they are of.

    Returns
    -------
    The chart.

    Raises
    ------
    InputError
        Where there are none.
    """
    if not len(edges):
        raise InputError("The stress there does not change over the run: it has no load ranges.")
    range_axis = Axis("stress range", "MPa", low=0.0, high=float(edges[-1]))
    return Chart("ranges", "", range_axis, Axis("cycles", "1"), bars=Bars(edges, cycles), note=note)


def stress_charts(
    axis: Abscissa, time: Array, signed: Array, mises: Array, words: str, run: str = ""
) -> tuple[Chart, Chart]:
    """The signed stress and the von Mises stress of a spot.

    Parameters
    ----------
    axis
        Along which they are drawn.
    time
        (n,) s.
    signed, mises
        (n,) Pa.
    words
        What the signed stress is called.
    run
        The name of the run, where there are several.

    Returns
    -------
    Both charts.
    """
    signed_chart, mises_chart = (
        over_time(key, title, "MPa", [Curve.over(axis, "", time, values, Colour("series", k), run)])
        for k, (key, title, values) in enumerate(
            (("signed", f"{words} stress", signed), ("mises", "Von Mises stress", mises))
        )
    )
    return signed_chart, mises_chart
