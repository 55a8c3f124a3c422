"""What commands are given that take a run or a project: a results file, or a project file that is run first."""

from __future__ import annotations

from pathlib import Path

from ..base.errors import InputError
from ..project.project import Project, load_project, parse_project
from ..results.results import Results
from .simulate import ride

ENDINGS = (".h5", ".hdf5")
#: What every report takes of the states of a run; the rest is read if a part of the report asks for it.
USED = ("position", "orientation", "velocity", "spring_force", "spring_length")
SIGNATURE = b"\x89HDF\r\n\x1a\n"


def is_results(source: Path) -> bool:
    """Whether a file is, or is meant to be, the results of a run: by its name, whatever it holds, or by its start."""
    if source.suffix.lower() in ENDINGS:
        return True
    try:
        with source.open("rb") as file:
            return file.read(len(SIGNATURE)) == SIGNATURE
    except (OSError, ValueError):
        return False  # whoever reads it as a project says why


def kept_run(source: Path) -> tuple[Project, Results]:
    """The run of a results file with its project; its states are still being read, those no report needs wait in the
    file. Raises InputError."""
    from ..results.file import open_results
    from ..results.unread import read_ahead, read_signals

    results = open_results(source)
    data = results.provenance.get("project")
    if data is None:
        raise InputError(
            f"{source.name}: does not say which project was run; report the project file instead."
        )
    read_signals(results)
    read_ahead(results, *USED)
    return parse_project(data, source.name), results


def run_of(source: Path) -> tuple[Project, Results]:
    """The run of a results file with its project, or of a project that is run now. Raises InputError."""
    if is_results(source):
        return kept_run(source)
    project = load_project(source)
    results, interrupted = ride(project)
    if interrupted:
        raise KeyboardInterrupt
    return project, results
