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
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from threading import Event, Thread
from typing import Any

from ..base.arrays import Array
from ..base.atomic import replacing
from ..base.errors import InputError
from ..project.project import Project
from ..warm_up.ahead import Progress as Compiled
from ..warm_up.ahead import compile_missing
from .cluster import ATTEMPTS, CONNECT, first_line
from .fingerprint import fingerprint
from .one_run import MARGIN, UNFINISHED, Outcome, function_of
from .plan import planned
from .store import Row, Store, Table
from .study import Study
from .vary import check_study
from .worker import Base, Payload, make_run, plugin_name

MIN_RUNS = 30  # runs before an interval says anything


class Rule:
    """The stopping rules of a study, fed with one row after the other."""

    def __init__(self, study: Study) -> None:
        self.stop = study.stop
        self.failed = 0
        self.judged = 0
        self.beyond = 0

    def holds_with(self, row: Row) -> str:
        """Why the study ends with this row; "" while it goes on."""
        stop, outcome = self.stop, row.outcome
        self.failed += outcome.state in ("failed", "early")
        if stop.failed is not None and self.failed >= stop.failed:
            return f"{self.failed} runs failed or ended early, the last of them run {row.run}."
        margin = outcome.numbers.get(MARGIN)
        if margin is None or outcome.state != "done":
            return ""
        self.judged += 1
        self.beyond += margin < 0.0
        if stop.margin_below is not None and margin < stop.margin_below:
            return f"Run {row.run} has a least margin of {margin:.4g}, below {stop.margin_below:g}."
        if stop.interval is not None and self.judged >= MIN_RUNS:
            from .probability import interval_of

            low, high = interval_of(self.beyond, self.judged)
            if high - low < stop.interval:
                return (
                    f"After {self.judged} runs the probability that a limit is exceeded lies between {low:.3g} and"
                    f" {high:.3g} (95 %)."
                )
        return ""


AHEAD = 8  # runs handed out for every worker at most; below half of it more are
FLUSH = 1.0  # s between writings
LEFT = 600.0  # s without any worker of a cluster, after which a study ends
MAX_REFUSED = 64  # runs of another program that are taken for those of a worker which is on its way out
FULL = 512  # rows that are written at once
LOST = 15.0  # s without a worker there should be, after which another is started; it takes some to start
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
            fingerprint(),
        )
        self.refused = 0  # runs that came from another program
        self._empty = math.inf  # since when there has been no worker at all

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
        self._empty = math.inf if threads else min(self._empty, now)
        if len(threads) >= self._wanted:
            self._missing = math.inf
            return
        self._missing = min(self._missing, now)
        if now > self._missing + LOST:
            self._missing = math.inf
            self.client.cluster.scale(len(threads))  # those that are not there are forgotten
            self.client.cluster.scale(self._wanted)

    def check(self) -> None:
        """Raise InputError where workers run another program, or a cluster has had none for long."""
        if self.refused > MAX_REFUSED:
            raise InputError(
                f"{self.store.folder}: workers that came later run another Ridewright than {fingerprint()}; install"
                " the same everywhere and go on with --resume."
            )
        if not self._wanted and time.monotonic() - self._empty > LEFT:
            raise InputError(
                f"{self.store.folder}: the cluster has had no workers for {LEFT:.0f} s; what had come is kept, start"
                " some and go on with --resume."
            )

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


