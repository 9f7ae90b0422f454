"""Does every task say whose it is? Short sources around a registry in a module of its own."""

from __future__ import annotations

import pytest

from abutment.facts.unproven import UNPROVEN
from abutment.gates.tasks import GATE
from tests.families import found, scanned

REGISTRY = """
class TaskRegistry:
    def create(self, coro, owner): self.create(coro)
    def register(self, coro, owner): pass
    def other(self): pass
def get_registry() -> TaskRegistry: return TaskRegistry()
def make_registry(): return TaskRegistry()
def spawn(coro, owner): pass
registry = TaskRegistry()
"""
TABLE = {"registries": [{"classes": ["tasks.TaskRegistry"], "functions": ["tasks.spawn"]}]}
R = "from tasks import TaskRegistry\n"
CREATE, SPAWN = "tasks.TaskRegistry.create", "tasks.spawn"


def calls(text: str, **table: object) -> list[str]:
    told = found(GATE, {"tasks.py": REGISTRY, "m.py": text}, **(table or TABLE))
    return [one for one in told if UNPROVEN not in one]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # what is wrong with an owner
        (f"{R}TaskRegistry().create(c, owner='sync')", [f"2 owned {CREATE}"]),
        (f"{R}TaskRegistry().create(c)", [f"2 missing {CREATE}"]),
        (f"{R}TaskRegistry().create(c, 'sync')", [f"2 missing {CREATE}"]),  # it has to be named
        (f"{R}def f(o): TaskRegistry().create(c, owner=o)", [f"2 dynamic {CREATE}"]),
        (f"{R}def f(o): TaskRegistry().create(c, owner=f'a {{o}}')", [f"2 dynamic {CREATE}"]),
        (f"{R}def f(o): TaskRegistry().create(c, owner='a' if o else 'b')", [f"2 dynamic {CREATE}"]),
        (f"{R}TaskRegistry().create(c, owner=None)", [f"2 dynamic {CREATE}"]),
        (f"{R}TaskRegistry().create(c, owner='')", [f"2 blank {CREATE}"]),
        (f"{R}TaskRegistry().create(c, owner='  ')", [f"2 blank {CREATE}"]),
        (f"{R}OWNER = 'sync'\nTaskRegistry().create(c, owner=OWNER)", [f"3 owned {CREATE}"]),  # a constant is known
        (f"{R}def f(**more): TaskRegistry().create(c, **more)", [f"2 dynamic {CREATE}"]),
        (f"{R}def f(*more): TaskRegistry().create(*more)", [f"2 missing {CREATE}"]),  # a star gives no names
        (f"{R}TaskRegistry().register(c)", ["2 missing tasks.TaskRegistry.register"]),
        (f"{R}TaskRegistry().other(c)", []),
        ("import tasks\ntasks.spawn(c)", [f"2 missing {SPAWN}"]),
        # what is certainly a registry
        ("from tasks import TaskRegistry as T\nT().create(c)", [f"2 missing {CREATE}"]),
        ("import tasks as t\nt.TaskRegistry().create(c)", [f"2 missing {CREATE}"]),
        ("import tasks\ntasks.registry.create(c)", [f"2 missing {CREATE}"]),  # a plain import
        ("from tasks import get_registry\nget_registry().create(c)", [f"2 missing {CREATE}"]),
        ("from tasks import make_registry as g\ng().create(c)", [f"2 missing {CREATE}"]),
        (f"{R}def f(r: TaskRegistry): r.create(c)", [f"2 missing {CREATE}"]),
        (f"{R}def f(r: 'TaskRegistry'): r.create(c)", [f"2 missing {CREATE}"]),
        (f"{R}import typing as t\ndef f(r: t.Optional[TaskRegistry]): r.create(c)", [f"3 missing {CREATE}"]),
        (f"{R}import typing as t\ndef f(r: t.Annotated[TaskRegistry, 1]): r.create(c)", [f"3 missing {CREATE}"]),
        (f"{R}def f(r: 'TaskRegistry | None' = None): r.create(c)", [f"2 missing {CREATE}"]),
        (f"{R}def f(r: 'TaskRegistry | int'): r.create(c)", []),  # it may be something else
        (f"{R}TaskRegistry().create(c); TaskRegistry().create(c)", [f"2 missing {CREATE}"] * 2),
        (f"{R}def f(r: TaskRegistry | None): r.create(c)", [f"2 missing {CREATE}"]),
        (f"{R}from typing import Optional\ndef f(r: Optional[TaskRegistry]): r.create(c)", [f"3 missing {CREATE}"]),
        (f"{R}from typing import Annotated as A\ndef f(r: A[TaskRegistry, 1]): r.create(c)", [f"3 missing {CREATE}"]),
        (f"{R}r: TaskRegistry = make()\nr.create(c)", [f"3 missing {CREATE}"]),
        (f"{R}x = TaskRegistry() if y else TaskRegistry()\nx.create(c)", [f"3 missing {CREATE}"]),
        (f"{R}(x := TaskRegistry()).create(c)\nx.create(c)", [f"2 missing {CREATE}", f"3 missing {CREATE}"]),
        (f"{R}class C:\n    def __init__(self, r: TaskRegistry): self.r = r\n    def m(self): self.r.create(c)",
         [f"4 missing {CREATE}"]),  # an attribute
        (f"{R}class Mine(TaskRegistry): pass\nMine().create(c)", [f"3 missing {CREATE}"]),
        # what is not
        ("def f(r): r.create(c)", []),  # unknown object, same method
        ("class Other:\n    def create(self, c): pass\nOther().create(1)", []),
        (f"{R}class Other:\n    def create(self, c): pass\nx = TaskRegistry() if y else Other()\nx.create(c)", []),
        (f"{R}def f(x):\n    if x:\n        r = TaskRegistry()\n    else:\n        r = x\n    r.create(c)", []),
        (f"{R}TaskRegistry = make\nTaskRegistry().create(c)", []),
        (f"{R}def f(TaskRegistry): TaskRegistry().create(c)", []),
        (f"{R}x = TaskRegistry().create", []),  # not called
        (f"{R}map(TaskRegistry().create, x)", []),  # handed on: who calls it is not seen
    ],
)  # fmt: skip
def test_only_what_certainly_is_a_registry_is_given_a_task(text: str, expected: list[str]) -> None:
    assert calls(text) == expected


