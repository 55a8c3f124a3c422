"""What the colours of couplings mean: the largest force stands beside the kind it is of."""

from __future__ import annotations

from ridewright.app.view3d.scene import Scene
from ridewright.app.view3d.surfaces import OffScreen
from ridewright.app.widgets import units
from ridewright.app.widgets.theme import DARK
from ridewright.core.project.examples import load_example
from ridewright.core.run.simulate import simulate
from ridewright.core.track.build import build_track


def test_that_the_key_tells_tension_and_compression_apart() -> None:
    project = load_example("two_cars_loaded")  # pushed from behind
    project = project.model_copy(update={"scenario": project.scenario.model_copy(update={"duration": 0.6})})
    results = simulate(project)
    scene = Scene(OffScreen().plotter, DARK)
    scene.set_track(build_track(project.track), project)
    scene.set_train(project, results)
    force = results.channels[f"coupling/{project.train.couplings[0].name}/force"].values
    assert force.min() < -1e3
    assert force.max() < 1.0
    tension, compression, none = (text for _, text in scene.couplings.keys(DARK))
    assert tension == "Coupling in tension"
    assert compression == f"Coupling in compression, up to {units.text(-force.min(), 'kN', decimals=1)}"
    assert none == "Coupling without force"
