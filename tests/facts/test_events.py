"""Producers and consumers: a proven receiver, arguments bound as Python binds them, events by name."""

from __future__ import annotations

from dataclasses import replace

import pytest

from abutment.facts.event_api import CONSUME, PRODUCE, EventApi, Method, read_signature
from abutment.facts.events import EventUse, scan_events
from abutment.facts.unproven import UNPROVEN
from tests.families import program_of as built

BUS = """
from enum import Enum
class E(Enum):
    A = "a"
    B = "b"
class Manager:
    def send(self, etype, data=None, priority=None): pass
    def listen(self, event_type, handler, priority=10): pass
    def register(self, etype, priority=10):
        def decorator(f):
            self.listen(etype, f, priority)
            return f
        return decorator
    @classmethod
    def existing(cls): return cls()
    def start(self):
        self.send(E.A)
manager = Manager()
class Publisher:
    def send(self, etype, data=None, priority=None): pass
"""


def method(text: str, kind: str, *, decorates: bool = False, many: bool = False) -> Method:
    name, signature = read_signature(text)
    return Method(name, kind, signature, decorates, many)


API = EventApi(
    id="bus",
    receivers=("bus.Manager", "bus.Publisher"),
    methods=(
        method("send(etype, data=, priority=)", PRODUCE),
        method("listen(event_type, handler, priority=)", CONSUME),
        method("register(etype, priority=)", CONSUME, decorates=True, many=True),
    ),
    enums=("bus.E",),
    decorated="f",
)


def found(text: str, api: EventApi = API, **files: str) -> list[EventUse]:
    """Return what module `m` does with the bus."""
    tree = {"bus.py": BUS, "m.py": text, **{f"{name}.py": held for name, held in files.items()}}
    return [one for one in scan_events(built(tree), [api]) if one.module == "m"]


def told(text: str, **files: str) -> list[str]:
    """Return `line word events certainty` of each, and what a consumer has beside."""
    return [
        f"{one.site.line} {one.word} {one.events.replace('bus.E.', '')} {one.certainty}"
        + (f" {one.handler} {one.priority}" if one.kind == CONSUME else "")
        for one in found(text, API, **files)
        if one.word != UNPROVEN
    ]


