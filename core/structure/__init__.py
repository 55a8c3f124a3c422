"""Linear structures: models of finite elements, beams, ties to interface frames, reduction."""
