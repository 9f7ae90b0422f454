"""Which uses do comments beside them grant, gate by gate, and which of these comments grant nothing?

A comment covers the uses of its rules that begin or end on its own line: a trailing comment stays right where a
formatter breaks the statement behind its bracket, and a line inside a long statement is not granted by another one.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any

from abutment.gates.gate import Gate
from abutment.model.fault import Fault
from abutment.model.grants import Approval
from abutment.model.identity import Key
from abutment.model.measurement import Evidence, Measurement, Unused
from abutment.model.site import Site
from abutment.policies.suppressions import Suppression
from abutment.semantics.program import Program

Gates = Mapping[str, Gate]  # by the id of each rule


def by_rule(gates: Iterable[Gate]) -> Gates:
    """Return all that comments may speak of."""
    return {rule.id: gate for gate in gates for rule in gate.rules}


@dataclass(frozen=True, slots=True)
class Covered:
    """What one rule of one comment grants."""

    suppression: Suppression
    rule: str
    counts: Mapping[Key, int]
    reviewed_only: bool  # it stands beside uses that only an approval grants


def with_comments(measured: Measurement, gate: Gate, heard: Sequence[Suppression], gates: Gates) -> Measurement:
    """Return the measurement with what comments that the gate `heard` grant of it, and what is wrong with these."""
    if not heard:
        return measured
    faults = {one: tuple(_faults(one, gate, gates)) for one in heard}
    uses = _Uses(measured)
    found = [covered for one in heard if not faults[one] for covered in uses.covered_by(one, gate, gates)]
    return replace(
        measured,
        describe=uses.describe,
        in_place=tuple(_approval(one, key, count) for one in found for key, count in sorted(one.counts.items())),
        unused=(*measured.unused, *(_unused(one, gate) for one in found if not one.counts)),
        faults=(*measured.faults, *chain.from_iterable(faults.values())),
    )


def wrong(one: Suppression, gates: Gates) -> Iterator[Fault]:
    """Yield all that is wrong with a comment, whichever gate it is that cannot take it."""
    named = {gates[rule].name: gates[rule] for rule in one.rules if rule in gates}
    yield from dict.fromkeys(fault for gate in named.values() for fault in _faults(one, gate, gates))
    if not named:
        yield from one.faults
        yield from (_fault(one, f"there is no rule {rule}.", _meant(rule, gates)) for rule in one.rules)


def covered_uses(measured: Measurement, gate: Gate, heard: Iterable[Suppression], gates: Gates) -> tuple[Covered, ...]:
    """Return what each comment grants in one gate, in their order."""
    uses = _Uses(measured)
    return tuple(covered for one in heard for covered in uses.covered_by(one, gate, gates))


def speaks_to(one: Suppression, gate: Gate, settings: Any, program: Program, gates: Gates) -> bool:
    """Say whether a comment is the gate's to read: it names a rule of it, or one that nobody knows.

    One in a module that the gate does not judge says nothing to it.
    """
    named = {gates[rule].name for rule in one.rules if rule in gates}
    is_unknown = not one.rules or any(rule not in gates for rule in one.rules)
    if gate.name not in named and not (is_unknown and gate.takes_comments):
        return False
    return gate.in_scope(settings, one.module, program.modules[one.module].role)


def _faults(one: Suppression, gate: Gate, gates: Gates) -> Iterator[Fault]:
    """Yield why the gate cannot take what the comment says."""
    yield from one.faults
    for rule in one.rules:
        if rule not in gates:
            yield _fault(one, f"there is no rule {rule}.", _meant(rule, gates))
        elif gates[rule].name == gate.name and not gate.takes_comments:
            yield _fault(one, f"{rule} ({gate.name}) cannot be ignored in place.", _instead(gate))
        elif gates[rule].name == gate.name and gate.asks_exit and one.expires is None:
            message = f"expires is missing: {gate.name} asks of what is granted when it is no longer needed."
            yield _fault(one, message, "Write `expires=2027-01-31` behind the reason.")


def _fault(one: Suppression, message: str, remedy: str) -> Fault:
    return Fault(one.site.path, one.site.line, message, remedy)


def _meant(rule: str, gates: Gates) -> str:
    named = next((known.id for gate in gates.values() for known in gate.rules if known.name == rule), "")
    near = named or (rule.upper() if rule.upper() in gates else "")
    return f"Did you mean {near}?" if near else "`abutment list rules` has them all."


def _instead(gate: Gate) -> str:
    return f"Delete the comment; a person approves what has to stay in {gate.name}.toml."


def _approval(one: Covered, key: Key, count: int) -> Approval:
    said = one.suppression
    return Approval(key, count, "exception", "", said.reason, None, None, said.expires, False, said.site, in_place=True)


def _unused(one: Covered, gate: Gate) -> Unused:
    said = one.suppression
    details = ("what stands here takes approvals only",) if one.reviewed_only else ()
    where = said.module if said.site.scope == "<module>" else f"{said.module}, in {said.site.scope},"
    what = f"{where} ignores {one.rule} where no use of it begins or ends"
    remedy = "Delete it, or write it at the end of the line that the violation names."
    evidence = Evidence(one.rule, what, (said.site,), details, remedy)
    return Unused(comment_key(said, one.rule, gate), evidence)


def comment_key(said: Suppression, rule: str, gate: Gate) -> Key:
    """Return by what a comment is known: module, scope and rule, in the gate's own fields, and never a line."""
    *_, last = (name for name in gate.fields if name not in ("module", "qualname"))
    known = {"module": said.module, "qualname": said.site.scope, last: f"ignore[{rule}]"}
    return tuple(known.get(name, "") for name in gate.fields)


