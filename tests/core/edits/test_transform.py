"""Parts of a track moved, turned, scaled and mirrored: the built curve follows as a rigid or similar one."""

from __future__ import annotations

import numpy as np
import pytest

from ridewright.core.base.errors import InputError
from ridewright.core.edits.transform import Motion, transform_points, transform_sections
from ridewright.core.project.project import Project
from ridewright.core.track.build import BuiltTrack, build_track
from ridewright.core.track.description import (
    ControlPoint,
    RollPoint,
    SplineSection,
    StraightSection,
    TableSection,
    Track,
)
from ridewright.core.track.elements import ELEMENTS, StartPose, element_entry

POSE = StartPose(position=(12.0, -7.0, 40.0), heading=0.7, pitch=0.05, cant=0.1)
BEND = [
    (0.0, 0.0, 2.0),
    (12.0, 1.5, 3.0),
    (23.0, 7.0, 2.1),
    (30.0, 16.0, 4.4),
    (32.0, 27.0, 2.0),
    (28.0, 37.0, 3.0),
]


def spline_project() -> Project:
    points = tuple(ControlPoint(x=x, y=y, z=z, cant=-0.05 * k) for k, (x, y, z) in enumerate(BEND))
    rolls = (RollPoint(at=8.0, cant=-0.02), RollPoint(at=30.0, cant=-0.2, rates=(0.01, -0.002, 0.0003)))
    return Project(
        name="p", track=Track(name="t", sections=(SplineSection(name="a", points=points, roll_points=rolls),))
    )


def table_project() -> Project:
    s = np.linspace(0.0, 3.0, 60)
    rows = np.column_stack([20.0 * np.cos(s), 20.0 * np.sin(s), 3.0 * s])
    left = np.column_stack([-np.cos(s), -np.sin(s), 0.2 * np.ones(60)])
    section = TableSection(
        name="a", positions=tuple(map(tuple, rows.tolist())), left=tuple(map(tuple, left.tolist()))
    )
    return Project(name="p", track=Track(name="t", sections=(section,)))


def straight_project() -> Project:
    section = StraightSection(name="a", start=(1.0, 2.0, 3.0), end=(31.0, 12.0, 6.0), cant=0.3)
    return Project(name="p", track=Track(name="t", sections=(section,)))


def element_project(kind: str) -> Project:
    section = element_entry(kind).make("a").model_copy(update={"pose": POSE})
    return Project(name="p", track=Track(name="t", sections=(section,)))


def built_of(project: Project) -> BuiltTrack:
    assert project.track is not None
    return build_track(project.track, ride=False)


MOTIONS = [
    Motion(pivot=(3.0, -2.0, 1.0), shift=(10.0, 4.0, -2.0), yaw=1.1),
    Motion(pivot=(3.0, -2.0, 1.0), scale=1.5),
    Motion(pivot=(3.0, -2.0, 1.0), mirror=0.4),
    Motion(pivot=(3.0, -2.0, 1.0), mirror=-1.2, yaw=0.3, scale=0.8, shift=(1.0, 2.0, 3.0)),
]
# Their shape depends on the speed or on the height of the riders as well, which a scale does not change.
NOT_SIMILAR = {"force", "camelback", "zero_g_roll", "immelmann", "dive_loop", "inline_roll"}
PROJECTS = {"spline": spline_project(), "table": table_project(), "straight": straight_project()}
KINDS = [*PROJECTS, *(entry.id for entry in ELEMENTS)]


@pytest.mark.parametrize("motion", MOTIONS)
@pytest.mark.parametrize("kind", KINDS)
def test_that_the_built_curve_is_the_moved_curve(kind: str, motion: Motion) -> None:
    if kind in NOT_SIMILAR and motion.scale != 1.0:
        pytest.skip("not a similar figure when scaled")
    project = PROJECTS.get(kind) or element_project(kind)
    before, after = built_of(project), built_of(transform_sections(project, ["a"], motion))
    loose = 100.0 if kind == "table" else 1.0  # a table is fitted anew, within its tolerance
    assert after.length == pytest.approx(motion.scale * before.length, rel=1e-7 * loose)
    s = np.linspace(0.0, before.length, 60)
    old, new = before.centreline.state(s), after.centreline.state(s / before.length * after.length)
    wanted = np.array([motion.place(p) for p in old.curve[:, 0]])
    assert new.curve[:, 0] == pytest.approx(wanted, abs=1e-4 * loose)
    turned = np.array([motion.direction(v) for v in old.up])
    assert new.up == pytest.approx(turned, abs=2e-4 * loose)


def test_that_points_are_moved_alone() -> None:
    project = spline_project()
    moved = transform_points(project, "a", [1, 2], Motion(pivot=BEND[1], yaw=np.pi / 2))
    assert moved.track is not None
    points = moved.track.sections[0].points  # type: ignore[union-attr]
    assert points[1].position == pytest.approx(BEND[1])
    dx, dy = BEND[2][0] - BEND[1][0], BEND[2][1] - BEND[1][1]
    assert points[2].position == pytest.approx((BEND[1][0] - dy, BEND[1][1] + dx, BEND[2][2]))
    assert points[3].position == BEND[3]


def test_that_what_cannot_be_moved_is_refused() -> None:
    project = spline_project()
    with pytest.raises(InputError, match="has no point 9"):
        transform_points(project, "a", [8], Motion())
    with pytest.raises(InputError, match="no section 'b'"):
        transform_sections(project, ["b"], Motion())
    with pytest.raises(InputError, match=r"choose 0\.01 to 100"):
        Motion(scale=0.0)
    with pytest.raises(InputError, match="finite"):
        Motion(yaw=float("nan"))
    with pytest.raises(InputError, match="drawn by its loads"):
        transform_sections(element_project("force"), ["a"], Motion(scale=2.0))
    loop = element_entry("loop").make("b")
    track = Track(
        name="t", sections=(StraightSection(name="a", start=(0, 0, 9), end=(30, 0, 9), cant=0.0), loop)
    )
    with pytest.raises(InputError, match="begins where the track has come to"):
        transform_sections(Project(name="p", track=track), ["b"], Motion(yaw=0.2))
