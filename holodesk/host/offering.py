"""Reads a desk's lenses anew for every pass: presence is ability (LH 4.1; TC 2.4)."""

import contextlib
import os
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Final

from holodesk.agent.purity_tables import MAX_SOURCE
from holodesk.agent.source import AgentSource, read
from holodesk.errors import HolodeskError, Place, Unavailable
from holodesk.hologram.chain import Hologram
from holodesk.portal.offer import allow
from holodesk.store.plain import open_plain

MAX_FILES: Final = 512
"""More files than this are not read; the rest is named in one line."""
MAX_JUDGED: Final = 64
"""Files whose judgement is remembered by their octets; each is read anew all the same."""
ENDING: Final = "_agent.py"


@dataclass(frozen=True, slots=True)
class FileState:
    """One file of the folder and what became of it.

    status: `offered`, `not allowed`, `beyond the limit`, `duplicate` or `set aside`.
    """

    file: str
    lens: str
    status: str
    reason: str = ""
    line: int = 0


@dataclass(frozen=True, slots=True)
class Offering:
    """The task lenses on offer, in file order, and the state of every file."""

    lenses: tuple[AgentSource, ...]
    files: tuple[FileState, ...]


def read_offering(folder: Path, hologram: Hologram) -> Offering:
    """Read a lens folder as it is now, under the `lens` control in force.

    A broken file is set aside with its reason while the others go on; of two with one tool name
    the first in file order is offered.

    Raises:
        Unavailable: the folder is gone or cannot be read.
    """
    found, files = _read_folder(folder, _self_lens_name(hologram))
    allowed = allow(hologram, found)
    status = {agent.file: "offered" for agent in allowed.offered}
    status |= {agent.file: "not allowed" for agent in allowed.not_allowed}
    status |= {agent.file: "beyond the limit" for agent in allowed.beyond}
    files += [FileState(str(agent.file), agent.surface.name, status[agent.file]) for agent in found]
    return Offering(allowed.offered, tuple(sorted(files, key=lambda state: state.file)))


def _self_lens_name(hologram: Hologram) -> str | None:
    self_lens = hologram.genesis.self_lens
    return None if self_lens is None else self_lens.surface.name


def _read_folder(
    folder: Path, self_lens: str | None
) -> tuple[Sequence[AgentSource], list[FileState]]:
    found: list[AgentSource] = []
    aside: list[FileState] = []
    names = {} if self_lens is None else {self_lens: "the self-lens"}
    files = _agent_files(folder)
    for file in files[:MAX_FILES]:
        told = shown_name(file)
        agent = _agent(folder / file, told)
        if isinstance(agent, HolodeskError):
            reason, line = agent.message, agent.where.line or 0
            aside.append(FileState(told, "", "set aside", reason, line))
            continue
        name = agent.surface.name
        if name in names:
            reason = f"{names[name]} already offers {name}"
            aside.append(FileState(told, name, "duplicate", reason))
        else:
            names[name] = told
            found.append(agent)
    if len(files) > MAX_FILES:
        reason = f"only the first {MAX_FILES} files are read"
        aside.append(FileState(shown_name(files[MAX_FILES]), "", "set aside", reason))
    return found, aside


def _agent(path: Path, file: str) -> AgentSource | HolodeskError:
    try:
        octets = read_source(path)
    except HolodeskError as problem:
        return problem
    return _judged(octets, file)


@lru_cache(maxsize=MAX_JUDGED)
def _judged(octets: bytes, file: str) -> AgentSource | HolodeskError:
    """An agent file, or why it stands aside. The same octets are always judged the same."""
    try:
        return read(octets, file)
    except HolodeskError as problem:
        return problem.with_traceback(None)


def _agent_files(folder: Path) -> list[str]:
    """The names of a folder's agent files, in order; hidden files are none."""
    try:
        with os.scandir(folder) as entries:
            names = [entry.name for entry in entries]
    except OSError as problem:
        told = f"the lens folder {folder.name} is gone or cannot be read"
        raise Unavailable("LH 4.1", told, Place(file=folder.name)) from problem
    return sorted(name for name in names if name.endswith(ENDING) and not name.startswith("."))


def copy_agents(source: Path, target: Path) -> None:
    """Copy the agent files of a folder, broken or not, as octets; links, pipes and others stay.

    Raises:
        OSError: the disk refuses.
    """
    target.mkdir(parents=True, exist_ok=True)
    for name in _agent_files(source) if source.is_dir() else []:
        with contextlib.suppress(Unavailable):
            octets = read_source(source / name)
            if len(octets) <= MAX_SOURCE:
                (target / name).write_bytes(octets)


def shown_name(name: str) -> str:
    """A file's name as text: octets that are no UTF-8 are shown as what they are."""
    return os.fsencode(name).decode("utf-8", "backslashreplace")


def read_source(path: Path) -> bytes:
    """An agent file's octets: never more than its limit and one, never from a pipe or a device.

    Raises:
        Unavailable: no plain file, or it cannot be read.
    """
    where = Place(file=shown_name(path.name))
    try:
        with open_plain(path) as octets:
            return octets.read(MAX_SOURCE + 1)
    except OSError as problem:
        told = f"the file cannot be read: {problem.strerror or problem}"
        raise Unavailable("LH 3.2", told, where) from problem
