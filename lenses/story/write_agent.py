"""Lens: the story gets its next page."""

from agents.basic_agent import BasicAgent

KEPT = 40


class WriteAgent(BasicAgent):
    name = "Write"
    metadata = {
        "name": "Write",
        "description": (
            "Write the next page of the story and open it. Use this to carry the story one step further from "
            "the page that is open. What is not written on a page never happened in the story."
        ),
        "parameters": {
            "type": "object",
            "properties": {
                "text": {
                    "type": "string",
                    "minLength": 1,
                    "maxLength": 600,
                    "description": "The page itself, one to five sentences, as a reader shall read it.",
                },
                "mood": {
                    "type": "string",
                    "enum": ["bright", "quiet", "tense", "dark", "wonder"],
                    "description": "In what light the page stands.",
                },
            },
            "required": ["text", "mood"],
        },
    }

    def perform(self, text, mood):
        story = self.context.object
        story["pages"] = (story["pages"] + [{"text": text, "mood": mood}])[-KEPT:]
        story["page"] = len(story["pages"]) - 1
        return {"object": story, "data_slush": {"mood": mood}}
