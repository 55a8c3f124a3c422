"""Questions and messages: one place for their looks and for tests to answer them."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import Literal

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QInputDialog,
    QListWidget,
    QMessageBox,
    QSplitter,
    QTextBrowser,
    QVBoxLayout,
    QWidget,
)

PROJECTS = "Ridewright projects (*.ridewright)"
RESULTS = "Ridewright results (*.h5)"


def _tell(box: QMessageBox, title: str, text: str) -> None:
    """Title and text as they are: names of projects and files may look like HTML."""
    box.setTextFormat(Qt.TextFormat.RichText)
    box.setText(f"<b>{escape(title)}</b>")
    box.setInformativeText("<br>".join(escape(line) for line in text.split("\n")))


def message(parent: QWidget, title: str, text: str, *, bad: bool = False) -> None:
    """Tell something and wait for OK."""
    box = QMessageBox(parent)
    box.setIcon(QMessageBox.Icon.Warning if bad else QMessageBox.Icon.Information)
    box.setWindowTitle("Ridewright")
    _tell(box, title, text)
    box.exec()
    box.deleteLater()


def ask_to_save(parent: QWidget, question: str) -> Literal["save", "discard", "cancel"]:
    """Ask what to do with work that is not saved."""
    buttons = QMessageBox.StandardButton
    box = QMessageBox(parent)
    box.setIcon(QMessageBox.Icon.Question)
    box.setWindowTitle("Ridewright")
    _tell(box, question, "What is not saved is lost.")
    box.setStandardButtons(buttons.Save | buttons.Discard | buttons.Cancel)
    box.setDefaultButton(buttons.Save)
    answer = box.exec()
    box.deleteLater()
    if answer == buttons.Save:
        return "save"
    return "discard" if answer == buttons.Discard else "cancel"


def ask(parent: QWidget, title: str, text: str, yes: str, no: str, later: str = "") -> bool | None:
    """Ask a question with two answers; `yes` is the default.

    later: a third answer, returned as None, for a `no` that cannot be taken back: closing the box means it then.
    """
    roles = QMessageBox.ButtonRole
    box = QMessageBox(parent)
    box.setIcon(QMessageBox.Icon.Question)
    box.setWindowTitle("Ridewright")
    _tell(box, title, text)
    accept = box.addButton(yes, roles.AcceptRole)
    refuse = box.addButton(no, roles.DestructiveRole if later else roles.RejectRole)
    if later:
        box.setEscapeButton(box.addButton(later, roles.RejectRole))
    box.setDefaultButton(accept)
    box.exec()
    chosen = box.clickedButton()
    box.deleteLater()
    if chosen is accept:
        return True
    return None if later and chosen is not refuse else False


def ask_which(parent: QWidget, title: str, text: str, answers: Sequence[str]) -> int | None:
    """Ask a question with several answers, the first of which is the default; None when it is closed without one."""
    box = QMessageBox(parent)
    box.setIcon(QMessageBox.Icon.Warning)
    box.setWindowTitle("Ridewright")
    _tell(box, title, text)
    buttons = [box.addButton(answer, QMessageBox.ButtonRole.ActionRole) for answer in answers]
    box.setEscapeButton(box.addButton("Later", QMessageBox.ButtonRole.RejectRole))
    box.setDefaultButton(buttons[0])
    box.exec()
    chosen = box.clickedButton()
    box.deleteLater()
    return buttons.index(chosen) if chosen in buttons else None


def ask_text(parent: QWidget, title: str, label: str, text: str) -> str | None:
    """Ask for a line of text; None when it is not given."""
    given, accepted = QInputDialog.getText(parent, title, label, text=text)
    return given.strip() if accepted and given.strip() else None


def file_to_open(parent: QWidget, title: str, folder: Path, kinds: str) -> Path | None:
    """Ask for a file that exists."""
    name, _ = QFileDialog.getOpenFileName(parent, title, str(folder), f"{kinds};;All files (*)")
    return Path(name) if name else None


def file_to_save(parent: QWidget, title: str, suggested: Path, kinds: str) -> Path | None:
    """Ask for a file to write; the ending of the suggestion is added when none was typed."""
    name, _ = QFileDialog.getSaveFileName(parent, title, str(suggested), f"{kinds};;All files (*)")
    if not name:
        return None
    path = Path(name)
    return path if path.suffix else path.with_suffix(suggested.suffix)


def choose(parent: QWidget, title: str, names: Sequence[str], details: Sequence[str]) -> int | None:
    """Ask for one of several things, each with a text about it; returns its number."""
    dialog = QDialog(parent)
    dialog.setWindowTitle(title)
    dialog.resize(560, 360)
    listed, about = QListWidget(), QTextBrowser()
    listed.addItems(list(names))
    listed.currentRowChanged.connect(
        lambda row: about.setPlainText(details[row]) if row >= 0 else about.clear()
    )
    listed.itemDoubleClicked.connect(lambda _: dialog.accept())
    listed.setCurrentRow(0)
    buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel)
    buttons.button(QDialogButtonBox.StandardButton.Ok).setText("Add")
    buttons.accepted.connect(dialog.accept)
    buttons.rejected.connect(dialog.reject)
    split = QSplitter()
    split.addWidget(listed)
    split.addWidget(about)
    split.setSizes([220, 340])
    layout = QVBoxLayout(dialog)
    layout.addWidget(split, 1)
    layout.addWidget(buttons)
    accepted = dialog.exec() == QDialog.DialogCode.Accepted
    row = listed.currentRow()
    dialog.deleteLater()
    return row if accepted and row >= 0 else None
