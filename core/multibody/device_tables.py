"""The devices of a track as the kernels of the multibody run take them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from core.model.assembly import Car
from core.multibody import arrays as t
from core.multibody.flatten import Flat
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
    train = sum(_mass(car) for car in project.train.cars) if project.train else 0.0
    rows = [device_row(span.device, train) for span in spans]
    windows = np.zeros((len(flat.guides) if cars else 0, 1 + 2 * len(spans)))
    if built is not None and cars:
        for k, borders in enumerate(_windows(project, built, spans, {car.name for car in cars})):
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


def car_middle(project: Project) -> tuple[float, ...]:
    """How far ahead of its origin (m) the middle of every car's guides lies; 0 without guides."""
    assert project.train is not None
    out = []
    for car in project.train.cars:
        at = {body.name: body.position[0] for body in car.bodies}
        places = [at[guide.body] + guide.point[0] for guide in car.guides]
        out.append(float(np.mean(places)) if places else 0.0)
    return tuple(out)


def _mass(car: Car) -> float:
    """Mass (kg) of a car with its riders."""
    riders = sum(body.mass for rider in car.occupants for body in rider.bodies)
    return riders + sum(body.mass for body in car.bodies)


def _windows(
    project: Project, built: BuiltTrack, spans: tuple[DeviceSpan, ...], cars: set[str]
) -> list[list[float]]:
    """For every guide of the named cars the length of its circuit, or 0, and where (m along its own curve) each device
    begins and ends for its car: so far ahead or behind of the device as the guide lies ahead or behind of the middle of
    the car."""
    assert project.train is not None
    out = []
    for car, middle in zip(project.train.cars, car_middle(project), strict=True):
        if car.name not in cars:
            continue
        at = {body.name: body.position[0] for body in car.bodies}
        for guide in car.guides:
            row = [built.paths[guide.path].length if built.track.closed else 0.0]
            ahead = at[guide.body] + guide.point[0] - middle
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
