"""Comments beside uses: which uses they cover, whom they speak to, and what is said of those that grant nothing."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import date
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from abutment.gates import bans, blocking, boundaries, concurrency, effects, own_gates
from abutment.gates.gate import Gate
from abutment.gates.suppressions import by_rule, speaks_to, unheard, with_comments
from abutment.model.grants import Grants, Recorded
from abutment.model.measurement import Measurement
from abutment.model.violation import Violation
from abutment.policies.suppressions import read_suppressions
from abutment.semantics.program import Program
from abutment.verdicts.judge import judge
from tests.families import Text, program_of
from tests.settings import settings_of

RULES = by_rule(own_gates())
NO_PRINT = {"rules": [{"id": "no-print", "names": ["builtins.print"]}]}


def commented(gate: Gate, text: Text, **table: object) -> Measurement:
    """Return what the gate measures, comments included."""
    return measured_with_comments(gate, program_of(text), settings_of(gate, table))


def measured_with_comments(gate: Gate, program: Program, read: Any) -> Measurement:
    heard = [one for one in read_suppressions(program.directives) if speaks_to(one, gate, read, program, RULES)]
    return with_comments(gate.measure(program, read, Grants()), gate, heard, RULES)


def told(measured: Measurement) -> list[str]:
    """Return what comments grant, by the comment's line, and which of them grant nothing."""
    granted = [f"{one.site.line} {one.key[-2]} x{one.count}" for one in measured.in_place]
    unused = [f"{one.evidence.sites[0].line} unused {one.evidence.rule}" for one in measured.unused]
    return sorted(granted + unused)


IGNORE = '# abutment: ignore[ABT701] reason="it is meant"'
SLEEP = "import time\nasync def f():\n"


@pytest.mark.parametrize(
    ("body", "found"),
    [
        (f"  time.sleep(1)  {IGNORE}", ["3 time.sleep x1"]),
        (f"  time.sleep(1); time.sleep(2)  {IGNORE}", ["3 time.sleep x2"]),
        (f"  time.sleep(1); open('')  {IGNORE}", ["3 builtins.open x1", "3 time.sleep x1"]),
        (f"  time.sleep(1)\n  time.sleep(1)  {IGNORE}", ["4 time.sleep x1"]),
        (f"  time.sleep(  {IGNORE}\n    1,\n  )", ["3 time.sleep x1"]),  # where it begins
        (f"  time.sleep(\n    1,\n  )  {IGNORE}", ["5 time.sleep x1"]),  # where it ends
        (f"  time.sleep(\n    1,  {IGNORE}\n  )", ["4 unused ABT701"]),
        (f"  x = (\n    time\n    .sleep(1)  {IGNORE}\n  )", ["5 time.sleep x1"]),
        (f"  g(\n    time.sleep(1),  {IGNORE}\n    time.sleep(2),\n  )", ["4 time.sleep x1"]),
        (f"  g(  {IGNORE}\n    time.sleep(1),\n  )", ["3 unused ABT701"]),  # of a statement, only that line
        (f"  {IGNORE}\n  time.sleep(1)", ["3 unused ABT701"]),  # on a line of its own it covers nothing
        (f"  time.sleep(1)\n  {IGNORE}", ["4 unused ABT701"]),
        (f"  with open('') as x:  {IGNORE}\n    time.sleep(1)", ["3 builtins.open x1"]),
        (f"  if time.sleep(1):  {IGNORE}\n    pass", ["3 time.sleep x1"]),
        (f"  pass  {IGNORE}", ["3 unused ABT701"]),
        (f"  time.sleep(  {IGNORE}\n    1,\n  )  {IGNORE}", ["3 time.sleep x1", "5 unused ABT701"]),  # once only
        (f"  time.sleep(1)  {IGNORE}  {IGNORE}", ["3 time.sleep x1", "3 unused ABT701"]),
        (f"  time.sleep(1)  # noqa: X1  {IGNORE}", ["3 time.sleep x1"]),
        (f"  time.sleep(1, '{IGNORE}')", []),
        (f"  time.sleep(1, '''\n  {IGNORE}\n  ''')", []),
        ('  time.sleep(1)  # abutment: ignore[ABT702] reason="it is"', ["3 unused ABT702"]),
        ('  time.sleep(1)  # abutment: ignore[ABT701, ABT702] reason="it is"', ["3 time.sleep x1", "3 unused ABT702"]),
    ],
)
def test_a_comment_covers_the_uses_that_begin_or_end_on_its_line(body: str, found: list[str]) -> None:
    measured = commented(blocking.GATE, SLEEP + body)
    assert told(measured) == found
    assert not measured.faults


