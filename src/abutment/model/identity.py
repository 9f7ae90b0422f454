"""What makes two facts the same fact?"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence

# A gate's facts are told apart by the values of its identity fields, in the order the gate declares them.
# A key never holds a line number, a message, an absolute path or a tool version.
# It is a plain tuple, so that a hundred thousand of them stay cheap to hash and to sort.
Key = tuple[str, ...]


def fingerprint(family: str, identity: Mapping[str, object]) -> str:
    """Return the SHA-256 (64 hexadecimal digits) of a fact's identity.

    The encoding is fixed: UTF-8 of canonical JSON (sorted keys, no blanks, non-ASCII kept) of the identity
    fields and the family's name.
    """
    text = json.dumps({"family": family, **identity}, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def named(fields: Sequence[str], key: Key) -> dict[str, str]:
    """Return the key as `{field: value}` in declared order; raises ValueError where the lengths differ."""
    return dict(zip(fields, key, strict=True))


def key_text(fields: Sequence[str], key: Key) -> str:
    """Return how a key reads in a line for a person: `importer app.sync, imported app.db`."""
    return ", ".join(f"{name} {value}" for name, value in named(fields, key).items())
