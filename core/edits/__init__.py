"""One pure function Project -> Project for each thing a person can do; nothing here keeps state."""
