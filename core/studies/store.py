"""The store of a study: a folder of part files in HDF5, each put there whole, and what was asked for beside them.

    study.json      the study, the base project as it was, their digest and the program's version
    part-*.h5       rows of finished runs, in the order in which they came
    end.json        why it ended before its plan, and at which run
    results/*.h5    whole results of chosen runs
    lock            held by the program that writes

A part is written under a temporary name and renamed, so that a program killed at any instant leaves whole parts only;
what it had not yet written is run again. Small parts are taken together as they get many. A run that is there twice
is the same twice, and the first one counts.
"""

from __future__ import annotations

import io
import json
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

import h5py
import numpy as np
from numpy.typing import NDArray

from ..base import host
from ..base.arrays import Array, Integers
from ..base.atomic import replacing
from ..base.errors import InputError
from ..base.reading import read_file
from ..base.system_words import because
from ..base.version import VERSION
from ..project.project import Project, parse_project
from ..results.texts import texts
from .one_run import STATES, Outcome
from .study import Study, parse_study

FORMAT = "ridewright-study-store"
HEAD, END, LOCK, RESULTS = "study.json", "end.json", "lock", "results"
MANY_PARTS = 64  # small parts that are taken together
DAMAGE = (
    OSError,
    KeyError,
    ValueError,
    TypeError,
    AttributeError,
    RuntimeError,
    IndexError,
    MemoryError,
    OverflowError,
)
MAX_HEAD_BYTES = 128 * 10**6  # a study, its base project


@dataclass(frozen=True)
class Row:
    """A finished run: its number, the values it was made with, and what came of it."""

    run: int
    values: tuple[float, ...]
    outcome: Outcome


@dataclass(frozen=True)
class Table:
    """All finished runs of a study in the order of their numbers: n runs, p parameters.

    run (n,); state (n,) index into `STATES`; message (n,); values (n, p) in the parameters' units; numbers:
    kept numbers by name, (n,) each, NaN where a run has none; texts: by name, (n,) each; ended: why it ended before its
    plan.
    """

    study: Study
    run: Integers
    state: Integers
    message: tuple[str, ...]
    values: Array
    numbers: dict[str, Array]
    texts: dict[str, tuple[str, ...]]
    ended: str = ""

    def __len__(self) -> int:
        return len(self.run)

    def __repr__(self) -> str:
        return f"Table({self.study.name!r}, {len(self)} runs, {len(self.numbers)} kept numbers)"

    def named(self, name: str) -> Array:
        """A kept number of every run, (n,). Raises InputError naming those there are."""
        if name not in self.numbers:
            known = ", ".join(sorted(self.numbers)) or "none"
            raise InputError(f"{self.study.name}: no run has kept '{name}'; there are {known}.")
        return self.numbers[name]

    def is_state(self, *states: str) -> NDArray[np.bool_]:
        """Which runs (n,) are in one of some states."""
        return np.isin(self.state, [STATES.index(state) for state in states])


def digest_of(study: Study, base: Project | None) -> str:
    """What tells one study from another: everything that its numbers depend on. How it is stopped, called and noted,
    and whether it goes on to who is admitted, does not count, so that more may be asked for later."""
    data = study.model_dump(mode="json", exclude={"name", "notes", "stop", "project", "admitted"})
    project = None if base is None else base.model_dump(mode="json")
    return sha256(json.dumps([data, project], sort_keys=True).encode()).hexdigest()


