"""Writes the library's vehicle and occupant from the printed tables and the list of corrections beside this file.

`source/viegas2016_*.json` hold the tables of Viegas 2016 as printed, in the thesis' own world (travel along -x),
and every correction with its status and reason. This script puts them into the frames of the program and writes
`vehicles/*.json` and `occupants/*.json`, once corrected and once as printed. `source/cars.json` names what is
published of cars of real rides (`source/trains.csv`) and what was chosen where nothing is; they get the running gear of
the thesis' vehicle. The written files are the library; run the script again after changing a table:

    python resources/library/make_library.py

Frames. The car frame has x forward, y left, z up and its origin on the rail plane, between the rails and halfway
between the axles, which the tables place at x = -1.1 m: x = -(x_thesis + 1.1), y = -y_thesis, z = z_thesis, a half
turn about z. Points in body axes stay as they are. A seat frame sits at the lower torso's centre of mass.
"""

from __future__ import annotations

import copy
import csv
import json
import math
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
AXLE_MIDDLE_X = -1.1
GUIDED_RAIL = {"rail_y+0.5": "right_rail", "rail_y-0.5": "left_rail"}
CHOSEN_ROLL_STOP = {
    # The thesis names the stops of the roll joint but prints neither angle nor stiffness (see the notes).
    "kind": "joint_stop",
    "name": "Roll stop",
    "joint": "Roll joint",
    "lower": -math.radians(10.0),
    "upper": math.radians(10.0),
    "stiffness": 3.0e5,
    "exponent": 1.5,
    "damping": 0.4,
}
ADDED_STIFFNESS = {"stiffness": 5.0, "damping": 0.3}
ADDED_AT = ("Right wrist", "Left wrist", "Right ankle", "Left ankle")
VEHICLE_NOTES = (
    "Wheelsets are named by the side they run on; the thesis calls y = +0.5 m left although it lies on the right"
    " for travel along -x (its names are kept in the field part).",
    "The angle and the stiffness of the roll stop are not printed: 10 degrees to either side and"
    " 3e5 N m/rad^1.5 with damping 0.4 s/rad are chosen here. It is a force element of the car, which can be disabled.",
    "In loops that push the riders upwards the thesis asks for the secondary suspension to be locked:"
    " tick Locked at the roll joint for that.",
)
ABREAST = 0.6  # m, from seat to seat
BODY_HEIGHT, SEAT_HEIGHT, FRAME_HEIGHT = (
    0.45,
    0.95,
    0.185,
)  # m above the rails: centres of mass, seats, pivots of axles
BOX = (1.2, 0.9)  # m, least width and height of the box whose moments of inertia a body has
CAR_NOTES = (
    "Chosen: running gear of Viegas 2016 (two axles of 51.5 kg, four wheelsets of 10.1 kg, lateral springs) at its"
    " gauge of 1.0 m, because gauges of makers are not published.",
    f"Chosen: one rigid body with its centre {BODY_HEIGHT:g} m above the rails and the moments of inertia of a uniform"
    f" box, seats {ABREAST:g} m apart and {SEAT_HEIGHT:g} m above the rails (the rider's lower torso).",
)
OCCUPANT_NOTES = (
    "Right and left follow the direction of travel. All points of the seat are in the seat's frame, whose origin"
    " is the lower torso's centre of mass as drawn; the body fits either seat.",
    "Wrists and ankles have no elastic element in the thesis: hands and feet swing nearly undamped. The elements"
    " marked (addition) give them 5 N m/rad and 0.3 N m s/rad; they are off until with_wrist_ankle_stiffness.",
    "The suggested corrections O7, O14 and O15 are applied; load_occupant takes the keys that shall stay as printed.",
)


def corrected(tables: dict[str, Any]) -> dict[str, Any]:
    """The tables with every correction applied, in the order of the list."""
    out = copy.deepcopy(tables)
    for correction in out["corrections"]:
        for change in correction["changes"]:
            row = next(r for r in out[change["table"]] if r["id"] == change["id"])
            if row[change["field"]] != change["printed"]:
                raise ValueError(f"correction {correction['key']} does not find what it corrects")
            row[change["field"]] = change["used"]
    return out


