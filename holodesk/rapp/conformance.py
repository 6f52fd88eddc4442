"""Vector documents, recognised by their shape and run (rapp/1 4 to 10; RFC 8785).

Whoever else implements rapp/1 can run the same files.
"""

import json
from collections.abc import Callable, Mapping
from typing import Any, Final

from holodesk.errors import HolodeskError, NotCanonical
from holodesk.rapp.canonical import Json, admit, canonical
from holodesk.rapp.outcome import Case, Outcome, differs, ran
from holodesk.rapp.vectors_official import SCHEMA as OFFICIAL
from holodesk.rapp.vectors_official import run_official
from holodesk.rapp.vectors_openrappter import SECTIONS as OPENRAPPTER
from holodesk.rapp.vectors_openrappter import run_openrappter
from holodesk.rapp.vectors_own import SCHEMA as OWN
from holodesk.rapp.vectors_own import run_own

__all__ = ["Outcome", "run_document", "run_pair"]

_BY_SCHEMA: Final[Mapping[Any, Callable[[dict[str, Any]], list[Outcome]]]] = {
    OFFICIAL: run_official,
    OWN: run_own,
}


def run_document(document: Json) -> list[Outcome] | None:
    """The outcomes of a parsed vector document; None where no known shape fits."""
    if not isinstance(document, dict):
        return None
    schema = document.get("schema")
    run = _BY_SCHEMA.get(schema) if isinstance(schema, str) else None
    if run is None and document.keys() >= OPENRAPPTER:
        run = run_openrappter
    if run is None:
        return None
    try:
        return run(document)
    except (HolodeskError, LookupError, TypeError, ValueError, AttributeError) as error:
        told = f"the document has another form: {type(error).__name__}: {error}"
        return [Outcome("document", False, told)]


def run_pair(name: str, given: bytes, expected: bytes, hexed: str | None = None) -> list[Outcome]:
    """The outcomes of one RFC 8785 pair: input text, canonical text and, maybe, its hex.

    The writer must reproduce the output. The intake must give the same, unless it refuses the
    input, which it may only where a number does not survive binary64.
    """

    def written() -> str:
        return differs(expected, canonical(json.loads(given)))

    def admitted() -> str:
        try:
            return differs(expected, admit(given)[1])
        except NotCanonical as refusal:
            return "" if refusal.rule == "rapp/1 4(c)" else str(refusal)

    def in_hex() -> str:
        return differs(expected, bytes.fromhex(hexed or ""))

    cases: list[Case] = [(f"{name}: writer", written), (f"{name}: intake", admitted)]
    if hexed is not None:
        cases.append((f"{name}: hex", in_hex))
    return ran(cases)
