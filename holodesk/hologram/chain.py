"""A verified stream, frame by frame, to what it means (LH 3.1).

Only `begin` and `step` make a Hologram, and only from frames that passed rapp/1 7.5 against the
head before them. A step that asks for a replay hands it back as a `Due`: the structure is settled
here, the replay by whoever holds a runner (`replay`).
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Final

from holodesk.agent.schema import problems
from holodesk.errors import ControlRefused, FrameRefused, Place, Refused
from holodesk.hologram import gate, kinds, lease, lens, reflexes, slush, tile
from holodesk.hologram import genesis as genesis_frame
from holodesk.hologram.controls import InForce, Turned, parse_setting, turn
from holodesk.hologram.gate import Admitted
from holodesk.hologram.genesis import Genesis
from holodesk.hologram.lease import Lease
from holodesk.hologram.lens import Lens
from holodesk.hologram.payload import (
    Check,
    anything,
    check_after,
    check_payload,
    hashed,
    label,
    number,
    one_of,
    optional,
    shaped,
    text,
)
from holodesk.hologram.perform import Call
from holodesk.hologram.rails import NO_RUN, Run, check_run, narrowed
from holodesk.hologram.reflexes import NOT_LIVED, Life, Lived, Moment
from holodesk.hologram.tile import Tile
from holodesk.rapp import stream as streams
from holodesk.rapp.address import Wave
from holodesk.rapp.canonical import Json, canonical
from holodesk.rapp.frame import Frame
from holodesk.rapp.jws import parse_jws
from holodesk.rapp.signature import Keyring
from holodesk.rapp.stream import Head, Stream

STEP_6: Final = "rapp/1 7.5 step 6"
CONTROL_MEMBERS: Final[Mapping[str, Check]] = {
    "schema": text,
    "after": optional(hashed),
    "control": label,
    "value": number,
    "detail": anything,
    "previous": anything,
    "by": shaped({"id": label, "kind": one_of(*genesis_frame.CALLER_KINDS)}),
    "reason": text,
}


@dataclass(frozen=True, slots=True)
class Hologram:
    """A verified stream with its meaning. `object` is the JSON in `bearing`'s frame.

    `slush` is the newest tile's data_slush; `lived` what the reflex logs since that tile come to;
    `controls_at` the newest control frame; `run` how often the newest choice was made in a row;
    `gates` the gate frame of each admitted routine; `moment` the head as a segment begins at it.
    """

    stream: Stream
    head: Head
    genesis: Genesis
    object: Json
    object_octets: bytes
    bearing_seq: int
    bearing_hash: Wave
    slush: Mapping[str, Json]
    controls: InForce
    controls_at: Wave | None
    lease: Lease | None
    lenses: Mapping[str, Lens]
    run: Run
    lived: Lived
    gates: Mapping[str, str]
    moment: Moment
    frames: int
    tiles: int
    signed: bool

    @property
    def reflex_log(self) -> str | None:
        """The newest reflex frame since the newest tile, or None."""
        return self.lived.log

    @property
    def schema(self) -> str:
        """The object's schema string, or an empty one."""
        found = self.object.get("schema") if isinstance(self.object, dict) else None
        return found if isinstance(found, str) else ""

    def value(self, control: str) -> int:
        """One control's value in force."""
        return self.controls[control].setting.value


@dataclass(frozen=True, slots=True)
class Due:
    """A tile's replay: this source, called so, must give exactly these canonical octets.

    `resting` is the object that the self-lens must not call converged, or None where it may.
    """

    seq: int
    lens: Lens
    call: Call
    expected: bytes
    resting: bytes | None


@dataclass(frozen=True, slots=True)
class Step:
    """One frame further: the hologram, and what of the frame is still to be replayed."""

    hologram: Hologram
    due: Due | None = None
    life: Life | None = None
    admitted: Admitted | None = None


