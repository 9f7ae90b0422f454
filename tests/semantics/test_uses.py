"""What `Uses` tells beside the origins of a use: what calls gave, what values come by, what classes have."""

from __future__ import annotations

import marshal
from collections.abc import Mapping

import pytest

from abutment.semantics.uses import Use, Uses
from tests.uses import uses_of

BUS = "class Bus:\n    def on(self, name, priority=0):\n        return lambda f: f\nbus = Bus()\n"


def calls(text: str, name: str = "bus.Bus.on") -> list[Use]:
    """Return the calls of a watched name in a module beside `bus.py`."""
    uses = uses_of({"bus.py": BUS, "m.py": "from bus import bus\n" + text})
    return [
        use for use, _ in uses.of({name}) if use.module == "m" and use.verb == "call" and use.origins == {"bus:Bus.on"}
    ]


@pytest.mark.parametrize(
    ("text", "applied"),
    [
        ("@bus.on('a')\ndef f(): pass\n", ["decorate m:f"]),
        ("def f(): pass\nbus.on('a')(f)\n", ["call m:f"]),
        ("on = bus.on('a')\n@on\ndef f(): pass\n@on\ndef g(): pass\n", ["decorate m:f", "decorate m:g"]),
        ("on = bus.on('a')\n@on\ndef f(): pass\non = None\n", ["decorate m:f"]),  # bound again later
        ("on = bus.on('a')\non = print\n@on\ndef f(): pass\n", []),
        ("def g(on):\n    on = bus.on('a')\n    def h():\n        on(print)\n", ["call builtins.print"]),
        ("on = bus.on('a')\ndef g(on):\n    on(print)\n", []),  # a parameter of that name
        ("on = print\nif input():\n    on = bus.on('a')\n@on\ndef f(): pass\n", []),  # perhaps another one
        ("try:\n    on = bus.on('a')\nexcept ValueError:\n    on = print\non(len)\n", []),
        ("for on in (1, 2):\n    on = bus.on('a')\non(len)\n", ["call builtins.len"]),
        ("class C:\n    on = bus.on('a')\n    @on\n    def f(self): pass\n", ["decorate m:C.f"]),
        ("x = bus.on('a')\n", []),
        ("print(bus.on('a'))\n", []),
    ],
)
def test_what_a_call_gave_is_applied_where_it_certainly_is(text: str, applied: list[str]) -> None:
    (use,) = calls(text)
    assert [f"{one.verb} {' '.join(one.arguments[0].origins)}" for one in use.applied] == applied


def test_of_two_calls_each_has_its_own_applications() -> None:
    first, second = calls("on = bus.on('a')\non(len)\non = bus.on('b')\non(print)\n")
    assert [one.site.line for one in first.applied] == [3]
    assert [one.site.line for one in second.applied] == [5]


@pytest.mark.parametrize(
    ("text", "returned"),
    [
        ("def f(): return bus.on('a')\n", True),
        ("def f():\n    on = bus.on('a')\n    return on\n", True),
        ("f = lambda: bus.on('a')\n", True),
        ("def f():\n    bus.on('a')\n    return 1\n", False),
    ],
)
def test_a_call_is_known_to_be_given_back(text: str, returned: bool) -> None:
    (use,) = calls(text)
    assert use.is_returned is returned


@pytest.mark.parametrize(
    ("number", "origins"), [("7", {"#7"}), ("100", {"#100"}), ("-5", {"#-5"}), ("1.5", {"?"}), ("True", {"True"})]
)
def test_a_number_that_a_call_is_given_is_known(number: str, origins: set[str]) -> None:
    (use,) = calls(f"bus.on('a', {number})\n")
    assert use.arguments[1].origins == origins


@pytest.mark.parametrize(
    ("display", "held"),
    [
        ("['a', 'b']", {"'a", "'b"}),
        ("('a', len(x))", {"'a", "builtins.len()"}),
        ("['a', *x]", {"'a", "?"}),
        ("'a'", set()),
        ("x", set()),
    ],
)
def test_an_argument_that_is_written_down_as_a_collection_shows_what_it_holds(display: str, held: set[str]) -> None:
    (use,) = calls(f"def f(x):\n    bus.on({display})\n")
    assert use.arguments[0].held == held


def through(files: dict[str, str], watched: str) -> list[str]:
    return [f"{use.site.path}:{use.site.line} {use.verb}" for use, _ in uses_of(files).of({watched}, through=True)]


CONFIG = "class Settings:\n    def __init__(self): self.debug = make()\nsettings = Settings()\n"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("from config import settings\nsettings.debug", ["m.py:2 read"]),
        ("from config import settings as s\ns.debug", ["m.py:2 read"]),
        ("import config as c\nc.settings.debug", ["m.py:2 read"]),
        ("import config\nprint(config.settings)", ["m.py:2 hand", "m.py:2 read"]),
        ("from config import *\nsettings.debug", ["m.py:2 read"]),
        ("from config import settings\nx = settings.get('a')\nx.more()", ["m.py:2 call"]),  # not what a call gave
        ("from config import Settings\nSettings().debug", []),  # another instance
        ("import config\nclass C:\n    def __init__(self): self.c = config.settings\n    def m(self): self.c.get()\n",
         ["m.py:3 read", "m.py:4 call"]),
    ],
)  # fmt: skip
def test_a_variable_may_be_watched(text: str, found: list[str]) -> None:
    assert [one for one in through({"config.py": CONFIG, "m.py": text}, "config.settings") if "m.py" in one] == found


