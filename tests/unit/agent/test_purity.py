"""The gate: what it lets pass, what it refuses, and the line and the reason it gives (LH 3.2)."""

import json
from pathlib import Path

import pytest

from holodesk.agent.purity import findings
from tests.unit.agent.writing import FIRST_LINE, METADATA, PERFORM, PLAIN, agent, within


def first(source: str) -> str:
    found = findings(source)
    return str(found[0]) if found else ""


def refuses(source: str, words: str) -> bool:
    return any(words in finding.reason for finding in findings(source))


def test_a_plain_agent_file_passes() -> None:
    assert findings(PLAIN) == ()


@pytest.mark.parametrize(
    "line",
    [
        "x = [n * 2 for n in range(3) if n]",
        "x, *rest = sorted({'a': 1}.items(), key=lambda pair: pair[1])",
        "x = f'{1.5:>8.3f} {params!r:<4}'",
        "x = {**params, 'more': [*range(2)]}",
        "while True: break",
        "x = (y := 3) + y ** 2 // 1 % 5",
        "assert params, 'nothing'",
        "x = max(1, 2, key=lambda n: -n)",
        "x = 1 if params else -1",
        "x = 'a' 'b'[::-1].removeprefix('b')",
        "x = '\\u202e'",
        "type = id = input = 3",
    ],
)
def test_ordinary_code_passes(line: str) -> None:
    assert findings(within(line)) == ()


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("x = open('f')", "open: a lens must be pure; opens a file"),
        ("x = eval('1')", "eval: a lens must be pure; runs text as code"),
        ("x = getattr(self, 'x')", "getattr: a lens must be pure"),
        ("x = hash('x')", "hash: a lens must be pure; differs from one process to the next"),
        ("x = set()", "set: a set has no fixed order"),
        ("x = {1, 2}", "a set has no fixed order"),
        ("x = {n for n in params}", "a set has no fixed order"),
        ("x = object()", "object: a lens must be pure"),
        ("x = nowhere", "nowhere: not a name that this file sets"),
        ("print(1)", "print: a lens must be pure"),
        ("import time", "import time: a lens must be pure; reads the clock"),
        ("import json", "an import stands at module level"),
        ("x = ().__class__", "__class__: a name is plain ASCII"),
        ("x = (n for n in params).gi_frame", "gi_frame: not on the list of methods"),
        ("x = '{}'.format(1)", "format: a format text can walk attributes"),
        ("x = '%s' % 1", "% on a text"),
        ("x = f'{1:{2}}'", "an f-string's format is a constant"),
        ("x = f'{1:>999}'", "no number of more than 2 digits"),
        ("x = f'{1:n}'", "the format n differs"),
        ("x = b'x'", "bytes: a lens works on JSON data"),
        ("x = 1j", "complex: a lens works on JSON data"),
        ("x = ...", "ellipsis: a lens works on JSON data"),
        ("x = 1e999", "a number too large for JSON"),
        ("x = 9007199254740994", "a whole number beyond 2**53"),
        ("x: int = 1", "write the assignment without a type"),
        ("global x", "a lens keeps nothing between calls"),
        ("with params: pass", "with is for things that open and close"),
        ("yield 1", "a lens returns its result once"),
        ("for _x in params: pass", "_x: a name is plain ASCII and does not begin with"),
        ("self.kept = 1", "kept: an attribute is read, never set"),
        ("del params.x", "x: an attribute is read, never set"),
        ("self = 1", "self keeps its meaning"),
        ("x = self", "self may only be used as self.<name>"),
        ("def f(x=[]): pass", "a default is a constant"),
        ("f = lambda x={}: x", "a default is a constant"),
        ("break", "break stands in a loop"),
        ("x = *params", "a star stands in a call"),
        ("x = [n async for n in params]", "a lens does not wait"),
        ("x = [n for m in params for n in m if n.bad]", "bad: not on the list of methods"),
        ("x = f'{1:<+012.45f}'", "at most 8 characters"),
        ("x = dict(_kept=1)", "_kept: a name is plain ASCII"),
        ("def f[T](x): pass", ""),
        ("del (params).x", "x: an attribute is read"),
        ("params[0].x = 1", "x: an attribute is read"),
        ("@str\n        def f(): pass", "a function takes no decorator"),
        ("ValueError = 1\n        try: pass\n        except ValueError: pass", "keeps its meaning"),
        ("match params: pass", "this is not valid Python"),
    ],
)
def test_what_is_not_on_the_list_is_refused_with_a_reason(line: str, words: str) -> None:
    assert refuses(within(line), words)


