"""The actions of the menus File, Edit and View."""

from __future__ import annotations

from typing import Final

from app.shell.action_table.spec import CAN_REDO, CAN_UNDO, SELECTED, TRACK, Spec

DOCUMENT: Final[tuple[Spec, ...]] = (
    Spec("new", "New", "File", "files.new", "new", "Ctrl+N", "Begin with a small circuit", tool=True),
    Spec(
        "new_empty", "New empty project", "File", "files.new_empty", "new", "Ctrl+Alt+N", "Begin with nothing"
    ),
    Spec("open", "Open…", "File", "files.open", "open", "Ctrl+O", "Open a project file", tool=True),
    Spec("save", "Save", "File", "files.save", "save", "Ctrl+S", "Save the project", tool=True),
    Spec(
        "save_as", "Save as…", "File", "files.save_as", "save-as", "Ctrl+Shift+S", "Save under another name"
    ),
    Spec(
        "import_track",
        "Import track…",
        "File",
        "files.import_track",
        "import",
        tip="Take the track from a file: NoLimits 2 CSV or element, KexEdit project, rows of positions",
        line_above=True,
    ),
    Spec(
        "export_track",
        "Export track…",
        "File",
        "files.export_track",
        "export",
        tip="Write the track for another program: NoLimits 2, DXF, OBJ, glTF, tables",
        when=TRACK,
    ),
    Spec(
        "export_table",
        "Export track table…",
        "File",
        "files.export_table",
        "export",
        tip="Write one 37-column table for each rail",
        when=TRACK,
    ),
    Spec(
        "open_measured",
        "Open measured ride…",
        "File",
        "measured.open",
        "import",
        tip="Read an accelerometer record (CSV), judge it and lay it over the shown run",
        line_above=True,
    ),
    Spec("quit", "Quit", "File", "files.quit", "quit", "Ctrl+Q", "Close the studio", line_above=True),
    Spec(
        "undo", "Undo", "Edit", "edit.undo", "undo", "Ctrl+Z", "Take back the last step", CAN_UNDO, tool=True
    ),
    Spec(
        "redo", "Redo", "Edit", "edit.redo", "redo", "Ctrl+Shift+Z", "Do the step again", CAN_REDO, tool=True
    ),
    Spec(
        "search",
        "Find a command…",
        "Edit",
        "edit.search",
        "search",
        "Ctrl+K",
        "Type what you want to do",
        line_above=True,
    ),
    Spec(
        "select_nothing",
        "Select nothing",
        "Edit",
        "edit.select_nothing",
        shortcut="Ctrl+Shift+A",
        when=SELECTED,
    ),
    Spec(
        "preferences",
        "Preferences…",
        "Edit",
        "edit.preferences",
        "preferences",
        "Ctrl+,",
        "Units, theme, quality, recovery",
        line_above=True,
    ),
    Spec(
        "camera_orbit",
        "Orbit camera",
        "View",
        "view.camera_orbit",
        "camera-orbit",
        "1",
        "Turn around the scene",
    ),
    Spec(
        "camera_follow",
        "Follow camera",
        "View",
        "view.camera_follow",
        "camera-follow",
        "2",
        "Fly behind the train",
    ),
    Spec(
        "camera_ride",
        "On-ride camera",
        "View",
        "view.camera_ride",
        "camera-ride",
        "3",
        "See with the rider's eyes",
    ),
    Spec("camera_side", "Side view", "View", "view.camera_side", "camera-side", "4", "Look from the side"),
    Spec("camera_top", "Top view", "View", "view.camera_top", "camera-top", "5", "Look down on the plan"),
    Spec(
        "frame_selection",
        "Frame selection",
        "View",
        "view.frame_selection",
        "frame",
        "F",
        "Bring the selection close",
    ),
    Spec(
        "measure",
        "Measure distances",
        "View",
        "view.measure",
        "tool-transform",
        "M",
        "Click two places in the 3D view: distance, height and way along the track between them",
        checkable=True,
    ),
    Spec(
        "units",
        "Switch units",
        "View",
        "view.switch_units",
        "units",
        "Ctrl+U",
        "SI or US customary units",
        tool=True,
    ),
    Spec("theme", "Switch theme", "View", "view.switch_theme", "theme", "Ctrl+T", "Dark or light", tool=True),
    Spec("full_screen", "Full screen", "View", "view.full_screen", shortcut="F11", line_above=True),
    Spec(
        "reset_layout",
        "Reset layout",
        "View",
        "view.reset_layout",
        "layout",
        tip="Put every panel back in its place",
    ),
)
