"""Every kind but layers, in tables of short programs."""

from __future__ import annotations

import time

import pytest

from abutment.errors import NotJudged
from abutment.policies.contracts.absent_path import AbsentPath, present
from abutment.policies.contracts.codebase import Codebase
from abutment.semantics.program import ModuleKind
from abutment.sources.memory_tree import MemoryTree
from tests.policies.contracts.lawbook import broken, contract, faults_of, judge, pairs, unused
from tests.programs import program

APP = ("app.api.v1", "app.db.models", "app.db.session", "app.domain.plan")
BAN = 'sources = ["app.api"]\nforbidden = ["app.db"]'


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("app.api.v1 -> app.db.models", ["app.api.v1 -> app.db.models"]),
        ("app.api.v1 -> app.db", ["app.api.v1 -> app.db"]),
        ("app.api -> app.db", ["app.api -> app.db"]),
        ("app.db.models -> app.api.v1", []),  # the other way round
        ("app.api.v1 -> app.dbx", []),
        ("app.apix -> app.db", []),
        ("app.domain.plan -> app.db", []),
    ],
)
def test_forbidden_is_matched_at_dots(text: str, expected: list[str]) -> None:
    assert broken(program(*APP, text), "forbidden", BAN) == expected


def test_the_forbidden_side_may_use_itself() -> None:
    tree = program(*APP, "app.db.models -> app.db.session", "app.domain.plan -> app.db.models")
    law = 'sources = ["app"]\nforbidden = ["app.db"]'
    assert broken(tree, "forbidden", law) == ["app.domain.plan -> app.db.models"]


def test_two_forbidden_parts_may_not_use_each_other_where_both_are_sources() -> None:
    tree = program("app.a.x -> app.b.y", "app.b.y -> app.b.z", "app.c -> app.a.x")
    assert broken(tree, "forbidden", 'sources = ["app.*"]\nforbidden = ["app.a", "app.b"]') == [
        "app.a.x -> app.b.y",
        "app.c -> app.a.x",
    ]


def test_exceptions_take_modules_off_either_side() -> None:
    tree = program("app.a.x -> app.b.y", "app.a.free -> app.b.y", "app.a.x -> app.b.open")
    law = (
        'sources = ["app.a"]\nforbidden = ["app.b"]\nexcept_sources = ["app.a.free"]\nexcept_forbidden = ["app.b.open"]'
    )
    assert broken(tree, "forbidden", law) == ["app.a.x -> app.b.y"]


@pytest.mark.parametrize(
    ("law", "text", "expected"),
    [
        ('forbidden = ["xml.etree"]', "app.x -> !xml.etree.ElementTree", ["app.x -> xml.etree.ElementTree"]),
        ('forbidden = ["xml.etree"]', "app.x -> !xml:etree", ["app.x -> xml.etree"]),  # m.n may be a module
        ('forbidden = ["xml.etree"]', "app.x -> !xml:sax", []),
        ('forbidden = ["xml"]', "app.x -> !xml:etree", ["app.x -> xml"]),  # the base is what is named
        ('forbidden = ["=xml"]', "app.x -> !xml:etree", ["app.x -> xml"]),
        ('forbidden = ["=xml"]', "app.x -> !xml.etree", []),
        ('forbidden = ["requests"]', "app.x -> !httpx", []),  # nobody imports it: that is what a ban wants
        ('forbidden = ["requests"]', "app.x -> !requests_toolbelt", []),
    ],
)
def test_a_ban_reaches_outside_the_roots(law: str, text: str, expected: list[str]) -> None:
    assert broken(program(text), "forbidden", f'sources = ["app"]\n{law}') == expected


def test_two_names_of_one_outside_module_are_one_breach() -> None:
    tree = program("app.x -> !xml:etree @1", "app.x -> !xml:sax @1")
    assert broken(tree, "forbidden", 'sources = ["app"]\nforbidden = ["xml"]') == ["app.x -> xml"]


def test_a_name_from_a_package_that_was_not_read_may_be_a_module() -> None:
    tree = program("app.x -> app.gen:api_pb2", kinds={"app.gen": ModuleKind.GENERATED})
    law = 'sources = ["app.x"]\nforbidden = ["app.gen.api_pb2"]'
    assert broken(tree, "forbidden", law) == ["app.x -> app.gen.api_pb2"]


