"""What the gate allows, as tables: whatever is not named here is refused (LH 3.2).

The gate's texts (`purity.TEXTS`) import nothing but each other, `ast`, `re` and `bisect`, hold no
class of the data kind and ask no table of the interpreter that may change, because the pinned
runtime runs the same texts to give the verdict that counts.
"""

from typing import Final

MAX_SOURCE: Final = 64 * 1024
"""The largest agent file, in octets of UTF-8."""
MAX_BRACKETS: Final = 60
MAX_SIGNS: Final = 40
MAX_CHAIN: Final = 200
"""The most operators, calls and selections between two separators at one depth."""
MAX_ELIF: Final = 200
MAX_BLOCKS: Final = 18
MAX_EXACT: Final = 1 << 53


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


BUILT_IN_ERRORS: Final = _words("ValueError KeyError TypeError IndexError ZeroDivisionError")
BUILT_INS: Final = (
    _words(
        "abs all any bool chr dict divmod enumerate filter float int isinstance len list map max "
        "min ord range repr reversed round sorted str sum tuple zip Exception"
    )
    | BUILT_IN_ERRORS
)

_PURE: Final = "a lens must be pure; "
_ORDER: Final = "a set has no fixed order; use a list or a dict"
_INSIDES: Final = _PURE + "reaches the interpreter's insides"
_RUNS: Final = _PURE + "runs text as code"
_SAYS: Final = _PURE + "speaks to the world outside the result"
_PLACE: Final = _PURE + "differs from one process to the next"

NAME_REASONS: Final = {
    "open": _PURE + "opens a file",
    "print": _SAYS,
    "input": _PURE + "waits for a person",
    "breakpoint": _INSIDES,
    "exit": _PURE + "ends the machine",
    "quit": _PURE + "ends the machine",
    "help": _SAYS,
    "eval": _RUNS,
    "exec": _RUNS,
    "compile": _RUNS,
    "getattr": _PURE + "reaches a name that cannot be read here",
    "setattr": _PURE + "sets a name that cannot be read here",
    "delattr": _PURE + "takes away a name that cannot be read here",
    "hasattr": _PURE + "asks for a name that cannot be read here",
    "globals": _INSIDES,
    "locals": _INSIDES,
    "vars": _INSIDES,
    "dir": _INSIDES,
    "type": _PURE + "makes or walks classes; ask with isinstance",
    "super": "super belongs into __init__ alone, as super().__init__(name=..., metadata=...)",
    "id": _PLACE,
    "hash": _PLACE,
    "object": _PURE + "a bare object differs from one process to the next",
    "memoryview": _INSIDES,
    "bytes": "a lens works on JSON data, which has no octets",
    "bytearray": "a lens works on JSON data, which has no octets",
    "complex": "a lens works on JSON data, which has no complex numbers",
    "set": _ORDER,
    "frozenset": _ORDER,
    "iter": "an iterator keeps a place of its own; use a for loop",
    "next": "an iterator keeps a place of its own; use a for loop",
    "format": "a format text can walk attributes; write an f-string",
    "pow": "write ** instead",
    "property": "a lens has plain methods",
    "staticmethod": "a lens has plain methods",
    "classmethod": "a lens has plain methods",
    "callable": _INSIDES,
    "issubclass": _INSIDES,
    "slice": "write [a:b] instead",
    "aiter": "a lens does not wait",
    "anext": "a lens does not wait",
    "ascii": "write an f-string with !a instead",
    "bin": "write an f-string with :b instead",
    "hex": "write an f-string with :x instead",
    "oct": "write an f-string with :o instead",
}
"""Why a built-in is refused; those without a reason of their own are merely not on the list."""

HIDDEN_BUILT_INS: Final = frozenset(NAME_REASONS) | _words(
    "copyright credits license Ellipsis NotImplemented BaseException BaseExceptionGroup "
    "ArithmeticError AssertionError AttributeError BlockingIOError BrokenPipeError BufferError "
    "BytesWarning ChildProcessError ConnectionAbortedError ConnectionError ConnectionRefusedError "
    "ConnectionResetError DeprecationWarning EOFError EncodingWarning EnvironmentError "
    "ExceptionGroup FileExistsError FileNotFoundError FloatingPointError FutureWarning "
    "GeneratorExit IOError ImportError ImportWarning IndentationError InterruptedError "
    "IsADirectoryError KeyboardInterrupt LookupError MemoryError ModuleNotFoundError NameError "
    "NotADirectoryError NotImplementedError OSError OverflowError PendingDeprecationWarning "
    "PermissionError ProcessLookupError PythonFinalizationError RecursionError ReferenceError "
    "ResourceWarning RuntimeError RuntimeWarning StopAsyncIteration StopIteration SyntaxError "
    "SyntaxWarning SystemError SystemExit TabError TimeoutError UnboundLocalError "
    "UnicodeDecodeError UnicodeEncodeError UnicodeError UnicodeTranslateError UnicodeWarning "
    "UserWarning Warning WindowsError"
)
"""Built-ins that a file may use as the name of a local value only: elsewhere they could shine
through before the file's own name is bound."""

