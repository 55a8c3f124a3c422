"""A real window on a real (virtual) screen: the xcb platform under Xvfb, started by pytest-xvfb."""

from __future__ import annotations

import atexit
import faulthandler
import gc
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

os.environ["QT_QPA_PLATFORM"] = "xcb"
os.environ["PYTEST_QT_API"] = "pyside6"
faulthandler.enable()
sys.path.insert(0, str(Path(__file__).parent))  # hands, kept_window: for every folder below

from kept_window import KeptWindow, close, first_shown  # noqa: E402
from PySide6.QtWidgets import QApplication  # noqa: E402

from ridewright.app.document.document import Document  # noqa: E402
from ridewright.app.document.playback import Playback  # noqa: E402
from ridewright.app.shell.application import make_window  # noqa: E402
from ridewright.app.shell.garbage import GarbageCollector  # noqa: E402
from ridewright.app.view3d.surfaces import prepare  # noqa: E402
from ridewright.app.widgets import dialogs, theme, units  # noqa: E402
from ridewright.app.widgets.settings import Settings  # noqa: E402
from ridewright.app.work.runner import Runner  # noqa: E402
from ridewright.app.work.task import end_tasks  # noqa: E402
from ridewright.core.design.following import FOLLOWING  # noqa: E402
from ridewright.core.project.examples import load_example  # noqa: E402
from tests.app.settling import PatientBot  # noqa: E402


@atexit.register
def end_windows() -> None:
    """VTK and Qt let go of the screen before pytest-xvfb, whose hook is older and so runs later, takes it away."""
    if "pyvista" in sys.modules:
        sys.modules["pyvista"].close_all()
    gc.collect()
    if "vtkmodules.vtkRenderingCore" in sys.modules:  # each has a connection of its own until it is finalised
        kind = sys.modules["vtkmodules.vtkRenderingCore"].vtkRenderWindow
        for window in [one for one in gc.get_objects() if issubclass(type(one), kind)]:
            window.Finalize()
    if app := QApplication.instance():
        app.shutdown()


@pytest.fixture
def qtbot(qapp: QApplication, request: pytest.FixtureRequest) -> PatientBot:
    """Mouse, keyboard and waiting, as pytest-qt's, but patient."""
    return PatientBot(request)


@pytest.fixture(scope="session")
def qapp_cls() -> type[QApplication]:
    """The application, after what the view needs before there is one."""
    prepare()
    return QApplication


@pytest.fixture(scope="session", autouse=True)
def collector(qapp: QApplication) -> Iterator[GarbageCollector]:
    """Garbage is collected in this thread only, as in the program."""
    made = GarbageCollector(qapp)
    yield made
    made.deleteLater()
    gc.enable()


@pytest.fixture(autouse=True)
def si_units() -> Iterator[None]:
    """Every test begins and leaves with SI units, whatever it or another shows."""
    units.use("SI")
    yield
    units.use("SI")


@pytest.fixture
def settings(qapp: QApplication, tmp_path: Path) -> Settings:
    """Settings in a folder of their own, in SI and the dark theme; the tour is not shown."""
    made = Settings(tmp_path / "settings")
    made.tour_seen = True
    theme.apply(qapp, made.theme)
    return made


@pytest.fixture
def document(qapp: QApplication) -> Iterator[Document]:
    """The Looping Star."""
    made = Document(following=FOLLOWING)
    made.start_from(load_example("looping_star"))
    yield made
    end_tasks(made)


@pytest.fixture
def playback(qapp: QApplication) -> Iterator[Playback]:
    made = Playback()
    yield made
    made.pause()


@pytest.fixture
def runner(qapp: QApplication) -> Iterator[Runner]:
    made = Runner()
    yield made
    made.close()


@pytest.fixture
def unexpected(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Messages that were shown instead of opening a box nobody can close."""
    shown: list[str] = []
    monkeypatch.setattr(
        dialogs, "message", lambda _parent, title, text, **_: shown.append(f"{title}: {text}")
    )
    return shown


@pytest.fixture
def no_window(kept_window: KeptWindow) -> None:
    """The window that tests share is closed: for tests of what windows leave behind."""
    kept_window.close()


@pytest.fixture
def new_studio(no_window: None, qtbot: object, settings: Settings, unexpected: list[str]) -> Iterator[object]:
    """A main window of its own with the Looping Star, 1280 x 800; unsaved work is discarded at the end."""
    window, fault = make_window(settings)
    assert fault == ""
    first_shown(window, qtbot)
    yield window
    close(window)


@pytest.fixture(scope="session")
def kept_window(qapp: QApplication, tmp_path_factory: pytest.TempPathFactory) -> Iterator[KeptWindow]:
    """The window that tests share."""
    made = KeptWindow(tmp_path_factory.mktemp("kept"))
    yield made
    made.close()
    gc.collect()  # while there is an application: what is left of windows must not outlive it


@pytest.fixture
def shared_studio(qtbot: object, kept_window: KeptWindow, unexpected: list[str]) -> Iterator[object]:
    """The main window that tests share, as new: the Looping Star, nothing run, the layout of the first start."""
    yield kept_window.fresh(qtbot)
    kept_window.leave(qtbot)


@pytest.fixture
def studio(request: pytest.FixtureRequest) -> object:
    """The main window with the Looping Star, 1280 x 800: one of its own where a test sets settings up or says so with
    `new_window`, else the one that tests share."""
    own = "settings" in request.fixturenames or request.node.get_closest_marker("new_window")
    return request.getfixturevalue("new_studio" if own else "shared_studio")


@pytest.fixture
def wait_for_run(qtbot: object) -> Callable[[Runner], None]:
    """Wait until a runner has nothing to do."""

    def wait(runner: Runner) -> None:
        qtbot.waitUntil(lambda: not runner.running and not runner.queue, timeout=600_000)  # type: ignore[attr-defined]

    return wait
