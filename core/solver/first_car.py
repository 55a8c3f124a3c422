"""Where the first car of a train is while it rides."""

from __future__ import annotations

import math

import numpy as np

from ..base.arrays import Array
from ..multibody.compile import System


class FirstCar:
    """The place of the first car of a system, of one without cars nowhere."""

    def __init__(self, system: System) -> None:
        self._built = system.built
        # number of the guide, path, offset from the car's origin
        self._guides: list[tuple[int, str, float]] = []
        if system.cars and self._built is not None:
            car = system.cars[0]
            first = car.guides[0]
            self._guides = [(first + k, guide.path, guide.ahead) for k, guide in enumerate(car.places)]

    def place(self, path: Array) -> float:
        """Arc length (m) of the car's origin on the centreline from those of the system's guides (ng,); nan without."""
        places = []
        for k, path_name, offset in self._guides:
            along = float(path[k])
            if path_name != "centreline":
                assert self._built is not None
                along = float(self._built.rails[path_name].to_centreline([along])[0])
            places.append(along - offset)
        return float(np.mean(places)) if places else math.nan
