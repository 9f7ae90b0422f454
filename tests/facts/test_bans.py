from __future__ import annotations

import pytest

from abutment.gates.bans import GATE
from tests.families import Text, found, scanned

PRINT, NOW, ENVIRON = "builtins.print", "datetime.datetime.now", "os.environ"


def uses(text: Text, *names: str, **rule: object) -> list[str]:
    return found(GATE, text, rules=[{"id": "r", "names": list(names), **rule}])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("print('')", ["1 call builtins.print"]),
        ("import builtins\nbuiltins.print('')", ["2 call builtins.print"]),
        ("say = print\nsay('')", ["1 read builtins.print", "2 call builtins.print"]),
        ("map(print, [])", ["1 read builtins.print"]),
        ("def print(x): ...\nprint('')", []),
        ("def f(print): print('')", []),
        ("from rich import print\nprint('')", []),
        ("self.print('')", []),
        ("'print()'  # print()", []),
    ],
)
def test_a_builtin_is_told_from_its_namesakes(text: str, expected: list[str]) -> None:
    assert uses(text, PRINT) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("import datetime\ndatetime.datetime.now()", ["2 call datetime.datetime.now"]),
        ("from datetime import datetime as dt\ndt.now()", ["2 call datetime.datetime.now"]),
        ("from datetime import datetime\nnow = datetime.now\nnow()",
         ["2 read datetime.datetime.now", "3 call datetime.datetime.now"]),
        ("from datetime import datetime\ndatetime.utcnow()", []),
        ("from datetime import date\ndate.today()", []),
        ("from pendulum import datetime\ndatetime.now()", []),
    ],
)  # fmt: skip
def test_a_method_of_a_class(text: str, expected: list[str]) -> None:
    assert uses(text, NOW) == expected


OF_INSTANCES = """\
from datetime import datetime
from vendor import clock
def annotated(d: datetime): return d.now()
def of_class(d: datetime): return type(d).now()
def of_own_class(d: "datetime | None" = None): return d.__class__.now()
class Own(datetime):
    def run(self): return self.now()
    @classmethod
    def make(cls): return cls.now()
datetime(1, 1, 1).now()
Own(1, 1, 1).now()
def other(c: clock): return c.now(), type(c).now()
clock().now()
clock.now
clock().now().second
clock.make().now()
clock.make.now()
class Ours:
    def now(self): pass
Ours().now()
"""


@pytest.mark.parametrize(
    ("name", "lines"),
    [
        (NOW, [3, 4, 5, 7, 9, 10, 11]),
        ("vendor.clock.now", [12, 12, 13, 14, 15]),  # a class by being asked for what an instance of it has
        ("vendor.clock.make", [16, 17]),  # and not what a method gives
    ],
)
def test_a_method_of_a_class_that_is_spelt_like_a_function(name: str, lines: list[int]) -> None:
    assert [int(one.split()[0]) for one in uses(OF_INSTANCES, name) if f" {name}" in one] == lines


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("import os\nos.environ['A']", ["2 read os.environ"]),
        ("import os\nos.environ.get('A')", ["2 call os.environ"]),
        ("from os import environ as e\nx = e['A']", ["2 read os.environ"]),
        ("import os\nos.environ['A'] = ''", ["2 set os.environ"]),
        ("import os\ndel os.environ['A']", ["2 erase os.environ"]),
        ("import os\nos.getenv('A')", []),
    ],
)
def test_what_is_read_changed_or_asked(text: str, expected: list[str]) -> None:
    assert uses(text, ENVIRON) == expected


def test_a_decorator_is_a_use() -> None:
    assert "2 decorate functools.cache" in uses("from functools import cache\n@cache\ndef f(): ...", "functools.cache")


def test_a_rule_holds_where_it_says() -> None:
    files = {"app/__init__.py": "", "app/cli.py": "print('')", "app/core.py": "print('')", "tools.py": "print('')"}
    one = ["1 call builtins.print"]
    assert uses(files, PRINT) == one * 3
    assert uses(files, PRINT, **{"in": ["app"]}) == one * 2
    assert uses(files, PRINT, **{"in": ["app"], "except": ["app.cli"]}) == one
    assert uses(files, PRINT, **{"except": ["app", "tools"]}) == []


def test_the_way_through_ones_own_modules_is_the_same_thing() -> None:
    files = {"clock.py": "from datetime import datetime\nnow = datetime.now", "m.py": "from clock import now\nnow()"}
    assert "2 call datetime.datetime.now" in uses(files, NOW)


def test_a_function_of_the_codebase_can_be_banned() -> None:
    files = {"old.py": "def fetch(): ...", "m.py": "from old import fetch as f\nf()"}
    assert uses(files, "old.fetch")[-1] == "2 call old.fetch"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("settings = make()\nprint(settings.debug)", ["3 read m.settings"]),
        ("settings = make()\ndef f(): settings['a'] = 1", ["3 set m.settings"]),
        ("settings = make()\nsettings.debug = 1", ["3 set m.settings"]),
        ("settings = make()\ndel settings.debug", ["3 erase m.settings"]),
        ("settings = None\ndef f():\n    global settings\n    settings = make()\n    settings.load()",
         ["6 call m.settings"]),
        ("settings = make()\ndef f(settings): settings.load()", []),
        ("class settings:\n    debug = 1\n    x = debug", []),
        ("settings = make()\nclass C:\n    settings = make()\n    settings.load()", []),
    ],
)  # fmt: skip
def test_a_variable_is_found_by_its_name_in_its_own_module(text: str, expected: list[str]) -> None:
    assert uses({"m.py": f"from elsewhere import make\n{text}"}, "m.settings") == expected


STATE = "from client import Client\nsession = Client()\nlimit = 3\n"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("import state\nstate.session.get()", ["2 call state.session"]),
        ("from state import session as s\ns.get()", ["2 call state.session"]),
        ("import state\nprint(state.limit)", ["2 read state.limit"]),
        ("import state\nstate.session = None", ["2 set state.session"]),
        ("import state\nclass App:\n    def __init__(self): self.s = state.session\napp = App()\napp.s.get()",
         ["3 read state.session", "5 call state.session"]),
        ("from client import Client\nClient().get()", []),  # another instance
        ("import state\nx = state.session.get()\nx.more()", ["2 call state.session"]),  # not what a call gave
    ],
)  # fmt: skip
def test_a_variable_of_the_codebase_can_be_banned_whatever_it_holds(text: str, expected: list[str]) -> None:
    files = {"state.py": STATE, "client.py": "class Client:\n    def get(self): ...\n", "m.py": text}
    facts = scanned(GATE, files, rules=[{"id": "r", "names": ["state.session", "state.limit"]}])
    assert [f"{one.site.line} {one.verb} {one.target}" for one in facts if one.module == "m"] == expected


def test_an_attribute_of_a_class_of_the_codebase_can_be_banned() -> None:
    text = "class App:\n    def __init__(self): self.data = {}\ndef f(app: App):\n    app.data.get('x')\n"
    assert uses(text, "m.App.data") == ["4 call m.App.data"]


def test_two_rules_see_the_same_use() -> None:
    rules = [{"id": "a", "names": [PRINT]}, {"id": "b", "names": [PRINT]}]
    assert found(GATE, "print('')", rules=rules) == ["1 call builtins.print"] * 2
