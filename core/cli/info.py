"""`ridewright info RESULTS`: what a results file holds and how the run went."""

from __future__ import annotations

import argparse
from typing import Any

import numpy as np

from ..base.sentence import counted
from ..base.text_table import text_table
from ..results.file import LAYOUT, read_results
from ..results.results import Results
from .commands import add_command, add_json_switch, print_json


def add(commands: Any) -> None:
    """Add the command to the program."""
    command = add_command(commands, "info", "show what a results file holds", run)
    command.add_argument("results", metavar="RESULTS", help="results.h5 of a run")
    add_json_switch(command)


def run(arguments: argparse.Namespace) -> int:
    """Print the contents."""
    contents = describe(read_results(arguments.results), arguments.results)
    if arguments.json:
        print_json(contents)
    else:
        print(_text(contents))
    return 0


def describe(results: Results, name: str) -> dict[str, Any]:
    """What a run holds, ready for JSON: status, model size, time grids, names, channels, provenance."""
    time, size = results.states.time, results.size
    grid = results.sample_time
    rate = (len(grid) - 1) / float(grid[-1] - grid[0]) if len(grid) > 1 else None
    return {
        "file": name,
        "layout": LAYOUT,
        "status": {
            "name": results.status.name,
            "complete": results.status.complete,
            "message": results.status.message,
            "advice": results.status.advice,
        },
        "model": {
            "bodies": size.bodies,
            "coordinates": size.coordinates,
            "rows": size.rows,
            "rank": size.rank,
            "degrees_of_freedom": size.degrees_of_freedom,
            "redundant": list(size.redundant),
        },
        "time": {
            "start": float(time[0]) if len(time) else None,
            "end": float(time[-1]) if len(time) else None,
            "instants": len(time),
            "samples": len(grid),
            "sample_rate": rate,
        },
        "names": {
            "bodies": list(results.names.bodies),
            "guides": list(results.names.guides),
            "joints": list(results.names.joints),
            "springs": list(results.names.springs),
            "riders": results.names.riders,
        },
        "channels": {
            channel: {
                "unit": entry.unit,
                "frame": entry.frame,
                "description": entry.description,
                "components": 1 if entry.values.ndim == 1 else entry.values.shape[1],
                "least": _finite(np.min, entry.values),
                "largest": _finite(np.max, entry.values),
            }
            for channel, entry in sorted(results.channels.items())
        },
        "provenance": {k: v for k, v in results.provenance.items() if k != "project"},
        "project": _project_name(results.provenance),
    }


def _project_name(provenance: dict[str, Any]) -> str | None:
    project = provenance.get("project")
    name = project.get("name") if isinstance(project, dict) else None
    return str(name) if name is not None else None


def _finite(pick: Any, values: np.ndarray[Any, Any]) -> float | None:
    """Least or largest finite value; None when there is none (JSON has no NaN)."""
    kept = values[np.isfinite(values)]
    return float(pick(kept)) if kept.size else None


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.6g}"


def _text(contents: dict[str, Any]) -> str:
    status, model, time = contents["status"], contents["model"], contents["time"]
    rows = [
        ("project", contents["project"] or "-"),
        (
            "status",
            f"{status['name']}: {status['message']}" + (f" {status['advice']}" if status["advice"] else ""),
        ),
        (
            "model",
            f"{counted(model['bodies'], 'body', 'bodies')}, {counted(model['coordinates'], 'coordinate')},"
            f" {counted(model['rows'], 'constraint row')},"
            f" {counted(model['degrees_of_freedom'], 'degree of freedom', 'degrees of freedom')}",
        ),
        ("redundant rows", ", ".join(model["redundant"]) or "none"),
        (
            "time",
            f"{_number(time['start'])} to {_number(time['end'])} s, {time['instants']} instants,"
            f" {time['samples']} samples at {_number(time['sample_rate'])} Hz",
        ),
    ]
    rows += [
        (key, ", ".join(contents["names"][key]) or "none")
        for key in ("bodies", "joints", "guides", "springs")
    ]
    rows.append(("riders", ", ".join(contents["names"]["riders"]) or "none"))
    channels = [("channel", "unit", "frame", "least", "largest")]
    channels += [
        (name, c["unit"], c["frame"], _number(c["least"]), _number(c["largest"]))
        for name, c in contents["channels"].items()
    ]
    origin = [
        (key, value if isinstance(value, str) else repr(value))
        for key, value in contents["provenance"].items()
    ]
    parts = [contents["file"], text_table(rows), "", "channels", text_table(channels)]
    if origin:
        parts += ["", "provenance", text_table(origin)]
    return "\n".join(parts)
