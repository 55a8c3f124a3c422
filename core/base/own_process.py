"""Settings of a process that is Ridewright and nothing else; who imports core into a program keeps that program's."""

import gc
import logging
import os

OFTEN = 10_000  # new objects after which the youngest are looked through for cycles; by default 700
_ours: list[bool] = []  # whether this process is Ridewright and nothing else
THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")


def settle() -> None:
    """What exists now stays to the end: it is left out when garbage is looked for, which takes a quarter of a second
    each time with a long run in memory. Of no effect in a program that `set_up` was not called in."""
    if _ours:
        gc.freeze()


def set_up(*, collect: bool = True) -> None:
    """Set up the process for a quick start; to be called before numpy is imported. What the user has set stays.

    collect: whether Python looks for garbage by itself; the studio has a collector of its own (a tenth of its start).
    Garbage: what a start creates stays; to look through it at every 700 new objects would take a tenth of a second.
    Linear algebra on one thread: the matrices are small, and threads that wait for each other on a busy machine hold
    up the window's (the singular values of a 110 x 148 matrix took 2 ms on one thread and up to 145 ms on two).
    """
    _ours.append(True)
    logging.getLogger("matplotlib").setLevel(logging.ERROR)  # it tells a user without a home about its cache
    if not collect:
        gc.disable()
    often, *seldom = gc.get_threshold()
    if 0 < often < OFTEN:
        gc.set_threshold(OFTEN, *seldom)
    for name in THREADS:
        os.environ.setdefault(name, "1")