def half_turn(point: list[float]) -> list[float]:
    """A position of the thesis' world in the car frame, to the digits of the tables."""
    return [round(-(point[0] - AXLE_MIDDLE_X), 6) + 0.0, -point[1] + 0.0, point[2]]


def orientation(e: list[float]) -> list[float]:
    """Euler parameters in the car frame of a body the thesis turns by e3 about the vertical (e1 = e2 = 0)."""
    e0, e3 = math.sqrt(max(0.0, 1.0 - sum(c * c for c in e))), e[2]
    # (0, 0, 0, 1) o (e0, 0, 0, e3) = (-e3, 0, 0, e0), with the sign that makes the scalar part positive
    p = (e3, -e0) if e3 > 0.0 or (e3 == 0.0 and e0 < 0.0) else (-e3, e0)
    return [p[0] + 0.0, 0.0, 0.0, p[1] + 0.0]


def direction(start: list[float], end: list[float]) -> list[float]:
    """The unit vector from one printed point to the other."""
    d = [b - a for a, b in zip(start, end, strict=True)]
    length = math.hypot(*d)
    return [round(c / length, 12) + 0.0 for c in d]


def bodies_of(tables: dict[str, Any], origin: list[float]) -> tuple[list[dict[str, Any]], dict[str, str]]:
    """Body descriptions about `origin` (m, car frame), and the names by printed number."""
    out = []
    for row in tables["bodies"]:
        place = half_turn(row["position"])
        out.append(
            {
                "name": row["name"],
                "mass": row["mass"],
                "inertia": row["inertia"],
                "position": [round(a - b, 6) + 0.0 for a, b in zip(place, origin, strict=True)],
                "orientation": orientation(row["e"]),
                "part": f"Viegas 2016, body {row['id']} ({row['printed_name']})",
            }
        )
    return out, {str(row["id"]): row["name"] for row in tables["bodies"]}


def joint_of(row: dict[str, Any], names: dict[str, str]) -> dict[str, Any]:
    """One joint description; the printed second points become axis directions."""
    body_i, body_j = (names[number] for number in row["bodies"])
    joint = {"name": row["name"], "kind": row["type"], "body_i": body_i, "body_j": body_j}
    joint |= {"point_i": row.get("sP_i", [0.0, 0.0, 0.0]), "point_j": row.get("sP_j", [0.0, 0.0, 0.0])}
    if "sQ_i" in row:
        joint |= {
            "axis_i": direction(row["sP_i"], row["sQ_i"]),
            "axis_j": direction(row["sP_j"], row["sQ_j"]),
        }
    return joint


def springs_of(tables: dict[str, Any], names: dict[str, str], seat: list[float]) -> list[dict[str, Any]]:
    """Spring-damper descriptions; `seat` (m) is the seat frame's place in the body the seat points are printed in."""
    out = []
    for row in tables["springs"]:
        points = {}
        for end, body in zip(("i", "j"), row["bodies"], strict=True):
            point = row[f"s_{end}"]
            if body == "seat":
                point = [round(a - b, 6) + 0.0 for a, b in zip(point, seat, strict=True)]
            points |= {f"body_{end}": names[body], f"point_{end}": point}
        out.append(
            {"kind": "spring", "name": row["name"], **points}
            | {"stiffness": row["k"], "damping": row["c"], "free_length": row["l0"]}
        )
    return out


def seat_place(vehicle: dict[str, Any], occupant: dict[str, Any]) -> tuple[list[float], list[float]]:
    """The lower torso's centre in the car frame and in the carbody's frame (m); both are drawn unrotated."""
    torso = half_turn(next(r for r in occupant["bodies"] if r["name"] == "Lower Torso")["position"])
    carbody = half_turn(next(r for r in vehicle["bodies"] if r["name"] == "Carbody")["position"])
    return torso, [round(a - b, 6) for a, b in zip(torso, carbody, strict=True)]


