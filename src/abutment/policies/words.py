"""Does a text that a person has to write say something?"""

from __future__ import annotations

# What stands where nobody has thought about it yet. A person answers for a grant, so it must say something.
_PLACEHOLDERS = frozenset({"todo", "tbd", "fixme", "xxx", "none", "n/a", "na", "unknown"})


def is_placeholder(text: str) -> bool:
    """Say whether a text only keeps a place; a blank one is no placeholder, and no text either."""
    bare = text.strip().strip(".!?:<>[]").casefold()
    return bool(text.strip()) and (not any(c.isalnum() for c in bare) or bare in _PLACEHOLDERS)
