"""The engine: the same numbers with any number of workers, nothing lost and nothing doubled by a kill."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path
from random import SystemRandom
from typing import Any

import numpy as np
import pytest

pytest.importorskip("distributed")

from ridewright.core.base.errors import InputError
from ridewright.core.cli import main
from ridewright.core.studies import engine
from ridewright.core.studies.cluster import (
    ALLOCATOR,
    SETTINGS,
    _started,
    keys_of,
    workers_of,
)
from ridewright.core.studies.engine import (
    AHEAD,
    Pool,
    Progress,
    _lost,
)
from ridewright.core.studies.one_run import Outcome, Runner
from ridewright.core.studies.plan import planned
from ridewright.core.studies.repeat_run import project_of
from ridewright.core.studies.store import MANY_PARTS, Row, Store, Table
from ridewright.core.studies.study import Study, base_project, load_study, parse_study
from tests.core.studies.conftest import run_allowed, study_of_function
from tests.core.studies.functions import count_into, process_settings

ROOT = Path(__file__).parents[3]


def same(a: Table, b: Table) -> bool:
    """Whether two tables are the same to the last bit."""
    numbers = a.numbers.keys() == b.numbers.keys() and all(
        np.array_equal(a.numbers[name], b.numbers[name], equal_nan=True) for name in a.numbers
    )
    arrays = all(np.array_equal(getattr(a, n), getattr(b, n)) for n in ("run", "state", "values"))
    return numbers and arrays and (a.message, a.texts, a.ended) == (b.message, b.texts, b.ended)


def alone(study: Study) -> Table:
    """The table of a study made here, one run after the other: what the engine has to give."""
    from ridewright.core.studies.store import table_of

    runner = Runner(study, base_project(study, Path()), study.function)
    rows = [Row(k, tuple(map(float, v)), runner.run(v)) for k, v in enumerate(planned(study))]
    return table_of(study, rows)


RIDES: dict[str, Any] = {
    "format": "ridewright-study",
    "name": "rides",
    "project": "example:straight",
    "ride": "preview",
    "parameters": [
        {"name": "speed", "field": "scenario.speed", "low": 9.0, "high": 12.0},
        {"name": "friction", "edit": "rolling resistance", "low": 0.0, "high": 0.01},
    ],
    "plan": {"kind": "sobol", "runs": 16, "seed": 2},
    "keep": {"criteria": ["f2291_+Gz"]},
}


def test_that_rides_on_workers_are_those_made_here(tmp_path: Path, two_workers: Any) -> None:
    study = parse_study(RIDES, "rides")
    told: list[Progress] = []
    store = Store.create(tmp_path / "two", study, base_project(study, Path()))
    table = run_allowed(store, two_workers, on_progress=told.append)
    assert table.is_state("done").all()
    assert same(table, alone(study))
    assert same(Store.open(tmp_path / "two").table(), table)
    assert (told[-1].done, told[-1].of, told[-1].failed) == (16, 16, 0)
    faster = project_of(store, 3)
    assert faster.scenario.speed == table.values[3, 0]
    assert "Run 3 of the study 'rides': speed = " in faster.notes


def test_that_one_worker_gives_the_same_table_as_two(tmp_path: Path, two_workers: Any) -> None:
    study = study_of_function("margins", plan={"kind": "latin_hypercube", "runs": 60, "seed": 4})
    tables = [run_allowed(Store.create(tmp_path / "two", study, None), two_workers)]
    with workers_of(workers=1) as client:
        tables.append(run_allowed(Store.create(tmp_path / "one", study, None), client))
    assert same(*tables)
    assert same(tables[0], alone(study))


def test_that_a_run_that_fails_is_a_row_with_its_sentence(tmp_path: Path, two_workers: Any) -> None:
    study = study_of_function("margins", plan={"kind": "list", "rows": [[0.5, 1.0], [0.95, 1.0], [0.6, 1.0]]})
    store = Store.create(tmp_path / "s", study, None)
    table = run_allowed(store, two_workers)
    assert table.message == ("", "A fault of the program (ValueError: too much of a).", "")
    assert table.is_state("failed").tolist() == [False, True, False]
    assert np.isnan(table.numbers["y"]).tolist() == [False, True, False]


class Lost:
    """A future that came back without a result."""

    def __init__(self, error: Exception) -> None:
        self.exception = lambda: error


def test_that_what_comes_back_without_a_result_has_its_sentence() -> None:
    class KilledWorker(Exception):  # noqa: N818
        pass

    assert _lost(Lost(KilledWorker("a", "b"))).message.startswith("Its worker died each of several times")
    assert _lost(Lost(OSError("gone\nmore"))) == Outcome("failed", "OSError: gone.")


@pytest.mark.nightly
def test_that_a_run_that_kills_its_worker_is_a_row_and_the_others_are_made(tmp_path: Path) -> None:
    study = study_of_function(
        "deadly", ("a",), plan={"kind": "list", "rows": [[0.1], [0.95], [0.3], [0.4], [0.5], [0.6]]}
    )
    with workers_of(workers=1) as client:
        table = run_allowed(Store.create(tmp_path / "s", study, None), client)
    assert table.is_state("done").tolist() == [True, False, True, True, True, True]
    assert table.message[1].startswith("Its worker died each of several times")


def test_that_rules_stop_at_the_same_run_whatever_came_first(tmp_path: Path, two_workers: Any) -> None:
    plan = {"kind": "monte_carlo", "runs": 200, "seed": 1}
    study = study_of_function("slow", plan=plan, stop={"margin_below": -0.2})
    table = run_allowed(Store.create(tmp_path / "s", study, None), two_workers)
    below = np.flatnonzero(planned(study)[:, 0] - 0.25 < -0.2)
    assert table.run.tolist() == list(range(below[0] + 1))
    assert table.ended.startswith(f"Run {below[0]} has a least margin of -0.")
    # asked for less, the same store goes on
    open_end = study_of_function("slow", plan=plan, stop={"failed": 3})
    more = Store.create(tmp_path / "s", open_end, None, resume=True)
    assert len(run_allowed(more, two_workers, should_stop=iter([False] * 3 + [True] * 99).__next__)) > len(
        table
    )


def test_that_a_stopped_study_goes_on_and_makes_no_run_twice(tmp_path: Path, two_workers: Any) -> None:
    count = tmp_path / "count"
    two_workers.run(count_into, str(count))
    study = study_of_function("counted", ("a",), plan={"kind": "monte_carlo", "runs": 80, "seed": 9})
    polls = iter([False] * 4 + [True] * 999)
    first = run_allowed(Store.create(tmp_path / "s", study, None), two_workers, should_stop=polls.__next__)
    assert 0 < len(first) < 80
    with pytest.raises(InputError, match="holds runs of this study already; say --resume"):
        Store.create(tmp_path / "s", study, None)
    table = run_allowed(Store.create(tmp_path / "s", study, None, resume=True), two_workers)
    assert same(table, alone_counted(study))
    made = Counter(map(float, count.read_text().split()))
    kept = {row.values[0] for row in Store.open(tmp_path / "s").done().values()}
    again = [value for value, times in made.items() if times > 1]
    assert kept == made.keys()
    # what was under way when it was stopped may be made again, what had come may not
    assert not set(again) & set(first.values[:, 0])


def test_that_runs_of_a_plan_may_be_made_here_and_there(tmp_path: Path, two_workers: Any) -> None:
    study = parse_study(RIDES, "rides")
    store = Store.create(tmp_path / "rides", study, base_project(study, Path()))
    plan, numbers = planned(study), [2, 3, 11]
    with store.writing(), engine.Pool(two_workers, store) as pool:
        made = engine.make_runs(pool, plan[numbers], numbers=numbers)
        handed = pool.handed
        assert engine.make_runs(pool, plan[numbers], numbers=numbers).keys() == made.keys()
        assert pool.handed == handed  # nothing twice
    table, every = store.table(), alone(study)
    assert table.run.tolist() == sorted(made) == numbers
    assert np.array_equal(table.values, plan[numbers])
    assert np.array_equal(table.numbers["max_speed"], every.numbers["max_speed"][numbers])


def alone_counted(study: Study) -> Table:
    """What `counted` has to give, without leaving lines."""
    from ridewright.core.studies.store import table_of

    rows = [
        Row(k, (float(v[0]),), Outcome("done", "", {"y": float(v[0])})) for k, v in enumerate(planned(study))
    ]
    return table_of(study, rows)


STUDY = """
format = "ridewright-study"
name = "slow"
ride = "function"
function = "tests.core.studies.functions:slow"
parameters = [{name = "a", low = 0.0, high = 1.0}, {name = "b", low = 0.0, high = 1.0}]
plan = {kind = "monte_carlo", runs = RUNS, seed = 3}
"""


def start(folder: Path, *more: str) -> subprocess.Popen[str]:
    """The program, running a study, in a group of processes of its own."""
    command = [sys.executable, "-m", "ridewright.core.cli", "study", "run", str(folder / "a.study.toml")]
    command += ["--allow-function", "tests.core.studies.functions:slow"]
    return subprocess.Popen(
        [*command, "--out", str(folder / "s"), "--workers", "2", *more],
        cwd=ROOT, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True,
    )  # fmt: skip


def workers_below(pid: int) -> list[int]:
    """Processes of workers below one."""
    import psutil

    out = []
    with suppress(psutil.Error):  # those that end meanwhile
        for process in psutil.Process(pid).children(recursive=True):
            if "spawn_main" in " ".join(process.cmdline()):
                out.append(process.pid)
    return out


def wait_for_part(folder: Path, process: subprocess.Popen[str]) -> None:
    """Until another part is written: kills are to fall into the work, too, where starting takes long."""
    deadline, parts = time.monotonic() + 60.0, set((folder / "s").glob("part-*"))
    while (
        set((folder / "s").glob("part-*")) <= parts and time.monotonic() < deadline and process.poll() is None
    ):
        time.sleep(0.02)


def killed_often(folder: Path, runs: int, client_kills: int, worker_kills: int, seed: int) -> None:
    """Kill a study at random instants, resume it until it is done, and compare."""
    random = np.random.default_rng(seed)
    (folder / "a.study.toml").write_text(STUDY.replace("RUNS", str(runs)))
    more: tuple[str, ...] = ()
    for _ in range(client_kills):
        process = start(folder, *more)
        wait_for_part(folder, process)
        time.sleep(float(random.uniform(0.0, 1.0)))
        os.kill(process.pid, signal.SIGKILL)
        process.communicate()
        more = ("--resume",)
    process = start(folder, *more)
    for _ in range(worker_kills):
        wait_for_part(folder, process)
        time.sleep(float(random.uniform(0.0, 1.0)))
        found = workers_below(process.pid)
        if found:
            os.kill(int(random.choice(found)), signal.SIGKILL)
    out, err = process.communicate(timeout=300)
    assert process.returncode == 0, err
    table = Store.open(folder / "s").table()
    assert table.run.tolist() == list(range(runs))
    assert same(table, alone(table.study))
    assert f"{runs} runs: {runs} finished" in out


@pytest.mark.nightly
def test_that_a_kill_of_the_client_and_of_a_worker_loses_and_doubles_nothing(tmp_path: Path) -> None:
    killed_often(tmp_path, runs=150, client_kills=1, worker_kills=1, seed=1)


@pytest.mark.nightly
def test_that_workers_that_do_not_come_back_are_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Dask gives a worker up that is missed for long, even while it is being started again."""
    monkeypatch.setattr(engine, "LOST", 1.0)
    study = study_of_function("slow", plan={"kind": "monte_carlo", "runs": 200, "seed": 1})
    deadline = time.monotonic() + 60.0
    with workers_of(workers=2) as client:
        lost = list(client.cluster.workers.values())

        def lose(rows: object) -> None:
            while lost:
                client.cluster.loop.add_callback(lost.pop().close)

        table = run_allowed(
            Store.create(tmp_path / "s", study, None),
            client,
            on_rows=lose,
            should_stop=lambda: time.monotonic() > deadline,
        )
        assert len(client.nthreads()) > 0
    assert not lost
    assert table.run.tolist() == list(range(200))
    assert same(table, alone(study))


