"""Thousands of frames through the real output window: memory must stay as it is (display C 27).

Run by hand: `python fuzz/soak_display.py --frames 20000`. Prints frames, seconds and growth in MB;
exit 1 when the growth is over the limit.
"""

import argparse
import os
import sys
import time
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from PySide6.QtWidgets import QApplication

from holodesk.display.scene import Plate
from holodesk.gui.ghost.window import GhostWindow
from holodesk.host.content import KINDS, starter

WARM = 500
LIMIT_MB = 20.0


def resident_mb() -> float:
    """The memory of this process that is really there, in MB."""
    fields = Path("/proc/self/statm").read_text(encoding="ascii").split()
    return int(fields[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--frames", type=int, default=20_000)
    parser.add_argument("--size", default="640x480")
    parser.add_argument("--limit", type=float, default=LIMIT_MB, help="MB that it may grow")
    args = parser.parse_args()
    width, height = (int(part) for part in args.size.split("x"))
    app = QApplication.instance() or QApplication(["soak"])
    window = GhostWindow("A", "raster")
    window.resize(width, height)
    window.show()
    objects = [starter(kind).object for kind in KINDS]
    start, before = time.monotonic(), 0.0
    for number in range(args.frames):
        if number % 40 == 0:
            plate = Plate(f"{number:08x}" * 8, number, "live")
            window.show_object(objects[number // 40 % len(objects)], plate)
        window.advance()
        app.processEvents()
        if number == WARM:
            before = resident_mb()
    grown = resident_mb() - before
    window.close()
    seconds = time.monotonic() - start
    print(f"{args.frames} frames, {seconds:.0f} s, {grown:+.1f} MB after the first {WARM}")
    return int(grown > args.limit)


if __name__ == "__main__":
    sys.exit(main())
