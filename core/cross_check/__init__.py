"""A second engine looks over ours: the same project ridden by another program, and both rides laid over one another."""
