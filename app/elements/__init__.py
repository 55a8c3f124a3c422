"""Inserting pieces of track and working with the list of sections."""
