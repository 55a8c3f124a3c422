"""Many runs on many workers by Dask, into one store as they come.

Runs are handed out in their order, some ahead for every worker, and come back in any; what comes is put into the store
at least once a second. Nothing here schedules: `distributed` does, restarts workers that died and gives their runs to
others; a run that takes its worker with it several times becomes a failed row. Stopping rules look at the rows in the
order of their numbers, so that it does not matter how many workers there are.
"""

from __future__ import annotations

import math
import queue
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from itertools import islice
from threading import Event, Thread
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..base.atomic import replacing
from ..base.errors import InputError
from ..base.version import VERSION
from ..project.project import Project
from ..warm_up.ahead import compile_missing
from .needs import needed
from .one_run import UNFINISHED, Outcome, function_of
from .plan import planned
from .stopping import Rule
from .store import Row, Store, Table
from .study import Study
from .vary import check_study
from .worker import Base, Payload, make_run, plugin_name, program_version

Array = NDArray[np.float64]
AHEAD = 8  # runs handed out for every worker at most; below half of it more are
FLUSH = 1.0  # s between writings
FULL = 512  # rows that are written at once
CONNECT = 10.0  # s to wait for a scheduler
ATTEMPTS = 3  # to start workers
LOST = 15.0  # s without a worker there should be, after which another is started; it takes some to start
DEATHS = 1  # of workers that a run may be with before it is blamed
#: The C library's allocator in workers. As Dask sets it, every array above 64 kB goes back to the system as soon as it
#: is freed and is mapped anew: rides as points took 1.7 times as long. One arena, for one thread makes runs.
ALLOCATOR = {
    "MALLOC_ARENA_MAX": 1,
    "MALLOC_MMAP_THRESHOLD_": 4_000_000,
    "MALLOC_TRIM_THRESHOLD_": 4_000_000,
}
#: Dask's settings, its workers' included.
SETTINGS = {
    "distributed.comm.timeouts.connect": f"{CONNECT:g}s",
    "distributed.scheduler.worker-saturation": 2.0,
    # a run that was with a dead worker this often is blamed, and then tried on its own
    "distributed.scheduler.allowed-failures": DEATHS,
    "distributed.admin.log-length": 0,
    # samples of what a worker does are kept for an hour: half a megabyte for every multibody run
    "distributed.worker.profile.enabled": False,
    # a worker that is missed this long after it was lost is closed for good, even while it is being started again
    "distributed.deploy.lost-worker-timeout": "1h",
    # whether event loops wait, and the machine's load, are looked at rarely: it took 8 % of a processor for two workers
    "distributed.admin.tick.interval": "500ms",
    "distributed.admin.system-monitor.interval": "5s",
    # what its HTTP servers, which cannot be left out, answer: nothing
    "distributed.scheduler.http.routes": [],
    "distributed.worker.http.routes": [],
}
KILLED = "Its worker died each of several times it was tried (out of memory, or killed)."


@dataclass(frozen=True)
class Progress:
    """How far a study is: runs done (those of earlier sittings included), of how many; how many of them failed or ended
    early; elapsed and left (s, None while nobody can tell)."""

    done: int
    of: int
    failed: int
    elapsed: float
    left: float | None


OnProgress = Callable[[Progress], None]
ShouldStop = Callable[[], bool]


@contextmanager
def workers_of(
    scheduler: str | None = None, workers: int | None = None, *, security: Any = None
) -> Iterator[Any]:
    """A Dask client on so many workers of this machine, one processor each, or of a scheduler that exists.

    security: keys (`distributed.Security`) of that scheduler; by default those of Dask's own settings.

    Raises InputError when Dask is not installed, the scheduler cannot be reached, or runs another version, or workers
    cannot be started.
    """
    needed("distributed")
    import dask
    from distributed import Client

    before_start = dask.config.get("distributed.nanny.pre-spawn-environ")
    environment = {**before_start, **ALLOCATOR}
    with dask.config.set({**SETTINGS, "distributed.nanny.pre-spawn-environ": environment}):
        if scheduler is not None:
            with _reached(scheduler, security) as client:
                yield client
            return
        with (
            _started(workers or _processors()) as cluster,
            Client(cluster, set_as_default=False) as client,
        ):
            yield client


