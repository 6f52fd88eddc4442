"""What crosses between the window and the host: typed, bounded, immutable (decisions 8a).

Each message is one msgpack map behind a 32-bit little-endian length. The window sends requests,
the host sends notices. Only verified things are ever in a notice; nothing here is trusted by the
host, which checks every request like anybody's.
"""

from typing import Any, Final

import msgspec

MAX_MESSAGE: Final = 16 << 20
"""The largest message in octets; a longer one ends the connection."""


class Message(msgspec.Struct, frozen=True, tag_field="is"):
    """A value that crosses; equal messages are equal octets."""


# ------------------------------------------------------------------ the window asks


class Choose(Message, frozen=True, tag="choose"):
    """The person's choice for the pass now offered: a lens by name and its parameters."""

    id: int
    lens: str
    params: dict[str, Any]


class Preview(Message, frozen=True, tag="preview"):
    """What would the object become? Nothing is appended."""

    id: int
    lens: str
    params: dict[str, Any]


class Turn(Message, frozen=True, tag="turn"):
    """Turn one of the six controls. `detail` is the allow or drop list, or None to keep it."""

    id: int
    control: str
    value: int
    detail: dict[str, Any] | None = None
    reason: str = ""


class AskLineage(Message, frozen=True, tag="ask-lineage"):
    """Rows of the lineage below `before` (None: from the head), newest first."""

    id: int
    before: int | None = None
    count: int = 200


class AskDetail(Message, frozen=True, tag="ask-detail"):
    """Everything that one frame says."""

    id: int
    seq: int


class ReplayNow(Message, frozen=True, tag="replay-now"):
    """Replay the tile at `seq` and say the verdict."""

    id: int
    seq: int


class SetCaller(Message, frozen=True, tag="set-caller"):
    """Who chooses from now on: `person`, or `script` with the path of a JSON Lines file."""

    id: int
    caller: str
    script: str | None = None


class Live(Message, frozen=True, tag="live"):
    """The window keeps the body alive: tell `Body` now and at every head (LH 3.6)."""

    id: int


class Log(Message, frozen=True, tag="log"):
    """A finished segment of reflexes: `reflex.log.Recorder.payload()`, re-run before it is kept."""

    id: int
    payload: dict[str, Any]


class Leave(Message, frozen=True, tag="leave"):
    """The window ends; the host releases what it holds and ends too."""


Request = (
    Choose | Preview | Turn | AskLineage | AskDetail | ReplayNow | SetCaller | Live | Log | Leave
)


# ------------------------------------------------------------------ the host tells


class Working(Message, frozen=True, tag="working"):
    """Something takes a while. `done` is 0..1, or -1 when it cannot be measured; 1 ends it."""

    what: str
    done: float


class ControlState(Message, frozen=True, tag="control"):
    """One control in force at the head: since which frame, and who turned it when."""

    name: str
    value: int
    detail: dict[str, Any] | None
    since: int
    by: str
    utc: str


class HeadMoved(Message, frozen=True, tag="head-moved"):
    """A verified head, whole. The window redraws what differs; it is told nothing else of state."""

    stream_id: str
    seq: int
    frame_hash: str
    utc: str
    kind: str
    object: Any
    object_seq: int
    controls: list[ControlState]
    frames: int
    tiles: int
    signed: bool
    freshness: str  # "live", "stale" or "refused"
    writable: bool
    why_not: str  # why the desk cannot be written, or ""
    converged: bool
    desk: str  # the desk's name, for the title


class OfferedLens(Message, frozen=True, tag="lens"):
    """A lens as a caller sees it: descriptions and the narrowed schema, never its source."""

    name: str
    description: str
    parameters: dict[str, Any]
    is_self: bool
    rest: dict[str, Any]  # x-rest values by field, where the lens names them


class Offered(Message, frozen=True, tag="offered"):
    """The offer of the pass that now waits: all that a caller gets to see."""

    seq: int  # the head it was made at
    lenses: list[OfferedLens]
    present: str
    slush: dict[str, Any]
    resting: bool  # converged: only a person may choose


class FolderFile(Message, frozen=True, tag="file"):
    """A file in the watched folder, its lens, and its status as `offering.FileState` says it."""

    file: str
    lens: str
    status: str
    reason: str
    line: int  # 0 when there is none


class Folder(Message, frozen=True, tag="folder"):
    """What the watched folder held when the offer was made."""

    files: list[FolderFile]


class Refusal(Message, frozen=True, tag="refusal"):
    """A request, a pass or a chain was refused. One sentence; rule and place apart from it."""

    id: int  # the request it answers, or 0
    family: str  # Refused, Rejected, Held, Spent or Unavailable
    sentence: str
    rule: str
    place: str
    step: str
    problems: list[str]  # for a rejected choice: "field: what was expected and found"
    advice: str


