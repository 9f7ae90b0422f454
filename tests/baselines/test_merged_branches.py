"""Two branches pay, move and promote at random; git merges their documents, and what it leaves is settled.

The code is a model: occurrences of facts, each under a key until it is paid, merged one by one as git merges lines.
"""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from abutment.baselines.driver import merge_baselines
from abutment.baselines.reading import read_documents
from abutment.baselines.resolve import Unsettled, plan_resolve
from abutment.errors import Refused
from abutment.sources.git import unsettled_files
from abutment.sources.work_tree import WorkTree
from abutment.verdicts.verdict import Status
from tests.baselines.laws import FOLDER, TERMS, World, kinds

NAMES = [f"m{number}" for number in range(5)]
Code = dict[int, str]  # occurrence -> importer, "" once it is paid

_COUNTS = st.fixed_dictionaries({name: st.integers(1, 3) for name in NAMES})
_PAY = st.tuples(st.just("pay"), st.sampled_from(NAMES), st.integers(0, 2))
# Who merges takes their name where both have given one; so ours is never one that they have given up again.
_OUR_MOVE = st.tuples(st.just("move"), st.sampled_from(NAMES), st.just("n"))
_MOVE = st.tuples(st.just("move"), st.sampled_from(NAMES), st.sampled_from(["n", "k"]))
_PROMOTE = st.tuples(st.just("promote"), st.sampled_from(NAMES), st.just(0))
_PAYMENTS = st.lists(st.one_of(_PAY, _MOVE), max_size=3)
_ANYTHING = st.lists(st.one_of(_PAY, _OUR_MOVE, _PROMOTE), max_size=3)


def text(importer: str) -> str:
    return f"c {importer} app.db"


def counted(code: Code) -> dict[str, int]:
    return dict(Counter(text(importer) for importer in code.values() if importer))


@dataclass
class Branch:
    """A branch's documents and its code."""

    world: World
    code: Code
    names: dict[str, str] = field(default_factory=dict)

    def work(self, steps: list[tuple[str, str, int | str]]) -> None:
        for what, name, how in steps:
            with suppress(Refused):  # what is no move is refused, and then nothing has moved
                getattr(self, what)(name, how)

    def pay(self, name: str, left: int) -> None:
        here = self.called(name)
        for at in [at for at, importer in self.code.items() if importer == here][left:]:
            self.code[at] = ""
        self.world.tighten(counted(self.code))

    def move(self, name: str, prefix: str) -> None:
        old, new = self.called(name), f"{prefix}{name}"
        if holds(self.world, text(old)):
            return  # a person would have to edit the approval as well
        code = {at: new if importer == old else importer for at, importer in self.code.items()}
        self.world.move(old, new, counted(code), {importer for importer in code.values() if importer})
        self.code, self.names[name] = code, new

    def promote(self, name: str, _how: int) -> None:
        here = text(self.called(name))
        count = counted(self.code).get(here, 0)
        if count and TERMS.policy not in self.world.files:
            self.world.approve(here, more=f"count = {count}")
            self.world.tighten(counted(self.code))

    def called(self, name: str) -> str:
        """Return what a module is called now."""
        return self.names.get(name, name)


def merged(base: Code, one: Code, two: Code) -> Code:
    def which(at: int) -> str:
        if two[at] == base[at]:
            return one[at]
        return two[at] if one[at] == base[at] or one[at] else ""

    return {at: which(at) for at in base}


@contextmanager
def repository() -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as folder:
        git(Path(folder), "init", "-q", "-b", "base")
        yield Path(folder)


def git(root: Path, *words: str) -> int:
    who = ("-c", "user.name=n", "-c", "user.email=e@example.org", "-c", "commit.gpgsign=false")
    environment = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
    return subprocess.run(["git", *who, *words], cwd=root, env=environment, capture_output=True, check=False).returncode


def put(root: Path, world: World) -> None:
    for path, data in world.files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(data)
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", "x", "--allow-empty")


@settings(max_examples=100, derandomize=True, deadline=None, suppress_health_check=list(HealthCheck))
@given(_COUNTS, _ANYTHING, _PAYMENTS)
def test_what_git_leaves_is_settled_as_the_merged_code_is(
    counts: dict[str, int], ours: list[tuple[str, str, int | str]], theirs: list[tuple[str, str, int | str]]
) -> None:
    base = World()
    base.init({text(name): count for name, count in counts.items()})
    code = dict(enumerate(name for name, count in counts.items() for _ in range(count)))
    one, two = (Branch(World(dict(base.files)), dict(code)) for _ in range(2))
    one.work(ours)
    two.work(theirs)
    with repository() as root:
        put(root, base)
        for name, branch in (("two", two), ("one", one)):
            git(root, "checkout", "-q", "-b", name, "base")
            put(root, branch.world)
        clean = git(root, "merge", "--no-edit", "two") == 0
        whole = settled(root, clean)
    truth = counted(merged(code, one.code, two.code))
    driven = merge_baselines(TERMS.baseline, *(w.files[TERMS.baseline] for w in (base, one.world, two.world)))
    for result in (whole, World({**whole.files, TERMS.baseline: driven})):
        assert {*kinds(result.judge(truth)).values()} <= {"gone", "shrunk"}
    whole.tighten(truth)
    approved = sum(each.count for each in whole.law().grants.approvals)
    assert whole.recorded() == {key: count for key, count in truth.items() if not holds(whole, key)}
    assert approved or whole.judge(truth).status is Status.HELD


def holds(world: World, key: str) -> bool:
    return any(" ".join(each.key) == key for each in world.law().grants.approvals)


def settled(root: Path, clean: bool) -> World:
    """Return the documents once they are settled, in both ways in which they can be."""
    stages = unsettled_files(root, FOLDER)
    assert set(stages) <= {TERMS.baseline}, "receipts never conflict"
    assert clean == (not stages)
    documents = read_documents(WorkTree(root), FOLDER)
    files = {path.relative_to(root).as_posix(): path.read_bytes() for path in root.rglob("law/**/*") if path.is_file()}
    if clean:
        return World(files)
    found = documents.files[TERMS.baseline]
    ways = [plan_resolve([Unsettled(TERMS, found, kept)], documents) for kept in (stages[TERMS.baseline], {})]
    results = {change.after for plan in ways for change in plan.changes}
    assert len(results) == 1, "git's versions and the markers tell the same"
    return World({**files, TERMS.baseline: results.pop()})
