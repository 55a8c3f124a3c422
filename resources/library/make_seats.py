"""Writes the library's seats and restraints from the sizes in `source/seats.json`.

Sizes there are lengths (m) and angles (degrees) of pan, back, sides, headrest, foot rest and grips, and of pads as they
hold a man of average size; here they become surfaces in the frame of the seat, pads as they stand open:

    python resources/library/make_seats.py

Pan and back meet in a line 0.12 m behind and 0.147 m below the origin, where the library's riders are drawn to sit.
"""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
CORNER = (-0.12, -0.147)  # x and z of the line in which pan and back meet, m
H_POINT = (0.138, 0.111)  # along and above the pan from there: of the average man of this program
THICK, WALL = 0.08, 0.04  # m
GRIP = 0.015  # m, radius


def _turned(degrees: float) -> list[float]:
    """Euler parameters of a rotation about y that lifts the front by an angle."""
    half = -0.5 * math.radians(degrees)
    return [math.cos(half), 0.0, math.sin(half) + 0.0, 0.0]


def _axes(degrees: float) -> tuple[tuple[float, float], tuple[float, float]]:
    """Forward and up (x, z) after that rotation."""
    a = math.radians(degrees)
    return (math.cos(a), math.sin(a)), (-math.sin(a), math.cos(a))


def _along(
    degrees: float, forward: float, up: float, start: tuple[float, float] = CORNER
) -> tuple[float, float]:
    (fx, fz), (ux, uz) = _axes(degrees)
    return start[0] + forward * fx + up * ux, start[1] + forward * fz + up * uz


def _box(
    kind: str, name: str, at: tuple[float, float, float], turn: float, half: list[float], pad: Any
) -> dict[str, Any]:
    surface = {
        "kind": "box", "name": name, "position": _rounded(at), "orientation": _unit(_turned(turn)),
        "half_sizes": _rounded(half),
    }  # fmt: skip
    return {"kind": kind, "surface": surface, "padding": pad}


def _capsule(name: str, start: list[float], end: list[float], radius: float) -> dict[str, Any]:
    way = [b - a for a, b in zip(start, end, strict=True)]
    length = math.hypot(*way)
    x, y, z = (c / length for c in way)
    # the shortest rotation that takes the zeta axis there
    turn = [1.0 + z, -y, x, 0.0] if z > -1.0 + 1e-12 else [0.0, 1.0, 0.0, 0.0]
    return {
        "kind": "capsule", "name": name, "radius": radius, "length": round(length, 6),
        "position": _rounded([0.5 * (a + b) for a, b in zip(start, end, strict=True)]),
        "orientation": _unit(turn),
    }  # fmt: skip


def _unit(turn: list[float]) -> list[float]:
    """Euler parameters of length one, which reading them scales no more."""
    while True:
        size = math.hypot(*turn)
        scaled = [c / size + 0.0 for c in turn]
        if scaled == turn:
            return scaled
        turn = scaled


def _rounded(values: Any, digits: int = 6) -> list[float]:
    return [round(v, digits) + 0.0 for v in values]


