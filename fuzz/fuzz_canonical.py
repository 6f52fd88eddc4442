"""Long fuzz of the writer and of the way in (rapp/1 4): `fuzz_canonical.py --seconds 60`.

Each case is one value against `rfc8785` and the exact writer, and one spoiled text against the
strict reference. A disagreement is printed with its seed, and the exit code is 1.
"""

import argparse
import random
import struct
import sys
import time
from typing import Any, Final

import rfc8785

from holodesk.errors import NotCanonical
from holodesk.rapp.intake import admit, admit_strictly
from holodesk.rapp.jcs import canonical, canonical_slow

CHARACTERS: Final = 'abz09"\\/\x00\x1f\x7fé˿߿ࠀ\u2028\ud7ff\ue000ﬀ￮\U00010000\U0001f600\U000fffff'
PIECES: Final = (
    *(b"9007199254740993", b"1e999", b"0.1000000000000000055511151231257827", b"-0", b"1.0"),
    *(b"1E5", b"1e-7", b"0.000001", b"0.0000099", b"1e21", b"100000000000000000000", b"NaN"),
    *(b'"\\ud800"', b'"\\ud83d\\ude00"', b'"\xef\xbf\xbf"', b'"\xef\xb7\x90"', b'"\xed\xa0\x80"'),
    *(b'{"a":1,"a":2}', b"[" * 60, b"]" * 60, b"[" * 33 + b"]" * 33, b'{"":' * 5, b"}" * 5),
    *(b"\xef\xbb\xbf", b" ", b"\n", b"\\u0061", b'"', b",", b":", b"\\", b"\xf0\x9f\x98\x80"),
)


def a_float(chance: random.Random) -> float:
    match chance.randrange(5):
        case 0:
            number = struct.unpack(">d", chance.randbytes(8))[0]
            return float(number) if number - number == 0 else 0.5
        case 1:
            power = chance.randint(-330, 308)
            return float(f"{chance.randint(-(10**17), 10**17)}e{power - 17}")
        case 2:
            base = 10.0 ** chance.randint(-8, 23)
            near = struct.unpack(">q", struct.pack(">d", base))[0] + chance.randint(-3, 3)
            return float(struct.unpack(">d", struct.pack(">q", near))[0])
        case 3:
            return float(chance.randint(-(10**6), 10**6))
        case _:
            return chance.random() * 10.0 ** chance.randint(-9, 3)


def a_string(chance: random.Random) -> str:
    return "".join(chance.choices(CHARACTERS, k=chance.choice((0, 1, 2, 5, 12))))


def a_value(chance: random.Random, depth: int = 0) -> Any:
    choice = chance.randrange(9 if depth < 4 else 6)
    match choice:
        case 0:
            return chance.choice((None, True, False))
        case 1:
            return chance.randint(-(2**53) + 1, 2**53 - 1)
        case 2:
            return chance.randint(-9, 9)
        case 3 | 4:
            return a_float(chance)
        case 5:
            return a_string(chance)
        case 6:
            return [a_value(chance, depth + 1) for _ in range(chance.randrange(6))]
        case _:
            count = chance.randrange(6)
            return {a_string(chance): a_value(chance, depth + 1) for _ in range(count)}


def spoil(chance: random.Random, octets: bytes) -> bytes:
    text = bytearray(octets)
    for _ in range(chance.choice((0, 1, 1, 2, 4))):
        at = chance.randint(0, len(text))
        match chance.randrange(5):
            case 0 | 1:
                text[at:at] = chance.choice(PIECES)
            case 2:
                del text[at : at + chance.randint(1, 5)]
            case 3 if at < len(text):
                text[at] ^= 1 << chance.randrange(8)
            case _:
                start = chance.randint(0, len(text))
                text[at:at] = text[start : start + chance.randint(1, 20)]
    if chance.randrange(8) == 0:
        depth = chance.randint(55, 66)
        text = bytearray(b"[" * depth + bytes(text) + b"]" * depth)
    return bytes(text)


def outcome(admission: Any, octets: bytes) -> object:
    try:
        value, written = admission(octets)
    except NotCanonical as refusal:
        return refusal.rule
    return repr(value), written


def disagreement(seed: int) -> str | None:
    """What is wrong with the case of one seed."""
    chance = random.Random(seed)
    value = a_value(chance)
    expected = rfc8785.dumps(value)
    if canonical(value) != expected:
        return f"canonical differs from rfc8785 on {value!r}"
    if canonical_slow(value) != expected:
        return f"the exact writer differs from rfc8785 on {value!r}"
    octets = spoil(chance, expected)
    fast, strict = outcome(admit, octets), outcome(admit_strictly, octets)
    if fast != strict:
        return f"admit says {fast!r}, the strict reference {strict!r}, on {octets!r}"
    return None


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--seconds", type=float, default=None)
    parser.add_argument("--cases", type=int, default=None, help="100000 unless seconds are given")
    parser.add_argument("--seed", type=int, default=0, help="of the first case")
    args = parser.parse_args()
    cases = args.cases or (None if args.seconds else 100_000)
    ends = time.monotonic() + args.seconds if args.seconds else None
    seed, wrong = args.seed, 0
    while (cases is None or seed < args.seed + cases) and (ends is None or time.monotonic() < ends):
        problem = disagreement(seed)
        if problem is not None:
            wrong += 1
            sys.stdout.write(f"seed {seed}: {problem}\n")
        seed += 1
    sys.stdout.write(f"{seed - args.seed} cases, {wrong} disagreements\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    raise SystemExit(main())
