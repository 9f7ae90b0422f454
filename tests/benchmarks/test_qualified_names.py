"""Does the comparison with LibCST find a difference where there is one, and excuse only what has a reason?"""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.evidence.qualified_names import (
    AGREED,
    ANOTHER,
    ASSIGNED,
    DECORATED,
    EXPORTED,
    EXTENSION,
    INHERITED,
    NOT_EVALUATED,
    OF_FUNCTION,
    OPEN,
    SET_FROM_OUTSIDE,
    UNEXPLAINED,
    UNREACHED,
    VARIABLE,
    Judge,
    Texts,
    compare_tree,
    named_calls,
)

TREE = {
    "p/__init__.py": "from p.a import f, C\n",
    "p/a.py": "import httpx\ndef f(): pass\nf.g = f\nclass C(httpx.Client):\n    def m(self): pass\nv = httpx.get\n",
    "p/lazy.py": "def __getattr__(name): return name\n",
    "p/stars.py": "from httpx import *\n",
    "p/native.cpython-311-x86_64-linux-gnu.so": "",
    "p/stubbed.cpython-311-x86_64-linux-gnu.so": "",
    "p/stubbed.pyi": "def slow() -> None: ...\n",
}


@pytest.mark.parametrize(
    ("text", "reasons"),
    [
        ("import httpx\nhttpx.get()\n", [AGREED]),
        ("from httpx import get as g\ndef f():\n    g()\n", [AGREED]),
        ("def f(): pass\nlen(f())\n", [AGREED, AGREED]),
        ("def f(p):\n    q = p\n    p(), q()\n", [VARIABLE, VARIABLE]),
        ("import httpx as h\nh = 1\nimport httpx as h\nh.get()\n", [ANOTHER]),
        ("from httpx import get as h\nh = len\nh()\n", [ANOTHER]),
        ("from p import f\nf()\n", [EXPORTED]),
        ("from .a import v\nv()\n", [ASSIGNED]),
        ("from p import C\nC.get()\n", [INHERITED]),
        ("from p.a import f\nf.g()\n", [OF_FUNCTION]),
        ("def d(f):\n    def g(): pass\n    return g\n@d\ndef f(): pass\nf()\n", [DECORATED]),
        ("from p.lazy import x\nx()\n", [OPEN]),
        ("from p.stars import get\nget()\n", [EXPORTED]),
        ("import p.a\np.a.box = []\np.a.box.append(1)\n", [SET_FROM_OUTSIDE]),
        ("from p.native import fast\nfast()\n", [EXTENSION]),
        ("from p.stubbed import slow\nslow()\n", [AGREED]),
        ("def f():\n    return 1\n    len('')\n", [UNREACHED]),
        ("from __future__ import annotations\ndef f(p: len('')): pass\n", [NOT_EVALUATED]),
    ],
)
def test_a_call_has_the_reason_that_the_text_gives(tmp_path: Path, text: str, reasons: list[str]) -> None:
    write(tmp_path, {"p/b.py": text})
    comparison = compare_tree(tmp_path, "p")
    found = [
        reason
        for reason, places in comparison.found.items()
        for one in places
        if one.startswith("p/b.py") or reason in (AGREED, VARIABLE)
    ]
    assert sorted(found) == sorted(reasons)


def test_what_one_of_the_two_does_not_know_is_unexplained(tmp_path: Path) -> None:
    source = write(tmp_path, {"p/b.py": "import httpx\nhttpx.get()\n"})
    ((end, call),) = named_calls(source.read_bytes()).items()
    judge = Judge(Texts(tmp_path), "p.b")
    assert judge.reason(call, end, {"httpx.get"})[0] == AGREED
    assert judge.reason(call, end, None)[0] == UNEXPLAINED
    assert judge.reason(call, end, {"?"})[0] == UNEXPLAINED
    assert judge.reason(call, end, {"httpx.post"})[0] == UNEXPLAINED
    assert judge.reason(call, end, {"httpx.get", "httpx.post"})[0].startswith(UNEXPLAINED)


def write(folder: Path, files: dict[str, str]) -> Path:
    for path, text in {**TREE, **files}.items():
        (folder / path).parent.mkdir(exist_ok=True)
        (folder / path).write_text(text)
    return folder / next(iter(files))
