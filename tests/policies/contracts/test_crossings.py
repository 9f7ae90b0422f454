"""Chains between groups, against a plain search."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from abutment.model.selector import Selector
from abutment.policies.contracts.codebase import Codebase
from abutment.policies.contracts.contract import Counting
from abutment.policies.contracts.crossings import Crossings, collected
from abutment.policies.contracts.edges import NODE_BITS, Edges
from tests.policies.contracts.lawbook import faults_of
from tests.programs import program

SIZE = 9
PAIRS = st.frozensets(st.tuples(st.integers(0, SIZE - 1), st.integers(0, SIZE - 1)), max_size=24)
GROUPS = st.dictionaries(st.integers(0, SIZE - 1), st.integers(0, 2), max_size=6)
# No kind of contract forbids a group itself.
ILLEGAL = st.tuples(*(st.integers(0, 7) for _ in range(3))).map(
    lambda bits: {group: own & ~(1 << group) for group, own in enumerate(bits)}
)
BOUNDED = settings(max_examples=80, derandomize=True, deadline=None)

Pairs = frozenset[tuple[int, int]]


def edges_of(pairs: Pairs) -> Edges:
    return Edges([f"m{node}" for node in range(SIZE)], (a << NODE_BITS | b for a, b in pairs), ())


def ends_by_search(pairs: Pairs, groups: dict[int, int], illegal: dict[int, int]) -> set[tuple[int, int]]:
    found = set()
    for start in groups:
        seen, waiting = set(), [start]
        while waiting:
            node = waiting.pop()
            for a, b in pairs:
                if a == node and b not in seen and b != start:
                    seen.add(b)
                    if b not in groups:
                        waiting.append(b)
        found |= {(start, end) for end in seen if end in groups and illegal[groups[start]] >> groups[end] & 1}
    return found


@BOUNDED
@given(PAIRS, GROUPS, ILLEGAL)
def test_the_ends_are_those_a_plain_search_finds(pairs: Pairs, groups: dict[int, int], illegal: dict[int, int]) -> None:
    crossings = Crossings(edges_of(pairs), groups, illegal, indirect=True)
    ends = list(crossings.ends())
    assert ends == sorted(ends)
    assert set(ends) == ends_by_search(pairs, groups, illegal)


@BOUNDED
@given(PAIRS, GROUPS, ILLEGAL)
def test_a_chain_is_made_of_imports_and_its_inside_has_no_group(
    pairs: Pairs, groups: dict[int, int], illegal: dict[int, int]
) -> None:
    crossings = Crossings(edges_of(pairs), groups, illegal, indirect=True)
    for start, end in crossings.ends():
        chain = [int(name[1:]) for name in crossings.chain(start, end)]
        assert (chain[0], chain[-1]) == (start, end)
        assert set(pairwise(chain)) <= pairs
        assert not set(chain[1:-1]) & groups.keys()


@BOUNDED
@given(PAIRS, GROUPS, ILLEGAL)
def test_an_edge_that_does_not_bear_can_be_left_out(
    pairs: Pairs, groups: dict[int, int], illegal: dict[int, int]
) -> None:
    edges = edges_of(pairs)
    crossings = Crossings(edges, groups, illegal, indirect=True)
    idle = [pair for pair in pairs if not crossings.bears(*pair)]
    without = Crossings(edges.without(idle), groups, illegal, indirect=True)
    assert list(without.ends()) == list(crossings.ends())


@BOUNDED
@given(PAIRS, GROUPS, ILLEGAL)
def test_direct_ends_are_the_edges_between_groups(
    pairs: Pairs, groups: dict[int, int], illegal: dict[int, int]
) -> None:
    crossings = Crossings(edges_of(pairs), groups, illegal, indirect=False)
    expected = {
        (a, b) for a, b in pairs if a != b and a in groups and b in groups and illegal[groups[a]] >> groups[b] & 1
    }
    assert set(crossings.ends()) == expected
    assert {pair for pair in pairs if pair[0] != pair[1] and crossings.bears(*pair)} == expected


@BOUNDED
@given(PAIRS)
def test_what_is_collected_is_what_can_be_reached(pairs: Pairs) -> None:
    successors = [sorted(b for a, b in pairs if a == node) for node in range(SIZE)]
    bits = collected(successors, [1 << node for node in range(SIZE)])
    for node in range(SIZE):
        seen, waiting = {node}, [node]
        while waiting:
            for target in successors[waiting.pop()]:
                if target not in seen:
                    seen.add(target)
                    waiting.append(target)
        assert bits[node] == sum(1 << target for target in seen)


def test_of_equally_short_chains_the_first_by_name_is_shown() -> None:
    codebase = Codebase(program("a -> z", "a -> m", "m -> b", "z -> b"))
    groups = {codebase.number["a"]: 0, codebase.number["b"]: 1}
    crossings = Crossings(codebase.edges(Counting(chains=True)), groups, {0: 2}, indirect=True)
    assert [crossings.chain(*ends) for ends in crossings.ends()] == [("a", "m", "b")]


def test_a_long_chain_is_no_danger() -> None:
    codebase = Codebase(program(*(f"m.x{number} -> m.x{number + 1}" for number in range(3000))))
    groups = {codebase.number["m.x0"]: 0, codebase.number["m.x3000"]: 1}
    crossings = Crossings(codebase.edges(Counting(chains=True)), groups, {0: 2}, indirect=True)
    assert len(crossings.chain(*next(crossings.ends()))) == 3001


def test_more_breaches_than_anybody_could_review_are_a_fault() -> None:
    tree = program(*(f"app.a.x{n} -> hub" for n in range(501)), *(f"hub -> app.b.y{n}" for n in range(501)))
    law = 'sources = ["app.a"]\nforbidden = ["app.b"]\nindirect = true'
    (fault,) = faults_of(tree, "forbidden", law)
    assert fault == (
        "abutment.toml:1: contract law: there are more than 250,000 breaches; nobody could review them. "
        "Make it narrower, or leave out `indirect`."
    )


def test_a_unit_is_the_outermost_match() -> None:
    codebase = Codebase(program("app.a.x.y", "app.b", "lib"))
    names = {name: len(nodes) for name, nodes in codebase.units(Selector("app.*")).items()}
    assert names == {"app.a": 3, "app.b": 1}
    assert sorted(codebase.units(Selector("=app.**"))) == ["app.a", "app.a.x", "app.a.x.y", "app.b"]
    assert list(codebase.units(Selector("app.a"))) == ["app.a"]
    assert sorted(codebase.units(Selector("app.**"))) == ["app.a", "app.b"]
    assert codebase.units(Selector("nowhere")) == {}


def test_only_candidates_that_are_asked_for_become_nodes() -> None:
    tree = program("app.x -> !xml:etree", "app.x -> !xml:sax")
    assert "xml.sax" in Codebase(tree).names
    asked = Codebase(tree, asked=[Selector("xml.etree"), Selector("other.*.y")])
    assert [name for name in asked.names if name.startswith("xml")] == ["xml", "xml.etree"]
    assert [asked.names[node] for node in asked.select(Selector("xml.etree"))] == ["xml.etree"]
    wild = Codebase(tree, asked=[Selector("*.etree")])
    assert "xml.etree" in wild.names


def test_the_sites_of_a_package_are_not_those_of_its_submodules() -> None:
    codebase = Codebase(program("app.a -> app.b:c @1", "app.a -> app.b.c @1", "app.a -> app.b:X @2"))
    assert [site.line for site in codebase.sites("app.a", "app.b", Counting())] == [2]
    assert [site.line for site in codebase.sites("app.a", "app.b", Counting(parents=True))] == [1, 2]
    assert codebase.sites("app.b", "app.a", Counting()) == ()


def test_a_name_that_hides_a_submodule_is_taken_from_the_package() -> None:
    # `app.db` binds `session` itself, so that the first statement imports nothing else; the second is another one.
    codebase = Codebase(program("app.a -> app.db:session @1", "app.a -> app.db.session @2"))
    assert [site.line for site in codebase.sites("app.a", "app.db", Counting())] == [1]
    edges = codebase.edges(Counting())
    assert [edges.names[node] for node in edges.out[codebase.number["app.a"]]] == ["app.db", "app.db.session"]