IN = "from bus import manager, E\ndef f():\n    m = manager\n"
INJECTED = "from bus import Manager, E\nclass C:\n    def __init__(self, m: Manager): self.m = m\n"


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        # receivers
        ("from bus import manager, E\nmanager.send(E.A)", ["2 produce A static"]),
        ("import bus\nbus.manager.send(bus.E.A)", ["2 produce A static"]),
        ("from bus import manager as m, E as Events\nm.send(Events.A)", ["2 produce A static"]),
        ("from bus import Manager, E\nManager().send(E.A)", ["2 produce A static"]),
        ("from bus import Manager, E\nManager.existing().send(E.A)", ["2 produce A static"]),
        ("from bus import manager, E\nemit = manager.send\nemit(E.A)", ["3 produce A static"]),
        ("from bus import Manager, E\ndef f(m: 'Manager | None'): m.send(E.A)", ["2 produce A static"]),
        ("from bus import Publisher, E\nclass C:\n    def __init__(self, p: Publisher): self.p = p\n"
         "    def f(self): self.p.send(E.A)", ["4 produce A static"]),
        # an injected field goes to descendants, not to siblings
        ("from bus import Manager, E\nclass Base:\n    def __init__(self, m: Manager): self.m = m\n"
         "class Child(Base):\n    def f(self): self.m.send(E.A)\n"
         "class Other:\n    def f(self): self.m.send(E.B)", ["5 produce A static"]),
        # unknown receivers
        ("from bus import E\ndef f(m): m.send(E.A)", []),
        ("from bus import E\nclass Manager:\n    def send(self, e): pass\nManager().send(E.A)", []),
        ("from bus import manager, E\ndef f(manager): manager.send(E.A)", []),
        ("from bus import manager, E\nmanager = object()\nmanager.send(E.A)", []),
        ("from bus import manager, E\ndef f(): manager.send(E.A)\nmanager = other()", []),  # the final binding
        ("from bus import manager, E\nmanager.send(E.A)\nmanager = other()", ["2 produce A static"]),
        ("from bus import manager, E\nm = manager if x else other()\nm.send(E.A)", []),
        ("from bus import manager, E\nfor manager in y: manager.send(E.A)", []),
        ("from bus import manager, E\ntry: pass\nexcept OSError as manager: manager.send(E.A)", []),
        ("from bus import manager, E\n[manager.send(E.A) for manager in y]", []),
        ("from bus import manager, E\n[manager.send(E.A) for x in y]", ["2 produce A static"]),
        ("from bus import manager, E\nwith x() as manager: manager.send(E.A)", []),
        ("from bus import manager, E\nmatch x:\n    case manager: manager.send(E.A)", []),
        ("from bus import manager, E\ndef f():\n    global manager\n    del manager\n", []),
        ("from bus import manager, E\nfs = lambda: manager.send(E.A)", ["2 produce A static"]),
        # every path has to lead to it: a body that may have run, a handler that sees every state of the body
        (IN + "    while x: m = other()\n    m.send(E.A)", []),
        (IN + "    while x: pass\n    m.send(E.A)", ["5 produce A static"]),
        (IN + "    try:\n        m = other()\n        x()\n    except OSError: m.send(E.A)", []),
        (IN + "    try: x()\n    except OSError: m.send(E.A)", ["5 produce A static"]),
        (IN + "    del m\n    m.send(E.A)", []),
        (IN + "    m += other()\n    m.send(E.A)", []),
        ("from bus import manager, E\nasync def f():\n    async with x() as manager: manager.send(E.A)", []),
        (IN + "    [(m := x) for x in y]\n    m.send(E.A)", []),  # a walrus binds in the function
        (IN + "    [1 for m in m.send(E.A)]", ["4 produce A static"]),  # the first iterable is worked out outside
        (IN + "    def g(): m.send(E.A)\n    m = other()", []),  # a closure reads the cell, not the value
        (IN + "    g = lambda: m.send(E.A)\n    m = other()", []),
        (IN + "    def g(): m.send(E.A)", ["4 produce A static"]),
        # only the class that is given one has it, its descendants, and who is given that class
        (INJECTED + "class Other:\n    def f(self): self.m.send(E.A)", []),
        ("from bus import Manager, E\ndef free(m: Manager): pass\nclass C:\n    def f(self): self.m.send(E.A)", []),
        ("from bus import Manager, E\ndef f():\n    class C:\n        def __init__(self, m: Manager): self.m = m\n"
         "class C:\n    def f(self): self.m.send(E.A)", []),
        (INJECTED + "class D:\n    def __init__(self, c: C): self.m = c.m\n    def f(self): self.m.send(E.A)",
         ["6 produce A static"]),
        ("from bus import E\nif (m := __import__('bus').manager): m.send(E.A)", ["2 produce A static"]),
        # only what runs
        ("from typing import TYPE_CHECKING as T\nfrom bus import manager, E\nif T:\n    manager.send(E.A)\n"
         "else:\n    manager.send(E.B)", ["6 produce B static"]),
        ("from bus import manager, E\ndef f(TYPE_CHECKING):\n    if TYPE_CHECKING: manager.send(E.A)",
         ["3 produce A static"]),
        ("from typing import TYPE_CHECKING\nfrom bus import manager, E\nTYPE_CHECKING = x\n"
         "if TYPE_CHECKING: manager.send(E.A)", ["4 produce A static"]),
        ("from typing import TYPE_CHECKING\nfrom bus import manager, E\nif not TYPE_CHECKING: manager.send(E.A)",
         ["3 produce A static"]),
        # events
        ("from bus import manager, E\nmanager.send(etype=E.A, priority=3)", ["2 produce A static"]),
        ("from bus import manager, E\nmanager.send(E.A if x else E.B)", ["2 produce A, B static"]),
        ("from bus import manager, E\ndef f(y): manager.send(E.A if x else y)", ["2 produce ?, A dynamic"]),
        ("from bus import manager, E\nmanager.send(E.C)", ["2 produce C invalid"]),
        ("from bus import manager, E\nmanager.send(E)", ["2 produce ? dynamic"]),  # a whole enum is no event
        ("from bus import manager, E\nmanager.send([E.A])", ["2 produce ? dynamic"]),
        ("from bus import manager\ndef f(e): manager.send(e)", ["2 produce ? dynamic"]),
        ("from bus import manager\nmanager.send('a')", ["2 produce ? dynamic"]),
        # calls that Python refuses, and stars
        ("from bus import manager, E\nmanager.send()", ["2 refused ? dynamic"]),
        ("from bus import manager, E\nmanager.send(E.A, 1, 2, 3)", ["2 refused ? dynamic"]),
        ("from bus import manager, E\nmanager.send(E.A, etype=E.B)", ["2 refused ? dynamic"]),
        ("from bus import manager, E\nmanager.send(E.A, other=1)", ["2 refused ? dynamic"]),
        ("from bus import manager, E\nmanager.send(*x)", ["2 produce ? dynamic"]),
        ("from bus import manager, E\nmanager.send(E.A, **x)", ["2 produce A static"]),
        ("from bus import manager, E\nmanager.send(**x)", ["2 produce ? dynamic"]),
    ],
)  # fmt: skip
def test_producers(text: str, lines: list[str]) -> None:
    assert told(text) == lines


