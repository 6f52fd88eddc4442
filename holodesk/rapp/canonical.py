"""Canonical form, the front door: octets in by `admit`, octets out by `canonical` (rapp/1 4).

Two layers that are kept apart: `intake` refuses whatever is outside the parse profile and mends
nothing; `jcs` writes the one byte string of a value.
"""

from holodesk.rapp.intake import MAX_DEPTH, MAX_OCTETS, admit, parse
from holodesk.rapp.jcs import Json, canonical

__all__ = ["MAX_DEPTH", "MAX_OCTETS", "Json", "admit", "canonical", "parse"]
