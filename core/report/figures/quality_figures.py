"""How well the numerics kept energy and constraints."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ...base.arrays import Array
from ..run_view import RunView
from .canvas import (
    COLOURS,
    INK,
    TEXT_WIDTH,
    draw_svg,
    legend_above,
    panels,
    plain_powers,
    raised,
    thin,
    upper_edge,
)

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SMALLEST = float(np.finfo(float).eps)  # zero cannot be drawn on a logarithmic axis


def energy(view: RunView, reference: float, reference_is: str) -> bytes:
    """Energies of the system, what was lost and put in, and the residual of the ledger, as SVG.

    reference: energy (J) the residual is divided by; reference_is: its name.
    """
    ledger, time = view.results.energy, view.results.states.time

    def draw(figure: Figure) -> None:
        large, small, drift = panels(figure, (3.0, 2.5, 2.0), left=1.6, top=0.7, gap=0.85)[:, 0]
        large.plot(*thin(time, ledger.kinetic / 1e3), color=COLOURS[0], label="kinetic")
        potential = (ledger.potential - ledger.potential[0]) / 1e3
        large.plot(*thin(time, potential), color=COLOURS[1], label="potential, from the start")
        large.set(title="Energy of train and riders", ylabel="E / kJ")
        terms = {
            "in springs": ledger.elastic,
            "lost in dampers and stops": ledger.dissipated,
            "lost to drag": ledger.drag,
            "put in by drives": ledger.driven,
            "in contacts": ledger.contact_elastic,
            "lost in contacts": ledger.contact_loss,
            "lost by friction": ledger.friction_loss,
        }
        for k, (name, values) in enumerate(terms.items()):
            if np.any(values != 0.0):
                small.plot(*thin(time, values / 1e3), color=COLOURS[(k + 2) % len(COLOURS)], label=name)
        small.set(title="Stored, lost and put in", ylabel="E / kJ")
        ratio = ledger.residual / (reference or 1.0)
        power = int(np.floor(np.log10(max(float(np.abs(ratio).max()), SMALLEST))))
        drift.plot(*thin(time, ratio / 10.0**power), color=INK)
        drift.set(
            title=f"Residual of the energy ledger over {reference_is}",
            ylabel=f"ratio / 10{raised(power)}" if power else "ratio",
            xlabel="time t / s",
        )
        drift.set_xlim(time[0], time[-1])
        for axes in (large, small):
            if axes.lines:
                legend_above(axes)

    return draw_svg(draw, TEXT_WIDTH, 9.2)


def violations(view: RunView) -> bytes:
    """Constraint violations at position and velocity level over time, as SVG."""
    time, off = view.results.states.time, view.results.violations

    def draw(figure: Figure) -> None:
        place, speed = panels(figure, (1.2, 1.0), left=1.6, top=0.7)[:, 0]

        def line(axes: object, values: Array, colour: str, label: str) -> None:
            axes.semilogy(  # type: ignore[attr-defined]
                *upper_edge(time, np.maximum(values, SMALLEST)), color=colour, linewidth=0.7, label=label
            )
            plain_powers(axes.yaxis)  # type: ignore[attr-defined]

        line(place, off.joints, COLOURS[0], "joints")
        line(place, off.guides, COLOURS[1], "guides (wheels on rails)")
        place.set(title="Position level, largest of all rows (peaks)", ylabel="|Φ| / m or rad")
        legend_above(place)
        line(speed, off.velocity, COLOURS[2], "all rows")
        speed.set(
            title="Velocity level, largest of all rows (peaks)",
            ylabel="|dΦ/dt| / (m/s or rad/s)",
            xlabel="time t / s",
        )
        speed.set_xlim(time[0], time[-1])

    return draw_svg(draw, TEXT_WIDTH, 7.5)
