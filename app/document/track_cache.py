"""Built tracks by their description: a panel may ask as often as it likes."""

from __future__ import annotations

from collections import OrderedDict

from ...core.base.errors import InputError
from ...core.track.build import BuiltTrack, build_track
from ...core.track.description import Track

KEPT = 8


class TrackCache:
    """The last few built tracks, and why others could not be built."""

    def __init__(self) -> None:
        self._built: OrderedDict[int, tuple[Track, BuiltTrack | None, InputError | None]] = OrderedDict()

    def put(self, track: Track, built: BuiltTrack) -> None:
        """Keep a track that was built elsewhere."""
        self._built[id(track)] = (track, built, None)

    def get(self, track: Track | None) -> tuple[BuiltTrack | None, InputError | None]:
        """The built track, or None and the error that says why not. No track gives (None, None)."""
        if track is None:
            return None, None
        # By identity: descriptions are frozen, and comparing thousands of points would cost more than it saves.
        # The entry holds the description, so that its identity is not given to another one meanwhile.
        known = self._built.get(id(track))
        if known is None:
            try:
                known = (track, build_track(track, ride=False), None)
            except InputError as error:
                known = (track, None, error)
            self._built[id(track)] = known
            while len(self._built) > KEPT:
                self._built.popitem(last=False)
        else:
            self._built.move_to_end(id(track))
        return known[1], known[2]
