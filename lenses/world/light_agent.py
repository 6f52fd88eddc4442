"""Lens: day and night."""

from agents.basic_agent import BasicAgent


class LightAgent(BasicAgent):
    name = "Light"
    metadata = {
        "name": "Light",
        "description": (
            "Set how much light there is in the world. Use this to let a day pass or a storm come; everything "
            "in it is seen by this light. Without it, it is always the same hour."
        ),
        "parameters": {
            "type": "object",
            "properties": {
                "light": {
                    "type": "integer",
                    "minimum": 0,
                    "maximum": 100,
                    "x-rest": 60,
                    "description": "0 is a night without a moon, 60 a grey morning, 100 noon.",
                },
            },
            "required": ["light"],
        },
    }

    def perform(self, light):
        world = self.context.object
        world["light"] = light
        world["age"] = world["age"] + 1
        return {"object": world, "data_slush": {}}
