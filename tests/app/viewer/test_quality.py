"""The level of the picture follows the measured time of the pictures."""

from __future__ import annotations

from collections import deque
from types import SimpleNamespace

import numpy as np
import pytest

from ridewright.app.view3d import surfaces
from ridewright.app.view3d.cameras import FILLED, NARROW, CameraRig
from ridewright.app.view3d.quality import FRAMES, PIXELS, QualityKeeper


class FakeView:
    """What the keeper needs of a view."""

    def __init__(self) -> None:
        self.scene = SimpleNamespace(quality="", draw_as=lambda level: setattr(self.scene, "quality", level))
        self.frame_times: deque[float] = deque(maxlen=40)
        self.pixel_scale = 1.0

    def draw_fewer(self, share: float) -> None:
        self.pixel_scale = share

    def draw(self, keeper: QualityKeeper, seconds: float, count: int = FRAMES) -> list[bool]:
        changes = []
        for _ in range(count):
            self.frame_times.append(seconds)
            changes.append(keeper.after_frame())
        return changes


def kept(
    monkeypatch: pytest.MonkeyPatch, graphics: str, wanted: str = "auto"
) -> tuple[FakeView, QualityKeeper]:
    view = FakeView()
    monkeypatch.setattr(surfaces, "graphics", lambda: graphics)
    keeper = QualityKeeper(view)  # type: ignore[arg-type]
    keeper.use(wanted)  # type: ignore[arg-type]
    return view, keeper


def test_that_a_fast_card_goes_up_to_the_best_level(monkeypatch: pytest.MonkeyPatch) -> None:
    view, keeper = kept(monkeypatch, "Some card")
    assert view.scene.quality == "low"
    assert sum(view.draw(keeper, 0.004, 3 * FRAMES)) == 2
    assert view.scene.quality == "high"


def test_that_a_processor_that_draws_stays_low(monkeypatch: pytest.MonkeyPatch) -> None:
    view, keeper = kept(monkeypatch, "llvmpipe (LLVM 15.0.6, 256 bits)")
    assert not any(view.draw(keeper, 0.004, 3 * FRAMES))
    assert view.scene.quality == "low"


def test_that_playing_too_slowly_comes_down_for_good(monkeypatch: pytest.MonkeyPatch) -> None:
    view, keeper = kept(monkeypatch, "Some card")
    view.draw(keeper, 0.008, FRAMES)
    assert view.scene.quality == "medium"
    keeper.play(True)
    assert any(view.draw(keeper, 0.050, FRAMES))
    assert view.scene.quality == "low"
    keeper.play(False)
    view.draw(keeper, 0.004, 3 * FRAMES)
    assert view.scene.quality == "low"


def test_that_fewer_pixels_are_drawn_while_playing_only(monkeypatch: pytest.MonkeyPatch) -> None:
    view, keeper = kept(monkeypatch, "llvmpipe")
    view.draw(keeper, 0.050, 3 * FRAMES)
    assert view.pixel_scale == 1.0
    keeper.play(True)
    scales = []
    for _ in range(len(PIXELS) + 1):
        view.draw(keeper, 0.050)
        scales.append(view.pixel_scale)
    assert scales == [*PIXELS[1:], PIXELS[-1], PIXELS[-1]]
    keeper.play(False)
    assert view.pixel_scale == 1.0


def test_that_a_chosen_level_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    view, keeper = kept(monkeypatch, "llvmpipe", "high")
    keeper.play(True)
    assert not any(view.draw(keeper, 0.2, 3 * FRAMES))
    assert (view.scene.quality, view.pixel_scale) == ("high", 1.0)


@pytest.mark.parametrize("aspect", [0.6, 1.0, 1.9])
@pytest.mark.parametrize(("azimuth", "elevation"), [(-2.1, 0.4), (0.3, 1.3), (2.0, -0.2)])
def test_that_framed_points_fill_the_picture_and_stay_inside(
    aspect: float, azimuth: float, elevation: float
) -> None:
    rng = np.random.default_rng(4)
    points = rng.uniform(-1.0, 1.0, (300, 3)) * [180.0, 60.0, 20.0] + [50.0, -20.0, 15.0]
    rig = CameraRig()
    rig.azimuth, rig.elevation = azimuth, elevation
    rig.frame_points(points, aspect)
    eye = rig.eye(None)
    ahead = (eye.focus - eye.position) / np.linalg.norm(eye.focus - eye.position)
    right = np.cross(ahead, eye.up)
    right /= np.linalg.norm(right)
    seen = points - eye.position
    deep = seen @ ahead
    flat = np.stack([seen @ right / aspect, seen @ np.cross(right, ahead)], axis=1)
    share = flat / deep[:, None] / np.tan(np.radians(NARROW / 2.0))
    assert deep.min() > 0.0
    reached = np.abs(share).max(axis=0) / FILLED
    assert reached.max() == pytest.approx(1.0, abs=1e-6)
    middle = 0.5 * (share.min(axis=0) + share.max(axis=0))
    assert np.abs(middle).max() < 0.03
