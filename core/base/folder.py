"""Families of which a kind is one file: the folder is the registry, and nothing lists what stands in it."""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules
from types import ModuleType


def modules_with(package: str, *names: str) -> tuple[ModuleType, ...]:
    """The modules and packages of a folder that define any of some names, in the order of their own names.

    package: dotted name of the folder (`__name__` of its `__init__.py`).
    """
    folder = import_module(package)
    found = [
        import_module(f"{package}.{m.name}")
        for m in sorted(iter_modules(folder.__path__), key=lambda m: m.name)
    ]
    return tuple(module for module in found if any(hasattr(module, name) for name in names))
