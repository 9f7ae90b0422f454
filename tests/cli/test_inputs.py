"""Is what another tool printed read where the command line says so, as a setting of the one gate that is meant?"""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from abutment.errors import NotJudged
from abutment.sources.settings import overlaid
from tests.cases.case import CASES
from tests.cli.tool import Tool

DRESSES = CASES / "073-mypy-output-in-every-dress" / "input"
ERRORS = 7
SETTINGS = 'roots = ["till"]\ngates = [{gates}]\n\n[mypy]\n'


def settings(*gates: str) -> str:
    return SETTINGS.format(gates=", ".join(f'"{gate}"' for gate in gates))


@pytest.fixture
def till(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Tool:
    """A project that is held by mypy, and beside it what mypy printed in several dresses."""
    shutil.copytree(DRESSES / "tree" / "till", tmp_path / "project" / "till")
    for dress in DRESSES.glob("*.*"):
        shutil.copy(dress, tmp_path)
    found = Tool(tmp_path / "project", capsys)
    found.write({"abutment.toml": settings("mypy")})
    return found


def test_a_kept_output_is_recorded_and_held(till: Tool, tmp_path: Path) -> None:
    kept = str(tmp_path / "plain.txt")
    assert f"mypy: {ERRORS} facts recorded" in till("init", "mypy", "--input", kept).out
    assert till("check", "mypy", "--input", kept).status == 0
    assert till("check", "--input", f"mypy={kept}").status == 0


def test_what_is_given_is_read_instead_of_what_is_written(till: Tool, tmp_path: Path) -> None:
    till.write({"abutment.toml": settings("mypy") + 'input = "nowhere.txt"\n'})
    assert till("init", "mypy").status == 2
    assert till("init", "mypy", "--input", str(tmp_path / "plain.txt")).status == 0


def test_a_file_is_looked_for_where_the_user_stands(
    till: Tool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert till("init", "mypy", "--input", "plain.txt").status == 0
    monkeypatch.chdir(till.root)
    assert till("check", "mypy", "--input", "plain.txt").status == 2
    assert till("check", "mypy", "--input", "../plain.txt").status == 0


def test_json_lines_are_believed_with_the_status_alone(till: Tool, tmp_path: Path) -> None:
    kept = str(tmp_path / "json.jsonl")
    refused = till("init", "mypy", "--input", kept)
    assert refused.status == 2
    assert "nobody knows how mypy ended" in refused.err
    assert till("init", "mypy", "--input", kept, "--input-status", "1").status == 0
    assert till("check", "mypy", "--input", kept, "--input-status", "0").status == 2


def test_paths_of_another_machine_lie_below_the_root_that_is_given(till: Tool, tmp_path: Path) -> None:
    assert till("init", "mypy", "--input", str(tmp_path / "plain.txt")).status == 0
    absolute = str(tmp_path / "absolute.txt")
    refused = till("check", "mypy", "--input", absolute)
    assert refused.status == 2
    assert "names a file outside of the project" in refused.out
    assert till("check", "mypy", "--input", absolute, "--input-root", "/srv/ci/checkout").status == 0


def test_every_verb_that_measures_takes_it(till: Tool, tmp_path: Path) -> None:
    kept = str(tmp_path / "plain.txt")
    facts = till("facts", "mypy", "--input", kept)
    assert facts.out.count("till/cash.py:") == ERRORS
    assert till("init", "--input", f"mypy={kept}").status == 0
    assert till("tighten", "mypy", "--input", kept).status == 0
    assert till("list", "grants", "--input", f"mypy={kept}").status == 0
    digits = facts.out.splitlines()[1].split()[-2]
    assert "fixtures/architecture/mypy.jsonl:" in till("explain", digits, "--input", f"mypy={kept}").out
    (tmp_path / "clean.txt").write_text("Success: no issues found in 2 source files\n")
    assert till("tighten", "mypy", "--input", str(tmp_path / "clean.txt")).status == 0
    assert till("draft", "mypy", "--input", kept).out.count("[[approvals]]") == ERRORS


def test_the_command_for_an_agent_says_it_again(till: Tool, tmp_path: Path) -> None:
    kept = str(tmp_path / "plain.txt")
    clean = tmp_path / "clean.txt"
    clean.write_text("Success: no issues found in 2 source files\n")
    assert till("init", "mypy", "--input", str(clean)).status == 0
    said = till("check", "mypy", "--input", kept, "--input-status", "1", "--format", "agent")
    assert said.status == 1
    assert f"--input mypy={kept} --input-status mypy=1" in said.out


WRITTEN = {"mypy": 1, "tools": {"declared": [{"id": "a", "input": "x"}, {"id": "b", "input": "x"}]}}


def test_one_of_several_tables_goes_by_its_id() -> None:
    changed = overlaid(WRITTEN, {"tools.b": {"input": "y"}})
    assert changed["tools"] == {"declared": [{"id": "a", "input": "x"}, {"id": "b", "input": "y"}]}
    assert overlaid(WRITTEN, {})["tools"] == WRITTEN["tools"]


@pytest.mark.parametrize("name", ["mypy", "tools.c", "other.b"])
def test_what_is_given_to_nothing_is_not_passed_over(name: str) -> None:
    with pytest.raises(NotJudged, match="nothing can be given to"):
        overlaid(WRITTEN, {name: {"input": "y"}})


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("check", "--input", "plain.txt"), "--input plain.txt: of which gate?"),
        (("check", "mypy", "cycles", "--input", "plain.txt"), "--input plain.txt: of which gate?"),
        (("check", "cycles", "--input", "mypy=plain.txt"), "mypy is not asked"),
        (("check", "mypy", "--input", "cycles=plain.txt"), "cycles is not asked"),
        (("check", "--input", "cycles=plain.txt"), "cycles is given something to read, and is neither named nor"),
        (("check", "mypy", "--input", "a.txt", "--input", "mypy=b.txt"), "--input is given twice for mypy"),
        (("check", "mypy", "--input", ""), "nothing is given"),
        (("check", "mypy", "--input", "mypy="), "nothing is given"),
        (("check", "mypy", "--input-status", "one"), "--input-status one: expected a whole number"),
        (("check", "mypy", "--input-status", "-9"), "--input-status -9: expected a whole number"),
        (("check", "mypy", "--input", "a.txt", "--config", "shop"), "it goes with one --config"),
        (("facts", "cycles", "--input", "mypy=plain.txt"), "mypy is not asked"),
        (("explain", "0123456789", "--input", "plain.txt"), "of which gate?"),
    ],
)
def test_anything_else_is_an_error_of_usage(till: Tool, words: tuple[str, ...], message: str, tmp_path: Path) -> None:
    if "shop" in words:
        words = (*words[:-1], str(tmp_path))
    refused = till(*words)
    assert refused.status == 2
    assert message in refused.err


def test_a_gate_that_reads_no_output_does_not_pass_over_one(till: Tool, tmp_path: Path) -> None:
    refused = till("check", "cycles", "--input", str(tmp_path / "plain.txt"))
    assert refused.status == 2
    assert "cycles.input: unknown key" in refused.out + refused.err


def test_a_file_whose_name_looks_like_a_gate_s_is_written_with_its_folder(
    till: Tool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "plain.txt").rename(tmp_path / "mypy=plain.txt")
    assert till("init", "mypy", "--input", "./mypy=plain.txt").status == 0
