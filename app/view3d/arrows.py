"""Arrows on the moving train: forces of the rails on the wheels, and what the riders feel."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

import numpy as np

from ...core.base.arrays import Array
from ...core.results.results import Results
from ..widgets import units
from ..widgets.theme import Colours
from .actors import add, remove
from .marks import Arrow
from .train_layer import TrainLayer

if TYPE_CHECKING:
    import pyvista as pv


PER_NEWTON = 1.0 / 4000.0  # m
PER_G = 1.0 / 3.0  # m
CHEST = np.array([0.3, 0.0, 0.0])  # m, in front of the upper torso
WIDTHS: Final = {"forces": 0.06, "accelerations": 0.045}  # m


class ArrowLayer:
    """Arrows of wheel forces and of the acceleration felt in the chest; made when they are first shown."""

    def __init__(self, plotter: pv.BasePlotter) -> None:
        self._plotter = plotter
        #: Of every kind: arrow, body, point on it (m), and the vector (m, world) at a time (s) and rotation.
        self.arrows: dict[str, list[tuple[Arrow, str, Array, Callable[[float, Array], Array]]]] = {}
        self._on = {"forces": False, "accelerations": False}
        self._sources: tuple[Results, TrainLayer, Colours] | None = None

    def show(self, what: str, on: bool) -> None:
        """Show or hide "forces" or "accelerations"."""
        self._on[what] = on
        self._make(what)
        for arrow, *_ in self.arrows.get(what, ()):
            arrow.actor.visibility = on

    def keys(self, colours: Colours) -> list[tuple[str, str]]:
        """What the arrows that are shown mean: colour and sentence."""
        force = units.text(1.0 / PER_NEWTON, "kN", decimals=0 if units.current() == "US" else 1)
        metre, load = units.text(1.0, "m", decimals=1), units.text(1.0 / PER_G, "g", decimals=0)
        sentences = {
            "forces": (colours.good, f"Force of a rail on a wheel: {metre} for {force}"),
            "accelerations": (colours.bad, f"Load the rider feels: {metre} for {load}"),
        }
        return [sentence for what, sentence in sentences.items() if self._on[what] and self.arrows.get(what)]

    def rebuild(self, results: Results | None, train: TrainLayer, colours: Colours) -> None:
        """Take the arrows of a run; without one there are none."""
        remove(self._plotter, *(arrow.actor for group in self.arrows.values() for arrow, *_ in group))
        self.arrows = {}
        self._sources = None if results is None else (results, train, colours)
        for what in self._on:
            self._make(what)
        self.show_time(0.0)

    def show_time(self, time: float) -> None:
        """Turn all arrows to what they are at a time (s)."""
        for what, group in self.arrows.items():
            for arrow, body, point, vector in group:
                frame = self._sources[1].frame_of(body) if self._on[what] and self._sources else None
                if frame is not None:
                    arrow.point(frame.point(point), vector(time, frame.rotation))

    def _make(self, what: str) -> None:
        """Make the arrows of one kind, if they are wanted and not there."""
        if not self._on[what] or self._sources is None or what in self.arrows:
            return
        results, train, colours = self._sources
        wheels = what == "forces"
        found = _wheels(results, train) if wheels else _chests(results)
        self.arrows[what] = [
            (Arrow(colours.good if wheels else colours.bad, WIDTHS[what]), *one) for one in found
        ]
        add(self._plotter, *(arrow.actor for arrow, *_ in self.arrows[what]))


Placed = tuple[str, Array, Callable[[float, Array], Array]]  # body, point and force over time and turn


def _wheels(results: Results, train: TrainLayer) -> list[Placed]:
    """Body, point and force of every guide of a run."""
    states, first, flat = results.states, len(results.names.joints), train.flat
    found: list[Placed] = []
    if flat is None:
        return found
    for guide in flat.guides:
        if guide.name in results.names.guides:
            number = first + results.names.guides.index(guide.name)
            local = guide.bodies[guide.element.body]

            def force(time: float, _turn: Array, number: int = number) -> Array:
                k = np.clip(np.searchsorted(states.time, time), 0, len(states.time) - 1)
                return np.asarray(PER_NEWTON * states.reactions[k, number, :3])

            found.append((flat.names[local.body], local.point(guide.element.point), force))
    return found


def _chests(results: Results) -> list[Placed]:
    """Body, point and specific force of every rider of a run."""
    found: list[Placed] = []
    for rider, roles in results.names.riders.items():
        channel = results.channels.get(f"rider/{rider}/upper_torso/acceleration")
        if channel is not None:

            def felt(time: float, turn: Array, values: Array = channel.values) -> Array:
                k = np.clip(np.searchsorted(results.sample_time, time), 0, len(values) - 1)
                return np.asarray(PER_G * (turn @ values[k]))

            found.append((roles["upper_torso"], CHEST, felt))
    return found
