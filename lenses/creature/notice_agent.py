"""Lens: the creature takes in what its body met since the last pass."""

from agents.basic_agent import BasicAgent

KEPT = 12
FEELINGS = {
    "welcome": "and was glad of it",
    "amused": "and thought it a game",
    "wary": "and drew back a little",
    "unmoved": "and let it pass",
}


def times(count):
    return "once" if count == 1 else "twice" if count == 2 else str(count) + " times"


def met(reflex):
    events = reflex.get("events", {})
    parts = []
    if events.get("poke"):
        parts.append("was touched " + times(events["poke"]))
    if events.get("enter"):
        parts.append("had company " + times(events["enter"]))
    if events.get("env"):
        parts.append("heard of the world outside " + times(events["env"]))
    return parts


class NoticeAgent(BasicAgent):
    name = "Notice"
    metadata = {
        "name": "Notice",
        "description": (
            "Let the creature take in what its body met since the last pass: touches, company, news from "
            "outside. You must use this whenever the reflex log in the slush tells of any; it keeps the count "
            "as a memory, with how it felt about it. If it is not called before another lens is, the log is "
            "gone and the creature never learns that it was touched."
        ),
        "parameters": {
            "type": "object",
            "properties": {
                "feeling": {
                    "type": "string",
                    "enum": ["welcome", "amused", "wary", "unmoved"],
                    "description": (
                        "How it takes what happened. Many touches in a row amuse a playful creature and make "
                        "a shy one wary."
                    ),
                },
                "weight": {
                    "type": "integer",
                    "minimum": 1,
                    "maximum": 5,
                    "x-rest": 2,
                    "description": (
                        "How much it matters. 1 for a passing hand, 3 for a long visit, 5 for what must never "
                        "be lost."
                    ),
                },
            },
            "required": ["feeling", "weight"],
        },
    }

    def perform(self, feeling, weight):
        creature = self.context.object
        slush = self.context.slush
        trail = slush.get("trail", [])
        parts = met(slush.get("reflex", {}))
        if parts:
            words = "It " + " and ".join(parts) + ", " + FEELINGS[feeling] + "."
            memories = creature["memories"] + [{"words": words, "weight": weight}]
            while len(memories) > KEPT:
                lightest = min(range(len(memories) - 1), key=lambda n: (memories[n]["weight"], n))
                memories = memories[:lightest] + memories[lightest + 1 :]
            creature["memories"] = memories
            creature["growth"] = min(100, creature["growth"] + 1)
        creature["trail"] = trail
        creature["age"] = creature["age"] + 1
        return {"object": creature, "data_slush": {"trail": trail}}
