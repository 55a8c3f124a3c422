"""Imported meshes in the equations of motion: geometric stiffening against closed forms and published answers."""

from __future__ import annotations

import math
from functools import cache

import pytest
from scipy.optimize import brentq

pytest.importorskip("skfem", reason="has the shape functions (extra 'structure')")

from ridewright.core.model.bodies import Body
from ridewright.core.model.drivers import Driver
from ridewright.core.model.flexible import FlexibleBody
from ridewright.core.model.forces.force import AppliedForce
from ridewright.core.model.functions import AnalyticFunction, constant
from ridewright.core.model.joints import Joint
from ridewright.core.multibody.compile import compile_system
from ridewright.core.multibody.flexible import floating_of
from ridewright.core.solver.kkt import new_factor
from ridewright.core.solver.modes import modes_at_rest, modes_of
from ridewright.core.structure.solids import Material
from tests.core.solver.flexible_rigs import HINGE, light, rig, turning
from tests.core.solver.solid_rigs import bar_solid, solid_bar

SIDE = 0.01  # of a square bar of length, mass and bending stiffness 1


@cache
def bar(bodies: tuple[str, str], beyond: float = 0.0, kind: str = "rigid") -> FlexibleBody:
    material = Material(12.0 / SIDE**4, 0.0, 1.0 / SIDE**2)
    solid = bar_solid("hexahedron20", (40, 1, 1), (1.0, SIDE, SIDE), material)
    return solid_bar(solid, bodies, modes=4, beyond=beyond, kind=kind)


def _turning_speeds(eta: float, stiffening: bool) -> list[float]:
    """Frequencies of the bar as a blade on a hub that turns about z, in the plane and across it."""
    spin, up = (0.0, 0.0, eta), (0.0, 0.0, 1.0)
    hub = Body(name="hub", mass=1.0, inertia=(1.0,) * 3, position=(0.0,) * 3, angular_velocity=spin)
    end = light("end", 1.0, velocity=(0.0, eta, 0.0), angular_velocity=spin)
    joint = Joint(name=HINGE, kind="revolute", body_i="ground", body_j="hub", axis_i=up, axis_j=up)
    turn = Driver(name="drive", target=HINGE, coordinate="angle", function=AnalyticFunction(rate=eta))
    blade = bar(("hub", "end")).model_copy(update={"stiffening": stiffening})
    system = compile_system(rig((hub, end), blade, (joint,), (turn,)))
    found = modes_of(system, new_factor(system), *turning(system, eta), 2)
    return sorted(m.pole.imag for m in found)


@pytest.mark.parametrize(("eta", "flap", "lag"), [(1.0, 3.68165, 3.54324), (2.0, 4.13732, 3.62180)])
def test_that_a_rotating_bar_of_solids_has_the_frequencies_of_wright(
    eta: float, flap: float, lag: float
) -> None:
    """Wright, Smith, Thresher & Wang 1982: 3.6816, 4.1373; in the plane w^2 = flap^2 - eta^2."""
    assert _turning_speeds(eta, True) == pytest.approx([lag, flap], rel=5e-5)


def test_that_a_linear_bar_of_solids_misses_how_rotation_stiffens() -> None:
    assert _turning_speeds(2.0, False)[1] < 4.01


def _loaded(
    push: float, across: float = 0.0, beyond: float = 0.0, kind: str = "rigid"
) -> tuple[float, float]:
    """Square of the lowest frequency (rad^2/s^2) of the bar clamped at its root and pushed along its axis, and how far
    its end goes under a force across."""
    load = AppliedForce(
        name="load", body="end", components=(constant(-push), constant(0.0), constant(across))
    )
    head = light("end", 1.0 + beyond)
    _, rest, found = modes_at_rest(rig((head,), bar(("ground", "end"), beyond, kind), forces=(load,)), 1)
    return found[0].pole.imag ** 2, float(rest.state.r[0, 2])


@pytest.mark.parametrize("kind", ["rigid", "averaging"])
@pytest.mark.parametrize("beyond", [0.0, 0.5])
def test_that_a_column_of_solids_buckles_under_its_load(beyond: float, kind: str) -> None:
    """Clamped at one end, the load at the other end of a rigid piece of length e: x e tan x = 1, P = x^2 (EI = L = 1);
    pi^2 / 4 without it. Where the square of the lowest frequency is nothing, by the line through two loads."""
    x = brentq(lambda x: x * beyond * math.sin(x) - math.cos(x), 0.1, 1.6)
    near, nearer = (_loaded(share * x**2, beyond=beyond, kind=kind)[0] for share in (0.96, 0.98))
    assert 0.98 + 0.02 * nearer / (near - nearer) == pytest.approx(1.0, abs=5e-4)


def test_that_a_pushed_column_of_solids_gives_way_as_its_closed_form() -> None:
    """Tip under Q across at half of the buckling load: Q (tan x - x) / (x P), x = sqrt(P); without push Q / 3."""
    push = math.pi**2 / 8.0
    x = math.sqrt(push)
    for P, wanted in ((0.0, 1.0 / 3.0), (push, (math.tan(x) - x) / (x * push))):
        assert _loaded(P, 1e-4)[1] == pytest.approx(1e-4 * wanted, rel=1e-4)


@pytest.mark.nightly
def test_that_a_narrow_cantilever_of_solids_gives_way_sideways_under_a_load_across() -> None:
    """Timoshenko & Gere 1961, section 6.3: 4.013 sqrt(EI GJ) / L^2, with that of the deflection before, 1 / sqrt((1 -
    I/I_y) (1 - GJ/EI_y)); stiffness against bending and twisting is that of the mesh at rest. Within 1 %."""
    length = 2.0
    solid = bar_solid("hexahedron20", (40, 1, 4), (length, 0.01, 0.1), Material(poisson=0.0))
    beam = solid_bar(solid, ("ground", "end"), modes=12)
    assert beam.imported is not None
    made = floating_of(beam.imported)
    units, tip, root = made.held_under_loads("tip", "root"), made.interfaces["tip"], made.interfaces["root"]
    turns = (tip.R - root.R) @ units  # of the tip against the root
    twist, EI_y, EI = (length / turns[c, 3 + c] for c in range(3))
    load = 4.0126 * math.sqrt(EI * twist) / length**2 / math.sqrt((1.0 - EI / EI_y) * (1.0 - twist / EI_y))
    squares = []
    for share in (0.97, 0.99):
        down = (constant(0.0), constant(0.0), constant(-share * load))
        force = AppliedForce(name="load", body="end", components=down)
        _, _, found = modes_at_rest(rig((light("end", length),), beam, forces=(force,)), 1)
        squares.append(found[0].pole.imag ** 2 - found[0].pole.real ** 2)
    near, nearer = squares
    assert 0.99 + 0.02 * nearer / (near - nearer) == pytest.approx(1.0, abs=1e-2)
