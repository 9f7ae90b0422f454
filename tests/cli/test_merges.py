"""Branches that pay debt, brought together by git itself in each of its ways."""

from __future__ import annotations

import json
import os
import re
import shlex
import stat
import sys
from pathlib import Path

import pytest

from tests.cli.branches import BASELINE, LAW, UPWARDS, Branches, branches_in
from tests.cli.tool import Tool

ROOT = Path(__file__).parents[2]


@pytest.fixture
def repo(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Branches:
    return branches_in(tmp_path / "project", capsys)


def held(repo: Branches) -> None:
    """The merged tree is settled, held, and has the receipts of both sides as they should be."""
    for words in (("check",), ("receipts", "verify")):
        answer = repo.tool(*words)
        assert answer.status == 0, answer.out + answer.err


def resolved(repo: Branches) -> str:
    answer = repo.tool("resolve")
    assert answer.status == 0, answer.err
    repo.git("add", "-A")
    return answer.out


def test_payments_far_apart_merge_by_themselves(repo: Branches) -> None:
    repo.on("one")
    repo.pay("m0")
    repo.on("two")
    repo.pay("m5")
    repo.git("merge", "-q", "--no-edit", "one")
    assert repo.entries() == ["m1", "m2", "m3", "m4"]
    held(repo)


def test_payments_side_by_side_conflict_in_the_baseline_alone_and_resolve_settles_them(repo: Branches) -> None:
    repo.on("one")
    repo.pay("m0", "m1")
    repo.on("two")
    repo.pay("m2")
    assert repo.git("merge", "--no-edit", "one", fine=False).status == 1
    assert repo.unsettled() == [BASELINE]
    refused = repo.tool("check")
    assert refused.status == 2
    assert f"{BASELINE}:2: not judged: holds merge conflict markers. Run `abutment resolve`." in refused.out
    said = resolved(repo)
    assert (
        "contract layers, importer app.low.m0, imported app.top.t0: ours 1, theirs none, receipts 0: taken out" in said
    )
    assert f"Then: git add {BASELINE}" in said
    assert repo.entries() == ["m3", "m4", "m5"]
    held(repo)


@pytest.mark.parametrize("style", ["merge", "diff3", "zdiff3"])
def test_every_style_of_markers_is_settled_also_without_gits_own_versions(repo: Branches, style: str) -> None:
    repo.git("config", "merge.conflictStyle", style)
    repo.on("one")
    repo.pay("m0", "m1", "m4")
    repo.on("two")
    repo.pay("m1", "m2")
    assert repo.git("merge", "--no-edit", "one", fine=False).status == 1
    repo.git("add", "-A")  # as somebody does who did not look: the index holds one version, with markers
    assert "Then: git add" not in resolved(repo)
    assert repo.entries() == ["m3", "m5"]
    held(repo)


@pytest.mark.parametrize("edit", ["ours", "theirs", "half", "garbage", "nothing"])
def test_whatever_was_made_of_the_file_the_versions_that_git_keeps_tell(repo: Branches, edit: str) -> None:
    repo.on("one")
    repo.pay("m0", "m1")
    repo.on("two")
    repo.pay("m2")
    repo.git("merge", "--no-edit", "one", fine=False)
    place = repo.root / BASELINE
    if edit in ("ours", "theirs"):
        repo.git("checkout", f"--{edit}", "--", BASELINE)
    elif edit == "half":
        place.write_text(place.read_text().replace("=======\n", ""))
    elif edit == "garbage":
        place.write_bytes(b"\0\xff<<<<<<< ")
    else:
        place.unlink()
        assert repo.tool("resolve", str(repo.root / LAW / "cycles.jsonl")).status == 2
    assert repo.tool("resolve", str(place)).status == 0
    repo.git("add", "-A")
    assert repo.entries() == ["m3", "m4", "m5"]
    held(repo)


def test_two_branches_that_each_pay_one_of_five_equal_facts_are_only_shrunk(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    repo = Branches(tmp_path, Tool(tmp_path, capsys))
    calls = [f'    requests.get("{number}")\n    print({number})\n\n    # ---\n' for number in range(5)]
    repo.tool.write({"app/low/calls.py": "import requests\n\n\ndef f():\n" + "".join(calls)})
    repo.start(gates="egress")
    for branch, call in (("one", calls[0]), ("two", calls[4])):
        repo.on(branch)
        repo.tool.write({"app/low/calls.py": (tmp_path / "app/low/calls.py").read_text().replace(call, "")})
        assert repo.tool("tighten").status == 0
        repo.commit("pay one")
    assert repo.git("merge", "--no-edit", "one").status == 0  # git takes the equal edits for one
    red = repo.tool("check")
    assert red.status == 1
    told = [line for line in red.out.splitlines() if "ABT" in line]
    assert len(told) == 1 and " egress: shrunk from 4 to 3: " in told[0]
    assert repo.tool("check", "--stale", "warn").status == 0
    assert repo.tool("tighten").status == 0
    held(repo)


def test_a_rebase_stops_at_the_baseline_and_goes_on_once_it_is_settled(repo: Branches) -> None:
    repo.on("one")
    repo.pay("m0")
    repo.pay("m1")
    repo.git("checkout", "-q", "main")
    repo.pay("m2")
    repo.git("checkout", "-q", "one")
    stopped = repo.git("rebase", "main", fine=False)
    rounds = 0
    while stopped.status:
        assert repo.unsettled() == [BASELINE]
        resolved(repo)
        stopped = repo.git("rebase", "--continue", fine=False)
        rounds += 1
    assert rounds
    assert repo.entries() == ["m3", "m4", "m5"]
    held(repo)


@pytest.mark.parametrize("way", [("merge", "--squash"), ("cherry-pick",), ("merge", "--no-ff", "--no-edit")])
def test_squashed_and_picked_payments_are_settled_like_merged_ones(repo: Branches, way: tuple[str, ...]) -> None:
    repo.on("one")
    repo.pay("m0", "m1")
    repo.on("two")
    repo.pay("m2")
    assert repo.git(*way, "one", fine=False).status == 1
    assert repo.unsettled() == [BASELINE]
    resolved(repo)
    repo.git("commit", "-q", "--allow-empty", "-m", "settled")
    held(repo)
    # What was picked or squashed comes along once more when its branch is merged: nothing is left to settle but lines.
    if repo.git("merge", "--no-edit", "one", fine=False).status:
        resolved(repo)
    assert repo.entries() == ["m3", "m4", "m5"]
    held(repo)


def test_a_payment_that_is_reverted_leaves_no_tombstone(repo: Branches) -> None:
    repo.pay("m0")
    repo.pay("m5")
    repo.git("revert", "--no-edit", "HEAD~1")
    assert repo.entries() == ["m0", "m1", "m2", "m3", "m4"]
    held(repo)


def test_a_revert_that_conflicts_with_a_later_payment_is_settled_by_the_receipts_that_are_left(repo: Branches) -> None:
    repo.pay("m1")
    repo.pay("m2")
    assert repo.git("revert", "--no-edit", "HEAD~1", fine=False).status == 1
    assert repo.unsettled() == [BASELINE]
    resolved(repo)
    assert repo.entries() == ["m0", "m1", "m3", "m4", "m5"]
    held(repo)


def test_a_reverted_payment_stays_reverted_where_its_branch_is_merged_again(repo: Branches) -> None:
    repo.on("one")
    repo.pay("m1")
    repo.git("checkout", "-q", "main")
    repo.git("merge", "-q", "--no-ff", "--no-edit", "one")
    repo.git("revert", "--no-edit", "-m", "1", "HEAD")
    repo.git("checkout", "-q", "one")
    repo.pay("m2")
    repo.git("checkout", "-q", "main")
    if repo.git("merge", "--no-edit", "one", fine=False).status:
        resolved(repo)
    assert repo.entries() == ["m0", "m1", "m3", "m4", "m5"]
    held(repo)


def test_an_octopus_of_payments_far_apart_merges(repo: Branches) -> None:
    for branch, name in (("one", "m0"), ("two", "m2"), ("three", "m5")):
        repo.on(branch)
        repo.pay(name)
    repo.git("checkout", "-q", "main")
    assert repo.git("merge", "--no-edit", "one", "two", "three", fine=False).status == 0
    assert repo.entries() == ["m1", "m3", "m4"]
    held(repo)


def test_branches_that_crossed_are_settled_without_a_base_that_git_made_up(repo: Branches) -> None:
    repo.on("one")
    repo.pay("m0")
    repo.on("two")
    repo.pay("m1")
    for branch, other in (("one", "two"), ("two", "one")):
        repo.git("checkout", "-q", branch)
        assert repo.git("merge", "--no-edit", f"{other}~0" if branch == "one" else "one^1", fine=False).status == 1
        resolved(repo)
        repo.git("commit", "-q", "-m", "crossed")
    repo.pay("m2")
    repo.git("checkout", "-q", "one")
    repo.pay("m3")
    assert repo.git("merge", "--no-edit", "two", fine=False).status == 1
    resolved(repo)
    assert repo.entries() == ["m4", "m5"]
    held(repo)


def test_a_branch_from_before_init_merges_and_its_new_debt_is_new(repo: Branches) -> None:
    repo.git("checkout", "-q", "--orphan", "early")
    repo.git("rm", "-rq", "--cached", LAW, "abutment.toml")
    repo.git("commit", "-q", "-m", "before init")
    repo.git("checkout", "-qf", "main")
    repo.git("merge", "-q", "--no-edit", "--allow-unrelated-histories", "early")
    held(repo)
    repo.git("checkout", "-qf", "early")
    repo.tool.write({"app/low/m9.py": UPWARDS})
    repo.git("add", "app")
    repo.git("commit", "-q", "-m", "late debt")
    repo.git("checkout", "-qf", "main")
    repo.git("merge", "-q", "--no-edit", "early")
    red = repo.tool("check")
    assert red.status == 1
    assert "app/low/m9.py:1: ABT301 boundaries: new: app.low.m9 imports app.top.t0" in red.out


def test_two_branches_that_both_began_to_record_have_what_both_found(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    repo = Branches(tmp_path, Tool(tmp_path, capsys))
    repo.start()
    repo.git("rm", "-rq", LAW)
    repo.git("commit", "-q", "-m", "without law")
    for branch, name in (("one", "m0"), ("two", "m3")):
        repo.on(branch)
        repo.tool.write({f"app/low/{name}.py": ""})
        assert repo.tool("init").status == 0
        repo.commit("begin")
    assert repo.git("merge", "--no-edit", "one", fine=False).status == 1
    resolved(repo)
    red = repo.tool("check")
    assert [" gone: " in line for line in red.out.splitlines() if "ABT3" in line] == [True, True]
    assert repo.tool("tighten").status == 0
    held(repo)


def test_a_linked_work_tree_is_settled_where_it_stands(repo: Branches, capsys: pytest.CaptureFixture[str]) -> None:
    repo.on("one")
    repo.pay("m0", "m1")
    linked = repo.root.with_name("linked")
    repo.git("worktree", "add", "-q", "-b", "two", str(linked), "main")
    other = Branches(linked, Tool(linked, capsys))
    other.pay("m2")
    assert other.git("merge", "--no-edit", "one", fine=False).status == 1
    resolved(other)
    assert other.entries() == ["m3", "m4", "m5"]
    held(other)
    assert repo.git("status", "--porcelain").out == ""


def test_crlf_checkouts_pay_merge_and_settle(repo: Branches) -> None:
    repo.git("config", "core.autocrlf", "true")
    repo.git("rm", "-rq", "--cached", ".")
    repo.git("reset", "-q", "--hard")
    assert b"\r\n" in (repo.root / BASELINE).read_bytes()
    held(repo)
    repo.on("one")
    repo.pay("m0", "m1")
    repo.on("two")
    repo.pay("m2")
    assert repo.git("merge", "--no-edit", "one", fine=False).status == 1
    assert b"<<<<<<< HEAD\r\n" in (repo.root / BASELINE).read_bytes()
    resolved(repo)
    assert repo.entries() == ["m3", "m4", "m5"]
    assert b"\r" not in repo.git("show", f":{BASELINE}").out.encode()
    held(repo)
    repo.git("commit", "-q", "-m", "settled")
    assert repo.git("status", "--porcelain").out == ""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such modes")
def test_a_write_keeps_the_mode_of_a_baseline(repo: Branches) -> None:
    (repo.root / BASELINE).chmod(0o755)
    repo.commit("a mode for no reason")
    repo.on("one")
    repo.pay("m0", "m1")
    repo.on("two")
    repo.pay("m2")
    repo.git("merge", "--no-edit", "one", fine=False)
    resolved(repo)
    assert stat.S_IMODE((repo.root / BASELINE).stat().st_mode) == 0o755
    assert "old mode" not in repo.git("diff", "HEAD").out
    held(repo)


@pytest.mark.parametrize("follow", ["true", "conflict", "false"])
def test_a_documents_folder_that_one_branch_renamed_is_merged(repo: Branches, follow: str) -> None:
    repo.git("config", "merge.directoryRenames", follow)
    repo.on("one")
    repo.pay("m0", "m1")
    repo.on("two")
    repo.git("mv", LAW, "law")
    text = (repo.root / "abutment.toml").read_text()
    repo.tool.write({"abutment.toml": text.replace(LAW, "law")})
    repo.commit("another folder")
    repo.tool.write({"app/low/m2.py": ""})
    assert repo.tool("tighten").status == 0
    repo.commit("pay m2")
    assert repo.git("merge", "--no-edit", "one", fine=False).status == 1
    left = repo.root / LAW / "receipts"
    if follow == "false":  # git leaves the other branch's receipts where that branch has put them
        for receipt in left.iterdir():
            receipt.rename(repo.root / "law" / "receipts" / receipt.name)
    resolved(repo)
    lines = (repo.root / "law/boundaries.jsonl").read_text().splitlines()
    assert [json.loads(line)["importer"] for line in lines[1:]] == ["app.low.m3", "app.low.m4", "app.low.m5"]
    held(repo)


def test_with_the_merge_driver_nothing_is_left_to_settle(repo: Branches) -> None:
    drive(repo)
    repo.on("one")
    repo.pay("m0", "m1")
    repo.on("two")
    repo.pay("m2")
    merged = repo.git("merge", "--no-edit", "one")
    assert merged.status == 0
    assert repo.entries() == ["m3", "m4", "m5"]
    held(repo)
    repo.on("three")
    repo.pay("m3")
    assert repo.git("rebase", "two").status == 0
    assert repo.entries() == ["m4", "m5"]
    held(repo)


def drive(repo: Branches) -> None:
    """Set the merge driver up by the lines of our documentation, with this interpreter's `abutment`."""
    text = (ROOT / "docs/documents.md").read_text(encoding="utf-8").partition("### As git's merge driver")[2]
    attributes, commands = re.findall(r"```\w*\n(.*?)```", text, re.DOTALL)
    repo.tool.write({".gitattributes": f"* text=auto\n{attributes}"})
    repo.commit("attributes")
    for line in commands.splitlines():
        _git, *words = shlex.split(line)
        repo.git(*(word.replace("abutment resolve", f"{sys.executable} -m abutment resolve") for word in words))


def test_what_the_merge_driver_does_not_understand_is_left_with_markers(repo: Branches) -> None:
    drive(repo)
    repo.on("one")
    repo.pay("m0", "m1")
    repo.on("two")
    repo.pay("m2")
    place = repo.root / BASELINE
    place.write_text(place.read_text().replace('"count": 1}\n', '"count": 1, "why": "?"}\n', 1))
    repo.commit("an edit by hand")
    merged = repo.git("merge", "--no-edit", "one", fine=False)
    assert merged.status == 1
    assert f"{BASELINE}:2: on our side: why: unknown field." in merged.out + merged.err
    assert "<<<<<<< ours\n" in place.read_text()
    assert repo.unsettled() == [BASELINE]
    assert repo.tool("resolve").status == 2


def test_a_driver_that_is_asked_wrongly_says_so(repo: Branches) -> None:
    assert repo.tool("resolve", "--driver", "one").status == 2
    gone = repo.tool("resolve", "--driver", *(os.devnull,) * 3, "law/boundaries.jsonl")
    assert gone.status == 2
    assert "law/boundaries.jsonl: cannot be merged: it is no regular file" in gone.err


def test_a_queue_that_merges_one_branch_upon_the_other_is_settled_at_each_step(repo: Branches) -> None:
    for branch, names in (("one", ("m0", "m1")), ("two", ("m2",)), ("three", ("m3", "m4"))):
        repo.on(branch)
        repo.pay(*names)
    repo.on("queue")
    for branch in ("one", "two", "three"):
        if repo.git("merge", "--no-ff", "--no-edit", branch, fine=False).status:
            assert repo.unsettled() == [BASELINE]
            resolved(repo)
            repo.git("commit", "-q", "-m", f"merge {branch}")
        held(repo)
    assert repo.entries() == ["m5"]


def test_a_shallow_clone_that_does_not_know_where_branches_parted_is_settled_by_receipts(
    repo: Branches, capsys: pytest.CaptureFixture[str]
) -> None:
    repo.on("one")
    repo.pay("m0", "m1")
    repo.on("two")
    repo.pay("m2")
    clone = repo.root.with_name("clone")
    repo.git("clone", "-q", "--depth", "1", "--no-single-branch", repo.root.as_uri(), str(clone))
    shallow = Branches(clone, Tool(clone, capsys))
    refused = shallow.git("merge", "--no-edit", "origin/one", fine=False)
    assert "unrelated histories" in refused.err
    merged = shallow.git("merge", "--no-edit", "--allow-unrelated-histories", "origin/one", fine=False)
    assert merged.status == 1
    shallow.git("checkout", "origin/one", "--", "app/low/m0.py", "app/low/m1.py")
    shallow.git("checkout", "HEAD", "--", "app/low/m2.py")
    resolved(shallow)
    assert shallow.entries() == ["m3", "m4", "m5"]
    held(shallow)


def test_where_git_cannot_run_the_driver_its_versions_are_settled_all_the_same(repo: Branches) -> None:
    drive(repo)
    repo.git("config", "merge.abutment.driver", "no-such-program %O %A %B %P")
    repo.on("one")
    repo.pay("m0", "m1")
    repo.on("two")
    repo.pay("m2")
    assert repo.git("merge", "--no-edit", "one", fine=False).status == 1
    assert "<<<<<<<" not in (repo.root / BASELINE).read_text()
    resolved(repo)
    assert repo.entries() == ["m3", "m4", "m5"]
    held(repo)
