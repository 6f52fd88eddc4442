"""Random routines for the differential tests: lawful to read, often wrong in type or too long."""

from functools import partial
from random import Random

NUMBERS = ("0", "1", "2", "-3", "0.5", "7", "1e9", "nil", "true", '"a"')
UNARY = ("abs", "floor", "ceil", "sqrt", "not", "first", "rest", "count", "sin", "exp")
BINARY = ("+", "-", "*", "/", "mod", "min", "max", "<", ">", "<=", ">=", "=", "!=", "push", "nth")


class Maker:
    """Makes one routine from a seed."""

    def __init__(self, seed: int) -> None:
        self.chance = Random(seed)
        self.names = ["s", "t"]
        self.deepest = self.chance.randint(3, 7)

    def routine(self) -> str:
        """A few definitions and forms, short enough to be read."""
        made = self._made()
        while made.count(" ") > 1500:
            made = self._made()
        return made

    def _made(self) -> str:
        parts = ["(def s 1)", "(def t (list 1 2 3))", f"(def f (fn (a) {self.within('a')}))"]
        parts += [f"(def {name} {self.form(0)})" for name in ("s", "t", "s")]
        parts += [self.form(0) for _ in range(self.chance.randint(1, 3))]
        return "(do " + " ".join(parts) + ")"

    def within(self, *names: str) -> str:
        """A form that may also use these names."""
        before, self.names = self.names, [*self.names, *names]
        made = self.form(2)
        self.names = before
        return made

    def form(self, depth: int) -> str:
        chance = self.chance
        if depth >= self.deepest or chance.random() < 0.2:
            return chance.choice([*NUMBERS, *self.names, *self.names])
        one = two = three = partial(self.form, depth + 1)
        kind = chance.randrange(17)
        match kind:
            case 0 | 1 | 2:
                return f"({chance.choice(BINARY)} {one()} {two()})"
            case 3:
                return f"({chance.choice(UNARY)} {one()})"
            case 4 | 5:
                return f"(if {one()} {two()} {three()})"
            case 6:
                return f"(let (x {one()} y {two()}) {self.bound(depth, 'x', 'y')})"
            case 7:
                way, callback = chance.choice(["map", "filter"]), self.bound(depth, "x", "i")
                return f"({way} (fn (x i) {callback}) (list {one()} {two()}))"
            case 8:
                return (
                    f"(reduce (fn (x y) {self.bound(depth, 'x', 'y')}) {one()} (list 1 {two()} 3))"
                )
            case 9:
                return f"(and {one()} {two()})"
            case 10:
                return f"(or {one()} {two()})"
            case 11:
                return f"(cond {one()} {two()} true {three()})"
            case 12:
                return f"(list {one()} {two()} {three()})"
            case 13:
                return f"(str {one()} {two()})"
            case 14:
                return f"(f {one()})"
            case 15:
                return f'(get (assoc nil "k" {one()}) "k" {two()})'
        return chance.choice(
            ["(rand)", "(rand-int 1 6)", "(tick)", f"(let (g (fn (x) {one()})) (g {two()}))"]
        )

    def bound(self, depth: int, *names: str) -> str:
        before, self.names = self.names, [*self.names, *names]
        made = self.form(depth + 1)
        self.names = before
        return made
