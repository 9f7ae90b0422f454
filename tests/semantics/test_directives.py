"""Comments that speak to us: which are kept, with which line and scope, and through which ways of reading."""

from __future__ import annotations

from pathlib import Path

import pytest

from abutment.model.site import Site
from abutment.semantics.build import build_program
from abutment.semantics.cache import Cache
from abutment.semantics.program import Directive
from abutment.sources.discovery import discover
from abutment.sources.memory_tree import MemoryTree
from abutment.sources.universe import Root
from tests.families import program_of


def kept(text: str) -> list[str]:
    """Return each comment that speaks to us as `line scope text`."""
    return [f"{one.site.line} {one.site.scope} {one.text}" for one in program_of(text).directives]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("x = 1  # abutment: a word", ["1 <module> # abutment: a word"]),
        ("x = 1  #abutment:ignore", ["1 <module> #abutment:ignore"]),
        ("x = 1  # abutment ignore[A1]", ["1 <module> # abutment ignore[A1]"]),
        ("x = 1  # Abutment-ignore", ["1 <module> # Abutment-ignore"]),
        ("x = 1  # noqa: E501  # abutment: b", ["1 <module> # abutment: b"]),
        ("x = 1  # abutment: b  # noqa: E501", ["1 <module> # abutment: b  # noqa: E501"]),
        ("x = 1  # as `# abutment: b` says", []),
        ("x = 1  # abutment reads this", []),
        ("x = '# abutment: no comment'", []),
        ('"""\n# abutment: no comment\n"""', []),
        ("x = f'# abutment: {1}'", []),
        ("class C:\n  def m(self):\n    pass  # abutment: b", ["3 C.m # abutment: b"]),
        ("def f():\n  def g():\n    pass\n  pass  # abutment: b", ["4 f # abutment: b"]),
        ("def f():\n  def g():\n    pass  # abutment: b", ["3 f.<locals>.g # abutment: b"]),
        ("def f(x=g()):  # abutment: b\n  pass", ["1 <module> # abutment: b"]),
        ("def f(): pass  # abutment: b", ["1 f # abutment: b"]),
        ("x = 1\r\ny = 2  # abutment: b\r\n", ["2 <module> # abutment: b"]),
    ],
)
def test_a_comment_is_kept_with_its_line_and_scope(text: str, found: list[str]) -> None:
    assert kept(text) == found


@pytest.mark.parametrize("uses", [True, False])
def test_reading_for_imports_alone_keeps_the_same(uses: bool) -> None:
    tree = MemoryTree({"m.py": "class C:\n    def m(self):\n        x = 1  # abutment: b\n"})
    program = build_program(discover(tree, [Root(".")]), tree, uses=uses)
    assert program.directives == (Directive("m", "# abutment: b", Site("m.py", 3, scope="C.m")),)


def test_a_cached_program_has_them_too(tmp_path: Path) -> None:
    files = {"a.py": "x = 1  # abutment: a\n", "b.py": "import a  # abutment: b\n"}
    for text in (files["b.py"], files["b.py"], "\nimport a  # abutment: c\n"):
        tree = MemoryTree({**files, "b.py": text})
        universe = discover(tree, [Root(".")])
        cached = build_program(universe, tree, cache=Cache(tmp_path, "1"))
        assert cached.directives == build_program(universe, tree).directives
        assert len(cached.directives) == 2


def test_a_stub_speaks_and_a_notebook_does_not() -> None:
    cell = '{"cells": [{"cell_type": "code", "source": ["x = 1  # abutment: b"]}]}'
    program = program_of({"a.pyi": "x: int  # abutment: b\n", "n.ipynb": cell, "c.py": "", "c.pyi": "# abutment: d"})
    assert [one.site.path for one in program.directives] == ["a.pyi"]
