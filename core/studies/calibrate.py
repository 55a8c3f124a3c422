"""Calibration: friction, drag, start speed - or any parameters - from a measured ride, by least squares.

The ride as points is ridden with trial values until its speeds are nearest to the measured ones (scipy's trust region
within the bounds). Intervals are those of the linear model at the solution, with Student's t; residuals beside one
another are alike, and count for as many measurements as are independent by their autocorrelation. What the data
cannot tell is refused by name, not fitted.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ..base.arrays import Array
from ..base.delimited import table_of, text_of
from ..base.errors import InputError
from ..pointmass.result import PointRide
from ..pointmass.ride import ride_point
from ..project.point_train import ridden_settings
from ..project.project import Project
from ..track.build import BuiltTrack, build_track
from .plan import bounds
from .study import FORMAT, Parameter, load_study, parse_study
from .vary import check_study, with_values

MAX_FILE_BYTES = 256 * 10**6
MIN_MEASUREMENTS = 8  # measurements a parameter
LEVEL = 0.95
ALIKE = 0.02  # least singular value of effects of unit length; below it they are one and the same
SLACK = 1e-6  # of the way or the time, which a written ride is rounded by
#: Columns of a measured ride, as `ride-point --csv` writes them.
COLUMNS = {"place_m": "place", "s_m": "s", "time_s": "time", "speed_m_s": "speed"}
#: What is fitted by a word.
USUAL: dict[str, Parameter] = {
    "friction": Parameter(name="friction", edit="rolling resistance", low=0.0, high=0.1),
    "drag": Parameter(name="drag", edit="drag area", unit="m^2", low=0.0, high=20.0),
    "speed": Parameter(name="start speed", field="scenario.speed", unit="m/s", low=0.5, high=100.0),
}


@dataclass(frozen=True)
class Measured:
    """A measured ride: speed (n,) m/s at positions s (n,) m along the track that run on, or at times (n,) s from the
    start of the ride where there are none."""

    speed: Array
    s: Array | None = None
    time: Array | None = None

    def __post_init__(self) -> None:
        at = self.s if self.s is not None else self.time
        if at is None or at.shape != self.speed.shape or self.speed.ndim != 1:
            raise InputError("A measured ride needs a position or a time for every speed.")
        if not (np.all(np.isfinite(at)) and np.all(np.isfinite(self.speed))):
            raise InputError("A measured ride holds numbers only; leave rows without them out.")
        if np.any(np.diff(at) <= 0.0):
            k = int(np.argmax(np.diff(at) <= 0.0)) + 1
            what = "position" if self.s is not None else "time"
            raise InputError(
                f"Measurement {k + 1}: its {what} is not behind that of the one before; sort them."
            )


@dataclass(frozen=True)
class Fitted:
    """A parameter as fitted, in its unit, with the 95 % interval."""

    name: str
    unit: str
    value: float
    low: float
    high: float


@dataclass(frozen=True)
class SectionResidual:
    """Speeds ridden less measured (m/s) on a section: their mean and root mean square over n measurements."""

    section: str
    mean: float
    rms: float
    count: int


@dataclass(frozen=True)
class Calibration:
    """project: with the fitted values; fitted; correlation (p, p) of their errors; rms (m/s) of all residuals;
    sections: residuals by section; measurements, and how many of them are independent."""

    project: Project
    fitted: tuple[Fitted, ...]
    correlation: Array
    rms: float
    sections: tuple[SectionResidual, ...]
    measurements: int
    independent: float


def read_measured(path: str | Path) -> Measured:
    """A measured ride from a CSV file with a header: speed_m_s, and s_m, place_m or time_s. Raises InputError."""
    path = Path(path)
    table = table_of(text_of(path, MAX_FILE_BYTES, "a table of speeds"), path.name)
    head = list(table.header.cells) if table.header else []
    found = {what: head.index(name) for name, what in COLUMNS.items() if name in head}
    if "speed" not in found or not found.keys() & {"place", "s", "time"}:
        raise InputError(
            f"{path.name}: needs a header with speed_m_s and one of s_m, place_m and time_s; it has"
            f" {', '.join(head[:12]) or 'none'}."
        )

    def column(what: str) -> Array | None:
        if what not in found:
            return None
        return np.array(table.column(found[what], head[found[what]]), dtype=np.float64)

    speed, s = column("speed"), column("s" if "s" in found else "place")
    assert speed is not None
    return Measured(speed, s, column("time") if s is None else None)


def named(words: Iterable[str]) -> list[Parameter]:
    """The parameters that words ask for: those of `USUAL`, or of study files. Raises InputError for another word."""
    found: list[Parameter] = []
    for word in words:
        if word in USUAL:
            found.append(USUAL[word])
        elif Path(word).suffix in (".toml", ".json"):
            found += load_study(word).parameters
        else:
            raise InputError(f"--fit {word}: write {', '.join(USUAL)}, or a study file.")
    return found


def calibrate(project: Project, measured: Measured, parameters: Sequence[Parameter]) -> Calibration:
    """Fit parameters of a project's ride as points to a measured ride.

    Parameters
    ----------
    project
        With a track.
    measured
        What was measured, along the track or over time.
    parameters
        What is fitted, with bounds.

    Returns
    -------
    The fit.

    Raises
    ------
    InputError
        For a project without a track, for too few measurements, for a ride that does not come as far as it was
        measured, and for parameters that the data cannot tell: by themselves, or apart from one another.
    """
    fit = _Fit(project, measured, tuple(parameters))
    return fit.solved()


class _Fit:
    """One calibration."""

    def __init__(self, project: Project, measured: Measured, parameters: tuple[Parameter, ...]) -> None:
        if project.track is None:
            raise InputError(f"{project.name}: has no track to ride on.")
        if not parameters:
            raise InputError("There is nothing to fit; name parameters.")
        if len(measured.speed) < MIN_MEASUREMENTS * len(parameters):
            raise InputError(
                f"{len(measured.speed)} measurements are too few for {len(parameters)} parameters; take"
                f" {MIN_MEASUREMENTS * len(parameters)} at least."
            )
        twice = next((p.name for k, p in enumerate(parameters) if p in parameters[:k]), None)
        if twice is not None:
            raise InputError(f"'{twice}' is to be fitted twice; name it once.")
        self.study = parse_study(
            {
                "format": FORMAT, "name": project.name, "project": "-",
                "parameters": [p.model_dump(mode="json") for p in parameters],
            },
            "what is to be fitted",
        )  # fmt: skip
        check_study(self.study, project)
        self.project, self.measured = project, measured
        self.built: BuiltTrack | None = None
        ends = np.array([bounds(parameter) for parameter in parameters])
        self.low, self.width = ends[:, 0], ends[:, 1] - ends[:, 0]

    def ride(self, x: Array) -> PointRide:
        """The ride with the unknowns x (p,), each from 0 to 1 between its bounds."""
        made = with_values(self.study, self.project, (self.low + self.width * x).tolist())
        if self.built is None or self.built.track is not made.track:
            assert made.track is not None
            self.built = build_track(made.track, ride=False)
        return ride_point(self.built, ridden_settings(made), gravity=made.gravity)

    def residual(self, x: Array) -> Array:
        """Speeds ridden less measured (n,) m/s; beyond where a ride has come to its end it stands."""
        ride, m = self.ride(x), self.measured
        if m.s is not None:
            ahead = ride.forward()
            at, along, speed = m.s, ride.s[ahead], ride.speed[ahead]
        else:
            assert m.time is not None
            at, along, speed = m.time, ride.time, ride.speed
        ridden = np.interp(at, along, speed)
        ridden[at > along[-1] + SLACK * max(1.0, along[-1])] = 0.0
        return np.asarray(ridden - m.speed)

    def start(self) -> Array:
        """Where the search starts: what the project has of a usual field, else the middle; the best of a few."""
        middle = np.full(len(self.width), 0.5)
        tried = [np.full(len(self.width), part) for part in (0.02, 0.1, 0.25)] + [middle]
        own = self._own()
        if own is not None:
            tried.insert(0, own)
        guess = self.measured.speed[0]
        for x in list(tried):
            for k, parameter in enumerate(self.study.parameters):
                if parameter.field == "scenario.speed" and parameter.how == "set":
                    better = x.copy()
                    better[k] = np.clip((guess - self.low[k]) / self.width[k], 0.01, 0.99)
                    tried.append(better)
        return min(tried, key=lambda x: float(np.sum(self.residual(x) ** 2)))

    def _own(self) -> Array | None:
        """The unknowns of the project as it is, for the usual parameters."""
        from ..model.losses import losses_of

        values = []
        losses = None if self.project.train is None else losses_of(self.project.train)
        speed = getattr(self.project.scenario, "speed", None)
        for parameter in self.study.parameters:
            value = {
                "rolling resistance": None if losses is None else losses.rolling,
                "drag area": None if losses is None else losses.drag_area,
            }.get(parameter.edit or "", speed if parameter.field == "scenario.speed" else None)
            if value is None:
                return None
            values.append(value)
        own: Array = np.clip((np.array(values) - self.low) / self.width, 0.001, 0.999)
        return own

    def solved(self) -> Calibration:
        """The fit, or why there is none."""
        from scipy.optimize import least_squares
        from scipy.stats import t as student

        found = least_squares(
            self.residual,
            self.start(),
            bounds=(0.0, 1.0),
            xtol=1e-8,
            ftol=1e-10,
            gtol=1e-10,
            diff_step=np.full(len(self.width), 1e-5),
        )
        residual = self.residual(found.x)
        self._refuse_unreached(found.x)
        J = self._effects(found.x)
        self._refuse_unknown(J, residual)
        n, p = J.shape
        independent = max(n / _correlation_time(residual), p + 1.0)
        variance = float(residual @ residual) / n * independent / (independent - p)
        # as if only the independent ones had been measured
        inverse = np.linalg.inv(J.T @ J) * n / independent
        deviation = np.sqrt(np.diag(inverse))
        half = np.sqrt(variance) * deviation * float(student.ppf(0.5 + 0.5 * LEVEL, independent - p))
        self._refuse_wide(half)
        return self._answer(found.x, half, inverse / np.outer(deviation, deviation), residual, independent)

    def _effects(self, x: Array) -> Array:
        """Change of the residuals (n, p) by each unknown, by central differences inside the bounds."""
        columns = []
        for k in range(len(x)):
            step = np.zeros(len(x))
            step[k] = 1e-4
            up, down = np.minimum(x + step, 1.0), np.maximum(x - step, 0.0)
            columns.append((self.residual(up) - self.residual(down)) / (up[k] - down[k]))
        return np.stack(columns, axis=1)

    def _names(self, which: Sequence[int]) -> str:
        return " and ".join(f"'{self.study.parameters[k].name}'" for k in which)

    def _refuse_unreached(self, x: Array) -> None:
        ride, m = self.ride(x), self.measured
        end = float(ride.s[ride.forward()][-1]) if m.s is not None else float(ride.time[-1])
        last = float(m.s[-1]) if m.s is not None else float(m.time[-1])  # type: ignore[index]
        unit = "m" if m.s is not None else "s"
        if last > end + SLACK * max(1.0, end):
            raise InputError(
                f"The ride that comes nearest to what was measured ends at {end:.1f} {unit}, but measurements go on to"
                f" {last:.1f} {unit}; leave those out, or fit other parameters. {ride.message}"
            )

    def _refuse_unknown(self, J: Array, residual: Array) -> None:
        """Refuse parameters without an effect, and sets of them that have one and the same."""
        size = np.linalg.norm(J, axis=0)
        noise = float(np.linalg.norm(residual))
        silent = [k for k in range(len(size)) if size[k] <= 1e-9 * max(1.0, noise)]
        if silent:
            raise InputError(f"The measured ride does not depend on {self._names(silent)}; leave that out.")
        _, values, directions = np.linalg.svd(J / size, full_matrices=False)
        if values[-1] < ALIKE:
            alike = [k for k in range(len(size)) if abs(directions[-1, k]) > 0.2]
            raise InputError(
                f"The measured ride cannot tell {self._names(alike)} apart: they change its speeds alike; fit one of"
                " them, or measure a ride with faster and slower stretches."
            )

    def _refuse_wide(self, half: Array) -> None:
        unknown = [k for k in range(len(half)) if half[k] > 0.5]
        if unknown:
            raise InputError(
                f"The measured ride does not tell {self._names(unknown)}: the interval is wider than the bounds; leave"
                " it out, or measure more."
            )

    def _answer(
        self, x: Array, half: Array, correlation: Array, residual: Array, independent: float
    ) -> Calibration:
        values, halves = self.low + self.width * x, self.width * half
        fitted = tuple(
            Fitted(p.name, p.unit, float(v), float(v - h), float(v + h))
            for p, v, h in zip(self.study.parameters, values, halves, strict=True)
        )
        made = with_values(self.study, self.project, values.tolist())
        return Calibration(
            made,
            fitted,
            correlation,
            float(np.sqrt(np.mean(residual**2))),
            self._by_section(x, residual),
            len(residual),
            independent,
        )

    def _by_section(self, x: Array, residual: Array) -> tuple[SectionResidual, ...]:
        assert self.built is not None
        m = self.measured
        if m.s is not None:
            along = m.s
        else:
            ride = self.ride(x)
            assert m.time is not None
            along = np.interp(m.time, ride.time, ride.s)
        position = self.built.centreline.wrap(along)
        out = []
        for span in self.built.sections:
            inside = residual[
                (position >= span.s0) & ((position < span.s1) | (span is self.built.sections[-1]))
            ]
            if len(inside):
                rms = float(np.sqrt(np.mean(inside**2)))
                out.append(SectionResidual(span.name, float(inside.mean()), rms, len(inside)))
        return tuple(out)


def _correlation_time(residual: Array) -> float:
    """How many measurements in a row count as one: 1 + 2 times the sum of the autocorrelation up to where it first
    vanishes; 1 where the residuals are noise or nothing."""
    x = residual - residual.mean()
    power = float(x @ x)
    if power <= 0.0:
        return 1.0
    total = 1.0
    for lag in range(1, len(x) // 2):
        rho = float(x[:-lag] @ x[lag:]) / power
        if rho <= 0.0:
            break
        total += 2.0 * rho
    return total
