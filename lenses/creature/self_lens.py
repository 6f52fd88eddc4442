"""Self-lens: whoever calls, the creature stays the creature it is."""

from agents.basic_agent import BasicAgent


class BeingAgent(BasicAgent):
    name = "Being"
    metadata = {
        "name": "Being",
        "description": (
            "Let the creature be itself for a pass: it turns to what holds its attention, grows a little and "
            "drifts back toward its own colour. Use this when nothing else is called for. Without such passes "
            "it changes only when pushed, and loses its own character."
        ),
        "parameters": {
            "type": "object",
            "properties": {
                "attends": {
                    "type": "string",
                    "enum": ["front", "right", "back", "left", "its trail", "itself"],
                    "description": (
                        "What holds its attention: one of the four viewers, the way it came, or nothing but "
                        "itself."
                    ),
                },
                "growth": {
                    "type": "integer",
                    "minimum": 0,
                    "maximum": 5,
                    "x-rest": 1,
                    "description": "How much it grows, in hundredths. 0 for a tired pass, 5 for a good day.",
                },
            },
            "required": ["attends", "growth"],
        },
    }

    def perform(self, attends, growth):
        creature = self.context.object
        trail = self.context.slush.get("trail", [])
        facings = {"front": 0, "right": 90, "back": 180, "left": 270}
        if attends in facings:
            creature["facing"] = facings[attends]
        elif attends == "its trail" and trail:
            at = creature["at"]
            x, y = trail[-1][0] - at["x"], trail[-1][1] - at["y"]
            if abs(x) > abs(y):
                creature["facing"] = 90 if x > 0 else 270
            else:
                creature["facing"] = 180 if y > 0 else 0
        temper = creature["temper"]
        own = 190
        turn = (own - temper["hue"] + 180) % 360 - 180
        creature["temper"] = {
            "mood": temper["mood"],
            "energy": temper["energy"],
            "hue": (temper["hue"] + turn // 8) % 360,
        }
        creature["growth"] = min(100, creature["growth"] + growth)
        creature["trail"] = trail
        creature["age"] = creature["age"] + 1
        return {"object": creature, "data_slush": {"trail": trail}}
