"""Settings objects and what is made of configuration, wherever they are taken."""

from __future__ import annotations

import pytest

from abutment.facts.configuration import scan_configuration
from tests.families import program_of as built

TREE = {
    "app/__init__.py": "from app.config import settings\n",
    "app/config.py": "class Settings:\n    debug = load()\nsettings = Settings()\ndebug = settings.debug\n",
    "app/store.py": "class Store:\n    def get(self): pass\n",
}


def told(text: str) -> list[str]:
    """Return `line kind target` of what one module takes."""
    program = built(TREE | {"app/m.py": text})
    found = scan_configuration(program, ["app.config.settings"], ["app.config.Settings", "app.store.Store"])
    return [f"{one.site.line} {one.kind} {one.target}" for one in found if one.module == "app.m"]


IMPORT, ACCESS = "import app.config.settings", "access app.config.settings"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("from app.config import settings", [f"1 {IMPORT}"]),
        ("from app.config import settings\nsettings.debug\nsettings.debug", [f"1 {IMPORT}"]),  # once for the import
        ("from app.config import settings as other", [f"1 {IMPORT}"]),
        ("from .config import settings", [f"1 {IMPORT}"]),
        ("from app import settings", [f"1 {IMPORT}"]),  # handed on by the package
        ("def f():\n    from app.config import settings", [f"2 {IMPORT}"]),
        ("import app.config\napp.config.settings.debug", [f"2 {ACCESS}"]),
        ("from app import config as c\ndef f():\n    return c.settings.debug", [f"3 {ACCESS}"]),
        ("from app.config import *\nsettings.debug", [f"2 {ACCESS}"]),
        ("import app\napp.settings.debug", [f"2 {ACCESS}"]),
        ("from app.config import Settings\nSettings()", ["2 construction app.config.Settings"]),
        ("from app.store import Store as S\nT = S\nT().get()", ["3 construction app.store.Store"]),
        ("import app.store\ndef f(): return app.store.Store()", ["2 construction app.store.Store"]),
        ("from app.store import Store\nStore(); Store()", ["2 construction app.store.Store"] * 2),
        ("from app.store import Store\nclass Mine(Store): pass\nMine()", ["3 construction app.store.Store"]),
        ("from app.config import settings\ndef f(settings): return settings.debug", [f"1 {IMPORT}"]),  # handed in
        ("try:\n    from app.config import settings\nexcept ImportError:\n    settings = None", [f"2 {IMPORT}"]),
        ("from typing import TYPE_CHECKING as T\nif not T:\n    from app.config import settings", [f"3 {IMPORT}"]),
    ],
)
def test_what_is_taken(text: str, expected: list[str]) -> None:
    assert told(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "import app.config",
        "from app.config import debug",
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from app.config import settings",
        "def f(settings): return settings.debug",
        "from app.config import Settings\ndef f(settings: Settings): return settings.debug",  # handed in
        "from app.store import Store\ndef f(store: Store): return store.get()",
        "class Store: pass\nStore()",
        "from app.store import Store\nhand(Store)",
        "from app.store import Store\ndef f(store: Store): return store()",  # to call one is to make none
        "from app.store import Store\nclass Mine(Store): pass",
    ],
)
def test_what_is_not(text: str) -> None:
    assert told(text) == []


def test_one_place_at_which_one_of_two_classes_is_made_counts_once() -> None:
    text = "from app.config import Settings\nclass A(Settings): pass\nclass B(Settings): pass\n(A if x else B)()"
    assert told(text) == ["4 construction app.config.Settings"]


def test_the_module_that_defines_an_object_may_use_it() -> None:
    own = {"app/config.py": TREE["app/config.py"] + "from app import settings as same\nSettings.debug.on()\n"}
    found = scan_configuration(
        built(TREE | own), ["app.config.settings", "app.config.Settings.debug"], ["app.config.Settings"]
    )
    assert [one.module for one in found] == ["app"]


