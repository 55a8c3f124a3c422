"""Damaged inputs without end, each from a number of its own: files of every kind, options, and commands over them.

`fuzz_cases.py` says what the cases are, `fuzz_damage.py` how files are damaged.

    python tests/core/damaged/fuzz.py --count 500            new numbers
    python tests/core/damaged/fuzz.py --count 500 --kinds study people  of some kinds
    python tests/core/damaged/fuzz.py --count 20000 --first 1 --log FILE   many; begun again it goes on
    python tests/core/damaged/fuzz.py --only 123456789       one case again, with what was shown
    python tests/core/damaged/fuzz.py --only 123456789 --keep FOLDER   and its files kept

A case is right when the program ends by itself with 0, 1 or 2, with no traceback, within TIME and MEMORY; and when a
refusal is one sentence that does not speak of the libraries underneath. Each runs in a process forked from one that
has everything loaded, so that it costs what the command costs. Its memory begins with what that one has: run the cases
from here, not from a process that has grown by other work.
"""

from __future__ import annotations

import argparse
import contextlib
import gc
import itertools
import json
import os
import resource
import secrets
import shutil
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Collection
from dataclasses import dataclass
from multiprocessing import resource_tracker
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))

from tests.core.damaged.fuzz_cases import KINDS, case, kind_of, prepare  # noqa: E402
from tests.core.damaged.fuzz_kinds import call  # noqa: E402

TIME, MEMORY = 60.0, 2 * 10**9  # s of computing, bytes
PATIENCE = (
    5.0 * TIME
)  # s by the clock: other work on the machine makes every case slow, and one that waits must end
ROOM = 12 * 2**30  # bytes of addresses a case may have, so that a bad one ends before the machine does
FOREIGN = (
    "Traceback", "Input should be", "Value error", "Errno", "np.", "numpy", "h5py", "pydantic", "Unable to",
    "object at", "Expecting", "KeyError", "validation error", "codec can't", "invalid literal", "NoneType", "<class",
    "unsupported", "RuntimeWarning", "array(", "list index", "could not convert", "dtype",
)  # fmt: skip


@dataclass(frozen=True)
class Outcome:
    """What became of a case: its number, command line, exit code, time it computed (s), memory (bytes), what it showed,
    and what is wrong with that, empty when nothing is."""

    seed: int
    line: tuple[str, ...]
    code: int
    seconds: float
    memory: int
    shown: str
    fault: str

    def __str__(self) -> str:
        return (
            f"seed {self.seed}: {self.fault}\n  {' '.join(repr(part)[:200] for part in self.line)}\n  exit {self.code},"
            f" {self.seconds:.1f} s, {self.memory / 1e6:.0f} MB\n  {self.shown[-1500:]}"
        )


def run(seed: int, sound: Path, keep: Path | None = None) -> Outcome:
    """Run one case in a process of its own; see the module."""
    folder = Path(tempfile.mkdtemp(prefix="fuzz-")) if keep is None else keep
    folder.mkdir(exist_ok=True, parents=True)
    shown, told = folder / "shown", folder / "line"
    resource_tracker.ensure_running()  # else a case starts one, and what that says later stands in what it showed
    began = time.monotonic()
    process = os.fork()
    if process == 0:
        _child(seed, sound, folder, shown, told)
    usage = _wait(process, began)
    late = time.monotonic() - began > PATIENCE
    seconds = PATIENCE if late else usage[1].ru_utime + usage[1].ru_stime
    code = os.waitstatus_to_exitcode(usage[0])
    text = shown.read_text(encoding="utf-8", errors="replace") if shown.exists() else ""
    line = tuple(json.loads(told.read_text(encoding="utf-8"))) if told.exists() else ()
    memory = usage[1].ru_maxrss * 1024
    outcome = Outcome(seed, line, code, seconds, memory, text, _fault(code, seconds, memory, text))
    if keep is None:
        shutil.rmtree(folder, ignore_errors=True)
    return outcome


def _child(seed: int, sound: Path, folder: Path, shown: Path, told: Path) -> None:
    code = 99
    try:
        stream = os.open(shown, os.O_CREAT | os.O_WRONLY | os.O_TRUNC)
        os.dup2(stream, 2)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        sys.stdout, sys.stderr = (
            os.fdopen(k, "w", encoding="utf-8", errors="replace", closefd=False) for k in (1, 2)
        )
        resource.setrlimit(resource.RLIMIT_AS, (ROOM, ROOM))
        resource.setrlimit(resource.RLIMIT_CPU, (int(TIME) + 1, int(TIME) + 2))
        os.environ["HOME"] = str(folder)
        (folder / "here").mkdir(exist_ok=True)
        os.chdir(folder / "here")
        line = case(seed, sound, folder)
        told.write_text(json.dumps(line), encoding="utf-8")
        if line[0] == "api":
            code = call(list(line))
        else:
            from ridewright.core.cli import main

            code = main(list(line))
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else 98
    except BaseException:
        import traceback

        traceback.print_exc()
    finally:
        sys.stderr.flush()
        os._exit(code)


