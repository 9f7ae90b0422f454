"""Which comments in the code of a revision grant something? Told without asking what the code means."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator

from abutment.errors import NotJudged
from abutment.gates.gate import Gate
from abutment.gates.suppressions import by_rule, comment_key, wrong
from abutment.guard.codebase import codebase_of
from abutment.guard.grants import Grant
from abutment.guard.item import Item
from abutment.guard.likeness import bytes_of
from abutment.guard.revision import Gates, Revision
from abutment.guard.weight import Granted
from abutment.model.identity import Key
from abutment.model.site import Site
from abutment.policies.suppressions import Suppression, read_suppressions
from abutment.semantics.lower import outline
from abutment.semantics.outline import Outline
from abutment.semantics.program import Directive, Program

_SPELLED = b"abutment: ignore["  # what does not hold this holds no comment that grants anything
_SUFFIXES = (".py", ".pyi")
_COMMENTS, _HEARD = "comments", "heard"


def comment_items(revision: Revision, gates: Gates) -> Iterator[Item]:
    """Yield an item for all comments of one rule in one scope."""
    return (grant.item for grant in comment_grants(revision, gates))


def comment_grants(revision: Revision, gates: Gates) -> list[Grant]:
    """Return what comments grant, each known by its module, scope and rule; the same that an approval would.

    A comment that is wrong grants nothing. Only files that git knows are looked at.
    """
    rules = by_rule(gates.known.values())
    found: dict[tuple[str, Key], list[Suppression]] = defaultdict(list)
    for one in _suppressions(revision):
        for rule in () if any(wrong(one, rules)) else one.rules:
            found[rules[rule].name, comment_key(one, rule, rules[rule])].append(one)
    return [_grant(gates.known[name], key, ones) for (name, key), ones in sorted(found.items())]


def _grant(gate: Gate, key: Key, ones: list[Suppression]) -> Grant:
    days = [one.expires for one in ones]
    until = max((day for day in days if day is not None), default=None) if all(days) else None
    return Grant(gate, key, Granted(exceptions=len(ones), until=until), ones[0].site)


def _suppressions(revision: Revision) -> tuple[Suppression, ...]:
    """Return what the comments of the revision say; its code is read once."""
    known: tuple[Suppression, ...] | None = revision.memory.get(_COMMENTS)
    if known is None:
        known = revision.memory[_COMMENTS] = tuple(read_suppressions(_directives(revision)))
    return known


def heard_already(revision: Revision, program: Program) -> None:
    """Take note of what the comments say in the files of a program, so that these are not read once more."""
    revision.memory[_HEARD] = frozenset(module.path for module in program.modules.values()), program.directives


def _directives(revision: Revision) -> Iterator[Directive]:
    tracked = revision.tracked or frozenset()
    nothing: tuple[frozenset[str], tuple[Directive, ...]] = frozenset(), ()
    paths, heard = revision.memory.get(_HEARD, nothing)
    yield from (directive for directive in heard if directive.site.path in tracked)
    speaking = dict(_speaking(revision, tracked - paths))
    if not speaking:
        return
    try:
        code = codebase_of(revision)()
    except NotJudged:  # of an earlier revision: nothing is known of it, so that what there is now is new
        return
    for path, module in sorted({**code.judged, **code.tests}.items()):
        if path in speaking:
            suffix = path[path.rindex(".") :]
            found = outline(speaking[path], module, False, suffix, whole=False)
            if isinstance(found, Outline):
                for text, line, scope in found.directives:
                    yield Directive(module, found.strings[text], Site(path, line, scope=found.strings[scope]))


def _speaking(revision: Revision, paths: Iterable[str]) -> Iterator[tuple[str, bytes]]:
    """Yield those of the files that may hold such a comment."""
    for path in sorted(paths):
        if path.endswith(_SUFFIXES):
            source = bytes_of(revision.tree, path)
            if _SPELLED in source:
                yield path, source
