"""One pass of the portal, as a state machine without plumbing (LH 3.4).

    VERIFIED -> LEASED -> OFFERED -> CHOSEN -> TILED -> DONE

A choice that is rejected leaves the pass OFFERED and appends nothing. A pass returns frames; the
host alone appends them. Our own frames are judged by the same steps as anybody's, and the tile is
replayed, before they are handed over.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final

from holodesk.agent.schema import problems
from holodesk.agent.source import AgentSource
from holodesk.contract.present import Present
from holodesk.errors import FrameRefused, HolodeskError, Place, Rejected, Unavailable
from holodesk.hologram import chain, kinds, lease, rails, slush, tile
from holodesk.hologram import lens as lens_frame
from holodesk.hologram.chain import Hologram
from holodesk.hologram.perform import Call, Runner, converged, perform
from holodesk.hologram.replay import replay_one
from holodesk.portal.caller import Choice
from holodesk.portal.offer import Offer, OfferedLens, make
from holodesk.rapp import frame as frames
from holodesk.rapp.canonical import Json, canonical
from holodesk.rapp.frame import Frame
from holodesk.rapp.signature import SigningKey

RULE: Final = "LH 3.4"


class State(Enum):
    """Where a pass stands."""

    VERIFIED = "verified"
    LEASED = "leased"
    OFFERED = "offered"
    CHOSEN = "chosen"
    TILED = "tiled"
    DONE = "done"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class Pen:
    """What the owner writes with: the key (None: unsigned), and the holder of the lease."""

    key: SigningKey | None
    holder: str
    machine: str

    def write(self, hologram: Hologram, kind: str, payload: dict[str, Json], utc: str) -> Frame:
        """A frame that follows the hologram's head, signed where there is a key."""
        head = hologram.head
        return frames.build(
            kind=kind,
            stream_id=head.stream_id,
            payload=payload,
            utc=max(utc, head.utc),
            head=head,
            key=self.key,
            kid=head.stream_id if self.key is not None else None,
            kinds=kinds.HOUSE_KINDS,
        )


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What the host brings to one pass: the lenses on offer, the present, facts and the time."""

    offered: Sequence[AgentSource]
    present: Present
    facts: Mapping[str, Json]
    utc: str


class Pass:
    """One pass over a verified hologram. `open` brings it to OFFERED."""

    def __init__(self, hologram: Hologram, around: Surroundings, runner: Runner, pen: Pen) -> None:
        self.state = State.VERIFIED
        self._hologram = hologram
        self._around = around
        self._runner = runner
        self._pen = pen
        self._carried = slush.carry(hologram.slush, hologram.controls["slush"].setting)
        self._check_lease()
        self.offer = self._make_offer()
        self.state = State.OFFERED

    @classmethod
    def open(cls, hologram: Hologram, around: Surroundings, runner: Runner, pen: Pen) -> "Pass":
        """Verify the lease, gather the carried state, and make the offer.

        Raises:
            Held: somebody else's lease is in force.
            SlushConflict, SlushTooLarge, ControlRefused: the facts do not fit.
        """
        return cls(hologram, around, runner, pen)

    def check(self, choice: Choice) -> None:
        """Would this choice be taken now? Nothing changes. Raises Rejected: as `choose`."""
        self._accept(choice)

    def choose(
        self, choice: Choice, observed: Mapping[str, Json] | None = None
    ) -> tuple[Frame, ...]:
        """The frames that this choice makes: the lens's frame when it is new, then the tile.

        `observed` is what the host saw after the choice was made; it becomes `facts.observed`.

        Raises:
            Rejected: not on offer, outside the schema, an echo, or a resting hologram; the pass
                stays OFFERED and may be tried again.
            Refused, Spent, Unavailable: the pass ends; nothing was appended.
        """
        if self.state is not State.OFFERED:
            raise FrameRefused(RULE, f"expected an open offer, found the pass {self.state.value}")
        chosen = self._accept(choice)
        self.state = State.CHOSEN
        try:
            made = self._tile(chosen, choice, observed or {})
        except HolodeskError:
            self.state = State.REFUSED
            raise
        self.state = State.TILED
        return made

    def appended(self) -> None:
        """The host has the frames on disk."""
        if self.state is not State.TILED:
            raise FrameRefused(RULE, f"expected a tile, found the pass {self.state.value}")
        self.state = State.DONE

    def _check_lease(self) -> None:
        held = self._hologram.lease
        lease.check_holder(held, self._around.utc, self._pen.holder, self._pen.machine)
        self.state = State.LEASED

    def _make_offer(self) -> Offer:
        hologram = self._hologram
        where = Place(stream=hologram.head.stream_id, seq=hologram.head.seq)
        slush.check_facts(dict(self._around.facts), hologram.value("membrane"), where)
        shown = slush.gather(
            self._carried, chain.reflex_digest(hologram), self._around.facts, where
        )
        return make(
            hologram,
            self._around.offered,
            self._around.present,
            shown,
            resting=self._rests(),
        )

    def _rests(self) -> bool:
        """Is the present converged, by the self-lens's own test (LH 3.4)?"""
        self_lens = self._hologram.genesis.self_lens
        if self_lens is None or not self_lens.surface.converges:
            return False
        call = Call(self._hologram.object_octets, b"{}", b"{}", "converged")
        where = Place(seq=self._hologram.head.seq, file=self_lens.surface.name)
        return converged(self._runner.submit(self_lens.source, [call]).replies()[0], where)

    def _accept(self, choice: Choice) -> AgentSource:
        offered = self.offer.lens(choice.lens)
        where = Place(field=choice.lens[:60])
        if offered is None:
            names = ", ".join(lens.name for lens in self.offer.lenses) or "no lens at all"
            raise Rejected(RULE, f"expected one of {names}, found {choice.lens[:60]}", where)
        if self.offer.resting and choice.caller.kind != "person":
            raise Rejected(RULE, "the hologram has converged and rests; a person may reopen it")
        if found := _problems(offered, choice):
            told = "; ".join(found[:4]) + ("; …" if len(found) > 4 else "")
            raise Rejected(RULE, told, where, problems=found)
        agent = self._source_of(offered)
        run = self._hologram.run.then(agent.hash, canonical(dict(choice.params)))
        try:
            rails.check_run(run, self._hologram.value("rails"), where)
        except HolodeskError as echo:
            raise Rejected(echo.rule, echo.message, where) from echo
        return agent

    def _source_of(self, offered: OfferedLens) -> AgentSource:
        self_lens = self._hologram.genesis.self_lens
        if offered.is_self:
            assert self_lens is not None
            return self_lens
        return next(a for a in self._around.offered if a.surface.name == offered.name)

    def _facts(self, agent: AgentSource, observed: Mapping[str, Json]) -> dict[str, Json]:
        wanted = agent.surface.parameters.get("x-observes")
        names = wanted if isinstance(wanted, list) else []
        missing = [str(name) for name in names if name not in observed]
        if missing:
            raise FrameRefused(
                "LH 4.1",
                f"the lens needs what was observed after the choice: {', '.join(missing)}",
                Place(file=agent.surface.name),
            )
        facts = dict(self._around.facts)
        if observed:
            facts["observed"] = dict(observed)
        return facts

    def _tile(
        self, agent: AgentSource, choice: Choice, observed: Mapping[str, Json]
    ) -> tuple[Frame, ...]:
        hologram, made = self._hologram, []
        utc = max(self._around.utc, hologram.head.utc)
        where = Place(stream=hologram.head.stream_id, seq=hologram.head.seq + 1)
        held = hologram.lenses.get(agent.hash)
        if held is None or held.runtime != self._runner.runtime:
            frame = self._bring(agent, utc)
            hologram = chain.step(hologram, frame).hologram
            made.append(frame)
        facts = self._facts(agent, observed)
        slush.check_facts(facts, hologram.value("membrane"), where)
        slush_in = slush.gather(self._carried, chain.reflex_digest(hologram), facts, where)
        params = dict(choice.params)
        call = Call(hologram.object_octets, canonical(slush_in), canonical(params))
        result = perform(self._runner, agent.source, call, where)
        slush.check_emitted(result.data_slush, where)
        standing = lease.in_force(hologram.lease, utc)
        recorded = tile.Tile(
            input_seq=hologram.bearing_seq,
            input_hash=hologram.bearing_hash,
            lens_name=agent.surface.name,
            lens_hash=agent.hash,
            params=params,
            slush_in=slush_in,
            caller=choice.caller,
            object=result.object,
            data_slush=result.data_slush,
            controls=hologram.controls_at,
            lease=standing.frame_hash if standing else None,
            reflex=hologram.reflex_log,
            present=self._around.present.as_json(),
        )
        payload = recorded.payload(hologram.head.frame_hash)
        frame = self._pen.write(hologram, kinds.TILE, payload, utc)
        self._judge(hologram, frame)
        return (*made, frame)

    def _bring(self, agent: AgentSource, utc: str) -> Frame:
        head = self._hologram.head.frame_hash
        payload = lens_frame.payload(agent, self._runner.runtime, head)
        return self._pen.write(self._hologram, kinds.LENS, payload, utc)

    def _judge(self, hologram: Hologram, frame: Frame) -> None:
        """Our own tile goes through the steps of anybody's, and is replayed."""
        step = chain.step(hologram, frames.parse(frame.octets, kinds.HOUSE_KINDS))
        assert step.due is not None
        if (why := replay_one(self._runner, step.due)) is not None:
            raise Unavailable("LH 3.3", f"the tile could not be replayed here: {why}")


def _problems(offered: OfferedLens, choice: Choice) -> tuple[str, ...]:
    found = problems(offered.parameters, dict(choice.params))
    return tuple(f"{p.path or 'params'}: {p.message}" for p in found)


def preview(
    hologram: Hologram, around: Surroundings, runner: Runner, pen: Pen, choice: Choice
) -> Json:
    """The object that a choice would make; nothing is kept. Raises as `Pass.choose`."""
    tile_frame = Pass.open(hologram, around, runner, pen).choose(choice)[-1]
    shown: Json = tile_frame.payload["object"]
    return shown
