"""All benchmarks, or those named:  python -m tests.benchmarks [occupant_on_seat ride_looping_star ...]"""

from __future__ import annotations

import importlib
import os
import sys

from tests.benchmarks.measure import ONE_THREAD, OUT, surroundings

NAMES = (
    "occupant_on_seat",
    "ride_looping_star",
    "full_train",
    "full_lap",
    "free_riders",
    "scaling",
    "startup",
    "profile",
    "ldl",
    "criteria",
    "studio_start",
    "stalls",
    "viewer",
    "plots",
    "preview",
    "report",
    "drag",
    "couplers",
    "contacts",
    "tolerance",
    "structure",
    "flexible",
    "workspaces",
    "studies",
)


def main(wanted: list[str]) -> None:
    """Run benchmarks by name in their order, print their tables, leave their JSON in out/bench."""
    unknown = [name for name in wanted if name not in NAMES]
    if unknown:
        sys.exit(f"no benchmark is called {unknown[0]}; there are {', '.join(NAMES)}")
    around = surroundings()
    print(
        f"{around['processor']}, {around['cores']} cores, load {around['load_average']}, one thread, CPU time"
    )
    for name in NAMES:
        if not wanted or name in wanted:
            print(f"\n{name}")
            importlib.import_module(f"tests.benchmarks.bench_{name}").main()
    print(f"\nJSON and pictures are in {OUT}; load now {surroundings()['load_average']}")


if __name__ == "__main__":
    os.environ.update(ONE_THREAD)
    main(sys.argv[1:])
