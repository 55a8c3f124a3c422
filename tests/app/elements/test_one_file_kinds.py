"""A kind of device and a kind of track element, each in one file beside the program, in the menus, the inspector and
the marks of the studio."""

from __future__ import annotations

import sys
from pathlib import Path

TESTS = Path(__file__).parents[2]
sys.path[:0] = [str(TESTS / "core"), str(TESTS / "core" / "track")]

from one_file import with_kind  # noqa: E402
from test_one_file_kinds import EDDY_BRAKE, S_BEND  # noqa: E402

BEGIN = """
import json, os
os.environ["QT_QPA_PLATFORM"] = "offscreen"
from PySide6.QtWidgets import QApplication, QMenu
app = QApplication([])
from ridewright.app.document.selection import Selection
from ridewright.app.elements.menus import fill_devices, fill_elements
from ridewright.app.model_editor.track_pages import device_page, section_icon, section_page
from ridewright.app.widgets import theme
from ridewright.app.widgets.icons import icon
from ridewright.core.project.project import Project
from ridewright.core.track.build import build_track
from ridewright.core.track.description import StraightSection, Track
run = StraightSection(name="run", start=(0, 0, 2), end=(60, 0, 2), cant=0)
project = Project(name="p", track=Track(name="t", sections=(run,)))
menu, asked = QMenu(), []
"""
DEVICE = (
    BEGIN
    + """
from ridewright.app.view3d.track_marks import device_keys
from ridewright.app.widgets.device_looks import device_colour
from ridewright.core.edits.along_track import add_device
from ridewright.core.track.device_spans import device_spans
made = [a for a in fill_devices(menu, asked.append) if a.objectName() == "device_eddy_brake"]
made[0].trigger()
project, name = add_device(project, asked[0], "run", {"end": 30.0})
page = device_page(project, Selection("device", (name,)))
fields = {f.spec.title: f for group in page.groups for f in group.fields}
changed, _ = fields["Best speed"].change(project, 5.0)
colours = theme.current()
print(json.dumps({
    "text": made[0].text(), "icon": made[0].icon().isNull(), "page": page.kind, "fields": sorted(fields),
    "speed": changed.track.devices[0].best_speed,
    "kinds": fields["Kind"].spec.words["eddy_brake"],
    "keys": device_keys(device_spans(project.track.devices, build_track(project.track).sections), colours),
    "colour": device_colour("eddy_brake", colours), "series": colours.series[6],
}))
"""
)
ELEMENT = (
    BEGIN
    + """
from ridewright.app.elements.track_elements import insert_piece
made = [a for a in fill_elements(menu, asked.append) if a.objectName() == "element_s_bend"]
made[0].trigger()
project, name = insert_piece(project, build_track(project.track), asked[0], "run")
page = section_page(project, Selection("section", (name,)), build_track(project.track))
fields = {f.spec.title: f for group in page.groups for f in group.fields}
changed, _ = fields["Shift to the side"].change(project, 5.0)
print(json.dumps({
    "text": made[0].text(), "icon": made[0].icon().isNull(), "page": page.kind, "fields": sorted(fields),
    "aside": changed.track.sections[-1].aside, "tree": section_icon(project.track.sections[-1]),
}))
"""
)


def test_that_a_device_of_one_file_is_in_the_studio(tmp_path: Path) -> None:
    told = with_kind("ridewright.core.track.devices", "eddy_brake", EDDY_BRAKE, DEVICE, tmp_path)
    assert told["text"] == "Eddy brake\tSlows the more the faster."
    assert told["icon"] is False
    assert (told["page"], told["kinds"]) == ("eddy brake", "Eddy brake")
    assert {"Largest deceleration", "Best speed", "From", "To", "Ends on", "Acts on"} <= set(told["fields"])
    assert told["speed"] == 5.0
    assert told["keys"] == [[told["series"], "Eddy brake"]]
    assert told["colour"] == told["series"]


def test_that_a_track_element_of_one_file_is_in_the_studio(tmp_path: Path) -> None:
    told = with_kind("ridewright.core.track.elements", "s_bend", S_BEND, ELEMENT, tmp_path)
    assert told["text"] == "S-bend\tTo one side and back."
    assert told["icon"] is False
    assert told["page"] == "s-bend"
    assert {"Length", "Shift to the side", "Direction"} <= set(told["fields"])
    assert told["aside"] == 5.0
    assert told["tree"] == "element-arc"
