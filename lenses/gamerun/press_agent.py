"""Lens: press buttons, and keep what was seen next."""

from agents.basic_agent import BasicAgent

MOVES = {"up": (0, -1), "down": (0, 1), "left": (-1, 0), "right": (1, 0)}
KEPT = 24


class PressAgent(BasicAgent):
    name = "Press"
    metadata = {
        "name": "Press",
        "description": (
            "Press one to three buttons of the game, in order. Use this for every move, answer and menu step: "
            "nothing else reaches the game. What the game showed next is kept beside the choice; a move that "
            "is only described was never made."
        ),
        "parameters": {
            "type": "object",
            "x-observes": ["outcome"],
            "properties": {
                "buttons": {
                    "type": "array",
                    "minItems": 1,
                    "maxItems": 3,
                    "items": {
                        "type": "string",
                        "enum": ["up", "down", "left", "right", "a", "b", "start", "select"],
                        "description": "One button.",
                    },
                    "description": (
                        "The buttons, first to last. Press one when you need to see what it does; up to three "
                        "when the way is clear."
                    ),
                },
            },
            "required": ["buttons"],
        },
    }

    def perform(self, buttons):
        run = self.context.object
        seen = self.context.slush["facts"]["observed"]
        outcome = seen["outcome"]
        pressed = {"buttons": buttons, "outcome": outcome}
        run["decisions"] = run["decisions"] + 1
        run["last"] = pressed
        run["recent"] = (run["recent"] + [pressed])[-KEPT:]
        if outcome == "moved":
            x, y = run["position"]["x"], run["position"]["y"]
            for button in buttons:
                step = MOVES.get(button, (0, 0))
                x, y = x + step[0], y + step[1]
            run["position"] = {"x": x, "y": y}
        for name in ("phase", "run"):
            if isinstance(seen.get(name), str):
                run[name] = seen[name]
        if isinstance(seen.get("progress"), dict):
            run["progress"] = {name: seen["progress"].get(name, was) for name, was in run["progress"].items()}
        if isinstance(seen.get("game_time"), int):
            run["game_time"] = seen["game_time"]
        return {"object": run, "data_slush": {"stuck": seen.get("stuck", [])}}
