"""Self-lens: a card settles when it is done."""

from agents.basic_agent import BasicAgent


class DescribeAgent(BasicAgent):
    name = "Describe"
    metadata = {
        "name": "Describe",
        "description": (
            "Say again, more clearly, what this card asks for. Use this when its title or its acceptance "
            "check can be read in two ways. Without it such a card is built wrong and comes back."
        ),
        "parameters": {
            "type": "object",
            "properties": {
                "title": {
                    "type": "string",
                    "minLength": 1,
                    "maxLength": 70,
                    "description": "What to do, as an imperative.",
                },
                "acceptance": {
                    "type": "string",
                    "minLength": 1,
                    "maxLength": 500,
                    "description": "How anyone can see that it is done.",
                },
            },
            "required": ["title", "acceptance"],
        },
    }

    def perform(self, title, acceptance):
        card = self.context.object
        card["title"] = title
        card["acceptance"] = acceptance
        return {"object": card, "data_slush": {}}

    def converged(self, object):
        return object["status"] == "Done"
