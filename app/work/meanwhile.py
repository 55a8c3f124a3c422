"""What takes a while, such as a large file, beside the window, which is drawn meanwhile."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from PySide6.QtCore import QEventLoop, Qt
from PySide6.QtGui import QGuiApplication

from ...core.base.errors import InputError
from .task import Task

T = TypeVar("T")
_works: list[Task] = []


def under_way() -> bool:
    """Whether something is waited for: a window that closes now would be gone when it comes."""
    return bool(_works)


def meanwhile(work: Callable[[], T], *, failing: str) -> T:
    """What some work gives, done in a thread; what a person does waits for its end.

    Raises InputError as the work does; failing: what the sentence about any other exception begins with.
    """
    task = Task("meanwhile", lambda _asked, _reporter: work(), failing=failing)
    loop, found, faults = QEventLoop(), list[T](), list[InputError]()
    task.finished.connect(found.append)
    task.refused.connect(faults.append)
    for ended in (task.finished, task.refused):
        ended.connect(lambda _: loop.quit())
    QGuiApplication.setOverrideCursor(Qt.CursorShape.WaitCursor)
    _works.append(task)
    try:
        task.ask()
        loop.exec(QEventLoop.ProcessEventsFlag.ExcludeUserInputEvents)
    finally:
        _works.remove(task)
        QGuiApplication.restoreOverrideCursor()
        task.close()
    if faults:
        raise faults[0]
    return found[0]
