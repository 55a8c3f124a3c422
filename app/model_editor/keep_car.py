"""A car saved to the user's library, from the tree or the menu."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from ...core.edits.elements import assembly_at
from ...core.model.own_library import own_folder, save_car
from ..document.document import Document
from ..widgets import dialogs
from .adding import carried_out


def keep_car(parent: QWidget, document: Document, path: tuple[str, ...]) -> str | None:
    """Ask for a title and save the car at a path without its riders; its key, or None when nothing was saved."""
    car = assembly_at(document.project, path)
    title = dialogs.ask_text(
        parent,
        "Save to my library",
        f"Saved in {own_folder()}, without riders. Title:",
        f"{car.name} of {document.title}",
    )
    if title is None:
        return None
    saved: list[str] = []
    carried_out(
        parent, lambda: saved.append(save_car(car, title, f"From the project “{document.project.name}”."))
    )
    return saved[0] if saved else None
