"""Lens: a viewer suggests a direction; the player may follow it or not."""

from agents.basic_agent import BasicAgent

KEPT = 5


class HintAgent(BasicAgent):
    name = "Hint"
    metadata = {
        "name": "Hint",
        "description": (
            "Suggest a direction to the player, as somebody who watches. Use this when you see a way that the "
            "player misses. It is advice: the player sees the newest five and decides alone. A hint that is "
            "not given here never reaches the player."
        ),
        "parameters": {
            "type": "object",
            "properties": {
                "direction": {
                    "type": "string",
                    "enum": ["up", "down", "left", "right"],
                    "description": "Where to go from where the player stands, as the screen shows it.",
                },
                "why": {
                    "type": "string",
                    "maxLength": 140,
                    "description": "What you saw there, in a few words. May be left out.",
                },
                "viewer": {
                    "type": "string",
                    "minLength": 1,
                    "maxLength": 40,
                    "description": "Under which name you watch.",
                },
            },
            "required": ["direction", "viewer"],
        },
    }

    def perform(self, direction, viewer, why=""):
        run = self.context.object
        hint = {"direction": direction, "text": why, "from": viewer}
        run["hints"] = (run["hints"] + [hint])[-KEPT:]
        stuck = self.context.slush.get("stuck", [])
        return {"object": run, "data_slush": {"stuck": stuck}}
