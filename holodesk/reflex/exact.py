"""sin, cos, exp and atan2, correctly rounded, from integers alone (LH 3.6; RL-1).

No mathematical library of a machine is asked: they differ from one another. A value is worked out
in fixed point with a bound on its error; where the bound leaves two doubles, again with more bits.
"""

from collections.abc import Callable
from functools import cache
from math import copysign, inf, isinf, isnan, nan
from typing import Final

_ANGLE_BITS: Final = (136, 320, 900)
_ATAN_BITS: Final = (150, 360, 1200)
_HELD: Final = 1400
_ERROR: Final = 1 << 24
"""In units of the last bit; the sums below stay far under it."""

_STEP: Final = 8
_PI: Final = 3.141592653589793
_HALF_PI: Final = 1.5707963267948966
_QUARTER_PI: Final = 0.7853981633974483
_THREE_QUARTERS_PI: Final = 2.356194490192345

_SIN_IS_ITS_ANGLE: Final = 7.4e-9
_EXP_IS_ONE: Final = 5e-17
_EXP_LEAST: Final = -745.2
_EXP_MOST: Final = 709.782712893384


def sin(x: float) -> float:
    """The sine, NaN of what is not finite."""
    if x - x != 0:
        return nan
    if abs(x) < _SIN_IS_ITS_ANGLE:
        return x
    return _settled(_ANGLE_BITS, lambda bits: (_turned(x, bits, 0), bits))


def cos(x: float) -> float:
    """The cosine, NaN of what is not finite."""
    if x - x != 0:
        return nan
    if abs(x) < _SIN_IS_ITS_ANGLE:
        return 1.0
    return _settled(_ANGLE_BITS, lambda bits: (_turned(x, bits, 1), bits))


def exp(x: float) -> float:
    """The exponential; infinite above 709.78, and 0 below -745.2."""
    if isnan(x):
        return x
    if x > _EXP_MOST:
        return inf
    if x < _EXP_LEAST:
        return 0.0
    if abs(x) < _EXP_IS_ONE:
        return 1.0
    return _settled(_ANGLE_BITS, lambda bits: _grown(x, bits))


def atan2(y: float, x: float) -> float:
    """The angle of the point (x, y), as IEEE 754 has it for zeros and infinities."""
    if isnan(y) or isnan(x):
        return nan
    backwards = copysign(1.0, x) < 0
    if y == 0:
        return copysign(_PI, y) if backwards else y
    if x == 0:
        return copysign(_HALF_PI, y)
    if isinf(x):
        if isinf(y):
            return copysign(_THREE_QUARTERS_PI if backwards else _QUARTER_PI, y)
        return copysign(_PI if backwards else 0.0, y)
    if isinf(y):
        return copysign(_HALF_PI, y)
    over, under = abs(y).as_integer_ratio()
    wide, deep = abs(x).as_integer_ratio()
    rise, run = over * deep, wide * under
    return copysign(_settled(_ATAN_BITS, lambda bits: _slope(rise, run, backwards, bits)), y)


def _settled(levels: tuple[int, ...], work: Callable[[int], tuple[int, int]]) -> float:
    """The double that a value and its error bound leave, with as many bits as it takes."""
    low = 0.0
    for bits in levels:
        value, scale = work(bits)
        low, high = _ratio(value - _ERROR, scale), _ratio(value + _ERROR, scale)
        if low == high:
            break
    return low


def _ratio(value: int, scale: int) -> float:
    try:
        return value / (1 << scale) if scale >= 0 else float(value << -scale)
    except OverflowError:
        return inf


def _turned(x: float, bits: int, quarter: int) -> int:
    """The sine of x plus so many quarter turns, in fixed point."""
    over, under = x.as_integer_ratio()
    held = bits + 64 if abs(x) < 1 << 40 else _HELD
    angle = (over << held) // under
    half_pi = pi(held) >> 1
    turns = (2 * angle + half_pi) // (2 * half_pi)
    rest = (angle - turns * half_pi) >> (held - bits)
    sines, cosines = _circle(bits)
    step = (rest + (1 << (bits - _STEP - 1))) >> (bits - _STEP)
    rest -= step << (bits - _STEP)
    small_sine, small_cosine = _small_turn(rest, bits)
    at = abs(step)
    sine, cosine = (sines[at] if step >= 0 else -sines[at]), cosines[at]
    quadrant = (turns + quarter) & 3
    if quadrant & 1:
        value = (cosine * small_cosine - sine * small_sine) >> bits
    else:
        value = (sine * small_cosine + cosine * small_sine) >> bits
    return -value if quadrant & 2 else value


