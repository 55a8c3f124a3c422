"""The freight trains of Massa et al. 2012 as they come with the program, with and without the mass of the couplers.

Numbers: from matrix exponentials of the linear trains and Newton's method on the planar coupler, made independently of
the program with the paper's Tables 1 and 2 in SI. Bounds are those at the default tolerance.
"""

from __future__ import annotations

import numpy as np
import pytest
from scipy.interpolate import CubicSpline
from scipy.linalg import expm

from ridewright.core.model.assembly import Assembly
from ridewright.core.project.examples import load_example
from ridewright.core.project.project import Project
from ridewright.core.results.results import Results
from ridewright.core.run.simulate import simulate
from ridewright.core.solver.modes import modes_at_rest

Array = np.ndarray
KB, CB, KR, CR = 3e7, 2.5e5, 5e8, 5e5
BLOCK_LINE = 1.0 + 0.289  # m, length of a gear's line at rest
MM = 1e3


def example(name: str, *, inertia: bool, cars: int | None = None, **settings: object) -> Project:
    """A bundled train with the switch of all its couplings set."""
    project = load_example(name)
    assert project.train is not None
    couplings = tuple(c.model_copy(update={"inertia": inertia}) for c in project.train.couplings)
    train = project.train.model_copy(update={"couplings": couplings})
    update = {"train": train, "settings": project.settings.model_copy(update=settings)}
    return project.model_copy(update=update)


def travel(run: Results, k: int = 1) -> Array:
    """Travel (n, 2) mm of both blocks of a coupling, positive out of their cars."""
    names = run.names.springs
    if f"Coupling {k} gear i" in names:
        ends = [run.states.spring_length[:, names.index(f"Coupling {k} gear {side}")] for side in "ij"]
        return MM * (np.stack(ends, axis=1) - BLOCK_LINE)
    return MM * run.states.internal[:, [4 * k - 4, 4 * k - 2]]


def inertial(mass: float, time: Array, push: float = 3e5) -> Array:
    """Travel (n, 2) mm of both blocks: four masses in a row (car, block and shank, shank and block, car)."""
    m = np.array([mass, 190.0, 190.0, mass])
    K, C = np.zeros((4, 4)), np.zeros((4, 4))
    for a, k, c in ((0, KB, CB), (1, KR, CR), (2, KB, CB)):
        d = np.zeros(4)
        d[[a, a + 1]] = -1.0, 1.0
        K, C = K + k * np.outer(d, d), C + c * np.outer(d, d)
    # without the motion of the whole: three gaps
    T = np.eye(4, k=1)[:3] - np.eye(4)[:3]
    inverse = np.diag(1.0 / m)
    G = T @ inverse @ T.T
    k, c = np.diag([KB, KR, KB]), np.diag([CB, CR, CB])
    A = np.block([[np.zeros((3, 3)), np.eye(3)], [-G @ k, -G @ c]])
    b = np.concatenate([np.zeros(3), T @ inverse @ np.array([push, 0.0, 0.0, 0.0])])
    rest = -np.linalg.solve(A, b)
    return MM * np.array([(rest - expm(A * t) @ rest)[[0, 2]] for t in time])


# peak of d_i (mm) and its time, the massless one's, and the largest difference of the two
CASES = {
    "two_cars_loaded": (93800.0, 9.0009, 0.179, 8.9908, 0.011),
    "two_cars_empty": (23800.0, 8.2234, 0.091, 8.1838, 0.040),
}


@pytest.mark.parametrize("name", CASES)
def test_that_two_pushed_cars_follow_the_linear_answer(name: str) -> None:
    mass, peak, when, massless_peak, apart = CASES[name]
    run = simulate(example(name, inertia=True))
    d = travel(run)
    assert -d[:, 0].min() == pytest.approx(peak, rel=1e-3)
    assert run.states.time[d[:, 0].argmin()] == pytest.approx(when, abs=1e-3)
    few = slice(None, None, 7)
    np.testing.assert_allclose(d[few], inertial(mass, run.states.time[few]), atol=0.006)
    light = simulate(example(name, inertia=False))
    z, time = travel(light), light.states.time
    assert -z[:, 0].min() == pytest.approx(massless_peak, rel=1e-3)
    differs = np.abs(z[few] - inertial(mass, time[few])).max()
    assert 0.5 * apart < differs < apart


def test_that_the_steady_push_compresses_every_spring_by_what_lies_ahead() -> None:
    """Block i pushes the coupler and the front car, the knuckle a shank and block less, block j the front car alone."""
    run = simulate(example("two_cars_empty", inertia=True))
    rest = travel(run)[-1]
    knuckle = MM * (run.states.spring_length[-1, run.names.springs.index("Coupling 1")] - 0.204)
    assert -rest == pytest.approx([5.03960, 4.96040], rel=1e-4)
    assert -knuckle == pytest.approx(0.3, rel=1e-4)
    whole, ahead = 2 * 23800.0 + 380.0, np.array([23800.0 + 380.0, 23800.0])
    assert -rest == pytest.approx(MM * 3e5 / whole * ahead / KB, rel=1e-4)


