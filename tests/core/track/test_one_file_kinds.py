"""A kind of device and a kind of track element are one file: nothing else of the program knows one by name."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1]))

from one_file import with_kind

from ridewright.core.base.fields import specs_of
from ridewright.core.track import devices, elements
from ridewright.core.track.devices import device_row
from ridewright.core.track.devices.law import WIDTH
from tests.sources import naming

ROOT = Path(__file__).parents[3]
FAMILIES = {"devices": devices, "elements": elements}
# what makes devices or sections of a kind: readers of foreign files, the launch calculator, the editor of g-curves
MAKERS = {
    "core/exchange/kex/devices.py",
    "core/pointmass/launch.py",
    "core/edits/force_keys.py",
    "app/force_editor/panel.py",
}

EDDY_BRAKE = '''
"""Eddy current brake: its force grows with the speed, and nothing controls it."""

from __future__ import annotations

from typing import Literal

from ridewright.core.base.fields import described
from ridewright.core.jit.decorators import inner
from ridewright.core.track.devices.base import Device, DeviceKind, Pull, Row, Speed
from ridewright.core.track.devices.law import OWN

MOST, AT = OWN, OWN + 1


class EddyBrake(Device):
    """Slows with the most at one speed, and with less below and above it."""

    kind: Literal["eddy_brake"] = "eddy_brake"
    most: Pull = described(4.0, "Largest deceleration", "At its best speed.", unit="m/s^2")
    best_speed: Speed = described(8.0, "Best speed", "Where it slows most.", unit="m/s")


@inner
def law(p, opened, keep, v, inertia, near):
    """2 a / (v / w + w / v) against the motion, a the most and w the best speed."""
    w = p[AT]
    below = v * v + w * w
    return -2.0 * p[MOST] * w * v / below, max(2.0 * p[MOST] * w * (w * w - v * v) / (below * below), 0.0)


def row(brake: EddyBrake, mass: float) -> Row:
    return Row(None, (brake.most, brake.best_speed))


KIND = DeviceKind(
    EddyBrake, law, row, "Eddy brake", "Slows the more the faster.", "eddy brake", 6, lambda d: None, drives=False,
    icon="<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 24 24'><circle cx='12' cy='12' r='8'/></svg>",
)
'''

RIDES = """
import json
import numpy as np
from ridewright.core.base.fields import specs_of
from ridewright.core.design.findings import design_findings
from ridewright.core.edits.along_track import add_device, change_device, set_device
from ridewright.core.edits.sections import new_track
from ridewright.core.model.assembly import Assembly
from ridewright.core.model.library import load_vehicle
from ridewright.core.pointmass.ride import preview_ride, ride_point
from ridewright.core.project.point_settings import PointRideSettings
from ridewright.core.project.point_train import ridden_settings
from ridewright.core.project.project import Project, schema
from ridewright.core.project.scenario import Ride
from ridewright.core.report.parts.track_part import device_table
from ridewright.core.run.simulate import simulate
from ridewright.core.track.build import build_track
from ridewright.core.track.description import StraightSection, Track
from ridewright.core.track.devices import KINDS

run = StraightSection(name="run", start=(0, 0, 2), end=(90, 0, 2), cant=0)
project = Project(name="p", track=Track(name="t", sections=(run,)))
project, name = add_device(project, "eddy_brake", "run", {"start": 20.0, "end": 30.0, "best_speed": 6.0})
there = change_device(project, name, "trim_brake")[0].track.devices[0].start
wrong = ""
try:
    set_device(project, name, {"most": -1.0})
except Exception as error:
    wrong = str(error)
again = Project.model_validate_json(project.model_dump_json())
assert again == project
ride = ride_point(
    build_track(project.track), PointRideSettings(speed=9.0, line="rail", mu=0.0, drag=0.0, start=1.0)
)
car = load_vehicle()
train = Assembly(name="Train", role="train", children=(car,))
settings = project.settings.model_copy(update={"method": "generalized_alpha", "tolerance": 0.01})
short = project.model_copy(
    update={
        "train": train,
        "scenario": Ride(start=14.0, speed=9.0, end_place=30.0, duration=%s),
        "settings": settings,
    }
)
"""

DEVICE_RIDES = (
    RIDES % "1.9"
    + """
