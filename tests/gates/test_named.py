"""What a configuration names is found under every address, and a name under which nothing stands is no silent pass."""

from __future__ import annotations

import pytest

from abutment.errors import NotJudged
from abutment.gates import load_gate
from tests.families import measured
from tests.settings import settings_of

LOW = (
    "from enum import Enum\nimport vendor\n"
    "class Box:\n    def get(self, key): pass\n    def create(self, task, owner): pass\n"
    "class Session:\n    def commit(self): pass\n"
    "class E(Enum):\n    A = 1\n"
    "class Bus:\n    def send(self, event): pass\nbus = Bus()\n"
    "def work(*given): pass\nsettings = vendor.make()\n"
)
USE = (
    "import threading\nfrom app.low import Box, E, Session, bus, settings, work\n"
    "work()\nBox().get(1)\nBox().create(1)\nSession().commit()\nbus.send(E.A)\nsettings.debug\n"
    "async def f():\n    work()\n    vendor = Box()\n"
)
FILES = {
    "app/__init__.py": "from app.low import Box, Bus, E, Session, bus, settings, work\n",
    "app/low.py": LOW,
    "app/other.py": "import app.low as low\nwork, Box = low.work, low.Box\n",
    "use.py": USE,
}
# Gate -> what it says of a name; `{}` is where the thing's module stands.
TABLES: list[tuple[str, dict[str, object]]] = [
    ("bans", {"rules": [{"id": "r", "names": ["{}.work", "{}.Box.get"]}]}),
    ("locators", {"rules": [{"id": "r", "names": ["{}.work", "{}.Box.get", "{}.settings"]}]}),
    ("configuration", {"objects": ["{}.settings"]}),
    ("configuration", {"classes": ["{}.Box"]}),
    ("transactions", {"sessions": ["{}.Session"]}),
    ("transactions", {"makers": ["{}.Session"]}),
    ("transactions", {"decorators": ["{}.work"]}),
    ("tasks", {"registries": [{"classes": ["{}.Box"]}]}),
    ("tasks", {"registries": [{"functions": ["{}.work"]}]}),
    ("effects", {"registries": ["{}.work", "{}.Box.get"]}),
    ("effects", {"also": [{"name": "{}.work", "kind": "file"}]}),
    ("concurrency", {"also": [{"name": "{}.work", "kind": "thread"}]}),
    ("blocking", {"also": ["{}.work"]}),
    ("egress", {"raw_transports": ["{}.work"]}),
    ("egress", {"network_sdks": ["{}.work"]}),
    ("egress", {"protocol_operations": ["{}.work"]}),
    ("events", {"apis": [{"id": "b", "classes": ["{}.Bus"], "enums": ["{}.E"], "produce": ["send(event)"]}]}),
    ("events", {"apis": [{"id": "b", "instances": ["{}.bus"], "produce": ["send(event)"]}]}),
    ("events", {"apis": [{"id": "b", "ports": ["{}.Bus"], "produce": ["send(event)"]}]}),
]


def written(value: object, *, module: str, change: str = "") -> object:
    """Return the table for one address of the module; `change` is put behind each name."""
    if isinstance(value, dict):
        return {key: written(one, module=module, change=change) for key, one in value.items()}
    if isinstance(value, list):
        return [written(one, module=module, change=change) for one in value]
    return f"{value}{change}".replace("{}", module) if "{}" in str(value) else value


def table_of(template: dict[str, object], module: str, change: str = "") -> dict[str, object]:
    found = written(template, module=module, change=change)
    assert isinstance(found, dict)
    return found


@pytest.mark.parametrize(("name", "template"), TABLES)
def test_a_thing_is_found_by_whatever_address_it_is_named(name: str, template: dict[str, object]) -> None:
    gate = load_gate(name)
    home, package = (measured(gate, FILES, **table_of(template, module)) for module in ("app.low", "app"))
    assert home.counts
    assert any(module == "use" for key in home.counts for module in key)
    assert package.counts == home.counts
    assert home.faults == package.faults == ()


@pytest.mark.parametrize(("name", "template"), TABLES)
@pytest.mark.parametrize("module", ["app", "app.low"])
def test_a_name_under_which_nothing_stands_leaves_the_gate_unjudged(
    name: str, template: dict[str, object], module: str
) -> None:
    faults = measured(load_gate(name), FILES, **table_of(template, module, "x")).faults
    assert faults
    assert {fault.line for fault in faults} == {7}
    for fault in faults:
        assert fault.message.startswith(f"{name}.")
        assert f": the code defines no {module}." in fault.message
        assert fault.remedy == "Correct or delete it."