def _started(workers: int) -> Any:
    """Workers of this machine. One that dies while they start (killed, out of memory) takes all with it: once more."""
    needed("cryptography")
    from distributed import LocalCluster, Security

    for attempt in range(ATTEMPTS):
        try:
            return LocalCluster(
                n_workers=workers,
                threads_per_worker=1,
                processes=True,
                # keys made for this study and held in the memory of its processes: others of this machine reach the
                # ports, and nothing behind them
                security=Security.temporary(),
                dashboard_address="127.0.0.1:0",
                scheduler_kwargs={"dashboard": False},
                memory_limit=0,
                silence_logs="CRITICAL",
            )
        except (RuntimeError, OSError) as error:
            if attempt == ATTEMPTS - 1:
                raise InputError(
                    f"{workers} workers cannot be started on this machine ({_first_line(error)}); take fewer with"
                    " --workers, or close what takes its memory."
                ) from None
    raise AssertionError


def _processors() -> int:
    from os import sched_getaffinity

    return len(sched_getaffinity(0))


@contextmanager
def _reached(scheduler: str, security: Any) -> Iterator[Any]:
    from distributed import Client

    try:
        client = Client(scheduler, timeout=CONNECT, security=security, set_as_default=False)
    except (OSError, ValueError, TypeError) as error:
        raise InputError(
            f"The scheduler {scheduler} cannot be reached ({_first_line(error)}); start one with 'dask scheduler'."
        ) from None
    with client:
        try:
            client.get_versions(check=True)
        except ValueError as error:
            raise InputError(
                f"The scheduler {scheduler} runs other versions of what studies need ({_first_line(error)}); install"
                " the same everywhere."
            ) from None
        try:
            found = set(client.run(program_version).values())
        except Exception as error:
            raise InputError(
                f"The workers of {scheduler} have no Ridewright ({_first_line(error)}); install it there."
            ) from None
        if found - {VERSION}:
            raise InputError(
                f"The workers of {scheduler} run Ridewright {', '.join(sorted(found - {VERSION}))}, this is {VERSION};"
                " install the same everywhere."
            )
        yield client


def _first_line(error: BaseException) -> str:
    return (str(error).strip() or type(error).__name__).splitlines()[0][:200]


class Pool:
    """The workers of one study: rows of values in, outcomes out as they come."""

    def __init__(self, client: Any, store: Store, allow_function: str = "") -> None:
        self.client, self.store, self.handed = client, store, 0
        self.width = 1  # how many runs go on at once, at least one
        cluster = client.cluster
        # how many workers there are to be, where they are this program's own, and since when there are fewer
        self._wanted, self._missing = 0 if cluster is None else len(cluster.plan), math.inf
        self._left, self._watch = Event(), Thread(target=self._keep_watch, name="workers", daemon=True)
        study, base = store.study, store.base
        self.payload = Payload(
            store.digest,
            study.model_dump_json(),
            "" if base is None else base.model_dump_json(),
            allow_function,
        )

    def __enter__(self) -> Pool:
        for attempt in range(ATTEMPTS):
            try:
                self.client.register_plugin(Base(self.payload))
                break
            except OSError:  # a worker went away while it was told; the one in its place asks by itself
                if attempt == ATTEMPTS - 1:
                    raise
                time.sleep(0.5)
        self._look()
        self._watch.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._left.set()
        self._watch.join(CONNECT)
        with suppress(Exception):  # the scheduler may have gone first
            self.client.unregister_worker_plugin(plugin_name(self.store.digest))

    def _keep_watch(self) -> None:
        """See to the workers, in a thread of its own: results are waited for that are with a worker which is gone."""
        while not self._left.wait(FLUSH):
            with suppress(Exception):  # the scheduler may have gone
                self._look()

    def _look(self) -> None:
        """Count the workers, and start others for those that do not come back: what starts a worker that died again may
        fail, or be closed itself. With all of them gone a study would wait for ever."""
        threads: dict[str, int] = self.client.nthreads()
        self.width, now = max(1, sum(threads.values())), time.monotonic()
        if len(threads) >= self._wanted:
            self._missing = math.inf
            return
        self._missing = min(self._missing, now)
        if now > self._missing + LOST:
            self._missing = math.inf
            self.client.cluster.scale(len(threads))  # those that are not there are forgotten
            self.client.cluster.scale(self._wanted)

    def submit(self, runs: Sequence[int], values: Array, whole: Collection[int]) -> list[Any]:
        """Hand runs out, rows of values (n, parameters), in one message; whole: those of which the results are wanted.
        Each under a name of its own every time: one that failed keeps its name."""
        self.handed += 1
        name = plugin_name(self.store.digest)
        futures: list[Any] = self.client.map(
            make_run,
            [self.store.digest] * len(runs),
            [tuple(row) for row in values.tolist()],
            [run in whole for run in runs],
            key=[f"{name}-{run}-{self.handed}" for run in runs],
            pure=False,
            priority=-runs[0],
        )
        return futures


