"""What is drawn along the track: its devices, the frame sweep, and the line a shown run was ridden on."""

from __future__ import annotations

from contextlib import suppress

from ...core.base.errors import InputError
from ...core.track.device_spans import DeviceSpan, device_spans
from .devices import GROUP as DEVICES
from .devices import device_actors, device_keys
from .marks import Sweep, ridden_line, sweep_actors, sweep_keys
from .scene import Scene

SWEEP, RIDDEN = "sweep", "ridden"  # groups of marks


class TrackMarks:
    """Marks along the drawn track of a scene; `keys` says what their colours mean."""

    def __init__(self, scene: Scene) -> None:
        self._scene = scene
        self._spans: tuple[DeviceSpan, ...] = ()
        self._sweep: Sweep | None = None

    def show_devices(self) -> None:
        """Bands where lifts, launches and brakes are."""
        built, self._spans = self._scene.built, ()
        if built is None or not built.track.devices:
            self._scene.marks.clear(DEVICES)
            return
        with suppress(InputError):  # told among the problems
            self._spans = device_spans(built.track.devices, built.sections)
        self._scene.marks.set(DEVICES, device_actors(built, self._spans, self._scene.colours))

    def show_sweep(self, sweep: Sweep | None) -> None:
        """Combs of the moving frame with these options; None takes them away."""
        built, self._sweep = self._scene.built, sweep
        if sweep is None or built is None:
            self._scene.marks.clear(SWEEP)
        else:
            self._scene.marks.set(SWEEP, sweep_actors(built, sweep, self._scene.colours))

    def show_ridden(self) -> None:
        """The line of the track the shown run was ridden on, where that is not the drawn one."""
        ridden = self._scene.ridden
        if ridden is None:
            self._scene.marks.clear(RIDDEN)
        else:
            self._scene.marks.set(RIDDEN, [ridden_line(ridden, self._scene.colours.muted)])

    def keys(self) -> list[tuple[str, str]]:
        """What the colours mean: colour and sentence."""
        colours = self._scene.colours
        entries = device_keys(self._spans, colours)
        if self._sweep is not None and self._scene.built is not None:
            entries += sweep_keys(self._sweep, colours)
        if self._scene.ridden is not None:
            entries.append(
                (colours.muted, "Track as it was in the shown run; run again (F5) to ride the new one")
            )
        return entries
