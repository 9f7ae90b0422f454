"""The gate boundaries: from contracts and a real tree to a verdict."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from abutment.errors import NotJudged
from abutment.gates.boundaries import GATE, Boundaries
from abutment.model.grants import Approval, Grants, Recorded
from abutment.model.measurement import Measurement
from abutment.model.reading import Faults, TableReader
from abutment.model.site import Site
from abutment.model.violation import Kind
from abutment.semantics.build import build_program
from abutment.semantics.program import Program
from abutment.sources.discovery import discover
from abutment.sources.memory_tree import MemoryTree
from abutment.sources.toml_document import load_toml
from abutment.sources.universe import Role, Root
from abutment.verdicts.judge import judge
from abutment.verdicts.verdict import Status, Verdict
from tests.programs import program

CASES = Path(__file__).parents[2] / "fixtures" / "cases"
TODAY = date(2026, 3, 1)


def settings(text: str) -> Boundaries:
    faults = Faults()
    document = load_toml("abutment.toml", text.encode())
    found = GATE.read_settings(TableReader("abutment.toml", document.table, faults, document.locate))
    faults.raise_if_any()
    assert isinstance(found, Boundaries)
    return found


def case(name: str) -> MemoryTree:
    (folder,) = CASES.glob(f"{name}-*")
    files = (folder / "input").rglob("*.py")
    return MemoryTree({path.relative_to(folder / "input").as_posix(): path.read_bytes() for path in files})


def linked(tree: MemoryTree, *roots: str) -> Program:
    found = [Root(path, Role.TESTS if path == "tests" else Role.SOURCE) for path in roots or (".",)]
    return build_program(discover(tree, found), tree)


def measure(codebase: Program, text: str, grants: Grants | None = None) -> Measurement:
    return GATE.measure(codebase, settings(text), grants or Grants())


def verdict(codebase: Program, text: str, grants: Grants | None = None) -> Verdict:
    grants = grants or Grants()
    return judge(GATE.terms("law"), measure(codebase, text, grants), grants, TODAY)


def told(found: Verdict) -> list[str]:
    return [f"{v.sites[0].place()}: {v.rule} {v.kind}: {v.what}" for v in found.violations]


DEPOT = '[[contracts]]\nid = "rooms"\nkind = "layers"\nlayers = ["depot.web", "depot.core", "depot.store"]\n'


def test_layers_are_no_prefixes_of_text() -> None:
    assert told(verdict(linked(case("034")), DEPOT)) == [
        "depot/store/rows.py:3: ABT301 new: depot.store.rows imports depot.web.page "
        "(rooms: depot.store stands below depot.web)"
    ]


SWAP = '[[contracts]]\nid = "up"\nkind = "forbidden"\nsources = ["swap.low"]\nforbidden = ["swap.high"]\n'


def test_a_swap_is_one_new_and_one_gone() -> None:
    files = case("061")
    before, after = linked(files, "before"), linked(files, "after")
    recorded = Grants(recorded=tuple(Recorded(key, 1, 2) for key in sorted(measure(before, SWAP).counts)))
    assert len(recorded.recorded) == 2
    assert verdict(before, SWAP, recorded).status is Status.HELD
    assert [(v.kind, dict(v.identity)["imported"]) for v in verdict(after, SWAP, recorded).violations] == [
        (Kind.NEW, "swap.high.gamma"),
        (Kind.GONE, "swap.high.alpha"),
    ]


WIRE = (
    '[[contracts]]\nid = "no-net"\nkind = "forbidden"\nsources = ["depot.core"]\nforbidden = ["http.client"]\n'
    'indirect = true\nreason = "The plan must run offline."\ninstead = "Use depot.labels."\n'
)


def test_what_a_package_runs_on_the_way_is_reached() -> None:
    (violation,) = verdict(linked(case("003")), WIRE).violations
    assert violation.rule == "ABT302"
    assert violation.sites[0].place() == "depot/core/plan.py:1"
    assert violation.what == ("depot.core.plan reaches http.client through other modules (no-net: forbidden there)")
    assert violation.details == (
        "depot.core.plan runs depot.wire (depot/core/plan.py:1)",
        "depot.wire imports depot.wire.dialer (depot/wire/__init__.py:1)",
        "depot.wire.dialer imports http.client (depot/wire/dialer.py:1)",
        "Reason: The plan must run offline.",
    )
    assert [site.place() for site in violation.through] == ["depot/wire/__init__.py:1", "depot/wire/dialer.py:1"]
    assert violation.remedy == (
        "Use depot.labels. Where it must stay for now, a person approves it in law/boundaries.toml."
    )


def test_a_folder_without_init_is_judged() -> None:
    text = '[[contracts]]\nid = "no-sql"\nkind = "forbidden"\nsources = ["tannery"]\nforbidden = ["sqlite3"]\n'
    (line,) = told(verdict(linked(case("009")), text))
    assert line.startswith("tannery/hides/raw/cure.py:1: ABT302 new: tannery.hides.raw.cure imports sqlite3")


def test_a_lazy_import_is_the_same_debt() -> None:
    law = '[[contracts]]\nid = "c"\nkind = "forbidden"\nsources = ["app.a"]\nforbidden = ["app.b"]\n'
    counts = [
        dict(measure(program(f"app.a {arrow} app.b"), law).counts) for arrow in ("->", "~->", "?->", "*->", "?~->")
    ]
    assert counts == [{("c", "app.a", "app.b"): 1}] * 5


def test_a_moved_or_repeated_line_is_the_same_debt() -> None:
    law = '[[contracts]]\nid = "c"\nkind = "forbidden"\nsources = ["app.a"]\nforbidden = ["app.b"]\n'
    once = measure(program("app.a -> app.b @1"), law)
    again = measure(program("app.a -> app.b @7", "app.a ~-> app.b:x @9 in f"), law)
    assert once.counts == again.counts
    sites = again.describe(("c", "app.a", "app.b")).sites
    assert [(site.line, site.scope) for site in sites] == [(7, "<module>"), (9, "f")]


@pytest.mark.parametrize(
    ("modules", "expected"),
    [
        ('"app.tools"', ["app/tools/fix-it.py", "app/tools/my notes.py", "app/tools/old.v1.py"]),
        ('"app.tools.*"', ["app/tools/fix-it.py", "app/tools/my notes.py", "app/tools/old.v1.py"]),
        ('"app.bin"', ["app/bin/deep er/run.me.py"]),  # a folder without __init__, and one that is no name
        ('"app"', ["app/bin/deep er/run.me.py", "app/tools/fix-it.py", "app/tools/my notes.py", "app/tools/old.v1.py"]),
        ('"=app.tools"', []),
    ],
)
def test_a_file_that_no_statement_can_import_belongs_to_the_package_of_its_folder(
    modules: str, expected: list[str]
) -> None:
    names = ("tools/old.v1.py", "tools/fix-it.py", "tools/my notes.py", "bin/deep er/run.me.py")
    tree = MemoryTree(
        {
            "src/app/__init__.py": "",
            "src/app/tools/__init__.py": "",
            "src/app/bin/plain.py": "",
            **{f"src/app/{name}": "import smtplib\n" for name in names},
        }
    )
    text = f'[[contracts]]\nid = "c"\nkind = "external"\nmodules = [{modules}]\nbanned = ["smtplib"]\n'
    found = verdict(linked(tree, "src"), text)
    assert found.faults == ()
    assert [violation.sites[0].path.removeprefix("src/") for violation in found.violations] == expected


KEPT = '[[contracts]]\nid = "c"\nkind = "leaf"\nmodules = ["app.a"]\n'


def test_a_contract_that_is_kept_holds_and_says_what_it_looked_at() -> None:
    found = verdict(program("app.a -> !json", "app.b -> app.a"), KEPT)
    assert (found.status, found.looked_at, found.unit) == (Status.HELD, 2, "imports")
    assert measure(program("app.a"), KEPT).covers == ("c",)


def test_a_codebase_without_imports_is_judged_by_its_modules() -> None:
    found = verdict(program("app.a"), KEPT)
    assert (found.status, found.looked_at, found.unit) == (Status.HELD, 2, "modules")


def test_without_contracts_nothing_is_judged() -> None:
    found = verdict(program("app.a -> app.b"), "")
    assert found.status is Status.NOT_JUDGED
    assert "no contract to judge by" in found.faults[0].line_text()


def test_a_contract_that_matches_nothing_is_not_judged() -> None:
    found = verdict(program("app.a -> app.b"), KEPT.replace("app.a", "app.z"))
    assert found.status is Status.NOT_JUDGED
    assert [fault.line_text() for fault in found.faults] == [
        "abutment.toml:4: contract c: 'app.z' matches no module. Correct or delete it."
    ]


def test_excluded_modules_are_not_judged_but_may_be_imported() -> None:
    law = '[boundaries]\nexclude = ["app.old"]\n[[contracts]]\nid = "c"\nkind = "leaf"\nmodules = ["app"]\n'
    tree = program("app.old -> lib.x", "app.new -> lib.x")
    assert sorted(measure(tree, law).counts) == [("c", "app.new", "lib.x")]
    assert [selector.text for selector in settings(law).exclude] == ["app.old"]


def test_an_exclusion_that_matches_nothing_is_a_fault() -> None:
    found = measure(program("app.a"), '[boundaries]\nexclude = ["app.z"]\n' + KEPT)
    assert [fault.line_text() for fault in found.faults] == [
        "abutment.toml:2: boundaries.exclude: 'app.z' matches no module. Correct or delete it."
    ]


def test_unknown_keys_of_the_gates_own_table_are_refused() -> None:
    with pytest.raises(NotJudged, match=r"boundaries\.excludes: unknown key. Did you mean exclude\?"):
        settings('[boundaries]\nexcludes = ["app.z"]\n' + KEPT)


def test_an_unused_ignore_is_gone_at_its_own_line() -> None:
    found = verdict(program("app.a -> !json"), KEPT + 'ignore = ["app.a -> app.b"]\n')
    (violation,) = found.violations
    assert (violation.kind, violation.rule, violation.sites[0].place()) == (Kind.GONE, "ABT306", "abutment.toml:5")
    assert violation.what == "contract c: `ignore` names app.a -> app.b, but there is no such import"
    assert dict(violation.identity) == {"contract": "c", "importer": "app.a", "imported": "app.b"}
    assert violation.remedy == "Delete the entry."


def test_grants_without_breach_read_well() -> None:
    keys = [("c", "app.a", "lib.x"), ("old", "app.a", "lib.x")]
    grants = Grants(recorded=tuple(Recorded(key, 1, line) for line, key in enumerate(keys, 2)))
    assert told(verdict(program("app.a -> !json"), KEPT, grants)) == [
        "law/boundaries.jsonl:2: ABT306 gone: app.a and lib.x no longer break contract c",
        "law/boundaries.jsonl:3: ABT300 gone: there is no contract old (for app.a and lib.x)",
    ]


@pytest.mark.parametrize(
    ("text", "tree", "site"),
    [
        ('kind = "must_depend_on"\nmodules = ["app.a"]\nmust = ["app.b"]', program("app.a", "app.b"), "app/a.py"),
        (
            'kind = "must_depend_on"\nmodules = ["app.a"]\nmust = ["json"]\nnot = ["app.b"]',
            program("app.a -> app.b @3", "app.a -> !json"),
            "app/a.py:3",
        ),
        (
            'kind = "layers"\ncontainers = ["app"]\nlayers = ["a"]\nexhaustive = true',
            program("app.a", "app.b.c"),
            "app/b/__init__.py",
        ),
        (
            'kind = "symbol"\nsources = ["app.a"]\nsymbols = ["lib.Thing"]',
            program("app.a -> !lib:Thing @4", "app.a -> !lib:Other @2"),
            "app/a.py:4",
        ),
        (
            'kind = "raw"\nsources = ["app.a"]\ntarget = ["app.b"]',
            program("app.a -> app:b @4", "app.a -> app.b @4", "app.a -> app @2"),
            "app/a.py:4",
        ),
        (
            'kind = "external"\nmodules = ["app"]\nbanned = ["xml.etree"]',
            program("app.a -> !xml:sax @2", "app.a -> !xml:etree @5"),
            "app/a.py:5",
        ),
    ],
)
def test_every_breach_has_a_place(text: str, tree: Program, site: str) -> None:
    found = measure(tree, f'[[contracts]]\nid = "c"\n{text}\n')
    (key,) = found.counts
    assert [place.place() for place in found.describe(key).sites] == [site]


def test_paths_are_looked_up_in_the_tree() -> None:
    text = '[[contracts]]\nid = "gone"\nkind = "absent_path"\npaths = ["app/legacy", "app/new"]\n'
    tree = MemoryTree({"app/__init__.py": "", "app/legacy/__init__.py": ""})
    assert GATE.prepare is not None
    ready = GATE.prepare(settings(text), tree)
    found = GATE.measure(linked(tree, "app"), ready, Grants())
    assert dict(found.counts) == {("gone", "<tree>", "app/legacy"): 1}
    evidence = found.describe(("gone", "<tree>", "app/legacy"))
    assert (evidence.rule, evidence.what) == ("ABT311", "app/legacy exists (gone: must not exist)")
    assert evidence.sites == (Site("app/legacy"),)
    assert GATE.prepare(settings(KEPT), tree) == settings(KEPT)


RAW = '[[contracts]]\nid = "adapters"\nkind = "raw"\nsources = ["app.chain"]\ntarget = ["app.adapters"]\n'


def approval(importer: str, imported: str, tracking: str | None) -> Approval:
    klass = "debt" if tracking else "exception"
    key = ("adapters", importer, imported)
    return Approval(
        key, 1, klass, "team", "why", tracking, None, None, lifts=False, site=Site("law/boundaries.toml", 3)
    )


def test_raw_debt_is_granted_by_people_only_and_counted_by_what_tracks_it() -> None:
    tree = program("app.chain.a -> app.adapters.x", "app.chain.a -> app.adapters.y", "app.chain.b -> app.adapters.x")
    grants = Grants(
        approvals=(
            approval("app.chain.a", "app.adapters.x", "S2-L6"),
            approval("app.chain.a", "app.adapters.y", None),
            approval("app.chain.z", "app.adapters.x", "S2-L7"),
        ),
        recorded=(Recorded(("adapters", "app.chain.b", "app.adapters.x"), 1, 2),),
    )
    found = verdict(tree, RAW, grants)
    assert [(v.kind, dict(v.identity)["importer"]) for v in found.violations] == [
        (Kind.NEW, "app.chain.b"),
        (Kind.GONE, "app.chain.z"),
    ]
    assert found.notes == (
        "contract adapters: 3 imports, 2 importers, 2 targets; S2-L6 1; exception 1; not reviewed 1.",
    )


def test_rules_have_one_number_each() -> None:
    assert [rule.id for rule in GATE.rules] == [f"ABT{number}" for number in range(300, 313)]
    assert GATE.rule("ABT305").name == "acyclic-siblings"
    assert not GATE.judges_tests


SHAPES = """
[[contracts]]
id = "one"
kind = "raw"
sources = ["app.chain"]
target = ["app.adapters"]

