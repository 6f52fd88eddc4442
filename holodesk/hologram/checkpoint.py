"""A new stream that carries the old head and its object (LH 3.1; not a rapp/1 re-genesis)."""

from holodesk.hologram import genesis
from holodesk.hologram.chain import Hologram
from holodesk.hologram.genesis import Checkpoint
from holodesk.rapp.canonical import Json


def payload(hologram: Hologram, spki: bytes | None) -> dict[str, Json]:
    """The genesis payload of a hologram that goes on from `hologram` under the key `spki`.

    The object, the controls in force and the self-lens are carried; history stays reachable by
    the old stream, seq and frame_hash.
    """
    head = hologram.head
    return genesis.payload(
        object=hologram.object,
        controls={name: turned.setting for name, turned in hologram.controls.items()},
        self_lens=hologram.genesis.self_lens,
        spki=spki,
        owner=hologram.genesis.owner,
        owner_kind=hologram.genesis.owner_kind,
        came_from=Checkpoint(head.stream_id, head.seq, head.frame_hash),
    )
