"""Table sections that continue one another: one curve, shared out exactly, also when the track is turned round."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from ridewright.core.base.errors import InputError
from ridewright.core.edits.sections import reverse_track
from ridewright.core.project.project import Project
from ridewright.core.track.build import BuiltTrack, build_track
from ridewright.core.track.description import TableSection, Track
from ridewright.core.track.table_run import fit_run, one_run, table_runs


def run_of(built: BuiltTrack, cuts: list[int], closed: bool = True, rows_of: int = 380) -> Track:
    """Rows of a built track as one run of tables, cut at row numbers."""
    s = np.linspace(0.0, built.length, rows_of, endpoint=False)
    state = built.centreline.state(s)
    rows, left = state.curve[:, 0], state.left
    edges = [0, *cuts, len(rows)]
    sections = tuple(
        TableSection(
            name=f"part {k + 1}",
            positions=tuple(map(tuple, rows[a:b].tolist())),
            left=tuple(map(tuple, left[a:b].tolist())),
            continues=k > 0,
        )
        for k, (a, b) in enumerate(pairwise(edges))
    )
    return Track(name="run", closed=closed, gauge=1.1, sections=sections)


@pytest.mark.parametrize(("closed", "count"), [(True, 380), (False, 380), (True, 1500)])
def test_that_cutting_a_table_changes_nothing_but_names(
    general: BuiltTrack, closed: bool, count: int
) -> None:
    """With 1500 rows, 13 cm apart, the borders fall inside pieces of the spline, which have to be cut."""
    whole = build_track(run_of(general, [], closed, count))
    cut = build_track(run_of(general, [7, 120, 128, 300], closed, count))
    assert cut.length == pytest.approx(whole.length, abs=1e-10)
    s = np.linspace(0.0, whole.length, 997, endpoint=False)
    a, b = whole.centreline.state(s), cut.centreline.state(s)
    assert np.abs(a.curve - b.curve).max() < 1e-8
    assert np.abs(a.left - b.left).max() < 1e-10
    assert np.abs(a.twist - b.twist).max() < 1e-9
    borders = np.array([span.s0 for span in cut.sections[1:]])
    for border, row in zip(borders, (7, 120, 128, 300), strict=True):
        near = general.centreline.position([row * general.length / count])[0]
        assert np.linalg.norm(cut.centreline.position([border])[0] - near) <= 0.005
    before, after = (cut.centreline.state(borders, from_left=left) for left in (True, False))
    assert np.abs(before.curve - after.curve).max() < 1e-9
    assert [fit.section for fit in cut.fits] == [span.name for span in cut.sections]
    assert max(fit.largest_deviation for fit in cut.fits) == pytest.approx(
        whole.fits[0].largest_deviation, rel=1e-9
    )


def test_that_the_worst_row_is_named_in_its_own_section(general: BuiltTrack) -> None:
    track = run_of(general, [100, 200])
    moved = [list(row) for row in track.sections[1].positions]  # type: ignore[union-attr]
    moved[31][2] += 0.008
    bad = track.sections[1].model_copy(update={"positions": tuple(map(tuple, moved))})
    built = build_track(track.model_copy(update={"sections": (track.sections[0], bad, track.sections[2])}))
    worst = max(built.fits, key=lambda fit: fit.largest_deviation)
    assert (worst.section, worst.row) == ("part 2", 32)


def test_that_the_tightest_tolerance_of_a_run_holds(general: BuiltTrack) -> None:
    run = [section for section in run_of(general, [150]).sections if isinstance(section, TableSection)]
    shares = fit_run([run[0], run[1].model_copy(update={"tolerance": 0.001})], closed=True)
    assert max(float(share.deviation.max()) for share in shares.values()) <= 0.001


def test_that_a_run_turned_round_is_the_same_curve(general: BuiltTrack) -> None:
    project = Project(name="p", track=run_of(general, [100, 200]))
    turned = reverse_track(project).track
    assert turned is not None
    assert [(s.name, s.continues) for s in turned.sections] == [  # type: ignore[union-attr]
        ("part 3", False), ("part 2", True), ("part 1", True)]  # fmt: skip
    forth, back = build_track(project.track), build_track(turned)  # type: ignore[arg-type]
    for place in (3.0, 61.0, 140.0):
        point = forth.centreline.position([place])[0]
        s = back.paths["centreline"].nearest(point)
        # the rows are fitted again from another first row, within the same tolerance
        assert np.linalg.norm(back.centreline.position([s])[0] - point) < 0.01
        assert back.frame_at([s])[0][0] @ forth.frame_at([place])[0][0] < -0.999


def test_that_runs_end_where_a_table_does_not_continue(general: BuiltTrack) -> None:
    sections = run_of(general, [100, 200]).sections
    loose = sections[2].model_copy(update={"continues": False})
    assert [[s.name for s in run] for run in table_runs((sections[0], sections[1], loose))] == [
        ["part 1", "part 2"],
        ["part 3"],
    ]
    assert one_run(sections)
    assert not one_run((sections[0], sections[1], loose))


def test_that_a_section_without_usable_rows_is_refused_by_name() -> None:
    x = np.arange(0.0, 20.0, 0.5)
    rows = np.stack([x, 0.0 * x, 0.0 * x], axis=-1)
    same = np.tile(rows[19], (6, 1))
    sections = [
        {"kind": "table", "name": name, "positions": part.tolist(), "continues": name != "a"}
        for name, part in (("a", rows[:20]), ("b", same), ("c", rows[20:]))
    ]
    with pytest.raises(InputError, match="'b' has no usable row of its own"):
        build_track(Track.model_validate({"name": "t", "sections": sections}))