results = simulate(short)
force = results.channels["train/device_force"].values
v = results.channels["car/" + car.name + "/speed"].values
s = results.channels["car/" + car.name + "/arc_length"].values
points = preview_ride(build_track(short.track), ridden_settings(short), gravity=short.gravity)
offset = points.s[0] - s[0]
apart = np.abs(v - np.interp(s + offset, points.s, points.speed)).max()
print(json.dumps({
    "schema": "eddy_brake" in json.dumps(schema()), "name": name, "kept": there, "wrong": wrong,
    "titles": [spec.title for spec in specs_of(KINDS["eddy_brake"].model)],
    "found": [one.kind for one in design_findings(project)],
    "stay": [[x.kind, x.speed_in, x.speed_out, x.work] for x in ride.intervals],
    "report": [[cell.text for cell in row] for row in device_table(build_track(project.track)).rows],
    "least": float(force.min()), "mass": short.train.mass(), "slowest": float(v.min()),
    "apart": float(apart), "end": float(s[-1]),
}))
"""
)


@pytest.mark.parametrize("family", FAMILIES)
def test_that_no_kinds_name_stands_in_code_outside_its_file(family: str) -> None:
    made = FAMILIES[family]
    own = Path(made.__file__).resolve().parent
    kinds = made.KINDS.values()
    names = {kind.model.__name__ for kind in kinds} - {"Station"}  # stations of the built track are others
    assert len(names) >= 5
    knowing = {}
    for place, tree in naming(names, {own}):
        told = {str(getattr(node, "id", "") or getattr(node, "name", "")) for node in ast.walk(tree)} & names
        if told and place not in MAKERS:
            knowing[place] = told
    assert knowing == {}


@pytest.mark.parametrize("kind", devices.KINDS.values(), ids=lambda kind: kind.kind)
def test_that_a_kind_of_device_says_all_that_the_program_derives(kind: devices.DeviceKind) -> None:
    assert kind.title == kind.title.strip()
    assert kind.line.endswith(".")
    titles = [spec.title for spec in specs_of(kind.model)]
    assert len(set(titles)) == len(titles)
    device = kind.model.model_validate({"name": "d", "section": "s"})
    assert len(device_row(device, 1000.0)) == WIDTH
    assert (ROOT / "resources" / "icons" / f"{kind.picture}.svg").is_file()
    assert kind.gives(device) is None or kind.drives


def test_that_a_device_is_one_file(tmp_path: Path) -> None:
    """Through it the energy falls by its closed form: dv/ds = -2 a w / (v^2 + w^2)."""
    told = with_kind("ridewright.core.track.devices", "eddy_brake", EDDY_BRAKE, DEVICE_RIDES, tmp_path)
    assert told["schema"]
    assert (told["name"], told["kept"]) == ("eddy brake 1", 20.0)
    assert "Largest deceleration" in told["titles"]
    assert "'eddy brake 1'" in told["wrong"]
    assert told["found"] == ["stalled"], "at the start speed of the preview it does not come over the brake"
    ((kind, came, left, work),) = told["stay"]
    assert (kind, came) == ("eddy_brake", pytest.approx(9.0))

    def passed(v: float) -> float:
        return v**3 / 3.0 + 36.0 * v

    assert passed(came) - passed(left) == pytest.approx(2.0 * 4.0 * 6.0 * 10.0, rel=1e-6)
    assert work == pytest.approx(0.5 * 5000.0 * (left**2 - came**2), rel=1e-9)
    assert told["end"] > 24.0, "it came on to the brake"
    settings = "largest deceleration 4 m/s², best speed 6 m/s"
    assert told["report"] == [["eddy brake 1", "eddy brake", "20.0", "30.0", settings]]
    assert told["slowest"] < 6.0, "it came past the speed at which it slows most"
    assert told["least"] == pytest.approx(-4.0 * told["mass"], rel=1e-3)
    assert told["apart"] < 0.05


S_BEND = '''
"""An S-bend: two arcs against one another, of one radius, eased by sines."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from ridewright.core.base.fields import described
from ridewright.core.track.elements.base import SIGN, Element, ElementKind, Length, Side, Sized, tidy
from ridewright.core.track.programs.channel import channel
from ridewright.core.track.programs.entry import Entry
from ridewright.core.track.programs.program import UP, Program, seen_from


class SBendSection(Element):
    """To one side and back, leaving in the direction it came."""

    kind: Literal["s_bend"] = "s_bend"
    direction: Side = "left"
    length: Length = described(40.0, "Length", "Along the track.", unit="m")
    aside: Length = described(4.0, "Shift to the side", "About how far.", unit="m")


