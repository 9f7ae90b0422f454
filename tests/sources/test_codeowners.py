"""The owners of a file are those that the forge would ask."""

from __future__ import annotations

import pytest

from abutment.errors import NotJudged
from abutment.sources.codeowners import load_codeowners, parse_codeowners
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