GIVING = {
    "app/__init__.py": "",
    "app/core.py": (
        "from functools import cache\nimport vendor\n"
        "class Settings:\n    debug = 1\n    @classmethod\n    def parse(cls): return cls()\n"
        "    @classmethod\n    def names(cls): return ['debug']\n    def copy(self): return Settings()\n"
        "class Own(Settings): pass\nsettings = Settings()\n"
        "def get_settings(): return settings\ndef make(): return Own()\n"
        "@cache\ndef maybe(): return settings or None\ndef other(): return vendor.make()\n"
        "class App:\n    own = settings\n    def __init__(self): self.settings, self.name = settings, 'x'\n"
        "app = App()\nTABLE = {'s': settings}\nNAMES = {'s': 'settings'}\n"
    ),
}
READ, MADE = "access app.core.settings", "construction app.core.Settings"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # handed to whoever makes it
        ("from lib import field\nfrom app.core import Settings\nx = field(default_factory=Settings)", [f"3 {MADE}"]),
        ("from lib import dep\nfrom app.core import Settings\ndef f(s=dep(Settings)): pass", [f"3 {MADE}"]),
        ("from app.core import Settings\nlist(map(Settings, rows))", [f"2 {MADE}"]),
        ("from app.core import Own\nmap(Own, rows)", [f"2 {MADE}"]),
        ("from collections import defaultdict\nfrom app.core import Settings\ndefaultdict(Settings)", [f"3 {MADE}"]),
        ("from app.core import Settings\nisinstance(x, Settings), issubclass(Settings, x), print(Settings)", []),
        ("from app.core import Settings\nfrom lib import box\nbox().get(Settings)", []),  # found by it
        ("from app.core import Settings\nfrom dataclasses import fields\nfields(Settings)", []),
        ("from app.core import Settings\nfrom lib import Box\nBox(Settings)", []),
        ("from lib import dep\nfrom app.core import Settings\ndep(1, Settings)", []),
        # made by what is in its own module
        ("from app.core import Settings\nSettings.parse()", [f"2 {MADE}"]),
        ("from app.core import Own\nOwn.parse()", [f"2 {MADE}"]),
        ("from app.core import Settings\nSettings.names()", []),
        ("from app.core import Settings\ndef f(s: Settings): return s.copy()", [f"2 {MADE}"]),
        # given by what is in its own module
        ("from app.core import get_settings\nget_settings().debug", [f"2 {READ}"]),
        ("import app.core as c\ns = c.get_settings()\ns.debug", [f"2 {READ}"]),
        ("from app.core import maybe\nmaybe().debug", [f"2 {READ}"]),
        ("from app.core import other\nother().debug", []),
        ("from app.core import make\nmake()", []),  # another one, made there
        ("from app.core import app\napp.settings.debug", [f"2 {READ}"]),
        ("from app.core import app\napp.own.debug", [f"2 {READ}"]),
        ("from app.core import app\napp.name", []),
        ("from app.core import App\ndef f(app: App): return app.settings.debug", []),  # handed in
        ("from app.core import TABLE\nTABLE['s'].debug", [f"2 {READ}"]),
        ("from app.core import NAMES\nNAMES['s'].upper()", []),
        # asked for by its name
        ("import app.core as c\ngetattr(c, 'settings').debug", [f"2 {READ}"]),
        ("import app.core as c\ngetattr(c, 'app')", []),
        ("import app.core as c\ns = getattr(c, 'settings', None)\ns.debug", [f"2 {READ}", f"3 {READ}"]),
        ("from importlib import import_module\nc = import_module('app.core')\nc.settings.debug", [f"3 {READ}"]),
    ],
)  # fmt: skip
def test_what_is_taken_by_other_ways(text: str, expected: list[str]) -> None:
    found = scan_configuration(built(GIVING | {"app/m.py": text}), ["app.core.settings"], ["app.core.Settings"])
    assert sorted(f"{one.site.line} {one.kind} {one.target}" for one in found if one.module == "app.m") == expected


def test_a_constant_beside_settings_of_which_not_all_is_known_gives_none() -> None:
    """A name that may stand for anything is no name of the settings, though they may be anything, too."""
    config = "settings = Settings()\ndef put(s):\n    global settings\n    settings = s\nNAME = 'x'\n"
    config = f"class Settings: pass\n{config}"
    program = built(
        {"app/__init__.py": "", "app/config.py": config, "app/m.py": "from app.config import NAME\nf(NAME)\n"}
    )
    assert list(scan_configuration(program, ["app.config.settings"], [])) == []
