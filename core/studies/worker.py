"""What a Dask worker holds and does: the study and its base project, sent once, and one run after another.

Loaded only where Dask is.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass
from functools import partial
from typing import Any

from distributed import WorkerPlugin, get_worker

from ..project.project import Project
from .fingerprint import fingerprint
from .one_run import Outcome, Runner
from .study import Study

#: Runs of a process take turns: the kernels' work arrays are one set a process.
_TURN = threading.Lock()
OTHER_PROGRAM = "its Ridewright is another one than that of the study"


@dataclass(frozen=True)
class Payload:
    """What a worker needs once: texts, so that a study is not bound to how objects are pickled; the function from
    outside that the person allowed at this start, which no file says; and the program that the runs are made with."""

    digest: str
    study: str
    project: str
    allow_function: str
    program: str


class Base(WorkerPlugin):  # type: ignore[misc]
    """Holds the runner of one study; the scheduler gives it to every worker, those that come later included."""

    def __init__(self, payload: Payload) -> None:
        self.payload = payload
        self.name = plugin_name(payload.digest)
        self._runner: Runner | None = None

    def setup(self, worker: Any) -> None:
        """Send a worker away that has another program; the first run makes what it needs.

        The scheduler keeps a worker whose plugin fails, and says nothing: it closes itself. What it was given until
        then comes back with its own fingerprint, and is not taken.
        """
        if fingerprint() != self.payload.program:
            worker.loop.add_callback(partial(worker.close, reason=OTHER_PROGRAM))

    @property
    def runner(self) -> Runner:
        """Made at the first run."""
        if self._runner is None:
            # checked by the client; JSON gives the same numbers back to the last bit
            study = Study.model_validate_json(self.payload.study, strict=True)
            data = self.payload.project
            base = Project.model_validate_json(data, strict=True) if data else None
            self._runner = Runner(study, base, self.payload.allow_function)
        return self._runner

    def __getstate__(self) -> dict[str, Any]:
        return {"payload": self.payload, "name": self.name, "_runner": None}


def plugin_name(digest: str) -> str:
    """What the plugin of a study is called among those of a scheduler."""
    return f"ridewright-study-{digest[:16]}"


def make_run(digest: str, values: tuple[float, ...], whole: bool) -> tuple[Outcome, bytes | None, str]:
    """One run on a worker, and with which program it was made; whole: with the bytes of its results file."""
    base: Base = get_worker().plugins[plugin_name(digest)]
    with _TURN:
        outcome, results = base.runner.run_with_results(values)
    if not whole or results is None:
        return outcome, None, fingerprint()
    return outcome, results_bytes(results), fingerprint()


def results_bytes(results: Any) -> bytes:
    """A results file as bytes."""
    import tempfile
    from pathlib import Path

    from ..results.file import write_results

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "results.h5"
        write_results(results, path, compact=True)
        return path.read_bytes()


def program() -> str:
    """The fingerprint of the program on a worker."""
    return fingerprint()
