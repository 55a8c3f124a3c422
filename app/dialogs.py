"""Questions and messages: one place for their looks and for tests to answer them."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from PySide6.QtWidgets import QFileDialog, QMessageBox, QWidget

PROJECTS = "Ridewright projects (*.ridewright)"
RESULTS = "Ridewright results (*.h5)"


def message(parent: QWidget, title: str, text: str, *, bad: bool = False) -> None:
    """Tell something and wait for OK."""
    box = QMessageBox(parent)
    box.setIcon(QMessageBox.Icon.Warning if bad else QMessageBox.Icon.Information)
    box.setWindowTitle("Ridewright")
    box.setText(f"<b>{title}</b>")
    box.setInformativeText(text)
    box.exec()
    box.deleteLater()


def ask_to_save(parent: QWidget, name: str) -> Literal["save", "discard", "cancel"]:
    """Ask what to do with work that is not saved."""
    buttons = QMessageBox.StandardButton
    box = QMessageBox(parent)
    box.setIcon(QMessageBox.Icon.Question)
    box.setWindowTitle("Ridewright")
    box.setText(f"<b>Save the changes to “{name}”?</b>")
    box.setInformativeText("What is not saved is lost.")
    box.setStandardButtons(buttons.Save | buttons.Discard | buttons.Cancel)
    box.setDefaultButton(buttons.Save)
    answer = box.exec()
    box.deleteLater()
    if answer == buttons.Save:
        return "save"
    return "discard" if answer == buttons.Discard else "cancel"


def ask(parent: QWidget, title: str, text: str, yes: str, no: str) -> bool:
    """Ask a question with two answers; `yes` is the default."""
    box = QMessageBox(parent)
    box.setIcon(QMessageBox.Icon.Question)
    box.setWindowTitle("Ridewright")
    box.setText(f"<b>{title}</b>")
    box.setInformativeText(text)
    accept = box.addButton(yes, QMessageBox.ButtonRole.AcceptRole)
    box.addButton(no, QMessageBox.ButtonRole.RejectRole)
    box.setDefaultButton(accept)
    box.exec()
    chosen = box.clickedButton() is accept
    box.deleteLater()
    return chosen


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
