"""What does a report have to know of a gate and its rules?

Any object with these attributes will do; `abutment.gates.gate.Gate` is one. So reports need not know gates.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

# The public address of the project, once it has one; while it is empty no report links to a page.
HOMEPAGE = ""


class RuleText(Protocol):
    """One rule, as far as a reader is concerned."""

    @property
    def id(self) -> str:
        """`ABT301`."""

    @property
    def name(self) -> str:
        """`layers`, in kebab-case."""

    @property
    def summary(self) -> str:
        """One sentence."""


class GateText(Protocol):
    """One gate, as far as a reader is concerned."""

    @property
    def name(self) -> str:
        """`boundaries`."""

    @property
    def question(self) -> str:
        """What it asks."""

    @property
    def remedy(self) -> str:
        """What to do instead; may name {policy} and {baseline}."""

    @property
    def rules(self) -> Sequence[RuleText]:
        """All of its rules."""


def remedy_text(gate: GateText) -> str:
    """Return the gate's general remedy, with its documents named as everywhere else."""
    return gate.remedy.replace("{policy}", f"{gate.name}.toml").replace("{baseline}", f"{gate.name}.jsonl")


def page_address(gate: str, rule: str) -> str:
    """Return the public page of a rule, or "" while the project has no public home."""
    return f"{HOMEPAGE}/gates/{gate}#{rule.lower()}" if HOMEPAGE else ""