MODULES: Final = {
    "json": frozenset({"loads", "dumps"}),
    "math": _words(
        "floor ceil trunc sqrt fabs gcd isqrt comb fmod copysign fsum isfinite isnan isinf pi e tau"
    ),
    "copy": frozenset({"copy", "deepcopy"}),
    "re": _words("sub match fullmatch search findall split escape compile I A"),
}

_CLOCK: Final = "reads the clock"
_CHANCE: Final = "draws chance"
_DISK: Final = "touches the disk"
_NET: Final = "touches the network"
_RUNNER: Final = "starts other programs"
_THREADS: Final = "starts threads"
_SYSTEM: Final = "reaches the operating system"
_DEEP: Final = "reaches the interpreter's insides"
_TABLES: Final = "reads tables that differ between versions"

MODULE_REASONS: Final = {
    "time": _CLOCK,
    "datetime": _CLOCK,
    "calendar": _CLOCK,
    "zoneinfo": _CLOCK,
    "random": _CHANCE,
    "secrets": _CHANCE,
    "uuid": _CHANCE,
    "io": _DISK,
    "pathlib": _DISK,
    "shutil": _DISK,
    "tempfile": _DISK,
    "glob": _DISK,
    "sqlite3": _DISK,
    "socket": _NET,
    "ssl": _NET,
    "urllib": _NET,
    "http": _NET,
    "requests": _NET,
    "subprocess": _RUNNER,
    "multiprocessing": _RUNNER,
    "threading": _THREADS,
    "concurrent": _THREADS,
    "asyncio": _THREADS,
    "os": _SYSTEM,
    "posix": _SYSTEM,
    "sys": _SYSTEM,
    "signal": _SYSTEM,
    "platform": _SYSTEM,
    "ctypes": _SYSTEM,
    "atexit": _SYSTEM,
    "gc": _DEEP,
    "inspect": _DEEP,
    "importlib": _DEEP,
    "builtins": _DEEP,
    "types": _DEEP,
    "operator": _DEEP,
    "functools": _DEEP,
    "marshal": _DEEP,
    "pickle": _DEEP,
    "traceback": _DEEP,
    "weakref": _DEEP,
    "locale": _TABLES,
    "unicodedata": _TABLES,
    "statistics": _TABLES,
}

METHODS: Final = _words(
    "append extend insert pop remove clear index count sort reverse copy get keys values items "
    "update setdefault lower upper strip lstrip rstrip split rsplit splitlines join replace "
    "startswith endswith find rfind isdigit isalpha isalnum isspace islower isupper title "
    "capitalize zfill ljust rjust center partition rpartition removeprefix removesuffix isascii "
    "add discard union intersection difference issubset issuperset is_integer bit_length groups "
    "group start end span sub match fullmatch search findall"
)
"""The only attributes that may be read of a value."""

ATTRIBUTE_REASONS: Final = {
    "format": "a format text can walk attributes; write an f-string",
    "format_map": "a format text can walk attributes; write an f-string",
    "translate": "not on the list of methods; use replace",
    "encode": "a lens works on JSON data, which has no octets",
    "decode": "a lens works on JSON data, which has no octets",
    "casefold": "its table differs between versions; use lower",
    "context": "only self.context.object, .slush, .head and .facts may be read, as whole chains",
}

CONTEXT: Final = frozenset({"object", "slush", "head", "facts"})
"""What `self.context` offers; `head` and `facts` serve readers."""

