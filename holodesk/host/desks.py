"""Making desks: whole or not at all (decisions 8)."""

import os
import re
import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from holodesk.agent.source import AgentSource
from holodesk.errors import HolodeskError, Place, Refused, Unavailable, Usage
from holodesk.hologram import chain, genesis, kinds
from holodesk.hologram.controls import Setting
from holodesk.host import clock, content
from holodesk.host.heads import keep_head
from holodesk.host.keyring import keep_key
from holodesk.host.offering import copy_agents
from holodesk.host.settings import Settings, default_desk, read_settings
from holodesk.rapp import frame as frames
from holodesk.rapp.canonical import Json
from holodesk.rapp.frame import Frame
from holodesk.rapp.names import mint_keyed
from holodesk.rapp.registry import Entry, build_registry
from holodesk.rapp.signature import SigningKey
from holodesk.store.desk_file import DeskFile
from holodesk.store.media import Media
from holodesk.store.whole import sync_folder

DESK_FILE: Final = "desk.sqlite"
LENSES: Final = "lenses"
AGENTS: Final = "agents"
MEDIA: Final = "media"
REGISTRY: Final = "registry.json"


@dataclass(frozen=True, slots=True)
class Beginning:
    """What a new hologram starts from; `lenses` is the folder its lenses are copied from."""

    object: Json
    controls: Mapping[str, Setting]
    self_lens: AgentSource | None
    lenses: Path
    media: tuple[bytes, ...] = ()
    """Blobs that its object names by their content address."""


def make_desk(desk: Path, beginning: Beginning) -> Frame:
    """A new desk with its key, its genesis, and copies of its lenses and agents.

    Returns the genesis frame. A desk appears whole or not at all; the key is kept first.

    Raises:
        Refused: something is at `desk` already.
        Unavailable: the disk refuses.
    """
    settings = read_settings()

    def payload(spki: bytes) -> dict[str, Json]:
        return genesis.payload(
            object=beginning.object,
            controls=beginning.controls,
            self_lens=beginning.self_lens,
            spki=spki,
            owner=settings.owner,
        )

    def fill(part: Path) -> None:
        furnish(part, beginning.lenses)
        for octets in beginning.media:
            Media(part / MEDIA).keep(octets)

    return begin_desk(desk, payload, fill)


def begin_desk(
    desk: Path, payload: Callable[[bytes], dict[str, Json]], fill: Callable[[Path], None]
) -> Frame:
    """A new stream on a new desk: its key, its genesis as `payload` makes it, its folders.

    Raises as `make_desk`.
    """
    key = SigningKey.generate()
    with NewFolder(desk) as part:
        stream_id = _rappid(read_settings(), desk.resolve().name, key)
        first = first_frame(stream_id, payload(key.spki), key)
        keep_key(stream_id, key)
        with DeskFile.create(part / DESK_FILE) as file:
            file.append([first], None, _sources(first))
        fill(part)
        (part / MEDIA).mkdir(exist_ok=True)
        (part / REGISTRY).write_bytes(_registry(stream_id, first, key))
        keep_head(chain.begin(first))
    return first


def first_frame(stream_id: str, payload: dict[str, Json], key: SigningKey | None) -> Frame:
    """A genesis frame, at this moment."""
    return frames.build(
        kind=kinds.GENESIS,
        stream_id=stream_id,
        payload=payload,
        utc=clock.now(),
        head=None,
        key=key,
        kid=stream_id if key is not None else None,
        kinds=kinds.HOUSE_KINDS,
    )


def furnish(desk: Path, lenses: Path) -> None:
    """Fill a new desk's folders with copies of what ships."""
    copy_agents(lenses, desk / LENSES)
    copy_agents(content.shipped("agents"), desk / AGENTS)


def from_kind(kind: str) -> Beginning:
    """What a hologram of a shipped kind starts from. Raises Usage, Unavailable."""
    found = content.starter(kind)
    return Beginning(found.object, found.controls, found.self_lens, found.lenses)


def ensure_default() -> Path:
    """The default desk, made on the first start."""
    desk = default_desk()
    if not (desk / DESK_FILE).exists():
        try:
            make_desk(desk, from_kind("creature"))
        except HolodeskError:
            if not (desk / DESK_FILE).exists():  # else another first start was faster
                raise
    return desk


def find_desk(path: Path) -> Path:
    """A folder that holds a desk file.

    Raises:
        Usage: a file where a desk is wanted.
        Unavailable: nothing there, or a folder without a desk file.
    """
    where = Place(file=str(path))
    try:
        if path.is_file():
            raise Usage("desk", "expected a desk folder, found a file", Place(file=path.name))
        if not path.is_dir():
            raise Unavailable("desk", "expected a desk, found nothing", where)
        if not (path / DESK_FILE).is_file():
            told = f"expected a desk with its {DESK_FILE}, found a folder without"
            raise Unavailable("desk", told, where)
    except OSError as problem:
        told = f"the desk cannot be read: {problem.strerror or problem}"
        raise Unavailable("desk", told, where) from problem
    return path


class NewFolder:
    """A folder that appears under its name only when everything in it is done."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._part = folder
        self._where = Place(file=str(folder))

    def __enter__(self) -> Path:
        try:
            self._folder = self._folder.resolve()  # "." and ".." have no name of their own
            self._part = self._folder.parent / f".new-{clock.chance(8).hex()}"
            if os.path.lexists(self._folder) and not _is_empty(self._folder):
                raise Refused("desk", "expected nothing here, found something", self._where)
            self._part.mkdir(parents=True)
        except (OSError, RuntimeError, ValueError) as problem:
            raise self._unmade(problem) from problem
        return self._part

    def __exit__(self, kind: object, problem: BaseException | None, trace: object) -> None:
        try:
            if problem is None:
                if self._folder.is_dir():
                    self._folder.rmdir()
                self._part.rename(self._folder)
                sync_folder(self._folder.parent)
        except OSError as fault:
            raise self._unmade(fault) from fault
        finally:
            shutil.rmtree(self._part, ignore_errors=True)
        if isinstance(problem, OSError):
            raise self._unmade(problem) from problem

    def _unmade(self, problem: Exception) -> Unavailable:
        told = f"the desk cannot be made: {getattr(problem, 'strerror', None) or problem}"
        return Unavailable("desk", told, self._where)


def _is_empty(folder: Path) -> bool:
    return folder.is_dir() and not any(folder.iterdir())


def _rappid(settings: Settings, name: str, key: SigningKey) -> str:
    slug = re.sub(r"-{2,}", "-", re.sub(r"[^a-z0-9]+", "-", name.lower())).strip("-")[:100]
    return str(mint_keyed(settings.owner, slug.strip("-") or "hologram", key.spki))


def _sources(first: Frame) -> dict[str, str]:
    self_lens = first.payload["self_lens"]
    return {} if self_lens is None else {self_lens["hash"]: self_lens["source"]}


def _registry(stream_id: str, first: Frame, key: SigningKey) -> bytes:
    """The desk's own signed registry document: its owner, its key and its genesis."""
    return build_registry(
        owner=stream_id,
        registry_seq=0,
        entries=(
            Entry.estate_owner(stream_id),
            Entry.spki(stream_id, key.spki),
            Entry.genesis(stream_id, first.frame_hash),
        ),
        key=key,
    )
