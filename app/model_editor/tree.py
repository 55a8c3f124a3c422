"""The project tree: track, train, scenario and runs, with what is wrong marked; add, delete, rename, drag."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from PySide6.QtCore import QEvent, QPoint, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QIcon, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QMenu, QTreeWidgetItem, QVBoxLayout, QWidget

from ...core.project.project import Project
from ..document.document import Document, Run
from ..document.playback import Playback
from ..document.selection import MANY, NOTHING, Selection
from ..elements.menus import fill_devices, fill_elements
from ..widgets import dialogs, icons, theme, units
from ..widgets.plain_words import plain_tip
from ..widgets.settings import Settings
from . import tree_edits
from .adding import AddButton, can_add, carried_out, fill_additions, node_of
from .keep_car import keep_car
from .tree_names import NameDelegate
from .tree_nodes import Node, first_about, project_nodes, with_above
from .tree_rows import NAME, ROLE, TreeRows, row_of

NOTE = 1
MARKS = {"error": "bad", "warning": "warn", "note": "muted"}
AFTER_RUN = 40  # ms, in which the picture of a run that has arrived is drawn
AT_ONCE = 500  # rows; of more those inside are made when what holds them is opened
OPEN_AT_FIRST = (("track",), ("assembly",), ("runs",))


class ProjectTree(QWidget):
    """Panel "Project". insert_wanted(id), device_wanted(id): of a piece of track chosen in a context menu, for the
    selected section."""

    insert_wanted = Signal(str)
    device_wanted = Signal(str)

    def __init__(
        self, document: Document, playback: Playback, settings: Settings, parent: QWidget | None = None
    ) -> None:
        """playback, settings: not used, so that all panels are made alike."""
        super().__init__(parent)
        self._document = document
        self._nodes: tuple[Node, ...] = ()
        self._of_project: tuple[Project, tuple[Node, ...]] | None = None
        self._known: dict[
            tuple[str, ...], tuple[Node, tuple[str, ...] | None]
        ] = {}  # all, with what holds them
        self._items: dict[tuple[str, ...], QTreeWidgetItem] = {}
        self._marks: dict[tuple[str, ...], tuple[str, tuple[str, ...]]] = {}  # worst problem, and texts
        self._filling = False
        self._subject = ""
        self._on_top: tuple[str, ...] = ()  # the row on top, until somebody scrolls or selects
        self.tree = TreeRows(self, self)
        self._prepare_tree()
        self.add = AddButton(self._fill_add, self)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.add)
        layout.addWidget(self.tree)
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.setInterval(0)
        self._soon.timeout.connect(self.refresh)
        document.project_changed.connect(self._now)
        for signal in (document.runs_changed, document.problems_changed):
            signal.connect(self._after_run)
        document.selection_changed.connect(self._show_selection)
        document.begun.connect(self._begin)
        self.refresh()

    @Slot(object)
    def _now(self, _project: object) -> None:
        self._soon.start(0)

    @Slot()
    def _after_run(self) -> None:
        self._soon.start(AFTER_RUN)

    def _prepare_tree(self) -> None:
        tree = self.tree
        tree.setAccessibleName("Project")
        tree.setColumnCount(2)
        tree.setHeaderHidden(True)
        tree.header().setStretchLastSection(False)
        tree.header().setSectionResizeMode(NAME, QHeaderView.ResizeMode.Stretch)
        tree.setColumnHidden(NOTE, True)  # a column of its own would take its room from every name
        tree.setItemDelegateForColumn(NAME, NameDelegate(tree))
        tree.setUniformRowHeights(True)
        tree.setIndentation(12)
        tree.setEditTriggers(QAbstractItemView.EditTrigger.EditKeyPressed)
        tree.setDragDropMode(QAbstractItemView.DragDropMode.InternalMove)
        tree.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        tree.customContextMenuRequested.connect(self._menu_at)
        tree.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        tree.itemSelectionChanged.connect(self._picked)
        tree.itemClicked.connect(lambda _item, _column: self._clicked())
        tree.itemChanged.connect(self._renamed)
        tree.itemDoubleClicked.connect(self._opened)
        tree.verticalScrollBar().actionTriggered.connect(lambda _: self._scrolled())
        tree.itemExpanded.connect(self._make_inside)
        for acted in (tree.itemPressed, tree.itemExpanded, tree.itemCollapsed):
            acted.connect(lambda *_: self._scrolled())

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and hasattr(self, "_soon"):
            self._nodes, self._of_project = (), None
            self._soon.start()

    # -- showing

    def _begin(self) -> None:
        """Another project: its rows are there at once, from what the workspace is about."""
        self.refresh()
        self.open_at(self._subject)

    def refresh(self) -> None:
        """Show the project as it is; rows are made anew only when names or order changed."""
        project, of_it = self._document.project, self._of_project
        if of_it is None or of_it[0] is not project:
            of_it = self._of_project = project, project_nodes(project)
        nodes = (*of_it[1], self._runs_node())
        if nodes != self._nodes:
            self._fill(nodes)
        self._mark()
        self._show_selection(self._document.selection)

    def _runs_node(self) -> Node:
        runs = tuple(
            Node(
                ("run", run.name),
                run.name,
                "run",
                note=self._run_note(run),
                faded=self._document.is_stale(run),
            )
            for run in self._document.runs
        )
        return Node(("runs",), "Runs", "runs", note=str(len(runs)) if runs else "press F5", children=runs)

    def _run_note(self, run: Run) -> str:
        document = self._document
        if run is document.current_run:
            return "shown"
        if run in document.compared:
            return "compared"
        return "older design" if document.is_stale(run) else ""

    def _fill(self, nodes: tuple[Node, ...]) -> None:
        first, known = not self._items, set(self._known)
        opened = {key for key, item in self._items.items() if item.isExpanded()}
        scroll = self.tree.verticalScrollBar().value()
        self._filling = True
        self.tree.clear()
        self._items, self._marks = {}, {}
        self._nodes, self._known = nodes, dict(with_above(nodes))
        for node in nodes:
            self._add(self.tree.invisibleRootItem(), node)
        for key, (node, _) in self._known.items():
            begins_open = key in OPEN_AT_FIRST or (first and node.icon == "car" and key[0] == "assembly")
            if node.children and (key in opened or (begins_open and key not in known)):
                self._item(key).setExpanded(True)
        self.tree.verticalScrollBar().setValue(scroll)
        self._filling = False

    def _item(self, key: tuple[str, ...]) -> QTreeWidgetItem:
        """The row of a key that there is, made now if nobody has opened what holds it."""
        if key not in self._items:
            above = self._known[key][1]
            assert above is not None  # those at the top are there
            self._make_inside(self._item(above))
        return self._items[key]

    def _find(self, key: tuple[str, ...] | None) -> QTreeWidgetItem | None:
        """The row of a key; None where there is none."""
        return self._item(key) if key in self._known else None

    def _make_inside(self, item: QTreeWidgetItem) -> None:
        """Make the rows inside one; those of long projects are made when it is opened."""
        if not item.childCount():
            filling, self._filling = self._filling, True
            for child in item.data(NAME, ROLE).children:
                self._add(item, child)
                self._mark_row(child.key)
            self._filling = filling

    def _add(self, parent: QTreeWidgetItem, node: Node) -> None:
        item = row_of(parent, node)
        self._items[node.key] = item
        if len(self._known) <= AT_ONCE:
            for child in node.children:
                self._add(item, child)
        elif node.children:
            item.setChildIndicatorPolicy(QTreeWidgetItem.ChildIndicatorPolicy.ShowIndicator)

    def _mark(self) -> None:
        """Icons, with the mark of the worst problem of a row; the rows above carry it as well."""
        worst: dict[tuple[str, ...], str] = {}
        texts: dict[tuple[str, ...], list[str]] = {}
        for problem in self._document.problems:
            key = _key_of(problem.where)
            if key not in self._known or key is None or problem.severity not in MARKS:
                continue
            texts.setdefault(key, []).append(units.in_units(problem.text))
            above: tuple[str, ...] | None = key
            while above is not None:
                worst.setdefault(above, problem.severity)  # problems come worst first
                above = self._known[above][1]
        self._marks = {key: (severity, tuple(texts.get(key, ()))) for key, severity in worst.items()}
        self._filling = True
        for key in self._items:
            self._mark_row(key)
        self._filling = False

    def _mark_row(self, key: tuple[str, ...]) -> None:
        row, (severity, texts) = self._items[key], self._marks.get(key, ("", ()))
        node = row.data(NAME, ROLE)
        row.setIcon(NAME, self._icon(node, severity))
        row.setToolTip(NAME, plain_tip("\n".join(texts) or node.text))

    def _icon(self, node: Node, severity: str) -> QIcon:
        c = theme.current()
        colour = c.text
        if node.key[0] == "run":
            run = next((r for r in self._document.runs if r.name == node.text), None)
            colour = c.series[run.colour % len(c.series)] if run else colour
        mark = getattr(c, MARKS[severity]) if severity else ""
        return icons.marked(node.icon, colour, mark, c.base, self.devicePixelRatioF())

    def _show_selection(self, selection: Selection) -> None:
        key = _key_of(selection)
        item = self._find(key)
        self._filling = True
        if item is not None:
            if item is not self.tree.currentItem():
                self._scrolled()
                self.tree.setCurrentItem(item)
                self.tree.scrollToItem(item)
            marked = [item, *(self._find(_key_of(one)) for one in selection.each[1:])]
            for row in self.tree.selectedItems():
                row.setSelected(row in marked)
            for shown in marked:
                if shown is not None:
                    shown.setSelected(True)
        elif selection.kind in ("none", "place"):
            current = self.tree.currentItem()
            node = current.data(NAME, ROLE) if current is not None else None
            if node is not None and node.select not in (None, NOTHING):
                self.tree.setCurrentItem(None)  # type: ignore[call-overload]
        self._filling = False

    def open_at(self, subject: str) -> None:
        """Begin with what a workspace is about: "train", "rider" or "structure"; its row is opened and put on top."""
        self._subject = subject
        key = first_about(subject, {key: node for key, (node, _) in self._known.items()})
        if key is None:
            return
        above: QTreeWidgetItem | None = self._item(key)
        while above is not None:
            above.setExpanded(True)
            above = above.parent()
        self._on_top = key
        self._put_on_top()

    def _put_on_top(self) -> None:
        item = self._items.get(self._on_top)
        if item is not None:
            self.tree.scrollToItem(item, QAbstractItemView.ScrollHint.PositionAtTop)

    def _scrolled(self) -> None:
        self._on_top = ()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._put_on_top()  # the room of a workspace is shared out after it is shown

    # -- acting

    def node_at(self, *key: str) -> QTreeWidgetItem | None:
        """The row of a key, ("body", "Car", "Carbody") for example."""
        return self._find(key)

    def current_node(self) -> Node | None:
        """What the current row stands for."""
        item = self.tree.currentItem()
        return None if item is None else item.data(NAME, ROLE)

    def _picked(self) -> None:
        """Select what the marked rows stand for: what was selected, or the current one, and others of its kind."""
        rows = self.tree.selectedItems()
        if self._filling or not rows:
            return
        first = self._find(_key_of(self._document.selection))
        if first not in rows:
            first = self.tree.currentItem()
        node = (first if first in rows else rows[0]).data(NAME, ROLE)
        if node.select is None:
            return
        others = [row.data(NAME, ROLE).select for row in rows]
        also = tuple(
            other.path
            for other in others
            if other is not None and other.kind == node.select.kind in MANY and other.path != node.select.path
        )
        before = self._document.selection
        if _key_of(before) != node.key or before.also != also:
            self._document.select(replace(node.select, also=also))

    def _clicked(self) -> None:
        self._picked()
        self._show_selection(self._document.selection)  # rows of other kinds are marked no longer

    def _opened(self, item: QTreeWidgetItem) -> None:
        node = item.data(NAME, ROLE)
        if node.key[0] == "run":
            self._document.show_run(self._run(node))

    def _run(self, node: Node) -> Run | None:
        return next((run for run in self._document.runs if run.name == node.text), None)

    def _renamed(self, item: QTreeWidgetItem, column: int) -> None:
        if self._filling or column != NAME:
            return
        node = item.data(NAME, ROLE)
        text = item.text(NAME).strip()
        if text != node.text:
            self._do(lambda: tree_edits.rename(self._document, node, text))
        self._nodes = ()  # a refused name goes back to what it was
        self._soon.start()

    def delete_current(self) -> None:
        """Delete what the current row stands for, with what cannot exist without it."""
        node = self.current_node()
        if self._document.selection.also:
            self._do(lambda: tree_edits.delete_several(self._document, self._document.selection))
        elif node is not None:
            if node.key[0] == "run" and (run := self._run(node)) is not None:
                self._document.drop_run(run)
            elif tree_edits.can_delete(node):
                self._delete(node)

    def _delete(self, node: Node) -> None:
        """Delete a row; between two coupled cars a person says whether they are to be joined."""
        between = tree_edits.neighbours_of(self._document, node)
        join: bool | None = False
        if between is not None:
            join = dialogs.ask(
                self, f"Delete {node.text} and join its neighbours?",
                f"It runs between {between[0]} and {between[1]} and is coupled to both. Joined, the cars behind it"
                " close up; else it leaves a gap and two consists.",
                "Join them", "Leave a gap", "Keep it",
            )  # fmt: skip
        if join is not None:
            self._do(lambda: tree_edits.delete(self._document, node, join=bool(join)))

    def dropped(
        self,
        dragged: QTreeWidgetItem,
        target: QTreeWidgetItem,
        position: QAbstractItemView.DropIndicatorPosition,
    ) -> None:
        """Do what a drag of one row onto, above or below another means."""
        what, onto = dragged.data(NAME, ROLE), target.data(NAME, ROLE)
        below = position == QAbstractItemView.DropIndicatorPosition.BelowItem
        on = position == QAbstractItemView.DropIndicatorPosition.OnItem
        parent = target.parent()
        index = parent.indexOfChild(target) if parent is not None else 0
        self._do(lambda: tree_edits.drop(self._document, what, onto, index, on=on, below=below))

    @property
    def document(self) -> Document:
        """Whose rows these are."""
        return self._document

    def seat_of(self, item: QTreeWidgetItem) -> str | None:
        """The path of the seat that somebody is put on who is dragged onto a row: a seat, or a rider on one."""
        return tree_edits.seat_of(self._document, item.data(NAME, ROLE))

    def _do(self, edit: Any) -> None:
        carried_out(self, edit)

    # -- menu

    def _menu_at(self, position: QPoint) -> None:
        item = self.tree.itemAt(position)
        menu = self.menu_for(None if item is None else item.data(NAME, ROLE))
        if not menu.isEmpty():
            menu.exec(self.tree.viewport().mapToGlobal(position))
        menu.deleteLater()

    def menu_for(self, node: Node | None) -> QMenu:
        """The context menu of a row."""
        menu = QMenu(self)
        menu.setToolTipsVisible(True)
        if node is None:
            return menu
        chosen = self._document.selection
        if chosen.also and any(_key_of(one) == node.key for one in chosen.each):
            action = menu.addAction(icons.icon("delete"), f"Delete {len(chosen.each)} {MANY[chosen.kind]}")
            action.setShortcut("Del")
            action.triggered.connect(self.delete_current)
            return menu
        self._fill_additions(menu, node)
        if not menu.isEmpty():
            menu.addSeparator()
        if tree_edits.can_duplicate(node):
            action = menu.addAction(icons.icon("duplicate"), "Duplicate")
            action.triggered.connect(lambda: self._do(lambda: tree_edits.duplicate(self._document, node)))
        if tree_edits.can_rename(node):
            action = menu.addAction("Rename")
            action.setShortcut("F2")
            action.triggered.connect(lambda: self._edit_name(node))
        if tree_edits.can_delete(node):
            action = menu.addAction(icons.icon("delete"), tree_edits.delete_text(self._document, node))
            action.setShortcut("Del")
            action.triggered.connect(lambda: self._delete(node))
        if node.icon == "car" and len(node.key) > 1:
            keep = menu.addAction(icons.icon("save"), "Save to my library…")
            keep.triggered.connect(lambda: keep_car(self, self._document, node.key[1:]))
        run = self._run(node) if node.key[0] == "run" else None
        if run is not None:
            self._run_menu(menu, run)
        return menu

    def _fill_additions(self, menu: QMenu, node: Node) -> None:
        if node.key[0] in ("track", "section"):
            self._insert_menus(menu, node)
        fill_additions(menu, self._document, node, self._do)

    def _fill_add(self, menu: QMenu) -> None:
        """What can be added to the picked row, or to what is around it."""
        item = self.tree.currentItem()
        node = None if item is None else item.data(NAME, ROLE)
        if node is not None and not can_add(self._document, node):
            node = None if node.select is None else node_of(self._document, node.select)
        whole = self._items.get(("assembly",)) or self._items.get(("track",))
        if node is None and whole is not None:
            node = whole.data(NAME, ROLE)
        if node is not None:
            menu.addSection(node.text)
            self._fill_additions(menu, node)

    def _insert_menus(self, menu: QMenu, node: Node) -> None:
        """What can be inserted behind a section, or at the end of the track."""
        where = "behind this section" if node.key[0] == "section" else "at the end"
        pieces = menu.addMenu(icons.icon("element"), f"Insert {where}")
        fill_elements(pieces, lambda id: self._wanted(node, self.insert_wanted, id))
        if node.key[0] == "section":
            devices = menu.addMenu(icons.icon("device"), "Add lift, launch or brake")
            fill_devices(devices, lambda id: self._wanted(node, self.device_wanted, id))
        menu.addSeparator()

    def _wanted(self, node: Node, signal: Any, id: str) -> None:
        self._document.select(node.select if node.select is not None else NOTHING)
        signal.emit(id)

    def _run_menu(self, menu: QMenu, run: Run) -> None:
        document = self._document
        shown = run is document.current_run
        show = menu.addAction(icons.icon("eye"), "Show")
        show.setEnabled(not shown)
        show.triggered.connect(lambda: document.show_run(run))
        compare = menu.addAction(icons.icon("compare"), "Compare with the shown run")
        compare.setCheckable(True)
        compare.setChecked(run in document.compared)
        compare.setEnabled(not shown)
        compare.triggered.connect(lambda on: document.compare(run, on))
        take_back = menu.addAction(icons.icon("undo"), "Go back to this design")
        take_back.setEnabled(document.is_stale(run))
        take_back.triggered.connect(
            lambda: document.apply(f"Go back to {run.name}", run.project, exactly=True)
        )
        forget = menu.addAction(icons.icon("delete"), "Remove")
        forget.triggered.connect(lambda: document.remove_run(run))

    def _edit_name(self, node: Node) -> None:
        item = self._find(node.key)
        if item is not None:
            self.tree.setFocus()
            self.tree.editItem(item, NAME)


def _key_of(selection: Selection | None) -> tuple[str, ...] | None:
    """The row that stands for a selection."""
    if selection is None or selection.kind in ("none", "place"):
        return None
    if selection.kind == "points":
        return ("section", *selection.path)
    return (selection.kind, *selection.path)