def test_an_attribute_may_be_watched_also_through_a_subclass() -> None:
    files = {"config.py": CONFIG, "m.py": "from config import Settings\nclass S(Settings): pass\ns = S()\ns.debug\n"}
    assert "m.py:4 read" in through(files, "config.Settings.debug")


def test_a_variable_is_not_watched_unless_asked_for() -> None:
    uses = uses_of({"config.py": CONFIG, "m.py": "import config\nconfig.settings.debug"})
    assert uses.of({"config.settings"}) == ()
    assert uses.of({"config.settings"}, through=True) != ()


def test_a_class_tells_its_names() -> None:
    text = "from enum import Enum\nclass E(Enum):\n    A = 1\n    B = 2\n    def m(self): pass\nclass F: pass\n"
    uses = uses_of({"m.py": text, "n.py": "from m import E"})
    found = uses.names_in("n.E")
    assert found is not None
    assert (sorted(found.data), sorted(found.definitions), found.is_open) == (["A", "B"], ["m"], False)
    assert uses.names_in("m.G") is None
    assert uses.names_in("m") is None
    assert uses.names_in("elsewhere.E") is None


class Shelf(dict[bytes, bytes]):
    """A shelf in memory."""

    def past(self) -> None:
        """Return nothing: there was no earlier run."""

    def keep(self, answers: Mapping[bytes, bytes]) -> None:
        self.update(answers)


def test_all_of_it_is_the_same_from_the_shelf() -> None:
    files = {"bus.py": BUS, "m.py": "from bus import bus\non = bus.on(['a', 'b'], 100)\n@on\ndef f(): pass\n"}
    shelf = Shelf()
    fresh = uses_of(files)
    kept = Uses(fresh._load, shelf)
    told = fresh.of({"bus.Bus.on", "bus.bus"}, through=True)
    names, stands_for = kept.names_in("bus.Bus"), kept.origins_of("m.on")
    assert kept.of({"bus.Bus.on", "bus.bus"}, through=True) == told
    kept.keep()
    assert len(shelf) == 4  # three answers, and what they depend on
    again = Uses(lambda: None, shelf)
    assert again.of({"bus.Bus.on", "bus.bus"}, through=True) == told
    assert again.names_in("bus.Bus") == names
    assert again.origins_of("m.on") == stands_for != frozenset()
    assert all(marshal.loads(answer) is not None for answer in shelf.values())


@pytest.mark.parametrize(
    ("path", "origins"),
    [
        ("m.Box", {"m:Box"}),
        ("m.Box.own", {"m:Box.own"}),
        ("m.Box.run", {"m:Base.run"}),
        ("m.Box.gone", {"m:Box.gone"}),  # somebody may set it
        ("m.box", {"m:Box()"}),
        ("m.box.own", {"m:Box.own"}),
        ("m.thing.x", {"lib.make().x"}),
        ("n.Box", {"m:Box"}),  # under another address
        ("m", set()),  # a module
        ("lib.make", set()),  # not of this codebase
    ],
)
def test_a_path_tells_what_it_may_stand_for(path: str, origins: set[str]) -> None:
    text = (
        "import lib\nclass Base:\n    def run(self): pass\nclass Box(Base):\n    def own(self): pass\n"
        "box = Box()\nthing = lib.make()\n"
    )
    assert uses_of({"m.py": text, "n.py": "from m import Box\n"}).origins_of(path) == origins


def test_a_module_tells_its_functions_and_classes() -> None:
    text = """\
import os as other
value = lambda: 0
def f():
    def g(): pass
    return [x for x in ()]
class C:
    async def m(self): pass
    class D:
        def m(self): pass
if value:
    def h(): pass
alias = f
"""
    uses = uses_of({"m.py": text, "n.py": "def other(): pass\n"})
    assert uses.definitions("m") == {"f", "f.<locals>.g", "C", "C.m", "C.D", "C.D.m", "h"}
    assert uses.definitions("n") == {"other"}
    assert uses.definitions("nowhere") == frozenset()


def test_an_argument_is_found_by_name_or_position() -> None:
    (use,) = (
        one
        for one in uses_of({"m.py": "import lib\nlib.call('first', 2, service='third', **more)\n"}).every("m")
        if one.verb == "call"
    )
    texts = [given and given.text for given in (use.argument("a", 0), use.argument("service", 0), use.argument("b"))]
    assert texts == ["first", "third", None]
    number = use.argument("count", 1)
    assert number is not None
    assert number.text is None
    assert number.origins == frozenset(("#2",))
    assert use.argument("other", 2) is None
    assert use.is_spread