def make_car(vehicle: dict[str, Any], seat: list[float]) -> dict[str, Any]:
    """The car: bodies, wheel guides, joints, suspension, roll stop and two seats."""
    bodies, names = bodies_of(vehicle, [0.0, 0.0, 0.0])
    guides = [
        {"name": row["name"], "kind": "point", "body": names[row["bodies"][0]]}
        | {"point": row["sP_i"], "path": GUIDED_RAIL[row["bodies"][1]]}
        for row in vehicle["joints"]
        if row["type"] == "prescribed_point"
    ]
    joints = [joint_of(row, names) for row in vehicle["joints"] if row["type"] != "prescribed_point"]
    seats = [
        {"name": "Left seat", "body": "Carbody", "position": seat},
        {"name": "Right seat", "body": "Carbody", "position": [seat[0], -seat[1], seat[2]]},
    ]
    forces = [*springs_of(vehicle, names, seat), CHOSEN_ROLL_STOP]
    return {
        "name": "Car",
        "role": "car",
        "bodies": bodies,
        "joints": joints,
        "guides": guides,
        "forces": forces,
        "seats": seats,
    }


def make_real_car(row: dict[str, Any], like: dict[str, Any]) -> dict[str, Any]:
    """A car of a row of `source/cars.json` on the running gear of another car."""
    half = 0.5 * row["wheelbase"]
    gear = [copy.deepcopy(body) for body in like["bodies"] if body["name"] not in ("Frame", "Carbody")]
    for body in gear:
        body["position"][0] = math.copysign(half, body["position"][0])
        body["part"] = body["part"].replace("Viegas 2016", "Running gear of Viegas 2016")
    mass = row["mass"] - sum(body["mass"] for body in gear)
    size = (row["pitch"] - 0.3, max(BOX[0], ABREAST * row["seats"]), BOX[1])
    inertia = [round(mass / 12.0 * (size[(k + 1) % 3] ** 2 + size[(k + 2) % 3] ** 2), 4) for k in range(3)]
    body = {
        "name": "Car body",
        "mass": round(mass, 4),
        "inertia": inertia,
        "position": [0.0, 0.0, BODY_HEIGHT],
    }
    low = round(FRAME_HEIGHT - BODY_HEIGHT, 6)
    joints = [copy.deepcopy(joint) for joint in like["joints"] if joint["name"] != "Roll joint"]
    for joint in joints:
        if joint["name"] == "Rear axle pivot":
            joint |= {"body_i": "Car body", "point_i": [-half, 0.0, low]}
        if joint["name"] == "Front axle mount":
            joint |= {"body_j": "Car body"}
    return {
        "name": "Car",
        "role": "car",
        "bodies": [*gear, body],
        "joints": joints,
        "guides": like["guides"],
        "forces": [force for force in like["forces"] if force["name"].startswith("Primary")],
        "seats": _seats(row),
    }


def _seats(row: dict[str, Any]) -> list[dict[str, Any]]:
    """The seats of a car, front row first and from left to right, in the axes of its body."""
    made = []
    for k in range(row["rows"]):
        x = round(0.5 * (row["rows"] - 1) * row["row_pitch"] - k * row["row_pitch"], 6) + 0.0
        for j in range(row["seats"]):
            y = round(ABREAST * (0.5 * (row["seats"] - 1) - j), 6)
            side = ("Left", "Right")[j] if row["seats"] == 2 else f"Seat {j + 1}"
            name = f"{side} seat" if row["seats"] == 2 else side
            if row["rows"] > 1:
                name = f"Row {k + 1}, {name[:1].lower() + name[1:]}"
            place = [x, y, round(SEAT_HEIGHT - BODY_HEIGHT, 6)]
            made.append({"name": name, "body": "Car body", "position": place})
    return made


