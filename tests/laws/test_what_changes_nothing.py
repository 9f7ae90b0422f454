"""What must not matter does not: the order of files, other runs, other folders, the cache, a second configuration."""

from __future__ import annotations

import gc
import os
import random
import sys
import threading
import warnings
from collections.abc import Mapping
from dataclasses import replace
from datetime import date
from importlib import import_module
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from abutment.baselines.plan import joined
from abutment.baselines.reading import read_documents
from abutment.baselines.receipts import render_receipt
from abutment.baselines.record import plan_init
from abutment.cli.check import FORMATS
from abutment.config import Config, read_config
from abutment.gates import load_gates
from abutment.gates.gate import Gate
from abutment.reports.sarif import render_sarif
from abutment.run import measure, open_project, read_all_settings, run
from abutment.sources.memory_tree import MemoryTree
from abutment.sources.settings import settings_from
from abutment.verdicts.law import law_before_init
from abutment.verdicts.verdict import Run, Status
from tests.laws import codebases
from tests.laws.codebases import Line, project, sources
from tests.laws.workshop import Workshop, adopted, parsed, workshop
from tests.laws.workshop import run as abutment

TODAY = date(2027, 1, 1)
bounded = settings(max_examples=25, derandomize=True, deadline=None)


def shuffled(files: Mapping[str, str], seed: int) -> dict[str, str]:
    order = sorted(files)
    random.Random(seed).shuffle(order)
    return {path: files[path] for path in order}


def config_of(tree: MemoryTree) -> Config:
    return read_config(settings_from("abutment.toml", tree.read("abutment.toml"), "/nowhere"), tree)


def judged(files: Mapping[str, bytes | str]) -> Run:
    """Return the run on files that are on no disk."""
    tree = MemoryTree(files)
    return run(config_of(tree), tree, TODAY)


def with_baselines(files: Mapping[str, str]) -> dict[str, bytes | str]:
    """Return the files with what `init` would record beside them."""
    tree = MemoryTree(files)
    config = config_of(tree)
    gates = load_gates(config.gates)
    found = read_all_settings(config, gates)
    project = open_project(config, tree)
    documents = read_documents(tree, config.documents)
    laws = {gate: law_before_init(documents, gate.terms(config.documents)) for gate in gates}
    plan = joined(plan_init(law, measure(project, gate, found[gate.name], law.grants)) for gate, law in laws.items())
    receipt = plan.receipt({})
    whole: dict[str, bytes | str] = {**files, **{change.path: change.after for change in plan.changes}}
    whole[f"{config.documents}/receipts/{receipt.file_name}"] = render_receipt(receipt)
    assert judged(whole).status is Status.HELD
    return whole


def reports(found: Run, gates: tuple[Gate, ...]) -> dict[str, str]:
    """Return the run in every format."""
    texts = {"sarif": render_sarif(found, gates)}
    for form in FORMATS:
        if form != "sarif":
            texts[form] = getattr(import_module(f"abutment.reports.{form}"), f"render_{form}")(found)
    return texts


@bounded
@given(codebases.codebases(), codebases.codebases(most=4), codebases.settings(), st.integers(0, 1000))
def test_the_order_of_files_changes_no_byte(before: list[Line], added: list[Line], law: str, seed: int) -> None:
    files = project(before, law)
    recorded, again = with_baselines(files), with_baselines(shuffled(files, seed))
    assert {path: again[path] for path in sorted(again)} == {path: recorded[path] for path in sorted(recorded)}
    edited = sources([*before[1:], *added])
    one, other = judged({**recorded, **edited}), judged({**again, **shuffled(edited, seed)})
    assert one == other
    gates = load_gates(["blindspots", "cycles", "boundaries"])
    assert reports(one, gates) == reports(other, gates)


@bounded
@given(codebases.codebases(), st.integers(0, 1000))
def test_the_order_in_which_files_came_to_the_disk_changes_no_document(lines: list[Line], seed: int) -> None:
    with adopted(project(lines)) as one, adopted(shuffled(project(lines), seed)) as other:
        assert one.documents() == other.documents()
        assert one("check", "--verbose").out == other("check", "--verbose").out


@bounded
@given(codebases.codebases(), codebases.codebases(most=6), codebases.settings())
def test_a_second_run_is_the_same_bytes_in_every_format(before: list[Line], after: list[Line], law: str) -> None:
    with adopted(project(before, law)) as shop:
        shop.write(sources(after))
        for form in FORMATS:
            first, second = (shop("check", "--format", form) for _ in range(2))
            assert (first.status, first.out) == (second.status, second.out)


def process_state() -> dict[str, object]:
    """Return what a library must leave as it found it, without what Python itself remembers of imports."""
    return {
        "warnings": list(warnings.filters),
        "collector": (gc.isenabled(), gc.get_threshold(), gc.get_freeze_count()),
        "recursion": sys.getrecursionlimit(),
        "folder": Path.cwd(),
        "environment": dict(os.environ),
        "path": (list(sys.path), list(sys.meta_path), list(sys.path_hooks)),
        "bytecode": sys.dont_write_bytecode,
        "digits": sys.get_int_max_str_digits(),
        "threads": threading.active_count(),
        "streams": (sys.stdout, sys.stderr, sys.stdin),
        "hooks": (sys.excepthook, sys.gettrace(), sys.getprofile(), threading.excepthook),
        "judged": sorted(name for name in sys.modules if name.split(".")[0] == "app"),
    }


