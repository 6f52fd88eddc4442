"""A checked routine: every name resolved, so that no engine looks one up (LH 3.6; RL-1 5)."""

from dataclasses import dataclass, field
from typing import Any, TypeAlias


@dataclass(eq=False, slots=True)
class Scope:
    """One function's variables, or the routine's own; `parent` is the one around it."""

    parent: "Scope | None"
    size: int = 0


@dataclass(frozen=True, eq=False, slots=True)
class Variable:
    """A name that `let` or `fn` binds, once in each activation of its scope."""

    scope: Scope
    slot: int


@dataclass(frozen=True, eq=False, slots=True)
class Const:
    """A constant."""

    value: Any


@dataclass(frozen=True, eq=False, slots=True)
class Local:
    """What a variable holds."""

    variable: Variable


@dataclass(frozen=True, eq=False, slots=True)
class State:
    """What the routine's own name holds, kept from tick to tick."""

    index: int


@dataclass(frozen=True, eq=False, slots=True)
class Named:
    """A function that the routine defines once."""

    index: int


@dataclass(frozen=True, eq=False, slots=True)
class If:
    test: "Node"
    then: "Node"
    otherwise: "Node | None"


@dataclass(frozen=True, eq=False, slots=True)
class Do:
    items: "tuple[Node, ...]"


@dataclass(frozen=True, eq=False, slots=True)
class Let:
    bindings: "tuple[tuple[Variable, Node], ...]"
    body: "tuple[Node, ...]"


@dataclass(frozen=True, eq=False, slots=True)
class Lambda:
    """A function literal. `makes` says that its body makes another function."""

    scope: Scope
    parameters: tuple[Variable, ...]
    body: "tuple[Node, ...]"
    makes: bool


@dataclass(frozen=True, eq=False, slots=True)
class Def:
    """Writing a state name; `index` is its place among the state names."""

    index: int
    value: "Node"


@dataclass(frozen=True, eq=False, slots=True)
class DefFunction:
    """The place where a named function stands: two nodes, and nothing to do."""

    index: int


@dataclass(frozen=True, eq=False, slots=True)
class And:
    items: "tuple[Node, ...]"


@dataclass(frozen=True, eq=False, slots=True)
class Or:
    items: "tuple[Node, ...]"


@dataclass(frozen=True, eq=False, slots=True)
class Cond:
    arms: "tuple[tuple[Node, Node], ...]"


@dataclass(frozen=True, eq=False, slots=True)
class Operate:
    """A built-in or a native, with as many arguments as it takes."""

    name: str
    arguments: "tuple[Node, ...]"


@dataclass(frozen=True, eq=False, slots=True)
class Apply:
    """A named function, with as many arguments as it takes."""

    index: int
    arguments: "tuple[Node, ...]"


@dataclass(frozen=True, eq=False, slots=True)
class Invoke:
    """Whatever a variable or a state name holds, called."""

    target: Local | State
    arguments: "tuple[Node, ...]"


@dataclass(frozen=True, eq=False, slots=True)
class Each:
    """map, filter or reduce; `start` is there for reduce alone."""

    kind: str
    function: "Node"
    start: "Node | None"
    items: "Node"


Node: TypeAlias = (
    Const
    | Local
    | State
    | Named
    | If
    | Do
    | Let
    | Lambda
    | Def
    | DefFunction
    | And
    | Or
    | Cond
    | Operate
    | Apply
    | Invoke
    | Each
)


@dataclass(frozen=True, eq=False, slots=True)
class Checked:
    """A whole routine: its forms, its functions, the names of its state, the natives it names."""

    forms: tuple[Node, ...]
    scope: Scope
    functions: tuple[Lambda, ...]
    states: tuple[str, ...]
    natives: frozenset[str] = field(default_factory=frozenset)
