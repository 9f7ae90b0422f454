"""Does uv's answer about its lock count only where it is one?"""

from __future__ import annotations

import pytest

from abutment.errors import NotJudged
from abutment.sources.tools.uv import parse_lock_check
from tests.broken import Broken, broken_outputs, kept_output


@pytest.mark.parametrize(("name", "status", "answer"), [("current.out", 0, (2, True)), ("outdated.out", 1, (3, False))])
def test_a_lock_is_current_or_not(name: str, status: int, answer: tuple[int, bool]) -> None:
    assert parse_lock_check(kept_output("uv", name, status)) == answer


@pytest.mark.parametrize("broken", broken_outputs("uv"), ids=lambda broken: broken.name)
def test_anything_else_is_not_judged(broken: Broken) -> None:
    with pytest.raises(NotJudged) as refusal:
        parse_lock_check(broken.output)
    assert broken.says in refusal.value.faults[0].message
