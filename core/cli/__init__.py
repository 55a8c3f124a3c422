"""The commands of `ridewright`, one file each."""

from collections.abc import Sequence

from ..base.own_process import set_up


def main(argv: Sequence[str] | None = None) -> int:
    """The program `ridewright`: see `core.cli.program.main`, which is imported once the process is set up."""
    set_up()
    from .program import main as program

    return program(argv)


__all__ = ["main"]
