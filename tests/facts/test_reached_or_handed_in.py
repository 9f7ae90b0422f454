"""Does code reach for a global object, or did somebody else put it where the code finds it?"""

from __future__ import annotations

import pytest

from abutment.facts.configuration import scan_configuration
from abutment.facts.locators import Locator, scan_locators
from tests.families import program_of as built

TREE = {
    "app/__init__.py": "",
    "app/config.py": "class Settings:\n    debug = load()\nsettings = Settings()\nNAME = 'x'\n",
    # What keeps whatever it is given, and what is given it by the composition root.
    "app/box.py": (
        "class Box:\n    def __init__(self): self.kept = None\n"
        "    def twice(self): return self.kept.debug, self.kept\n    def all(self): return self.items[0].debug\n"
        "    def by_name(self): return self.kit.settings.debug\n"
        "box = Box()\ndef current(): return box.kept\ndef own(): return box.kept.debug\n"
        "class Special(Box): pass\nclass Shared:\n    def use(self): return self.common.debug\n"
    ),
    "app/main.py": (
        "import app.config as c\nfrom app.box import Box, Shared, box\n"
        "box.kept = c.settings\nbox.items = [c.settings]\nbox.kit = c\nShared.common = c.settings\n"
    ),
}
SETTINGS = "app.config.settings"


def told(files: dict[str, str], module: str = "app.m") -> list[int]:
    """Return the lines of one module at which the settings are taken, which both families see alike."""
    program = built(TREE | files)
    uses = scan_configuration(program, [SETTINGS], [])
    lines = sorted({one.site.line for one in uses if one.module == module and one.kind == "access"})
    rule = Locator("settings", frozenset((SETTINGS,)), lambda _: False)
    assert lines == sorted({one.site.line for one in scan_locators(program, [rule]) if one.module == module})
    return lines


def test_who_gives_it_reaches_for_it() -> None:
    assert told({}, "app.main") == [3, 4, 6]


def test_what_a_class_was_given_by_another_module_is_not_its_own_doing() -> None:
    """Lines 3 and 4 use what they were handed; line 5 names the settings in a module that it was handed.

    Lines 7 and 8 ask the one box that all share, and line 11 a class that all share: those are holders.
    """
    assert told({}, "app.box") == [5, 7, 8, 11]


@pytest.mark.parametrize(
    "text",
    [
        "import app.box\napp.box.box.kept.debug",
        "from app.box import box\ndef f(): return box.kept.debug",
        "from app import box as b\nmade = getattr(b.box, 'kept')\nmade.debug",
        "from app.box import current\nmade = current()\nmade.debug",
        "from app.box import Box\ndef f(b: Box): return b.kept.debug",  # it names the holder's class
        "from app.box import Shared\nclass C(Shared):\n    def f(self): self.common.debug",
        "from app.box import Box\nclass C(Box):\n    def f(self): self.kept.debug",  # it stands below a holder
        "from app.box import box\nclass C:\n    def __init__(self): self.b = box\n    def f(self): self.b.kept.debug",
        "import app.config as c\nclass C:\n    s = c.settings\n    def f(self): self.s.debug",
        "import app.config as c\nclass C:\n    def f(self): self.s = c.settings\n    def g(self): self.s.debug",
        "import app.config as c\nclass A:\n    s = c.settings\nclass C(A):\n    def f(self): self.s.debug",
        "import app.config as c\ndef get(): return c.settings\nmade = get()\nmade.debug",
    ],
)
def test_a_holder_within_the_codebase_launders_nothing(text: str) -> None:
    *_, last = told({"app/m.py": text + "\n"})
    assert last == text.count("\n") + 1  # where it is used in the end


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("import app.config as c\ndef f(s):\n    return s.debug\nf(c.settings)", [4]),
        ("import app.config as c\nclass C:\n    def __init__(self, s): self.s = s\n    def f(self): self.s.debug\n"
         "C(c.settings)", [5]),
        ("import app.config as c\ndef f(s=c.settings):\n    return s.debug", [2]),
        ("import app.config as c\ndef f(s=None):\n    s = s or c.settings\n    return s.debug", [3, 4]),
        ("import app.config as c\ndef f(m):\n    return m.settings.debug\nf(c)", [3]),  # nobody else names them
        ("import app.config as c\ndef f(get):\n    return get().debug\nf(lambda: c.settings)", [4]),
    ],
)  # fmt: skip
def test_a_parameter_is_reached_for_where_it_is_given(text: str, lines: list[int]) -> None:
    assert told({"app/m.py": text + "\n"}) == lines


def test_what_a_class_below_has_is_that_ones_doing() -> None:
    base = "class Base:\n    def f(self): return self.conf.debug\n    def g(self): return self.conf\n"
    below = "import app.config as c\nfrom app.m import Base\nclass Below(Base):\n    conf = c.settings\n"
    assert told({"app/m.py": base, "app/below.py": below}) == []
    assert told({"app/m.py": base, "app/below.py": below}, "app.below") == [4]


def test_what_a_class_makes_itself_is_its_own_also_where_it_is_given_that_from_outside() -> None:
    base = "import app.config as c\nclass Base:\n    def make(self): return c.settings\n"
    used = "from app.base import Base\nclass C(Base):\n    def f(self): return self.made.debug\none = C()\n"
    files = {"app/base.py": base, "app/m.py": used, "app/sets.py": "from app.m import one\none.made = one.make()\n"}
    assert told(files) == [3]


def test_what_the_module_of_the_settings_hands_out_is_reached_for_where_it_is_used() -> None:
    """No other module reaches for it, so that nobody else would have to answer."""
    config = TREE["app/config.py"] + "import app.config as me\nfrom app.m import one\none.conf = me.settings\n"
    used = "class C:\n    def f(self): return self.conf.debug\none = C()\n"
    assert told({"app/config.py": config, "app/m.py": used}) == [2]
