"""Two hundred and more ways to damage a project: what the reader must refuse in one sentence.

Every function yields (name, content) pairs; content is the text of a damaged project file. `ride.ridewright` and
`rig.ridewright` beside this file are the sound projects they start from.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
RIDE = json.loads((HERE / "ride.ridewright").read_text(encoding="utf-8"))
RIG = json.loads((HERE / "rig.ridewright").read_text(encoding="utf-8"))

Case = tuple[str, str]


def leaves(node: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[tuple[str | int, ...], Any]]:
    """Every value of a JSON tree that holds no others, with its path."""
    entries: Any = (
        node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
    )
    if not isinstance(node, dict | list):
        yield path, node
    for key, value in entries:
        yield from leaves(value, (*path, key))


def containers(node: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[tuple[str | int, ...], Any]]:
    """Every object and list of a JSON tree below its root, with its path."""
    if isinstance(node, dict | list):
        if path:
            yield path, node
        for key, value in node.items() if isinstance(node, dict) else enumerate(node):
            yield from containers(value, (*path, key))


def changed(data: Any, path: tuple[str | int, ...], value: Any) -> Any:
    """A copy with the value at a path replaced."""
    new = copy.deepcopy(data)
    node = new
    for key in path[:-1]:
        node = node[key]
    node[path[-1]] = value
    return new


def dotted(path: tuple[str | int, ...]) -> str:
    return ".".join(str(part) for part in path)


def wrong_types() -> Iterator[Case]:
    """At every number of both projects: a text, NaN, a number beyond all bounds, a truth value, an object."""
    wrong = {"a text": "12.5", "not a number": float("nan"), "huge": -1e300, "true": True, "an object": {}}
    for name, data in (("ride", RIDE), ("rig", RIG)):
        numbers = [p for p, v in leaves(data) if isinstance(v, int | float) and not isinstance(v, bool)]
        for k, path in enumerate(numbers):
            # Two of the five at each number: with over 200 numbers every combination of kind and field class occurs.
            for what in (list(wrong)[k % 5], list(wrong)[(k + 2) % 5]):
                yield f"{name}: {dotted(path)} is {what}", json.dumps(changed(data, path, wrong[what]))


def wrong_texts() -> Iterator[Case]:
    """At every text of both projects: a number or a list."""
    for name, data in (("ride", RIDE), ("rig", RIG)):
        for k, (path, value) in enumerate(leaves(data)):
            if isinstance(value, str):
                yield f"{name}: {dotted(path)} is no text", json.dumps(changed(data, path, [7, ["x"]][k % 2]))


def wrong_shapes() -> Iterator[Case]:
    """Every object with an unknown field, every list as an object."""
    for name, data in (("ride", RIDE), ("rig", RIG)):
        for path, node in containers(data):
            if isinstance(node, dict):
                text = json.dumps(changed(data, path, node | {"colour": "red"}))
                yield f"{name}: {dotted(path)} has an unknown field", text
            else:
                yield f"{name}: {dotted(path)} is an object", json.dumps(changed(data, path, {"0": node}))


def cut_off() -> Iterator[Case]:
    """A file that ends too early, at many places."""
    text = json.dumps(RIDE)
    for k in range(1, 40):
        yield f"cut off after {k}/40", text[: k * len(text) // 40]


def _edit(data: Any, edit: Callable[[Any], object]) -> str:
    new = copy.deepcopy(data)
    edit(new)
    return json.dumps(new)


def _car(data: Any) -> Any:
    return data["train"]["children"][0]


def _rig(data: Any) -> Any:
    return data["scenario"]["assembly"]


def _twin(entries: list[Any]) -> None:
    entries.append(copy.deepcopy(entries[0]))


RIDE_EDITS: dict[str, Callable[[Any], object]] = {
    "negative mass": lambda d: _car(d)["bodies"][0].update(mass=-300.0),
    "zero mass": lambda d: _car(d)["bodies"][0].update(mass=0.0),
    "vanishing mass": lambda d: _car(d)["bodies"][0].update(mass=1e-320),
    "zero inertia": lambda d: _car(d)["bodies"][1].update(inertia=[80.0, 0.0, 190.0]),
    "negative inertia": lambda d: _car(d)["bodies"][1].update(inertia=[80.0, 160.0, -1.0]),
    "two moments of inertia": lambda d: _car(d)["bodies"][1].update(inertia=[80.0, 160.0]),
    "no bodies": lambda d: _car(d).update(bodies=[]),
    "no cars": lambda d: d["train"].update(children=[]),
    "doubled car": lambda d: _twin(d["train"]["children"]),
    "doubled body": lambda d: _twin(_car(d)["bodies"]),
    "doubled joint": lambda d: _twin(_car(d)["joints"]),
    "doubled guide": lambda d: _twin(_car(d)["guides"]),
    "doubled force": lambda d: _twin(_car(d)["forces"]),
    "doubled seat": lambda d: _twin(_car(d)["seats"]),
    "doubled rider": lambda d: _twin(_car(d)["children"]),
    "doubled section": lambda d: _twin(d["track"]["sections"]),
    "doubled segment": lambda d: _twin(_car(d)["children"][0]["bodies"]),
    "body named ground": lambda d: _car(d)["bodies"][0].update(name="ground"),
    "body named seat": lambda d: _car(d)["bodies"][0].update(name="seat"),
    "nameless body": lambda d: _car(d)["bodies"][0].update(name=""),
    "name with a slash": lambda d: _car(d).update(name="car/1"),
    "name with a line feed": lambda d: _car(d).update(name="car\n1"),
    "endless name": lambda d: _car(d).update(name="c" * 1000),
    "body without mass": lambda d: _car(d)["bodies"][0].pop("mass"),
    "body without length of quaternion": lambda d: _car(d)["bodies"][0].update(orientation=[0, 0, 0, 0]),
    "seat without length of quaternion": lambda d: _car(d)["seats"][0].update(orientation=[0, 0, 0, 0]),
    "quaternion of three": lambda d: _car(d)["bodies"][0].update(orientation=[1, 0, 0]),
    "joint on a missing body": lambda d: _car(d)["joints"][0].update(body_j="wing"),
    "joint to itself": lambda d: _car(d)["joints"][0].update(body_j="chassis"),
    "joint of ground to ground": lambda d: _car(d)["joints"][0].update(body_i="ground", body_j="ground"),
    "joint without axis": lambda d: _car(d)["joints"][0].pop("axis_i"),
    "joint with an axis of no length": lambda d: _car(d)["joints"][0].update(axis_j=[0, 0, 0]),
    "joint of unknown kind": lambda d: _car(d)["joints"][0].update(kind="glue"),
    "length of a revolute joint": lambda d: _car(d)["joints"][0].update(length=1.0),
    "guide on a missing body": lambda d: _car(d)["guides"][0].update(body="wing"),
    "guide on the ground": lambda d: _car(d)["guides"][0].update(body="ground"),
    "guide on an unknown path": lambda d: _car(d)["guides"][0].update(path="third_rail"),
    "spring in a missing joint": lambda d: _car(d)["forces"][0].update(joint="knee"),
    "negative stiffness": lambda d: _car(d)["forces"][0].update(stiffness=-1.0),
    "negative damping": lambda d: _car(d)["forces"][0].update(damping=-1.0),
    "stop the wrong way round": lambda d: _car(d)["forces"][1].update(lower=0.3),
    "stop with a flat exponent": lambda d: _car(d)["forces"][1].update(exponent=0.5),
    "drag on a missing body": lambda d: _car(d)["forces"][2].update(body="wing"),
    "drag of negative area": lambda d: _car(d)["forces"][2].update(drag_area=-1.0),
    "resistance of a missing guide": lambda d: _car(d)["forces"][3].update(guide="wheel 9"),
    "spring on a missing body": lambda d: _car(d)["forces"][4].update(body_i="wing"),
    "spring to itself": lambda d: _car(d)["forces"][4].update(body_i="carbody"),
    "falling spring curve": lambda d: _car(d)["forces"][4].update(curve=[[0.1, 1.0], [0.0, 0.0]]),
    "spring curve of one point": lambda d: _car(d)["forces"][4].update(curve=[[0.1, 1.0]]),
    "force of unknown kind": lambda d: _car(d)["forces"][4].update(kind="magic"),
    "force without kind": lambda d: _car(d)["forces"][4].pop("kind"),
    "seat on a missing body": lambda d: _car(d)["seats"][0].update(body="roof"),
    "rider on a missing seat": lambda d: _car(d)["children"][0].update(seat="roof"),
    "two riders on one seat": lambda d: _car(d)["children"].append(
        _car(d)["children"][0] | {"name": "second"}
    ),
    "rider without a head": lambda d: _car(d)["children"][0].update(head="hat"),
    "rider joined to the ground": lambda d: _car(d)["children"][0]["joints"][0].update(body_i="ground"),
    "rider joined to a body of the car": lambda d: _car(d)["children"][0]["joints"][0].update(
        body_i="carbody"
    ),
    "rider without segments": lambda d: _car(d)["children"][0].update(bodies=[]),
    "segment joined to itself": lambda d: _car(d)["children"][0]["joints"][1].update(body_i="head"),
    "seat and body in a circle": lambda d: (
        _car(d)["seats"][0].update(body="head"),
        _car(d)["children"][0]["joints"][0].update(body_j="seat"),
    ),
    "first car set back": lambda d: _car(d).update(offset=2.0),
    "car at a negative offset": lambda d: _car(d).update(offset=-2.0),
    "cars in one place": lambda d: d["train"]["children"].append(_car(d) | {"name": "car 2"}),
    "train without a track": lambda d: d.pop("track"),
    "track without sections": lambda d: d["track"].update(sections=[]),
    "section of unknown kind": lambda d: d["track"]["sections"][0].update(kind="wormhole"),
    "negative gauge": lambda d: d["track"].update(gauge=-1.0),
    "no gauge": lambda d: d["track"].update(gauge=0),
    "track of one point": lambda d: d["track"].update(
        sections=[{"kind": "spline", "name": "dot", "points": [{"x": 0, "y": 0, "z": 0}]}]
    ),
    "points on top of each other": lambda d: d["track"]["sections"][1]["points"].insert(
        1, {"x": 20, "y": 0, "z": 0, "cant": 0.0}
    ),
    "straight of no length": lambda d: d["track"]["sections"][0].update(end=[0, 0, 0]),
    "table of two rows": lambda d: d["track"]["sections"].append(
        {"kind": "table", "name": "measured", "positions": [[60, 9, 2], [70, 9, 2]]}
    ),
    "far away point": lambda d: d["track"]["sections"][1]["points"][2].update(x=1e12),
    "end before start": lambda d: d["scenario"].update(end_place=1.0),
    "faster than sound": lambda d: d["scenario"].update(speed=12000.0),
    "no duration": lambda d: d["scenario"].update(duration=0.0),
    "negative duration": lambda d: d["scenario"].update(duration=-1.0),
    "duration of a century": lambda d: d["scenario"].update(duration=3e9),
    "scenario of unknown kind": lambda d: d["scenario"].update(kind="dream"),
    "no tolerance": lambda d: d["settings"].update(tolerance=0.0),
    "sample rate zero": lambda d: d["settings"].update(sample_rate=0.0),
    "sample rate beyond reason": lambda d: d["settings"].update(sample_rate=1e9),
    "unknown method": lambda d: d["settings"].update(method="guessing"),
    "spectral radius of two": lambda d: d["settings"].update(rho_infinity=2.0),
    "step of no length": lambda d: d["settings"].update(fixed_step=0.0),
    "gravity of two components": lambda d: d.update(gravity=[0, -9.81]),
    "no name": lambda d: d.pop("name"),
    "no format": lambda d: d.pop("format"),
    "another format": lambda d: d.update(format="coaster"),
    "version of the future": lambda d: d.update(version=99),
    "version zero": lambda d: d.update(version=0),
    "version as text": lambda d: d.update(version="1"),
    "half a version": lambda d: d.update(version=1.5),
    "version true": lambda d: d.update(version=True),
    "integer of a thousand digits": lambda d: d["scenario"].update(speed=10**999),
}

RIG_EDITS: dict[str, Callable[[Any], object]] = {
    "guide in a rig": lambda d: _rig(d).update(guides=[{"name": "g", "body": "bob"}]),
    "driver of a missing joint": lambda d: _rig(d)["drivers"][0].update(target="knee"),
    "driver of the wrong coordinate": lambda d: _rig(d)["drivers"][0].update(coordinate="angle"),
    "driver of a missing guide": lambda d: _rig(d)["drivers"][0].update(coordinate="arc_length"),
    "driver of a missing body": lambda d: _rig(d)["drivers"][0].update(coordinate="x"),
    "driver of a locked joint": lambda d: _rig(d)["joints"][1].update(locked=True),
    "doubled driver": lambda d: _twin(_rig(d)["drivers"]),
    "two drivers of one coordinate": lambda d: _rig(d)["drivers"].append(
        _rig(d)["drivers"][0] | {"name": "two"}
    ),
    "driver without function": lambda d: _rig(d)["drivers"][0].pop("function"),
    "falling times": lambda d: _rig(d)["forces"][0]["components"][0].update(times=[0, 2, 1]),
    "fewer values than times": lambda d: _rig(d)["forces"][0]["components"][0].update(values=[0, 2]),
    "table of one time": lambda d: _rig(d)["forces"][0]["components"][0].update(times=[0], values=[1]),
    "force of two components": lambda d: _rig(d)["forces"][0]["components"].pop(),
    "force on a missing body": lambda d: _rig(d)["forces"][0].update(body="bib"),
    "torque on a missing body": lambda d: _rig(d)["forces"][1].update(body="bib"),
    "force in unknown axes": lambda d: _rig(d)["forces"][0].update(axes="sideways"),
    "spring in a prismatic joint": lambda d: _rig(d)["forces"].append(
        {"kind": "rotational_spring", "name": "s", "joint": "rail", "stiffness": 1.0}
    ),
    "stop of a missing joint": lambda d: _rig(d)["forces"].append(
        {"kind": "joint_stop", "name": "s", "joint": "knee", "lower": -1, "upper": 1, "stiffness": 1.0}
    ),
    "rig without bodies": lambda d: _rig(d).update(bodies=[]),
    "rig without assembly": lambda d: d["scenario"].pop("assembly"),
    "distance joint of no length": lambda d: _rig(d)["joints"].append(
        {"name": "rod", "kind": "distance", "body_i": "bob", "body_j": "slider", "length": 0.0}
    ),
}


def edits() -> Iterator[Case]:
    """Things that are well formed and make no sense."""
    for name, edit in RIDE_EDITS.items():
        yield f"ride: {name}", _edit(RIDE, edit)
    for name, edit in RIG_EDITS.items():
        yield f"rig: {name}", _edit(RIG, edit)


def texts() -> Iterator[Case]:
    """Text that is no project at all."""
    sound = json.dumps(RIDE)
    yield "empty", ""
    yield "blank", " \n\t\n"
    for value in ("null", "true", "42", '"ridewright"', "[]", "{}", '[{"format": "ridewright"}]'):
        yield f"just {value}", value
    yield "trailing comma", sound[:-1] + ",}"
    yield "two projects in a row", sound + sound
    yield "single quotes", sound.replace('"', "'")
    yield "a comment", "// my ride\n" + sound
    yield "field given twice", sound.replace('"version": 2', '"version": 2, "name": "other"')
    yield "mass given twice", sound.replace('"mass": 300.0', '"mass": 300.0, "mass": 30.0')
    yield "infinity", sound.replace('"mass": 300.0', '"mass": Infinity')
    yield "minus infinity", sound.replace('"x": 30', '"x": -Infinity')
    yield "not a number", sound.replace('"mass": 300.0', '"mass": NaN')
    yield "beyond the range of floats", sound.replace('"mass": 300.0', '"mass": 1e400')
    yield "integer of 5000 digits", sound.replace('"mass": 300.0', '"mass": 1' + "0" * 5000)
    yield "nested too deeply", "[" * 100_000
    yield (
        "an object nested too deeply",
        '{"format": "ridewright", "notes": ' + '{"a":' * 900 + "1" + "}" * 901,
    )
    yield "a mark and rubbish", "\ufeffrubbish"
    yield "a web page", "<!doctype html><html><body>404 Not Found</body></html>"
    yield "a table", "t,ax,ay,az\n0,0,0,1\n"
    yield "a lone surrogate in a name", sound.replace("Small ride", "\\ud800")


def project_texts() -> list[Case]:
    """All of the above."""
    sources = (texts, cut_off, edits, wrong_types, wrong_texts, wrong_shapes)
    return [case for source in sources for case in source()]
