"""A study as data: what is varied of which project, by which plan, what is kept of every run, when to stop.

A file `*.study.toml` or `*.study.json`; its JSON Schema is that of `Study`.
"""

from __future__ import annotations

import json
import math
import operator
import tomllib
from importlib import resources
from pathlib import Path
from typing import Annotated, Any, Final, Literal

import numpy as np
from pydantic import Field, ValidationError, model_validator

from ..base.arrays import Array
from ..base.errors import InputError
from ..base.fields import Positive, described
from ..base.frozen import Frozen, Name
from ..base.reading import read_file
from ..base.sentence import written
from ..base.wording import json_fault
from ..project.examples import load_example
from ..project.project import Project, load_project, sentence

FORMAT: Final = "ridewright-study"
VERSION: Final = 1
MAX_FILE_BYTES = 64 * 10**6
EXAMPLE = "example:"
SUFFIX = ".study.toml"

Text = Annotated[str, Field(min_length=1, max_length=400)]
Count = Annotated[int, Field(ge=1, le=10**9)]
Value = float | str | bool | tuple[str, ...] | None


class Where(Frozen):
    """What of a project a number or a word goes to: fields by path, or a named edit."""

    field: Text | tuple[Text, ...] | None = described(
        None, "Field", "Path of a field of the project file, or several that take the same value."
    )
    edit: Text | None = described(None, "Named edit", "A change with a name, such as bank.")
    target: str = described("", "Target", "What the named edit acts on: a section, a car, a rider.")
    unit: str = described("", "Unit", "Unit of the numbers; empty for that of the field, which is SI.")
    how: Literal["set", "add", "multiply"] = described(
        "set",
        "How",
        "Whether the number replaces the field's, is added to it or multiplies it.",
        words={"set": "Replaces", "add": "Is added", "multiply": "Multiplies"},
    )

    @property
    def fields_of(self) -> tuple[str, ...]:
        """Paths of the fields it goes to."""
        return () if self.field is None else (self.field,) if isinstance(self.field, str) else self.field


class Change(Where):
    """One change that belongs to a level of a labelled factor."""

    value: Value = described(..., "Value", "A number in the unit, a word, or names.")

    @model_validator(mode="after")
    def _one_way(self) -> Change:
        if (self.field is None) == (self.edit is None):
            raise ValueError("give either field or edit, not both and not neither")
        return self


class Level(Frozen):
    """A level of a labelled factor: "cold day", "light riders", with all that it changes."""

    label: Name = described(..., "Label", "What the level is called.")
    weight: Positive = described(1.0, "Weight", "How often it is drawn, against the other levels.", unit="1")
    changes: tuple[Change, ...] = described((), "Changes", "What it changes; none leaves the base as it is.")


