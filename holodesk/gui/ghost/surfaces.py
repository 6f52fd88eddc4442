"""What a GPU works with, in Qt's own classes: programs, buffers, targets and masks (LH 3.11)."""

from typing import Any, Final

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QSize
from PySide6.QtGui import QImage, QMatrix4x4, QOpenGLContext
from PySide6.QtOpenGL import (
    QOpenGLBuffer,
    QOpenGLFramebufferObject,
    QOpenGLFramebufferObjectFormat,
    QOpenGLShader,
    QOpenGLShaderProgram,
    QOpenGLTexture,
    QOpenGLVertexArrayObject,
)

from holodesk.display.scene import F4
from holodesk.errors import Unavailable
from holodesk.gui.ghost.shaders import header

FLOAT: Final = 0x1406
TEXTURE_2D: Final = 0x0DE1
TEXTURE0: Final = 0x84C0
MAG_FILTER, MIN_FILTER = 0x2800, 0x2801
WRAP_S, WRAP_T, CLAMP = 0x2802, 0x2803, 0x812F
NEAREST, LINEAR = 0x2600, 0x2601
RGBA16F: Final = 0x881A


class Program:
    """A shader program whose uniforms are named.

    Raises:
        Unavailable: the GPU refuses the shader.
    """

    def __init__(self, vertex: str, fragment: str, *, es: bool) -> None:
        self._program = QOpenGLShaderProgram()
        for kind, source in (
            (QOpenGLShader.ShaderTypeBit.Vertex, vertex),
            (QOpenGLShader.ShaderTypeBit.Fragment, fragment),
        ):
            if not self._program.addShaderFromSourceCode(kind, header(es=es) + source):
                raise _refused(self._program.log())
        if not self._program.link():
            raise _refused(self._program.log())
        self._places: dict[str, int] = {}

    def bind(self) -> None:
        """Draw with it from now on."""
        self._program.bind()

    def release(self) -> None:
        """Draw with it no longer."""
        self._program.release()

    def numbers(self, name: str, *values: float) -> None:
        """A float, or a vector of them; a name that the shader does not use is nothing."""
        place = self._place(name)
        if place < 0:
            return
        if len(values) == 1:
            self._program.setUniformValue1f(place, float(values[0]))
        else:
            self._program.setUniformValue(place, *(float(value) for value in values))

    def whole(self, name: str, *values: int) -> None:
        """A whole number, or two."""
        place = self._place(name)
        if place < 0:
            return
        if len(values) == 1:
            self._program.setUniformValue1i(place, values[0])
        else:
            functions: Any = QOpenGLContext.currentContext().functions()
            functions.glUniform2i(place, *values)

    def matrix(self, name: str, value: QMatrix4x4) -> None:
        """A matrix of four rows."""
        place = self._place(name)
        if place >= 0:
            self._program.setUniformValue(place, value)

    def _place(self, name: str) -> int:
        if name not in self._places:
            self._places[name] = self._program.uniformLocation(name)
        return self._places[name]


class Store:
    """One buffer of rows of floats, written anew for each drawing."""

    def __init__(self) -> None:
        self._array = QOpenGLVertexArrayObject()
        self._array.create()
        self._buffer = QOpenGLBuffer(QOpenGLBuffer.Type.VertexBuffer)
        self._buffer.create()
        self._buffer.setUsagePattern(QOpenGLBuffer.UsagePattern.StreamDraw)

    def fill(self, rows: F4) -> None:
        """Put rows in, and forget those before."""
        octets = np.ascontiguousarray(rows, np.float32).tobytes()
        self._buffer.bind()
        self._buffer.allocate(octets, len(octets))
        self._buffer.release()

    def attach(self, extra: Any, sizes: tuple[int, ...], *, each: bool) -> None:
        """Read rows as attributes of these sizes: one row for each vertex or each instance."""
        self._array.bind()
        self._buffer.bind()
        stride, offset = 4 * sum(sizes), 0
        program: Any = extra
        for place in range(len(PIECES)):
            program.glDisableVertexAttribArray(place)
        for place, size in enumerate(sizes):
            program.glEnableVertexAttribArray(place)
            program.glVertexAttribPointer(place, size, FLOAT, False, stride, _pointer(offset))
            program.glVertexAttribDivisor(place, 1 if each else 0)
            offset += 4 * size

    def release(self) -> None:
        """Read from it no longer."""
        self._buffer.release()
        self._array.release()


