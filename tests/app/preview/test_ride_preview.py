"""The point ride beside the track: what it says, when it is worked out, what becomes a problem."""

from __future__ import annotations

import re

import numpy as np
import pytest

from ridewright.app.document.document import Document, Problem, Run
from ridewright.app.track_editor.limit_bands import NONE, SYMPTOMS, load_bands
from ridewright.app.track_editor.quantities import ride_curves
from ridewright.app.view3d.colouring import on_point_ride
from ridewright.app.work import preview as of_preview
from ridewright.app.work.preview import SOURCE, RidePreview, worst_of
from ridewright.core.base.evaluation import EvaluationOptions
from ridewright.core.edits import points as point_edits
from ridewright.core.edits.changes import set_point_ride
from ridewright.core.injury.standards.files import load_table
from ridewright.core.pointmass.ride import ride_point
from ridewright.core.project.examples import load_example
from ridewright.core.project.point_train import ridden_settings
from ridewright.core.project.project import Project
from ridewright.core.track.build import build_track


@pytest.fixture
def preview(qtbot, document: Document) -> RidePreview:
    found = RidePreview.of(document)
    qtbot.waitUntil(lambda: not found.preparing, timeout=120_000)
    qtbot.wait(80)
    return found


def slower(document: Document, speed: float) -> None:
    document.apply("Slower", set_point_ride(document.project, {"speed": speed}))


def slower_start(project: Project, top_speed: float) -> Project:
    """From 5 m with the speed that leads over the top."""
    return set_point_ride(project, {"start": 5.0, "speed": None, "top_speed": top_speed})


def test_that_a_document_has_one_preview(document, preview):
    assert RidePreview.of(document) is preview


def test_that_the_preview_is_the_precise_ride_within_its_step(document, preview):
    ride = preview.ride()
    precise = ride_point(build_track(document.project.track), ridden_settings(document.project))
    s = np.linspace(5.0, 700.0, 60)
    near = np.interp(s, ride.s, ride.speed)
    assert np.abs(near - np.interp(s, precise.s, precise.speed)).max() < 0.02


def test_that_a_ride_is_kept_until_track_or_settings_change(document, preview):
    first = preview.ride()
    assert preview.ride() is first
    slower(document, document.project.scenario.speed - 1.0)
    second = preview.ride()
    assert second is not first
    assert second.speed[0] == pytest.approx(first.speed[0] - 1.0)
    document.undo_stack.undo()
    assert preview.ride().speed[0] == first.speed[0]


def test_that_the_edit_in_progress_is_ridden_and_both_values_are_told(document, preview):
    before = document.project
    section = before.track.sections[4].name
    alone = preview.worst_text(section)
    assert "was" not in alone
    higher = point_edits.move_points(before, section, (13,), (0.0, 0.0, 0.4))
    document.preview(higher)
    text = preview.worst_text(section)
    now = next(f for f in preview.figures(higher) if f.name == section)
    old = next(f for f in preview.figures(before) if f.name == section)
    assert text.startswith(f"{section}: Gz {now.max_gz.value:.2f} g at {now.max_gz.s:.0f} m")
    assert text.endswith(f"was {old.max_gz.value:.2f} g")
    assert worst_of(now)[1].value != worst_of(old)[1].value
    document.preview(None)


def test_that_a_drag_tells_the_load_that_it_changes_there_before_and_now(document, preview):
    """Against the loads of both rides at that place."""
    before = document.project
    section = before.track.sections[4].name
    higher = point_edits.move_points(before, section, (13,), (0.0, 0.0, 0.4))
    document.preview(higher)
    text = preview.change_text(section)
    found = re.fullmatch(r"(G[xyz]) ([−0-9.]+) g → ([−0-9.]+) g at (\d+) m", text)
    assert found
    k = ("Gx", "Gy", "Gz").index(found[1])
    built, s = document.built(), float(found[4])
    span = next(span for span in built.sections if span.name == section)
    old_span = next(span for span in document.built(before).sections if span.name == section)
    assert span.s0 <= s <= span.s1
    then = old_span.s0 + (s - span.s0) / (span.s1 - span.s0) * (old_span.s1 - old_span.s0)
    pairs = ((preview.ride(before), then, found[2]), (preview.ride(higher), s, found[3]))
    for ride, place, said in pairs:
        felt = ride.g[np.abs(ride.place - place) < 1.6, k]  # the samples about a place told to the metre
        assert felt.min() - 0.01 < float(said.replace("−", "-")) < felt.max() + 0.01
    assert preview.drag_text(section).splitlines()[:2] == [text, preview.worst_text(section)]
    document.preview(None)
    assert preview.change_text(section) == ""


