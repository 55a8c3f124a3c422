"""A check against an engine of closed form: the shaken mass on its slide, so that no other program is needed."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from ridewright.core.base.errors import InputError
from ridewright.core.cross_check.check import check_with, cross_check
from ridewright.core.cross_check.curves import evaluator
from ridewright.core.cross_check.engines import engine
from ridewright.core.cross_check.engines.base import Masses, OtherRun
from ridewright.core.cross_check.model import Element, Link, Model, Steered, read_model
from ridewright.core.cross_check.text import cross_check_dict, cross_check_text
from ridewright.core.model.functions import AnalyticFunction, Harmonic, TableFunction
from ridewright.core.outcome.second_engine import CrossCheck
from ridewright.core.project.examples import load_example
from ridewright.core.project.project import Project

SHORT = 1.0


class ClosedForm:
    """The damped oscillator along its slide: x" + 2 d x' + w² x = F/m sin(W t + phase), off by a share of h²."""

    name = "closed form"
    bends = False

    def __init__(self, *, without: str = "", refused: str = "", off: float = 0.0) -> None:
        self.without, self.refused, self.off = without, refused, off

    def available(self) -> bool:
        return True

    def why_not_element(self, element: Element) -> str:
        return "it is not wanted" if element.name == self.without else ""

    def why_not_link(self, link: Link) -> str:
        return self.refused

    def why_not_steered(self, steered: Steered) -> str:
        return ""

    def why_not_model(self, model: Model) -> str:
        return ""

    def ride(self, model: Model, step: float, instants: np.ndarray) -> OtherRun:
        (body,), (link,), (load,) = model.bodies, model.links, model.loads
        axis = link.at.a
        stiffness = damping = rest = 0.0
        for spring in model.elements:
            stiffness, damping = spring.use.parameters
            rest = float(spring.numbers[6])
        wave = load.components[0]
        assert isinstance(wave, AnalyticFunction)
        (h,) = wave.harmonics
        push = h.amplitude / axis[0]
        x, v = oscillation(
            instants,
            float(body.position @ axis) - rest,
            body.mass,
            stiffness,
            damping,
            push,
            h.omega,
            h.phase,
        )
        x = x + self.off * (instants / SHORT) ** 2 + 1e3 * step**2 * instants**2
        n = len(instants)
        return OtherRun(
            time=instants,
            position=((x + rest)[:, None] * axis)[:, None, :],
            axes=np.broadcast_to(body.axes, (n, 1, 3, 3)),
            velocity=(v[:, None] * axis)[:, None, :],
            angular_velocity=np.zeros((n, 1, 3)),
            masses=Masses({body.name: body.mass}, {body.name: body.inertia}),
            step=step,
            version="closed form 1",
            acceleration=(np.gradient(v, instants)[:, None] * axis)[:, None, :],
            angular_acceleration=np.zeros((n, 1, 3)),
        )


def oscillation(
    t: np.ndarray, start: float, m: float, k: float, c: float, push: float, omega: float, phase: float
) -> tuple[np.ndarray, np.ndarray]:
    """Extension and its rate from rest at `start`."""
    steady = push * np.exp(1j * phase) / (k - m * omega**2 + 1j * c * omega)
    x, v = (steady * np.exp(1j * omega * t)).imag, (1j * omega * steady * np.exp(1j * omega * t)).imag
    x0, v0 = start - steady.imag, -(1j * omega * steady).imag
    if k == 0.0:
        return x + x0 + v0 * t, v + v0
    d, w = c / (2.0 * m), np.sqrt(k / m - (c / (2.0 * m)) ** 2)
    b = (v0 + d * x0) / w
    decay = np.exp(-d * t)
    return (
        x + decay * (x0 * np.cos(w * t) + b * np.sin(w * t)),
        v + decay * ((b * w - d * x0) * np.cos(w * t) - (x0 * w + d * b) * np.sin(w * t)),
    )


def shaken() -> Project:
    project = load_example("driven_oscillator")
    return project.model_copy(update={"scenario": project.scenario.model_copy(update={"duration": SHORT})})


@pytest.fixture(scope="module")
def agreeing() -> CrossCheck:
    return check_with(shaken(), ClosedForm())


def test_that_a_run_agrees_with_the_closed_form(agreeing: CrossCheck) -> None:
    assert agreeing.agrees
    assert agreeing.findings == ()
    place = next(one for one in agreeing.agreements if one.quantity == "place")
    assert 0.0 < place.difference < 2e-3
    assert place.name == "Mass"
    assert {"place", "velocity", "orientation", "angular velocity", "energy"} <= {
        one.quantity for one in agreeing.agreements
    }


