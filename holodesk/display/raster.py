"""A sheet as pixels: light added on black, and exactly nothing outside the faces (LH 3.11).

One rectangle of light for each face. Bloom fills it first, from a coarse grid; then every piece
adds its own light; then light becomes colour, bright light turning white-hot as it does for an eye.
The same sheet always gives the same octets.
"""

from dataclasses import replace
from typing import Final

import numpy as np
import numpy.typing as npt

from holodesk.display.beads import Beads, Pieces, pieces, seen
from holodesk.display.bloom import bloom, kernel, spread
from holodesk.display.ground import ground
from holodesk.display.letters import Atlas
from holodesk.display.mesh import Depths, cover
from holodesk.display.optics import Layout
from holodesk.display.scene import F4
from holodesk.display.script import Page, Pages
from holodesk.display.sheet import Sheet
from holodesk.display.stamps import seeds, stamps

Pixels = npt.NDArray[np.uint8]
DARK: Final = np.float32(np.log(255.49))
"""Where light is subtracted from: its exponential is what is missing from white, rounded."""
BLACK: Final = np.uint32(0xFF000000)


class Raster:
    """Draws sheets of one layout. It owns its pixels and writes them anew for each picture."""

    def __init__(self, made: Layout, letters: Atlas, *, whole: bool = False) -> None:
        self.layout = made
        self.ground = ground(made, whole)
        field, coarse = self.ground.field, self.ground.coarse
        self._light = np.zeros((3, field.count * field.rows * field.columns), np.float32)
        self._seeds = np.zeros((3, coarse.count * coarse.rows * coarse.columns), np.float32)
        self._whole = np.zeros((field.rows, field.columns), np.int32)
        self._part = np.zeros((field.rows, field.columns), np.int32)
        self._pages = Pages(self.ground, letters)
        _, _, rows, columns = self.ground.area
        self._packed = np.full((rows, columns), 0xFF000000, np.uint32)
        tone = made.rig.tone
        self._missing = None if tone.neutral else 255 - tone.levels[::-1].astype(np.int32)
        self.pixels: Pixels = self._packed.view(np.uint8).reshape(rows, columns, 4)
        """The lit part of the screen (`ground.area`): blue, green, red, 255, as Qt's RGB32."""

    def draw(self, sheet: Sheet) -> Pixels:
        """Draw a sheet of this layout into `pixels`, and give them."""
        groups = sheet.groups()
        beads, pages = [], []
        for scene, numbers in groups:
            cut = pieces(scene, max(sheet.views[number].unit_px for number in numbers))
            beads.append(self._placed(cut, sheet, numbers))
            pages.append(self._pages.of(scene.labels, sheet.views, numbers))
        if sheet.plate is not None:
            every = list(range(len(sheet.views)))
            pages.append(self._pages.of((sheet.plate,), sheet.views, every))
        self._bloom(beads, pages, sheet)
        for (scene, numbers), some in zip(groups, beads, strict=True):
            depths = cover(scene.facets, sheet, numbers, self.ground, self._light)
            self._core(some if depths is None else _in_front(some, depths))
        for written in pages:
            for channel in range(3):
                light = written.light[channel] * np.float32(sheet.light)
                np.subtract.at(self._light[channel], written.index, light)
        self._develop()
        return self.pixels

    def dark(self) -> Pixels:
        """Nothing at all."""
        self.pixels[:, :, :3] = 0
        return self.pixels

    def screen(self) -> Pixels:
        """The whole screen as (height, width, 3) red, green, blue: a copy."""
        made = self.layout.screen
        out = np.zeros((made.height_px, made.width_px, 3), np.uint8)
        top, left, rows, columns = self.ground.area
        out[top : top + rows, left : left + columns] = self.pixels[:, :, 2::-1]
        return out

    def _placed(self, cut: Pieces, sheet: Sheet, numbers: list[int]) -> Beads:
        beads = seen(cut, [sheet.views[number] for number in numbers])
        face = np.array(numbers, dtype=np.intp)[beads.face]
        return replace(
            beads,
            face=face,
            x=beads.x - self.ground.left.astype(np.float32)[face],
            y=beads.y - self.ground.top.astype(np.float32)[face],
            colour=beads.colour * np.float32(sheet.light),
        )

    def _bloom(self, beads: list[Beads], pages: list[Page], sheet: Sheet) -> None:
        field, coarse, cell = self.ground.field, self.ground.coarse, self.ground.cell
        self._seeds.fill(0)
        for part in beads:
            stamp = seeds(part, coarse, cell)
            for channel in range(3):
                np.add.at(self._seeds[channel], stamp.index, stamp.light[channel])
        for written in pages:
            for channel in range(3):
                light = written.coarse_light[channel] * np.float32(sheet.light)
                self._seeds[channel][written.coarse] += light
        planes = self._seeds.reshape(3, coarse.count, coarse.rows, coarse.columns)
        spreading = bloom(planes, kernel(sheet.views[0].unit_px, cell))
        spreading *= self.ground.feather
        np.subtract(DARK, spreading, out=spreading)
        out = self._light.reshape(3, field.count, field.rows, field.columns)
        spread(spreading, cell, out)

    def _core(self, beads: Beads) -> None:
        for stamp in stamps(beads, self.ground.field):
            for channel in range(3):
                np.subtract.at(self._light[channel], stamp.index, stamp.light[channel])

    def _develop(self) -> None:
        """Light to colour, 255 (1 - exp(-light)): no channel ever ends in a hard edge."""
        field = self.ground.field
        planes = self._light.reshape(3, field.count, field.rows, field.columns)
        top, left, rows, columns = self.ground.area
        packed, part = self._whole, self._part
        if not self.ground.apart:
            self._packed.fill(BLACK)
        for number in range(field.count):
            self._set_right(planes, number)
            for channel, shift in ((0, 16), (1, 8), (2, 0)):
                plane = planes[channel, number]
                np.exp(plane, out=plane)
                np.copyto(part, plane, casting="unsafe")
                if self._missing is not None:
                    part[...] = self._missing[part]
                if shift == 16:
                    np.left_shift(part, shift, out=packed)
                else:
                    np.left_shift(part, shift, out=part)
                    np.bitwise_or(packed, part, out=packed)
            packed ^= 0xFFFFFF
            packed &= self.ground.owned[number]
            x, y = int(self.ground.left[number]) - left, int(self.ground.top[number]) - top
            wide, high = min(field.columns, columns - x), min(field.rows, rows - y)
            here = self._packed[y : y + high, x : x + wide]
            under = BLACK if self.ground.apart else here
            np.bitwise_or(packed[:high, :wide].view(np.uint32), under, out=here)

    def _set_right(self, planes: F4, number: int) -> None:
        """A face's own gain, and less light toward its seams."""
        gain, seams = self.ground.gain[number], self.ground.seams
        if gain == 1 and seams is None:
            return
        share = gain if seams is None else seams[number].astype(np.float32) * (gain / 255)
        here = planes[:, number]
        here -= DARK
        here *= share
        here += DARK


def _in_front(beads: Beads, depths: Depths) -> Beads:
    """Only the pieces that no triangle hides."""
    return beads.some(depths.shows(beads.face, beads.x, beads.y, beads.depth))