class Store:
    """The store of one study, open for reading; `writing` makes it the only one that writes."""

    def __init__(self, folder: Path, study: Study, base: Project | None, digest: str, made_by: str) -> None:
        self.folder, self.study, self.base, self.digest = folder, study, base, digest
        self.made_by = made_by
        self._next = 0

    @classmethod
    def open(cls, folder: str | Path) -> Store:
        """The store in a folder. Raises InputError when there is none or it is damaged."""
        folder = Path(folder)
        head = folder / HEAD
        if not head.is_file():
            raise InputError(f"{folder}: is no store of a study; give the folder a study was run into.")
        try:
            data = json.loads(read_file(head, MAX_HEAD_BYTES, "the head of a study"))
            if data["format"] != FORMAT:
                raise KeyError(FORMAT)
            study_data, project, digest = data["study"], data["project"], str(data["digest"])
            made_by = str(data["program"])
        except (ValueError, KeyError, TypeError, RecursionError):
            raise InputError(f"{folder}: its {HEAD} is damaged; run the study into another folder.") from None
        study = parse_study(study_data, f"{folder}/{HEAD}")
        base = None if project is None else parse_project(project, f"{folder}/{HEAD}")
        return cls(folder, study, base, digest, made_by)

    @classmethod
    def create(cls, folder: str | Path, study: Study, base: Project | None, *, resume: bool = False) -> Store:
        """A store for a study, written: a new one, or with `resume` the one that is there.

        Raises InputError as `planned`, and for a folder that cannot be written.
        """
        store = cls.planned(folder, study, base, resume=resume)
        store.begin()
        return store

    @classmethod
    def planned(
        cls, folder: str | Path, study: Study, base: Project | None, *, resume: bool = False
    ) -> Store:
        """The same with nothing written yet: `begin` does, once there are workers.

        Raises InputError for a store of another study or of another version of the program, for one that is there
        already, and for a folder that cannot be written.
        """
        folder, digest = Path(folder), digest_of(study, base)
        if (folder / HEAD).exists():
            there = cls.open(folder)
            if there.digest != digest:
                raise InputError(
                    f"{folder}: holds the runs of another study ('{there.study.name}'); choose another folder."
                )
            if there.made_by != VERSION:
                raise InputError(
                    f"{folder}: was begun with version {there.made_by} of the program, this is {VERSION}, whose numbers"
                    " may differ; choose another folder."
                )
            if not resume:
                raise InputError(
                    f"{folder}: holds runs of this study already; say --resume to go on with them."
                )
        elif folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
            raise InputError(f"{folder}: is no empty folder; choose another one for the runs.")
        return cls(folder, study, base, digest, VERSION)

    def begin(self) -> None:
        """Write down which study this is. Raises InputError for a folder that cannot be written."""
        head = {
            "format": FORMAT,
            "program": VERSION,
            "digest": self.digest,
            "study": self.study.model_dump(mode="json"),
            "project": None if self.base is None else self.base.model_dump(mode="json"),
        }
        with replacing(self.folder / HEAD) as part:
            part.write_text(json.dumps(head, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Be the only program that writes. Raises InputError when another one does."""
        try:
            with (self.folder / LOCK).open("w") as file:
                try:
                    host.lock(file.fileno())
                except BlockingIOError:
                    raise InputError(
                        f"{self.folder}: another program is running this study; wait for it or stop it."
                    ) from None
                self._next = 1 + max((int(path.stem.split("-")[1]) for path in self.parts()), default=-1)
                (self.folder / END).unlink(missing_ok=True)
                yield
        except OSError as error:
            raise InputError(f"{self.folder}: cannot be written ({because(error)}).") from None

    def parts(self) -> list[Path]:
        """The part files, oldest first."""
        return sorted(self.folder.glob("part-[0-9]*.h5"))

    def append(self, rows: Sequence[Row]) -> None:
        """Put finished runs there, for good when it returns. Raises InputError when they cannot be written."""
        if not rows:
            return
        self._write(_columns(rows))
        parts = self.parts()
        if len(parts) >= MANY_PARTS and len(parts) % MANY_PARTS == 0:
            self._gather(parts)

    def _write(self, columns: dict[str, Any]) -> None:
        with replacing(self.folder / f"part-{self._next:08d}.h5") as part:
            part.write_bytes(_as_bytes(columns))
        self._next += 1

    def _gather(self, parts: list[Path]) -> None:
        """Small parts into one, which is there before they go."""
        small = [path for path in parts if path.stat().st_size < 4_000_000]
        if len(small) > 1:
            self._write(_joined([_read(path) for path in small]))
            for path in small:
                path.unlink()

    def drop(self, *states: str) -> int:
        """Take runs in some states out, so that they are made again; returns how many there were."""
        parts = self.parts()
        rows = self.done()
        kept = [row for row in rows.values() if row.outcome.state not in states]
        if len(kept) < len(rows):
            if kept:
                self._write(_columns(sorted(kept, key=lambda row: row.run)))
            for path in parts:
                path.unlink()
        return len(rows) - len(kept)

    def end(self, reason: str, last: int) -> None:
        """Keep why the study ended before its plan, and at which run."""
        with replacing(self.folder / END) as part:
            part.write_text(json.dumps({"reason": reason, "last": last}) + "\n", encoding="utf-8")

    def done(self) -> dict[int, Row]:
        """Every finished run by its number."""
        rows: dict[int, Row] = {}
        for part in self._contents():
            for row in _rows(part):
                rows.setdefault(row.run, row)
        return rows

    def table(self) -> Table:
        """Every finished run, in the order of the numbers; those behind the one a stopping rule ended at are left
        out. Raises InputError for a damaged part."""
        columns, reason, last = _joined(self._contents()), "", None
        if (self.folder / END).exists():
            try:
                end = json.loads(read_file(self.folder / END, MAX_HEAD_BYTES, "the end of a study"))
                reason, last = str(end["reason"]), int(end["last"])
            except (InputError, *DAMAGE):
                raise InputError(f"{self.folder}: its {END} is damaged; resume the study.") from None
        return _table(self.study, columns, reason, last)

    def _contents(self) -> list[dict[str, Any]]:
        """The columns of every part. Raises InputError for one that is damaged or of another study."""
        out = []
        for path in self.parts():
            columns = _read(path)
            if len(columns["run"]) and not self.study.takes(columns["values"]):
                raise InputError(f"{path}: holds runs of another study; remove it and resume the study.")
            out.append(columns)
        return out

    def results_path(self, run: int) -> Path:
        """Where the whole results of a run are kept."""
        return self.folder / RESULTS / f"run-{run:08d}.h5"


def table_of(study: Study, rows: Sequence[Row], ended: str = "") -> Table:
    """Rows as columns, in their order."""
    return _table(study, _columns(rows), ended)


def _table(study: Study, columns: dict[str, Any], ended: str, last: int | None = None) -> Table:
    """Columns of parts as a table, up to run `last` where it is given."""
    run = columns["run"]
    kept = np.flatnonzero(run <= (last if last is not None else np.iinfo(np.int64).max))
    words = [columns["words"][k] for k in kept]
    stated = sorted({name for _, texts in words for name in texts})
    numbers = dict(zip(columns["names"], columns["numbers"][kept].T, strict=True))
    return Table(
        study=study,
        run=run[kept],
        state=columns["state"][kept].astype(np.int64),
        message=tuple(message for message, _ in words),
        values=columns["values"][kept].reshape(len(kept), len(study.parameters)),
        numbers={name: column for name, column in numbers.items() if not np.isnan(column).all()},
        texts={name: tuple(texts.get(name, "") for _, texts in words) for name in stated},
        ended=ended,
    )


def _columns(rows: Sequence[Row]) -> dict[str, Any]:
    names = sorted({name for row in rows for name in row.outcome.numbers})
    return {
        "run": np.array([row.run for row in rows], dtype=np.int64),
        "state": np.array([STATES.index(row.outcome.state) for row in rows], dtype=np.int8),
        "values": np.array([row.values for row in rows], dtype=np.float64).reshape(
            len(rows), len(rows[0].values) if rows else 0
        ),
        "numbers": np.array(
            [[row.outcome.numbers.get(name, np.nan) for name in names] for row in rows], dtype=np.float64
        ).reshape(len(rows), len(names)),
        "names": names,
        "words": [(row.outcome.message, row.outcome.texts) for row in rows],
    }


def _as_bytes(columns: dict[str, Any]) -> bytes:
    """A part as the bytes of an HDF5 file, so that the file itself is written in one go."""
    memory = io.BytesIO()
    text = h5py.string_dtype("utf-8")
    with h5py.File(memory, "w") as file:
        file.attrs["format"] = FORMAT
        for name in ("run", "state", "values", "numbers"):
            data = columns[name]
            packed = (
                {"compression": "gzip", "compression_opts": 1, "shuffle": True} if data.nbytes > 4096 else {}
            )
            file.create_dataset(name, data=data, **packed)
        file.create_dataset("names", data=np.array(columns["names"], dtype=object), dtype=text)
        words = [json.dumps(entry) for entry in columns["words"]]
        file.create_dataset("words", data=np.array(words, dtype=object), dtype=text)
    return memory.getvalue()


def _read(path: Path) -> dict[str, Any]:
    try:
        with h5py.File(path, "r") as file:
            out: dict[str, Any] = {
                name: np.asarray(file[name][()]) for name in ("run", "state", "values", "numbers")
            }
            for name in ("names", "words"):
                out[name] = list(texts(file[name]))
        out["words"] = [_words(text) for text in out["words"]]
        _check_part(out)
        return out
    except (RecursionError, *DAMAGE):
        raise InputError(
            f"{path}: is damaged; remove it and resume the study, its runs are made again."
        ) from None


def _words(text: str) -> tuple[str, dict[str, str]]:
    """Message and texts of a run. Raises ValueError or TypeError when a part is damaged."""
    message, texts = json.loads(text)
    return str(message), {str(name): str(stated) for name, stated in dict(texts).items()}


def _check_part(columns: dict[str, Any]) -> None:
    """Raises ValueError when columns do not belong together, or hold what no run has."""
    run, state, values, numbers = (columns[name] for name in ("run", "state", "values", "numbers"))
    n, kept = len(run), len(columns["names"])
    whole = all(column.shape == (n,) and column.dtype.kind == "i" for column in (run, state))
    if not whole or values.shape[:1] != (n,) or values.ndim != 2 or values.dtype.kind != "f":
        raise ValueError("rows")
    if numbers.shape != (n, kept) or numbers.dtype.kind != "f" or len(columns["words"]) != n:
        raise ValueError("numbers")
    if (
        np.any(run < 0)
        or np.any(state < 0)
        or np.any(state >= len(STATES))
        or not np.all(np.isfinite(values))
    ):
        raise ValueError("states")


def _rows(columns: dict[str, Any]) -> Iterable[Row]:
    names = columns["names"]
    for k, run in enumerate(columns["run"]):
        message, texts = columns["words"][k]
        numbers = {
            name: float(x) for name, x in zip(names, columns["numbers"][k], strict=True) if not np.isnan(x)
        }
        outcome = Outcome(STATES[int(columns["state"][k])], message, numbers, texts)
        yield Row(int(run), tuple(float(x) for x in columns["values"][k]), outcome)


def _joined(parts: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Columns of parts as those of one, in the order of the runs; of a run that is there twice the first."""
    if not parts:
        return _columns(())
    names = sorted({name for part in parts for name in part["names"]})
    position = {name: k for k, name in enumerate(names)}
    run, first = np.unique(np.concatenate([part["run"] for part in parts]), return_index=True)
    numbers = np.full((sum(len(part["run"]) for part in parts), len(names)), np.nan)
    begin = 0
    for part in parts:
        end = begin + len(part["run"])
        numbers[begin:end, [position[name] for name in part["names"]]] = part["numbers"]
        begin = end
    words = [entry for part in parts for entry in part["words"]]
    return {
        "run": run.astype(np.int64),
        "state": np.concatenate([part["state"] for part in parts])[first],
        "values": np.concatenate([part["values"] for part in parts])[first],
        "numbers": numbers[first],
        "names": names,
        "words": [words[k] for k in first],
    }
