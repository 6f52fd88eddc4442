"""The program inside WebAssembly: it runs one lens source, fresh for every call (LH 3.3).

Nothing here is imported by the host. The text is compiled once by the runtime it runs in and
started by a boot line that reads it from the request pipe. The guest answers and never judges: it
is not told what is expected of it.
"""

import copy
import gc
import json
import marshal
import math
import posix
import re
import sys
from types import CodeType, ModuleType
from typing import Any

from holodesk.agent.purity_tables import BUILT_INS
from holodesk.agent.purity_tree import readings

sys.stdin = sys.stdout = None

MAX_RESULT = 1 << 20
MAX_DEPTH = 64
MAX_TEXT = 500
LEAVES = frozenset({str, int, float, bool, type(None)})
NAMES = frozenset({str})
MEMBERS = {"object", "data_slush"}
LIMITS = (MemoryError, RecursionError)

_scan = json.JSONDecoder().scan_once  # type: ignore[attr-defined]
_encode = json.encoder.c_make_encoder(  # type: ignore[attr-defined]
    None, None, json.encoder.encode_basestring, None, ":", ",", True, False, False
)
GROUP = 4
"""Replies that go out together; the host weighs the fuel of a group."""


def _loads(text: str) -> Any:
    """A canonical text's value: no white space stands around it."""
    return _scan(text, 0)[0]


def _parse(text: str) -> Any:
    """Any JSON text's value."""
    return json.loads(text)


def _dumps(value: Any) -> str:
    return "".join(_encode(value, 0))


class BasicAgent:
    """The base of every agent file; it knows nothing of what runs it."""

    name = ""
    metadata: dict[str, Any] = {}  # noqa: RUF012

    def __init__(self, name: str | None = None, metadata: dict[str, Any] | None = None) -> None:
        if name is not None:
            self.name = name
        if metadata is not None:
            self.metadata = metadata


class Context:
    """What an agent may read: every reading is a new copy."""

    __slots__ = ("_facts", "_head", "_object", "_slush")

    def __init__(self, object: bytes, slush: bytes, head: bytes, facts: bytes) -> None:
        self._object = object.decode()
        self._slush = slush.decode()
        self._head = head.decode()
        self._facts = facts.decode()

    @property
    def object(self) -> Any:
        return _loads(self._object)

    @property
    def slush(self) -> Any:
        return _loads(self._slush)

    @property
    def head(self) -> Any:
        return _loads(self._head)

    @property
    def facts(self) -> Any:
        return _loads(self._facts)


def _provided() -> ModuleType:
    module = ModuleType("agents.basic_agent")
    module.BasicAgent = BasicAgent  # type: ignore[attr-defined]
    return module


MODULES = {"copy": copy, "json": json, "math": math, "re": re, "agents.basic_agent": _provided()}


def _import(name: str, *_rest: object) -> ModuleType:
    if name not in MODULES:
        raise ImportError(f"{name} is not in this machine")
    return MODULES[name]


class Refused(Exception):
    """A result that is not plain data."""


class Lens:
    """One source, read by the gate, compiled, and run from nothing for every call."""

    def __init__(self, source: str, *, guarded: bool) -> None:
        self.findings = readings(source) if guarded else []
        self.code: CodeType | None = None
        every = sys.modules["builtins"].__dict__
        if guarded:
            names = {name: every[name] for name in sorted(BUILT_INS | {"super"})}
            self.builtins = {
                **names,
                "__import__": _import,
                "__build_class__": every["__build_class__"],
            }
        else:
            sys.modules.update(MODULES)
            sys.modules["agents"] = ModuleType("agents")
            self.builtins = every
        if not self.findings:
            try:
                self.code = compile(source, "lens", "exec", dont_inherit=True)
            except SyntaxError as refusal:
                self.findings = [(refusal.lineno or 1, "this is not valid Python")]

    def call(self, request: tuple[Any, ...]) -> tuple[bytes, bytes]:
        """One call's answer: a letter and octets."""
        try:
            return b"O", self._result(*request)
        except Refused as refusal:
            return b"B", _text(str(refusal))
        except LIMITS as limit:
            return b"L", _text(type(limit).__name__)
        except BaseException as raised:  # noqa: BLE001  the lens may raise anything
            return b"E", _told(raised)

    def _result(
        self, method: str, object: bytes, slush: bytes, params: bytes, head: bytes, facts: bytes
    ) -> bytes:
        names: dict[str, Any] = {"__builtins__": dict(self.builtins), "__name__": "lens"}
        exec(self.code, names)  # type: ignore[arg-type]  # noqa: S102
        kinds = [
            value
            for value in names.values()
            if isinstance(value, type) and value is not BasicAgent and issubclass(value, BasicAgent)
        ]
        if len(kinds) != 1:
            raise TypeError("expected one class derived from BasicAgent")
        agent: Any = kinds[0]()
        agent.context = Context(object, slush, head, facts)
        if method == "perform":
            return _performed(agent.perform(**_loads(params.decode())))
        if method == "converged":
            answer = agent.converged(_loads(object.decode()))
            if type(answer) is not bool:
                raise Refused(f"expected true or false, found {type(answer).__name__}")
            return b"true" if answer else b"false"
        return _encoded(agent.system_context())


