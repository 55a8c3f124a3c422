"""Pictures of every workspace, and what share of the window the 3D view has in each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from tools.screenshots import Photographer

SIZES: Final = ((1024, 700), (1280, 800), (1600, 900), (2560, 1440))
PEAK = 0.2  # of the ride: where the loop of the Looping Star is


def every_workspace(it: Photographer, size: tuple[int, int], ending: str) -> None:
    """One picture for each workspace of the shown run at a size (px)."""
    w = it.window
    w.resize(*size)
    w.playback.seek(PEAK * w.playback.duration)
    for one in w.workspaces.every:
        w.workspaces.go(one.id)
        it.shoot(f"workspace_{one.id}{ending}")
        view = w.viewer
        over = sum(x.width() * x.height() for x in view.over.shown()) / (view.width() * view.height())
        share = view.width() * view.height() / (w.width() * w.height())
        print(f"  view {view.width()} x {view.height()}: {share:.0%} of the window, {over:.1%} of it covered")
    w.workspaces.go(w.workspaces.every[0].id)
