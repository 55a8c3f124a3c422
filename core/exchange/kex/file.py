"""The binary projects of KexEdit (.kex, versions 3 to 7) as plain frozen values.

Layout read from the MIT-licensed source of KexEdit (IndividualKex, 2025; the classes GraphSerializer and
SerializedGraph) and checked by parsing its example projects to the last byte: little endian, arrays led by a
32-bit count, C# structs with their natural padding. Axes are those of Unity: y up, left-handed. Angles in rad
unless said otherwise; roll speed, pitch speed and yaw speed in rad/s, or rad/m in sections measured by distance.
"""

from __future__ import annotations

import math
import struct
from dataclasses import dataclass
from pathlib import Path

from ...base.errors import InputError
from ..base import read_bytes

VERSIONS = range(3, 8)
NODE_KINDS = (
    "force", "geometric", "curved", "copy path", "anchor", "reverse", "reverse path", "bridge", "mesh", "append",
)  # fmt: skip
PORT_KINDS = (
    "anchor", "path", "duration", "position", "roll", "pitch", "yaw", "velocity", "heart", "friction", "resistance",
    "radius", "arc", "axis", "lead in", "lead out", "in weight", "out weight", "rotation", "scale", "start", "end",
)  # fmt: skip
CURVES = (
    "roll_speed", "normal_force", "lateral_force", "pitch_speed", "yaw_speed", "velocity", "heart", "friction",
    "resistance", "style",
)  # fmt: skip
CONSTANT, LINEAR, BEZIER = 0, 1, 2
MAX_NODES, MAX_KEYS = 10_000, 100_000
_RENDER, _OVERRIDES, _SELECTED, _CURVE, _DURATION, _MESH = 0x83, 0x04, 0x08, 0x10, 0x20, 0x40
_STEERING, _DRIVEN = 0x04, 0x01
LARGEST = 1e7


@dataclass(frozen=True)
class KexPoint:
    """State of the train at a place. position (3,) m: of the heartline; direction, lateral, normal (3,): unit
    vectors forward, across and down; velocity (m/s); energy (J/kg); rail_run, heart_run (m): distance travelled
    along rail and heartline; friction_from (m): where friction is counted from; heart (m): height of the heartline
    above the rail; friction and resistance: coefficients; heart_step (m): last step along the heartline."""

    position: tuple[float, float, float]
    direction: tuple[float, float, float]
    lateral: tuple[float, float, float]
    normal: tuple[float, float, float]
    velocity: float
    energy: float
    heart_step: float
    rail_run: float
    heart_run: float
    friction_from: float
    heart: float
    friction: float
    resistance: float
    facing: int


@dataclass(frozen=True)
class KexKey:
    """A keyframe: time (s or m), value, kind of interpolation before and after it, slopes and weights there."""

    time: float
    value: float
    kind_in: int
    kind_out: int
    slope_in: float
    slope_out: float
    weight_in: float
    weight_out: float


@dataclass(frozen=True)
class KexPort:
    """A port of a node: id that edges refer to, kind, and the value a person set there (first three numbers)."""

    id: int
    kind: str
    value: tuple[float, float, float]


@dataclass(frozen=True)
class KexNode:
    """A node of the project. point: its stored anchor; by_distance: duration in m, else in s; driven: its speed is
    prescribed; steering: roll does not move the heartline; curve: radius (m), arc, axis, lead in, lead out (deg);
    curves: keyframes by name."""

    index: int
    kind: str
    priority: int
    point: KexPoint
    duration: float
    by_distance: bool
    driven: bool
    steering: bool
    curve: tuple[float, ...]
    inputs: tuple[KexPort, ...]
    outputs: tuple[KexPort, ...]
    curves: dict[str, tuple[KexKey, ...]]

    @property
    def label(self) -> str:
        """Kind and number of the node, for messages."""
        return f"node {self.index + 1} ({self.kind})"


@dataclass(frozen=True)
class KexFile:
    """A project: version, nodes, and edges as pairs of port ids (from, to)."""

    version: int
    nodes: tuple[KexNode, ...]
    edges: tuple[tuple[int, int], ...]


class _Bytes:
    """Reads values one after the other; every failure names the place in the file."""

    def __init__(self, raw: bytes, where: str) -> None:
        self.raw, self.where, self.at, self.what = raw, where, 0, "the head of the file"

    def take(self, form: str) -> tuple[float, ...]:
        size = struct.calcsize("<" + form)
        if self.at + size > len(self.raw):
            raise InputError(
                f"{self.where}: ends in the middle of {self.what} (byte {self.at}); the file is cut off."
            )
        values = struct.unpack_from("<" + form, self.raw, self.at)
        self.at += size
        for value in values:
            if isinstance(value, float) and not (math.isfinite(value) and abs(value) < LARGEST):
                raise InputError(
                    f"{self.where}: {self.what} holds the number {value} (byte {self.at - size}); it must be finite"
                    f" and below {LARGEST:.0e}."
                )
        return values

    def whole(self, form: str = "i") -> int:
        return int(self.take(form)[0])

    def count(self, maximum: int, of: str) -> int:
        n = self.whole()
        if not 0 <= n <= maximum:
            raise InputError(
                f"{self.where}: {self.what} claims {n} {of} (byte {self.at - 4}); the file is damaged."
            )
        return n

    def among(self, value: int, names: tuple[str, ...], of: str) -> str:
        if not 0 <= value < len(names):
            raise InputError(
                f"{self.where}: {self.what} has the unknown {of} {value}; save it with KexEdit 5 to 7."
            )
        return names[value]


