"""The textbook tracks: a ball on a plane curve, dragged with the mouse, and its energies."""
