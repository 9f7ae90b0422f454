"""Laws and measurements from short texts, for tests of documents, verbs and judge.

A key is written `contract importer imported`. A `World` is a codebase's facts and the documents beside it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import date

from abutment.baselines.again import plan_again
from abutment.baselines.code_names import CodeNames
from abutment.baselines.law import Law
from abutment.baselines.move import Moving, plan_move
from abutment.baselines.plan import Plan
from abutment.baselines.reading import read_documents
from abutment.baselines.receipts import render_receipt
from abutment.baselines.record import plan_init
from abutment.baselines.tighten import plan_tighten
from abutment.model.fault import Fault
from abutment.model.grants import Approval
from abutment.model.identity import Key
from abutment.model.measurement import Evidence, Measurement, Unused
from abutment.model.site import Site
from abutment.model.terms import Direction, Terms
from abutment.sources.memory_tree import MemoryTree
from abutment.verdicts.judge import judge
from abutment.verdicts.law import law_before_init, load_law
from abutment.verdicts.verdict import Verdict

FOLDER = "law"
TODAY = date(2026, 3, 1)
TOOLS = {"abutment": "0"}
TERMS = Terms(
    gate="boundaries",
    fields=("contract", "importer", "imported"),
    direction=Direction.RATCHET,
    tombstones=True,
    policy=f"{FOLDER}/boundaries.toml",
    baseline=f"{FOLDER}/boundaries.jsonl",
)
SNAPSHOT = replace(
    TERMS, gate="snapshot", direction=Direction.SNAPSHOT, policy="law/snapshot.toml", baseline="law/snapshot.jsonl"
)


def key(text: str) -> Key:
    """Return `("c", "app.a", "app.b")` for `c app.a app.b`."""
    return tuple(text.split())


def describe(of: Key) -> Evidence:
    """Return how a key reads: found at line 7 of its importer's file."""
    return Evidence(
        "ABT301",
        f"{of[1]} imports {of[2]}",
        sites=(Site(of[1].replace(".", "/") + ".py", 7),),
        remedy="Call the port instead, or have it approved in {policy}.",
    )


def measured(
    counts: Mapping[str, int],
    *,
    looked_at: int = 10,
    faults: Iterable[Fault] = (),
    reviewed_only: Callable[[Key], bool] = lambda _key: False,
    covers: tuple[str, ...] = (),
    unused: tuple[Unused, ...] = (),
) -> Measurement:
    """Return what a gate found, by the keys' short texts."""
    return Measurement(
        counts={key(text): count for text, count in counts.items() if count},
        describe=describe,
        looked_at=looked_at,
        unit="imports",
        faults=tuple(faults),
        reviewed_only=reviewed_only,
        covers=covers,
        unused=unused,
    )


def approval(text: str, count: int = 1, *, expires: date | None = None, lifts: bool = False, line: int = 3) -> Approval:
    """Return an exception that somebody answers for."""
    return Approval(
        key(text), count, "exception", "core", "Agreed.", None, None, expires, lifts, Site(TERMS.policy, line)
    )


def policy(*texts: str, more: str = "") -> str:
    """Return a policy document that approves each key once; `more` is added to every entry."""
    entries = []
    for text in texts:
        values = zip(TERMS.fields, key(text), strict=True)
        identity = "\n".join(f'{name} = "{value}"' for name, value in values)
        entries.append(f'[[approvals]]\n{identity}\nclass = "exception"\nowner = "core"\nreason = "Agreed."\n{more}\n')
    return "\n".join(["schema = 1\n", *entries])


@dataclass
class World:
    """Documents in memory, and the verbs on them."""

    files: dict[str, bytes] = field(default_factory=dict)
    terms: Terms = TERMS

    def law(self) -> Law:
        return load_law(MemoryTree(self.files), self.terms)

    def law_before(self) -> Law:
        return law_before_init(read_documents(MemoryTree(self.files), FOLDER), self.terms)

    def approve(self, *texts: str, more: str = "") -> None:
        self.files[self.terms.policy] = policy(*texts, more=more).encode()

    def apply(self, plan: Plan) -> Plan:
        """Put a plan's documents in place, as the store does on a disk."""
        for change in plan.changes:
            self.files[change.path] = change.after
        if not plan.nothing:
            receipt = plan.receipt(TOOLS)
            self.files[f"{FOLDER}/receipts/{receipt.file_name}"] = render_receipt(receipt)
        return plan

    def init(self, counts: Mapping[str, int], covers: tuple[str, ...] = ()) -> Plan:
        return self.apply(plan_init(self.law_before(), measured(counts, covers=covers)))

    def again(self, counts: Mapping[str, int], covers: tuple[str, ...], reason: str = "A new contract.") -> Plan:
        return self.apply(plan_again(self.law(), measured(counts, covers=covers), reason))

    def tighten(self, counts: Mapping[str, int]) -> Plan:
        return self.apply(plan_tighten(self.law(), measured(counts), TODAY))

    def move(self, old: str, new: str, counts: Mapping[str, int], modules: Iterable[str]) -> Plan:
        moving = Moving.of(self.law(), measured(counts), ("importer", "imported"))
        return self.apply(plan_move(old, new, [moving], CodeNames(tuple(modules)), TODAY))

    def judge(self, counts: Mapping[str, int], today: date = TODAY) -> Verdict:
        return judge(self.terms, measured(counts), self.law().grants, today)

    def recorded(self) -> dict[str, int]:
        """Return what the baseline says, by short texts."""
        return {" ".join(entry.key): entry.count for entry in self.law().grants.recorded}

    def receipts(self) -> set[str]:
        return {path for path in self.files if "/receipts/" in path}


def kinds(verdict: Verdict) -> dict[str, str]:
    """Return each violation's kind by its key's short text."""
    return {" ".join(value for _name, value in v.identity): v.kind.value for v in verdict.violations}
