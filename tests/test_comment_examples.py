"""Are the comments right that the pages show? Each grants what stands on its line."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from abutment.gates import own_gates
from abutment.gates.gate import Gate
from abutment.gates.suppressions import by_rule, wrong
from abutment.policies.suppressions import read_suppressions
from tests.families import program_of

DOCS = Path(__file__).parents[1] / "docs"
BLOCK = re.compile(r"```python\n(.*?)```", re.DOTALL)
RULES = by_rule(own_gates())
TAKERS = [gate for gate in own_gates() if gate.takes_comments]
PAGES = ("documents.md", "my-build-is-red.md", *(f"gates/{gate.name}.md" for gate in TAKERS))


def shown(page: str) -> list[str]:
    blocks = BLOCK.findall((DOCS / page).read_text(encoding="utf-8"))
    return [line for block in blocks for line in block.splitlines() if "abutment:" in line]


@pytest.mark.parametrize("page", PAGES)
def test_every_comment_on_a_page_is_right(page: str) -> None:
    lines = shown(page)
    assert lines
    for line in lines:
        (found,) = read_suppressions(program_of(line).directives)
        assert not list(wrong(found, RULES)), line


@pytest.mark.parametrize("gate", TAKERS, ids=lambda gate: gate.name)
def test_a_gates_page_shows_a_comment_of_its_own(gate: Gate) -> None:
    page = f"gates/{gate.name}.md"
    rules = {
        rule for line in shown(page) for one in read_suppressions(program_of(line).directives) for rule in one.rules
    }
    assert rules
    assert {RULES[rule].name for rule in rules} == {gate.name}


def test_the_pages_name_every_gate_that_takes_comments() -> None:
    text = (DOCS / "documents.md").read_text(encoding="utf-8")
    named = re.search(r"\*Which gates take them\.\* (.*?), whose", text, re.DOTALL)
    assert named is not None
    assert set(re.findall(r"`(\w+)`", named[1])) == {gate.name for gate in TAKERS}
