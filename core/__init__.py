"""Ridewright without a window: track, multibody dynamics, injury."""

from .jit.cache import use_own_cache

use_own_cache()