[[contracts]]
id = "two"
kind = "symbol"
sources = ["app.api"]
symbols = ["sqlalchemy.orm.Session", "sqlalchemy.ext.asyncio.AsyncSession"]
"""


def test_real_code_is_read_as_written() -> None:
    tree = MemoryTree(
        {
            "app/__init__.py": "",
            "app/adapters/__init__.py": "",
            "app/adapters/mail.py": "def send(): ...\ndef open(): ...\n",
            "app/chain/__init__.py": "from ..adapters.mail import send, open\n",
            "app/chain/a.py": "import app.adapters.mail as m\n",
            "app/chain/b.py": "from app import adapters\n",
            "app/chain/c.py": (
                "import typing as t\nif t.TYPE_CHECKING:\n    from app.adapters import mail\n"
                "else:\n    from app.adapters.mail import *\n"
            ),
            "app/chain/d.py": (
                "def f():\n    try:\n        from app.adapters.mail import send\n    except ImportError: ...\n"
            ),
            "app/chain/e.py": "from ....adapters import mail\n",
            "app/db.py": "from sqlalchemy.orm import Session as Session\n",
            "app/api.py": "from app.db import Session as Work\n",
        }
    )
    found = measure(linked(tree, "app"), SHAPES)
    assert found.faults == ()
    assert sorted(key[1:] for key in found.counts if key[0] == "one") == [
        ("app.chain", "app.adapters.mail"),
        ("app.chain.a", "app.adapters.mail"),
        ("app.chain.b", "app.adapters"),
        ("app.chain.c", "app.adapters.mail"),
        ("app.chain.d", "app.adapters.mail"),
    ]
    assert [key[1:] for key in found.counts if key[0] == "two"] == [("app.api", "sqlalchemy.orm.Session")]
