"""What a process of the judged project's interpreter says, and everything that is no answer."""

from __future__ import annotations

import ast
import os
import shutil
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from textwrap import dedent

import pytest

from abutment.errors import NotJudged
from abutment.sources.tools.output import Output
from abutment.sources.tools.startup import CHILD, Answer, Interpreter, Loaded, read_answer

BROKEN = Path(__file__).parents[2] / "fixtures" / "tools" / "startup"
NUMBER = "00112233445566778899aabbccddeeff"
linux = pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="processes are seen where there is a /proc")


def interpreter(folder: Path, seconds: float = 60) -> Interpreter:
    return Interpreter((sys.executable,), folder, (str(folder),), {}, seconds)


def asked(folder: Path, files: dict[str, str], ask: str = "load", **request: str) -> Answer:
    for name, text in files.items():
        (folder / name).parent.mkdir(exist_ok=True, parents=True)
        (folder / name).write_text(dedent(text), encoding="utf-8")
    return interpreter(folder).ask(ask, **request)


def loaded(folder: Path, text: str) -> Answer:
    return asked(folder, {"m.py": text}, modules="m")


def left(answer: Answer) -> list[str]:
    return [f"{one.kind} {one.name}" for one in answer.alive]


LIFE = {"start": "m:start", "stop": "", "started": "", "fail": ""}


def lived(folder: Path, text: str, **request: str) -> Answer:
    return asked(folder, {"m.py": text}, "life", **{**LIFE, **request})


# ---- no answers

SAID = {
    "ends_at_once": "ended without an answer",
    "ends_with_a_status": "ended with status 3",
    "is_killed": "was killed by SIGKILL",
    "is_terminated": "was killed by SIGTERM",
    "aborts": "was killed by SIGABRT",
    "leaves_by_exit": "SystemExit",
    "leaves_by_exit_after_printing": "SystemExit: 0",
    "is_interrupted": "KeyboardInterrupt",
    "raises": "ValueError: no settings",
    "raises_what_cannot_be_shown": "Odd: it cannot be shown",
    "asks_for_what_is_not_installed": "ModuleNotFoundError: No module named 'a_package_that_is_nowhere'",
    "is_no_python": "SyntaxError",
    "recurses": "RecursionError",
    "hangs": "did not end within 2 seconds",
    "waits_for_a_lock": "did not end within 2 seconds",
    "waits_for_input": "SystemExit: nobody is there",
    "becomes_another_program": "ended without an answer",
    "writes_what_it_finds": "not whole, or not its own",
    "takes_the_answers_place": "ended with status",
    "removes_its_folder": "ended with status",
    "replaces_what_text_is": "TypeError",
    "loads_nonsense": "",
    "empties_the_modules": "",
}


@pytest.mark.parametrize("case", sorted(path.stem for path in (BROKEN / "code").glob("*.py")))
def test_code_that_ends_or_fakes_its_process_has_loaded_nothing(case: str, tmp_path: Path) -> None:
    shutil.copy(BROKEN / "code" / f"{case}.py", tmp_path / "m.py")
    seconds = 2 if "2 seconds" in SAID[case] else 60
    try:
        answer = interpreter(tmp_path, seconds).ask("load", modules="m")
    except NotJudged as refusal:
        said = str(refusal)
    else:
        assert (answer.loaded, answer.alive) == ((), ())
        assert answer.raised is not None
        said = answer.raised.words
    assert SAID[case] in said


@pytest.mark.parametrize("path", sorted((BROKEN / "answers").iterdir()), ids=lambda path: path.stem)
def test_an_answer_that_is_not_whole_or_not_its_own_is_none(path: Path) -> None:
    content = path.read_bytes().replace(b"{number}", NUMBER.encode())
    with pytest.raises(NotJudged):
        read_answer(Output("it", b"", b"", 0), content, NUMBER)


@pytest.mark.parametrize("status", [1, 2, 139, -9, -11])
def test_a_whole_answer_of_a_process_that_did_not_end_well_is_none(status: int) -> None:
    body = b"{'python': 'cpython 3.11'}"
    content = b"abutment-startup-1 %s %d\n%s" % (NUMBER.encode(), len(body), body)
    assert read_answer(Output("it", b"", b"", 0), content, NUMBER).python == "cpython 3.11"
    with pytest.raises(NotJudged):
        read_answer(Output("it", b"", b"", status), content, NUMBER)


def test_there_are_enough_of_them_and_each_has_its_words() -> None:
    assert {path.stem for path in (BROKEN / "code").iterdir()} == set(SAID)
    assert len(SAID) + len(list((BROKEN / "answers").iterdir())) >= 50


def test_an_interpreter_that_is_none_says_so(tmp_path: Path) -> None:
    with pytest.raises(NotJudged, match="cannot be run as"):
        Interpreter(("no-python-here",), tmp_path).ask("bare")


