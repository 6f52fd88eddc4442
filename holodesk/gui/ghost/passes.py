"""The steps of one picture on the GPU: pieces, bloom, light into colour (LH 3.11).

Each face has a rectangle of rows in every surface, one under the other, as in the raster's fields.
"""

from typing import Any, Final

import numpy as np
from PySide6.QtGui import QMatrix4x4, QOpenGLContext
from PySide6.QtOpenGL import QOpenGLVertexArrayObject

from holodesk.display.beads import Pieces, pieces
from holodesk.display.bloom import kernel
from holodesk.display.ground import Ground
from holodesk.display.scene import F4, Facets
from holodesk.display.script import Page, Pages
from holodesk.display.sheet import Sheet, View
from holodesk.gui.ghost import shaders
from holodesk.gui.ghost.surfaces import Mask, Program, Store, Target

STRIP, TRIANGLES, POINTS = 0x0005, 0x0004, 0x0000
BLEND, DEPTH_TEST, SCISSOR_TEST = 0x0BE2, 0x0B71, 0x0C11
ONE: Final = 1
COLOUR_BIT, DEPTH_BIT = 0x4000, 0x0100
FRAMEBUFFER: Final = 0x8D40
PIECE: Final = (3, 3, 3, 3, 3, 3, 4)
FACET: Final = (3, 3, 3, 3)
DOT: Final = (2, 3)


