"""A net as a file to print or to cut, to scale in millimetres: SVG, DXF, PDF (display A4).

Each is small and plain on purpose: the same net gives the same octets on any machine.
"""

import itertools
from collections.abc import Callable
from typing import Final

from holodesk.display.template import Net, Point

POINTS_PER_MM: Final = 72 / 25.4


def svg(net: Net) -> bytes:
    """Scalable Vector Graphics 1.1; cut lines solid red, fold lines dashed blue."""
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{net.width_mm:.3f}mm" '
            f'height="{net.height_mm:.3f}mm" viewBox="0 0 {net.width_mm:.3f} {net.height_mm:.3f}">'
        ),
    ]
    for outline in net.cut:
        points = " ".join(f"{x:.4f},{y:.4f}" for x, y in outline)
        lines.append(
            f'<polyline class="cut" points="{points}" fill="none" stroke="#d00" '
            'stroke-width="0.2"/>'
        )
    for (x1, y1), (x2, y2) in net.fold:
        lines.append(
            f'<line class="fold" x1="{x1:.4f}" y1="{y1:.4f}" x2="{x2:.4f}" y2="{y2:.4f}" '
            'stroke="#00d" stroke-width="0.2" stroke-dasharray="2 1.5"/>'
        )
    for (x, y), word in _placed_words(net):
        lines.append(
            f'<text x="{x:.3f}" y="{y:.3f}" font-family="sans-serif" font-size="4">{word}</text>'
        )
    lines.append("</svg>")
    return ("\n".join(lines) + "\n").encode()


def dxf(net: Net) -> bytes:
    """Drawing Exchange Format R12; layers CUT and FOLD, one unit is a millimetre, y up."""
    lines = ["0", "SECTION", "2", "ENTITIES"]

    def add(layer: str, one: Point, two: Point) -> None:
        lines.extend(("0", "LINE", "8", layer))
        for code, value in zip(
            ("10", "20", "11", "21"),
            (one[0], net.height_mm - one[1], two[0], net.height_mm - two[1]),
            strict=True,
        ):
            lines.extend((code, f"{value:.4f}"))

    for outline in net.cut:
        for one, two in itertools.pairwise(outline):
            add("CUT", one, two)
    for one, two in net.fold:
        add("FOLD", one, two)
    for (x, y), word in _placed_words(net):
        lines += ["0", "TEXT", "8", "WORDS", "10", f"{x:.4f}", "20", f"{net.height_mm - y:.4f}"]
        lines += ["40", "4", "1", word]
    lines += ["0", "ENDSEC", "0", "EOF"]
    return ("\n".join(lines) + "\n").encode()


def pdf(net: Net) -> bytes:
    """Portable Document Format 1.4, one page of the net's own size."""
    width, height = net.width_mm * POINTS_PER_MM, net.height_mm * POINTS_PER_MM

    def at(point: Point) -> str:
        return f"{point[0] * POINTS_PER_MM:.3f} {height - point[1] * POINTS_PER_MM:.3f}"

    drawn = ["0.6 w 0.8 0 0 RG"]
    drawn += [
        f"{at(outline[0])} m " + " ".join(f"{at(p)} l" for p in outline[1:]) + " S"
        for outline in net.cut
    ]
    drawn.append("0 0 0.8 RG [6 4] 0 d")
    drawn += [f"{at(one)} m {at(two)} l S" for one, two in net.fold]
    drawn += [
        f"BT /F 11 Tf 1 0 0 1 {at(point)} Tm ({word}) Tj ET" for point, word in _placed_words(net)
    ]
    content = "\n".join(drawn).encode("ascii")
    return _document(
        "<< /Type /Catalog /Pages 2 0 R >>",
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {width:.3f} {height:.3f}] "
        "/Contents 4 0 R /Resources << /Font << /F 5 0 R >> >> >>",
        f"<< /Length {len(content)} >>\nstream\n{content.decode('ascii')}\nendstream",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    )


def _document(*objects: str) -> bytes:
    made = b"%PDF-1.4\n"
    places = []
    for number, body in enumerate(objects, 1):
        places.append(len(made))
        made += f"{number} 0 obj\n{body}\nendobj\n".encode("ascii")
    start = len(made)
    table = "".join(f"{place:010d} 00000 n \n" for place in places)
    size = len(objects) + 1
    tail = f"xref\n0 {size}\n0000000000 65535 f \n{table}trailer\n"
    tail += f"<< /Size {size} /Root 1 0 R >>\nstartxref\n{start}\n%%EOF\n"
    return made + tail.encode("ascii")


def _placed_words(net: Net) -> list[tuple[Point, str]]:
    last = net.height_mm - 8
    count = len(net.words)
    return [((12.0, last - 7 * (count - 1 - n)), word) for n, word in enumerate(net.words)]


FORMATS: Final[dict[str, Callable[[Net], bytes]]] = {"svg": svg, "dxf": dxf, "pdf": pdf}