def _small_turn(rest: int, bits: int) -> tuple[int, int]:
    """Sine and cosine of a small angle, by their series."""
    square = (rest * rest) >> bits
    sine, cosine = rest, 1 << bits
    odd, even, n = rest, cosine, 0
    while odd or even:
        n += 2
        even = -((even * square) >> bits) // (n * (n - 1))
        odd = -((odd * square) >> bits) // (n * (n + 1))
        if -2 <= odd <= 1 and -2 <= even <= 1:
            break
        sine, cosine = sine + odd, cosine + even
    return sine, cosine


@cache
def _circle(bits: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    sine, cosine = _small_turn(1 << (bits - _STEP), bits)
    sines, cosines = [0], [1 << bits]
    for _ in range(202):
        s, c = sines[-1], cosines[-1]
        sines.append((s * cosine + c * sine) >> bits)
        cosines.append((c * cosine - s * sine) >> bits)
    return tuple(sines), tuple(cosines)


def _grown(x: float, bits: int) -> tuple[int, int]:
    over, under = x.as_integer_ratio()
    held = bits + 64
    exponent = (over << held) // under
    doubling = ln2(held)
    doublings = (2 * exponent + doubling) // (2 * doubling)
    rest = (exponent - doublings * doubling) >> (held - bits)
    step = (rest + (1 << (bits - _STEP - 1))) >> (bits - _STEP)
    rest -= step << (bits - _STEP)
    grown, shrunk = _powers(bits)
    table = grown if step >= 0 else shrunk
    return (table[abs(step)] * _small_growth(rest, bits)) >> bits, bits - doublings


def _small_growth(rest: int, bits: int) -> int:
    total = term = 1 << bits
    n = 0
    while True:
        n += 1
        term = ((term * rest) >> bits) // n
        if -2 <= term <= 1:
            return total
        total += term


@cache
def _powers(bits: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    up, down = _small_growth(1 << (bits - _STEP), bits), _small_growth(-1 << (bits - _STEP), bits)
    grown, shrunk = [1 << bits], [1 << bits]
    for _ in range(90):
        grown.append((grown[-1] * up) >> bits)
        shrunk.append((shrunk[-1] * down) >> bits)
    return tuple(grown), tuple(shrunk)


def _slope(rise: int, run: int, backwards: bool, bits: int) -> tuple[int, int]:
    steep = rise > run
    over, under = (run, rise) if steep else (rise, run)
    # A small angle that is itself the result keeps its bits: the point moves with it.
    apart = under.bit_length() - over.bit_length()
    scale = bits if steep or backwards or apart <= _STEP + 2 else bits + apart
    angle = _small_angle(over, under, scale)
    if steep:
        angle = (pi(scale) >> 1) - angle
    return (pi(scale) - angle if backwards else angle), scale


def _small_angle(over: int, under: int, scale: int) -> int:
    """The angle whose tangent is a ratio of at most one."""
    step = ((over << (_STEP + 1)) + under) // (2 * under)
    if step == 0:
        return _arctangent(over, under, scale)
    near = (over << _STEP) - step * under
    return _angles(scale)[step] + _arctangent(near, (under << _STEP) + step * over, scale)


def _arctangent(over: int, under: int, scale: int) -> int:
    """The series, for a ratio that is small."""
    power = (over << scale) // under
    square = (power * power) >> scale
    total, n = power, 1
    while True:
        power = -((power * square) >> scale)
        n += 2
        if -2 <= power <= 2:
            return total
        total += power // n


@cache
def _angles(bits: int) -> tuple[int, ...]:
    angles, whole = [0], 1 << 2 * _STEP
    for step in range(1, (1 << _STEP) + 1):
        angles.append(angles[-1] + _arctangent(1 << _STEP, whole + step * (step - 1), bits))
    return tuple(angles)


@cache
def pi(bits: int) -> int:
    """π in fixed point, by Machin's formula."""
    if bits < _HELD:
        return pi(_HELD) >> (_HELD - bits)
    guard = bits + 64
    return (16 * _arctangent(1, 5, guard) - 4 * _arctangent(1, 239, guard)) >> 64


@cache
def ln2(bits: int) -> int:
    """The natural logarithm of two in fixed point, as 2 artanh(1/3)."""
    if bits < _HELD:
        return ln2(_HELD) >> (_HELD - bits)
    guard, total, n = bits + 64, 0, 1
    power = (1 << guard) // 3
    while power:
        total += power // n
        power //= 9
        n += 2
    return (2 * total) >> 64
