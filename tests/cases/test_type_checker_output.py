"""The cases on what a type checker printed, as they are written."""

from __future__ import annotations

import json
from collections import Counter

import pytest

from tests.cases.case import Judged, Project, case

GATE = 'roots = ["till"]\ngates = ["mypy"]\n[mypy]\ntargets = ["till"]\ninput = "said"\n'
CONFIGURATION = {"mypy.ini": b"[mypy]\npython_version = 3.11\nplatform = linux\n"}
VERSION = b"mypy 2.4.1 (compiled: yes)\n"
OTHERS = ["plain.txt", "columns_end.txt", "colour.txt", "json.jsonl", "absolute.txt"]


def say(project: Project, number: str, name: str) -> None:
    """Put one of the case's outputs in the place of the one that the gate reads."""
    project.put({"said": VERSION + (case(number).input / name).read_bytes()})


def started(project: Project, number: str, name: str, more: str = "") -> Project:
    project.put(CONFIGURATION)
    project.configure(GATE + more)
    say(project, number, name)
    return project


def till(project: Project) -> Project:
    project.copy(case("073").input / "tree")
    return started(project, "073", "plain.txt", 'input_status = 1\ninput_root = "/srv/ci/checkout"\n')


@pytest.mark.parametrize("name", OTHERS)
def test_073_every_dress_gives_the_same_figures(project: Project, name: str) -> None:
    till(project).record("mypy")
    say(project, "073", name)
    judged = project.check()
    figures = case("073").expected["figures"]
    assert (judged.status, judged.gate("mypy")["facts"]) == (0, figures["errors"])
    codes = codes_of(project)
    assert {f"code_{code.replace('-', '_')}": count for code, count in codes.items()} == {
        name: count for name, count in figures.items() if name.startswith("code_")
    }


def codes_of(project: Project) -> Counter[str]:
    """Return how many errors of each code the family of facts lists."""
    found: Counter[str] = Counter()
    for fact in json.loads(project.tool("facts", "mypy", "--format", "json").out)["facts"]:
        found[fact["code"]] += fact["count"]
    return found


def test_073_pretty_output_is_refused(project: Project) -> None:
    till(project).record("mypy")
    say(project, "073", "pretty.txt")
    judged = project.check()
    ((_path, _line, message),) = judged.faults()
    assert (judged.status, "is not understood" in message) == (2, True)


def test_073_output_without_codes_has_the_same_total_and_is_told(project: Project) -> None:
    till(project)
    say(project, "073", "nocodes.txt")
    project.record("mypy")
    judged = project.check()
    assert (judged.status, judged.gate("mypy")["facts"]) == (0, 7)
    assert any("7 have no code" in note for note in judged.gate("mypy")["notes"])


def told(judged: Judged) -> list[tuple[str, str]]:
    return [
        (one["kind"], f"{one['identity']['module']} {one['identity']['code']}") for one in judged.violations("mypy")
    ]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("after_moved.txt", []),
        ("after_traded.txt", [("new", "till.b assignment"), ("shrunk", "till.a assignment")]),
        ("after_fewer.txt", [("shrunk", "till.a assignment")]),
    ],
)
def test_075_lines_in_messages_move_and_errors_are_not_traded(
    project: Project, name: str, expected: list[tuple[str, str]]
) -> None:
    project.put({f"till/{stem}.py": b"" for stem in ("__init__", "a", "b", "c", "d", "e")})
    started(project, "075", "before.txt").record("mypy")
    say(project, "075", name)
    judged = project.check()
    (result,) = [one for one in case("075").expected["results"] if one["file"] == name]
    assert sorted(told(judged)) == sorted(expected)
    assert Counter(kind == "new" for kind, _what in told(judged)) == Counter(
        {kind: count for kind, count in ((True, result["new"]), (False, result["stale"])) if count}
    )
    assert judged.status == (0 if result["verdict"] == "pass" else 1)
