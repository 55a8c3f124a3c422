"""What pyproject.toml cannot say: which folders make up the import package `ridewright`, how the page on a package
index reads, and that a wheel with kernels is one of its platform."""

import re
from pathlib import Path

import setuptools

ROOT = Path(__file__).resolve().parent
ROOMS = ("core", "app", "resources")
FRONT = "core.ridewright"  # the package itself
PICTURE = re.compile(r"^!\[[^\]]*\]\((?!https?:)[^)]*\)\n\n?", re.MULTILINE)
LINK = re.compile(r"\[([^\]]+)\]\((?!https?:)[^)]*\)")


def description() -> str:
    """The README as it holds on its own: without pictures and links that lead to files beside it."""
    return LINK.sub(r"\1", PICTURE.sub("", (ROOT / "README.md").read_text(encoding="utf-8")))


class Distribution(setuptools.Distribution):
    """A pure Python program, unless kernels lie in it (tools/wheel.py), which are machine code."""

    def has_ext_modules(self) -> bool:
        return (ROOT / "core" / "jit" / "shipped").is_dir()


if __name__ == "__main__":
    inside = setuptools.find_packages(include=[*ROOMS, *(f"{room}.*" for room in ROOMS)], exclude=[FRONT])
    setuptools.setup(
        distclass=Distribution,
        long_description=description(),
        long_description_content_type="text/markdown",
        packages=["ridewright", *(f"ridewright.{name}" for name in inside)],
        package_dir={"ridewright": FRONT.replace(".", "/"), **{f"ridewright.{room}": room for room in ROOMS}},
    )
