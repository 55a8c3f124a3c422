"""Writes the example projects and the rigs of the verification suite.

    python resources/examples/make_examples.py            all of them
    python resources/examples/make_examples.py four_bar   those named

Run from the repository root, or with the program installed. The same call always writes the same files.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parents[1])]

import coaster_rides  # noqa: E402
import curve_rides  # noqa: E402
import freight_trains  # noqa: E402
import rigs_contacts  # noqa: E402
import rigs_ellipsoids  # noqa: E402
import rigs_falls  # noqa: E402
import rigs_flexible  # noqa: E402
import rigs_planar  # noqa: E402
import rigs_spatial  # noqa: E402
import swing_rides  # noqa: E402

from ridewright.core.project.project import Project, save_project  # noqa: E402


def makers() -> dict[str, Callable[[], Project]]:
    """Every example by the place of its file under this folder, without the suffix."""
    rigs = {
        **rigs_planar.RIGS, **rigs_spatial.RIGS, **rigs_ellipsoids.RIGS, **rigs_contacts.RIGS, **rigs_falls.RIGS,
        **curve_rides.RIGS, **rigs_flexible.RIGS,
    }  # fmt: skip
    examples = {
        **curve_rides.EXAMPLES,
        **coaster_rides.EXAMPLES,
        **freight_trains.EXAMPLES,
        **swing_rides.EXAMPLES,
    }
    return {**examples, **{f"rigs/{name}": make for name, make in rigs.items()}}


def main(wanted: list[str]) -> None:
    """Write the examples named, or all."""
    known = makers()
    names = {name.rpartition("/")[2] for name in known}
    for name in wanted:
        if name not in names:
            sys.exit(f"no example is called {name}; there are {', '.join(sorted(names))}")
    for place, make in known.items():
        if not wanted or place.rpartition("/")[2] in wanted:
            save_project(make(), HERE / f"{place}.ridewright")


if __name__ == "__main__":
    main(sys.argv[1:])
