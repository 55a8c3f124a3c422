"""Which workspace the window shows: by choice, or by what is done; arranged freely, kept, added, renamed, removed."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace

from PySide6.QtCore import QByteArray, QObject, Signal
from PySide6.QtWidgets import QDockWidget

from ..widgets.settings import Settings
from .arrangement import Arrangement
from .panel_sizes import PanelSizes
from .panels import AREAS, PanelName
from .workspaces import Workspace, bundled

NOW, OWN, PANELS = "workspaces/now", "workspaces/own", "workspaces/panels"
MAX_OWN = 20
LONGEST = 24  # letters of a title


class Workspaces(QObject):
    """Switches between workspaces. shown(Workspace): another one is there; listed(): there are others than before;
    visited(Workspace, Workspace): what was done led from the second one to the first."""

    shown = Signal(object)
    listed = Signal()
    visited = Signal(object, object)

    def __init__(
        self,
        docks: Mapping[PanelName, QDockWidget],
        arrangement: Arrangement,
        sizes: PanelSizes,
        settings: Settings,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._docks, self._arrangement, self._sizes, self._settings = docks, arrangement, sizes, settings
        self._known = {one.id: one for one in (*bundled(), *self._own())}
        self._bundled = frozenset(one.id for one in bundled())
        self._left: dict[str, tuple[QByteArray, tuple[str, ...]]] = {}  # as they were left
        for key in self._known:
            state = settings.workspace_layout(key)
            kept = settings.value(f"{PANELS}/{key}").split()
            shown = tuple(name for name in kept if name in docks)
            if state is not None and shown:
                self._left[key] = state, shown
        self._before = ""  # the workspace that something led away from
        self._now = next(iter(self._known))

    # -- which there are

    @property
    def every(self) -> tuple[Workspace, ...]:
        """All workspaces in the order of the bar."""
        return tuple(self._known.values())

    @property
    def now(self) -> Workspace:
        """The one that is shown."""
        return self._known[self._now]

    def is_own(self, key: str) -> bool:
        """Whether a person has made it."""
        return key not in self._bundled

    def panels_of(self, key: str) -> tuple[str, ...]:
        """The panels that stand in a workspace, as it is or was left."""
        if key == self._now:
            return self._arrangement.shown
        return self._left[key][1] if key in self._left else self._known[key].panels

    # -- switching

    def begin(self) -> None:
        """Show the workspace that was shown last."""
        last = self._settings.value(NOW)
        self._show(last if last in self._known else self._now)

    def go(self, key: str) -> None:
        """Show a workspace because a person wants it."""
        self._before = ""
        self._switch(key)

    def visit(self, key: str) -> None:
        """Show a workspace because of what was done: `back` leads to where that was."""
        if key == self._now or key not in self._known:
            return
        before = self.now
        self._switch(key)
        self._before = before.id
        self.visited.emit(self.now, before)

    def back(self) -> bool:
        """Go back to where something led away from; False where nothing did."""
        key, self._before = self._before, ""
        if key not in self._known:
            return False
        self._switch(key)
        return True

    def show_panel(self, name: PanelName) -> None:
        """Bring a panel to the front: here if it stands here, else in the workspace that has it."""
        dock = self._docks[name]
        if name not in self.panels_of(self._now):
            home = self.home_of(name)
            if home is None:
                self._arrangement.join(name, AREAS[name])
            else:
                self.visit(home)
        dock.show()
        dock.raise_()
        self._sizes.in_front(dock)
        self._sizes.open_for(dock)

    def home_of(self, name: PanelName) -> str | None:
        """The workspace that has a panel: one where it stands in front, else the first; None where none has it."""
        having = [one for one in self.every if name in self.panels_of(one.id)]
        return next((one.id for one in (*(o for o in having if name in o.in_front), *having)), None)

    def add_here(self, name: PanelName, on: bool) -> None:
        """Let a panel stand in the workspace that is shown, or not any more."""
        if on:
            self._arrangement.join(name, AREAS[name])
            self._sizes.open_for(self._docks[name])
        else:
            self._docks[name].hide()

    def _switch(self, key: str) -> None:
        if key not in self._known or key == self._now:
            return
        self._leave()
        self._show(key)

    def _leave(self) -> None:
        self._left[self._now] = self._arrangement.state(), self._arrangement.shown

    def _show(self, key: str) -> None:
        self._now, workspace = key, self._known[key]
        left = self._left.get(key)
        kept = left is not None and self._arrangement.take(*left)
        if not kept:
            self._arrangement.put(workspace.beside, workspace.below)
        self._sizes.use(workspace, even=not kept)
        self._sizes.apply()
        self._sizes.soon()
        self.shown.emit(workspace)

    # -- as they were, and own ones

    def reset(self) -> None:
        """Put every panel of the workspace that is shown back in its place."""
        self._left.pop(self._now, None)
        self._sizes.forget()
        self._show(self._now)

    def reset_all(self) -> None:
        """Every workspace is as it first was, and the first one is shown."""
        for key in self._known:
            self._sizes.use(self._known[key], even=True)
            self._sizes.forget()
        self._left.clear()
        self._before = ""
        self._show(next(iter(self._known)))

    def add(self, title: str) -> None:
        """Make a workspace of one's own from what is shown, and go there."""
        taken = {one.id for one in self.every}
        key = next(k for k in (f"own-{n}" for n in range(1, MAX_OWN + len(taken) + 2)) if k not in taken)
        self._leave()
        self._known[key] = replace(self.now, id=key, title=title[:LONGEST], order=1000.0)
        self._left[key] = self._left[self._now]
        self._keep_own()
        self._before = ""
        self._show(key)
        self.listed.emit()

    def rename(self, key: str, title: str) -> None:
        """Call a workspace of one's own something else."""
        if self.is_own(key) and title:
            self._known[key] = replace(self._known[key], title=title[:LONGEST])
            self._keep_own()
            self.listed.emit()

    def remove(self, key: str) -> None:
        """Remove a workspace of one's own."""
        if not self.is_own(key):
            return
        if key == self._now:
            self.go(next(iter(self._known)))
        del self._known[key]
        self._left.pop(key, None)
        self._settings.forget_workspace(key)
        self._settings.set_value(f"{PANELS}/{key}", "")
        self._keep_own()
        self.listed.emit()

    @property
    def full(self) -> bool:
        """Whether there is no room for another one of one's own."""
        return sum(self.is_own(one.id) for one in self.every) >= MAX_OWN

    def _keep_own(self) -> None:
        own = [[o.id, o.title, self._like(o)] for o in self.every if self.is_own(o.id)]
        self._settings.set_value(OWN, json.dumps(own))

    def _like(self, own: Workspace) -> str:
        """The bundled workspace that one of one's own has view and tools of."""
        same = (one.id for one in bundled() if one.about == own.about)
        return next(same, next(iter(self._bundled)))

    def _own(self) -> list[Workspace]:
        """The workspaces a person has made; what a damaged file holds instead is passed over."""
        like = {one.id: one for one in bundled()}
        try:
            kept = json.loads(self._settings.value(OWN) or "[]")
            found = [(str(key), str(title)[:LONGEST], str(base)) for key, title, base in kept]
        except (ValueError, TypeError):
            return []
        return [
            replace(like[base], id=key, title=title, order=1000.0)
            for key, title, base in found[:MAX_OWN]
            if base in like and key.startswith("own-") and title.strip()
        ]

    def keep(self) -> None:
        """Write everything to the settings."""
        self._leave()
        self._settings.set_value(NOW, self._now)
        for key, (state, shown) in self._left.items():
            self._settings.set_workspace_layout(key, state)
            self._settings.set_value(f"{PANELS}/{key}", " ".join(shown))