def test_the_registrys_own_module_is_none_of_its_users() -> None:
    assert calls("") == []


def test_methods_and_keyword_are_what_the_configuration_says() -> None:
    table = {"registries": [{"classes": ["tasks.TaskRegistry"], "methods": ["other"], "keyword": "name"}]}
    assert calls(f"{R}TaskRegistry().other()\nTaskRegistry().other(name='a')\nTaskRegistry().create(c)", **table) == [
        "2 missing tasks.TaskRegistry.other",
        "3 owned tasks.TaskRegistry.other",
    ]


def test_one_of_two_registries_is_one_call() -> None:
    table = {"registries": [{"classes": ["lib.B"]}, {"classes": ["lib.A"]}]}
    assert calls("import lib\nr = lib.B() if x else lib.A()\nr.create(c)", **table) == ["3 missing lib.A.create"]
    assert calls("import lib\nr = lib.B() if x else None\nr.create(c)", **table) == ["3 missing lib.B.create"]
    assert calls("import lib\nNone.create(c)", **table) == []


def test_a_factory_outside_of_the_code_is_named() -> None:
    table = {"registries": [{"factories": ["lib.registry"]}]}
    assert calls("import lib\nlib.registry().create(c)\nlib.other().create(c)", **table) == [
        "2 missing lib.registry().create"
    ]


def test_a_registry_is_known_by_any_address() -> None:
    files = {"tasks.py": REGISTRY, "api.py": "from tasks import TaskRegistry", "m.py": f"{R}TaskRegistry().create(c)"}
    assert found(GATE, files, registries=[{"classes": ["api.TaskRegistry"]}]) == [f"2 missing {CREATE}"]


def test_the_owner_is_told() -> None:
    (fact,) = scanned(GATE, {"tasks.py": REGISTRY, "m.py": f"{R}TaskRegistry().create(c, owner='sync')"}, **TABLE)
    assert fact.owner == "sync"
