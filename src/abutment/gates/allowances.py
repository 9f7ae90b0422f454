"""Which modules may do what a gate counts, and which of those allowances are of no use?"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from abutment.gates.gate import Rule
from abutment.gates.scope import PlacedSelectors
from abutment.model.identity import Key
from abutment.model.measurement import Evidence, Unused


def unused(
    allowances: PlacedSelectors, modules: Iterable[str], what: str, rule: Rule, key: Callable[[str], Key]
) -> Iterator[Unused]:
    """Yield the allowances that cover none of the modules that do it; `key` makes an identity of one's text."""
    doing = frozenset(modules)
    for one in allowances:
        if not any(map(one.matches, doing)):
            text = one.selector.text
            evidence = Evidence(rule.id, f"{text} {what}", (one.site,), remedy="Delete the line, or correct the name.")
            yield Unused(key(text), evidence)
