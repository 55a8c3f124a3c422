"""Ridewright without a window: track, multibody dynamics, injury."""

import gc

from core.kernel_cache import use_own_cache

use_own_cache()

# What a start creates stays; to look through it for cycles at every 700 new objects would take a tenth of a second.
_often, *_seldom = gc.get_threshold()
if 0 < _often < 10_000:
    gc.set_threshold(10_000, *_seldom)
