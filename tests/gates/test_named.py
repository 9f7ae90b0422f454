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
    "def work(*given, owner=None): pass\nsettings = vendor.make()\n"
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
        assert fault.remedy == "Correct or delete it." or fault.remedy.startswith(f"Did you mean {module}.")


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
        "import vendor\nclass Base:\n    def run(self, owner): pass\nclass Box(Base):\n    def own(self, owner): pass\n"
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


@pytest.mark.parametrize(
    ("methods", "remedies"),
    [(["own"], []), (["run"], ["Name what it is: app.low.Base.run."]), (["other"], ["Correct or delete it."])],
)
def test_a_registry_whose_method_is_its_bases_leaves_the_gate_unjudged(methods: list[str], remedies: list[str]) -> None:
    registries = [{"classes": ["app.low.Box"], "methods": methods}]
    faults = measured(load_gate("tasks"), HOLDING, registries=registries).faults
    assert [fault.remedy for fault in faults] == remedies


METHODS = (
    "from typing import Protocol\nimport vendor\n"
    "class Hass:\n    def spawn(self, task, owner=None): pass\n    def __init__(self): self.bus = vendor.Bus()\n"
    "class Own(Hass): pass\n"
    "class Port(Protocol):\n    def fire(self, event): ...\n"
    "class Open(vendor.Base): pass\n"
    "class Any:\n    def __getattr__(self, name): pass\n"
    "try:\n    class Two:\n        def old(self): pass\n"
    "except ImportError:\n    class Two:\n        def new(self): pass\n"
    "hass = Hass()\nthing = vendor.make()\n"
    "def get() -> Hass: return hass\ndef anything(): return vendor.make()\ndef start(task, owner, **more): pass\n"
)


def faults_of(name: str, **table: object) -> list[str]:
    """Return what a gate says that cannot be judged."""
    faults = measured(load_gate(name), {"app/__init__.py": "", "app/core.py": METHODS}, **table).faults
    return [fault.line_text() for fault in faults]


@pytest.mark.parametrize(
    ("registry", "said"),
    [
        ({"classes": ["app.core.Hass"], "methods": ["spawn"]}, ""),
        ({"classes": ["app.core.Hass"], "methods": ["spwan"]}, "methods[0]: app.core.Hass has no spwan. Did you mean"),
        ({"classes": ["app.core.Hass"], "methods": ["spawn", "ru"]}, "methods[1]: app.core.Hass has no ru. Correct or"),
        ({"classes": ["app.core.Hass"]}, "has no create or create_sync or register or submit_threadsafe."),
        ({"classes": ["app.core.Hass", "app.core.Two"], "methods": ["spawn", "new"]}, ""),  # one of them has it
        ({"classes": ["app.core.Two"], "methods": ["old", "new"]}, ""),
        ({"classes": ["app.core.Open"], "methods": ["spwan"]}, ""),  # its base may have it
        ({"classes": ["app.core.Any"], "methods": ["spwan"]}, ""),
        ({"classes": ["vendor.Registry"], "methods": ["spwan"]}, ""),
        ({"factories": ["app.core.get"], "methods": ["spwan"]}, "app.core.get() has no spwan. Did you mean spawn?"),
        ({"factories": ["app.core.anything"], "methods": ["spwan"]}, ""),
        ({"classes": ["app.core.get"], "methods": ["spawn"]}, "classes[0]: app.core.get is a function. Name a class."),
        ({"classes": ["app.core"], "methods": ["spawn"]}, "classes[0]: app.core is a module. Name a class."),
        (
            {"classes": ["app.core.Hass"], "methods": ["spawn"], "keyword": "ownr"},
            "keyword: none of app.core.Hass.spawn takes ownr. Did you mean owner?",
        ),
        ({"functions": ["app.core.start"], "keyword": "ownr"}, ""),  # among `**more`
        ({"functions": ["app.core.get"]}, "keyword: none of app.core.get takes owner. Correct or delete it."),
        ({"functions": ["app.core.get", "vendor.start"]}, ""),
        ({"classes": ["vendor.Registry"], "functions": ["app.core.get"]}, ""),
    ],
)
def test_a_registry_that_the_code_does_not_have_so_leaves_the_gate_unjudged(
    registry: dict[str, object], said: str
) -> None:
    faults = faults_of("tasks", registries=[registry])
    assert len(faults) == bool(said)
    assert all(said in fault for fault in faults)


