"""Arrows on the moving train: forces of the rails on the wheels, and what the riders feel."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from vtkmodules.vtkRenderingCore import vtkRenderer

from app.view3d.marks import Arrow
from app.view3d.train_layer import TrainLayer
from app.widgets import units
from app.widgets.theme import Colours
from core.model.placement import joined
from core.project.project import Project
from core.results.results import Results

Array = NDArray[np.float64]

METRES_PER_NEWTON = 1.0 / 4000.0
METRES_PER_G = 1.0 / 3.0


class ArrowLayer:
    """Arrows of wheel forces and of the acceleration felt in the chest; hidden until switched on."""

    def __init__(self, renderer: vtkRenderer) -> None:
        self._renderer = renderer
        self._wheels: list[
            tuple[Arrow, str, Array, int]
        ] = []  # arrow, body, point (m), number of the reaction
        self._riders: list[tuple[Arrow, str, str]] = []  # arrow, body, channel
        self._on = {"forces": False, "accelerations": False}
        self._results: Results | None = None
        self._train: TrainLayer | None = None
        self._project: Project | None = None
        self._colours: Colours | None = None

    def show(self, what: str, on: bool) -> None:
        """Show or hide "forces" or "accelerations"."""
        self._on[what] = on
        self._make(what)
        arrows = [a for a, *_ in self._wheels] if what == "forces" else [a for a, *_ in self._riders]
        for arrow in arrows:
            arrow.actor.SetVisibility(on)

    def keys(self, colours: Colours) -> list[tuple[str, str]]:
        """What the arrows that are shown mean: colour and sentence."""
        found = []
        if self._on["forces"] and self._wheels:
            force = units.text(1.0 / METRES_PER_NEWTON, "kN", decimals=0 if units.current() == "US" else 1)
            found.append(
                (colours.good, f"Force of a rail on a wheel: {units.text(1.0, 'm', decimals=1)} for {force}")
            )
        if self._on["accelerations"] and self._riders:
            load = units.text(1.0 / METRES_PER_G, "g", decimals=0)
            found.append(
                (colours.bad, f"Load the rider feels: {units.text(1.0, 'm', decimals=1)} for {load}")
            )
        return found

    def rebuild(self, project: Project, results: Results | None, train: TrainLayer, colours: Colours) -> None:
        """Take the arrows of a run; without one there are none. They are made when they are first shown."""
        for arrow in [a for a, *_ in self._wheels] + [a for a, *_ in self._riders]:
            self._renderer.RemoveActor(arrow.actor)
        self._wheels, self._riders = [], []
        self._results, self._train, self._project, self._colours = results, train, project, colours
        for what in self._on:
            self._make(what)
        self.show_time(0.0)

    def _make(self, what: str) -> None:
        """Make the arrows of one kind, if they are wanted and not there."""
        if not self._on[what] or self._results is None or self._project is None or self._colours is None:
            return
        if what == "forces" and not self._wheels:
            self._make_wheels(self._project, self._results, self._colours.good)
        if what == "accelerations" and not self._riders:
            self._make_riders(self._results, self._colours.bad)

    def _make_wheels(self, project: Project, results: Results, colour: str) -> None:
        first = len(results.names.joints)
        guides = {} if project.assembly is None else project.assembly.every("guide")
        for name, guide in guides.items():
            if name in results.names.guides:
                number = first + results.names.guides.index(name)
                body = joined(name.rpartition("/")[0], guide.body)
                self._wheels.append((self._arrow(colour, 0.06), body, np.array(guide.point), number))

    def _make_riders(self, results: Results, colour: str) -> None:
        for rider, roles in results.names.riders.items():
            channel = f"rider/{rider}/upper_torso/acceleration"
            if channel in results.channels:
                self._riders.append((self._arrow(colour, 0.045), roles["upper_torso"], channel))

    def show_time(self, time: float) -> None:
        """Turn all arrows to what they are at a time (s)."""
        if self._results is None or self._train is None:
            return
        if self._on["forces"]:
            self._point_wheels(time)
        if self._on["accelerations"]:
            self._point_riders(time)

    def _arrow(self, colour: str, width: float) -> Arrow:
        arrow = Arrow(colour, width)
        self._renderer.AddActor(arrow.actor)
        return arrow

    def _point_wheels(self, time: float) -> None:
        assert self._results is not None
        assert self._train is not None
        states = self._results.states
        k = int(np.clip(np.searchsorted(states.time, time), 0, len(states.time) - 1))
        for arrow, body, point, number in self._wheels:
            pose = self._train.body_pose(body)
            if pose is not None:
                force = states.reactions[k, number, :3]
                arrow.point(pose[0] + pose[1] @ point, METRES_PER_NEWTON * force)

    def _point_riders(self, time: float) -> None:
        assert self._results is not None
        assert self._train is not None
        samples = self._results.sample_time
        k = int(np.clip(np.searchsorted(samples, time), 0, len(samples) - 1))
        for arrow, body, channel in self._riders:
            pose = self._train.body_pose(body)
            if pose is not None:
                felt = self._results.channels[channel].values[k]
                arrow.point(pose[0] + pose[1] @ np.array([0.3, 0.0, 0.0]), METRES_PER_G * (pose[1] @ felt))
