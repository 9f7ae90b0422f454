"""Comments beside uses, through the whole tool: written, listed, run out, paid for, slipped in."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.tool import Tool, repository

CONFIGURATION = 'roots = ["shop"]\ngates = ["blocking", "effects"]\n'
IGNORE = '# abutment: ignore[ABT701] reason="the loop serves nobody yet"'
CODE = "import time\n\n\nasync def start():\n    time.sleep(1){comment}\n"


@pytest.fixture
def shop(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Tool:
    """A project with one blocking call, which is recorded."""
    tool = Tool(tmp_path, capsys)
    write(tool, "")
    assert tool("init").status == 0
    return tool


def write(tool: Tool, comment: str) -> None:
    code = CODE.format(comment=f"  {comment}" if comment else "")
    tool.write({"abutment.toml": CONFIGURATION, "shop/__init__.py": "", "shop/jobs.py": code})


def test_a_comment_takes_the_place_of_recorded_debt(shop: Tool) -> None:
    write(shop, IGNORE)
    checked = shop("check")
    assert checked.status == 1
    assert "blocking.jsonl:2: ABT701 blocking: gone: " in checked.out or "shrunk" in checked.out
    tightened = shop("tighten")
    assert "blocking: 1 fact in 1 entry now held by an approval." in tightened.out
    assert shop("check").status == 0
    write(shop, "")
    assert "shop/jobs.py:5: ABT701 blocking: new: " in shop("check").out


def test_debt_that_was_paid_does_not_return_by_a_comment(shop: Tool) -> None:
    shop.write({"shop/jobs.py": ""})
    assert shop("tighten").status == 0
    write(shop, IGNORE)
    checked = shop("check")
    assert checked.status == 1
    assert "shop/jobs.py:5: ABT701 blocking: returned: " in checked.out
    assert "the comment shop/jobs.py:5 does not count: it lifts nothing." in checked.out


def test_init_records_nothing_that_a_comment_grants(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tool = Tool(tmp_path, capsys)
    write(tool, IGNORE)
    assert "blocking: 0 facts recorded in 0 entries." in tool("init").out
    assert tool("check").status == 0


@pytest.mark.parametrize(
    ("expires", "status", "said"),
    [
        ("2027-01-01", 0, "warning: shop/jobs.py:5: blocking: the comment for module shop.jobs"),
        ("2026-12-31", 1, "shop/jobs.py:5: ABT701 blocking: expired: "),
    ],
)
def test_a_comment_holds_up_to_and_including_its_day(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], expires: str, status: int, said: str
) -> None:
    tool = Tool(tmp_path, capsys)
    write(tool, f"{IGNORE} expires={expires}")
    assert tool("init").status == 0
    checked = tool("check")
    assert checked.status == status
    assert said in checked.out


def test_a_comment_without_a_use_is_gone_where_it_stands(shop: Tool) -> None:
    write(shop, "")
    shop.write({"shop/other.py": f"x = 1  {IGNORE}\n"})
    checked = shop("check", "--stale", "fail")
    assert checked.status == 1
    assert "shop/other.py:1: ABT701 blocking: gone: shop.other ignores ABT701 where no use of it begins" in checked.out
    assert shop("check", "--stale", "warn").status == 0
    assert shop("explain", "ABT701").status == 0


@pytest.mark.parametrize(
    ("comment", "said", "gates"),
    [
        ("# abutment: ingore[ABT701]", "`# abutment: ingore[ABT701]` is not understood. Write", "blocking, effects"),
        ("# abutment: ignore[ABT701]", "reason is missing. Write", "blocking"),
        ('# abutment: ignore[ABT999] reason="it is"', "there is no rule ABT999.", "blocking, effects"),
    ],
)
def test_a_comment_that_is_wrong_is_never_softened(shop: Tool, comment: str, said: str, gates: str) -> None:
    write(shop, comment)
    for words in (("check",), ("check", "--exit-zero"), ("check", "--stale", "warn")):
        checked = shop(*words)
        assert checked.status == 2
        assert f"shop/jobs.py:5: not judged: {said}" in checked.out
        assert f"({gates})" in checked.out
    assert shop("tighten").status == 2


def test_a_rule_that_cannot_be_ignored_in_place_leaves_its_gate_unjudged(shop: Tool) -> None:
    shop.write({"abutment.toml": 'roots = ["shop"]\ngates = ["cycles"]\n', "shop/jobs.py": ""})
    assert shop("init", "cycles").status == 0
    shop.write({"shop/jobs.py": 'import time  # abutment: ignore[ABT201] reason="it is meant"\n'})
    checked = shop("check")
    assert checked.status == 2
    assert "shop/jobs.py:1: not judged: ABT201 (cycles) cannot be ignored in place. Delete the comment" in checked.out


def test_a_comment_for_a_gate_that_is_off_is_told(shop: Tool) -> None:
    write(shop, "")
    shop.write({"shop/other.py": 'print()  # abutment: ignore[ABT501] reason="it is meant"\n'})
    checked = shop("check")
    assert checked.status == 0
    assert (
        "notice: no gate that is switched on reads all of what `# abutment: …` says at shop/other.py:1." in checked.out
    )


def test_a_comment_for_a_gate_that_is_on_and_not_asked_is_no_news(shop: Tool) -> None:
    write(shop, IGNORE)
    assert "notice" not in shop("check", "effects").out


def test_list_shows_every_comment_and_whether_it_is_used(shop: Tool) -> None:
    write(shop, f"{IGNORE} expires=2027-06-30")
    shop.write(
        {
            "CODEOWNERS": "shop/other.py @org/core\n",
            "shop/other.py": (
                'x = 1  # abutment: ignore[ABT701, ABT501] reason="it is meant"\n'
                "y = 2  # abutment: ignore[ABT301, ABT9]\n"
                "z = 3  # abutment: off\n"
            ),
        }
    )
    listed = shop("list", "--suppressions")
    assert listed.out.splitlines() == [
        "shop/jobs.py:5: ABT701 (1 use), until 2027-06-30: the loop serves nobody yet",
        "shop/other.py:1: ABT701 (unused), ABT501 (not judged): it is meant [@org/core]",
        "shop/other.py:2: ABT301 (not judged), ABT9 (not judged): [@org/core] Wrong: reason is missing. "
        "ABT301 (boundaries) cannot be ignored in place. there is no rule ABT9.",
        "shop/other.py:3: no rule: [@org/core] Wrong: `# abutment: off` is not understood.",
    ]
    assert listed.status == 2
    assert shop("list", "suppressions").out == listed.out
    document = json.loads(shop("list", "--suppressions", "--format", "json").out)
    assert document["schema"] == 1
    assert document["suppressions"][0] == {
        "path": "shop/jobs.py",
        "line": 5,
        "scope": "start",
        "rules": [{"rule": "ABT701", "gate": "blocking", "uses": 1}],
        "reason": "the loop serves nobody yet",
        "expires": "2027-06-30",
        "owners": [],
        "faults": [],
    }
    assert document["suppressions"][1]["rules"][1] == {"rule": "ABT501", "gate": "bans", "uses": None}


def test_list_ends_with_0_where_nothing_is_wrong(shop: Tool) -> None:
    write(shop, IGNORE)
    assert shop("list", "--suppressions").status == 0
    assert shop("list", "rules", "--format", "json").status == 2


def test_only_a_change_that_touches_it_shows_what_a_comment_no_longer_grants(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shop = Tool(tmp_path, capsys)
    write(shop, f"{IGNORE} expires=2026-12-01")
    shop.write({"shop/other.py": ""})
    assert shop("init").status == 0
    repository(shop.root)
    shop.write({"shop/other.py": "x = 1\n"})
    narrowed = shop("check", "--changed", "main")
    assert (narrowed.status, "ABT701" in narrowed.out) == (0, False)
    write(shop, f"{IGNORE} expires=2026-12-02")
    narrowed = shop("check", "--changed", "main")
    assert (narrowed.status, "expired: " in narrowed.out) == (1, True)


def test_a_fact_says_which_comment_grants_it(shop: Tool) -> None:
    write(shop, IGNORE)
    assert shop("tighten").status == 0
    facts = json.loads(shop("facts", "blocking", "--format", "json").out)
    told = shop("explain", facts["facts"][0]["fingerprint"]).out
    assert "granted 1 by shop/jobs.py:5 (a comment: the loop serves nobody yet)" in told


def test_a_comment_that_grants_nothing_is_explained_by_its_fingerprint(shop: Tool) -> None:
    write(shop, "")
    shop.write({"shop/other.py": f"x = 1  {IGNORE}\n"})
    gates = json.loads(shop("check", "--format", "json").out)["gates"]
    (unused,) = (one for gate in gates for one in gate["violations"])
    told = shop("explain", unused["fingerprint"][:12])
    assert told.status == 0, told.err
    assert "shop.other ignores ABT701 where no use of it begins or ends." in told.out
    assert "The code has 0; 1 granted.\n  granted 1 by shop/other.py:1\nWhat to do: Delete it, or write it" in told.out


def test_a_comment_that_is_wrong_covers_nothing_in_the_list(shop: Tool) -> None:
    write(shop, "# abutment: ignore[ABT701]")
    assert shop("list", "--suppressions").out == "shop/jobs.py:5: ABT701 (not judged): Wrong: reason is missing.\n"
