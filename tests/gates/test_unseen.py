"""A name that nobody can prove to be wrong, and that looks so, is told in a note; what is merely unused is not."""

from __future__ import annotations

import pytest

from abutment.gates import load_gate
from tests.families import measured
from tests.gates.test_named import TABLES, table_of

FILES = {
    "app/__init__.py": "import requests\n",
    "app/core.py": "class Hass:\n    def __init__(self): self.bus = 1\ndef __getattr__(name): return name\n",
    "app/lazy.py": "from app.core import *\nfrom vendor import *\nbus = 1\n",
    "app/plain.py": "class Box: pass\n",
}


def notes_of(*names: str) -> list[str]:
    return list(measured(load_gate("bans"), FILES, rules=[{"id": "r", "names": list(names)}]).notes)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        # of ours
        ("app.core.Hass", ""),
        ("app.core.Hass.bus", ""),
        ("app.core.Hsas", "app.core has no Hsas that can be seen; did you mean app.core.Hass?"),
        ("app.core.anything", "app.core has no anything that can be seen."),
        ("app.lazy.buss", "app.lazy has no buss that can be seen; did you mean app.lazy.bus?"),
        ("app.core", ""),
        # of the standard library
        ("datetime.datetime.now", ""),
        ("datetime.now", "; did you mean datetime.datetime.now?"),
        ("os.from_another_system", ""),
        ("time.sleep.anything", ""),
        ("datetime.datetime.nwo", "datetime.datetime has no nwo in Python "),
        ("time.slep", "; did you mean time.sleep?"),
        ("time", ""),
        ("os.path.joni", "; did you mean os.path.join?"),
        ("logging.Logger.handlers", ""),  # instances may have it
        ("builtins.prnt", "; did you mean builtins.print?"),
        ("statistics.maen", ""),  # not looked up
        # of others
        ("builtin.print", "nothing imports builtin; did you mean builtins?"),
        ("reqests.get", "nothing imports reqests; did you mean requests?"),
        ("ap.core.Hass", "nothing imports ap; did you mean app?"),
        ("requests.gett", ""),  # nobody reads what is in there
        ("paramiko.SSHClient", ""),  # banned before anybody used it
    ],
)
def test_a_name_that_looks_wrong_is_told(name: str, said: str) -> None:
    notes = notes_of(name)
    assert len(notes) == bool(said)
    assert all(note.startswith("bans.rules[0].names[0]: ") and said in note for note in notes)


def test_a_name_that_is_refused_is_not_told_twice() -> None:
    assert notes_of("app.plain.Bxo") == []


@pytest.mark.parametrize(("name", "template"), TABLES)
def test_every_family_tells_it(name: str, template: dict[str, object]) -> None:
    told = measured(load_gate(name), FILES, **table_of(template, "app.core")).notes
    assert any("that can be seen" in note for note in told)
