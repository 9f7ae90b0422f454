"""What ruff finds is held by function, and nothing that only looks like a payment is one. Played with ruff itself."""

from __future__ import annotations

import json
import os
import stat
import sys
from pathlib import Path

import pytest

from tests.cli.tool import Answer, Tool, repository

OFF = 'roots = ["shop"]\ngates = ["lint"]\n'
RUFF = '[lint]\nselect = ["F", "E7"]\n'
CODE = "import os\n\n\ndef f():\n    l = 1\n    return l\n"


@pytest.fixture
def tool(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Tool:
    """A project with two diagnostics that are recorded."""
    (tmp_path / "project").mkdir()
    found = Tool(tmp_path / "project", capsys)
    found.write({"abutment.toml": OFF, "ruff.toml": RUFF, "shop/__init__.py": "", "shop/cart.py": CODE})
    assert found("init").status == 0
    return found


def told(answer: Answer) -> list[str]:
    """Return what is told of the code, one line a violation."""
    return [line.split(": ABT021 lint: ")[1].split(",")[0] for line in answer.out.splitlines() if "ABT021" in line]


def entries(tool: Tool) -> list[tuple[str, str, str, int]]:
    lines = tool.documents()["lint.jsonl"].decode().splitlines()[1:]
    return [(e["module"], e["qualname"], e["code"], e["count"]) for e in map(json.loads, lines)]


def refused(tool: Tool, piece: str) -> None:
    """The gate is not judged, and no verb writes anything."""
    before = tool.documents()
    for words in (["check"], ["tighten"], ["check", "--stale=warn"]):
        answer = tool(*words)
        assert answer.status == 2
        assert piece in answer.out + answer.err
    assert tool.documents() == before


def test_moved_lines_are_the_same_debt_and_another_function_is_not(tool: Tool) -> None:
    assert entries(tool) == [("shop.cart", "<module>", "F401", 1), ("shop.cart", "f", "E741", 1)]
    tool.write({"shop/cart.py": f"# moved\n\n{CODE}"})
    assert tool("check").status == 0
    tool.write({"shop/cart.py": CODE.replace("def f", "def g")})
    assert [line.split(":")[0] for line in told(tool("check"))] == ["gone", "new"]


def test_one_thing_does_not_take_the_place_of_another_of_its_code(tool: Tool) -> None:
    tool.write({"shop/cart.py": CODE.replace("import os", "import sys")})
    answer = tool("check")
    assert answer.status == 1
    assert "new: shop.cart has F401: `sys` imported but unused" in answer.out
    assert tool("tighten").status == 2


def test_a_payment_is_recorded_and_a_growth_is_not(tool: Tool) -> None:
    tool.write({"shop/cart.py": CODE.replace("import os\n", "")})
    assert tool("check").status == 1
    assert tool("tighten").status == 0
    assert tool("check").status == 0
    assert entries(tool) == [("shop.cart", "f", "E741", 1)]
    tool.write({"shop/cart.py": CODE})
    assert told(tool("check")) == ["new: shop.cart has F401: `os` imported but unused"]


def test_a_move_carries_it_along(tool: Tool) -> None:
    (tool.root / "shop" / "cart.py").rename(tool.root / "shop" / "basket.py")
    assert tool("check").status == 1
    assert tool("move", "shop.cart", "shop.basket").status == 0
    assert tool("check").status == 0


def test_another_rule_is_recorded_anew_and_nothing_that_came_with_it(tool: Tool) -> None:
    worse = CODE + "\n\ndef g(a):\n    if a == None:\n        pass\n    print(f'')\n"
    tool.write({"shop/cart.py": worse, "ruff.toml": '[lint]\nselect = ["F", "E7", "PIE", "RUF100"]\n'})
    refused(tool, "rules is now with PIE")
    assert tool("init", "lint", "--again").status == 2  # not without a reason
    assert tool("init", "lint", "--again", "--reason", "PIE is on now").status == 0
    left = [line.split(": ", 1)[1] for line in told(tool("check"))]
    assert left == ["shop.cart", "shop.cart"]  # E711 and F541 were on before
    assert {code for _module, _qualname, code, _count in entries(tool)} == {"F401", "E741"}


def test_narrowing_the_rules_is_no_payment(tool: Tool) -> None:
    tool.write({"ruff.toml": '[lint]\nselect = ["E7"]\n'})
    refused(tool, "rules is now without F401")


@pytest.mark.parametrize(
    ("path", "text", "piece"),
    [
        ("ruff.toml", f'{RUFF}per-file-ignores = {{ "shop/*" = ["F401"] }}\n', "settings was"),
        ("ruff.toml", f"line-length = 200\n{RUFF}", "settings was"),
        ("ruff.toml", f'exclude = ["shop/cart.py"]\n{RUFF}', "settings was"),
        ("shop/ruff.toml", '[lint]\nselect = ["E7"]\n', "rules in shop is"),
        ("abutment.toml", f'{OFF}[lint]\ntargets = ["shop/__init__.py"]\n', "targets was ., and is shop/__init__.py"),
        ("abutment.toml", f"{OFF}[lint]\nignore_noqa = true\n", "noqa was heard, and is ignored"),
        (".gitignore", "shop/cart.py\n", "no longer looks where this was recorded"),
        ("shop/bad.py", "def f(:\n", "bad.py"),
        ("ruff.toml", "frob = 1\n", "unknown field `frob`"),
        ("ruff.toml", 'required-version = ">=99"\n', "Required version"),
        ("abutment.toml", f'{OFF}[lint]\ncommand = ["/no/such/ruff"]\n', "cannot be run"),
        ("abutment.toml", f'{OFF}[lint]\ninput = "gone.json"\n', "cannot be read"),
    ],
)
def test_what_finds_less_is_not_judged(tool: Tool, path: str, text: str, piece: str) -> None:
    if path == ".gitignore":
        repository(tool.root)
        (tool.root / ".git" / "index").unlink()  # nothing is tracked any more
    tool.write({path: text})
    refused(tool, piece)


def test_a_file_that_is_looked_at_no_more_can_be_let_go_with_a_reason(tool: Tool) -> None:
    repository(tool.root)
    (tool.root / ".git" / "index").unlink()
    tool.write({".gitignore": "shop/cart.py\n"})
    assert tool("init", "lint", "--again", "--reason", "It is generated now.").status == 0
    assert entries(tool) == []
    assert tool("check").status == 0


def test_a_file_that_is_gone_is_a_payment(tool: Tool) -> None:
    (tool.root / "shop" / "cart.py").unlink()
    assert tool("tighten").status == 0
    assert entries(tool) == []


def test_ruff_mends_and_leaves_nothing_in_the_tree(tool: Tool) -> None:
    tool.write({"ruff.toml": f"fix = true\nfix-only = true\nunsafe-fixes = true\noutput-format = 'full'\n{RUFF}"})
    before = sorted(path for path in tool.root.rglob("*") if path.is_file())
    assert tool("check").status == 0
    assert (tool.root / "shop" / "cart.py").read_text("utf-8") == CODE
    assert sorted(path for path in tool.root.rglob("*") if path.is_file()) == before


def test_an_output_that_is_led_elsewhere_is_not(tool: Tool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RUFF_OUTPUT_FILE", str(tool.root / "out.json"))
    monkeypatch.setenv("RUFF_OUTPUT_FORMAT", "concise")
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert tool("check").status == 0
    assert not (tool.root / "out.json").exists()


def test_what_was_printed_elsewhere_pays_nothing_before_it_is_said_where(tool: Tool) -> None:
    row = {"code": "F401", "message": "`os` imported but unused", "location": {"row": 1, "column": 8}}
    printed = json.dumps([{**row, "filename": "/srv/ci/checkout/shop/cart.py"}])
    tool.write({"lint.json": printed, "abutment.toml": f"{OFF}[lint]\ninput = 'lint.json'\n"})
    refused(tool, "lint names a file outside of the project: /srv/ci/checkout/shop/cart.py. Say with `input_root`")
    tool.write({"abutment.toml": f"{OFF}[lint]\ninput = 'lint.json'\ninput_root = '/srv/ci/checkout'\n"})
    assert told(tool("check")) == ["gone: shop.cart"]


def test_noqa_is_the_projects_own_unless_it_is_to_be_left_unheard(tool: Tool) -> None:
    tool.write({"shop/cart.py": CODE.replace("import os", "import os  # noqa: F401")})
    assert told(tool("check"))[0].startswith("gone: shop.cart has F401")
    tool.write({"abutment.toml": f"{OFF}[lint]\nignore_noqa = true\n"})
    assert tool("init", "lint", "--again", "--reason", "noqa hides too much").status == 0
    assert tool("check").status == 0


FAKE = """#!{python}
import os, signal, subprocess, sys
{act}
sys.exit(subprocess.run([{ruff!r}, *sys.argv[1:]]).returncode)
"""
# An older ruff, which called TC001 by its old name.
OLDER = """ended = subprocess.run([{ruff!r}, *sys.argv[1:]], stdout=subprocess.PIPE, text=True)
print(ended.stdout.replace("TC001", "TCH001"), end="")
sys.exit(ended.returncode)"""
on_posix = pytest.mark.skipif(os.name != "posix", reason="elsewhere such a script is no program")


def fake(tool: Tool, act: str) -> str:
    """Return the path of a program that is ruff, but for what it does first."""
    ruff, path = str(Path(sys.executable).parent / "ruff"), tool.root.parent / "another-ruff"
    path.write_text(FAKE.format(python=sys.executable, act=act.replace("{ruff!r}", repr(ruff)), ruff=ruff), "utf-8")
    path.chmod(path.stat().st_mode | stat.S_IEXEC)
    return str(path)


@on_posix
def test_a_rule_that_only_has_another_name_is_no_new_debt(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "project").mkdir()
    tool = Tool(tmp_path / "project", capsys)
    code = "from __future__ import annotations\nfrom shop import b\n\n\ndef f(a: b.C): ...\n"
    old = f'{OFF}[lint]\ncommand = ["{fake(tool, OLDER)}"]\n'
    tool.write(
        {"ruff.toml": '[lint]\nselect = ["TC001"]\n', "shop/__init__.py": "", "shop/a.py": code, "shop/b.py": ""}
    )
    tool.write({"abutment.toml": old})
    assert tool("init").status == 0
    assert [code for _module, _qualname, code, _count in entries(tool)] == ["TCH001"]

    tool.write({"abutment.toml": OFF})
    assert tool("check").status == 2
    answer = tool("init", "lint", "--again", "--reason", "ruff is newer")
    assert "0 facts more and 0 facts fewer" in answer.out
    assert tool("check").status == 0
    tool.write({"shop/a.py": code + "\n\ndef g(a: b.D): ...\n"})
    assert tool("check").status == 0  # one import, said once of the module
    tool.write({"shop/a.py": code.replace("import b", "import b, c"), "shop/c.py": ""})
    assert tool("check").status == 0
    tool.write({"shop/a.py": code.replace("import b", "import b, c") + "\n\ndef g(a: c.D): ...\n"})
    assert told(tool("check")) == ["new: shop.a has TC001: Move application import `shop.c` into a type-checking block"]


@pytest.mark.parametrize(
    ("act", "piece"),
    [
        ("os.kill(os.getpid(), signal.SIGKILL)", "killed by SIGKILL"),
        ("os.kill(os.getpid(), signal.SIGSEGV)", "killed by SIGSEGV"),
        ("sys.exit(0)", "nothing at all"),
        ("sys.exit(1)", "nothing at all"),
        ("print('[]'); sys.exit(1)", "status 1 and shows 0"),
        ("print('[', flush=True); os.kill(os.getpid(), signal.SIGTERM)", "killed by SIGTERM"),
        ("import time; time.sleep(60)", "did not end within 2 seconds"),
        ("print('[]'); sys.stderr.write('thread panicked at src/main.rs'); sys.exit(0)", "panicked"),
    ],
)
@on_posix
def test_a_ruff_that_dies_on_the_way_is_not_judged(tool: Tool, act: str, piece: str) -> None:
    command = fake(tool, f'if "--output-format" in sys.argv:\n    {act}')
    tool.write({"abutment.toml": f'{OFF}[lint]\nseconds = 2\ncommand = ["{command}"]\n'})
    before = tool.documents()
    answer = tool("check")
    assert answer.status == 2
    assert piece in answer.out
    assert tool.documents() == before


def test_facts_are_listed_by_code(tool: Tool) -> None:
    rows = json.loads(tool("facts", "lint", "--sites", "--format", "json").out)["sites"]
    assert [(row["kind"], row["path"], row["line"], row["scope"]) for row in rows] == [
        ("F401", "shop/cart.py", 1, "<module>"),
        ("E741", "shop/cart.py", 5, "f"),
    ]