@pytest.mark.parametrize(
    ("law", "expected"),
    [
        (
            'sources = ["app.nowhere"]\nforbidden = ["app.db"]',
            "abutment.toml:4: contract law: 'app.nowhere' matches no module. Correct or delete it.",
        ),
        (
            'sources = ["app.api"]\nforbidden = ["app.dbb"]',
            "abutment.toml:5: contract law: 'app.dbb' matches no module. Correct or delete it.",
        ),
        (
            'sources = ["app.api"]\nforbidden = ["*.dbb"]',
            "abutment.toml:5: contract law: '*.dbb' matches no module. Correct or delete it.",
        ),
    ],
)
def test_a_selector_that_matches_nothing_is_a_fault(law: str, expected: str) -> None:
    assert faults_of(program(*APP), "forbidden", law) == [expected]


def test_modules_of_a_tests_root_are_not_judged_but_may_be_forbidden() -> None:
    tree = program("app.x -> tests.data", "tests.data -> app.x", tests=["tests"])
    assert broken(tree, "forbidden", 'sources = ["app"]\nforbidden = ["tests"]') == ["app.x -> tests.data"]
    (fault,) = faults_of(tree, "forbidden", 'sources = ["tests"]\nforbidden = ["app"]')
    assert "matches no module whose imports this gate judges" in fault


def test_a_chain_of_two_breaks_a_ban_on_chains() -> None:
    tree = program(*APP, "app.api.v1 -> app.domain.plan", "app.domain.plan -> app.db.models")
    assert broken(tree, "forbidden", BAN) == []
    assert broken(tree, "forbidden", BAN + "\nindirect = true") == ["app.api.v1 -> app.db.models"]


def test_the_ends_of_a_chain_are_the_last_of_one_side_and_the_first_of_the_other() -> None:
    tree = program("app.api.a -> app.api.b", "app.api.b -> app.mid", "app.mid -> app.db.x", "app.db.x -> app.db.y")
    assert broken(tree, "forbidden", BAN + "\nindirect = true") == ["app.api.b -> app.db.x"]


def test_importing_a_submodule_runs_its_package_and_what_that_imports() -> None:
    tree = program(
        "depot.core.plan -> depot.wire:labels @1",
        "depot.core.plan -> depot.wire.labels @1",
        "depot.core.plan ^-> depot.wire @1",
        "depot.wire -> depot.wire.dialer",
        "depot.wire.dialer -> !http.client",
    )
    law = 'sources = ["depot.core"]\nforbidden = ["http.client"]'
    assert broken(tree, "forbidden", law) == []
    findings = judge(tree, "forbidden", law + "\nindirect = true")
    (breach,) = findings.breaches
    assert breach.route is not None
    assert breach.route.chain(*breach.ends) == ("depot.core.plan", "depot.wire", "depot.wire.dialer", "http.client")
    # Statements alone do not see it: labels imports nothing.
    assert broken(tree, "forbidden", law + '\nindirect = true\nreading = "statements"') == []


def test_a_package_run_on_the_way_to_a_forbidden_module_is_not_a_breach_of_its_own() -> None:
    tree = program(*APP, "app.api.v1 -> app.db.models @1", "app.api.v1 ^-> app.db @1")
    assert broken(tree, "forbidden", BAN + "\nindirect = true") == ["app.api.v1 -> app.db.models"]
    law = 'sources = ["app.api"]\nforbidden = ["=app.db"]\nindirect = true'
    assert broken(tree, "forbidden", law) == ["app.api.v1 -> app.db"]


def test_chains_do_not_lead_through_packages_that_run_anyway() -> None:
    tree = program("app.api.v1 -> app.util @1", "app.api.v1 ^-> app @1", "app -> app.db.models")
    assert broken(tree, "forbidden", BAN + "\nindirect = true") == []


