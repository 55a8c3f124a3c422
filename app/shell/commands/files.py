"""File menu: new, open, save, import, export, quit."""

from __future__ import annotations

from pathlib import Path

from ....core.base.bundled import example_path
from ....core.base.errors import InputError
from ....core.edits.importing import import_into, project_of_import
from ....core.edits.templates import ride_from
from ....core.project.differences import differences
from ....core.project.project import Project, load_project
from ....core.track.build import build_track
from ...document.new_project import empty_project
from ...document.selection import NOTHING, Selection
from ...document.watch import FileWatch
from ...widgets import dialogs
from ...work.meanwhile import meanwhile, under_way
from ...work.saving import write
from ..opening import project_of_file
from ..studio import Studio
from .conditions import MODEL, TRACK
from .declared import Group, action
from .guard import guarded
from .runs import RunCommands

TRACK_TABLES = "Track tables (*.csv *.txt *.dat)"
RESULTS_ENDING = ".h5"
STRUCTURE_FILES = (
    "Meshes and stiffness matrices (*.inp *.msh *.bdf *.nas *.vtu *.vtk *.mtx *.mtx.gz *.op4 *.sti *.full)"
)
REFUSED = "The file was not opened"


class FileCommands(Group):
    """Files of the document."""

    def __init__(self, studio: Studio, runs: RunCommands) -> None:
        super().__init__(studio)
        self._runs = runs
        self.watch = FileWatch(studio.document)
        self.watch.changed.connect(lambda: self.resolve())
        self.watch.gone.connect(self._gone)
        self._asking = False

    def _write(self, project: Project, path: Path) -> None:
        """Save a project to a file; what the person wants of the file meanwhile waits."""
        asking, self._asking = self._asking, True
        try:
            write(project, path)
        finally:
            self._asking = asking

    def resolve(self) -> bool:
        """Ask what becomes of a file that another program has written meanwhile; False when nothing was decided."""
        document, parent = self.studio.document, self.studio.parent
        if self._asking or document.path is None or not self.watch.is_foreign():
            return not self._asking
        self._asking = True
        try:
            theirs, told = self._theirs(document.path)
            answers = ["Save mine as …", "Keep mine", *(["Load theirs"] if theirs is not None else [])]
            title = f"“{document.path.name}” was changed by another program"
            chosen = dialogs.ask_which(parent, title, told, answers)
            if chosen is None:
                return False
            if chosen == 0:
                before = document.path
                self.save_as()
                return document.path != before
            if chosen == 1:
                document.keep_mine()
            elif theirs is not None:
                document.take_over(theirs)
                self.studio.log(f"Loaded what {document.path} holds now; undo brings back what was here.")
            return True
        finally:
            self._asking = False

    def _gone(self) -> None:
        """What is open is all there is: it is asked about before it is closed."""
        document = self.studio.document
        document.keep_mine()
        self.studio.log(f"{document.path} is gone, or no file any more. Save writes the project again.")

    def _theirs(self, path: Path) -> tuple[Project | None, str]:
        """The project that the file holds now, and what differs, in words."""
        try:
            theirs = load_project(path)
        except InputError as error:
            return None, f"It cannot be read any more: {error}"
        found = differences(self.studio.document.project, theirs)
        if not found:
            return theirs, "It holds the same project, written otherwise."
        return theirs, "\n".join(("What differs:", *(f"• {sentence}" for sentence in found)))

    def may_discard(self) -> bool:
        """Ask what to do with unsaved work, the design and its runs; False when the person wants to stay."""
        document, parent = self.studio.document, self.studio.parent
        if under_way():
            return False
        if document.is_modified:
            answer = dialogs.ask_to_save(parent, f"Save the changes to “{document.title}”?")
            if answer == "save":
                self.save()
            if answer == "cancel" or (answer == "save" and document.is_modified):
                return False
        count = sum(run.unsaved for run in document.runs)
        if not count:
            return True
        runs = "one run" if count == 1 else f"{count} runs"
        answer = dialogs.ask_to_save(parent, f"Save the results of {runs} of “{document.title}”?")
        if answer == "save":
            self._runs.save_all()
            return not any(run.unsaved for run in document.runs)
        return answer == "discard"

    @action("New", "File", icon="new", shortcut="Ctrl+N", tip="Begin with a small circuit", tool=True)
    def new(self) -> None:
        """Begin a new project."""
        if self.may_discard():
            self.studio.document.new()

    @action("New empty project", "File", icon="new", shortcut="Ctrl+Alt+N", tip="Begin with nothing")
    def new_empty(self) -> None:
        """Begin with nothing: no track, no train."""
        if self.may_discard():
            self.studio.document.start_from(empty_project())

    def new_from_template(self, name: str) -> None:
        """Begin with a template of a ride (`core.edits.templates`)."""
        if self.may_discard():
            self.studio.document.start_from(ride_from(name))

    @action("Open…", "File", icon="open", shortcut="Ctrl+O", tip="Open a project file", tool=True)
    def open(self) -> None:
        """Ask for a project file and open it."""
        path = dialogs.file_to_open(
            self.studio.parent, "Open project", self.studio.settings.last_folder, dialogs.PROJECTS
        )
        if path is not None:
            self.open_path(path)

    @guarded(REFUSED)
    def open_path(self, path: Path) -> None:
        """Open a project file; when it is damaged the open project stays."""
        try:
            project = meanwhile(lambda: project_of_file(path), failing="Reading the file failed")
        except InputError:
            self.studio.settings.forget_recent(path.absolute())
            raise
        if not self.may_discard():  # asked about unsaved work only for what can be opened
            return
        self.studio.document.start_from(project, path.absolute())
        self._remember(path)
        self.studio.log(f"Opened {path}.")

    @guarded(REFUSED)
    def open_example(self, name: str) -> None:
        """Begin with a bundled example; it has no file, so that saving asks where."""
        project = meanwhile(lambda: project_of_file(example_path(name)), failing="Reading the example failed")
        if self.may_discard():
            self.studio.document.start_from(project)
            self.studio.log(f"Opened the example “{project.name}”.")

    @action("Save", "File", icon="save", shortcut="Ctrl+S", tip="Save the project", tool=True)
    @guarded("The project was not saved")
    def save(self) -> None:
        """Save to the file of the project, or ask for one."""
        document = self.studio.document
        if document.path is None:
            self.save_as()
            return
        if self.watch.is_foreign():  # the last to save must not win without a word
            path, mine = document.path, document.project
            if not self.resolve() or document.path != path or document.project is not mine:
                return
        document.save(self._write)
        self.studio.log(f"Saved {document.path}.")

    @action("Save as…", "File", icon="save-as", shortcut="Ctrl+Shift+S", tip="Save under another name")
    @guarded("The project was not saved")
    def save_as(self) -> None:
        """Ask for a file and save to it."""
        document = self.studio.document
        suggested = self.studio.settings.last_folder / f"{_file_name(document.title)}.ridewright"
        path = dialogs.file_to_save(self.studio.parent, "Save project as", suggested, dialogs.PROJECTS)
        if path is None:
            return
        document.save_as(path, self._write)
        self._remember(path)
        self.studio.log(f"Saved {path}.")

    @action(
        "Import track…",
        "File",
        icon="import",
        tip="A track from a file, as a new project or in this one: NoLimits 2, KexEdit, rows of positions",
        line_above=True,
    )
    @guarded("The track was not imported")
    def import_track(self) -> None:
        """Ask for the file of another program and take its track."""
        path = dialogs.file_to_open(
            self.studio.parent,
            "Import track",
            self.studio.settings.last_folder,
            f"Tracks of other programs ({' '.join(f'*{ending}' for ending in _track_endings())})",
        )
        if path is not None:
            self.import_path(path)

    @guarded("The track was not imported")
    def import_path(self, path: Path) -> None:
        """Show what a file of another program holds; its track becomes a new project, or as one undo step that of this
        one. The whole of it is brought into the picture."""
        from ...tools.import_dialog import ImportDialog

        parent, document = self.studio.parent, self.studio.document
        dialog = ImportDialog(path, parent)
        accepted = dialog.exec() == ImportDialog.DialogCode.Accepted
        found, into = dialog.found, dialog.into
        dialog.deleteLater()
        if not accepted or found is None:
            return
        if into:
            project = import_into(document.project, found, path.name)
            document.apply(f"Import track {path.name}", project)
        elif self.may_discard():
            document.start_from(project_of_import(found, path.name))
        else:
            return
        document.reveal(NOTHING)
        self.studio.settings.last_folder = path.parent
        self.studio.log(f"Imported the track {path.name}.")
        for note in found.notes:
            self.studio.log(f"{path.name}: {note}")

    @action(
        "Import structure…",
        "File",
        icon="import",
        tip="Take a mesh or matrices of a finite-element program as a flexible body",
        when=MODEL,
    )
    @guarded("The structure was not imported")
    def import_structure(self) -> None:
        """Ask for a mesh or a stiffness matrix and take it as a flexible body, as one undo step."""
        path = dialogs.file_to_open(
            self.studio.parent, "Import structure", self.studio.settings.last_folder, STRUCTURE_FILES
        )
        if path is not None:
            self.import_structure_path(path)

    @guarded("The structure was not imported")
    def import_structure_path(self, path: Path) -> None:
        """Show what a file of a finite-element program holds, and take it as one undo step when that is wanted."""
        from ....core.base.reading import must_be_readable
        from ....core.edits.elements import add_element
        from ...tools.structure_dialog import StructureDialog

        must_be_readable(path)
        document = self.studio.document
        top = document.project.assembly
        if top is None:
            raise InputError(
                "The project has neither a train nor a rig to join a structure to; make one first."
            )
        dialog = StructureDialog(path, top, self.studio.parent)
        accepted = dialog.exec() == StructureDialog.DialogCode.Accepted
        made = dialog.made
        dialog.deleteLater()
        if not accepted or made is None:
            return
        project, placed = add_element(document.project, "flexible", (), made.body)
        document.apply(f"Import structure {path.name}", project)
        document.select(Selection("flexible", placed))
        self.studio.settings.last_folder = path.parent
        self.studio.log(f"Imported the structure {path.name}: {made.words}.")

    def take(self, path: Path) -> None:
        """A file dropped on the window: tracks of other programs are imported, runs shown, anything else opened."""
        if path.suffix.lower() == RESULTS_ENDING:
            self._runs.open_results_path(path)
        elif path.name.lower().endswith(_track_endings()):
            self.import_path(path)
        else:
            self.open_path(path)

    @action(
        "Export track…",
        "File",
        icon="export",
        tip="Write the track for another program: NoLimits 2, DXF, OBJ, glTF, tables",
        when=TRACK,
    )
    def export_track(self) -> None:
        """Ask for a format and a place, and write the track."""
        from ...tools.export_dialog import ExportDialog

        studio = self.studio
        ExportDialog(studio.document, studio.settings, studio.log, studio.parent).show()

    @action(
        "Export track table…",
        "File",
        icon="export",
        tip="Write one 37-column table for each rail",
        when=TRACK,
    )
    @guarded("The table was not written")
    def export_table(self) -> None:
        """Write the 37-column tables of both rails."""
        from ....core.exchange.thesis_table import write_rails

        parent, document = self.studio.parent, self.studio.document
        track = document.project.track
        if track is None:
            return
        suggested = self.studio.settings.last_folder / f"{_file_name(document.title)}.csv"
        path = dialogs.file_to_save(parent, "Export track table", suggested, TRACK_TABLES)
        if path is None:
            return
        built = build_track(track)
        for file, _, _ in write_rails(built, path, track.table_step):
            self.studio.log(f"Written: {file}.")

    @action("Quit", "File", icon="quit", shortcut="Ctrl+Q", tip="Close the studio", line_above=True)
    def quit(self) -> None:
        """Close the window, which asks about unsaved work."""
        self.studio.parent.close()

    def _remember(self, path: Path) -> None:
        self.studio.settings.add_recent(path)
        self.studio.settings.last_folder = path.absolute().parent


def _file_name(title: str) -> str:
    kept = "".join(letter if letter.isalnum() or letter in " -_" else "_" for letter in title)
    return kept.strip().lower().replace(" ", "_") or "project"


def _track_endings() -> tuple[str, ...]:
    from ....core.exchange import readers

    return tuple(ending for one in readers() for ending in one.extensions)