def test_a_comment_stands_at_the_call_and_not_inside_what_is_called() -> None:
    text = f"import time\ndef g():\n  time.sleep(1)  {IGNORE}\nasync def f():\n  g()  {IGNORE.replace('701', '702')}"
    assert told(commented(blocking.GATE, text)) == ["3 unused ABT701", "5 time.sleep x1"]


@pytest.mark.parametrize(
    ("gate", "rule", "code", "table", "until"),
    [
        (bans.GATE, "ABT501", "print('')", NO_PRINT, ""),
        (concurrency.GATE, "ABT802", "import threading; threading.Thread(target=f)", {}, ""),
        (effects.GATE, "ABT906", "import os; os.environ['A'] = ''", {}, " expires=2027-01-31"),
    ],
)
def test_each_gate_that_takes_comments_does(
    gate: Gate, rule: str, code: str, table: dict[str, object], until: str
) -> None:
    measured = commented(gate, f'{code}  # abutment: ignore[{rule}] reason="it is meant"{until}', **table)
    ((key, count),) = measured.counts.items()
    assert [(one.key, one.count, one.in_place) for one in measured.in_place] == [(key, count, True)]
    assert not measured.unused
    assert not measured.faults


def test_no_other_gate_takes_comments() -> None:
    takers = {"bans", "blocking", "concurrency", "effects", "sizes"}
    assert {gate.name for gate in own_gates() if gate.takes_comments} == takers


@pytest.mark.parametrize(
    ("comment", "messages"),
    [
        ('ignore[ABT799] reason="it is"', ["there is no rule ABT799."]),
        ('ignore[abt701] reason="it is"', ["there is no rule abt701."]),
        ('ignore[blocking-call] reason="it is"', ["there is no rule blocking-call."]),
        ("ignore[ABT701]", ["reason is missing."]),
        ("ingore[ABT701]", ["`# abutment: ingore[ABT701]` is not understood."]),
        ('ignore[ABT701, ABT799] reason="it is"', ["there is no rule ABT799."]),
        ('ignore[ABT701, ABT301] reason="it is"', []),  # boundaries says that
        ("ignore[ABT501]", []),  # bans says that
    ],
)
def test_a_comment_that_is_wrong_leaves_the_gate_unjudged(comment: str, messages: list[str]) -> None:
    measured = commented(blocking.GATE, f"{SLEEP}  time.sleep(1)  # abutment: {comment}")
    assert [fault.message for fault in measured.faults] == messages
    assert all((fault.path, fault.line) == ("m.py", 3) and fault.remedy for fault in measured.faults)
    if messages:
        assert not measured.in_place, "what is wrong grants nothing"


@pytest.mark.parametrize(
    ("rule", "remedy"),
    [
        ("ABT799", "`abutment list rules` has them all."),
        ("abt701", "Did you mean ABT701?"),
        ("blocking-call", "Did you mean ABT701?"),
        ("nothing", "`abutment list rules` has them all."),
    ],
)
def test_an_unknown_rule_is_told_with_what_was_meant(rule: str, remedy: str) -> None:
    (fault,) = commented(blocking.GATE, f'x = 1  # abutment: ignore[{rule}] reason="it is"').faults
    assert fault.remedy.startswith(remedy)


def test_a_rule_that_no_comment_may_ignore_leaves_its_gate_unjudged() -> None:
    text = 'import sys  # abutment: ignore[ABT301] reason="it is meant"'
    contract = {"id": "a", "kind": "leaf", "modules": ["m"]}
    program = program_of({"m.py": text, "n.py": ""})
    read = settings_of(boundaries.GATE, {"contracts": [contract]})
    found = measured_with_comments(boundaries.GATE, program, read)
    assert [fault.line_text() for fault in found.faults] == [
        "m.py:1: ABT301 (boundaries) cannot be ignored in place. "
        "Delete the comment; a person approves what has to stay in boundaries.toml."
    ]


def test_effects_asks_of_a_comment_too_when_it_is_no_longer_needed() -> None:
    text = "import os; os.environ['A'] = ''  # abutment: ignore[ABT906] reason=\"it is meant\""
    assert [fault.message for fault in commented(effects.GATE, text).faults] == [
        "expires is missing: effects asks of what is granted when it is no longer needed."
    ]


