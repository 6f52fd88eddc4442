"""The shapes of `POST /chat` (rapp/1 8, rev-18)."""

from typing import Any

import pytest

from holodesk.rapp.chat_wire import (
    ChatAnswer,
    ChatRequest,
    Turn,
    answer,
    answer_problems,
    parse_request,
    refusal,
)


def test_a_request_is_its_input_its_history_and_its_session() -> None:
    body: Any = {
        "user_input": "  hello ",
        "conversation_history": [{"role": "tool", "content": "x", "more": 1}],
        "session_id": "s-1",
        "unknown": True,
    }
    assert parse_request(body) == ChatRequest("hello", (Turn("tool", "x"),), "s-1")


@pytest.mark.parametrize("history", [None, []])
def test_no_history_is_an_empty_one(history: Any) -> None:
    body = {"user_input": "hi", "conversation_history": history}
    assert parse_request(body) == ChatRequest("hi", (), None)


@pytest.mark.parametrize("session", ["", None, 0, False])
def test_a_session_that_says_nothing_is_made_new(session: Any) -> None:
    request = parse_request({"user_input": "hi", "session_id": session})
    assert isinstance(request, ChatRequest)
    assert answer(request, "yes", new_session="n-1").members["session_id"] == "n-1"


@pytest.mark.parametrize(
    ("body", "told"),
    [
        (None, "Request body must be a JSON object"),
        ([1], "Request body must be a JSON object"),
        ({}, "user_input is required"),
        ({"user_input": " \n"}, "user_input is required"),
        ({"user_input": 5}, "user_input must be a string"),
        ({"user_input": None}, "user_input must be a string"),
        ({"user_input": 5, "conversation_history": "x"}, "user_input must be a string"),
        (
            {"user_input": " ", "conversation_history": "x"},
            "conversation_history must be an array",
        ),
        (
            {"user_input": "hi", "conversation_history": [{"role": "user", "content": ""}, "x"]},
            "conversation_history[1] must be an object",
        ),
        (
            {"user_input": "hi", "conversation_history": [{"role": "system", "content": "x"}]},
            "conversation_history[0].role is invalid",
        ),
        (
            {"user_input": "hi", "conversation_history": [{"role": [], "content": "x"}]},
            "conversation_history[0].role is invalid",
        ),
        (
            {"user_input": "hi", "conversation_history": [{"role": "user"}]},
            "conversation_history[0].content must be a string",
        ),
    ],
)
def test_a_malformed_request_is_answered_400_with_the_first_problem(body: Any, told: str) -> None:
    assert parse_request(body) == ChatAnswer(400, {"error": told})


def test_an_answer_tells_one_line_for_each_agent_call() -> None:
    request = ChatRequest("hi", (), "s-1")
    found = answer(
        request, "yes", new_session="n", agent_logs=("one\nline", "two"), beside={"model": "m"}
    )
    assert found == ChatAnswer(
        200,
        {"model": "m", "response": "yes", "agent_logs": "one line\ntwo", "session_id": "s-1"},
    )
    assert answer(request, "yes", new_session="n").members["agent_logs"] == ""
    assert answer_problems(found) == []


@pytest.mark.parametrize(
    ("answered", "count"),
    [
        (refusal("no"), 0),
        (ChatAnswer(400, {"error": "no", "more": 1}), 1),
        (ChatAnswer(400, {"error": 5}), 1),
        (ChatAnswer(422, {}), 1),
        (ChatAnswer(200, {"response": "x", "agent_logs": [], "session_id": None}), 2),
        (ChatAnswer(200, {}), 3),
    ],
)
def test_a_consumer_counts_what_is_wrong_with_an_answer(answered: ChatAnswer, count: int) -> None:
    assert len(answer_problems(answered)) == count
