"""The points of a belt as rows: added, typed, taken back, and drawn as a line in 3D."""

from __future__ import annotations

from mouse_and_keyboard import LEFT, _until, settle
from PySide6.QtTest import QTest

from ridewright.app.document.selection import Selection
from ridewright.app.model_editor.structure_panel import StructurePanel
from ridewright.app.shell.main_window import MainWindow
from ridewright.core.edits import elements
from ridewright.core.edits.new_elements import new_force
from ridewright.core.project.examples import load_example


def test_that_points_are_rows_of_the_panel_and_segments_stand_in_the_view(studio: MainWindow) -> None:
    project = load_example("double_pendulum")
    assert project.assembly is not None
    project, path = elements.add_element(project, "force", (), new_force(project.assembly, "belt"))
    studio.document.start_from(project)
    studio.show_panel("structure")
    panel = studio.panels["structure"]
    assert isinstance(panel, StructurePanel)

    def belt() -> object:
        return elements.element_at(studio.document.project, "force", path)

    def shown() -> None:
        settle()
        assert _until(lambda: not panel._soon.due, 10.0)
        settle()

    studio.document.select(Selection("force", path))
    shown()
    assert [panel.tabs.tabText(k) for k in range(panel.tabs.count())] == ["Lies over 0"]
    lines = len(studio.viewer.scene.train._springs)
    QTest.mouseClick(panel.buttons["add"], LEFT)
    shown()
    (point,) = belt().over  # type: ignore[attr-defined]
    assert point.body not in (belt().body_i, belt().body_j)  # type: ignore[attr-defined]
    assert panel.model.rowCount() == 1
    assert panel.model.columnCount() == 5
    assert _until(lambda: len(studio.viewer.scene.train._springs) == lines + 1, 10.0)
    studio.document.undo_stack.undo()
    shown()
    assert belt().over == ()  # type: ignore[attr-defined]
