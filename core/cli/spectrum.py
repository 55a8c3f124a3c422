"""`ridewright spectrum RESULTS SIGNAL`: the frequencies in a signal of a run."""

from __future__ import annotations

import argparse
from typing import Any

import numpy as np

from ..base.errors import InputError
from ..base.text_table import text_table
from ..results.file import open_results
from .commands import add_command, add_json_switch, print_json

AXES = "xyz"


def add(commands: Any) -> None:
    """Add the command to the program."""
    command = add_command(
        commands, "spectrum", "frequencies in a signal of a run, largest amplitudes first", run
    )
    command.add_argument("results", metavar="RESULTS", help="results.h5 of a run")
    command.add_argument(
        "signal",
        metavar="SIGNAL",
        help="a channel, body/NAME/acceleration, joint/NAME/force, element/NAME/force, ...",
    )
    command.add_argument("--from", dest="start", metavar="S", type=float, help="only from this time on (s)")
    command.add_argument("--to", dest="end", metavar="S", type=float, help="only up to this time (s)")
    command.add_argument("--peaks", metavar="N", type=int, default=5, help="how many peaks a component (5)")
    command.add_argument("--blow", action="store_true", help="for what decays after a blow: no Hann window")
    add_json_switch(command)


def run(arguments: argparse.Namespace) -> int:
    """Print the peaks; as JSON the whole spectrum with them."""
    from ..outcome.spectrum import peaks, signal_of, spectrum

    if not 1 <= arguments.peaks <= 1000:
        raise InputError(f"--peaks {arguments.peaks}: must be from 1 to 1000.")
    time, values, unit = signal_of(open_results(arguments.results), arguments.signal)
    named = [""] if values.shape[1] == 1 else [AXES[k] if k < 3 else str(k) for k in range(values.shape[1])]
    made = [
        spectrum(
            time, np.ascontiguousarray(column), arguments.start, arguments.end, window=not arguments.blow
        )
        for column in values.T
    ]
    tops = [peaks(one, arguments.peaks) for one in made]
    if arguments.json:
        components = [
            {
                "component": name, "frequency_Hz": one.frequency.tolist(), "amplitude": one.amplitude.tolist(),
                "peaks": [{"frequency_Hz": p.frequency, "amplitude": p.amplitude} for p in top],
            }
            for name, one, top in zip(named, made, tops, strict=True)
        ]  # fmt: skip
        print_json(
            {"signal": arguments.signal, "unit": unit, "step_s": made[0].step, "components": components}
        )
        return 0
    rows = [("component", "frequency Hz", f"amplitude {unit}")]
    rows += [
        (name, f"{p.frequency:.5g}", f"{p.amplitude:.4g}")
        for name, top in zip(named, tops, strict=True)
        for p in top
    ]
    print(f"{arguments.signal}: {len(time)} instants, up to {made[0].frequency[-1]:.4g} Hz")
    print(text_table(tuple(rows)))
    return 0
