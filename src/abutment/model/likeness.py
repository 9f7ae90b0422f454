"""Which known names may a person have meant by one that is not known?"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

_CLOSE = 0.6  # what difflib itself calls close


def nearest(word: str, known: Sequence[str]) -> str:
    """Return the known word that is spelt most like this one; "" where none is close."""
    from difflib import get_close_matches  # only a word that is wrong needs it

    return next(iter(get_close_matches(word, known, n=1, cutoff=_CLOSE)), "")


def alike(name: str, known: Iterable[str], most: int = 2) -> tuple[str, ...]:
    """Return the known dotted names that look most like a name, by the parts in which they differ; the best ones first.

    `app.zz_new` is not much like `app.runner`, however long their package's name is. A name may also have a part
    too few or too many in its middle.
    """
    rated = ((_likeness(name.split("."), one.split(".")), one) for one in known)
    best = sorted(((-rate, one) for rate, one in rated if rate >= _CLOSE))
    return tuple(one for _, one in best[:most])


def _likeness(one: list[str], other: list[str]) -> float:
    ahead = _common(one, other)
    one, other = one[ahead:], other[ahead:]
    behind = _common(one[::-1], other[::-1])
    one, other = one[: len(one) - behind], other[: len(other) - behind]
    if one and other:
        pairs = zip(one, other, strict=True) if len(one) == len(other) else [(".".join(one), ".".join(other))]
        return min(_ratio(*pair) for pair in pairs)
    return _CLOSE if behind and len(one) + len(other) == 1 else 0.0


def _ratio(one: str, other: str) -> float:
    from difflib import SequenceMatcher  # only a name that is wrong needs it

    matcher = SequenceMatcher(None, one, other)
    return matcher.ratio() if matcher.real_quick_ratio() >= _CLOSE else 0.0


def _common(one: list[str], other: list[str]) -> int:
    pairs = enumerate(zip(one, other, strict=False))
    return next((at for at, (left, right) in pairs if left != right), min(len(one), len(other)))