@pytest.mark.nightly
@pytest.mark.parametrize("part", range(4))
def test_that_sixty_kills_of_workers_and_of_the_client_lose_and_double_nothing(
    part: int, tmp_path: Path
) -> None:
    """In four parts of fifteen; at other moments each time, unless RIDEWRIGHT_FUZZ says which."""
    given = os.environ.get("RIDEWRIGHT_FUZZ")
    seed = SystemRandom().getrandbits(32) if given is None else int(given) + part
    print(f"seed {seed}")
    killed_often(tmp_path, runs=1800, client_kills=5, worker_kills=10, seed=seed)


def test_that_a_worker_that_dies_while_it_starts_does_not_end_the_study(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    import distributed

    tried: list[int] = []

    def dies(**given: Any) -> str:
        tried.append(given["n_workers"])
        if len(tried) < enough:
            raise RuntimeError("Nanny failed to start.")
        return "started"

    monkeypatch.setattr(distributed, "LocalCluster", dies)
    enough = 3
    assert _started(2, tmp_path) == "started"
    tried, enough = [], 9
    with pytest.raises(InputError, match=r"2 workers cannot be started .* take fewer with --workers"):
        _started(2, tmp_path)
    assert tried == [2, 2, 2]
    monkeypatch.setattr("ridewright.core.studies.cluster.SHARED", str(tmp_path / "no memory"))
    with pytest.raises(InputError, match=r"no memory cannot be written .* --tmpfs /dev/shm"):
        _started(2, tmp_path)


@pytest.mark.nightly
def test_that_multibody_runs_are_those_made_here(tmp_path: Path, two_workers: Any) -> None:
    fields = {
        "ride": "multibody",
        "parameters": [*RIDES["parameters"], {"name": "end", "field": "scenario.duration", "values": [2.0]}],
        "plan": {"kind": "sobol", "runs": 4, "seed": 2},
        "keep": {"criteria": ["*"], "results": [2]},
    }
    study = parse_study({**RIDES, **fields}, "rides")
    store = Store.create(tmp_path / "s", study, base_project(study, Path()))
    table = run_allowed(store, two_workers)
    assert same(table, alone(study))
    from ridewright.core.results.file import read_results

    kept = read_results(store.results_path(2))
    assert float(np.max(kept.channels["car/Car/speed"].values)) == table.numbers["max_speed"][2]


def test_that_a_store_of_another_study_is_refused(tmp_path: Path) -> None:
    plan = {"kind": "monte_carlo", "runs": 8}
    Store.create(tmp_path / "s", study_of_function("margins", plan=plan), None)
    with pytest.raises(InputError, match="holds the runs of another study"):
        Store.create(tmp_path / "s", study_of_function("slow", plan=plan), None, resume=True)
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "mine.txt").write_text("mine")
    with pytest.raises(InputError, match="is no empty folder"):
        Store.create(tmp_path / "full", study_of_function("slow", plan=plan), None)
    with pytest.raises(InputError, match="is no store of a study"):
        Store.open(tmp_path / "full")


