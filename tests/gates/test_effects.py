from __future__ import annotations

import pytest

from abutment.errors import NotJudged
from abutment.facts.effects import ENVIRONMENT_READ
from abutment.gates.effects import GATE
from abutment.gates.effects_list import KINDS
from tests.families import found, measured
from tests.settings import settings_of

FILES = {
    "m.py": "import n\nn.start()\n",
    "n.py": "import subprocess\ndef start():\n    go()\ndef go():\n    subprocess.run([])\n",
}
KEY = ("m", "<module>", "subprocess", "subprocess.run", "n.start")


def test_every_kind_has_a_rule_and_a_clause_of_its_own() -> None:
    found = measured(GATE, "")
    said = {kind: found.describe(("m", "<module>", kind, "x.y", "")) for kind in (*KINDS, ENVIRONMENT_READ)}
    assert {one.rule for one in said.values()} == {rule.id for rule in GATE.rules}
    assert len({one.what for one in said.values()}) == len(said)
    assert "does something" in found.describe(("m", "C", "odd", "x.y", "")).what


def test_the_chain_is_shown_and_belongs_to_the_violation() -> None:
    found = measured(GATE, FILES)
    assert found.counts == {KEY: 1}
    evidence = found.describe(KEY)
    assert evidence.what == "importing m runs a program by a call of n.start (subprocess.run)"
    assert [site.place() for site in evidence.sites] == ["m.py:2"]
    assert evidence.details == ("n.start calls n.go: n.py:3", "n.go calls subprocess.run: n.py:5")
    assert [site.place() for site in evidence.through] == ["n.py:3", "n.py:5"]
    assert found.describe((*KEY[:4], "n.gone")).details == ()


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("sys.modules['a'] = None", "n.go changes sys.modules: n.py:4"),
        ("del os.environ['A']", "n.go changes os.environ: n.py:4"),
        ("os.environ.update(A='')", "n.go changes os.environ: n.py:4"),
        ("os.getenv('A')", "n.go reads os.getenv: n.py:4"),
        ("os.chdir('/')", "n.go calls os.chdir: n.py:4"),
    ],
)
def test_the_end_of_a_chain_says_what_is_done_there(line: str, said: str) -> None:
    files = {"m.py": "import n\nn.go()\n", "n.py": f"import os\nimport sys\ndef go():\n    {line}\n"}
    found = measured(GATE, files, environment_reads=True)
    (key,) = found.counts
    assert found.describe(key).details == (said,)


def test_an_approval_has_to_say_when_it_is_no_longer_needed() -> None:
    assert GATE.terms("law").asks_exit


def test_reads_of_the_environment_are_counted_where_that_is_asked_for() -> None:
    text = "import os\nA = os.getenv('A')"
    assert measured(GATE, text).counts == {}
    assert measured(GATE, text, environment_reads=True).counts == {
        ("m", "<module>", ENVIRONMENT_READ, "os.getenv", ""): 1
    }


def test_a_registry_that_is_nowhere_leaves_the_gate_unjudged() -> None:
    assert [fault.message for fault in measured(GATE, FILES, registries=["n.gone"]).faults] == [
        "effects.registries[0]: the code defines no n.gone."
    ]


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ({"registry": ["a"]}, "registry: unknown key"),
        ({"also": [{"name": "a.b", "kind": "odd"}]}, "expected one of thread"),
        ({"also": [{"name": "a.b", "kind": "file", "why": "x"}]}, "effects.also[0].why: unknown key"),
        ({"not_effects": ["os.sistem"]}, "effects.not_effects[0]: 'os.sistem' is not in the list"),
        ({"environment_reads": 1}, "expected true or false"),
    ],
)
def test_a_wrong_setting_is_said(table: dict[str, object], message: str) -> None:
    with pytest.raises(NotJudged) as refusal:
        settings_of(GATE, table)
    assert message in str(refusal.value)


def test_the_lists_can_be_changed() -> None:
    text = (
        "import lib, os, subprocess, sys\nlib.a()\nlib.b()\nsubprocess.run([])\nsys.path.append('')\nos.getenv('A')\n"
    )
    also = [{"name": f"lib.{one}", "kind": "file"} for one in "ab"]
    table = {"also": also, "not_effects": ["subprocess.run", "sys.path", "os.getenv"], "environment_reads": True}
    assert [key[2:4] for key in measured(GATE, text, **table).counts] == [("file", "lib.a"), ("file", "lib.b")]


def test_a_builtin_reads_without_its_module() -> None:
    assert found(GATE, "open('x')") == ["1 file open"]
    (key,) = measured(GATE, "open('x')").counts
    assert measured(GATE, "open('x')").describe(key).what == "importing m touches a file (open)"


def test_a_module_left_out_is_not_judged() -> None:
    assert measured(GATE, FILES, exclude=["m"]).counts == {}
