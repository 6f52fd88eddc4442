"""The gate's texts inside the pinned runtime say what they say here (LH 3.2, 6)."""

import json
import marshal
import random
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from holodesk.agent.purity import findings
from holodesk.host.machine import instance
from holodesk.host.machine.boot import BOOT
from holodesk.host.machine.cache import Cache
from holodesk.host.machine.engine import load
from holodesk.host.machine.runtime import START_FUEL
from holodesk.host.machine.wasi import Record, Request
from tests.conftest import ROOT
from tests.unit.agent.writing import PLAIN

READ = """
from holodesk.agent.purity_tree import readings
import json
for source in request():
    said = json.dumps(readings(source)).encode()
    give(b"O" + len(said).to_bytes(4, "little") + said)
"""
PIECES = [
    'f"{x["a"]}"', "f'{x!r:>10}'", "f'{a:{b}}'", "lambda: 0", "not ", "\\N{DASH}", "\\d", "'\\400'",
    "1if x else 2", "\r", "\r\n", "\t", "\x0c", "\u00e9", "\uff46", "\u202e", "{", "}", "(", ")",
    "'", '"', "'''", "#", "\\", "\\\n", ":", ";", "type X = int\n", "match x:\n    case 1: pass\n",
    "async ", "await ", "yield ", "*", "**", "@", "_", "self.context", "elif x: pass\n", "while 1:",
    "try:\n", "except* E:", "import time\n", "def f[T](x): pass\n", "class B: pass\n", "1e400",
    "b'x'", "f'''{\nx}'''", "f'{*a}'", "x = *a\n", "open", "    ", "\n", "f'{x}}'", "f'{'",
]  # fmt: skip


def mended(count: int) -> list[str]:
    """A plain file with a few pieces put in or cut out, always the same ones."""
    chance = random.Random(20)
    made = []
    for _ in range(count):
        text = PLAIN
        for _ in range(chance.randrange(1, 4)):
            at = chance.randrange(len(text))
            if chance.random() < 0.75:
                text = text[:at] + chance.choice(PIECES) + text[at:]
            else:
                text = text[:at] + text[at + chance.randrange(1, 6) :]
        made.append(text)
    return made


@pytest.fixture(scope="module")
def sources(shared: Path) -> list[str]:
    """Every honest and hostile file as text, and files that an author might mistype."""
    found = mended(150)
    for folder in ("honest_lenses_agent", "hostile_lenses_agent"):
        for path in sorted((shared / "data" / folder).glob("*_agent.py")):
            found.append(path.read_bytes().decode())
    return found


def inside(cache: Path, sources: list[str]) -> list[list[list[object]]]:
    prepared = Cache(cache).prepared(None)
    engine, module = load(str(prepared.metered), metered=True)
    text = BOOT.replace('exec(marshal.loads(codes[""][1]), {"__name__": "guest"})', READ)
    assert READ in text
    requests = iter(
        [
            Request(prepared.codes.read_bytes(), START_FUEL, 0),
            Request(marshal.dumps(sources, 2), 20 * START_FUEL, len(sources)),
        ]
    )
    said: list[Record] = []
    instance.run(engine, module, requests.__next__, said.append, text=text, metered=True)
    return [json.loads(record.octets) for record in said]


def test_every_verdict_and_every_first_finding_is_the_same_inside(
    cache: Path, sources: list[str]
) -> None:
    here = [[[one.line, one.reason] for one in findings(source)] for source in sources]
    there = inside(cache, sources)
    assert len(there) == len(sources)
    for source, ours, theirs in zip(sources, here, there, strict=True):
        assert bool(ours) == bool(theirs), source
        if ours and "not valid Python" not in f"{ours[0]}{theirs[0]}":
            assert ours == theirs, source


@pytest.mark.parametrize("version", ["3.12", "3.13"])
def test_every_verdict_is_the_same_under_another_python(
    version: str, sources: list[str], tmp_path: Path
) -> None:
    other = shutil.which(f"python{version}")
    if other is None or f"{sys.version_info.major}.{sys.version_info.minor}" == version:
        pytest.skip(f"no other Python {version} here")
    (tmp_path / "sources.json").write_text(json.dumps(sources), "utf-8")
    program = (
        "import json, sys, types\n"
        "for name in ('holodesk', 'holodesk.agent'):\n"
        "    sys.modules[name] = types.ModuleType(name)\n"
        f"sys.modules['holodesk.agent'].__path__ = [{str(ROOT / 'holodesk/agent')!r}]\n"
        "from holodesk.agent.purity_tree import readings\n"
        f"with open({str(tmp_path / 'sources.json')!r}, encoding='utf-8') as file:\n"
        "    print(json.dumps([readings(one) for one in json.load(file)]))\n"
    )
    run = subprocess.run(
        [other, "-W", "error", "-B", "-S", "-c", program], capture_output=True, text=True
    )
    if run.returncode == 127:
        pytest.skip(f"no other Python {version} here")
    assert run.returncode == 0, run.stderr
    for source, theirs in zip(sources, json.loads(run.stdout), strict=True):
        assert bool(findings(source)) == bool(theirs), source