@pytest.mark.parametrize(
    ("law", "imports", "expected"),
    [
        ('allowed = ["app.domain"]', ["app.api.v1 -> app.domain.plan"], []),
        ('allowed = ["app.domain"]', ["app.api.v1 -> app.db.models"], ["app.api.v1 -> app.db.models"]),
        ('allowed = ["app.domain"]', ["app.api.v1 -> app.api.v2"], []),  # itself
        ('allowed = ["app.domain"]', ["app.api.v1 -> !requests"], []),  # outside is not judged
        ("allowed = []\nexternals = true", ["app.api.v1 -> !requests"], ["app.api.v1 -> requests"]),
        ('allowed = ["requests"]\nexternals = true', ["app.api.v1 -> !requests:get"], []),
        ("allowed = []\nexternals = true", ["app.api.v1 -> !json"], []),  # the standard library
        ("allowed = []\nexternals = true\nstdlib = false", ["app.api.v1 -> !json:loads"], ["app.api.v1 -> json"]),
        ('allowed = ["xml.etree"]\nexternals = true\nstdlib = false', ["app.api.v1 -> !xml:etree"], []),
        # `from app.domain import plan` names the module alone, not its package
        ('allowed = ["app.domain.plan"]', ["app.api.v1 -> app.domain:plan @1", "app.api.v1 -> app.domain.plan @1"], []),
    ],
)
def test_allow_only(law: str, imports: list[str], expected: list[str]) -> None:
    assert broken(program(*APP, *imports), "allow_only", f'sources = ["app.api"]\n{law}') == expected


def test_an_allowed_module_that_does_not_exist_is_a_fault() -> None:
    (fault,) = faults_of(program(*APP), "allow_only", 'sources = ["app.api"]\nallowed = ["app.domian"]')
    assert "'app.domian' matches no module" in fault


@pytest.mark.parametrize(
    ("modules", "imports", "expected"),
    [
        ('["app.a", "app.b"]', ["app.a.x -> app.b.y"], ["app.a.x -> app.b.y"]),
        ('["app.a", "app.b"]', ["app.a.x -> app.c", "app.b.y -> app.c"], []),  # a shared base
        ('["app.*"]', ["app.a.x -> app.b.y", "app.b.y -> app.b.z"], ["app.a.x -> app.b.y"]),
    ],
)
def test_independence(modules: str, imports: list[str], expected: list[str]) -> None:
    tree = program("app.a.x", "app.b.y", *imports)
    assert broken(tree, "independence", f"modules = {modules}") == expected


def test_independent_modules_may_not_be_joined_by_a_chain() -> None:
    tree = program("app.a.x -> app.c", "app.c -> app.b.y")
    law = 'modules = ["app.a", "app.b"]'
    assert broken(tree, "independence", law) == []
    findings = judge(tree, "independence", law + "\nindirect = true")
    assert pairs(findings.breaches) == ["app.a.x -> app.b.y"]
    assert findings.breaches[0].why == "app.a and app.b are independent"


@pytest.mark.parametrize(
    ("modules", "cause"),
    [
        ('["app.a"]', "at least two modules"),
        ('["app.a", "app.a.x"]', "both hold app.a.x"),
        ('["app.a", "app.q"]', "'app.q' matches no module"),
    ],
)
def test_independence_needs_separate_modules(modules: str, cause: str) -> None:
    assert any(cause in fault for fault in faults_of(program("app.a.x"), "independence", f"modules = {modules}"))


CIRCLE = ("app.a.x -> app.b.y", "app.b.z -> app.a.w", "app.c.q -> app.a.x")


@pytest.mark.parametrize(
    ("law", "imports", "expected"),
    [
        ("", CIRCLE, ["app.a.x -> app.b.y", "app.b.z -> app.a.w"]),  # no circle of modules, but one of children
        ("", CIRCLE[:1], []),
        ("", ["app.a.x -> app.a.y", "app.a.y -> app.a.x"], ["app.a.x -> app.a.y", "app.a.y -> app.a.x"]),
        ("depth = 0", ["app.a.x -> app.a.y", "app.a.y -> app.a.x"], []),
        ('skip_descendants = ["app.a"]', ["app.a.x -> app.a.y", "app.a.y -> app.a.x"], []),
        ("", ["app.a -> app.a.x", "app.a.x -> app.a"], []),  # a package and its child are no siblings
        ("", ["app.a.x :-> app.b.y", "app.b.z -> app.a.w"], []),
        ('ignore = ["app.b.z -> app.a.w"]', CIRCLE, []),
    ],
)
def test_acyclic_siblings(law: str, imports: list[str], expected: list[str]) -> None:
    tree = program("app.a.x", "app.b.y", *imports)
    assert broken(tree, "acyclic_siblings", f'ancestors = ["app"]\n{law}') == expected


