"""Lens: the creature moves, and trails where it has been behind it."""

from agents.basic_agent import BasicAgent

STEPS = {
    "left": (-1, 0, 0),
    "right": (1, 0, 0),
    "near": (0, -1, 0),
    "far": (0, 1, 0),
    "up": (0, 0, 1),
    "down": (0, 0, -1),
}
FACINGS = {"left": 270, "right": 90, "near": 0, "far": 180}
KEPT = 24


def bounded(value, low, high):
    return max(low, min(high, value))


class DriftAgent(BasicAgent):
    name = "Drift"
    metadata = {
        "name": "Drift",
        "description": (
            "Move the creature toward something, or away from it. Use this whenever the creature should go "
            "somewhere, follow, flee or explore: it swims there and leaves a fading string of beads where it "
            "has been. If you only describe a movement in words, the creature stays where it is and the "
            "movement is lost."
        ),
        "parameters": {
            "type": "object",
            "properties": {
                "toward": {
                    "type": "string",
                    "enum": ["left", "right", "near", "far", "up", "down"],
                    "description": (
                        "Which way, as the viewer in front of the pyramid sees it: near is toward that "
                        "viewer, far is away from them."
                    ),
                },
                "distance": {
                    "type": "integer",
                    "minimum": 1,
                    "maximum": 60,
                    "x-rest": 12,
                    "description": (
                        "How far, in hundredths of the stage. 5 is a hesitation, 12 an easy glide, 40 a dash. "
                        "It stops at the edge of the stage."
                    ),
                },
            },
            "required": ["toward", "distance"],
        },
    }

    def perform(self, toward, distance):
        creature = self.context.object
        slush = self.context.slush
        at = creature["at"]
        trail = slush.get("trail", []) + [[at["x"], at["y"], at["z"]]]
        trail = trail[-KEPT:]
        x, y, z = STEPS[toward]
        creature["at"] = {
            "x": bounded(at["x"] + x * distance, -100, 100),
            "y": bounded(at["y"] + y * distance, -100, 100),
            "z": bounded(at["z"] + z * distance, 0, 100),
        }
        if toward in FACINGS:
            creature["facing"] = FACINGS[toward]
        creature["trail"] = trail
        creature["age"] = creature["age"] + 1
        return {"object": creature, "data_slush": {"trail": trail}}
