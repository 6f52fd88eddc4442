"""A game run made for measuring: as many frames as LH 4.1 tells of, the same on every run."""

import hashlib
from typing import Final

from holodesk.contract.present import assemble
from holodesk.hologram import chain, genesis, kinds
from holodesk.hologram.perform import Runner
from holodesk.hologram.tile import Caller
from holodesk.host.content import starter
from holodesk.host.offering import read_offering
from holodesk.portal.caller import Choice
from holodesk.portal.loop import Pass, Pen, Surroundings
from holodesk.rapp import frame as frames
from holodesk.rapp.canonical import Json, canonical
from holodesk.rapp.names import mint_keyed, utc_text
from holodesk.rapp.signature import SigningKey

PRESSES: Final = 3057
"""With its genesis and its lens frame: the 3,059 frames of LH 4.1."""
BUTTONS: Final = ("left", "up", "down", "right")
OUTCOMES: Final = ("moved", "moved", "blocked_or_waited")
START: Final = 1_790_000_000_000


def make_game_run(runner: Runner, presses: int = PRESSES) -> list[bytes]:
    """The octets of a signed game run, every press through the real pass."""
    begun = starter("gamerun")
    key = SigningKey.generate()
    stream = str(mint_keyed("bench", "gamerun", key.spki))
    payload = genesis.payload(
        object=begun.object, controls=begun.controls, self_lens=None, spki=key.spki, owner="bench"
    )
    first = frames.build(
        kind=kinds.GENESIS,
        stream_id=stream,
        payload=payload,
        utc=utc_text(START),
        head=None,
        key=key,
        kid=stream,
        kinds=kinds.HOUSE_KINDS,
    )
    hologram = chain.begin(first)
    pen = Pen(key, "bench", "bench")
    lenses = read_offering(begun.lenses, hologram).lenses
    octets = [first.octets]
    for number in range(presses):
        around = Surroundings(
            lenses, assemble(hologram, ()), {}, utc_text(START + (number + 1) * 500)
        )
        choice, observed = _press(number)
        for made in Pass.open(hologram, around, runner, pen).choose(choice, observed):
            hologram = chain.step(hologram, made).hologram
            octets.append(made.octets)
    return octets


def _press(number: int) -> tuple[Choice, dict[str, Json]]:
    draw = hashlib.sha256(f"press {number}".encode()).digest()
    buttons: list[Json] = [BUTTONS[draw[0] % 4]]
    observed: dict[str, Json] = {
        "outcome": OUTCOMES[draw[1] % 3],
        "stuck": list[Json](("floor_cycle", "endpoint_revisit")[: draw[2] % 3]),
        "phase": "overworld",
        "progress": {"badge_count": 4, "party_size": 3, "pokedex_seen": 62, "lift_key": False},
        "game_time": 519_916 + number * 2,
        "run": "bench",
        "sequence": number + 1,
        "record": f"sha256:{draw.hex()}",
    }
    caller = Caller("a-model", "model", "Player")
    return Choice("Press", {"buttons": buttons}, caller), observed


def frame_like() -> bytes:
    """The octets of one press tile of about the size of LH 4.1, without a machine or a key."""
    recent: list[Json] = []
    for number in range(24):
        choice, observed = _press(number)
        recent.append({"buttons": choice.params["buttons"], "outcome": observed["outcome"]})
    choice, observed = _press(24)
    draw = [hashlib.sha256(f"hash {n}".encode()).hexdigest() for n in range(6)]
    payload: dict[str, Json] = {
        "schema": "hologram-tile/1",
        "after": draw[0],
        "input": {"seq": 24, "frame_hash": draw[0]},
        "lens": {"name": choice.lens, "hash": draw[1]},
        "params": dict(choice.params),
        "slush_in": {"stuck": ["floor_cycle"], "facts": {"observed": observed}},
        "caller": {"id": "a-model", "kind": "model", "persona": "Player"},
        "object": {"schema": "gamerun/1", "decisions": 25, "recent": recent},
        "data_slush": {"stuck": []},
    }
    return canonical(
        {
            "spec": "rapp/1",
            "kind": kinds.TILE,
            "stream_id": f"rappid:@bench/gamerun:{draw[2]}",
            "seq": 25,
            "utc": utc_text(START),
            "payload": payload,
            "payload_hash": draw[3],
            "frame_hash": draw[4],
            "prev": draw[5],
            "prev_wave": None,
            "sig": None,
        }
    )
