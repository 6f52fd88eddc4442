"""Lens: walkthrough-level guidance for a named map."""

from agents.basic_agent import BasicAgent


class CoachAgent(BasicAgent):
    name = "Coach"
    metadata = {
        "name": "Coach",
        "description": (
            "Give the player guidance for one map, as a walkthrough would. Use this when the player is stuck "
            "or enters a map it does not know; it stays in front of the player until you give other guidance. "
            "It presses nothing by itself: without it the player goes on by its own lights."
        ),
        "parameters": {
            "type": "object",
            "properties": {
                "map": {
                    "type": "string",
                    "minLength": 1,
                    "maxLength": 60,
                    "description": "The map's name, as the game shows it.",
                },
                "guidance": {
                    "type": "string",
                    "minLength": 1,
                    "maxLength": 500,
                    "description": "What to do there, in one to three plain sentences, nearest step first.",
                },
            },
            "required": ["map", "guidance"],
        },
    }

    def perform(self, map, guidance):
        run = self.context.object
        run["guidance"] = {"map": map, "text": guidance}
        stuck = self.context.slush.get("stuck", [])
        return {"object": run, "data_slush": {"stuck": stuck}}