HEAD = "from bus import manager, E\ndef h(): pass\n"


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        (HEAD + "manager.listen(E.A, h)", ["3 consume A static m.h <default>"]),
        (HEAD + "manager.listen(event_type=E.A, handler=h, priority=100)", ["3 consume A static m.h 100"]),
        (HEAD + "manager.listen(E.A, lambda: 1, -5)", ["3 consume A static <lambda> -5"]),
        (HEAD + "def f(x): manager.listen(E.A, x, priority=x)", ["3 consume A static <dynamic> <dynamic>"]),
        (HEAD + "class C:\n    def on(self): pass\n    def f(self): manager.listen(E.A, self.on)",
         ["5 consume A static m.C.on <default>"]),
        (HEAD + "manager.listen(E.A, h if x else print)", ["3 consume A static <dynamic> <default>"]),
        (HEAD + "try:\n    h = y()\n    manager.listen(E.A, h)\nexcept OSError: pass",
         ["5 consume A static <dynamic> <default>"]),
        (HEAD + "manager.listen(E.A)", ["3 refused ? dynamic <dynamic> <default>"]),
        (HEAD + "manager.listen(E.A, h, 1, 2)", ["3 refused ? dynamic <dynamic> <default>"]),
        (HEAD + "manager.listen(E.A, h, handler=h)", ["3 refused ? dynamic <dynamic> <default>"]),
        (HEAD + "manager.listen(E.A, h, prio=1)", ["3 refused ? dynamic <dynamic> <default>"]),
        (HEAD + "manager.listen(*x)", ["3 consume ? dynamic <dynamic> <dynamic>"]),
        # a decorator counts where it is applied
        ("from bus import manager, E\n@manager.register(E.A)\ndef h(): pass", ["2 consume A static m.h <default>"]),
        ("from bus import manager, E\n@manager.register(etype=E.A, priority=3)\nasync def h(): pass",
         ["2 consume A static m.h 3"]),
        (HEAD + "manager.register(E.A)(h)", ["3 consume A static m.h <default>"]),
        (HEAD + "manager.register(E.A)(f=h)", ["3 consume A static m.h <default>"]),
        (HEAD + "on = manager.register(E.A)\non(h)", ["4 consume A static m.h <default>"]),
        ("from bus import manager, E\non = manager.register(E.A)\n@on\ndef h(): pass\non = None",
         ["3 consume A static m.h <default>"]),
        ("from bus import manager, E\nreg = manager.register\n@reg(E.A)\ndef h(): pass",
         ["3 consume A static m.h <default>"]),
        (HEAD + "manager.register(E.A)", ["3 unapplied A static <dynamic> <default>"]),
        (HEAD + "manager.register(E.A)()", ["3 refused A static <dynamic> <default>"]),
        (HEAD + "manager.register(E.A)(g=h)", ["3 refused A static m.h <default>"]),  # it is called `f`
        (HEAD + "manager.register(E.A)(h, f=h)", ["3 refused A static m.h <default>"]),
        (HEAD + "manager.register(E.A)(*x)", ["3 refused A static <dynamic> <default>"]),
        (HEAD + "manager.register()(h)", ["3 refused ? dynamic <dynamic> <default>"]),
        (HEAD + "manager.register(E.A, etype=E.A)(h)", ["3 refused ? dynamic <dynamic> <default>"]),
        (HEAD + "manager.register(E.A, prio=1)(h)", ["3 refused ? dynamic <dynamic> <default>"]),
        ("from bus import manager, E\n@manager.register(E.A)\ndef h(): pass\nmanager = other()",
         ["2 consume A static m.h <default>"]),  # it was applied before
        (HEAD + "manager.register(E.A)(h, h)", ["3 refused A static m.h <default>"]),
        (HEAD + "manager.register(E.A, E.B, 3)(h)", ["3 refused ? dynamic <dynamic> <default>"]),
        # many events at once
        (HEAD + "manager.register(E)(h)", ["3 consume A, B static m.h <default>"]),
        (HEAD + "manager.register([E.A, E.B])(h)", ["3 consume A, B static m.h <default>"]),
        (HEAD + "manager.register([E.A, x])(h)", ["3 consume ?, A dynamic m.h <default>"]),
        (HEAD + "manager.register([E.A, E.C])(h)", ["3 consume A, C invalid m.h <default>"]),
        (HEAD + "manager.listen(E, h)", ["3 consume ? dynamic m.h <default>"]),  # not by this method
        # same names elsewhere
        ("import atexit\natexit.register(print)", []),
        ("class Manager:\n    def register(self, e): return e\nManager().register(1)(print)", []),
        # a function that gives the decorator back
        ("from bus import manager, E\ndef safe(e): return manager.register(e)\n@safe(E.A)\ndef h(): pass\n"
         "@safe(E.B)\ndef g(): pass",
         ["3 consume A static m.h <default>", "5 consume B static m.g <default>"]),
        ("from bus import manager, E\ndef safe(): return manager.register(E.A)\n@safe()\ndef h(): pass",
         ["3 consume A static m.h <default>"]),
        ("from bus import manager, E\ndef safe(e): return manager.register(e)\non = safe if x else other()\n"
         "@on(E.A)\ndef h(): pass", ["2 unapplied ?, A dynamic <dynamic> <default>"]),  # it may be another one
        ("from bus import manager, E\ndef safe(e): return manager.register(e)",
         ["2 unapplied ? dynamic <dynamic> <default>"]),
    ],
)  # fmt: skip
def test_consumers(text: str, lines: list[str]) -> None:
    assert told(text) == lines


