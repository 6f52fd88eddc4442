"""Verdicts over recorded chains, each frame against its own stored predecessor (rapp/1 7.5)."""

from pathlib import Path
from typing import Any

import pytest

from holodesk.rapp.verdict import Verdict, is_frame_like, judge
from tests.unit.rapp.chains import BODY, LATER, body_chain, members_of, owner, spoiled, swarm_chain


def lines(path: Path) -> list[bytes]:
    return path.read_bytes().splitlines()


def numbered(folder: Path, count: int) -> list[bytes]:
    return [(folder / f"{n}.json").read_bytes() for n in range(count)]


def counts(verdict: Verdict) -> tuple[int, int | None, int, int]:
    return verdict.frames, verdict.links, verdict.strict, verdict.strict_14


def test_the_anchor_chain_holds_by_every_reading(shared: Path) -> None:
    verdict = judge(lines(shared / "data/rapp-1-anchor/chain-first3.jsonl"))
    assert counts(verdict) == (3, 3, 3, 3)
    assert verdict.refusal is None


def test_the_rapp_body_chain_holds_but_for_its_kind(shared: Path) -> None:
    verdict = judge(numbered(shared / "data/rapp-body/frames", 22))
    assert counts(verdict) == (22, 22, 22, 1)
    assert verdict.refusal is not None
    assert "body.pulse-reconstructed" in verdict.refusal.message


def test_the_dogg_thread_holds_but_for_its_kinds(shared: Path) -> None:
    assert counts(judge(numbered(shared / "data/dogg/thread", 6))) == (6, 6, 6, 0)


@pytest.mark.parametrize(
    ("name", "count"), [("ticks-epoch0-first108", 108), ("world-epoch0-first11", 11)]
)
def test_the_dogg_journals_link_and_fail_at_step_1(shared: Path, name: str, count: int) -> None:
    verdict = judge(lines(shared / f"data/dogg/{name}.jsonl"))
    assert counts(verdict) == (count, count, 0, 0)
    assert verdict.hashes == count
    assert verdict.refusal is not None
    assert (verdict.refusal.step, verdict.refusal.where.seq) == ("1", 0)


def test_a_single_frame_past_the_first_has_hashes_and_no_links(shared: Path) -> None:
    verdict = judge([(shared / "data/dogg/registry-1.json").read_bytes()])
    assert (verdict.frames, verdict.hashes, verdict.links) == (1, 1, None)


def test_legacy_frames_fail_at_step_1(shared: Path) -> None:
    verdict = judge(numbered(shared / "data/rapp-body/legacy", 2))
    assert counts(verdict) == (2, 0, 0, 0)
    assert verdict.refusal is not None
    assert verdict.refusal.step == "1"


def test_one_refusal_does_not_hide_the_next() -> None:
    frames = body_chain(4)
    octets = [frame.octets for frame in frames]
    octets[1] = spoiled(frames[1], payload={"n": "forged"})
    verdict = judge(octets)
    assert counts(verdict) == (4, 3, 3, 3)
    assert verdict.refusal is not None
    assert verdict.refusal.step == "2"


def test_a_frame_is_judged_against_what_stands_before_it() -> None:
    frames = body_chain(3)
    octets = [frame.octets for frame in frames]
    octets[1] = spoiled(frames[1], rehash=True, utc=LATER)
    verdict = judge(octets)
    assert counts(verdict) == (3, 2, 2, 2)
    octets[1] = spoiled(frames[1], rehash=True, payload={"n": "forged"})
    assert counts(judge(octets)) == (3, 2, 2, 2)


def test_what_is_no_json_and_what_cannot_be_followed_is_counted_and_refused() -> None:
    frames = body_chain(2)
    verdict = judge([b"{", frames[1].octets])
    assert counts(verdict) == (2, 0, 0, 0)
    assert judge([frames[0].octets, b"{", b"[]"]).strict == 1
    legacy = spoiled(frames[0], rehash=True, stream_id=5)
    assert counts(judge([legacy, frames[1].octets])) == (2, 2, 0, 0)


def test_a_frame_of_another_stream_is_refused_at_step_1a() -> None:
    other = body_chain(2, "rappid:@kody/twin:" + "b" * 64)[1]
    verdict = judge([body_chain(1)[0].octets, other.octets])
    assert verdict.refusal is not None
    assert verdict.refusal.step == "1a"
    assert verdict.links == 2


def test_a_swarm_frame_is_judged_by_the_form_of_its_signature() -> None:
    kid, key = owner()
    frames = swarm_chain(2, key, kid)
    assert counts(judge([frame.octets for frame in frames])) == (2, 2, 2, 2)
    verdict = judge([frames[0].octets, spoiled(frames[1], sig=None)])
    assert counts(verdict) == (2, 2, 1, 1)
    assert verdict.refusal is not None
    assert verdict.refusal.step == "6"


def test_nothing_is_a_chain_of_no_frames() -> None:
    assert judge([]) == Verdict(0, 0, 0, 0, 0, None)


def test_a_frame_is_told_by_its_members() -> None:
    assert is_frame_like(members_of(body_chain(1)[0]))
    assert is_frame_like({"spec": "rapp-frame/2.0", "kind": "x", "seq": 0, "payload": {}})
    others: Any = (None, [], {}, {"spec": "x", "kind": "y", "seq": 0}, {"stream_id": BODY})
    for value in others:
        assert not is_frame_like(value)