def test_that_two_programs_do_not_write_one_store(tmp_path: Path) -> None:
    store = Store.create(tmp_path / "s", study_of_function("slow"), None)
    with (
        store.writing(),
        pytest.raises(InputError, match="another program is running this study"),
        Store.open(tmp_path / "s").writing(),
    ):
        pass


def _rows(first: int, last: int) -> list[Row]:
    return [
        Row(k, (0.5 * k, 1.0), Outcome("done", "", {"y": float(k)}, {"who": "ä"})) for k in range(first, last)
    ]


def test_that_parts_are_gathered_and_a_torn_one_leaves_the_others(tmp_path: Path) -> None:
    store = Store.create(tmp_path / "s", study_of_function("slow"), None)
    with store.writing():
        for k in range(MANY_PARTS + 3):
            store.append(_rows(2 * k, 2 * k + 2))
    assert len(store.parts()) == 4
    assert store.table().numbers["y"].tolist() == list(range(2 * MANY_PARTS + 6))
    (store.folder / f".part-1.h5.{os.getpid()}-abcdefgh.part").write_bytes(b"half")
    assert len(store.table()) == 2 * MANY_PARTS + 6
    store.parts()[-1].write_bytes(store.parts()[-1].read_bytes()[:300])
    with pytest.raises(InputError, match=r"part-\d+\.h5: is damaged; remove it and resume"):
        store.table()