@pytest.mark.parametrize(
    "lines",
    [
        ("try: pass", "except: pass"),
        ("try: pass", "except Exception: pass"),
        ("try: pass", "except RecursionError: pass"),
        ("try: pass", "except ValueError as e: pass"),
        ("try: pass", "except* ValueError: pass"),
    ],
)
def test_only_five_errors_are_caught_and_only_by_name(lines: tuple[str, str]) -> None:
    assert findings(within(*lines))
    assert findings(within("try: pass", "except (KeyError, ValueError): pass")) == ()


def test_the_finding_names_the_line_and_the_reason() -> None:
    assert first(within("x = 1", "import time")) == (
        f"line {FIRST_LINE + 1}: import time: a lens must be pure; reads the clock"
    )


def test_every_finding_is_told_in_the_order_of_the_lines() -> None:
    lines = [one.line for one in findings(within("x = open", "y = eval", "import os"))]
    assert lines == sorted(lines)
    assert len(set(lines)) == 3


def test_a_local_name_hides_a_built_in_in_its_own_function_only() -> None:
    assert findings(within("open = 1", "x = open")) == ()
    elsewhere = agent(before="def f(open):\n    return open\n") + "    def g(self):\n        open\n"
    assert refuses(elsewhere, "open: a lens must be pure")


def test_a_built_in_cannot_shine_through_before_a_module_level_name_is_bound() -> None:
    assert refuses(agent(before="def f(x):\n    return eval(x)\n\neval = 3\n"), "may not hide")
    assert refuses(agent(before="from re import compile\n"), "write re.compile")


def test_a_function_in_the_class_body_does_not_see_the_names_of_the_class() -> None:
    hidden = METADATA + "    def eval(self):\n        return 1\n    k = lambda s, t: eval(t)\n"
    assert refuses(agent(body=hidden), "eval: a lens must be pure; runs text as code")
    inside = METADATA + "    FEW = 3\n    MANY = FEW * 2\n"
    assert findings(agent(body=inside)) == ()
    comprehension = METADATA + "    FEW = 3\n    ALL = [FEW for n in range(FEW)]\n"
    assert refuses(agent(body=comprehension), "FEW: not a name")


def test_a_module_is_used_by_its_listed_names_only_and_never_rebound() -> None:
    assert findings(agent(before="import json, math\nfrom re import sub\n")) == ()
    assert refuses(agent(before="import json\nX = json.codecs\n"), "json.codecs: not on the list")
    assert refuses(agent(before="import json\nX = [json]\n"), "json may only be used as json.")
    assert refuses(agent(before="import json\njson = 1\n"), "json keeps its meaning")
    assert refuses(agent(before="import json as j\n"), "an import keeps its name")
    assert refuses(agent(before="from json import *\n"), "json.*: not on the list")


def test_the_module_level_does_nothing() -> None:
    for doing in ("for n in (1,): pass", "if 1: pass", "del json", "1 + 1", "import math as m"):
        assert findings(agent(before=doing + "\n"))
    assert refuses(agent(before="def f(): return 1\nX = f()\n"), "a constant calls nothing but")
    assert findings(agent(before='import re\nWORD = re.compile("[a-z]+")\nALL = [0] * 9\n')) == ()


def test_names_taken_from_a_module_keep_their_names() -> None:
    assert refuses(agent(before="from json import loads as l\n"), "an import keeps its name")
    assert refuses(agent(before="from json import codecs\n"), "json.codecs: not on the list")
    assert refuses(agent(before="X, Y = 1, 2\n"), "module level holds")
    assert findings('"""A file."""\n' + agent(before="X = Y = 2\n")) == ()


def test_a_class_takes_no_type_parameter() -> None:
    assert findings(PLAIN.replace("class Try(", "class Try[T]("))


def test_the_source_has_a_size() -> None:
    assert refuses(PLAIN + "#" * (64 * 1024), "expected at most 65536 octets")


