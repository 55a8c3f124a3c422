"""The devices of a track as the kernels of the multibody run take them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from core.multibody import arrays as t
from core.multibody.flatten import Flat, PlacedCar
from core.project.project import Project
from core.track.build import BuiltTrack
from core.track.device_law import device_row
from core.track.devices import SAME_PLACE, DeviceSpan, device_spans

Array = NDArray[np.float64]
FAR = 1e7  # m, beyond any track


def devices_of(project: Project, built: BuiltTrack | None) -> tuple[DeviceSpan, ...]:
    """The devices that lie on the track of a ride, in its order.

    Raises InputError naming a device that does not fit the track.
    """
    if built is None or not project.track or not project.track.devices:
        return ()
    return device_spans(project.track.devices, built.sections)


def device_tables(
    project: Project, built: BuiltTrack | None, flat: Flat
) -> tuple[dict[int, NDArray[np.int64]], dict[int, Array], tuple[str, ...]]:
    """Tables DV, DC and DW of `core.multibody.arrays` and the names of the cars in DC; empty without devices.

    Devices that push with a force or a power share it among the cars by their masses.
    """
    spans = devices_of(project, built)
    cars = [car for car in flat.cars if car.guides[1] > car.guides[0]] if spans else []
    masses = [sum(flat.bodies[b].mass for b in range(*car.bodies)) for car in cars]
    top = project.mechanism
    described = {} if top is None else top.with_role("car")
    train = sum(car.mass() for car in described.values())
    rows = [device_row(span.device, train) for span in spans]
    windows = np.zeros((len(flat.guides) if cars else 0, 1 + 2 * len(spans)))
    if built is not None and cars:
        for k, borders in enumerate(_windows(built, spans, cars)):
            windows[k] = borders
    return (
        {t.DC: np.array([[*car.bodies, *car.guides] for car in cars], dtype=np.int64).reshape(-1, 4)},
        {
            t.DV: np.array(rows, dtype=np.float64).reshape(-1, 8),
            t.DC: np.array(masses, dtype=np.float64).reshape(-1, 1),
            t.DW: windows,
        },
        tuple(car.name for car in cars),
    )


def _windows(
    built: BuiltTrack, spans: tuple[DeviceSpan, ...], cars: Sequence[PlacedCar]
) -> list[list[float]]:
    """For every guide of the cars the length of its circuit, or 0, and where (m along its own curve) each device begins
    and ends for its car: so far ahead or behind of the device as the guide lies ahead or behind of the middle of the
    car."""
    out = []
    for car in cars:
        for guide in car.places:
            row = [built.paths[guide.path].length if built.track.closed else 0.0]
            ahead = guide.ahead - car.middle
            for span in spans:
                for border in (span.s0, span.s1):
                    s = border + ahead
                    row.append(
                        s if guide.path == "centreline" else float(built.rails[guide.path].to_rail([s])[0])
                    )
                if not built.track.closed:  # no border where the track has an end
                    row[-2] = -FAR if span.s0 <= SAME_PLACE else row[-2]
                    row[-1] = FAR if span.s1 >= built.length - SAME_PLACE else row[-1]
            out.append(row)
    return out
