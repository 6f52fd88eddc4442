"""Calls and lenses for the tests of the machine."""

from collections.abc import Sequence

from holodesk.hologram.perform import Answered, Call, Failed, Method, Reply
from holodesk.host.machine.parent import Machine
from holodesk.rapp.canonical import Json, canonical
from tests.unit.agent.writing import agent


def call(
    object: Json = None, slush: Json = None, params: Json = None, method: Method = "perform"
) -> Call:
    """One call; slush and parameters are empty unless given."""
    return Call(canonical(object), canonical(slush or {}), canonical(params or {}), method)


def performing(*lines: str, before: str = "", after: str = "") -> str:
    """A lens whose `perform` is these lines."""
    inside = "".join(f"        {line}\n" for line in lines)
    return agent(before=before, perform=f"    def perform(self, **params):\n{inside}", after=after)


def returning(expression: str) -> str:
    """A lens whose object is this expression."""
    return performing(f'return {{"object": {expression}, "data_slush": {{}}}}')


def answers(machine: Machine, source: str, calls: Sequence[Call]) -> list[Reply]:
    return list(machine.submit(source, calls).replies())


def answer(machine: Machine, source: str, one: Call | None = None) -> Reply:
    return answers(machine, source, [one or call()])[0]


def how(reply: Reply) -> str:
    """In one word: answered, or how it failed, or undetermined."""
    if isinstance(reply, Answered):
        return "answered"
    return reply.how if isinstance(reply, Failed) else "undetermined"
