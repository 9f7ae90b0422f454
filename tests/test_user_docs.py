"""Do the pages for users say what the code does?"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import click
import pytest

from abutment.cli.main import VERBS, cli
from abutment.config import DOCUMENTS, close_config, read_config
from abutment.gates import TABLE, own_gates
from abutment.guard import settings as guard
from abutment.model.reading import Faults, TableReader
from abutment.model.violation import Kind
from abutment.policies.contracts.kinds import KINDS
from abutment.policies.contracts.reading import read_contract
from abutment.sources.memory_tree import MemoryTree
from abutment.sources.settings import settings_from
from abutment.verdicts.judge import WARNED_AHEAD
from abutment.verdicts.verdict import Status

ROOT = Path(__file__).parent.parent
PAGES = (
    "README.md",
    *(f"docs/{name}.md" for name in ("getting-started", "concepts", "my-build-is-red", "configuration", "agents")),
)
CODE = re.compile(r"```(?:console|yaml|sh)\n(.*?)```|`([^`\n]+)`", re.DOTALL)
CONFIGURATION = (ROOT / "docs/configuration.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"```toml\n(.*?)```", CONFIGURATION, re.DOTALL)


def page(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def calls(name: str) -> Iterator[list[str]]:
    """Yield the words of each call of `abutment` on a page."""
    for block, inline in CODE.findall(page(name)):
        for line in (block or inline).splitlines():
            for call in re.findall(r"(?:^|run: |\$ )abutment ([^#]*)", line):
                yield call.split()


@pytest.mark.parametrize("name", PAGES)
def test_every_command_on_a_page_exists_with_its_options(name: str) -> None:
    context = click.Context(cli)
    for verb, *rest in calls(name):
        assert verb in VERBS, verb
        command = cli.get_command(context, verb)
        assert command is not None
        known = {option for parameter in command.params for option in parameter.opts}
        unknown = {word.split("=")[0] for word in rest if word.startswith("--")} - known
        assert not unknown, (verb, unknown)


def test_pages_show_commands_at_all() -> None:
    assert {words[0] for name in PAGES for words in calls(name)} >= {"init", "check", "tighten", "move", "draft", "why"}


class Recording(dict[str, Any]):
    """A table that notes for which keys it is asked."""

    def __init__(self, table: dict[str, Any]) -> None:
        super().__init__(table)
        self.asked: set[str] = set()

    def get(self, key: str, default: Any = None) -> Any:
        self.asked.add(key)
        return super().get(key, default)


def test_the_examples_of_the_project_and_its_gates_are_read_without_a_fault() -> None:
    tree = MemoryTree({"src/app/__init__.py": "", "tests/test_app.py": ""})
    whole: dict[str, Any] = {}
    for example in EXAMPLES[:2]:
        raw = settings_from("abutment.toml", example.encode(), "/nowhere")
        config = read_config(raw, tree)
        for gate in own_gates():
            gate.read_settings(config.table if gate.reads_root_table else config.table.table(gate.name))
        guard.read_settings(config.table.table("guard"))
        close_config(config, (*TABLE, "guard"))
        assert not config.faults.found
        whole |= tomllib.loads(example)
    assert whole["documents"] == DOCUMENTS


def test_the_keys_of_all_gates_stand_in_one_table() -> None:
    rows = [at for at, line in enumerate(CONFIGURATION.splitlines()) if re.match(r"\| `(?!guard)[a-z]+\.\w+` \|", line)]
    assert rows
    assert rows == list(range(rows[0], rows[0] + len(rows)))


@pytest.mark.parametrize("name", TABLE)
def test_every_key_of_a_gate_is_on_the_page(name: str) -> None:
    table = Recording(tomllib.loads(EXAMPLES[1]).get(name, {}))
    (gate,) = (gate for gate in own_gates() if gate.name == name)
    root = {name: table} if gate.reads_root_table else table
    gate.read_settings(TableReader("abutment.toml", root, Faults(), lambda _path: 0))
    assert table.asked == set(table), "the example shows exactly the keys that the gate knows"
    assert all(f"| `{name}.{key}` |" in CONFIGURATION for key in table)


def test_every_key_of_the_guard_is_on_the_page() -> None:
    table = Recording(tomllib.loads(EXAMPLES[1])["guard"])
    guard.read_settings(TableReader("abutment.toml", table, Faults(), lambda _path: 0))
    assert table.asked == set(table)
    assert all(f"| `guard.{key}` |" in CONFIGURATION for key in table)


def contracts() -> list[dict[str, Any]]:
    return [table for example in EXAMPLES[2:] for table in tomllib.loads(example)["contracts"]]


@pytest.mark.parametrize("kind", [kind.name for kind in KINDS])
def test_every_key_of_a_contract_is_on_the_page(kind: str) -> None:
    faults = Faults()
    shown, asked = set(), set()
    for contract in contracts():
        if contract["kind"] == kind:
            table = Recording(contract)
            read_contract(TableReader("abutment.toml", table, faults, lambda _path: 0), KINDS)
            shown |= set(table)
            asked |= table.asked
    common = set(re.findall(r"^\| `(\w+)` \|", CONFIGURATION.partition("## Contracts")[2], re.MULTILINE))
    assert not faults.found
    assert shown, "the page has an example"
    assert asked <= shown | common
    assert shown <= asked


def test_the_page_of_concepts_names_every_kind_of_violation() -> None:
    assert re.findall(r"^\| `(\w+)` \| (?:has|still|no longer|\()", page("docs/concepts.md"), re.MULTILINE) == [*Kind]


def test_the_readme_names_every_gate_and_status() -> None:
    readme = page("README.md")
    gates = readme.partition("\n## Gates\n")[2]
    assert re.findall(r"^\| \[`(\w+)`\]", gates, re.MULTILINE) == [*TABLE, "guard"]
    for status in Status:
        assert f"| `{status.exit_status}` | {status.value}" in readme


def test_the_session_of_the_readme_knows_every_gate() -> None:
    told = re.findall(r"[Nn]ot switched on: ([\w, ]+)", page("README.md"))
    idle = [name for name in TABLE if name not in ("blindspots", "cycles", "boundaries")]
    assert [one.strip().split(", ") for one in told] == [idle] * 3


def test_the_readme_says_how_to_begin_with_each_gate_over_another_tool() -> None:
    begin = page("README.md").partition("\n## What other tools say\n")[2].partition("\n## ")[0]
    rows = "".join(line.split("|")[1] for line in begin.splitlines() if line.startswith("| ["))
    assert set(re.findall(r"`(\w+)`", rows)) == set([*TABLE][[*TABLE].index("events") + 1 :])


def test_every_page_of_a_gate_over_another_tool_says_what_switches_it_on() -> None:
    for name in [*TABLE][[*TABLE].index("events") + 1 :]:
        words = " ".join(page(f"docs/gates/{name}.md").split()).lower()
        assert "off until [`gates`](../configuration.md#for-the-project-as-a-whole) names it" in words, name


def test_figures_on_the_pages_are_those_of_the_code() -> None:
    assert timedelta(days=14) == WARNED_AHEAD
    assert "warned of for 14 days" in page("docs/my-build-is-red.md")
