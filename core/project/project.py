"""The project: everything a person describes, one frozen value, one JSON file (`*.ridewright`)."""

from __future__ import annotations

import json
import operator
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Final, Literal
from uuid import uuid4

from pydantic import Field, ValidationError, model_validator

from ..base.atomic import replacing
from ..base.bundled import example_names
from ..base.errors import InputError
from ..base.evaluation import EvaluationOptions
from ..base.fields import described
from ..base.frozen import Name, Spoken
from ..base.reading import read_file
from ..base.remembered import remembered
from ..base.sentence import say
from ..base.wording import json_fault, worded
from ..human.seated import with_seats
from ..model.assembly import Assembly
from ..model.carried import with_passengers, with_rotors
from ..model.coupled import with_couplings
from ..model.load_cases import LoadCase
from ..track.description import Track
from ..track.steelwork import Steelwork
from .point_settings import CHOICES, PointRideSettings
from .scenario import Ride, Rig, Scenario, SolverSettings
from .versions import VERSION, field_in_file, lifted

FORMAT: Final = "ridewright"
MAX_FILE_BYTES = 32 * 10**6  # beside packed surfaces; more would take gigabytes to check
MAX_WITH_SURFACES = 256 * 10**6
PACKED: Final = re.compile(r'"packed": ?"[A-Za-z0-9+/=]+"')  # numbers of a surface, which are checked as one
BASE64: Final = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/="
MAX_MAGNITUDE = 1e15
Pull = Annotated[float, Field(ge=-1000.0, le=1000.0)]  # m/s^2; the sun has 274


class Project(Spoken):
    """Track, train, scenario, settings and how riders are assessed."""

    format: Literal["ridewright"] = FORMAT
    version: Literal[2] = VERSION
    name: Name = described(..., "Name", "What this ride is called.")
    notes: str = described("", "Notes", "Anything worth remembering about this design.", entry="long_text")
    gravity: tuple[Pull, Pull, Pull] = described(
        (0.0, 0.0, -9.81),
        "Gravity",
        "Gravitational acceleration in world axes; down is negative z.",
        unit="m/s^2",
    )
    track: Track | None = described(None, "Track", "The track, where there is one.")
    train: Assembly | None = described(None, "Train", "The cars that ride together, where there are some.")
    scenario: Scenario = described(Ride(), "Scenario", "A ride on the track or a test rig.")
    settings: SolverSettings = described(
        SolverSettings(), "Solver settings", "How the equations are integrated."
    )
    evaluation: EvaluationOptions = described(
        EvaluationOptions(), "Rider assessment", "Restraint and limits the riders' loads are compared with."
    )
    point_ride: PointRideSettings = described(
        PointRideSettings(), "Point ride", "The ride of the train as points, for the live preview."
    )
    steelwork: Steelwork = described(
        Steelwork(),
        "Steelwork",
        "Spine, columns and footings of the track, and what they stand on.",
        entry="hidden",
        exclude_if=Steelwork().__eq__,
    )
    load_cases: tuple[LoadCase, ...] = described(
        (),
        "Load cases",
        "Who sits where, by name; run one after the other.",
        entry="hidden",
        exclude_if=operator.not_,
    )

    @model_validator(mode="after")
    def _complete(self) -> Project:
        names = [case.name for case in self.load_cases]
        if len({*names}) < len(names):
            raise ValueError("two load cases have one name; give each its own")
        if self.train is not None and self.train.role != "train":
            raise ValueError(
                f"train '{self.train.name}' is a {self.train.role}; the role of a train is \"train\""
            )
        if self.track is None and isinstance(self.scenario, Ride) and self.train is not None:
            raise ValueError("the train has no track to ride on; add a track or use a rig")
        if self.track is None and isinstance(self.scenario, Rig):
            for name in self.scenario.assembly.every("guide"):
                raise ValueError(
                    f"guide '{name}' of the rig has no track to follow; add a track or remove the guide"
                )
        return self

    def with_imported(self, track: Track, ride: Mapping[str, float | str]) -> Project:
        """The project with a track from another program and what its file says of the ride of points."""
        given = {choice: "given" for choice, names in CHOICES.items() if not ride.keys().isdisjoint(names)}
        settings = PointRideSettings.model_validate({**dict(self.point_ride), **given, **ride})
        return Project.model_validate({**dict(self), "track": track, "point_ride": settings})

    @property
    def assembly(self) -> Assembly | None:
        """What the scenario moves: the train of a ride, or the assembly of a rig."""
        return self.train if isinstance(self.scenario, Ride) else self.scenario.assembly

    @property
    def mechanism(self) -> Assembly | None:
        """The same as the equations have it: its couplings as bodies, joints and force elements, seats and restraints
        as surfaces and contacts, passengers as bodies, rotors of motors as inertia."""
        top = self.assembly
        return None if top is None else _mechanism(top)


