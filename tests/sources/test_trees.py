"""Every kind of tree answers alike, and none of them leaves its root."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from abutment.errors import NotJudged
from abutment.sources.memory_tree import MemoryTree
from abutment.sources.tree import Entry, EntryKind, Tree
from abutment.sources.work_tree import WorkTree

FILES = {"a.py": "1", "pkg/b.py": "2", "pkg/deep/c.py": "3"}
LINKS = {
    "file_link.py": "pkg/b.py",
    "folder_link": "pkg/deep",
    "pkg/up": "..",
    "out": "../elsewhere",
    "absolute": "/etc",
    "dangling": "nowhere",
    "loop1": "loop2",
    "loop2": "loop1",
    "pkg/through": "../folder_link/c.py",
}


def on_disk(root: Path) -> WorkTree:
    (root.parent / "elsewhere").mkdir(exist_ok=True)
    for path, text in FILES.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    for path, target in LINKS.items():
        (root / path).symlink_to(target)
    return WorkTree(root)


@pytest.fixture(params=["disk", "memory"])
def tree(request: pytest.FixtureRequest, tmp_path: Path) -> Tree:
    if request.param == "memory":
        return MemoryTree(FILES, LINKS)
    root = tmp_path / "root"
    root.mkdir()
    return on_disk(root)


FILE, DIRECTORY = EntryKind.FILE, EntryKind.DIRECTORY
OUTSIDE, DANGLING = EntryKind.OUTSIDE, EntryKind.DANGLING


def test_entries_are_sorted_and_links_resolved(tree: Tree) -> None:
    assert list(tree.list("")) == [
        Entry("a.py", FILE),
        Entry("absolute", OUTSIDE, linked=True),
        Entry("dangling", DANGLING, linked=True),
        Entry("file_link.py", FILE, linked=True),
        Entry("folder_link", DIRECTORY, linked=True),
        Entry("loop1", DANGLING, linked=True),
        Entry("loop2", DANGLING, linked=True),
        Entry("out", OUTSIDE, linked=True),
        Entry("pkg", DIRECTORY),
    ]


def test_a_folder_may_be_reached_through_a_link(tree: Tree) -> None:
    assert list(tree.list("folder_link")) == [Entry("c.py", FILE)]
    assert list(tree.list("pkg/up/pkg/deep")) == [Entry("c.py", FILE)]


@pytest.mark.parametrize(
    ("path", "data"),
    [
        ("a.py", b"1"),
        ("pkg/b.py", b"2"),
        ("file_link.py", b"2"),
        ("folder_link/c.py", b"3"),
        ("pkg/up/a.py", b"1"),
        ("pkg/through", b"3"),
    ],
)
def test_files_are_read_also_through_links_inside(tree: Tree, path: str, data: bytes) -> None:
    assert tree.read(path) == data
    assert tree.exists(path)


@pytest.mark.parametrize(
    "path", ["missing.py", "a.py/x", "pkg", "dangling", "loop1", "pkg/missing/x.py", "../elsewhere"]
)
def test_what_is_no_file_cannot_be_read(tree: Tree, path: str) -> None:
    assert not tree.exists(path)
    with pytest.raises(NotJudged) as caught:
        tree.read(path)
    assert caught.value.faults[0].path == path


@pytest.mark.parametrize("directory", ["missing", "a.py", "dangling", "out"])
def test_what_is_no_folder_cannot_be_listed(tree: Tree, directory: str) -> None:
    with pytest.raises(NotJudged) as caught:
        tree.list(directory)
    assert caught.value.faults[0].path == directory


def test_one_folder_has_one_identity(tree: Tree) -> None:
    assert tree.identity("folder_link") == tree.identity("pkg/deep")
    assert tree.identity("pkg/up") == tree.identity("")
    assert tree.identity("pkg") != tree.identity("pkg/deep")


def test_a_work_tree_never_reads_outside(tmp_path: Path) -> None:
    root = tmp_path / "root"
    root.mkdir()
    (tmp_path / "secret.py").write_text("secret")
    (root / "link.py").symlink_to("../secret.py")
    (root / "folder").symlink_to("..")
    tree = WorkTree(root)
    for path in ("link.py", "folder/secret.py", "../secret.py"):
        assert not tree.exists(path)
        with pytest.raises(NotJudged, match="out of the project"):
            tree.read(path)
    with pytest.raises(NotJudged, match="out of the project"):
        tree.list("folder")


def test_a_root_may_itself_be_a_link(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "real" / "a.py").write_text("1")
    (tmp_path / "link").symlink_to("real")
    assert WorkTree(tmp_path / "link").read("a.py") == b"1"


def test_a_pipe_in_a_files_place_does_not_stop_us(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "x.py")
    tree = WorkTree(tmp_path)
    assert list(tree.list("")) == [Entry("x.py", EntryKind.OTHER)]
    with pytest.raises(NotJudged, match=r"x\.py: not a regular file"):
        tree.read("x.py")


def test_a_socket_and_a_link_to_a_pipe_are_other_things(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "link").symlink_to("pipe")
    there = Path.cwd()
    os.chdir(tmp_path)  # the name of a socket has to be short
    try:
        with socket.socket(socket.AF_UNIX) as sock:
            sock.bind("sock")
    finally:
        os.chdir(there)
    kinds = {entry.name: entry.kind for entry in WorkTree(tmp_path).list("")}
    assert kinds == {"pipe": EntryKind.OTHER, "link": EntryKind.OTHER, "sock": EntryKind.OTHER}


@contextmanager
def as_nobody() -> Iterator[None]:
    """Give up root's right to read everything, where there is one."""
    user = os.geteuid()
    if user == 0:
        os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(user)


