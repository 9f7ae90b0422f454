"""A comment that lets code do something widens the law as an approval does, and its being moved about does not."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.cli.tool import Tool
from tests.guard.laws import GONE, differences, recorded, verdict, widenings
from tests.guard.shop import Shop, violations

Files = Mapping[str, bytes | str]
CONFIGURATION = 'roots = ["src"]\ngates = ["blocking", "effects"]\n'
IGNORE = '# abutment: ignore[ABT701] reason="it is meant"'
BARE = "import time\nasync def f():\n    time.sleep(1)\n"
SAID = 'blocking grants app.a, f, "", ignore[ABT701]: '


def law(code: str, path: str = "src/app/a.py", more: Files | None = None) -> dict[str, bytes | str]:
    """Return a revision with this code."""
    documents = {**recorded("blocking", {}), **recorded("effects", {})}
    return {"abutment.toml": CONFIGURATION, **documents, path: code, **(more or {})}


def commented(comment: str = IGNORE) -> str:
    return BARE.replace("sleep(1)", f"sleep(1)  {comment}")


TWICE = commented() + f"    time.sleep(2)  {IGNORE}\n"
OTHER = BARE + f"async def g():\n    time.sleep(1)  {IGNORE}\n"


@pytest.mark.parametrize(
    ("strict", "loose", "said"),
    [
        (BARE, commented(), f"{SAID}1 instead of 0"),
        (commented(), TWICE, f"{SAID}2 instead of 1"),
        (BARE, OTHER, 'blocking grants app.a, g, "", ignore[ABT701]: 1 instead of 0'),
        (commented(f"{IGNORE} expires=2027-03-01"), commented(f"{IGNORE} expires=2027-04-01"), f"{SAID}ends later"),
        (commented(f"{IGNORE} expires=2027-03-01"), commented(), f"{SAID}ends later: never"),
    ],
)
def test_a_wider_comment_is_seen_and_the_way_back_is_not(strict: str, loose: str, said: str) -> None:
    (found,) = widenings(law(strict), law(loose))
    assert found.startswith(said)
    back = differences(law(loose), law(strict))
    assert (back.widenings, back.narrowing) == ((), 1)


def test_a_comment_that_takes_another_ones_place_elsewhere_is_seen() -> None:
    assert widenings(law(commented()), law(OTHER)) == ['blocking grants app.a, g, "", ignore[ABT701]: 1 instead of 0']


@pytest.mark.parametrize(
    "after",
    [
        commented().replace("import time\n", "import time\n\n\n"),  # another line
        commented('# noqa: X1  # abutment: ignore[ABT701] reason="another"'),
        commented() + "X = 1\n",
        f"{commented()}TEXT = '{IGNORE}'\n",  # text is no comment
    ],
)
def test_what_grants_no_more_is_no_difference(after: str) -> None:
    found = differences(law(commented()), law(after))
    assert (found.widenings, found.narrowing, found.neutral) == ((), 0, 0)


@pytest.mark.parametrize(
    "comment", ["# abutment: ingore[ABT701]", "# abutment: ignore[ABT701]", '# abutment: ignore[ABT9] reason="it"']
)
def test_what_grants_nothing_is_no_widening(comment: str) -> None:
    assert widenings(law(BARE), law(commented(comment))) == []


def test_a_comment_goes_along_with_a_module_that_was_renamed() -> None:
    assert widenings(law(commented()), law(commented(), "src/app/b.py", {"src/app/a.py": GONE})) == []


def test_a_comment_outside_of_what_is_judged_is_none() -> None:
    assert widenings(law(BARE), law(BARE, more={"scripts/x.py": commented()})) == []


def test_the_comment_is_shown_where_it_stands() -> None:
    (violation,) = verdict(law(BARE), law(commented())).violations
    assert (violation.rule, violation.sites[0].place()) == ("ABT952", "src/app/a.py:3")


def test_a_branch_that_grants_itself_a_call_by_a_comment_is_red(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shop = Shop.under_law(Tool(tmp_path, capsys), CONFIGURATION, {"src/shop/jobs.py": "import time\n"})
    shop.branch()
    shop.write({"src/shop/jobs.py": commented()})
    shop.commit("let me")
    assert shop.tool("check").status == 0, "the gate itself holds"
    answer = shop.guard()
    assert answer.status == 1
    assert violations(answer) == ['blocking grants shop.jobs, f, "", ignore[ABT701]: 1 instead of 0']
    shop.amend()
    assert shop.guard().status == 0
