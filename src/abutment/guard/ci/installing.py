"""From where does a command install us, where that is not the usual index? Versions put aside."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from abutment.guard.ci.front import INSTALLING

_OURS = re.compile(r"(?P<place>.*/)?abutment(?:\.git)?(?:[-@=<>~!\[ #].*)?/?", re.IGNORECASE)
_VERSION = re.compile(r"(?:@[\w.-]+|-\d[^/]*)?(?:#.*)?$")
_FILES = frozenset({"-r", "--requirement", "-c", "--constraint"})  # what follows is no package
_INDEXES = frozenset({"-i", "--index-url", "--extra-index-url", "-f", "--find-links", "--index", "--default-index"})


def installed_from(words: Sequence[str]) -> Iterator[str]:
    """Yield the places, other than the usual index, from which a command may take the package of our name."""
    if not INSTALLING & set(words):
        return
    pairs = list(zip(("", *words), words, strict=False))
    ours = [word for before, word in pairs if before not in _FILES and _OURS.fullmatch(word.rpartition(" @ ")[2])]
    yield from (f"installed from {_VERSION.sub('', word.rpartition(' @ ')[2])}" for word in ours if "/" in word)
    if ours:
        yield from (f"installed by {word}" for word in words if word.partition("=")[0] in _INDEXES and "=" in word)
        yield from (f"installed by {before} {word}" for before, word in pairs if before in _INDEXES)
