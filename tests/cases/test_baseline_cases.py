"""The cases on baselines, done to a `boundaries` baseline that the tool wrote itself.

The cases speak of calls (`requests.get`); `test_egress_baselines.py` puts them as they are. A ban of imports has the
same law, so the same damage, and more, is done to it here: one entry for each module that imports what it may not.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from tests.cases.case import Project, case

BAN = """\
roots = ["{root}"]
gates = ["boundaries"]
[[contracts]]
id = "no-network"
kind = "external"
modules = ["{root}"]
banned = {banned}
"""
LAYERS = """\
roots = ["swap"]
gates = ["boundaries"]
[[contracts]]
id = "low-not-high"
kind = "forbidden"
sources = ["swap.low"]
forbidden = ["swap.high"]
"""
BASELINE = "boundaries.jsonl"


def recorded(project: Project, source: Path, configuration: str, beside: Mapping[str, bytes] | None = None) -> Project:
    """Return the project with the tree's debt on record; files `beside` it are written over it first."""
    project.copy(source)
    project.put(beside or {})
    project.configure(configuration)
    project.record()
    return project


def banning(root: str, *names: str) -> str:
    return BAN.format(root=root, banned=json.dumps(list(names or ("requests",))))


def entries(project: Project) -> list[str]:
    """Return the baseline's entries as "importer -> imported", in the order written."""
    rows = [json.loads(line) for line in project.tool.documents()[BASELINE].decode().splitlines()[1:]]
    return [f"{row['importer']} -> {row['imported']}" for row in rows]


def damaged(project: Project, damage: Callable[[bytes], bytes]) -> bytes:
    """Do the damage to the baseline and return what it is now."""
    path = project.root / "fixtures/architecture" / BASELINE
    before = path.read_bytes()
    path.write_bytes(damage(before))
    assert path.read_bytes() != before, "the damage has to do something"
    return path.read_bytes()


# --- 059: what is the same debt


def test_059_moved_reordered_and_renamed_is_the_same_debt(project: Project) -> None:
    recorded(project, case("059").input / "before", banning("line"))
    before = project.tool.documents()
    assert entries(project) == ["line.net -> requests"]
    project.replace(case("059").input / "after")
    judged = project.check()
    assert judged.status == 0
    assert judged.violations("boundaries") == []
    assert project.tool("tighten").status == 0
    assert project.tool.documents() == before


@pytest.mark.parametrize(
    "after",
    [
        "\n" * 40 + "import requests\n",
        "import requests as rq\n",
        "from requests import get\n",
        "import requests.adapters\n",
        "def late():\n    import requests\n",
        "try:\n    import requests\nexcept ImportError:\n    requests = None\n",
        "import importlib\nimportlib.import_module('requests')\n",
        "import requests\nimport requests as twice\n",
    ],
)
def test_059_another_spelling_is_the_same_debt(project: Project, after: str) -> None:
    project.put({"line/__init__.py": b"", "line/net.py": b"import requests\n"})
    project.configure(banning("line"))
    project.record()
    project.put({"line/net.py": after.encode()})
    judged = project.check()
    # `requests.adapters` is another module: one `new`, one `gone`, and never silence.
    expected = (
        [("gone", "line.net -> requests"), ("new", "line.net -> requests.adapters")] if "adapters" in after else []
    )
    assert sorted((kind, edge) for kind, edge, _place in judged.told("boundaries")) == expected


# --- 061: a swap is never free


def test_061_a_swap_is_one_new_and_one_gone_and_cannot_be_tightened(project: Project) -> None:
    figures = case("061").expected["figures"]
    recorded(project, case("061").input / "before", LAYERS)
    before = project.tool.documents()
    assert len(entries(project)) == figures["violations_before"]
    project.replace(case("061").input / "after")
    judged = project.check()
    assert judged.status == 1
    assert judged.gate("boundaries")["facts"] == figures["violations_after"]
    told = judged.told("boundaries")
    ((place, new),) = case("061").places("facts", "layer_violation")
    ((_place, gone),) = case("061").places("problems", "stale")
    assert [(edge, f"after/{at}") for kind, edge, at in told if kind == "new"] == [(new, place)]
    assert [edge for kind, edge, _at in told if kind == "gone"] == [gone]
    assert len(told) == figures["new"] + figures["stale"]
    answer = project.tool("tighten")
    assert answer.status == 2
    assert "swap.low.a imports swap.high.gamma" in answer.err
    assert project.tool.documents() == before


