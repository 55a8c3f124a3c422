"""The parts of the report, each from the run to a section of the document."""