def seat(row: dict[str, Any], pads: dict[str, Any]) -> dict[str, Any]:
    """The shape of a seat."""
    pan, back = row["pan"], row["back"]
    tilt, recline = pan["tilt"], back["recline"]
    x, z = _along(tilt, 0.5 * pan["length"], -0.5 * THICK)
    parts = [
        _box(
            "pan",
            "Pan",
            (x, 0.0, z),
            tilt,
            [0.5 * pan["length"], 0.5 * pan["width"], 0.5 * THICK],
            pads[pan["pad"]],
        )
    ]
    x, z = _along(recline, -0.5 * THICK, 0.5 * back["height"])
    parts.append(
        _box(
            "back",
            "Back",
            (x, 0.0, z),
            recline,
            [0.5 * THICK, 0.5 * back["width"], 0.5 * back["height"]],
            pads[back["pad"]],
        )
    )
    if sides := row.get("sides"):
        x, z = _along(tilt, 0.5 * pan["length"], 0.5 * sides["height"])
        for name, sign in (("Left side", 1.0), ("Right side", -1.0)):
            y = sign * 0.5 * (sides["gap"] + WALL)
            parts.append(
                _box(
                    "side",
                    name,
                    (x, y, z),
                    tilt,
                    [0.5 * pan["length"], 0.5 * WALL, 0.5 * sides["height"]],
                    pads["foam"],
                )
            )
    if horn := row.get("pommel"):  # between the legs
        ends = [_along(tilt, horn["ahead"], up) for up in (-0.02, horn["height"])]
        low, high = ([x, 0.0, z] for x, z in ends)
        surface = _capsule("Pommel", low, high, horn["radius"])
        parts.append({"kind": "pommel", "surface": surface, "padding": pads["foam"]})
    if chest := row.get("bolsters"):  # beside the chest, out of the back
        x, z = _along(recline, 0.5 * chest["depth"], chest["middle"])
        half = [0.5 * chest["depth"], 0.5 * WALL, 0.5 * chest["height"]]
        for name, sign in (("Left bolster", 1.0), ("Right bolster", -1.0)):
            y = sign * 0.5 * (chest["gap"] + WALL)
            parts.append(_box("bolster", name, (x, y, z), recline, half, pads["foam"]))
    if head := row.get("headrest"):
        x, z = _along(recline, head["forward"] - 0.5 * THICK, head["middle"])
        half = [0.5 * THICK, 0.5 * head["width"], 0.5 * head["height"]]
        parts.append(_box("headrest", "Headrest", (x, 0.0, z), recline, half, pads[head["pad"]]))
    if foot := row.get("foot_rest"):
        x, z = _along(tilt, pan["length"], 0.0)
        x, z = _along(foot["tilt"], 0.0, -0.5 * WALL, (x + foot["ahead"], z - foot["drop"]))
        half = [0.5 * foot["length"], 0.5 * pan["width"], 0.5 * WALL]
        rest = _box("foot_rest", "Foot rest", (x, 0.0, z), foot["tilt"], half, pads["shell"])
        parts.append(rest | ({"travel": [0.0, 0.0, foot["travel"]]} if "travel" in foot else {}))
    if degrees := back.get("turn"):  # with what it carries, about the line in which it meets the pan
        leans = {"turn": round(math.radians(degrees), 6), "pivot": _rounded([CORNER[0], 0.0, CORNER[1]])}
        parts = [part | leans if part["kind"] in ("back", "headrest") else part for part in parts]
    if grips := row.get("grips"):
        for name, sign in (("Left grip", 1.0), ("Right grip", -1.0)):
            x, y, z = grips["at"]
            reach = [0.5 * grips["length"] * (axis == grips["axis"]) for axis in "xyz"]
            middle = [x, sign * y, z]
            start = [m - r for m, r in zip(middle, reach, strict=True)]
            end = [m + r for m, r in zip(middle, reach, strict=True)]
            parts.append(
                {"kind": "hand_grip", "surface": _capsule(name, start, end, GRIP), "padding": pads["shell"]}
            )
    x, z = _along(tilt, *row.get("h_point", H_POINT))
    return {"name": row["title"], "source": row["source"], "h_point": _rounded([x, 0.0, z]), "parts": parts}


def _opened(row: dict[str, Any], point: list[float]) -> list[float]:
    """Where a point of a pad is when the restraint is open."""
    if row["motion"] == "slides":
        return [p - row["open"] * a for p, a in zip(point, row["axis"], strict=True)]
    hinge, angle = row["hinge"], -row["open"] * row["axis"][1]  # about y
    dx, dz = point[0] - hinge[0], point[2] - hinge[2]
    c, s = math.cos(angle), math.sin(angle)
    return [hinge[0] + c * dx + s * dz, point[1], hinge[2] - s * dx + c * dz]


def _leaning(row: dict[str, Any], rows: dict[str, Any]) -> dict[str, Any]:
    """A restraint that is like another one, leaning back with the back of a seat about the line behind its pan."""
    if "like" not in row:
        return row

    def leant(point: list[float]) -> list[float]:
        x, z = _along(row["leans"], point[0] - CORNER[0], point[2] - CORNER[1])
        return [x, point[1], z]

    made = rows[row["like"]]
    pads = [pad | {"from": leant(pad["from"]), "to": leant(pad["to"])} for pad in made["pads"]]
    return made | row | {"pads": pads, "hinge": _rounded(leant(made["hinge"]))}


def restraint(row: dict[str, Any], pads: dict[str, Any]) -> dict[str, Any]:
    """A restraint, open."""
    made = [
        _capsule(pad["name"], _opened(row, pad["from"]), _opened(row, pad["to"]), pad["radius"])
        for pad in row["pads"]
    ]
    way = round(row["open"] + row["further"], 6)
    moves = {"turn": way, "hinge": row["hinge"]} if row["motion"] == "turns" else {"slide": way}
    return {
        "kind": row["kind"], "name": row["title"], "source": row["source"], "pads": made, "padding": pads[row["pad"]],
        "motion": row["motion"], "axis": row["axis"], **moves, "teeth": row["teeth"], "latch": row["latch"],
        "play": row["play"], "holds": row["holds"], "restraint_class": row["class"],
        **({"webbing": row["webbing"]} if "webbing" in row else {}),
    }  # fmt: skip


def make_files() -> dict[str, dict[str, Any]]:
    """All files by their place under this folder."""
    data = json.loads((HERE / "source" / "seats.json").read_text(encoding="utf-8"))
    pads, out = data["pads"], {}
    for key, row in data["seats"].items():
        head = {"title": row["title"], "source": row["source"], "notes": [*row["notes"], *data["notes"]]}
        out[f"seats/{key}.json"] = head | {"restraint": row["restraint"], "seat": seat(row, pads)}
    for key, given in data["restraints"].items():
        row = _leaning(given, data["restraints"])
        head = {"title": row["title"], "source": row["source"], "notes": row["notes"]}
        out[f"restraints/{key}.json"] = head | {"restraint": restraint(row, pads)}
    return out


def main() -> None:
    """Write the files."""
    for name, content in make_files().items():
        place = HERE / name
        place.parent.mkdir(exist_ok=True)
        place.write_text(json.dumps(content, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
