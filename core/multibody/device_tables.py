"""The devices of a track as the kernels of the multibody run take them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from ..base.arrays import Array, Integers
from ..base.errors import InputError
from ..model.assembly import Assembly
from ..model.connections import connected_parts
from ..project.project import Project
from ..track.build import BuiltTrack
from ..track.device_spans import SAME_PLACE, DeviceSpan, device_spans, device_where
from ..track.devices import device_row
from ..track.devices.law import WIDTH
from . import arrays as t
from .flatten import Flat, PlacedCar

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
) -> tuple[dict[int, Integers], dict[int, Array], tuple[str, ...]]:
    """Tables DV, DC and DW of `core.multibody.arrays` and the names of the cars in DC; empty without devices.

    Devices that push with a force or a power share it among the cars by their masses. Raises InputError for a device
    that names a car there is not.
    """
    spans = devices_of(project, built)
    cars = [car for car in flat.cars if car.guides[1] > car.guides[0]] if spans else []
    masses = [sum(flat.bodies[b].mass for b in range(*car.bodies)) for car in cars]
    top = project.mechanism
    described = {} if top is None else top.with_role("car")
    consists = _consists(project, cars)
    # a force or power pushes each coupled consist with all of it, uncoupled cars with their part
    coupled = max((end - first for first, end in consists), default=1) > 1
    train = sum(masses[slice(*consists[0])]) if coupled else sum(car.mass() for car in described.values())
    for span in spans:
        _check_cars(span, described)
    rows = [device_row(span.device, train) for span in spans]
    shares = [
        [_share(span, cars, masses, consist, k) for span in spans] for k, consist in enumerate(consists)
    ]
    windows = np.zeros((len(flat.guides) if cars else 0, 1 + 2 * len(spans)))
    if built is not None and cars:
        for k, borders in enumerate(_windows(built, spans, cars)):
            windows[k] = borders
    return (
        {
            t.DC: np.array(
                [[*car.bodies, *car.guides, *consist] for car, consist in zip(cars, consists, strict=True)],
                dtype=np.int64,
            ).reshape(-1, 6)
        },
        {
            t.DV: np.array(rows, dtype=np.float64).reshape(-1, WIDTH),
            t.DC: np.array(
                [[mass, *share] for mass, share in zip(masses, shares, strict=True)], dtype=np.float64
            ).reshape(len(cars), -1 if cars else 1),
            t.DW: windows,
        },
        tuple(car.name for car in cars),
    )


def _consists(project: Project, cars: Sequence[PlacedCar]) -> list[tuple[int, int]]:
    """For each car the first and end number of the cars it is coupled with, itself included."""
    if project.mechanism is None or not cars:
        return []
    parts = connected_parts(project.mechanism)
    part_of = {body: k for k, part in enumerate(parts) for body in part}
    label = [part_of[next(b for b in part_of if b.startswith(f"{car.name}/"))] for car in cars]
    runs: list[tuple[int, int]] = []
    for k in range(len(label)):
        if not k or label[k] != label[k - 1]:
            end = next((n for n in range(k, len(label)) if label[n] != label[k]), len(label))
            runs.append((k, end))
    return [next(run for run in runs if run[0] <= k < run[1]) for k in range(len(label))]


def _check_cars(span: DeviceSpan, described: Mapping[str, Assembly]) -> None:
    named = span.device.cars
    for name in () if isinstance(named, str) else named:
        if name not in described:
            raise InputError(
                f"Device '{span.device.name}' acts on car '{name}', which the train does not have; choose one of"
                f" {', '.join(repr(car) for car in list(described)[:8])}.",
                device_where(span.device.name),
            )


def _share(
    span: DeviceSpan, cars: Sequence[PlacedCar], masses: list[float], consist: tuple[int, int], k: int
) -> float:
    """Force of a device on car number k over the car's mass, for each force it has over the mass of the consist."""
    first, end = consist
    on = [first + n for n in span.device.numbers_of([car.name for car in cars[first:end]])]
    if k not in on:
        return 0.0
    return 1.0 if len(on) == end - first else sum(masses[first:end]) / sum(masses[n] for n in on)


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
