"""The cases on baselines as they are written: the facts are calls of `requests`."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cases.case import Judged, Project, case

BASELINE = "egress.jsonl"


def recorded(project: Project, source: Path, root: str) -> Project:
    """Return the project with the tree's ways out on record."""
    project.copy(source)
    project.configure(f'roots = ["{root}"]\ngates = ["egress"]\n')
    project.record()
    return project


def entries(project: Project) -> list[str]:
    """Return the baseline's calls as `module qualname api`, without its imports."""
    rows = [json.loads(line) for line in project.tool.documents()[BASELINE].decode().splitlines()[1:]]
    return [
        f"{row['module']} {row['qualname']} {row['target']}.{row['operation']}"
        for row in rows
        if row["operation"] != "import"
    ]


def told(judged: Judged) -> list[tuple[str, str]]:
    """Return (kind, `module qualname operation`) of each violation."""
    return sorted(
        (one["kind"], " ".join(one["identity"][name] for name in ("module", "qualname", "operation")))
        for one in judged.violations("egress")
    )


def spoil(project: Project, damage: Callable[[bytes], bytes]) -> bytes:
    path = project.root / "fixtures/architecture" / BASELINE
    path.write_bytes(damage(path.read_bytes()))
    return path.read_bytes()


def test_059_moved_reordered_and_renamed_is_the_same_debt(project: Project) -> None:
    which = case("059")
    recorded(project, which.input / "before", "line")
    before = project.tool.documents()
    expected = {(one["scope"], one["what"]) for one in which.expected["facts"]}
    assert {tuple(entry.split()[1:]) for entry in entries(project)} == expected
    project.replace(which.input / "after")
    judged = project.check()
    assert (judged.status, judged.violations("egress")) == (0, [])
    assert project.tool("tighten").status == 0
    assert project.tool.documents() == before


def test_063_paid_debt_is_stale_until_it_is_dropped(project: Project) -> None:
    which = case("063")
    figures = which.expected["figures"]
    recorded(project, which.input / "before", "stay")
    assert len(entries(project)) == figures["entries_before"]
    project.replace(which.input / "after")
    judged = project.check()
    assert judged.status == 1
    calls = [one for one in told(judged) if not one[1].endswith("import")]
    assert calls == [("gone", "stay.gone a get"), ("gone", "stay.kept b put")]
    assert len(calls) == figures["stale"]
    assert project.check("--stale", "warn").status == 0
    assert project.tool("tighten").status == 0
    assert len(entries(project)) == figures["entries_after_refresh"]
    assert project.check().status == 0
    project.copy(which.input / "before")
    assert {kind for kind, _what in told(project.check())} == {"returned"}


def conflicted(data: bytes) -> bytes:
    lines = data.splitlines(keepends=True)
    other = lines[-1].replace(b"pkg.b", b"pkg.c")
    return b"".join(lines[:-1]) + b"<<<<<<< HEAD\n" + lines[-1] + b"=======\n" + other + b">>>>>>> feature\n"


def test_065_conflict_markers_are_neither_empty_nor_debt(project: Project) -> None:
    recorded(project, case("065").input / "tree", "pkg")
    spoiled = spoil(project, conflicted)
    line = spoiled.splitlines().index(b"<<<<<<< HEAD") + 1
    judged = project.check()
    assert judged.status == 2
    assert judged.faults() == [(f"fixtures/architecture/{BASELINE}", line, "holds merge conflict markers.")]
    assert judged.violations("egress") == []
    answer = project.tool("tighten")
    assert answer.status == 2
    assert f"{BASELINE}:{line}: " in answer.err
    assert project.tool.documents()[BASELINE] == spoiled


def test_067_a_baseline_saved_on_windows_says_the_same(project: Project) -> None:
    recorded(project, case("067").input / "tree", "pkg")
    written = project.tool.documents()[BASELINE]
    spoil(project, lambda data: b"\xef\xbb\xbf" + data.replace(b"\n", b"\r\n"))
    judged = project.check()
    assert (judged.status, judged.violations("egress")) == (0, [])
    assert project.tool("tighten").status == 0
    (project.root / "pkg/b.py").write_bytes(b"")
    assert project.tool("tighten").status == 0
    assert project.tool.documents()[BASELINE] == b"".join(
        line for line in written.splitlines(keepends=True) if b"pkg.b" not in line
    )


def test_069_a_refresh_while_something_is_new_is_refused(project: Project) -> None:
    which = case("069")
    figures = which.expected["figures"]
    recorded(project, which.input / "before", "grow")
    before = project.tool.documents()
    assert len(entries(project)) == figures["entries_before"]
    project.replace(which.input / "after")
    assert told(project.check()) == [("gone", "grow.net a put"), ("new", "grow.net b delete")]
    (new,) = [one for one in project.check().violations("egress") if one["kind"] == "new"]
    assert f"after/{new['sites'][0]['path']}:{new['sites'][0]['line']}" == which.expected["facts"][0]["at"]
    answer = project.tool("tighten")
    assert answer.status == 2
    assert "grow.net, in b, reaches the network by requests.delete" in answer.err
    assert project.tool.documents() == before


def turned(data: bytes) -> bytes:
    header, *rest = data.splitlines(keepends=True)
    return b"".join([header, *reversed(rest)])


@pytest.mark.parametrize(
    ("damage", "status"),
    [
        (lambda data: data.replace(b'"schema": 1', b'"schema": 99'), 2),
        (lambda data: data.replace(b'"gate": "egress"', b'"gate": "network"'), 2),
        (lambda data: data.replace(b'"schema": 1', b'"schema": 1, "written_at": "noon"'), 2),
        (turned, 0),
    ],
    ids=["newer_schema", "older_kind", "extra_field", "unsorted"],
)
def test_071_another_version_is_refused_and_another_order_is_the_same(
    project: Project, damage: Callable[[bytes], bytes], status: int
) -> None:
    recorded(project, case("071").input / "tree", "pkg")
    written = project.tool.documents()[BASELINE]
    assert spoil(project, damage) != written
    judged = project.check()
    assert (judged.status, judged.violations("egress")) == (status, [])
    assert project.tool("tighten").status == status
    assert (project.tool.documents()[BASELINE] == written) is (status == 0)
