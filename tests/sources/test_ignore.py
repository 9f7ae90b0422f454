"""Ignore patterns mean what git says they mean."""

from __future__ import annotations

import subprocess
import time
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pathspec import GitIgnoreSpec, RegexPattern

from abutment.sources.ignore import BadPattern, IgnoreFile, check_pattern, decoded_lines, is_ignored, without_retries


@pytest.mark.parametrize(
    ("lines", "path", "directory", "expected"),
    [
        (["*.py"], "a/b.py", False, True),
        (["*.py"], "a/b.txt", False, None),
        (["build/"], "a/build", True, True),
        (["build/"], "a/build", False, None),  # a file of that name
        (["/build"], "build", False, True),
        (["/build"], "a/build", False, None),
        (["a/*.py"], "a/b.py", False, True),
        (["a/*.py"], "x/a/b.py", False, None),
        (["**/gen/*.py"], "x/gen/b.py", False, True),
        (["*.py", "!keep.py"], "a/keep.py", False, False),
        (["!keep.py", "*.py"], "a/keep.py", False, True),
        (["/a/b.py", "!b.py"], "a/b.py", False, False),  # names and places are one list
        (["!b.py", "/a/b.py"], "a/b.py", False, True),
        (["# a comment", "", "   "], "a", False, None),
        (["\\#odd.py"], "#odd.py", False, True),
        (["x.py\r"], "x.py", False, True),
        (["!", "\\", "[z-a]", "x.py"], "x.py", False, True),  # what is no pattern does not stop the others
    ],
)
def test_the_last_pattern_that_speaks_decides(
    lines: list[str], path: str, directory: bool, expected: bool | None
) -> None:
    assert IgnoreFile(lines).decide(path, directory=directory) is expected


def test_patterns_count_from_their_own_folder() -> None:
    file = IgnoreFile(["/gen.py"], base="pkg")
    assert file.decide("pkg/gen.py", directory=False) is True
    assert file.decide("pkg/sub/gen.py", directory=False) is None


def test_a_file_above_the_root_sees_the_whole_way() -> None:
    file = IgnoreFile(["/services/a/gen.py", "tmp.py"], above="services/a")
    assert file.decide("gen.py", directory=False) is True
    assert file.decide("x/gen.py", directory=False) is None
    assert file.decide("x/tmp.py", directory=False) is True


def test_the_nearest_file_that_speaks_decides() -> None:
    files = [IgnoreFile(["*.py"]), IgnoreFile(["!keep.py"], base="pkg")]
    assert not is_ignored(files, "pkg/keep.py", directory=False)
    assert is_ignored(files, "pkg/other.py", directory=False)
    assert not is_ignored([], "pkg/other.py", directory=False)


@pytest.mark.parametrize("line", ["", "  ", "# note", "!", "\\", "[z-a]", "/"])
def test_what_can_match_nothing_is_no_pattern(line: str) -> None:
    with pytest.raises(BadPattern):
        check_pattern(line)


@pytest.mark.parametrize("line", ["*.py", "gen/", "!keep.py", "a/**/b", "x[0-9].py"])
def test_what_can_match_is_a_pattern(line: str) -> None:
    check_pattern(line)


def test_any_bytes_can_be_lines() -> None:
    assert decoded_lines(b"\xef\xbb\xbfa\r\nb") == ["a\r", "b"]
    assert IgnoreFile(decoded_lines(b"\xe9.py")).decide("\udce9.py", directory=False) is True


_PARTS = st.sampled_from(["a", "b", "gen", "x.py", "y.py"])
_PATTERNS = st.builds(
    lambda negated, start, parts, end: negated + start + "/".join(parts) + end,
    st.sampled_from(["", "", "!"]),
    st.sampled_from(["", "/", "**/"]),
    st.lists(
        st.sampled_from(["a", "b", "gen", "*.py", "x.*", "?.py", "*", "**", "[ab]", "[!a]"]), min_size=1, max_size=3
    ),
    st.sampled_from(["", "", "/"]),
)

