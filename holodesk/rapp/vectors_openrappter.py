"""The vector file of the openrappter tools, which follows an early revision (rapp/1 4 to 9).

Its frame was written before `spec` was a member of the file, and its egg before every header field
of the container was pinned: the first holds once `spec` is added, the second is a conflict.
"""

from collections.abc import Iterator
from functools import partial
from typing import Any, Final

from holodesk.rapp.address import EGG_MANIFEST, PARTICLE, WAVE, hash_value
from holodesk.rapp.canonical import canonical
from holodesk.rapp.envelope import SPEC
from holodesk.rapp.names import mint_keyless
from holodesk.rapp.outcome import Case, Outcome, differs, ran, step_of

SECTIONS: Final = frozenset({"canonical", "identity", "frame", "rapplication_egg"})
EARLY_EGG: Final = "the container is of an early revision, before its header fields were pinned"

_SPACES: Final = {"particle": PARTICLE, "wave": WAVE, "egg_manifest": EGG_MANIFEST}


def run_openrappter(document: dict[str, Any]) -> list[Outcome]:
    """The outcomes of the whole file."""
    return [*ran(_cases(document)), Outcome("rapplication_egg", None, EARLY_EGG)]


def _cases(document: dict[str, Any]) -> Iterator[Case]:
    for index, vector in enumerate(document["canonical"]):
        yield f"canonical {index} octets", partial(_is_written, vector)
        for name, tag in _SPACES.items():
            yield f"canonical {index} {name}", partial(_is_hash_of, tag, vector, vector[name])
    yield "identity", partial(_is_minted, document["identity"])
    yield "frame", partial(_is_frame, document["frame"])


def _is_written(vector: dict[str, Any]) -> str:
    return differs(vector["bytes_utf8"].encode(), canonical(vector["value"]))


def _is_hash_of(tag: str, vector: dict[str, Any], expected: str) -> str:
    return differs(expected, hash_value(tag, vector["value"]))


def _is_minted(vector: dict[str, str]) -> str:
    octets = bytes.fromhex(vector["uuid_anchor"].replace("-", ""))
    return differs(vector["rappid"], str(mint_keyless(vector["owner"], vector["slug"], octets)))


def _is_frame(frame: dict[str, Any]) -> str:
    whole = step_of(canonical({**frame, "spec": SPEC}), stream_id=frame["stream_id"])
    return differs("1", step_of(canonical(frame))) or differs(None, whole)
