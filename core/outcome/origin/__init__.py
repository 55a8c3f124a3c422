"""Where a peak comes from: the track, the speed and the suspension at its moment, and what would change it."""

from .moment import Origin, SpringState, explain
from .sensitivity import Effect, Sensitivity, sensitivity

__all__ = ["Effect", "Origin", "Sensitivity", "SpringState", "explain", "sensitivity"]
