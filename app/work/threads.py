"""Worker threads that outlive whoever started them: destroying a thread that runs would abort the program."""

from __future__ import annotations

import atexit
import contextlib
import os
import sys
import threading

from PySide6.QtCore import QCoreApplication, QObject, Qt, QThread

KINDER = 5  # by what work beside the window is nicer than the window
_alive: dict[QThread, QObject] = {}
_told: list[QCoreApplication] = []  # applications that end the threads when they quit


def start(name: str, worker: QObject) -> QThread:
    """A started thread in which the slots of `worker` run; both are kept until `end`."""
    application = QCoreApplication.instance()
    if application is not None and application not in _told:
        _told.append(application)
        application.aboutToQuit.connect(_end_all)
    thread = QThread()
    thread.setObjectName(name)
    worker.moveToThread(thread)
    _alive[thread] = worker
    thread.started.connect(_give_way, Qt.ConnectionType.DirectConnection)
    thread.start(QThread.Priority.LowPriority)
    return thread


def _give_way() -> None:
    """In the thread: the window and what draws for it go first. Linux knows no priorities of Qt, but this."""
    if sys.platform == "linux":
        with contextlib.suppress(OSError):
            own = threading.get_native_id()
            os.setpriority(os.PRIO_PROCESS, own, min(19, os.getpriority(os.PRIO_PROCESS, own) + KINDER))


def end(thread: QThread) -> None:
    """Wait until the thread has finished what it does, and let it go; once is enough."""
    if thread not in _alive:
        return
    thread.quit()
    thread.wait()
    _alive.pop(thread, None)


def running() -> tuple[str, ...]:
    """Names of the threads that have not been ended."""
    return tuple(thread.objectName() for thread in _alive)


@atexit.register
def _end_all() -> None:
    for thread in tuple(_alive):
        end(thread)