def prepare(
    study: Study,
    base: Project | None,
    *,
    yes: bool = False,
    allow_function: str = "",
    on_progress: Compiled | None = None,
) -> None:
    """See that a study can be run, before a worker is started, and have the kernels compiled that its runs need.

    Parameters
    ----------
    study
        What is to be run.
    base
        The project it starts from, None for a study of a function.
    yes
        More than a million runs are meant.
    allow_function
        The function from outside, module:name, that the person allows at this start.
    on_progress
        Called with (done, of) as parts of the kernels are compiled.

    Raises
    ------
    InputError
        As `run_study`.
    """
    if study.optimise is None:
        planned(study, yes=yes)
    check_study(study, base)
    if study.ride == "function":
        function_of(study, allow_function)
    else:
        compile_missing("ride" if study.ride == "multibody" else "preview", on_progress=on_progress)


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
    """Make the runs of a study that are not in its store yet.

    Parameters
    ----------
    store
        Of the study.
    client
        Of Dask (`workers_of`).
    yes
        More than a million runs are meant.
    retry
        Make failed runs again.
    allow_function
        The function from outside, module:name, that the person allows at this start.
    on_progress, should_stop
        Called at least once a second.
    on_rows
        Gets new rows once they are in the store.

    Returns
    -------
    The table of all runs that are in the store. It ends early when asked to, and when a stopping rule holds.

    Raises
    ------
    InputError
        For a plan or parameters that cannot be used, and when the store cannot be written any more; what was
        written stays.
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
    numbers: Sequence[int] | None = None,
    there: Mapping[int, Row] | None = None,
    on_progress: OnProgress | None = None,
    should_stop: ShouldStop | None = None,
    on_rows: Callable[[Sequence[Row]], None] | None = None,
) -> dict[int, Row]:
    """Make runs number first, first + 1, ... with values (n, parameters), those left out that the store has.

    numbers: ascending, of runs that are not in a row; there: the rows of the store, where they are at hand. Returns the
    rows of all of them that are there. To be called while `store.writing()`.
    """
    runs = range(first, first + len(values)) if numbers is None else numbers
    found = pool.store.done() if there is None else there
    done = {run: row for run, row in found.items() if run in runs}
    work = _Work(pool, done, values, runs, rule, on_rows)
    work.go(on_progress or (lambda _: None), should_stop or (lambda: False))
    return work.done


class _Work:
    """The runs of one sitting."""

    def __init__(
        self,
        pool: Pool,
        done: dict[int, Row],
        values: Array,
        runs: Sequence[int],
        rule: Rule | None,
        on_rows: Callable[[Sequence[Row]], None] | None,
    ) -> None:
        self.pool, self.done, self.values, self.runs, self.rule = pool, done, values, runs, rule
        self.on_rows = on_rows or (lambda rows: None)
        self.kept = set(pool.store.study.keep.results)
        self.waiting: list[Row] = []  # not yet written
        self.looked = runs[0] if runs else 0  # the first run the rule has not seen
        self.blamed: list[int] = []  # runs to be tried on their own, when all others are done
        self.tried: set[int] = set()
        self.returned: list[int] = []  # runs to be made again, which another program had made
        self.ended = False
        self.begin = self.written = time.monotonic()
        self.before = len(done)
        self.failed = sum(row.outcome.state in UNFINISHED for row in done.values())

    def go(self, on_progress: OnProgress, should_stop: ShouldStop) -> None:
        """Hand out, take in, write down, until there is no more or it is to stop."""
        todo = (k for k in self.runs if k not in self.done)
        came: queue.SimpleQueue[Any] = queue.SimpleQueue()
        out: dict[Any, int] = {}

        def hand_out() -> None:
            """Many at a time: a message to the scheduler costs as much as a short run."""
            room = AHEAD * self.pool.width
            if 2 * len(out) <= room:
                give(list(islice(todo, room - len(out))))
            if self.returned:
                give(self.returned)
                self.returned = []
            if not out and self.blamed:
                give([self.blamed.pop(0)])

        def give(runs: list[int]) -> None:
            if not runs:
                return
            rows = self.values[[self.runs.index(run) for run in runs]]
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
                self.pool.check()
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
            if run in found and not _made_by_this(found[run]):
                self.pool.refused += 1
                self.returned.append(run)
                future.release()
                continue
            if run in found:
                outcome, whole, _ = found[run]
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
            values = tuple(float(x) for x in self.values[self.runs.index(run)])
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


def _made_by_this(found: Any) -> bool:
    """Whether a run was made with this program; those of older ones come back without saying so."""
    return isinstance(found, tuple) and len(found) == 3 and found[2] == fingerprint()


def _lost(future: Any) -> Outcome:
    """The outcome of a run that came back without one."""
    error = future.exception()
    name = type(error).__name__
    return Outcome("failed", KILLED if name == "KilledWorker" else f"{name}: {first_line(error)}.")


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
