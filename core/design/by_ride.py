"""The tools that need the speed of the train, with the speed of the project's own point ride."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from ..base.arrays import Array
from ..base.errors import InputError
from ..edits.closing import closing_piece, put_back, without_closing
from ..pointmass.ride import preview_ride
from ..project.point_train import ridden_settings
from ..project.project import Project
from ..track.build import BuiltTrack
from .bank import BankReport, BankWish, SpeedOf, auto_bank
from .close import close_circuit
from .closing_fit import CloseLimits, CloseReport

REACHED = 0.5  # m behind the last place of a ride that still counts as ridden


def speed_of_ride(project: Project) -> SpeedOf:
    """Speed (m/s) and its rate (m/s^2) at places of any built track, from a ride with the project's settings.

    The last track asked about is remembered. Places the ride does not reach before it turns back or stops have no
    speed; the tools refuse those.
    """
    last: list[tuple[BuiltTrack, Array, Array, Array]] = []

    def speed_of(built: BuiltTrack, s: Array) -> tuple[Array, Array]:
        if not last or last[0][0] is not built:
            ride = preview_ride(built, ridden_settings(project), gravity=project.gravity)
            ahead = ride.forward()
            order = np.argsort(ride.place[ahead], kind="stable")
            position, speed, rate = (
                ride.place[ahead][order],
                ride.speed[ahead][order],
                ride.acceleration[ahead][order],
            )
            if built.track.closed and len(position) > 1 and ride.s[-1] - ride.s[0] >= built.length - REACHED:
                # over the start of a circuit the last place comes before the first
                position = np.concatenate(
                    [[position[-1] - built.length], position, [position[0] + built.length]]
                )
                speed, rate = (np.concatenate([v[-1:], v, v[:1]]) for v in (speed, rate))
            last[:] = [(built, position, speed, rate)]
        _, position, speed, rate = last[0]
        if len(position) < 2:
            raise InputError("The point ride does not move; give it a start speed, a lift or a launch.")
        reached = (s >= position[0] - REACHED) & (s <= position[-1] + REACHED)
        return np.where(reached, np.interp(s, position, speed), 0.0), np.interp(s, position, rate)

    return speed_of


def bank_by_ride(
    project: Project, sections: Sequence[str], wish: BankWish | None = None
) -> tuple[Project, BankReport]:
    """`auto_bank` at the speed of the point ride and at the height of the track's heartline.

    Parameters
    ----------
    project
        With a track.
    sections
        Names of those to bank.
    wish
        What the cant is to reach; None for the usual.

    Returns
    -------
    The project with its cant, and what was reached.
    """
    return auto_bank(project, sections, speed_of_ride(project), wish=wish)


def close_by_ride(
    project: Project,
    sections: Sequence[str],
    limits: CloseLimits | None = None,
    *,
    on_progress: Callable[[float], None] | None = None,
    should_stop: Callable[[], bool] | None = None,
) -> tuple[Project, CloseReport]:
    """`close_circuit` at the speed of the point ride and at the height of the track's heartline.

    A circuit whose closing piece was drawn so before is closed anew: the piece is drawn again for the ends that
    there are now, with the devices on it.

    Parameters
    ----------
    project
        With a track.
    sections
        Names of those that may be changed.
    limits
        What the closing piece has to keep; None for the usual.
    on_progress
        Called with the part that is done, 0 to 1.
    should_stop
        Asked now and then.

    Returns
    -------
    The closed project, and what was reached.
    """
    piece = closing_piece(project.track)
    track = without_closing(project) if piece else project
    made, report = close_circuit(
        track,
        [name for name in sections if name not in piece],
        speed_of_ride(track),
        limits=limits,
        on_progress=on_progress,
        should_stop=should_stop,
    )
    return (put_back(project, made) if piece else made), report