PIECES: Final = range(8)


def _pointer(offset: int) -> Any:
    from shiboken6 import VoidPtr

    return VoidPtr(offset)


class Target:
    """A surface of floating-point light that can be drawn on and read from.

    Raises:
        Unavailable: the GPU has no such surface.
    """

    def __init__(
        self,
        context: QOpenGLContext,
        columns: int,
        rows: int,
        *,
        depth: bool = False,
        smooth: bool = False,
    ) -> None:
        self._gl: Any = context.functions()
        form = QOpenGLFramebufferObjectFormat()
        form.setInternalTextureFormat(RGBA16F)
        if depth:
            form.setAttachment(QOpenGLFramebufferObject.Attachment.Depth)
        self._columns, self._rows = columns, rows
        self._object = QOpenGLFramebufferObject(QSize(columns, rows), form)
        if not self._object.isValid():
            raise _refused("no surface of floating-point light")
        self._gl.glBindTexture(TEXTURE_2D, self._object.texture())
        _filter(self._gl, smooth)

    def begin(self, bits: int) -> None:
        """Bind and clear."""
        self.bind()
        self._gl.glDepthMask(True)
        self._gl.glClearColor(0.0, 0.0, 0.0, 0.0)
        self._gl.glClear(bits)

    def bind(self) -> None:
        """Draw on it from now on."""
        self._object.bind()
        self._gl.glViewport(0, 0, self._columns, self._rows)

    def sample(self, gl: Any, program: Program, name: str, unit: int) -> None:
        """Let a program read it under this name."""
        gl.glActiveTexture(TEXTURE0 + unit)
        gl.glBindTexture(TEXTURE_2D, self._object.texture())
        program.whole(name, unit)


class Mask:
    """A fixed picture of 0..1, (rows, columns) of 0..255."""

    def __init__(
        self, context: QOpenGLContext, levels: npt.NDArray[np.uint8], *, smooth: bool
    ) -> None:
        rows, columns = levels.shape
        pixels = np.repeat(levels[:, :, None], 4, axis=2).copy()
        image = QImage(pixels.data, columns, rows, columns * 4, QImage.Format.Format_RGBA8888)
        self._texture = QOpenGLTexture(
            image.copy(), QOpenGLTexture.MipMapGeneration.DontGenerateMipMaps
        )
        gl: Any = context.functions()
        gl.glBindTexture(TEXTURE_2D, self._texture.textureId())
        _filter(gl, smooth)

    def sample(self, gl: Any, program: Program, name: str, unit: int) -> None:
        """Let a program read it under this name."""
        gl.glActiveTexture(TEXTURE0 + unit)
        gl.glBindTexture(TEXTURE_2D, self._texture.textureId())
        program.whole(name, unit)

    def let_go(self) -> None:
        """Destroy it, in the current context."""
        self._texture.destroy()


def _filter(gl: Any, smooth: bool) -> None:
    for which in (MAG_FILTER, MIN_FILTER):
        gl.glTexParameteri(TEXTURE_2D, which, LINEAR if smooth else NEAREST)
    for which in (WRAP_S, WRAP_T):
        gl.glTexParameteri(TEXTURE_2D, which, CLAMP)


def _refused(why: str) -> Unavailable:
    told = " ".join(why.split())[:200]
    return Unavailable("renderer", f"the GPU cannot draw this: {told}")