def test_a_name_by_a_variable_of_the_code_is_the_thing() -> None:
    rules = [{"id": "r", "names": ["app.other.work", "app.other.Box.get"]}]
    found = measured(load_gate("bans"), FILES, rules=rules).counts
    assert {key[1:] for key in found if key[1] == "use"} == {
        ("use", "<module>", "app.low.work"),
        ("use", "f", "app.low.work"),
        ("use", "<module>", "app.low.Box.get"),
    }


HOLDING = {
    "app/__init__.py": "from app.low import shared\n",
    "app/low.py": (
        "import vendor\nclass Base:\n    def run(self, owner): pass\nclass Box(Base):\n    def own(self): pass\n"
        "box = Box()\nthing = vendor.make()\nshared = box.own\n@vendor.wrap\ndef wrapped(): pass\nlimit = 3\n"
    ),
}
BY_WHAT_IT_IS: list[tuple[str, dict[str, object]]] = [
    ("effects", {"registries": ["{}"]}),
    ("effects", {"also": [{"name": "{}", "kind": "file"}]}),
    ("blocking", {"also": ["{}"]}),
    ("blocking", {"also": ["{}.*"]}),
    ("concurrency", {"also": [{"name": "{}", "kind": "thread"}]}),
    ("egress", {"raw_transports": ["{}"]}),
    ("transactions", {"sessions": ["{}"]}),
    ("transactions", {"decorators": ["{}"]}),
    ("tasks", {"registries": [{"functions": ["{}"]}]}),
]


@pytest.mark.parametrize(("name", "template"), BY_WHAT_IT_IS)
@pytest.mark.parametrize(
    ("named", "remedy"),
    [
        ("app.low.box", "Name what it is: app.low.Box."),
        ("app.low.shared", "Name what it is: app.low.Box.own."),
        ("app.shared", "Name what it is: app.low.Box.own."),
        ("app.low.box.own", "Name what it is: app.low.Box.own."),
        ("app.low.Box.run", "Name what it is: app.low.Base.run."),  # inherited
        ("app.low.thing", "Name a function or a class."),  # of the result of a call nothing is known
        ("app.low.limit", "Name a function or a class."),
        ("app.low.Box", ""),
        ("app.low.Box.own", ""),
        ("app.low.wrapped", ""),  # nobody knows what the decorator makes of it; it may be the function
        ("app.low", ""),
        ("vendor.make", ""),
    ],
)
def test_a_name_under_which_nothing_is_ever_seen_leaves_the_gate_unjudged(
    name: str, template: dict[str, object], named: str, remedy: str
) -> None:
    faults = measured(load_gate(name), HOLDING, **table_of(template, named)).faults
    assert [fault.remedy for fault in faults] == ([remedy] if remedy else [])
    assert all("is never seen under that name" in fault.message and fault.line == 7 for fault in faults)


@pytest.mark.parametrize(("methods", "is_judged"), [(["own"], True), (["run"], False), (["other"], True)])
def test_a_registry_whose_method_is_its_bases_leaves_the_gate_unjudged(methods: list[str], is_judged: bool) -> None:
    registries = [{"classes": ["app.low.Box"], "methods": methods}]
    faults = measured(load_gate("tasks"), HOLDING, registries=registries).faults
    assert [fault.remedy for fault in faults] == ([] if is_judged else ["Name what it is: app.low.Base.run."])


def test_the_place_of_a_lost_name_is_said() -> None:
    rules = [{"id": "a", "names": ["os.environ"]}, {"id": "b", "names": ["os.getenv", "app.low.lost"]}]
    (fault,) = measured(load_gate("bans"), FILES, rules=rules).faults
    assert fault.line_text() == (
        "abutment.toml:7: bans.rules[1].names[1]: the code defines no app.low.lost. Correct or delete it."
    )


@pytest.mark.parametrize(
    ("name", "table", "message"),
    [
        ("bans", {"rules": [{"id": "r", "names": ["a.b", "a.b"]}]}, "rules[0].names[1]: 'a.b' is there twice"),
        ("locators", {"rules": [{"id": "r", "names": ["open"]}]}, "'open' is a builtin. Write 'builtins.open'."),
        ("configuration", {"objects": ["a.b", "a.b"]}, "configuration.objects[1]: 'a.b' is there twice"),
        ("effects", {"also": [{"name": "print", "kind": "file"}]}, "effects.also[0].name: 'print' is a builtin"),
        ("effects", {"also": [{"kind": "file"}]}, "effects.also[0]: name is missing"),
        ("blocking", {"also": ["open"]}, "blocking.also[0]: 'open' is a builtin"),
        ("egress", {"raw_transports": ["open"]}, "egress.raw_transports[0]: 'open' is a builtin"),
    ],
)
def test_a_name_that_could_never_be_found_is_said(name: str, table: dict[str, object], message: str) -> None:
    with pytest.raises(NotJudged) as refusal:
        settings_of(load_gate(name), table)
    assert message in str(refusal.value)