def test_an_ancestor_that_does_not_exist_is_a_fault() -> None:
    law = 'ancestors = ["app", "ap"]\nskip_descendants = ["app.none"]'
    assert [fault.split(": ")[2] for fault in faults_of(program("app.a"), "acyclic_siblings", law)] == [
        "there is no package 'ap'. Correct or delete it.",
        "there is no package 'app.none'. Correct or delete it.",
    ]


@pytest.mark.parametrize(
    ("imports", "expected"),
    [
        (["app.leaf.x -> app.leaf.y", "app.leaf.x -> !json"], []),
        (["app.leaf.x -> app.db.models"], ["app.leaf.x -> app.db.models"]),
        (["app.leaf.x ~-> app.db.models"], ["app.leaf.x -> app.db.models"]),
        (["app.leaf.x :-> app.db.models"], []),
        (["app.db.models -> app.leaf.x"], []),
    ],
)
def test_a_leaf_imports_nothing_first_party(imports: list[str], expected: list[str]) -> None:
    assert broken(program("app.leaf.x", *imports), "leaf", 'modules = ["app.leaf"]') == expected


def test_a_leaf_that_does_not_exist_is_a_fault() -> None:
    assert len(faults_of(program("app"), "leaf", 'modules = ["app.none"]')) == 1


@pytest.mark.parametrize(
    ("law", "imports", "expected"),
    [
        ("", ["app.a.x -> app.ports.p"], []),
        ("", ["app.a.y -> app.util"], ["app.a -> app.ports"]),
        ("indirect = true", ["app.a.y -> app.util", "app.util -> app.ports.p"], []),
        ("indirect = true", ["app.a.y -> app.util"], ["app.a -> app.ports"]),
        ('not = ["app.db"]', ["app.a.x -> app.ports", "app.a.y -> app.db.m"], ["app.a.y -> app.db.m"]),
        ('not = ["app.db"]', ["app.a.y -> app.db.m"], ["app.a -> app.ports", "app.a.y -> app.db.m"]),
    ],
)
def test_must_depend_on(law: str, imports: list[str], expected: list[str]) -> None:
    tree = program("app.a.x", "app.ports.p", "app.db.m", *imports)
    assert broken(tree, "must_depend_on", f'modules = ["app.a"]\nmust = ["app.ports"]\n{law}') == expected


def test_every_child_must_depend_on_its_own_account() -> None:
    tree = program("app.plug.a.x -> app.base", "app.plug.b.y -> app.plug.a.x", "app.plug.b.z -> !json")
    law = 'modules = ["app.plug.*"]\nmust = ["app.base"]'
    assert broken(tree, "must_depend_on", law) == ["app.plug.b -> app.base"]


def test_units_in_a_tests_root_need_not_depend_on_anything() -> None:
    tree = program("app.part.x -> lib", "tests.part.y", tests=["tests"])
    assert broken(tree, "must_depend_on", 'modules = ["*.part"]\nmust = ["lib"]') == []


def test_what_must_be_imported_has_to_exist() -> None:
    law = 'modules = ["app.none"]\nmust = ["app.never"]\nnot = ["app.nope"]'
    assert len(faults_of(program("app.a"), "must_depend_on", law)) == 3


VAULT = 'protected = ["app.vault"]\nallowed_importers = ["app.keeper"]'


@pytest.mark.parametrize(
    ("imports", "expected", "idle"),
    [
        (["app.keeper.k -> app.vault.gold"], [], []),
        (["app.keeper -> app.vault", "app.thief -> app.vault.gold"], ["app.thief -> app.vault.gold"], []),
        (["app.vault.a -> app.vault.gold"], [], ["app.keeper -> app.vault"]),  # its own; the allowance is unused
        (["app.thief -> app.vault.gold"], ["app.thief -> app.vault.gold"], ["app.keeper -> app.vault"]),
        (["app.keeperx -> app.vault"], ["app.keeperx -> app.vault"], ["app.keeper -> app.vault"]),
    ],
)
def test_protected(imports: list[str], expected: list[str], idle: list[str]) -> None:
    findings = judge(program("app.vault.gold", *imports), "protected", VAULT)
    assert (pairs(findings.breaches), unused(findings)) == (expected, idle)


