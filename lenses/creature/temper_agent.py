"""Lens: the creature's mood, its colour and how much life is in it."""

from agents.basic_agent import BasicAgent

HUES = {"calm": 190, "curious": 150, "playful": 45, "shy": 275, "startled": 350}


class TemperAgent(BasicAgent):
    name = "Temper"
    metadata = {
        "name": "Temper",
        "description": (
            "Change how the creature feels. Use this whenever something should touch it: good news, a threat, "
            "company, boredom. Its colour, the pace of its breath and the spread of its ribs follow. If this "
            "is not called, it goes on feeling what it felt before, whatever is said to it."
        ),
        "parameters": {
            "type": "object",
            "properties": {
                "mood": {
                    "type": "string",
                    "enum": ["calm", "curious", "playful", "shy", "startled"],
                    "description": (
                        "What it feels now. Startled is brief and strong: let something calmer follow it."
                    ),
                },
                "energy": {
                    "type": "integer",
                    "minimum": 0,
                    "maximum": 100,
                    "x-rest": 45,
                    "description": (
                        "How much life is in it. 10 is near sleep, 45 is at ease, 90 cannot keep still."
                    ),
                },
                "hue": {
                    "type": "integer",
                    "minimum": 0,
                    "maximum": 359,
                    "description": (
                        "Its colour in degrees: 0 red, 45 amber, 120 green, 190 sea blue, 275 violet. Leave "
                        "it out and the mood chooses."
                    ),
                },
            },
            "required": ["mood", "energy"],
        },
    }

    def perform(self, mood, energy, hue=None):
        creature = self.context.object
        trail = self.context.slush.get("trail", [])
        chosen = HUES[mood] if hue is None else hue
        creature["temper"] = {"mood": mood, "energy": energy, "hue": chosen}
        creature["trail"] = trail
        creature["age"] = creature["age"] + 1
        return {"object": creature, "data_slush": {"trail": trail}}
