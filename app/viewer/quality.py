"""How well the scene is drawn: levels, and the choice by measured frame time."""

from __future__ import annotations

from statistics import median

from app.settings import Quality
from app.viewer.view import SceneView

GOOD_FRAME = 0.022  # s a picture may take
FRAMES = 12  # pictures measured before a better level is tried; the first two do not count
NEEDED = {"low": 2.2, "medium": 2.0}  # room for a better level: FXAA doubles a picture, four samples again
BETTER = {"low": "medium", "medium": "high"}


class QualityKeeper:
    """Sets the level of a view: the one asked for, or with "auto" the best one there is time for."""

    def __init__(self, view: SceneView) -> None:
        self._view = view
        self._auto = False
        self._tries = 0

    def use(self, wanted: Quality) -> None:
        """Take the level a person chose; "auto" begins low and goes up while there is room."""
        self._auto = wanted == "auto"
        self._tries = 0
        self._set("low" if self._auto else wanted)

    def after_frame(self) -> bool:
        """Look at the times of the pictures so far; True when the level has changed and meshes are to be rebuilt."""
        times = self._view.frame_times
        level = self._view.scene.quality
        if not self._auto or self._tries >= len(BETTER) or len(times) < FRAMES or level not in BETTER:
            return False
        self._tries += 1
        if GOOD_FRAME / max(median(list(times)[2:]), 1e-4) <= NEEDED[level]:
            return False
        self._set(BETTER[level])
        return True

    def _set(self, level: str) -> None:
        self._view.scene.quality = level
        self._view.ren_win.SetMultiSamples(4 if level == "high" else 0)
        self._view.renderer.SetUseFXAA(level == "medium")
        self._view.frame_times.clear()
