"""How well the scene is drawn: levels, and the choice by measured frame time.

With "auto" a view begins low, goes up while pictures take little time, and comes down again when they take too long.
A processor that draws for want of a graphics card stays low: it would only stall on the shaders of the better levels.
When even low is too slow for a film, fewer pixels are drawn while a run is played, and stretched.
"""

from __future__ import annotations

from statistics import median
from typing import Final

from ..widgets.settings import Quality
from .surfaces import drawn_by_processor
from .view import SceneView

GOOD_FRAME = 0.022  # s a picture may take
SLOW_FRAME = 0.030  # s above which a level is given up
FRAMES = 12  # pictures measured before a level is changed; the first two do not count
NEEDED = {"low": 2.2, "medium": 2.0}  # room for a better level: FXAA doubles a picture, four samples again
BETTER = {"low": "medium", "medium": "high"}
WORSE = {"high": "medium", "medium": "low"}
PIXELS: Final = (1.0, 0.8, 0.65, 0.5)  # shares of the pixels across while playing


class QualityKeeper:
    """Sets the level of a view: the one asked for, or with "auto" the best one there is time for."""

    def __init__(self, view: SceneView) -> None:
        self._view = view
        self._auto = False
        self._tries = 0
        self._best = "high"  # the best level "auto" may still try
        self._playing = False
        self._share = 0  # of PIXELS while playing

    def use(self, wanted: Quality) -> None:
        """Take the level a person chose; "auto" begins low and goes up while there is room."""
        self._auto = wanted == "auto"
        self._tries = 0
        self._best = "high"
        self._set("low" if self._auto else wanted)

    def play(self, playing: bool) -> None:
        """A run begins to be played, or stops: then all pixels are drawn again."""
        self._playing = playing
        self._view.frame_times.clear()
        self._use_pixels()

    def after_frame(self) -> bool:
        """Look at the times of the pictures so far; True when the level has changed and meshes are to be rebuilt."""
        times = self._view.frame_times
        if not self._auto or len(times) < FRAMES:
            return False
        taken, level = max(median(list(times)[2:]), 1e-4), self._view.scene.quality
        if self._playing and taken > SLOW_FRAME:
            if level in WORSE:
                self._best = WORSE[level]
                self._set(WORSE[level])
                return True
            if self._share + 1 < len(PIXELS):
                self._share += 1
                self._use_pixels()
                times.clear()
            return False
        if self._tries >= len(BETTER) or level not in BETTER or level == self._best or drawn_by_processor():
            return False
        self._tries += 1
        if GOOD_FRAME / taken <= NEEDED[level]:
            return False
        self._set(BETTER[level])
        return True

    def _use_pixels(self) -> None:
        self._view.draw_fewer(PIXELS[self._share] if self._playing and self._auto else 1.0)

    def _set(self, level: str) -> None:
        self._view.scene.draw_as(level)
        self._view.refines = self._auto and level == "low"
        self._view.frame_times.clear()
