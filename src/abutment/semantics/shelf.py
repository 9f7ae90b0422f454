"""Which answers about uses has the cache, for this code or for what it was before an edit?"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING

from abutment.semantics.cache import ANSWERS, KEYS, LOOKED, Cache, Key, Parts
from abutment.semantics.texts import Texts

if TYPE_CHECKING:
    from abutment.semantics.reuse import Past


class CachedAnswers:
    """The answers about one program: a `Shelf`.

    One file holds all of them with what they depend on, so that no run can bring together what two of them wrote.
    """

    def __init__(self, cache: Cache, texts: Texts, shape: bytes, digest: bytes, keys: bytes) -> None:
        """Take what stands for the modules there are and for their texts, and each text's key."""
        self._cache, self._texts, self._name, self._keys = cache, texts, (shape, digest), keys

    @cached_property
    def _own(self) -> Parts | None:
        return self._cache.whole(ANSWERS, *self._name)

    def get(self, question: Key) -> bytes | None:
        """Return an answer about the same code; None where it is not known."""
        return self._own.part(question) if self._own is not None else None

    def past(self) -> Past | None:
        """Return what an earlier run found out about this code, or about what it was before an edit."""
        from abutment.semantics.reuse import Past

        if self._own is not None:
            return Past(self._own.part, dict)
        before = self._cache.whole_before(ANSWERS, self._name[0])
        if before is None:
            return None
        return Past(before.part, lambda: self._texts.changes_since(before.part(KEYS) or b""))

    def keep(self, answers: Mapping[Key, bytes]) -> None:
        """Keep these answers beside those that are kept, and what they say that all of them depend on."""
        known = self._own.parts(key for key in self._own.keys if key != LOOKED) if self._own is not None else {}
        self._cache.keep_whole(ANSWERS, *self._name, {**known, **answers, KEYS: self._keys})
