"""What is the whole law of a revision? Every source of law, one a line; a new source is one more line."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from abutment.errors import NotJudged
from abutment.guard.ci.steps import ci_items
from abutment.guard.codebase import Code, codebase_of
from abutment.guard.comments import comment_grants, comment_items
from abutment.guard.compare import Earlier
from abutment.guard.conditions import condition_items
from abutment.guard.configuration import configuration_items
from abutment.guard.grants import grant_items, grants_of
from abutment.guard.item import Item, Law, law_of_items
from abutment.guard.moves import carried_over
from abutment.guard.reach import moved_away
from abutment.guard.records import record_items
from abutment.guard.renamed_settings import with_names_of
from abutment.guard.renames import Renames
from abutment.guard.revision import Gates, Load, Revision
from abutment.guard.rules import UNREADABLE
from abutment.model.fault import Fault

Source = Callable[[Revision, Gates], Iterable[Item]]
SOURCES: tuple[Source, ...] = (
    configuration_items,
    grant_items,
    condition_items,
    comment_items,
    record_items,
    ci_items,
)


def gates_of(load: Load, *revisions: Revision) -> Gates:
    """Return our own gates, and all others of which one of the revisions speaks."""
    return load(name for revision in revisions for name in sorted({*revision.switched_on(), *revision.documented()}))


def law_of(revision: Revision, gates: Gates) -> Law:
    """Return everything that the law of a revision says; what could not be read is an item as well."""
    return law_of_items(item for source in SOURCES for item in source(revision, gates))


def refuse_unreadable(law: Law) -> None:
    """Raise NotJudged with everything that could not be read of the law that is judged."""
    unread = [item for item in law.values() if item.rule == UNREADABLE]
    if unread:
        raise NotJudged(Fault(item.site.path, item.site.line, item.weight.says) for item in unread)


def earlier_law(before: Revision, after: Revision, code: Code, gates: Gates) -> Earlier:
    """Return the law of an earlier revision to compare the later one's with; `code` is the later one's."""
    old = codebase_of(before)
    renames = Renames(before, old, after, code)
    named = with_names_of(before, old, after, code, gates, renames)
    law = {**law_of(named, gates), **_carried(named, after, renames, gates)}
    return Earlier(law, tuple(moved_away(before, old, after, code)))


def _carried(before: Revision, after: Revision, renames: Renames, gates: Gates) -> Law:
    """Return the earlier grants of what was renamed since, under their new names."""
    earlier, later = ([*grants_of(each, gates)[0], *comment_grants(each, gates)] for each in (before, after))
    receipts = [receipt for name, receipt in after.receipts.items() if name not in before.receipts]
    return {item.key: item for item in (grant.item for grant in carried_over(earlier, later, receipts, renames))}
