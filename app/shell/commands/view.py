"""View menu: cameras, units, theme, layout, pictures of the view."""

from __future__ import annotations

from collections.abc import Callable

from ....core.base.errors import InputError
from ...view3d.measure import Measure
from ...view3d.panel import ViewerPanel
from ...widgets import dialogs, theme
from ..studio import Studio
from .conditions import RIDDEN
from .declared import Group, action
from .files import FileCommands
from .guard import guarded
from .runs import RunCommands

PICTURES = "Pictures (*.png)"
SCENES = "glTF (*.glb *.gltf);;Wavefront OBJ (*.obj)"


class ViewCommands(Group):
    """The 3D view and the looks of the window."""

    def __init__(
        self,
        studio: Studio,
        viewer: ViewerPanel,
        measure: Measure,
        reset_layout: Callable[[], None],
        fold: Callable[[], None],
    ) -> None:
        super().__init__(studio)
        self._viewer, self._measure = viewer, measure
        self._reset_layout, self._fold = reset_layout, fold

    @action("Orbit camera", "View", icon="camera-orbit", shortcut="1", tip="Turn around the scene")
    def camera_orbit(self) -> None:
        """Turn around the scene."""
        self._viewer.use_camera("orbit")

    @action("Follow camera", "View", icon="camera-follow", shortcut="2", tip="Fly behind the train")
    def camera_follow(self) -> None:
        """Fly behind the train."""
        self._viewer.use_camera("follow")

    @action("On-ride camera", "View", icon="camera-ride", shortcut="3", tip="See with the rider's eyes")
    def camera_ride(self) -> None:
        """See with the rider's eyes."""
        self._viewer.use_camera("ride")

    @action("Side view", "View", icon="camera-side", shortcut="4", tip="Look from the side")
    def camera_side(self) -> None:
        """Look from the side."""
        self._viewer.use_camera("side")

    @action("Top view", "View", icon="camera-top", shortcut="5", tip="Look down on the plan")
    def camera_top(self) -> None:
        """Look down on the plan."""
        self._viewer.use_camera("top")

    @action("Frame selection", "View", icon="frame", shortcut="F", tip="Bring the selection close")
    def frame_selection(self) -> None:
        """Bring the selection close, or the whole scene when nothing is selected."""
        self._viewer.frame_selection()

    @action(
        "Measure distances",
        "View",
        icon="tool-transform",
        shortcut="M",
        tip="Click two places in the 3D view: distance, height and way along the track between them",
    )
    def measure(self) -> None:
        """Measure between two clicked places, or end it."""
        self._measure.switch(not self._measure.on)

    @measure.switched
    def _is_measuring(self) -> bool:
        return self._measure.on

    @action(
        "Switch units", "View", icon="units", shortcut="Ctrl+U", tip="SI or US customary units", tool=True
    )
    def units(self) -> None:
        """SI to US and back."""
        settings = self.studio.settings
        settings.units = "US" if settings.units == "SI" else "SI"

    @action("Switch theme", "View", icon="theme", shortcut="Ctrl+T", tip="Dark or light", tool=True)
    def theme(self) -> None:
        """Dark to light and back."""
        settings = self.studio.settings
        settings.theme = "light" if theme.resolve(settings.theme) == "dark" else "dark"

    @action("Full screen", "View", shortcut="F11", line_above=True)
    def full_screen(self) -> None:
        """Fill the screen, or go back to a window."""
        window = self.studio.parent
        if window.isFullScreen():
            window.showNormal()
        else:
            window.showFullScreen()

    @action(
        "Fold the panels below",
        "View",
        icon="down",
        shortcut="Ctrl+J",
        tip="Fold the panels below the 3D view to their tabs, or open them",
    )
    def fold(self) -> None:
        """Fold the panels below the view to their tabs, or open them."""
        self._fold()

    @action("Reset layout", "View", icon="layout", tip="Put every panel of this workspace back in its place")
    def reset_layout(self) -> None:
        """Put every panel of the workspace that is shown back in its place."""
        self._reset_layout()

    @action(
        "Export scene…",
        "File",
        icon="export",
        tip="Write track, supports, train and riders as they stand now, as glTF or OBJ",
        after=FileCommands.export_table,
    )
    @guarded("The scene was not exported")
    def export_scene(self) -> None:
        """Write what the 3D view shows for other programs."""
        from ...view3d.export import export_scene

        settings, parent = self.studio.settings, self.studio.parent
        path = dialogs.file_to_save(parent, "Export scene", settings.last_folder / "scene.glb", SCENES)
        if path is not None:
            if fault := self.studio.document.fault_of_track():
                raise InputError(fault)
            settings.last_folder = path.parent
            for file in export_scene(self._viewer.scene, path):
                self.studio.log(f"Written: {file}.")

    @action(
        "Save picture of the view…",
        "Results",
        icon="screenshot",
        shortcut="Ctrl+P",
        after=RunCommands.export_summary,
    )
    @guarded("The picture was not saved")
    def screenshot(self) -> None:
        """Save a picture of the 3D view."""
        settings, parent = self.studio.settings, self.studio.parent
        path = dialogs.file_to_save(
            parent, "Save picture of the view", settings.last_folder / "view.png", PICTURES
        )
        if path is not None:
            self._viewer.screenshot(path)
            settings.last_folder = path.parent
            self.studio.log(f"Saved {path}.")

    @action(
        "Export film…",
        "Results",
        icon="film",
        tip="The shown run as a film",
        after=screenshot,
        when=RIDDEN,
    )
    @guarded("The film was not made")
    def film(self) -> None:
        """Export a film of the shown run."""
        self._viewer.export_film()