def test_that_the_last_step_is_told_from_what_was_before_it_after_an_undo_too(qtbot, document, preview):
    before = document.project
    section = before.track.sections[4].name
    told: list[str] = []
    wild, mild = (point_edits.move_points(before, section, (13,), (0.0, 0.0, z)) for z in (1.5, 0.4))
    document.preview(mild)
    expected = preview.change_text(section)
    document.preview(None)
    document.apply("Wild", wild)
    qtbot.waitUntil(lambda: not preview._soon.isActive())
    document.undo_stack.undo()
    qtbot.waitUntil(lambda: not preview._soon.isActive())
    preview.changed.connect(lambda: told.append(preview.change_text(section)))
    document.apply("Mild", mild)
    assert told[-1] == preview.change_text(section) == expected != ""


def test_that_a_drag_that_changes_another_section_far_more_tells_that_one(document, preview):
    """A faster start is felt in the valley, whatever section it was made in."""
    document.apply("Empty", slower_start(document.project, 2.0))
    preview.ride()
    quiet = document.project.track.sections[0].name
    document.preview(slower_start(document.project, 9.0))
    text = preview.change_text(quiet)
    found = re.fullmatch(r"(.+): (G[xyz]) ([−0-9.]+) g → ([−0-9.]+) g at (\d+) m", text)
    assert found, text
    built, name, s = document.built(), found[1], float(found[5])
    assert name != quiet
    assert built.section_at(s) == name
    apart = abs(float(found[4].replace("−", "-")) - float(found[3].replace("−", "-")))
    figures = [next(f for f in preview.figures(p) if f.name == quiet) for p in (None, document.project)]
    assert apart > 1.5 * abs(figures[0].max_gz.value - figures[1].max_gz.value)
    assert preview.change_text(name) == text.partition(": ")[2]
    document.preview(None)


def test_that_a_start_speed_that_an_edit_changes_is_told_with_what_it_was_until_it_is_run(
    qtbot, document, preview, make_results
):
    with qtbot.waitSignal(preview.start_changed):
        document.apply("Empty", slower_start(document.project, 2.0))
    was = preview.ride().start.speed
    assert preview.ride().start.why == "top"
    told = []
    preview.start_changed.connect(told.append)
    with qtbot.waitSignal(preview.start_changed, timeout=3000):
        document.apply("Faster", slower_start(document.project, 9.0))
    speed = preview.ride().start.speed
    assert speed > was + 0.5
    sentence = preview.start_text()
    assert sentence.startswith(
        f"Starts at {speed:.1f} m/s (was {was:.1f} m/s), solved so that the train passes "
    )
    assert told[-1] == sentence
    document.preview(slower_start(document.project, 2.0))
    assert f"Starts at {was:.1f} m/s (was {speed:.1f} m/s)" in preview.drag_text(
        document.project.track.sections[0].name
    )
    document.preview(None)
    assert "(was" in preview.start_text()
    document.add_run(Run("of another track", make_results(), load_example("straight")))
    assert "(was" in preview.start_text()
    with qtbot.waitSignal(preview.changed):
        document.add_run(Run("of the edit", make_results(), document.project))
    assert preview.start_text() == sentence.replace(f" (was {was:.1f} m/s)", "")


def test_that_a_stall_becomes_an_error_with_its_place_and_goes_away(qtbot, document, preview):
    def found() -> list[Problem]:
        return [p for p in document.problems if p.source == SOURCE]

    assert found() == []
    speed = document.project.scenario.speed
    slower(document, 12.0)
    qtbot.waitUntil(lambda: bool(found()), timeout=3000)
    problem = found()[0]
    built = document.built()
    # it turns round where its height over the start is v^2 / 2g, on the way up
    height = built.centreline.position([problem.s])[0, 2] - built.centreline.position([2.0])[0, 2]
    assert problem.severity == "error"
    assert height == pytest.approx(
        12.0**2 / (2 * 9.81), abs=1.2
    )  # of the rail; the heartline turns in the climb
    slower(document, speed)
    qtbot.waitUntil(lambda: not found(), timeout=3000)


