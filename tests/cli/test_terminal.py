"""What reaches the user, under every kind of terminal, pipe, locale and accident."""

from __future__ import annotations

import os
import signal
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest

from abutment.cli import facts
from abutment.cli.main import status_of
from abutment.cli.terminal import stdout_is_terminal, wants_colour, write_whole
from abutment.errors import NotJudged
from tests.cli.tool import Tool, child

ESCAPE = "\x1b["


def shell(root: Path, line: str, **environment: str) -> subprocess.CompletedProcess[bytes]:
    """Run a line of bash in which `abutment` is the tool of this interpreter; its status is that of `abutment`."""
    prelude = f"abutment() {{ '{sys.executable}' -m abutment \"$@\"; }}; "
    command = ["bash", "-c", f"{prelude}{line}; exit ${{PIPESTATUS[0]}}"]
    return subprocess.run(command, cwd=root, env={**os.environ, **environment}, capture_output=True, check=False)


@pytest.mark.parametrize(
    ("terminal", "environment", "wanted"),
    [
        (True, {}, True),
        (True, {"TERM": "xterm"}, True),
        (True, {"NO_COLOR": ""}, True),  # "when present and not an empty string" (no-color.org)
        (True, {"NO_COLOR": "1"}, False),
        (True, {"TERM": "dumb"}, False),
        (False, {"TERM": "xterm"}, False),
    ],
)
def test_colour_is_for_terminals_that_want_it(terminal: bool, environment: dict[str, str], wanted: bool) -> None:
    assert wants_colour(terminal, environment) is wanted


def on_a_terminal(root: Path, **environment: str) -> bytes:
    """Run `abutment check` with a terminal as its standard output, and return what it wrote there."""
    leader, follower = os.openpty()
    command = [sys.executable, "-m", "abutment", "check", "--no-cache", "--quiet"]
    with subprocess.Popen(command, cwd=root, stdout=follower, env={**os.environ, **environment}) as running:
        os.close(follower)
        said = b""
        try:
            while piece := os.read(leader, 4096):
                said += piece
        except OSError:
            pass  # Linux says so where the other end was closed
        running.wait()
    os.close(leader)
    return said


@pytest.mark.skipif(not hasattr(os, "openpty"), reason="needs a pseudo-terminal")
def test_a_terminal_is_coloured_unless_it_is_asked_not_to_be(recorded: Tool) -> None:
    recorded.write({"shop/core.py": "import shop.web\n"})
    environment = {"TERM": "xterm", "NO_COLOR": ""}
    assert ESCAPE.encode() in on_a_terminal(recorded.root, **environment)
    assert ESCAPE.encode() not in on_a_terminal(recorded.root, **{**environment, "NO_COLOR": "1"})
    assert ESCAPE.encode() not in on_a_terminal(recorded.root, **{**environment, "TERM": "dumb"})


def test_a_pipe_gets_neither_colour_nor_wrapped_lines(recorded: Tool) -> None:
    recorded.write({"shop/core.py": "import shop.web\n"})
    answer = child(recorded.root, "check", "--no-cache", COLUMNS="40", TERM="xterm", NO_COLOR="")
    assert answer.status == 1
    assert ESCAPE not in answer.out
    assert max(map(len, answer.out.splitlines())) > 120


def test_seconds_go_to_stderr_and_stdout_is_the_same_on_every_run(recorded: Tool) -> None:
    one, other = (child(recorded.root, "check", "--no-cache") for _ in range(2))
    assert one.out == other.out
    assert one.err.endswith(" s\n") and one.err.count("\n") == 1
    assert child(recorded.root, "check", "--no-cache", "--quiet").err == ""


