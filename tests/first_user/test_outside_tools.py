"""What nobody may get past a ratchet over another tool: a record that is damaged, of other limits, or of other code."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.test_gate_scripts import script
from tests.cli.tool import Answer, Tool

CODE = "def f(a):\n    if a: pass\n    if a: pass\n"
GATES = {
    "complexity": "complexity = 2\n",
    "sizes": "function = 2\n",
    "lint": 'targets = ["shop"]\n',
    "mypy": 'targets = ["shop"]\ninput = "said.txt"\n',
}
LINT = '[lint]\nselect = ["E701"]\n'
MYPY = "mypy 2.4.1 (compiled: yes)\n{}Found {} in {} (checked {} source files)\n"
CLEAN = "mypy 2.4.1 (compiled: yes)\nSuccess: no issues found in {} source files\n"


@pytest.fixture(params=GATES)
def tool(request: pytest.FixtureRequest, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Tool:
    """A project with debt in one gate, which is recorded."""
    gate: str = request.param
    found = Tool(tmp_path, capsys)
    found.write({"shop/__init__.py": "", "shop/cart.py": CODE, "ruff.toml": LINT, "mypy.ini": "[mypy]\n"})
    found.write({"abutment.toml": f'roots = ["shop"]\ngates = ["{gate}"]\n[{gate}]\n{GATES[gate]}'})
    keep(found, "shop/cart.py:2: error: So  [misc]", "shop/cart.py:3: error: So  [misc]")
    answer = found("init")
    assert answer.status == 0, said(answer)
    assert found("check").status == 0
    return found


def keep(tool: Tool, *lines: str, checked: int = 2) -> None:
    """Keep what mypy said."""
    files = len({line.partition(":")[0] for line in lines})
    number = f"{len(lines)} error{'s' if len(lines) > 1 else ''}", f"{files} file{'s' if files > 1 else ''}"
    text = MYPY.format("".join(f"{line}\n" for line in lines), *number, checked) if lines else CLEAN.format(checked)
    tool.write({"said.txt": text})


def said(answer: Answer) -> str:
    return answer.out + answer.err


def baseline(tool: Tool) -> Path:
    (found,) = (tool.root / "fixtures/architecture").glob("*.jsonl")
    return found


def edited(change: Callable[[dict[str, object]], object]) -> Callable[[bytes], bytes]:
    """Return how the first entry of a baseline is changed."""

    def change_it(data: bytes) -> bytes:
        header, first, *rest = data.splitlines(keepends=True)
        entry = json.loads(first)
        change(entry)
        return b"".join((header, json.dumps(entry).encode() + b"\n", *rest))

    return change_it


DAMAGE = {
    "legacy": lambda data: data.replace(b'"schema": 1', b'"schema": 0'),
    "of another form": lambda _data: b'{"thresholds": {"C901": 15}, "metrics": {"C901": {"shop/cart.py:f": 18}}}\n',
    "empty": lambda _data: b"",
    "cut": lambda data: data[:-9],
    "a switch for a number": edited(lambda entry: entry.update(count=True)),
    "nothing": edited(lambda entry: entry.update(count=0)),
    "without a field": edited(lambda entry: entry.pop("module")),
    "with another field": edited(lambda entry: entry.update(path="shop/cart.py")),
}


@pytest.mark.parametrize("damage", DAMAGE)
def test_no_write_launders_a_damaged_record(tool: Tool, damage: str) -> None:
    gate = baseline(tool).stem
    baseline(tool).write_bytes(DAMAGE[damage](baseline(tool).read_bytes()))
    before = tool.documents()
    for words in (["check"], ["tighten"], ["init", gate], ["init", gate, "--again", "--reason", "so"]):
        assert (words, tool(*words).status) == (words, 2)
    assert tool.documents() == before


def test_a_record_that_is_gone_is_no_empty_one_and_made_by_nobody_unasked(tool: Tool) -> None:
    gate = baseline(tool).stem
    baseline(tool).unlink()
    before = tool.documents()
    for words in (["check"], ["tighten"], ["init", gate, "--again", "--reason", "so"]):
        assert (words, tool(*words).status) == (words, 2)
    assert tool.documents() == before


def test_code_that_is_gone_with_its_folder_is_no_payment(tool: Tool) -> None:
    before = tool.documents()
    shutil.rmtree(tool.root / "shop")
    for verb in ("check", "tighten"):
        assert tool(verb).status == 2
    assert tool.documents() == before


@pytest.mark.parametrize("gate", ["complexity", "sizes"])
def test_what_is_left_out_and_a_rule_that_there_is_not_grant_nothing(
    gate: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    tool = Tool(tmp_path, capsys)
    law = f'roots = ["shop"]\ngates = ["{gate}"]\n[{gate}]\n{GATES[gate]}'
    tool.write({"shop/__init__.py": "", "shop/cart.py": CODE, "shop/rest.py": "", "abutment.toml": law})
    assert tool("init").status == 0
    tool.write({"abutment.toml": f'{law}exclude = ["shop.cart"]\n'})
    excluded = tool("check")
    assert (excluded.status, " gone: " in excluded.out) == (1, True), said(excluded)
    tool.write({"abutment.toml": law})
    field = "rule" if gate == "complexity" else "kind"
    change = edited(lambda entry: entry.update({field: "unheard"}))
    baseline(tool).write_bytes(change(baseline(tool).read_bytes()))
    assert tool("check").status in (1, 2)
    assert tool("tighten").status == 2


@pytest.fixture
def typed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Tool:
    """A project in which mypy said three things of one module."""
    found = Tool(tmp_path, capsys)
    law = f'roots = ["shop"]\ngates = ["mypy"]\n[mypy]\n{GATES["mypy"]}'
    found.write({"shop/__init__.py": "", "shop/cart.py": CODE, "mypy.ini": "[mypy]\n", "abutment.toml": law})
    keep(found, *(f"shop/cart.py:{line}: error: So  [{code}]" for line, code in ((2, "misc"), (2, "arg"), (3, "arg"))))
    assert found("init").status == 0
    return found


MOVED = [
    ((("misc", 1), ("arg", 2)), 0, ""),
    ((("arg", 1),), 1, "shrunk from 2 to 1"),  # each lower: only to be recorded
    ((("misc", 2),), 1, "grown from 1 to 2"),  # one grew, though there are fewer together
]


@pytest.mark.parametrize(("found", "status", "told"), MOVED)
def test_a_declared_move_is_compared_code_by_code(
    typed: Tool, found: tuple[tuple[str, int], ...], status: int, told: str
) -> None:
    (typed.root / "shop/cart.py").rename(typed.root / "shop/basket.py")
    keep(
        typed,
        *(f"shop/basket.py:2: error: So  [{code}]" for code, times in (("misc", 1), ("arg", 2)) for _ in range(times)),
    )
    assert typed("check").status == 1
    assert typed("move", "shop.cart", "shop.basket").status == 0
    keep(typed, *(f"shop/basket.py:2: error: So  [{code}]" for code, times in found for _ in range(times)))
    answer = typed("check")
    assert (answer.status, told in answer.out) == (status, True), said(answer)
    assert typed("tighten").status == (2 if "grown" in told else 0)


def test_a_file_outside_of_the_move_gets_no_credit(typed: Tool) -> None:
    (typed.root / "shop/cart.py").rename(typed.root / "shop/basket.py")
    typed.write({"shop/other.py": CODE})
    lines = ["shop/basket.py:2: error: So  [misc]", "shop/basket.py:2: error: So  [arg]"]
    keep(typed, *lines, "shop/other.py:2: error: So  [arg]", checked=3)
    typed("move", "shop.cart", "shop.basket")
    answer = typed("check")
    assert (answer.status, "new: shop.other, in f, has arg" in answer.out) == (1, True), said(answer)


def test_the_script_of_mypy_leaves_every_byte_where_it_refuses(typed: Tool) -> None:
    before = typed.documents()
    lines = [f"shop/cart.py:2: error: So  [{code}]" for code in ("misc", "misc")]
    keep(typed, *lines)
    assert script(typed, "mypy_ratchet", "--write").status == 2
    assert typed.documents() == before
