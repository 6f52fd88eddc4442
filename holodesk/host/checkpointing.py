"""Beginning a new stream from a desk's head; the old desk is left as it is (LH 3.1)."""

from pathlib import Path

from holodesk.hologram import checkpoint
from holodesk.host.desk import Desk
from holodesk.host.desks import AGENTS, LENSES, MEDIA, begin_desk
from holodesk.host.modelling import carry
from holodesk.host.offering import copy_agents
from holodesk.host.settings import read_settings
from holodesk.rapp.canonical import Json
from holodesk.rapp.frame import Frame


def make_checkpoint(desk: Path, new: Path) -> Frame:
    """A new desk whose genesis carries the old head, object and controls; its genesis frame.

    The new stream has a key of its own; lenses and agents are those of the old desk's folders.

    Raises:
        Refused: the old chain breaks a rule, or something is at `new`.
        Unavailable: no desk, or the disk refuses.
    """
    with Desk(desk, read_settings(), write=False) as old:
        return begin_desk(
            new,
            lambda spki: checkpoint.payload(old.hologram, spki),
            lambda part: _copy_folders(old.folder, part, old.hologram.object),
        )


def _copy_folders(old: Path, part: Path, object: Json) -> None:
    """Lenses, agents, and the media that the object names; broken media stay behind."""
    carry(object, old / MEDIA, part / MEDIA)
    for name in (LENSES, AGENTS):
        copy_agents(old / name, part / name)
