"""Measured rides: read, turned into rider axes, judged like a simulated one and laid over it."""
