"""Which folders make up the import package `ridewright`; everything else is said in pyproject.toml."""

from setuptools import find_packages, setup

ROOMS = ("core", "app", "resources")
FRONT = "core.ridewright"  # the package itself

inside = find_packages(include=[*ROOMS, *(f"{room}.*" for room in ROOMS)], exclude=[FRONT])
setup(
    packages=["ridewright", *(f"ridewright.{name}" for name in inside)],
    package_dir={"ridewright": FRONT.replace(".", "/"), **{f"ridewright.{room}": room for room in ROOMS}},
)
