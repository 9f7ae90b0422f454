"""A file gets new contents all at once, and what a killed writer left behind goes with the next write."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from abutment.sources.whole_file import put_whole

KILLED = """
import os, signal, sys
from pathlib import Path
from abutment.sources.whole_file import put_whole
put_whole(Path(sys.argv[1]), b"half", lambda: os.kill(os.getpid(), signal.SIGKILL))
"""


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_a_file_is_made_and_replaced(tmp_path: Path) -> None:
    for data in (b"1", b"22"):
        put_whole(tmp_path / "x", data)
        assert (tmp_path / "x").read_bytes() == data
    assert names(tmp_path) == ["x"]


def test_what_is_refused_at_the_last_moment_leaves_nothing(tmp_path: Path) -> None:
    def refuse() -> None:
        raise RuntimeError

    with pytest.raises(RuntimeError):
        put_whole(tmp_path / "x", b"1", refuse)
    assert names(tmp_path) == []


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")
def test_what_a_killed_writer_left_is_removed_by_the_next(tmp_path: Path) -> None:
    place = tmp_path / "pyproject.toml"
    subprocess.run([sys.executable, "-c", KILLED, str(place)], check=False)
    (left,) = names(tmp_path)
    assert left.startswith(".pyproject.toml.") and left.endswith(".tmp")
    others = (".pyproject.toml.mine.tmp", ".other.toml.0123456789ab.tmp")
    for other in others:
        (tmp_path / other).write_text("")
    put_whole(place, b"whole")
    assert names(tmp_path) == sorted(("pyproject.toml", *others))
    assert place.read_bytes() == b"whole"


@pytest.mark.skipif(sys.platform == "win32", reason="there an open file cannot be removed")
def test_what_another_writer_is_writing_is_left_alone(tmp_path: Path) -> None:
    place = tmp_path / "x"
    put_whole(place, b"slow", lambda: put_whole(place, b"quick"))
    assert place.read_bytes() == b"slow"
    assert names(tmp_path) == ["x"]
