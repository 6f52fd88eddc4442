"""Anything at all: a tree of glowing nodes, larger where the object is larger (LH 3.11).

The root stands on the floor with the schema written at it; members grow upward and outward in
their own order, so that the same object always has the same shape.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import log2
from typing import Any, Final

import numpy as np

from holodesk.display.life import Life
from holodesk.display.poses.light import floor_ring, hue, text
from holodesk.display.scene import F4, Label, Scene, Strokes, dots, strokes

MOST: Final = 150
"""Nodes that are drawn; the rest is told by the size of those that hold it."""
DEEPEST: Final = 6
TOP: Final = 1.50
ROOT: Final = 0.14
LABELS: Final = 9
GOLDEN: Final = 2.399963
Value = Any
"""Any JSON value."""


@dataclass(slots=True)
class Node:
    """One value in the tree: its place in the order, its parent, and how much it holds."""

    name: str
    parent: int
    depth: int
    weight: int
    kind: int
    leaf: str


def tree(object: Value, life: Life) -> Scene:
    """The tree of any JSON value."""
    nodes = _nodes(object)
    places = _places(nodes, life)
    k = np.arange(len(nodes))
    depth = np.array([node.depth for node in nodes], np.float32)
    weight = np.array([log2(1 + node.weight) for node in nodes], np.float32)
    shade = 196 + 26 * depth + np.array([_shade(node) for node in nodes], np.float32)
    gain = 1 + 0.5 * float(np.clip(life.glow, -1, 1))
    pulse = 0.8 + 0.25 * np.sin(1.5 * life.seconds - 1.1 * depth + 0.7 * k)
    light = hue(shade, (0.62 + 0.07 * weight) * pulse * gain, 0.14)
    bulbs = dots(places, radius=np.minimum(0.018 + 0.0095 * weight, 0.085), colour=light, glow=1.2)
    branches = (_branches(nodes, places, light, weight),) if len(nodes) > 1 else ()
    pool = floor_ring(0, 0, 0.30, hue(200.0, 0.2 * gain), 0.02)
    return Scene(
        (*branches, pool),
        (bulbs,),
        (),
        _labels(object, nodes, _places(nodes, Life(turn=life.turn))),
    )


def _nodes(object: Value) -> list[Node]:
    """Breadth first, so that what is near the root is never left out."""
    nodes = [Node("", -1, 0, _weight(object), 0, "")]
    queue: list[tuple[Value, int]] = [(object, 0)]
    while queue:
        value, at = queue.pop(0)
        if nodes[at].depth >= DEEPEST:
            continue
        for name, member in _members(value):
            if len(nodes) >= MOST:
                return nodes
            kind = 1 if isinstance(member, Mapping) else 2 if _is_list(member) else 3
            leaf = "" if kind < 3 else _told(member)
            nodes.append(Node(name, at, nodes[at].depth + 1, _weight(member), kind, leaf))
            queue.append((member, len(nodes) - 1))
    return nodes


def _members(value: Value) -> list[tuple[str, Value]]:
    if isinstance(value, Mapping):
        return [(str(name), value[name]) for name in list(value)[:MOST]]
    if _is_list(value):
        assert isinstance(value, Sequence)
        return [(str(number), each) for number, each in enumerate(value[:MOST])]
    return []


def _is_list(value: Value) -> bool:
    return isinstance(value, list | tuple)


def _told(value: Value) -> str:
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    return text(value, 24) if isinstance(value, str) else str(value)[:24]


def _weight(value: Value) -> int:
    """How much a value holds, counted without recursion and up to a bound."""
    count, queue = 0, [value]
    while queue and count < 4096:
        each = queue.pop()
        if isinstance(each, Mapping):
            queue += each.values()
            count += 1 + len(each)
        elif isinstance(each, list | tuple):
            queue += each
            count += 1 + len(each)
        elif isinstance(each, str):
            count += 1 + len(each) // 24
        else:
            count += 1
    return count


def _shade(node: Node) -> float:
    return (0.0, -18.0, 34.0, 110.0)[node.kind] + 7.0 * (sum(map(ord, node.name[:16])) % 5)


def _places(nodes: list[Node], life: Life) -> F4:
    """Each node above its parent, with a share of the round about it by what it holds."""
    count = len(nodes)
    deepest = max([1, *(node.depth for node in nodes)])
    children: list[list[int]] = [[] for _ in nodes]
    for number in range(1, count):
        children[nodes[number].parent].append(number)
    angle, reach = np.zeros(count), np.zeros(count)
    span = np.full(count, 2 * np.pi)
    for parent in range(count):
        below = children[parent]
        if not below:
            continue
        share = np.array([log2(2 + nodes[child].weight) for child in below])
        edges = np.concatenate([[0.0], np.cumsum(share) / share.sum()])
        start = angle[parent] - span[parent] / 2 + (0.6 if parent == 0 else 0.0)
        for child, one, two in zip(below, edges[:-1], edges[1:], strict=True):
            angle[child] = start + span[parent] * (one + two) / 2
            span[child] = span[parent] * (two - one) * 0.94
            stagger = 0.12 * np.sin(child * GOLDEN) if len(below) > 6 else 0.0
            reach[child] = reach[parent] + (0.62 - reach[parent]) * (0.52 + stagger)
    depth = np.array([node.depth for node in nodes], np.float64)
    wobble = 0.09 * np.sin(np.arange(count) * GOLDEN) * (depth > 0)
    height = ROOT + (TOP - ROOT) * (depth / deepest) ** 0.85 + wobble
    height = np.minimum(height, 1.56)
    turn = angle + np.radians(life.turn) + 0.14 * np.sin(0.23 * life.seconds)
    sway = 0.018 * depth * np.sin(0.8 * life.seconds + angle)
    radius = reach * (1.16 + 0.10 * np.sin(3 * angle + depth))
    x, y = radius * np.cos(turn) + sway, radius * np.sin(turn)
    return np.stack([x, y, height], axis=1).astype(np.float32)


def _branches(nodes: list[Node], places: F4, light: F4, weight: F4) -> Strokes:
    """From each parent up to its child, bowed like a twig, thicker where more hangs on it."""
    child = np.arange(1, len(nodes))
    parent = np.array([nodes[number].parent for number in child])
    s = np.linspace(0, 1, 9, dtype=np.float32)[None, :, None]
    a, b = places[parent][:, None], places[child][:, None]
    elbow = np.concatenate(
        [a[..., :2] * 0.55 + b[..., :2] * 0.45, b[..., 2:] * 0.35 + a[..., 2:] * 0.65], axis=2
    )
    points = (1 - s) ** 2 * a + 2 * s * (1 - s) * elbow + s * s * b
    thick = (0.010 + 0.0042 * weight[child])[:, None]
    width = thick * (1.25 - 0.5 * s[..., 0])
    colour = (light[parent][:, None] * (1 - s) + light[child][:, None] * s) * np.float32(0.42)
    return strokes(points, width=width, colour=colour, glow=1.0)


def _labels(object: Value, nodes: list[Node], places: F4) -> tuple[Label, ...]:
    """The schema at the root, and the heaviest members by name; words stand still."""
    schema = object.get("schema") if isinstance(object, Mapping) else None
    title = text(schema, 40) or {True: "a list", False: "no schema"}[_is_list(object)]
    labels = [Label(title, (0.0, 0.0, 0.005), 0.070, (0.62, 0.82, 0.90), mono=True, fit=1.8)]
    first = [number for number, node in enumerate(nodes) if node.depth == 1]
    heavy = sorted(first, key=lambda number: -nodes[number].weight)[:LABELS]
    for number in heavy:
        if nodes[number].name == "schema":
            continue
        x, y, z = (float(part) for part in places[number])
        words = text(nodes[number].name, 18)
        if nodes[number].leaf and len(nodes[number].leaf) <= 14:
            words = f"{words}: {nodes[number].leaf}"
        labels.append(Label(words, (x, y, z + 0.075), 0.048, (0.58, 0.66, 0.70), glow=0.15))
    return tuple(labels)
