"""A study in a process of its own: the program's own command line, so that the window stays free and outlives it."""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path

from PySide6.QtCore import QObject, QProcess, Signal

from ...core.base.errors import InputError

KILL_AFTER = 5000  # ms a study has to write down what it has


def new_folder(path: Path | None) -> Path:
    """A folder for a study: beside the project where it is saved, else among temporary files. Raises InputError."""
    if path is None:
        return Path(tempfile.mkdtemp(prefix="ridewright-study-"))
    for number in range(1, 10_000):
        folder = path.with_name(f"{path.stem}.studies") / str(number)
        if not folder.exists():
            folder.mkdir(parents=True)
            return folder
    raise InputError(f"{path.stem}.studies: is full; remove studies that are no longer needed.")


class StudyProcess(QObject):
    """Runs `ridewright study run`; told(done, of, failed, left s or -1), ended(finished, sentence)."""

    reported = Signal(int, int, int, float)
    ended = Signal(bool, str)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._process: QProcess | None = None
        self._stopping = False

    @property
    def running(self) -> bool:
        """Whether a study is running."""
        return self._process is not None

    def start(self, study: Path, store: Path, *, resume: bool, allow_function: str = "") -> None:
        """Run a study file into a store; allow_function: of another's code, what the person has allowed."""
        process = QProcess(self)
        process.readyReadStandardOutput.connect(self._read)
        process.finished.connect(self._on_finished)
        process.errorOccurred.connect(self._on_error)
        self._process, self._stopping = process, False
        program = ["-P", "-m", "ridewright.core.cli"]  # whatever lies in the folder one is in
        command = [*program, "study", "run", str(study), "--out", str(store), "--progress", "json"]
        more = ["--resume"] if resume else []
        more += ["--allow-function", allow_function] if allow_function else []
        process.start(sys.executable, [*command, *more])

    def stop(self) -> None:
        """Ask it to stop: what has come is kept."""
        if self._process is not None:
            self._stopping = True
            self._process.terminate()

    def close(self) -> None:
        """End it with the window; what was written stays."""
        if self._process is not None:
            process, self._process = self._process, None
            process.blockSignals(True)
            process.terminate()
            if not process.waitForFinished(KILL_AFTER):
                process.kill()
                process.waitForFinished(KILL_AFTER)

    def _read(self) -> None:
        process = self._process
        while process is not None and process.canReadLine():
            line = bytes(process.readLine().data()).decode("utf-8", "replace")
            if not line.startswith("{"):
                continue  # the tables it prints at its end
            found = json.loads(line)
            left = found["left"]
            self.reported.emit(found["done"], found["of"], found["failed"], -1.0 if left is None else left)

    def _on_finished(self, code: int, _how: object) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        said = bytes(process.readAllStandardError().data()).decode("utf-8", "replace")
        lines = [line for line in said.splitlines() if line.startswith("ridewright: ")]
        sentence = lines[-1].removeprefix("ridewright: ") if lines and code > 1 else ""
        if not sentence and code not in (0, 1) and not self._stopping:
            sentence = f"The study ended with code {code}; resume it to go on."
        process.deleteLater()
        self.ended.emit(code == 0, sentence)

    def _on_error(self, error: QProcess.ProcessError) -> None:
        if error == QProcess.ProcessError.FailedToStart and self._process is not None:
            self._process = None
            self.ended.emit(False, "The study could not be started: Python was not found.")
