"""A joint, a driver and a coupling, each made up in one file, and what the program makes of them: printed as JSON.

Run in a process of its own, `python made_up_kinds.py FOLDER`: the files in FOLDER/joints, drivers and couplings are
found as if they stood in the families' folders.
"""

from __future__ import annotations

import json
import math
import sys
from importlib.util import find_spec, module_from_spec
from pathlib import Path
from typing import Any

FAMILIES = ("joints", "drivers", "couplings")


def extend(folder: Path) -> None:
    """Let the families find the files in a folder too."""
    for family in FAMILIES:
        name = f"ridewright.core.model.{family}"
        assert name not in sys.modules, name
        spec = find_spec(name)
        assert spec is not None
        assert spec.loader is not None
        assert spec.submodule_search_locations is not None
        spec.submodule_search_locations.append(str(folder / family))
        sys.modules[name] = module = module_from_spec(spec)
        spec.loader.exec_module(module)


def rig() -> Any:
    """Two plates that stay 0.3 m above the floor of the world: one thrown, one driven along the diagonal."""
    from ridewright.core.model.assembly import Assembly
    from ridewright.core.model.bodies import GROUND, Body
    from ridewright.core.model.drivers import Driver
    from ridewright.core.model.forces.rotational_spring import RotationalSpring
    from ridewright.core.model.functions import AnalyticFunction
    from ridewright.core.model.joints import Joint
    from ridewright.core.project.project import Project
    from ridewright.core.project.scenario import Rig, SolverSettings

    up = (0.0, 0.0, 1.0)
    inertia = (0.1, 0.2, 0.3)
    thrown = Body(
        name="Thrown", mass=2.0, inertia=inertia, position=(0.0, 0.0, 0.3), velocity=(1.0, 0.5, 0.0),
        angular_velocity=(0.0, 0.0, 2.0),
    )  # fmt: skip
    driven = Body(name="Driven", mass=3.0, inertia=inertia, position=(5.0, 1.0, 0.3))
    fields: dict[str, Any] = {
        "kind": "planar",
        "body_i": GROUND,
        "axis_i": up,
        "axis_j": up,
        "clearance": 0.3,
    }
    top = Assembly(
        name="Rig", role="rig", bodies=(thrown, driven),
        joints=(
            Joint(name="Plane", body_j="Thrown", **fields), Joint(name="Plane 2", body_j="Driven", **fields),
        ),
        drivers=(
            Driver(name="Pull", target="Driven", coordinate="diagonal", function=AnalyticFunction(rate=0.7)),
        ),
        forces=(RotationalSpring(name="Hand", joint="Plane", stiffness=0.0, damping=0.0),),
    )  # fmt: skip
    return Project(
        name="Plates", scenario=Rig(assembly=top, duration=0.8), gravity=(0.0, 0.0, -9.81),
        settings=SolverSettings(sample_rate=100.0),
    )  # fmt: skip


def train() -> Any:
    """Two cars on straight level track, the rear one faster, joined by a coupling of the made-up kind."""
    from ridewright.core.edits.couplings import make_train
    from ridewright.core.edits.train_gallery import empty_project

    project = make_train(empty_project(), "viegas2016", 2, coupling="tether")
    scenario = project.scenario.model_copy(update={"duration": 0.4, "start": 20.0, "speed": 5.0})
    made = project.train
    cars = tuple(
        car if k == 0 else car.model_copy(update={"bodies": tuple(_faster(body) for body in car.bodies)})
        for k, car in enumerate(made.children)
    )
    return project.model_copy(
        update={"scenario": scenario, "train": made.model_copy(update={"children": cars})}
    )


def _faster(body: Any) -> Any:
    return body.model_copy(update={"velocity": (0.5, 0.0, 0.0)})


