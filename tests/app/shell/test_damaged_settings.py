"""Each setting that the program reads holds something else than it wrote: the studio opens and works all the same."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

import pytest
from kept_window import close, first_shown
from PySide6.QtCore import QByteArray, QSettings
from PySide6.QtWidgets import QApplication

from ridewright.app.shell.application import make_window
from ridewright.app.shell.main_window import MainWindow
from ridewright.app.shell.preferences import Preferences
from ridewright.app.widgets.settings import Settings

HOSTILE = {
    "text": "abc, <b>x</b>",
    "number": "nan",
    "huge": "-1e400",
    "empty": "",
    "long": "x" * 10_000,
    "list": ["../../etc", "", "1", "x" * 5000],
    "bytes": QByteArray(b"\x00\xff\xfe garbage"),
    "variant": {"a": [1, None]},
    "path": "/dev/zero",
}


@pytest.fixture
def raised(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What was raised in a slot or an event, where Qt only prints it."""
    found: list[str] = []
    monkeypatch.setattr("sys.excepthook", lambda _kind, value, _trace: found.append(repr(value)))
    return found


def _used(window: MainWindow) -> None:
    """Every panel, the preferences and the start page, looked at."""
    for name in window.docks:
        window.show_panel(name)
        QApplication.processEvents()
    for name, kind in vars(Settings).items():
        if isinstance(kind, property):
            getattr(window.settings, name)
    window.document.apply("Note", window.document.project.model_copy(update={"notes": "mine"}))
    for made in (Preferences(window.settings, window), window.start.make_page()):
        made.show()
        QApplication.processEvents()
        made.close()
    window.reset_layout()
    QApplication.processEvents()


def _opened(folder: Path, qtbot: object) -> None:
    window, _ = make_window(Settings(folder))
    first_shown(window, qtbot)
    _used(window)
    close(window)


class Listening(QSettings):
    """Settings that know what they were asked for."""

    asked: ClassVar[set[str]] = set()

    def value(self, key: str, *rest: object, **named: object) -> object:
        self.asked.add(key)
        return super().value(key, *rest, **named)


@pytest.fixture(scope="module")
def known() -> set[str]:
    """Names of all settings that the program asks for, once they have been found."""
    return set()


@pytest.mark.nightly
@pytest.mark.parametrize("name", HOSTILE)
def test_that_any_setting_may_hold_anything(
    no_window, qtbot, tmp_path, unexpected, raised, known, monkeypatch, name
) -> None:
    if not known:
        monkeypatch.setattr("ridewright.app.widgets.settings.QSettings", Listening)
        _opened(tmp_path / "first", qtbot)
        monkeypatch.undo()
        known |= Listening.asked
        assert len(known) > 30
    store = QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat)
    for key in known:
        store.setValue(key, HOSTILE[name])
    store.sync()
    _opened(tmp_path, qtbot)
    assert raised == []