def real_cars(like: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """Library files of the cars of `source/cars.json`, by their keys."""
    lines = (HERE / "source" / "trains.csv").read_text(encoding="utf-8").splitlines()
    trains = list(csv.DictReader(line for line in lines if not line.startswith("#")))
    out = {}
    for row in json.loads((HERE / "source" / "cars.json").read_text(encoding="utf-8")):
        published = next(train for train in trains if train["id"].startswith(row["key"]))
        out[row["key"]] = {
            "title": row["title"],
            "source": f"{published['make']}, {published['type_or_ride']}: {published['source']}",
            "notes": [*row["notes"], *CAR_NOTES],
            "assembly": make_real_car(row, like),
        }
    return out


def make_occupant(occupant: dict[str, Any], torso: list[float], seat: list[float]) -> dict[str, Any]:
    """The rider about the seat frame, with the labelled additions switched off."""
    bodies, names = bodies_of(occupant, torso)
    names["seat"] = "seat"
    added = [
        {
            "kind": "rotational_spring",
            "name": f"{joint} stiffness (addition)",
            "joint": joint,
            "enabled": False,
        }
        | ADDED_STIFFNESS
        for joint in ADDED_AT
    ]
    return {
        "name": "Rider",
        "role": "rider",
        "seat": "Left seat",
        "bodies": bodies,
        "joints": [joint_of(row, names) for row in occupant["joints"]],
        "forces": [*springs_of(occupant, names, seat), *added],
        "head": "Head",
        "upper_torso": "Upper Torso",
        "pelvis": "Lower Torso",
        "description": "Sixteen segments, 81.5 kg, seated with the hands in front",
    }


def switches(tables: dict[str, Any]) -> list[dict[str, Any]]:
    """The suggested corrections as exchangeable values, for load_occupant."""
    field = {"l0": "free_length", "inertia": "inertia"}
    out = []
    for correction in tables["corrections"]:
        if correction["status"] == "suggested":
            changes = [
                {
                    "table": "forces" if c["table"] == "springs" else c["table"],
                    "name": next(r["name"] for r in tables[c["table"]] if r["id"] == c["id"]),
                    "field": field[c["field"]],
                    "printed": c["printed"],
                    "used": c["used"],
                }
                for c in correction["changes"]
            ]
            out.append({"key": correction["key"], "why": correction["why"], "changes": changes})
    return out


def document(tables: dict[str, Any], notes: tuple[str, ...], applied: bool) -> dict[str, Any]:
    """The header of a library file."""
    state = "corrected" if applied else "as printed"
    verb = "Applied" if applied else "Not applied"
    listed = [
        f"{verb}: {c['key']} ({c['status']}). {c['why']}" for c in tables["corrections"] if c["changes"]
    ]
    listed += [f"{c['key']} ({c['status']}). {c['why']}" for c in tables["corrections"] if not c["changes"]]
    title = tables["title"].partition(",")[0]
    return {"title": f"{title}, {state}", "source": tables["source"], "notes": [*notes, *listed]}


def make_files() -> dict[str, dict[str, Any]]:
    """All library files by their place under this folder."""
    vehicle, occupant = (
        json.loads((HERE / "source" / f"viegas2016_{what}.json").read_text(encoding="utf-8"))
        for what in ("vehicle", "occupant")
    )
    torso, seat = seat_place(vehicle, occupant)
    out = {}
    for key, applied in (("viegas2016", True), ("viegas2016_as_printed", False)):
        car = make_car(corrected(vehicle) if applied else vehicle, seat)
        out[f"vehicles/{key}.json"] = {**document(vehicle, VEHICLE_NOTES, applied), "assembly": car}
        rider = make_occupant(corrected(occupant) if applied else occupant, torso, seat)
        notes = OCCUPANT_NOTES if applied else OCCUPANT_NOTES[:2]
        out[f"occupants/{key}.json"] = {**document(occupant, notes, applied), "assembly": rider}
        if applied:
            out[f"occupants/{key}.json"]["switches"] = switches(occupant)
            out |= {f"vehicles/{name}.json": made for name, made in real_cars(car).items()}
    return out


def _text(data: Any, depth: int = 0) -> str:
    """JSON with one line for each element, so that a change shows as one line."""
    flat = json.dumps(data, ensure_ascii=False)
    if depth > 2 or len(flat) < 100 or not isinstance(data, dict | list):
        return flat
    pad = " " * (depth + 1)
    if isinstance(data, dict):
        items = [f"{pad}{json.dumps(k)}: {_text(v, depth + 1)}" for k, v in data.items()]
        return "{\n" + ",\n".join(items) + "\n" + " " * depth + "}"
    return (
        "[\n" + ",\n".join(pad + json.dumps(v, ensure_ascii=False) for v in data) + "\n" + " " * depth + "]"
    )


def main() -> None:
    """Write the files."""
    for name, content in make_files().items():
        (HERE / name).write_text(_text(content) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