def test_that_a_heartline_that_folds_back_is_told_and_does_not_hang(document, preview):
    folded = point_edits.move_points(document.project, "climb", (3,), (0.0, 0.0, -3.0))
    assert preview.ride(folded) is None
    assert "folds back" in preview.fault(folded)


def test_that_curves_and_colours_of_a_circuit_do_not_break_at_its_seam_nor_at_its_start(document, preview):
    document.apply("Start", set_point_ride(document.project, {"start": 300.0, "speed": 27.0}))
    built = document.built()
    curves = ride_curves(built, preview.ride())
    assert np.isfinite(curves.s).all()
    assert (curves.s[0], curves.s[-1]) == (0.0, pytest.approx(built.length, abs=1e-6))
    assert np.all(np.diff(curves.s) > -1e-9)
    for name in ("speed", "gx", "gy", "gz"):
        values = getattr(curves, name)
        assert values[0] == values[-1], name  # the seam is one place of the ride
    assert curves.at("speed", 300.5) == pytest.approx(27.0, abs=0.3)
    ends = np.array([0.0, 0.2, built.length - 0.2, built.length])
    assert np.isfinite(on_point_ride("gz", ends, preview.ride(), built.length, True)).all()


def test_that_curves_break_where_no_train_comes(document, preview):
    """From 650 m over the seam to where it turns round: nothing between that and the start."""
    document.apply("Start", set_point_ride(document.project, {"start": 650.0, "speed": 12.0}))
    built, ride = document.built(), preview.ride()
    turned = next(event.place for event in ride.events if event.kind == "turned")
    assert turned < 600.0
    curves = ride_curves(built, ride)
    (gap,) = np.flatnonzero(~np.isfinite(curves.s))
    assert curves.s[gap - 1] == pytest.approx(turned, abs=0.1)
    assert curves.s[gap + 1] == pytest.approx(650.0, abs=1e-6)


def test_that_colours_and_curves_are_of_the_same_ride(document, preview):
    built, ride = document.built(), preview.ride()
    s = np.linspace(10.0, 700.0, 40)
    curves = ride_curves(built, ride)
    values = on_point_ride("gz", s, ride, built.length, built.centreline.closed)
    np.testing.assert_allclose(values, [curves.at("gz", float(x)) for x in s], atol=1e-9)
    assert on_point_ride("nca", s, ride, built.length, built.centreline.closed) is None


def test_that_bands_are_the_limits_of_the_table(qapp):
    options = EvaluationOptions()
    bands = load_bands("astm_f2291", "gz", options)
    table = load_table("astm_f2291")
    curve = next(c for c in table.alternatives("+Gz", "", options) if c.onset_below is None)
    beyond = next(b for b in bands if b.depth == 1.0 and b.low > 0.0)
    shorter = next(b for b in bands if b.depth < 1.0 and b.low > 0.0)
    assert beyond.low == pytest.approx(float(curve.limit(0.2)))
    assert (shorter.low, shorter.high) == pytest.approx((float(curve.limit(2.0)), beyond.low))
    assert load_bands(NONE, "gz", options) == ()
    assert load_bands(SYMPTOMS, "gz", options) != ()


def test_that_kernels_that_are_held_wait_until_they_are_released(monkeypatch: pytest.MonkeyPatch) -> None:
    begun: list[bool] = []
    monkeypatch.setattr(of_preview, "warm_up_preview", lambda: begun.append(kernels.held))
    kernels = of_preview._Kernels()
    kernels.hold()
    kernels.prepare()
    assert not kernels.ready.wait(0.2)
    kernels.release()
    assert kernels.ready.wait(10.0)
    assert begun == [False]


def test_that_held_kernels_do_not_wait_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(of_preview, "LONGEST", 0.05)
    monkeypatch.setattr(of_preview, "warm_up_preview", lambda: None)
    kernels = of_preview._Kernels()
    kernels.hold()
    kernels.prepare()
    assert kernels.ready.wait(10.0)
