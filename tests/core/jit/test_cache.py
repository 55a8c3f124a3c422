"""A compiled kernel is stale when anything it is made of has changed, and only then."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from ridewright import core
from ridewright.core.jit import cache
from ridewright.core.jit.cache import _imported, _text, kept_in, source_stamp
from ridewright.core.solver.ldl import factorise

KERNEL = "from numba import njit\n{imports}\n@njit(cache=True)\ndef {name}(x):\n    return x + 1\n"


def stamp(root: Path, name: str) -> str:
    _text.cache_clear()
    _imported.cache_clear()
    return source_stamp(root, root / name)


def test_that_a_stamp_follows_the_kernels_called_and_constants_used_and_nothing_else(tmp_path: Path) -> None:
    (tmp_path / "room").mkdir()
    (tmp_path / "room" / "__init__.py").write_text("")
    files = {
        "room/low.py": KERNEL.format(imports="from ..sizes import N", name="low"),
        "room/middle.py": KERNEL.format(imports="from .low import low", name="middle"),
        "top.py": KERNEL.format(imports="from .room.middle import middle", name="top"),
        "beside.py": KERNEL.format(imports="", name="beside"),
        "sizes.py": "from .far import M\nN = 1\n",
        "far.py": "M = 1\n",
        "laws/__init__.py": "",
        "laws/one.py": KERNEL.format(imports="", name="one"),
        "user.py": KERNEL.format(imports="from .laws import LAWS", name="user"),
        "chosen.py": KERNEL.format(imports="from .room import (\n    low,\n)", name="chosen"),
    }
    (tmp_path / "laws").mkdir()
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    before = {name: stamp(tmp_path, name) for name in files}
    for changed, stale in {
        "room/low.py": {"room/low.py", "room/middle.py", "top.py", "chosen.py"},
        "sizes.py": {"sizes.py", "room/low.py", "room/middle.py", "top.py", "chosen.py"},
        "laws/one.py": {"laws/one.py", "user.py"},
        "beside.py": {"beside.py"},
        "far.py": {"far.py", "sizes.py"},
    }.items():
        (tmp_path / changed).write_text(files[changed] + "# changed\n")
        assert {name for name in files if stamp(tmp_path, name) != before[name]} == stale, changed
        (tmp_path / changed).write_text(files[changed])


def test_that_numba_keeps_this_program_s_kernels_by_these_stamps() -> None:
    package = Path(core.__file__).parent
    file = package / "solver" / "ldl.py"
    locator = factorise._cache._impl.locator
    assert Path(locator.get_cache_path()).name.startswith("solver.ldl-")
    assert locator.get_source_stamp() == source_stamp(package, file)


def test_that_looking_at_core_alone_does_not_load_numba() -> None:
    code = "import ridewright.core, sys; sys.exit('numba' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_that_kernels_are_kept_so_too_when_numba_was_there_first() -> None:
    code = (
        "import numba, sys; from ridewright.core.base.frames import rotation_matrix_kernel as k;"
        " sys.exit(type(k._cache._impl.locator).__name__)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stderr.strip() == "KernelLocator"


def test_that_what_numba_makes_of_kernels_is_in_every_stamp(tmp_path: Path) -> None:
    (tmp_path / "low.py").write_text(KERNEL.format(imports="", name="low"))
    (tmp_path / "jit").mkdir()
    (tmp_path / "jit" / "decorators.py").write_text("A = 1\n")
    before = stamp(tmp_path, "low.py")
    (tmp_path / "jit" / "decorators.py").write_text("A = 2\n")
    assert stamp(tmp_path, "low.py") != before


def test_that_what_another_version_kept_is_not_read_and_goes_when_it_is_old(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not even looked at: its index may name classes that this version has not."""
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    file = Path(core.__file__).parent / "solver" / "ldl.py"
    home = kept_in(file)
    assert home is not None
    folder, stamp = home
    others = [folder.with_name(f"solver.ldl-{k}") for k in range(2)]
    for other in others:
        other.mkdir()
    os.utime(others[0], (0.0, 0.0))
    folder.rmdir()
    assert kept_in(file) == (folder, stamp)
    assert folder.exists()
    assert [other.exists() for other in others] == [False, True]
    assert kept_in(tmp_path / "mine.py") is None


def test_that_without_any_folder_to_write_to_the_program_ends_with_a_sentence(monkeypatch) -> None:
    def full(**_: object) -> str:
        raise OSError("read-only")

    monkeypatch.setattr(cache.tempfile, "mkdtemp", full)
    cache._private.cache_clear()
    with pytest.raises(SystemExit, match="NUMBA_CACHE_DIR or in TMPDIR"):
        cache._private("/x cannot be made")


def test_that_kernels_kept_under_another_name_of_the_package_are_not_read(tmp_path, monkeypatch) -> None:
    """What numba keeps names the modules it is of."""
    (tmp_path / "one.py").write_text(KERNEL.format(imports="", name="one"))
    before = source_stamp(tmp_path, tmp_path / "one.py")
    monkeypatch.setattr("ridewright.core.jit.cache.__name__", "core.jit.cache")
    assert source_stamp(tmp_path, tmp_path / "one.py") != before


def test_that_kernels_that_came_with_the_program_are_used_where_they_lie(tmp_path, monkeypatch) -> None:
    """Nothing is copied, unless others can write there too."""
    shipped = tmp_path / "shipped"
    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
    monkeypatch.setattr(cache, "SHIPPED", shipped)
    beside = cache.cache_folder()
    assert not shipped.exists()
    shipped.mkdir(mode=0o755)
    (shipped / cache.BASELINE).write_text("")
    assert cache.cache_folder() == shipped
    file = Path(core.__file__).parent / "solver" / "ldl.py"
    made, stamp = kept_in(file) or (None, "")
    assert made == shipped / f"solver.ldl-{stamp[: cache.SHORT]}"
    shipped.chmod(0o777)
    assert cache.cache_folder() == beside != shipped


@pytest.mark.parametrize("came", [True, False])
def test_that_a_private_folder_is_spoken_of_unless_kernels_came_with_the_program(
    came: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shipped = tmp_path / "shipped"
    shipped.mkdir()
    if came:
        (shipped / cache.BASELINE).write_text("")
    shipped.chmod(0o777)  # so that it cannot be the folder for more
    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
    monkeypatch.setattr(cache, "SHIPPED", shipped)
    monkeypatch.setattr(cache, "PACKAGE", shipped / "none")
    monkeypatch.setattr(cache, "_user_cache", list)
    monkeypatch.setattr(cache, "_fault", lambda _place: "cannot be written to")
    cache._private.cache_clear()
    try:
        assert cache.cache_folder().name.startswith("ridewright-kernels-")
    finally:
        cache._private.cache_clear()
    assert ("for this session only" in capsys.readouterr().err) != came
