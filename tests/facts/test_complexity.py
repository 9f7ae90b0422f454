"""Each function has its own figures, whatever stands in it and around it. Rated by ruff itself."""

from __future__ import annotations

from pathlib import Path

import pytest

from abutment.errors import NotJudged
from abutment.facts.complexity import scan_complexity
from abutment.sources.tools.place import program_of
from abutment.sources.tools.ruff import Ruff
from abutment.sources.tools.ruff_figures import BRANCHES, NESTING, Rating, batches, newest_python


@pytest.fixture
def rating(tmp_path: Path) -> Rating:
    ruff = Ruff((program_of("ruff", tmp_path),), tmp_path, 60)
    return Rating(ruff, newest_python(ruff), ((BRANCHES, 1), (NESTING, 1)))


def figures(rating: Rating, source: str | bytes, path: str = "m.py") -> dict[tuple[str, str], int]:
    """Return the figures above 1 by qualname and the word for what they rate."""
    data = source.encode() if isinstance(source, str) else source
    (rating.ruff.folder / path).write_bytes(data)
    words = {BRANCHES: "branches", NESTING: "depth"}
    found = scan_complexity({path: "m"}, rating, lambda one: (rating.ruff.folder / one).read_bytes())
    return {(one.qualname, words[one.rule]): one.figure for one in found}


CASES = [
    ("def f(a):\n    if a: pass\n", {("f", "branches"): 2}),
    ("def f(a):\n    if a:\n        if a: pass\n", {("f", "branches"): 3, ("f", "depth"): 2}),
    # a closure's branches are its own
    ("def f(a):\n    def g():\n        if a: pass\n    return g\n", {("f.<locals>.g", "branches"): 2}),
    # so is its depth, whatever stands around it
    (
        "def f(a):\n    if a:\n        def g():\n            if a: pass\n",
        {("f", "branches"): 2, ("f.<locals>.g", "branches"): 2},
    ),
    # blocks of a module are nobody's
    ("if a:\n    if b:\n        def f():\n            if a: pass\n", {("f", "branches"): 2}),
    ("if a:\n    if b:\n        def f(): pass\n", {}),
    ("class C:\n    if a:\n        def m(self):\n            if a: pass\n", {("C.m", "branches"): 2}),
    # a method of a local class
    (
        "def f(a):\n    class C:\n        @staticmethod\n        def m():\n            if a: pass\n    return C\n",
        {("f.<locals>.C.m", "branches"): 2},
    ),
    # under `match` and `except*`
    (
        "def f(a):\n    match a:\n        case 1:\n            def g():\n"
        "                while a:\n                    if a: pass\n",
        {("f", "branches"): 2, ("f.<locals>.g", "branches"): 3, ("f.<locals>.g", "depth"): 2},
    ),
    (
        "def f(a):\n    try:\n        a()\n    except* ValueError:\n        async def g():\n            if a: pass\n",
        {("f", "branches"): 2, ("f.<locals>.g", "branches"): 2},
    ),
    # redefinitions are numbered in their order
    (
        "def f(a):\n    if a: pass\ndef f(a):\n    if a: pass\n    if a: pass\n",
        {("f", "branches"): 2, ("f#2", "branches"): 3},
    ),
    # the deepest place counts
    (
        "def f(a):\n    if a:\n        if a:\n            if a: pass\n    if a:\n        if a: pass\n",
        {("f", "branches"): 6, ("f", "depth"): 3},
    ),
    # depth goes apart from branches: `with` is a block and no branch
    ("def f(a):\n    with a:\n        with a: pass\n", {("f", "depth"): 2}),
    # what is bound around a function is not lost with it
    (
        "def f(a):\n    x = 1\n    if a:\n        def g():\n            nonlocal x\n"
        "            if a:\n                if a: x = 2\n",
        {("f", "branches"): 2, ("f.<locals>.g", "branches"): 3, ("f.<locals>.g", "depth"): 2},
    ),
    # decorators, comments, blank lines and texts of any kind inside of a function
    (
        "def f(a):\n    @a\n    @a(lambda: 1)\n    # why\n\n    def g():\n"
        '        """\nno indent\n        """\n        if a: pass\n    return g\n',
        {("f.<locals>.g", "branches"): 2},
    ),
    ("def f(a):\n\tdef g():\n\t\tif a: pass\n\tif a: pass\n", {("f", "branches"): 2, ("f.<locals>.g", "branches"): 2}),
    ("def \\\n  f(a):\n    if a: pass\n", {("f", "branches"): 2}),
    ("class C:\n    @property\n    def f(self): return 1 if self else 2\n", {}),
]


