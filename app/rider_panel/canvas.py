"""The rider drawn flat: its skin, the limits of joints as fans whose edges are dragged, limbs turned by dragging."""

from __future__ import annotations

import math
from typing import Final

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPolygonF,
    QResizeEvent,
    QTransform,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from ...core.base.arrays import Array
from ...core.human.drawing import VIEWS, Fan, fans, silhouettes
from ...core.model.assembly import Assembly
from ..widgets import theme, units

MARGIN: Final = 16  # px
STICK, EDGE, TEXT = 5.0, 8.0, 8  # px: width of the stick, to the edges, around the text
STICKS: Final = (1.0, 0.5, 0.2, 0.1)  # m, lengths that it has
NEAR: Final = 9.0  # px, of a handle
SHORTEST: Final = 46.0  # px, radius of a fan
HINT: Final = (
    "Click a joint to see its limits; drag an edge of a fan to change a limit, its needle to turn the limb."
)


class RiderCanvas(QWidget):
    """picked(joint): a joint was clicked. limit_dragged(element, axis, upper, angle, done): an edge of a fan was
    dragged; turned(joint, axis, angle, done): the needle was."""

    picked = Signal(str)
    limit_dragged = Signal(str, int, bool, float, bool)
    turned = Signal(str, int, float, bool)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.view = "Side"
        self.joint = ""
        self._rider: Assembly | None = None
        self._fans: tuple[Fan, ...] = ()
        self._present: tuple[Fan, ...] = ()
        self._held: tuple[str, Fan] | None = None
        self._skin: dict[str, list[tuple[Array, Array]]] = {}
        self._scale: tuple[float, Array] = (1.0, np.zeros(2))
        self.setMouseTracking(True)
        self.setAccessibleName("Rider drawing")
        self.setToolTip(HINT)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)

    def sizeHint(self) -> QSize:
        return QSize(320, 300)

    def minimumSizeHint(self) -> QSize:
        return QSize(180, 150)

    def show_rider(self, rider: Assembly | None, poses: dict[str, tuple[Array, Array]] | None = None) -> None:
        """Draw a rider; poses: of its bodies at the shown instant of a run, for the present angles."""
        self._rider = rider
        self._fans = fans(rider) if rider is not None else ()
        self._present = fans(rider, poses) if rider is not None and poses else self._fans
        if self.joint not in {fan.joint for fan in self._fans}:
            self.joint = ""
        self._measure()
        self.update()

    def choose(self, joint: str) -> None:
        """Show the limits of a joint."""
        self.joint = joint
        self._measure()
        self.update()

    def turn_to(self, view: str) -> None:
        """Look from the side, the front or above."""
        self.view = view
        self._measure()
        self.update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._measure()

    # -- places

    def _measure(self) -> None:
        """Find the silhouettes in this view, the pixels per metre and the point (2,) m in the middle of the picture."""
        if self._rider is None:
            return
        across, up, _ = VIEWS[self.view]
        bodies = self._rider.bodies
        self._skin = dict(zip((b.name for b in bodies), silhouettes(bodies, across, up), strict=True))
        reach = []
        for centre, axes in (ellipse for found in self._skin.values() for ellipse in found):
            half = np.linalg.norm(axes, axis=0)
            reach += [centre - half, centre + half]
        if not reach:
            reach = [np.array(b.position)[[across, up]] for b in self._rider.bodies]
        low, high = np.min(reach, axis=0), np.max(reach, axis=0)
        size = np.maximum(high - low, 0.2)
        scale = min((self.width() - 2 * MARGIN) / size[0], (self.floor() - 2 * MARGIN) / size[1])
        self._scale = max(scale, 1.0), 0.5 * (low + high)

    def _spot(self, point: Array) -> QPointF:
        across, up, _ = VIEWS[self.view]
        scale, middle = self._scale
        x, y = (point[[across, up]] - middle) * scale
        return QPointF(0.5 * self.width() + x, 0.5 * self.floor() - y)

    def floor(self) -> float:
        """Where the drawing ends (px from above): over what is written of a fan, however many lines it takes."""
        text = self._limits_text()
        room = self.rect().adjusted(TEXT, 0, -TEXT, 0)
        written = self.fontMetrics().boundingRect(room, Qt.TextFlag.TextWordWrap, text) if text else None
        return float(self.height() - (0 if written is None else written.height() + TEXT))

    def fan_shown(self) -> Fan | None:
        """The fan of the chosen joint in this view."""
        axis = VIEWS[self.view][2]
        return next((fan for fan in self._fans if fan.joint == self.joint and fan.axis == axis), None)

    def _on_rim(self, fan: Fan, direction: Array, share: float = 1.0) -> QPointF:
        """A point of the fan's rim; fans are as large as the limb, and at least large enough to grasp."""
        foot = self._spot(fan.point)
        tip = self._spot(fan.point + direction) - foot
        size = math.hypot(tip.x(), tip.y())
        flat = self._spot(fan.point + fan.zero) - foot
        radius = max(SHORTEST, 0.28 * self._scale[0]) if math.hypot(flat.x(), flat.y()) > 1.0 else SHORTEST
        return foot + tip * (share * radius / self._scale[0]) if size > 1e-6 else foot

    def handles(self) -> dict[str, QPointF]:
        """Where the fan on screen can be grasped: "lower", "upper", "needle"."""
        fan = self.fan_shown()
        if fan is None:
            return {}
        return {
            "lower": self._on_rim(fan, fan.direction(fan.lower)),
            "upper": self._on_rim(fan, fan.direction(fan.upper)),
            "needle": self._on_rim(fan, fan.drawn, 0.72),
        }

    def joint_spot(self, joint: str) -> QPointF:
        """Where a joint is on screen."""
        return self._spot(next(fan.point for fan in self._fans if fan.joint == joint))

    # -- mouse

    def mousePressEvent(self, event: QMouseEvent) -> None:
        at, fan = event.position(), self.fan_shown()
        for name, spot in self.handles().items():
            if fan is not None and _apart(at, spot) < NEAR:
                self._held = (name, fan)
                return
        near = [(round(_apart(at, self._spot(f.point)), 1), -f.point[1], f.joint) for f in self._fans]
        if near and min(near)[0] < 1.6 * NEAR:
            self.joint = min(near)[2]
            self._measure()
            self.picked.emit(self.joint)
            self.update()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._held is not None:
            self._drag(event.position(), False)
            return
        near = any(_apart(event.position(), spot) < NEAR for spot in self.handles().values())
        self.setCursor(Qt.CursorShape.SizeAllCursor if near else Qt.CursorShape.ArrowCursor)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if self._held is not None:
            self._drag(event.position(), True)
            self._held = None

    def _drag(self, at: QPointF, done: bool) -> None:
        assert self._held is not None
        name, fan = self._held
        angle = self._angle(fan, at)
        if name == "needle":
            self.turned.emit(fan.joint, fan.axis, min(max(angle, fan.lower), fan.upper), done)
        else:
            upper = name == "upper"
            self.limit_dragged.emit(
                fan.element, fan.axis, upper, max(angle, 0.0) if upper else min(angle, 0.0), done
            )

    def _angle(self, fan: Fan, at: QPointF) -> float:
        """The angle (rad) of the fan's component that points at the mouse."""
        foot = self._spot(fan.point)
        wanted = math.atan2(-(at.y() - foot.y()), at.x() - foot.x())
        across, up, _ = VIEWS[self.view]
        angles = np.linspace(-math.pi, math.pi, 721)
        flat = fan.direction(angles)
        miss = np.arctan2(flat[:, up], flat[:, across]) - wanted
        return float(angles[np.argmax(np.cos(miss))])

    # -- painting

    def paintEvent(self, event: QPaintEvent) -> None:
        colours = theme.current()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.fillRect(self.rect(), QColor(colours.base))
        if self._rider is None:
            return
        self._paint_bodies(painter)
        self._paint_stick(painter)
        self._paint_joints(painter)
        self._paint_fan(painter)

    def _paint_bodies(self, painter: QPainter) -> None:
        colours, (across, up, _) = theme.current(), VIEWS[self.view]
        assert self._rider is not None
        scale, _ = self._scale
        depth = 3 - across - up
        far = 1.0 if depth == 1 else -1.0  # from the side one looks to the left: the left limbs lie behind
        for body in sorted(self._rider.bodies, key=lambda b: -far * b.position[depth]):
            fill = QColor(colours.skin if _bare(body.name) else colours.cloth)
            fill.setAlpha(215)
            painter.setPen(QPen(fill.darker(150), 1.0))
            painter.setBrush(fill)
            for centre, axes in self._skin[body.name]:
                point = np.zeros(3)
                point[[across, up]] = centre
                at = self._spot(point)
                a, b = np.linalg.norm(axes, axis=1) * scale
                painter.save()
                turn = math.degrees(math.atan2(-axes[0, 1], axes[0, 0]))
                painter.setTransform(QTransform().translate(at.x(), at.y()).rotate(turn), True)
                painter.drawEllipse(QRectF(-a, -b, 2 * a, 2 * b))
                painter.restore()

    def stick(self) -> tuple[float, QRectF]:
        """The length (m) of the stick at the right edge, a metre or what of it there is room for, and where it is."""
        scale = self._scale[0]
        floor = self.floor()
        room = floor - 2 * EDGE
        length = next((part for part in STICKS if part * scale <= room), STICKS[-1])
        tall = length * scale
        return length, QRectF(self.width() - STICK - EDGE, floor - EDGE - tall, STICK, tall)

    def _paint_stick(self, painter: QPainter) -> None:
        """A stick in tenths of a metre, as surveyors have it, beside the rider, who is as large as it says."""
        colours = theme.current()
        length, box = self.stick()
        tenths = round(10 * length)
        for k in range(tenths):
            part = QRectF(
                box.x(), box.bottom() - (k + 1) * box.height() / tenths, box.width(), box.height() / tenths
            )
            painter.fillRect(part, QColor(colours.text if k % 2 else colours.muted))
        painter.setPen(QColor(colours.muted))
        text = units.text(length, "m", decimals=1)
        wide = painter.fontMetrics().horizontalAdvance(text) + 4.0
        painter.drawText(
            QRectF(box.x() - wide, box.y(), wide - 2.0, 16.0),
            Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignTop,
            text,
        )

    def _paint_joints(self, painter: QPainter) -> None:
        colours = theme.current()
        out = {fan.joint for fan in self._present if fan.outside}
        for joint in {fan.joint: fan for fan in self._fans}.values():
            chosen = joint.joint == self.joint
            colour = colours.bad if joint.joint in out else colours.accent if chosen else colours.text
            painter.setPen(QPen(QColor(colours.base), 1.0))
            painter.setBrush(QColor(colour))
            radius = 5.0 if chosen else 3.5
            painter.drawEllipse(self._spot(joint.point), radius, radius)

    def _paint_fan(self, painter: QPainter) -> None:
        fan = self.fan_shown()
        if fan is None:
            return
        colours = theme.current()
        present = self._now(fan)
        colour = QColor(colours.bad if present.outside else colours.accent)
        fill = QColor(colour)
        fill.setAlpha(70)
        foot = self._spot(fan.point)
        rim = [self._on_rim(fan, direction) for direction in fan.edge()]
        painter.setPen(QPen(colour, 1.4))
        painter.setBrush(fill)
        painter.drawPolygon(QPolygonF([foot, *rim]))
        painter.setBrush(colour)
        for name, spot in self.handles().items():
            if name != "needle":
                painter.drawEllipse(spot, 4.5, 4.5)
        painter.setPen(QPen(QColor(colours.text), 2.0))
        needle = self._on_rim(fan, fan.direction(present.angle), 0.72)
        painter.drawLine(foot, needle)
        painter.setBrush(QColor(colours.text))
        painter.drawEllipse(needle, 4.0, 4.0)
        painter.drawText(
            self.rect().adjusted(TEXT, 4, -TEXT, -4),
            Qt.AlignmentFlag.AlignBottom | Qt.AlignmentFlag.AlignLeft | Qt.TextFlag.TextWordWrap,
            self._limits_text(),
        )

    def _limits_text(self) -> str:
        """What is written of the fan on screen; "" where there is none."""
        fan = self.fan_shown()
        if fan is None:
            return ""
        now = self._now(fan).angle
        text = "  ".join(
            f"{word} {_angle(x)}" for word, x in (("from", fan.lower), ("to", fan.upper), ("now", now))
        )
        return f"{fan.joint}, about {'xyz'[fan.axis]}: {text}"

    def _now(self, fan: Fan) -> Fan:
        """The fan as it is at the shown instant."""
        return next((f for f in self._present if (f.joint, f.axis) == (fan.joint, fan.axis)), fan)


def _angle(value: float) -> str:
    """As people write it: 45°, 12.5°."""
    degrees = math.degrees(value)
    return units.text(value, "rad", decimals=0 if abs(degrees - round(degrees)) < 0.05 else 1)


def _apart(a: QPointF, b: QPointF) -> float:
    return math.hypot(a.x() - b.x(), a.y() - b.y())


def _bare(name: str) -> bool:
    """Whether a segment wears nothing: head, neck, forearms and hands."""
    return name.rpartition(" ")[2] in ("Head", "Neck", "Forearm", "Hand")
