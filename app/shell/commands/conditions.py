"""The conditions under which actions are enabled, and what is said while they are not."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from ....core.edits.closing import closing_piece
from ....core.project.scenario import Ride
from ...document.selection import SelectionKind
from ..studio import Studio


@dataclass(frozen=True)
class Condition:
    """When an action is enabled, and the sentence shown while it is not."""

    holds: Callable[[Studio], bool]
    why_not: str


def _selected(*kinds: SelectionKind) -> Callable[[Studio], bool]:
    return lambda studio: studio.document.selection.kind in kinds


ALWAYS: Final = Condition(lambda _: True, "")
CAN_UNDO: Final = Condition(lambda s: s.document.undo_stack.canUndo(), "There is no step to undo.")
CAN_REDO: Final = Condition(lambda s: s.document.undo_stack.canRedo(), "There is no step to do again.")
TRACK: Final = Condition(lambda s: s.document.project.track is not None, "The project has no track.")
OPEN_TRACK: Final = Condition(
    lambda s: s.document.project.track is not None and not s.document.project.track.closed,
    "The track is a closed circuit or there is none; Track > Closed circuit opens it.",
)
TO_CLOSE: Final = Condition(
    lambda s: (
        s.document.project.track is not None
        and (not s.document.project.track.closed or closing_piece(s.document.project.track) != ())
    ),
    "The track is a circuit without a closing piece, or there is none; Track > Closed circuit opens it.",
)
CARS: Final = Condition(
    lambda s: isinstance(s.document.project.scenario, Ride),
    "A test rig has no train; a car can stand on one as a part.",
)
TRAIN: Final = Condition(lambda s: s.document.project.train is not None, "The project has no train.")
MODEL: Final = Condition(
    lambda s: s.document.project.assembly is not None, "The project has neither a train nor a rig."
)
BODY: Final = Condition(_selected("body"), "Select a body first.")
POINTS: Final = Condition(_selected("points"), "Select control points of the track first.")
SECTION: Final = Condition(_selected("points", "section"), "Select a section or control points first.")
SELECTED: Final = Condition(lambda s: s.document.selection.kind != "none", "Select something first.")
ON_SECTION: Final = Condition(
    lambda s: (
        s.document.project.track is not None
        and s.document.selection.kind in ("points", "section", "device", "place")
    ),
    "Select a section first.",
)
RUNNING: Final = Condition(lambda s: s.runner.running, "Nothing is running.")
HAS_RUN: Final = Condition(lambda s: s.document.current_run is not None, "Run the project first (F5).")
REMOVED: Final = Condition(lambda s: s.document.removed is not None, "No run was removed.")
RIDDEN: Final = Condition(
    lambda s: s.document.current_run is not None and s.document.current_run.measured is None,
    "Run the project first (F5), or show a run that is not measured.",
)