def test_that_an_engine_that_is_off_is_told_with_body_time_and_size() -> None:
    found = check_with(shaken(), ClosedForm(off=0.05))
    assert not found.agrees
    first = found.findings[0]
    assert first.message.startswith("Mass: place differs from closed form's")
    assert first.value == pytest.approx(0.05, abs=2e-3)
    assert first.time is not None
    assert 0.0 < first.time < SHORT
    assert first.message in cross_check_text(found)


def test_that_what_an_engine_has_not_is_taken_out_of_both_rides_and_its_cost_is_told() -> None:
    found = check_with(shaken(), ClosedForm(without="Spring"))
    assert found.agrees
    assert [(one.name, one.why) for one in found.left_out] == [("Spring", "it is not wanted")]
    assert found.cost is not None
    size, body, _ = found.cost.place
    assert body == "Mass"
    # the whole ride is that of the closed form with its spring, the other that without
    t = np.linspace(0.0, SHORT, 2001)
    held = oscillation(t, 0.1, 2.0, 300.0, 4.0, 6.0, 11.0, 0.4)[0]
    free = oscillation(t, 0.1, 2.0, 0.0, 0.0, 6.0, 11.0, 0.4)[0]
    assert size == pytest.approx(np.abs(held - free).max(), rel=1e-3)
    assert "Spring (spring-damper): it is not wanted" in cross_check_text(found)


def test_that_a_joint_an_engine_has_not_is_refused() -> None:
    with pytest.raises(InputError, match="Joint 'Slide': it cannot slide there"):
        check_with(shaken(), ClosedForm(refused="it cannot slide there"))


def test_that_a_wrong_mass_in_the_other_engine_is_named_first() -> None:
    class Heavier(ClosedForm):
        def ride(self, model: Model, step: float, instants: np.ndarray) -> OtherRun:
            (body,) = model.bodies
            wrong = replace(body, mass=1.05 * body.mass)
            return super().ride(replace(model, bodies=(wrong,)), step, instants)

    found = check_with(shaken(), Heavier())
    assert "Mass: its mass is 2 kg here and 2.1 kg in closed form." in found.findings[0].message
    assert any(one.message.startswith("Mass: place differs") for one in found.findings[1:])


def test_that_the_data_are_json_and_hold_every_agreement(agreeing: CrossCheck) -> None:
    data = json.loads(json.dumps(cross_check_dict(agreeing), allow_nan=False))
    assert data["agrees"] is True
    assert len(data["agreements"]) == len(agreeing.agreements)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (lambda p: cross_check(p, "adams"), "'adams' is no other engine; choose one of exudyn"),
        (lambda p: cross_check(p, step=1.0), "a step of 1 s: must be"),
    ],
)
def test_that_bad_input_is_one_sentence(given: Callable[[Project], CrossCheck], said: str) -> None:
    with pytest.raises(InputError, match=said):
        given(shaken())


def test_that_an_engine_that_is_not_there_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ridewright.core.cross_check.engines.exudyn.engine.find_spec", lambda name: None)
    with pytest.raises(InputError, match=r"pip install ridewright\[cross-check\]"):
        engine("exudyn")


def test_that_functions_of_time_are_those_of_the_solver() -> None:
    wave = AnalyticFunction(
        offset=0.3,
        rate=-1.2,
        half_acceleration=0.7,
        harmonics=(Harmonic(amplitude=2.0, omega=3.0, phase=0.5),),
    )
    assert evaluator(wave)(0.8) == pytest.approx(0.3 - 0.96 + 0.448 + 2.0 * np.sin(2.9))
    table = evaluator(TableFunction(times=(0.0, 1.0, 3.0), values=(0.0, 2.0, 1.0)))
    assert (table(-1.0), table(1.0), table(5.0)) == pytest.approx((0.0, 2.0, 1.0))


def test_that_a_model_is_read_with_products_of_inertia_and_full_names() -> None:
    model = read_model(load_example("straight"))
    names = [body.name for body in model.bodies]
    assert "Car/Rider/Head" in names
    assert len(model.guided) == 4
    assert {link.kind for link in model.links} == {"prismatic", "revolute", "rigid", "spherical", "universal"}
    assert len(model.elements) == 36
