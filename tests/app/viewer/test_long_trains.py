"""A train whose picture takes long: drawn piece by piece, in turns of its own, and never out of the picture."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QSize
from pytestqt.qtbot import QtBot

from ridewright.app.document.document import Document
from ridewright.app.document.runs import Run
from ridewright.app.view3d import drawn_train, view
from ridewright.app.view3d.panel import ViewerPanel
from ridewright.app.view3d.surfaces import Painted
from ridewright.app.view3d.track_marks import RIDDEN
from ridewright.app.widgets import theme
from ridewright.core.edits.elements import set_element
from ridewright.core.project.project import Project
from ridewright.core.results.results import Results

FEW = 5


@pytest.fixture
def long_train(panel: ViewerPanel, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot) -> ViewerPanel:
    """The view with a train that counts as a long one."""
    qtbot.waitUntil(lambda: not panel._due and not panel.scene.train.waits)
    for module in (view, drawn_train):
        monkeypatch.setattr(module, "AT_ONCE", FEW)
    panel.scene.train.at_once = FEW
    assert panel.plotter.is_long
    return panel


def bodies(panel: ViewerPanel) -> int:
    """How many bodies of the train the renderer has: as they are, or still as they were."""
    train = panel.scene.train
    shown = {id(actor) for actor in panel.scene.plotter.renderer.GetActors() if actor.GetVisibility()}
    made = {id(member.made) for member in train.members.values() if member.made is not None}
    return len(shown & (made | {id(actor) for actor in train._replaced.values()}))


def test_that_no_body_leaves_the_picture_while_the_train_changes_its_colours(
    long_train: ViewerPanel, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    train, count = long_train.scene.train, len(long_train.scene.train.members)
    before = {name: member.actor for name, member in train.members.items()}
    seen: list[int] = []
    long_train.plotter.painted.connect(lambda _: seen.append(bodies(long_train)))
    light = theme.LIGHT if theme.current() is theme.DARK else theme.DARK
    monkeypatch.setattr(theme, "_current", light)
    long_train._train.dress()
    assert long_train.scene.colours is not light  # until the meshes are there
    qtbot.waitUntil(lambda: long_train.scene.colours is light)
    qtbot.waitUntil(
        lambda: not train.waits and all(train.members[name].made is not before[name] for name in before)
    )
    qtbot.waitUntil(lambda: bool(seen))
    assert set(seen) == {count}
    shown = {id(actor) for actor in long_train.scene.plotter.renderer.GetActors()}
    assert not {id(actor) for actor in before.values()} & shown
    assert not train._replaced


def test_that_what_is_selected_meanwhile_is_tinted_when_it_is_made(
    long_train: ViewerPanel, document: Document, qtbot: QtBot
) -> None:
    train = long_train.scene.train
    document.apply("Heavier", set_element(document.project, "body", ("Car", "Carbody"), {"mass": 777.0}))
    long_train.finish_pending()
    assert train.waits
    name = train._unseen[-1]
    train.highlight({name}, "#ff0000")
    assert train.members[name].made is None
    qtbot.waitUntil(lambda: not train.waits)
    assert not train.members[name].actor.GetMapper().GetScalarVisibility()
    others = [one for one in train.members.values() if one.name != name]
    assert all(one.actor.GetMapper().GetScalarVisibility() for one in others)


@pytest.mark.parametrize("surface", ["painted"], indirect=True)
def test_that_a_layout_does_not_wait_for_a_long_picture(long_train: ViewerPanel, qtbot: QtBot) -> None:
    painted = long_train.plotter._surface
    assert isinstance(painted, Painted)
    long_train.plotter.redraw()
    qtbot.waitUntil(lambda: painted.apart and not painted._stale)
    drawn: list[float] = []
    painted.drawn.connect(drawn.append)
    size = painted._image.size()
    painted.setFixedSize(size + QSize(-60, 40))
    seen = painted.grab().toImage()  # paints at once
    assert drawn == []
    assert seen.size() == size + QSize(-60, 40)
    qtbot.waitUntil(lambda: painted._image.size() == size + QSize(-60, 40))
    assert drawn


def test_that_a_long_train_is_drawn_in_turns_and_the_line_it_was_ridden_on_comes_after(
    long_train: ViewerPanel,
    document: Document,
    short_ride: Project,
    short_results: Results,
    qtbot: QtBot,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    turns: list[set[str]] = []
    draw = long_train._catch_up
    monkeypatch.setattr(long_train._turn, "_draw", lambda: (turns.append(set(long_train._due)), draw()))
    long_train._later("everything")
    qtbot.waitUntil(lambda: not long_train._due)
    assert len(turns) == 3
    assert "train" not in turns[-1]
    assert turns[-1] >= {"points", "colours", "selection"}
    track = short_ride.track
    assert track is not None
    before = short_ride.model_copy(update={"track": track.model_copy(update={"name": "before an edit"})})
    document.add_run(Run("Run", short_results, before))
    qtbot.waitUntil(lambda: long_train.scene.marks.has(RIDDEN))
    assert long_train.scene.ridden is document.built(before)


def test_that_bodies_do_not_ask_for_their_points_but_the_track_does(panel: ViewerPanel) -> None:
    scene = panel.scene
    bodies = [member.actor for member in scene.train.members.values()]
    assert bodies
    assert all(actor.GetMapper().GetStatic() and actor.GetForceOpaque() for actor in bodies)
    assert all(np.ptp(np.array(actor.GetMapper().GetBounds())) > 0.0 for actor in bodies)
    first = next(iter(scene.train.members))
    scene.train.highlight({first}, "#ff0000", ghost=True)
    assert not any(actor.GetForceOpaque() for actor in bodies)
    scene.train.highlight(set(), "")
    assert all(actor.GetForceOpaque() for actor in bodies)
    assert scene.track.mesh is not None
    assert not any(actor.GetMapper().GetStatic() for actor in scene.track._actors.values())


def test_that_springs_come_after_the_last_body_and_once(
    long_train: ViewerPanel, document: Document, qtbot: QtBot
) -> None:
    train = long_train.scene.train
    springs = len(train._springs)
    assert springs
    document.apply("Heavier", set_element(document.project, "body", ("Car", "Carbody"), {"mass": 778.0}))
    long_train.finish_pending()
    while train._unseen:
        assert not train._springs
        train.show_more()
    assert train.waits
    train.show_more()
    assert len(train._springs) == springs
    assert not train.waits
    train.show_more(whole=True)
    assert len(train._springs) == springs
    shown = {id(actor) for actor in long_train.scene.plotter.renderer.GetActors()}
    assert {id(actor) for actor, *_ in train._springs} <= shown


def test_that_a_view_at_rest_is_smoothed_only_while_that_has_not_been_long(
    panel: ViewerPanel, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By what it took the last time beyond the picture before it, a pixel; the first time compiles."""
    qtbot.waitUntil(lambda: not panel._due and not panel.scene.train.waits)
    of, scene = panel.plotter, panel.scene
    monkeypatch.setattr(of._surface, "redraw", lambda: None)
    of._smoothed = 0

    def rests(quick: float, smooth: float) -> bool:
        scene.refine(False)
        of._on_drawn(quick)
        of._refine()
        refined = scene.refined
        if refined:
            of._on_drawn(smooth)
        return refined

    quick = 0.9 * view.STILL / view.FINER
    assert not rests(1.2 * view.STILL / view.FINER, 0.0)
    assert rests(quick, 1.0)
    assert rests(quick, 0.7 * view.STILL)
    beyond = 0.7 * view.STILL - quick
    assert rests(
        0.9 * (view.STILL - beyond), view.STILL
    )  # a train that takes longer, within what is not felt
    assert rests(0.0, view.STILL)
    assert not rests(0.1 * view.STILL, 0.0)
    monkeypatch.setattr(type(of), "_pixels", of._pixels / 2)  # a smaller view
    assert rests(0.1 * view.STILL, 0.2 * view.STILL)
    monkeypatch.setattr(view, "AT_ONCE", 0)  # a long train
    assert of.is_long
    assert not rests(1.1 * view.STILL_LONG, 0.0)
    assert rests(0.5 * view.STILL_LONG, 0.5 * view.STILL_LONG)