def _performed(result: Any) -> bytes:
    """A dict of the two members, or the same as JSON text, which is handed on as it is."""
    if type(result) is str:
        octets = _octets(result)
        try:
            result = _parse(result)
        except ValueError:
            raise Refused("expected JSON text, found other text") from None
        _shaped(result)
        return octets
    _shaped(result)
    return _encoded(result)


def _shaped(result: Any) -> None:
    if type(result) is not dict:
        raise Refused(f"expected object and data_slush, found {type(result).__name__}")
    if set(result) != MEMBERS:
        found = ", ".join(sorted(map(repr, result)))[:200]
        raise Refused(f"expected object and data_slush, found {found}")
    if type(result["data_slush"]) is not dict:
        raise Refused(
            f"expected an object as data_slush, found {type(result['data_slush']).__name__}"
        )


def _encoded(result: Any) -> bytes:
    _walk(result)
    try:
        text = _dumps(result)
    except (ValueError, TypeError) as refusal:
        raise Refused(f"not JSON: {refusal}") from None
    return _octets(text)


def _octets(text: str) -> bytes:
    try:
        octets = text.encode()
    except UnicodeEncodeError:
        raise Refused("a text holds a lone surrogate") from None
    if len(octets) > MAX_RESULT:
        raise Refused(f"expected at most {MAX_RESULT} octets, found {len(octets)}")
    return octets


def _walk(result: Any) -> None:
    """Exact types only; a subclass, a tuple or a set is no plain data."""
    leaves = LEAVES
    level = [result] if type(result) not in leaves else []
    depth = nodes = 0
    while level:
        depth += 1
        if depth > MAX_DEPTH:
            raise Refused(f"nested deeper than {MAX_DEPTH}")
        below: list[Any] = []
        for value in level:
            if type(value) is dict:
                nodes += len(value)
                for name, member in value.items():
                    if type(name) is not str:
                        raise Refused("a member's name is not a text")
                    if type(member) not in leaves:
                        below.append(member)
            elif type(value) is list:
                nodes += len(value)
                below += [member for member in value if type(member) not in leaves]
            else:
                raise Refused(f"not plain data: {type(value).__name__}")
            if nodes > MAX_RESULT:
                raise Refused(f"expected at most {MAX_RESULT} octets, found more")
        level = below


def _told(raised: BaseException) -> bytes:
    try:
        return _text(f"{type(raised).__name__}: {raised}")
    except BaseException:  # noqa: BLE001  its text is the lens's own code
        return _text(type(raised).__name__)


def _text(text: str) -> bytes:
    return text.encode("utf-8", "replace")[:MAX_TEXT].decode("utf-8", "ignore").encode()


def _take(size: int) -> bytes:
    octets = posix.read(0, size)
    while len(octets) < size:
        octets += posix.read(0, size - len(octets))
    return octets


def _reply(letter: bytes, octets: bytes) -> bytes:
    return letter + len(octets).to_bytes(4, "little") + octets


def _give(octets: bytes) -> None:
    while octets:
        octets = octets[posix.write(1, octets) :]


def serve() -> None:
    """Requests in, replies out: a `load` first, then batches of calls."""
    lens: Lens | None = None
    gc.collect()
    gc.freeze()
    while True:
        octets = _take(int.from_bytes(_take(4), "little"))
        kind, *rest = marshal.loads(octets)  # noqa: S302  from the host itself
        if kind == "load":
            source, guarded = rest
            lens = Lens(source, guarded=guarded)
            _give(_reply(b"G", _dumps(lens.findings).encode()))
        elif lens is not None:
            calls = rest[0]
            for at in range(0, len(calls), GROUP):
                _give(b"".join(_reply(*lens.call(call)) for call in calls[at : at + GROUP]))


serve()
