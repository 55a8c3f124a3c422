"""Curvature programs: how every element section becomes a piece of the centreline."""