class Appended(Message, frozen=True, tag="appended"):
    """The answer to Choose, Turn or Log: on disk, acknowledged."""

    id: int
    seq: int
    kind: str
    frame_hash: str


class Row(Message, frozen=True, tag="row"):
    """One line of the lineage."""

    seq: int
    kind: str  # genesis, lens, tile, control, reflex, lease
    utc: str
    title: str  # lens name, control name and change, ...
    caller: str  # "person: ada"
    summary: str
    frame_hash: str
    signed: bool


class LineageRows(Message, frozen=True, tag="lineage"):
    """Answer to AskLineage: rows newest first, and how many frames there are in all."""

    id: int
    rows: list[Row]
    total: int


class Detail(Message, frozen=True, tag="detail"):
    """Answer to AskDetail: the sections of one frame as (heading, text) in reading order."""

    id: int
    seq: int
    kind: str
    sections: list[tuple[str, str]]


class Replayed(Message, frozen=True, tag="replayed"):
    """Answer to ReplayNow: `valid`, `invalid` or `undetermined`, with one sentence."""

    id: int
    seq: int
    verdict: str
    sentence: str


class Previewed(Message, frozen=True, tag="previewed"):
    """Answer to Preview: the object as it would be."""

    id: int
    object: Any


class Pace(Message, frozen=True, tag="pace"):
    """Who chooses now and when the host starts the next pass by itself (-1: it does not)."""

    caller: str
    next_pass: float  # seconds from now
    resting: bool


class BodyRoutine(Message, frozen=True, tag="routine"):
    """One routine of the body, as the window runs and shows it."""

    id: str
    source: str
    quota: int  # steps a tick
    origin: str  # "compiled" or "self-authored"
    gate: str | None  # frame_hash of the gate frame that admitted it
    lineage: list[tuple[str, str]]  # (part of the routine, path in the object)
    fallback: str  # why the program that the object carries does not run, or ""
    stands: dict[str, Any]  # where the object itself has this body (`reflex.world.body_from`)


class Body(Message, frozen=True, tag="body"):
    """All that a segment of reflexes begins with; `reflex.segment.begun` makes it a Segment.

    Told after `Live`, and then at every head: the window finishes the segment it has, sends its
    Log where it has ticked, and begins this one. A budget of 0 means still.
    """

    head: str  # frame_hash that the routines were compiled from
    seq: int
    came_from: str | None  # frame_hash of the log that this one goes on from
    t0: str  # utc, a recorded fact
    budget: int
    membrane: int
    facts: dict[str, Any]
    routines: list[BodyRoutine]
    bodies: dict[str, Any]  # by id: where each body stands (`reflex.world.body_from`)
    states: dict[str, Any]  # by id: what each routine kept


class Boundary(Message, frozen=True, tag="boundary"):
    """A pass is about to begin: finish the segment and send its Log now, or it is missed."""


class Felt(Message, frozen=True, tag="felt"):
    """Something came from outside for the body: the next tick takes it."""

    kind: str
    payload: dict[str, Any]


class Missed(Message, frozen=True, tag="missed"):
    """Answer to a Log that came too late to be kept: a tile or another log stands before it."""

    id: int
    sentence: str


class Media(Message, frozen=True, tag="media"):
    """What an object names by its content address, checked, and as finely as it is shown."""

    address: str
    kind: str  # "model" or "reel"
    octets: bytes  # a body in its normal form (`display.model`, `display.reel`)


Notice = (
    Working
    | HeadMoved
    | Media
    | Offered
    | Folder
    | Refusal
    | Appended
    | LineageRows
    | Detail
    | Replayed
    | Previewed
    | Pace
    | Body
    | Boundary
    | Missed
    | Felt
)

_encoder = msgspec.msgpack.Encoder()
_requests: msgspec.msgpack.Decoder[Request] = msgspec.msgpack.Decoder(Request)
_notices: msgspec.msgpack.Decoder[Notice] = msgspec.msgpack.Decoder(Notice)


def frame_message(message: Message) -> bytes:
    """A message as octets: 32-bit little-endian length, then msgpack."""
    octets = _encoder.encode(message)
    return len(octets).to_bytes(4, "little") + octets


def read_request(octets: bytes) -> Request:
    """A request from its msgpack octets. Raises msgspec.DecodeError."""
    return _requests.decode(octets)


def read_notice(octets: bytes) -> Notice:
    """A notice from its msgpack octets. Raises msgspec.DecodeError."""
    return _notices.decode(octets)
