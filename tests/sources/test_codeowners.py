"""The owners of a file are those that the forge would ask."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from abutment.errors import NotJudged
from abutment.sources.codeowners import load_codeowners, parse_codeowners, repository_owners
from abutment.sources.memory_tree import MemoryTree


@pytest.mark.parametrize(
    ("pattern", "path", "matches"),
    [
        ("*", "a/b.py", True),
        ("*.py", "a/b.py", True),
        ("*.py", "a/b.pyi", False),
        ("/a/", "a/b/c.py", True),
        ("/a/", "x/a/c.py", False),
        ("a/", "x/a/c.py", True),
        ("a/", "a", False),  # a file of that name is no folder
        ("/a", "a/b.py", True),
        ("/a", "ab.py", False),
        ("a", "x/a/b.py", True),
        ("docs/*", "docs/x.py", True),
        ("docs/*", "docs/deep/x.py", False),  # unlike .gitignore
        ("docs/*/", "docs/deep/x.py", True),
        ("docs/**", "docs/deep/x.py", True),
        ("docs/**/x.py", "docs/x.py", True),
        ("**/logs", "a/b/logs/x.py", True),
        ("/**/x.py", "x.py", True),
        ("a/b", "x/a/b", False),
        ("a?c.py", "abc.py", True),
        ("a?c.py", "a/c.py", False),
        ("a.b", "axb", False),
        ("with\\ blank.py", "with blank.py", True),
        ("[ab].py", "a.py", False),
        ("!a.py", "a.py", False),
    ],
)
def test_patterns_mean_what_the_forge_says(pattern: str, path: str, matches: bool) -> None:
    assert bool(parse_codeowners(f"{pattern} @x").of(path)) == matches


def test_the_last_match_wins_and_no_owners_clear() -> None:
    owners = parse_codeowners(
        "\ufeff# owners\r\n"
        "*        @all a@b.example  # inline\n"
        "\n"
        "/src/    @src @org/team\n"
        "/src/gen/\n"
        "/src/gen/mine.py @me @me\n"
    )
    assert owners.of("x.py") == ("@all", "a@b.example")
    assert owners.of("src/x.py") == ("@src", "@org/team")
    assert owners.of("src/gen/x.py") == ()
    assert owners.of("src/gen/mine.py") == ("@me",)
    assert owners.of("src/gen/mine.py") == ("@me",)


@pytest.mark.parametrize(
    ("line", "owners"),
    [
        ("*.py @a @org/team a@b.example", ("@a", "@org/team", "a@b.example")),
        ("*.py team", ("@all",)),  # GitHub skips the whole line
        ("*.py @a team", ("@all",)),
        ("*.py @", ("@all",)),
        ("*.py a@", ("@all",)),
        ("*.py a@b@c", ("@all",)),
        ("*.py @@developer", ("@@developer",)),  # GitLab: everybody of that role
        ("*.py # nobody", ()),
    ],
)
def test_a_line_with_a_word_that_is_no_owner_says_nothing(line: str, owners: tuple[str, ...]) -> None:
    assert parse_codeowners(f"* @all\n{line}\n").of("a.py") == owners


def test_sections_are_asked_one_by_one() -> None:
    owners = parse_codeowners(
        "* @all\n"
        "[Docs][2] @writers @more\n"
        "*.md\n"
        "/special.md @special\n"
        "^[Database]\n"
        "*.sql @db\n"
        "x.md @db @all\n"
        "[docs]\n"
        "late.md @late\n"
    )
    assert owners.of("a.md") == ("@all", "@writers", "@more")
    assert owners.of("special.md") == ("@all", "@special")
    assert owners.of("x.md") == ("@all", "@writers", "@more", "@db")
    assert owners.of("late.md") == ("@all", "@late")
    assert owners.of("a.py") == ("@all",)


@pytest.mark.parametrize(
    ("files", "owner"),
    [
        ({".github/CODEOWNERS": "* @github", "CODEOWNERS": "* @top"}, "@github"),
        ({"CODEOWNERS": "* @top", "docs/CODEOWNERS": "* @docs"}, "@top"),
        ({"docs/CODEOWNERS": "* @docs", ".gitlab/CODEOWNERS": "* @gitlab"}, "@docs"),
        ({".gitlab/CODEOWNERS": "* @gitlab"}, "@gitlab"),
    ],
)
def test_the_first_file_is_the_one_that_counts(files: dict[str, str], owner: str) -> None:
    assert load_codeowners(MemoryTree(files)).of("a.py") == (owner,)


@pytest.mark.parametrize(
    ("repository", "owners"), [(True, ("@pay",)), (False, ("@inner",))], ids=["repository", "no repository"]
)
def test_a_project_below_the_top_is_asked_about_from_the_top(
    tmp_path: Path, repository: bool, owners: tuple[str, ...]
) -> None:
    project = tmp_path / "services" / "pay"
    (project / "docs").mkdir(parents=True)
    (project / "docs" / "CODEOWNERS").write_text("* @inner\n")
    (tmp_path / "CODEOWNERS").write_text("* @all\n/services/pay/app/ @pay\n/app/ @other\n")
    if repository:
        (tmp_path / ".git").mkdir()
    assert repository_owners(project).of("app/x.py") == owners
    if repository:
        assert repository_owners(project).of("x.py") == ("@all",)
        assert repository_owners(tmp_path).of("app/x.py") == ("@other",)


def test_without_a_file_nobody_owns_anything() -> None:
    assert load_codeowners(MemoryTree({})).of("a.py") == ()


def test_bytes_that_are_no_text_do_not_stop_us() -> None:
    assert load_codeowners(MemoryTree({"CODEOWNERS": b"# \xe9\n* @a"})).of("a.py") == ("@a",)


def test_a_file_that_cannot_be_read_is_not_judged() -> None:
    class Shut(MemoryTree):
        def exists(self, path: str) -> bool:
            return True

    with pytest.raises(NotJudged):
        load_codeowners(Shut({}))


@pytest.mark.parametrize(
    ("pattern", "path"),
    [
        ("*a" * 30 + "b", "a" * 250),
        ("x/" + "**a?" * 20 + "b/y", f"x/{'a' * 250}/y"),
        ("**/a/" * 20 + "b", "a/" * 60 + "a"),
        ("**/*a*a*/" * 20 + "b", "aaaaaa/" * 60 + "a"),
    ],
)
def test_a_heap_of_wildcards_is_quick(pattern: str, path: str) -> None:
    began = time.process_time()
    assert parse_codeowners(f"{pattern} @us").of(path) == ()
    assert parse_codeowners(f"{pattern.replace('b', '*')} @us").of(path) == ("@us",)
    assert time.process_time() - began < 1
