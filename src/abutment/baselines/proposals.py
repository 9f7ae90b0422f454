"""Which moves might a person declare? What git calls renamed, and what the debt looks like; each tried, none made."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import chain

from abutment.baselines.code_names import CodeNames, live_names, with_packages
from abutment.baselines.likely_scopes import Pair, likely_scopes
from abutment.baselines.move import Moving, plan_move
from abutment.baselines.renames import likely_renames, shortest_renaming
from abutment.baselines.renaming import Renaming, read_renaming
from abutment.errors import Refused
from abutment.model.identity import Key


@dataclass(frozen=True, slots=True)
class Proposal:
    """One move that would be carried out, were it declared."""

    renaming: Renaming
    lines: tuple[str, ...]  # what it would say


def propose_moves(
    renamed: Iterable[Pair], gates: Sequence[Moving], code: CodeNames, today: date
) -> tuple[Proposal, ...]:
    """Return the moves that the code bears out, of modules that git calls `renamed` (names before and now) first.

    What debt looks like is asked only of what no move before explains: first of modules, then of functions and classes.
    """
    trial = _Trial(gates, code, today)
    trial.take(trial.packages_of(renamed))
    for gate in gates:
        trial.take(trial.modules_of(gate))
    for gate in gates:
        trial.take(trial.scopes_of(gate))
    return tuple(trial.proposals)


class _Trial:
    """Moves that were tried one after the other."""

    def __init__(self, gates: Sequence[Moving], code: CodeNames, today: date) -> None:
        self._gates, self._code, self._today = gates, code, today
        self._live = live_names(code.modules)
        self._named = frozenset(chain.from_iterable(map(_names_granted, gates)))
        self.proposals: list[Proposal] = []

    def take(self, pairs: Iterable[Pair]) -> None:
        """Take those of the pairs that would be carried out, and that no wider one brings along."""
        for old, new in sorted(set(pairs), key=lambda pair: (pair[0].count("."), pair)):
            if old not in self._named or any(taken.renaming.of(old) == new for taken in self.proposals):
                continue
            try:
                plan = plan_move(old, new, self._gates, self._code, self._today)
            except Refused:  # it is not what happened, or nothing is recorded for it
                continue
            renaming, _faults = read_renaming(old, new, self._code)
            self.proposals.append(Proposal(renaming, plan.lines))

    def packages_of(self, renamed: Iterable[Pair]) -> Iterator[Pair]:
        """Yield what modules that have other names now tell of the packages they are in."""
        for before, now in renamed:
            one = shortest_renaming(before, now, self._live)
            yield one.old, one.new

    def modules_of(self, gate: Moving) -> set[Pair]:
        """Return what one gate's debt looks like, by modules."""
        gone, new = self._unexplained(gate)
        found = likely_renames(gone, new, gate.names.modules, self._live)
        return {(one.old, one.new) for one in found.values()}

    def scopes_of(self, gate: Moving) -> frozenset[Pair]:
        """Return what one gate's debt looks like, by functions and classes."""
        return likely_scopes(*self._unexplained(gate), gate.names, self._code)

    def _unexplained(self, gate: Moving) -> tuple[set[Key], set[Key]]:
        """Return what is gone and what is new of which no move that was taken makes the other."""
        granted, counts = _granted(gate), gate.measurement.counts
        gone, new = granted - counts.keys(), counts.keys() - granted
        for taken in self.proposals:
            for key in list(gone):
                target = gate.names.renamed(key, taken.renaming)
                if target != key and target in new:
                    gone.discard(key)
                    new.discard(target)
        return gone, new


def _granted(gate: Moving) -> set[Key]:
    grants = gate.measurement.completed(gate.law.grants)
    return {*(entry.key for entry in grants.recorded), *(approval.key for approval in grants.approvals)}


def _names_granted(gate: Moving) -> Iterator[str]:
    """Yield every name of the code that a gate's grants hold, and those above it: nothing else has debt to move."""
    for key in _granted(gate):
        for name in gate.names.dotted(key):
            yield from with_packages(name)
