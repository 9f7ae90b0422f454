"""Git is asked about this repository alone, and believed only where it answered."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from abutment.errors import NotJudged
from abutment.sources import git, git_tree
from abutment.sources.discovery import discover
from abutment.sources.git import (
    changed_files,
    commit,
    find_repository,
    ignored_files,
    known_commits,
    outer_ignores,
    staged_files,
    tracked_files,
)
from abutment.sources.git_tree import GitTree, IndexTree
from abutment.sources.ignore import is_ignored
from abutment.sources.tree import Entry, EntryKind
from abutment.sources.universe import Root
from abutment.sources.work_tree import WorkTree

WHO = ("-c", "user.name=n", "-c", "user.email=e@x", "-c", "protocol.file.allow=always", "-c", "init.defaultBranch=main")


class Repository:
    """A real repository in a folder of its own."""

    def __init__(self, path: Path, *options: str) -> None:
        self.path = path
        path.mkdir(parents=True, exist_ok=True)
        self.run("init", "-q", *options)

    def run(self, *arguments: str) -> str:
        done = subprocess.run(
            ["git", *WHO, *arguments], cwd=self.path, capture_output=True, text=True, check=True, env=_clean()
        )
        return done.stdout.strip()

    def write(self, **files: str) -> None:
        for name, text in files.items():
            self.put(name.replace("__", "/") + ".py", text)

    def put(self, path: str, text: str) -> None:
        (self.path / path).parent.mkdir(parents=True, exist_ok=True)
        (self.path / path).write_text(text)

    def commit(self, message: str = "c") -> str:
        self.run("add", "-A")
        self.run("commit", "-q", "--allow-empty", "-m", message)
        return self.run("rev-parse", "HEAD")


def _clean() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    return Repository(tmp_path / "repository")


@pytest.fixture(autouse=True)
def _no_hook_around(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in os.environ if name.startswith("GIT_")]:
        monkeypatch.delenv(name)


def refusal(call: object, *arguments: object) -> str:
    assert callable(call)
    with pytest.raises(NotJudged) as caught:
        call(*arguments)
    return caught.value.faults[0].line_text()


# --- what git tracks


def test_tracked_files_are_relative_to_the_root(repository: Repository) -> None:
    repository.write(a="", sub__b="", sub__é="")
    repository.commit()
    repository.write(untracked="")
    assert tracked_files(repository.path) == frozenset({"a.py", "sub/b.py", "sub/é.py"})
    assert tracked_files(repository.path / "sub") == frozenset({"b.py", "é.py"})


def test_a_staged_file_is_tracked(repository: Repository) -> None:
    repository.write(a="")
    repository.run("add", "a.py")
    assert tracked_files(repository.path) == frozenset({"a.py"})


def test_files_of_submodules_are_tracked(repository: Repository, tmp_path: Path) -> None:
    other = Repository(tmp_path / "other")
    other.write(x="")
    other.commit()
    repository.write(a="")
    repository.run("submodule", "-q", "add", str(other.path), "vendored")
    assert tracked_files(repository.path) == frozenset({".gitmodules", "vendored/x.py"})


def test_without_a_repository_nothing_is_known(tmp_path: Path) -> None:
    assert find_repository(tmp_path) is None
    assert tracked_files(tmp_path) is None
    assert outer_ignores(tmp_path) == ()


def test_without_git_nothing_is_known(repository: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    assert tracked_files(repository.path) is None
    assert "git is not installed" in refusal(staged_files, repository.path)
    assert "git is not installed" in refusal(commit, repository.path, "HEAD")


def test_a_folder_that_only_looks_like_a_repository_is_none(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    assert tracked_files(tmp_path) is None


def test_a_git_that_fails_is_not_believed(
    repository: Repository, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    _stand_in(tmp_path, monkeypatch, "echo 'fatal: detected dubious ownership in repository' >&2; exit 128")
    said = refusal(tracked_files, repository.path)
    assert "git ls-files ended with status 128: fatal: detected dubious ownership" in said
    assert "safe.directory" in said
    _stand_in(tmp_path, monkeypatch, "exit 3")
    assert "ended with status 3: it said nothing" in refusal(tracked_files, repository.path)


def test_a_git_that_hangs_is_ended(repository: Repository, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    _stand_in(tmp_path, monkeypatch, "exec /bin/sleep 30")
    monkeypatch.setattr(git, "_SECONDS", 0.1)
    assert "did not end within 0.1 s" in refusal(tracked_files, repository.path)


def test_a_git_that_cannot_be_run_is_named(
    repository: Repository, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    _stand_in(tmp_path, monkeypatch, "exit 0")
    (tmp_path / "bin" / "git").write_bytes(b"\x7fELF")
    assert "git cannot be run" in refusal(tracked_files, repository.path)


def _stand_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str) -> None:
    place = tmp_path / "bin" / "git"
    place.parent.mkdir(exist_ok=True)
    place.write_text(f"#!/bin/sh\n{script}\n")
    place.chmod(0o755)
    monkeypatch.setenv("PATH", f"{place.parent}")


# --- ignore patterns from above the root


def test_ignored_is_what_git_would_not_take_up(repository: Repository) -> None:
    repository.put("law/kept.json", "")
    repository.commit()
    repository.put(".gitignore", "*.json\n")
    paths = ["law/kept.json", "law/a.jsonl", "law/receipts/é b.json"]
    assert ignored_files(repository.path, paths) == ("law/receipts/é b.json",)
    assert ignored_files(repository.path / "law", ["a.jsonl", "receipts/x.json"]) == ("receipts/x.json",)
    assert ignored_files(repository.path, ["law/a.jsonl"]) == ()
    assert ignored_files(repository.path, []) == ()


def test_without_a_repository_nothing_is_ignored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert ignored_files(tmp_path, ["a.json"]) == ()
    Repository(tmp_path)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert ignored_files(tmp_path, ["a.json"]) == ()


def test_patterns_above_the_root_reach_it(repository: Repository) -> None:
    repository.put(".gitignore", "*_pb2.py\n/svc/app/gen.py\n")
    repository.put("svc/.gitignore", "!keep_pb2.py\n")
    repository.put(".git/info/exclude", "mine.py\n")
    repository.write(svc__app__x="")
    outer = outer_ignores(repository.path / "svc" / "app")
    ignored = {
        name: is_ignored(outer, name, directory=False)
        for name in ("a_pb2.py", "keep_pb2.py", "gen.py", "x.py", "mine.py")
    }
    assert ignored == {"a_pb2.py": True, "keep_pb2.py": False, "gen.py": True, "x.py": False, "mine.py": True}


def test_at_the_top_only_the_local_patterns_come_from_outside(repository: Repository) -> None:
    repository.put(".gitignore", "a.py\n")
    repository.put(".git/info/exclude", "b.py\n")
    outer = outer_ignores(repository.path)
    assert [is_ignored(outer, name, directory=False) for name in ("a.py", "b.py")] == [False, True]


@pytest.mark.parametrize("pattern", ["/tmp/", "project", "tmp/project/"])
def test_a_project_that_its_repository_ignores_stands_alone(repository: Repository, pattern: str) -> None:
    repository.put(".gitignore", pattern + "\n")
    repository.put("tmp/project/a.py", "")
    assert outer_ignores(repository.path / "tmp" / "project") == ()


def test_a_linked_work_tree_has_its_own_place(repository: Repository, tmp_path: Path) -> None:
    repository.put("sub/a.py", "")
    repository.commit()
    repository.put(".git/info/exclude", "mine.py\n")
    repository.run("worktree", "add", "-q", str(tmp_path / "linked"))
    root = tmp_path / "linked" / "sub"
    assert tracked_files(root) == frozenset({"a.py"})
    assert is_ignored(outer_ignores(root), "mine.py", directory=False)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes in the file system here")
def test_a_pattern_file_that_is_a_link_is_passed_over_and_one_that_cannot_be_read_is_not(
    repository: Repository,
) -> None:
    repository.put("sub/a.py", "")
    repository.put("rules", "*.py\n")
    (repository.path / ".gitignore").symlink_to("rules")
    assert not is_ignored(outer_ignores(repository.path / "sub"), "a.py", directory=False)

    (repository.path / ".gitignore").unlink()
    os.mkfifo(repository.path / ".gitignore")
    assert "cannot be read: it is no regular file" in refusal(outer_ignores, repository.path / "sub")


# --- what changed


@pytest.fixture
def branched(repository: Repository) -> Repository:
    """`main` went on after `work` left it; HEAD is on `work`."""
    repository.write(a="1", b="1", sub__c="1")
    repository.commit("base")
    repository.run("branch", "-M", "main")
    repository.run("checkout", "-q", "-b", "work")
    repository.write(b="2")
    repository.commit("work")
    repository.run("checkout", "-q", "main")
    repository.write(a="2")
    repository.commit("main")
    repository.run("checkout", "-q", "work")
    return repository


def test_changed_is_what_differs_from_the_merge_base(branched: Repository) -> None:
    assert changed_files(branched.path, "main") == {"b.py"}
    branched.write(sub__c="2", new="", sub__new="")
    branched.run("add", "new.py")
    branched.put(".gitignore", "ignored.py\n")
    branched.write(ignored="")
    assert changed_files(branched.path, "main") == {"b.py", "sub/c.py", "new.py", "sub/new.py", ".gitignore"}
    assert changed_files(branched.path / "sub", "main") == {"c.py", "new.py"}


def test_both_names_of_a_moved_file_have_changed(branched: Repository) -> None:
    branched.run("mv", "a.py", "z.py")
    assert changed_files(branched.path, "HEAD") == {"a.py", "z.py"}


def test_staged_is_what_the_next_commit_would_change(branched: Repository) -> None:
    branched.write(a="9", b="9", sub__c="9")
    branched.run("add", "b.py", "sub/c.py")
    assert staged_files(branched.path) == {"b.py", "sub/c.py"}
    assert staged_files(branched.path / "sub") == {"c.py"}


def test_everything_is_staged_before_the_first_commit(repository: Repository) -> None:
    repository.write(a="")
    repository.run("add", "a.py")
    assert staged_files(repository.path) == {"a.py"}
    assert "git does not know a commit 'HEAD'" in refusal(changed_files, repository.path, "HEAD")


@pytest.mark.parametrize("ref", ["origin/main", "--output=x", "1" * 40, "HEAD^{tree}", "a b", ""])
def test_an_unknown_reference_names_the_depth_that_may_be_missing(branched: Repository, ref: str) -> None:
    said = refusal(changed_files, branched.path, ref)
    assert f"git does not know a commit {ref!r}" in said
    assert "git fetch --unshallow" in said
    assert "fetch-depth: 0" in said


def test_without_a_common_past_nothing_is_compared(branched: Repository) -> None:
    branched.run("checkout", "-q", "--orphan", "other")
    branched.commit("other")
    assert "git does not know a merge base of main and HEAD" in refusal(changed_files, branched.path, "main")


def test_what_asks_git_needs_a_repository(tmp_path: Path) -> None:
    for ask in (staged_files, IndexTree, lambda root: changed_files(root, "HEAD"), lambda root: GitTree(root, "HEAD")):
        assert "is in no git repository" in refusal(ask, tmp_path)


# --- trees that git keeps


def test_a_revision_is_a_tree(branched: Repository) -> None:
    branched.put("sub/deep/d.py", "deep")
    (branched.path / "sub" / "link").symlink_to("deep")
    (branched.path / "out.py").symlink_to("../x.py")
    branched.commit()
    branched.write(a="not committed")
    tree = GitTree(branched.path, "HEAD")
    assert list(tree.list("")) == [
        Entry("a.py", EntryKind.FILE),
        Entry("b.py", EntryKind.FILE),
        Entry("out.py", EntryKind.OUTSIDE, linked=True),
        Entry("sub", EntryKind.DIRECTORY),
    ]
    assert tree.read("a.py") == b"1"
    assert tree.read("sub/link/d.py") == tree.read("sub/deep/d.py") == b"deep"
    assert tree.exists("sub/c.py")
    assert not tree.exists("sub")
    assert tree.identity("sub/link") == tree.identity("sub/deep")
    assert tree.files == {"a.py", "b.py", "sub/c.py", "sub/deep/d.py"}
    assert GitTree(branched.path, "main").read("a.py") == b"2"
    assert GitTree(branched.path / "sub", "HEAD").read("c.py") == b"1"
    assert "there is no such file in this tree" in refusal(tree.read, "out.py")


def test_a_folder_that_the_revision_lacks_is_empty(branched: Repository) -> None:
    base = branched.run("rev-parse", "HEAD")
    (branched.path / "later").mkdir()
    assert list(GitTree(branched.path / "later", base).list("")) == []


def test_many_files_are_fetched_together(repository: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(git_tree, "_AHEAD", 4)
    texts = {f"p/m{number:02}.py": f"x = {number}\n\n" * number for number in range(10)}
    for path, text in texts.items():
        repository.put(path, text)
    repository.put("p/same.py", texts["p/m01.py"])
    repository.put("p/empty.py", "")
    repository.commit()
    tree = GitTree(repository.path, "HEAD")
    assert {path: tree.read(path).decode() for path in texts} == texts
    assert tree.read("p/same.py").decode() == texts["p/m01.py"]
    assert tree.read("p/empty.py") == b""
    assert tree.read("p/m00.py") == b""


BESIDE = {
    # what stands beside a committed `a.py` that holds "one\\ntwo\\n"
    "as committed": ("one\ntwo\n", ()),
    "edited": ("one\nnew\n", ()),
    "edited, and git told not to look": ("one\nnew\n", ("update-index", "--assume-unchanged", "a.py")),
    "edited, in a work tree that is not all there": ("one\nnew\n", ("update-index", "--skip-worktree", "a.py")),
    "with other line ends, which git takes for the same": ("one\r\ntwo\r\n", ("config", "core.autocrlf", "true")),
    "under a filter that takes everything for the same": (
        "three\n",
        ("config", "filter.f.clean", "printf 'one\\ntwo\\n'"),
    ),
}


@pytest.mark.parametrize("beside", BESIDE)
def test_nothing_is_believed_of_the_work_tree(repository: Repository, beside: str) -> None:
    text, words = BESIDE[beside]
    repository.put(".gitattributes", "*.py filter=f\n")
    repository.put("a.py", "one\ntwo\n")
    repository.commit()
    if words:
        repository.run(*words)
    (repository.path / "a.py").write_bytes(text.encode())
    assert GitTree(repository.path, "HEAD", WorkTree(repository.path)).read("a.py") == b"one\ntwo\n"


def test_what_stands_at_a_path_now_may_be_anything(repository: Repository, tmp_path: Path) -> None:
    texts = {path: f"{path}\n" for path in ("gone.py", "link.py", "folder.py", "mode.py", "swapped.py", "with.py")}
    for path, text in texts.items():
        repository.put(path, text)
    repository.commit()
    for path in ("gone.py", "link.py", "folder.py"):
        (repository.path / path).unlink()
    (tmp_path / "outside.py").write_text("outside")
    (repository.path / "link.py").symlink_to(tmp_path / "outside.py")
    (repository.path / "folder.py").mkdir()
    (repository.path / "mode.py").chmod(0o755)
    repository.put("swapped.py", texts["with.py"])
    repository.put("with.py", texts["swapped.py"])
    tree = GitTree(repository.path, "HEAD", WorkTree(repository.path))
    assert {path: tree.read(path).decode() for path in texts} == texts


@pytest.mark.parametrize("names", ["sha1", "sha256"])
def test_what_stands_beside_is_not_fetched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, names: str) -> None:
    repository = Repository(tmp_path / "r", f"--object-format={names}")
    texts = {f"m{number:02}.py": f"x = {number}\n" for number in range(40)}
    for path, text in texts.items():
        repository.put(path, text)
    repository.commit()
    for number in (3, 30):
        repository.put(f"m{number:02}.py", "x = None\n")
    tree = GitTree(repository.path, "HEAD", WorkTree(repository.path))
    asked: list[str] = []
    fetch = git.fetched

    def noted(root: Path, blobs: Sequence[str]) -> dict[str, bytes]:
        asked.extend(blobs)
        return fetch(root, blobs)

    monkeypatch.setattr(git_tree, "fetched", noted)
    assert {path: tree.read(path).decode() for path in texts} == texts
    assert asked == [repository.run("rev-parse", f"HEAD:m{number:02}.py") for number in (3, 30)]


def test_what_stands_beside_is_read_once_though_it_is_looked_at_ahead(repository: Repository) -> None:
    for number in range(40):
        repository.put(f"m{number:02}.py", f"x = {number}\n")
    repository.commit()
    repository.put("m00.py", "x = None\n")
    beside = Noted(repository.path)
    tree = GitTree(repository.path, "HEAD", beside)
    for path in sorted(tree.files):
        tree.read(path)
    assert sorted(beside.read_paths) == sorted({f"m{number:02}.py" for number in range(40)})


class Noted(WorkTree):
    """A work tree that knows what was read of it."""

    def __init__(self, root: Path) -> None:
        super().__init__(root)
        self.read_paths: list[str] = []

    def read(self, path: str) -> bytes:
        self.read_paths.append(path)
        return super().read(path)


def test_names_of_commits_are_asked_for_at_once(branched: Repository) -> None:
    main, head = branched.run("rev-parse", "main"), branched.run("rev-parse", "HEAD")
    blob, line = branched.run("rev-parse", "HEAD:a.py"), f"main\n{head}"
    asked = ("main", "none", head, blob, "", line, "HEAD")
    assert known_commits(branched.path, asked) == [main, None, head, None, None, None, head]


def test_the_index_is_a_tree(branched: Repository) -> None:
    branched.write(a="staged")
    branched.run("add", "a.py")
    branched.write(a="only on disk", untracked="")
    tree = IndexTree(branched.path)
    assert tree.read("a.py") == b"staged"
    assert tree.files == {"a.py", "b.py", "sub/c.py"}
    assert IndexTree(branched.path / "sub").files == {"c.py"}


def test_an_unsettled_merge_has_no_index(branched: Repository) -> None:
    branched.write(a="3")
    branched.commit()
    with pytest.raises(subprocess.CalledProcessError):
        branched.run("merge", "-q", "main")
    assert refusal(IndexTree, branched.path).startswith("a.py: the index holds an unsettled merge.")


def test_a_submodule_is_not_judged_in_a_revision(repository: Repository, tmp_path: Path) -> None:
    other = Repository(tmp_path / "other")
    other.write(x="")
    other.commit()
    repository.run("submodule", "-q", "add", str(other.path), "src/vendored")
    repository.write(src__a="")
    repository.commit()
    tree = GitTree(repository.path, "HEAD")
    universe = discover(tree, [Root("src")], tracked=tree.files)
    assert [file.module for file in universe.files] == ["a"]
    assert [fault.path for fault in universe.not_judged] == ["src/vendored"]
    assert "submodule" in universe.not_judged[0].message


def test_content_that_git_has_lost_is_not_judged(repository: Repository) -> None:
    repository.write(a="1")
    repository.commit()
    blob = repository.run("rev-parse", "HEAD:a.py")
    (repository.path / ".git" / "objects" / blob[:2] / blob[2:]).unlink()
    assert f"git has no content for {blob} missing" in refusal(GitTree(repository.path, "HEAD").read, "a.py")


# --- inside a hook


def test_the_index_of_a_commit_in_progress_is_the_one_that_counts(
    branched: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    branched.write(b="9", sub__c="9")
    script = branched.path / ".git" / "hooks" / "pre-commit"
    script.write_text('#!/bin/sh\ncp "$GIT_INDEX_FILE" "$(git rev-parse --git-dir)/kept.index"\nexit 1\n')
    script.chmod(0o755)
    with pytest.raises(subprocess.CalledProcessError):
        branched.run("commit", "-q", "-m", "x", "b.py")
    assert staged_files(branched.path) == frozenset()
    monkeypatch.setenv("GIT_INDEX_FILE", ".git/kept.index")
    monkeypatch.setenv("GIT_DIR", ".git")
    assert staged_files(branched.path) == {"b.py"}
    assert staged_files(branched.path / "sub") == frozenset()


def test_another_repositorys_variables_do_not_lead_us_there(
    branched: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = Repository(tmp_path / "other")
    other.write(x="")
    other.run("add", "-A")
    monkeypatch.setenv("GIT_DIR", str(other.path / ".git"))
    monkeypatch.setenv("GIT_WORK_TREE", str(other.path))
    monkeypatch.setenv("GIT_INDEX_FILE", str(other.path / ".git" / "index"))
    assert tracked_files(branched.path) == frozenset({"a.py", "b.py", "sub/c.py"})
    assert staged_files(branched.path) == frozenset()
