"""Lengths are a matter of advice, until somebody asks for them to be held."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.tool import Answer, Tool

ON = 'roots = ["shop"]\ngates = ["sizes"]\n[sizes]\nfunction = 3\nclass = 20\nfile = {}\n'
IGNORED = '# abutment: ignore[ABT033] reason="A table."'


def function(name: str, lines: int, comment: str = "") -> str:
    head = f"def {name}():  {comment}".rstrip()
    return head + "\n" + "    pass\n" * (lines - 1)


@pytest.fixture
def tool(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Tool:
    """A project with a function of 5 lines, where 3 are allowed, which is recorded."""
    found = Tool(tmp_path, capsys)
    found.write({"abutment.toml": ON.format(100), "shop/__init__.py": "", "shop/cart.py": function("f", 5)})
    assert found("init").status == 0
    return found


def told(answer: Answer) -> list[str]:
    return [line.split(" sizes: ")[1].split(":")[0] for line in answer.out.splitlines() if ": ABT03" in line]


def test_a_length_may_only_fall(tool: Tool) -> None:
    tool.write({"shop/cart.py": function("f", 6)})
    assert told(tool("check")) == ["grown from 5 to 6"]
    tool.write({"shop/cart.py": function("f", 4)})
    assert told(tool("check")) == ["shrunk from 5 to 4"]
    assert tool("tighten").status == 0
    tool.write({"shop/cart.py": function("f", 5)})
    assert told(tool("check")) == ["grown from 4 to 5"]


def test_a_comment_grants_whatever_length_there_is(tool: Tool) -> None:
    tool.write({"shop/cart.py": function("f", 5) + function("g", 9, IGNORED)})
    assert tool("check").status == 0
    tool.write({"shop/cart.py": function("f", 5) + function("g", 12, IGNORED)})
    assert tool("check").status == 0
    tool.write({"shop/cart.py": function("f", 5) + function("g", 3, IGNORED)})
    assert told(tool("check")) == ["gone"]


def test_what_a_comment_grants_is_granted_once(tool: Tool) -> None:
    tool.write({"shop/cart.py": function("f", 5, IGNORED)})
    assert told(tool("check")) == ["shrunk from 10 to 5"]  # the baseline grants it once more
    assert tool("tighten").status == 0
    assert tool("check").status == 0
    listed = json.loads(tool("list", "--suppressions", "--format", "json").out)
    assert "ABT033" in json.dumps(listed)


def test_a_limit_that_moves_explains_what_stands_between(tool: Tool) -> None:
    tool.write({"abutment.toml": ON.format(4)})
    assert tool("check").status == 2
    assert tool("init", "sizes", "--again", "--reason", "Files, too.").status == 0
    assert tool("check").status == 0


def test_a_length_is_no_number_of_facts(tool: Tool) -> None:
    """One function of five lines is one fact, in every line that counts facts."""
    held = tool("check").out.splitlines()
    assert "facts: 1, granted: 1" in held[0]
    assert "; 1 fact; " in held[1]
    tool.write({"shop/cart.py": function("f", 4)})
    assert "sizes: 1 entry paid, by 1 in all." in tool("tighten").out
    tool.write({"abutment.toml": ON.format(100).replace("3", "2"), "shop/cart.py": function("f", 4) + function("g", 3)})
    again = tool("init", "sizes", "--again", "--reason", "Two from now on.").out
    assert "sizes: 1 fact more and 0 facts fewer recorded than before." in again


def test_lengths_are_shown_where_nobody_holds_them(tool: Tool) -> None:
    tool.write({"abutment.toml": 'roots = ["shop"]\ngates = ["cycles"]\n', "shop/long.py": function("g", 151)})
    rows = json.loads(tool("facts", "sizes", "--sites", "--format", "json").out)["sites"]
    assert [(row["kind"], row["what"], row["scope"]) for row in rows] == [("function", "151", "g")]