class Parameter(Where):
    """One thing that is varied: a number between bounds, listed numbers, or a factor with labelled levels."""

    name: Name = described(..., "Name", "What the parameter is called in tables and plots.")
    low: float | None = described(None, "Lower bound", "In the unit given.")
    high: float | None = described(None, "Upper bound", "In the unit given.")
    values: tuple[float, ...] = described((), "Values", "Numbers to take, in the unit given.")
    start: float | str | None = described(
        None,
        "Start",
        "Of the design that a search begins with, in the unit given; of a factor the label of its level.",
        empty="none",
    )
    levels: tuple[Level, ...] = described((), "Levels", "Of a labelled factor.")
    distribution: Literal["uniform", "normal", "lognormal", "triangular"] = described(
        "uniform",
        "Distribution",
        "From which samples are drawn; bounds cut a normal or lognormal one off.",
        words={
            "uniform": "Uniform between the bounds",
            "normal": "Normal",
            "lognormal": "Lognormal",
            "triangular": "Triangular between the bounds",
        },
    )
    mean: float | None = described(
        None, "Centre", "Mean of a normal, median of a lognormal, peak of a triangular distribution."
    )
    deviation: Positive | None = described(
        None,
        "Standard deviation",
        "Of a normal distribution, in the unit given; of the natural logarithm of a lognormal one.",
    )

    @model_validator(mode="after")
    def _whole(self) -> Parameter:
        if self.levels:
            if self.field is not None or self.edit is not None or self.values or self.low is not None:
                raise ValueError(
                    f"parameter '{self.name}' has levels; what they change is given with each level"
                )
            labels = [level.label for level in self.levels]
            if len(set(labels)) < len(labels):
                raise ValueError(f"parameter '{self.name}' has two levels of one label")
        else:
            self._check_numbers()
        self._check_start()
        return self

    def _check_start(self) -> None:
        if self.start is None:
            return
        if self.levels:
            there = self.start in [level.label for level in self.levels]
        elif self.values:
            there = self.start in self.values
        else:
            low, high = (-math.inf, math.inf) if self.low is None else (self.low, self.high or 0.0)
            there = isinstance(self.start, float) and low <= self.start <= high
        if not there:
            raise ValueError(
                f"parameter '{self.name}': the start {self.start!r} is none of the values it may take"
            )

    @property
    def start_value(self) -> float | None:
        """Where a search begins: the number in the unit given, of a factor the number of the level; None without."""
        if isinstance(self.start, str):
            return float([level.label for level in self.levels].index(self.start))
        return self.start

    def _check_numbers(self) -> None:
        if self.field is not None and self.edit is not None:
            raise ValueError(f"parameter '{self.name}': give either field or edit, not both")
        if (self.low is None) != (self.high is None):
            raise ValueError(f"parameter '{self.name}': give both bounds, low and high, or neither")
        if self.low is not None and self.high is not None and not self.low < self.high:
            raise ValueError(
                f"parameter '{self.name}': low ({self.low:g}) must lie below high ({self.high:g})"
            )
        if self.values and self.low is not None:
            raise ValueError(f"parameter '{self.name}': give either values or bounds")
        if self.distribution in ("normal", "lognormal") and (self.mean is None or self.deviation is None):
            raise ValueError(
                f"parameter '{self.name}': a {self.distribution} distribution needs mean and deviation"
            )
        if self.distribution == "lognormal" and not (self.mean or 0.0) > 0.0:
            raise ValueError(f"parameter '{self.name}': the median of a lognormal distribution is positive")
        if self.distribution in ("uniform", "triangular") and not self.values and self.low is None:
            raise ValueError(f"parameter '{self.name}': give values, levels, or bounds low and high")
        if self.distribution == "triangular" and self.mean is not None:
            assert self.low is not None
            assert self.high is not None
            if not self.low <= self.mean <= self.high:
                raise ValueError(f"parameter '{self.name}': the peak must lie between the bounds")

    @property
    def continuous(self) -> bool:
        """Whether it takes any number between its bounds."""
        return not self.values and not self.levels

    def shown(self, value: float, digits: int = 6) -> str:
        """A value of it as text: the label of a level, or the number with so many significant digits."""
        if self.levels:
            return self.levels[int(value)].label
        return written(value, f".{digits}g")


class Plan(Frozen):
    """Which runs are made."""

    kind: Literal["grid", "list", "latin_hypercube", "sobol", "monte_carlo", "saltelli"] = described(
        "latin_hypercube",
        "Plan",
        "How the runs are chosen.",
        words={
            "grid": "Grid: every combination",
            "list": "List: the rows given",
            "latin_hypercube": "Latin hypercube",
            "sobol": "Sobol sequence: scrambled",
            "monte_carlo": "Monte Carlo: independent draws",
            "saltelli": "Saltelli's: for Sobol indices",
        },
    )
    runs: Count = described(
        64, "Runs", "Of a sample; Saltelli's plan makes so many times the number of parameters and two more."
    )
    steps: Annotated[int, Field(ge=2, le=10**6)] = described(
        5, "Steps", "Of a grid, for each parameter that has bounds."
    )
    seed: Annotated[int, Field(ge=0, le=2**63 - 1)] = described(0, "Seed", "Same seed, same sample.")
    rows: tuple[tuple[float | str, ...], ...] = described(
        (), "Rows", "Of a list: a number or a label for every parameter, in their order."
    )


class Peak(Frozen):
    """One number of one channel."""

    name: Name = described(..., "Name", "What it is called in the table.")
    channel: Text = described(..., "Channel", "A channel of the run; .x, .y or .z behind it for a component.")
    of: Literal["max", "min", "absmax", "mean", "rms", "end", "below", "above"] = described(
        "absmax",
        "What",
        "Which number of the channel is kept.",
        words={
            "max": "Maximum",
            "min": "Minimum",
            "absmax": "Largest amount",
            "mean": "Mean over time",
            "rms": "Root mean square over time",
            "end": "At the end",
            "below": "Time below the level",
            "above": "Time above the level",
        },
    )
    level: float | None = described(
        None, "Level", "SI, or g as the channel; for the time below or above it.", empty="none"
    )
    sections: tuple[Text, ...] = described(
        (), "Sections", "Of the track, by name: only what happens there; none takes the whole ride."
    )

    @model_validator(mode="after")
    def _has_its_level(self) -> Peak:
        if (self.level is None) == (self.of in ("below", "above")):
            raise ValueError(
                f'\'{self.name}\': level goes with of = "below" or "above", and with nothing else'
            )
        return self


