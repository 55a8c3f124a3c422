"""Projects and runs from files, with what it takes to draw them; in any thread."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

from ...core.base.errors import InputError
from ...core.project.point_train import ridden_settings
from ...core.project.project import Project, load_project, parse_project
from ...core.track.build import BuiltTrack, built_or_fault
from ...core.track.supports import place_supports
from ..document.runs import Run
from ..view3d.train_parts import prepare_train
from ..widgets import theme

TOLD = ("car/", "coupling/")  # channels that the window asks for when it draws


def project_of_file(path: Path) -> Project:
    """The project of a file, and what it takes to draw it. Raises InputError when it cannot be used."""
    project = load_project(path)
    prepare_project(project)
    return project


def prepare_project(project: Project) -> None:
    """Make what drawing a project needs; what cannot be made is left to who draws it, who says why."""
    built = built_or_fault(project.track)[0]
    with suppress(InputError):
        if built is not None:
            place_supports(built, project.steelwork.spacing)
        ridden_settings(project)
        prepare_train(project, (built,), theme.current())


def run_of_file(path: Path, shown: BuiltTrack | None) -> Run:
    """The run that a file has, and what it takes to draw it. shown: the track that is on screen.

    Raises InputError for a file that cannot be read or shown.
    """
    from ...core.results.file import open_results
    from ...core.results.unread import read_beside

    results = open_results(path)
    data = results.provenance.get("project")
    if data is None:
        raise InputError(f"{path.name}: does not say which project was run; it cannot be shown.")
    drawn = [(results.states, name) for name in ("position", "velocity", "orientation")]
    told = [(one, "values") for name, one in results.channels.items() if name.startswith(TOLD)]
    with ThreadPoolExecutor(1) as beside:
        reading = beside.submit(read_beside, [*drawn, *told])
        project = parse_project(data, path.name)
        prepare_train(project, (shown, built_or_fault(project.track)[0]), theme.current())
        reading.result()
    return Run(path.stem, results, project, file=path)
