"""Access to named runtimes and global objects."""

from __future__ import annotations

import pytest

from abutment.facts.locators import Locator, scan_locators
from tests.families import program_of as built

TREE = {
    "app/__init__.py": "from app.flow import run\n",
    "app/flow/__init__.py": "from app.flow.steps import first\ndef run(): pass\n",
    "app/flow/steps.py": "def first(): pass\nclass Step:\n    def go(self): pass\n",
    "app/state.py": "class State:\n    open = make()\n    def get(self, key): pass\nstate = State()\nname = 'x'\n",
    "app/box.py": "from app.state import State\nclass Box:\n    def __init__(self, state: State): self.state = state\n",
}
RULES = (
    Locator("flow", frozenset({"app.flow"}), lambda module: module == "app.may"),
    Locator("state", frozenset({"app.state.state", "app.box.Box.state"}), lambda module: False),
)


def told(text: str, module: str = "app/m.py") -> list[str]:
    """Return `line verb target` of what one module reaches, and may not."""
    found = scan_locators(built(TREE | {module: text}), RULES)
    name = module.removesuffix(".py").replace("/", ".")
    judged = sorted((one for one in found if one.module == name and not one.allowed), key=lambda one: one.site.line)
    return [f"{one.site.line} {one.verb} {one.target}" for one in judged]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("import app.flow", ["1 import app.flow"]),
        ("from app import flow", ["1 import app.flow"]),
        ("from app.flow import run, steps", ["1 import app.flow"]),  # one statement is one place
        ("import app.flow.steps", ["1 import app.flow"]),  # its package runs on the way
        ("def f():\n    from app.flow.steps import first", ["2 import app.flow"]),
        ("from app import run", ["1 import app.flow"]),  # handed on under another address
        ("import importlib\nimportlib.import_module('app.flow')", ["2 import app.flow"]),
        ("from app.state import state\nstate.get('x')", ["2 call app.state.state"]),
        ("import app.state as s\ns.state.open", ["2 read app.state.state"]),
        ("import app.state as s\ns.state.open = 1", ["2 set app.state.state"]),
        ("from app.state import state\nhand(state)", ["2 read app.state.state"]),  # once, where it is read
        ("from app.state import state\nstate['x'] = 1\ndel state['x']",
         ["2 set app.state.state", "3 erase app.state.state"]),
        ("from app.state import state\nstate.a.b = state['y']", ["2 set app.state.state", "2 read app.state.state"]),
        ("from app.flow import *", ["1 import app.flow"]),
        ("try:\n    import app.flow\nexcept ImportError: pass", ["2 import app.flow"]),
        ("import app.state\nx = app.state.state\nx.get('a')", ["2 read app.state.state", "3 call app.state.state"]),
        ("from app.box import Box\ndef f(b: Box):\n    return b.state.get('x')", ["3 call app.box.Box.state"]),
    ],
)  # fmt: skip
def test_what_is_an_access(text: str, expected: list[str]) -> None:
    assert told(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "import app.state",
        "from app.state import name\nname",
        "from app.state import State\nState().get('x')",  # an object of its own
        "from app.state import State\ndef f(s: State): return s.get('x')",  # handed in
        "def f(state): return state.get('x')",
        "from app.state import state\ndef f():\n    state = {}\n    return state.get('x')",  # a local of that name
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import app.flow",
        "import app.flower",
        "import os\nos.environ.get('state')",
    ],
)
def test_what_is_none(text: str) -> None:
    assert told(text) == []


def test_a_consumer_that_may_is_listed_as_allowed() -> None:
    found = scan_locators(built(TREE | {"app/may.py": "import app.flow\n"}), RULES)
    assert [(one.module, one.allowed) for one in found if one.module == "app.may"] == [("app.may", True)]


def test_a_runtime_may_use_itself() -> None:
    found = scan_locators(built(TREE), RULES)
    assert {one.module for one in found} == {"app"}