def prepare(study: Study, base: Project | None, *, yes: bool = False, allow_function: str = "") -> None:
    """See that a study can be run, before a worker is started, and have the kernels compiled that its runs need.

    Raises InputError as `run_study`.
    """
    if study.optimise is None:
        planned(study, yes=yes)
    check_study(study, base)
    if study.ride == "function":
        function_of(study, allow_function)
    else:
        compile_missing("ride" if study.ride == "multibody" else "preview")


def run_study(
    store: Store,
    client: Any,
    *,
    yes: bool = False,
    retry: bool = False,
    allow_function: str = "",
    on_progress: OnProgress | None = None,
    should_stop: ShouldStop | None = None,
    on_rows: Callable[[Sequence[Row]], None] | None = None,
) -> Table:
    """Make the runs of a study that are not in its store yet; returns the table of all that are.

    client: of Dask (`workers_of`); yes: more than a million runs are meant; retry: make failed runs again;
    allow_function: the function from outside, module:name, that the person allows at this start; on_progress
    and should_stop: called at least once a second; on_rows: gets new rows once they are in the store. Ends
    early when
    asked to, with what has come in the store, and when a stopping rule holds. Raises InputError for a plan or
    parameters that cannot be used, and when the store cannot be written any more; what was written stays.
    """
    study = store.study
    prepare(study, store.base, yes=yes, allow_function=allow_function)
    values = planned(study, yes=yes)
    with store.writing():
        if retry:
            store.drop("failed")
        try:
            with Pool(client, store, allow_function) as pool:
                make_runs(
                    pool,
                    values,
                    Rule(study),
                    on_progress=on_progress,
                    should_stop=should_stop,
                    on_rows=on_rows,
                )
        except OSError as error:
            if error.errno is not None:  # of the disk
                raise
            raise InputError(
                f"{store.folder}: the scheduler or its workers went away; what had come is kept, go on with --resume."
            ) from None
    return store.table()


def make_runs(
    pool: Pool,
    values: Array,
    rule: Rule | None = None,
    *,
    first: int = 0,
    there: Mapping[int, Row] | None = None,
    on_progress: OnProgress | None = None,
    should_stop: ShouldStop | None = None,
    on_rows: Callable[[Sequence[Row]], None] | None = None,
) -> dict[int, Row]:
    """Make runs number first, first + 1, ... with values (n, parameters), those left out that the store has.

    there: the rows of the store, where they are at hand. Returns the rows of all of them that are there. To be called
    while `store.writing()`.
    """
    numbers = range(first, first + len(values))
    found = pool.store.done() if there is None else there
    done = {run: row for run, row in found.items() if run in numbers}
    work = _Work(pool, done, values, first, rule, on_rows)
    work.go(on_progress or (lambda _: None), should_stop or (lambda: False))
    return work.done


