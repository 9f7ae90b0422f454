"""What runs when a module is merely imported, and which classes stand below others."""

from __future__ import annotations

from pathlib import Path

import pytest

from abutment.semantics.build import build_program
from abutment.semantics.cache import Cache
from abutment.sources.discovery import discover
from abutment.sources.memory_tree import MemoryTree
from abutment.sources.universe import Root
from tests.uses import uses_of


def ran(text: str, **others: str) -> list[str]:
    files = {"m.py": text, **{f"{name}.py": other for name, other in others.items()}}
    return [
        " ".join((f"{one.start.line}", *(call.function for call in one.calls), one.name))
        for one in uses_of(files).at_import(["os"])
        if one.module == "m"
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("import os\nos.go()", ["2 os"]),
        ("import os\nclass C:\n    x = os.go()", ["3 os"]),
        ("import os\ndef f(x=os.go()): pass", ["2 os"]),
        ("import os\ndef f(): os.go()", []),
        ("import os\nasync def f(): os.go()\nf()", []),  # a coroutine that nobody awaits
        ("import os\ndef f():\n    os.go()\n    yield\nf()", []),  # a generator that nobody asks
        ("import os\ndef f(): os.go()\nf()", ["3 m.f os"]),
        ("import os\ndef f(): os.go()\ndef g(): f()\ng()", ["4 m.g m.f os"]),
        ("import os\ndef f(n):\n    os.go()\n    f(n - 1)\nf(3)", ["5 m.f os"]),  # each function once
        ("import os\ndef f(): os.go()\nmap(f, [])\nh = f", []),  # handed on, not called
        ("import os\n(lambda: os.go())()", ["2 m.<lambda> os"]),
        ("import os\nx = lambda: os.go()", []),
        ("import os\ndef d(f):\n    os.go()\n    return f\n@d\ndef g(): pass", ["5 m.d os"]),
        ("import os\nclass C:\n    def __init__(self): os.go()\nC()", ["4 m.C.__init__ os"]),
        ("import os\nclass B:\n    def __init__(self): os.go()\nclass C(B): pass\nC()", ["5 m.B.__init__ os"]),
        ("import os\nclass B:\n    def __init__(self): os.go()\nclass C(B):\n    def __init__(self): pass\nC()", []),
        ("import os\nclass C:\n    def __call__(self): os.go()\nc = C()\nc()", ["5 m.C.__call__ os"]),
        ("import os\nclass C:\n    def m(self): os.go()\nC().m()", ["4 m.C.m os"]),
        ("import os\nclass C:\n    @classmethod\n    def m(cls): os.go()\nC.m()", ["5 m.C.m os"]),
        ("import os\nif __name__ == '__main__':\n    os.go()", []),
        ("import os\nif __name__ == '__main__':\n    pass\nelse:\n    os.go()", ["5 os"]),
        ("import os\nfrom typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    os.go()", []),
        ("import os\ntry:\n    import json\nexcept ImportError:\n    os.go()", ["5 os"]),  # may run
        ("import os\nkept = (os.go(x) for x in ())", []),
        ("import os, far\n@far.task\ndef f(): os.go()\nf()", []),  # what `task` made of it is not known
        ("import os, functools\n@functools.cache\ndef f(): os.go()\nf()", ["4 m.f os"]),
        (
            "import os\nfrom contextlib import contextmanager\n@contextmanager\ndef f():\n    os.go()\n    yield\n"
            "with f(): pass",
            ["7 m.f os"],
        ),
        ("import os\nos.x = 1\nos.y['a'] = 1\ndel os.z['a']", ["2 os", "3 os", "3 os", "4 os", "4 os"]),
    ],
)
def test_an_import_runs_the_modules_code_and_what_that_calls(text: str, expected: list[str]) -> None:
    assert ran(text) == expected


