"""Reads a desk's lenses anew for every pass: presence is ability (LH 4.1; TC 2.4)."""

import stat
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from holodesk.agent.source import AgentSource, read
from holodesk.errors import HolodeskError, Place, Unavailable
from holodesk.hologram.chain import Hologram
from holodesk.portal.offer import allow

MAX_FILES: Final = 512
"""More files than this are not read; the rest is named in one line."""
MAX_SOURCE: Final = 64 * 1024


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
    try:
        paths = sorted(folder.glob("*_agent.py"), key=lambda path: path.name)
        if not folder.is_dir():
            raise FileNotFoundError
    except OSError as problem:
        told = f"the lens folder {folder.name} is gone"
        raise Unavailable("LH 4.1", told, Place(file=folder.name)) from problem
    found: list[AgentSource] = []
    aside: list[FileState] = []
    names = {} if self_lens is None else {self_lens: "the self-lens"}
    for path in paths[:MAX_FILES]:
        try:
            agent = read(_octets(path), path.name)
        except HolodeskError as problem:
            reason, line = problem.message, problem.where.line or 0
            aside.append(FileState(path.name, "", "set aside", reason, line))
            continue
        name = agent.surface.name
        if name in names:
            reason = f"{names[name]} already offers {name}"
            aside.append(FileState(path.name, name, "duplicate", reason))
        else:
            names[name] = path.name
            found.append(agent)
    if len(paths) > MAX_FILES:
        reason = f"only the first {MAX_FILES} files are read"
        aside.append(FileState(paths[MAX_FILES].name, "", "set aside", reason))
    return found, aside


def _octets(path: Path) -> bytes:
    """A lens file's octets; never more than its limit and one, never from a pipe or a device."""
    where = Place(file=path.name)
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            raise Unavailable("LH 3.2", "expected a plain file", where)
        with path.open("rb") as octets:
            return octets.read(MAX_SOURCE + 1)
    except OSError as problem:
        told = f"the file cannot be read: {problem.strerror or problem}"
        raise Unavailable("LH 3.2", told, where) from problem
