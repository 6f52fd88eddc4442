"""Lens: what a check found is kept on the card."""

from agents.basic_agent import BasicAgent


class EvidenceAgent(BasicAgent):
    name = "Evidence"
    metadata = {
        "name": "Evidence",
        "description": (
            "Keep on the card what its acceptance check found. Use this each time the check was really run, "
            "whether it passed or not. Whoever has the card next sees nothing else of your run: what is not "
            "kept here is lost."
        ),
        "parameters": {
            "type": "object",
            "properties": {
                "found": {
                    "type": "string",
                    "minLength": 1,
                    "maxLength": 1000,
                    "description": "What was run and what came out, so that another can run it again.",
                },
                "passed": {
                    "type": "boolean",
                    "description": "Did it meet the acceptance check, whole?",
                },
            },
            "required": ["found", "passed"],
        },
    }

    def perform(self, found, passed):
        card = self.context.object
        card["evidence"] = ("passed: " if passed else "failed: ") + found
        return {"object": card, "data_slush": {"passed": passed}}