@pytest.mark.skipif(os.name != "posix", reason="these are rights of POSIX")
def test_without_permission_the_path_is_named() -> None:
    with tempfile.TemporaryDirectory() as name:  # pytest's own folder lets nobody in
        root = Path(name)
        root.chmod(0o755)
        (root / "shut").mkdir()
        for path in (root / "shut.py", root / "shut" / "x.py"):
            path.write_text("")
        (root / "shut").chmod(0)
        (root / "shut.py").chmod(0)
        tree = WorkTree(root)
        with as_nobody():
            with pytest.raises(NotJudged, match="shut: the folder cannot be read: Permission denied"):
                tree.list("shut")
            with pytest.raises(NotJudged, match=r"shut\.py: the file cannot be read: Permission denied"):
                tree.read("shut.py")
            # "There is no such file" would be a guess: a journal or an owner's file could be in there.
            with pytest.raises(NotJudged, match=r"shut/x\.py: the file cannot be read: Permission denied"):
                tree.exists("shut/x.py")
            assert tree.exists("shut.py")
        (root / "shut").chmod(0o700)


@pytest.mark.parametrize("path", ["no.py", "a.py/x", "n" * 300, "a\0.py", "loop", "loop/x.py", "folder"])
def test_where_there_is_no_file_that_is_said(tmp_path: Path, path: str) -> None:
    (tmp_path / "a.py").write_text("")
    (tmp_path / "folder").mkdir()
    (tmp_path / "loop").symlink_to("loop")
    assert not WorkTree(tmp_path).exists(path)


NARROW = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
LISTED = """
import sys
from pathlib import Path
from abutment.sources.git import tracked_files
from abutment.sources.work_tree import WorkTree
root = Path(sys.argv[1])
tree = WorkTree(root)
names = [entry.name for entry in tree.list("") if entry.name.endswith(".py")]
found = (names, [tree.read(name) for name in names], sorted(tracked_files(root)), tree.exists("stra\\u00dfe.py"))
print(ascii(found))
"""


@pytest.mark.skipif(os.name != "posix", reason="elsewhere names are Unicode")
@pytest.mark.parametrize("locale", [{}, NARROW])
def test_a_name_is_the_same_text_under_every_locale(tmp_path: Path, locale: dict[str, str]) -> None:
    (tmp_path / "stra\u00dfe.py").write_bytes(b"1")
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    subprocess.run(["git", "add", "-A"], cwd=tmp_path, check=True)
    said = subprocess.run(
        [sys.executable, "-c", LISTED, str(tmp_path)],
        env={**os.environ, **locale},
        capture_output=True,
        text=True,
        check=True,
    )
    assert said.stdout.strip() == r"(['stra\xdfe.py'], [b'1'], ['stra\xdfe.py'], True)"


def test_a_folder_that_is_gone_has_no_identity(tmp_path: Path) -> None:
    with pytest.raises(NotJudged, match="gone: the folder cannot be read"):
        WorkTree(tmp_path).identity("gone")


def test_the_root_of_the_disk_is_a_root() -> None:
    assert WorkTree(Path("/")).exists("etc/passwd") == Path("/etc/passwd").is_file()


def test_text_in_memory_is_utf_8() -> None:
    assert MemoryTree({"a.py": "é"}).read("a.py") == "é".encode()
    assert MemoryTree({"a.py": b"\xe9"}).read("a.py") == b"\xe9"
    assert list(MemoryTree({}).list("")) == []
