"""The commands of `ridewright`, one file each."""

from core.cli.program import main

__all__ = ["main"]