@pytest.mark.parametrize(
    "base",
    [
        "from bases import Base\n",
        "from .bases import Base\n",
        "import bases\nBase = bases.Base\n",
        "from typing import TYPE_CHECKING as T\nif T:\n    from bases import Base\nelse:\n    from bases import Base\n",
    ],
)
def test_a_field_comes_from_a_base_however_that_is_reached(base: str) -> None:
    text = f"{base}from bus import E\nclass C(Base):\n    def f(self): self.m.send(E.A)\n"
    bases = "from bus import Manager\nclass Base:\n    def __init__(self, m: Manager): self.m = m\n"
    files = {"app/__init__.py": "", "app/m.py": text} if base.startswith("from .") else {"m.py": text}
    folder = "app/" if base.startswith("from .") else ""
    uses = scan_events(built({"bus.py": BUS, f"{folder}bases.py": bases, **files}), [API])
    assert [one.qualname for one in uses if one.module != "bus"] == ["C.f"]


CONSUMER = "from bus import manager, E\ndef h(): pass\ndef f():\n    manager.listen(E.A, h, 1)\n"


@pytest.mark.parametrize(
    "other",
    [
        CONSUMER.replace("E.A", "E.B"),
        CONSUMER.replace("h, 1", "h, 2"),
        CONSUMER.replace("h, 1", "print, 1"),
        CONSUMER.replace("def f", "def g"),
        CONSUMER.replace("    manager.listen(E.A, h, 1)", "    manager.register(E.A, 1)(h)"),
        CONSUMER.replace("E.A", "x"),
    ],
)
def test_each_part_of_a_consumer_is_what_it_is(other: str) -> None:
    (one,), (another,) = found(CONSUMER), found(other)
    assert one != another


def test_a_moved_consumer_is_the_same() -> None:
    (one,), (moved,) = found(CONSUMER), found(CONSUMER.replace("def f", "\n\ndef f"))
    assert one == moved
    assert one.site != moved.site


def test_a_function_elsewhere_that_gives_the_decorator_back() -> None:
    safe = "from bus import manager\ndef safe(e): return manager.register(e)\n"
    text = "from safe import safe\nfrom bus import E\n@safe(E.A)\ndef h(): pass\n"
    assert told(text, safe=safe) == ["3 consume ? dynamic m.h <default>"]  # arguments do not cross modules


def test_the_manager_itself_sends_and_does_not_register_what_it_hands_on() -> None:
    inside = list(scan_events(built({"bus.py": BUS}), [API]))
    assert [(one.qualname, one.events, one.word) for one in inside] == [("Manager.start", "bus.E.A", "produce")]


def test_an_injected_manager_is_seen_from_a_mixin_where_all_classes_below_have_it() -> None:
    text = (
        "from bus import Manager, E\nfrom mixin import Mixin\n"
        "class Base:\n    def __init__(self, m: Manager): self.m = m\n"
        "class Facade(Mixin, Base): pass\n"
    )
    mixin = "from bus import E\nclass Mixin:\n    def f(self): self.m.send(E.A)\n"
    uses = scan_events(built({"bus.py": BUS, "m.py": text, "mixin.py": mixin}), [API])
    assert [one.module for one in uses] == ["bus", "mixin"]


TEXTS = EventApi("texts", ("lib.Bus", "m.bus", "make_bus.get()"), (method("fire(event, *args, **data)", PRODUCE),))


