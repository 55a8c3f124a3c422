"""Ridewright without a window: track, multibody dynamics, injury."""

from core.kernel_cache import use_own_cache

use_own_cache()
