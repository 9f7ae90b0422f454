"""`move` of functions, classes and methods, and the moves that `--propose` prints."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.tool import Answer, Tool, git, repository

CONFIG = """\
roots = ["app"]
gates = ["egress", "boundaries"]

[[contracts]]
id = "layers"
kind = "layers"
layers = ["app.top", "app.low"]
"""
CALLS = """\
import app.top
import requests


def fetch():
    return requests.get("a")


class Client:
    def get(self):
        return requests.get("b"), requests.post("c")

    def put(self):
        return requests.put("d")
"""


@pytest.fixture
def app(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Tool:
    tool = Tool(tmp_path, capsys)
    tool.write({"abutment.toml": CONFIG, "app/__init__.py": "", "app/top.py": "", "app/low/__init__.py": ""})
    tool.write({"app/low/calls.py": CALLS, "app/low/other.py": "", "app/low/more.py": "import app.top\n"})
    assert tool("init").status == 0
    assert tool("check").status == 0
    return tool


def rewritten(tool: Tool, *changes: tuple[str, str]) -> None:
    text = (tool.root / "app/low/calls.py").read_text()
    for before, after in changes:
        assert before in text
        text = text.replace(before, after)
    tool.write({"app/low/calls.py": text})


@pytest.mark.parametrize(
    ("changes", "old", "new", "moved"),
    [
        ([("def fetch", "def load")], "fetch", "load", 1),
        ([("def get", "def read")], "Client.get", "Client.read", 2),
        ([("class Client", "class Api")], "Client", "Api", 3),
        ([("def fetch", "async def load")], "fetch", "load", 1),
    ],
)
def test_a_definition_under_another_name_takes_its_debt_along(
    app: Tool, changes: list[tuple[str, str]], old: str, new: str, moved: int
) -> None:
    rewritten(app, *changes)
    assert app("check").status == 1
    words = ("move", f"app.low.calls.{old}", f"app.low.calls.{new}")
    assert app("move", "--propose").out == f"abutment {' '.join(words)}    # egress: {facts(moved)} moved.\n"
    answer = app(*words)
    assert answer.status == 0, answer.err
    assert answer.out.startswith(f"egress: {facts(moved)} moved.\n")
    assert app("check").status == 0
    assert app("receipts", "verify").status == 0
    assert app(*words).status == 2  # a second time there is nothing


def facts(number: int) -> str:
    return f"{number} fact" + ("s" if number > 1 else "")


def test_a_function_moved_to_another_module_takes_its_debt_along_and_leaves_that_of_the_import(app: Tool) -> None:
    function = CALLS[CALLS.index("def fetch") : CALLS.index("class Client")]
    rewritten(app, (function, ""))
    app.write({"app/low/other.py": "import requests\n\n\n" + function})
    proposed = app("move", "--propose").out
    assert "abutment move app.low.calls.fetch app.low.other.fetch    # egress: 1 fact moved.\n" in proposed
    assert app("move", "app.low.calls.fetch", "app.low.other.fetch").status == 0
    red = app("check")
    assert red.status == 1
    told = [line for line in red.out.splitlines() if "ABT" in line]
    assert len(told) == 1 and "new: app.low.other imports requests" in told[0], "a second way in is new"


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("fetch", "gone", "there is no module app.low.calls.gone, and no function or class of that name."),
        ("fetch", "Client.get", "app.low.calls.fetch is still there, so it has not become app.low.calls.Client.get."),
        ("lost", "fetch", "nothing recorded for app.low.calls.lost is in the code under app.low.calls.fetch"),
    ],
)
def test_what_has_not_moved_is_refused(app: Tool, old: str, new: str, message: str) -> None:
    before = app.documents()
    answer = app("move", f"app.low.calls.{old}", f"app.low.calls.{new}")
    assert answer.status == 2
    assert message in answer.err
    assert app.documents() == before


def test_an_approval_of_a_function_that_moved_is_left_to_a_person(app: Tool) -> None:
    app.write({"app/low/more.py": 'import requests\n\n\ndef f():\n    return requests.get("a")\n'})
    draft = app("draft", "egress").out
    app.write({"fixtures/architecture/egress.toml": draft.replace('= ""', '= "said by a person"')})
    policy = (app.root / "fixtures/architecture/egress.toml").read_text()
    app.write({"app/low/more.py": 'import requests\n\n\ndef g():\n    return requests.get("a")\n'})
    answer = app("move", "app.low.more.f", "app.low.more.g")
    assert answer.status == 0, answer.err
    assert 'qualname = "f" becomes "g".' in answer.out
    assert (app.root / "fixtures/architecture/egress.toml").read_text() == policy


def test_nothing_is_proposed_where_nothing_has_moved(app: Tool) -> None:
    answer = app("move", "--propose")
    assert (answer.status, answer.out) == (0, "Nothing recorded looks as if it had moved.\n")


@pytest.mark.parametrize("words", [(), ("a",), ("a", "b", "--propose"), ("a", "b", "--against", "HEAD")])
def test_a_move_takes_two_names_or_proposes(app: Tool, words: tuple[str, ...]) -> None:
    answer = app("move", *words)
    assert answer.status == 2
    assert "give OLD and NEW, or --propose" in answer.err


# ---- what git calls renamed


def renamed(app: Tool) -> Answer:
    """Rename the package in a repository and change what its modules are about, so that only git can tell."""
    repository(app.root)
    git(app.root, "mv", "app/low", "app/base")
    text = (app.root / "abutment.toml").read_text().replace("app.low", "app.base")
    app.write({"abutment.toml": text})
    return app("move", "--propose")


def test_a_renamed_package_is_proposed_as_one_move(app: Tool) -> None:
    answer = renamed(app)
    lines = answer.out.splitlines()
    assert (answer.status, len(lines)) == (0, 1), answer
    assert lines[0].startswith("abutment move app.low app.base    # ")
    before = app.documents()
    assert app(*lines[0].partition("    #")[0].split()[1:]).status == 0
    assert app.documents() != before
    assert app("check").status == 0


def test_a_rename_on_a_branch_is_proposed_against_where_it_parted(app: Tool) -> None:
    repository(app.root)
    git(app.root, "checkout", "-q", "-b", "feature")
    git(app.root, "mv", "app/low/more.py", "app/low/less.py")
    git(app.root, "mv", "app/low/calls.py", "app/low/ways.py")
    git(app.root, "commit", "-q", "-m", "rename")
    git(app.root, "checkout", "-q", "main")
    app.write({"app/top.py": "VALUE = 1\n"})
    git(app.root, "commit", "-q", "-a", "-m", "meanwhile")
    git(app.root, "checkout", "-q", "feature")
    lines = app("move", "--propose", "--against", "main").out.splitlines()
    assert [line.partition("    #")[0] for line in lines] == [
        "abutment move app.low.calls app.low.ways",
        "abutment move app.low.more app.low.less",
    ]
    for line in lines:
        assert app(*line.partition("    #")[0].split()[1:]).status == 0
    assert app("check").status == 0


@pytest.mark.parametrize(
    ("files", "said"),
    [
        (
            {"app/bad.py": "def ("},
            "not judged: egress: move needs the whole judged, and this is not:\nnot judged: app/bad",
        ),
        ({"abutment.toml": CONFIG.replace("app.low", "app.gone")}, "not judged: abutment.toml:"),
    ],
)
def test_what_could_not_be_tried_is_not_said_to_have_stayed(app: Tool, files: dict[str, str], said: str) -> None:
    repository(app.root)
    git(app.root, "mv", "app/low/calls.py", "app/low/ways.py")
    app.write(files)
    answer = app("move", "--propose")
    assert (answer.status, answer.out) == (2, "")
    assert said in answer.err


def test_a_proposal_against_what_git_does_not_know_is_not_judged(app: Tool) -> None:
    assert app("move", "--propose", "--against", "main").status == 2
    repository(app.root)
    answer = app("move", "--propose", "--against", "nowhere")
    assert answer.status == 2
    assert "git does not know a commit 'nowhere'" in answer.err


def test_proposing_writes_nothing(app: Tool) -> None:
    before = app.documents()
    renamed(app)
    assert app.documents() == before
