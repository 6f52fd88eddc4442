"""Lens: the ground rises and sinks."""

from agents.basic_agent import BasicAgent


class TerrainAgent(BasicAgent):
    name = "Terrain"
    metadata = {
        "name": "Terrain",
        "description": (
            "Raise or lower the ground around one place. Use this to make hills, valleys and shores; the "
            "bodies stand on what you leave. If the ground is only talked about, it stays flat."
        ),
        "parameters": {
            "type": "object",
            "properties": {
                "x": {
                    "type": "integer",
                    "minimum": -100,
                    "maximum": 100,
                    "x-rest": 0,
                    "description": "The place, left to right as the front viewer sees it.",
                },
                "y": {
                    "type": "integer",
                    "minimum": -100,
                    "maximum": 100,
                    "x-rest": 0,
                    "description": "The place, front to back.",
                },
                "rise": {
                    "type": "integer",
                    "minimum": -40,
                    "maximum": 40,
                    "x-rest": 0,
                    "description": "By how much its middle rises; below 0 it sinks.",
                },
                "reach": {
                    "type": "integer",
                    "minimum": 5,
                    "maximum": 100,
                    "x-rest": 35,
                    "description": "How far the change reaches: 10 is a knoll, 60 a range.",
                },
            },
            "required": ["x", "y", "rise", "reach"],
        },
    }

    def perform(self, x, y, rise, reach):
        world = self.context.object
        ground = world["terrain"]
        width, depth = ground["width"], ground["depth"]
        heights = []
        for row in range(depth):
            for column in range(width):
                px = column * 200 // (width - 1) - 100
                py = row * 200 // (depth - 1) - 100
                away = (px - x) * (px - x) + (py - y) * (py - y)
                left = reach * reach - away
                lift = rise * left // (reach * reach) if left > 0 else 0
                heights.append(max(0, min(100, ground["heights"][row * width + column] + lift)))
        world["terrain"] = {"width": width, "depth": depth, "heights": heights}
        world["age"] = world["age"] + 1
        return {"object": world, "data_slush": {}}
