"""What does a module do to the world when it is merely imported? Short sources, read left to right."""

from __future__ import annotations

import pytest

from abutment.gates.effects import GATE
from tests.families import found, scanned

S = "import subprocess\n"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("import threading\nthreading.Thread(target=f).start()", ["2 thread threading.Thread.start"]),
        ("import threading\nt = threading.Thread(target=f)", []),  # not begun
        ("import threading\nclass W(threading.Thread): pass\nW().start()", ["3 thread threading.Thread.start"]),
        ("import multiprocessing as m\nm.Process(target=f).start()", ["2 process multiprocessing.Process.start"]),
        ("import subprocess as s\ns.run([])", ["2 subprocess subprocess.run"]),
        ("import os\nos.system('ls')", ["2 subprocess os.system"]),
        ("import requests\nrequests.get('x')", ["2 network requests.get"]),
        ("import requests\nrequests.Session().get('x')", ["2 network requests.Session.get"]),
        ("import requests\nS = requests.Session()", []),  # holds the door open
        ("import socket\ns = socket.socket()", ["2 network socket.socket"]),
        ("open('x')", ["1 file open"]),
        ("def open(x): pass\nopen('x')", []),
        ("from pathlib import Path\n(Path('a') / 'b').read_text()", ["2 file pathlib.Path.read_text"]),
        ("from pathlib import Path\nHERE = Path(__file__).parent", []),
        ("import os\nos.environ['A'] = 'b'", ["2 environment os.environ"]),
        ("import os\nos.environ.setdefault('A', 'b')", ["2 environment os.environ"]),
        ("from os import environ\ndel environ['A']", ["2 environment os.environ"]),
        ("import os\nos.environ |= {'A': 'b'}", ["2 environment os.environ"]),
        ("import os\nos.environ['A'] = os.environ['B']", ["2 environment os.environ", "2 environment_read os.environ"]),
        ("import os\nA = os.environ['A']", ["2 environment_read os.environ"]),
        ("import os\nA = os.environ.get('A')", ["2 environment_read os.environ"]),
        ("import os\nA = os.getenv('A')", ["2 environment_read os.getenv"]),
        ("import sys\nsys.path.insert(0, 'x')", ["2 process_state sys.path"]),
        ("import sys\nsys.path[:0] = ['x']", ["2 process_state sys.path"]),
        ("import sys\nsys.excepthook = f", ["2 process_state sys.excepthook"]),
        ("import sys\nprint(sys.path)", []),
        ("import logging\nlogging.basicConfig()", ["2 process_state logging.basicConfig"]),
        ("import logging\nlog = logging.getLogger()", []),
        ("import locale\nlocale.setlocale(locale.LC_ALL)", []),  # asks only
        ("import locale\nlocale.setlocale(locale.LC_ALL, '')", ["2 process_state locale.setlocale"]),
        ("import warnings\nwarnings.simplefilter('error')", ["2 process_state warnings.simplefilter"]),
        ("import warnings\nwith warnings.catch_warnings():\n    warnings.simplefilter('error')", []),  # put back
        ("import warnings as w\ndef f():\n    with w.catch_warnings():\n        w.simplefilter('error')\nf()", []),
        ("import warnings\nwith warnings.catch_warnings(): warnings.simplefilter('error')", []),
        ("import warnings\nwith warnings.catch_warnings():\n    pass\nwarnings.simplefilter('error')",
         ["4 process_state warnings.simplefilter"]),
        ("import atexit\natexit.register(f)", ["2 registration atexit.register"]),
        ("import atexit\n@atexit.register\ndef f(): pass", ["2 registration atexit.register"]),
        ("import asyncio\nasyncio.run(f())", ["2 event_loop asyncio.run"]),
        ("import subprocess\ndef f(): subprocess.run([])", []),
        ("import subprocess\nif __name__ == '__main__':\n    subprocess.run([])", []),
        ("import subprocess\nclass C:\n    x = subprocess.run([])", ["3 subprocess subprocess.run"]),
        ("import subprocess\ndef f(x=subprocess.run([])): pass", ["2 subprocess subprocess.run"]),
        (f"{S}def f():\n    subprocess.run([])\n    subprocess.run([])\nf()", ["5 subprocess subprocess.run"]),
        (f"{S}def f(): subprocess.run([])\nf()\nf()", [f"{line} subprocess subprocess.run" for line in (3, 4)]),
        ("import subprocess\ndef f(): subprocess.run([])\nregister(f)", []),
        (f"{S}class C:\n    def __enter__(self): subprocess.run([])\nc = C()\nwith c: pass",
         ["5 subprocess subprocess.run"]),
        (f"{S}class C:\n    def __exit__(self, *a): subprocess.run([])\nwith C(): pass",
         ["4 subprocess subprocess.run"]),
        (f"{S}class C:\n    def __exit__(self, *a): subprocess.run([])\ndef f():\n    with C(): pass", []),
    ],
)  # fmt: skip
def test_what_an_import_does(text: str, expected: list[str]) -> None:
    assert found(GATE, text) == expected


