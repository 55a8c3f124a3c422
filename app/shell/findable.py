"""What the command search finds: every entry of the menus, what can be added to the model, and the guide's chapters."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial

from PySide6.QtGui import QAction, QIcon, QKeySequence
from PySide6.QtWidgets import QMenu

from ..document.document import Document
from ..model_editor.tree_edits import additions
from ..model_editor.tree_nodes import Node
from ..widgets.icons import icon
from .guide import pages, title

_HEADING = re.compile(r"^#+ ", re.MULTILINE)


@dataclass(frozen=True)
class Findable:
    """One thing that can be done, inserted, opened or read: its name, where it stands, a sentence on it, and `also`
    what it is found by."""

    text: str
    place: str
    tip: str
    do: Callable[[], object]
    icon: QIcon
    keys: str = ""
    enabled: bool = True
    also: str = ""
    read: bool = False  # comes after what can be done


def findable(
    menus: Iterable[QMenu],
    document: Document,
    add: Callable[[Callable[[], object]], object],
    read: Callable[[str, str], object],
) -> list[Findable]:
    """All there is to find now. add: adds what a function makes to the model; read: opens a page of the guide."""
    entries = [entry for menu in menus for entry in _entries(menu, menu.title())]
    return [*entries, *_additions(document, add), *_chapters(read)]


def _entries(menu: QMenu, place: str) -> Iterator[Findable]:
    menu.aboutToShow.emit()  # some are filled only then
    for action in menu.actions():
        inner = action.menu()
        if isinstance(inner, QMenu):
            yield from _entries(inner, f"{place} › {action.text()}".replace("&", ""))
        elif not action.isSeparator() and action.text():
            yield _entry(action, place.replace("&", ""))


def _entry(action: QAction, place: str) -> Findable:
    text, _, line = action.text().replace("&&", "&").partition("\t")
    keys = action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
    return Findable(
        text, place, line or action.toolTip(), action.trigger, action.icon(), keys, action.isEnabled()
    )


def _additions(document: Document, add: Callable[[Callable[[], object]], object]) -> Iterator[Findable]:
    """What can be added to the train or rig, or to that part of it which is selected."""
    whole = document.project.assembly
    if whole is None:
        return
    selection = document.selection
    owner = selection.path if selection.kind == "assembly" else ()
    node = Node(key=("assembly", *owner), text=owner[-1] if owner else whole.name, icon="", owner=owner)
    for entry in additions(document, node):
        place = f"Model › {node.text}"
        yield Findable(
            entry.text, place, entry.tip or f"{entry.text} to {node.text}.",
            partial(add, entry.do), icon(entry.icon),
        )  # fmt: skip


def _chapters(read: Callable[[str, str], object]) -> Iterator[Findable]:
    picture = icon("help")
    for page in pages():
        name = title(page)
        for chapter in _HEADING.split(page.read_text(encoding="utf-8"))[1:]:
            heading, _, text = chapter.partition("\n")
            yield Findable(
                heading.strip(), "Guide" if heading.strip() == name else f"Guide › {name}",
                "Read this chapter of the user guide.",
                partial(read, page.stem, heading.strip()), picture,
                    also=text, read=True,
            )  # fmt: skip