STATEMENT_REASONS: Final = {
    "With": "with is for things that open and close, and a lens has none",
    "AsyncWith": "a lens does not wait",
    "AsyncFor": "a lens does not wait",
    "AsyncFunctionDef": "a lens does not wait",
    "Match": "match reads attributes; use if",
    "Global": "a lens keeps nothing between calls",
    "Nonlocal": "a lens keeps nothing between calls",
    "AnnAssign": "write the assignment without a type",
    "TryStar": "write except instead of except*",
    "ClassDef": "a file holds one class, at module level",
    "TypeAlias": "a lens needs no type names",
}
EXPRESSION_REASONS: Final = {
    "Set": _ORDER,
    "SetComp": _ORDER,
    "Yield": "a lens returns its result once",
    "YieldFrom": "a lens returns its result once",
    "Await": "a lens does not wait",
}
STATEMENTS: Final = _words(
    "Assign AugAssign For While If Raise Try Return Pass Break Continue Delete Assert Expr "
    "FunctionDef"
)
EXPRESSIONS: Final = _words(
    "BoolOp NamedExpr BinOp UnaryOp Lambda IfExp Dict ListComp DictComp GeneratorExp Compare Call "
    "FormattedValue JoinedStr Constant Attribute Subscript Starred Name List Tuple Slice"
)

