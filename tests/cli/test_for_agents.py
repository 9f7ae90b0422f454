"""`check --format agent`, through the whole tool."""

from __future__ import annotations

import pytest

from abutment.cli.main import status_of
from tests.cli.tool import TODAY, Tool


def test_it_ends_with_the_command_that_asks_the_same_again(recorded: Tool) -> None:
    recorded.write({"shop/store.py": "import shop.web\nimport shop.core\n"})
    answer = recorded("check", "boundaries", "--format", "agent")
    assert answer.status == 1
    again = f"abutment check boundaries --format agent --config {recorded.root} --today {TODAY}"
    assert f"Run again: {again}\n" in answer.out
    assert answer.out.endswith("Verdict: broken, exit status 1. The work is not done.\n")
    assert "Do not edit what holds the law: abutment.toml, fixtures/architecture." in answer.out


def test_a_day_that_nobody_named_is_not_asked_for_again(recorded: Tool, capsys: pytest.CaptureFixture[str]) -> None:
    recorded.write({"shop/store.py": "import shop.web\nimport shop.core\n"})
    status_of(["check", "--format", "agent", "--no-cache", "--config", str(recorded.root)])
    assert f"Run again: abutment check --format agent --config {recorded.root}\n" in capsys.readouterr().out


def test_both_streams_are_the_same_on_repeat(recorded: Tool) -> None:
    assert recorded("check", "--format", "agent") == recorded("check", "--format", "agent")
    assert recorded("check", "--format", "agent").err == ""


def test_a_gates_rules_say_what_they_ask(recorded: Tool) -> None:
    recorded.write({"shop/store.py": "import shop.web\nimport shop.core\n"})
    said = recorded("check", "boundaries", "--format", "agent").out
    summary = next(line for line in recorded("list", "rules").out.splitlines() if line.startswith("ABT301"))
    assert f"Cause: layers: {summary.partition(': ')[2]}" in said


def test_a_configuration_that_cannot_be_read_is_told(recorded: Tool) -> None:
    recorded.write({"abutment.toml": "roots = 1\n"})
    answer = recorded("check", "--format", "agent")
    assert answer.status == 2
    assert answer.out.startswith("# abutment: not judged\n\n## Not judged: mend this first\n- abutment.toml:1: roots")
    assert "Do not edit what holds the law: the configuration and the documents." in answer.out
