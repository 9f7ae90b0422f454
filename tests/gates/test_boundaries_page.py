"""The page of the gate says nothing that the gate does not know."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

from abutment.gates.boundaries import GATE
from abutment.policies.contracts.kinds import KINDS
from tests.policies.contracts.lawbook import contract

PAGE = Path(__file__).parents[2] / "docs" / "gates" / "boundaries.md"


def test_every_rule_has_its_heading() -> None:
    headings = re.findall(r"^### (ABT\d+) (\S+)$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    assert headings == [(rule.id, rule.name) for rule in GATE.rules]


def test_every_kind_has_an_example_that_can_be_read() -> None:
    blocks = re.findall(r"```toml\nkind = \"(\w+)\"\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert [kind for kind, _ in blocks] == [kind.name for kind in KINDS]
    for kind, text in blocks:
        for variant in _variants(text):
            tomllib.loads(variant)
            assert contract(kind, variant).kind.rule in {rule.id for rule in GATE.rules}


def _variants(text: str) -> list[str]:
    before, either, after = text.partition("# or\n")
    if not either:
        return [text]
    lines = before.splitlines(keepends=True)
    return [before, "".join(lines[:-1]) + after]
