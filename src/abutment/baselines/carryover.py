"""Which new parts of the law are old ones under another name, and what of the old grants goes with them?

Recording such a part as if it were new would forgive whatever came since the old name was recorded.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date

from abutment.baselines.balance import Ledger
from abutment.baselines.law import Law
from abutment.baselines.plan import counted
from abutment.baselines.receipts import covered
from abutment.model.identity import Key
from abutment.model.measurement import Measurement


@dataclass(frozen=True, slots=True)
class Carryover:
    """What may be recorded for new parts of the law."""

    counts: Mapping[Key, int]
    refused: tuple[Key, ...]  # of which there is more than the old name was granted
    renamed: Mapping[str, tuple[str, ...]]  # of the new parts, those that have facts of old ones, with these


def carry_over(law: Law, measurement: Measurement, found: Mapping[Key, int]) -> Carryover:
    """Return what may be recorded of what was `found` in new parts: of a renamed one, only what its old name grants."""
    renamed = _renamed_parts(law, measurement, found)
    ledger = Ledger(law.grants, reviewed_only=lambda _key: False, tombstones=law.terms.tombstones, today=date.max)

    def most(key: Key, count: int) -> int:
        olds = renamed.get(key[0])
        return count if olds is None else max(ledger.balance((old, *key[1:])).recorded for old in olds)

    limits = {key: most(key, count) for key, count in found.items()}
    return Carryover(
        counts={key: min(count, limits[key]) for key, count in found.items() if limits[key]},
        refused=tuple(key for key, count in found.items() if count > limits[key]),
        renamed=renamed,
    )


def _renamed_parts(law: Law, measurement: Measurement, found: Mapping[Key, int]) -> dict[str, tuple[str, ...]]:
    if not measurement.named_parts:
        return {}
    vanished = _vanished(law, measurement)
    spoken = {*law.grants.levels, *(entry.key for entry in law.grants.recorded)}
    successors: dict[str, set[str]] = {}
    for part, *rest in found:
        successors.setdefault(part, set()).update(old for old in vanished if (old, *rest) in spoken)
    return {part: tuple(sorted(olds)) for part, olds in successors.items() if olds}


def _vanished(law: Law, measurement: Measurement) -> frozenset[str]:
    return covered(law.receipts, law.terms.gate) - frozenset(measurement.covers)


def carryover_lines(law: Law, measurement: Measurement, carried: Carryover) -> Iterator[str]:
    """Yield for the user which parts were renamed or may have been, and what was not recorded."""
    yield from _vanished_lines(law, measurement, carried.renamed)
    for part, olds in sorted(carried.renamed.items()):
        left = sum(key[0] == part for key in carried.refused)
        yield (
            f"{part} has facts of {' and '.join(olds)}, which is written no more: a contract under another name. "
            f"Carried over is what was granted there; {counted(left, 'fact')} beyond that "
            f"{'is' if left == 1 else 'are'} not recorded."
        )
        if left:
            yield f"New debt needs an approval in {law.terms.policy}: `abutment draft {law.terms.gate}` prints it."
    if carried.renamed:
        yield f"`abutment tighten {law.terms.gate}` takes out what is left under the old names."


def _vanished_lines(law: Law, measurement: Measurement, renamed: Mapping[str, tuple[str, ...]]) -> Iterator[str]:
    """Yield which parts are written no more without a fact to tell by whether they came back under another name."""
    untold = _vanished(law, measurement).difference(*renamed.values())
    if measurement.named_parts and untold:
        yield (
            f"Recorded before and written no more: {', '.join(sorted(untold))}. If that is one of the new ones under "
            "another name, nothing here may be recorded: give it its old id back."
        )
