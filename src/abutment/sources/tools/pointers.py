"""What stands in a JSON document at a place that a JSON Pointer (RFC 6901) names?"""

from __future__ import annotations

import re

_POINTER = re.compile(r"(?:/(?:[^/~]|~[01])*)*")
_INDEX = re.compile(r"0|[1-9][0-9]*")
MISSING = object()


def is_pointer(text: str) -> bool:
    """Say whether a text is a JSON Pointer; the empty one is the document."""
    return _POINTER.fullmatch(text) is not None


def standing_at(document: object, pointer: str) -> object:
    """Return what stands there, MISSING where nothing does."""
    found = document
    for part in pointer.split("/")[1:]:
        name = part.replace("~1", "/").replace("~0", "~")
        if isinstance(found, dict):
            found = found.get(name, MISSING)
        elif isinstance(found, list) and _INDEX.fullmatch(name) and int(name) < len(found):
            found = found[int(name)]
        else:
            return MISSING
    return found
