"""Damage to what a track can be made of: every field of elements, devices, heartline, site, tables, point ride.

`cases()` yields (name, text of a project file); all of them must be refused in one sentence. `sound()` is what they
start from.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ridewright.core.track.elements import KINDS

HERE = Path(__file__).parent
Way = tuple[str | int, ...]

# JSON texts that fit no number, no text and no choice of any field; 1e999 is infinity once read.
WRONG = {"nan": "NaN", "infinite": "1e999", "huge": "-1e14", "a list": "[[]]", "a control character": '"\\n"'}
DEVICES: tuple[dict[str, Any], ...] = (
    {"kind": "chain_lift", "speed": 2.5, "acceleration": 3.0, "anti_rollback": True},
    {"kind": "launch", "mode": "power", "value": 9e4, "top_speed": 30.0, "grip": 9.0},
    {"kind": "block_brake", "speed": 0.0, "deceleration": 5.0, "hold": 5.0, "release_speed": 2.0},
    {"kind": "station", "speed": 1.0, "acceleration": 1.0},
    {"kind": "trim_brake", "speed": 1.0, "deceleration": 1.0},
    {"kind": "drive_tyres", "speed": 1.0, "acceleration": 1.0},
)


def _plain() -> dict[str, Any]:
    data: dict[str, Any] = json.loads((HERE / "ride.ridewright").read_text(encoding="utf-8"))
    return data


def _table(name: str, x: float, roll: dict[str, Any]) -> dict[str, Any]:
    rows = [[x + 2.0 * k, 9.0, 2.0] for k in range(8)]
    return {"kind": "table", "name": name, "positions": rows, "continues": bool("up" in roll), **roll}


def sound() -> dict[str, Any]:
    """A project with one of every new part."""
    data = _plain()
    track = data["track"]
    track["sections"][1]["roll_points"] = [
        {"at": 3.0, "cant": 0.01, "rates": [0.0, 0.0, 0.0]},
        {"at": 8.0, "cant": 0.02, "rates": None},
    ]
    track["sections"].append({"kind": "straight", "name": "on", "length": 12.0})
    track["sections"].append(_table("rows", 80.0, {"cant": [0.0] * 8}))
    track["sections"].append(_table("more rows", 96.0, {"up": [[0.0, 0.0, 1.0] for _ in range(8)]}))
    track["devices"] = [
        {"name": f"device {k}", "section": "station", "start": 3.0 * k, "end": 3.0 * k + 2.0, **device}
        for k, device in enumerate(DEVICES)
    ]
    points = [{"section": "hill", "offset": x, "height": 1.0} for x in (2.0, 12.0)]
    track["heartline"] = {"height": 1.1, "points": points}
    rows = [[-1.0 + 0.1 * i for i in range(3)] for _ in range(2)]
    track["site"] = {"level": -1.0, "field": {"corner": [-50.0, -50.0], "spacing": 90.0, "rows": rows}}
    data["point_ride"] = {
        "start": 0.0, "speed": 3.0, "line": "heartline", "friction": "load", "mu": 0.02, "drag": 2e-5,
        "mass": 5000.0, "train_length": 5.0, "masses": 3, "laps": 1, "duration": 100.0,
    }  # fmt: skip
    data["evaluation"] = {
        "restraint": "base", "restraint_class": 3, "extended_negative_gz": False, "headrest": True,
        "patron_height": 1.2, "standards": ["astm_f2291"], "f2291_edition": "25", "standard_filter": "5 Hz",
        "neck": "H3_50M",
    }  # fmt: skip
    return data


def elements() -> Iterator[tuple[str, dict[str, Any]]]:
    """One project for each kind of element, all fields spelled out."""
    for kind in (made.model for made in KINDS.values()):
        keys = (
            {"normal_g": ({"at": 1.0, "value": 2.0, "transition": "sine"},)}
            if "normal_g" in kind.model_fields
            else {}
        )
        pose = {"position": (0, 0, 5), "heading": 0.1, "pitch": 0.05, "cant": 0.0}
        data = _plain()
        element = kind(name="element", pose=pose, **keys)
        data["track"]["sections"] = [json.loads(element.model_dump_json())]
        yield element.kind, data


def leaves(node: Any, way: Way = ()) -> Iterator[Way]:
    """The way to every value of a JSON tree that holds no others."""
    if not isinstance(node, dict | list):
        yield way
        return
    for key, value in node.items() if isinstance(node, dict) else enumerate(node):
        yield from leaves(value, (*way, key))


def _objects(node: Any, way: Way = ()) -> Iterator[Way]:
    if isinstance(node, dict):
        yield way
    if isinstance(node, dict | list):
        for key, value in node.items() if isinstance(node, dict) else enumerate(node):
            yield from _objects(value, (*way, key))


def replaced(data: dict[str, Any], way: Way, json_text: str) -> str:
    """JSON text of a tree with the value at a way written as given."""
    new = copy.deepcopy(data)
    node: Any = new
    for key in way[:-1]:
        node = node[key]
    node[way[-1]] = "<here>"
    return json.dumps(new).replace('"<here>"', json_text)


def _damaged(name: str, data: dict[str, Any], under: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    kinds = list(WRONG)
    for k, way in enumerate(way for way in leaves(data) if way[0] in under):
        for what in (kinds[k % 5], kinds[(k + 2) % 5]):
            if way[-1] == "source" and what == "a control character":
                continue  # a free text
            yield f"{name}: {'.'.join(map(str, way))} is {what}", replaced(data, way, WRONG[what])
    for way in _objects(data):
        if way and way[0] in under:
            node: Any = data
            for key in way:
                node = node[key]
            text = replaced(data, way, json.dumps(node | {"colour": "red"}))
            yield f"{name}: {'.'.join(map(str, way))} has an unknown field", text
            yield f"{name}: {'.'.join(map(str, way))} is a text", replaced(data, way, '"off"')


def cases() -> list[tuple[str, str]]:
    """Every damaged project with its name."""
    found = list(_damaged("parts", sound(), ("track", "point_ride", "evaluation", "gravity")))
    for kind, data in elements():
        sections = {"sections": data["track"]["sections"]}
        found += [
            (name, json.dumps(data | {"track": data["track"] | json.loads(text)}))
            for name, text in _damaged(kind, sections, ("sections",))
        ]
    return found