def program(section: SBendSection, entry: Entry) -> Program:
    """Curvature of two waves."""
    view = seen_from(entry, UP)
    quarter = 0.25 * section.length
    most = SIGN[section.direction] * 8.0 * section.aside / section.length**2
    waves = [(quarter, most, "sine"), (quarter, 0.0, "sine"), (quarter, -most, "sine"), (quarter, 0.0, "sine")]
    level = channel(view.latitude, [(section.length, view.latitude, "linear")])
    return Program(channel(0.0, waves), level, channel(view.bank, [(section.length, view.bank, "linear")]), UP)


KIND = ElementKind(
    SBendSection, program,
    (Sized("s_bend", "S-bend", "Curves", "To one side and back.", scaled=lambda v: {"length": tidy(3.0 * v, 20, 200)},
        icon="element-arc"),),
)
'''

ELEMENT_RIDES = """
import json
import numpy as np
from ridewright.core.design.findings import design_findings
from ridewright.core.base.fields import specs_of
from ridewright.core.edits.elements_track import insert_element
from ridewright.core.edits.splitting import split_at
from ridewright.core.model.assembly import Assembly
from ridewright.core.model.library import load_vehicle
from ridewright.core.pointmass.ride import ride_point
from ridewright.core.project.point_settings import PointRideSettings
from ridewright.core.project.project import Project, schema
from ridewright.core.project.scenario import Ride
from ridewright.core.run.simulate import simulate
from ridewright.core.track.build import build_track
from ridewright.core.track.check import check_track
from ridewright.core.track.description import StraightSection, Track
from ridewright.core.track.elements import ELEMENTS, KINDS

run = StraightSection(name="run", start=(0, 0, 2), end=(20, 0, 2), cant=0)
project = Project(name="p", track=Track(name="t", sections=(run,)))
project, name = insert_element(project, build_track(project.track), "s_bend", speed=10.0)
built = build_track(project.track)
made = project.track.sections[-1]
assert Project.model_validate_json(project.model_dump_json()) == project
end = built.centreline.position([built.length])[0]
mirrored = KINDS["s_bend"].scaled(made, 2.0)
ride = ride_point(built, PointRideSettings(speed=10.0, line="rail", mu=0.0, drag=0.0))
halves, split = split_at(project, built, name, 12.0)
car = load_vehicle()
settings = project.settings.model_copy(update={"method": "generalized_alpha", "tolerance": 0.02})
short = project.model_copy(update={
    "train": Assembly(name="Train", role="train", children=(car,)), "settings": settings,
    "scenario": Ride(start=22.0, speed=10.0, duration=0.4),
})
results = simulate(short)
s = results.channels["car/" + car.name + "/arc_length"].values
print(json.dumps({
    "schema": "s_bend" in json.dumps(schema()), "name": name, "length": made.length,
    "menu": [e.title for e in ELEMENTS if e.group == "Curves"], "icon": ELEMENTS[6].icon,
    "titles": [spec.title for spec in specs_of(type(made))], "end": end.tolist(), "scaled": mirrored,
    "status": ride.status, "gy": float(np.abs(ride.g[:, 1]).max()),
    "kinds": sorted({s.kind for s in halves.track.sections}),
    "found": [one.kind for one in check_track(project.track).findings], "ran": float(s[-1] - s[0]),
}))
"""


def test_that_a_track_element_is_one_file(tmp_path: Path) -> None:
    """A shift to the side of about what is asked, back in the direction it came; the side load is v^2 k."""
    told = with_kind("ridewright.core.track.elements", "s_bend", S_BEND, ELEMENT_RIDES, tmp_path)
    assert told["schema"]
    assert (told["name"], told["length"]) == ("S-bend", 30.0)
    assert (told["menu"][-1], told["icon"]) == ("S-bend", "element-arc")
    assert told["titles"][:3] == ["Name", "Direction", "Length"]
    assert told["end"][1] == pytest.approx(4.0, rel=0.02)
    assert told["scaled"] == {"length": 60.0, "aside": 8.0}
    assert told["status"] == "arrived"
    assert told["gy"] == pytest.approx(100.0 * 8.0 * 4.0 / 30.0**2 / 9.81, rel=0.01)
    assert told["kinds"] == ["spline", "straight"], "what cannot be cut exactly becomes control points"
    assert told["found"] == []
    assert told["ran"] == pytest.approx(4.0, rel=0.02)
