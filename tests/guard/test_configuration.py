"""Each way to loosen a setting is seen, and the way back is not: it narrows."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from abutment.gates import TABLE, load_gate
from abutment.model.loosening import Tables
from abutment.policies.contracts.kinds import LOOSENINGS
from tests.guard.laws import BARE, FORBIDDEN, differences, toml, widenings

LAYERS = '[[contracts]]\nid = "l"\nkind = "layers"\nlayers = {}\n'
BAN = '[[bans.rules]]\nid = "r"\nnames = ["builtins.print", "os.system"]\n'
GROUP = '[coverage]\n[[coverage.groups]]\nname = "g"\nmodules = ["app.x"]\n'


def contract(text: str) -> str:
    return FORBIDDEN + text


def layers(*names: str) -> str:
    return LAYERS.format("[" + ", ".join(f'"{name}"' for name in names) + "]")


# strict, loose, what is said of the way from the one to the other
LOOSENED = [
    ("", 'exclude = ["src/app/old/"]', "exclude: 'src/app/old/' was added"),
    ('exclude = ["src/app/old/x.py"]', 'exclude = ["src/app/old/"]', "exclude: 'src/app/old/' was added"),
    ('exclude = ["old/x.py"]', 'exclude = ["old/x.py", "y/old/"]', "exclude: 'y/old/' was added"),
    ("", '[cycles]\nhold = "members"', "cycles.hold: went from edges to members"),
    ("[cycles]\ndeferred = true", "", "cycles.deferred: went from true to false"),
    ('[cycles]\nparents = "shared"', "", "cycles.parents: went from shared to own"),
    ("", '[cycles]\nparents = "none"', "cycles.parents: went from own to none"),
    ("", '[cycles]\nexclude = ["app.x"]', "cycles.exclude: 'app.x' was added"),
    ('[cycles]\nexclude = ["app.x.y"]', '[cycles]\nexclude = ["app.x"]', "cycles.exclude: 'app.x' was added"),
    ('[egress]\nraw_transports = ["wire"]', "", "egress.raw_transports: 'wire' was taken out"),
    ("", '[egress]\nnot_network = ["docker"]', "egress.not_network: 'docker' was added"),
    ('[egress]\nreasons = ["a"]', "", "egress.reasons: allows everything now"),
    ('[egress]\nreasons = ["a"]', '[egress]\nreasons = ["a", "b"]', "egress.reasons: 'b' was added"),
    (BAN, "", "bans.rules r: was removed"),
    (BAN, BAN.replace(', "os.system"', ""), "bans.rules r.names: 'os.system' was taken out"),
    (BAN, BAN + 'in = ["app.a"]', "bans.rules r.in: held everywhere, and holds for app.a only"),
    (BAN + 'in = ["app"]', BAN + 'in = ["app.a"]', "bans.rules r.in: 'app' was taken out"),
    (BAN, BAN + 'except = ["app.a"]', "bans.rules r.except: 'app.a' was added"),
    (
        "",
        '[tasks]\n[[tasks.registries]]\nclasses = ["app.R"]',
        'tasks.registries: \'{"classes": ["app.R"]}\' was added',
    ),
    ("", '[concurrency]\nowners = ["app.Own"]', "concurrency.owners: 'app.Own' was added"),
    ('[coverage]\nfloor = "81.77"', "[coverage]\nfloor = 81.7", "coverage.floor: went from 81.77 to 81.7"),
    ("[coverage]\nchanged_floor = 90", "", "coverage.changed_floor: went from 90 to 0"),
    ("", '[coverage]\nmeasures = ["statements"]', "coverage.measures: 'branches' was taken out"),
    (GROUP + "floor = 9.5", GROUP, "coverage.groups g.floor: went from 9.5 to 0"),
    (GROUP, "", "coverage.groups g: was removed"),
    ("", '[coverage]\nexclude = ["app.x"]', "coverage.exclude: 'app.x' was added"),
    ("", '[changed]\nexclude = ["app.x"]', "changed.exclude: 'app.x' was added"),
    ("[effects]\nenvironment_reads = true", "", "effects.environment_reads: went from true to false"),
    (
        '[transactions]\nroots = ["app", "lib"]',
        '[transactions]\nroots = ["app"]',
        "transactions.roots: 'lib' was taken out",
    ),
    ("", '[transactions]\nroots = ["app"]', "transactions.roots: held everywhere, and holds for app only"),
    ("[startup]\nbudget = 3", "[startup]\nbudget = 3.5", "startup.budget: went from 3 to 3.5"),
    ("[startup]\nbudget = 3.5", "", "startup.budget: went from 3.5 to not there"),
    ('[startup]\nmodules = ["app.a"]', "", "startup.modules: 'app.a' was taken out"),
    ('[startup]\norders = [["a", "b"]]', "", 'startup.orders: \'["a", "b"]\' was taken out'),
    ('[startup]\nmodes = [{ name = "m", start = "a:b" }]', "", "startup.modes m: was removed"),
    ("", "[startup]\nfirst_party = false", "startup.first_party: went from true to false"),
    ("[startup]\nthird_party = true", "", "startup.third_party: went from true to false"),
    (FORBIDDEN, "", "contract c: was removed"),
    (contract("indirect = true"), FORBIDDEN, "contract c.indirect: went from true to false"),
    (contract("reviewed_only = true"), FORBIDDEN, "contract c.reviewed_only: went from true to false"),
    (FORBIDDEN, contract('ignore = ["app.a.x -> app.b"]'), "contract c.ignore: 'app.a.x -> app.b' was added"),
    (FORBIDDEN, contract('except_sources = ["app.a.x"]'), "contract c.except_sources: 'app.a.x' was added"),
    (FORBIDDEN, contract('unused_ignores = "silent"'), "contract c.unused_ignores: went from gone to silent"),
    (FORBIDDEN, contract('reading = "statements"'), "contract c.reading: went from run to statements"),
    (contract('include = ["type_only"]'), FORBIDDEN, "contract c.include: 'type_only' was taken out"),
    (FORBIDDEN, FORBIDDEN.replace('"app.a"', '"app.a.x"'), "contract c.sources: 'app.a' was taken out"),
    (FORBIDDEN, FORBIDDEN.replace('"app.b"', '"app.b.x"'), "contract c.forbidden: 'app.b' was taken out"),
    (layers("a", "b", "c"), layers("a", "c"), "contract l.layers: no longer asks that b does not import a and 2 more"),
    (
        layers("a", "b | c"),
        layers("a", "b : c"),
        "contract l.layers: no longer asks that b does not import c and 1 more",
    ),
    (layers("a", "b"), layers("a", "(b)"), "contract l.layers: no longer asks that b is there"),
    ('[guard]\ncommands = ["make check"]', "", "guard.commands: 'make check' was taken out"),
    ("[complexity]\ncomplexity = 10", "", "complexity.complexity: went from 10 to 15"),
    ("", "[complexity]\nnesting = 6", "complexity.nesting: went from 5 to 6"),
    ("[sizes]\nfile = 900", "[sizes]\nfile = 901", "sizes.file: went from 900 to 901"),
    ("[lint]\nignore_noqa = true", "", "lint.ignore_noqa: went from true to false"),
]


@pytest.mark.parametrize(("strict", "loose", "said"), LOOSENED, ids=lambda text: text.replace("\n", " ")[:60])
def test_a_looser_setting_is_seen_and_the_way_back_is_not(strict: str, loose: str, said: str) -> None:
    assert widenings(toml(strict), toml(loose)) == [said]
    back = differences(toml(loose), toml(strict))
    assert (back.widenings, back.narrowing > 0) == ((), True)


# Neither way is understood, so that both are looser.
@pytest.mark.parametrize(
    ("one", "other"),
    [
        (layers("a", "b"), layers("b", "a")),
        (FORBIDDEN, FORBIDDEN.replace('"c"', '"d"')),
        (FORBIDDEN, FORBIDDEN.replace('"forbidden"\n', '"allow_only"\n').replace("forbidden =", "allowed =")),
        ('exclude = ["!src/x", "src"]', 'exclude = ["src", "!src/x"]'),
        ('[guard]\nmain = "origin/trunk"', '[guard]\nmain = "mine"'),
        ('[startup]\ncommand = ["python"]', '[startup]\ncommand = ["other"]'),
        ('[startup]\ncommand = ["python"]', ""),
        (
            '[startup]\nmodes = [{ name = "m", start = "a:b" }]',
            '[startup]\nmodes = [{ name = "m", start = "a:b", stop = "a:c" }]',
        ),
        ('[egress]\nlater = "known"', '[egress]\nlater = "other"'),
        ("", '[lint]\ncommand = ["ruff"]'),
        ('[lint]\ncommand = ["ruff"]', '[lint]\ncommand = ["ruff", "--select", "E"]'),
        ('[lint]\ntargets = ["src"]', '[lint]\ntargets = ["."]'),
        ('[lint]\ninput = "a.json"', '[lint]\ninput = "b.json"'),
        ('[[events.apis]]\nid = "bus"\nclasses = ["B"]\nenums = ["E"]', '[[events.apis]]\nid = "bus"\nclasses = ["B"]'),
    ],
)
def test_what_is_not_understood_is_looser_both_ways(one: str, other: str) -> None:
    assert widenings(toml(one), toml(other))
    assert widenings(toml(other), toml(one))


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('exclude = ["a/", "b/"]', 'exclude = ["b/", "a/"]'),
        (FORBIDDEN, contract('reason = "Because."\ninstead = "Do that."')),
        (BAN, BAN + 'instead = "Log it."'),
        (contract("indirect = false"), FORBIDDEN),
        ('[cycles]\nhold = "edges"', ""),
        (FORBIDDEN + layers("a", "b"), layers("a", "b") + FORBIDDEN),
        ('documents = "law"', 'documents = "other"'),
    ],
)
def test_what_reads_otherwise_and_says_the_same_is_neutral(before: str, after: str) -> None:
    found = differences(toml(before), toml(after))
    assert (found.widenings, found.narrowing) == ((), 0)


def with_roots(roots: str) -> dict[str, bytes | str]:
    return {"abutment.toml": BARE.replace('["src"]', roots)}


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ('["src", "lib"]', '["src"]', "roots: 'lib' was taken out"),
        (
            '["src"]',
            '[{ path = "src", role = "tests" }]',
            "roots: 'src' went from role source to role tests",
        ),
        (
            '["src"]',
            '["src", { path = "src/app/old", role = "tests" }]',
            "roots: 'src/app/old' was added, which gives modules of the root 'src' another name or role",
        ),
    ],
)
def test_code_that_leaves_the_reach_of_the_law_is_seen(before: str, after: str, said: str) -> None:
    code = {"lib/x.py": "", "src/app/old/y.py": ""}
    assert widenings({**with_roots(before), **code}, {**with_roots(after), **code}) == [said]


def test_a_root_for_tests_inside_of_another_is_seen_before_it_holds_anything() -> None:
    inside = with_roots('["src", { path = "src/app/old", role = "tests" }]')
    assert len(widenings(with_roots('["src"]'), inside)) == 1


@pytest.mark.parametrize("roots", ['["./src/", "lib"]', '["src", { path = "tests", role = "tests" }]'])
def test_a_root_beside_the_others_loosens_nothing(roots: str) -> None:
    assert widenings(with_roots('["src"]'), with_roots(roots)) == []


def test_a_gate_that_is_switched_off_is_seen_and_takes_its_settings_along() -> None:
    on, off = toml('[cycles]\ndeferred = true\nexclude = ["app.x"]'), {"abutment.toml": BARE.replace('"cycles", ', "")}
    assert widenings(on, off) == ["gate cycles: went from on to off"]
    assert widenings(off, on) == []


def test_the_file_that_holds_the_configuration_is_of_no_account() -> None:
    found = differences({"abutment.toml": BARE}, {"pyproject.toml": "[tool.abutment]\n" + BARE})
    assert found == type(found)()


def test_a_configuration_that_could_not_be_read_is_looser_once_it_can() -> None:
    both = {"abutment.toml": BARE, "pyproject.toml": "[tool.abutment]\nroots = ['src']"}
    why = "abutment.toml: pyproject.toml beside it has [tool.abutment] as well. Keep one."
    assert widenings(both, {"abutment.toml": BARE}) == [f"configuration before: could not be read: {why}"]


def test_where_there_was_no_configuration_nothing_is_loosened() -> None:
    assert widenings({"abutment.toml": ""}, toml(FORBIDDEN)) == []


def declared() -> set[str]:
    """Return every key of every gate and every kind of contract that declares in which direction it loosens."""
    found = {f"{name}.{key}" for name in TABLE for key in load_gate(name).loosening.keys}
    for name in TABLE:
        for key, setting in load_gate(name).loosening.keys.items():
            if isinstance(setting, Tables):
                found.update(f"{name}.{key}[].{below}" for below in setting.loosening.keys)
    return found | {f"{kind}.{key}" for kind, declared in LOOSENINGS.items() for key in declared.keys}


@pytest.mark.parametrize("name", TABLE)
def test_a_gate_declares_every_key_that_it_has(name: str) -> None:
    page = (Path(__file__).parents[2] / "docs" / "configuration.md").read_text(encoding="utf-8")
    written = set(re.findall(rf"^\| `{name}\.(\w+)` \|", page, re.MULTILINE))
    assert written == set(load_gate(name).loosening.keys)


def test_only_keys_are_declared_that_the_schema_knows() -> None:
    schema = json.loads((Path(__file__).parents[2] / "docs" / "configuration.schema.json").read_text(encoding="utf-8"))
    text = json.dumps(schema)
    assert not [key for key in declared() if f'"{key.rpartition(".")[2]}"' not in text]
