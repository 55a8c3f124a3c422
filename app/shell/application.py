"""Setting up the program: Qt attributes, theme, unexpected errors, first document."""

from __future__ import annotations

import logging
import sys
import tempfile
import traceback
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Any

from PySide6.QtCore import QCoreApplication, Qt, QTimer, QtMsgType, qInstallMessageHandler
from PySide6.QtWidgets import QApplication

from ...core.base import host
from ...core.base.errors import InputError
from ...core.base.reading import never_wait
from ...core.base.system_words import because
from ...core.base.version import VERSION
from ...core.design.following import FOLLOWING
from ...core.project.examples import load_example
from ..document.document import Document
from ..document.playback import Playback
from ..view3d.surfaces import prepare
from ..widgets import dialogs, theme
from ..widgets.faults import watch
from ..widgets.icons import program_icon
from ..widgets.settings import Settings, data_folder, settings_file
from ..work.prefetch import FIRST, Prefetch
from ..work.preview import KERNELS
from ..work.recovery import Left
from ..work.runner import Runner
from . import crashes
from .garbage import GarbageCollector
from .main_window import MainWindow

SWITCH = 0.0005  # s
SEEN = 300  # ms from the filled 3D view to the last of the panels that are seen
COLLECTOR = "garbage_collector"
LOG = "studio.log"


def make_application(arguments: list[str]) -> QApplication:
    """The QApplication of the studio, set up before any window exists; for every program that shows one.

    What a fault below Python leaves is told, garbage is collected in this thread only, and the memory of runs that are
    deleted goes back to the system.
    """
    host.give_back_memory()
    QCoreApplication.setOrganizationName("ridewright")
    QCoreApplication.setApplicationName("ridewright")
    prepare()
    watch()
    never_wait()
    application = QApplication(arguments)
    application.setApplicationDisplayName("Ridewright")
    application.setApplicationVersion(VERSION)
    application.setWindowIcon(program_icon())
    GarbageCollector(application).setObjectName(COLLECTOR)
    return application


def open_first(
    document: Document, settings: Settings, wanted: Path | None, fetched: Prefetch | None = None
) -> str:
    """Load the first project: the wanted file, the last one if so set, or the example. Returns what went wrong."""
    fault = ""
    ready = None if fetched is None else fetched.result()
    last = settings.recent_files[:1] if settings.start_with == "last" else ()
    for path in (wanted, *last):
        if path is None:
            continue
        try:
            if ready is not None and fetched is not None and path == fetched.path:
                document.start_from(ready.project, path.absolute())
            else:
                document.open(path)
        except InputError as error:
            fault = fault or str(error)
        else:
            settings.add_recent(path)
            return fault
    if ready is not None and fetched is not None and fetched.path is None:
        document.start_from(ready.project)
    else:
        document.start_from(load_example(FIRST))
    return fault


def make_window(
    settings: Settings, wanted: Path | None = None, fetched: Prefetch | None = None
) -> tuple[MainWindow, str]:
    """A window with its document, and what went wrong with the wanted file (empty when nothing)."""
    document = Document(following=FOLLOWING)
    fault = open_first(document, settings, wanted, fetched)
    window = MainWindow(document, Runner(), Playback(), settings)
    for part in (document, window.runner, window.playback):
        part.setParent(window)
    return window, fault


def offer_recovery(window: MainWindow) -> None:
    """Ask about work of sessions that ended without closing; what is not wanted is removed."""
    found = window.recovery.left_behind()
    for sentence in window.recovery.unread:
        window.log(sentence, "warning")
    for left in found:
        wanted = _wants(window, left)
        if wanted is None:
            continue
        if wanted:
            window.document.recover(left.project, left.path)
            window.recovery.write()
            window.log(f"Recovered “{left.project.name}” of {left.when}.")
            window.recovery.forget(left.file)
            return
        window.recovery.forget(left.file)


def _wants(window: MainWindow, left: Left) -> bool | None:
    where = f"It belongs to {left.path}." if left.path is not None else "It has no file yet."
    return dialogs.ask(
        window,
        f"Get back unsaved work on “{left.project.name}”?",
        f"The studio ended without saving on {left.when}. {where}",
        "Get it back",
        "Throw it away",
        "Ask again next time",
    )


