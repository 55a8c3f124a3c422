"""The Python door: what a script, a notebook or a study does with a ride, each thing by one function.

    import ridewright as rw
    project = rw.open("looping_star.ridewright")
    faster = rw.edits.set_scenario(project, {"speed": 27.0})
    run = rw.simulate(faster)
    print(rw.judge(run).governing)

Nothing is computed here; every function hands over to the room that does it. Lengths m, times s, angles rad, masses
kg, as everywhere in the program. What cannot be used raises `InputError` with one sentence. Importing it is quick:
the engine and its kernels are loaded by the first call that needs them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..base.errors import InputError
from ..base.evaluation import EvaluationOptions
from ..base.frozen import told
from ..base.version import VERSION
from ..project.effort import long_run
from ..project.examples import list_examples as examples
from ..project.examples import load_example
from ..project.model_findings import model_findings
from ..project.point_train import ridden_settings
from ..project.project import Project, load_project, save_project
from ..track.description import ControlPoint, SplineSection, StraightSection, TableSection, Track
from .door import door

if TYPE_CHECKING:
    from ..base.finding import Finding
    from ..outcome.rider_view import Judgement
    from ..pointmass.result import PointRide
    from ..results.results import Results
    from ..solver.march import Progress
    from ..steelwork.girder import Axle, Girder, Passage
    from ..track.check import TrackReport
    from . import edits
    from .analyses import (
        Contacts,
        Modes,
        contact_peaks,
        contacts,
        cross_check,
        equilibrium,
        half_and_twice,
        modes,
        passage,
        rigid_run,
        run_load_cases,
        steelwork,
        stress,
        stress_life,
    )
    from .many import calibrate, people, run_study, who_fits, who_may_ride
    from .pictures import plot
    from .signals import channels

__all__ = [
    "Axle",
    "Check",
    "Contacts",
    "ControlPoint",
    "EvaluationOptions",
    "Girder",
    "InputError",
    "Judgement",
    "Modes",
    "Passage",
    "Project",
    "Results",
    "SplineSection",
    "StraightSection",
    "TableSection",
    "Track",
    "__version__",
    "calibrate",
    "channels",
    "check",
    "contact_peaks",
    "contacts",
    "cross_check",
    "edits",
    "equilibrium",
    "example",
    "examples",
    "half_and_twice",
    "judge",
    "modes",
    "open",
    "passage",
    "people",
    "plot",
    "report",
    "results",
    "ride_point",
    "rigid_run",
    "run_load_cases",
    "run_study",
    "save",
    "save_results",
    "simulate",
    "steelwork",
    "stress",
    "stress_life",
    "who_fits",
    "who_may_ride",
]


__version__ = VERSION
LATE = {
    **dict.fromkeys(
        (
            "Contacts",
            "Modes",
            "contact_peaks",
            "contacts",
            "cross_check",
            "equilibrium",
            "half_and_twice",
            "modes",
            "passage",
            "rigid_run",
            "run_load_cases",
            "steelwork",
            "stress",
            "stress_life",
        ),
        "ridewright.core.api.analyses",
    ),
    **dict.fromkeys(("Axle", "Girder", "Passage"), "ridewright.core.steelwork.girder"),
    "Judgement": "ridewright.core.outcome.rider_view",
    "Results": "ridewright.core.results.results",
    **dict.fromkeys(
        ("calibrate", "people", "run_study", "who_fits", "who_may_ride"), "ridewright.core.api.many"
    ),
    "channels": "ridewright.core.api.signals",
    "plot": "ridewright.core.api.pictures",
}


@told
@dataclass(frozen=True)
class Check:
    """What `check` found: figures and findings of the track (None without one); findings of the model by car, or by
    "rig"; effort: a sentence where the settings make a run absurdly long, else empty; reach: what riders reach along
    the track, where it asks for that (`Clearance.room`)."""

    track: TrackReport | None
    model: dict[str, tuple[Finding, ...]]
    effort: str
    reach: tuple[Finding, ...] = ()

    def __repr__(self) -> str:
        found = [
            *self.reach,
            *(() if self.track is None else self.track.findings),
            *(f for of in self.model.values() for f in of),
        ]
        errors = sum(one.severity == "error" for one in found)
        return (
            f"Check({len(found)} findings, {errors} of them errors, of {', '.join(self.model) or 'no model'})"
        )


def __getattr__(name: str) -> Any:
    """What loads more than names and descriptions, on its first use."""
    from importlib import import_module

    if name == "edits":
        return import_module("ridewright.core.api.edits")
    if name in LATE:
        return getattr(import_module(LATE[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


@door
def example(name: str) -> Project:
    """A bundled example project.

    Parameters
    ----------
    name
        One of `examples`.

    Returns
    -------
    The project.

    Raises
    ------
    InputError
        Naming those there are when it is unknown.
    """
    return load_example(name)


@door
def open(path: str | Path) -> Project:
    """Read a project file (`*.ridewright`).

    Parameters
    ----------
    path
        The file; one of an older version of the program is brought up to date as it is read.

    Returns
    -------
    The project, all values in SI.

    Raises
    ------
    InputError
        Naming the file and the field that cannot be used.
    """
    return load_project(path)


@door
def save(project: Project, path: str | Path) -> None:
    """Write a project file, every field spelled out; the old one is replaced when the new one is complete.

    Parameters
    ----------
    project
        What is written.
    path
        The file; folders of it that are not there are made.

    Raises
    ------
    InputError
        When the file cannot be written.
    """
    save_project(project, path)


@door
def check(project: Project) -> Check:
    """Geometry of the track, and what is odd about the model and the settings; nothing is ridden.

    Parameters
    ----------
    project
        With a track, a train, both, or a rig.

    Returns
    -------
    Figures and findings of the track, and findings of the model and of the settings.

    Raises
    ------
    InputError
        For a track that cannot be built.
    """
    from ..design.rider_clearance import reach_findings
    from ..track.check import check_track

    track = None if project.track is None else check_track(project.track)
    return Check(track, model_findings(project), long_run(project), reach_findings(project))


@door
def ride_point(project: Project) -> PointRide:
    """Ride the train as points along the track: speeds (m/s), loads (g) on the heartline, stalls, energy (J).

    Parameters
    ----------
    project
        One with a track; its point ride settings count, and what they leave open follows from the train.

    Returns
    -------
    The ride, with n samples: `time` (n,) s, `s` (n,) m, `speed` (n,) m/s, loads (n,) g in the axes of a rider over the
    middle of the train (forward, left, up). A train that stalls is no error: see `status` and `message`.

    Raises
    ------
    InputError
        For a project without a track and as `core.pointmass.ride.ride_point`.
    """
    from ..pointmass.ride import ride_point as ride
    from ..track.build import build_track

    if project.track is None:
        raise InputError(f"{project.name}: has no track to ride on; add one.")
    built = build_track(project.track, ride=False)
    return ride(built, ridden_settings(project), gravity=project.gravity)


@door
def simulate(
    project: Project,
    *,
    on_progress: Progress | None = None,
    should_stop: Callable[[], bool] | None = None,
) -> Results:
    """Run the scenario of a project as a multibody system; kernels that are missing are compiled first.

    Parameters
    ----------
    project
        A ride, with track and train, or a rig.
    on_progress
        Called with the share done (0 to 1), the time (s) and the end time (s) of the run, as they come.
    should_stop
        Asked between steps; True ends the run with what it has.

    Returns
    -------
    Stored states in axes of the world, and channels (n,) or (n, 3) with the unit and the frame of each. A run that is
    stopped or fails keeps partial results, with the reason in `status`.

    Raises
    ------
    InputError
        For a project that cannot be assembled.
    """
    from ..run.simulate import simulate as run
    from ..warm_up.ahead import compile_missing

    compile_missing(should_stop=should_stop)
    return run(project, on_progress=on_progress, should_stop=should_stop)


@door
def judge(run: Results, evaluation: EvaluationOptions | None = None) -> Judgement:
    """Every criterion on every part of every rider and at every assessed seat of a run, least margin first.

    Parameters
    ----------
    run
        Of a project with riders or assessed seats.
    evaluation
        Restraint and limit tables that count; by default those of the project that was run.

    Returns
    -------
    The results by rider and seat, the governing one, and what is to be known about them.

    Raises
    ------
    InputError
        For a limit table that cannot be used.
    """
    from ..outcome.seats import judge_run

    if evaluation is None:
        data = run.provenance.get("project")
        own = data.get("evaluation", {}) if isinstance(data, dict) else {}
        evaluation = EvaluationOptions.model_validate(own)
    return judge_run(run, evaluation)


@door
def results(path: str | Path) -> Results:
    """Read the results file of a run.

    Parameters
    ----------
    path
        The file (HDF5).

    Returns
    -------
    The run as it was written.

    Raises
    ------
    InputError
        When it is missing, damaged or foreign.
    """
    from ..results.file import read_results

    return read_results(path)


@door
def save_results(run: Results, path: str | Path, *, compact: bool = False) -> None:
    """Write the results file of a run (HDF5).

    Parameters
    ----------
    run
        What is written.
    path
        The file.
    compact
        Rounded far below the tolerances of the run, which packs better.

    Raises
    ------
    InputError
        When it cannot be written.
    """
    from ..results.file import write_results

    write_results(run, path, compact=compact)


@door
def report(
    project: Project,
    run: Results,
    *,
    pdf: str | Path | None = None,
    html: str | Path | None = None,
    json: str | Path | None = None,
    csv: str | Path | None = None,
    date: str = "",
    author: str = "",
    uncertainty: bool = False,
    steelwork: bool = False,
) -> tuple[Path, ...]:
    """Write the report of a run in the forms that are asked for.

    Parameters
    ----------
    project
        What was run.
    run
        Its results.
    pdf
        File of the printed report; needs typst.
    html
        File of one page that needs no others.
    json
        File with the content as data.
    csv
        Folder for the tables, a file each.
    date
        ISO 8601; by default now.
    author
        Who is named on the cover.
    uncertainty
        Compute the run again at ten times its tolerance, to see how many digits its values have.
    steelwork
        A part on track and supports under the train: members, combinations, weld details, footings.

    Returns
    -------
    The files written.

    Raises
    ------
    InputError
        When no form is asked for, where matplotlib or typst is missing, and when a file cannot be written.
    """
    import datetime

    from ..report.book import ReportOptions
    from ..report.plugins import drawn_here
    from ..report.write import ReportTarget, write_report

    forms = {"pdf": pdf, "html": html, "json": json, "csv": csv}
    target = ReportTarget(**{name: Path(path) for name, path in forms.items() if path is not None})
    if target == ReportTarget():
        raise InputError("report: nothing to write; give a file by pdf=, html=, json= or a folder by csv=.")
    stated = date or datetime.datetime.now().astimezone().isoformat(timespec="seconds")
    options = ReportOptions(date=stated, author=author, uncertainty=uncertainty, steelwork=steelwork)
    return drawn_here(
        project,
        run,
        lambda pictures: write_report(project, run, target, options=options, pictures=pictures),
    )