def test_061_tolerating_stale_grants_softens_nothing_that_is_new(project: Project) -> None:
    recorded(project, case("061").input / "before", LAYERS)
    project.replace(case("061").input / "after")
    judged = project.check("--stale", "warn")
    assert judged.status == 1
    assert [kind for kind, _edge, _place in judged.told("boundaries")] == ["new"]


# --- 063: room that nobody uses


def test_063_paid_debt_is_stale_until_it_is_dropped(project: Project) -> None:
    figures = case("063").expected["figures"]
    # The case pays two debts, one of them with its file; `kept` has a second one to pay, and keeps the first.
    two = {"stay/kept.py": b"import requests\nimport ftplib\n"}
    recorded(project, case("063").input / "before", banning("stay", "requests", "ftplib"), two)
    assert len(entries(project)) == figures["entries_before"]

    project.replace(case("063").input / "after")
    judged = project.check()
    assert judged.status == 1
    told = [(kind, edge) for kind, edge, _place in judged.told("boundaries")]
    assert sorted(told) == [("gone", "stay.gone -> requests"), ("gone", "stay.kept -> ftplib")]
    assert len(told) == figures["stale"]
    assert project.check("--stale", "warn").status == 0, "only where it is asked for"

    assert project.tool("tighten").status == 0
    assert entries(project) == ["stay.kept -> requests"]
    assert len(entries(project)) == figures["entries_after_refresh"]
    assert project.check().status == 0


def test_063_a_deleted_file_may_not_come_back_with_its_debt(project: Project) -> None:
    recorded(project, case("063").input / "before", banning("stay"))
    (project.root / "stay/gone.py").unlink()
    assert project.tool("tighten").status == 0
    project.copy(case("063").input / "before")
    judged = project.check()
    assert judged.status == 1
    assert judged.told("boundaries") == [("returned", "stay.gone -> requests", "stay/gone.py:1")]


# --- 065, 067, 071: a baseline that somebody or something has damaged


@pytest.fixture
def pkg(project: Project) -> Project:
    """The tree of cases 065, 067 and 071, with its two bans on record."""
    recorded(project, case("065").input / "tree", banning("pkg"))
    assert entries(project) == ["pkg.a -> requests", "pkg.b -> requests"]
    return project


def conflicted(data: bytes) -> bytes:
    header, first, second = data.splitlines(keepends=True)
    other = second.replace(b"pkg.b", b"pkg.c")
    return header + first + b"<<<<<<< HEAD\n" + second + b"=======\n" + other + b">>>>>>> feature\n"


def of_three_sides(data: bytes) -> bytes:
    return conflicted(data).replace(b"=======", b"||||||| base\n=======")


def at_the_top(data: bytes) -> bytes:
    return b"<<<<<<< HEAD\n" + data + b"=======\n" + data + b">>>>>>> feature\n"


def left_over(data: bytes) -> bytes:
    return data + b">>>>>>> feature\n"


def on_windows(data: bytes) -> bytes:
    return conflicted(data).replace(b"\n", b"\r\n")


@pytest.mark.parametrize(
    ("damage", "line"), [(conflicted, 3), (of_three_sides, 3), (at_the_top, 1), (left_over, 4), (on_windows, 3)]
)
def test_065_conflict_markers_are_neither_empty_nor_debt(
    pkg: Project, damage: Callable[[bytes], bytes], line: int
) -> None:
    spoiled = damaged(pkg, damage)
    judged = pkg.check()
    assert judged.status == 2
    assert judged.faults() == [(f"fixtures/architecture/{BASELINE}", line, "holds merge conflict markers.")]
    assert judged.violations("boundaries") == [], "an unreadable baseline is not an empty one"
    for words in (("tighten",), ("init",), ("init", "boundaries"), ("move", "pkg.a", "pkg.z")):
        answer = pkg.tool(*words)
        assert answer.status == 2, words
        assert pkg.tool.documents()[BASELINE] == spoiled
    assert f"{BASELINE}:{line}: " in pkg.tool("tighten").err


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: b"\xef\xbb\xbf" + data,
        lambda data: data.replace(b"\n", b"\r\n"),
        lambda data: b"\xef\xbb\xbf" + data.replace(b"\n", b"\r\n"),
    ],
    ids=["signature", "crlf", "both"],
)
def test_067_a_baseline_saved_on_windows_says_the_same(pkg: Project, damage: Callable[[bytes], bytes]) -> None:
    written = pkg.tool.documents()[BASELINE]
    damaged(pkg, damage)
    judged = pkg.check()
    assert (judged.status, judged.violations("boundaries")) == (0, [])
    pkg.put({"pkg/b.py": b""})
    assert pkg.tool("tighten").status == 0
    whole = pkg.tool.documents()[BASELINE]
    assert whole == b"".join(written.splitlines(keepends=True)[:2])