@pytest.mark.parametrize(("source", "expected"), CASES)
def test_a_function_has_its_own_figures(rating: Rating, source: str, expected: dict[tuple[str, str], int]) -> None:
    assert figures(rating, source) == expected
    for ends in ("\r\n", "\r"):
        assert figures(rating, source.replace("\n", ends)) == expected
    assert figures(rating, b"\xef\xbb\xbf" + source.encode()) == expected


@pytest.mark.parametrize(
    "text",
    [
        "def f(a):\n    if a: pass  # noqa: C901\n",
        "# ruff: noqa\ndef f(a):  # noqa\n    if a: pass\n",
        "# ruff: noqa: C901\n# flake8: noqa\ndef f(a):\n    if a: pass\n",
        "def f(a):  # ruff: ignore[C901]\n    if a: pass\n",
    ],
)
def test_no_comment_hides_a_figure(rating: Rating, text: str) -> None:
    assert figures(rating, text) == {("f", "branches"): 2}


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("ruff.toml", 'exclude = ["*"]\n[lint]\nignore = ["C901"]\n'),
        (".ruff.toml", "[lint.mccabe]\nmax-complexity = 99\n"),
        ("pyproject.toml", '[tool.ruff]\nextend-exclude = ["m.py"]\nforce-exclude = true\n'),
        ("ruff.toml", "no toml ["),
        (".gitignore", "*\n"),
        (".ignore", "*.py\n"),
    ],
)
def test_no_file_hides_a_figure(rating: Rating, name: str, text: str) -> None:
    (rating.ruff.folder / ".git").mkdir()
    (rating.ruff.folder / name).write_text(text, encoding="utf-8")
    assert figures(rating, "def f(a):\n    if a: pass\n") == {("f", "branches"): 2}


def test_formatting_comments_and_docstrings_change_no_figure(rating: Rating) -> None:
    bare = "def f(a):\n    if a: return 1\n    return 2\n"
    dressed = (
        'def f(\n    a,\n):\n    """Say."""\n\n    # why\n    if (\n        a\n    ):\n        return 1\n    return 2\n'
    )
    assert figures(rating, bare) == figures(rating, dressed)


@pytest.mark.parametrize("path", ["-m.py", "--fix.py", "with space.py", "ä.py"])
def test_a_file_of_any_name_is_rated(rating: Rating, path: str) -> None:
    assert figures(rating, "def f(a):\n    if a: pass\n", path) == {("f", "branches"): 2}


@pytest.mark.parametrize("data", [b"def f(:\n", b"x = '\xff'\n"])
def test_a_file_that_cannot_be_read_is_not_judged(rating: Rating, data: bytes) -> None:
    with pytest.raises(NotJudged, match=r"m\.py"):
        figures(rating, data)


def test_a_file_that_is_not_there_is_not_judged(rating: Rating) -> None:
    with pytest.raises(NotJudged, match=r"gone\.py"):
        list(scan_complexity({"gone.py": "gone"}, rating, lambda _path: b""))


def test_a_row_that_is_about_no_function_is_not_judged(rating: Rating) -> None:
    (rating.ruff.folder / "m.py").write_text("def f(a):\n    if a: pass\n", encoding="utf-8")
    with pytest.raises(NotJudged, match="no function of that name"):
        list(scan_complexity({"m.py": "m"}, rating, lambda _path: b"def g(a):\n    if a: pass\n"))


def test_nothing_is_written_into_the_tree(rating: Rating) -> None:
    figures(rating, CASES[3][0])
    assert [path.name for path in rating.ruff.folder.iterdir()] == ["m.py"]


def test_long_lists_of_files_go_in_parts() -> None:
    paths = [f"src/{number:05}/module.py" for number in range(5_000)]
    parts = list(batches(paths))
    assert [path for part in parts for path in part] == paths
    assert max(sum(len(path) + 1 for path in part) for part in parts) <= 24_000 + 1
    assert list(batches([])) == []
    assert list(batches(["x" * 30_000])) == [("x" * 30_000,)]