# ---- what is loaded


def test_the_modules_that_came_are_told_with_who_imported_them_first(tmp_path: Path) -> None:
    files = {"app/__init__.py": "", "app/a.py": "import json\n\nfrom app import b\n", "app/b.py": "", "app/c.py": ""}
    answer = asked(tmp_path, files, modules="app.a")
    own = [one for one in answer.loaded if not one.standard]
    assert own == [Loaded(name, str(tmp_path / path), False) for name, path in sorted(
        {"app": "app/__init__.py", "app.a": "app/a.py", "app.b": "app/b.py"}.items()
    )]  # fmt: skip
    assert answer.importers["app.b"] == ("app.a", 3)
    assert "json" in {one.name for one in answer.loaded if one.standard}


def test_a_module_that_waits_for_its_first_use_is_not_loaded(tmp_path: Path) -> None:
    text = """
        import importlib.util, sys

        for name in ("lazy", "used"):
            spec = importlib.util.find_spec(name)
            spec.loader = importlib.util.LazyLoader(spec.loader)
            sys.modules[name] = module = importlib.util.module_from_spec(spec)
            spec.loader.exec_module(module)
        module.x
    """
    answer = asked(tmp_path, {"m.py": text, "lazy.py": "x = 1\n", "used.py": "x = 1\n"}, modules="m")
    assert [one.name for one in answer.loaded if not one.standard] == ["m", "used"]


def test_nothing_of_the_machine_reaches_the_code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", "/nowhere")
    monkeypatch.setenv("APP_ENV", "mine")
    text = """
        import os, sys
        assert "APP_ENV" not in os.environ and "/nowhere" not in sys.path
        assert os.environ["PYTHONHASHSEED"] == "0" and sys.argv == [""]
        assert os.path.expanduser("~") == os.environ["TMPDIR"] != os.getcwd()
        assert not [entry for entry in sys.path if entry.endswith("tools")]
    """
    assert loaded(tmp_path, text).raised is None
    assert not list(tmp_path.rglob("__pycache__"))


def test_modules_that_have_the_names_of_pythons_own_do_no_harm(tmp_path: Path) -> None:
    files = {"m.py": "import json, ast, gc\n", "json.py": "dumps = None\n", "ast.py": "", "tempfile.py": "1 / 0\n"}
    assert "json" in {one.name for one in asked(tmp_path, files, modules="m").loaded}


# ---- what is alive


@linux
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        ("import threading, time\nthreading.Thread(target=time.sleep, args=(0.1,)).start()", []),
        (
            "import threading, time\nthreading.Thread(target=time.sleep, args=(60,), name='poll').start()",
            ["thread poll"],
        ),
        ("import _thread, time\n_thread.start_new_thread(time.sleep, (60,))", ["thread unnamed"]),
        ("import subprocess\nsubprocess.Popen(['sleep', '60'])", ["process sleep"]),
        ("import subprocess\nsubprocess.Popen(['sleep', '60'], start_new_session=True)", ["process sleep"]),
        ("import subprocess\nsubprocess.Popen(['true'])", []),
        ("import socket\ns = socket.create_server(('127.0.0.1', 0))", ["socket tcp listening"]),
        ("import socket\na, b = socket.socketpair()", ["socket unix connected"] * 2),
        ("import socket\ns = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)", ["socket udp"]),
        ("import socket\ns = socket.socket(); s.close()", []),
        ("f = open('/dev/null')", ["file /dev/null"]),
        ("open('/dev/null')", []),
        (
            "import os\nif os.fork() == 0:\n    import time\n    time.sleep(60)",
            ["process " + Path(sys.executable).name],
        ),
        ("import os\nos.fork()", []),
    ],
)
@pytest.mark.filterwarnings("ignore")
def test_what_is_alive_after_an_import_is_told(text: str, expected: list[str], tmp_path: Path) -> None:
    assert left(loaded(tmp_path, text)) == expected


ASLEEP = f"4711.{os.getpid()}"  # seconds, by which the sleepers of this run can be told from any other's


def is_asleep() -> bool:
    """Say whether a sleeper goes on sleeping; one that was killed is given the time to go."""
    for _ in range(50):
        if not any(f"sleep\x00{ASLEEP}\x00".encode() in command for command in commands()):
            return False
        time.sleep(0.1)
    return True


def commands() -> Iterator[bytes]:
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(OSError):  # it has ended meanwhile
            yield path.read_bytes()


@linux
def test_nothing_of_it_is_left_running(tmp_path: Path) -> None:
    text = (
        "import subprocess\nfor own in (True, False):\n"
        f"    subprocess.Popen(['sleep', '{ASLEEP}'], start_new_session=own)"
    )
    assert left(loaded(tmp_path, text)) == ["process sleep"] * 2
    assert not is_asleep()


