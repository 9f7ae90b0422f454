"""`--changed` and `--staged` on real repositories: what is shown is narrowed, what is judged is not."""

from __future__ import annotations

import pytest

from tests.cli.tool import Tool, git, repository

UPWARD = "import shop.store\nimport shop.web\n"


@pytest.fixture
def committed(recorded: Tool) -> Tool:
    """The recorded project as the first commit of a repository, on a branch of its own."""
    repository(recorded.root)
    git(recorded.root, "checkout", "-q", "-b", "work")
    return recorded


def commit(tool: Tool) -> None:
    git(tool.root, "add", "-A")
    git(tool.root, "commit", "-q", "-m", "more")


def test_what_touches_a_changed_file_is_shown(committed: Tool) -> None:
    committed.write({"shop/core.py": UPWARD})
    commit(committed)
    answer = committed("check", "--changed", "main")
    assert answer.status == 1
    assert "shop/core.py:2: ABT301 boundaries: new: shop.core imports shop.web" in answer.out
    assert "shown: only what --changed main touches" in answer.out


def test_what_was_wrong_before_is_not_shown_and_does_not_count(committed: Tool) -> None:
    git(committed.root, "checkout", "-q", "main")
    committed.write({"shop/core.py": UPWARD})
    commit(committed)
    git(committed.root, "checkout", "-q", "-b", "later")
    committed.write({"shop/web.py": "import shop.core\n\n"})
    assert committed("check").status == 1
    answer = committed("check", "--changed", "main")
    assert answer.status == 0
    assert "ABT" not in answer.out


def test_an_uncommitted_and_an_unknown_file_have_changed_too(committed: Tool) -> None:
    committed.write({"shop/late.py": "import shop.gone\n", "shop/core.py": UPWARD})
    answer = committed("check", "--changed", "main")
    assert answer.status == 1
    assert "shop/late.py:1: ABT101" in answer.out
    assert "shop/core.py:2: ABT301" in answer.out


def test_stale_is_never_spoken_of(committed: Tool) -> None:
    committed.write({"shop/store.py": ""})
    commit(committed)
    assert ": gone:" in committed("check").out
    for words in (("--changed", "main"), ("--changed", "main", "--stale", "warn")):
        answer = committed("check", *words)
        assert answer.status == 0, answer.out
        assert "gone" not in answer.out and "warning" not in answer.out


def test_not_judged_is_never_narrowed(committed: Tool) -> None:
    git(committed.root, "checkout", "-q", "main")
    committed.write({"shop/odd.py": "def broken(:\n"})
    commit(committed)
    git(committed.root, "checkout", "-q", "-b", "later")
    committed.write({"shop/web.py": "import shop.core\n\n"})
    answer = committed("check", "--changed", "main")
    assert answer.status == 2
    assert "shop/odd.py:1" in answer.out


def test_where_the_law_has_changed_everything_but_stale_is_shown(committed: Tool) -> None:
    git(committed.root, "checkout", "-q", "main")
    committed.write({"shop/core.py": UPWARD, "shop/store.py": ""})
    commit(committed)
    assert committed("check", "--staged").status == 0
    law = (committed.root / "abutment.toml").read_text(encoding="utf-8")
    committed.write({"abutment.toml": f"{law}\n"})
    git(committed.root, "add", "abutment.toml")
    assert ": gone:" in committed("check").out
    answer = committed("check", "--staged")
    assert answer.status == 1
    assert "shop/core.py:2: ABT301" in answer.out
    assert ": gone:" not in answer.out
    assert "shown: all but stale, as --staged changes the law" in answer.out


def test_a_change_of_the_law_alone_does_not_speak_of_stale(committed: Tool) -> None:
    committed.write({"shop/store.py": ""})
    commit(committed)
    law = (committed.root / "abutment.toml").read_text(encoding="utf-8")
    committed.write({"abutment.toml": f"{law}\n"})
    assert committed("check").status == 1
    assert committed("check", "--changed", "main").status == 0


def test_staged_shows_what_touches_the_index(committed: Tool) -> None:
    committed.write({"shop/core.py": UPWARD, "shop/late.py": "import shop.gone\n"})
    assert committed("check", "--staged").status == 0
    git(committed.root, "add", "shop/late.py")
    answer = committed("check", "--staged")
    assert answer.status == 1
    assert "shop/late.py:1: ABT101" in answer.out
    assert "shop/core.py" not in answer.out


@pytest.mark.parametrize("form", ["text", "json", "sarif", "github", "gitlab", "junit", "markdown"])
def test_every_format_is_narrowed(committed: Tool, form: str) -> None:
    committed.write({"shop/core.py": UPWARD, "shop/late.py": "import shop.gone\n"})
    git(committed.root, "add", "shop/late.py")
    answer = committed("check", "--staged", "--format", form)
    assert answer.status == 1
    assert "shop.gone" in answer.out
    assert "shop.core imports shop.web" not in answer.out