@pytest.mark.parametrize("verb", ["facts imports", "facts imports --format jsonl", "list modules", "graph", "check"])
def test_a_reader_that_leaves_hears_no_noise(tool: Tool, verb: str) -> None:
    # Far more than a pipe holds, so that the writer is still writing when its reader leaves.
    tool.write({f"shop/m{number}.py": "import shop.web, shop.core, shop.store\n" for number in range(600)})
    assert tool("init").status == 0
    if verb == "check":
        tool.write({f"shop/m{number}.py": "import shop.gone\n" for number in range(600)})
    ended = shell(tool.root, f"abutment {verb} --no-cache --jobs 1 | head -1")
    assert ended.stdout.count(b"\n") == 1
    assert [line for line in ended.stderr.decode().splitlines() if not line.endswith(" s")] == []
    assert ended.returncode == (1 if verb == "check" else 0)


@pytest.mark.parametrize("words", ["--version", "--help", "check --help", "explain ABT301"])
def test_help_for_a_reader_that_never_was_there_is_silent(tool: Tool, words: str) -> None:
    ended = shell(tool.root, f"abutment {words} | (exec 0<&-; sleep 0.3)")
    assert (ended.returncode, ended.stderr) == (0, b"")


@pytest.mark.parametrize(
    ("line", "status"),
    [
        ("abutment check --no-cache >&-", 0),
        ("abutment check --no-cache 2>&-", 0),
        ("abutment check --no-cache >&- 2>&-", 0),
        ("abutment --version >&-", 0),
        ("abutment check --nonsense 2>&-", 2),
        ("abutment check nothing >&- 2>&-", 2),
    ],
)
def test_closed_streams_change_no_answer(recorded: Tool, line: str, status: int) -> None:
    ended = shell(recorded.root, line)
    assert ended.returncode == status
    assert b"Traceback" not in ended.stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_report_that_cannot_be_written_is_2(recorded: Tool) -> None:
    ended = shell(recorded.root, "abutment check --no-cache --quiet --verbose > /dev/full")
    assert ended.returncode == 2
    assert ended.stderr == b"standard output cannot be written: No space left on device.\n"


@pytest.mark.parametrize("verb", ["check", "facts", "tighten"])
def test_output_is_utf_8_under_every_locale(tool: Tool, verb: str) -> None:
    tool.write({"shop/late.py": "import shop.wurst_é\n"})
    words = {"check": ["check", "blindspots"], "facts": ["facts", "blindspots"], "tighten": ["tighten"]}[verb]
    assert tool("init").status == 0
    tool.write({"shop/late.py": "import shop.käse\n"})
    plain, other = (
        child(tool.root, *words, "--no-cache", LC_ALL=locale, PYTHONUTF8="0", PYTHONCOERCECLOCALE="0")
        for locale in ("C", "C.UTF-8")
    )
    assert plain.out == other.out
    assert "käse" in plain.out + plain.err


