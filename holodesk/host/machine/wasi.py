"""The world that a guest sees: twelve calls answered, nothing that opens anything (LH 6).

No path, socket, process or thread can be reached, because those functions answer with an error
number and do nothing. Every pointer is checked before use. Two rules make the pipe safe: fuel
is set once for each request, never on a read, and between the last octet of a request and its reply
there is nothing to read, so a guest cannot see the next request or buy time.
"""

import ctypes
import struct
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final

from wasmtime import Func, FuncType, Linker, Memory, Module, Store

from holodesk.host.machine.runtime import MAX_REPLY, MAX_RESULT

_NAMESPACE: Final = "wasi_snapshot_preview1"
_FINE, _BAD_DESCRIPTOR, _NOT_THERE, _NO_SEEK, _NOT_ALLOWED = 0, 8, 52, 70, 76
_CHANCE: Final = 0x2A
_LOG: Final = 2000
_HEAD: Final = struct.Struct("<cI")
"""How a reply begins: its letter and how many octets follow."""
SERVED: Final = frozenset(
    {
        "args_get",
        "args_sizes_get",
        "environ_get",
        "environ_sizes_get",
        "fd_read",
        "fd_write",
        "fd_fdstat_get",
        "fd_filestat_get",
        "random_get",
        "clock_time_get",
        "clock_res_get",
        "proc_exit",
    }
)
"""The imports that are more than an error number."""


class Ended(Exception):
    """The guest ended itself (proc_exit)."""


class Breach(Exception):
    """The guest broke the protocol of the pipe, or handed over a pointer outside its memory."""


class Dismissed(Exception):
    """The host wants this guest no more."""


@dataclass(frozen=True, slots=True)
class Request:
    """Octets for the guest, the fuel to burn on them, and the replies they ask for."""

    octets: bytes
    fuel: int
    replies: int
    letters: bytes = b"O"
    """What such a reply may begin with."""


@dataclass(frozen=True, slots=True)
class Record:
    """One reply of the guest, and the fuel burnt on the group of replies that came with it."""

    letter: bytes
    fuel: int
    octets: bytes