_POINT = "29fi"


def _point(values: tuple[float, ...]) -> KexPoint:
    def vector(k: int) -> tuple[float, float, float]:
        return values[k], values[k + 1], values[k + 2]

    return KexPoint(
        position=vector(0),
        direction=vector(3),
        lateral=vector(6),
        normal=vector(9),
        velocity=values[13],
        energy=values[14],
        heart_step=values[18],
        rail_run=values[23],
        heart_run=values[24],
        friction_from=values[25],
        heart=values[26],
        friction=values[27],
        resistance=values[28],
        facing=int(values[29]),
    )


def _ports(data: _Bytes) -> tuple[KexPort, ...]:
    ports = []
    for _ in range(data.count(1000, "ports")):
        port, kind, _ = data.take("IiB3x")
        value = data.take(_POINT)
        ports.append(
            KexPort(int(port), data.among(int(kind), PORT_KINDS, "port"), (value[12], value[13], value[14]))
        )
    return tuple(ports)


def _keys(data: _Bytes, curve: str) -> tuple[KexKey, ...]:
    keys: list[KexKey] = []
    for k in range(data.count(MAX_KEYS, "keyframes")):
        _, time, value, kind_in, kind_out, _, _, slope_in, slope_out, weight_in, weight_out, _ = data.take(
            "IffiiiB3xffffB3x"
        )
        for kind in (kind_in, kind_out):
            data.among(
                int(kind), ("constant", "linear", "bezier"), f"interpolation in keyframe {k + 1} of {curve}"
            )
        if keys and time <= keys[-1].time:
            raise InputError(
                f"{data.where}: {data.what}, {curve}: keyframe {k + 1} does not come after the one before; sort them."
            )
        keys.append(
            KexKey(time, value, int(kind_in), int(kind_out), slope_in, slope_out, weight_in, weight_out)
        )
    return tuple(keys)


def _node(data: _Bytes, index: int, version: int) -> KexNode:
    data.what = f"node {index + 1}"
    if version >= 6:
        data.take("I")
    _, _, kind, priority = data.take("2fii")
    name = data.among(int(kind), NODE_KINDS, "kind")
    data.what = f"node {index + 1} ({name})"
    data.take("B3x4i")
    point = _point(data.take(_POINT))
    flags = data.whole("I")
    shown = data.whole("B") if flags & _RENDER else 0
    overrides = data.whole("B") if flags & _OVERRIDES else 0
    if flags & _SELECTED:
        data.take("i")
    curve = data.take("5f") if flags & _CURVE else ()
    by_distance, duration = data.take("if") if flags & _DURATION else (0, 0.0)
    if flags & _MESH:
        data.take("512s")
    inputs, outputs = _ports(data), _ports(data)
    names = CURVES if version >= 4 else CURVES[:-1]
    curves = {curve_name: _keys(data, curve_name) for curve_name in names}
    return KexNode(
        index, name, int(priority), point, duration, bool(by_distance), bool(overrides & _DRIVEN),
        bool(shown & _STEERING), curve, inputs, outputs, curves,
    )  # fmt: skip


def parse_kex(raw: bytes, where: str) -> KexFile:
    """The content of a KexEdit project. where: name used in messages.

    Raises InputError naming node and byte for a file that is cut off, damaged, of another kind or another version.
    """
    data = _Bytes(raw, where)
    version = data.whole()
    if version not in VERSIONS:
        raise InputError(
            f"{where}: is no KexEdit project of version {VERSIONS[0]} to {VERSIONS[-1]} (found {version}); save it"
            " with KexEdit as .kex."
        )
    data.take("12f")
    data.what = "the list of nodes"
    nodes = tuple(_node(data, k, version) for k in range(data.count(MAX_NODES, "nodes")))
    data.what = "the list of edges"
    edges = []
    for _ in range(data.count(10 * MAX_NODES, "edges")):
        _, source, target, _ = data.take("IIIB3x")
        edges.append((int(source), int(target)))
    if data.at != len(raw):
        raise InputError(
            f"{where}: {len(raw) - data.at} bytes are left over at the end; the file is damaged."
        )
    return KexFile(version, nodes, tuple(edges))


def load_kex(path: Path) -> KexFile:
    """Read a KexEdit project; raises InputError as `parse_kex` and when the file cannot be read."""
    return parse_kex(read_bytes(path, "a KexEdit project"), str(path))
