"""The same ride with flexible bodies rigid, and the load cases of its forces."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from ridewright.core.base.errors import InputError
from ridewright.core.base.frames import rotation_matrix
from ridewright.core.cli.program import main
from ridewright.core.model.assembly import Assembly
from ridewright.core.model.bodies import Body
from ridewright.core.model.joints import Joint
from ridewright.core.multibody.compile import compile_system
from ridewright.core.outcome.rigid import RigidRun, rigid_run, with_rigid
from ridewright.core.outcome.stress import stress_of
from ridewright.core.project.examples import load_example
from ridewright.core.project.project import Project
from ridewright.core.project.scenario import Rig
from ridewright.core.results.file import write_results
from ridewright.core.results.results import Results
from ridewright.core.run.simulate import simulate
from ridewright.core.structure.stress import corner_cases, held_under_loads, superposition
from tests.core.solver.flexible_rigs import bent, rig, slender

G = np.array([1.0, 2.0, -9.0])  # m/s^2, along no axis


@cache
def runs() -> tuple[Results, RigidRun]:
    """A free bent arm with a turning hub and a head, and the same as one rigid body."""
    run = simulate(bent(duration=0.3, gravity=tuple(G.tolist()), fixed_step=1e-3))
    return run, rigid_run(run)


def inside() -> Project:
    """The bent arm in an assembly that is turned and moved in another one, its hub moving."""
    top = bent().assembly
    assert top is not None
    moved = tuple(body.model_copy(update={"velocity": (0.3, -0.7, 0.4)}) for body in top.bodies)
    held = Assembly(
        name="Held", role="subassembly", bodies=moved, flexibles=top.flexibles, position=(1.0, -2.0, 0.5),
        orientation=(0.8, 0.2, -0.4, 0.3),
    )  # fmt: skip
    base = Body(name="base", mass=1.0, inertia=(1.0, 1.0, 1.0), position=(0.0, 0.0, 0.0))
    whole = Assembly(name="Rig", role="rig", bodies=(base,), children=(held,))
    return Project(name="rig", scenario=Rig(assembly=whole, duration=0.1))


def test_that_the_rigid_body_is_the_flexible_one_as_drawn() -> None:
    """Mass, centre, inertia, place, velocity and turning, in an assembly that is itself turned."""
    flexible, rigid = compile_system(inside()), compile_system(with_rigid(inside()))
    name = "Held/arm"
    k, n = flexible.names.index(name), rigid.names.index(name)
    (made,) = flexible.flexible
    assert not rigid.flexible
    body = with_rigid(inside()).assembly.every("body")[name]  # type: ignore[union-attr]
    assert body.mass == pytest.approx(made.floating.mass, rel=1e-12)
    np.testing.assert_allclose(body.inertia_tensor(), made.floating.J0, rtol=1e-12, atol=1e-12)
    for one, other in ((flexible.start.r, rigid.start.r), (flexible.start.p, rigid.start.p)):
        np.testing.assert_allclose(one[k], other[n], rtol=1e-12, atol=1e-12)
    moving = [system.start.u[system.layout.rigid[b]] for system, b in ((flexible, k), (rigid, n))]
    assert np.abs(moving[0]).min() > 0.01
    np.testing.assert_allclose(moving[0], moving[1], rtol=1e-9, atol=1e-9)


def test_that_forces_at_the_interfaces_are_what_moves_the_rigid_body() -> None:
    """Newton and Euler for the arm between its hub and its head, in its own axes."""
    run, rigid = runs()
    body = with_rigid(bent()).assembly.every("body")["arm"]  # type: ignore[union-attr]
    s, b = rigid.results.states, rigid.results.names.bodies.index("arm")
    A = rotation_matrix(s.orientation[:, b])
    ends = {node: rigid.loads("arm", node) for node in ("root", "tip")}
    force = sum(load[:, :3] for load in ends.values())
    wanted = body.mass * np.einsum("nji,nj->ni", A, s.acceleration[:, b] - G)
    size = np.abs(ends["tip"][:, :3]).max()
    np.testing.assert_allclose(force, wanted, atol=1e-6 * size)
    (flexible,) = run.provenance["project"]["scenario"]["assembly"]["flexibles"]
    places = {node["name"]: np.array(node["position"]) for node in flexible["nodes"]}
    moment = sum(
        load[:, 3:] + np.cross(places[node] - np.array(body.position), load[:, :3])
        for node, load in ends.items()
    )
    w, dw, J = s.angular_velocity[:, b], s.angular_acceleration[:, b], body.inertia_tensor()
    np.testing.assert_allclose(moment, dw @ J + np.cross(w, w @ J), atol=2e-5 * size)
    assert rigid.words == ""


def test_that_load_cases_of_the_rigid_run_are_those_of_its_own_box() -> None:
    run, rigid = runs()
    (one,) = stress_of(run)
    case = one.cases("tip", "root", 1.5, rigid)
    loads = rigid.loads("arm", "tip")
    np.testing.assert_array_equal(case.high, loads.max(axis=0))
    own = one.cases("tip", "root", 1.5)
    assert np.abs(case.high - own.high).max() > 1e-3 * np.abs(own.high).max()
    from ridewright.core.multibody.flexible import built_of

    structure, pieces = built_of(one.flexible.description)
    unit = superposition(structure, pieces, held_under_loads(structure, "tip", "root"))
    corners = corner_cases(loads.min(axis=0), loads.max(axis=0))
    np.testing.assert_allclose(case.worst, 1.5 * unit.envelope(corners).worst, rtol=1e-12)
    outside = one.cases_outside(case)
    assert outside.max() == pytest.approx(case.worst.max())
    assert not np.allclose(outside, one.cases_outside(own), rtol=1e-3)


def test_that_what_cannot_be_rigid_is_refused() -> None:
    with pytest.raises(InputError, match="no flexible body 'leg'; it has 'arm'"):
        with_rigid(bent(), ["leg"])
    with pytest.raises(InputError, match="no flexible body that could be rigid"):
        with_rigid(with_rigid(bent()))
    with pytest.raises(InputError, match="no interface at node 'knee'"):
        runs()[1].loads("arm", "knee")


def test_that_a_ride_that_cannot_move_when_it_is_rigid_is_said() -> None:
    from tests.core.solver.test_flexible_frames import two_spans

    still = two_spans(ratio=0.05).model_dump()
    still["scenario"]["duration"] = 0.01
    with pytest.raises(
        InputError, match=r"flexible bodies rigid the ride cannot be run: .* nothing can move"
    ):
        rigid_run(simulate(Project.model_validate(still)))


def test_that_a_rigid_body_held_twice_is_said_to_share_its_forces_by_no_rule() -> None:
    """A beam between the ground and a block that is fixed to the ground, too: rigid, six rows say nothing new."""
    from ridewright.core.model.flexible import Interface

    beam = slender(
        1.0, 1.0, 1.0, 4e6, (Interface(node="root", body="ground"), Interface(node="tip", body="block"))
    )
    block = Body(name="block", mass=1.0, inertia=(1.0,) * 3, position=(1.0, 0.0, 0.0))
    loose = Body(name="loose", mass=1.0, inertia=(1.0,) * 3, position=(3.0, 0.0, 0.0))
    fixed = Joint(name="foot", kind="rigid", body_i="ground", body_j="block", point_i=(1.0, 0.0, 0.0))
    run = simulate(rig((block, loose), beam, (fixed,), duration=0.02))
    found = rigid_run(run)
    assert len(found.shared) == 6
    assert "held by 6 constraints more" in found.words


def test_that_the_command_sets_both_boxes_beside_each_other(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "results.h5"
    run, rigid = runs()
    write_results(run, file)
    assert main(["stress", str(file), "--cases", "tip", "root", "--rigid", "--json"]) == 0
    (told,) = json.loads(capsys.readouterr().out)
    assert [case["rigid"] for case in told["load_cases"]] == [False, True]
    assert told["load_cases"][1]["high"] == pytest.approx(rigid.loads("arm", "tip").max(axis=0).tolist())
    assert all(len(spot["load_cases_Pa"]) == 2 for spot in told["spots"])
    assert main(["stress", str(file), "--cases", "tip", "root", "--rigid"]) == 0
    assert "tip loaded, rigid MPa" in capsys.readouterr().out
    assert main(["stress", str(file), "--rigid"]) == 2
    assert "--cases LOADED CLAMPED" in capsys.readouterr().err


@pytest.mark.nightly
def test_that_load_cases_of_the_driven_ride_overstate_its_stress_as_in_the_paper() -> None:
    """Blaauw, sections 7.1 and 7.3, in kind: 1.60 with the top loaded, 1.35 with the bottom loaded, on his own beam;
    the moment across the swing exceeds the torque of the motor, and is C phi' theta'."""
    run = simulate(load_example("swing_driven"))
    rigid = rigid_run(run)
    (one,) = stress_of(run)
    worst = one.superposition.envelope(one.modal).worst.max()
    top, bottom = (one.cases(*pair, rigid=rigid).worst for pair in (("top", "bottom"), ("bottom", "top")))
    assert top.max() / worst == pytest.approx(1.90, abs=0.03)
    assert bottom.max() / worst == pytest.approx(1.21, abs=0.03)
    assert [one.spot(int(case.argmax())).there[:6] for case in (top, bottom)] == ["at 8 m", "at 0 m"]
    s, names = rigid.results.states, rigid.results.names
    swung = np.abs(np.unwrap(2.0 * np.arctan2(s.orientation[:, 0, 2], s.orientation[:, 0, 0])))
    assert np.degrees(swung[s.time > 80.0].max()) == pytest.approx(120.0, abs=0.3)
    turning = s.angular_velocity[:, names.bodies.index("Bearing"), 1]
    spin = s.angular_velocity[:, names.bodies.index("Seats"), 2]
    across = rigid.loads("Main beam", "bottom")[:, 3]
    np.testing.assert_allclose(
        np.abs(across), 16000.0 * np.abs(turning * spin), atol=0.01 * np.abs(across).max()
    )
    assert np.abs(across).max() > 1.5 * 30e3