def test_allowances_may_be_left_unused_by_choice() -> None:
    findings = judge(program("app.vault.gold"), "protected", VAULT + '\nunused_allowances = "silent"')
    assert unused(findings) == []


def test_protected_packages_matched_by_a_wildcard_are_protected_from_each_other() -> None:
    tree = program("app.a.inner.x -> app.b.inner.y", "app.a.inner.x -> app.a.inner.z")
    law = 'protected = ["app.*.inner"]\nallowed_importers = []'
    assert broken(tree, "protected", law) == ["app.a.inner.x -> app.b.inner.y"]


def test_a_package_outside_the_roots_can_be_protected() -> None:
    tree = program("app.adapters.net -> !requests:get", "app.sync -> !requests")
    law = 'protected = ["requests"]\nallowed_importers = ["app.adapters"]'
    assert broken(tree, "protected", law) == ["app.sync -> requests"]


def test_a_protected_module_has_to_exist() -> None:
    law = 'protected = ["app.vualt"]\nallowed_importers = []'
    assert len(faults_of(program("app.vault"), "protected", law)) == 1


@pytest.mark.parametrize(
    ("law", "imports", "expected"),
    [
        ('banned = ["fastapi"]', ["app.x -> !fastapi:Depends"], ["app.x -> fastapi"]),
        ('banned = ["logging"]', ["app.x -> !logging"], ["app.x -> logging"]),
        ('banned = ["fastapi"]', ["other -> !fastapi"], []),
        ('banned = ["fastapi"]\nindirect = true', ["app.x -> other", "other -> !fastapi"], ["app.x -> fastapi"]),
        ('allowed = ["pydantic"]', ["app.x -> !pydantic:BaseModel", "app.x -> !json", "app.x -> other"], []),
        ('allowed = ["pydantic"]', ["app.x -> !fastapi:Depends"], ["app.x -> fastapi"]),
        ("allowed = []\nstdlib = false", ["app.x -> !json"], ["app.x -> json"]),
    ],
)
def test_external(law: str, imports: list[str], expected: list[str]) -> None:
    assert broken(program("app.x", "other", *imports), "external", f'modules = ["app"]\n{law}') == expected


def test_a_first_party_name_is_no_external_package() -> None:
    (fault,) = faults_of(program("app.x"), "external", 'modules = ["app"]\nbanned = ["app.db"]')
    assert "'app.db' is first-party" in fault
    (fault,) = faults_of(program("app.x"), "external", 'modules = ["ap"]\nallowed = []')
    assert "'ap' matches no module" in fault


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ('modules = ["a"]', "needs either"),
        ('modules = ["a"]\nbanned = ["b"]\nallowed = ["c"]', "needs either"),
        ('modules = ["a"]\nbanned = ["b"]\nstdlib = true', "means nothing beside `banned`"),
        ('modules = ["a"]\nallowed = ["b"]\nindirect = true', "means nothing beside `allowed`"),
    ],
)
def test_an_external_contract_bans_or_allows(text: str, cause: str) -> None:
    with pytest.raises(NotJudged, match=cause):
        contract("external", text)


