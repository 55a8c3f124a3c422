"""The studio: a Qt program around core. One Document holds the project, everything on screen redraws from it."""
