"""Shots at 1 to 300 m/s: no surface passes another unnoticed, however thin, small or fast it is."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
import pytest
from contact_rigs import contact
from numpy.typing import NDArray

from ridewright.core.base.frames import rotation_matrix
from ridewright.core.model.assembly import Assembly
from ridewright.core.model.bodies import Body
from ridewright.core.model.surfaces import Box, Capsule, Cylinder, Ellipsoid, Plane, Solid, Sphere, Surface
from ridewright.core.project.project import Project
from ridewright.core.project.scenario import Rig, SolverSettings
from ridewright.core.results.results import Results
from ridewright.core.solver.simulate import simulate

Array = NDArray[np.float64]
LEDGER = 0.01  # of the kinetic energy at the start
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
        name="Other", mass=2.0, inertia=(0.8 * reach**2,) * 3, position=(0.0, 0.0, 0.0), orientation=tuple(turn), surfaces=(at,)
    )  # fmt: skip
    ground = () if free else (at.model_copy(update={"orientation": _after(turn, at.orientation)}),)
    law: dict[str, Any] = {
        "law": "lankarani_nikravesh", "restitution": float(rng.uniform(0.6, 1.0)), "body_j": "Other" if free else "ground",
        "stiffness": float(np.exp(rng.uniform(math.log(1e4), math.log(1e10)))),
    }  # fmt: skip
    if {kinds[0], kinds[1]} <= set(FLAT):
        law |= {"method": "points", "points": 60, "stiffness": law["stiffness"] / 10.0}
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
    told = run.status.message + (run.status.advice or "")
    crushed = run.status.name == "failed" and "Contact 'Contact: Ball/Skin on" in told
    if run.status.name != "done" and not crushed:
        return f"{run.status.name}: {run.status.message}"
    if not any(event.kind == "touch" for event in run.events):
        return "no touch"
    start = float(run.energy.kinetic[0])
    if np.abs(run.energy.residual).max() > LEDGER * start:
        return f"ledger {np.abs(run.energy.residual).max() / start:.3g}"
    if crushed:
        return ""
    if one.kind in SHEETS and float(run.states.position[-1, 0] @ one.normal) < 0.0 and one.kind != "plane":
        return "on the other side"
    if one.kind not in SHEETS and float(run.states.spring_length[:, 0].max()) > 1.001 * one.middle:
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