REFUSED_CHARACTERS: Final = (
    "0 8 3 1 2 h 2o w e 0 jv 1 7 3 8 0 2 0 l 0 b2 0 13 1 1f 1 4 0 1k 7 s 3 7 g n 0 5d 0 1d 1 1o 1 "
    "2u d 1o 1 1e 1 g 0 t 1 2 0 c 4 w 8 23 0 4i 0 9 1 3 1 n 0 8 0 2 2 5 1 a 1 3 1 5 7 2 3 3 0 6 1 "
    "q 1 4 0 7 3 3 1 n 0 8 0 3 0 3 0 3 1 2 0 6 3 3 1 4 2 2 6 5 0 2 6 i 9 4 0 a 0 4 0 n 0 8 0 3 0 "
    "6 1 b 0 4 0 4 1 2 e 5 1 d 6 8 0 4 0 9 1 3 1 n 0 8 0 3 0 6 1 a 1 3 1 4 6 4 3 3 0 6 1 j 9 3 0 "
    "7 2 4 0 5 2 3 0 2 0 3 2 3 2 4 2 d 3 6 2 4 0 5 1 2 5 2 d m 4 e 0 4 0 o 0 h 1 a 0 4 0 5 6 3 0 "
    "4 1 2 1 5 1 b 6 n 0 4 0 o 0 b 0 6 1 a 0 4 0 5 6 3 5 3 0 5 1 b 0 4 b e 0 4 0 1g 0 4 0 7 3 h 1 "
    "r 0 4 0 j 2 p 0 a 0 2 1 8 2 2 3 7 0 2 0 9 5 b 1 4 b 1n 3 u 10 3 0 2 0 6 0 p 0 2 0 o 1 6 0 2 "
    "0 8 0 b 1 5 v 21 0 11 3 14 0 11 0 g 0 e 10 5j 0 2 4 2 1 ai 0 5 1 8 0 2 0 5 1 16 0 5 1 y 0 5 "
    "1 8 0 2 0 5 1 g 0 1m 0 5 1 1w 1 x 2 r 5 2f 1 7 1 im 2 2i 6 n 8 p 8 l b e 0 4 0 3 b 2n 1 b 5 "
    "b 5 f 0 c 5 2i 6 18 4 1z 9 w 0 d 3 d 3 2 2 17 1 6 a 19 3 r 5 c 2 1r 1 1u 0 u 1 c 5 b 5 f 1 w "
    "1c 26 2 1c 0 39 7 1p 2 g 2 1p 6 18 1 c 7 18 4 ev 1 7 1 13 1 7 1 9 0 2 0 2 0 2 0 w 1 1i 0 g 0 "
    "f 1 7 0 k 1 4 0 a 0 c 4 p 6 1e f 3 1 s 0 e 2 y e y e 3x 3 ig o c k 1ed 1 x 0 9q 4 1a 0 2 4 2 "
    "1 1l 6 3 d p 8 8 0 8 0 8 0 8 0 8 0 8 0 8 0 8 0 3j x r 0 2i b 5z p d 3 1t 0 2f 1 2w 4 18 0 2n "
    "0 2d b 1c 0 mlq 2 1k 8 9p j 55 7 5o 4 3 0 2 0 6 n 1o 2 b 5 1l 7 1z 7 d 5 39 a v 2 27 0 c 3 y "
    "0 1k 8 f 1 b 1 2w n t 9 7 1 7 1 7 8 8 0 8 0 1p 3 3j 1 b 5 8md b o 3 1e 6ir a7 1 2z 11 8 b 6 "
    "4 r 0 6 0 2 0 3 0 3 0 3i f ce 1 1j 6 2 v 17 5 1g 0 k 0 5 3 6 0 3s 3 5b 2 7 1 7 1 7 1 4 2 8 0 "
    "8 c 3 1 d 0 r 0 k 0 3 0 g 1 f x 3g 4 4 3 1a 2 2h 0 e 2 2 1a 1b 3l u 2 1e e t 3 11 8 v 4 18 4 "
    "v 0 12 3 f 15 4f 1 b 5 11 3 11 3 15 7 1h a d 0 g 0 8 0 3 0 c 0 g 0 8 0 3 1u 8o 8 n 9 9 n 7 0 "
    "17 0 a 1w 7 1 2 0 19 0 3 2 2 1 o 0 21 7 a 1b k 0 3 4 y 2 s 4 2 1r 1l 3 l 1 1f 0 3 4 9 0 4 0 "
    "u 1 4 3 b 6 a 6 1t v 14 3 d 8 1j 2 u 1 s 4 r 6 5 b 8 27 22 1i 1g c 1g 6 1b 7 b 85 w 0 17 0 4 "
    "1 3 22 18 7 17 l r 11 t j o 8 27 3 11 8 1r 0 6 c q 6 b 5 1i 0 j 7 14 8 2p 0 l a j 0 1c 1p 8 "
    "0 2 0 5 0 g 0 c 5 1o 4 b 5 5 0 9 1 3 1 n 0 8 0 3 0 6 0 b 1 3 1 4 1 2 5 2 4 8 1 8 2 6 3u 2l 0 "
    "6 t 21 7 b 4l 1j 1 13 x 1y a b 5 e i 1n 5 b 1h s 1 g 3 o 54 1p 2r 2c b 9 1 2 1 9 0 3 0 v 0 3 "
    "1 d 8 b 1x 9 1 1b 1 c q 21 7 2c c 22 6 b 6t a 0 1a 0 f 9 u 2 x 1 n 0 f 20 8 0 3 0 19 2 2 0 3 "
    "0 a 7 b 5 7 0 3 0 12 0 3 0 7 6 b 8l q 6 i 0 16 2 t 2d 2 e 1f c po 2t 34 0 6 a 5h 217 2s c tt "
    "f n 33d g8 6ns fu 6 w 0 b 3 2a 0 b 5 v 1 7 9 1z 9 b 0 8 0 m 4 k j3 2k 2s 24 3 1m 6 i 1r 6 a "
    "3 d 4qh 7 yf 15 a 6w6 5 0 8 0 3 0 84 e 2 s 4 1 2 d 5 7 b1 1s3 30 4 e 2 a 6 b 1 5 3mn 1b 1 o "
    "8 39 1n 6v 9 14 1 23 7 35 k 1z 3d l b l b 2g 8 q 3q 2e 0 20 0 3 1 2 1 3 1 5 0 d 0 2 0 8 0 1u "
    "0 5 1 9 0 8 0 t 0 5 0 6 0 2 2 8 0 9h 1 85 1 jj e 6 0 g un w 5 7 5w 8 0 i 1 8 0 3 0 6 4 1r w "
    "2 33 1a 2 f 1 b 3 3 8v w g 1n 4 2 cv 17 kl 8 0 5 0 3 0 g 0 5i 1 h 14 25 3 b 3 3 ls 1x 23 1q "
    "5d 5 0 s 0 3 0 2 1 2 0 b 0 5 0 2 0 2 5 2 3 2 0 2 0 2 0 4 0 3 0 2 1 2 0 2 0 2 0 2 0 2 0 3 0 2 "
    "1 5 0 8 0 5 0 5 0 2 0 b 0 i 4 4 0 6 0 i 1f 3 7h 19 3 2t b g 1 g 0 g 0 12 9 4v 1j u c 19 3 a "
    "6 3 d 7 49 rd 3 i 2 e 2 3c 3 2o 5 d 3 2 e d 3 1l 7 b 5 15 7 v 1 3 25 9h b f 1 e 2 a 6 1b 0 8 "
    "7 f 3 a 6 a 6 44 0 1k 10 b sl wyp v 37f 5 67 1 4g3 d 5rm 2e6 f3 15t 3t8 4 38h f9e7 6p 47bj"
)
"""Control, format, surrogate, private-use and unassigned characters and the line and paragraph
separators of Unicode 15.0 (the table of the pinned runtime), without tab and the line ends: pairs
in base 36, the distance from the last range's end to this one's start, and its length less one."""