class _Uses:
    """Where one gate's facts are, each place granted once at most."""

    def __init__(self, measured: Measurement) -> None:
        self._measured = measured
        self._at: dict[tuple[str, int, str], list[tuple[Key, int]]] = defaultdict(list)  # path, line, rule -> uses
        self._taken: dict[Key, set[int]] = defaultdict(set)
        for key in sorted(measured.counts):
            evidence = measured.describe(key)
            for number, site in enumerate(evidence.sites):
                for line in {site.line, site.end_line or site.line}:
                    self._at[site.path, line, evidence.rule].append((key, number))

    def covered_by(self, one: Suppression, gate: Gate, gates: Gates) -> Iterator[Covered]:
        """Yield what each of the comment's rules covers in the gate."""
        for rule in one.rules:
            if rule in gates and gates[rule].name == gate.name:
                yield self._covered(one, rule)

    def _covered(self, one: Suppression, rule: str) -> Covered:
        counts: Counter[Key] = Counter()
        is_reviewed = False
        for key, number in self._at.get((one.site.path, one.site.line, rule), ()):
            if self._measured.by_hand(key):
                is_reviewed = True
            elif number not in self._taken[key]:
                self._taken[key].add(number)
                counts[key] += self._worth(key)
        return Covered(one, rule, counts, is_reviewed)

    def _worth(self, key: Key) -> int:
        """Return what one place of a fact counts: one, and where the count is a figure, that figure."""
        return self._measured.counts[key] // len(self._measured.describe(key).sites)

    def describe(self, key: Key) -> Evidence:
        """Return how a key reads, with what no comment covers first: that is what a reader has to look at."""
        evidence, taken = self._measured.describe(key), self._taken.get(key, set())
        return replace(evidence, sites=_parted(evidence.sites, taken)) if taken else evidence


def _parted(sites: Sequence[Site], taken: Iterable[int]) -> tuple[Site, ...]:
    last = frozenset(taken)
    return tuple(site for _, site in sorted(enumerate(sites), key=lambda each: each[0] in last))


def unheard(
    written: Iterable[Suppression], program: Program, gates: Gates, listening: Iterable[tuple[Gate, Any]]
) -> Iterator[Site]:
    """Yield the place of each comment that no gate of those that listen reads, or not all of it."""
    ears = tuple(listening)
    for one in written:
        readers = {gate.name for gate, settings in ears if speaks_to(one, gate, settings, program, gates)}
        named = {gates[rule].name for rule in one.rules if rule in gates}
        if not readers or named - readers:
            yield one.site
