"""The cases on cycles and layers: which modules are in a circle, and which imports climb."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cases.case import Project, case
from tests.cli.tool import Tool

CYCLES = 'roots = ["{root}"]\ngates = ["cycles"]\n\n[cycles]\nhold = "edges"\n'


def entries(documents: dict[str, bytes], name: str) -> list[dict[str, object]]:
    """Return a baseline's entries."""
    return [json.loads(line) for line in documents[name].decode().splitlines()[1:]]


def components(pairs: set[tuple[str, str]]) -> list[list[str]]:
    """Return the sets of names that the pairs join, in order."""
    joined = {name: {name} for pair in pairs for name in pair}
    for one, other in pairs:
        together = joined[one] | joined[other]
        joined.update(dict.fromkeys(together, together))
    return sorted({tuple(sorted(members)): sorted(members) for members in joined.values()}.values())


def recorded_pairs(project: Project) -> set[tuple[str, str]]:
    found = entries(project.tool.documents(), "cycles.jsonl")
    assert {one["reading"] for one in found} <= {"import"}
    return {(str(one["importer"]), str(one["imported"])) for one in found}


def recorded(project: Project, number: str, root: str) -> Project:
    project.copy(case(number).input)
    project.configure(CYCLES.format(root=root))
    project.record()
    return project


# --- 019: two components that share nothing, one of two circles that share a module


def test_019_two_components_with_these_edges(project: Project) -> None:
    expected = case("019").expected
    pairs = recorded_pairs(recorded(project, "019", "ring"))
    inside = {(one["from"], one["to"]) for one in expected["edges"]}
    assert pairs == inside
    assert components(pairs) == expected["sccs"]
    assert len(pairs) == expected["figures"]["edges_inside_components"]
    assert len({name for pair in pairs for name in pair}) == expected["figures"]["modules_in_cycles"]


def test_019_modules_that_only_lead_into_a_circle_are_no_members(project: Project) -> None:
    members = {name for pair in recorded_pairs(recorded(project, "019", "ring")) for name in pair}
    assert members.isdisjoint(one["what"] for one in case("019").expected["absent_facts"])


@pytest.mark.parametrize("hold", ["edges", "members"])
def test_019_the_order_in_which_files_were_made_changes_no_byte(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], hold: str
) -> None:
    files = {
        path.relative_to(case("019").input).as_posix(): path.read_bytes() for path in case("019").input.rglob("*.py")
    }
    written = []
    for name, order in (("one", sorted(files)), ("other", sorted(files, reverse=True))):
        (tmp_path / name).mkdir()
        project = Project(Tool(tmp_path / name, capsys))
        project.put({path: files[path] for path in order})
        project.configure(CYCLES.format(root="ring").replace('"edges"', f'"{hold}"'))
        said = project.record().out
        written.append(
            (project.tool.documents(), said, project.tool("check").out, project.tool("facts", "imports").out)
        )
    assert written[0] == written[1]


def test_019_one_more_import_inside_is_new_and_one_out_is_free(project: Project) -> None:
    recorded(project, "019", "ring")
    project.put({"ring/c.py": b"import ring.b\nimport ring.e\n"})
    assert project.check().status == 0
    project.put({"ring/c.py": b"import ring.b\nimport ring.a\n"})
    judged = project.check()
    assert judged.status == 1
    assert judged.told("cycles") == [("new", "ring.c -> ring.a", "ring/c.py:2")]


# --- 021: what only the type checker closes


def test_021_the_run_time_component_alone_is_recorded(project: Project) -> None:
    assert components(recorded_pairs(recorded(project, "021", "yarn"))) == case("021").expected["sccs"]


def test_021_circles_for_the_type_checker_alone_break_nothing(project: Project) -> None:
    project.copy(case("021").input)
    project.put({"yarn/knit.py": b""})
    project.configure(CYCLES.format(root="yarn"))
    project.record()
    judged = project.check()
    assert judged.status == 0
    assert judged.gate("cycles")["facts"] == 0
    # Not a circle by chance: each of them is one as soon as the guard falls.
    for here, there in case("021").expected["type_only_sccs"]:
        for name, target in ((here, there), (there, here)):
            project.put({name.replace(".", "/") + ".py": f"import {target}\n".encode()})
        told = project.check().told("cycles")
        assert (f"{here} -> {there}") in [edge for _kind, edge, _place in told]


# --- 034: layers, at dots

LAYERS = """\
roots = ["depot"]
gates = ["boundaries"]
[[contracts]]
id = "layers"
kind = "layers"
layers = ["depot.web", "depot.core", "depot.store"]
"""


def test_034_exactly_one_import_climbs(project: Project) -> None:
    project.copy(case("034").input)
    project.configure(LAYERS)
    project.record_bare()
    judged = project.check()
    assert judged.status == 1
    told = judged.told("boundaries")
    assert [(place, edge) for _kind, edge, place in told] == case("034").places("facts", "layer_violation")
    absent = {place for place, _what in case("034").places("absent_facts", "layer_violation")}
    sites = {f"{site['path']}:{site['line']}" for one in judged.violations("boundaries") for site in one["sites"]}
    assert sites.isdisjoint(absent)