GENERATOR = f"""\
{S}import collections
def discover():
    subprocess.run([])
    yield 1
def every():
    yield from discover()
class C:
    def walk(self):
        subprocess.run([])
        yield 1
xs, sep = [], ','
"""


@pytest.mark.parametrize(
    "text",
    [
        *(
            "for p in discover(): pass",
            "for i, p in enumerate(discover()): pass",
            "found = discover()\nfor p in found: pass",
        ),
        *(
            "[p for p in discover()]",
            "{p for p in discover()}",
            "{p: 1 for p in discover()}",
            "sum(1 for p in discover())",
        ),
        *("[*discover()]", "print(*discover())", "a, = discover()", "a, b = discover()", "*a, = discover()"),
        *(
            f"{name}(discover())"
            for name in ("list", "tuple", "set", "frozenset", "sorted", "dict", "next", "collections.deque")
        ),
        *(f"{name}(discover())" for name in ("any", "all", "sum", "max", "min", "''.join", "sep.join", "xs.extend")),
        *("list(every())", "for p in C().walk(): pass", "class D:\n    for p in discover(): pass"),
    ],
)
def test_a_generator_runs_where_it_is_gone_through(text: str) -> None:
    (fact,) = scanned(GATE, GENERATOR + text)
    assert fact.target == "subprocess.run"


@pytest.mark.parametrize(
    "text",
    ["discover()", "X = discover()", "X = (p for p in discover())", "def f(): list(discover())", "list(discover)"],
)
def test_a_generator_that_is_only_called_does_nothing(text: str) -> None:
    assert found(GATE, GENERATOR + text) == []


@pytest.mark.parametrize(
    "method",
    [
        *("append", "extend", "insert", "remove", "pop", "popitem", "clear", "update", "setdefault", "sort", "reverse"),
    ],
)
def test_each_way_to_change_what_the_process_shares(method: str) -> None:
    assert found(GATE, f"import sys\nsys.path.{method}(x)") == ["2 process_state sys.path"]


@pytest.mark.parametrize(
    ("text", "target"),
    [
        ("from sqlalchemy import create_engine\ncreate_engine('').connect()", "sqlalchemy.engine.Engine.connect"),
        ("import redis\nredis.Redis().get('')", "redis.Redis.get"),
        ("import redis\nredis.from_url('').ping()", "redis.from_url.ping"),
        ("import boto3\nboto3.client('s3').list_buckets()", "boto3.client.list_buckets"),
        ("from pymongo import MongoClient\nMongoClient('').db.c.find()", "pymongo.MongoClient.db.c.find"),
        ("import docker\nc = docker.DockerClient()\nc.ping()", "docker.DockerClient.ping"),
        ("import psycopg2\npsycopg2.connect('')", "psycopg2.connect"),
        ("import smtplib\nsmtplib.SMTP('')", "smtplib.SMTP"),
    ],
)
def test_what_is_a_way_out_is_one_at_import(text: str, target: str) -> None:
    assert [(fact.kind, fact.target) for fact in scanned(GATE, text)] == [("network", target)]


@pytest.mark.parametrize(
    "text",
    [
        *(
            "import redis\nR = redis.Redis()",
            "import boto3\nC = boto3.client('s3')",
            "import requests\nrequests.session()",
        ),
        "import slack_bolt\napp = slack_bolt.App()\n@app.event('x')\ndef f(): pass",
        "import redis\ndef f(): redis.Redis().get('')",
    ],
)
def test_what_holds_a_door_open_is_none(text: str) -> None:
    assert found(GATE, text) == []


@pytest.mark.parametrize(
    ("text", "target"),
    [
        *((f"logging.getLogger('x').{one}(1)", f"logging.getLogger().{one}") for one in ("setLevel", "addHandler")),
        *((f"logging.getLogger().{one}(1)", f"logging.getLogger().{one}") for one in ("addFilter", "removeHandler")),
        ("log = logging.getLogger(__name__)\nlog.propagate = False", "logging.getLogger().propagate"),
        ("logging.root.handlers.clear()", "logging.root.handlers"),
        ("logging.getLogger().handlers.append(1)", "logging.getLogger().handlers"),
        ("threading.excepthook = f", "threading.excepthook"),
        ("sys.unraisablehook = f", "sys.unraisablehook"),
        ("builtins.print = f", "builtins.print"),
        ("socket.socket = f", "socket.socket"),
        ("socket.socket.connect = f", "socket.socket.connect"),
        ("setattr(socket, 'socket', f)", "socket.socket"),
        ("del socket.socket", "socket.socket"),
        ("delattr(socket, 'socket')", "socket.socket"),
        ("stripe.api_key = 'x'", "stripe.api_key"),
        ("mimetypes.add_type('a', 'b')", "mimetypes.add_type"),
        ("time.tzset()", "time.tzset"),
        ("def patch(): socket.socket = f\npatch()", "socket.socket"),
        ("class C:\n    def __getitem__(self, key): socket.socket = f\nC()['x']", "socket.socket"),
        (
            "class C:\n    def __iter__(self):\n        yield\n        socket.socket = f\nfor x in C(): pass",
            "socket.socket",
        ),
    ],
)
def test_what_all_modules_share_is_changed(text: str, target: str) -> None:
    imports = "import builtins, logging, mimetypes, socket, stripe, sys, threading, time\n"
    assert [(fact.kind, fact.target) for fact in scanned(GATE, imports + text)] == [("process_state", target)]


