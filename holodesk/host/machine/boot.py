"""How a guest comes to its program: one fixed boot line, and code that the runtime itself compiled.

The interpreter's own library is text inside the module, and compiling it at every start would cost
more than the start itself. So `prepare` lets the pinned runtime compile it once, together with the
gate and the guest's program, and keeps the result in the private cache.
"""

from typing import Final

KEEPER: Final = """
import marshal, posix, sys
T = type(sys)
def take(n):
    t = posix.read(0, n)
    while len(t) < n:
        t += posix.read(0, n - len(t))
    return t
def request():
    return marshal.loads(take(int.from_bytes(take(4), "little")))
def give(t):
    while t:
        t = t[posix.write(1, t):]
"""
BOOT: Final = (
    KEEPER
    + """
codes = request()
F = sys.modules["_frozen_importlib"]
class Kept:
    def find_spec(self, name, path=None, target=None):
        if name in codes:
            return F.ModuleSpec(name, self, is_package=codes[name][0])
    def create_module(self, spec):
        return None
    def exec_module(self, module):
        exec(marshal.loads(codes[module.__name__][1]), module.__dict__)
sys.meta_path.insert(0, Kept())
typing = T("typing")
typing.Any = typing.Final = None
sys.modules["typing"] = typing
for name in ("holodesk", "holodesk.agent"):
    sys.modules[name] = T(name)
    sys.modules[name].__path__ = []
exec(marshal.loads(codes[""][1]), {"__name__": "guest"})
"""
)
"""Starts the guest; `typing` is only spoken of in the texts, never used."""
COMPILE: Final = (
    KEEPER
    + """
import ast, bisect, collections.abc, copy, json, math, re
found = {}
for name, module in sorted(sys.modules.items()):
    loader = getattr(module, "__loader__", None)
    if hasattr(loader, "archive"):
        code = loader.get_code(name)
        if code is not None:
            found[name] = (hasattr(module, "__path__"), marshal.dumps(code))
for name, text in request():
    found[name] = (False, marshal.dumps(compile(text, name, "exec", dont_inherit=True)))
code = marshal.dumps(found)
give(b"O" + len(code).to_bytes(4, "little") + code)
"""
)
"""Asked once, when the cache is made: its one reply is what `BOOT` asks for."""
ARGUMENTS: Final = (b"python", b"-I", b"-S", b"-X", b"utf8", b"-c")


def arguments(text: str) -> tuple[bytes, ...]:
    """The interpreter's command line for one of the texts above."""
    return (*ARGUMENTS, text.encode())