class _Work:
    """The runs of one sitting."""

    def __init__(
        self,
        pool: Pool,
        done: dict[int, Row],
        values: Array,
        first: int,
        rule: Rule | None,
        on_rows: Callable[[Sequence[Row]], None] | None,
    ) -> None:
        self.pool, self.done, self.values, self.first, self.rule = pool, done, values, first, rule
        self.on_rows = on_rows or (lambda rows: None)
        self.kept = set(pool.store.study.keep.results)
        self.waiting: list[Row] = []  # not yet written
        self.looked = first  # the first run the rule has not seen
        self.blamed: list[int] = []  # runs to be tried on their own, when all others are done
        self.tried: set[int] = set()
        self.ended = False
        self.begin = self.written = time.monotonic()
        self.before = len(done)
        self.failed = sum(row.outcome.state in UNFINISHED for row in done.values())

    def go(self, on_progress: OnProgress, should_stop: ShouldStop) -> None:
        """Hand out, take in, write down, until there is no more or it is to stop."""
        todo = (k for k in range(self.first, self.first + len(self.values)) if k not in self.done)
        came: queue.SimpleQueue[Any] = queue.SimpleQueue()
        out: dict[Any, int] = {}

        def hand_out() -> None:
            """Many at a time: a message to the scheduler costs as much as a short run."""
            room = AHEAD * self.pool.width
            if 2 * len(out) <= room:
                give(list(islice(todo, room - len(out))))
            if not out and self.blamed:
                give([self.blamed.pop(0)])

        def give(runs: list[int]) -> None:
            if not runs:
                return
            rows = self.values[np.array(runs) - self.first]
            for run, future in zip(runs, self.pool.submit(runs, rows, self.kept), strict=True):
                out[future] = run
                future.add_done_callback(came.put)

        self._apply_rule()
        try:
            if not self.ended:
                hand_out()
            while out and not self.ended and not should_stop():
                batch = _arrived(came)
                self._take({out.pop(future): future for future in batch})
                if len(self.waiting) >= FULL or time.monotonic() - self.written > FLUSH:
                    self._flush()
                self._apply_rule()
                if not self.ended:
                    hand_out()
                on_progress(self.progress())
        finally:
            # the scheduler may have gone first; what has come is written all the same
            with suppress(Exception):
                if out:
                    self.pool.client.cancel(list(out), force=True)
            self._flush()
        on_progress(self.progress())

    def _take(self, batch: dict[int, Any]) -> None:
        """Take in runs that are finished, failed or lost."""
        good = {run: future for run, future in batch.items() if future.status == "finished"}
        found = dict(zip(good, self.pool.client.gather(list(good.values())), strict=True)) if good else {}
        for run, future in batch.items():
            if run in found:
                outcome, whole = found[run]
            elif run not in self.tried and type(future.exception()).__name__ == "KilledWorker":
                # it may only have been beside the one that kills
                self.tried.add(run)
                self.blamed.append(run)
                future.release()
                continue
            else:
                outcome, whole = _lost(future), None
            if whole is not None:
                with replacing(self.pool.store.results_path(run)) as part:
                    part.write_bytes(whole)
            values = tuple(float(x) for x in self.values[run - self.first])
            row = Row(run, values, outcome)
            self.done[run] = row
            self.failed += outcome.state in UNFINISHED
            self.waiting.append(row)
            future.release()

    def _flush(self) -> None:
        rows, self.waiting = self.waiting, []
        self.written = time.monotonic()
        if rows:
            self.pool.store.append(sorted(rows, key=lambda row: row.run))
            self.on_rows(rows)

    def _apply_rule(self) -> None:
        while self.rule is not None and not self.ended and self.looked in self.done:
            reason = self.rule.holds_with(self.done[self.looked])
            if reason:
                self._flush()
                self.pool.store.end(reason, self.looked)
                self.ended = True
            self.looked += 1

    def progress(self) -> Progress:
        """How far it is."""
        elapsed = time.monotonic() - self.begin
        here, of = len(self.done) - self.before, len(self.values)
        left = elapsed * (of - len(self.done)) / here if here else None
        return Progress(len(self.done), of, self.failed, elapsed, 0.0 if self.ended else left)


def _lost(future: Any) -> Outcome:
    """The outcome of a run that came back without one."""
    error = future.exception()
    name = type(error).__name__
    return Outcome("failed", KILLED if name == "KilledWorker" else f"{name}: {_first_line(error)}.")


def _arrived(came: queue.SimpleQueue[Any]) -> list[Any]:
    """What has come; waits up to a second for something."""
    batch: list[Any] = []
    try:
        batch.append(came.get(timeout=FLUSH))
        while len(batch) < FULL:
            batch.append(came.get_nowait())
    except queue.Empty:
        pass
    return batch
