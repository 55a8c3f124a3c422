"""What OpenGL needs to be told before the QApplication exists."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtGui import QSurfaceFormat


def prepare_graphics() -> None:
    """Shared contexts, and the surface format of the 3D view (desktop OpenGL 3.2 core, as VTK asks for)."""
    # Floating a dock moves widgets to another window; without shared contexts the 3D view would lose its own.
    QCoreApplication.setAttribute(Qt.ApplicationAttribute.AA_ShareOpenGLContexts)
    # The 3D view is a native window of its own (see ViewerPanel); that must not make all panels beside it native too.
    QCoreApplication.setAttribute(Qt.ApplicationAttribute.AA_DontCreateNativeWidgetSiblings)
    wanted = QSurfaceFormat()
    wanted.setRenderableType(QSurfaceFormat.RenderableType.OpenGL)
    wanted.setProfile(QSurfaceFormat.OpenGLContextProfile.CoreProfile)
    wanted.setVersion(3, 2)
    wanted.setSwapBehavior(QSurfaceFormat.SwapBehavior.DoubleBuffer)
    for set_size in (wanted.setRedBufferSize, wanted.setGreenBufferSize, wanted.setBlueBufferSize):
        set_size(8)
    wanted.setAlphaBufferSize(8)
    wanted.setDepthBufferSize(8)
    wanted.setStencilBufferSize(0)
    wanted.setSamples(0)
    QSurfaceFormat.setDefaultFormat(wanted)
