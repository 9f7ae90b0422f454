"""Reports as coverage.py writes them, from a few line numbers.

coverage_json({"app/a.py": "1 2 !3"})  # lines 1 and 2 ran, 3 did not
coverage_json({"app/a.py": "1 2 !2>4 !3"}, branches=True)  # that from line 2 to 4 is a branch not taken
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from typing import Any

VERSION = "7.17.5"


def coverage_json(files: Mapping[str, str], *, branches: bool = False, version: str = VERSION) -> str:
    """Return the report; `!` stands before what did not run, `-` before what is excluded, `a>b` is a branch."""
    entries = {path: _entry(words.split(), branches) for path, words in files.items()}
    sums: Counter[str] = Counter()
    for entry in entries.values():
        sums.update({name: count for name, count in entry["summary"].items() if isinstance(count, int)})
    names = ("covered_lines", "missing_lines", "excluded_lines", "covered_branches", "missing_branches")
    meta = {"format": 3, "version": version, "branch_coverage": branches, "show_contexts": False}
    totals = _summary(*(sums[name] for name in names), branches=branches)
    return json.dumps({"meta": meta, "files": entries, "totals": totals})


def _entry(words: list[str], branches: bool) -> dict[str, Any]:
    lines = [word for word in words if ">" not in word]
    ran = [int(word) for word in lines if word[0] not in "!-"]
    missing, excluded = ([int(word[1:]) for word in lines if word[0] == mark] for mark in "!-")
    arcs = [word for word in words if ">" in word]
    untaken = [[int(end) for end in word[1:].split(">")] for word in arcs if word[0] == "!"]
    taken = len(arcs) - len(untaken)
    entry: dict[str, Any] = {"executed_lines": ran, "missing_lines": missing, "excluded_lines": excluded}
    if branches:
        entry |= {"missing_branches": untaken}
    return {**entry, "summary": _summary(len(ran), len(missing), len(excluded), taken, len(untaken), branches=branches)}


def _summary(ran: int, missing: int, excluded: int, taken: int, untaken: int, *, branches: bool) -> dict[str, Any]:
    counts: dict[str, Any] = {
        "covered_lines": ran,
        "num_statements": ran + missing,
        "missing_lines": missing,
        "excluded_lines": excluded,
    }
    if branches:
        counts |= {"num_branches": taken + untaken, "num_partial_branches": 0}
        counts |= {"covered_branches": taken, "missing_branches": untaken}
    covered, every = (ran + taken, ran + missing + taken + untaken) if branches else (ran, ran + missing)
    share = 100.0 * covered / every if every else 100.0
    return {**counts, "percent_covered": share, "percent_covered_display": f"{share:.0f}"}
