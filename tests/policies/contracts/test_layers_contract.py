"""Layers: who may import whom, from top to bottom."""

from __future__ import annotations

import pytest

from abutment.errors import NotJudged
from abutment.semantics.program import Program
from tests.policies.contracts.lawbook import broken, contract, faults_of, judge, unused
from tests.programs import program

MODULES = ("app.web.page", "app.core.plan", "app.store.rows", "app.util")
LAYERS = 'layers = ["app.web", "app.core", "app.store"]'


def app(*imports: str) -> Program:
    return program(*MODULES, *imports)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("app.web.page -> app.core.plan", []),
        ("app.web.page -> app.store.rows", []),  # open layers may be skipped
        ("app.core.plan -> app.web.page", ["app.core.plan -> app.web.page"]),
        ("app.store.rows -> app.web", ["app.store.rows -> app.web"]),
        ("app.web.page -> app.web.form", []),  # within a layer
        ("app.util -> app.web.page", []),  # outside the layers
        ("app.core.plan -> app.util", []),
        ("app.core.plan ~-> app.web.page", ["app.core.plan -> app.web.page"]),  # deferred
        ("app.core.plan ?-> app.web.page", ["app.core.plan -> app.web.page"]),  # optional
        ("app.core.plan *-> app.web.page", ["app.core.plan -> app.web.page"]),  # constant dynamic
        ("app.core.plan %-> app.web.page", ["app.core.plan -> app.web.page"]),  # through a lazy table
        ("app.core.plan :-> app.web.page", []),  # type_only has to be asked for
        ("app.core.plan ^-> app.web", []),  # so have parents
        ("app.store.web -> app.store.rows", []),  # named like a layer, but in another one
        ("app.core.plan -> app.website", []),  # a name that only starts like a layer's
        ("app.corex -> app.web.page", []),
    ],
)
def test_an_import_that_leads_up_is_a_breach(text: str, expected: list[str]) -> None:
    assert broken(app(text), "layers", LAYERS) == expected


@pytest.mark.parametrize(
    ("option", "text", "expected"),
    [
        ('include = ["type_only"]', "app.core.plan :-> app.web.page", ["app.core.plan -> app.web.page"]),
        ('include = ["parent"]', "app.core.plan ^-> app.web", ["app.core.plan -> app.web"]),
        ('include = ["parent"]', "app.core.plan :^-> app.web", []),
        ('include = ["parent", "type_only"]', "app.core.plan :^-> app.web", ["app.core.plan -> app.web"]),
        ('reading = "statements"', "app.core.plan *-> app.web.page", []),
        ('reading = "statements"', "app.core.plan %-> app.web.page", []),
        ('reading = "statements"', "app.core.plan -> app.web.page", ["app.core.plan -> app.web.page"]),
    ],
)
def test_what_counts_can_be_chosen(option: str, text: str, expected: list[str]) -> None:
    assert broken(app(text), "layers", f"{LAYERS}\n{option}") == expected


def test_an_import_of_a_submodule_by_name_is_one_breach() -> None:
    tree = app("app.core.plan -> app.web:page @1", "app.core.plan -> app.web.page @1")
    assert broken(tree, "layers", LAYERS) == ["app.core.plan -> app.web.page"]


def test_a_name_taken_from_a_package_is_an_import_of_the_package() -> None:
    tree = app("app.core.plan -> app.web:Page")
    assert broken(tree, "layers", LAYERS) == ["app.core.plan -> app.web"]


SIBLINGS = ("app.a.x -> app.b.y", "app.b.y -> app.c.z")


@pytest.mark.parametrize(
    ("layers", "expected"),
    [
        ('["app.a | app.b", "app.c"]', ["app.a.x -> app.b.y"]),
        ('["app.a : app.b", "app.c"]', []),
        ('["app.c", "app.a : app.b"]', ["app.b.y -> app.c.z"]),
        ('[{modules = ["app.a", "app.b"]}, "app.c"]', ["app.a.x -> app.b.y"]),
        ('[{modules = ["app.a", "app.b"], independent = false}, "app.c"]', []),
        ('["(app.nowhere)", "app.a", "(app.b)"]', []),
        ('["app.a", {modules = ["app.nowhere"], optional = true}, "app.b"]', []),
        ('["app.a", {modules = ["(app.nowhere)", "app.b"]}]', []),
    ],
)
def test_siblings_are_independent_unless_written_otherwise(layers: str, expected: list[str]) -> None:
    assert broken(program(*SIBLINGS), "layers", f"layers = {layers}") == expected