def _wait(process: int, began: float) -> tuple[int, resource.struct_rusage]:
    pause = 0.002
    while True:
        found, status, usage = os.wait4(process, os.WNOHANG)
        if found:
            return status, usage
        if time.monotonic() - began > PATIENCE:
            os.kill(process, signal.SIGKILL)
            _, status, usage = os.wait4(process, 0)
            return status, usage
        time.sleep(pause)
        pause = min(2.0 * pause, 0.05)


def _fault(code: int, seconds: float, memory: int, text: str) -> str:
    if seconds > TIME:
        return f"does not end within {TIME:g} s"
    if memory > MEMORY:
        return f"takes {memory / 1e9:.1f} GB"
    if code not in (0, 1, 2):
        return f"ends with {code}"
    lines = [line for line in text.splitlines() if line.strip()]
    foreign = [word for word in FOREIGN if any(word in line for line in lines)]
    if code == 2 and (not lines or not lines[-1].startswith("ridewright: ")):
        return "is refused without a sentence"
    return f"speaks of {foreign}" if foreign else ""


def seeds(count: int, first: int | None = None, kinds: Collection[str] = KINDS) -> list[int]:
    """So many numbers of cases of some kinds, new ones every time unless the first is given."""
    start = secrets.randbits(48) if first is None else first
    return list(
        itertools.islice((number for number in itertools.count(start) if kind_of(number) in kinds), count)
    )


def all_of(numbers: list[int], report: Callable[[Outcome], None] | None = None) -> list[Outcome]:
    """Run cases; returns those that are wrong."""
    wrong = []
    with tempfile.TemporaryDirectory(prefix="fuzz-sound-") as made:
        prepare(Path(made))
        gc.freeze()  # what is here now is not walked, and so not copied, by every fork
        for number in numbers:
            outcome = run(number, Path(made))
            if outcome.fault:
                wrong.append(outcome)
            if report is not None:
                report(outcome)
    return wrong


def _program() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=500)
    parser.add_argument("--first", type=int)
    parser.add_argument("--kinds", nargs="+", choices=KINDS, default=list(KINDS))
    parser.add_argument(
        "--log", type=Path, help="a line for every case; what stands there already is not run again"
    )
    parser.add_argument("--only", type=int)
    parser.add_argument("--keep", type=Path)
    given = parser.parse_args()
    if given.only is not None:
        with tempfile.TemporaryDirectory(prefix="fuzz-sound-") as made:
            prepare(Path(made))
            print(run(given.only, Path(made), given.keep))
        return 0
    numbers = seeds(given.count, given.first, given.kinds)
    print(f"cases {numbers[0]} to {numbers[-1]}", flush=True)
    known, chosen = _logged(given.log), set(numbers)
    codes = Counter(code for number, (code, _) in known.items() if number in chosen)
    wrong = sum(fault for number, (_, fault) in known.items() if number in chosen)
    with contextlib.ExitStack() as open_files:
        log = None if given.log is None else open_files.enter_context(given.log.open("a", encoding="utf-8"))

        def tell(outcome: Outcome) -> None:
            nonlocal wrong
            codes[outcome.code] += 1
            wrong += bool(outcome.fault)
            if outcome.fault:
                print(outcome, flush=True)
            if log is not None:
                fault = outcome.fault or "right"
                kind = kind_of(outcome.seed)
                log.write(f"{outcome.seed} {outcome.code} {outcome.seconds:.2f} {kind} {fault}\n")
                log.flush()

        all_of([number for number in numbers if number not in known], tell)
    print(f"{wrong} of {len(numbers)} wrong; exit codes {dict(sorted(codes.items()))}")
    return 1 if wrong else 0


def _logged(log: Path | None) -> dict[int, tuple[int, bool]]:
    """Exit code of the cases that a log has, by their numbers, and whether they were wrong."""
    if log is None or not log.exists():
        return {}
    lines = [line.split(maxsplit=4) for line in log.read_text(encoding="utf-8").splitlines()]
    return {int(line[0]): (int(line[1]), line[4] != "right") for line in lines if len(line) == 5}


if __name__ == "__main__":
    sys.exit(_program())
