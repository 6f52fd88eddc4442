"""Lens: a saved state of the game, by name and hash."""

from agents.basic_agent import BasicAgent


class CheckpointAgent(BasicAgent):
    name = "Checkpoint"
    metadata = {
        "name": "Checkpoint",
        "description": (
            "Record that the game's state was saved. Use this after every save worth coming back to: a badge, "
            "a new map, before a hard battle. Only the newest is shown; a save that is never recorded here "
            "cannot be traced from the run."
        ),
        "parameters": {
            "type": "object",
            "properties": {
                "name": {
                    "type": "string",
                    "minLength": 1,
                    "maxLength": 80,
                    "description": "What the state is called, so that a person finds it again.",
                },
                "sha256": {
                    "type": "string",
                    "minLength": 64,
                    "maxLength": 64,
                    "description": "The SHA-256 of the saved file, as 64 lowercase hex digits.",
                },
            },
            "required": ["name", "sha256"],
        },
    }

    def perform(self, name, sha256):
        if not all(digit in "0123456789abcdef" for digit in sha256):
            raise ValueError("sha256 must be 64 lowercase hex digits")
        run = self.context.object
        run["checkpoint"] = {"name": name, "sha256": sha256}
        stuck = self.context.slush.get("stuck", [])
        return {"object": run, "data_slush": {"stuck": stuck}}
