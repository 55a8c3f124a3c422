"""Forces as another engine is told them: laws with internal unknowns against closed forms, surfaces against ours."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from ridewright.core.base.frames import from_rotation_vector, rotation_matrix
from ridewright.core.contact.common_normal import between
from ridewright.core.contact.shapes import BOX, ELLIPSOID, PLANE, RIM, SCRATCH, SPHERE
from ridewright.core.cross_check.acting import Acting, Moving
from ridewright.core.cross_check.laws import ScalarLaw
from ridewright.core.cross_check.model import Element, Touch
from ridewright.core.cross_check.touching import Touching, why_not_touch
from ridewright.core.model.forces.contact import Contact, law
from ridewright.core.model.forces.maxwell import TYPE as MAXWELL
from ridewright.core.multibody.contact_points import Skin


def test_that_a_spring_in_series_with_a_dashpot_follows_its_closed_form() -> None:
    """Pulled at a constant rate v from rest: c v (1 - exp(-k t / c)), by steps that are not all of one size."""
    k, c, v = 2000.0, 40.0, 0.3
    assert MAXWELL.law is not None
    element = MAXWELL.model.model_validate(
        {"kind": "maxwell", "name": "M", "body_i": "ground", "body_j": "B", "stiffness": k, "damping": c}
    )
    use = MAXWELL.law(element, "distance")
    made = ScalarLaw(Element("M", "", "distance", use, (0, 1), np.zeros(7), np.zeros(0)))
    assert made.remembers

    def off(h: float) -> float:
        made = ScalarLaw(Element("M", "", "distance", use, (0, 1), np.zeros(7), np.zeros(0)))
        t, worst = 0.0, 0.0
        for step in itertools.islice(itertools.cycle((h, 2.0 * h)), round(0.06 / (1.5 * h))):
            t += step
            worst = max(worst, abs(made(v * t, v, t) - c * v * (1.0 - np.exp(-k * t / c))))
            made.accept()
        return worst

    assert off(5e-4) < 0.02 * c * v
    assert off(5e-4) / off(1.25e-4) > 10.0  # second order


def skin(kind: int, body: int, sizes: tuple[float, float, float]) -> Skin:
    turned = rotation_matrix(from_rotation_vector(np.array([0.3, -0.2, 0.5])))
    return Skin("S", body, kind, np.array([0.1, 0.0, -0.05]), turned, sizes, max(sizes), 1.0)


INFINITE = (np.inf, np.inf, np.inf)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (skin(ELLIPSOID, 0, (0.3, 0.2, 0.15)), skin(PLANE, 1, INFINITE)),
        (skin(SPHERE, 0, (0.2, 0.0, 0.0)), skin(PLANE, 1, INFINITE)),
        (skin(RIM, 0, (0.2, 0.0, 0.0)), skin(PLANE, 1, INFINITE)),
        (skin(SPHERE, 0, (0.2, 0.0, 0.0)), skin(SPHERE, 1, (0.25, 0.0, 0.0))),
    ],
)
@pytest.mark.parametrize("friction", ["none", "smooth", "bristle"])
def test_that_surfaces_that_touch_are_as_deep_as_ours_and_push_both_bodies_alike(
    first: Skin, second: Skin, friction: str
) -> None:
    fields = Contact(name="C", body_i="A", body_j="B", friction=friction, law="hertz", stiffness=1e5)
    pair = Touching(Touch("C", "C", "contact", first, second, law(fields, "gap"), fields, None))
    rng = np.random.default_rng(4)
    touched = 0
    for _ in range(20):
        turns = [rotation_matrix(from_rotation_vector(rng.normal(size=3))) for _ in range(2)]
        at = Moving(
            np.array([0.3 * rng.normal(size=3), np.zeros(3)]), np.array(turns), rng.normal(size=(2, 3)),
            rng.normal(size=(2, 3)),
        )  # fmt: skip
        out = Acting(np.zeros((2, 3)), np.zeros((2, 3)))
        (load,) = pair(at, out, 0.0)
        depth = our_depth(at, first, second)
        assert load == pytest.approx(1e5 * max(depth, 0.0) ** 1.5, rel=1e-9, abs=1e-9)
        touched += depth > 0.0
        assert out.force[0] == pytest.approx(-out.force[1])
        about = sum(out.moment[k] + np.cross(at.r[k], out.force[k]) for k in range(2))
        assert about == pytest.approx(np.zeros(3), abs=1e-9 * max(load, 1.0))
        if friction == "none":
            assert np.linalg.norm(out.force[0]) == pytest.approx(load)
        elif friction == "smooth" and load > 0.0:
            along = float(np.sqrt(max(out.force[0] @ out.force[0] - load**2, 0.0)))
            assert along == pytest.approx(0.5 * load, rel=1e-3)  # of Coulomb, sliding fast
    assert touched > 3


def our_depth(at: Moving, first: Skin, second: Skin) -> float:
    (ca, Ra), (cb, Rb) = (
        (at.r[k] + at.A[k] @ one.position, at.A[k] @ one.rotation) for k, one in enumerate((first, second))
    )
    out = np.zeros(7)
    between(
        first.kind, second.kind, ca, Ra.ravel(), np.array(first.sizes), cb, Rb.ravel(), np.array(second.sizes),
        np.zeros(3), np.zeros((SCRATCH, 9)), out,
    )  # fmt: skip
    return float(out[0])


def test_that_flat_sides_on_one_another_are_named_as_what_is_not_handed_over() -> None:
    fields = Contact(name="C", body_i="A", body_j="B")
    first, second = skin(ELLIPSOID, 0, (1.0, 1.0, 1.0)), skin(BOX, 1, (1.0, 1.0, 1.0))
    touch = Touch("C", "C", "contact", first, second, law(fields, "gap"), fields, None)
    assert "only round ones, corners and points on planes" in why_not_touch(touch)


def test_that_the_speed_at_touch_is_that_between_two_steps() -> None:
    """A ball that 800 N press against a plane, by steps of one size, against a touch that is found to rounding."""
    mass, pressed, above, speed, end = 1.0, 800.0, 0.02, 5.0, 0.0121
    fields = Contact(name="C", body_i="A", body_j="B", friction="none", stiffness=2e5, restitution=0.3)
    ball, plane = (
        Skin("S", body, kind, np.zeros(3), np.eye(3), sizes, max(sizes), 1.0)
        for body, kind, sizes in ((0, SPHERE, (0.1, 0.0, 0.0)), (1, PLANE, INFINITE))
    )
    use = law(fields, "gap")
    touched = math.sqrt(speed**2 + 2.0 * pressed / mass * above)
    k, n, loss, _ = use.parameters

    def reference(t: float, y: list[float]) -> list[float]:
        return [y[1], (k * max(-y[0], 0.0) ** n * max(1.0 - loss * y[1] / touched, 0.0) - pressed) / mass]

    start = ((touched - speed) * mass / pressed, end)
    exact = solve_ivp(reference, start, [0.0, -touched], "DOP853", rtol=1e-12, atol=1e-14).y[:, -1]

    def off(steps: int) -> float:
        pair, h, y = (
            Touching(Touch("C", "C", "contact", ball, plane, use, fields, None)),
            end / steps,
            np.array([above, -speed]),
        )
        still, axes = np.zeros((2, 3)), np.stack([np.eye(3)] * 2)

        def rates(y: np.ndarray) -> np.ndarray:
            place, velocity, out = still.copy(), still.copy(), Acting(still.copy(), still.copy())
            place[0, 2], velocity[0, 2] = 0.1 + y[0], y[1]
            pair(Moving(place, axes, velocity, still), out, 0.0)
            return np.array([y[1], (out.force[0, 2] - pressed) / mass])

        for _ in range(steps):
            one = rates(y)
            two = rates(y + 0.5 * h * one)
            three = rates(y + 0.5 * h * two)
            y = y + h / 6.0 * (one + 2.0 * two + 2.0 * three + rates(y + h * three))
            rates(y)
            pair.accept()
        return float(abs(y[1] - exact[1]))

    # with the speed of the last state before the touch 5 mm/s are left at the first, 0.8 mm/s at each of the others
    assert off(25) < 1e-4
    assert max(off(steps) for steps in (50, 100, 200)) < 2e-5
