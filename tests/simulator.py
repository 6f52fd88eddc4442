"""Authors honest and dishonest chains in memory; every dishonesty has a name (house II.13)."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from holodesk.agent.source import AgentSource, read
from holodesk.contract.present import assemble
from holodesk.hologram import chain, controls, genesis, kinds
from holodesk.hologram.chain import Hologram
from holodesk.hologram.perform import Runner
from holodesk.hologram.replay import Follower, Outcome
from holodesk.hologram.tile import Caller
from holodesk.portal.caller import Choice
from holodesk.portal.loop import Pass, Pen, Surroundings
from holodesk.rapp import frame as frames
from holodesk.rapp.canonical import Json, canonical
from holodesk.rapp.frame import Frame, Head
from holodesk.rapp.names import mint_keyed, mint_keyless, utc_text
from holodesk.rapp.signature import SigningKey
from tests.conftest import ROOT

START = 1_790_000_000_000
UUID = bytes.fromhex("00112233445546778899aabbccddeeff")
Edit = Callable[[dict[str, Any]], object]


def shipped_lens(kind: str, name: str) -> AgentSource:
    """A lens that ships with the program, by its file's stem."""
    return read((ROOT / "lenses" / kind / f"{name}.py").read_bytes(), f"{name}.py")


def first_object(kind: str) -> Any:
    """The object that a shipped kind begins with."""
    found: Any = json.loads((ROOT / "lenses" / kind / "genesis.json").read_bytes())["object"]
    return found


ADA = Caller("ada", "person")


@dataclass(frozen=True)
class Act:
    """One choice: a lens by name, its parameters, who chose, and what was observed after."""

    lens: str
    params: Mapping[str, Json]
    caller: Caller = ADA
    observed: Mapping[str, Json] | None = None


class HologramSimulator:
    """An honest author with a clock of its own; `frames` are the chain's octets so far."""

    def __init__(
        self,
        runner: Runner,
        *,
        kind: str = "creature",
        signed: bool = True,
        lenses: tuple[AgentSource, ...] = (),
        self_lens: AgentSource | None = None,
        object: Json = None,
    ) -> None:
        self.runner = runner
        self.key = SigningKey.generate() if signed else None
        self.lenses = list(lenses)
        self._now = START
        stream = (
            mint_keyed("sim", kind, self.key.spki) if self.key else mint_keyless("sim", kind, UUID)
        )
        self.pen = Pen(self.key, "ada", "sim")
        payload = genesis.payload(
            object=first_object(kind) if object is None else object,
            controls=controls.defaults(),
            self_lens=self_lens,
            spki=self.key.spki if self.key else None,
            owner="ada",
        )
        first = frames.build(
            kind=kinds.GENESIS,
            stream_id=str(stream),
            payload=payload,
            utc=self.utc(),
            head=None,
            key=self.key,
            kid=str(stream) if self.key else None,
            kinds=kinds.HOUSE_KINDS,
        )
        self.frames = [first.octets]
        self.hologram = chain.begin(first)

    @property
    def object(self) -> Any:
        """The object at the head."""
        return self.hologram.object

    def utc(self, seconds: int = 1) -> str:
        """The next moment of this author's clock."""
        self._now += seconds * 1000
        return utc_text(self._now)

    def open_pass(self, facts: Mapping[str, Json] | None = None) -> Pass:
        present = assemble(self.hologram, ())
        around = Surroundings(self.lenses, present, facts or {}, self.utc())
        return Pass.open(self.hologram, around, self.runner, self.pen)

    def act(self, act: Act, facts: Mapping[str, Json] | None = None) -> Frame:
        """One honest pass; the tile."""
        made = self.open_pass(facts).choose(Choice(act.lens, act.params, act.caller), act.observed)
        for frame in made:
            self.add(frame)
        return made[-1]

    def turn(self, name: str, value: int, detail: tuple[str, ...] | None = None) -> Frame:
        """Turn a control honestly."""
        before = self.hologram.controls[name].setting
        setting = controls.Setting(value, detail)
        payload: dict[str, Json] = {
            "schema": "hologram-control/1",
            "after": self.hologram.head.frame_hash,
            "control": name,
            **setting.as_json(name),
            "previous": before.as_json(name),
            "by": {"id": "ada", "kind": "person"},
            "reason": "",
        }
        return self.write(kinds.CONTROL, payload)

    def write(self, kind: str, payload: dict[str, Json]) -> Frame:
        """Any frame of this author's, judged."""
        frame = self.pen.write(self.hologram, kind, payload, self.utc())
        self.add(frame)
        return frame

    def add(self, frame: Frame) -> None:
        self.hologram = chain.step(self.hologram, frame).hologram
        self.frames.append(frame.octets)

    def follow(self, octets: list[bytes] | None = None) -> Outcome:
        """Verify and replay a chain from genesis."""
        return Follower(self.runner).follow(self.frames if octets is None else octets)

    def forge(
        self, seq: int, edit: Edit, key: SigningKey | None = None, kid: str | None = None
    ) -> list[bytes]:
        """Edit one payload, and honestly recompute every hash, link, `after` and signature from it
        on: with `key` (None: this author's own)."""
        return relink(self.frames, seq, edit, key or self.key, kid)


