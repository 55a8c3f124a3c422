"""Train menu: cars and riders from the library."""

from __future__ import annotations

from app.document.document import Selection
from app.document.selection import RIG
from app.shell.commands.guard import guarded
from app.widgets import dialogs
from app.work.studio import Studio
from core.base.errors import InputError
from core.edits import train
from core.model.library import Kind, list_library

REFUSED = "That is not possible here"


class TrainCommands:
    """Inserting from the library."""

    def __init__(self, studio: Studio) -> None:
        self.studio = studio

    def _choose(self, title: str, kind: Kind) -> str | None:
        entries = [entry for entry in list_library() if entry.kind == kind]
        details = ["\n".join((entry.title, f"Source: {entry.source}", *entry.notes)) for entry in entries]
        chosen = dialogs.choose(self.studio.window, title, [entry.title for entry in entries], details)
        return None if chosen is None else entries[chosen].key

    def _car(self) -> str:
        """The car of the selection, else the first one with a free seat, else the first one."""
        project, selection = self.studio.document.project, self.studio.document.selection
        cars = () if project.train is None else project.train.cars
        names = [car.name for car in cars]
        if selection.path and selection.path[0] in names:
            return selection.path[0]
        free = [car.name for car in cars if train.free_seats(car)]
        if not names:
            raise InputError("The project has no car; add one from the library first.")
        return (free or names)[0]

    @guarded(REFUSED)
    def add_car(self) -> None:
        """A vehicle of the library behind the last car."""
        key = self._choose("Add car", "vehicle")
        if key is None:
            return
        project, name = train.insert_vehicle(self.studio.document.project, key)
        self.studio.document.apply(f"Add {name}", project)
        self.studio.document.select(Selection("car", (name,)))

    @guarded(REFUSED)
    def add_rider(self) -> None:
        """A rider of the library on the first free seat."""
        car = self._car()
        if car != RIG and not self._free(car):
            raise InputError(f"Every seat of '{car}' is taken; add a car, or select one with a free seat.")
        key = self._choose(f"Add rider to {car}", "occupant")
        if key is None:
            return
        project, path = train.insert_rider(self.studio.document.project, car, key)
        self.studio.document.apply(f"Add {path[-1]}", project)
        self.studio.document.select(Selection("occupant", path))

    def _free(self, car: str) -> bool:
        project = self.studio.document.project
        cars = () if project.train is None else project.train.cars
        return any(train.free_seats(known) for known in cars if known.name == car)
