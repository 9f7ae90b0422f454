"""Figures may only fall, each by itself. Played with ruff itself."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.cli.tool import Answer, Tool

OFF = (
    'roots = ["shop", {{ path = "tests", role = "tests", package = "tests" }}]\n'
    'gates = ["complexity"]\n[complexity]\ncomplexity = {}\nnesting = {}\n'
)
APPROVAL = (
    'schema = 1\n[[approvals]]\nmodule = "shop.cart"\nqualname = "k"\nrule = "C901"\ncount = {}\n'
    'class = "exception"\nowner = "me"\nreason = "A table."\n'
)


def function(name: str, branches: int) -> str:
    """Return a function of that complexity, one line a branch."""
    return f"def {name}(a):\n" + "    if a: pass\n" * (branches - 1) + "    return a\n\n\n"


@pytest.fixture
def tool(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Tool:
    """A project with two functions above 4, which are recorded with 6 and 8."""
    found = Tool(tmp_path, capsys)
    found.write(
        {
            "abutment.toml": OFF.format(4, 2),
            "shop/__init__.py": "",
            "shop/cart.py": function("f", 6) + function("g", 8) + function("h", 4),
            "tests/test_cart.py": function("test", 20),
        }
    )
    assert found("init").status == 0
    return found


def entries(tool: Tool) -> dict[str, int]:
    lines = tool.documents()["complexity.jsonl"].decode().splitlines()[1:]
    return {f"{e['module']}:{e['qualname']}:{e['rule']}": e["count"] for e in map(json.loads, lines)}


def told(answer: Answer) -> list[str]:
    """Return what is told of the code: `grown f`, in order of the names."""
    rows = [line.split(" complexity: ")[1] for line in answer.out.splitlines() if ": ABT03" in line]
    found = [re.match(r"(?P<kind>.*?): the \w+(?: of blocks)? of (?P<name>\w+) in", row) for row in rows]
    return sorted(f"{one['name']} {one['kind']}" for one in found if one)


def test_limits_are_inclusive_and_tests_are_not_judged(tool: Tool) -> None:
    assert entries(tool) == {"shop.cart:f:C901": 6, "shop.cart:g:C901": 8}
    assert tool("check").status == 0


def test_growth_is_not_paid_by_another_functions_fall(tool: Tool) -> None:
    tool.write({"shop/cart.py": function("f", 7) + function("g", 5)})
    answer = tool("check")
    assert (answer.status, told(answer)) == (1, ["f grown from 6 to 7", "g shrunk from 8 to 5"])
    before = tool.documents()
    assert tool("tighten").status == 2
    assert tool.documents() == before


def test_a_function_that_moves_or_is_renamed_is_a_new_one(tool: Tool) -> None:
    tool.write({"shop/cart.py": function("k", 6) + function("g", 8)})
    assert told(tool("check")) == ["f gone", "k new"]
    tool.write({"shop/cart.py": function("g", 8), "shop/other.py": function("f", 6)})
    assert told(tool("check")) == ["f gone", "f new"]


def test_a_lower_figure_is_recorded_and_binds(tool: Tool) -> None:
    tool.write({"shop/cart.py": function("f", 5) + function("g", 4)})
    answer = tool("check")
    assert (answer.status, told(answer)) == (1, ["f shrunk from 6 to 5", "g gone"])
    assert tool("tighten").status == 0
    assert entries(tool) == {"shop.cart:f:C901": 5}
    tool.write({"shop/cart.py": function("f", 6) + function("g", 5)})
    assert told(tool("check")) == ["f grown from 5 to 6", "g new"]


def test_depth_is_independent_of_branches(tool: Tool) -> None:
    deep = "def d(a):\n    with a:\n        with a:\n            with a: pass\n"
    tool.write({"shop/deep.py": deep})
    answer = tool("check")
    assert told(answer) == ["d new"]
    assert "ABT032" in answer.out


def test_a_lower_limit_explains_what_stands_between_the_two_and_nothing_above(tool: Tool) -> None:
    code = function("f", 7) + function("g", 8) + function("h", 4) + function("new", 9)
    tool.write({"shop/cart.py": code, "abutment.toml": OFF.format(3, 2)})
    answer = tool("check")
    assert answer.status == 2
    assert "C901 was above 4, and is above 3" in answer.out
    assert tool("init", "complexity", "--again", "--reason", "Three from now on.").status == 0
    assert entries(tool) == {"shop.cart:f:C901": 6, "shop.cart:g:C901": 8, "shop.cart:h:C901": 4}
    assert told(tool("check")) == ["f grown from 6 to 7", "new new"]


def test_a_higher_limit_explains_what_is_below_it_now(tool: Tool) -> None:
    tool.write({"shop/cart.py": function("f", 6) + function("g", 3), "abutment.toml": OFF.format(7, 2)})
    assert tool("init", "complexity", "--again", "--reason", "Seven will do.").status == 0
    assert entries(tool) == {"shop.cart:g:C901": 8}
    assert told(tool("check")) == ["g gone"]  # this one was paid, whatever the limit
    assert tool("tighten").status == 0


def test_what_grew_over_a_higher_limit_is_not_forgiven(tool: Tool) -> None:
    tool.write({"shop/cart.py": function("f", 8) + function("g", 8), "abutment.toml": OFF.format(7, 2)})
    assert tool("init", "complexity", "--again", "--reason", "Seven will do.").status == 0
    assert told(tool("check")) == ["f grown from 6 to 8"]


@pytest.mark.parametrize(
    ("old", "new", "piece"),
    [
        ('"ruff": "', '"ruff": "0.', "ruff was 0."),
        ("as ruff;", "as radon;", "figures was as radon;"),
        ('"C901": "above 4", ', "", "C901 is above 4, and was not recorded"),
        ('"count": 6', '"count": true', "expected a whole number"),
        ('"count": 6', '"count": 0', "expected a whole number"),
        ('"schema": 1', '"schema": 3', "schema"),
        ('"C901": "above 4"', '"C901": 4', "expected texts by name"),
    ],
)
def test_a_record_under_other_conditions_is_not_judged(tool: Tool, old: str, new: str, piece: str) -> None:
    path = tool.root / "fixtures" / "architecture" / "complexity.jsonl"
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    before = tool.documents()
    answer = tool("check")
    assert answer.status == 2
    assert piece in answer.out
    assert tool("tighten").status == 2
    assert tool.documents() == before


def test_a_figure_at_its_limit_in_the_record_grants_nothing(tool: Tool) -> None:
    path = tool.root / "fixtures" / "architecture" / "complexity.jsonl"
    path.write_text(path.read_text("utf-8").replace('"count": 6', '"count": 4'), encoding="utf-8")
    assert told(tool("check")) == ["f grown from 4 to 6"]


@pytest.mark.parametrize(
    ("files", "piece"),
    [
        ({"shop/bad.py": "def f(:\n"}, "shop/bad.py"),
        ({"abutment.toml": OFF.format(4, 2) + 'command = ["/no/such/ruff"]\n'}, "cannot be run"),
        ({"abutment.toml": OFF.format(4, 2) + 'exclude = ["shop.none"]\n'}, "matches no module"),
        ({"abutment.toml": OFF.format(0, 2)}, "expected at least 1"),
        ({"abutment.toml": OFF.format(4, 2) + 'input = "x.json"\n'}, "unknown key"),
    ],
)
def test_what_cannot_be_rated_is_not_judged(tool: Tool, files: dict[str, str], piece: str) -> None:
    tool.write(files)
    answer = tool("check")
    assert answer.status == 2
    assert piece in answer.out


def test_a_root_that_is_gone_is_no_improvement(tool: Tool) -> None:
    for path in (tool.root / "shop").iterdir():
        path.unlink()
    (tool.root / "shop").rmdir()
    assert tool("check").status == 2


def test_a_module_that_is_left_out_may_be_broken(tool: Tool) -> None:
    tool.write({"shop/odd.py": function("odd", 9), "abutment.toml": OFF.format(4, 2) + 'exclude = ["shop.odd"]\n'})
    assert tool("check").status == 0


def test_an_approval_is_for_a_figure(tool: Tool) -> None:
    tool.write({"shop/cart.py": function("f", 6) + function("g", 8) + function("k", 9)})
    policy = "fixtures/architecture/complexity.toml"
    for count, status in ((9, 0), (8, 1), (10, 1)):
        tool.write({policy: APPROVAL.format(count)})
        assert tool("check").status == status


def test_a_comment_of_ours_cannot_hide_a_figure(tool: Tool) -> None:
    code = function("k", 9).replace("(a):", '(a):  # abutment: ignore[ABT031] reason="No."')
    tool.write({"shop/cart.py": function("f", 6) + function("g", 8) + code})
    answer = tool("check")
    assert answer.status == 2
    assert "ABT031 (complexity) cannot be ignored in place" in answer.out


def test_a_second_opinion_is_shown_and_never_judged(tool: Tool) -> None:
    tool.write({"abutment.toml": OFF.format(4, 2) + "second_opinion = true\n"})
    assert tool("check").status == 0
    more = "def r(a):\n    return [x for x in a if x and a or x] if a else [y for y in a if y]\n"
    tool.write({"shop/more.py": more})
    answer = tool("check", "--verbose")
    assert answer.status == 0
    assert "rates 3 functions above 4: 1 that ruff does not, and not 0 that it does" in answer.out
    assert "shop/more.py:1: radon rates r at" in answer.out


def test_facts_are_listed_with_their_figures(tool: Tool) -> None:
    rows = json.loads(tool("facts", "complexity", "--sites", "--format", "json").out)["sites"]
    assert [(row["kind"], row["what"], row["scope"], row["line"]) for row in rows] == [
        ("C901", "6", "f", 1),
        ("C901", "8", "g", 10),
    ]
    facts = json.loads(tool("facts", "complexity", "--format", "json").out)["facts"]
    assert [(one["qualname"], one["count"], len(one["sites"])) for one in facts] == [("f", 6, 1), ("g", 8, 1)]