# Heaps of stars (`**/*/**/`), which nobody writes, are where pathspec and git part.
_WRITTEN = _PATTERNS.filter(lambda pattern: "*/**" not in pattern and "**/*/" not in pattern + "/")


@settings(max_examples=60, derandomize=True, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    top=st.lists(_WRITTEN, max_size=4),
    nested=st.lists(_WRITTEN, max_size=3),
    paths=st.lists(st.lists(_PARTS, min_size=1, max_size=3).map("/".join), min_size=3, max_size=8, unique=True),
)
def test_git_ignores_the_same_paths(
    tmp_path_factory: pytest.TempPathFactory, top: list[str], nested: list[str], paths: list[str]
) -> None:
    root = tmp_path_factory.mktemp("repository")
    subprocess.run(["git", "init", "-q", str(root)], check=True)
    files = [path for path in paths if path != "a" and not any(other.startswith(path + "/") for other in paths)]
    for path in files:
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text("")
    (root / ".gitignore").write_text("\n".join(top) + "\n")
    (root / "a").mkdir(exist_ok=True)
    (root / "a" / ".gitignore").write_text("\n".join(nested) + "\n")
    answered = subprocess.run(
        ["git", "check-ignore", "--stdin", "--no-index"],
        cwd=root,
        input="\n".join(files),
        capture_output=True,
        text=True,
        check=False,
    )
    ours = {path for path in files if _ignored([IgnoreFile(top), IgnoreFile(nested, base="a")], root, path)}
    assert ours == set(answered.stdout.split("\n")) - {""}


def _ignored(files: list[IgnoreFile], root: Path, path: str) -> bool:
    """Ask from the top down, as the walk does."""
    parts = path.split("/")
    for depth in range(1, len(parts) + 1):
        known = files if parts[0] == "a" and depth > 1 else files[:1]
        at = "/".join(parts[:depth])
        if is_ignored(known, at, directory=(root / at).is_dir()):
            return True
    return False


@pytest.mark.parametrize(
    ("pattern", "path"),
    [
        ("*a" * 30 + "b", "a" * 250),
        ("*[a]" * 30 + "b", "a" * 250),
        ("*?" * 30 + "b", "a" * 250),
        ("***a" * 30 + "b", "a" * 250),
        ("x/" + "*a" * 30 + "b/y", f"x/{'a' * 250}/y"),
        ("**/a/" * 20 + "b", "a/" * 60 + "a"),
        ("**/*a*a*/" * 20 + "b", "aaaaaa/" * 60 + "a"),
    ],
)
def test_a_heap_of_wildcards_is_quick(pattern: str, path: str) -> None:
    began = time.process_time()
    assert IgnoreFile([pattern]).decide(path, directory=False) is None
    assert IgnoreFile([pattern.replace("b", "*")]).decide(path, directory=False) is True
    assert time.process_time() - began < 1


_PIECES = st.sampled_from(["*", "**", "***", "?", "a", "b", ".", "[ab]", "\\*", "/", "/**/", "**/"])
_LETTERS = st.text("ab.*", min_size=1, max_size=4)


@settings(max_examples=400, derandomize=True, deadline=None)
@given(
    line=st.lists(_PIECES, min_size=1, max_size=9).map("".join),
    path=st.lists(_LETTERS, min_size=1, max_size=5).map("/".join),
    directory=st.booleans(),
)
def test_a_quick_expression_means_what_the_plain_one_does(line: str, path: str, directory: bool) -> None:
    try:
        (plain,) = GitIgnoreSpec.from_lines([line]).patterns
    except ValueError:
        return
    assert isinstance(plain, RegexPattern)
    if plain.regex is None:
        return
    asked = path + "/" * directory
    slow, quick = (regex.search(asked) for regex in (plain.regex, without_retries(plain.regex)))
    assert (slow and slow.end() == len(asked)) == (quick and quick.end() == len(asked))


def test_a_bracket_stays_within_a_name() -> None:
    assert IgnoreFile(["/x[!a]y"]).decide("x/y", directory=False) is None
    assert IgnoreFile(["/x[!a]y"]).decide("xby", directory=False) is True
