"""Settings survive a restart and refuse nonsense."""

from __future__ import annotations

from pathlib import Path

from ridewright.app.widgets import units
from ridewright.app.widgets.settings import MAX_RECENT, Settings


def test_that_settings_are_found_again(qapp: object, tmp_path: Path) -> None:
    first = Settings(tmp_path)
    first.units, first.theme, first.quality = "US", "light", "low"
    first.recovery_seconds = 7.5
    first.tour_seen = True
    first.start_with = "last"
    first.set_value("viewer/colour_by", "speed")
    first.sync()
    again = Settings(tmp_path)
    assert (again.units, again.theme, again.quality) == ("US", "light", "low")
    assert again.recovery_seconds == 7.5
    assert again.tour_seen
    assert again.start_with == "last"
    assert again.value("viewer/colour_by") == "speed"
    assert units.current() == "US"
    again.units = "SI"
    assert units.current() == "SI"


def test_that_a_foreign_value_falls_back(qapp: object, tmp_path: Path) -> None:
    (tmp_path / "settings.ini").write_text("[view]\nunits=cubits\ntheme=plaid\n")
    settings = Settings(tmp_path)
    assert settings.units == "SI"
    assert settings.theme == "dark"


def test_that_a_change_is_told_once(qapp: object, tmp_path: Path) -> None:
    settings = Settings(tmp_path)
    heard: list[str] = []
    settings.changed.connect(heard.append)
    settings.theme = "light"
    settings.theme = "light"
    settings.quality = "high"
    assert heard == ["theme", "quality"]


def test_that_recent_files_are_newest_first_without_doubles_and_few(qapp: object, tmp_path: Path) -> None:
    settings = Settings(tmp_path)
    for k in range(MAX_RECENT + 3):
        settings.add_recent(tmp_path / f"{k}.ridewright")
    settings.add_recent(tmp_path / "5.ridewright")
    settings.sync()
    names = [path.stem for path in Settings(tmp_path).recent_files]
    assert names[:3] == ["5", "12", "11"]
    assert len(names) == MAX_RECENT
    assert len(set(names)) == len(names)
    settings.forget_recent(tmp_path / "5.ridewright")
    assert settings.recent_files[0].stem == "12"
    settings.forget_recent()
    assert settings.recent_files == ()


def test_that_one_recent_file_is_not_taken_for_letters(qapp: object, tmp_path: Path) -> None:
    settings = Settings(tmp_path)
    settings.add_recent(tmp_path / "only.ridewright")
    settings.sync()
    assert Settings(tmp_path).recent_files == ((tmp_path / "only.ridewright"),)
