"""Spectra: of a known sine, and of the acceleration of a coupler's block and the force in its pin (Massa 2012)."""

from __future__ import annotations

import json

import numpy as np
import pytest

from ridewright.core.base.errors import InputError
from ridewright.core.cli.program import main
from ridewright.core.outcome.spectrum import peaks, signal_of, spectrum
from ridewright.core.project.examples import load_example
from ridewright.core.project.project import Project, save_project
from ridewright.core.results.file import write_results
from ridewright.core.results.results import Results
from ridewright.core.run.simulate import simulate

LINE = 63.3058  # Hz, of blocks and shanks between the gears, undamped
CRITICAL = 1.51e5  # N s/m


def test_that_a_sine_shows_at_its_frequency_and_amplitude() -> None:
    t = np.linspace(0.0, 2.0, 1501)
    x = 3.7 + 0.82 * np.sin(2 * np.pi * 41.3 * t + 0.4) + 0.11 * np.cos(2 * np.pi * 117.9 * t)
    first, second = peaks(spectrum(t, x), 2)
    assert (first.frequency, first.amplitude) == pytest.approx((41.3, 0.82), rel=2e-2, abs=0.02)
    assert (second.frequency, second.amplitude) == pytest.approx((117.9, 0.11), rel=2e-2, abs=0.02)
    with pytest.raises(InputError, match="16 samples"):
        spectrum(t, x, 0.5, 0.51)


def _pushed(damping: float) -> Project:
    project = load_example("two_cars_loaded")
    train = project.train
    assert train is not None
    ends = {
        end: getattr(train.couplings[0], end).model_copy(update={"damping": damping})
        for end in ("end_i", "end_j")
    }
    coupling = train.couplings[0].model_copy(update={"inertia": True, **ends})
    update = {
        "train": train.model_copy(update={"couplings": (coupling,)}),
        "settings": project.settings.model_copy(update={"fixed_step": 2.5e-4}),
        "scenario": project.scenario.model_copy(update={"duration": 0.4}),
    }
    return project.model_copy(update=update)


def _near(results: Results, name: str, *, window: bool) -> tuple[float, float]:
    """Frequency (Hz) of the largest peak from 45 to 90 Hz, and how far it stands above the spectrum at 45 Hz."""
    time, values, _ = signal_of(results, name)
    found = spectrum(time, values[:, 0], window=window)
    inside = [p for p in peaks(found, 50) if 45.0 < p.frequency < 90.0]
    beside = float(np.interp(45.0, found.frequency, found.amplitude))
    return (inside[0].frequency, inside[0].amplitude / beside) if inside else (0.0, 0.0)


@pytest.mark.parametrize("damping", [1e4, 2.5e4, 2.5e5])
def test_that_the_line_of_the_blocks_shows_below_critical_damping_alone(damping: float) -> None:
    frequency, above = _near(
        simulate(_pushed(damping)), "body/Car 2/Coupling 1/Block/acceleration", window=False
    )
    zeta = damping / CRITICAL
    if zeta < 1.0:
        # after a step of the push s / (s^2 + 2 zeta w s + w^2), largest at w whatever the damping
        assert frequency == pytest.approx(LINE, abs=0.3)
        assert above > 2.0
    else:
        assert above < 1.1


@pytest.mark.parametrize(("damping", "shows"), [(1e3, True), (2.5e5, False)])
def test_that_the_pin_carries_the_line_of_the_blocks_too(damping: float, shows: bool) -> None:
    """Beside the slow force on the front car, which is hundreds of times as large, it takes a window to see it."""
    frequency, above = _near(simulate(_pushed(damping)), "joint/Coupling 1 pin i/force", window=True)
    if shows:
        assert frequency == pytest.approx(LINE, abs=0.8)
        assert above > 5.0
    else:
        assert above < 1.1


def test_that_the_command_prints_what_the_function_finds(tmp_path, capsys) -> None:
    project = _pushed(1e4)
    results = simulate(project)
    write_results(results, tmp_path / "r.h5")
    save_project(project, tmp_path / "p.ridewright")
    name = "joint/Coupling 1 pin i/force"
    assert main(["spectrum", str(tmp_path / "r.h5"), name, "--blow", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    time, values, unit = signal_of(results, name)
    assert told["unit"] == unit == "N"
    assert told["components"][0]["amplitude"] == pytest.approx(
        spectrum(time, values[:, 0], window=False).amplitude.tolist()
    )
    assert main(["spectrum", str(tmp_path / "r.h5"), "no/such"]) == 2
    assert "has no signal" in capsys.readouterr().err