def test_067_names_hold_no_path_that_a_system_could_write_in_another_way(pkg: Project) -> None:
    assert b"/" not in pkg.tool.documents()[BASELINE]
    # Where a name is no module, its identity is a path: with `/`, on every system.
    pkg.put({"pkg/two words.v1.py": b"import requests\n"})
    pkg.configure(BAN.format(root="pkg", banned='["requests"]').replace('modules = ["pkg"]', 'modules = ["**"]'))
    told = pkg.check().told("boundaries")
    assert told == [("new", "pkg/two words.v1.py -> requests", "pkg/two words.v1.py:1")]


def test_067_a_backslash_is_refused_or_stale_and_never_a_flood(pkg: Project) -> None:
    damaged(pkg, lambda data: data.replace(b"pkg.a", rb"pkg\\a"))
    told = [(kind, edge) for kind, edge, _place in pkg.check().told("boundaries")]
    assert sorted(told) == [("gone", "pkg\\a -> requests"), ("new", "pkg.a -> requests")]


def header(data: bytes, **changes: object) -> bytes:
    first, *rest = data.splitlines(keepends=True)
    return json.dumps({**json.loads(first), **changes}).encode() + b"\n" + b"".join(rest)


def unsorted(data: bytes) -> bytes:
    first, *rest = data.splitlines(keepends=True)
    turned = [json.dumps(dict(reversed(json.loads(line).items()))).encode() + b"\n" for line in reversed(rest)]
    return json.dumps(dict(reversed(json.loads(first).items()))).encode() + b"\n" + b"".join(turned)


@pytest.mark.parametrize(
    ("damage", "line", "says"),
    [
        (lambda data: header(data, schema=99), 1, "written by a newer abutment"),
        (lambda data: header(data, schema=0), 1, "is older than this abutment reads"),
        (lambda data: header(data, schema=True), 1, "expected a whole number"),
        (lambda data: header(data, schema="1"), 1, "expected a whole number"),
        (lambda data: header(data, gate="network"), 1, "is the baseline of the gate"),
        (lambda data: header(data, fields=["kind", "module", "what"]), 1, "other fields than"),
        (lambda data: header(data, written_at="noon"), 1, "unknown fields: written_at"),
        (lambda data: data.replace(b'"count": 1', b'"count": 1, "by": "hand"', 1), 2, "by: unknown field"),
    ],
)
def test_071_another_version_is_refused_and_never_compared(
    pkg: Project, damage: Callable[[bytes], bytes], line: int, says: str
) -> None:
    spoiled = damaged(pkg, damage)
    judged = pkg.check()
    assert judged.status == 2
    ((path, at, message),) = judged.faults()
    assert (path, at) == (f"fixtures/architecture/{BASELINE}", line)
    assert says in message
    assert judged.violations("boundaries") == []
    assert pkg.tool("tighten").status == 2
    assert pkg.tool.documents()[BASELINE] == spoiled


def test_071_an_older_one_says_how_to_carry_it_over(pkg: Project) -> None:
    damaged(pkg, lambda data: header(data, schema=0))
    assert "Regenerate it with the version that wrote it, then upgrade." in pkg.tool("check").out


