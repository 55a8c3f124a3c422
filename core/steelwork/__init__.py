"""The steel of a track and its supports: a frame of beams made of both, and what trains do to it."""