@pytest.mark.parametrize(
    ("api", "said"),
    [
        ({"classes": ["app.core.Hass"], "produce": ["spawn(task)"]}, ""),
        ({"classes": ["app.core.Own"], "produce": ["spawn(task)"]}, ""),
        ({"classes": ["app.core.Hass"], "produce": ["spwan(t)"]}, "produce[0]: app.core.Hass has no spwan. Did you"),
        ({"ports": ["app.core.Port"], "consume": ["fier(event)"]}, "consume[0]: app.core.Port has no fier. Did you"),
        ({"instances": ["app.core.hass"], "decorate": ["spwan()"]}, "decorate[0]: app.core.hass has no spwan. Did you"),
        ({"instances": ["app.core.thing"], "produce": ["spwan()"]}, ""),
        ({"factories": ["app.core.get"], "produce": ["spwan()"]}, "produce[0]: app.core.get() has no spwan. Did you"),
        ({"ports": ["app.core.get"], "produce": ["spawn()"]}, "ports[0]: app.core.get is a function. Name a class."),
        (
            {"classes": ["app.core.Hass"], "enums": ["app.core.get"], "produce": ["spawn()"]},
            "enums[0]: app.core.get is a function. Name a class.",
        ),
    ],
)
def test_an_event_method_that_no_receiver_has_leaves_the_gate_unjudged(api: dict[str, object], said: str) -> None:
    faults = faults_of("events", apis=[{"id": "bus", **api}])
    assert len(faults) == bool(said)
    assert all(said in fault for fault in faults)


def test_a_method_that_an_effect_names_and_no_class_has_leaves_the_gate_unjudged() -> None:
    (fault,) = faults_of("effects", registries=["app.core.Hass.spwan"])
    assert fault.endswith("the code defines no app.core.Hass.spwan. Did you mean app.core.Hass.spawn?")


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("app.core.Hss", "app.core.Hass"),
        ("app.core.Hass.buss", "app.core.Hass.bus"),
        ("app.core.Hass.unlike", ""),
        ("app.cor", "app.core"),
        ("app.cor.Hass", ""),
    ],
)
def test_a_name_that_is_missing_is_told_beside_one_like_it(name: str, meant: str) -> None:
    (fault,) = faults_of("bans", rules=[{"id": "r", "names": [name]}])
    remedy = f"Did you mean {meant}?" if meant else "Correct or delete it."
    assert fault.endswith(f"bans.rules[0].names[0]: the code defines no {name}. {remedy}")


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
        (
            "bans",
            {"rules": [{"id": "r", "names": ["os.*"]}]},
            "'os.*' is no dotted name. Write 'os', which is that and",
        ),
        ("bans", {"rules": [{"id": "r", "names": ["*"]}]}, "'*' is no dotted name"),
        ("bans", {"rules": [{"id": "r", "names": ["datetime:now"]}]}, "'datetime:now' is no dotted name"),
        ("blocking", {"also": ["os.*.x"]}, "blocking.also[0]: 'os.*.x' is no dotted name"),
        (
            "bans",
            {"rules": [{"id": "r", "names": ["requests.Session().get"]}]},
            "'requests.Session().get' is known by its class. Write 'requests.Session.get'.",
        ),
        ("tasks", {"registries": [{"functions": ["a.b()", "a.B()"]}]}, "functions[1]: 'a.B()' is known by its class"),
        ("egress", {"raw_transports": ["open"]}, "egress.raw_transports[0]: 'open' is a builtin"),
    ],
)
def test_a_name_that_could_never_be_found_is_said(name: str, table: dict[str, object], message: str) -> None:
    with pytest.raises(NotJudged) as refusal:
        settings_of(load_gate(name), table)
    assert message in str(refusal.value)


LOWER = (
    "class bus:\n    def send(self, event): pass\n    def spawn(self, task, owner=None): pass\n",
    "from app.low import bus\nimport vendor\n"
    "def f(a: bus, b: vendor.bus):\n    a.send('x')\n    b.send('x')\n    a.spawn(1)\n    b.spawn(1)\n",
)


@pytest.mark.parametrize(("name", "line"), [("app.low.bus", 0), ("vendor.bus", 1)])
def test_a_class_that_is_spelt_like_a_function_is_one_where_a_class_is_asked_for(name: str, line: int) -> None:
    files = {"app/__init__.py": "", "app/low.py": LOWER[0], "use.py": LOWER[1]}
    tasks = measured(load_gate("tasks"), files, registries=[{"classes": [name], "methods": ["spawn"]}])
    events = measured(load_gate("events"), files, apis=[{"id": "b", "classes": [name], "produce": ["send(event)"]}])
    assert [tasks.describe(key).sites[0].line for key in tasks.counts] == [6 + line]
    assert [events.describe(key).sites[0].line for key in events.counts] == [4 + line]
