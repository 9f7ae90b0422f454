"""A contract that looks at nothing is not held: it is not judged."""

from __future__ import annotations

import pytest

from abutment.policies.contracts.codebase import Codebase
from abutment.semantics.program import ModuleKind, Program
from abutment.sources.memory_tree import MemoryTree
from tests.policies.contracts.lawbook import broken, contract, faults_of
from tests.programs import program

TREE = program(
    "app.api.v1 -> app.db.models",
    "app.db.models -> app.api.v1",
    "checks.hi -> checks.lo",
    "checks.lo -> checks.hi",
    "app.native",
    "app.frozen.part",
    tests=["checks"],
    kinds={
        "app.native": ModuleKind.EXTENSION,
        "app.frozen": ModuleKind.EXCLUDED,
        "app.frozen.part": ModuleKind.EXCLUDED,
    },
)
NOTHING_JUDGED = "matches no module whose imports this gate judges"


@pytest.mark.parametrize(
    ("kind", "law", "cause"),
    [
        ("forbidden", 'sources = ["checks"]\nforbidden = ["app"]', NOTHING_JUDGED),
        ("forbidden", 'sources = ["app.native"]\nforbidden = ["app.db"]', NOTHING_JUDGED),
        ("forbidden", 'sources = ["app.frozen"]\nforbidden = ["app.db"]', NOTHING_JUDGED),
        ("leaf", 'modules = ["app.frozen.part"]', NOTHING_JUDGED),
        ("allow_only", 'sources = ["app.native"]\nallowed = []', NOTHING_JUDGED),
        ("forbidden", 'sources = ["app.api"]\nexcept_sources = ["app.api"]\nforbidden = ["app.db"]', "leaves nothing"),
        ("forbidden", 'sources = ["app.api"]\nforbidden = ["app.db"]\nexcept_forbidden = ["app.db"]', "leaves nothing"),
        ("forbidden", 'sources = ["app.api"]\nforbidden = ["app"]', "nothing is forbidden to 'app.api'"),
        ("forbidden", 'sources = ["app", "app.db.models"]\nforbidden = ["app.db"]', "forbidden to 'app.db.models'"),
        ("must_depend_on", 'modules = ["app.api"]\nmust = ["app.db"]\nnot = ["app"]', "forbidden to 'app.api'"),
        ("symbol", 'sources = ["app.api"]\nexcept_sources = ["app"]\nsymbols = ["lib.X"]', "leaves nothing"),
        ("layers", 'layers = ["checks.hi", "checks.lo"]', "forbids no import that this gate judges"),
        ("layers", 'layers = ["app.api", "app.native"]', "forbids no import that this gate judges"),
        ("layers", 'layers = ["app.api"]', "forbids no import that this gate judges"),
        ("layers", 'layers = ["app.api : app.db"]', "forbids no import that this gate judges"),
        ("layers", 'layers = ["(app.x)", "(app.y)"]', "forbids no import that this gate judges"),
        ("layers", 'containers = ["app"]\nlayers = ["api", "(none)"]', "forbids no import that this gate judges"),
        ("independence", 'modules = ["checks.hi", "checks.lo"]', NOTHING_JUDGED),
        ("independence", 'modules = ["app.native", "app.frozen"]', "none of its modules has imports"),
        ("acyclic_siblings", 'ancestors = ["checks"]', "stands nothing whose imports are judged"),
        ("acyclic_siblings", 'ancestors = ["app.db.models"]', "stands nothing whose imports are judged"),
        ("external", 'modules = ["app.api"]\nbanned = ["scikit-learn"]', "'scikit-learn' matches no module"),
        ("forbidden", 'sources = ["app.api"]\nforbidden = ["requests/"]', "'requests/' matches no module"),
        ("raw", 'sources = ["app.api"]\ntarget = ["app.bd"]', "'app.bd' matches no module, and nothing imports it"),
        ("raw", 'sources = ["app.api"]\ntarget = ["bd"]', "'bd' matches no module, and nothing imports it"),
        ("absent_path", 'folder = "app/nowhere"\nonly = ["x.py"]', "there is no folder 'app/nowhere'"),
    ],
)
def test_what_looks_at_nothing_is_a_fault(kind: str, law: str, cause: str) -> None:
    faults = faults_of(TREE, kind, law)
    assert faults
    for fault in faults:
        assert cause in fault
        assert fault.startswith("abutment.toml:")