def test_that_failed_runs_are_made_again_when_asked_to(tmp_path: Path) -> None:
    store = Store.create(tmp_path / "s", study_of_function("slow"), None)
    with store.writing():
        store.append([*_rows(0, 3), Row(3, (1.0, 1.0), Outcome("failed", "no"))])
        assert store.drop("failed") == 1
        assert sorted(store.done()) == [0, 1, 2]


def test_that_a_full_disk_ends_with_a_sentence_and_keeps_what_was_written(
    tmp_path: Path, two_workers: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    study = study_of_function("slow", plan={"kind": "monte_carlo", "runs": 200})
    store = Store.create(tmp_path / "s", study, None)
    written = Path.write_bytes

    def full(path: Path, data: bytes) -> int:
        if "part-" in path.name and len(store.parts()) >= 2:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return written(path, data)

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(InputError, match=r"part-00000002\.h5: cannot be written \(no space left"):
        run_allowed(store, two_workers)
    monkeypatch.undo()
    assert 0 < len(store.table()) < 200


def test_that_a_scheduler_that_is_not_there_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ridewright.core.studies.cluster.CONNECT", 0.5)
    with (
        pytest.raises(InputError, match=r"tcp://127\.0\.0\.1:9 cannot be reached .*dask scheduler"),
        workers_of("tcp://127.0.0.1:9"),
    ):
        pass
    with (
        pytest.raises(
            InputError, match=r"tls://127\.0\.0\.1:9 is reached by TLS, which .* --tls-ca, --tls-cert and"
        ),
        workers_of("tls://127.0.0.1:9"),
    ):
        pass


def test_that_another_version_on_the_workers_is_told(
    two_workers: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = two_workers.scheduler_info()["address"]
    keys = two_workers.security
    with workers_of(address, security=keys) as client:
        assert len(client.nthreads()) == 2
    monkeypatch.setattr("ridewright.core.studies.cluster.fingerprint", lambda: "99.0+abc")
    with (
        pytest.raises(InputError, match=r"run Ridewright \d.*\+[0-9a-f]{12}, this is 99\.0\+abc"),
        workers_of(address, security=keys),
    ):
        pass


def test_that_the_command_line_runs_shows_and_remakes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    import json

    path = tmp_path / "a.study.json"
    path.write_text(json.dumps({**RIDES, "plan": {"kind": "latin_hypercube", "runs": 6}}))
    assert main(["study", "check", str(path), "--workers", "2"]) == 0
    assert "study rides: 6 runs," in capsys.readouterr().out
    assert main(["study", "run", str(path), "--out", str(tmp_path / "s"), "--workers", "2"]) == 0
    assert "rides: 6 runs: 6 finished" in capsys.readouterr().out
    assert main(["study", "run", str(path), "--out", str(tmp_path / "s")]) == 2
    assert "say --resume" in capsys.readouterr().err
    csv = tmp_path / "t.csv"
    assert main(["study", "show", str(tmp_path / "s"), "--response", "end_speed", "--csv", str(csv)]) == 0
    shown = capsys.readouterr().out
    assert "Main effects on end_speed" in shown
    assert "F2291 +Gz †" in shown
    assert "f2291_+Gz" not in shown
    assert len(csv.read_text().splitlines()) == 7
    assert main(["study", "show", str(tmp_path / "s"), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["states"]["done"] == 6
    assert main(["study", "remake", str(tmp_path / "s"), "4", "--out", str(tmp_path / "r.ridewright")]) == 0
    assert (tmp_path / "r.ridewright").is_file()
    capsys.readouterr()
    assert main(["study", "remake", str(tmp_path / "s"), "6", "--out", str(tmp_path / "r.ridewright")]) == 2
    assert "there is no run 6; the plan has 0 to 5" in capsys.readouterr().err


def test_that_workers_have_the_settings_and_the_allocator_of_studies(two_workers: Any) -> None:
    wanted = {name: str(value) for name, value in ALLOCATOR.items()}
    for settings, allocator in two_workers.run(process_settings, list(SETTINGS)).values():
        assert settings == SETTINGS
        assert allocator == wanted


def test_that_runs_are_handed_out_many_at_a_time(
    tmp_path: Path, two_workers: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    handed: list[int] = []
    submit = Pool.submit

    def counting(pool: Pool, runs: Any, values: Any, whole: Any) -> Any:
        handed.append(len(runs))
        return submit(pool, runs, values, whole)

    monkeypatch.setattr(Pool, "submit", counting)
    study = study_of_function("margins", plan={"kind": "monte_carlo", "runs": 200, "seed": 1})
    table = run_allowed(Store.create(tmp_path / "s", study, None), two_workers)
    assert len(table) == sum(handed) == 200
    assert len(handed) < 200 / AHEAD


def test_that_a_study_file_runs_no_function_without_consent(
    tmp_path: Path, two_workers: Any, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A module that leaves a mark when it is imported: its file is the attack."""
    mark = tmp_path / "mark"
    (tmp_path / "attack.py").write_text(
        f"open({str(mark)!r}, 'w').close()\ndef call(x): return {{'y': 1.0}}\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    text = STUDY.replace("RUNS", "8").replace("tests.core.studies.functions:slow", "attack:call")
    (tmp_path / "a.study.toml").write_text(text)
    study = load_study(tmp_path / "a.study.toml")
    store = Store.create(tmp_path / "s", study, None)
    assert main(["study", "check", str(tmp_path / "a.study.toml")]) == 0
    assert "8 runs" in capsys.readouterr().out
    run = ["study", "run", str(tmp_path / "a.study.toml"), "--out", str(tmp_path / "out")]
    for more in ([], ["--allow-function", "attack:other"]):
        assert main([*run, *more]) == 2
        assert "--allow-function attack:call" in capsys.readouterr().err
    main(["study", "show", str(tmp_path / "s")])
    with pytest.raises(InputError, match="code that is no part of this program"):
        engine.run_study(store, two_workers)
    assert Runner(study, None).run([0.5, 0.5]).state == "failed"
    assert not mark.exists()
    assert not (tmp_path / "out").exists()
    assert Runner(study, None, "attack:call").run([0.5, 0.5]).numbers == {"y": 1.0}
    assert mark.exists()


def test_that_nobody_else_reaches_the_scheduler_of_this_machine(two_workers: Any) -> None:
    """Without the study's keys neither a plain nor an encrypted connection is taken; HTTP answers nothing."""
    import urllib.error
    import urllib.request

    import psutil
    from distributed import Client, Security

    address = two_workers.scheduler.address
    assert address.startswith("tls://127.0.0.1:")
    for given, security in (
        (address.replace("tls://", "tcp://"), None),
        (address, Security.temporary()),
    ):
        with pytest.raises((OSError, TypeError)):
            Client(given, timeout=1.0, security=security, set_as_default=False)
    family = [psutil.Process(), *psutil.Process().children(recursive=True)]
    ports = [c.laddr for p in family for c in p.net_connections("tcp") if c.status == psutil.CONN_LISTEN]
    assert ports
    assert {place.ip for place in ports} == {"127.0.0.1"}
    port = two_workers.cluster.scheduler.http_server.port
    for path in ("/info/main/workers.html", "/json/identity.json", "/health", "/api/v1/retire_workers"):
        with pytest.raises(urllib.error.HTTPError, match="404"):
            urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=5.0)


def scheduler_without_workers(**keys: Any) -> Any:
    """A scheduler in this process, that nobody works for yet."""
    from distributed import LocalCluster

    return LocalCluster(
        n_workers=0, processes=False, dashboard_address=":0", scheduler_kwargs={"dashboard": False}, **keys
    )


def test_that_nothing_is_written_before_there_are_workers(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The folder of a study that could not begin is free for the next try."""
    import json

    monkeypatch.setattr("ridewright.core.studies.cluster.CONNECT", 0.5)
    path, out = tmp_path / "a.study.json", tmp_path / "s"
    path.write_text(json.dumps({**RIDES, "plan": {"kind": "latin_hypercube", "runs": 2}}))
    run = ["study", "run", str(path), "--out", str(out)]
    assert main([*run, "--scheduler", "tcp://127.0.0.1:9"]) == 2
    assert "cannot be reached" in capsys.readouterr().err
    assert not out.exists()
    with scheduler_without_workers() as cluster:
        lonely = cluster.scheduler.address
        assert main([*run, "--scheduler", lonely, "--wait", "0.3"]) == 2
    assert "has no workers, for 0.3 s now" in capsys.readouterr().err
    assert not out.exists()
    for wrong, words in (
        (["--tls-ca", "x"], "TLS needs --scheduler"),
        (["--wait", "0"], "--wait 0"),
        (
            ["--scheduler", "tls://127.0.0.1:9", *["--tls-ca", "a", "--tls-cert", "b", "--tls-key", "c"]],
            "is no file",
        ),
    ):
        assert main([*run, *wrong]) == 2
        assert words in capsys.readouterr().err
    assert not out.exists()


@pytest.fixture(scope="session")
def pem_files(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """An authority, a certificate and a key: one certificate that vouches for itself."""
    from distributed import Security

    made, folder = Security.temporary(), tmp_path_factory.mktemp("keys")
    found = []
    for name in ("tls_ca_file", "tls_client_cert", "tls_client_key"):
        found.append(folder / f"{name}.pem")
        found[-1].write_text(getattr(made, name))
    return found


def test_that_a_cluster_is_reached_with_its_keys_in_files_and_not_without(
    pem_files: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from distributed import Security

    monkeypatch.setattr("ridewright.core.studies.cluster.CONNECT", 1.0)
    authority, certificate, key = map(str, pem_files)
    every = {f"tls_{who}_{what}": value for who in ("scheduler", "worker", "client")
             for what, value in (("cert", certificate), ("key", key))}  # fmt: skip
    keys = Security(tls_ca_file=authority, require_encryption=True, **every)
    with scheduler_without_workers(security=keys, protocol="tls") as cluster:
        address = cluster.scheduler.address
        assert address.startswith("tls://")
        with (
            pytest.raises(InputError, match="has no workers"),
            workers_of(address, security=keys_of(pem_files), wait=0.3),
        ):  # reached, and nobody there
            pass
        with pytest.raises(InputError, match="is reached by TLS"), workers_of(address, wait=0.3):
            pass
    (tmp_path / "no key").write_text("nothing")
    with pytest.raises(InputError, match="no certificate and key"):
        keys_of([pem_files[0], tmp_path / "no key", tmp_path / "no key"])


def test_that_runs_of_another_program_are_made_again_and_its_worker_sent_away(
    tmp_path: Path, two_workers: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A worker that comes late with other files: its plugin closes it, and what it made until then is not taken."""
    from types import SimpleNamespace

    from ridewright.core.studies.worker import OTHER_PROGRAM, Base, Payload

    closed: list[str] = []
    worker = SimpleNamespace(
        close=lambda reason: closed.append(reason), loop=SimpleNamespace(add_callback=lambda call: call())
    )
    own = Base(Payload("d", "{}", "", "", engine.fingerprint()))
    own.setup(worker)
    assert closed == []
    Base(Payload("d", "{}", "", "", "1.0+other")).setup(worker)
    assert closed == [OTHER_PROGRAM]

    looked: list[Any] = []
    is_own = engine._made_by_this

    def first_ones_are_foreign(found: Any) -> bool:
        looked.append(found)
        return is_own(found if len(looked) > 5 else (*found[:2], "1.0+other"))

    monkeypatch.setattr(engine, "_made_by_this", first_ones_are_foreign)
    study = study_of_function("margins", plan={"kind": "monte_carlo", "runs": 40, "seed": 1})
    table = run_allowed(Store.create(tmp_path / "s", study, None), two_workers)
    assert len(looked) == 45  # five were made again
    monkeypatch.undo()
    assert same(table, alone(study))
    assert not is_own(("outcome", None))  # an older program says nothing
    monkeypatch.setattr(engine, "_made_by_this", lambda found: False)
    with pytest.raises(InputError, match="run another Ridewright than"):
        run_allowed(Store.create(tmp_path / "t", study, None), two_workers)


def test_that_the_fingerprint_tells_a_changed_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from ridewright.core.studies import fingerprint as of

    for name in ("core/a.py", "resources/limits/b.json", "resources/guide/c.json"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("1")
    monkeypatch.setattr(of, "CORE", tmp_path / "core")
    found = []
    for name in ("", "core/a.py", "resources/limits/b.json", "resources/guide/c.json"):
        if name:
            (tmp_path / name).write_text("2")
        found.append(of.fingerprint.__wrapped__())
    assert len(set(found[:3])) == 3
    assert found[3] == found[2]  # the guide makes no number