CLOSED = 'layers = ["app.web", {modules = ["app.core"], closed = true}, "app.store"]'


@pytest.mark.parametrize(
    ("imports", "expected"),
    [
        (["app.web.page -> app.store.rows"], ["app.web.page -> app.store.rows"]),
        (["app.web.page -> app.core.plan", "app.core.plan -> app.store.rows"], []),
        (["app.util -> app.store.rows"], []),
    ],
)
def test_nothing_imports_past_a_closed_layer(imports: list[str], expected: list[str]) -> None:
    assert broken(app(*imports), "layers", CLOSED) == expected


def test_a_chain_past_a_closed_layer_counts_where_chains_count() -> None:
    tree = app("app.web.page -> app.util", "app.util -> app.store.rows")
    assert broken(tree, "layers", CLOSED) == []
    assert broken(tree, "layers", CLOSED + "\nindirect = true") == ["app.web.page -> app.store.rows"]


def test_layers_repeat_in_every_container() -> None:
    tree = program(
        "app.one.low.a -> app.one.high.b", "app.two.low.a -> app.two.high.b", "app.two.low.a -> app.one.high"
    )
    law = 'containers = ["app.*"]\nlayers = ["high", "low"]'
    assert broken(tree, "layers", law) == ["app.one.low.a -> app.one.high.b", "app.two.low.a -> app.two.high.b"]


def test_an_exhaustive_contract_names_every_child_without_a_layer() -> None:
    tree = program("app.high.a", "app.low.b", "app.extra.c", "app.odd")
    law = 'containers = ["app"]\nlayers = ["high", "low"]\nexhaustive = true\nexhaustive_ignores = ["odd", "older"]'
    findings = judge(tree, "layers", law)
    assert [(breach.importer, breach.imported) for breach in findings.breaches] == [("app.extra", "<no layer>")]
    assert unused(findings) == ["older -> <no layer>"]


def test_a_layer_that_matches_nothing_is_a_fault_with_its_line() -> None:
    text = 'layers = [\n  "app.web",\n  "app.nowhere",\n]'
    assert faults_of(app(), "layers", text) == [
        "abutment.toml:6: contract law: the layer 'app.nowhere' matches no module. Correct or delete it."
    ]


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ('layers = ["app.web", "app.web"]', "is there twice"),
        ('layers = ["app.web", "app.web.page"]', "both hold app.web.page"),
        ('containers = ["app.none"]\nlayers = ["web"]', "there is no container 'app.none'"),
        ('containers = ["app"]\nlayers = ["web", "none"]', "the layer 'app.none' matches no module"),
    ],
)
def test_layers_that_cannot_be_told_apart_are_a_fault(text: str, cause: str) -> None:
    assert any(cause in fault for fault in faults_of(app(), "layers", text))


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ('layers = ["a | b : c"]', "exclude each other"),
        ('layers = ["a..b"]', "no dotted module name"),
        ("layers = [7]", "expected a table"),
        ("layers = []", "at least 1"),
        ('layers = [{modules = ["a"], shut = true}]', "unknown key"),
        ('layers = ["a"]\nexhaustive = true', "children of `containers`"),
        ('layers = ["a"]\nexhaustive_ignores = ["x"]', "means nothing without"),
        ('layers = ["a"]\nindirect = 1', "expected true or false"),
    ],
)
def test_a_malformed_table_is_refused(text: str, cause: str) -> None:
    with pytest.raises(NotJudged, match="abutment.toml:[0-9]+: .*" + cause):
        contract("layers", text)


def test_the_breach_says_which_stands_where() -> None:
    findings = judge(app("app.store.rows -> app.web.page"), "layers", LAYERS)
    assert findings.breaches[0].text == "app.store.rows imports app.web.page"
    assert findings.breaches[0].why == "app.store stands below app.web"


def test_a_chain_from_low_to_high_is_one_breach_between_its_ends() -> None:
    tree = app("app.store.rows -> app.util", "app.util -> app.more", "app.more -> app.web.page")
    findings = judge(tree, "layers", LAYERS + "\nindirect = true")
    (breach,) = findings.breaches
    assert breach.text == "app.store.rows reaches app.web.page through other modules"
    assert breach.route is not None
    assert breach.route.chain(*breach.ends) == ("app.store.rows", "app.util", "app.more", "app.web.page")
