"""Limit tables (JSON) with their sources; read through core.injury.limits.load_limits."""
