"""The Studies panel: what is varied, the plan, the runs as they come, a plot, and any run taken over."""
