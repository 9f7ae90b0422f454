"""How contracts are read, and what `ignore` does."""

from __future__ import annotations

import pytest

from abutment.errors import NotJudged
from tests.policies.contracts.lawbook import contract, contracts, judge, pairs, unused
from tests.programs import program

LAW = 'sources = ["app.a"]\nforbidden = ["app.b"]'


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('id = "x y"\nkind = "leaf"\nmodules = ["a"]', "must hold no blank"),
        ('id = "x/y"\nkind = "leaf"\nmodules = ["a"]', "must hold no blank"),
        ('id = "x*"\nkind = "leaf"\nmodules = ["a"]', "must hold no blank"),
        ('id = ""\nkind = "leaf"\nmodules = ["a"]', "must not be empty"),
        ('kind = "leaf"\nmodules = ["a"]', "id is missing"),
        ('id = "x"\nmodules = ["a"]', "kind is missing"),
        ('id = "x"\nkind = "leave"', "expected one of layers, forbidden"),
        ('id = "x"\nkind = "leaf"', "modules is missing"),
        ('id = "x"\nkind = "leaf"\nmodules = []', "at least 1"),
        ('id = "x"\nkind = "leaf"\nmodules = ["a..b"]', "no dotted module name"),
        ('id = "x"\nkind = "leaf"\nmodules = ["a*"]', "wildcard must be a whole segment"),
        ('id = "x"\nkind = "leaf"\nmodules = ["a"]\nindirect = true', "unknown key"),
        ('id = "x"\nkind = "leaf"\nmodules = ["a"]\nmodule = ["b"]', "Did you mean modules?"),
        ('id = "x"\nkind = "leaf"\nmodules = ["a"]\ninclude = ["parents"]', "expected one of type_only, parent"),
        ('id = "x"\nkind = "leaf"\nmodules = ["a"]\nreading = "some"', "expected one of run, statements"),
        ('id = "x"\nkind = "leaf"\nmodules = ["a"]\nignore = ["a b"]', "is no import"),
        ('id = "x"\nkind = "leaf"\nmodules = ["a"]\nignore = ["a.* -> b*"]', "wildcard must be a whole segment"),
        ('id = "x"\nkind = "leaf"\nmodules = ["a"]\nignore = ["-> b"]', "no dotted module name"),
    ],
)
def test_a_malformed_contract_is_refused_with_its_place(text: str, message: str) -> None:
    with pytest.raises(NotJudged) as refusal:
        contracts(f"[[contracts]]\n{text}\n")
    told = [fault for fault in refusal.value.faults if message in fault.line_text()]
    assert told
    assert told[0].path == "abutment.toml"
    assert told[0].line >= 1


def test_ids_are_unique() -> None:
    one = '[[contracts]]\nid = "x"\nkind = "leaf"\nmodules = ["a"]\n'
    with pytest.raises(NotJudged, match=r"abutment\.toml:6: .*id of an earlier contract"):
        contracts(one + one)


def test_all_faults_are_told_at_once() -> None:
    with pytest.raises(NotJudged) as refusal:
        contracts('[[contracts]]\nid = "x y"\nkind = "leaf"\n[[contracts]]\nkind = "leaves"\n[[contracts]]\n')
    assert len(refusal.value.faults) >= 5


IMPORTS = ("app.a.x -> app.b.y", "app.a.z -> app.b.y", "app.c -> app.b.y", "app.b.q")


@pytest.mark.parametrize(
    ("ignore", "expected", "idle"),
    [
        ("app.a.x -> app.b.y", ["app.a.z -> app.b.y"], []),
        ("app.a -> app.b", [], []),
        ("app.a.* -> app.b.y", [], []),
        ("app.a.x -> app.b.q", ["app.a.x -> app.b.y", "app.a.z -> app.b.y"], ["app.a.x -> app.b.q"]),  # matches nothing
        ("app.c -> app.b.y", ["app.a.x -> app.b.y", "app.a.z -> app.b.y"], ["app.c -> app.b.y"]),  # out of scope
    ],
)
def test_an_ignore_must_suppress_something(ignore: str, expected: list[str], idle: list[str]) -> None:
    findings = judge(program(*IMPORTS), "forbidden", f'{LAW}\nignore = ["{ignore}"]')
    assert (pairs(findings.breaches), unused(findings)) == (expected, idle)


@pytest.mark.parametrize(
    ("choice", "idle", "notes"),
    [
        ("gone", ["app.a.x -> app.b.q", "app.c -> app.b.y"], 0),
        ("unmatched", ["app.a.x -> app.b.q"], 0),
        ("note", [], 1),
        ("silent", [], 0),
    ],
)
def test_what_an_unused_ignore_means_can_be_chosen(choice: str, idle: list[str], notes: int) -> None:
    ignores = 'ignore = ["app.a.x -> app.b.q", "app.c -> app.b.y"]'
    findings = judge(program(*IMPORTS), "forbidden", f'{LAW}\n{ignores}\nunused_ignores = "{choice}"')
    assert (unused(findings), len(findings.notes)) == (idle, notes)


CHAIN = ("app.a.x -> app.m", "app.m -> app.n", "app.n -> app.b.y", "app.m -> app.q", "app.r -> app.n", "app.b")


@pytest.mark.parametrize(
    ("ignore", "expected", "idle"),
    [
        ("app.m -> app.n", [], []),  # cuts the chain
        ("app.a.x -> app.m", [], []),
        ("app.n -> app.b.y", [], []),
        ("app.m -> app.q", ["app.a.x -> app.b.y"], ["app.m -> app.q"]),  # leads elsewhere
        ("app.r -> app.n", ["app.a.x -> app.b.y"], ["app.r -> app.n"]),  # comes from elsewhere
        ("app.a.x -> app.b.y", ["app.a.x -> app.b.y"], ["app.a.x -> app.b.y"]),  # is no import, only the ends
    ],
)
def test_an_ignored_import_leads_no_chain(ignore: str, expected: list[str], idle: list[str]) -> None:
    findings = judge(program(*CHAIN), "forbidden", f'{LAW}\nindirect = true\nignore = ["{ignore}"]')
    assert (pairs(findings.breaches), unused(findings)) == (expected, idle)


def test_a_contract_has_a_reason_and_an_advice() -> None:
    law = contract("forbidden", f'{LAW}\nreason = "ADR 7"\ninstead = "Use app.ports."')
    assert (law.reason, law.instead, law.indirect, law.site.line) == ("ADR 7", "Use app.ports.", False, 1)
