"""A track from another program: as a project of its own, or in place of the track of one there is."""

from __future__ import annotations

from pydantic import ValidationError

from ..base.errors import InputError
from ..exchange.base import Imported
from ..project.project import Project, sentence
from ..project.scenario import Ride
from .changes import changed


def imported_notes(found: Imported, file: str) -> str:
    """Where a track came from and what its reader said, as notes of a project."""
    return "\n".join((f"Imported from {file}.", *found.notes))


def project_of_import(found: Imported, file: str) -> Project:
    """A new project of an imported track: named as it is, without a train, with a start as the file says.

    Parameters
    ----------
    found
        What was read.
    file
        Its name.

    Returns
    -------
    The project.

    Raises
    ------
    InputError
        For a track no project can have.
    """
    speed = found.ride.get("speed")
    ride = Ride(settled=True, speed=None if speed is None else float(speed))
    try:
        fields = {"name": found.track.name, "notes": imported_notes(found, file), "scenario": ride}
        return Project.model_validate(fields).with_imported(found.track, found.ride)
    except ValidationError as error:
        raise InputError(sentence(error, file)) from None


def import_into(project: Project, found: Imported, file: str) -> Project:
    """A project with an imported track in place of its own: train, start, losses and settings stay, and what was read
    follows its notes. A ride that ended at a position ends with the new track."""
    reported = imported_notes(found, file)
    fields: dict[str, object] = {
        "track": found.track,
        "notes": f"{project.notes.rstrip()}\n\n{reported}" if project.notes.strip() else reported,
    }
    if isinstance(project.scenario, Ride) and project.scenario.end_place is not None:
        fields["scenario"] = project.scenario.model_copy(update={"end_place": None})
    return changed(project, "Project", fields)