SESSION = 'sources = ["app.api"]\nsymbols = ["sqlalchemy.orm.Session"]'
HANDING_ON = ("app.db -> !sqlalchemy.orm:Session", "app.more -> app.db:Session", "app.more -> app.db")
EXPORTS = {
    "app.db": {
        "Session": "sqlalchemy.orm:Session",
        "Engine": "sqlalchemy:Engine",
        "_Session": "sqlalchemy.orm:Session",
    },
    "app.more": {"Session": "app.db:Session", "db": "app.db"},
    "app.ring": {"a": "app.ring:b", "b": "app.ring:a"},
}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("app.api.v1 -> !sqlalchemy.orm:Session", ["app.api.v1 -> sqlalchemy.orm.Session"]),
        ("app.api.v1 -> app.db:Session", ["app.api.v1 -> sqlalchemy.orm.Session"]),  # re-exported
        ("app.api.v1 -> app.more:Session", ["app.api.v1 -> sqlalchemy.orm.Session"]),  # twice
        ("app.api.v1 -> app.db:*", ["app.api.v1 -> sqlalchemy.orm.Session"]),  # a star takes it, too
        ("app.api.v1 -> !sqlalchemy.orm:*", ["app.api.v1 -> sqlalchemy.orm.Session"]),
        ("app.api.v1 -> !sqlalchemy.orm:Query", []),
        ("app.api.v1 -> !sqlalchemy.orm:Sessions", []),
        ("app.api.v1 -> !sqlalchemy.orm", []),  # a module is not the symbol
        ("app.api.v1 -> app.db:Engine", []),
        ("app.api.v1 -> app.ring:a", []),  # a circle of names leads nowhere
        ("app.api.v1 :-> !sqlalchemy.orm:Session", []),
        ("app.api.v1 ~-> !sqlalchemy.orm:Session", ["app.api.v1 -> sqlalchemy.orm.Session"]),
        ("app.core -> !sqlalchemy.orm:Session", []),
    ],
)
def test_a_symbol_is_followed_through_re_exports(text: str, expected: list[str]) -> None:
    tree = program("app.api.v1", "app.ring", *HANDING_ON, text, exports=EXPORTS)
    assert broken(tree, "symbol", SESSION) == expected


@pytest.mark.parametrize(
    ("symbols", "text", "expected"),
    [
        ('["app.ports:*Proxy"]', "app.api.v1 -> app.ports:MailProxy", ["app.api.v1 -> app.ports.MailProxy"]),
        ('["app.ports:*Proxy"]', "app.api.v1 -> app.ports:Mail", []),
        ('["app.**:*Proxy"]', "app.api.v1 -> app.ports:MailProxy", ["app.api.v1 -> app.ports.MailProxy"]),
        ('["app.ports.Mail*"]', "app.api.v1 -> app.ports:MailProxy", ["app.api.v1 -> app.ports.MailProxy"]),
        ('["app.db.Session"]', "app.api.v1 -> app.more:Session", ["app.api.v1 -> sqlalchemy.orm.Session"]),
        ('["app.more.db"]', "app.api.v1 -> app.more:db", ["app.api.v1 -> app.db"]),
    ],
)
def test_symbols_have_patterns_and_addresses(symbols: str, text: str, expected: list[str]) -> None:
    tree = program("app.api.v1", "app.ports", *HANDING_ON, text, exports=EXPORTS)
    assert broken(tree, "symbol", f'sources = ["app.api"]\nsymbols = {symbols}') == expected


def test_a_long_chain_of_re_exports_is_followed_once() -> None:
    length = 3_000
    chain = [f"app.m{number} -> app.m{number - 1}:Session" for number in range(1, length)]
    exports = {f"app.m{number}": {"Session": f"app.m{number - 1}:Session"} for number in range(1, length)}
    exports["app.m0"] = {"Session": "app.m0:Session"}
    tree = program("app.m0", *chain, "app.api -> app.m2999:Session", exports=exports)
    began = time.process_time()
    law = 'sources = ["app.api"]\nsymbols = ["app.m0.Session"]'
    assert broken(tree, "symbol", law) == ["app.api -> app.m0.Session"]
    assert time.process_time() - began < 5


@pytest.mark.parametrize("symbol", ["app.ring.a", "app.ring.b", "app.tail.x"])
def test_names_that_go_round_in_a_circle_have_one_name(symbol: str) -> None:
    exports = {**EXPORTS, "app.tail": {"x": "app.ring:b"}}
    tree = program("app.api.v1 -> app.tail:x", "app.tail -> app.ring:b", exports=exports)
    law = f'sources = ["app.api"]\nsymbols = ["{symbol}"]'
    assert broken(tree, "symbol", law) == ["app.api.v1 -> app.ring.a"]


def test_a_symbol_ban_has_exceptions_and_ignores() -> None:
    tree = program(
        "app.api.v1 -> !sqlalchemy.orm:Session",
        "app.api.root -> !sqlalchemy.orm:Session",
        "app.api.old -> !requests:get",
    )
    law = SESSION + '\nexcept_sources = ["app.api.root"]'
    assert broken(tree, "symbol", law) == ["app.api.v1 -> sqlalchemy.orm.Session"]
    findings = judge(tree, "symbol", law + '\nignore = ["app.api.v1 -> sqlalchemy.orm.Session", "app.api.v1 -> os"]')
    assert (pairs(findings.breaches), unused(findings)) == ([], ["app.api.v1 -> os"])