def test_071_another_order_is_the_same_and_the_next_write_puts_it_right(pkg: Project) -> None:
    written = pkg.tool.documents()[BASELINE]
    damaged(pkg, unsorted)
    judged = pkg.check()
    assert (judged.status, judged.violations("boundaries")) == (0, [])
    assert pkg.tool("tighten").status == 0
    assert pkg.tool.documents()[BASELINE] == written


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: b"",
        lambda data: b"\n",
        lambda data: data[:-20],
        lambda data: data.replace(b"\n", b"\n\n", 1),
        lambda data: data + data.splitlines(keepends=True)[-1],
        lambda data: data.replace(b'"count": 1', b'"count": true', 1),
        lambda data: data.replace(b'"count": 1', b'"count": 0', 1),
        lambda data: data.replace(b'"count": 1', b'"count": 1, "count": 1', 1),
        lambda data: data.replace(b'"count": 1', b'"count": 1.0', 1),
        lambda data: data.replace(b"pkg.a", b"pkg.\xff", 1),
        lambda data: data.replace(b"{", b"[", 1),
        lambda data: b"[]\n",
        lambda data: data.decode().encode("utf-16"),
        lambda data: b"\0" * len(data),
    ],
)
def test_any_other_damage_is_refused_as_well(pkg: Project, damage: Callable[[bytes], bytes]) -> None:
    spoiled = damaged(pkg, damage)
    judged = pkg.check()
    assert judged.status == 2
    assert {path for path, _line, _message in judged.faults()} == {f"fixtures/architecture/{BASELINE}"}
    assert judged.violations("boundaries") == []
    assert pkg.tool("tighten").status == 2
    assert pkg.tool.documents()[BASELINE] == spoiled


def test_an_editor_that_drops_the_last_line_end_changes_nothing(pkg: Project) -> None:
    damaged(pkg, lambda data: data[:-1])
    judged = pkg.check()
    assert (judged.status, judged.violations("boundaries")) == (0, [])


# --- 069: the command that everybody runs does not make red green


def test_069_a_refresh_while_something_is_new_is_refused(project: Project) -> None:
    expected = case("069").expected
    # The case pays one call and adds another; here one import is paid and another added.
    two = {"grow/net.py": b"import requests\n", "grow/old.py": b"import requests\n"}
    recorded(project, case("069").input / "before", banning("grow", "requests", "ftplib"), two)
    before = project.tool.documents()
    assert len(entries(project)) == expected["figures"]["entries_before"]

    project.put({"grow/old.py": b"", "grow/net.py": b"import requests\nimport ftplib\n"})
    answer = project.tool("tighten")
    assert answer.status == 2
    assert "grow.net imports ftplib" in answer.err
    assert project.tool.documents() == before
    figures = expected["figures"]
    assert figures["entries_allowed_after_step_1_min"] <= len(entries(project))
    assert len(entries(project)) <= figures["entries_allowed_after_step_1_max"]
    judged = project.check()
    assert sorted((kind, edge) for kind, edge, _place in judged.told("boundaries")) == [
        ("gone", "grow.old -> requests"),
        ("new", "grow.net -> ftplib"),
    ]


def test_069_no_verb_records_growth_without_a_persons_words(project: Project) -> None:
    recorded(project, case("069").input / "before", banning("grow", "requests", "ftplib"))
    project.put({"grow/net.py": b"import requests\nimport ftplib\n"})
    before = project.tool.documents()
    for words in (
        ("init",),
        ("init", "boundaries"),
        ("init", "boundaries", "--again"),
        ("init", "boundaries", "--again", "--reason", "we like it"),
        ("record", "boundaries"),
        ("tighten", "boundaries"),
        ("check",),
    ):
        project.tool(*words)
        assert project.tool.documents() == before, words
    assert project.check().status == 1


def test_069_growth_is_let_in_by_an_approval_that_keeps_owner_and_reason(project: Project) -> None:
    recorded(project, case("069").input / "before", banning("grow", "requests", "ftplib"))
    project.put({"grow/net.py": b"import requests\nimport ftplib\n"})
    draft = project.tool("draft", "boundaries").out
    project.put({"fixtures/architecture/boundaries.toml": draft.encode()})
    assert project.check().status == 2, "nobody has answered for it yet"
    filled = draft.replace('owner = ""', 'owner = "@net"').replace('reason = ""', 'reason = "The printer needs it."')
    project.put({"fixtures/architecture/boundaries.toml": filled.replace('tracking = ""', 'tracking = "N-1"').encode()})
    assert project.check().status == 0