def test_calls_are_followed_into_other_modules_and_told_step_by_step() -> None:
    files = {
        "a.py": "import b\nb.start()",
        "b.py": "import c\ndef start():\n    c.C().go()",
        "c.py": "import os\nclass C:\n    def go(self):\n        os.fork()",
    }
    (one,) = uses_of(files).at_import(["os.fork"])
    assert (one.module, one.start.place(), one.use.site.place()) == ("a", "a.py:2", "c.py:4")
    assert [(call.function, call.module, call.site.place()) for call in one.calls] == [
        ("b.start", "a", "a.py:2"),
        ("c.C.go", "b", "b.py:3"),
    ]


def test_what_decorators_of_other_modules_give_back_is_followed() -> None:
    decorators = {
        "n": "def keep(f): return f\ndef wrap(f): return lambda: f()\n",
        "o": "def named(x):\n    def inner(f):\n        return f\n    return inner\n",
    }
    text = "import os, n, o\n@{}\ndef f(): os.go()\nf()"
    assert ran(text.format("n.keep"), **decorators) == ["4 m.f os"]
    assert ran(text.format("o.named('x')"), **decorators) == ["4 m.f os"]
    assert ran(text.format("n.keep\n@o.named('x')"), **decorators) == ["5 m.f os"]
    assert ran(text.format("n.wrap"), **decorators) == []
    assert ran(text.format("n.wrap\n@n.keep"), **decorators) == []


def test_the_shortest_way_is_taken() -> None:
    text = "import os\ndef end(): os.go()\ndef long(): end()\ndef f():\n    long()\n    end()\nf()"
    assert ran(text) == ["7 m.f m.end os"]


def test_importing_another_module_is_that_modules_own_doing() -> None:
    assert ran("import n", n="import os\nos.go()") == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("import threading\nclass A(threading.Thread): pass", {"m.A": "threading.Thread"}),
        ("from threading import Thread as T\nclass A(T): pass\nclass B(A): pass", dict.fromkeys(("m.A", "m.B"))),
        ("import threading\nclass A: pass\nclass B(threading.Lock): pass", {}),
        ("import threading\ndef f():\n    class A(threading.Thread): pass", {"m.f.<locals>.A": None}),
    ],
)
def test_classes_below_another_are_found_with_the_nearest_one(text: str, expected: dict[str, str | None]) -> None:
    found = uses_of({"m.py": text}).subclasses(["threading.Thread"])
    assert dict(found) == dict.fromkeys(expected, "threading.Thread")


def test_a_change_of_a_watched_attribute_is_a_use_of_it() -> None:
    uses = uses_of({"m.py": "import sys\nsys.path = []\nsys.path += []\nsys.pathology = 1"})
    assert [(use.site.line, use.verb) for use, _ in uses.of(["sys.path"]) if use.verb == "set"] == [
        (2, "set"),
        (3, "set"),
    ]


def test_nothing_is_known_of_no_code() -> None:
    uses = uses_of({})
    assert (uses.at_import(["os"]), dict(uses.subclasses(["threading.Thread"]))) == ((), {})


def test_answers_on_the_shelf_are_the_answers(tmp_path: Path) -> None:
    files = {
        "a.py": "import b\nb.f()",
        "b.py": "import os, threading\nclass T(threading.Thread): pass\ndef f(): os.go()",
    }

    def asked() -> tuple[object, object]:
        tree = MemoryTree(files)
        uses = build_program(discover(tree, [Root(".")]), tree, cache=Cache(tmp_path, "1"), uses=True).uses
        return uses.at_import(["os"]), dict(uses.subclasses(["threading.Thread"]))

    fresh = asked()
    assert fresh == asked() == asked()
    assert fresh[1] == {"b.T": "threading.Thread"}


def test_what_an_import_brings_about_does_not_depend_on_earlier_questions() -> None:
    files = {"config.py": "import os\nlog = print\nplace = os\n", "m.py": "import config\nconfig.log(config.place)\n"}
    uses, others = uses_of(files), uses_of(files)
    others.of({"config.place"}, through=True)  # which says what arguments come by
    assert uses.at_import(["builtins.print"]) == others.at_import(["builtins.print"]) != ()