@remembered(4)
def _mechanism(top: Assembly) -> Assembly:
    return with_rotors(with_passengers(with_couplings(with_seats(top))))


def sentence(error: ValidationError, where: str, data: Any = None) -> str:
    """One sentence for the first thing a validation found.

    Parameters
    ----------
    error
        What pydantic found.
    where
        The file, or the name that the sentence begins with.
    data
        The JSON data that was read; with it the path is that in the file, without the names that pydantic adds for the
        kinds of a union.

    Returns
    -------
    File, path of the field, what is wrong.
    """
    faults = error.errors(include_url=False)
    first = faults[0]
    kind = first["type"]
    path = ".".join(_path_in_file(first["loc"], data))
    message = worded(first)
    shown = ""
    found = first.get("input")
    if kind not in ("value_error", "json_invalid") and isinstance(found, str | int | float):
        text = repr(found)
        shown = f", found {text if len(text) <= 60 else text[:57] + '...'}"
    # A list whose entry is faulty is counted as too short as well: not a second fault.
    more = sum(1 for fault in faults[1:] if fault["loc"] != first["loc"][: len(fault["loc"])])
    rest = f" (and {more} more)" if more else ""
    named = f"{where}: {path}{': ' if path else ''}"
    return say("{named}{message}{shown}{rest}.", named=named, message=message, shown=shown, rest=rest)


def _path_in_file(loc: tuple[str | int, ...], data: Any) -> list[str]:
    path, node = [], data
    for part in loc:
        if isinstance(node, dict) and part not in node:
            if node.get("kind") == part:
                continue  # the kind of a union, which is no level of the file
            part = field_in_file(part, node)
        path.append(str(part))
        try:
            node = node[part]
        except (KeyError, IndexError, TypeError):
            node = None
    return path


def _check_magnitudes(data: Any, path: tuple[str | int, ...], where: str) -> None:
    """Refuse numbers no coaster has, before they overflow somewhere far from their field."""
    if isinstance(data, dict):
        for key, value in data.items():
            _check_magnitudes(value, (*path, key), where)
    elif isinstance(data, list):
        for index, value in enumerate(data):
            _check_magnitudes(value, (*path, index), where)
    elif isinstance(data, int | float) and abs(data) > MAX_MAGNITUDE:
        field = ".".join(str(part) for part in path)
        raise InputError(f"{where}: {field}: larger than {MAX_MAGNITUDE:.0e}, which no quantity here can be.")


def parse_project(data: Any, where: str) -> Project:
    """Check raw JSON data and make a Project of it.

    Parameters
    ----------
    data
        What json.loads returned.
    where
        The name used in messages.

    Returns
    -------
    The project; files of earlier versions are brought up to this one.

    Raises
    ------
    InputError
        Naming the field.
    """
    if not isinstance(data, dict):
        raise InputError(
            f"{where}: expected a Ridewright project (a JSON object), found {json.dumps(data)[:40]}."
        )
    if data.get("format") != FORMAT:
        raise InputError(f"{where}: not a Ridewright project: field 'format' must be \"{FORMAT}\".")
    try:
        _check_magnitudes(data, (), where)
        # JSON text, because strict checking then takes arrays for tuples, but no text or truth value for a number.
        return Project.model_validate_json(json.dumps(lifted(data, where)), strict=True)
    except ValidationError as error:
        raise InputError(sentence(error, where, data)) from None
    except RecursionError:
        raise InputError(f"{where}: nested too deeply to be a Ridewright project.") from None


