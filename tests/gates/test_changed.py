"""Files that a branch has changed pass a linter, the others are not asked."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.tool import Tool, git, repository

CONFIGURATION = 'roots = ["shop"]\ngates = ["changed"]\n'
UNUSED = "import os\n"
PYLINT = Path(__file__).parents[2] / "fixtures" / "tools" / "pylint"
Branch = Callable[..., Tool]


@pytest.fixture
def branch(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Branch:
    """Return a function that makes a project with debt of old, on a branch of its own."""

    def made(table: str = "[changed]\n") -> Tool:
        tool = Tool(tmp_path, capsys)
        tool.write({"abutment.toml": f"{CONFIGURATION}{table}", "shop/__init__.py": "", "shop/old.py": UNUSED})
        tool.write({"pyproject.toml": '[tool.ruff]\nextend-exclude = ["shop/made.py"]\n', "shop/till.py": "X = 1\n"})
        repository(tool.root)
        git(tool.root, "checkout", "-q", "-b", "topic")
        git(tool.root, "commit", "-q", "--allow-empty", "-m", "topic")
        return tool

    return made


def test_no_changed_file_is_held_and_said(branch: Branch) -> None:
    said = branch()("check")
    assert said.status == 0
    assert "files compared looked at: 3" in said.out
    assert "none was changed since main at " in said.out
    assert "so that ruff had nothing to judge" in said.out


def test_a_changed_file_has_to_be_clean_and_an_unchanged_one_is_not_asked(branch: Branch) -> None:
    tool = branch()
    tool.write({"shop/till.py": "def total():\n    import os\n    return 1\n"})
    said = tool("check")
    assert said.status == 1
    assert "shop/till.py:2: ABT051 changed: new: shop.till, in total, has F401: `os` imported but unused" in said.out
    assert "ruff was asked about 1 changed since main at" in said.out
    assert "old" not in said.out
    tool.write({"shop/till.py": "def total():\n    import os  # noqa: F401\n    return 1\n"})
    assert tool("check").status == 0


def test_touching_a_file_takes_its_debt_along(branch: Branch) -> None:
    tool = branch()
    tool.write({"shop/old.py": f"{UNUSED}X = 1\n"})
    assert "shop.old has F401" in tool("check").out


def test_committed_staged_and_unknown_files_count_alike(branch: Branch) -> None:
    tool = branch()
    tool.write({"shop/committed.py": UNUSED})
    git(tool.root, "add", "-A")
    git(tool.root, "commit", "-q", "-m", "more")
    tool.write({"shop/staged.py": UNUSED})
    git(tool.root, "add", "-A")
    tool.write({"shop/unknown.py": UNUSED})
    said = tool("check")
    assert [name in said.out for name in ("shop.committed has", "shop.staged has", "shop.unknown has")] == [True] * 3


@pytest.mark.parametrize("flag", ["--assume-unchanged", "--skip-worktree"])
def test_what_git_is_told_not_to_look_at_is_looked_at(branch: Branch, flag: str) -> None:
    tool = branch()
    git(tool.root, "update-index", flag, "shop/till.py", "shop/old.py")
    tool.write({"shop/till.py": UNUSED})
    said = tool("check")
    assert (said.status, "shop.till has F401" in said.out, "shop.old" in said.out) == (1, True, False)
    narrowed = tool("check", "--changed", "main")
    assert (narrowed.status, "shop.till has F401" in narrowed.out) == (1, True)
    (tool.root / "shop/till.py").unlink()  # as in a sparse checkout
    assert tool("check").status == 0


def test_deleted_files_and_what_is_no_module_are_not_asked(branch: Branch) -> None:
    tool = branch()
    (tool.root / "shop/old.py").unlink()
    tool.write({"setup.py": UNUSED, "shop/notes.txt": "import os\n"})
    said = tool("check")
    assert said.status == 0
    assert "none was changed since main" in said.out
    assert "changed Python files outside of the roots, or left out: 1" in said.out


def test_what_ruff_and_the_gate_leave_out_is_left_out_and_said(branch: Branch) -> None:
    tool = branch('[changed]\nexclude = ["shop.old"]\n')
    tool.write({"shop/made.py": UNUSED, "shop/old.py": f"{UNUSED}X = 1\n"})
    said = tool("check")
    assert said.status == 0
    assert "left out by the configuration of ruff: 1" in said.out


def test_arguments_are_handed_on_and_mend_nothing(branch: Branch) -> None:
    tool = branch('[changed]\nargs = ["--extend-select", "D100", "--fix", "--unsafe-fixes"]\n')
    tool.write({"shop/till.py": UNUSED})
    said = tool("check")
    assert "has D100" in said.out
    assert "has F401" in said.out
    assert (tool.root / "shop/till.py").read_text(encoding="utf-8") == UNUSED


def test_nothing_of_it_is_recorded_or_approved(branch: Branch) -> None:
    tool = branch()
    tool.write({"shop/till.py": UNUSED})
    assert tool("init", "changed").status == 0
    assert tool("check").status == 1
    drafted = (
        tool("draft", "changed").out.replace('owner = ""', 'owner = "shop"').replace('reason = ""', 'reason = "x"')
    )
    text = drafted.replace('class = "debt"', 'class = "exception"').replace('tracking = ""\n', "")
    tool.write({"fixtures/architecture/changed.toml": text})
    said = tool("check")
    assert said.status == 2
    assert "changed files take no approval" in said.out


@pytest.mark.parametrize(
    ("table", "says"),
    [
        ('[changed]\nargs = ["--select", "NOPE"]\n', "ruff ended with status 2: it could not do its work"),
        ('[changed]\nargs = ["--exit-zero"]\n', "ruff ended with status 0 and shows 1 diagnostics"),
        ('[changed]\ncommand = ["/nowhere/ruff"]\n', "ruff cannot be run"),
        ('[changed]\nbase = "trunk"\n', "git does not know 'trunk' here"),
        ('[changed]\nexclude = ["shop.gone"]\n', "'shop.gone' matches no module"),
        ('[changed]\ntool = "flake8"\n', "expected one of ruff, pylint, found 'flake8'"),
    ],
)
def test_what_cannot_be_asked_is_not_judged(branch: Branch, table: str, says: str) -> None:
    tool = branch(table)
    tool.write({"shop/till.py": UNUSED})
    said = tool("check")
    assert said.status == 2
    assert says in said.out


def test_a_file_that_does_not_parse_is_not_judged(branch: Branch) -> None:
    tool = branch()
    tool.write({"shop/till.py": "def total(:\n"})
    assert tool("check").status == 2


def test_without_the_main_branch_nothing_is_judged(branch: Branch) -> None:
    tool = branch()
    git(tool.root, "branch", "-q", "-D", "main")
    said = tool("check")
    assert said.status == 2
    assert "say `base` in [tool.abutment.changed]" in said.out


def kept(name: str, status: int) -> str:
    """Return the table of a gate for which this file is what pylint prints."""
    code = f"import shutil, sys; shutil.copyfileobj(open({str(PYLINT / name)!r}), sys.stdout); sys.exit({status})"
    return f'[changed]\ntool = "pylint"\ncommand = [{sys.executable!r}, "-c", {code!r}]\n'


def test_pylint_is_asked_in_its_own_words(branch: Branch) -> None:
    tool = branch(kept("whole/one.json", 16).replace("'-c', ", "'-c', "))
    tool.write({"shop/till.py": '"""Money."""\n\n\ndef total(rows):\n    return sum(rows)\n'})
    said = tool("check")
    assert said.status == 1
    assert "shop/till.py:4: ABT051 changed: new: shop.till, in total, has C0116: Missing function" in said.out


def test_a_pylint_that_fails_is_not_judged(branch: Branch) -> None:
    tool = branch(kept("broken/17-crash.json", 17))
    tool.write({"shop/till.py": "X = 2\n"})
    said = tool("check")
    assert said.status == 2
    assert "pylint ended with status 17: it failed on the way" in said.out


def test_a_configuration_that_the_environment_names_is_not_heard(
    branch: Branch, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYLINTRC", "/nowhere/lenient.rc")
    printed = str(PYLINT / "whole/none.json")
    code = f"import os, sys; print(open({printed!r}).read()); sys.exit(32 * ('PYLINTRC' in os.environ))"
    tool = branch(f'[changed]\ntool = "pylint"\ncommand = [{sys.executable!r}, "-c", "{code}"]\n')
    tool.write({"shop/till.py": "X = 2\n"})
    assert tool("check").status == 0


def test_what_lies_in_the_root_is_not_run_in_the_place_of_the_tool(branch: Branch) -> None:
    tool = branch()
    tool.write({"shop/till.py": UNUSED, "types.py": "raise SystemExit(1)\n"})
    tool.write({"ruff.py": "import sys\nprint('shop/till.py' if '--show-files' in sys.argv else '[]')\n"})
    said = tool("check")
    assert said.status == 1
    assert "shop/till.py:1: ABT051 changed: new: shop.till has F401" in said.out