def begin(frame: Frame, registry: Keyring = Keyring.EMPTY) -> Hologram:
    """The hologram that a genesis frame names.

    A genesis that carries a key is keyed: the key's fingerprint must be the stream's own tail, and
    this frame and every later one must be signed by it.

    Raises:
        FrameRefused: a step of rapp/1 7.5, or a genesis of another shape.
        ControlRefused, LensImpure, SurfaceIncomplete: as `genesis.parse`.
    """
    where = Place(stream=frame.stream_id, seq=frame.seq)
    if frame.kind != kinds.GENESIS:
        raise FrameRefused(
            "LH 3.1", f"expected a {kinds.GENESIS} frame first, found {frame.kind}", where
        )
    genesis = genesis_frame.parse(frame)
    keyring = registry
    if genesis.spki is not None:
        try:
            keyring = registry.with_key(frame.stream_id, genesis.spki)
        except Refused as problem:
            raise FrameRefused(STEP_6, problem.message, where, step="6") from problem
        _check_signed(frame, genesis)
    stream = streams.extend(streams.begin(frame.stream_id, keyring), frame)
    assert stream.head is not None
    no_gates: Mapping[str, str] = MappingProxyType({})
    return Hologram(
        stream=stream,
        head=stream.head,
        genesis=genesis,
        object=genesis.object,
        object_octets=canonical(genesis.object),
        bearing_seq=frame.seq,
        bearing_hash=frame.frame_hash,
        slush=MappingProxyType({}),
        controls=genesis.controls,
        controls_at=None,
        lease=None,
        lenses=MappingProxyType({}),
        run=NO_RUN,
        lived=NOT_LIVED,
        gates=no_gates,
        moment=_moment(frame, genesis.controls, no_gates, None),
        frames=1,
        tiles=0,
        signed=frame.sig is not None,
    )


def step(hologram: Hologram, frame: Frame) -> Step:
    """One verified frame further.

    Raises:
        FrameRefused: a step of rapp/1 7.5, `after`, or a payload of another shape.
        ControlRefused, SlushConflict, SlushTooLarge: the frame breaks a rule of LH 3.5 to 3.7.
        LensImpure, SurfaceIncomplete: a lens frame whose source the gate refuses.
    """
    _check_signed(frame, hologram.genesis)
    stream = streams.extend(hologram.stream, frame)
    assert stream.head is not None
    check_after(frame, hologram.head.frame_hash)
    advanced = replace(
        hologram,
        stream=stream,
        head=stream.head,
        frames=hologram.frames + 1,
        signed=hologram.signed and frame.sig is not None,
    )
    made = _meaning(hologram, advanced, frame)
    after = made.hologram
    # a segment begins no earlier than the newest tile and the newest log
    before = None if frame.kind in (kinds.TILE, kinds.REFLEX) else hologram.moment
    moment = _moment(frame, after.controls, after.gates, before)
    return replace(made, hologram=replace(after, moment=moment))


def _moment(
    frame: Frame, controls: InForce, gates: Mapping[str, str], before: Moment | None
) -> Moment:
    budget, membrane = (controls[name].setting.value for name in ("reflex", "membrane"))
    return Moment(frame.frame_hash, frame.seq, frame.utc, budget, membrane, gates, before)


def _meaning(hologram: Hologram, advanced: Hologram, frame: Frame) -> Step:
    """What one kind of frame changes."""
    match frame.kind:
        case kinds.TILE:
            return _tile(hologram, advanced, frame)
        case kinds.CONTROL:
            return Step(_control(advanced, frame))
        case kinds.LENS:
            brought = lens.step(frame)
            held = MappingProxyType({**hologram.lenses, brought.agent.hash: brought})
            return Step(replace(advanced, lenses=held))
        case kinds.LEASE:
            return Step(replace(advanced, lease=lease.step(hologram.lease, frame)))
        case kinds.REFLEX:
            life = reflexes.read_log(frame, hologram.moment, hologram.lived, hologram.object)
            lived = reflexes.lived_on(hologram.lived, life, frame.frame_hash)
            return Step(replace(advanced, lived=lived), life=life)
        case kinds.GATE:
            admitted = gate.read_gate(frame, hologram.object, hologram.genesis.spki)
            gates = MappingProxyType({**hologram.gates, admitted.subject: frame.frame_hash})
            return Step(replace(advanced, gates=gates), admitted=admitted)
        case kinds.VERDICT:
            gate.check_verdict(frame)
            return Step(advanced)
    where = Place(stream=frame.stream_id, seq=frame.seq)
    raise FrameRefused("LH 3.1", f"expected a hologram's frame, found {frame.kind}", where)


def _check_signed(frame: Frame, genesis: Genesis) -> None:
    """A keyed hologram's history is signed throughout: a stripped signature is a forgery."""
    if genesis.spki is None:
        return
    where = Place(stream=frame.stream_id, seq=frame.seq)
    if frame.sig is None:
        told = "expected a signature on every frame, found none"
        raise FrameRefused(STEP_6, told, where, step="6")
    if parse_jws(frame.sig).kid != frame.stream_id:
        told = "expected the signature of the hologram's own key, found another's"
        raise FrameRefused(STEP_6, told, where, step="6")


def _control(hologram: Hologram, frame: Frame) -> Hologram:
    check_payload(frame, CONTROL_MEMBERS)
    where = Place(stream=frame.stream_id, seq=frame.seq)
    payload = frame.payload
    name = str(payload["control"])
    setting = parse_setting(name, payload["value"], payload["detail"], where)
    by = payload["by"]
    assert isinstance(by, dict)
    turned = Turned(setting, frame.seq, str(by["id"]), frame.utc)
    return replace(
        hologram,
        controls=turn(hologram.controls, name, turned, payload["previous"], where),
        controls_at=frame.frame_hash,
    )


