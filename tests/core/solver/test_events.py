"""Located events: stops, borders and levels at the instants closed forms and independent integrations give."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.special import ellipkinc

from ridewright.core.base.errors import InputError
from ridewright.core.model.assembly import Assembly
from ridewright.core.outcome.summary import summarise
from ridewright.core.project.examples import load_example
from ridewright.core.project.project import Project, parse_project
from ridewright.core.results.file import read_results, write_results
from ridewright.core.results.results import Event
from ridewright.core.run.events import crossings
from ridewright.core.run.simulate import simulate
from ridewright.core.track.description import SplineSection, StraightSection

G = 9.81


def _project(
    name: str, watch: tuple[tuple[str, float], ...] = (), duration: float | None = None, **settings: object
) -> Project:
    project = load_example(name)
    return project.model_copy(
        update={
            "scenario": project.scenario.model_copy(
                update={} if duration is None else {"duration": duration}
            ),
            "settings": project.settings.model_copy(update=settings),
            "evaluation": project.evaluation.model_copy(update={"watch": watch}),
        }
    )


def _of(events: tuple[Event, ...], *kinds: str) -> list[Event]:
    return [event for event in events if event.kind in kinds]


def test_that_zeros_are_found_to_the_last_digits_whatever_the_shape() -> None:
    time = np.linspace(0.0, 10.0, 42)
    for f, zeros in (
        (np.sin, np.pi * np.arange(0, 4)),
        (lambda t: np.cbrt(t - 3.21), [3.21]),
        (lambda t: np.where(t < 7.5, -1.0, 1.0), [7.5]),
        (lambda t: (t - 5.13) ** 9, [5.13]),
    ):
        found = [t for t, _ in crossings(time, f(time), f)]
        assert len(found) == len(zeros)
        # a ninth power is below rounding long before its zero
        assert np.abs(np.array(found) - zeros).max() < (1e-12 if len(zeros) > 1 or zeros[0] != 5.13 else 1e-3)


def test_that_a_thrown_body_passes_a_height_when_the_parabola_says() -> None:
    project = _project("free_body", (("body/Body/position.z", 2.0), ("body/Body/velocity", 12.0)), 2.5)
    rig = project.scenario.assembly
    body = rig.bodies[0].model_copy(update={"velocity": (3.0, -4.0, 5.0), "position": (0.2, -0.4, 1.5)})
    assembly: Assembly = rig.model_copy(update={"bodies": (body,)})
    results = simulate(
        project.model_copy(update={"scenario": project.scenario.model_copy(update={"assembly": assembly})})
    )
    root = math.sqrt(25.0 - 2.0 * G * 0.5)
    # faster than 12 m/s once the vertical part exceeds sqrt(144 - 25), downwards
    wanted = [
        ("rises", (5.0 - root) / G),
        ("falls", (5.0 + root) / G),
        ("rises", (5.0 + math.sqrt(119.0)) / G),
    ]
    found = results.events[:-1]
    assert [event.kind for event in found] == [kind for kind, _ in wanted]
    assert [event.time for event in found] == pytest.approx([time for _, time in wanted], abs=1e-9)
    assert found[0].name == "body/Body/position.z = 2"
    assert found[2].name == "body/Body/velocity = 12"
    assert results.events[-1] == Event("end", "done", results.states.time[-1], None)


def test_that_a_pendulum_passes_a_level_when_the_elliptic_integral_says() -> None:
    """A bob of length l released level; its body does not turn, so it is the mathematical pendulum."""
    level = -0.4
    results = simulate(_project("planar_pendulum", (("body/Bob/position.y", level),), 1.0, fixed_step=2.5e-4))
    # y = -l cos(theta); sin(theta / 2) = k sin(phi); t(theta) = sqrt(l/g) (K - F(phi)) from rest at k = sin(45 deg)
    k = math.sin(math.pi / 4.0)
    phi = math.asin(math.sin(0.5 * math.acos(-level)) / k)
    whole, part = ellipkinc(math.pi / 2.0, k * k), ellipkinc(phi, k * k)
    down, up = (math.sqrt(1.0 / G) * (whole + sign * part) for sign in (-1.0, 1.0))
    found = results.events[:2]
    assert [event.kind for event in found] == ["falls", "rises"]
    assert [event.time for event in found] == pytest.approx([down, up], abs=2e-6)


def _stop_times(duration: float) -> list[float]:
    """When the damped pendulum with a stop at -2 rad meets and leaves it, from its single equation."""

    def rhs(_: float, y: np.ndarray) -> list[float]:
        depth = max(0.0, -2.0 - y[0])
        stop = max(0.0, 400.0 * depth**1.5 * (1.0 - 0.2 * y[1]))
        return [y[1], -1.5 * G * math.cos(y[0]) - 0.4 * y[1] + stop]

    out = solve_ivp(
        rhs, (0.0, duration), [0.0, 0.0], "DOP853", rtol=1e-12, atol=1e-13, max_step=1e-3,
        events=lambda _, y: y[0] + 2.0,
    )  # fmt: skip
    return [float(t) for t in out.t_events[0]]


def test_that_a_stop_is_met_and_left_when_the_single_equation_says() -> None:
    results = simulate(_project("stopped_pendulum", duration=3.0, tolerance=1e-8, max_step=1e-3))
    found = _of(results.events, "stop met", "stop left")
    wanted = _stop_times(3.0)
    assert len(wanted) >= 4
    assert [event.kind for event in found] == ["stop met", "stop left"] * (len(wanted) // 2)
    assert [event.time for event in found] == pytest.approx(wanted, abs=1e-5)
    assert {event.name for event in found} == {"Stop"}


def _slider() -> Project:
    """A block on a level rail between two stops 0.3 m ahead and 0.2 m behind, pushed off at 2 m/s."""
    origin, ahead = [0.0, 0.0, 0.0], [0.6, 0.0, 0.8]
    assembly = {
        "name": "Rig",
        "role": "rig",
        "bodies": [
            {"name": "Block", "mass": 2.0, "inertia": [0.1, 0.1, 0.1], "position": origin, "velocity": [1.2, 0.0, 1.6]},
        ],
        "joints": [
            {"name": "Rail", "kind": "prismatic", "body_i": "ground", "body_j": "Block", "point_i": origin,
             "point_j": origin, "axis_i": ahead, "axis_j": ahead},
        ],
        "forces": [
            {"kind": "joint_stop", "name": "Buffer", "joint": "Rail", "lower": -0.2, "upper": 0.3, "stiffness": 1e5,
             "exponent": 1.0, "damping": 0.0},
        ],
    }  # fmt: skip
    project = load_example("free_body").model_dump(mode="json")
    project["gravity"] = [0.0, 0.0, 0.0]
    project["scenario"] = {"kind": "rig", "assembly": assembly, "duration": 0.9}
    project["settings"] |= {"tolerance": 1e-9, "rho_infinity": 1.0, "max_step": 1e-3}
    return parse_project(project, "slider")


def test_that_a_block_between_linear_buffers_meets_them_at_even_times() -> None:
    found = _of(simulate(_slider()).events, "stop met", "stop left")
    contact, across = math.pi * math.sqrt(2.0 / 1e5), 0.5 / 2.0
    first = 0.3 / 2.0
    wanted = [first + k * (contact + across) + extra for k in range(4) for extra in (0.0, contact)]
    wanted = [time for time in wanted if time < 0.9]
    assert [event.time for event in found] == pytest.approx(wanted, abs=1e-5)
    assert [event.kind for event in found] == (["stop met", "stop left"] * 4)[: len(wanted)]


def test_that_explicit_steps_end_at_stops_and_keep_their_order() -> None:
    """Even motion between the buffers, half a sine in them. A step across the kink would cost two orders."""
    contact, across, first = math.pi * math.sqrt(2.0 / 1e5), 0.5 / 2.0, 0.3 / 2.0
    met = first + np.arange(3) * (contact + across)
    exact = 0.3 - 2.0 * (0.9 - met[2] - contact)
    errors = []
    for step in (2e-3, 1e-3, 5e-4):
        settings = {"method": "rk4", "fixed_step": step, "stabilisation": "none", "sample_rate": 1000.0}
        slider = _slider()
        states = simulate(
            slider.model_copy(update={"settings": slider.settings.model_copy(update=settings)})
        ).states
        place = states.position[:, 0] @ np.array([0.6, 0.0, 0.8])
        errors.append(abs(place[-1] - exact))
        gaps = [np.min(np.abs(states.time - time)) for time in [*met, *(met + contact)]]
        assert max(gaps) < 1e-6 * (step / 5e-4) ** 4
        assert states.time[-1] == pytest.approx(0.9, abs=1e-12)
    orders = np.log2(np.array(errors[:-1]) / errors[1:])
    assert np.all(orders > 3.7)
    assert errors[-1] < 1e-5


@pytest.mark.parametrize(
    ("settings", "close"),
    [
        *(
            ({"method": f"adaptive_{name}"}, 2e-7)
            for name in ("rk23", "rk45", "dop853", "radau", "bdf", "lsoda", "adams")
        ),
        ({"method": "adaptive_rk45", "formulation": "partitioning"}, 2e-7),
        ({"method": "rk4", "fixed_step": 1e-3, "formulation": "partitioning"}, 1.6e-5),
    ],
    ids=lambda s: " ".join(str(x) for x in s.values()) if isinstance(s, dict) else "",
)
def test_that_every_other_method_lands_on_stops_too(settings, close) -> None:
    """At tolerances of 1e-9; a stop within a fiftieth of a step from its end is left to the error control."""
    contact, across, first = math.pi * math.sqrt(2.0 / 1e5), 0.5 / 2.0, 0.3 / 2.0
    met = first + np.arange(3) * (contact + across)
    exact = 0.3 - 2.0 * (0.9 - met[2] - contact)
    slider = _slider()
    new = {
        "stabilisation": "none", "relative_tolerance": 1e-9, "absolute_tolerance": 1e-9, "max_step": 0.02, **settings
    }  # fmt: skip
    results = simulate(slider.model_copy(update={"settings": slider.settings.model_copy(update=new)}))
    states = results.states
    gaps = np.array([np.min(np.abs(states.time - time)) for time in [*met, *(met + contact)]])
    assert np.sum(gaps < close) >= 4
    assert np.max(gaps) < 0.02 * 0.02
    place = states.position[:, 0] @ np.array([0.6, 0.0, 0.8])
    assert place[-1] == pytest.approx(exact, abs=4.0 * close)
    assert states.time[-1] == pytest.approx(0.9, abs=1e-12)
    assert np.all(np.diff(states.time) > 0.0)


def test_that_borders_of_sections_are_passed_when_even_motion_says() -> None:
    project = _project("straight", (("car/Car/arc_length", 60.0),))
    assert project.track is not None
    sections = (
        StraightSection(name="one", start=(0.0, 0.0, 0.0), end=(31.0, 0.0, 0.0), cant=0.0),
        StraightSection(name="two", length=8.5, cant=0.0),
        StraightSection(name="three", length=160.5, cant=0.0),
    )
    scenario = project.scenario.model_copy(update={"end_place": 70.0})
    track = project.track.model_copy(update={"sections": sections})
    results = simulate(project.model_copy(update={"track": track, "scenario": scenario}))
    place, time = results.channels["car/Car/arc_length"].values, results.sample_time
    found = _of(results.events, "section")
    assert [event.name for event in found] == ["Car/two", "Car/three"]
    assert [event.place for event in found] == pytest.approx([31.0, 39.5], abs=1e-9)
    assert [event.time for event in found] == pytest.approx(np.interp([31.0, 39.5], place, time), abs=1e-5)
    (level,) = _of(results.events, "rises")
    assert level.place == pytest.approx(60.0, abs=1e-9)
    assert [event.time for event in results.events] == sorted(event.time for event in results.events)
    assert results.events[-1].kind == "end"
    assert results.events[-1].place == pytest.approx(70.0, abs=1e-4)


def test_that_a_bead_that_comes_back_passes_borders_both_ways() -> None:
    """Up a loop with too little speed and back, free of friction: the way back takes as long as the way up."""
    project = _project("bead_loop", duration=3.0, tolerance=1e-8)
    assert project.track is not None
    (loop,) = project.track.sections
    assert isinstance(loop, SplineSection)
    sections = (
        loop.model_copy(update={"name": "low", "points": loop.points[:12]}),
        loop.model_copy(update={"name": "high", "points": loop.points[12:]}),
    )
    scenario = project.scenario.model_copy(update={"speed": 6.0})
    track = project.track.model_copy(update={"sections": sections})
    results = simulate(project.model_copy(update={"track": track, "scenario": scenario}))
    up, down = _of(results.events, "section")[:2]
    assert (up.name, down.name) == ("Car/high", "Car/low")
    assert up.place == pytest.approx(down.place, abs=1e-9)
    speed = results.states.path_speed[:, 0]
    k = int(np.flatnonzero((speed[:-1] > 0.0) & (speed[1:] <= 0.0))[0])
    turned = np.interp(0.0, -speed[k : k + 2], results.states.time[k : k + 2])
    assert 0.5 * (up.time + down.time) == pytest.approx(turned, abs=1e-4)


def test_that_an_unknown_signal_is_refused_before_the_run() -> None:
    polls = []
    with pytest.raises(InputError, match=r"no signal 'car/none/speed'.*body/Bob/position\.z"):
        simulate(
            _project("planar_pendulum", (("car/none/speed", 1.0),)), on_progress=lambda *a: polls.append(a)
        )
    assert not polls


def test_that_events_are_kept_in_the_file_and_in_the_summary(tmp_path: Path) -> None:
    project = _project("planar_pendulum", (("body/Bob/position.y", -0.4),), 1.0)
    results = simulate(project)
    write_results(results, tmp_path / "r.h5")
    assert read_results(tmp_path / "r.h5").events == results.events
    listed = summarise(project, results).events
    assert [(e.kind, e.name, e.time, e.arc_length) for e in listed] == [
        (e.kind, e.name, e.time, e.place) for e in results.events
    ]
