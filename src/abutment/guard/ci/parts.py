"""What does a workflow run by using the repository's own workflows and actions?"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace

from abutment.guard.ci.calls import Call

_DEEPEST = 5  # as deep as GitHub lets one use another
_USED = "workflow_call"


def expanded(name: str, parts: Mapping[str, tuple[Call, ...]]) -> tuple[Call, ...]:
    """Return the calls of a workflow, those of a part in place of its use. A part by itself is not run."""
    if not name.endswith((".yml", ".yaml")):
        return ()
    calls = (call for call in parts[name] if not _only_used(call))
    own = (replace(call, when=frozenset(on for on in call.when if not on.startswith(_USED))) for call in calls)
    return tuple(found for call in own for found in _in_place(call, parts, _DEEPEST))


def use_of(name: str) -> str:
    """Return what a use of a part asks, as long as nobody knows what that runs."""
    return f"what {name} runs"


def _only_used(call: Call) -> bool:
    return bool(call.when) and all(on.startswith(_USED) for on in call.when)


def _in_place(call: Call, parts: Mapping[str, tuple[Call, ...]], deep: int) -> Iterator[Call]:
    part = call.asks.removeprefix("what ").removesuffix(" runs")
    if call.asks != use_of(part) or part not in parts or not deep:
        yield call
        return
    for inner in parts[part]:
        taken = replace(inner.under(*call.softened), when=call.when, line=call.line)
        yield from _in_place(taken, parts, deep - 1)


def reached(first: Iterable[str], needs: Callable[[str], Iterable[str]]) -> set[str]:
    """Return these names and all that they need, directly or by way of others."""
    found = set(first)
    open_ = list(found)
    while open_:
        new = set(needs(open_.pop())) - found
        found |= new
        open_ += new
    return found
