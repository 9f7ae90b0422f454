"""Which recorded debt only has another name now? A module, package, function or class that moved takes its debt along.

Only what the code has under the new name and nothing grants there is carried over, and never more than the old
name had: the sum of a baseline cannot rise. What is left under the old name is stale, and `tighten` pays it.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date

from abutment.baselines.balance import Ledger
from abutment.baselines.code_names import CodeNames
from abutment.baselines.law import Law
from abutment.baselines.plan import Plan, baseline_plan, counted, joined, refuse_partial
from abutment.baselines.receipts import How, speaking_of
from abutment.baselines.renaming import NameFields, Renaming, read_renaming
from abutment.errors import Refused
from abutment.model.fault import Fault
from abutment.model.grants import Approval
from abutment.model.identity import Key, key_text
from abutment.model.measurement import Measurement
from abutment.model.terms import Direction


@dataclass(frozen=True, slots=True)
class Moving:
    """One gate, as a move sees it."""

    law: Law
    measurement: Measurement
    names: NameFields

    @staticmethod
    def of(law: Law, measurement: Measurement, modules: Collection[str], names: Collection[str] = ()) -> Moving:
        """Return the gate; `modules` are the fields that hold names of modules, `names` those for any names."""
        return Moving(law, measurement, NameFields.of(law.terms.fields, modules, names))


def plan_move(old: str, new: str, gates: Sequence[Moving], code: CodeNames, today: date) -> Plan:
    """Return one plan that carries the debt of `old` over to `new` in all these gates.

    These name a module or package, or a function or class. The plan's lines also say which approvals are for a person
    to edit. Raises Refused, naming every cause, where the move is not what happened (the old name is still there, the
    new one is not), where the configuration still has the old name, where a target was paid off before, where a scan is
    partial, and where there is nothing to move.
    """
    renaming, wrong = read_renaming(old, new, code)
    _refuse(wrong or _still_named(renaming, gates))
    moves = [_Move(renaming, gate, today) for gate in gates if gate.law.terms.direction is not Direction.SNAPSHOT]
    _refuse(fault for move in moves for fault in move.refusals())
    plans = [plan for plan in (move.plan() for move in moves) if plan.parts or plan.lines]
    if not plans:
        raise Refused(_nothing(old, new))
    return joined(plans)


def _refuse(faults: Iterable[Fault]) -> None:
    found = tuple(faults)
    if found:
        raise Refused(found)


def _still_named(renaming: Renaming, gates: Sequence[Moving]) -> Iterator[Fault]:
    """Yield each line of the configuration that names the old name: until it is edited, its gate cannot be judged."""
    spelled = re.compile(rf"(?<![\w.]){re.escape(renaming.old)}(?:\.\w+)*(?![\w.]*\w)")
    for gate in gates:
        for fault in gate.measurement.faults:
            found = spelled.search(fault.message)
            if found:
                edit = f"Write {renaming.of(found[0])} there, then run `abutment move` again."
                yield Fault(fault.path, fault.line, f"still names {found[0]}, which has become another.", edit)


def _nothing(old: str, new: str) -> Fault:
    return Fault(
        "",
        0,
        f"nothing recorded for {old} is in the code under {new} and ungranted there.",
        "`abutment tighten` records what was paid; `abutment check` says what is left.",
    )


class _Move:
    """The move in one gate."""

    def __init__(self, renaming: Renaming, gate: Moving, today: date) -> None:
        refuse_partial(gate.law, gate.measurement, "move")
        self._law, self._measurement, self._renaming = gate.law, gate.measurement, renaming
        self._names = gate.names
        self._ledger = Ledger.of(gate.law.terms, gate.measurement, gate.law.grants, today)
        self._carried = {target: taken for target, taken in self._explained() if taken}

    def refusals(self) -> Iterator[Fault]:
        """Yield each key for which carrying its debt over would forgive something."""
        for target, taken in sorted(self._carried.items()):
            for key in taken:
                if self._found(key):
                    yield self._fault(key, "is in the code under both names: which one moved cannot be told.")
            if self._ledger.balance(target).paid_off:
                yield self._fault(target, "was paid before and may not return by a move.")

    def plan(self) -> Plan:
        """Return this gate's share; it has neither parts nor lines where the move does not concern it."""
        law = self._law
        edits = tuple(self._policy_edits())
        if not self._carried:
            return Plan("move", basis=law.basis, lines=edits)
        counts, touched = self._counts_after()
        number = sum(law.terms.facts(taken.values()) for taken in self._carried.values())
        return baseline_plan(
            "move",
            law,
            counts,
            dict.fromkeys(touched, How.MOVED),
            supersedes=speaking_of(law.receipts, law.terms.gate, touched),
            lines=(f"{law.terms.gate}: {counted(number, 'fact')} moved.", *edits),
        )

    def _explained(self) -> Iterator[tuple[Key, dict[Key, int]]]:
        """Yield each target with what it takes from each old key: as much as is found there and granted by nobody."""
        for target, sources in sorted(self._sources().items()):
            if self._measurement.by_hand(target):
                continue
            need = self._found(target) - self._ledger.balance(target).granted
            taken: dict[Key, int] = {}
            for source, recorded in sources.items():
                if need > 0:
                    taken[source] = min(recorded, need)
                    need -= taken[source]
            yield target, taken

    def _sources(self) -> dict[Key, dict[Key, int]]:
        """Return by target the recorded keys that the new name would turn into it, with their counts."""
        sources: dict[Key, dict[Key, int]] = defaultdict(dict)
        for key in sorted(self._ledger.named_keys()):
            target = self._renamed(key)
            recorded = self._ledger.balance(key).recorded if target != key else 0
            if recorded:
                sources[target][key] = recorded
        return sources

    def _counts_after(self) -> tuple[dict[Key, int], list[Key]]:
        counts = {entry.key: entry.count for entry in self._law.grants.recorded}
        touched = []
        for target, taken in self._carried.items():
            counts[target] = self._ledger.balance(target).recorded + sum(taken.values())
            counts.update({key: self._ledger.balance(key).recorded - count for key, count in taken.items()})
            touched += [target, *taken]
        return counts, touched

    def _policy_edits(self) -> Iterator[str]:
        """Yield the edits that only a person may make, each with its place."""
        for approval in sorted(self._law.grants.approvals, key=lambda each: each.site):
            target = self._renamed(approval.key)
            if target != approval.key and self._found(target) and not self._found(approval.key):
                yield f"Edit {approval.site.place()}: {self._edit(approval, target)}"

    def _edit(self, approval: Approval, target: Key) -> str:
        fields = self._law.terms.fields
        changes = [
            f'{name} = "{before}" becomes "{after}"'
            for name, before, after in zip(fields, approval.key, target, strict=True)
            if before != after
        ]
        return ", ".join(changes) + "."

    def _renamed(self, key: Key) -> Key:
        return self._names.renamed(key, self._renaming)

    def _found(self, key: Key) -> int:
        return self._measurement.counts.get(key, 0)

    def _fault(self, key: Key, message: str) -> Fault:
        terms = self._law.terms
        said = f"{terms.gate}: {key_text(terms.fields, key)} {message}"
        return Fault(terms.baseline, self._ledger.line(key), said)
