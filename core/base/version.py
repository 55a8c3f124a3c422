"""The version of the program, in one place (pyproject reads it from here)."""

VERSION = "0.1.0"
