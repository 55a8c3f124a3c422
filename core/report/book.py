"""What is put together while a report is made: options, progress, drawings."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from ..base.frozen import Frozen
from ..outcome.origin.moment import Origin
from ..outcome.rider_view import RiderJudgement
from .document import Figure
from .drawing_process import BegunDrawing, DrawingProcess
from .figures.canvas import Drawing

Progress = Callable[[float, str], None]
Pictures = Callable[["PictureWish"], bytes | None]


class Stopped(Exception):  # noqa: N818 - no fault: the person asked for it
    """The report was given up because `should_stop` said so."""


class ReportOptions(Frozen):
    """What a person chooses: date (ISO 8601, shown and written into the files), names of author, checker and approver
    (with a line to sign on each), revision, logo (a picture file), template (a folder with a `report.typ` or
    `report.html` in place of the program's own; "" takes those), how many governing moments are pictured, how many
    riders get figures of their own (those with the least margins), whether the moments are ridden again with speed,
    track and suspension changed (takes a while), whether the whole run is computed again at ten times its tolerance to
    see how many digits its values have."""

    date: str
    author: str = ""
    checker: str = ""
    approver: str = ""
    revision: str = ""
    logo: str = ""
    template: str = ""
    moments: int = 6
    riders_drawn: int = 2
    sensitivity: bool = False
    uncertainty: bool = False
    steelwork: bool = False


@dataclass(frozen=True)
class PictureWish:
    """A picture asked for: the train and the track around it at a time (s) of the run; rider: whom to look at."""

    time: float
    rider: str
    part: str


@dataclass(frozen=True)
class Event:
    """A governing moment: its letter, the judgement with the least margin there, where it comes from, and other
    judgements at the same time."""

    mark: str
    judged: RiderJudgement
    origin: Origin
    others: tuple[RiderJudgement, ...] = ()

    @property
    def time(self) -> float:
        """Time (s) at which the car was at the place the value comes from."""
        return self.origin.time

    @property
    def place(self) -> float | None:
        """Arc length (m) of the car then; None without a track."""
        return self.origin.arc_length


@dataclass
class Book:
    """Drawings collected so far, and the way to tell how far things are; drawing: what draws while one goes on."""

    options: ReportOptions
    on_progress: Progress | None = None
    should_stop: Callable[[], bool] | None = None
    drawing: DrawingProcess | None = None
    files: dict[str, bytes] = field(default_factory=dict)
    coming: dict[str, BegunDrawing] = field(default_factory=dict)

    def step(self, share: float, what: str) -> None:
        """Tell progress (done share, what comes now); raises Stopped when nobody wants the report any more."""
        if self.should_stop is not None and self.should_stop():
            raise Stopped
        if self.on_progress is not None:
            self.on_progress(share, what)

    def figure(self, name: str, title: str, caption: str, draw: Drawing, width: float = 1.0) -> Figure:
        """Have a drawing made and return its place in the document."""
        file = f"{name}.svg"
        if self.drawing is None:
            self.files[file] = draw()
        else:
            self.coming[file] = self.drawing.begin(draw)
        return Figure(id=name, title=title, caption=caption, file=file, width=width)

    def drawn(self) -> dict[str, bytes]:
        """The files, when all are there; those whose turn has not come are drawn here, beginning with the last. Raises
        Stopped as `step` does, and what a drawing raised."""
        waiting = [*self.coming.items()]
        self.coming.clear()
        while waiting and waiting[-1][1].take_back():
            self.step(0.9, "drawings")
            file, begun = waiting.pop()
            self.files[file] = begun.draw()
        for file, begun in waiting:
            self.step(0.9, "drawings")
            self.files[file] = begun()
        return self.files
