"""What do policies and baselines grant, as items of law: one for each fact, both hands in one?"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property

from abutment.baselines.receipts import document_digest, speaks_of
from abutment.errors import NotJudged
from abutment.gates.gate import Gate
from abutment.guard.configuration import BOUNDARIES, contract_key, gate_key
from abutment.guard.item import Item, unread_item
from abutment.guard.revision import Gates, Revision
from abutment.guard.rules import GRANTS
from abutment.guard.spelling import named
from abutment.guard.weight import Foreign, Granted, Remark
from abutment.model.fault import Fault
from abutment.model.grants import Approval, Grants, Level
from abutment.model.identity import Key
from abutment.model.loosening import Ordered, Tables
from abutment.model.site import Site
from abutment.model.terms import Direction, Terms
from abutment.verdicts.law import law_before_init
from abutment.verdicts.notices import AMENDMENTS


@dataclass(frozen=True)
class Grant:
    """All that one fact is granted, and where it is written."""

    gate: Gate
    key: Key
    granted: Granted
    site: Site

    @cached_property
    def item(self) -> Item:
        """The grant as an item of law; the same value for the same grant, so that nobody has to compare it."""
        key = f"{self.gate.name} grants {named(self.key)}"
        return Item(key, GRANTS, self.granted, self.site, Granted(), _owners(self.gate, self.key))


def grants_of(revision: Revision, gates: Gates) -> tuple[list[Grant], list[tuple[str, Fault]]]:
    """Return every grant of every gate that is known, and for each gate that cannot be read the causes.

    A snapshot grants nothing: it may be recorded at will.
    """
    found: list[Grant] = []
    faults: list[tuple[str, Fault]] = []
    for name in sorted(revision.documented() & gates.known.keys()):
        gate = gates.known[name]
        if gate.direction is Direction.SNAPSHOT:
            continue
        try:
            found += _granted(revision, gates, gate)
        except NotJudged as refusal:
            faults += [(name, fault) for fault in refusal.faults]
    return found, faults


def _granted(revision: Revision, gates: Gates, gate: Gate) -> list[Grant]:
    """Return the grants of one gate; of two revisions with the same documents they are the same values."""
    terms, documents = gate.terms(revision.documents.folder), revision.documents
    if documents.faults or documents.unread:
        return list(_by_key(gate, terms, law_before_init(documents, terms).grants, {}))
    written = (documents.files.get(path) for path in (terms.policy, terms.baseline))
    key = (gate.name, terms.policy, *written, _told_of(gate, revision))
    known: list[Grant] | None = gates.memory.get(key)
    if known is None:
        others: dict[Key, Grant] = gates.memory.setdefault((gate.name, terms.policy), {})
        known = gates.memory[key] = list(_by_key(gate, terms, law_before_init(documents, terms).grants, others))
        others.update((grant.key, grant) for grant in known)
    return known


def _told_of(gate: Gate, revision: Revision) -> tuple[str, ...]:
    """Return the receipts in which a gate has a share: of its levels no other says anything."""
    return tuple(name for name, receipt in revision.receipts.items() if speaks_of(receipt, gate.name))


def _by_key(gate: Gate, terms: Terms, grants: Grants, others: Mapping[Key, Grant]) -> Iterator[Grant]:
    """Yield the grants; `others` are of another revision, and stand for those that say the same in this one."""
    approvals: dict[Key, list[Approval]] = defaultdict(list)
    for approval in grants.approvals:
        approvals[approval.key].append(approval)
    recorded = {entry.key: entry for entry in grants.recorded}
    never, by_us = Level(0, paid_off=False), cache(Granted)
    for key in {*approvals, *recorded, *grants.levels}:
        entry, level = recorded.get(key), grants.levels.get(key, never)
        by_people = approvals.get(key, ())
        count = min(entry.count, level.count) if entry is not None else 0
        granted = by_us(count, level=level.count, paid_off=level.paid_off and terms.tombstones)
        other = None if by_people else others.get(key)
        if other is not None and other.granted == granted:
            yield other
        else:
            site = by_people[0].site if by_people else Site(terms.baseline, entry.line if entry is not None else 0)
            yield Grant(gate, key, _with_approvals(granted, by_people) if by_people else granted, site)


def _with_approvals(granted: Granted, approvals: Sequence[Approval]) -> Granted:
    """Return the sum. A baseline line has no end, so that beside one the end of an approval does not count."""
    kinds = {"debt": 0, "exception": 0}
    for approval in approvals:
        kinds[approval.klass] += approval.count
    return replace(
        granted,
        debt=kinds["debt"],
        exceptions=kinds["exception"],
        lifts=any(approval.lifts for approval in approvals),
        until=None if granted.recorded else approvals[0].expires,
    )


def grant_items(revision: Revision, gates: Gates) -> Iterator[Item]:
    """Yield an item for each grant, and one for each document that nobody can read."""
    grants, faults = grants_of(revision, gates)
    for grant in grants:
        yield grant.item
    for name in gates.known.keys() - {name for name, _fault in faults}:
        yield Item(_readable(name), GRANTS, Remark("readable"), Site(""), Remark("not readable"))
    for name, fault in faults:
        yield unread_item(f"{name}: documents", fault)
    yield from _unknown_documents(revision, gates)


def _owners(gate: Gate, key: Key) -> tuple[str, ...]:
    """Return the keys of what has to be there for the grant to mean anything."""
    return (*_part_of(gate, key), gate_key(gate.name), _readable(gate.name))


def _readable(name: str) -> str:
    return f"documents of {name}"


def _part_of(gate: Gate, key: Key) -> Iterator[str]:
    """Yield the key of the part of the law by which the fact is asked for, where the gate's law has parts."""
    if gate.name == BOUNDARIES:
        yield contract_key(key[0])
    for name, setting in gate.loosening.keys.items():
        if isinstance(setting, Tables) and setting.identity:
            yield f"{gate.name}.{name} {key[gate.fields.index(setting.identity)]}"
        if isinstance(setting, Ordered) and setting.part and key[0].startswith(setting.part):
            yield f"{gate.name} part {setting.part}"


def _unknown_documents(revision: Revision, gates: Gates) -> Iterator[Item]:
    """Yield the documents of gates that nobody here knows: of these only whether they are the same can be told."""
    for path, data in revision.documents.files.items():
        name = path.rpartition("/")[2]
        if name != AMENDMENTS and name.rpartition(".")[0] not in gates.known:
            foreign = Foreign(document_digest(data) or "")
            yield Item(f"document {name}", GRANTS, foreign, Site(path), Foreign(""))
