"""What a design tool works with."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtWidgets import QWidget

from ..document.document import Document
from ..view3d.panel import ViewerPanel
from ..widgets.settings import Settings


@dataclass(frozen=True)
class Workbench:
    """The document, the view that proposals are drawn in, the window that tools stand beside, where to tell of them."""

    document: Document
    settings: Settings
    viewer: ViewerPanel
    parent: QWidget
    log: Callable[[str], object]
