"""The workers of studies: processes of this machine, or a Dask cluster that exists, checked before a run is sent."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from ..base import host
from ..base.atomic import scratch_folder
from ..base.errors import InputError
from .fingerprint import fingerprint
from .requirements import needed

CONNECT = 10.0  # s to wait for a scheduler
WAIT = 60.0  # s to wait for the first worker of a scheduler
ATTEMPTS = 3  # to start workers
DEATHS = 1  # of workers that a run may be with before it is blamed
SHARED = "/dev/shm"  # what processes need to wait for one another
#: The C library's allocator in workers. As Dask sets it, every array above 64 kB goes back to the system as soon as it
#: is freed and is mapped anew: rides as points took 1.7 times as long. One arena, for one thread makes runs.
ALLOCATOR = {
    "MALLOC_ARENA_MAX": 1,
    "MALLOC_MMAP_THRESHOLD_": host.LARGE_BLOCK,
    "MALLOC_TRIM_THRESHOLD_": host.LARGE_BLOCK,
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


def keys_of(files: Sequence[str | Path] | None) -> Any:
    """The keys (`distributed.Security`) of a cluster: PEM files of its authority, and of this program's certificate and
    key; None without files. Raises InputError for files that there are not, or that are no keys."""
    if files is None:
        return None
    needed("distributed")
    from distributed import Security

    if len(files) != 3:
        raise InputError("TLS needs three files: that of the authority, the certificate, the key.")
    for file in files:
        if not Path(file).is_file():
            raise InputError(
                f"{file}: is no file; TLS needs that of the authority, the certificate and the key."
            )
    authority, certificate, key = map(str, files)
    made = Security(
        tls_ca_file=authority, tls_client_cert=certificate, tls_client_key=key, require_encryption=True
    )
    try:
        made.get_connection_args("client")
    except OSError as error:  # of the library for TLS, too
        raise InputError(
            f"{certificate}, {key}: are no certificate and key for TLS ({first_line(error)})."
        ) from None
    return made


@contextmanager
def workers_of(
    scheduler: str | None = None,
    workers: int | None = None,
    *,
    security: Any = None,
    wait: float | None = None,
) -> Iterator[Any]:
    """A Dask client on workers of this machine, one processor each, or of a scheduler that exists.

    Parameters
    ----------
    scheduler
        Its address; None for workers of this machine.
    workers
        How many.
    security
        Keys (`distributed.Security`) of that scheduler; by default those of Dask's own settings.
    wait
        s for its first worker, 60 unless given.

    Returns
    -------
    The client, while the block lasts.

    Raises
    ------
    InputError
        When Dask is not installed, the scheduler cannot be reached, has no workers, or runs another version or
        other program files, and when workers cannot be started.
    """
    needed("distributed")
    import dask
    from distributed import Client

    before_start = dask.config.get("distributed.nanny.pre-spawn-environ")
    environment = {**before_start, **ALLOCATOR}
    with dask.config.set({**SETTINGS, "distributed.nanny.pre-spawn-environ": environment}):
        if scheduler is not None:
            with _reached(scheduler, security, WAIT if wait is None else wait) as client:
                yield client
            return
        with (
            scratch_folder("ridewright-dask") as scratch,  # what a kill leaves in it the next study removes
            _started(workers or _processors(), scratch) as cluster,
            Client(cluster, set_as_default=False) as client,
        ):
            yield client


def _started(workers: int, scratch: Path) -> Any:
    """Workers of this machine, with a folder for what they put aside. One that dies while they start (killed, out of
    memory) takes all with it: once more."""
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
                local_directory=str(scratch),
                silence_logs="CRITICAL",
            )
        except (RuntimeError, OSError) as error:
            if not os.access(SHARED, os.W_OK):
                raise InputError(
                    f"Workers cannot be started, {SHARED} cannot be written ({first_line(error)}), through which"
                    " processes wait for one another; make it writable (in a container: --tmpfs /dev/shm)."
                ) from None
            if attempt == ATTEMPTS - 1:
                raise InputError(
                    f"{workers} workers cannot be started on this machine ({first_line(error)}); take fewer with"
                    " --workers, or close what takes its memory."
                ) from None
    raise AssertionError


def _processors() -> int:
    return host.processors()


@contextmanager
def _reached(scheduler: str, security: Any, wait: float) -> Iterator[Any]:
    from distributed import Client, TimeoutError

    from .worker import program

    try:
        client = Client(scheduler, timeout=CONNECT, security=security, set_as_default=False)
    except (OSError, ValueError, TypeError) as error:
        if isinstance(error, TypeError) and scheduler.startswith("tls:"):
            raise InputError(
                f"The scheduler {scheduler} is reached by TLS, which takes an authority, a certificate and a key; give"
                " --tls-ca, --tls-cert and --tls-key, in a script tls=(...)."
            ) from None
        raise InputError(
            f"The scheduler {scheduler} cannot be reached ({first_line(error)}); start one with 'dask scheduler'."
        ) from None
    with client:
        try:
            client.wait_for_workers(1, timeout=wait)
        except TimeoutError:
            raise InputError(
                f"The scheduler {scheduler} has no workers, for {wait:g} s now; start some ('dask worker {scheduler}'),"
                " or wait longer with --wait."
            ) from None
        try:
            client.get_versions(check=True)
        except ValueError as error:
            raise InputError(
                f"The scheduler {scheduler} runs other versions of what studies need ({first_line(error)}); install"
                " the same everywhere."
            ) from None
        try:
            found = set(client.run(program).values())
        except Exception as error:
            raise InputError(
                f"The workers of {scheduler} have no Ridewright, or an older one ({first_line(error)}); install"
                " this one there."
            ) from None
        own = fingerprint()
        if found - {own}:
            raise InputError(
                f"The workers of {scheduler} run Ridewright {', '.join(sorted(found - {own}))}, this is {own};"
                " install the same everywhere."
            )
        yield client


def first_line(error: BaseException) -> str:
    return (str(error).strip() or type(error).__name__).splitlines()[0][:200]
