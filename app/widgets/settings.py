"""What a person set up once and expects to find again: units, theme, quality, recent files, layout."""

from __future__ import annotations

import math
from contextlib import suppress
from pathlib import Path
from typing import Final, Literal

from PySide6.QtCore import QByteArray, QObject, QSettings, QStandardPaths, Signal

from ...core.base.user_folders import home
from . import units

Theme = Literal["dark", "light", "system"]
Quality = Literal["auto", "low", "medium", "high"]
THEMES: Final = ("dark", "light", "system")
QUALITIES: Final = ("auto", "low", "medium", "high")
SURFACES: Final = ("auto", "painted", "interactor")
STARTS: Final = ("example", "last", "page")
MAX_RECENT = 10
SMALLEST_FONT, LARGEST_FONT = 7.0, 24.0  # points


def data_folder() -> Path:
    """The folder of this person for files the program keeps for itself (recovery, logs)."""
    return Path(QStandardPaths.writableLocation(QStandardPaths.StandardLocation.AppLocalDataLocation))


def settings_file() -> Path:
    """The file of this person's settings."""
    position = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.AppConfigLocation)
    return Path(position) / "settings.ini"


class Settings(QObject):
    """Typed settings in an INI file. `changed` carries the name of the property that changed."""

    changed = Signal(str)

    def __init__(self, folder: Path | None = None, parent: QObject | None = None) -> None:
        """folder: where settings and recovery files live; None takes the place the system keeps for them."""
        super().__init__(parent)
        if folder is None:
            self.folder = data_folder()
            file = settings_file()
        else:
            self.folder = folder
            file = folder / "settings.ini"
        self._store = QSettings(str(file), QSettings.Format.IniFormat)
        self._store.remove(
            "window/layout"
        )  # one arrangement for every task, of versions before there were workspaces
        units.use(self.units)

    def sync(self) -> None:
        """Write to disk now."""
        self._store.sync()

    def _set(self, name: str, key: str, value: object) -> None:
        if self._store.value(key) == value:
            return
        self._store.setValue(key, value)
        self.changed.emit(name)

    def _choice(self, key: str, allowed: tuple[str, ...], default: str) -> str:
        value = str(self._store.value(key, default))
        return value if value in allowed else default

    def _flag(self, key: str, default: bool) -> bool:
        return str(self._store.value(key, "yes" if default else "no")) == "yes"

    def _number(self, key: str, default: float, low: float, high: float) -> float:
        """A number in a range; what a damaged file holds instead counts as the default."""
        try:
            value = float(str(self._store.value(key, default)))
        except ValueError:
            return default
        return min(max(value, low), high) if math.isfinite(value) else default

    # -- looks and quantities

    @property
    def units(self) -> units.System:
        """ "SI" or "US": how quantities are shown and typed; inside everything is SI."""
        return self._choice("view/units", units.SYSTEMS, "SI")  # type: ignore[return-value]

    @units.setter
    def units(self, value: units.System) -> None:
        units.use(value)
        self._set("units", "view/units", value)

    @property
    def font_points(self) -> float:
        """Size of the letters in points; 0 takes that of the desktop."""
        value = self._number("view/font_points", 0.0, 0.0, LARGEST_FONT)
        return 0.0 if value < SMALLEST_FONT else value

    @font_points.setter
    def font_points(self, value: float) -> None:
        self._set("font_points", "view/font_points", f"{value:g}")

    @property
    def theme(self) -> Theme:
        """ "dark", "light", or "system" to follow the desktop."""
        return self._choice("view/theme", THEMES, "dark")  # type: ignore[return-value]

    @theme.setter
    def theme(self, value: Theme) -> None:
        self._set("theme", "view/theme", value)

    @property
    def quality(self) -> Quality:
        """Quality of the 3D picture; "auto" chooses by measured frame time."""
        return self._choice("view/quality", QUALITIES, "auto")  # type: ignore[return-value]

    @quality.setter
    def quality(self, value: Quality) -> None:
        self._set("quality", "view/quality", value)

    @property
    def surface(self) -> str:
        """How the 3D picture comes into the window; "auto" chooses by what draws (see app.view3d.surfaces)."""
        return self._choice("view/surface", SURFACES, "auto")

    @surface.setter
    def surface(self, value: str) -> None:
        self._set("surface", "view/surface", value)

    # -- start and recovery

    @property
    def start_with(self) -> str:
        """ "example": the Looping Star; "last": the project opened last; "page": the example, and the start page over
        it."""
        return self._choice("start/with", STARTS, "example")

    @start_with.setter
    def start_with(self, value: str) -> None:
        self._set("start_with", "start/with", value)

    @property
    def recovery_seconds(self) -> float:
        """Seconds after an edit at which the recovery file is written."""
        return self._number("recovery/seconds", 2.0, 0.02, 600.0)

    @recovery_seconds.setter
    def recovery_seconds(self, value: float) -> None:
        self._set("recovery_seconds", "recovery/seconds", f"{value:g}")

    @property
    def tour_seen(self) -> bool:
        """The tour of the first start was finished or dismissed."""
        return self._flag("start/tour_seen", False)

    @tour_seen.setter
    def tour_seen(self, value: bool) -> None:
        self._set("tour_seen", "start/tour_seen", "yes" if value else "no")

    # -- files

    @property
    def recent_files(self) -> tuple[Path, ...]:
        """Project files opened or saved last, newest first."""
        stored = self._store.value("files/recent", [])
        # one entry comes back as a text, a damaged file may give anything
        names = stored if isinstance(stored, list | tuple) else [stored]
        return tuple(Path(name) for name in names if isinstance(name, str) and name and "\0" not in name)

    def add_recent(self, path: Path) -> None:
        """Put a file at the head of the recent files."""
        path = path.absolute()
        kept = [path, *(p for p in self.recent_files if p != path)][:MAX_RECENT]
        self._set("recent_files", "files/recent", [str(p) for p in kept])

    def forget_recent(self, path: Path | None = None) -> None:
        """Drop one file from the recent files, or all of them."""
        kept = [] if path is None else [str(p) for p in self.recent_files if p != path]
        self._set("recent_files", "files/recent", kept)

    @property
    def last_folder(self) -> Path:
        """The folder file dialogs open in."""
        stored = str(self._store.value("files/folder", ""))
        with suppress(OSError, ValueError):  # too long, or no name at all
            if stored and Path(stored).is_dir():
                return Path(stored)
        return home() or Path.cwd()

    @last_folder.setter
    def last_folder(self, value: Path) -> None:
        self._set("last_folder", "files/folder", str(value))

    # -- values of single panels

    def value(self, key: str, default: str = "") -> str:
        """A small text a panel keeps under its own name, "viewer/colour_by" for example."""
        return str(self._store.value(f"panels/{key}", default))

    def set_value(self, key: str, value: str) -> None:
        """Keep a small text for a panel; `changed` carries the key."""
        self._set(key, f"panels/{key}", value)

    # -- layout of the window

    @property
    def geometry(self) -> QByteArray | None:
        """Size and place of the main window."""
        return self._bytes("window/geometry")

    @geometry.setter
    def geometry(self, value: QByteArray) -> None:
        self._store.setValue("window/geometry", value)

    def workspace_layout(self, name: str) -> QByteArray | None:
        """Places of the docks in a workspace, as it was left."""
        return self._bytes(f"workspaces/{name}")

    def set_workspace_layout(self, name: str, value: QByteArray) -> None:
        """Keep the places of the docks in a workspace."""
        self._store.setValue(f"workspaces/{name}", value)

    def forget_workspace(self, name: str) -> None:
        """Drop what is kept of a workspace."""
        self._store.remove(f"workspaces/{name}")

    def _bytes(self, key: str) -> QByteArray | None:
        stored = self._store.value(key)
        return stored if isinstance(stored, QByteArray) and not stored.isEmpty() else None