def _tile(before: Hologram, advanced: Hologram, frame: Frame) -> Step:
    parsed = tile.parse(frame)
    where = Place(stream=frame.stream_id, seq=frame.seq)
    used = _used_lens(before, parsed, where)
    _check_lineage(before, parsed, frame.utc, where)
    params = canonical(parsed.params)
    run = before.run.then(parsed.lens_hash, params)
    check_choice(before, used, parsed.params, run, where)
    carried = slush.carry(before.slush, before.controls["slush"].setting)
    reflex = reflex_digest(before)
    slush.check_slush_in(parsed.slush_in, carried, reflex, where)
    slush.check_facts(parsed.slush_in.get(slush.FACTS, {}), before.value("membrane"), where)
    slush.check_emitted(parsed.data_slush, where)
    object_octets = canonical(parsed.object)
    expected = b'{"data_slush":' + canonical(parsed.data_slush) + b',"object":' + object_octets
    call = Call(before.object_octets, canonical(parsed.slush_in), params)
    rests = parsed.caller.kind != "person" and self_lens_converges(before)
    due = Due(frame.seq, used, call, expected + b"}", before.object_octets if rests else None)
    hologram = replace(
        advanced,
        object=parsed.object,
        object_octets=object_octets,
        bearing_seq=frame.seq,
        bearing_hash=frame.frame_hash,
        slush=MappingProxyType(parsed.data_slush),
        run=run,
        lived=NOT_LIVED,
        tiles=before.tiles + 1,
    )
    return Step(hologram, due)


def self_lens_converges(hologram: Hologram) -> bool:
    """Does this hologram's self-lens define a convergence test (LH 3.4)?"""
    self_lens = hologram.genesis.self_lens
    return self_lens is not None and self_lens.surface.converges


def is_self_lens(hologram: Hologram, hash: str) -> bool:
    """Is this the self-lens that genesis names?"""
    self_lens = hologram.genesis.self_lens
    return self_lens is not None and self_lens.hash == hash


def reflex_digest(hologram: Hologram) -> Json:
    """The digest of the reflex logs since the newest tile, as slush carries it, or None."""
    return reflexes.digest(hologram.lived, hologram.value("membrane"))


def _used_lens(hologram: Hologram, parsed: Tile, where: Place) -> Lens:
    used = hologram.lenses.get(parsed.lens_hash)
    if used is None:
        raise FrameRefused(
            "LH 3.5",
            f"expected the source of lens {parsed.lens_hash[:16]} in an earlier lens frame",
            where,
        )
    if used.name != parsed.lens_name:
        raise FrameRefused(
            "LH 3.2", f"expected the lens {used.name}, found {parsed.lens_name[:60]}", where
        )
    return used


def _check_lineage(hologram: Hologram, parsed: Tile, utc: str, where: Place) -> None:
    standing = lease.in_force(hologram.lease, utc)
    in_force = (
        ("controls", hologram.controls_at, parsed.controls),
        ("lease", standing.frame_hash if standing else None, parsed.lease),
        ("reflex", hologram.reflex_log, parsed.reflex),
        ("input", hologram.bearing_hash, parsed.input_hash),
    )
    for name, expected, found in in_force:
        if expected != found:
            raise FrameRefused(
                "LH 3.3",
                f"expected {name} to name {_short(expected)}, found {_short(found)}",
                where,
            )
    if parsed.input_seq != hologram.bearing_seq:
        raise FrameRefused(
            "LH 3.3",
            f"expected input to be frame {hologram.bearing_seq}, found {parsed.input_seq}",
            where,
        )


def check_choice(
    hologram: Hologram, used: Lens, params: Mapping[str, Json], run: Run, where: Place
) -> None:
    """A recorded choice was inside what the controls in force offered (LH 3.7).

    Raises:
        ControlRefused: a lens not allowed, params outside the narrowed schema, or an echo.
    """
    allow = hologram.controls["lens"].setting.detail
    own = is_self_lens(hologram, used.agent.hash)
    if allow is not None and used.name not in allow and not own:
        raise ControlRefused("LH 3.7", f"the lens {used.name} was not on offer", where)
    rails = hologram.value("rails")
    found = problems(narrowed(used.agent.surface.parameters, rails), dict(params))
    if found:
        raise ControlRefused("LH 3.4", f"{found[0].path or 'params'}: {found[0].message}", where)
    check_run(run, rails, where)


def _short(value: str | None) -> str:
    return "none" if value is None else value[:16]
