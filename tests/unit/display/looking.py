"""What tests of the display share: objects, pictures of them, and how alike two pictures are."""

from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from holodesk.display.life import Life
from holodesk.display.optics import Layout
from holodesk.display.pose import pose
from holodesk.display.raster import Raster
from holodesk.display.scene import Plate, Scene
from holodesk.display.sheet import sheet, upright
from holodesk.display.trace import trace
from holodesk.gui.ghost.glyphs import letters

Pixels = npt.NDArray[np.uint8]
PLATE = Plate("9f3c2a71d5e8b4067a1c9e02f4d8836b", 412, "live")

CREATURE: dict[str, Any] = {
    "schema": "creature/1",
    "name": "Lumen",
    "at": {"x": 12, "y": -8, "z": 50},
    "facing": 24,
    "temper": {"hue": 190, "energy": 55, "mood": "curious"},
    "growth": 45,
    "trail": [[10 * k - 60, 30 - 6 * k, 20] for k in range(10)],
    "memories": [{"words": "a knock", "weight": 3}, {"words": "two knocks", "weight": 5}],
    "age": 12,
}
CARD: dict[str, Any] = {
    "schema": "card/1",
    "title": "Keep the tide tables when the clock is wrong",
    "acceptance": "The table says that it is old.",
    "repository": "harbour/tides",
    "status": "Review",
    "history": [{"status": "Building", "note": "first cut"}, {"status": "QA", "note": "green"}],
    "evidence": "gate frame 88",
}
WORLD: dict[str, Any] = {
    "schema": "world/1",
    "name": "Skerry",
    "terrain": {"width": 9, "depth": 7, "heights": [(7 * k * k) % 101 for k in range(63)]},
    "bodies": [
        {"id": "a", "name": "Oda", "x": -60, "y": -40, "hue": 20},
        {"id": "b", "name": "Finn", "x": 40, "y": 10, "hue": 300},
    ],
    "light": 70,
    "age": 14,
}
STORY: dict[str, Any] = {
    "schema": "story/1",
    "title": "The lamp under the ice",
    "pages": [
        {"text": "Nobody had seen the lamp since the thaw.", "mood": "calm"},
        {"text": "She knocked twice, and something knocked back. " * 8, "mood": "curious"},
    ],
    "page": 1,
}
GAME: dict[str, Any] = {
    "schema": "gamerun/1",
    "run": "seven",
    "decisions": 4182,
    "phase": "crossing the long tunnel",
    "progress": {"badge_count": 3, "party_size": 5, "pokedex_caught": 24, "hall_of_fame": False},
    "last": {"buttons": ["right"], "outcome": "moved"},
    "recent": [{"buttons": [name], "outcome": "moved"} for name in ("up", "a", "b", "left", "up")],
    "position": {"x": 14, "y": -3},
    "guidance": {"map": "Tunnel", "text": "follow the east wall"},
    "hints": [],
    "checkpoint": None,
    "game_time": 88,
}
THING: dict[str, Any] = {
    "schema": "orchestra/3",
    "players": [{"name": "ada", "parts": ["a", "b"]}, {"name": "bo", "parts": []}],
    "hall": {"seats": 800, "open": True},
    "tempo": 72,
}
OBJECTS = {
    "creature": CREATURE,
    "card": CARD,
    "world": WORLD,
    "story": STORY,
    "gamerun": GAME,
    "tree": THING,
}


def stand(object: Any, seconds: float = 2.0) -> Scene:
    """How it stands after a while."""
    return pose(object, Life(seconds))


def drawn(made: Layout, scene: Scene, plate: Plate | None = PLATE) -> Pixels:
    """The whole screen."""
    raster = Raster(made, letters())
    raster.draw(sheet(scene, made, plate))
    return raster.screen()


def meant(made: Layout, viewer: int, scene: Scene, plate: Plate | None = PLATE) -> Pixels:
    """The upright picture that a viewer is meant to see."""
    return drawn(upright(made, viewer), scene, plate)


def alike(one: npt.NDArray[Any], two: npt.NDArray[Any]) -> float:
    """Correlation of two pictures, -1..1."""
    a, b = one.astype(np.float64).ravel(), two.astype(np.float64).ravel()
    a, b = a - a.mean(), b - b.mean()
    size = float(np.sqrt((a * a).sum() * (b * b).sum()))
    return float((a * b).sum() / size) if size else 0.0


def turned(picture: Pixels) -> list[Pixels]:
    """A square picture in all eight ways; the first is as it is."""
    ways = [np.rot90(picture, quarter) for quarter in range(4)]
    return [*ways, *(np.fliplr(way) for way in ways)]


def sees_rightly(made: Layout, frame: Pixels, scene: Scene, level: float = 0.02) -> list[str]:
    """Everything that is wrong with what the viewers of a frame see; `level` is of brightness."""
    wrong = []
    wanted = {face.viewer: meant(made, face.viewer, scene) for face in made.faces}
    for viewer, picture in wanted.items():
        seen = trace(made, viewer, frame)
        if seen.share < 0.99:
            wrong.append(f"{viewer}: only {seen.share:.3f} is visible")
        likeness = alike(seen.picture, picture)
        if likeness < 0.97:
            wrong.append(f"{viewer}: likeness {likeness:.3f}")
        if picture.shape[0] == picture.shape[1]:
            ways = [alike(seen.picture, way) for way in turned(picture)]
            if int(np.argmax(ways)):
                wrong.append(f"{viewer}: seen turned or mirrored")
        views = {who: alike(seen.picture, other) for who, other in wanted.items()}
        if max(views, key=lambda who: views[who]) != viewer:
            wrong.append(f"{viewer}: sees another's view")
        found = seen.picture.mean() / max(1e-9, float(picture.mean()))
        if abs(found - 1) > level:
            wrong.append(f"{viewer}: level {found:.3f}")
    return wrong


@lru_cache(maxsize=8)
def cell_box(made: Layout, viewer: int) -> tuple[slice, slice]:
    """The picture box on the screen, for rigs of four faces: rows and columns."""
    box, pixels = made.box, made.face(viewer).pixels
    corners = np.array(
        [
            [x, y, 1.0]
            for x in (-box.width_mm / 2, box.width_mm / 2)
            for y in (box.bottom_mm, box.bottom_mm + box.height_mm)
        ]
    )
    placed = corners @ pixels.T
    low = np.round((placed[:, :2] / placed[:, 2:]).min(axis=0)).astype(int)
    high = np.round((placed[:, :2] / placed[:, 2:]).max(axis=0)).astype(int)
    return slice(low[1], high[1]), slice(low[0], high[0])