@pytest.mark.parametrize(
    ("kind", "law", "expected"),
    [
        # What has no imports that are known can still be imported, and stand beside others.
        ("independence", 'modules = ["app.native", "app.api", "app.db"]', 2),
        ("layers", 'layers = ["app.api", "app.db", "app.native"]', 1),
        ("layers", 'layers = ["(app.x)", "app.api", "app.db"]', 1),
        ("layers", 'layers = ["app.api | app.db"]', 2),
        ("layers", 'containers = ["app"]\nlayers = ["api"]\nexhaustive = true', 3),
        # A package that nobody imports is what a ban wants.
        ("external", 'modules = ["app.api"]\nbanned = ["requests"]', 0),
        ("forbidden", 'sources = ["app.api"]\nforbidden = ["app.api", "requests"]', 0),
        ("forbidden", 'sources = ["app"]\nforbidden = ["app.db"]', 1),
        ("absent_path", 'folder = "app/nowhere"\nonly = []', 0),
    ],
)
def test_what_looks_at_something_is_judged(kind: str, law: str, expected: int) -> None:
    assert len(broken(TREE, kind, law)) == expected


def test_a_folder_that_holds_only_what_it_may_is_held() -> None:
    from abutment.policies.contracts.absent_path import present

    law = contract("absent_path", 'folder = "app"\nonly = ["x.py"]')
    tree = MemoryTree({"app/x.py": ""})
    assert (
        broken(Codebase(TREE, paths=present(tree, [law.law])), "absent_path", 'folder = "app"\nonly = ["x.py"]') == []
    )


def shared_namespace() -> Program:
    """Ours is `google.shop`; `google.auth` is another distribution's part of the same namespace."""
    return program(
        "google.shop.pay -> !google.auth.token",
        "google.shop.pay -> google.shop.core",
        kinds={"google": ModuleKind.NAMESPACE},
    )


@pytest.mark.parametrize(
    ("kind", "law", "expected"),
    [
        ("external", 'modules = ["google.shop"]\nbanned = ["google.auth"]', ["google.shop.pay -> google.auth.token"]),
        ("external", 'modules = ["google.shop"]\nallowed = []', ["google.shop.pay -> google.auth.token"]),
        ("allow_only", 'sources = ["google.shop.pay"]\nallowed = ["google.shop.core"]', []),
        ("leaf", 'modules = ["google.shop"]', []),
        ("symbol", 'sources = ["google.shop"]\nsymbols = ["google.auth.token.Token"]', []),
    ],
)
def test_a_namespace_may_hold_modules_of_others(kind: str, law: str, expected: list[str]) -> None:
    assert broken(shared_namespace(), kind, law) == expected


def test_what_stands_below_code_of_ours_is_first_party() -> None:
    (fault,) = faults_of(TREE, "external", 'modules = ["app.api"]\nbanned = ["app.db.gone"]')
    assert "'app.db.gone' is first-party" in fault


@pytest.mark.parametrize(
    ("modules", "causes"),
    [
        ('["app"]', ["'app' is all of the first-party code"]),
        ('["app.one", "app"]', ["'app' is all of the first-party code"]),
        ('["*"]', ["'app' is all of the first-party code"]),
        ('["app.one"]', []),
        ('["=app"]', []),
        ('["app.*"]', []),
    ],
)
def test_a_leaf_that_is_the_whole_codebase_holds_nothing(modules: str, causes: list[str]) -> None:
    tree = program("app.one -> app.two", "app.two -> !requests")
    faults = faults_of(tree, "leaf", f"modules = {modules}")
    assert [cause for fault, cause in zip(faults, causes, strict=True) if cause in fault] == causes


def test_a_leaf_beside_other_code_is_none_of_those() -> None:
    tree = program("app.one -> app.two", "checks.x -> app.one", tests=["checks"])
    assert faults_of(tree, "leaf", 'modules = ["app"]') == []


@pytest.mark.parametrize(
    ("symbols", "causes"),
    [
        ("app.db.Sesion", ["abutment.toml:5: contract law: 'app.db' has no name 'Sesion'."]),
        ("app.empty.Session", ["'app.empty' has no name 'Session'"]),
        ("app.db.Session", []),
        ("app.models", []),  # a module is a name of its package
        ("app.grown.Sesion", []),  # it may have names that nothing binds
        ("app.frozen.Sesion", []),  # it was not read
        ("app.db.__doc__", []),  # the interpreter's own
        ("app.db:Sess*", []),
        ("requests.gte", []),  # of what is outside nobody knows
    ],
)
def test_a_symbol_that_its_module_does_not_have_is_a_fault(symbols: str, causes: list[str]) -> None:
    exports = {
        "app": {},
        "app.api": {},
        "app.db": {"Session": "app.db:Session"},
        "app.empty": {},
        "app.grown": {"?": "app.grown:?"},
    }
    tree = program(
        *("app.api -> app.db", "app.empty", "app.models", "app.grown", "app.frozen", "app.api -> !requests:get"),
        kinds={"app.frozen": ModuleKind.EXCLUDED},
        exports=exports,
    )
    faults = faults_of(tree, "symbol", f'sources = ["app.api"]\nsymbols = ["{symbols}"]')
    assert [cause for fault, cause in zip(faults, causes, strict=True) if cause in fault] == causes
