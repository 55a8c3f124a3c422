"""What is released: its number, the page a package index shows, and files that every system can hold."""

from __future__ import annotations

import os
import re
import runpy
import shutil
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from ridewright.core.base.version import VERSION
from ridewright.core.model.forces import TYPES
from tools import sources
from tools.bundle import NOT_OF_PACKAGES, matching
from tools.bundle_libraries import LEFT_TO_THE_SYSTEM
from tools.kernel_symbols import since
from tools.wheel import ASK
from tools.wheel_check import RIDE, files

ROOT = Path(__file__).parents[2]
TEXT = {".py", ".md", ".toml", ".json", ".ridewright", ".cff", ".sh", ".typ", ".yml"}
NOT_ON_WINDOWS = re.compile(r'[<>:"|?*\x00-\x1f]|[ .]$')
DEVICES = {"con", "prn", "aux", "nul", *(f"{name}{k}" for name in ("com", "lpt") for k in range(1, 10))}
LONGEST = 150  # characters below the folder the program is installed in: Windows ends at 260


def _git(tree: Path, *words: str) -> str:
    names = ("-c", "user.name=a", "-c", "user.email=a@b")
    done = subprocess.run(
        ["git", "-C", str(tree), *names, *words], capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    place = tmp_path / "tree" / sources.PLACE
    place.parent.mkdir(parents=True)
    place.write_text('VERSION = "3.4.0"\n')
    return tmp_path / "tree"


def test_that_the_number_is_that_of_the_tag_and_says_what_lies_between(tree: Path) -> None:
    assert sources.number(tree) == "3.4.0"  # no history
    _git(tree, "init", "-q")
    _git(tree, "add", ".")
    _git(tree, "commit", "-qm", "one")
    assert re.fullmatch(r"3\.4\.0\.dev1\+g[0-9a-f]+", sources.number(tree))
    _git(tree, "tag", "-am", "3.4.0", "v3.4.0")
    assert sources.number(tree) == "3.4.0"
    (tree / sources.PLACE).write_text('VERSION = "3.4.0" \n')
    with pytest.raises(SystemExit, match="has no line VERSION"):
        sources.number(tree)
    (tree / sources.PLACE).write_text('"""Text."""\nVERSION = "3.4.0"\n')
    with pytest.raises(SystemExit, match=r"3\.4\.0 is released already"):
        sources.number(tree)
    (tree / sources.PLACE).write_text('VERSION = "3.5.0"\n')
    assert re.fullmatch(r"3\.5\.0\.dev0\+g[0-9a-f]+\.changed", sources.number(tree))
    _git(tree, "commit", "-qam", "two")
    assert re.fullmatch(r"3\.5\.0\.dev1\+g[0-9a-f]+", sources.number(tree))
    _git(tree, "tag", "v3.6.0")
    with pytest.raises(SystemExit, match=r"tagged v3\.6\.0, but .* says 3\.5\.0"):
        sources.number(tree)
    (tree / "inner" / sources.PLACE.parent).mkdir(parents=True)
    (tree / "inner" / sources.PLACE).write_text('VERSION = "1.0.0"\n')
    assert sources.number(tree / "inner") == "1.0.0"  # the history is that of the tree around it


def test_that_the_number_of_the_sources_is_one_of_a_release() -> None:
    assert sources.stated() == VERSION
    assert re.fullmatch(r"\d+\.\d+\.\d+(\.dev\d+\+g[0-9a-f]+(\.changed)?)?", VERSION)


def test_that_the_page_of_a_package_index_leads_to_no_file_beside_it() -> None:
    pytest.importorskip("setuptools")
    text = runpy.run_path(str(ROOT / "setup.py"), run_name="looked at")["description"]()
    assert re.findall(r"\]\((?!https://)[^)]*\)", text) == []
    assert "![" not in text
    assert 'pip install "ridewright[studio]"' in text
    # nothing but links and pictures is missing
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert "ridewright simulate PROJECT" in text
    assert text.count("\n#") == readme.count("\n#")


def test_that_names_and_lines_of_files_hold_on_every_system() -> None:
    taken: dict[str, Path] = {}
    wrong: list[str] = []
    for top in sources.WHEEL:
        found = ROOT / top
        for path in found.rglob("*") if found.is_dir() else (found,):
            if not path.is_file() or {"__pycache__", "shipped"} & {*path.parts}:
                continue
            name = path.relative_to(ROOT)
            if (other := taken.setdefault(str(name).lower(), name)) != name:
                wrong.append(f"{name} and {other} differ by case alone")
            for part in name.parts:
                if NOT_ON_WINDOWS.search(part) or part.split(".")[0].lower() in DEVICES:
                    wrong.append(f"{name}: no name on Windows")
            if len(str(name)) > LONGEST:
                wrong.append(f"{name}: {len(str(name))} characters")
            if path.suffix in TEXT and b"\r" in path.read_bytes():
                wrong.append(f"{name}: lines that end in other ways")
    assert not wrong


@pytest.mark.skipif(sys.platform != "linux", reason="asks glibc")
def test_that_the_age_of_a_name_of_glibc_is_found() -> None:
    """memcpy was there first; log2f came with 2.1 but in another version of 2.27; reallocarray came with 2.26."""
    assert (since("memcpy"), since("reallocarray"), since("numba_has_this")) == (2, 26, None)


def _install(place: Path, home: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [place / "install", *words], env={"HOME": str(home), "PATH": "/usr/bin:/bin"}, capture_output=True, text=True
    )  # fmt: skip


def test_that_a_bundle_is_put_among_the_programs_and_taken_out_again(tmp_path: Path) -> None:
    place, home = tmp_path / "a folder with blanks" / "Ridewright", tmp_path / "home"
    (place / "share").mkdir(parents=True)
    shutil.copy(ROOT / "tools" / "bundle" / "install", place)
    (place / "install").chmod(0o755)
    shutil.copy(ROOT / "resources" / "icons" / "ridewright.svg", place / "share")
    done = _install(place, home)
    assert done.returncode == 0, done.stderr
    data = home / ".local" / "share"
    entry = (data / "applications" / "ridewright.desktop").read_text(encoding="utf-8")
    assert f'\nExec="{place}/ridewright-studio" %f\n' in entry
    (glob,) = ElementTree.parse(data / "mime" / "packages" / "ridewright.xml").iterfind(".//{*}glob")
    kind = "application/x-ridewright"
    assert glob.get("pattern") == "*.ridewright"
    assert f"\nMimeType={kind};\n" in entry
    assert len([*data.rglob("*.svg")]) == 2
    assert _install(place, home, "--remove").returncode == 0
    own = [path for path in data.rglob("*") if path.is_file() and "ridewright" in path.name]
    assert own == []
    odd = place.with_name("100% $HOME")
    place.rename(odd)
    refused = _install(odd, home)
    assert refused.returncode == 2
    assert "rename it" in refused.stderr


def test_that_a_bundle_carries_what_a_desktop_may_lack_and_leaves_what_is_the_machines_own() -> None:
    for name in (
        "libc.so.6",
        "libGL.so.1",
        "libX11-xcb.so.1",
        "libxcb.so.1",
        "libstdc++.so.6",
        "ld-linux-x86-64.so.2",
    ):
        assert LEFT_TO_THE_SYSTEM.match(name), name
    for name in (
        "libxcb-cursor.so.0",
        "libssl.so.3",
        "libffi.so.8",
        "libcrypto.so.3",
        "libxkbcommon-x11.so.0",
    ):
        assert not LEFT_TO_THE_SYSTEM.match(name), name


def test_that_a_bundle_leaves_ffmpeg_out(tmp_path: Path) -> None:
    places = ("imageio_ffmpeg/binaries/ffmpeg-linux-x86_64-v9.0.2", "imageio_ffmpeg/binaries/__init__.py")
    for place in places:
        (tmp_path / place).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / place).touch()
    assert [*matching(tmp_path, NOT_OF_PACKAGES)] == [tmp_path / places[0]]


def test_that_what_is_written_beside_a_wheel_is_seen(tmp_path: Path) -> None:
    kept = tmp_path / "jit" / "kernel.nbi"
    kept.parent.mkdir()
    kept.write_text("one")
    before = files(tmp_path)
    assert files(tmp_path) == before
    os.utime(kept, ns=(1, 1))
    kept.with_suffix(".nbc").touch()
    after = files(tmp_path)
    assert {path.name for path, at in after.items() if before.get(path) != at} == {"kernel.nbi", "kernel.nbc"}


def test_that_the_laws_of_a_wheel_are_asked_for_as_a_second_engine_does() -> None:
    from ridewright.core.cross_check.law_kernel import say_law

    exec(ASK, {})
    assert say_law.signatures


@pytest.mark.nightly
def test_that_a_wheel_is_asked_for_every_kind_of_force() -> None:
    done = subprocess.run([sys.executable, "-c", RIDE], capture_output=True, text=True, check=True)
    assert done.stdout.split() == [*TYPES]