@pytest.mark.parametrize(
    "text",
    [
        *(
            "logging.getLogger('x').addHandler(logging.NullHandler())",
            "logging.getLogger('x').info('')",
            "class C: pass\nC.x = 1",
        ),
        *("import requests\ns = requests.Session()\ns.x = 1", "def f(): socket.socket = 1", "def f(): pass\nf.x = 1"),
        "import functools, json\nload = functools.partial(json.load, cls=1)\nload.__doc__ = ''",
        *("x = None\nx.y = 1", "def g(m): m.x = 1\n"),
    ],
)
def test_what_one_module_has_is_its_own(text: str) -> None:
    assert found(GATE, f"import logging, socket\n{text}") == []


@pytest.mark.parametrize("maker", ["__init__", "__post_init__", "__attrs_pre_init__", "__attrs_post_init__"])
def test_what_makes_an_instance_runs(maker: str) -> None:
    text = f"import attrs\n@attrs.define\nclass C:\n    def {maker}(self): open('x')\nC()"
    assert found(GATE, text) == ["5 file open"]


def test_a_function_that_is_not_looked_into_hides_no_other_way() -> None:
    files = {
        "conf.py": "import subprocess\ndef get(): run()\ndef run(): subprocess.run([])",
        "m.py": "import conf\ndef other(): get()\ndef get(): conf.run()\nconf.get()\nother()",
    }
    assert len(found(GATE, files)) == 2
    (fact,) = scanned(GATE, files, not_through=["conf.get"])
    assert fact.through == "m.other"


def test_a_way_out_can_be_taken_out_of_the_list() -> None:
    assert found(GATE, "import redis\nredis.Redis().get('')", not_effects=["redis.Redis"]) == []


@pytest.mark.parametrize("method", ["copy", "index", "count", "get", "items"])
def test_a_look_at_what_the_process_shares_is_none(method: str) -> None:
    assert found(GATE, f"import sys\nsys.path.{method}(x)") == []


def test_a_chain_is_told_from_its_first_call_to_the_effect() -> None:
    files = {
        "app/__init__.py": "",
        "app/main.py": "from app.boot import start\nstart()",
        "app/boot.py": "from app import store\ndef start():\n    store.connect()",
        "app/store.py": "import sqlite3\ndef connect():\n    return sqlite3.connect('x')",
    }
    (fact,) = scanned(GATE, files)
    assert (fact.module, fact.site.place(), fact.through) == ("app.main", "app/main.py:2", "app.boot.start")
    assert [call.function for call in fact.calls] == ["app.boot.start", "app.store.connect"]
    assert fact.inner.place() == "app/store.py:3"


def test_of_a_library_that_is_on_a_list_only_what_it_calls_is_an_effect() -> None:
    files = {"redis/__init__.py": "def get(host): pass", "redis/more.py": "import redis\nredis.get('')"}
    assert found(GATE, files) == []


def test_a_named_registry_is_registered_with_and_not_looked_into() -> None:
    files = {
        "reg.py": "def register(f):\n    open('l')\n    return f\nclass Hub:\n    def add(self, f): pass\nhub = Hub()",
        "m.py": "import reg\n@reg.register\ndef f(): pass\nreg.hub.add(f)\ndef g(): reg.register(f)",
    }
    assert found(GATE, files, registries=["reg.register", "reg.Hub.add"]) == [
        "2 registration reg.register",
        "4 registration reg.Hub.add",
    ]


def test_lists_grow_and_shrink_by_the_configuration() -> None:
    text = "import lib, subprocess\nlib.go()\nsubprocess.run([])"
    table = {"also": [{"name": "lib.go", "kind": "thread"}], "not_effects": ["subprocess.run"]}
    assert found(GATE, text, **table) == ["2 thread lib.go"]


def test_a_stub_runs_nothing() -> None:
    assert found(GATE, {"m.pyi": "open('x')"}) == []


@pytest.mark.parametrize(("asked", "expected"), [(False, [True, False]), (True, [False, False])])
def test_reads_of_the_environment_are_judged_where_that_is_asked_for(asked: bool, expected: list[bool]) -> None:
    facts = scanned(GATE, "import os\nos.getenv('A')\nos.putenv('A', 'b')", environment_reads=asked)
    assert [fact.is_listed_only for fact in facts] == expected
