"""`resolve`: what it settles outside of any merge, and what it leaves to people without writing a byte."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from abutment.baselines.document import render_baseline
from abutment.baselines.plan import Plan
from abutment.baselines.reading import Documents, read_documents
from abutment.baselines.receipts import How, Part, Receipt, Touch, render_receipt
from abutment.baselines.resolve import Unsettled, plan_resolve
from abutment.baselines.store import commit, finish
from abutment.errors import Refused
from abutment.model.terms import Direction
from abutment.sources.memory_tree import MemoryTree
from abutment.sources.work_tree import WorkTree
from tests.baselines.crashing import CrashingDisk, Killed
from tests.baselines.laws import FOLDER, SNAPSHOT, TERMS, TOOLS, World, key
from tests.cli.branches import BASELINE, LAW, Branches, branches_in
from tests.cli.tool import Tool, child


def marked(ours: bytes, theirs: bytes) -> bytes:
    """Return a file in conflict from its first line on."""
    return b"<<<<<<< HEAD\n" + ours + b"=======\n" + theirs + b">>>>>>> theirs\n"


def document(*texts: str) -> bytes:
    return render_baseline(TERMS, {key(text): 1 for text in texts})


@pytest.fixture
def project(tool: Tool) -> Tool:
    """A project in no repository whose baseline of boundaries is in conflict: one side paid, the other did not."""
    assert tool("init").status == 0
    before = (tool.root / BASELINE).read_bytes()
    tool.write({"shop/store.py": ""})
    assert tool("tighten").status == 0
    after = (tool.root / BASELINE).read_bytes()
    assert before != after
    (tool.root / BASELINE).write_bytes(marked(before, after))
    return tool


def put(tool: Tool, data: bytes) -> None:
    (tool.root / BASELINE).write_bytes(data)


def test_without_git_the_markers_and_the_receipts_tell(project: Tool) -> None:
    before = {path for path in project.documents() if path.startswith("receipts/")}
    answer = project("resolve")
    assert answer.status == 0, answer.err
    assert answer.out.splitlines() == [
        "boundaries: 1 entry on which the sides differ.",
        "  contract layers, importer shop.store, imported shop.web: ours 1, theirs none, receipts 0: taken out",
        "Once the merge is settled: `abutment check boundaries`; what is gone or shrunk, `tighten` records.",
        f"wrote {BASELINE}",
    ]
    assert project("check").status == 0
    assert {path for path in project.documents() if path.startswith("receipts/")} == before, "no level has changed"


def test_what_is_settled_is_not_settled_again(project: Tool) -> None:
    assert project("resolve").status == 0
    before = project.documents()
    again = project("resolve")
    assert (again.status, again.out) == (0, "No baseline is in conflict.\n")
    named = project("resolve", str(project.root / BASELINE))
    assert (named.status, named.out) == (0, f"{BASELINE} is not in conflict.\n")
    assert project.documents() == before


def test_only_the_files_that_were_named_are_settled(project: Tool) -> None:
    cycles = f"{LAW}/cycles.jsonl"
    data = (project.root / cycles).read_bytes()
    (project.root / cycles).write_bytes(marked(data, data))
    assert project("resolve", str(project.root / BASELINE)).status == 0
    assert (project.root / cycles).read_bytes() == marked(data, data)
    assert project("resolve").status == 0
    assert (project.root / cycles).read_bytes() == data


@pytest.mark.parametrize(
    ("path", "message"),
    [
        (f"{LAW}/boundaries.toml", "is no baseline in fixtures/architecture. People settle policies"),
        ("abutment.toml", "is no baseline in fixtures/architecture."),
        (f"{LAW}/receipts/x.jsonl", "is no baseline in fixtures/architecture."),
        ("elsewhere.jsonl", "is no baseline in fixtures/architecture."),
    ],
)
def test_nothing_but_baselines_is_settled(project: Tool, path: str, message: str) -> None:
    before = project.documents()
    answer = project("resolve", str(project.root / path))
    assert answer.status == 2
    assert message in answer.err
    assert project.documents() == before


def in_policy(tool: Tool) -> None:
    tool.write({f"{LAW}/boundaries.toml": "<<<<<<< HEAD\nschema = 1\n=======\nschema = 1\n>>>>>>> x\n"})


def in_configuration(tool: Tool) -> None:
    tool.write({"abutment.toml": '<<<<<<< HEAD\nroots = ["shop"]\n=======\n>>>>>>> x\n'})


def in_receipt(tool: Tool) -> None:
    receipt = next((tool.root / LAW / "receipts").iterdir())
    receipt.write_bytes(marked(receipt.read_bytes(), b""))


def edited_receipt(tool: Tool) -> None:
    receipt = next((tool.root / LAW / "receipts").iterdir())
    receipt.write_bytes(receipt.read_bytes().replace(b'"verb": "', b'"verb": "x'))


def no_receipts(tool: Tool) -> None:
    for receipt in (tool.root / LAW / "receipts").iterdir():
        receipt.unlink()


def of_no_gate(tool: Tool) -> None:
    (tool.root / LAW / "boundarees.jsonl").write_bytes((tool.root / BASELINE).read_bytes())


def edit(change: Callable[[bytes], bytes]) -> Callable[[Tool], None]:
    def changed(tool: Tool) -> None:
        put(tool, change((tool.root / BASELINE).read_bytes()))

    return changed


LINE = b'{"contract": "layers", "importer": "shop.store", "imported": "shop.web", "count": 1}\n'
EARLIER = LINE.replace(b"shop.store", b"shop.aaa")


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (in_policy, f"{LAW}/boundaries.toml:1: holds merge conflict markers. A policy is settled by people"),
        (in_configuration, "abutment.toml:1"),
        (in_receipt, ".json:1: holds merge conflict markers. Receipts are never edited"),
        (edited_receipt, "its name is not the digest of its content"),
        (no_receipts, "no receipt tells of this baseline, so that nothing can settle it"),
        (of_no_gate, "there is no gate 'boundarees'. Did you mean boundaries?"),
        (edit(lambda data: data.replace(b"=======\n", b"")), ":5: is a conflict marker out of its order"),
        (edit(lambda data: data.replace(b">>>>>>> theirs\n", b"")), "ends inside of a conflict"),
        (edit(lambda data: data.replace(b"=======\n", b"<<<<<<< HEAD\n=======\n")), ":4: is a conflict marker out"),
        (edit(lambda data: data + b"=======\n"), ":7: is a conflict marker out of its order"),
        (edit(lambda _data: b"<<<<<<< a\n=======\n>>>>>>> b\n"), "on our side: is empty: not even a header"),
        (edit(lambda data: data.replace(b'"schema": 1', b'"schema": 9', 1)), ":2: on our side: schema 9 was written"),
        (edit(lambda data: data.replace(b'"boundaries"', b'"cycles"', 1)), ":2: on our side: is the baseline of the"),
        (edit(lambda data: data.replace(LINE, LINE[:-9] + b"\n")), ":3: on our side: the line is no JSON"),
        (edit(lambda data: data.replace(LINE, LINE + LINE)), ":4: on our side: is the entry of line 2 again"),
        (edit(lambda data: data.replace(LINE, LINE + EARLIER)), "on our side: its entries are out of order"),
        (edit(lambda data: data.replace(b"shop.store", b"shop.\xff")), ":3: on our side: is no UTF-8 text"),
        (edit(lambda data: data.replace(b"shop.store", b"shop.\0")), ":3: on our side: the line is no JSON"),
        (edit(lambda data: data.replace(b'"count": 1', b'"count": 1, "why": "?"')), "on our side: why: unknown field"),
    ],
)
def test_what_is_not_understood_is_left_as_it_is(project: Tool, damage: Callable[[Tool], None], message: str) -> None:
    damage(project)
    before = project.documents()
    answer = project("resolve")
    assert answer.status == 2
    assert message in answer.err
    assert project.documents() == before


def test_one_fault_keeps_every_file_from_being_written(project: Tool) -> None:
    cycles = project.root / LAW / "cycles.jsonl"
    cycles.write_bytes(b"<<<<<<< HEAD\n" + cycles.read_bytes())
    before = project.documents()
    assert project("resolve").status == 2
    assert project.documents() == before


def test_a_file_of_no_bytes_is_no_conflict_and_no_baseline(project: Tool) -> None:
    put(project, b"")
    assert project("resolve").out == "No baseline is in conflict.\n"
    assert project("check", "boundaries").status == 2


def test_markers_inside_of_texts_are_texts() -> None:
    world = World()
    world.init({"c <<<<<<< a": 1, "c ======= >>>>>>>": 1, "c x b": 1})
    before = world.files[TERMS.baseline]
    world.tighten({"c <<<<<<< a": 1, "c ======= >>>>>>>": 1})
    after = world.files[TERMS.baseline]
    files = {**world.files, TERMS.baseline: marked(before, after)}
    (change,) = plan_resolve([Unsettled(TERMS, files[TERMS.baseline], {})], read(files)).changes
    assert change.after == after


def read(files: Mapping[str, bytes]) -> Documents:
    return read_documents(MemoryTree(files), FOLDER)


def test_a_snapshot_is_settled_by_gits_versions_and_never_by_markers_alone() -> None:
    terms = replace(SNAPSHOT, baseline=TERMS.baseline, gate=TERMS.gate)
    base, ours, theirs = (document(*texts) for texts in (("c a b", "c x y"), ("c a b",), ("c a b", "c n b", "c x y")))
    found = marked(ours, theirs)
    files = {TERMS.baseline: found}
    plan = plan_resolve([Unsettled(terms, found, {1: base, 2: ours, 3: theirs})], read(files))
    assert plan.changes[0].after == document("c a b", "c n b")
    assert plan.lines[-1] == "Once the merge is settled: `abutment record boundaries`."
    with pytest.raises(Refused, match="nothing tells what came from what went"):
        plan_resolve([Unsettled(terms, found, {})], read(files))


def test_a_gate_that_keeps_no_baseline_has_nothing_to_settle() -> None:
    terms = replace(TERMS, direction=Direction.EXACT)
    with pytest.raises(Refused, match="has no baseline: people grant everything"):
        plan_resolve([Unsettled(terms, marked(document(), document()), {})], read({}))


def test_receipts_of_another_version_settle_nothing() -> None:
    part = Part(TERMS.gate, ("importer", "imported"), (Touch(("a", "b"), 1, How.RECORDED),))
    receipt = Receipt("init", parts=(part,))
    files = {f"{FOLDER}/receipts/{receipt.file_name}": render_receipt(receipt)}
    with pytest.raises(Refused, match="by other fields than contract, importer, imported"):
        plan_resolve([Unsettled(TERMS, marked(document("c a b"), document()), {})], read(files))


def test_settling_takes_no_more_work_the_longer_the_document_but_by_its_length() -> None:
    def seconds(number: int) -> float:
        files = recorded_on_disk(number)
        data = files[TERMS.baseline]
        head, *lines = data.splitlines(keepends=True)
        theirs = b"".join([head, *lines[::2]])
        started = time.process_time()
        plan = plan_resolve([Unsettled(TERMS, marked(data, theirs), {})], read(files))
        assert len(plan.lines) == number // 2 + 2
        return time.process_time() - started

    small, large = seconds(5_000), seconds(50_000)
    assert large < 40 * small, "ten times the lines, with slack for a busy machine"


def recorded_on_disk(number: int) -> dict[str, bytes]:
    world = World()
    world.init({f"c app.m{at:06} app.db": 1 for at in range(number)})
    return world.files


# ---- killed, and at the same time as others


def on_disk(root: Path) -> tuple[Plan, bytes]:
    """Write documents in conflict below a folder; return the plan that settles them, and what it makes of them."""
    world = World()
    world.init({"c a b": 1, "c d b": 1})
    before = world.files[TERMS.baseline]
    world.tighten({"c a b": 1})
    after = world.files[TERMS.baseline]
    for path, data in {**world.files, TERMS.baseline: marked(before, after)}.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(data)
    return planned(root), after


def planned(root: Path) -> Plan:
    found = read_documents(WorkTree(root), FOLDER)
    return plan_resolve([Unsettled(TERMS, found.files[TERMS.baseline], {})], found)


@pytest.mark.parametrize("torn", [False, True])
def test_killed_at_any_step_the_file_is_in_conflict_or_settled(tmp_path: Path, torn: bool) -> None:
    seen = set[bool]()
    for at in range(1, 40):
        root = tmp_path / str(at)
        plan, after = on_disk(root)
        try:
            commit(root, FOLDER, plan, TOOLS, disk=CrashingDisk(at, torn=torn))
        except Killed:
            now = read_documents(WorkTree(root), FOLDER).files[TERMS.baseline]
            assert now in (after, plan.changes[0].before)
            seen.add(now == after)
            if now != after:
                commit(root, FOLDER, planned(root), TOOLS)
            finish(root, FOLDER)
            assert (root / TERMS.baseline).read_bytes() == after
            continue
        break
    assert seen == {True, False}


def test_a_file_that_was_edited_meanwhile_is_not_overwritten(tmp_path: Path) -> None:
    plan, after = on_disk(tmp_path)
    (tmp_path / TERMS.baseline).write_bytes(after + b"\n")
    with pytest.raises(Refused, match="was changed while this command was running"):
        commit(tmp_path, FOLDER, plan, TOOLS)
    assert (tmp_path / TERMS.baseline).read_bytes() == after + b"\n"


def test_two_who_settle_at_once_settle_it_once(project: Tool) -> None:
    command = [sys.executable, "-m", "abutment", "resolve", "--config", str(project.root)]
    both = [subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) for _ in range(2)]
    said = [process.communicate() for process in both]
    statuses = sorted(process.returncode for process in both)
    assert statuses in ([0, 0], [0, 2]), said
    assert project("check").status == 0


# ---- with git


@pytest.fixture
def repo(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Branches:
    return branches_in(tmp_path / "project", capsys)


@pytest.mark.parametrize(("first", "second"), [("one", "two"), ("two", "one")])
def test_a_baseline_that_one_side_has_deleted_is_a_persons_to_settle(repo: Branches, first: str, second: str) -> None:
    repo.on("one")
    repo.pay("m1")
    repo.on("two")
    repo.git("rm", "-q", BASELINE)
    repo.git("commit", "-q", "-m", "off")
    repo.git("checkout", "-q", first)
    assert repo.git("merge", "--no-edit", second, fine=False).status == 1
    answer = repo.tool("resolve")
    assert answer.status == 2
    assert "Whether boundaries is still held is for a person to say" in answer.err


def test_a_policy_that_git_calls_unsettled_comes_first_also_without_markers(repo: Branches) -> None:
    repo.on("one")
    repo.pay("m1")
    repo.tool.write({f"{LAW}/boundaries.toml": "schema = 1\n# one\n"})
    repo.commit("one policy")
    repo.on("two")
    repo.pay("m2")
    repo.tool.write({f"{LAW}/boundaries.toml": "schema = 1\n# two\n"})
    repo.commit("another policy")
    assert repo.git("merge", "--no-edit", "one", fine=False).status == 1
    assert repo.tool("resolve").status == 2
    repo.git("checkout", "--ours", f"{LAW}/boundaries.toml")
    answer = repo.tool("resolve")
    assert answer.status == 2
    assert "boundaries.toml: is unsettled in git. A policy is settled by people, first" in answer.err
    repo.git("add", f"{LAW}/boundaries.toml")
    assert repo.tool("resolve").status == 0


def test_a_project_below_the_top_of_its_repository_is_settled_from_any_folder(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    below = tmp_path / "services" / "shop"
    below.mkdir(parents=True)
    repo = Branches(below, Tool(below, capsys))
    subprocess.run(["git", "init", "-q", "-b", "main"], cwd=tmp_path, check=True)
    repo.start(repository=False)
    repo.on("one")
    repo.pay("m0", "m1")
    repo.on("two")
    repo.pay("m2")
    assert repo.git("merge", "--no-edit", "one", fine=False).status == 1
    answer = child(below / LAW, "resolve", "boundaries.jsonl")
    assert answer.status == 0, answer.err
    assert repo.entries() == ["m3", "m4", "m5"]


def test_a_file_that_is_named_twice_is_told_once(project: Tool) -> None:
    cycles = f"{LAW}/cycles.jsonl"
    again = project("resolve", str(project.root / cycles), str(project.root / LAW / ".." / "architecture/cycles.jsonl"))
    assert (again.status, again.out) == (0, f"{cycles} is not in conflict.\n")
    named = [str(project.root / BASELINE)] * 2
    assert project("resolve", *named).out.count("wrote ") == 1
    missing = [str(project.root / LAW / "egress.jsonl")] * 2
    assert project("resolve", *missing).err.count("is not there.") == 1


@pytest.mark.parametrize("words", [(), (f"{LAW}/egress.jsonl",)])
def test_a_baseline_that_cannot_be_read_is_there(recorded: Tool, words: tuple[str, ...]) -> None:
    (recorded.root / LAW / "egress.jsonl").mkdir()
    answer = recorded("resolve", *(str(recorded.root / word) for word in words))
    assert (answer.status, answer.out) == (2, "")
    assert answer.err.startswith(f"{LAW}/egress.jsonl: the file cannot be read")


def test_a_file_that_is_not_there_is_named(project: Tool) -> None:
    answer = project("resolve", str(project.root / LAW / "egress.jsonl"))
    assert answer.status == 2
    assert "egress.jsonl: is not there." in answer.err
