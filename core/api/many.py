"""Many rides at once: a study run from its file, and a fit to a measured ride."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ..project.project import Project
from ..studies.study import base_project, load_study, study_path
from .door import door

if TYPE_CHECKING:
    from ..studies.calibrate import Calibration
    from ..studies.store import Table


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
    from ..studies.cluster import keys_of, workers_of
    from ..studies.engine import prepare, run_study
    from ..studies.optimise import optimise
    from ..studies.store import Store

    prepare(study, base, allow_function=allow_function)
    store = Store.planned(out, study, base, resume=resume)
    with workers_of(scheduler, workers, security=keys_of(tls), wait=wait) as client:
        store.begin()
        if study.optimise is None:
            return run_study(store, client, allow_function=allow_function)
        optimise(store, client, allow_function=allow_function)
    return store.table()


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
