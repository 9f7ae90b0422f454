"""Small revisions from nothing, and what the guard says of two of them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from datetime import date

from abutment.baselines.document import render_baseline
from abutment.baselines.receipts import How, Part, Receipt, Touch, render_receipt
from abutment.cli.points import known_gates
from abutment.gates import load_gate
from abutment.guard.codebase import codebase_of
from abutment.guard.compare import Differences, Earlier, judge_points
from abutment.guard.law import earlier_law, gates_of, law_of
from abutment.guard.revision import Revision, opened_before
from abutment.guard.verdict import Points, guard_verdict
from abutment.model.identity import Key
from abutment.model.measurement import Conditions
from abutment.sources.memory_tree import MemoryTree
from abutment.verdicts.verdict import Verdict

TODAY = date(2027, 1, 1)
LAW = "fixtures/architecture"
BARE = 'roots = ["src"]\ngates = ["boundaries", "cycles", "egress"]\n'
FORBIDDEN = '[[contracts]]\nid = "c"\nkind = "forbidden"\nsources = ["app.a"]\nforbidden = ["app.b"]\n'

Files = Mapping[str, bytes | str]
_NO_CONDITIONS: Conditions = {}


def revision(files: Files, *, present: bool = False) -> Revision:
    """Return a revision of these files; without a configuration among them, the bare one."""
    whole: dict[str, bytes | str] = {"src/app/__init__.py": "", **files}
    if not {"abutment.toml", "pyproject.toml"} & whole.keys():
        whole["abutment.toml"] = BARE
    files = {path: data for path, data in whole.items() if data != GONE}
    tree = MemoryTree(files)
    return replace(opened_before(tree, tree, "", "", frozenset(files)), present=present)


GONE = "\0gone"  # stands for a file that is not there


def differences(before: Files, after: Files) -> Differences:
    """Return in what the second revision differs from the first."""
    old, new = revision(before), revision(after, present=True)
    gates = gates_of(known_gates, old, new)
    base: Earlier = earlier_law(old, new, codebase_of(new), gates)
    return judge_points(base, base, law_of(new, gates)).own


def widenings(before: Files, after: Files) -> list[str]:
    """Return what is looser in the second one, as a reader sees it."""
    return [f"{one.item.key}: {one.change.words}" for one in differences(before, after).widenings]


def points(before: Files, after: Files, tip: Files | None = None) -> Points:
    """Return the revisions between which a branch stands."""
    base = revision(before)
    return Points(
        base,
        base if tip is None else revision(tip),
        revision(after, present=True),
        "main",
        "main at 1a2b3c4d",
        known_gates,
    )


def verdict(before: Files, after: Files, tip: Files | None = None) -> Verdict:
    """Return the guard's verdict on the second revision."""
    return guard_verdict(lambda: points(before, after, tip), TODAY)


def toml(text: str) -> dict[str, bytes | str]:
    """Return the files of a revision with this configuration behind the bare one."""
    return {"abutment.toml": BARE + text}


def recorded(
    gate: str,
    counts: Mapping[Key, int],
    how: How = How.RECORDED,
    verb: str = "init",
    conditions: Conditions = _NO_CONDITIONS,
) -> dict[str, bytes | str]:
    """Return a baseline and the receipt of the write that recorded it, under these conditions."""
    found = load_gate(gate)
    touches = tuple(sorted(Touch(key, count, how) for key, count in counts.items()))
    receipt = Receipt(verb, parts=(Part(gate, found.fields, touches, conditions=tuple(sorted(conditions.items()))),))
    return {
        f"{LAW}/{gate}.jsonl": render_baseline(found.terms(LAW), counts, conditions),
        f"{LAW}/receipts/{receipt.file_name}": render_receipt(receipt),
    }


def approvals(gate: str, *entries: Mapping[str, object]) -> dict[str, bytes | str]:
    """Return a policy; each entry needs its identity, and takes the rest from here."""
    usual = {"class": "debt", "owner": "me", "reason": "So be it.", "tracking": "T-1", "target_state": "gone"}
    lines = ["schema = 1"]
    for entry in entries:
        lines += ["[[approvals]]", *(f"{name} = {_value(value)}" for name, value in {**usual, **entry}.items())]
    return {f"{LAW}/{gate}.toml": "\n".join(lines) + "\n"}


def _value(value: object) -> str:
    return value.isoformat() if isinstance(value, date) else json.dumps(value)


def edge(importer: str, imported: str, contract: str = "c") -> dict[str, object]:
    """Return the identity of a fact of `boundaries`."""
    return {"contract": contract, "importer": importer, "imported": imported}