def load_project(path: str | Path) -> Project:
    """Read a project file; raises InputError with one sentence when it cannot be used."""
    path = Path(path)
    if not path.exists() and str(path) in example_names():
        raise InputError(
            f"{path}: does not exist; 'ridewright example {path} --out FILE' copies the example."
        )
    try:
        text = read_file(path, MAX_WITH_SURFACES, "a project file").decode("utf-8-sig")
    except UnicodeDecodeError:
        raise InputError(f"{path.name}: not a text file; expected a Ridewright project in JSON.") from None
    if _too_large(text):
        raise InputError(f"{path}: larger than {MAX_FILE_BYTES / 1e6:g} MB; this is not a project file.")
    return parse_project(_read_json(text, path.name), path.name)


def _too_large(text: str) -> bool:
    """Whether a project file is larger than can be opened."""
    if len(text) <= MAX_FILE_BYTES:
        return False
    packed = sum(found.end() - found.start() for found in PACKED.finditer(text))
    return len(text) > MAX_WITH_SURFACES or len(text) - packed > MAX_FILE_BYTES


def _read_json(text: str, where: str) -> Any:
    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        fields = dict(pairs)
        if len(fields) < len(pairs):
            names = [name for name, _ in pairs]
            twice = next(name for name in names if names.count(name) > 1)
            raise InputError(f"{where}: field '{twice}' is given twice in one object; keep one of them.")
        return fields

    try:
        return json.loads(text, object_pairs_hook=once)
    except InputError:
        raise
    except json.JSONDecodeError as error:
        raise InputError(f"{where}: {json_fault(error)}.") from None
    except (RecursionError, ValueError):
        raise InputError(f"{where}: not readable as JSON (nested too deeply or numbers too long).") from None


def write_atomically(path: Path, content: str) -> None:
    """Write a text file under a temporary name and rename it, so that no reader ever sees half a file.

    Parameters
    ----------
    path
        Of the file; folders are made as needed.
    content
        Its text, written as UTF-8.

    Raises
    ------
    InputError
        When it cannot be written.
    """
    with replacing(path) as part:
        part.write_text(content, encoding="utf-8")


def save_project(project: Project, path: str | Path) -> None:
    """Write a project file, every field spelled out.

    Parameters
    ----------
    project
        What is written.
    path
        Of the file, which is written under a temporary name first; folders are made as needed.

    Raises
    ------
    InputError
        When it cannot be written, and for what could not be opened again.
    """
    pieces = _written(project)
    size, rest = sum(map(len, pieces)), sum(map(len, pieces[::2]))
    if size > MAX_WITH_SURFACES or rest > MAX_FILE_BYTES:
        raise InputError(
            f"{path}: not written, it would be too large to be opened again ({size / 1e6:.0f} MB); remove an"
            " imported structure, or import it with fewer modes or a coarser mesh."
        )
    with replacing(Path(path)) as part, part.open("w", encoding="utf-8") as file:
        file.writelines(pieces)


def _written(project: Project) -> list[str]:
    """The text of a project file in pieces, every second one the numbers of a packed surface: a writer of JSON takes
    longer for their millions of letters, none of which means anything to it, than for all the rest."""
    packed: list[str] = []
    mark = uuid4().hex  # which no text of a project has in it

    def apart(text: str) -> str:
        if not text.isascii() or text.encode("ascii").translate(None, BASE64):
            return text  # a file that was tampered with
        packed.append(text)
        return f"{mark}{len(packed) - 1}."

    data = project.model_dump(mode="json", context={"apart": apart})
    first, *others = json.dumps(data, indent=1, ensure_ascii=False).split(mark)
    pieces = [first]
    for other in others:
        number, _, rest = other.partition(".")
        pieces += [packed[int(number)], rest]
    pieces[-1] += "\n"
    return pieces


def schema() -> dict[str, Any]:
    """The JSON Schema of the project file."""
    return Project.model_json_schema()