def test_the_honest_lenses_pass(shared: Path) -> None:
    for path in sorted((shared / "data/honest_lenses_agent").glob("*_agent.py")):
        assert findings(path.read_bytes().decode()) == (), path.name


def test_hostile_files_of_the_language_kind_are_all_refused(shared: Path) -> None:
    folder = shared / "data/hostile_lenses_agent"
    for one in json.loads((folder / "manifest.json").read_bytes()):
        if one["category"] in ("escape", "module", "host", "shape"):
            assert findings((folder / one["file"]).read_bytes().decode()), one["name"]


# ---- what the agent shape adds, and only that -----------------------------------------------


@pytest.mark.parametrize(
    "source",
    [
        PLAIN.replace("import BasicAgent", "import BasicAgent as Base"),
        PLAIN.replace("from agents.basic_agent import BasicAgent", "import agents.basic_agent"),
        PLAIN.replace("from agents.basic_agent", "from agents"),
        PLAIN.replace("from agents.basic_agent", "from .basic_agent"),
        PLAIN.replace("import BasicAgent", "import BasicAgent, json"),
        "from agents.basic_agent import BasicAgent\n" + PLAIN,
        PLAIN.split("\n", 1)[1],
        "import agents\n" + PLAIN,
    ],
)
def test_the_base_comes_by_one_exact_line(source: str) -> None:
    assert findings(source)


@pytest.mark.parametrize(
    "bases", ["BasicAgent, dict", "dict", "BasicAgent, metaclass=type", "(BasicAgent)[0]", ""]
)
def test_the_class_has_the_one_base_and_nothing_else(bases: str) -> None:
    assert findings(PLAIN.replace("(BasicAgent)", f"({bases})"))


@pytest.mark.parametrize(
    "line",
    [
        "BasicAgent.perform = 1",
        "x = BasicAgent.perform.__globals__",
        "BasicAgent.metadata['x'] = 1",
        "x = [BasicAgent]",
        "Try.perform.__globals__",
        "x = self.perform.__func__",
        "x = self.context",
        "self.context = 1",
        "self.context.object = 1",
        "x = self.context.frame",
        "x = params.context",
        "x = self.metadata",
        "self.metadata['name'] = 'x'",
        "self.name = 'x'",
        "super().__init__()",
        "x = super",
        "x = Try",
    ],
)
def test_the_base_the_context_and_the_metadata_are_out_of_a_pass_s_reach(line: str) -> None:
    assert findings(within(line))


def test_the_context_is_read_by_whole_chains() -> None:
    for name in ("object", "slush", "head", "facts"):
        assert findings(within(f"x = self.context.{name}")) == ()


@pytest.mark.parametrize(
    "metadata",
    [
        METADATA.replace('"Try",\n', "str(1),\n"),
        METADATA.replace("metadata = {", "metadata = dict(name=1) or {"),
        METADATA.replace('"maxLength": 40', '"maxLength": 4 * 10'),
        METADATA.replace('"name": "Try",', '"name": "Try", "name": "Other",'),
        METADATA.replace('"name": "Try",', '"name": ("Try",),'),
        METADATA.replace("    name = ", "    NAME = "),
        METADATA.replace('name = "Try"', 'name = "T" "ry".strip()'),
        METADATA + "    metadata = {}\n",
        METADATA.replace("metadata = {", "metadata = other = {")
        + "    other = 1\n    metadata = 1\n",
    ],
)
def test_metadata_and_name_are_literal_and_set_once(metadata: str) -> None:
    assert findings(agent(body=metadata))


CONSTRUCTED = """    def __init__(self):
        self.name = "Try"
        self.metadata = {"name": "Try", "description": "d", "parameters": {"type": "object"}}
        super().__init__(name=self.name, metadata=self.metadata)
"""


def test_the_constructor_may_set_both_and_call_its_base() -> None:
    assert findings(agent(body=CONSTRUCTED)) == ()