class Keep(Frozen):
    """What is kept of every run."""

    criteria: tuple[Text, ...] = described(
        ("*",),
        "Criteria",
        "Ids of criteria, with * for any text; each with value, margin, time, position, rider.",
    )
    peaks: tuple[Peak, ...] = described((), "Peaks", "Numbers of channels.")
    results: tuple[Annotated[int, Field(ge=0)], ...] = described(
        (), "Whole results", "Numbers of multibody runs, counted from 0, whose results files are kept."
    )
    clearances: bool = described(
        False,
        "Clearances",
        "Whether the track comes into its own clearance envelope, or this into the ground.",
        exclude_if=operator.not_,
    )
    seats: tuple[Text, ...] = described(
        (),
        "Seats",
        "Paths of seats: only who sits there counts. Of free riders fit, airtime and load of the restraint are kept,"
        " and who does not fit is not ridden; none judges everybody.",
        exclude_if=operator.not_,
    )


class Stop(Frozen):
    """When a study ends before its plan. Rules look at the runs in their order, however many workers there are."""

    failed: Count | None = described(None, "Failed runs", "Ends at so many failed runs.", empty="never")
    margin_below: float | None = described(
        None, "Margin below", "Ends at the first run with a least margin below this.", empty="never"
    )
    interval: Annotated[float, Field(gt=0.0, lt=1.0)] | None = described(
        None,
        "Interval narrower than",
        "Ends when the 95 % interval of the probability that a limit is exceeded is narrower than this.",
        empty="never",
    )


class Bound(Frozen):
    """A kept number and what it has to lie between."""

    name: Text = described(..., "Name", "A kept number.")
    low: float | None = described(None, "At least", "Lower limit.", empty="none")
    high: float | None = described(None, "At most", "Upper limit.", empty="none")


class Goal(Frozen):
    """A kept number that shall be small or large."""

    name: Text = described(..., "Name", "A kept number.")
    sense: Literal["minimise", "maximise"] = described("minimise", "Sense", "Which way is better.")


class Optimisation(Frozen):
    """How the best design is searched for among the parameters' bounds."""

    method: Literal["nsga2", "nsga3", "differential_evolution"] = described(
        "nsga2",
        "Method",
        "NSGA-II and NSGA-III (pymoo) for several goals, differential evolution (scipy) for one.",
    )
    goals: Annotated[tuple[Goal, ...], Field(min_length=1, max_length=8)] = described(
        ..., "Goals", "Objectives."
    )
    constraints: tuple[Bound, ...] = described((), "Constraints", "What a design must keep to.")
    population: Annotated[int, Field(ge=4, le=10_000)] = described(
        40, "Population", "Designs of a generation."
    )
    generations: Annotated[int, Field(ge=1, le=100_000)] = described(30, "Generations", "How many there are.")
    seed: Annotated[int, Field(ge=0, le=2**31 - 1)] = described(0, "Seed", "Same seed, same search.")


