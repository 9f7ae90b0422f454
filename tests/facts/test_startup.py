from __future__ import annotations

from pathlib import Path

import pytest

from abutment.facts.startup import (
    Place,
    StartupFact,
    is_first_party,
    scan_components,
    scan_loaded,
    stable_name,
    strangers,
)
from abutment.facts.startup_chains import Chains
from abutment.model.site import Site
from abutment.semantics.program import ModuleKind
from abutment.sources.tools.startup import Alive, Answer, Loaded
from tests.programs import program

PLACE = Place(Path("/code"), program("app.main -> app.a", "spread.own", kinds={"spread": ModuleKind.NAMESPACE}))


@pytest.mark.parametrize(
    ("kind", "name", "expected"),
    [
        ("thread", "Thread-3 (poll)", "Thread-# (poll)"),
        ("thread", "ThreadPoolExecutor-0_12", "ThreadPoolExecutor-#_#"),
        ("thread", "poller", "poller"),
        ("process", "python3.11", "python"),
        ("process", "sh", "sh"),
        ("process", "7", "7"),
        ("socket", "tcp listening", "tcp listening"),
        ("file", "/code/app/log.txt", "app/log.txt"),
        ("file", "/code/app/log.txt (deleted)", "app/log.txt"),
        ("file", "/env/lib/python3.11/site-packages/tz/zones.db", "<packages>/tz/zones.db"),
        ("file", "/usr/lib/python3/dist-packages/tz/zones.db", "<packages>/tz/zones.db"),
        ("file", "/tmp/abutment-x1y2/tmpa_b1c2d3/run-7.lock", "<temporary>/run-#.lock"),
        ("file", "/tmp/abutment-x1y2/tmpa_b1c2d3", "<temporary>/#"),
        ("file", "/tmp/abutment-x1y2/#4711 (deleted)", "<temporary>/#"),
        ("file", "pipe:[4711]", "pipe"),
        ("file", "anon_inode:[eventpoll]", "eventpoll"),
        ("file", "/dev/null", "/dev/null"),
        ("task", "poll", "poll"),
    ],
)
def test_a_name_is_the_same_in_every_run_and_on_every_machine(kind: str, name: str, expected: str) -> None:
    assert stable_name(PLACE, Alive(kind, name)) == expected


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("app", True),
        ("app.main", True),
        ("app.made_at_run_time", True),
        ("spread", True),
        ("spread.own", True),
        ("spread.others", False),  # what others put beside ours into a namespace
        ("application", False),
        ("json", False),
    ],
)
def test_what_is_the_projects_own_is_known_by_its_name(name: str, expected: bool) -> None:
    assert is_first_party(PLACE.program, name) is expected


def test_modules_are_told_one_by_one_and_packages_by_their_top() -> None:
    loaded = (
        Loaded("app", "/code/app/__init__.py", False),
        Loaded("app.main", "/code/app/main.py", False),
        Loaded("json", "/python/json/__init__.py", True),
        Loaded("yaml", "/env/site-packages/yaml/__init__.py", False),
        Loaded("yaml.nodes", "/env/site-packages/yaml/nodes.py", False),
        Loaded("made", "", False),
    )
    found = [(one.kind, one.name) for one in scan_loaded(PLACE, "app.main", Answer(loaded=loaded))]
    assert found == [("module", "app"), ("module", "app.main"), ("package", "yaml")]


def test_a_module_from_another_file_is_a_stranger(tmp_path: Path) -> None:
    loaded = (
        Loaded("app.main", str(tmp_path / "app/main.py"), False),
        Loaded("app.a", "/env/site-packages/app/a.py", False),
    )
    assert list(strangers(Place(tmp_path, PLACE.program), Answer(loaded=loaded))) == [
        ("app.a", "/env/site-packages/app/a.py")
    ]


@pytest.mark.parametrize(
    ("manifest", "started", "expected"),
    [
        ("a b c", "a b c", []),
        ("", "", []),
        ("a b", "b a", ["b is started before a"]),
        ("a b c", "c a b", ["c is started before b"]),
        ("a b c", "a c", ["b is not started"]),
        ("a b", "a x", ["b is not started", "x is started, and is not in the manifest"]),  # as many, and others
        ("a b", "a b a", ["a is started more than once"]),
        ("a", "", ["a is not started"]),
    ],
)
def test_components_are_held_against_the_manifest_in_order(manifest: str, started: str, expected: list[str]) -> None:
    found = scan_components("normal", tuple(manifest.split()), tuple(started.split()), Site("m.py"))
    assert found is not None
    assert [one.name for one in found] == expected


def test_a_place_and_words_are_no_part_of_what_a_fact_is() -> None:
    assert StartupFact("a", "thread", "b", Site("x.py", 1), "c") == StartupFact("a", "thread", "b", Site("y.py"))


def chain(texts: list[str], name: str, answer: Answer | None = None) -> list[str]:
    chains = Chains(program(*texts), {"app.main": answer or Answer()})
    return [step.words for step in chains.to("app.main", name)]


def test_the_chain_is_the_shortest_of_those_at_import_time() -> None:
    texts = ["app.main -> app.a", "app.a -> app.b", "app.b -> app.c", "app.main -> app.x", "app.x -> app.c"]
    assert chain([*texts, "app.main ~> app.c"], "app.c") == [
        "app.main imports app.x (app/main.py:2)",
        "app.x imports app.c (app/x.py:1)",
    ]


def test_what_the_package_above_the_target_loads_is_explained_as_well() -> None:
    assert chain(["app -> app.a", "app.main -> app.b"], "app.a") == ["app imports app.a (app/__init__.py:1)"]


def test_a_package_is_reached_by_the_first_of_its_modules() -> None:
    assert chain(["app.main -> app.a", "app.a -> !yaml.nodes"], "yaml") == [
        "app.main imports app.a (app/main.py:1)",
        "app.a imports yaml.nodes (app/a.py:1)",
    ]


def test_where_no_import_at_import_time_leads_there_what_was_seen_is_told() -> None:
    seen = Answer(importers={"app.a": ("app.main", 7), "yaml": ("click.core", 3), "click.core": ("app.a", 2)})
    assert chain(["app.main -> app.a"], "yaml", seen) == [
        "app.main imports app.a (app/main.py:7)",
        "app.a imports click.core (app/a.py:2)",
        "click.core imports yaml",
    ]


def test_else_an_import_in_a_function_is_told() -> None:
    assert chain(["app.main ~> app.a"], "app.a") == ["app.main imports app.a (app/main.py:1)"]


def test_importers_that_run_in_a_circle_end() -> None:
    seen = Answer(importers={"x": ("y", 1), "y": ("x", 1)})
    assert len(chain(["app.main"], "x", seen)) == 2
