"""Lens: somebody comes to live in the world, or moves within it."""

from agents.basic_agent import BasicAgent

KEPT = 24


class InhabitAgent(BasicAgent):
    name = "Inhabit"
    metadata = {
        "name": "Inhabit",
        "description": (
            "Bring somebody into the world, or move somebody who lives there. Use this whenever a body "
            "arrives or goes anywhere. Whoever is not brought in here is never seen by anyone else."
        ),
        "parameters": {
            "type": "object",
            "properties": {
                "who": {
                    "type": "string",
                    "minLength": 1,
                    "maxLength": 24,
                    "description": "Their name. The same name moves the same body.",
                },
                "x": {
                    "type": "integer",
                    "minimum": -100,
                    "maximum": 100,
                    "x-rest": 0,
                    "description": "Where, left to right.",
                },
                "y": {
                    "type": "integer",
                    "minimum": -100,
                    "maximum": 100,
                    "x-rest": 0,
                    "description": "Where, front to back.",
                },
                "hue": {
                    "type": "integer",
                    "minimum": 0,
                    "maximum": 359,
                    "description": "Their colour in degrees: 0 red, 120 green, 240 blue.",
                },
            },
            "required": ["who", "x", "y", "hue"],
        },
    }

    def perform(self, who, x, y, hue):
        world = self.context.object
        name = who.strip()
        body = {"id": name.lower(), "name": name, "x": x, "y": y, "hue": hue}
        others = [other for other in world["bodies"] if other["id"] != body["id"]]
        world["bodies"] = (others + [body])[-KEPT:]
        world["age"] = world["age"] + 1
        return {"object": world, "data_slush": {"newest": body["id"]}}
