"""Many rides at once: a study run from its file, and a fit to a measured ride."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ..project.project import Project
from ..studies.study import base_project, load_study, study_path
from .door import door

if TYPE_CHECKING:
    from ..human.population import Named
    from ..model.person import Person
    from ..studies.calibrate import Calibration
    from ..studies.store import Table
    from ..studies.who_fits import Fits
    from ..studies.who_may_ride import WhoMayRide


@door
def run_study(
    path: str | Path,
    out: str | Path,
    *,
    workers: int | None = None,
    scheduler: str | None = None,
    resume: bool = False,
    allow_function: str = "",
    tls: tuple[str | Path, str | Path, str | Path] | None = None,
    wait: float | None = None,
) -> Table:
    """Run a study file into a folder; a study with [optimise] searches.

    Parameters
    ----------
    path
        Of the file, or example:NAME.
    out
        The folder. Nothing is written before there are workers.
    workers
        Processes of this machine; by default one a processor.
    scheduler
        Address of a Dask cluster instead.
    resume
        Continue with what is in the folder.
    allow_function
        Module:name of the function from outside that the study may run.
    tls
        PEM files for the cluster: its authority, certificate and key of this program.
    wait
        s for its first worker; by default 60.

    Returns
    -------
    The table of its n runs: `run` (n,), `state` (n,), `values` (n, p) in the units of the p parameters, and `numbers`,
    kept numbers (n,) by name in SI, NaN where a run has none.

    Raises
    ------
    InputError
        For a study that cannot be run, a folder that holds another one, a scheduler that cannot be reached or
        has no workers, and where Dask is missing.
    """
    from ..studies.requirements import needed

    file = study_path(path)
    study = load_study(file)
    base = base_project(study, file.parent)
    needed("distributed")
    from ..studies.admitted import find_admitted
    from ..studies.cluster import keys_of, workers_of
    from ..studies.engine import prepare, run_study
    from ..studies.optimise import optimise
    from ..studies.store import Store

    prepare(study, base, allow_function=allow_function)
    store = Store.planned(out, study, base, resume=resume)
    with workers_of(scheduler, workers, security=keys_of(tls), wait=wait) as client:
        store.begin()
        if study.optimise is None:
            table = run_study(store, client, allow_function=allow_function)
            find_admitted(store, client)
            return table
        optimise(store, client, allow_function=allow_function)
    return store.table()


@door
def who_may_ride(
    project: Project,
    out: str | Path,
    seats: Sequence[str],
    bodies: Sequence[tuple[str, Person]] | None = None,
    *,
    shapes: Sequence[str] = (),
    restraints: Sequence[str] = (),
    cases: Sequence[str] = (),
    by_ride: bool = True,
    workers: int | None = None,
    resume: bool = False,
) -> WhoMayRide:
    """Ride bodies of many sizes freely on seats behind restraints: who is admitted.

    Parameters
    ----------
    project
        A ride or a rig with seats.
    out
        Folder of the runs, a study.
    seats
        Paths of those on which everybody is seated, on all of them at once.
    bodies
        Names and persons, such as `people` draws; by default five usual ones, of those whom the project admits
        (`evaluation.patron_height`, `largest_height`, `largest_mass`).
    shapes
        Keys of seats of the library; none leaves the seats as they are.
    restraints
        Keys of restraints of the library; none takes that of the seat.
    cases
        Load cases that are ridden; none rides the project as it is.
    by_ride
        Whether more rides, 20 to 51 for each seat, restraint and ride, find the statures and masses between which
        people may ride.
    workers
        Processes of this machine; by default one a processor.
    resume
        Continue with what is in the folder.

    Returns
    -------
    `rows`, one a run, with verdict, least margin, misfits, airtime (s), gap (m) and load of the restraint (N);
    `margins`, the least of every criterion with the run that governs; `admitted`, of each seat, restraint and ride the
    smallest, tallest (m) and heaviest (kg) who stay in the seat (`stays`) and who keep the limits too (`keeps`), with
    what decides; `sentences`.

    Raises
    ------
    InputError
        As `run_study`, and for seats, keys or load cases that there are not.
    """
    from ..human.population import Named, admitted_by, usual
    from ..studies.requirements import needed
    from ..studies.who_may_ride import study_of

    people = usual(admitted_by(project.evaluation)) if bodies is None else [Named(*body) for body in bodies]
    study = study_of(
        project.name, seats, people, shapes=shapes, restraints=restraints, cases=cases, by_ride=by_ride
    )
    needed("distributed")
    from ..studies.admitted import find_admitted, whole_answer
    from ..studies.cluster import workers_of
    from ..studies.engine import prepare, run_study
    from ..studies.store import Store

    prepare(study, project)
    store = Store.planned(out, study, project, resume=resume)
    with workers_of(None, workers) as client:
        store.begin()
        run_study(store, client)
        find_admitted(store, client)
    return whole_answer(store)


@door
def people(
    count: int | None = None,
    seed: int = 0,
    *,
    women: float = 0.5,
    children: float = 0.0,
    smallest: float | None = None,
    tallest: float | None = None,
    heaviest: float = 136.0,
) -> tuple[Named, ...]:
    """Bodies to ride with, each held by nothing but a seat.

    Parameters
    ----------
    count
        How many are drawn from the public, with the correlation of stature and mass; None for five usual ones: 5th
        percentile woman, 50th and 95th percentile man, child of 1.2 m, heaviest admitted.
    seed
        Same seed, same people.
    women
        Share of those drawn, 0 to 1.
    children
        Share of those drawn, 0 to 1.
    smallest
        Stature (m) from which people are admitted; None where nothing is said.
    tallest
        Stature (m) up to which they are.
    heaviest
        Mass (kg) up to which people are admitted.

    Returns
    -------
    Names (`label`) and persons (`person`).

    Raises
    ------
    InputError
        For shares and masses out of range.
    """
    from ..human.population import Admitted, drawn, usual

    admitted = Admitted(smallest, tallest, heaviest)
    return (
        usual(admitted)
        if count is None
        else drawn(count, seed, women=women, children=children, admitted=admitted)
    )


@door
def who_fits(project: Project, seat: str, shape: str = "", restraint: str = "") -> Fits:
    """Statures and masses of people onto whom a restraint closes, on a seat.

    Parameters
    ----------
    project
        With the seat.
    seat
        Its path.
    shape
        Key of a seat of the library; "" leaves the seat as it is.
    restraint
        Key of a restraint of the library; "" takes that of the seat.

    Returns
    -------
    Statures `low` and `high` (m) at median masses, and the largest mass (kg) at the 50th and 95th percentile of men's
    stature, None where nobody fits; `sentence` in words.

    Raises
    ------
    InputError
        For a seat or key that there is not.
    """
    from ..studies.who_fits import who_fits

    return who_fits(project, seat, shape, restraint)


@door
def calibrate(
    project: Project, measured: str | Path, fit: Sequence[str] = ("friction", "drag", "speed")
) -> Calibration:
    """Fit losses and start speed of the ride as points to a measured one, by least squares.

    Parameters
    ----------
    project
        One with a track.
    measured
        A CSV table with the columns speed_m_s and one of s_m, place_m and time_s.
    fit
        Of "friction", "drag" and "speed", or study files whose parameters are fitted.

    Returns
    -------
    `project` with the fitted values, `fitted` values with 95 % intervals in their units, and residuals `rms` (m/s) and
    by section.

    Raises
    ------
    InputError
        For a file that cannot be read, and naming the parameters that the data cannot tell apart.
    """
    from ..studies.calibrate import calibrate, named, read_measured

    return calibrate(project, read_measured(measured), named(fit))
