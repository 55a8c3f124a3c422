"""Files as this version writes them, for the test that later ones open them:

    python -m tools.earlier_files tests/core/earlier/VERSION.zip

Made at each release and never again: projects (examples of different kinds), a short run of one, an exported track, a
study, and in told.json what this version reads from them.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final

PROJECTS: Final = (
    *("double_pendulum", "human_fall", "ball_laws", "swing_beam"),
    *("two_cars_loaded", "freight_curve", "pirate_ship", "frisbee", "ten_cars"),
)
RIDDEN: Final = ("double_pendulum", "two_cars_loaded")
DURATION: Final = "0.1"  # s
TRACK: Final = "curve50"
STUDY: Final = "suspension.study.toml"
TELL: Final = """
import json, sys
from pathlib import Path
from ridewright.core.base.version import VERSION
from ridewright.core.results.file import read_results
told = {"version": VERSION, "runs": {}}
for path in sorted(Path(sys.argv[1]).glob("*.h5")):
    run = read_results(path)
    told["runs"][path.name] = {
        "status": run.status.name,
        "bodies": list(run.names.bodies),
        "instants": len(run.states.time),
        "end": float(run.states.time[-1]),
        "position": run.states.position[-1].tolist(),
        "velocity": run.states.velocity[-1].tolist(),
        "residual": float(run.energy.residual[-1]),
        "channels": {name: float(one.values.reshape(-1)[-1]) for name, one in sorted(run.channels.items())},
        "events": [[event.kind, event.name, event.time] for event in run.events],
    }
print(json.dumps(told, indent=1))
"""


def make(folder: Path) -> None:
    """Write them. Raises CalledProcessError where the program refuses something."""
    for name in PROJECTS:
        _program("example", name, "--out", folder / f"{name}.ridewright")
    for name in RIDDEN:
        with tempfile.TemporaryDirectory() as run:
            project = folder / f"{name}.ridewright"
            _program("simulate", project, "--out", run, "--duration", DURATION)
            shutil.copy(Path(run, "results.h5"), folder / f"{name}.h5")
            shutil.copy(Path(run, "summary.json"), folder / f"{name}.summary.json")
    with tempfile.TemporaryDirectory() as place:
        track = Path(place, "track.ridewright")
        _program("example", TRACK, "--out", track)
        _program("export-track", track, folder / "track.csv")
    import ridewright.core as core

    shutil.copy(Path(core.__file__).parents[1] / "resources" / "studies" / STUDY, folder)
    done = subprocess.run([sys.executable, "-c", TELL, folder], check=True, stdout=subprocess.PIPE, text=True)
    (folder / "told.json").write_text(done.stdout, encoding="utf-8")


def _program(*words: str | Path) -> None:
    subprocess.run([sys.executable, "-m", "ridewright.core.cli", *map(str, words)], check=True)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as made:
        make(Path(made))
        shutil.make_archive(str(Path(sys.argv[1]).with_suffix("")), "zip", made)
