from __future__ import annotations

import os
import socket
import threading
from collections.abc import Sequence
from pathlib import Path

import pytest

from abutment.semantics import build
from abutment.semantics.build import build_program
from abutment.semantics.cache import Cache
from abutment.semantics.program import Program
from abutment.sources.discovery import discover
from abutment.sources.memory_tree import MemoryTree
from abutment.sources.universe import Root, SourceFile

FILES = {
    "app/__init__.py": "from .a import A\n",
    "app/a.py": "import os\nclass A: pass\n",
    "app/b.py": "from app import A, missing\nimport_this = __import__(x)\n",
    "app/broken.py": "def (\n",
}


def built(files: dict[str, str], cache: Cache | None) -> Program:
    tree = MemoryTree(files)
    return build_program(discover(tree, [Root(".")]), tree, cache=cache)


def shown(program: Program) -> object:
    exports = {name: dict(program.exports[name]) for name in program.exports}
    assert len(program.exports) == len(exports)
    return list(program.imports()), dict(program.modules), program.blind, program.unread, program.grammar, exports


def parsed(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Record how many files each run parses."""
    counts: list[int] = []
    inner = build._parsed

    def counting(
        files: Sequence[tuple[SourceFile, bytes]], jobs: int, wanted: Sequence[int], uses: bool
    ) -> dict[int, bytes]:
        counts.append(len(wanted))
        return inner(files, jobs, wanted, uses)

    monkeypatch.setattr(build, "_parsed", counting)
    return counts


def entries(folder: Path, pattern: str) -> list[Path]:
    return sorted(folder.rglob(pattern))


def test_with_and_without_a_cache_it_is_the_same(tmp_path: Path) -> None:
    expected = shown(built(FILES, None))
    for _ in range(3):
        assert shown(built(FILES, Cache(tmp_path, "1"))) == expected


def test_what_is_known_is_not_parsed_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    counts = parsed(monkeypatch)
    built(FILES, Cache(tmp_path, "1"))
    built(FILES, Cache(tmp_path, "1"))
    assert counts == [4]  # the second run loads the whole program
    changed = {**FILES, "app/a.py": "import sys\n"}
    assert shown(built(changed, Cache(tmp_path, "1"))) == shown(built(changed, None))
    assert counts[:2] == [4, 1]
    built(FILES, Cache(tmp_path, "2"))
    assert counts[-1] == 4  # another version trusts nothing


CALLS = {"app/__init__.py": "", "app/a.py": "import os\ndef f():\n    os.getcwd()\n", "app/b.py": "x = (\n"}


def called(program: Program) -> list[tuple[str, int, frozenset[str]]]:
    return [(use.module, use.site.line, use.origins) for use, _ in program.uses.of({"os.getcwd"})]


def test_uses_are_read_when_somebody_asks_and_known_then(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = [("app.a", 3, frozenset({"os.getcwd"}))]
    counts = parsed(monkeypatch)
    assert called(built(CALLS, None)) == expected
    assert counts == [3, 2]  # for imports, then, of those that parse, for uses
    counts.clear()
    assert called(built(CALLS, Cache(tmp_path, "1"))) == expected
    assert counts == [3, 2]
    assert called(built(CALLS, Cache(tmp_path, "1"))) == expected  # the answer is on the shelf
    assert len(built(CALLS, Cache(tmp_path, "1")).uses.of({"os"})) == 1  # another question about the same code
    changed = {**CALLS, "app/a.py": CALLS["app/a.py"] + "\n\n"}
    assert called(built(changed, Cache(tmp_path, "1"))) == expected
    assert counts == [3, 2, 1, 1]


def test_uses_that_are_wanted_are_read_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    counts = parsed(monkeypatch)
    tree = MemoryTree(CALLS)
    for _ in range(2):
        program = build_program(discover(tree, [Root(".")]), tree, cache=Cache(tmp_path, "1"), uses=True)
        assert len(called(program)) == 1
    assert counts == [3]


def test_what_only_this_run_could_not_read_is_not_known_to_the_next(tmp_path: Path) -> None:
    deep = {**FILES, "app/deep.py": "x = " + "-" * 100_000 + "1\n"}
    one = built(deep, Cache(tmp_path, "1"))
    assert [fault.path for fault in one.unread] == ["app/broken.py", "app/deep.py"]
    assert entries(tmp_path, "*.linked") == []
    (pack,) = entries(tmp_path, "*.pack")
    assert b"deeper" not in pack.read_bytes()
    assert shown(built(deep, Cache(tmp_path, "1"))) == shown(one)
    assert entries(tmp_path, "*.pack") == [pack]


def test_the_same_bytes_under_another_name_are_another_file(tmp_path: Path) -> None:
    built({"a/__init__.py": "from . import b\n", "a/b.py": ""}, Cache(tmp_path, "1"))
    moved = {"c.py": "from . import b\n", "d.py": ""}
    assert shown(built(moved, Cache(tmp_path, "1"))) == shown(built(moved, None))


@pytest.mark.parametrize("damage", [b"", b"short", None])
@pytest.mark.parametrize("pattern", ["*.pack", "*.linked", "*.p*"])
def test_a_damaged_entry_is_ignored(tmp_path: Path, pattern: str, damage: bytes | None) -> None:
    expected = shown(built(FILES, Cache(tmp_path, "1")))
    for path in entries(tmp_path, pattern):
        whole = path.read_bytes()
        path.write_bytes(whole[:-1] + bytes([whole[-1] ^ 1]) if damage is None else damage)
    for path in entries(tmp_path, "*.linked") if pattern == "*.pack" else []:
        path.unlink()
    assert shown(built(FILES, Cache(tmp_path, "1"))) == expected


def test_a_pack_cut_at_any_length_is_ignored(tmp_path: Path) -> None:
    expected = shown(built(FILES, Cache(tmp_path, "1")))
    (pack,) = entries(tmp_path, "*.pack")
    whole = pack.read_bytes()
    for size in range(0, len(whole), 97):
        for path in entries(tmp_path, "*.linked") + entries(tmp_path, "*.pack"):
            path.unlink()
        pack.write_bytes(whole[:size])
        assert shown(built(FILES, Cache(tmp_path, "1"))) == expected


def test_a_cache_that_cannot_be_written_is_noted(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("in the way")
    cache = Cache(blocked, "1")
    assert shown(built(FILES, cache)) == shown(built(FILES, None))
    assert cache.notes
    assert "could not be written" in cache.notes[0]


def test_the_cache_is_bounded(tmp_path: Path) -> None:
    for at in range(6):
        built({**FILES, "app/a.py": f"x = {at}\n"}, Cache(tmp_path, "1", most_bytes=4_000))
        sizes = [path.stat().st_size for path in entries(tmp_path, "*.*")]
        assert sum(sizes) <= 4_000 or len(sizes) == 1


def test_what_was_used_longest_ago_goes_first(tmp_path: Path) -> None:
    built(FILES, Cache(tmp_path, "1"))
    (first,) = entries(tmp_path, "*.linked")
    other = {**FILES, "app/a.py": "y = 1\n"}
    built(other, Cache(tmp_path, "1"))
    (second,) = [path for path in entries(tmp_path, "*.linked") if path != first]
    for age, path in enumerate([second, *entries(tmp_path, "*.pack")]):
        os.utime(path, (1_000 + age, 1_000 + age))
    os.utime(first, (10, 10))
    built(FILES, Cache(tmp_path, "1"))  # uses the first, which becomes the newest
    built({"z.py": "import os\n"}, Cache(tmp_path, "1", most_bytes=first.stat().st_size + 1_000))
    assert first.exists()
    assert not second.exists()


def test_one_project_does_not_push_out_another(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    counts = parsed(monkeypatch)
    others = {f"x{at}.py": f"import a{at}\n" for at in range(5)}
    for files in (FILES, others):
        built(files, Cache(tmp_path, "1"))
    for files in (FILES, others):
        built({**files, "new.py": "import re\n"}, Cache(tmp_path, "1"))
    assert counts == [4, 5, 1, 1]


def test_two_runs_at_once_lose_nothing(tmp_path: Path) -> None:
    expected = [shown(built({**FILES, "app/n.py": f"n = {at}\n"}, None)) for at in range(6)]
    found: list[object] = [None] * 6

    def run(at: int) -> None:
        for _ in range(3):
            found[at] = shown(built({**FILES, "app/n.py": f"n = {at}\n"}, Cache(tmp_path, "1")))

    threads = [threading.Thread(target=run, args=(at,), name="run") for at in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == expected
    assert not entries(tmp_path, "*.part")


def test_what_a_killed_run_left_behind_is_removed(tmp_path: Path) -> None:
    built(FILES, Cache(tmp_path, "1"))
    folder = entries(tmp_path, "*.pack")[0].parent
    old, young = folder / "1-a.part", folder / "2-b.part"
    for path in (old, young):
        path.write_bytes(b"half")
    os.utime(old, (1_000, 1_000))
    built({"z.py": ""}, Cache(tmp_path, "1"))
    assert not old.exists()
    assert young.exists()


def test_a_cache_that_can_only_be_read_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    counts = parsed(monkeypatch)
    expected = shown(built(FILES, Cache(tmp_path, "1")))

    def refused(*_arguments: object, **_named: object) -> None:
        raise PermissionError("read-only file system")

    monkeypatch.setattr(os, "utime", refused)
    monkeypatch.setattr(Path, "mkdir", refused)
    cache = Cache(tmp_path, "1")
    assert shown(built(FILES, cache)) == expected
    assert counts == [4]
    assert cache.notes == []


def test_a_pack_in_use_is_not_the_oldest(tmp_path: Path) -> None:
    built(FILES, Cache(tmp_path, "1"))
    (pack,) = entries(tmp_path, "*.pack")
    os.utime(pack, (10, 10))
    for path in entries(tmp_path, "*.linked"):
        path.unlink()
    built(FILES, Cache(tmp_path, "1"))
    assert pack.stat().st_mtime > 1_000


def test_nothing_but_ours_is_ever_removed(tmp_path: Path) -> None:
    strangers = [tmp_path / "objects" / "x.pack", tmp_path / "x.pack", tmp_path / "other" / "x.part"]
    for path in strangers:
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(b"x" * 10_000)
        os.utime(path, (10, 10))
    built(FILES, Cache(tmp_path, "1", most_bytes=1))
    assert all(path.exists() for path in strangers)


def test_what_another_run_is_writing_is_left_alone(tmp_path: Path) -> None:
    built(FILES, Cache(tmp_path, "1"))
    young = entries(tmp_path, "*.pack")[0].parent / "1-a.part"
    young.write_bytes(b"half" * 1_000)
    built({"z.py": ""}, Cache(tmp_path, "1", most_bytes=1))
    assert young.exists()


def put_in_place(path: Path, what: str) -> None:
    path.unlink()
    if what == "folder":
        path.mkdir()
    elif what == "pipe":
        os.mkfifo(path)
    else:
        here = Path.cwd()
        os.chdir(path.parent)  # a socket's whole path has to be short
        try:
            with socket.socket(socket.AF_UNIX) as heard:
                heard.bind(path.name)
        finally:
            os.chdir(here)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes in the file system here")
@pytest.mark.parametrize("what", ["folder", "pipe", "socket"])
@pytest.mark.parametrize("pattern", ["*.pack", "*.linked", "*"])
def test_what_is_no_file_is_passed_over(tmp_path: Path, what: str, pattern: str) -> None:
    expected = shown(built(FILES, Cache(tmp_path, "1")))
    for path in entries(tmp_path, pattern):
        if path.is_file():
            put_in_place(path, what)
    assert shown(built(FILES, Cache(tmp_path, "1"))) == expected


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes in the file system here")
@pytest.mark.parametrize("what", ["pipe", "file"])
def test_a_cache_whose_own_place_is_taken_is_noted(tmp_path: Path, what: str) -> None:
    place = tmp_path / "cache"
    if what == "pipe":
        os.mkfifo(place)
    else:
        place.write_text("")
    cache = Cache(place, "1")
    assert shown(built(FILES, cache)) == shown(built(FILES, None))
    assert cache.notes
