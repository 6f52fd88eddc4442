"""Which way to draw: the GPU where there is a real one, else software (LH 3.11).

A GL that is itself software (llvmpipe, softpipe, swrast) is slower at points and lines than our
own raster, and is not taken unless asked for.
"""

from dataclasses import dataclass
from typing import Final, Literal

from PySide6.QtGui import QOffscreenSurface, QOpenGLContext, QSurfaceFormat

from holodesk.errors import Place, Unavailable

Renderer = Literal["gl", "raster"]
SOFTWARE: Final = ("llvmpipe", "softpipe", "swrast", "software rasterizer", "swiftshader")
GL_RENDERER: Final = 0x1F01
GL_VERSION: Final = 0x1F02


@dataclass(frozen=True, slots=True)
class Found:
    """What a probe for a GPU found: a name where there is a context, and whether it is real."""

    name: str
    gpu: bool
    es: bool = False


def surface_format(*, es: bool) -> QSurfaceFormat:
    """What the output surface asks for: no samples, a picture at each refresh of the screen."""
    form = QSurfaceFormat()
    if es:
        form.setRenderableType(QSurfaceFormat.RenderableType.OpenGLES)
        form.setVersion(3, 0)
    else:
        form.setRenderableType(QSurfaceFormat.RenderableType.OpenGL)
        form.setProfile(QSurfaceFormat.OpenGLContextProfile.CoreProfile)
        form.setVersion(3, 3)
    form.setSwapInterval(1)
    form.setSamples(0)
    return form


def probe() -> Found:
    """Make a context and ask it who it is; desktop GL first, then GLES."""
    for es in (False, True):
        context = QOpenGLContext()
        context.setFormat(surface_format(es=es))
        if not context.create():
            continue
        surface = QOffscreenSurface()
        surface.setFormat(context.format())
        surface.create()
        if not surface.isValid() or not context.makeCurrent(surface):
            continue
        version = context.format().version()
        name = str(context.functions().glGetString(GL_RENDERER) or "")
        context.doneCurrent()
        if version >= (3, 0):
            software = any(word in name.lower() for word in SOFTWARE)
            return Found(name, not software, context.isOpenGLES())
    return Found("", False)


def choose(wanted: str) -> tuple[Renderer, Found]:
    """The way to draw: "auto", "gl" or "raster" was asked for.

    Raises:
        Unavailable: GL was asked for and there is none.
    """
    if wanted == "raster":
        return "raster", Found("", False)
    found = probe()
    if wanted == "gl":
        if not found.name:
            told = "GL was asked for, and this display gives no GL context"
            raise Unavailable("renderer", told, Place(field="renderer"))
        return "gl", found
    return ("gl" if found.gpu else "raster"), found
