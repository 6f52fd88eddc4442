"""Lens: how large the model stands, and how it leans."""

from agents.basic_agent import BasicAgent


class StandAgent(BasicAgent):
    name = "Stand"
    metadata = {
        "name": "Stand",
        "description": (
            "Choose how large the model stands and how far it leans to a side. Use this when it should come "
            "forward, make room, or bow to somebody. It stays on the floor whatever is chosen; if this is not "
            "called, it stands as it did before."
        ),
        "parameters": {
            "type": "object",
            "properties": {
                "size": {
                    "type": "integer",
                    "minimum": 10,
                    "maximum": 200,
                    "x-rest": 100,
                    "description": (
                        "Percent of the size that just fits the picture. 100 fits, 40 is small and leaves "
                        "room, above 100 its edges may be cut off."
                    ),
                },
                "lean": {
                    "type": "integer",
                    "minimum": -30,
                    "maximum": 30,
                    "x-rest": 0,
                    "description": (
                        "Degrees that it leans to the right as the front viewer sees it; negative to the "
                        "left, 0 is upright."
                    ),
                },
            },
            "required": ["size", "lean"],
        },
    }

    def perform(self, size, lean):
        model = self.context.object
        model["size"] = size
        model["lean"] = lean
        model["age"] = model["age"] + 1
        return {"object": model, "data_slush": {}}
