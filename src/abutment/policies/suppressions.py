"""What did people write beside the code? Comments that suppress a rule where they stand, read exactly.

    time.sleep(1)  # abutment: ignore[ABT701] reason="start-up, before the loop serves" expires=2027-06-30

There is one spelling, so that a search for `abutment: ignore[` finds them all. Whatever comes near it and is not right
is a fault: a comment that grants nothing must not look as if it did.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import date

from abutment.model.fault import Fault
from abutment.model.likeness import nearest
from abutment.model.site import Site
from abutment.policies.words import is_placeholder
from abutment.semantics.program import SPEAKS, Directive

FORM = '# abutment: ignore[RULE] reason="…"'
_KEYS = ("reason", "expires")
_HEAD = re.compile(r"#\s*abutment: ignore\[([^\]#]*)\]")
_PAIR = re.compile(r'\s+([^\s=#"]+)=("[^"]*"|[^\s"#]+)(?=\s|$)')
_OURS = re.compile(SPEAKS, re.IGNORECASE)
_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


@dataclass(frozen=True, slots=True)
class Suppression:
    """One comment by which a person lets the code do something where it stands."""

    module: str
    site: Site  # path, line and scope
    rules: tuple[str, ...]  # as written; () where they cannot be read
    reason: str = ""
    expires: date | None = None  # the last UTC day on which it holds
    faults: tuple[Fault, ...] = ()  # with any, it grants nothing


def read_suppressions(directives: Iterable[Directive]) -> Iterator[Suppression]:
    """Yield what each comment says, in their order; a second one on a line stands by itself."""
    for directive in directives:
        rest = directive.text
        while rest:
            found, rest = _read(directive, rest)
            yield found


def _read(directive: Directive, text: str) -> tuple[Suppression, str]:
    """Return what the comment says, and what of ours follows it."""
    notes = _Notes(directive.site)
    head = _HEAD.match(text)
    if head is None:
        notes.add(f"`{_shown(text)}` is not understood.", f"Write `{FORM}`, exactly so.")
        return Suppression(directive.module, directive.site, (), faults=notes.faults()), ""
    rules = tuple(_rules(head[1], notes))
    pairs, at = _pairs(text, head.end(), notes)
    after = text[at:].lstrip()
    ours = _OURS.search(after)
    if after and not after.startswith("#"):
        notes.add(f"`{_shown(after)}` is not understood.", f"Write `{FORM}`, with `expires=2027-01-31` behind it.")
    said = Suppression(
        directive.module,
        directive.site,
        rules,
        _reason(pairs.get("reason"), notes),
        _day(pairs.get("expires"), notes),
        notes.faults(),
    )
    return said, after[ours.start() :] if ours else ""


@dataclass(frozen=True, slots=True)
class _Notes:
    """What is wrong with one comment."""

    site: Site
    found: list[Fault] = field(default_factory=list)

    def add(self, message: str, remedy: str) -> None:
        self.found.append(Fault(self.site.path, self.site.line, message, remedy))

    def faults(self) -> tuple[Fault, ...]:
        return tuple(self.found)


def _rules(text: str, notes: _Notes) -> Iterator[str]:
    seen: set[str] = set()
    for rule in (part.strip() for part in text.split(",")):
        if not rule:
            notes.add("a rule is missing between the brackets.", f"Write `{FORM}`.")
        elif rule in seen:
            notes.add(f"{rule} is there twice.", "Write it once.")
        else:
            seen.add(rule)
            yield rule


def _pairs(text: str, at: int, notes: _Notes) -> tuple[dict[str, str], int]:
    """Return the values by key as written, and where what is no pair begins."""
    pairs: dict[str, str] = {}
    while (pair := _PAIR.match(text, at)) is not None:
        key, value = pair.groups()
        if key in pairs:
            notes.add(f"{key} is there twice.", "Write it once.")
        elif key not in _KEYS:
            near = nearest(key, _KEYS)
            notes.add(f"{key}: unknown key.", f"Did you mean {near}?" if near else f"Known: {', '.join(_KEYS)}.")
        pairs.setdefault(key, value)
        at = pair.end()
    return pairs, at


def _reason(written: str | None, notes: _Notes) -> str:
    if written is None:
        notes.add("reason is missing.", f"Write `{FORM}`: why this may stay here.")
        return ""
    reason = written.strip('"').strip()
    if not written.startswith('"'):
        notes.add("reason: expected text in double quotes.", 'Write `reason="…"`.')
    elif not reason:
        notes.add("reason: must not be empty.", "Say why this may stay here.")
    elif is_placeholder(reason):
        notes.add(f"reason: {reason!r} is a placeholder.", "Fill it in.")
    return reason


def _day(written: str | None, notes: _Notes) -> date | None:
    if written is None:
        return None
    try:
        if _DAY.fullmatch(written):
            return date.fromisoformat(written)
    except ValueError:
        pass
    notes.add(f"expires: expected a date such as 2027-01-31, found {_shown(written)}.", "Correct it.")
    return None


def _shown(text: str) -> str:
    return text if len(text) <= 60 else f"{text[:57]}..."