@pytest.mark.parametrize(
    ("symbols", "cause"),
    [('["Session"]', "names no symbol"), ('["a.b:c d"]', "names no symbol"), ('["a..b:C"]', "no dotted module name")],
)
def test_a_symbol_is_written_with_its_module(symbols: str, cause: str) -> None:
    with pytest.raises(NotJudged, match=cause):
        contract("symbol", f'sources = ["a"]\nsymbols = {symbols}')


@pytest.mark.parametrize("symbol", ["app.none:X", "app.*.none:X"])
def test_a_symbol_of_a_module_that_does_not_exist_is_a_fault(symbol: str) -> None:
    law = f'sources = ["app.api"]\nsymbols = ["{symbol}"]'
    assert any("there is no module" in fault for fault in faults_of(program("app.api.v1"), "symbol", law))


TREE = MemoryTree(
    {
        "app/new.py": "",
        "app/old.py": "",
        "app/legacy/code.py": "",
        "app/emptied/__pycache__/code.cpython-311.pyc": b"",
        "app/__pycache__/new.cpython-311.pyc": b"",
        "README.md": "",
    }
)


@pytest.mark.parametrize(
    ("law", "expected"),
    [
        (AbsentPath(("app/old.py",)), ["app/old.py"]),
        (AbsentPath(("app/legacy",)), ["app/legacy"]),
        (AbsentPath(("app/legacy/code.py", "app/legacy/none.py")), ["app/legacy/code.py"]),
        (AbsentPath(("app/emptied",)), []),  # bytecode is no content
        (AbsentPath(("app/Old.py", "app/old", "nowhere/old.py", "README.md/x")), []),
        (AbsentPath(folder="app", only=("new.py", "legacy")), ["app", "app/new.py", "app/legacy", "app/old.py"]),
        (AbsentPath(folder="", only=("app",)), ["README.md", "app"]),
        (AbsentPath(folder="nowhere", only=("x",)), []),
    ],
)
def test_only_what_holds_files_is_present(law: AbsentPath, expected: list[str]) -> None:
    assert present(TREE, [law]) == frozenset(expected)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('paths = ["app/old.py", "app/legacy/"]', ["<tree> -> app/legacy", "<tree> -> app/old.py"]),
        ('paths = ["app/gone.py"]', []),
        ('folder = "app"\nonly = ["new.py"]', ["<tree> -> app/legacy", "<tree> -> app/old.py"]),
        ('folder = "."\nonly = ["app"]', ["<tree> -> README.md"]),
    ],
)
def test_a_path_that_must_not_exist(text: str, expected: list[str]) -> None:
    law = contract("absent_path", text)
    codebase = Codebase(program("app.new"), paths=present(TREE, [law.law]))
    assert broken(codebase, "absent_path", text) == expected


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("", "needs `paths`"),
        ('folder = "app"', "belong together"),
        ('paths = ["a"]\nonly = ["x"]', "belong together"),
        ('paths = ["/app"]', "no path relative to the root"),
        ('paths = ["../app"]', "no path relative to the root"),
        ('paths = ["app/*.py"]', "no path relative to the root"),
        ('paths = ["./app"]', "no path relative to the root"),
        ('paths = ["app"]\nindirect = true', "unknown key"),
        ('paths = ["app"]\nignore = ["a -> b"]', "unknown key"),
    ],
)
def test_paths_are_written_relative_to_the_root(text: str, cause: str) -> None:
    with pytest.raises(NotJudged, match=cause):
        contract("absent_path", text)


RAW = 'sources = ["app.application", "app.chain"]\ntarget = ["app.adapters"]'


