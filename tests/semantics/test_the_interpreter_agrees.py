"""Small programs of imports, run by the interpreter itself: what it loads must be among our rows."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from abutment.semantics.build import build_program
from abutment.semantics.program import Program
from abutment.sources.discovery import discover
from abutment.sources.memory_tree import MemoryTree
from abutment.sources.universe import Root

MODULES = {"p": "p/__init__.py", "p.a": "p/a.py", "p.b": "p/b.py", "p.s": "p/s/__init__.py", "p.s.x": "p/s/x.py"}

# Runs in a child: records at which line of which module an import statement ran, and what it loaded itself.
RECORDER = """
import builtins, json, sys
ran, loaded, nested = [], [], [set()]
real = builtins.__import__
def recording(name, globals=None, locals=None, fromlist=(), level=0):
    frame = sys._getframe(1)
    where = (frame.f_globals.get("__name__", ""), frame.f_lineno)
    before = {one for one in sys.modules if one.partition(".")[0] == "p"}
    nested.append(set())
    if where[0].partition(".")[0] == "p":
        ran.append(where)
    try:
        return real(name, globals, locals, fromlist, level)
    finally:
        new = {one for one in sys.modules if one.partition(".")[0] == "p"} - before
        inner = nested.pop()
        if where[0].partition(".")[0] == "p":
            loaded.extend((*where, one) for one in sorted(new - inner))
        nested[-1] |= new | inner
builtins.__import__ = recording
sys.path.insert(0, sys.argv[1])
for module in sys.argv[2:]:
    try:
        real(module)
    except Exception:
        pass
json.dump([ran, loaded], sys.stdout)
"""

targets = st.sampled_from(["p", "p.a", "p.b", "p.s", "p.s.x", "p.gone", "json"])
names = st.sampled_from(["a", "b", "s", "x", "A", "B", "X", "TC", "gone"])
bases = st.sampled_from([".", ".a", ".s", ".s.x", "..", "..a", "p", "p.a", "p.b", "p.s", "p.s.x", "...p"])
imports = st.one_of(
    st.builds("import {}".format, targets),
    st.builds("import {} as {}".format, targets, names),
    st.builds("from {} import {}".format, bases, names),
    st.builds("from {} import {} as {}".format, bases, names, names),
    st.builds("from {} import *".format, bases),
    st.builds("__import__({!r})".format, targets),
    st.builds("__import__({!r}, fromlist=[{!r}, '*'])".format, targets, names),
    st.builds("__import__({!r}, globals(), None, [{!r}], 1)".format, st.sampled_from(["", "a", "s"]), names),
)
tests = st.sampled_from(["TC", "not TC", "TC and A", "TC or A", "typing.TYPE_CHECKING", "not (TC or A)", "A", "True"])
others = st.sampled_from(
    [
        "A = 1",
        "TC = A = None",
        "import typing",
        "from typing import TYPE_CHECKING as TC",
        "__all__ = ['a', 's', 'A', 'x']",
        "__all__ = 'a x'.split() + ['b']",
        "X = TC = 1",
        "if A: from typing import TYPE_CHECKING as TC",
        "if TC: from .a import A as s, b",
        "def __getattr__(name): return {'A': 1}[name]",
    ]
)


@st.composite
def statements(draw: st.DrawFn) -> list[str]:
    kind = draw(st.integers(0, 9))
    if kind < 3:
        return [draw(others)]
    one = draw(imports)
    if kind < 6:
        return [f"try: {one}", "except (ImportError, AttributeError): pass"]
    body = f"    try: {one}", "    except Exception: pass"
    if "*" in one or kind < 9:
        return [
            f"if {draw(tests)}:",
            *body,
            "else:",
            f"    try: {draw(imports.filter(lambda text: '*' not in text))}",
            *body[1:],
        ]
    return ["def f():", *body, "f()"]


bodies = st.lists(statements(), max_size=4).map(lambda parts: "\n".join(line for part in parts for line in part))
PRELUDE = "import typing\nfrom typing import TYPE_CHECKING as TC\nA = B = 0\n"


def run(files: dict[str, str]) -> tuple[set[tuple[str, int]], set[tuple[str, int, str]]]:
    with tempfile.TemporaryDirectory() as folder:
        for path, text in files.items():
            place = Path(folder, path)
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(text)
        command = [sys.executable, "-I", "-S", "-B", "-c", RECORDER, folder, *MODULES]
        ran, loaded = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
    return {(module, line) for module, line in ran}, {(module, line, what) for module, line, what in loaded}


def rows(files: dict[str, str]) -> Program:
    tree = MemoryTree(files)
    return build_program(discover(tree, [Root(".")]), tree)


@settings(max_examples=80, derandomize=True, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.fixed_dictionaries(dict.fromkeys(MODULES.values(), bodies)))
def test_what_runs_is_no_type_only_import_and_what_loads_is_a_row(texts: dict[str, str]) -> None:
    files = {path: PRELUDE + text + "\n" for path, text in texts.items()}
    ran, loaded = run(files)
    found = list(rows(files).imports())
    type_only = {(one.importer, one.site.line) for one in found if one.when == "type_only"}
    assert not ran & type_only, files
    reached = {(one.importer, one.site.line, one.imported) for one in found}
    assert {one for one in loaded if one[0] != one[2]} <= reached, files