@linux
def test_what_a_killed_process_started_does_not_outlive_it(tmp_path: Path) -> None:
    text = f"import os, subprocess\nsubprocess.Popen(['sleep', '{ASLEEP}'])\nos._exit(0)"
    with pytest.raises(NotJudged):
        loaded(tmp_path, text)
    assert not is_asleep()


def test_a_call_is_asked_for_what_it_leaves_itself(tmp_path: Path) -> None:
    thread = "threading.Thread(target=time.sleep, args=(60,), name={!r}, daemon=True).start()\n"
    text = "import threading, time\n" + thread.format("import") + "def make():\n    " + thread.format("call")
    assert left(asked(tmp_path, {"m.py": text}, "call", call="m:make")) == ["thread call"]


# ---- start and stop

CLOSING = """
    import contextlib

    @contextlib.contextmanager
    def start():
        kept = open("/dev/null")
        try:
            connect()
            yield ["log", "net"]
        finally:
            kept.close()

    def connect(): pass
"""


def test_what_start_gives_is_entered_and_left(tmp_path: Path) -> None:
    answer = lived(tmp_path, CLOSING)
    assert (answer.components, left(answer)) == (("log", "net"), [])


def test_a_failing_step_ends_the_start_and_all_is_closed(tmp_path: Path) -> None:
    answer = lived(tmp_path, CLOSING, fail="m:connect")
    assert (answer.components, left(answer), answer.reached, answer.raised) == (None, [], True, None)


@linux
def test_what_a_failing_start_does_not_close_is_told(tmp_path: Path) -> None:
    text = "kept = []\ndef start():\n    kept.append(open('/dev/null'))\n    connect()\ndef connect(): pass\n"
    assert left(lived(tmp_path, text, fail="m:connect")) == ["file /dev/null"]


def test_a_step_that_is_never_called_is_told(tmp_path: Path) -> None:
    assert not lived(tmp_path, CLOSING + "\n    def other(): pass", fail="m:other").reached


def test_a_step_that_is_not_there_is_no_failure(tmp_path: Path) -> None:
    raised = lived(tmp_path, CLOSING, fail="m:connected").raised
    assert raised is not None
    assert raised.type == "AttributeError"


def test_a_method_fails_as_well(tmp_path: Path) -> None:
    text = "class Net:\n    def connect(self): pass\ndef start():\n    Net().connect()\n"
    assert lived(tmp_path, text, fail="m:Net.connect").reached


@pytest.mark.parametrize(
    ("text", "request_", "components"),
    [
        ("def start(): return ['a']\ndef stop(): pass", {"stop": "m:stop"}, ("a",)),
        ("def start(): return None\ndef stop(): pass\nnames = ('a', 'b')", {"started": "m:names"}, ("a", "b")),
        ("def start(): pass\ndef names(): return ['b']", {"started": "m:names"}, ("b",)),
        ("async def start(): return ['a']\nasync def stop(): pass", {"stop": "m:stop"}, ("a",)),
        ("async def start(): return ['a']\ndef stop(): pass", {"stop": "m:stop"}, ("a",)),
        ("def start(): return 'ab'", {}, None),
    ],
)
def test_each_way_to_start_and_stop(
    text: str, request_: dict[str, str], components: tuple[str, ...] | None, tmp_path: Path
) -> None:
    answer = lived(tmp_path, text, **request_)
    assert (answer.components, left(answer), answer.raised) == (components, [], None)


def test_tasks_that_outlive_the_stop_are_told(tmp_path: Path) -> None:
    text = """
        import asyncio
        async def poll(): await asyncio.sleep(60)
        async def blink(): await asyncio.sleep(0.1)
        async def start():
            global kept
            kept = asyncio.create_task(poll()), asyncio.create_task(blink())
    """
    assert left(lived(tmp_path, text)) == ["task poll"]


def test_a_start_that_fails_by_itself_is_told(tmp_path: Path) -> None:
    raised = lived(tmp_path, "def start(): raise KeyError('x')\ndef f(): pass", fail="m:f").raised
    assert raised is not None
    assert raised.words == "KeyError: 'x'"


# ---- the child itself


def test_the_child_is_written_for_older_interpreters_and_imports_nothing_of_ours() -> None:
    tree = ast.parse(CHILD.read_text(encoding="utf-8"), feature_version=(3, 8))
    top = [node for node in tree.body if isinstance(node, ast.Import | ast.ImportFrom)]
    names = {alias.name for node in top for alias in node.names} | {getattr(node, "module", None) for node in top}
    assert names <= {"annotations", "__future__", "_thread", "os", "sys", "time", None}