def test_what_takes_approvals_only_no_comment_grants() -> None:
    gate = replace(
        blocking.GATE,
        measure=lambda *asked: replace(blocking.GATE.measure(*asked), reviewed_only=lambda _key: True),
    )
    measured = commented(gate, f"{SLEEP}  time.sleep(1)  {IGNORE}")
    assert told(measured) == ["3 unused ABT701"]
    assert measured.unused[0].evidence.details == ("what stands here takes approvals only",)


def test_a_comment_in_a_module_that_the_gate_does_not_judge_says_nothing_to_it() -> None:
    files = {"a.py": f"{SLEEP}  time.sleep(1)  {IGNORE}\n  pass  # abutment: ingore", "b.py": ""}
    measured = commented(blocking.GATE, files, exclude=["a"])
    assert told(measured) == []
    assert not measured.faults


def test_a_stub_is_read_too() -> None:
    assert told(commented(bans.GATE, {"a.pyi": f"x: int  {IGNORE.replace('701', '501')}"}, **NO_PRINT)) == [
        "1 unused ABT501"
    ]


def test_what_no_comment_covers_is_shown_first() -> None:
    measured = commented(blocking.GATE, f"{SLEEP}  time.sleep(1)  {IGNORE}\n  time.sleep(2)")
    (key,) = measured.counts
    assert [site.line for site in measured.describe(key).sites] == [4, 3]


@pytest.mark.parametrize(
    ("comment", "listening", "places"),
    [
        ('ignore[ABT701] reason="it is"', [blocking.GATE], []),
        ('ignore[ABT701] reason="it is"', [effects.GATE], ["m.py:1"]),
        ('ignore[ABT701, ABT901] reason="it is"', [blocking.GATE], ["m.py:1"]),
        ('ignore[ABT701, ABT901] reason="it is"', [blocking.GATE, effects.GATE], []),
        ("ingore", [blocking.GATE], []),
        ("ingore", [boundaries.GATE], ["m.py:1"]),
        ("ingore", [], ["m.py:1"]),
    ],
)
def test_a_comment_that_nobody_reads_is_told(comment: str, listening: list[Gate], places: list[str]) -> None:
    program = program_of(f"x = 1  # abutment: {comment}")
    ears = [(gate, settings_of(gate, {}) if gate is not boundaries.GATE else None) for gate in listening]
    assert [site.place() for site in unheard(read_suppressions(program.directives), program, RULES, ears)] == places


# --- adding a comment never changes another key's verdict

CALLS = ("time.sleep(1)", "open('')", "print('')", "time.sleep(\n    2)", "pass", "g()")
LINES = st.lists(st.tuples(st.sampled_from("fgh"), st.sampled_from(CALLS)), min_size=1, max_size=8)


def written(lines: Iterable[tuple[str, str]], at: int, comment: str) -> str:
    """Return a module of functions; the call with the number `at` bears the comment."""
    text = "import time\ndef g(): time.sleep(3)\n"
    for number, (name, call) in enumerate(lines):
        text += f"async def {name}{number % 3}():\n  {call}{f'  {comment}' if number == at else ''}\n"
    return text


def verdict(program: Program, recorded: int) -> dict[tuple[str, ...], Violation]:
    """Return blocking's violations by key, where the baseline has every `recorded`-th key."""
    gate, read = blocking.GATE, settings_of(blocking.GATE)
    measured = measured_with_comments(gate, program, read)
    known = [key for number, key in enumerate(sorted(measured.counts)) if number % recorded == 0]
    grants = Grants(recorded=tuple(Recorded(key, 1, 2) for key in known))
    found = judge(gate.terms("law"), measured, grants, date(2027, 1, 1)).violations
    return {tuple(value for _, value in one.identity): one for one in found}


@settings(max_examples=60, deadline=None)
@given(LINES, st.data())
def test_a_comment_changes_no_other_keys_verdict(lines: list[tuple[str, str]], data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(lines) - 1))
    rule = data.draw(st.sampled_from(["ABT701", "ABT702", "ABT501"]))
    recorded = data.draw(st.integers(1, 3))
    before = program_of(written(lines, -1, ""))
    after = program_of(written(lines, at, f'# abutment: ignore[{rule}] reason="it is meant"'))
    measured = commented(blocking.GATE, written(lines, at, f'# abutment: ignore[{rule}] reason="it is meant"'))
    own = {one.key for one in measured.in_place} | {one.key for one in measured.unused}
    old, new = verdict(before, recorded), verdict(after, recorded)
    assert {key: one for key, one in old.items() if key not in own} == {
        key: one for key, one in new.items() if key not in own
    }
