"""The edits of a project as functions project -> project; each gives a changed copy and leaves the old one as it is.

`set_field` reaches every field by its path in the project file; the others are what the studio does by name.
"""

from __future__ import annotations

from ..edits.along_track import add_device, delete_device, set_device, set_heartline
from ..edits.changes import (
    set_clearance,
    set_evaluation,
    set_point_ride,
    set_project,
    set_scenario,
    set_settings,
    set_steelwork,
    set_track,
)
from ..edits.couplings import (
    couple_cars,
    delete_car,
    duplicate_car,
    library_car,
    make_train,
    move_car,
    natural_spacing,
)
from ..edits.elements import (
    add_element,
    delete_element,
    rename_element,
    set_assembly,
    set_element,
)
from ..edits.field_paths import field_at, set_field
from ..edits.load_cases import set_load_cases, usual_cases, with_load_case
from ..edits.make_flexible import make_flexible
from ..edits.points import move_points, set_cants, set_points
from ..edits.riders import make_rider, seat_person, set_person
from ..edits.seats import put_seat
from ..edits.sections import set_section
from ..edits.train import (
    add_car,
    add_rider,
    insert_rider,
    insert_vehicle,
    load_cars,
    move_rider,
    set_losses,
)
from ..edits.wheels import give_clearance, make_wheels
from .door import edit as _edit

__all__ = [
    "add_car",
    "add_device",
    "add_element",
    "add_rider",
    "couple_cars",
    "delete_car",
    "delete_device",
    "delete_element",
    "duplicate_car",
    "field_at",
    "give_clearance",
    "insert_rider",
    "insert_vehicle",
    "library_car",
    "load_cars",
    "make_flexible",
    "make_rider",
    "make_train",
    "make_wheels",
    "move_car",
    "move_points",
    "move_rider",
    "natural_spacing",
    "put_seat",
    "rename_element",
    "seat_person",
    "set_assembly",
    "set_cants",
    "set_clearance",
    "set_device",
    "set_element",
    "set_evaluation",
    "set_field",
    "set_heartline",
    "set_load_cases",
    "set_losses",
    "set_person",
    "set_point_ride",
    "set_points",
    "set_project",
    "set_scenario",
    "set_section",
    "set_settings",
    "set_steelwork",
    "set_track",
    "usual_cases",
    "with_load_case",
]

for _name in __all__:
    globals()[_name] = _edit(globals()[_name])
