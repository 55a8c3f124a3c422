"""Any signal of a run by search: wheel forces, joint reactions, springs, motion of the bodies."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPointF, QRectF, QSignalBlocker, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QLabel,
    QLineEdit,
    QStackedWidget,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QToolButton,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from ...core.charts.chart import Chart, over_time
from ...core.charts.recipe import Source
from ...core.charts.signals import Signal, search
from ..widgets import theme, units
from ..widgets.icons import icon
from ..widgets.plain_words import plain_tip
from ..widgets.turning_splitter import TurningSplitter
from .plot_panel import PlotPanel

KEY = Qt.ItemDataRole.UserRole
SEPARATOR = "\n"
MAX_PLOTS = 24  # plots at once; more could not be told apart
CHECK = ((0.22, 0.52), (0.42, 0.72), (0.78, 0.28))


class ChannelsPanel(PlotPanel):
    """A tree of all signals with a search; every ticked one gets a plot."""

    name = "channels"
    empty_text = (
        "Every signal of a run can be searched and plotted here: wheel forces, joint reactions, springs, energies, "
        "the motion of any body. Press F5 to ride."
    )
    nothing_text = (
        "Tick signals in the list to plot them. Type to search: “front wheel force”, “neck moment”."
    )

    def body(self) -> QWidget:
        self._chosen = [k for k in self.settings.value("channels/chosen").split(SEPARATOR) if k]
        self._search = QLineEdit()
        self._search.setPlaceholderText("Search signals")
        self._search.setClearButtonEnabled(True)
        self._search.addAction(icon("search"), QLineEdit.ActionPosition.LeadingPosition)
        self._search.textChanged.connect(self._filter)
        self._tree = QTreeWidget()
        self._tree.setHeaderHidden(True)
        self._tree.setUniformRowHeights(True)
        self._tree.setIndentation(14)
        self._tree.setItemDelegate(TickDelegate(self._tree))
        self._tree.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self._tree.itemChanged.connect(self._on_tick)
        self._tree.itemActivated.connect(self._toggle)
        side = QWidget()
        column = QVBoxLayout(side)
        column.setContentsMargins(8, 4, 4, 4)
        column.setSpacing(4)
        column.addWidget(self._search)
        column.addWidget(self._tree, 1)
        self._nothing = QLabel(self.nothing_text)
        self._nothing.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._nothing.setWordWrap(True)
        self._nothing.setMargin(16)
        self._nothing.setProperty("role", "muted")
        self._right = QStackedWidget()
        self._right.addWidget(self._nothing)
        self._right.addWidget(self.grid)
        splitter = TurningSplitter()
        splitter.addWidget(side)
        splitter.addWidget(self._right)
        splitter.setStretchFactor(1, 1)
        splitter.setSizes([280, 900])
        self._listed: tuple[str, ...] = ()
        return splitter

    def fill_bar(self) -> None:
        self._count = QLabel()
        self._count.setProperty("role", "muted")
        self._clear = QToolButton()
        self._clear.setText("Untick all")
        self._clear.setToolTip("Take every plot away")
        self._clear.clicked.connect(self.clear)
        self.bar.addWidget(self._count)
        self.bar.addWidget(self._clear)

    # -- choice

    @property
    def chosen(self) -> tuple[str, ...]:
        """Keys of the ticked signals, in the order of the plots."""
        return tuple(self._chosen)

    def choose(self, key: str, on: bool = True) -> None:
        """Plot a signal, or take it away."""
        kept = [k for k in self._chosen if k != key]
        self._set_chosen([*kept, key][-MAX_PLOTS:] if on else kept)

    def clear(self) -> None:
        """Take every plot away."""
        self._set_chosen([])

    def _set_chosen(self, keys: list[str]) -> None:
        self._chosen = keys
        self.settings.set_value("channels/chosen", SEPARATOR.join(keys))
        self._show_ticks()
        self.refresh()

    def search(self, words: str) -> None:
        """Show only signals with all these words."""
        self._search.setText(words)

    # -- tree

    def make_contents(self) -> Sequence[Chart]:
        self._list_signals()
        contents = []
        for key in self._chosen:
            signal = self._signal(key)
            if signal is None:
                continue
            car = self._car_of(key)
            sources = [Source(key, k, name, car) for k, name in enumerate(signal.components)]
            title = f"{self._short(signal.place[-1])}: {signal.title}"
            note = signal.about[:1].upper() + signal.about[1:] + "."
            log = key.startswith("violations/")
            contents.append(over_time(key, title, signal.unit, self.curves(sources), log=log, note=note))
        self._right.setCurrentIndex(1 if contents else 0)
        ticked = len(self._chosen)
        self._count.setText(f"{len(self._listed) - 1} signals, {ticked} plotted")
        self._clear.setEnabled(ticked > 0)
        return contents

    def refresh(self, gradually: bool = False) -> None:
        super().refresh(gradually)
        if self.runs:  # without plots there is still the list to choose from
            self.pages.setCurrentIndex(1)
        else:
            self._count.setText("")

    def _short(self, name: str) -> str:
        """A name without that of the car when there is only one."""
        cars = self.signals(self.runs[0]).cars
        return name.removeprefix(f"{cars[0]} › ") if len(cars) == 1 else name

    def _signal(self, key: str) -> Signal | None:
        found = (self.signals(run).get(key) for run in self.runs)
        return next((signal for signal in found if signal is not None), None)

    def _car_of(self, key: str) -> str | None:
        """The car that a signal belongs to, for its place on the track."""
        parts = key.split("/")
        cars = self.signals(self.runs[0]).cars
        return parts[1] if len(parts) > 2 and parts[1] in cars else None

    def _list_signals(self) -> None:
        """Fill the tree when other signals are there than before."""
        signals = list(self.signals(self.runs[0]))
        keys = (units.current(), *(signal.key for signal in signals))
        if keys == self._listed:
            return
        self._listed = keys
        with QSignalBlocker(self._tree):
            self._tree.clear()
            branches: dict[tuple[str, ...], QTreeWidgetItem] = {}
            for signal in signals:
                parent = self._branch(signal.place, branches)
                label = units.label(signal.unit)
                unit = f"  [{label}]" if label else ""
                leaf = QTreeWidgetItem(parent, [f"{signal.title}{unit}"])
                leaf.setData(0, KEY, signal.key)
                told = f"{', '.join(filter(None, signal.components))}\n{signal.about}".strip()
                leaf.setToolTip(0, plain_tip(told))
                leaf.setFlags(
                    Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemIsUserCheckable
                )
        self._show_ticks()
        self._filter(self._search.text())

    def _branch(
        self, place: tuple[str, ...], branches: dict[tuple[str, ...], QTreeWidgetItem]
    ) -> QTreeWidgetItem:
        if place not in branches:
            parent = self._branch(place[:-1], branches) if len(place) > 1 else self._tree
            item = QTreeWidgetItem(parent, [place[-1]])
            item.setFlags(Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable)
            branches[place] = item
        return branches[place]

    def _leaves(self, parent: QTreeWidgetItem | None = None) -> list[QTreeWidgetItem]:
        node = parent or self._tree.invisibleRootItem()
        found: list[QTreeWidgetItem] = []
        for k in range(node.childCount()):
            child = node.child(k)
            assert child is not None
            found += [child] if child.data(0, KEY) else self._leaves(child)
        return found

    def _show_ticks(self) -> None:
        with QSignalBlocker(self._tree):
            for leaf in self._leaves():
                on = leaf.data(0, KEY) in self._chosen
                leaf.setCheckState(0, Qt.CheckState.Checked if on else Qt.CheckState.Unchecked)

    def _on_tick(self, item: QTreeWidgetItem) -> None:
        key = item.data(0, KEY)
        if key:
            self.choose(key, item.checkState(0) == Qt.CheckState.Checked)

    def _toggle(self, item: QTreeWidgetItem) -> None:
        """Enter ticks a signal, or opens a branch."""
        key = item.data(0, KEY)
        if key:
            self.choose(key, key not in self._chosen)
        else:
            item.setExpanded(not item.isExpanded())

    def _filter(self, words: str) -> None:
        """Hide what does not hold every word; open the branches of what does."""
        if not self.runs:
            return
        wanted = {signal.key for signal in search(self.signals(self.runs[0]), words)}
        searching = bool(words.strip())
        for k in range(self._tree.topLevelItemCount()):
            branch = self._tree.topLevelItem(k)
            assert branch is not None
            self._filter_branch(branch, wanted, searching)

    def _filter_branch(self, item: QTreeWidgetItem, wanted: set[str], searching: bool) -> bool:
        key = item.data(0, KEY)
        if key:
            shown = key in wanted
        else:
            inner = [child for k in range(item.childCount()) if (child := item.child(k)) is not None]
            below = [self._filter_branch(child, wanted, searching) for child in inner]
            shown = any(below)
            item.setExpanded(searching and shown)
        item.setHidden(not shown)
        return shown


class TickDelegate(QStyledItemDelegate):
    """Draws tick boxes in the colours of the theme; everything else as ever."""

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        super().paint(painter, option, index)
        state = index.data(Qt.ItemDataRole.CheckStateRole)
        if state is None:
            return
        own = QStyleOptionViewItem(option)
        self.initStyleOption(own, index)
        style = own.widget.style() if own.widget is not None else QApplication.style()
        place = style.subElementRect(QStyle.SubElement.SE_ItemViewItemCheckIndicator, own, own.widget)
        _draw_tick(painter, QRectF(place), Qt.CheckState(state) == Qt.CheckState.Checked)


def _draw_tick(painter: QPainter, place: QRectF, on: bool) -> None:
    """A tick box of 13 px in the middle of a place."""
    colours = theme.current()
    box = QRectF(0.0, 0.0, 13.0, 13.0)
    box.moveCenter(place.center())
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(QColor(colours.accent if on else colours.muted), 1.0))
    painter.setBrush(QColor(colours.accent if on else colours.base))
    painter.drawRoundedRect(box, 2.0, 2.0)
    if on:
        painter.setPen(QPen(QColor(colours.accent_text), 1.8))
        painter.drawPolyline(QPolygonF([QPointF(box.x() + 13 * x, box.y() + 13 * y) for x, y in CHECK]))
    painter.restore()
