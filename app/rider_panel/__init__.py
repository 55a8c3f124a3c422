"""The Rider panel: who a rider is, its segments, the limits of its joints."""
