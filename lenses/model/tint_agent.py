"""Lens: the colour of the light that the model is drawn in."""

from agents.basic_agent import BasicAgent


class TintAgent(BasicAgent):
    name = "Tint"
    metadata = {
        "name": "Tint",
        "description": (
            "Draw the model's own colours toward one colour of light. Use this when its mood or its meaning "
            "changes, or when a dark model is hard to see. Strength 0 gives its own colours back; if this is "
            "not called, it keeps the colours it has now."
        ),
        "parameters": {
            "type": "object",
            "properties": {
                "hue": {
                    "type": "integer",
                    "minimum": 0,
                    "maximum": 359,
                    "description": (
                        "The colour in degrees: 0 red, 45 amber, 120 green, 190 sea blue, 275 violet."
                    ),
                },
                "strength": {
                    "type": "integer",
                    "minimum": 0,
                    "maximum": 100,
                    "x-rest": 0,
                    "description": (
                        "How far its own colours give way, in percent: 0 not at all, 40 a wash, 100 leaves "
                        "only light and shade."
                    ),
                },
            },
            "required": ["hue", "strength"],
        },
    }

    def perform(self, hue, strength):
        model = self.context.object
        model["tint"] = {"hue": hue, "strength": strength}
        model["age"] = model["age"] + 1
        return {"object": model, "data_slush": {}}
