"""Agent files written for the tests: one lawful frame, and a place for what is tried in it."""

HEAD = "from agents.basic_agent import BasicAgent\n"
METADATA = """    name = "Try"
    metadata = {
        "name": "Try",
        "description": "Use it when something is tried. If it is skipped, the trial is lost.",
        "parameters": {
            "type": "object",
            "properties": {
                "word": {"type": "string", "maxLength": 40, "description": "What is said."}
            },
        },
    }
"""
PERFORM = """    def perform(self, **params):
        return {"object": self.context.object, "data_slush": {}}
"""
PLAIN = f"{HEAD}\n\nclass Try(BasicAgent):\n{METADATA}\n{PERFORM}"


def agent(
    *, before: str = "", body: str = METADATA, perform: str = PERFORM, after: str = ""
) -> str:
    """A whole file: lines before the class, its body, its methods, lines after it."""
    return f"{HEAD}{before}\n\nclass Try(BasicAgent):\n{body}\n{perform}\n{after}"


def within(*lines: str) -> str:
    """A file whose `perform` holds these lines; the first of them is line 18."""
    inside = "".join(f"        {line}\n" for line in lines)
    return agent(
        perform=f"    def perform(self, **params):\n{inside}"
        '        return {"object": 1, "data_slush": {}}\n'
    )


FIRST_LINE = 18
