"""A finished frame from a file: that of rules comes back and bears the same, one by hand bends as statics have it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from ridewright.core.base.errors import InputError
from ridewright.core.cli.program import main
from ridewright.core.edits.changes import set_scenario
from ridewright.core.exchange.frame_file import frame_csv, read_frame
from ridewright.core.project.examples import load_example
from ridewright.core.project.project import load_project, save_project
from ridewright.core.steelwork.checks import checked
from ridewright.core.steelwork.finished import as_finished
from ridewright.core.steelwork.framing import steel_frame
from ridewright.core.steelwork.life import most_changed
from ridewright.core.steelwork.loads import loads_of_points
from ridewright.core.steelwork.ride import ride_over
from ridewright.core.structure.sections import Material, tube
from ridewright.core.track.build import build_track
from ridewright.core.track.steelwork import Steelwork

BY_HAND = """# a girder of 20 m on two supports under a straight track
material, steel, 2.1e11, 8.076923e10, 7850
tube, chord, 0.5, 0.02
node, a, 0, 0, {z}
node, b, 10, 0, {z}
node, c, 20, 0, {z}
node, foot, 10, 0, {low}
member, first, a, b, chord, steel
member, second, b, c, chord, steel
member, post, b, foot, chord, steel, 1, 0, 0
support, left, a, fixed
support, middle, foot, 1e3, 1e3, 1e3, 1e3, 1e3, 1e3
support, right, c, 1e12, 1e12, 1e12, 0, 0, 0
track, first
track, second
"""


def test_that_the_frame_of_rules_comes_back_from_its_file_and_bears_the_same(tmp_path: Path) -> None:
    project = set_scenario(load_example("straight"), {"duration": 1.0})
    assert project.track is not None
    built = build_track(project.track)
    made = steel_frame(built, Steelwork(expansion=30.0))
    (tmp_path / "f.csv").write_text(frame_csv(as_finished(made)))
    again = steel_frame(built, Steelwork(finished=read_frame(tmp_path / "f.csv")))
    assert again.members == made.members
    assert again.stations == pytest.approx(made.stations, abs=0.01)
    assert again.joints == pytest.approx(made.joints, abs=0.01)
    loads = loads_of_points(project, built)
    rides = [ride_over(one, loads, 100.0, extremes=True) for one in (made, again)]
    assert rides[1].frequencies == pytest.approx(rides[0].frequencies, rel=1e-6)
    biggest = np.abs(rides[0].reactions).max()
    assert np.abs(rides[1].reactions - rides[0].reactions).max() < 1e-3 * biggest
    old, new = (checked(one, ride, Steelwork()) for one, ride in zip((made, again), rides, strict=True))
    assert new.members[0].name == old.members[0].name
    assert new.share == pytest.approx(old.share, rel=1e-3)
    assert most_changed(again, rides[1], Steelwork())


def test_that_a_frame_by_hand_bears_the_train_where_its_track_is(tmp_path: Path) -> None:
    track = load_example("straight").track
    assert track is not None
    built = build_track(track)
    z = float(built.centreline.position(np.array([0.0]))[0, 2])
    (tmp_path / "f.csv").write_text(BY_HAND.format(z=z, low=z - 5.0))
    frame = steel_frame(built, Steelwork(finished=read_frame(tmp_path / "f.csv")))
    assert frame.stations == pytest.approx([0.0, 10.0, 20.0], abs=0.02)
    force, place = np.array([[0.0, 0.0, -1e4]]), built.centreline.position(np.array([5.0]))
    beams, ends = frame.loads(np.array([5.0]), place, force)
    q = frame.factor.solve(frame.vector(beams, ends))
    chord, steel = tube(0.5, 0.02), Material()
    EI, L, a, x = steel.E * chord.Iy, 20.0, 5.0, 10.0  # clamped on the left, free to turn on the right
    right = 1e4 * a**2 * (3.0 * L - a) / (2.0 * L**3)
    moment, left = right * L - 1e4 * a, 1e4 - right
    sag = (moment * x**2 / 2.0 + left * x**3 / 6.0 - 1e4 * (x - a) ** 3 / 6.0) / EI
    assert q[frame.structure.unknowns[1, 2]] == pytest.approx(sag, rel=0.05)  # it gives a little in shear
    assert frame.reactions(q)[[0, 2], 2].sum() == pytest.approx(-1e4, rel=1e-3)
    assert frame.place(2, 0) == pytest.approx(10.0, abs=0.02)


def test_that_the_command_puts_it_into_a_project_and_writes_it_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    save_project(set_scenario(load_example("straight"), {"duration": 0.5}), tmp_path / "p.ridewright")
    line = ["steelwork", str(tmp_path / "p.ridewright"), "--rate", "50", "--frame", str(tmp_path / "f.csv")]
    assert main(line) == 0
    out = str(tmp_path / "q.ridewright")
    assert main(["import-frame", str(tmp_path / "p.ridewright"), str(tmp_path / "f.csv"), "--out", out]) == 0
    assert "members on" in capsys.readouterr().out
    kept = load_project(tmp_path / "q.ridewright").steelwork.finished
    assert kept == read_frame(tmp_path / "f.csv")
    assert main(["steelwork", out, "--rate", "50", "--frame", str(tmp_path / "g.csv")]) == 0
    assert (tmp_path / "g.csv").read_text() == (tmp_path / "f.csv").read_text()


@pytest.mark.parametrize(
    ("line", "said"),
    [("beam, x", "line 1: 'beam' is no record"), ("node, a, 1, 2", "a node has 3 figures behind its names; found 2"),
     ("node, a, 1, 2, z", "'z' is no number"), ("tube, t, 0.1, 0.2", "line 1: A tube of"),
     ("fibre, s, 0, 0", "no section 's'")],
)  # fmt: skip
def test_that_what_is_no_frame_is_refused_with_its_line(tmp_path: Path, line: str, said: str) -> None:
    (tmp_path / "f.csv").write_text(line + "\n")
    with pytest.raises(InputError, match=said):
        read_frame(tmp_path / "f.csv")


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [("fixed", "0, 0, 0, 0, 0, 0", "can move without bending"),  # and the others hold nothing along the track
     ("track, first", "node, d, 0, 9, 9\nnode, e, 5, 9, 9\nmember, alone, d, e, chord, steel\ntrack, first",
      "Part of the frame can move without bending")],
)  # fmt: skip
def test_that_a_frame_that_is_held_by_nothing_is_refused(
    tmp_path: Path, old: str, new: str, said: str
) -> None:
    track = load_example("straight").track
    assert track is not None
    built = build_track(track)
    z = float(built.centreline.position(np.array([0.0]))[0, 2])
    text = BY_HAND.format(z=z, low=z - 5.0).replace("1e3, 1e3, 1e3, 1e3, 1e3, 1e3", "0, 0, 0, 0, 0, 0")
    (tmp_path / "f.csv").write_text(text.replace("1e12, 1e12, 1e12", "0, 1e12, 1e12").replace(old, new))
    with pytest.raises(InputError, match=said):
        steel_frame(built, Steelwork(finished=read_frame(tmp_path / "f.csv")))


def test_that_expansion_joints_without_a_support_between_are_refused() -> None:
    track = load_example("straight").track
    assert track is not None
    with pytest.raises(InputError, match="put expansion joints farther apart"):
        steel_frame(build_track(track), Steelwork(expansion=2.0))


@pytest.mark.parametrize(
    ("line", "said"),
    [("member, third, a, c, chord, steel, 0, 0, 1, 0, 0, 0, 0, 0, 0, 2.5", "line 16: elements: must be a whole"),
     ("member, third, a, c, chord, steel, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 7", "line 16: slides: must be true or"),
     ("node, far, 1e300, 0, 0", "line 16: position.0: must be at most 100000")],
)  # fmt: skip
def test_that_a_figure_that_is_none_is_refused_with_its_line(tmp_path: Path, line: str, said: str) -> None:
    (tmp_path / "f.csv").write_text(BY_HAND.format(z=0.0, low=-5.0) + line + "\n")
    with pytest.raises(InputError, match=said):
        read_frame(tmp_path / "f.csv")


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [("track, second", "track, pole", "goes over the member 'pole'"),
     ("member, second, b, c", "member, second, b, d", "names the node 'd'"),
     ("support, left, a", "support, left, x", "holds the node 'x'"), ("node, b", "node, a", "two are node 'a'"),
     ("track, first\ntrack, second", "track, second\ntrack, first", "put the members in running order")],
)  # fmt: skip
def test_that_parts_that_do_not_fit_together_are_named(tmp_path: Path, old: str, new: str, said: str) -> None:
    (tmp_path / "f.csv").write_text(BY_HAND.format(z=0.0, low=-5.0).replace(old, new))
    with pytest.raises(InputError, match=said):
        read_frame(tmp_path / "f.csv")


def test_that_a_finished_frame_stands_beside_the_one_by_rules_and_a_field_says_which_counts(
    tmp_path: Path,
) -> None:
    track = load_example("straight").track
    assert track is not None
    built = build_track(track)
    (tmp_path / "f.csv").write_text(frame_csv(as_finished(steel_frame(built, Steelwork(spacing=20.0)))))
    both = Steelwork(finished=read_frame(tmp_path / "f.csv"))
    by_rules = Steelwork().model_copy(update={"finished": both.finished, "frame": "rules"})
    feet = [len(steel_frame(built, rules).footings) for rules in (both, by_rules, Steelwork())]
    assert feet[0] < feet[1] == feet[2]
