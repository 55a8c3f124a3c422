"""A template and a format of one file each: the menus, the start page and the dialogs offer them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from mouse_and_keyboard import choose, settle
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QToolButton

from ridewright.app.shell.start_page import StartPage
from ridewright.app.tools.export_dialog import ExportDialog
from ridewright.app.tools.import_dialog import ImportDialog
from ridewright.app.widgets import dialogs
from ridewright.core import exchange
from ridewright.core.base.errors import InputError
from ridewright.core.edits import templates
from tests.one_file import exercise, standing_in

CLOCK = '''
"""A pendulum without passengers."""

from ridewright.core.base.fields import Positive, described
from ridewright.core.edits.templates.base import Parameters, Template, hinge, rig_project, tube
from ridewright.core.project.project import Project


class Clock(Parameters):
    """A tube that hangs from a hinge."""

    length: Positive = described(2.0, "Length", "Of the pendulum.", unit="m")

    def project(self) -> Project:
        top = (0.0, 0.0, self.length + 1.0)
        rod = tube("Rod", self.length, 0.005, 20.0, top)
        joints = (hinge("Hinge", None, rod, top),)
        return rig_project("Clock", "A pendulum.", self.duration, bodies=(rod,), joints=joints)


TEMPLATE = Template("clock", "Clock", "A tube that hangs", Clock)
'''


@pytest.fixture
def made_up(tmp_path: Path) -> Iterator[None]:
    with (
        standing_in(templates.__name__, templates.templates, tmp_path, "clock", CLOCK),
        standing_in(exchange.__name__, exchange.formats, tmp_path, "points", exercise("formats")),
    ):
        yield


@pytest.mark.new_window
def test_that_templates_and_formats_of_one_file_are_offered(
    made_up: None, studio, monkeypatch, tmp_path: Path, unexpected: list[str]
) -> None:
    monkeypatch.setattr(dialogs, "ask_to_save", lambda *_: "discard")
    track = studio.document.project.track
    choose(studio, "File", "Export track…")
    (dialog,) = studio.findChildren(ExportDialog)
    dialog.kind.setCurrentIndex(
        [dialog.kind.itemText(k) for k in range(dialog.kind.count())].index("List of points (.points)")
    )
    dialog.write(tmp_path / "there.points")
    assert "points about 1 m apart" in dialog.report.toPlainText()
    dialog.close()

    def accept() -> None:
        shown = QApplication.activeModalWidget()
        assert isinstance(shown, ImportDialog)
        assert shown.kind.currentText() == "List of points"
        assert "the roll is free" in shown.notes.toPlainText()
        assert not shown.heartline.isEnabled()
        assert shown.gauge.isEnabled()
        shown.take_button.click()

    QTimer.singleShot(100, accept)
    studio.files.take(tmp_path / "there.points")
    settle()
    assert studio.document.project.track.name == "there"
    assert track is not None

    choose(studio, "File", "Start page…")
    (page,) = [page for page in studio.findChildren(StartPage) if page.isVisible()]
    (button,) = [one for one in page.findChildren(QToolButton) if one.accessibleName() == "Clock"]
    button.click()
    settle()
    assert studio.document.project.name == "Clock"
    studio.files.new()
    choose(studio, "File", "New from template", "Clock")
    assert [body.name for body in studio.document.project.assembly.bodies] == ["Rod"]
    assert unexpected == []


def test_that_an_unknown_template_is_refused_with_those_there_are() -> None:
    with pytest.raises(
        InputError, match="no template 'clock'; choose double_arm, frisbee, looping_boat, pirate_ship"
    ):
        templates.ride_from("clock")
