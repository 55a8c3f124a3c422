"""What drives and slows a train along the track: one file a kind. Every file of this folder that has a KIND is one (see
`core.track.devices.base`)."""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules
from typing import TYPE_CHECKING, Annotated, Any, Union

from pydantic import Field

from ...jit.choice import choice
from .base import Device, DeviceKind


def _found() -> dict[str, DeviceKind]:
    modules = [import_module(f"{__name__}.{m.name}") for m in iter_modules(__path__)]
    kinds: list[DeviceKind] = [m.KIND for m in modules if hasattr(m, "KIND")]
    return {made.kind: made for made in sorted(kinds, key=lambda made: (made.rank, made.title))}


KINDS = _found()
LAWS = list(KINDS.values())
#: (number of the law, p, opened, keep, v, inertia, near) -> force, slope; see `core.track.devices.law`
device_force = choice([(k, made.law) for k, made in enumerate(LAWS)])
if TYPE_CHECKING:
    AnyDevice = Device
else:
    AnyDevice = Annotated[Union[tuple(made.model for made in LAWS)], Field(discriminator="kind")]  # noqa: UP007


def kind_of(device: Any) -> DeviceKind:
    """The kind of a device."""
    return KINDS[device.kind]


def device_row(device: Device, mass: float) -> list[float]:
    """The row (WIDTH,) of a device for a train of so much mass (kg), for `device_force`."""
    kind = kind_of(device)
    return kind.row(device, mass).numbers(LAWS.index(kind))


__all__ = ["KINDS", "AnyDevice", "Device", "DeviceKind", "device_force", "device_row", "kind_of"]
