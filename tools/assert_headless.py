"""Ends with an error when this environment holds a window, graphics or plotting library."""

import importlib.util
import sys

UNWANTED = (
    "PySide6", "PyQt6", "PyQt5", "qtpy", "vtk", "vtkmodules", "pyvista", "pyvistaqt", "pyqtgraph", "matplotlib",
)  # fmt: skip

found = [name for name in UNWANTED if importlib.util.find_spec(name) is not None]
if found:
    sys.exit(f"The headless environment holds {', '.join(found)}; remove .venv-headless and make it again.")