class Surfaces:
    """What one ground needs: light, seeds, two blurs, and which pixels are the face's."""

    def __init__(self, context: QOpenGLContext, laid: Ground) -> None:
        field, coarse = laid.field, laid.coarse
        self.core = Target(context, field.columns, field.rows * field.count, depth=True)
        wide, high = coarse.columns, coarse.rows * coarse.count
        self.seeds = Target(context, wide, high)
        self.near = (Target(context, wide, high), Target(context, wide, high, smooth=True))
        half = (wide // 2, high // 2)
        self.wide = (Target(context, *half), Target(context, *half, smooth=True))
        owned = (laid.owned != 0) * (np.uint8(255) if laid.seams is None else laid.seams)
        self.owned = Mask(context, owned.reshape(-1, field.columns), smooth=False)
        feather = np.round(laid.feather * 255).astype(np.uint8)
        self.feather = Mask(context, feather.reshape(-1, coarse.columns), smooth=True)

    def let_go(self) -> None:
        """Destroy what only the GPU can."""
        self.owned.let_go()
        self.feather.let_go()


class Passes:
    """Programs and buffers of one context.

    Raises:
        Unavailable: the GPU cannot make a program or a surface.
    """

    def __init__(self, context: QOpenGLContext) -> None:
        self._context = context
        self._gl: Any = context.functions()
        self._extra: Any = context.extraFunctions()
        es = context.isOpenGLES()
        self._core = Program(shaders.CORE_VERTEX, shaders.CORE_FRAGMENT, es=es)
        self._seed = Program(shaders.SEED_VERTEX, shaders.SEED_FRAGMENT, es=es)
        self._dot = Program(shaders.DOT_VERTEX, shaders.DOT_FRAGMENT, es=es)
        self._facet = Program(shaders.FACET_VERTEX, shaders.DOT_FRAGMENT, es=es)
        self._halve = Program(shaders.WHOLE_VERTEX, shaders.HALVE_FRAGMENT, es=es)
        self._blur = Program(shaders.WHOLE_VERTEX, shaders.BLUR_FRAGMENT, es=es)
        self._show = Program(shaders.SHOW_VERTEX, shaders.SHOW_FRAGMENT, es=es)
        self._store = Store()
        self._empty = QOpenGLVertexArrayObject()
        self._empty.create()
        self._surfaces: tuple[Ground, Surfaces] | None = None

    def let_go(self) -> None:
        """Destroy the surfaces of the ground, in the current context."""
        if self._surfaces is not None:
            self._surfaces[1].let_go()
            self._surfaces = None

    def draw(self, sheet: Sheet, laid: Ground, pages: Pages, screen: int) -> None:
        """Draw a sheet into the framebuffer of this number, which is black."""
        if self._surfaces is None or self._surfaces[0] is not laid:
            self.let_go()
            self._surfaces = (laid, Surfaces(self._context, laid))
        made = self._surfaces[1]
        gl = self._gl
        gl.glDisable(DEPTH_TEST)
        gl.glEnable(BLEND)
        gl.glBlendFunc(ONE, ONE)
        made.core.begin(COLOUR_BIT | DEPTH_BIT)
        made.seeds.begin(COLOUR_BIT)
        for scene, numbers in sheet.groups():
            cut = pieces(scene, max(sheet.views[number].unit_px for number in numbers))
            self._facets(scene.facets, sheet, laid, numbers, made)
            self._pieces(cut, sheet, laid, numbers, made)
            self._page(pages.of(scene.labels, sheet.views, numbers), sheet, laid, made)
        if sheet.plate is not None:
            every = list(range(len(sheet.views)))
            self._page(pages.of((sheet.plate,), sheet.views, every), sheet, laid, made)
        self._spread(sheet, laid, made)
        self._develop(sheet, laid, made, screen)

    def _face(self, program: Program, sheet: Sheet, laid: Ground, number: int, fine: bool) -> None:
        """Everything a shader must know of one face, and the rows it may draw in."""
        view: View = sheet.views[number]
        field = laid.field if fine else laid.coarse
        cell = 1 if fine else laid.cell
        program.matrix("camera", QMatrix4x4(*(float(part) for part in view.camera.reshape(-1))))
        program.numbers("toward", *view.toward)
        program.numbers("origin", laid.left[number], laid.top[number])
        program.numbers("field", field.columns, field.rows)
        program.numbers("first_row", number * field.rows)
        program.numbers("all_rows", field.rows * field.count)
        program.numbers("unit_px", view.unit_px)
        program.numbers("light", sheet.light)
        program.numbers("cell", cell)
        self._gl.glScissor(0, number * field.rows, field.columns, field.rows)

    def _pieces(
        self, cut: Pieces, sheet: Sheet, laid: Ground, numbers: list[int], made: Surfaces
    ) -> None:
        count = len(cut.a)
        if not count:
            return
        self._gl.glEnable(SCISSOR_TEST)
        for program, target, fine in (
            (self._core, made.core, True),
            (self._seed, made.seeds, False),
        ):
            target.bind()
            program.bind()
            if fine:
                self._store.fill(_piece_rows(cut))
                self._gl.glEnable(DEPTH_TEST)
                self._gl.glDepthMask(False)
            self._store.attach(self._extra, PIECE, each=True)
            for number in numbers:
                self._face(program, sheet, laid, number, fine)
                self._extra.glDrawArraysInstanced(STRIP, 0, 4, count)
            self._store.release()
            self._gl.glDisable(DEPTH_TEST)
        self._gl.glDisable(SCISSOR_TEST)

    def _facets(
        self,
        bundles: tuple[Facets, ...],
        sheet: Sheet,
        laid: Ground,
        numbers: list[int],
        made: Surfaces,
    ) -> None:
        rows = _facet_rows(bundles)
        if not len(rows):
            return
        gl = self._gl
        made.core.bind()
        gl.glEnable(SCISSOR_TEST)
        gl.glEnable(DEPTH_TEST)
        gl.glDepthMask(True)
        gl.glDisable(BLEND)
        self._facet.bind()
        self._store.fill(rows)
        self._store.attach(self._extra, FACET, each=False)
        for number in numbers:
            self._face(self._facet, sheet, laid, number, fine=True)
            gl.glDrawArrays(TRIANGLES, 0, len(rows))
        self._store.release()
        gl.glEnable(BLEND)
        gl.glDisable(SCISSOR_TEST)
        gl.glDisable(DEPTH_TEST)

    def _page(self, page: Page, sheet: Sheet, laid: Ground, made: Surfaces) -> None:
        """Words are stamped by the raster's own rule; here they are only added."""
        if not page.index.size:
            return
        self._dot.bind()
        self._dot.numbers("light", sheet.light)
        for target, field, index, light in (
            (made.core, laid.field, page.index, page.light),
            (made.seeds, laid.coarse, page.coarse, page.coarse_light),
        ):
            row, column = np.divmod(index, field.columns)
            rows = np.column_stack([column, row, light.T]).astype(np.float32)
            target.bind()
            self._dot.numbers("whole", field.columns, field.rows * field.count)
            self._store.fill(rows)
            self._store.attach(self._extra, DOT, each=False)
            self._gl.glDrawArrays(POINTS, 0, len(rows))
            self._store.release()

    def _spread(self, sheet: Sheet, laid: Ground, made: Surfaces) -> None:
        """The bloom: a blur of the seeds, and one of the seeds halved."""
        taps = kernel(sheet.views[0].unit_px, laid.cell)
        coarse = laid.coarse
        self._gl.glDisable(BLEND)
        self._empty.bind()
        size = (coarse.columns, coarse.rows)
        self._blurred(made.seeds, made.near, taps.near, size)
        self._halve.bind()
        made.wide[1].bind()
        made.seeds.sample(self._gl, self._halve, "source", 0)
        self._gl.glDrawArrays(STRIP, 0, 4)
        half = (coarse.columns // 2, coarse.rows // 2)
        self._blurred(made.wide[1], made.wide, taps.wide, half)
        self._empty.release()
        self._gl.glEnable(BLEND)

    def _blurred(
        self,
        source: Target,
        to: tuple[Target, Target],
        taps: tuple[float, ...],
        size: tuple[int, int],
    ) -> None:
        program = self._blur
        program.bind()
        program.whole("columns", size[0])
        program.whole("rows", size[1])
        count = min(len(taps), shaders.TAPS)
        program.whole("count", count)
        for number in range(count):
            program.numbers(f"taps[{number}]", taps[number])
        for target, from_, step in ((to[0], source, (1, 0)), (to[1], to[0], (0, 1))):
            target.bind()
            program.bind()
            program.whole("step", *step)
            from_.sample(self._gl, program, "source", 0)
            self._gl.glDrawArrays(STRIP, 0, 4)

    def _develop(self, sheet: Sheet, laid: Ground, made: Surfaces, screen: int) -> None:
        gl, field, program = self._gl, laid.field, self._show
        size = sheet.layout.screen
        gl.glBindFramebuffer(FRAMEBUFFER, screen)
        gl.glViewport(0, 0, size.width_px, size.height_px)
        program.bind()
        self._empty.bind()
        made.core.sample(gl, program, "core", 0)
        made.near[1].sample(gl, program, "near", 1)
        made.wide[1].sample(gl, program, "wide", 2)
        made.owned.sample(gl, program, "owned", 3)
        made.feather.sample(gl, program, "feather", 4)
        program.numbers("screen", size.width_px, size.height_px)
        program.numbers("field", field.columns, field.rows)
        program.numbers("all_rows", field.rows * field.count)
        tone = sheet.layout.rig.tone
        program.numbers("tone", tone.crush, 1 / tone.gamma)
        for number in range(field.count):
            program.numbers("origin", laid.left[number], laid.top[number])
            program.numbers("first_row", number * field.rows)
            program.numbers("gain", laid.gain[number])
            gl.glDrawArrays(STRIP, 0, 4)
        self._empty.release()
        program.release()


def _piece_rows(cut: Pieces) -> F4:
    """One row for each piece: ends, neighbours' far ends, colour, normal, and four numbers."""
    before, after = cut.a.copy(), cut.b.copy()
    joined = np.flatnonzero(cut.joined[:-1])
    before[joined + 1] = cut.a[joined]
    after[joined] = cut.b[joined + 1]
    disc = np.zeros(len(cut.a), np.float32)
    disc[len(cut.a) - cut.discs :] = 1
    more = np.stack([cut.half, cut.glow, cut.core, disc], axis=1)
    return np.concatenate(
        [cut.a, cut.b, before, after, cut.colour, cut.normal, more], axis=1, dtype=np.float32
    )


def _facet_rows(bundles: tuple[Facets, ...]) -> F4:
    """Three rows for each triangle: place, colour, normal, middle."""
    rows = []
    for bundle in bundles:
        corners = bundle.corners
        if not corners.size:
            continue
        normal = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
        normal /= np.maximum(np.linalg.norm(normal, axis=1, keepdims=True), 1e-9)
        each = np.concatenate(
            [
                corners,
                np.repeat(bundle.colour[:, None], 3, axis=1),
                np.repeat(normal[:, None], 3, axis=1),
                np.repeat(corners.mean(axis=1, keepdims=True), 3, axis=1),
            ],
            axis=2,
        )
        rows.append(each.reshape(-1, sum(FACET)))
    return (
        np.concatenate(rows).astype(np.float32) if rows else np.zeros((0, sum(FACET)), np.float32)
    )
