"""Lens: a card of work goes to another column."""

from agents.basic_agent import BasicAgent

KEPT = 40


class MoveAgent(BasicAgent):
    name = "Move"
    metadata = {
        "name": "Move",
        "description": (
            "Move the card to another column of the board. Use this as soon as the work has reached that "
            "state, and say what shows it. A card that is not moved is worked on twice or forgotten."
        ),
        "parameters": {
            "type": "object",
            "properties": {
                "to": {
                    "type": "string",
                    "enum": ["Backlog", "Ready", "Building", "QA", "Review", "Blocked", "Done"],
                    "description": "The column. Blocked needs a note that says what it waits for.",
                },
                "note": {
                    "type": "string",
                    "minLength": 1,
                    "maxLength": 200,
                    "description": "What shows that it belongs there, in one sentence.",
                },
            },
            "required": ["to", "note"],
        },
    }

    def perform(self, to, note):
        card = self.context.object
        card["history"] = (card["history"] + [{"status": to, "note": note}])[-KEPT:]
        card["status"] = to
        return {"object": card, "data_slush": {"last_note": note}}