def in_studio(project: Any, *selected: tuple[str, str]) -> dict[str, Any]:
    """What the Add menu of the tree offers, and the fields of pages of the inspector with their choices."""
    from PySide6.QtWidgets import QApplication

    from ridewright.app.document.document import Document
    from ridewright.app.document.selection import Selection
    from ridewright.app.model_editor.pages import page_of
    from ridewright.app.model_editor.tree_edits import additions
    from ridewright.app.model_editor.tree_nodes import Node

    keep = QApplication.instance() or QApplication([])
    document = Document()
    document.apply("Open", project)
    groups = [Node(("group", kind), kind, "joint", None, kind) for kind in ("joint", "coupling")]
    found = {"menu": [entry.text for node in groups for entry in additions(document, node)], "pages": {}}
    for kind, name in selected:
        page = page_of(project, Selection(kind, (name,)))
        fields = [field for group in page.groups for field in group.fields]
        found["pages"][name] = {
            "about": page.kind,
            "fields": {field.spec.title: list(field.choices) or list(field.spec.words) for field in fields},
            "law": len(page.law),
        }
    del keep
    return found


def told(project: Any, folder: Path) -> dict[str, Any]:
    """What a run gives, where it is listed, and what the report says."""
    from ridewright.core.charts.signals import RunSignals
    from ridewright.core.report.book import ReportOptions
    from ridewright.core.report.write import ReportTarget, write_report
    from ridewright.core.run.simulate import simulate

    results = simulate(project)
    file = folder / f"{project.name}.json"
    write_report(project, results, ReportTarget(json=file), options=ReportOptions(date="2026-01-01"))
    states = results.states
    return {
        "status": results.status.name,
        "redundant": list(results.size.redundant),
        "names": list(results.names.bodies),
        "position": states.position[-1].tolist(),
        "turned": [2.0 * math.atan2(p[3], p[0]) for p in states.orientation[-1]],
        "violation": float(max(results.violations.joints.max(), results.violations.velocity.max())),
        "reaction": states.reactions[-1, :, :3].tolist(),
        "signals": [signal.key for signal in RunSignals(results, project)],
        "channels": {
            name: channel.values.tolist() for name, channel in results.channels.items() if "coupling/" in name
        },
        "report": file.read_text(encoding="utf-8"),
    }


def faults(project: Any) -> list[str]:
    """What the checks say: of descriptions that cannot be, and of one drawn wrongly."""
    from pydantic import ValidationError

    from ridewright.core.model.assembly import Assembly
    from ridewright.core.model.consistency import check_assembly
    from ridewright.core.model.joints import Joint

    top = project.assembly
    found = []
    changes: tuple[Any, ...] = (
        lambda: Joint(name="J", kind="planar", body_i="a", body_j="b"),
        lambda: Joint(name="J", kind="spherical", body_i="a", body_j="b", clearance=1.0),
        lambda: Assembly.model_validate(
            {**dict(top), "drivers": (top.drivers[0].model_copy(update={"target": "Nobody"}),)}
        ),
    )
    for change in changes:
        try:
            change()
        except ValidationError as error:
            found.append(str(error.errors()[0]["msg"]))
    lifted = top.bodies[0].model_copy(update={"position": (0.0, 0.0, 0.5)})
    return [
        *found,
        *(one.message for one in check_assembly(top.model_copy(update={"bodies": (lifted, top.bodies[1])}))),
    ]


def main(folder: Path) -> None:
    """Print what the program makes of the kinds."""
    extend(folder)
    from ridewright.core.model.train_drawing import side_view
    from ridewright.core.project.project import Project, schema

    plates, coupled = rig(), train()
    again = Project.model_validate_json(plates.model_dump_json())
    out = {
        "same": again == plates,
        "schema": json.dumps(schema()),
        "faults": faults(plates),
        "studio": in_studio(plates, ("joint", "Plane"), ("driver", "Pull")),
        "train_studio": in_studio(coupled, ("coupling", "Coupling 1")),
        "drawn": [shape.what for shape in side_view(coupled.train) if shape.of == "Coupling 1"],
        "plates": told(plates, folder),
        "train": told(coupled, folder),
    }
    print(json.dumps(out))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
