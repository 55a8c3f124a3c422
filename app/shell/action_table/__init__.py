"""The one table of what a person can do: menus, tool bar, shortcuts and the command search are built from it."""

from __future__ import annotations

from typing import Final

from ridewright.app.shell.action_table.design import DESIGN
from ridewright.app.shell.action_table.document import DOCUMENT
from ridewright.app.shell.action_table.ride import RIDE
from ridewright.app.shell.action_table.spec import Spec

MENUS: Final = ("File", "Edit", "View", "Track", "Train", "Run", "Results", "Help")
ACTIONS: Final[tuple[Spec, ...]] = (*DOCUMENT, *DESIGN, *RIDE)
