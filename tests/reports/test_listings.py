"""Are facts and graphs listed sorted, escaped and readable by others?"""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from abutment.reports.graph import Edge, render_dot, render_graph_json, render_mermaid
from abutment.reports.tables import render_facts_table

ROWS = [
    {"importer": "app.a", "optional": False, "count": 2, "sites": [{"path": "a.py", "line": 3}, {"path": "b.py"}]},
    {"importer": "app.long_name", "optional": True, "count": 10, "sites": [{"path": "x\ny.py", "line": 0}]},
    {"importer": "é", "optional": True, "count": 0, "sites": []},
    {"importer": "z", "optional": True, "count": 1, "sites": ("plain",)},
]


def test_a_table_has_aligned_columns() -> None:
    assert render_facts_table(ROWS) == (
        "IMPORTER       OPTIONAL  COUNT  SITES\n"
        "app.a          no        2      a.py:3 +1\n"
        "app.long_name  yes       10     x\\ny.py\n"
        "é              yes       0\n"
        "z              yes       1      plain\n"
    )


def test_no_row_is_no_table() -> None:
    assert render_facts_table([]) == ""


EDGES: list[Edge] = [("b", "a", "deferred"), ("a", "b", ""), ("a", "end", "runtime"), ("a", "b", "")]


def test_dot_is_sorted_and_escaped() -> None:
    assert render_dot(['q"\\N\n', "a"], EDGES) == (
        "digraph imports {\n"
        "    rankdir=LR;\n"
        "    node [shape=box];\n"
        '    "a";\n'
        '    "b";\n'
        '    "end";\n'
        '    "q\\"\\\\N\\\\n";\n'
        '    "a" -> "b";\n'
        '    "a" -> "end";\n'
        '    "b" -> "a" [style=dashed, label="deferred"];\n'
        "}\n"
    )


def test_mermaid_keeps_names_out_of_its_grammar() -> None:
    assert render_mermaid(['"<`&>'], EDGES) == (
        "flowchart LR\n"
        '    m0["#quot;#lt;#96;#amp;#gt;"]\n'
        '    m1["a"]\n'
        '    m2["b"]\n'
        '    m3["end"]\n'
        "    m1 --> m2\n"
        "    m1 --> m3\n"
        '    m2 -. "deferred" .-> m1\n'
    )


def test_a_graph_reads_back_as_json() -> None:
    graph = json.loads(render_graph_json(["z", "\udcff"], EDGES))
    assert graph["nodes"] == ["a", "b", "end", "z", "\\udcff"]
    assert graph["edges"][0] == {"importer": "a", "imported": "b", "word": ""}
    assert len(graph["edges"]) == 3


@pytest.mark.parametrize("render", [render_dot, render_mermaid, render_graph_json])
@settings(derandomize=True, max_examples=30)
@given(
    edges=st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("abc"), st.just("")), max_size=6), data=st.data()
)
def test_the_order_of_edges_changes_nothing(
    render: Callable[[list[str], list[Edge]], str], edges: list[Edge], data: st.DataObject
) -> None:
    assert render(["c", "a"], data.draw(st.permutations(edges))) == render(["a", "c"], edges)
