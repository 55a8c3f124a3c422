"""Curves of runs over time or arc length, on the shared time cursor."""