def report_unexpected(
    window: MainWindow,
) -> Callable[[type[BaseException], BaseException, TracebackType | None], None]:
    """The hook for exceptions nobody expected: log, save a recovery file, go on."""

    def hook(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        text = "".join(traceback.format_exception(kind, error, trace))
        logging.getLogger("ridewright").error(text)
        sys.stderr.write(text)
        window.recovery.write()
        window.log(
            f"Something went wrong inside the program ({kind.__name__}: {error}). Your work is kept; save it, "
            "and report the log file.",
            "error",
        )

    return hook


def log_qt_message(kind: QtMsgType, _context: object, text: str) -> None:
    """Qt's own warnings go to the log file instead of the terminal."""
    if kind in (QtMsgType.QtDebugMsg, QtMsgType.QtInfoMsg):
        return
    logging.getLogger("ridewright.qt").warning(text)


def own_settings() -> tuple[Settings, str]:
    """The settings of this person, and a sentence when they cannot be kept: a home that nothing can be written to."""
    folder, why = data_folder(), ""
    try:
        (folder / "recovery").mkdir(parents=True, exist_ok=True)
        for file in (settings_file(), folder / LOG):
            if file.exists() and not file.is_file():  # a pipe would keep the start waiting
                folder, why = file, "is no file but a folder, a pipe or a device"
    except OSError as error:
        why = because(error)
    if not why:
        return Settings(), ""
    place = Path(tempfile.mkdtemp(prefix="ridewright-"))
    return Settings(place), f"{folder}: {why}. Settings and recovery files are kept in {place} instead."


def keep_log(file: Path) -> None:
    """Write what goes wrong to a file, to stderr where that cannot be."""
    where: dict[str, Any] = {"filename": file}
    try:
        file.open("a", encoding="utf-8").close()
    except OSError:
        where = {}
    logging.basicConfig(level=logging.WARNING, format="%(asctime)s %(message)s", **where)


def start(arguments: list[str], fetched: Prefetch | None = None) -> tuple[QApplication, MainWindow]:
    """The application and its window on screen. fetched: the first project, being read meanwhile."""
    # While the solver's thread is busy in Python the window's gets its turn after this long, not after 5 ms.
    sys.setswitchinterval(SWITCH)
    application = make_application(arguments)
    settings, unkept = own_settings()
    keep_log(settings.folder / LOG)
    crashed = crashes.keep(settings.folder)
    application.aboutToQuit.connect(crashes.forget)
    qInstallMessageHandler(log_qt_message)
    theme.apply(application, settings.theme, settings.font_points)
    wanted = Path(arguments[1]) if len(arguments) > 1 else None
    KERNELS.hold()
    window, fault = make_window(settings, wanted, fetched)
    sys.excepthook = report_unexpected(window)
    window.show()

    collector = application.findChild(GarbageCollector, COLLECTOR)
    assert collector is not None
    collector.prepare()
    window.runner.warmed.connect(lambda _: collector.settle())

    def after_first_picture() -> None:
        if unkept:
            window.log(unkept, "warning")
        for dump in crashed:
            window.log(
                f"The studio died of a fault of its own; please report {dump}, which says where.", "error"
            )
        if fault:
            window.log(fault, "warning")
            dialogs.message(window, "The file was not opened", fault, bad=True)
        offer_recovery(window)
        if not settings.tour_seen:
            window.start_tour()
        elif settings.start_with == "page" and wanted is None and window.document.path is None:
            window.start.start_page()

    QTimer.singleShot(0, window, after_first_picture)
    # The picture comes first, then the ride through it, then what nobody waits for: of two threads that load something
    # each takes twice as long.
    window.viewer.filled.connect(KERNELS.release)
    window.viewer.filled.connect(
        lambda: QTimer.singleShot(SEEN, window, window.prepare), Qt.ConnectionType.SingleShotConnection
    )
    return application, window


def run(arguments: list[str], fetched: Prefetch | None = None) -> int:
    """Start the studio and stay until it is closed. fetched: the first project, being read meanwhile."""
    application, _window = start(arguments, fetched)
    return application.exec()
