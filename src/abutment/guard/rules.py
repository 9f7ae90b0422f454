"""What is the guard to a reader: its question, its rules, what to do?"""

from __future__ import annotations

from dataclasses import dataclass

from abutment.gates.gate import Rule

NAME = "guard"
SETTINGS, GRANTS, RECORDS, CI, UNREADABLE = "ABT951", "ABT952", "ABT953", "ABT954", "ABT955"


@dataclass(frozen=True, slots=True)
class Guard:
    """What reports and `explain` tell of a gate, for the one that judges the law instead of the code."""

    name: str
    question: str
    remedy: str
    rules: tuple[Rule, ...]


_DECIDE = "or have a person decide it: `abutment draft guard` prints the amendment, which an agent does not write."
REMEDIES = {
    SETTINGS: f"Take the change back, {_DECIDE}",
    GRANTS: f"Mend the code instead of the document, {_DECIDE}",
    RECORDS: f"Restore it from the main branch, {_DECIDE}",
    CI: f"Run it as before, {_DECIDE}",
    UNREADABLE: "That it can be read now has to be decided, as nobody can tell what it said: `abutment draft guard`.",
}

GUARD = Guard(
    name=NAME,
    question="Was the law loosened since the main branch, without a person's decision?",
    remedy=REMEDIES[SETTINGS],
    rules=(
        Rule(SETTINGS, "settings-loosened", "The configuration asks less than it did."),
        Rule(GRANTS, "grants-widened", "A policy, a baseline or a comment in the code grants more than it did."),
        Rule(RECORDS, "receipt-removed", "A receipt is gone, and with it what it recorded."),
        Rule(CI, "ci-loosened", "CI no longer runs a check as strictly as it did."),
        Rule(UNREADABLE, "law-was-unreadable", "The law could not be read before, so that nothing can be compared."),
    ),
)
