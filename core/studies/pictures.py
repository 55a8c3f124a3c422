"""Drawings of the report of a study: designs by their goals, and a response over every parameter."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from ..base.arrays import Array
from ..report.book import Book
from ..report.document import Figure as Drawing
from ..report.figures.canvas import BLUE, INK, PALE, TEXT_WIDTH, VERMILION, draw_svg, panels
from .front import Front
from .store import Table

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MAX_PARAMETERS = 6  # parameters that are drawn
SIZE = 5.0  # square points, of a run
LARGE = 12.0


def front_picture(runs: Table, best: Front, book: Book) -> list[Drawing]:
    """All designs by their first two goals, the best and the start marked; of a single goal, by their number."""
    assert runs.study.optimise is not None
    goals = runs.study.optimise.goals
    single = len(goals) == 1
    positions = np.column_stack([runs.run, *(runs.named(goal.name) for goal in goals)])
    finished = ~np.isnan(positions).any(axis=1)
    number, (x, y) = runs.run[finished], positions[finished].T[:2] if single else positions[finished].T[1:3]
    is_best = np.isin(number, best.runs)

    def draw(figure: Figure) -> None:
        axes = panels(figure, (1.0,), left=1.6)[0, 0]
        axes.scatter(x, y, s=SIZE, color=PALE, label="made")
        axes.scatter(x[is_best], y[is_best], s=LARGE, color=BLUE, label="best", zorder=3)
        if best.start is not None:
            at = number == best.start.run
            axes.scatter(
                x[at], y[at], s=2.0 * LARGE, color=VERMILION, marker="D", label="the start", zorder=4
            )
        axes.set(xlabel="run" if single else goals[0].name, ylabel=goals[0 if single else 1].name)
        # some designs lie far away: the best and the start are in the picture, with room around them
        shown = is_best if best.start is None else is_best | (number == best.start.run)
        axes.set(xlim=_around(x[shown]), ylim=_around(y[shown]))
        axes.legend(loc="upper right")

    what = "Designs in the order in which they were made" if single else "Designs by their goals"
    caption = "Grey: made, whether feasible or not. Some lie outside of what is drawn."
    return [book.figure("designs", what, caption, partial(draw_svg, draw, TEXT_WIDTH, 8.0))]


def _around(values: Array) -> tuple[float, float]:
    low, high = float(values.min()), float(values.max())
    room = 0.35 * (high - low) or 0.1 * abs(high) or 1.0
    return low - room, high + room


def parameter_picture(runs: Table, response: str, book: Book) -> list[Drawing]:
    """A response over each of the first parameters, a point a run."""
    y = runs.named(response)
    parameters = runs.study.parameters[:MAX_PARAMETERS]
    there = ~np.isnan(y)
    columns = min(3, len(parameters))
    lines = -(-len(parameters) // columns)

    def draw(figure: Figure) -> None:
        grid = panels(figure, (1.0,) * lines, columns=columns, left=1.5, gap=1.5, share_x=False, share_y=True)
        for k, axes in enumerate(grid.ravel()):
            if k >= len(parameters):
                axes.set_visible(False)
                continue
            parameter = parameters[k]
            axes.scatter(runs.values[there, k], y[there], s=SIZE, color=BLUE, alpha=0.6, linewidth=0.0)
            axes.axhline(0.0, color=INK, linewidth=0.5)
            unit = f" / {parameter.unit}" if parameter.unit else ""
            axes.set(xlabel=f"{parameter.name}{unit}", ylabel=response if k % columns == 0 else "")
            if parameter.levels:
                labels = [level.label for level in parameter.levels]
                axes.set_xticks(range(len(labels)), labels)

    caption = "A point a run; the others of its parameters vary too."
    title = f"{response} over what is varied"
    return [book.figure("response", title, caption, partial(draw_svg, draw, TEXT_WIDTH, 1.5 + 4.2 * lines))]
