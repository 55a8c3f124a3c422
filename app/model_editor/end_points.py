"""The point on a body of something that joins two, taken from the other body or from the 3D view."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtWidgets import QMenu

from ...core.base.errors import InputError
from ...core.design.end_points import point_of_other_end
from ...core.edits.elements import element_at, set_element
from ...core.project.project import Project
from ..document.document import Document
from ..widgets import units
from .page import Field

Ask = Callable[[str, Callable[[Any, Any], None]], None]


def fill_point_menu(
    menu: QMenu, document: Document, field: Field, tell: Callable[[str], None], ask: Ask
) -> None:
    """Put the ways to take the point of the selected joint or force element into a menu.

    tell: says why a point is refused. ask(words, taken): has a place clicked; taken(place, local) gets it, (3,) m, and
    what makes a point on a body of it.
    """
    kind, path = document.selection.kind, document.selection.path

    def apply(edit: Callable[[Project], Project]) -> None:
        try:
            document.apply(field.step, edit(document.project))
        except InputError as error:
            tell(units.told(error))

    def clicked(position: Any, local: Callable[[str, str, Any], Any]) -> None:
        """A joint gets the place in both bodies, which it holds together there, anything else in this one."""

        def edit(project: Project) -> Project:
            element = element_at(project, kind, path)
            ends = "ij" if kind == "joint" else field.end
            points = {
                f"point_{e}": local("/".join(path), getattr(element, f"body_{e}"), position) for e in ends
            }
            return set_element(project, kind, path, points)

        apply(edit)

    other = menu.addAction("Where it is drawn on the other body")
    end: Any = field.end
    other.triggered.connect(lambda: apply(lambda p: point_of_other_end(p, document.built(), kind, path, end)))
    words = f"Click the {field.spec.title.lower()} of {path[-1]}; Escape ends it."
    menu.addAction("Click it in the 3D view").triggered.connect(lambda: ask(words, clicked))
