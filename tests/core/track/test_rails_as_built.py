"""Rails as built: the spectrum put in is measured on the rails, a survey comes back, a joint is where it was put."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from ridewright.core.base.arrays import Array
from ridewright.core.base.errors import InputError
from ridewright.core.cli.program import main
from ridewright.core.exchange.rail_survey import read_survey
from ridewright.core.project.examples import load_example
from ridewright.core.project.project import load_project, save_project
from ridewright.core.track.as_built import RailsAsBuilt
from ridewright.core.track.build import BuiltTrack, build_track
from ridewright.core.track.description import Track
from ridewright.core.track.deviation import LEFT, PARTS, RIGHT, deviation, spectrum


def track(example: str, **given: object) -> Track:
    drawn = load_example(example).track
    assert drawn is not None
    return drawn.model_copy(update={"as_built": RailsAsBuilt(**given)})


def measured(built: BuiltTrack, s: Array) -> Array:
    """Deviation to the left and up (2, n) of each rail of a built track, off the path that is ridden on."""
    _, left, up = built.frame_at(s)
    drawn = built.centreline.position(s)
    out = []
    for sign, name, arcs in zip(
        (0.5, -0.5), ("left_rail", "right_rail"), built.rail_of_centreline(s), strict=True
    ):
        off = built.paths[name].sample(arcs)[:, 0, :3] - drawn - sign * built.track.gauge * left
        out.append([np.sum(off * left, axis=1), np.sum(off * up, axis=1)])
    return np.array(out)


def check_spectrum(rails: RailsAsBuilt, length: float, left: Array, right: Array) -> None:
    """Each harmonic of each part has the power of its line; left, right (2, n): to the left and up over one lap."""
    n = left.shape[1]
    parts = (0.5 * (left[1] + right[1]), 0.5 * (left[0] + right[0]), left[1] - right[1], left[0] - right[0])
    dw = 2.0 * np.pi / length
    for name, values in zip(PARTS, parts, strict=True):
        power = 2.0 * np.abs(np.fft.rfft(values) / n) ** 2 / dw
        asked = spectrum(rails, name, dw * np.arange(n // 2 + 1))
        inside = asked > 0.0
        assert power[inside] == pytest.approx(asked[inside], rel=1e-4)
        assert np.sum(power[~inside]) < 1e-6 * np.sum(power)


def test_that_the_spectrum_put_in_is_measured() -> None:
    rails, length = RailsAsBuilt(quality="usual", shortest=2.0), 433.0
    away = deviation(rails, length, closed=True)
    assert away is not None
    s = length / 4096 * np.arange(4096)
    check_spectrum(rails, length, away.of(LEFT, s)[:, 0].T, away.of(RIGHT, s)[:, 0].T)


def test_that_the_rails_that_are_ridden_on_lie_where_the_deviation_says() -> None:
    built = build_track(track("curve50", quality="rough"))
    away = deviation(built.track.as_built, built.length, closed=False)
    assert away is not None
    s = np.linspace(0.0, built.length, 400)
    for rail, found in zip((LEFT, RIGHT), measured(built, s), strict=True):
        assert np.abs(found.T - away.of(rail, s)[:, 0]).max() < 1e-7


def test_that_the_spectrum_is_that_of_the_whole_looping_star() -> None:
    built = build_track(track("looping_star", quality="usual", shortest=5.0))
    s = built.length / 4096 * np.arange(4096)
    check_spectrum(built.track.as_built, built.length, *measured(built, s))


def test_that_rails_without_deviations_are_those_that_were_drawn_to_the_last_bit() -> None:
    drawn = load_example("curve50").track
    assert drawn is not None
    assert "as_built" not in drawn.model_dump()
    none = track("curve50", quality="rough", scale=0.0)
    for name in ("left_rail", "right_rail"):
        assert np.array_equal(build_track(none).paths[name].coef, build_track(drawn).paths[name].coef)
    tiny = build_track(track("curve50", quality="rough", scale=1e-9))
    s = np.linspace(0.0, tiny.length, 500)
    assert np.abs(measured(tiny, s)).max() < 1e-8


def test_that_the_derivatives_are_those_of_the_displacements() -> None:
    away = deviation(RailsAsBuilt(quality="rough", joint_spacing=6.0), 150.0, closed=False)
    assert away is not None
    s = np.linspace(0.2, 149.7, 333)
    h = 1e-4
    for order in range(3):
        slope = (away.of(LEFT, s + h)[:, order] - away.of(LEFT, s - h)[:, order]) / (2.0 * h)
        given = away.of(LEFT, s)[:, order + 1]
        assert np.abs(slope - given).max() < 2e-3 * np.abs(given).max()
    assert np.abs(away.of(LEFT, np.array([0.0, 150.0]))[:, :3]).max() < 1e-12


def test_that_the_path_has_the_length_and_tangent_of_the_deviating_rail() -> None:
    built = build_track(track("straight", quality="rough", scale=3.0))
    path = built.paths["left_rail"]
    L = np.linspace(0.0, path.length, 20001)
    at = path.sample(L)
    assert np.abs(np.linalg.norm(at[:, 1, :3], axis=1) - 1.0).max() < 1e-6
    chords = np.linalg.norm(np.diff(at[:, 0, :3], axis=0), axis=1).sum()
    assert chords == pytest.approx(path.length, rel=1e-7)
    assert path.length > build_track(track("straight")).paths["left_rail"].length + 1e-5


def test_that_a_seed_makes_one_track_and_another_another() -> None:
    one, same, other = (
        deviation(RailsAsBuilt(quality="usual", seed=seed), 90.0, closed=True) for seed in (4, 4, 5)
    )
    assert one is not None
    assert same is not None
    assert other is not None
    assert np.array_equal(one.coef, same.coef)
    assert np.abs(one.coef - other.coef).max() > 1e-3


def test_that_a_survey_file_comes_back_but_for_what_the_cutoff_smooths_away(tmp_path: Path) -> None:
    length = build_track(track("straight")).length
    s = np.arange(0.0, length, 0.1)
    long, short = 0.004 * np.sin(2.0 * np.pi * s / 8.0), 0.002 * np.sin(2.0 * np.pi * s / 0.7)
    rows = np.stack([s, 0.0 * s, long + short, 0.5 * long, 0.0 * s], axis=1)
    np.savetxt(tmp_path / "survey.csv", rows, delimiter=",", header="s,ll,lu,rl,ru", comments="")
    save_project(load_example("straight"), tmp_path / "p.ridewright")
    line = ["import-survey", str(tmp_path / "p.ridewright"), str(tmp_path / "survey.csv"), "--cutoff", "2"]
    assert main([*line, "--out", str(tmp_path / "q.ridewright")]) == 0
    surveyed = load_project(tmp_path / "q.ridewright").track
    assert surveyed is not None
    built = build_track(surveyed)
    at = np.linspace(10.0, length - 10.0, 700)
    (_, left_up), (right_left, right_up) = measured(built, at)
    assert left_up == pytest.approx(0.004 * np.sin(2.0 * np.pi * at / 8.0), abs=1e-4)
    assert right_left == pytest.approx(0.002 * np.sin(2.0 * np.pi * at / 8.0), abs=1e-4)
    assert np.abs(right_up).max() < 1e-9


@pytest.mark.parametrize(
    ("rows", "said"),
    [("0,0,0,0,0\n0,0,0,0,0\n", "line 2: the station does not increase"), ("0,0,0,0\n", "expected five numbers"),
     ("0,0,3.5,0,0\n1,0,0,0,0\n", "more than 1 m off"), ("0,0,0,0,0\n", "two rows at least")],
)  # fmt: skip
def test_that_a_survey_that_is_none_is_refused_with_its_line(tmp_path: Path, rows: str, said: str) -> None:
    (tmp_path / "s.csv").write_text(rows)
    with pytest.raises(InputError, match=said):
        read_survey(tmp_path / "s.csv")
