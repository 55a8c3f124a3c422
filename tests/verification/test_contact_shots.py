"""Shots at 1 to 300 m/s: no surface passes another unnoticed, however thin, small or fast it is."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
import pytest
from contact_rigs import ball, contact, on_floor

from ridewright.core.base.arrays import Array
from ridewright.core.base.frames import rotation_matrix
from ridewright.core.contact.shapes import SCRATCH, SPHERE
from ridewright.core.model.assembly import Assembly
from ridewright.core.model.bodies import Body
from ridewright.core.model.surfaces import Box, Capsule, Cylinder, Ellipsoid, Plane, Solid, Sphere, Surface
from ridewright.core.multibody.contact_kernels import BOTH, SPOT_NUMBERS, THROUGH
from ridewright.core.multibody.contact_sweep import MET, SWEEP, curve, sweep
from ridewright.core.outcome.run_check import check_run
from ridewright.core.project.project import Project
from ridewright.core.project.scenario import Rig, SolverSettings
from ridewright.core.results.results import Results
from ridewright.core.run.simulate import simulate

LEDGER = 0.01  # of the kinetic energy at the start; more has to be a finding
SHOT = ("sphere", "ellipsoid", "capsule", "cylinder", "box")
AIM = ("sphere", "ellipsoid", "capsule", "cylinder", "box", "plate", "disc", "plane", "slab")
FLAT = ("cylinder", "box", "plate", "disc")
SHEETS = ("plate", "disc", "plane", "slab")  # wider than anything is shot past them


class Shot(NamedTuple):
    """A body that flies straight at the middle of another: from its front where it has one."""

    project: Project
    speed: float
    way: Array
    normal: Array
    kind: str
    middle: float


def _unit(rng: np.random.Generator, n: int) -> Array:
    x = rng.normal(size=n)
    return np.asarray(x / np.linalg.norm(x))


def _solid(kind: str, rng: np.random.Generator) -> tuple[Solid, float, float]:
    """A solid, its smallest half width and the radius of its sphere (m)."""
    r, a, b = (float(x) for x in np.exp(rng.uniform(math.log(0.01), math.log(0.2), 3)))
    turn: dict[str, Any] = {"name": "Skin", "orientation": tuple(_unit(rng, 4))}
    match kind:
        case "sphere":
            return Sphere(radius=r, **turn), r, r
        case "ellipsoid":
            return Ellipsoid(semi_axes=(r, a, b), **turn), min(r, a, b), max(r, a, b)
        case "capsule":
            return Capsule(radius=r, length=2.0 * a, **turn), r, r + a
        case "cylinder":
            return Cylinder(radius=r, length=2.0 * a, **turn), min(r, a), math.hypot(r, a)
    return Box(half_sizes=(r, a, b), **turn), min(r, a, b), math.hypot(r, a, b)


def _sheet(kind: str, rng: np.random.Generator) -> tuple[Surface, float]:
    """A wide thin thing across the third axis, which its front looks along, and half of how thick it is (m)."""
    half = float(np.exp(rng.uniform(math.log(0.005), math.log(0.05))))
    if kind == "plate":
        return Box(name="Skin", half_sizes=(3.0, 3.0, half)), half
    if kind == "disc":
        return Cylinder(name="Skin", radius=3.0, length=2.0 * half), half
    if kind == "slab":
        return Plane(name="Skin", half_length=3.0, half_width=3.0, depth=2.0 * half), half
    return Plane(name="Skin"), math.inf


def shot(number: int) -> Shot:
    """The shot of a number: both bodies free or one on the ground, with spin, stiff enough or far too soft."""
    rng = np.random.default_rng([30, number])
    kinds = SHOT[number % len(SHOT)], AIM[(number // len(SHOT)) % len(AIM)]
    speed = float(np.exp(rng.uniform(0.0, math.log(300.0))))
    skin, thin, bound = _solid(kinds[0], rng)
    sheet = kinds[1] in SHEETS
    at, half, reach = (*_sheet(kinds[1], rng), 0.05) if sheet else _solid(kinds[1], rng)
    way = _unit(rng, 3)
    if sheet:
        way[2] = -abs(way[2]) - 0.5
        way /= np.linalg.norm(way)
    turn = _unit(rng, 4)
    A = rotation_matrix(turn)
    aside = 0.3 * min(thin, half, reach) * _unit(rng, 3)
    away = (bound + reach + float(rng.uniform(0.05, 0.5))) / (-way[2] if sheet else 1.0)
    place, way = A @ (aside - way * away), A @ way
    spin = _unit(rng, 3) * rng.uniform(0.0, 30.0)
    inertia = (0.4 * bound**2,) * 3
    flies = Body(
        name="Ball", mass=1.0, inertia=inertia, position=tuple(place), velocity=tuple(speed * way),
        angular_velocity=tuple(spin), surfaces=(skin,),
    )  # fmt: skip
    free = not sheet and rng.random() < 0.5
    other = Body(
        name="Other", mass=2.0, inertia=(0.8 * reach**2,) * 3, position=(0.0, 0.0, 0.0), orientation=tuple(turn),
        surfaces=(at,),
    )  # fmt: skip
    ground = () if free else (at.model_copy(update={"orientation": _after(turn, at.orientation)}),)
    law: dict[str, Any] = {
        "law": "lankarani_nikravesh", "restitution": float(rng.uniform(0.6, 1.0)),
        "body_j": "Other" if free else "ground", "stiffness": float(np.exp(rng.uniform(math.log(1e4), math.log(1e10)))),
    }  # fmt: skip
    if {kinds[0], kinds[1]} <= set(FLAT):
        spacing = 0.8 * min(half, 0.2)  # so that the other one does not fit between two points
        count = int(np.clip(4.0 * math.pi * bound**2 / spacing**2, 60, 2000))
        law |= {"method": "points", "points": count, "stiffness": 10.0 * law["stiffness"] / count}
    rig = Assembly(
        name="Rig", role="rig", bodies=(flies, other) if free else (flies,), forces=(contact(**law),), surfaces=ground
    )  # fmt: skip
    project = Project(
        name="Shot", gravity=(0.0, 0.0, 0.0), settings=SolverSettings(),
        scenario=Rig(assembly=rig, duration=2.0 * away / speed),
    )  # fmt: skip
    return Shot(project, speed, way, A[:, 2], kinds[1], thin + half)


def _after(p: Array, q: tuple[float, float, float, float]) -> tuple[float, ...]:
    a, b = np.asarray(p), np.asarray(q)
    return (
        float(a[0] * b[0] - a[1:] @ b[1:]), *(float(x) for x in a[0] * b[1:] + b[0] * a[1:] + np.cross(a[1:], b[1:])),
    )  # fmt: skip


def wrong(one: Shot, run: Results) -> str:
    """What is wrong with the end of a shot; empty for nothing."""
    why = run.status.message + run.status.advice
    crushed = run.status.name == "failed" and "Contact 'Contact: Ball/Skin on" in why
    if run.status.name != "done" and not crushed:
        return f"{run.status.name}: {run.status.message}"
    if not any(event.kind == "touch" for event in run.events):
        return "no touch"
    start = float(run.energy.kinetic[0])
    off, deepest = float(np.abs(run.energy.residual).max()), float(run.states.spring_length[:, 0].max())
    told = any(found.kind == "energy" for found in check_run(run, one.project.settings))
    if off > LEDGER * start and not told:
        return f"ledger {off / start:.3g}"
    if crushed:
        return ""
    if one.kind in SHEETS and float(run.states.position[-1, 0] @ one.normal) < 0.0 and one.kind != "plane":
        return "on the other side"
    if one.kind not in SHEETS and deepest > 1.001 * one.middle:
        return "deeper than the middles of both"
    return ""


def _wrong_ones(numbers: range) -> dict[int, str]:
    found = {number: wrong(one, simulate(one.project)) for number in numbers for one in (shot(number),)}
    return {number: why for number, why in found.items() if why}


def test_that_no_shot_passes_unnoticed() -> None:
    assert _wrong_ones(range(90)) == {}


@pytest.mark.nightly
def test_that_none_of_10000_shots_passes_unnoticed() -> None:
    assert _wrong_ones(range(10_000)) == {}


def _against(
    floor: Surface, radius: float, speed: float, start: float, stiffness: float, **settings: Any
) -> Results:
    body = ball(
        position=(0.0, 0.0, radius + start),
        velocity=(0.0, 0.0, -speed),
        surfaces=(Sphere(name="Skin", radius=radius),),
    )
    return simulate(
        on_floor(body, contact(stiffness=stiffness), duration=0.3, ground=(floor,), settings=settings)
    )


@pytest.mark.parametrize("start", [0.3, 0.55, 1.0])
@pytest.mark.parametrize(
    ("radius", "speed", "depth"), [(0.1, 10.0, 0.05), (0.1, 20.0, 0.05), (0.05, 10.0, 0.02)]
)
def test_that_a_ball_stays_in_front_of_a_plate(
    radius: float, speed: float, depth: float, start: float
) -> None:
    plate = Plane(name="Floor", half_length=1.0, half_width=1.0, depth=depth)
    run = _against(plate, radius, speed, start, 1e7)
    assert run.status.name == "done"
    assert [event.kind for event in run.events[:2]] == ["touch", "release"]
    assert run.events[0].time == pytest.approx(start / speed, abs=1e-9)
    assert run.states.velocity[-1, 0, 2] > 0.3 * speed
    assert np.abs(run.energy.residual).max() < 1e-3 * 0.5 * speed**2


@pytest.mark.parametrize(
    "settings",
    [
        {"fixed_step": 5e-4}, {"rho_infinity": 1.0}, {"method": "dopri5", "fixed_step": 5e-4},
        {"method": "adaptive_dop853"}, {"method": "adaptive_radau"}, {"method": "adaptive_adams"},
    ],
)  # fmt: skip
def test_that_no_method_takes_a_ball_through_a_thin_plate(settings: dict[str, Any]) -> None:
    plate = Plane(name="Floor", half_length=1.0, half_width=1.0, depth=0.01)
    run = _against(plate, 0.02, 30.0, 0.4, 2e8, **settings)
    assert run.status.name == "done"
    assert run.states.position[-1, 0, 2] > 0.0
    assert {event.kind for event in run.events} >= {"touch", "release"}


def test_that_a_plate_too_soft_for_a_ball_is_crushed_by_name() -> None:
    """It takes k d^2.5 / 2.5 = 22.6 J on 20 mm; the ball has 50 J."""
    plate = Plane(name="Floor", half_length=1.0, half_width=1.0, depth=0.02)
    run = _against(plate, 0.05, 10.0, 0.3, 1e6)
    assert run.status.name == "failed"
    assert "Contact 'Contact: Ball/Skin on ground/Floor' was crushed through" in run.status.message
    assert "stiffness" in run.status.advice
    assert 0.0 < 0.05 - run.states.position[-1, 0, 2] < 0.02  # kept is what was on its side
    assert np.abs(run.energy.residual).max() < 0.05


def test_that_an_ellipsoid_that_is_a_ball_meets_a_ball_as_one() -> None:
    ends = []
    for skin in (Sphere(name="Skin", radius=0.05), Ellipsoid(name="Skin", semi_axes=(0.05, 0.05, 0.05))):
        body = ball(position=(0.01, 0.0, 0.3), velocity=(0.0, 0.0, -5.0), surfaces=(skin,))
        post = Sphere(name="Post", radius=0.04)
        ends.append(simulate(on_floor(body, contact(), duration=0.1, ground=(post,), settings={})).states)
    assert ends[0].velocity[-1, 0, 2] > 0.0
    np.testing.assert_allclose(ends[1].velocity[-1, 0], ends[0].velocity[-1, 0], atol=1e-3)


def test_that_the_bounds_of_a_step_hold_and_its_first_touch_is_the_true_one() -> None:
    """Two balls on straight lines meet where a quadratic says; no speed of a pair that turns exceeds its bound."""
    rng = np.random.default_rng(4)
    G, T, out, known = np.zeros((SWEEP, 9)), np.zeros((SCRATCH, 9)), np.zeros(7), np.zeros(SPOT_NUMBERS)
    a, b = (np.concatenate([np.zeros(3), np.eye(3).ravel(), [r, 0.0, 0.0, r]]) for r in (0.01, 0.03))
    known[THROUGH], known[BOTH] = 0.01, 0.04
    hits = 0
    for _ in range(300):
        r = rng.normal(size=(2, 3)) * 0.2
        v = (rng.normal(size=(2, 3)) * 0.05 - r) * rng.uniform(0.5, 4.0)
        at = np.vstack([r, np.zeros(3)]), np.tile([1.0, 0.0, 0.0, 0.0], (3, 1)), np.zeros(18)
        at[2][[0, 1, 2, 6, 7, 8]] = v.ravel()
        there = at[0] + np.vstack([v, np.zeros(3)])
        fast, _ = curve(0, 1, 0, 6, a[:3], *at, there, *at[1:], 1.0, G)
        said, share = sweep(SPHERE, SPHERE, a, b, 0.0, known, 0.0, fast, G, T, out)
        d, w = r[0] - r[1], v[0] - v[1]
        assert fast == pytest.approx(np.linalg.norm(w), rel=1e-9)
        part = (d @ w) ** 2 - (w @ w) * (d @ d - 0.04**2)
        first = (-(d @ w) - math.sqrt(part)) / (w @ w) if part > 0.0 else math.inf
        if part > 0.0 and math.sqrt(part / (w @ w)) > 0.01 and d @ d > 0.04**2 and 0.0 < first < 1.0:
            hits += 1
            assert said == MET
            assert share == pytest.approx(first, abs=1e-9)
        elif part <= 0.0 or not 0.0 < first < 1.0:
            assert said != MET or d @ d <= 0.04**2
    assert hits > 30
    for _ in range(50):
        p0, p1 = (_turned(rng, 0.4) for _ in range(2))
        p = np.vstack([p0, p1, [1.0, 0.0, 0.0, 0.0]])
        ends = [(rng.normal(size=(3, 3)), p, rng.normal(size=18)) for _ in range(2)]
        fast, turning = curve(0, 1, 0, 6, rng.normal(size=3), *ends[0], *ends[1], 0.3, G)
        x = np.linspace(0.0, 1.0, 2001)[:, None]
        path = (1 - x) ** 3 * G[0] + 3 * x * (1 - x) ** 2 * G[1] + 3 * x**2 * (1 - x) * G[2] + x**3 * G[3]
        assert np.linalg.norm(np.diff(path[:, :3], axis=0), axis=1).max() * 2000 <= fast * (1.0 + 1e-9)
        q = path[:, 3:7] / np.linalg.norm(path[:, 3:7], axis=1, keepdims=True)
        angle = 2.0 * np.arccos(np.clip(np.abs(np.sum(q[1:] * q[:-1], axis=1)), 0.0, 1.0))
        assert angle.max() * 2000 <= turning * (1.0 + 1e-4) + 1e-3


def _turned(rng: np.random.Generator, size: float) -> Array:
    """Euler parameters of a small random rotation."""
    p = np.array([1.0, *(size * rng.normal(size=3))])
    return np.asarray(p / np.linalg.norm(p))