def relink(
    octets: list[bytes], seq: int, edit: Edit, key: SigningKey | None, kid: str | None = None
) -> list[bytes]:
    """A chain rewritten from `seq` on, all its references carried along."""
    made = octets[:seq]
    head: Head | None = frames.parse(made[-1], kinds.HOUSE_KINDS).head if made else None
    renamed: dict[str, str] = {}
    for line in octets[seq:]:
        old = frames.parse(line, kinds.HOUSE_KINDS)
        payload = _renamed(old.payload, renamed)
        assert isinstance(payload, dict)
        if old.seq == seq:
            edit(payload)
        new = frames.build(
            kind=old.kind,
            stream_id=old.stream_id,
            payload=payload,
            utc=old.utc,
            head=head,
            key=key,
            kid=(kid or old.stream_id) if key else None,
            kinds=kinds.HOUSE_KINDS,
        )
        renamed[old.frame_hash] = new.frame_hash
        made.append(new.octets)
        head = new.head
    return made


def stale(octets: list[bytes], seq: int, edit: Edit) -> list[bytes]:
    """One payload edited and no hash recomputed."""
    frame = json.loads(octets[seq])
    edit(frame["payload"])
    return [*octets[:seq], canonical(frame), *octets[seq + 1 :]]


def _renamed(value: Json, renamed: Mapping[str, str]) -> Json:
    if isinstance(value, dict):
        return {name: _renamed(inner, renamed) for name, inner in value.items()}
    if isinstance(value, list):
        return [_renamed(inner, renamed) for inner in value]
    return renamed.get(value, value) if isinstance(value, str) else value


def creature(runner: Runner, *, signed: bool = True) -> HologramSimulator:
    """A creature that has been through three lenses and two control turns: 11 frames."""
    names = ("drift_agent", "remember_agent", "settle_agent", "temper_agent")
    sim = HologramSimulator(
        runner,
        signed=signed,
        lenses=tuple(shipped_lens("creature", name) for name in names),
        self_lens=shipped_lens("creature", "self_lens"),
    )
    sim.act(Act("Drift", {"toward": "left", "distance": 12}))
    sim.turn("rails", 40)
    sim.act(Act("Temper", {"mood": "playful", "energy": 50}))
    sim.act(Act("Drift", {"toward": "far", "distance": 10}))
    sim.turn("slush", 32)
    sim.act(Act("Remember", {"words": "Ada likes the sea.", "weight": 4}))
    sim.act(Act("Drift", {"toward": "up", "distance": 8}))
    return sim


def hologram_of(octets: list[bytes]) -> Hologram:
    """The hologram of a chain whose links hold."""
    found = Follower(None).follow(octets)
    assert found.refusal is None
    assert found.hologram is not None
    return found.hologram
