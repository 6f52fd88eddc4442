"""Lens: the story turns to another page."""

from agents.basic_agent import BasicAgent


class OpenAgent(BasicAgent):
    name = "Open"
    metadata = {
        "name": "Open",
        "description": (
            "Turn to a page that was written before. Use this to read back, or to go on from an earlier page. "
            "Nothing is lost: later pages stay."
        ),
        "parameters": {
            "type": "object",
            "properties": {
                "page": {
                    "type": "integer",
                    "minimum": 1,
                    "maximum": 40,
                    "description": "Which page, counted from 1. Beyond the last, the last is opened.",
                },
            },
            "required": ["page"],
        },
    }

    def perform(self, page):
        story = self.context.object
        story["page"] = max(0, min(page, len(story["pages"])) - 1)
        return {"object": story, "data_slush": {}}
