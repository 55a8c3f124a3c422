"""Files of films, frame by frame: MP4 by ffmpeg, a program of its own, and Ogg Theora by VTK, which is always here.

ffmpeg is looked for in the package imageio-ffmpeg, whose builds are under the GPL (the bundle has it without), then on
the PATH; IMAGEIO_FFMPEG_EXE names another one.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, Protocol

import numpy as np
from numpy.typing import NDArray

from ...core.base.errors import InputError

MP4, OGV = ".mp4", ".ogv"
QUALITY: Final = {MP4: 7, OGV: 2}  # of 10, and the best of three
NO_FFMPEG: Final = (
    "MP4 is made by ffmpeg, which is not here. Install it (Debian, Ubuntu: sudo apt install ffmpeg; else from"
    " ffmpeg.org) and start again, or take a file that ends in .ogv."
)


class Film(Protocol):
    """Takes pictures (height, width, 3), red, green and blue."""

    def append(self, pixels: NDArray[np.uint8]) -> None: ...


def has_ffmpeg() -> bool:
    """Whether an ffmpeg is found."""
    import imageio_ffmpeg

    try:
        return bool(imageio_ffmpeg.get_ffmpeg_exe())
    except RuntimeError:
        return False


def usual_ending() -> str:
    """Of a film whose file is not named yet."""
    return MP4 if has_ffmpeg() else OGV


@contextmanager
def film_file(path: Path, width: int, height: int, fps: int) -> Iterator[Film]:
    """A film of a size (px, even) and rate that is complete when the context ends; by its ending Ogg Theora, else MP4.

    Raises InputError when there is no ffmpeg and OSError when the file cannot be written.
    """
    made: _Mp4 | _Ogv = (_Ogv if path.suffix.lower() == OGV else _Mp4)(path, width, height, fps)
    try:
        yield made
    finally:
        made.close()


class _Mp4:
    def __init__(self, path: Path, width: int, height: int, fps: int) -> None:
        import imageio_ffmpeg

        if not has_ffmpeg():
            raise InputError(NO_FFMPEG)
        size = (width, height)
        self._frames: Generator[None, Any, None] = imageio_ffmpeg.write_frames(
            str(path), size, fps=fps, quality=QUALITY[MP4], macro_block_size=2
        )
        self._frames.send(None)

    def append(self, pixels: NDArray[np.uint8]) -> None:
        self._frames.send(np.ascontiguousarray(pixels))

    def close(self) -> None:
        self._frames.close()


class _Ogv:
    def __init__(self, path: Path, width: int, height: int, fps: int) -> None:
        from vtkmodules.vtkCommonDataModel import vtkImageData
        from vtkmodules.vtkIOOggTheora import vtkOggTheoraWriter

        self._image = vtkImageData()
        self._image.SetDimensions(width, height, 1)
        self._writer: Any = vtkOggTheoraWriter()
        self._writer.SetInputData(self._image)
        self._writer.SetFileName(str(path))
        self._writer.SetRate(fps)
        self._writer.SetQuality(QUALITY[OGV])
        self._writer.SetSubsampling(True)  # of colours, as all players know it
        self._begun = False

    def append(self, pixels: NDArray[np.uint8]) -> None:
        from vtkmodules.util.numpy_support import numpy_to_vtk

        rows = pixels[::-1].reshape(-1, 3)  # VTK has the lowest row first
        self._image.GetPointData().SetScalars(numpy_to_vtk(np.ascontiguousarray(rows), deep=True))
        self._image.Modified()
        if not self._begun:
            self._writer.Start()
            self._begun = True
        self._writer.Write()
        if self._writer.GetError():
            raise OSError(f"VTK cannot write {self._writer.GetFileName()}")

    def close(self) -> None:
        if self._begun:
            self._writer.End()