@pytest.mark.parametrize(
    ("imports", "expected"),
    [
        (["app.chain.x -> app.adapters.mail"], ["app.adapters.mail"]),  # also `import … as`
        (
            ["app.chain.x -> app.adapters.mail:send @1", "app.chain.x -> app.adapters.mail:open @1"],
            ["app.adapters.mail"],
        ),
        (["app.chain.x -> app.adapters.mail:send"], ["app.adapters.mail"]),
        (  # a module taken by name counts as its package, as written
            ["app.chain.x -> app.adapters.system:rust @1", "app.chain.x -> app.adapters.system.rust @1"],
            ["app.adapters.system"],
        ),
        (  # also where the linker marks the package as only passed through
            ["app.chain.x ^-> app.adapters.system:rust @1", "app.chain.x -> app.adapters.system.rust @1"],
            ["app.adapters.system"],
        ),
        (  # but two statements are two facts
            [
                "app.chain.x -> app.adapters.system:rust @1",
                "app.chain.x -> app.adapters.system.rust @1",
                "app.chain.x -> app.adapters.system.rust @2",
            ],
            ["app.adapters.system", "app.adapters.system.rust"],
        ),
        (["app.chain.x :-> app.adapters.mail"], []),  # type_only
        (["app.chain.x ~-> app.adapters.mail"], ["app.adapters.mail"]),  # in a function
        (["app.chain.x ?-> app.adapters.mail"], ["app.adapters.mail"]),  # in a try
        (["app.chain.x -> app:adapters @1", "app.chain.x -> app.adapters @1"], ["app.adapters"]),  # the root itself
        (["app.chain.x -> app.adapters.mail:* @1"], ["app.adapters.mail"]),  # star keeps its module
        (["app.chain.x -> app.adapters.mail:* @1", "app.chain.x -> app.adapters.mail.fast @1"], ["app.adapters.mail"]),
        (["app.chain.x *-> app.adapters.mail"], ["app.adapters.mail"]),  # a constant dynamic import is one
        (
            ["app.chain.x -> app.adapters.a.b.c @1", "app.chain.x ^-> app.adapters.a @1"],
            ["app.adapters.a.b.c"],
        ),  # whole
        (["app.chain -> app.adapters.mail"], ["app.adapters.mail"]),  # a package's own file
        (["app.chain.x -> app.db.adapters", "app.chain.x -> app.adaptersx"], []),
        (["app.applicationx -> app.adapters.mail", "app.api -> app.adapters.mail"], []),
        (["app.chain.x %-> app.adapters.mail"], []),  # a lazy table's target was not written
    ],
)
def test_raw_facts_are_what_was_written(imports: list[str], expected: list[str]) -> None:
    tree = program("app.application.y", "app.chain.x", "app.adapters.mail", *imports)
    findings = judge(tree, "raw", RAW)
    assert sorted(breach.imported for breach in findings.breaches) == expected


def test_a_raw_target_with_a_wildcard_means_modules_taken_by_name_too() -> None:
    tree = program(
        "app.chain.x -> app.adapters:mail @1",
        "app.chain.x -> app.adapters.mail @1",  # perhaps that module, perhaps what the package binds
        "app.chain.y -> app.adapters:NAME @1",  # no module
    )
    law = 'sources = ["app.chain"]\ntarget = ["app.adapters.*"]'
    assert broken(tree, "raw", law) == ["app.chain.x -> app.adapters.mail"]


def test_raw_facts_may_be_those_of_statements_alone() -> None:
    tree = program("app.chain.x *-> app.adapters.mail", "app.chain.y -> app.adapters.mail")
    assert len(broken(tree, "raw", RAW.replace('"app.application", ', ""))) == 2
    law = RAW.replace('"app.application", ', "") + '\nreading = "statements"'
    assert broken(tree, "raw", law) == ["app.chain.y -> app.adapters.mail"]


@pytest.mark.parametrize(("kind", "law"), [("raw", RAW), ("symbol", 'sources = ["a"]\nsymbols = ["b.C"]')])
def test_what_never_counts_cannot_be_included(kind: str, law: str) -> None:
    assert contract(kind, law + '\ninclude = ["type_only"]').counting.type_only
    with pytest.raises(NotJudged, match=r"include\[0\]: expected one of type_only, found 'parent'"):
        contract(kind, law + '\ninclude = ["parent"]')


def test_raw_roots_have_to_exist() -> None:
    assert len(faults_of(program("app.chain.x"), "raw", RAW)) == 2


def test_raw_contracts_are_reviewed_only_by_default() -> None:
    assert contract("raw", RAW).reviewed_only
    assert not contract("raw", RAW + "\nreviewed_only = false").reviewed_only
    assert not contract("forbidden", BAN).reviewed_only
