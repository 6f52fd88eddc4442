"""An object as the front viewer would see it: what a preview shows before anything is appended.

(LH 3.11.) It is drawn as the output is, with the same pose and the same light, without a plate:
what is only previewed has no head to name.
"""

from functools import lru_cache
from typing import Any, Final

from PySide6.QtGui import QImage

from holodesk.display.life import Life
from holodesk.display.optics import Layout, layout
from holodesk.display.pose import pose
from holodesk.display.raster import Raster
from holodesk.display.rig import Rig, Screen
from holodesk.display.sheet import sheet, upright
from holodesk.gui.ghost.glyphs import letters
from holodesk.gui.parts.output import image_of

TALL: Final = 288


def portrait(object: Any) -> QImage:
    """A picture of an object, (TALL, TALL) pixels.

    Raises:
        Unavailable: the letters are missing.
    """
    raster = _raster()
    raster.draw(sheet(pose(object, Life()), _box()))
    return image_of(raster.screen())


@lru_cache(maxsize=1)
def _box() -> Layout:
    return upright(layout(Rig(), Screen(1024, 1024)), 0, TALL)


@lru_cache(maxsize=1)
def _raster() -> Raster:
    return Raster(_box(), letters(), whole=True)
