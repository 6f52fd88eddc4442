"""Lens: the model turns on its place."""

from agents.basic_agent import BasicAgent


class TurnAgent(BasicAgent):
    name = "Turn"
    metadata = {
        "name": "Turn",
        "description": (
            "Turn the model about its upright axis. Use this when a viewer should see another side of it, or "
            "when it should face whoever speaks. Each turn adds to those before; if this is not called, it "
            "keeps showing everybody the side that they see now."
        ),
        "parameters": {
            "type": "object",
            "properties": {
                "by": {
                    "type": "integer",
                    "minimum": -180,
                    "maximum": 180,
                    "x-rest": 0,
                    "description": (
                        "Degrees, counter-clockwise seen from above. 90 shows the front viewer its left side, "
                        "180 its back, -15 is a small turn the other way."
                    ),
                },
            },
            "required": ["by"],
        },
    }

    def perform(self, by):
        model = self.context.object
        model["turn"] = (model["turn"] + by) % 360
        model["age"] = model["age"] + 1
        return {"object": model, "data_slush": {}}
