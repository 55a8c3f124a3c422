"""Train menu: cars and riders from the library."""

from __future__ import annotations

from ....core.base.errors import InputError
from ....core.edits import frames, joining, riders, train, wheels
from ....core.edits.changes import the_train
from ....core.edits.elements import assembly_at, free_seats
from ....core.model.library import Kind, list_library
from ....core.model.references import LISTS
from ...document.document import Selection
from ...model_editor.keep_car import keep_car
from ...view3d.point_pick import PointPick
from ...widgets import dialogs
from ..studio import Studio
from .conditions import BODY, CARS, MODEL, TRAIN
from .declared import Group, action
from .guard import guarded

REFUSED = "That is not possible here"


class TrainCommands(Group):
    """Inserting from the library, and what joins the bodies of train or rig."""

    def __init__(self, studio: Studio, picks: PointPick) -> None:
        """picks: gives places that are clicked in the 3D view."""
        super().__init__(studio)
        self.picks = picks

    def _choose(self, title: str, kind: Kind) -> str | None:
        entries = [entry for entry in list_library() if entry.kind == kind]
        details = ["\n".join((entry.title, f"Source: {entry.source}", *entry.notes)) for entry in entries]
        chosen = dialogs.choose(self.studio.parent, title, [entry.title for entry in entries], details)
        return None if chosen is None else entries[chosen].key

    def _seated(self) -> tuple[str, ...]:
        """Where a new rider sits: the assembly of the selection that has a free seat, else the first one that has."""
        project, selection = self.studio.document.project, self.studio.document.selection
        top = project.assembly
        paths = [] if top is None else [(*prefix.split("/")[:-1],) for prefix, at in top.walk() if at.seats]
        if top is None or not paths:
            raise InputError("The project has no seat; add a car from the library first.")
        around = [path for path in paths if selection.kind in LISTS and selection.path[: len(path)] == path]
        free = [path for path in around[-1:] or paths if free_seats(assembly_at(project, path))]
        if not free:
            where = f"'{'/'.join(around[-1])}'" if around and around[-1] else f"the {top.role}"
            raise InputError(f"Every seat of {where} is taken; add a car, or select one with a free seat.")
        return free[0]

    @action(
        "Make a train…",
        "Train",
        icon="train",
        tip="Cars, couplers and riders from a gallery, as one train",
        when=CARS,
    )
    def make_train(self) -> None:
        """A train of equal cars with couplings and riders, chosen from a gallery."""
        from ...train.make_train import MakeTrain

        MakeTrain(self.studio.document, self.studio.parent).open()

    @action(
        "Load the cars…",
        "Train",
        icon="seat",
        tip="Who rides: empty, full or any seats, row by row",
        when=TRAIN,
    )
    @guarded(REFUSED)
    def load_train(self) -> None:
        """Who rides on which seat, row by row."""
        from ...train.make_train import LoadTrain

        train = self.studio.document.project.train
        if train is None or not any(at.seats for _, at in train.walk()):
            raise InputError("No car of the train has a seat; make a train of cars with seats first.")
        LoadTrain(self.studio.document, self.studio.parent).open()

    @action("Add rider from library…", "Train", icon="rider", when=TRAIN)
    @guarded(REFUSED)
    def insert_rider(self) -> None:
        """A rider of the library on the first free seat."""
        owner = self._seated()
        key = self._choose(f"Add rider to {'/'.join(owner) or 'the rig'}", "occupant")
        if key is None:
            return
        project, path = train.insert_rider(self.studio.document.project, owner, key)
        self.studio.document.apply(f"Add {path[-1]}", project)
        self.studio.document.select(Selection("assembly", path))

    @action(
        "Make rider…",
        "Train",
        icon="rider",
        tip="A rider of any size on the first free seat: stature, mass, sex, age, percentile",
    )
    @guarded(REFUSED)
    def make_rider(self) -> None:
        """A rider of the median size of the public on the first free seat, to be changed in the Rider panel."""
        owner = self._seated()
        project, path = riders.make_rider(self.studio.document.project, owner, riders.MEDIAN)
        self.studio.document.apply(f"Make {path[-1]}", project)
        self.studio.document.select(Selection("assembly", path))
        self.studio.show_panel("rider")

    @action(
        "Add car from library…",
        "Train",
        icon="car",
        tip="Cars as pictures, with dimensions and source; an empty one too",
        when=CARS,
    )
    @guarded(REFUSED)
    def insert_car(self) -> None:
        """A car of the library, or an empty one, behind the last car."""
        from ...train.library_page import LibraryPage

        page = LibraryPage(self.studio.parent)
        accepted, key = page.exec() == LibraryPage.DialogCode.Accepted, page.key
        page.deleteLater()
        if not accepted:
            return
        project, path = train.insert_vehicle(self.studio.document.project, key)
        self.studio.document.apply(f"Add {path[-1]}", project)
        self.studio.document.select(Selection("assembly", path))

    @action(
        "Make wheels",
        "Train",
        icon="guide",
        tip="Two axles with sprung wheelsets on the rails under the selected car",
        when=TRAIN,
    )
    @guarded(REFUSED)
    def make_wheels(self) -> None:
        """Axles and wheels of the selected car, or of the only one, in one step."""
        document, car = self.studio.document, self._car("gets wheels")
        project, said = wheels.make_wheels(document.project, (car,))
        document.apply(f"Make wheels of {car}", project)
        document.select(Selection("assembly", (car,)))
        self.studio.log(said)

    @action(
        "Wheels with clearance",
        "Train",
        icon="guide",
        tip="Road, side and up-stop wheels that give, with clearance to the rail, for the selected car",
        when=TRAIN,
    )
    @guarded(REFUSED)
    def give_clearance(self) -> None:
        """Wheels of the selected car, or of the only one, with clearance around their rails."""
        document, car = self.studio.document, self._car("gets clearance")
        project, said = wheels.give_clearance(document.project, (car,))
        document.apply(f"Give wheels of {car} clearance", project)
        document.select(Selection("assembly", (car,)))
        self.studio.log(said)

    def _car(self, what: str) -> str:
        """The car that is selected, or the only one. Raises InputError where none is and there are several."""
        document = self.studio.document
        cars = [car.name for car in the_train(document.project).children]
        path = document.selection.path if document.selection.kind in LISTS else ()
        chosen = path[0] if path else ""  # the whole train has no path
        if chosen not in cars and len(cars) != 1:
            raise InputError(f"Select the car that {what} first.")
        return chosen if chosen in cars else cars[0]

    @action(
        "Join two places…",
        "Train",
        icon="joint",
        tip="A joint, spring or damper between two places that are clicked in the 3D view",
        when=MODEL,
    )
    def join_places(self) -> None:
        """Choose what joins, click one place and the other; it is there, sized for the masses it joins."""
        kinds = joining.joining_kinds()
        titles, details = zip(*kinds.values(), strict=True)
        chosen = dialogs.choose(self.studio.parent, "Join two places by", titles, details)
        if chosen is not None:
            kind = [*kinds][chosen]
            self._pick(kind, f"Click the first place of the {kinds[kind].title.lower()}; Escape ends it.", ())

    def _pick(self, kind: str, words: str, picked: tuple[joining.Spot, ...]) -> None:
        """Wait for a place; for the second one until it is one that can be joined with the first."""
        document = self.studio.document

        def taken(spot: joining.Spot) -> None:
            if not picked:
                on = "/".join(spot.body) or "the ground"
                self._pick(
                    kind, f"The first place is on {on}. Click the second one; Escape ends it.", (spot,)
                )
                return
            try:
                project, (what, path) = joining.join_places(document.project, kind, picked[0], spot)
            except InputError as error:
                self._pick(kind, f"{error} Click the second place; Escape ends it.", picked)
                return
            document.apply(f"Add {path[-1]}", project)
            document.select(Selection("joint" if what == "joint" else "force", path))

        self.picks.ask_spot(words, taken)

    @action(
        "Add frame of beams",
        "Train",
        icon="body",
        tip="A flexible body of beams on what is selected; an empty project becomes a rig with it",
        line_above=True,
    )
    @guarded(REFUSED)
    def add_frame(self) -> None:
        """A frame of one beam, to be continued in the Structure panel."""
        document, selection = self.studio.document, self.studio.document.selection
        owner: tuple[str, ...] = ()
        if selection.kind in LISTS:
            owner = selection.path if selection.kind == "assembly" else selection.path[:-1]
        project, path = frames.add_frame(document.project, owner)
        document.apply("Add frame of beams", project)
        document.select(Selection("flexible", path))
        self.studio.show_panel("structure")

    @action(
        "Make flexible…",
        "Train",
        icon="body",
        tip="The selected body becomes a beam between its joints, or of a mesh, with all that acts on it",
        when=BODY,
    )
    @guarded(REFUSED)
    def make_flexible(self) -> None:
        """A rigid body becomes a beam or a mesh between the places where it is held; one step of undo."""
        from ...tools.flexible_dialog import FlexibleDialog

        document = self.studio.document
        path = document.selection.path
        dialog = FlexibleDialog(document.project, path, self.studio.parent)
        accepted, made = dialog.exec() == FlexibleDialog.DialogCode.Accepted, dialog.made
        dialog.deleteLater()
        if not accepted or made is None:
            return
        document.apply(f"Make {path[-1]} flexible", made.project)
        document.select(Selection("flexible", made.path))
        for sentence in made.said:
            self.studio.log(sentence)

    @action(
        "Save car to my library…",
        "Train",
        icon="save",
        tip="Keep the selected car for other projects",
        when=TRAIN,
    )
    @guarded(REFUSED)
    def save_car(self) -> None:
        """Keep the selected car in the user's library, for other projects."""
        document = self.studio.document
        path = document.selection.path[:1] if document.selection.kind in LISTS else ()
        cars = {car.name for car in the_train(document.project).children}
        if not path or path[0] not in cars:
            raise InputError("Select a car of the train, or a part of it, first.")
        key = keep_car(self.studio.parent, document, path)
        if key is not None:
            self.studio.log(f"{path[0]} is saved; Train > Add car from library shows it.")
