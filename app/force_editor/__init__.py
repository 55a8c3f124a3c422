"""Force-vector sections as keyed curves on a timeline."""