@pytest.mark.parametrize(
    "body",
    [
        CONSTRUCTED + "        self.kept = []\n",
        CONSTRUCTED + "        x = 1\n",
        CONSTRUCTED + "        for n in (1, 2): pass\n",
        CONSTRUCTED + "        super().__init__(name=self.name, metadata=self.metadata)\n",
        CONSTRUCTED.replace("metadata=self.metadata", "metadata={}"),
        CONSTRUCTED.replace("super()", "super(Try, self)"),
        CONSTRUCTED.replace("(self):", "(self, more=1):"),
        CONSTRUCTED.replace("def __init__", "async def __init__"),
        CONSTRUCTED.replace('self.name = "Try"', "self.name = self.context.object"),
        CONSTRUCTED.replace('self.name = "Try"', "self.__class__ = 1"),
    ],
)
def test_the_constructor_does_nothing_else(body: str) -> None:
    assert findings(agent(body=body))


def test_super_and_the_constructor_s_name_stay_in_the_constructor() -> None:
    assert refuses(within("super().__init__(name=1, metadata=2)"), "super")
    other = CONSTRUCTED.replace("__init__(self)", "start(self)")
    assert findings(agent(body=METADATA + other))


@pytest.mark.parametrize(
    "signature",
    [
        "self, other",
        "self, *words",
        "self, word, /",
        "word",
        "",
        "self, *, other=1",
        "self, word=[]",
    ],
)
def test_perform_takes_fields_of_the_schema_only(signature: str) -> None:
    assert findings(agent(perform=PERFORM.replace("self, **params", signature)))


@pytest.mark.parametrize(
    "signature", ["self", "self, word", 'self, word="x"', "self, *, word=None", "self, **anything"]
)
def test_perform_may_name_the_fields_or_take_them_all(signature: str) -> None:
    assert findings(agent(perform=PERFORM.replace("self, **params", signature))) == ()


def test_a_file_needs_something_to_call() -> None:
    assert refuses(
        agent(perform="    def other(self):\n        pass\n"), "perform or system_context"
    )
    reader = "    def system_context(self):\n        return self.context.head\n"
    assert findings(agent(perform=reader)) == ()


@pytest.mark.parametrize(
    "method",
    [
        "    def converged(self):\n        return True\n",
        "    def converged(self, object, more=1):\n        return True\n",
        "    def converged(self, *object):\n        return True\n",
        "    def converged(self, object):\n        return open('x')\n",
        "    def converged(self, object):\n        self.seen = 1\n",
        "    async def converged(self, object):\n        return True\n",
        "    def system_context(self, **more):\n        return ''\n",
        "    def system_context(self):\n        self.seen = 1\n",
        "    def system_context(self):\n        yield ''\n",
        "    system_context = lambda self: ''\n",
        "    def context(self):\n        return 1\n",
    ],
)
def test_the_optional_methods_keep_the_same_rules(method: str) -> None:
    assert findings(agent(after=method))


def test_the_optional_methods_in_their_form_pass() -> None:
    lawful = "    def converged(self, object):\n        return object == {}\n"
    assert findings(agent(after=lawful)) == ()


def test_one_file_holds_one_class_without_a_decorator() -> None:
    assert refuses(agent(after="\nclass Other(BasicAgent):\n    pass\n"), "one class")
    assert refuses(PLAIN.replace("class Try", "@staticmethod\nclass Try"), "decorator")
    assert refuses(within("class Inner: pass"), "one class, at module level")


def test_a_hostile_expression_chain_is_refused_before_the_parser_sees_it() -> None:
    for text in (
        "x = " + "(" * 61 + ")" * 61,
        "x = " + "- ~" * 30 + "1",
        "x = 1" + "+1" * 20_000,
        "x = a" + "()" * 10_000,
        "x = " + "not " * 10_000 + "1",
        "x = " + "lambda: " * 5_000 + "1",
        "x = " + "1 if 1 else " * 3_000 + "1",
        "x = " + "(" * 30 + "1" + "+1)" * 30 * 9,
    ):
        assert refuses(within(text), "the source is nested too deeply"), text[:20]


def test_long_flat_code_is_not_deep() -> None:
    assert findings(within("x = [" + "1, " * 5_000 + "]")) == ()
    assert findings(within(*(f"x = {n} + {n}" for n in range(500)))) == ()
    assert findings(within("if params: x = 1", *("elif params: x = 2",) * 150)) == ()
    assert refuses(within("if params: x = 1", *("elif params: x = 2",) * 300), "too deeply")