HOSTILE = "import sys, os\nsys.setrecursionlimit(77)\nos.chdir('/')\nraise SystemExit('judged code was run')\n"


@bounded
@given(codebases.codebases(), codebases.codebases(most=6), codebases.settings())
def test_two_runs_in_one_process_are_equal_and_leave_nothing_behind(
    before: list[Line], after: list[Line], law: str
) -> None:
    state = process_state()
    files = with_baselines(project(before, law))
    files.update(sources(after))
    files["app/mid/hostile.py"] = HOSTILE + '"\\d"\nassert (1, "always")\n' + f"HUGE = {'9' * 5000}\n"
    assert judged(files) == judged(files)
    assert process_state() == state


@pytest.mark.parametrize("words", [("check",), ("tighten",), ("facts", "imports"), ("config", "--files")])
def test_a_verb_leaves_nothing_behind(words: tuple[str, ...]) -> None:
    state = process_state()
    with adopted({**project([Line("app.low", "app.high")]), "app/mid/hostile.py": HOSTILE}) as shop:
        assert shop(*words).status == 0
        assert process_state() == state


OUTSIDE = {
    "setup.py": "import app.low\nimport app.nowhere\n",
    "scripts/run.py": "from app.high import h1\nimport_module(which)\n",
    "scripts/broken.py": "def broken(:\n",
    "notebook.ipynb": "{}",
    "App.py": "import app",
    "apps/__init__.py": "import app.low.l1\n",
    "docs/app/low/l1.py": "import app.high\n",
}


@bounded
@given(codebases.codebases(), codebases.codebases(most=6), st.sets(st.sampled_from(sorted(OUTSIDE)), min_size=1))
def test_a_file_outside_of_every_root_changes_nothing_but_the_account(
    before: list[Line], after: list[Line], names: set[str]
) -> None:
    files = {**with_baselines(project(before)), **sources(after)}
    plain, beside = judged(files), judged({**files, **{name: OUTSIDE[name] for name in names}})
    assert replace(beside, files=plain.files) == plain
    assert replace(beside.files, left_out=plain.files.left_out) == plain.files
    more = sum(dict(beside.files.left_out).values()) - sum(dict(plain.files.left_out).values())
    assert more == len(names)


@bounded
@given(st.lists(codebases.codebases(most=8), min_size=2, max_size=4), codebases.settings())
def test_the_cache_changes_no_answer(history: list[list[Line]], law: str) -> None:
    with adopted(project(history[0], law)) as shop, workshop({}) as cache:
        for lines in history:
            shop.write(sources(lines))
            cold = shop("check", "--verbose")
            warm = shop("check", "--verbose", "--cache-dir", str(cache.root))
            assert (warm.status, warm.out) == (cold.status, cold.out)


def mono(one: Workshop, other: Workshop, *words: str) -> list[str]:
    return ["check", *words, "--config", str(one.root), "--config", str(other.root), "--today", "2027-01-01"]


@bounded
@given(
    st.tuples(codebases.codebases(most=6), codebases.codebases(most=6)),
    st.tuples(codebases.codebases(most=3), codebases.codebases(most=3)),
    st.tuples(st.booleans(), st.booleans()),
)
def test_two_configurations_given_together_are_each_alone(
    before: tuple[list[Line], list[Line]], added: tuple[list[Line], list[Line]], broken: tuple[bool, bool]
) -> None:
    with adopted(project(before[0])) as one, adopted(project(before[1])) as other:
        for shop, lines, more, spoilt in zip((one, other), before, added, broken, strict=True):
            shop.write(sources([*lines, *more]))
            if spoilt:
                shop.write({"app/mid/m1.py": "def broken(:\n"})
        alone = [shop("check", "--quiet") for shop in (one, other)]
        answer = abutment(mono(one, other, "--no-cache", "--jobs", "1", "--format", "json"))
        assert answer.status == max(found.status for found in alone)
        together = parsed(answer.out)
        apart = [(shop.root.name, gate) for shop in (one, other) for gate in shop.report()["gates"]]
        assert {gate["gate"]: _told(gate) for gate in together["gates"]} == {
            f"{folder}/{gate['gate']}": _told(gate, folder) for folder, gate in apart
        }


def _told(gate: dict[str, object], folder: str = "") -> object:
    """Return a gate's verdict without its name; paths as seen from above the folder."""
    above = f"{folder}/" if folder else ""
    violations, faults = gate["violations"], gate["faults"]
    assert isinstance(violations, list) and isinstance(faults, list)
    seen = [
        (v["kind"], v["fingerprint"], v["what"], [(above + site["path"], site["line"]) for site in v["sites"]])
        for v in violations
    ]
    return gate["status"], gate["facts"], gate["granted"], seen, [(above + f["path"], f["line"]) for f in faults]


def test_a_configuration_that_cannot_be_read_leaves_the_other_one_judged() -> None:
    with adopted(project([Line("app.low", "app.high")])) as one, workshop({"abutment.toml": "roots = 7\n"}) as other:
        one.write(sources([Line("app.low", "app.high"), Line("app.mid", "app.high")]))
        answer = abutment(mono(one, other, "--no-cache"))
        assert answer.status == 2
        assert "app.mid imports app.high" in answer.out
        assert "roots" in answer.out
