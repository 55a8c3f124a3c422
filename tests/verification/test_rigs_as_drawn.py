"""The bundled examples: they are what their scripts write, open, and stand assembled as drawn."""

from __future__ import annotations

import math
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from ridewright.core.base.frames import rotation_matrix
from ridewright.core.model.assembly import Assembly
from ridewright.core.model.bodies import GROUND
from ridewright.core.model.consistency import Thresholds, check_assembly
from ridewright.core.project.examples import list_examples, load_example
from ridewright.core.project.project import load_project
from ridewright.core.project.scenario import Rig

EXAMPLES = Path(__file__).parents[2] / "resources" / "examples"
RIGS = [name for name in list_examples() if isinstance(load_example(name).scenario, Rig)]
# rigs that start loaded or loose on purpose
LOADED = {"torsion_chain", "driven_oscillator", "andrews_squeezer"}


def test_that_the_examples_asked_for_are_there():
    assert {"straight", "curve50", "looping_star", "gatekeeper", "veloci2"} <= set(list_examples())
    assert len(RIGS) >= 16
    assert all(load_example(name).notes for name in list_examples())


def test_that_the_scripts_write_the_committed_examples_again(tmp_path):
    """In a process of its own, because the scripts put their folder on the path."""
    code = (
        "import sys, pathlib; sys.path.insert(0, sys.argv[1]); import make_examples as m\n"
        "from ridewright.core.project.project import save_project\n"
        "for place, make in m.makers().items():\n"
        "    save_project(make(), pathlib.Path(sys.argv[2]) / f'{place}.ridewright')\n"
    )
    subprocess.run([sys.executable, "-c", code, str(EXAMPLES), str(tmp_path)], check=True)
    written = {p.relative_to(tmp_path): p for p in tmp_path.rglob("*.ridewright")}
    assert set(written) == {p.relative_to(EXAMPLES) for p in EXAMPLES.rglob("*.ridewright")}
    for place, path in written.items():
        # as values: a field that the file format gains since then has its default in both; to rounding, because
        # linear algebra libraries round differently on different processors
        made, kept = (load_project(file).model_dump(mode="json") for file in (path, EXAMPLES / place))
        assert _alike(made, kept), place


def _alike(a, b) -> bool:
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(_alike(a[key], b[key]) for key in a)
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(_alike, a, b))
    return (
        math.isclose(a, b, rel_tol=1e-13, abs_tol=1e-15)
        if isinstance(a, float) and isinstance(b, float)
        else a == b
    )


@pytest.mark.parametrize("name", RIGS)
def test_that_a_rig_is_drawn_closed(name):
    assembly = load_example(name).scenario.assembly
    found = [
        f
        for f in check_assembly(assembly, Thresholds(gap=1e-9, angle=1e-9, load=1e-9))
        if f.kind != "load as drawn"
    ]
    if name == "free_body":
        assert [f.kind for f in found] == ["unconnected body"]
    else:
        assert found == []
    loaded = {f.kind for f in check_assembly(assembly)} & {"load as drawn"}
    assert bool(loaded) == (name in LOADED - {"torsion_chain"})


@pytest.mark.parametrize("name", [n for n in RIGS if n not in ("free_body", "planar_pendulum")])
def test_that_initial_velocities_of_a_rig_fit_its_joints(name):
    """Both bodies of a joint give its point the same velocity, apart from slides along an axis."""
    assembly: Assembly = load_example(name).scenario.assembly
    bodies = {b.name: b for b in assembly.bodies}

    def motion(body: str, point) -> np.ndarray:
        if body == GROUND:
            return np.zeros(3)
        b = bodies[body]
        A = rotation_matrix(b.orientation)
        return np.asarray(b.velocity) + A @ np.cross(b.angular_velocity, point)

    for joint in assembly.joints:
        slip = motion(joint.body_j, joint.point_j) - motion(joint.body_i, joint.point_i)
        if joint.kind in ("prismatic", "cylindrical"):
            axis = np.asarray(joint.axis_i)
            if joint.body_i != GROUND:
                axis = rotation_matrix(bodies[joint.body_i].orientation) @ axis
            slip = slip - (slip @ axis) * axis
        assert np.max(np.abs(slip)) < 1e-9, joint.name
