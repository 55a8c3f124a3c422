"""What a workspace is: which panels stand where, what the view shows and how, and which tools are at hand."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from ...view3d.cameras import Mode
from ...view3d.framing import Subject
from ..commands.declared import Action
from ..panels import PanelName

Groups = tuple[tuple[PanelName, ...], ...]
LARGE_VIEW: Final = 0.6  # of the window's area, where shape, train, rider or structure are worked on


@dataclass(frozen=True)
class Workspace:
    """The arrangement for one task, as it is before anybody changes it.

    about: one sentence. beside: groups of panels in the column beside the view, from the top; below: those below the
    view, from the left; the panels of a group are tabs, the first in front. upper: share of the column for its first
    group. Shares are of the window's width and
    height. min_view: share of the window's area that the view keeps; where that leaves too little room for the panels
    below, they are folded to their tabs. camera, subject: how the view begins and what it frames; colour: by what the
    track is coloured at first, "" for what was chosen last. timeline: the strip under the view has a line of its own
    for the time. tools: what the tool bar has besides what it always has.
    """

    id: str
    title: str
    about: str
    order: float
    beside: Groups = ()
    below: Groups = ()
    upper: float = 0.42
    beside_share: float = 0.26
    below_share: float = 0.36
    min_view: float = 0.0
    camera: Mode = "orbit"
    subject: Subject = "everything"
    colour: str = ""
    timeline: bool = False
    tools: tuple[Action[Any, Any], ...] = ()

    @property
    def panels(self) -> tuple[PanelName, ...]:
        """Every panel that stands here."""
        return tuple(name for group in (*self.beside, *self.below) for name in group)

    @property
    def in_front(self) -> tuple[PanelName, ...]:
        """The panels that are seen first."""
        return tuple(group[0] for group in (*self.beside, *self.below))