@pytest.mark.parametrize(
    ("name", "frequencies"),
    [("two_cars_loaded", (2.80453, 63.3058, 370.563)), ("two_cars_empty", (5.56765, 63.4937, 370.564))],
)
def test_that_the_modes_are_those_of_cars_blocks_and_shanks(
    name: str, frequencies: tuple[float, ...]
) -> None:
    """Undamped and unpushed; the massless coupler keeps the first alone."""
    project = still(example(name, inertia=True))
    found = [mode.frequency for mode in modes_at_rest(project)[2] if mode.kind == "swing"]
    for frequency in frequencies:
        assert min(abs(f - frequency) for f in found) < 1e-4 * frequency
    light = [m.frequency for m in modes_at_rest(still(example(name, inertia=False)))[2] if m.kind == "swing"]
    mass = {"two_cars_loaded": 93800.0, "two_cars_empty": 23800.0}[name]
    k = 1.0 / (2.0 / KB + 1.0 / KR)
    assert light == pytest.approx([np.sqrt(2.0 * k / mass) / (2.0 * np.pi)], rel=1e-4)


def still(project: Project) -> Project:
    """The train without push and without dashpots."""
    train = project.train
    assert train is not None

    def loose(coupling: object) -> object:
        ends = {
            end: getattr(coupling, end).model_copy(update={"damping": 0.0, "shank_damping": 0.0})
            for end in ("end_i", "end_j")
        }
        return coupling.model_copy(update={**ends, "knuckle_damping": 0.0})  # type: ignore[attr-defined]

    update = {"couplings": tuple(loose(c) for c in train.couplings), "forces": ()}
    made: Assembly = train.model_copy(update=update)
    return project.model_copy(update={"train": made})


@pytest.mark.parametrize("name", ["ten_cars"])
def test_that_massless_cars_in_a_row_swing_as_a_chain(name: str) -> None:
    """(1/pi) sqrt(k/m) sin(n pi / 2N) for n = 1 .. N - 1."""
    found = [m.frequency for m in modes_at_rest(still(example(name, inertia=False)))[2] if m.kind == "swing"]
    k = 1.0 / (2.0 / KB + 1.0 / KR)
    chain = np.sqrt(k / 93800.0) / np.pi * np.sin(np.arange(1, 10) * np.pi / 20.0)
    assert chain[[0, -1]] == pytest.approx([0.62045, 3.91738], rel=1e-5)
    assert sorted(found) == pytest.approx(chain, rel=1e-4)


@pytest.mark.parametrize("inertia", [True, False])
def test_that_the_fifth_coupling_of_ten_cars_peaks_and_settles(inertia: bool) -> None:
    run = simulate(example("ten_cars", inertia=inertia))
    d, time = travel(run, 5)[:, 0], run.states.time
    assert -d.min() == pytest.approx(99.834, rel=1e-3)
    assert time[d.argmin()] == pytest.approx(0.730, abs=3e-3)
    if inertia:
        assert -d[-1] == pytest.approx(50.855, rel=1e-3)
        knuckle = run.states.spring_length[:, run.names.springs.index("Coupling 5")] - 0.204
        assert -MM * knuckle.min() == pytest.approx(5.999, rel=1e-3)
    assert -d[-1] == pytest.approx(50.855, rel=2e-3)


@pytest.mark.parametrize("inertia", [True, False])
def test_that_shanks_turn_in_spirals_and_nowhere_else(inertia: bool) -> None:
    """Angles in the middle of the spirals of a left curve, with cars along the tangent at their centres."""
    run = simulate(example("freight_curve", inertia=inertia))
    s = run.states.path_coordinate.mean(axis=1)
    names = run.names.springs
    if inertia:
        columns = [names.index(f"Coupling 1 shank {side}") for side in "ij"]
        angle = run.states.spring_length[:, columns]
    else:
        angle = run.states.internal[:, [1, 3]]
    middle = CubicSpline(s, angle.mean(axis=1))
    tangent, entry, curve, leaving = 30.0, 60.96 + 60.96, 60.96 + 121.92 + 45.0, 60.96 + 213.36 + 45.72
    assert middle(entry) == pytest.approx(-1.914e-3, rel=1e-3)
    assert middle(leaving) == pytest.approx(2.551e-3, rel=1e-3)
    for place in (tangent, curve, 420.0):
        assert abs(middle(place)) < 1e-6
    assert not inertia or run.names.springs.index("Coupling 1 y") >= 0
    across = names.index("Coupling 1 y")
    force = CubicSpline(s, run.states.spring_force[:, across])
    assert abs(force(entry)) == pytest.approx(71.8e3, rel=2e-3)
    assert abs(force(leaving)) == pytest.approx(95.7e3, rel=4e-3)