class Study(Frozen):
    """What is asked of many rides at once."""

    format: Literal["ridewright-study"] = FORMAT
    version: Literal[1] = VERSION
    name: Name = described(..., "Name", "What the study is called.")
    notes: str = described("", "Notes", "What it is for.")
    project: str = described(
        "", "Base project", "A project file, from the folder of the study; example:NAME for a bundled one."
    )
    ride: Literal["points", "preview", "multibody", "function"] = described(
        "points",
        "Ride",
        "What a run is: the train as points (fast as while a track is dragged), multibody, or a function.",
        words={
            "points": "Points, precise",
            "preview": "Points, fast",
            "multibody": "Multibody",
            "function": "A function",
        },
    )
    function: str = described(
        "", "Function", "module:name of a function {parameter: value} -> {name: number}, instead of a ride."
    )
    parameters: Annotated[tuple[Parameter, ...], Field(max_length=200)] = described(
        (), "Parameters", "What is varied."
    )
    plan: Plan = described(Plan(), "Plan", "Which runs are made.")
    keep: Keep = described(Keep(), "Keep", "What is kept of every run.")
    stop: Stop = described(Stop(), "Stop", "When it ends before its plan.")
    screen: tuple[Bound, ...] = described(
        (), "Screen", "Numbers of the ride as points that have to hold before the multibody run is made."
    )
    optimise: Optimisation | None = described(None, "Optimisation", "How the best design is searched for.")
    admitted: bool = described(
        False,
        "Admitted by the ride",
        "Whether a study of who may ride goes on to the statures and masses between which people may, by more rides.",
        exclude_if=operator.not_,
    )

    @model_validator(mode="after")
    def _consistent(self) -> Study:
        names = [parameter.name for parameter in self.parameters]
        twice = next((name for name in names if names.count(name) > 1), None)
        if twice is not None:
            raise ValueError(f"two parameters are called '{twice}'; give each its own name")
        if (self.ride == "function") != bool(self.function):
            raise ValueError('function goes with ride = "function", and with nothing else')
        if self.ride != "function" and not self.project:
            raise ValueError("name the base project")
        if self.admitted and not self.keep.seats:
            raise ValueError("admitted goes with a study of who may ride; name its seats under keep")
        starts = [parameter.start is not None for parameter in self.parameters]
        if any(starts) and not all(starts):
            without = self.parameters[starts.index(False)].name
            raise ValueError(f"parameter '{without}' has no start; give every parameter one, or none")
        for parameter in self.parameters:
            if self.ride != "function" and not parameter.levels and not (parameter.field or parameter.edit):
                raise ValueError(
                    f"parameter '{parameter.name}' has neither field nor edit; say what it changes"
                )
        return self

    @property
    def start(self) -> tuple[float, ...] | None:
        """Values of the design that a search begins with, one a parameter; None where none is given."""
        found = tuple(p.start_value for p in self.parameters if p.start_value is not None)
        return found if found and len(found) == len(self.parameters) else None

    def takes(self, values: Array) -> bool:
        """Whether rows of values (n, p) are ones for its parameters: as many, and levels that there are."""
        if values.shape[1] != len(self.parameters):
            return False
        pairs = zip(self.parameters, values.T, strict=True)
        return all(not p.levels or bool(np.all((v >= 0) & (v < len(p.levels)))) for p, v in pairs)


def parse_study(data: Any, where: str) -> Study:
    """Check raw data and make a Study of it; where: the name used in messages. Raises InputError naming the field."""
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise InputError(f"{where}: not a study: field 'format' must be \"{FORMAT}\".")
    try:
        # JSON text, because strict checking then takes arrays for tuples, but no text for a number
        return Study.model_validate_json(json.dumps(data, allow_nan=True), strict=True)
    except ValidationError as error:
        raise InputError(sentence(error, where, data)) from None
    except (RecursionError, TypeError, ValueError):
        raise InputError(f"{where}: holds what no study has (a date, or levels without end).") from None


def load_study(path: str | Path) -> Study:
    """Read a study file, TOML or by its extension JSON. Raises InputError with one sentence."""
    path = Path(path)
    try:
        text = read_file(path, MAX_FILE_BYTES, "a study").decode("utf-8-sig")
        data = json.loads(text) if path.suffix == ".json" else tomllib.loads(text)
    except UnicodeDecodeError:
        raise InputError(f"{path.name}: not a text file; expected a study in TOML or JSON.") from None
    except InputError:
        raise
    except json.JSONDecodeError as error:
        raise InputError(f"{path.name}: {json_fault(error)}.") from None
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"{path.name}: not valid TOML ({error}).") from None
    except (ValueError, RecursionError):
        raise InputError(f"{path.name}: not readable (nested too deeply or numbers too long).") from None
    return parse_study(data, path.name)


def study_path(given: str | Path) -> Path:
    """The file of a study: a path, or example:NAME of one that comes with the program. Raises InputError naming those
    there are."""
    name = str(given)
    if not name.startswith(EXAMPLE):
        return Path(given)
    folder = Path(str(resources.files("ridewright.resources"))) / "studies"
    there = {path.name.removesuffix(SUFFIX): path for path in sorted(folder.glob(f"*{SUFFIX}"))}
    if name.removeprefix(EXAMPLE) not in there:
        raise InputError(
            f"no study is called '{name}'; there are {', '.join(EXAMPLE + known for known in there)}."
        )
    return there[name.removeprefix(EXAMPLE)]


def base_project(study: Study, folder: Path) -> Project | None:
    """The project a study starts from.

    Parameters
    ----------
    study
        Which names it.
    folder
        From which it is looked for.

    Returns
    -------
    The project; None for a study of a function.

    Raises
    ------
    InputError
        When it cannot be found or read.
    """
    if study.ride == "function":
        return None
    if study.project.startswith(EXAMPLE):
        return load_example(study.project.removeprefix(EXAMPLE))
    return load_project(folder / study.project)


def study_schema() -> dict[str, Any]:
    """The JSON Schema of a study file."""
    return Study.model_json_schema()
