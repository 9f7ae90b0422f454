"""tach's modules, carried over: the verdicts below are those that tach 0.35.3 gives on the same trees."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest
import tomlkit

from abutment.adopt.tach import carry_over
from abutment.errors import NotJudged
from abutment.gates.boundaries import GATE
from abutment.model.grants import Grants
from abutment.model.reading import Faults, TableReader
from abutment.semantics.build import build_program
from abutment.sources.discovery import discover
from abutment.sources.memory_tree import MemoryTree
from abutment.sources.toml_document import load_toml
from abutment.sources.universe import Root
from abutment.verdicts.judge import judge
from abutment.verdicts.verdict import Status

CODE = ("web/page", "core/plan", "core/deep/well", "store/rows", "util/text")
MODULES = ("web", "core", "core.deep", "store", "util")


def tree(configuration: str, **code: str) -> MemoryTree:
    files = {f"app/{name}.py": "" for name in CODE}
    files |= {f"app/{name}/__init__.py": "" for name in ("web", "core", "core/deep", "store", "util")}
    files["app/__init__.py"] = ""
    files |= {f"app/{name}.py": text for name, text in code.items()}
    return MemoryTree({**files, "tach.toml": configuration})


def configuration(head: str = "", **modules: str) -> str:
    """Return a tach.toml with the given extra keys; a module that is not named depends on nothing."""
    tables = (
        f'[[modules]]\npath = "app.{name}"\n{modules.get(name.replace(".", "_"), "depends_on = []")}\n'
        for name in MODULES
    )
    return head + "\n" + "\n".join(tables)


COMPARED: list[tuple[str, str, dict[str, str], bool]] = [
    ("nothing is imported", configuration(), {}, True),
    ("not on the list", configuration(), {"web/page": "import app.core.plan"}, False),
    ("on the list", configuration(web='depends_on = ["app.core"]'), {"web/page": "from app.core import plan"}, True),
    ("no list at all", configuration(web=""), {"web/page": "from app.core import plan"}, True),
    ("deferred", configuration(), {"web/page": "def f():\n    from app.core.plan import x"}, False),
    (
        "for the type checker",
        configuration(),
        {"web/page": "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import app.core.plan"},
        True,
    ),
    (
        "for the type checker, counted",
        configuration("ignore_type_checking_imports = false"),
        {"web/page": "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import app.core.plan"},
        False,
    ),
    ("within a module", configuration(), {"core/plan": "import app.core"}, True),
    ("a deeper module is another one", configuration(), {"core/plan": "import app.core.deep.well"}, False),
    (
        "a deeper module is not allowed with its package",
        configuration(web='depends_on = ["app.core"]'),
        {"web/page": "import app.core.deep.well"},
        False,
    ),
    (
        "a deeper module is allowed alone",
        configuration(web='depends_on = ["app.core.deep"]'),
        {"web/page": "import app.core.deep.well"},
        True,
    ),
    ("from a deeper module up", configuration(), {"core/deep/well": "import app.core.plan"}, False),
    (
        "from a deeper module up, allowed",
        configuration(core_deep='depends_on = ["app.core"]'),
        {"core/deep/well": "import app.core.plan"},
        True,
    ),
    ("a utility", configuration(util="depends_on = []\nutility = true"), {"web/page": "import app.util.text"}, True),
    ("unchecked", configuration(web="depends_on = []\nunchecked = true"), {"web/page": "import app.core.plan"}, True),
    (
        "cannot depend on",
        configuration(web='cannot_depend_on = ["app.core"]'),
        {"web/page": "import app.core.plan"},
        False,
    ),
    (
        "deprecated is allowed",
        configuration(web='depends_on = [{path = "app.core", deprecated = true}]'),
        {"web/page": "import app.core.plan"},
        True,
    ),
    (
        "not visible",
        configuration(web='depends_on = ["app.core"]', core='depends_on = []\nvisibility = ["app.store"]'),
        {"web/page": "import app.core.plan"},
        False,
    ),
    (
        "visible",
        configuration(web='depends_on = ["app.core"]', core='depends_on = []\nvisibility = ["app.web"]'),
        {"web/page": "import app.core.plan"},
        True,
    ),
    (
        "down the layers",
        configuration('layers = ["high", "low"]', web='layer = "high"', core='layer = "low"'),
        {"web/page": "import app.core.plan"},
        True,
    ),
    (
        "down the layers needs no list",
        configuration('layers = ["high", "low"]', web='depends_on = []\nlayer = "high"', core='layer = "low"'),
        {"web/page": "import app.core.plan"},
        True,
    ),
    (
        "up the layers",
        configuration('layers = ["high", "low"]', web='layer = "high"', core='layer = "low"'),
        {"core/plan": "import app.web.page"},
        False,
    ),
    (
        "up the layers though listed",
        configuration('layers = ["high", "low"]', web='layer = "high"', core='layer = "low"\ndepends_on = ["app.web"]'),
        {"core/plan": "import app.web.page"},
        False,
    ),
    (
        "within a layer",
        configuration('layers = ["high"]', web='layer = "high"\ndepends_on = []', core='layer = "high"'),
        {"web/page": "import app.core.plan"},
        False,
    ),
    (
        "past a closed layer",
        configuration(
            'layers = ["high", {name = "mid", closed = true}, "low"]',
            web='layer = "high"',
            core='layer = "mid"',
            store='layer = "low"',
        ),
        {"web/page": "import app.store.rows"},
        False,
    ),
    (
        "from a closed layer",
        configuration(
            'layers = ["high", {name = "mid", closed = true}, "low"]',
            web='layer = "high"',
            core='layer = "mid"',
            store='layer = "low"',
        ),
        {"core/plan": "import app.store.rows"},
        True,
    ),
]


@pytest.mark.parametrize(("text", "code", "kept"), [case[1:] for case in COMPARED], ids=[case[0] for case in COMPARED])
def test_the_verdict_is_the_one_that_tach_gives(text: str, code: dict[str, str], kept: bool) -> None:
    files = tree(text, **code)
    program = build_program(discover(files, [Root("app")]), files)
    carried = carry_over(files, frozenset(program.modules))
    assert not any(line.startswith("NOT") for line in carried.lines)
    if not carried.contracts:
        assert kept
        return
    found = GATE.measure(program, settings(carried.contracts), Grants())
    verdict = judge(GATE.terms("law"), found, Grants(), date(2026, 3, 1))
    assert verdict.faults == ()
    assert verdict.status is (Status.HELD if kept else Status.BROKEN)


def settings(contracts: Any) -> Any:
    """Return the gate's settings for contracts as they would be written."""
    document = load_toml("abutment.toml", tomlkit.dumps({"contracts": [dict(one) for one in contracts]}).encode())
    faults = Faults()
    found = GATE.read_settings(TableReader("abutment.toml", document.table, faults, document.locate))
    faults.raise_if_any()
    return found


