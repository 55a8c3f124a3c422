"""View menu: cameras, units, theme, layout, pictures of the view."""

from __future__ import annotations

from ridewright.app.shell.commands.guard import guarded
from ridewright.app.widgets import dialogs, theme
from ridewright.app.work.studio import Studio

PICTURES = "Pictures (*.png)"


class ViewCommands:
    """The 3D view and the looks of the window."""

    def __init__(self, studio: Studio) -> None:
        self.studio = studio

    def camera_orbit(self) -> None:
        """Turn around the scene."""
        self.studio.window.viewer.camera_orbit()

    def camera_follow(self) -> None:
        """Fly behind the train."""
        self.studio.window.viewer.camera_follow()

    def camera_ride(self) -> None:
        """See with the rider's eyes."""
        self.studio.window.viewer.camera_ride()

    def camera_side(self) -> None:
        """Look from the side."""
        self.studio.window.viewer.camera_side()

    def camera_top(self) -> None:
        """Look down on the plan."""
        self.studio.window.viewer.camera_top()

    def frame_selection(self) -> None:
        """Bring the selection close, or the whole scene when nothing is selected."""
        self.studio.window.viewer.frame_selection()

    def measure(self) -> None:
        """Measure between two clicked places, or end it."""
        measure = self.studio.window.measure
        measure.switch(not measure.on)
        self.studio.window.refresh_actions()

    def switch_units(self) -> None:
        """SI to US and back."""
        settings = self.studio.settings
        settings.units = "US" if settings.units == "SI" else "SI"

    def switch_theme(self) -> None:
        """Dark to light and back."""
        settings = self.studio.settings
        settings.theme = "light" if theme.resolve(settings.theme) == "dark" else "dark"

    def full_screen(self) -> None:
        """Fill the screen, or go back to a window."""
        window = self.studio.window
        if window.isFullScreen():
            window.showNormal()
        else:
            window.showFullScreen()

    def reset_layout(self) -> None:
        """Put every panel back in its place."""
        self.studio.window.reset_layout()

    @guarded("The picture was not saved")
    def screenshot(self) -> None:
        """Save a picture of the 3D view."""
        settings, window = self.studio.settings, self.studio.window
        path = dialogs.file_to_save(
            window, "Save picture of the view", settings.last_folder / "view.png", PICTURES
        )
        if path is not None:
            window.viewer.screenshot(path)
            settings.last_folder = path.parent
            window.log(f"Saved {path}.")

    @guarded("The film was not made")
    def film(self) -> None:
        """Export a film of the shown run."""
        self.studio.window.viewer.export_film()