@dataclass(slots=True)
class World:
    """One guest's pipe: `next_request` waits for a request, `told` hears each reply."""

    arguments: Sequence[bytes]
    next_request: Callable[[], Request]
    told: Callable[[Record], None]
    metered: bool
    store: Store
    memory: Memory | None = None
    log: bytes = b""
    _started: bool = False
    _request: bytes = b""
    _given: int = 0
    _owed: int = 0
    _letters: bytes = b""
    _answered: int = 0
    _reply: bytearray = field(default_factory=bytearray)
    _fuel: int = 0

    def linker(self, module: Module) -> Linker:
        """Every import of the module, answered or refused."""
        linker = Linker(self.store.engine)
        for one in module.imports:
            kind = one.type
            if one.module != _NAMESPACE or not isinstance(kind, FuncType) or one.name is None:
                raise Breach(f"an import that no WASI program has: {one.module}.{one.name}")
            answer = getattr(self, one.name) if one.name in SERVED else _refusal(one.name)
            linker.define(self.store, _NAMESPACE, one.name, Func(self.store, kind, answer))
        return linker

    # ---- memory -----------------------------------------------------------------------------

    def _at(self, at: int, size: int) -> int:
        """The address of a span of the guest's memory."""
        if self.memory is None or at < 0 or size < 0:
            raise Breach("a pointer outside the memory")
        if at + size > self.memory.data_len(self.store):
            raise Breach("a pointer outside the memory")
        return ctypes.addressof(self.memory.data_ptr(self.store).contents) + at

    def _read(self, at: int, size: int) -> bytes:
        return ctypes.string_at(self._at(at, size), size)

    def _write(self, at: int, octets: bytes) -> None:
        ctypes.memmove(self._at(at, len(octets)), octets, len(octets))

    def _number(self, at: int, number: int) -> None:
        self._write(at, struct.pack("<I", number))

    def _spans(self, at: int, count: int) -> list[tuple[int, int]]:
        if not 0 <= count <= 1024:
            raise Breach("too many spans")
        return list(struct.iter_unpack("<II", self._read(at, 8 * count)))

    # ---- the twelve -------------------------------------------------------------------------

    def args_sizes_get(self, count_at: int, size_at: int) -> int:
        self._number(count_at, len(self.arguments))
        self._number(size_at, sum(len(one) + 1 for one in self.arguments))
        return _FINE

    def args_get(self, list_at: int, text_at: int) -> int:
        return self._texts(self.arguments, list_at, text_at)

    def environ_sizes_get(self, count_at: int, size_at: int) -> int:
        self._number(count_at, 1)
        self._number(size_at, len(b"PYTHONHASHSEED=0") + 1)
        return _FINE

    def environ_get(self, list_at: int, text_at: int) -> int:
        return self._texts([b"PYTHONHASHSEED=0"], list_at, text_at)

    def _texts(self, texts: Sequence[bytes], list_at: int, text_at: int) -> int:
        for text in texts:
            self._write(text_at, text + b"\0")
            self._number(list_at, text_at)
            list_at += 4
            text_at += len(text) + 1
        return _FINE

    def clock_res_get(self, _clock: int, at: int) -> int:
        self._write(at, struct.pack("<Q", 1))
        return _FINE

    def clock_time_get(self, _clock: int, _precision: int, at: int) -> int:
        if self._started:
            return _NOT_THERE
        self._write(at, bytes(8))
        return _FINE

    def random_get(self, at: int, size: int) -> int:
        if self._started:
            return _NOT_THERE
        ctypes.memset(self._at(at, size), _CHANCE, size)
        return _FINE

    def fd_fdstat_get(self, descriptor: int, at: int) -> int:
        if not 0 <= descriptor <= 2:
            return _BAD_DESCRIPTOR
        self._write(at, struct.pack("<BxHxxxxQQ", 2, 0, 0, 0))
        return _FINE

    def fd_filestat_get(self, descriptor: int, at: int) -> int:
        if not 0 <= descriptor <= 2:
            return _BAD_DESCRIPTOR
        self._write(at, struct.pack("<QQBxxxxxxxQQQQQ", 0, 0, 2, 1, 0, 0, 0, 0))
        return _FINE

    def fd_read(self, descriptor: int, spans_at: int, count: int, read_at: int) -> int:
        if descriptor != 0:
            return _BAD_DESCRIPTOR
        if self._given == len(self._request):
            if self._owed:
                raise Breach("a read between a request and its reply")
            self._begin(self.next_request())
        given = 0
        for at, size in self._spans(spans_at, count):
            part = self._request[self._given : self._given + size]
            self._write(at, part)
            self._given += len(part)
            given += len(part)
        self._number(read_at, given)
        return _FINE

    def _begin(self, request: Request) -> None:
        self._started = True
        self._request = struct.pack("<I", len(request.octets)) + request.octets
        self._given = self._answered = 0
        self._owed = request.replies
        self._letters = request.letters
        if self.metered:
            self._fuel = request.fuel
            self.store.set_fuel(request.fuel)

    def fd_write(self, descriptor: int, spans_at: int, count: int, written_at: int) -> int:
        if descriptor not in (1, 2):
            return _BAD_DESCRIPTOR
        written = 0
        for at, size in self._spans(spans_at, count):
            if descriptor == 2:
                self.log += self._read(at, min(size, max(0, _LOG - len(self.log))))
            else:
                self._answered += size
                if not self._owed or self._answered > MAX_REPLY:
                    raise Breach("a reply that nobody asked for, or a reply too large")
                self._reply += self._read(at, size)
            written += size
        if descriptor == 1:
            self._records()
        self._number(written_at, written)
        return _FINE

    def _records(self) -> None:
        """Every whole reply that has arrived; what was burnt counts for each of them."""
        whole: list[tuple[bytes, bytes]] = []
        while len(self._reply) >= _HEAD.size:
            letter, size = _HEAD.unpack_from(self._reply)
            if letter not in self._letters or size > MAX_RESULT or len(whole) == self._owed:
                raise Breach("a reply of no lawful form")
            if len(self._reply) < _HEAD.size + size:
                break
            whole.append((letter, bytes(self._reply[_HEAD.size : _HEAD.size + size])))
            del self._reply[: _HEAD.size + size]
        left = self.store.get_fuel() if self.metered and whole else self._fuel
        burnt, self._fuel = self._fuel - left, left
        self._owed -= len(whole)
        for letter, octets in whole:
            self.told(Record(letter, burnt, octets))

    def proc_exit(self, code: int) -> None:
        raise Ended(f"the program ended itself with {code}")


def _refusal(name: str) -> Callable[..., int]:
    number = _NOT_THERE
    if name.startswith(("path_", "sock_")):
        number = _NOT_ALLOWED
    elif name.startswith("fd_prestat_"):
        number = _BAD_DESCRIPTOR
    elif name in ("fd_seek", "fd_tell"):
        number = _NO_SEEK
    elif name == "fd_close":
        number = _FINE
    return lambda *_: number
