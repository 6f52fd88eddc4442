"""The synchronous wire form: what `POST /chat` takes and gives (rapp/1 8, rev-18).

The pinned Grail decides details: the order of the checks, that `conversation_history` may be null,
that a falsy `session_id` is replaced. Only shape is here; who listens and who answers is above.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from holodesk.rapp.canonical import Json

ROLES: Final = ("user", "assistant", "tool")
BAD_REQUEST: Final = 400
OK: Final = 200


@dataclass(frozen=True, slots=True)
class Turn:
    """One earlier turn of the conversation, as the request tells it."""

    role: str
    content: str


@dataclass(frozen=True, slots=True)
class ChatRequest:
    """A well-formed request. `session_id` is as it came, None where it is to be made new."""

    user_input: str
    history: tuple[Turn, ...]
    session_id: Json


@dataclass(frozen=True, slots=True)
class ChatAnswer:
    """A status and the JSON object that goes with it."""

    status: int
    members: dict[str, Json]


def parse_request(body: Json) -> ChatRequest | ChatAnswer:
    """The request in a parsed body, or the 400 that answers it. Unknown members are ignored.

    A body that is no JSON is passed as None, which is not an object either.
    """
    problem = _problem(body)
    if problem is not None:
        return refusal(problem)
    members: dict[str, Any] = body if isinstance(body, dict) else {}
    history = members.get("conversation_history") or ()
    return ChatRequest(
        members["user_input"].strip(),
        tuple(Turn(turn["role"], turn["content"]) for turn in history),
        members.get("session_id") or None,
    )


def refusal(message: str) -> ChatAnswer:
    """The answer to a malformed request: 400 and exactly `error`, a text for people."""
    return ChatAnswer(BAD_REQUEST, {"error": message})


def answer(
    request: ChatRequest,
    response: str,
    *,
    new_session: str,
    agent_logs: tuple[str, ...] = (),
    beside: Mapping[str, Json] | None = None,
) -> ChatAnswer:
    """The answer to a request: one line of `agent_logs` for each agent call.

    `new_session` names the session where the request named none; `beside` are members of our own.
    """
    session = new_session if request.session_id is None else request.session_id
    members: dict[str, Json] = dict(beside or {})
    members["response"] = response
    members["agent_logs"] = "\n".join(line.replace("\n", " ") for line in agent_logs)
    members["session_id"] = session
    return ChatAnswer(OK, members)


def answer_problems(answered: ChatAnswer) -> list[str]:
    """What a consumer has against an answer; members that nobody named are no problem."""
    members = answered.members
    if answered.status == BAD_REQUEST:
        if members.keys() == {"error"} and isinstance(members["error"], str):
            return []
        return ["a 400 must hold exactly error, a string"]
    if answered.status != OK:
        return [f"status must be {OK} or {BAD_REQUEST}, found {answered.status}"]
    return [
        f"{name} must be a string"
        for name in ("response", "agent_logs", "session_id")
        if not isinstance(members.get(name), str)
    ]


def _problem(body: Json) -> str | None:
    if not isinstance(body, dict):
        return "Request body must be a JSON object"
    user_input = body.get("user_input", "")
    if not isinstance(user_input, str):
        return "user_input must be a string"
    problem = _history_problem(body.get("conversation_history"))
    if problem is not None:
        return problem
    return None if user_input.strip() else "user_input is required"


def _history_problem(history: Json) -> str | None:
    if history is None:
        return None
    if not isinstance(history, list):
        return "conversation_history must be an array"
    for index, turn in enumerate(history):
        where = f"conversation_history[{index}]"
        if not isinstance(turn, dict):
            return f"{where} must be an object"
        if turn.get("role") not in ROLES:
            return f"{where}.role is invalid"
        if not isinstance(turn.get("content"), str):
            return f"{where}.content must be a string"
    return None