@pytest.mark.parametrize(
    ("text", "events"),
    [
        ("import lib\nlib.Bus().fire('a')", "a static"),
        ("import lib\nlib.Bus().fire('*')", "<star> static"),  # an approval could not say it otherwise
        ("import lib\nlib.Bus().fire('a, ?')", "a<comma> <question> static"),
        ("import lib\nNAME = 'a'\nlib.Bus().fire(NAME, 1, x=2)", "a static"),
        ("import lib, names\nlib.Bus().fire(names.PAID)", "paid static"),
        ("import lib, names\nlib.Bus().fire(names.LOST)", "names.LOST static"),  # known by its variable
        ("import lib, names\nlib.Bus().fire(names.Paid())", "names.Paid static"),
        ("import lib, names\nlib.Bus().fire(names.Paid)", "names.Paid static"),
        ("import lib, names\nlib.Bus().fire(names.Kind.ONE)", "names.Kind.ONE static"),
        ("import lib, names\nlib.Bus().fire(names.Kind.TWO)", "names.Kind.TWO invalid"),
        ("import lib\nlib.Bus().fire(f'a{1}')", "? dynamic"),
        ("import lib\nlib.Bus().fire(lib.name())", "? dynamic"),
        *((f"import lib\nlib.Bus().fire({one})", "? dynamic") for one in ("None", "True", "False")),
        ("import lib\nlib.Bus().fire(3)", "3 static"),
        ("from elsewhere import make\nbus = make()\ndef f(): bus.fire('a')", "a static"),
        ("from elsewhere import make\nbus = make()\nbus.fire('a')", "a static"),
        ("from elsewhere import make\nbus = make()\ndef f(bus): bus.fire('a')", ""),  # another one of that name
        ("from elsewhere import make\nbus = make()\ndef f():\n    bus = 1\n    def g(): bus.fire('a')", ""),
        ("from elsewhere import make\nbus = make()\ndef f():\n    b = bus\n    b.fire('a')", ""),  # no name is told
        ("from make_bus import get\nget().fire('a')", "a static"),
    ],
)
def test_events_without_an_enum(text: str, events: str) -> None:
    names = (
        "from enum import Enum\nimport lib\nPAID = 'paid'\nLOST = lib.Event('lost')\nclass Paid: pass\n"
        "class Kind(Enum):\n    ONE = 1\n"
    )
    uses = found(text, TEXTS, names=names, make_bus="import other\ndef get(): return other.thing()\n")
    assert [f"{one.events} {one.certainty}" for one in uses] == ([events] if events else [])


def test_an_instance_is_known_by_its_variable_whatever_it_holds() -> None:
    uses = scan_events(
        built({"m.py": "from elsewhere import make\nbus = make()\n", "n.py": "from m import bus\nbus.fire('a')\n"}),
        [TEXTS],
    )
    assert [(one.module, one.events, one.method) for one in uses] == [("n", "a", "m.bus.fire")]


@pytest.mark.parametrize("text", ["send", "send(", "send)", "2nd(event)", "send(event, 2)", "send(event", "send(a-b)"])
def test_what_is_no_signature(text: str) -> None:
    with pytest.raises(ValueError, match="is no"):
        read_signature(text)


def test_a_priority_that_has_to_be_there_is_not_seen_behind_a_star() -> None:
    api = replace(API, methods=(method("listen(event_type, handler, priority)", CONSUME),))
    (one,) = found("from bus import manager, E\nmanager.listen(*x)", api)
    assert (one.handler, one.priority) == ("<dynamic>", "<dynamic>")


def test_a_method_without_a_priority_has_the_default_one() -> None:
    api = replace(API, methods=(method("listen(event_type, handler)", CONSUME),))
    (one,) = found("from bus import manager, E\ndef h(): pass\nmanager.listen(E.A, h)", api)
    assert one.priority == "<default>"


def test_an_enum_without_members_is_no_event() -> None:
    api = replace(API, enums=("m.None_",))
    (one,) = found("from enum import Enum\nfrom bus import manager\nclass None_(Enum): pass\n"
                   "@manager.register(None_)\ndef h(): pass", api)  # fmt: skip
    assert (one.events, one.names) == ("", frozenset())


def test_a_signature_knows_all_kinds_of_parameters() -> None:
    name, found = read_signature("send(event, /, data=None, *more, priority: int = 3, loud, **others)")
    assert (name, found.positional, found.only_positional) == ("send", ("event", "data"), 1)
    assert (found.only_named, sorted(found.optional)) == (("priority", "loud"), ["data", "priority"])
    assert found.takes_more and found.takes_others
