"""A recorded import cycle may shrink and split; it never gains a member or an edge inside.

What a cycle is, networkx says here, from the listed facts; the gate has its own algorithms.
"""

from __future__ import annotations

import json
from collections.abc import Iterable

import networkx as nx
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.laws import codebases
from tests.laws.codebases import AT_IMPORT, Line, configuration, project, sources
from tests.laws.workshop import Workshop, adopted

Edge = tuple[str, str]
History = tuple[list[Line], list[Line]]
bounded = settings(max_examples=25, derandomize=True, deadline=None)
IN_CYCLES = (*AT_IMPORT, "deferred", "typed")


def graph(shop: Workshop, *, deferred: bool) -> nx.DiGraph[str]:
    """Return what imports what at import time; a package runs on the way unless it is the importer's own."""
    facts = json.loads(shop("facts", "imports", "--format", "json").out)["facts"]
    found: nx.DiGraph[str] = nx.DiGraph()
    for fact in facts:
        importer, imported = fact["importer"], fact["imported"]
        own = fact["via"] == "parent" and f"{importer}.".startswith(f"{imported}.")
        in_time = fact["when"] == "module" or (deferred and fact["when"] == "deferred")
        if in_time and not own and importer != imported and imported.startswith("app"):
            found.add_edge(importer, imported)
    return found


def components(found: nx.DiGraph[str]) -> list[set[str]]:
    return [set(part) for part in nx.strongly_connected_components(found) if len(part) > 1]


def inside(found: nx.DiGraph[str]) -> set[Edge]:
    return {edge for part in components(found) for edge in found.edges if set(edge) <= part}


def excess(shop: Workshop, readings: Iterable[str]) -> set[str]:
    wanted = tuple(f"{reading} " for reading in readings)
    return {what for kind, what in shop.kinds("cycles") if kind == "new" and what.startswith(wanted)}


def rings() -> st.SearchStrategy[list[Line]]:
    """Draw codebases in which some modules stand in one or two separate rings."""
    return st.builds(
        lambda order, size, more: [*_ring(order[:size]), *_ring(order[size : size + 3]), *more],
        st.permutations(codebases.MODULES),
        st.integers(0, 4),
        codebases.codebases(IN_CYCLES, most=4),
    )


def _ring(members: list[str]) -> list[Line]:
    return [Line(a, b) for a, b in zip(members, [*members[1:], *members[:1]], strict=True) if a != b]


@st.composite
def histories(draw: st.DrawFn) -> History:
    """Draw a codebase, and what became of it: a few imports less and a few more."""
    before = draw(rings())
    lost = draw(st.sets(st.sampled_from(before), max_size=3)) if before else set()
    added = draw(codebases.codebases(IN_CYCLES, most=4))
    return before, [*(line for line in before if line not in lost), *added]


# Two rings that become one: for the smaller of them all is new.
JOINED = (
    [*_ring(["app.high", "app.high.h1", "app.high.h2"]), *_ring(["app.low.l1", "app.low.l2"])],
    [
        *_ring(["app.high", "app.high.h1", "app.high.h2"]),
        *_ring(["app.low.l1", "app.low.l2"]),
        *_ring(["app.high", "app.low.l1"]),
    ],
)


@pytest.mark.parametrize("deferred", [False, True])
@bounded
@given(history=histories())
@example(history=JOINED)
def test_an_edge_inside_a_component_is_new_exactly_where_it_was_not_recorded(deferred: bool, history: History) -> None:
    before, after = history
    with adopted(project(before, configuration(deferred=deferred))) as shop:
        recorded = {reading: inside(graph(shop, deferred=reading)) for reading in (False, True)}
        shop.write(sources(after))
        for reading, word in ((False, "import"), (True, "deferred")):
            if reading <= deferred:
                grown = inside(graph(shop, deferred=reading)) - recorded[reading]
                assert excess(shop, [word]) == {f"{word} {a} {b}" for a, b in grown}


@pytest.mark.parametrize("deferred", [False, True])
@bounded
@given(history=histories())
@example(history=JOINED)
def test_held_by_members_a_component_stays_within_a_recorded_one(deferred: bool, history: History) -> None:
    before, after = history
    with adopted(project(before, configuration(hold="members", deferred=deferred))) as shop:
        recorded = {reading: components(graph(shop, deferred=reading)) for reading in (False, True)}
        shop.write(sources(after))
        for reading, word in ((False, "members"), (True, "deferred-members")):
            if reading <= deferred:
                now = components(graph(shop, deferred=reading))
                within = all(any(part <= other for other in recorded[reading]) for part in now)
                assert (excess(shop, [word]) == set()) is within


@bounded
@given(rings().filter(bool), codebases.settings(), st.data())
def test_a_component_that_shrinks_or_splits_can_be_tightened_and_does_not_grow_back(
    lines: list[Line], law: str, data: st.DataObject
) -> None:
    kept = data.draw(st.lists(st.sampled_from(lines), unique=True))
    with adopted(project(lines, law)) as shop:
        before = shop.recorded("cycles")
        shop.write(sources(kept))
        assert shop("tighten", "cycles").status == 0
        after = shop.recorded("cycles")
        assert after.items() <= before.items()
        assert shop("check", "cycles").status == 0
        shop.write(sources(lines))
        # Whatever left the record is new again, and nothing else is.
        assert {what for kind, what in shop.kinds("cycles") if kind == "new"} == {
            " ".join(key) for key in before if key not in after
        }


@bounded
@given(codebases.codebases(AT_IMPORT, most=16), st.sampled_from(codebases.MODULES), st.booleans(), codebases.settings())
def test_one_way_edges_into_and_out_of_a_component_are_free(
    lines: list[Line], member: str, outward: bool, law: str
) -> None:
    lonely = "apart"
    extra = f"import {lonely}\n" if outward else ""
    back = "" if outward else f"import {member}\n"
    law = law.replace('roots = ["app"]', 'roots = ["app", "apart.py"]')
    with adopted({**project(lines, law), "apart.py": ""}) as shop:
        files = sources(lines)
        files[codebases.path_of(member)] += extra
        shop.write({**files, "apart.py": back})
        assert shop("check", "cycles").status == 0
