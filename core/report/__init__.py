"""The report of a run: one typed content, printed as PDF, HTML, CSV and JSON."""