CHAIN = """\
roots = ["shop"]
gates = ["boundaries"]

[[contracts]]
id = "web-not-sql"
kind = "forbidden"
sources = ["shop.web"]
forbidden = ["sqlite3"]
indirect = true
"""


def test_a_chain_that_a_changed_file_closes_is_shown(tool: Tool) -> None:
    tool.write({"abutment.toml": CHAIN, "shop/store.py": ""})
    assert tool("init").status == 0
    repository(tool.root)
    tool.write({"shop/store.py": "import sqlite3\n"})
    answer = tool("check", "--changed", "main")
    assert answer.status == 1
    assert "shop/web.py:1: ABT302 boundaries: new: shop.web reaches sqlite3 through other modules" in answer.out


@pytest.mark.parametrize(
    ("before", "after", "gone", "shown"),
    [
        # The place of what is wrong is a file that nobody touched.
        ({"shop/late.py": "", "shop/core.py": "import shop.late\n"}, {}, ["shop/late.py"], "shop/core.py:1: ABT101"),
        ({"shop/late.py": "", "shop/core.py": "from . import late\n"}, {}, ["shop/late.py"], "shop/core.py:1: ABT106"),
        (
            {"shop/late.py": "X = 1\n", "shop/core.py": "from shop.late import X\n"},
            {"shop/late.py": "Y = 1\n"},
            [],
            "shop/core.py:1: ABT106",
        ),
        ({"shop/late.py": ""}, {"shop/late/__init__.py": ""}, [], "shop/late.py: ABT103"),
    ],
)
def test_what_a_change_breaks_elsewhere_is_shown(
    tool: Tool, before: dict[str, str], after: dict[str, str], gone: list[str], shown: str
) -> None:
    tool.write({"abutment.toml": 'roots = ["shop"]\ngates = ["blindspots"]\n', **before})
    assert tool("init").status == 0
    repository(tool.root)
    tool.write(after)
    for path in gone:
        (tool.root / path).unlink()
    answer = tool("check", "--changed", "main")
    assert answer.status == 1, answer.out
    assert answer.out.startswith(shown)


WHOLE = """\
roots = ["shop"]
gates = ["boundaries"]

[[contracts]]
id = "no-legacy"
kind = "absent_path"
paths = ["shop/legacy"]

[[contracts]]
id = "parts"
kind = "layers"
containers = ["shop"]
layers = ["web", "core", "store"]
exhaustive = true

[[contracts]]
id = "core-uses-store"
kind = "must_depend_on"
modules = ["shop.core"]
must = ["shop.store"]
"""


@pytest.mark.parametrize(
    ("after", "shown"),
    [
        ({"shop/legacy/code.txt": ""}, "shop/legacy: ABT311"),
        ({"shop/parts/one.py": "", "shop/parts/__init__.py": ""}, "shop/parts/__init__.py: ABT301"),
        ({"shop/parts/one.py": ""}, "shop/parts: ABT301"),  # a folder without __init__
        ({"shop/core/deep.py": ""}, "shop/core/__init__.py: ABT307"),
    ],
)
def test_a_folder_or_a_package_is_touched_by_what_lies_below(tool: Tool, after: dict[str, str], shown: str) -> None:
    (tool.root / "shop/core.py").unlink()
    tool.write(
        {
            "abutment.toml": WHOLE,
            "shop/core/__init__.py": "",
            "shop/core/deep.py": "import shop.store\n",
            "shop/store.py": "",
        }
    )
    assert tool("init").status == 0
    repository(tool.root)
    tool.write(after)
    answer = tool("check", "--changed", "main")
    assert answer.status == 1, answer.out
    assert answer.out.startswith(shown)


@pytest.mark.parametrize("words", [("--changed", "nowhere"), ("--changed", "--output")])
def test_an_unknown_revision_is_2(committed: Tool, words: tuple[str, ...]) -> None:
    answer = committed("check", *words)
    assert answer.status == 2
    assert "nowhere" in answer.out or "--output" in answer.err + answer.out


@pytest.mark.parametrize("words", [("--staged",), ("--changed", "main")])
def test_without_a_repository_it_is_2(recorded: Tool, words: tuple[str, ...]) -> None:
    answer = recorded("check", *words)
    assert answer.status == 2
    assert "repository" in answer.out


def test_the_two_exclude_each_other(committed: Tool) -> None:
    answer = committed("check", "--staged", "--changed", "main")
    assert answer.status == 2
    assert "exclude each other" in answer.err
