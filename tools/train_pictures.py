"""Pictures of the user guide: a train being made, and one that has run with its couplers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ridewright.app.document.document import Selection
from ridewright.app.train.make_train import MakeTrain
from ridewright.core.edits.couplings import library_car, make_train
from ridewright.core.project.examples import load_example
from ridewright.core.project.scenario import Ride

if TYPE_CHECKING:
    from tools.screenshots import Photographer


def trains(it: Photographer) -> None:
    """The gallery, and couplings in the colour of their force."""
    w = it.window
    dialog = MakeTrain(w.document, w)
    dialog.open()
    dialog.trains.setCurrentRow(2)
    it.shoot("make_a_train", dialog)
    dialog.close()
    project = make_train(
        load_example("looping_star"), library_car("viegas2016"), 5, 3.0, "sprung_bar_slack", "full"
    )
    w.document.start_from(project.model_copy(update={"scenario": Ride(start=62.0, speed=26.0, duration=6.0)}))
    it.run()
    w.show_panel("couplers")
    w.playback.seek(3.3)
    w.document.select(Selection("coupling", ("Coupling 4",)))
    it.wait(1.0)
    w.viewer.use_camera("orbit")
    w.viewer.frame_selection()
    it.wait(0.5)
    w.document.select(Selection())
    it.shoot("couplers")
