"""How deep two convex surfaces lie in one another, or how far they are apart: kernels that know no mechanism."""
