"""What all benchmarks share: CPU time of a call, the machine and its load, JSON and tables in out/bench."""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from importlib import metadata
from pathlib import Path
from typing import Any, TypeVar

ROOT = Path(__file__).resolve().parents[2]
OUT = ROOT / "out" / "bench"
T = TypeVar("T")
PACKAGES = ("numpy", "scipy", "numba", "exudyn", "mujoco", "coal")
# One thread for every code; read by the libraries when they are loaded, so set before anything is imported.
ONE_THREAD = {
    name: "1" for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS")
}


def min_cpu(call: Callable[[], T], repeats: int) -> tuple[float, T]:
    """The least CPU seconds of some calls, and what the last one returned."""
    best = float("inf")
    for _ in range(max(repeats, 1)):
        started = time.process_time()
        result = call()
        best = min(best, time.process_time() - started)
    return best, result


def cpu_each(call: Callable[[], Any], seconds: float = 0.2) -> float:
    """CPU seconds of one call: the least of five means over loops that fill `seconds` together."""
    call()
    once, _ = min_cpu(call, 3)
    n = max(1, int(seconds / 5.0 / max(once, 1e-7)))

    def loop() -> None:
        for _ in range(n):
            call()

    return min_cpu(loop, 5)[0] / n


def peak_memory() -> float:
    """Most memory (MB) this process has held so far.

    Linux tells it of the program that runs now; getrusage's figure also covers the process that started it.
    """
    try:
        lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
        return float(next(line for line in lines if line.startswith("VmHWM:")).split()[1]) / 1024.0
    except (OSError, StopIteration):
        import resource

        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024.0


def surroundings() -> dict[str, Any]:
    """Processor, load, versions: what the figures of a run depend on."""
    return {
        "processor": _processor(),
        "cores": os.cpu_count(),
        "load_average": [round(x, 2) for x in os.getloadavg()],
        "time": time.strftime("%Y-%m-%dT%H:%M:%S%z"),
        "python": platform.python_version(),
        "threads": {name: os.environ.get(name, "") for name in ONE_THREAD},
        "packages": {name: _version(name) for name in PACKAGES},
        "clock": "time.process_time",
    }


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor()
    return next(
        (line.partition(":")[2].strip() for line in lines if line.startswith("model name")), "unknown"
    )


def _version(name: str) -> str:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return "not installed"


def write(name: str, data: Mapping[str, Any]) -> Path:
    """Write out/bench/<name>.json, with the surroundings."""
    OUT.mkdir(parents=True, exist_ok=True)
    path = OUT / f"{name}.json"
    path.write_text(json.dumps({"surroundings": surroundings(), **data}, indent=1) + "\n", encoding="utf-8")
    return path


def table(header: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    """Columns of text, numbers to four figures."""

    def cell(value: Any) -> str:
        return f"{value:.4g}" if isinstance(value, float) else str(value)

    lines = [list(header), *([cell(v) for v in row] for row in rows)]
    width = [max(len(line[k]) for line in lines) for k in range(len(header))]
    return "\n".join("  " + "  ".join(t.ljust(w) for t, w in zip(line, width, strict=True)) for line in lines)


def goal(text: str, met: bool) -> dict[str, Any]:
    """A goal and whether it is met, also on stdout."""
    print(f"  {'met   ' if met else 'MISSED'}  {text}")
    return {"goal": text, "met": bool(met)}


def in_new_process(
    code: str, *arguments: str, environment: Mapping[str, str] | None = None
) -> dict[str, Any]:
    """Run Python code with arguments in a fresh process; it prints one JSON object as its last line."""
    env = {**os.environ, **ONE_THREAD, **(environment or {})}
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments],
        cwd=ROOT,
        env=env,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        raise RuntimeError(f"benchmark process failed:\n{done.stderr}")
    result: dict[str, Any] = json.loads(done.stdout.strip().splitlines()[-1])
    return result
