"""People in hand: somebody who is dragged from a list onto a seat, as what a drag carries."""

from __future__ import annotations

from typing import Final

from pydantic import ValidationError
from PySide6.QtCore import QMimeData

from ...core.human.population import Named
from ...core.model.person import Person

MIME: Final = "application/x-ridewright-person"


def carried(somebody: Named) -> QMimeData:
    """What a drag of somebody carries."""
    data = QMimeData()
    text = somebody.person.model_dump_json(exclude_defaults=True)
    data.setData(MIME, f"{somebody.label}\n{text}".encode())
    return data


def carried_by(data: QMimeData) -> Named | None:
    """Who is dragged; None for anything else."""
    if not data.hasFormat(MIME):
        return None
    label, _, text = bytes(data.data(MIME).data()).decode(errors="replace").partition("\n")
    try:
        return Named(label, Person.model_validate_json(text))
    except ValidationError:
        return None