def test_a_module_becomes_one_contract() -> None:
    text = 'source_roots = ["src"]\n' + configuration(web='depends_on = ["app.core"]', util="")
    carried = carry_over(MemoryTree({"tach.toml": text}))
    assert carried.lines[1].startswith("tach's source roots are src; ")
    assert [
        dict(contract) for contract in carried.contracts if contract["id"] in ("tach-app-web", "tach-app-core-deep")
    ] == [
        {
            "id": "tach-app-core-deep",
            "kind": "forbidden",
            "sources": ["app.core.deep"],
            "forbidden": ["app.core", "app.store", "app.util", "app.web"],
            "except_forbidden": ["app.core.deep"],
            "reading": "statements",
            "reason": "tach module app.core.deep",
        },
        {
            "id": "tach-app-web",
            "kind": "forbidden",
            "sources": ["app.web"],
            "forbidden": ["app.core.deep", "app.store", "app.util"],
            "reading": "statements",
            "reason": "tach module app.web",
        },
    ]
    assert "app.util may import everything, so it needs no contract." in carried.lines


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('exclude = ["tests"]', "`exclude` leaves out files"),
        ("exact = true", "`exact` reports entries"),
        ("forbid_circular_dependencies = true", 'gate "cycles" looks for them in the code'),
        ('[[interfaces]]\nexpose = ["x.*"]', "`interfaces` are expressions"),
        ('[[modules]]\npath = "<root>"', "module <root>: files that belong to no other module"),
        ('[[modules]]\npath = "app.*.x"', "module app.*.x: the modules it stands for have to be written out"),
        ('[[modules]]\npath = "app.web"', "module app.web: it is there twice"),
        ('[[modules]]\npath = "app.z"\ndepends_on_external = ["six"]', "depends_on_external of app.z: it names"),
    ],
)
def test_what_is_not_carried_over_is_named(text: str, said: str) -> None:
    head, tables = ("", text) if text.startswith("[[") else (text, "")
    carried = carry_over(MemoryTree({"tach.toml": configuration(head) + tables}))
    told = [line for line in carried.lines if line.startswith("NOT carried over from tach.toml: ")]
    assert len(told) == 1
    assert said in told[0]


def test_switched_off_options_need_no_remark() -> None:
    carried = carry_over(MemoryTree({"tach.toml": configuration("exact = false\nexclude = []")}))
    assert not any(line.startswith("NOT") for line in carried.lines)


def test_modules_configured_elsewhere_are_named() -> None:
    files = {"tach.toml": configuration(), "app/web/tach.domain.toml": "", ".venv/tach.domain.toml": ""}
    told = [line for line in carry_over(MemoryTree(files)).lines if line.startswith("NOT")]
    place = "app/web/tach.domain.toml"
    assert told == [f"NOT carried over from tach.toml: {place}: modules that are configured in folders of their own."]


def test_wildcards_stand_for_the_modules_there_are() -> None:
    text = '[[modules]]\npaths = ["app.*"]\ndepends_on = ["app.c*"]\n'.replace("app.c*", "app.core") + (
        '[[modules]]\npath = "lib"\ndepends_on = ["app.**"]\n[[modules]]\npath = "gone"\n'
    )
    carried = carry_over(MemoryTree({"tach.toml": text}), ["app", "app.core", "app.web", "app.web.page", "lib"])
    assert {str(one["id"]): one["forbidden"] for one in carried.contracts} == {
        "tach-app-core": ["app.web", "lib"],
        "tach-app-web": ["lib"],
    }
    assert "NOT carried over from tach.toml: module gone: there is no such module." in carried.lines


@pytest.mark.parametrize(
    ("files", "cause"),
    [
        ({}, "there is no tach.toml"),
        ({"tach.toml": "modules = 7"}, "tach.toml:1: modules: expected a list"),
        ({"tach.toml": "[[modules]]\ndepends_on = [7]\n"}, "expected a table"),
        ({"tach.toml": "[[modules]\n"}, "tach.toml:1"),
        ({"tach.toml": "modules = []\n"}, "there is no module in tach.toml"),
    ],
)
def test_a_configuration_that_cannot_be_read_is_not_judged(files: dict[str, str], cause: str) -> None:
    with pytest.raises(NotJudged) as refusal:
        carry_over(MemoryTree(files))
    assert cause in str(refusal.value)
