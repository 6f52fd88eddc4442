"""Lens: the creature keeps something that was said to it."""

from agents.basic_agent import BasicAgent

KEPT = 12


class RememberAgent(BasicAgent):
    name = "Remember"
    metadata = {
        "name": "Remember",
        "description": (
            "Let the creature remember something said to it. You must use this whenever somebody tells it a "
            "name, a wish or anything they would expect it to know later: it hangs as a mark of light on its "
            "arm. If you only acknowledge it in words, it is forgotten."
        ),
        "parameters": {
            "type": "object",
            "properties": {
                "words": {
                    "type": "string",
                    "minLength": 1,
                    "maxLength": 280,
                    "description": "What to keep, in one plain sentence that makes sense by itself later.",
                },
                "weight": {
                    "type": "integer",
                    "minimum": 1,
                    "maximum": 5,
                    "x-rest": 3,
                    "description": (
                        "How much it matters. 1 is small talk, 3 worth keeping, 5 never to be lost. When "
                        "twelve are kept, the lightest and oldest goes first."
                    ),
                },
            },
            "required": ["words", "weight"],
        },
    }

    def perform(self, words, weight):
        creature = self.context.object
        trail = self.context.slush.get("trail", [])
        memories = creature["memories"] + [{"words": words.strip(), "weight": weight}]
        while len(memories) > KEPT:
            lightest = min(range(len(memories) - 1), key=lambda n: (memories[n]["weight"], n))
            memories = memories[:lightest] + memories[lightest + 1 :]
        creature["memories"] = memories
        creature["growth"] = min(100, creature["growth"] + 1)
        creature["trail"] = trail
        creature["age"] = creature["age"] + 1
        return {"object": creature, "data_slush": {"trail": trail}}