def test_an_interrupt_is_130_and_one_word(tool: Tool) -> None:
    tool.write({f"shop/m{number}.py": "x = 1\n" * 5000 for number in range(60)})
    script = "from abutment.cli.main import main; print('ready', flush=True); main()"
    command = [sys.executable, "-c", script, "facts", "imports", "--no-cache", "--jobs", "1"]
    with subprocess.Popen(command, cwd=tool.root, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as running:
        assert running.stdout is not None
        assert running.stdout.readline() == b"ready\n"  # however long this machine takes to start
        time.sleep(0.3)
        running.send_signal(signal.SIGINT)
        _out, err = running.communicate(timeout=60)
    if running.returncode == 0:
        pytest.skip("this machine was done before it could be interrupted")
    assert running.returncode == 130
    assert err.decode().split() == ["interrupted"]


BUG = "ArithmeticError: seven is\nodd"


@pytest.fixture
def failing(tool: Tool, monkeypatch: pytest.MonkeyPatch) -> Tool:
    """A tool in which `facts` has a bug."""

    def fail(_name: str, _others: object) -> None:
        raise ArithmeticError("seven is\nodd")

    monkeypatch.setattr(facts, "family_named", fail)
    return tool


def test_a_bug_of_ours_is_2_and_one_line(failing: Tool) -> None:
    answer = failing("facts", "imports")
    assert (answer.status, answer.out) == (2, "")
    assert answer.err.count("\n") == 1
    assert "failed: ArithmeticError: seven is odd." in answer.err
    assert "--traceback" in answer.err


def test_the_traceback_is_there_for_who_asks_and_it_is_still_2(
    failing: Tool, capsys: pytest.CaptureFixture[str]
) -> None:
    assert status_of(["facts", "imports", "--config", str(failing.root)], traceback=True) == 2
    said = capsys.readouterr().err
    assert said.startswith("Traceback (most recent call last)")
    assert said.rstrip().endswith(BUG)


@pytest.mark.parametrize("exit", [BrokenPipeError(32, "gone"), EOFError("short"), SystemExit(0), SystemExit(1)])
def test_what_click_would_take_for_an_answer_is_a_bug(
    tool: Tool, monkeypatch: pytest.MonkeyPatch, exit: BaseException
) -> None:
    def end(_name: str, _others: object) -> None:
        raise exit

    monkeypatch.setattr(facts, "family_named", end)
    answer = tool("facts", "imports")
    assert answer.status == 2
    assert type(exit).__name__ in answer.err


def test_check_loads_neither_networkx_nor_rich_nor_tomlkit(recorded: Tool) -> None:
    text = f"""
import sys
from abutment.cli.main import status_of
assert status_of(["check", "--no-cache", "--jobs", "1", "--config", {str(recorded.root)!r}]) == 0
sys.exit(", ".join(name for name in ("networkx", "libcst", "rich", "mypy", "tomlkit") if name in sys.modules) or 0)
"""
    ended = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stderr


def test_the_module_is_the_command(recorded: Tool) -> None:
    assert child(recorded.root, "--version").out.startswith("abutment, version ")
    assert child(recorded.root, "check", "--no-cache").status == 0
    without = child(recorded.root)
    assert without.status == 2
    assert "Usage: abutment" in without.err


def test_a_report_file_is_whole_or_not_there(tmp_path: Path) -> None:
    target = tmp_path / "report.json"
    write_whole(target, "one\n")
    write_whole(target, "zwei \udc80\n")
    assert target.read_bytes() == b"zwei \\udc80\n"
    assert [path.name for path in tmp_path.iterdir()] == ["report.json"]
    umask = os.umask(0)
    os.umask(umask)
    assert stat.S_IMODE(target.stat().st_mode) == 0o666 & ~umask


def test_a_report_goes_through_a_link_and_leaves_the_link(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to("real")
    write_whole(tmp_path / "link", "text\n")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real").read_text() == "text\n"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_a_report_can_be_read_from_a_named_pipe(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with subprocess.Popen(["cat", str(tmp_path / "pipe")], stdout=subprocess.PIPE) as reader:
        write_whole(tmp_path / "pipe", "text\n")
        assert reader.communicate(timeout=30)[0] == b"text\n"
    assert stat.S_ISFIFO((tmp_path / "pipe").stat().st_mode)


def test_what_could_not_be_written_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_self: Path, _target: Path) -> Path:
        raise OSError(30, "Read-only file system")

    monkeypatch.setattr(Path, "replace", refuse)
    with pytest.raises(NotJudged, match="cannot be written: Read-only file system"):
        write_whole(tmp_path / "report.json", "text\n")
    assert list(tmp_path.iterdir()) == []


def test_a_report_for_a_folder_that_is_not_there_is_shown_all_the_same(recorded: Tool, tmp_path: Path) -> None:
    recorded.write({"shop/core.py": "import shop.store\nimport shop.web\n"})
    target = tmp_path / "no" / "such" / "report.txt"
    answer = recorded("check", "--output", str(target))
    assert answer.status == 2
    assert "cannot be written: No such file or directory" in answer.err
    assert "shop.core imports shop.web" in answer.out
    assert not target.exists()


def test_without_a_standard_output_there_is_no_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdout", None)
    assert not stdout_is_terminal()
