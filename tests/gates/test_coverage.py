"""Uncovered code may only become less, and what is not measured any more is no progress."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.cli.tool import Answer, Tool, git, repository
from tests.coverage_reports import coverage_json

TILL = "def total(rows):\n    if rows:\n        return sum(rows)\n    return 0\n"
CONFIGURATION = 'roots = ["."]\nexclude = ["tests/"]\ngates = ["coverage"]\n'


class Shop:
    """A package `shop` with a report beside it."""

    def __init__(self, tool: Tool) -> None:
        self.tool = tool
        self.write({"abutment.toml": CONFIGURATION, "shop/__init__.py": "", "shop/till.py": TILL})

    def write(self, files: Mapping[str, str]) -> None:
        self.tool.write(files)

    def configure(self, text: str) -> None:
        self.write({"abutment.toml": f"{CONFIGURATION}[coverage]\n{text}"})

    def report(self, files: Mapping[str, str], *, branches: bool = False, version: str = "7.17.5") -> None:
        every = {"shop/__init__.py": "", **files}
        self.write({"coverage.json": coverage_json(every, branches=branches, version=version)})

    def init(self, *words: str) -> Answer:
        return self.tool("init", "coverage", *words)

    def check(self) -> Answer:
        return self.tool("check")

    def tighten(self) -> Answer:
        return self.tool("tighten")

    def baseline(self) -> str:
        return self.tool.documents()["coverage.jsonl"].decode()


@pytest.fixture
def shop(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Shop:
    return Shop(Tool(tmp_path, capsys))


@pytest.fixture
def recorded(shop: Shop) -> Shop:
    """Return the shop with one uncovered statement recorded."""
    shop.report({"shop/till.py": "1 2 3 !4"})
    assert shop.init().status == 0
    assert shop.check().status == 0
    return shop


# ---- the ratchet


def test_more_is_broken_and_less_has_to_be_recorded(recorded: Shop) -> None:
    before = recorded.tool.documents()
    recorded.report({"shop/till.py": "1 2 !3 !4"})
    worse = recorded.check()
    assert worse.status == 1
    assert "shop/till.py:3: ABT041 coverage: grown from 1 to 2: shop has statements that no test runs" in worse.out
    assert "    shop/till.py: lines 3-4.\n" in worse.out
    assert recorded.tighten().status == 2
    assert recorded.tool.documents() == before

    recorded.report({"shop/till.py": "1 2 3 4"})
    assert "ABT041 coverage: gone" in recorded.check().out
    assert recorded.tighten().status == 0
    assert recorded.check().status == 0
    recorded.report({"shop/till.py": "1 2 3 !4"})
    assert recorded.check().status == 1


def test_a_line_that_moves_is_the_same_debt(recorded: Shop) -> None:
    recorded.write({"shop/till.py": f'"""Money."""\n\n{TILL}'})
    recorded.report({"shop/till.py": "3 4 5 !6"})
    assert recorded.check().status == 0


def test_deleting_covered_code_is_no_debt_and_adding_some_hides_none(recorded: Shop) -> None:
    """A ratio would be red in the first case, and green in the second."""
    recorded.write({"shop/till.py": "def total(rows):\n    return 0\n"})
    recorded.report({"shop/till.py": "1 !2"})
    assert recorded.check().status == 0
    recorded.write({"shop/till.py": "X = 1\n" * 50})
    recorded.report({"shop/till.py": " ".join(map(str, range(1, 49))) + " !49 !50"})
    assert "grown from 1 to 2" in recorded.check().out


def test_statements_and_branches_do_not_pay_for_each_other(shop: Shop) -> None:
    shop.report({"shop/till.py": "1 2>3 !2>4 2 3 !4"}, branches=True)
    assert shop.init().status == 0
    shop.report({"shop/till.py": "1 !2>3 !2>4 2 3 4"}, branches=True)
    said = shop.check()
    assert said.status == 1
    assert "ABT042 coverage: grown from 1 to 2: shop has branches that no test takes" in said.out


def test_files_without_a_statement_are_neither_falls_nor_rises(recorded: Shop) -> None:
    recorded.write({"shop/empty.py": "", "shop/words.py": '"""Words."""\n# and more of them\n'})
    assert recorded.check().status == 0
    recorded.report({"shop/till.py": "1 2 3 !4", "shop/empty.py": "", "shop/words.py": ""})
    assert recorded.check().status == 0


# ---- what is not measured


def test_a_file_that_vanishes_from_the_report_is_broken(recorded: Shop) -> None:
    recorded.write({"shop/never.py": "X = 1\n"})
    said = recorded.check()
    assert said.status == 1
    assert "shop/never.py: ABT043 coverage: new: shop.never has statements and was not measured" in said.out


def test_a_file_that_was_never_measured_is_debt_of_its_own(shop: Shop) -> None:
    shop.write({"shop/never.py": "X = 1\n"})
    shop.report({"shop/till.py": "1 2 3 4"})
    assert shop.init().status == 0
    assert '"measure": "unmeasured", "module": "shop.never", "count": 1' in shop.baseline()
    (shop.tool.root / "shop/never.py").rename(shop.tool.root / "shop/again.py")
    said = shop.check()
    assert "shop/again.py: ABT043 coverage: new" in said.out
    assert "ABT043 coverage: gone: shop.never" in said.out
    assert shop.tool("move", "shop.never", "shop.again").status == 0
    assert shop.check().status == 0
    (shop.tool.root / "shop/again.py").unlink()
    assert shop.tighten().status == 0
    assert shop.check().status == 0


def test_an_approval_grants_an_unmeasured_file(recorded: Shop) -> None:
    recorded.write({"shop/never.py": "X = 1\n"})
    drafted = recorded.tool("draft", "coverage")
    text = drafted.out.replace('owner = ""', 'owner = "shop"').replace('reason = ""', 'reason = "Run by hand."')
    text = text.replace('class = "debt"', 'class = "exception"').replace('tracking = ""\n', "")
    recorded.write({"fixtures/architecture/coverage.toml": text})
    assert recorded.check().status == 0


def test_tests_and_what_is_excluded_are_not_asked_for(recorded: Shop) -> None:
    recorded.write({"tests/test_till.py": "X = 1\n", "shop/scripts.py": "X = 1\n"})
    recorded.configure('exclude = ["shop.scripts"]\n')
    assert recorded.check().status == 0


# ---- groups


def test_each_top_level_package_is_a_group_unless_a_group_takes_it(shop: Shop) -> None:
    shop.write({"stock/__init__.py": "", "stock/count.py": "X = 1\n", "shop/deep/__init__.py": "X = 1\n"})
    shop.configure('[[coverage.groups]]\nname = "deep"\nmodules = ["shop.deep"]\n')
    shop.report({"shop/till.py": "1 2 3 !4", "stock/count.py": "!1", "shop/deep/__init__.py": "!1"})
    assert shop.init().status == 0
    assert [line.split('"')[3] for line in shop.baseline().splitlines()[1:]] == ["deep", "shop", "stock"]
    shop.report({"shop/till.py": "1 2 3 4", "stock/count.py": "!1", "shop/deep/__init__.py": "!1"})
    assert "gone: shop has statements" in shop.check().out


def test_a_group_that_is_new_is_recorded_with_a_reason_and_a_renamed_one_gets_no_more(recorded: Shop) -> None:
    recorded.configure('[[coverage.groups]]\nname = "money"\nmodules = ["shop"]\n')
    recorded.report({"shop/till.py": "1 2 !3 !4"})
    assert recorded.check().status == 1
    said = recorded.init("--again", "--reason", "money is its name now")
    assert "1 fact beyond that is not recorded" in said.out or "not recorded" in said.out
    assert recorded.check().status == 1


@pytest.mark.parametrize(
    ("groups", "says"),
    [
        ('[[coverage.groups]]\nname = "a"\nmodules = ["shop.gone"]\n', "'shop.gone' matches no module"),
        ('[[coverage.groups]]\nname = "shop"\nmodules = ["shop.till"]\n', "'shop' is also the group of what no group"),
        ('exclude = ["gone"]\n', "'gone' matches no module"),
        (
            '[[coverage.groups]]\nname = "a"\nmodules = ["=shop"]\nfloor = 80\n',
            "coverage.groups[0].floor: nothing of a was measured",
        ),
    ],
)
def test_a_group_that_means_nothing_is_not_judged(recorded: Shop, groups: str, says: str) -> None:
    recorded.write({"shop/__init__.py": "X = 1\n"})
    recorded.report({"shop/__init__.py": "", "shop/till.py": "1 2 3 !4"})
    recorded.configure(groups)
    said = recorded.check()
    assert said.status == 2
    assert says in said.out


# ---- floors


@pytest.mark.parametrize(
    ("ran", "missing", "floor", "held"),
    [
        (4, 1, '"80"', True),
        (4, 1, "80", True),
        (4, 1, "80.0", True),
        (4, 1, '"80.001"', False),
        (8177, 1823, "81.77", True),
        (8176, 1824, "81.77", False),
        (81769, 18231, "81.77", False),  # 81.769 is shown as 81.77
        (2, 1, '"66.67"', False),  # 66.666… is shown as 66.67
        (2, 1, '"66.66"', True),
        (999, 1, "100", False),
        (1000, 0, "100", True),
        (0, 1, "0", True),
    ],
)
def test_a_floor_is_compared_by_whole_numbers(shop: Shop, ran: int, missing: int, floor: str, held: bool) -> None:
    every = ran + missing
    shop.write({"shop/till.py": "x = 1\n" * every})
    lines = " ".join([*map(str, range(1, ran + 1)), *(f"!{line}" for line in range(ran + 1, every + 1))])
    shop.report({"shop/till.py": lines})
    shop.configure(f"floor = {floor}\n")
    shop.init()
    assert shop.check().status == (0 if held else 1)


def test_a_floor_that_is_missed_cannot_be_recorded(recorded: Shop) -> None:
    recorded.configure("floor = 80\n")
    said = recorded.check()
    assert said.status == 1
    assert "abutment.toml:5: ABT044 coverage: new: 3 of 4 are covered, 75.00 %, where 80 % is set" in said.out
    assert recorded.init("--again", "--reason", "too high").status == 2
    assert recorded.tighten().status == 2
    assert recorded.check().status == 1


def test_a_floor_counts_branches_where_they_are_measured(shop: Shop) -> None:
    shop.configure('floor = "66.66"\n')
    shop.report({"shop/till.py": "1 2>3 !2>4 2 3 !4"}, branches=True)
    shop.init()
    assert shop.check().status == 0  # 4 of 6
    shop.configure('floor = "66.67"\n')
    assert shop.check().status == 1


def test_a_floor_alone_holds_no_count_and_no_condition(shop: Shop) -> None:
    shop.configure('floor = "50"\nmeasures = []\n')
    shop.report({"shop/till.py": "1 2 3 !4"})
    assert shop.init().status == 0
    assert shop.baseline().count("\n") == 1
    shop.report({"shop/till.py": "1 2 !3 !4"}, version="9.0")
    assert shop.check().status == 0
    shop.report({"shop/till.py": "1 !2 !3 !4"}, version="9.0")
    assert shop.check().status == 1
    shop.write({"shop/never.py": "X = 1\n"})
    assert "ABT043" in shop.check().out


# ---- conditions


@pytest.mark.parametrize(
    ("name", "text"),
    [
        (".coveragerc", "[run]\nomit = shop/x.py\n"),
        (".coveragerc", "[report]\nexclude_also =\n    raise\n"),
        (".coveragerc.toml", "[report]\nexclude_also = ['raise']\n"),
        ("setup.cfg", "[coverage:report]\nexclude_lines = raise\n"),
        ("tox.ini", "[coverage:run]\nsource = shop\n"),
        ("pyproject.toml", "[tool.coverage.run]\nplugins = ['x']\n"),
    ],
)
def test_what_decides_what_counts_is_a_condition(recorded: Shop, name: str, text: str) -> None:
    recorded.write({name: text})
    said = recorded.check()
    assert said.status == 2
    assert "coverage was recorded under other conditions: configuration was" in said.out
    assert "`abutment init coverage --again --reason TEXT`" in said.out
    assert recorded.tighten().status == 2
    assert recorded.init("--again", "--reason", "more is left out").status == 0
    assert recorded.check().status == 0


@pytest.mark.parametrize(
    ("name", "text"),
    [
        (".coveragerc", "[report]\nfail_under = 90\nshow_missing = true\n"),
        ("pyproject.toml", "[tool.coverage.report]\nprecision = 2\n[tool.coverage.json]\npretty_print = true\n"),
        ("setup.cfg", "[metadata]\nname = shop\n"),
    ],
)
def test_how_a_report_looks_is_none(shop: Shop, name: str, text: str) -> None:
    shop.report({"shop/till.py": "1 2 3 !4"})
    shop.write({".coveragerc" if name == ".coveragerc" else name: text.splitlines()[0] + "\n"})
    shop.init()
    shop.write({name: text})
    assert shop.check().status == 0


def test_another_version_is_another_measurement(recorded: Shop) -> None:
    recorded.report({"shop/till.py": "1 2 3 4"}, version="8.0")
    said = recorded.check()
    assert said.status == 2
    assert "coverage was 7.17.5, and is 8.0" in said.out
    assert "gone" not in said.out


def test_branches_that_are_switched_on_explain_branches_alone(recorded: Shop) -> None:
    recorded.report({"shop/till.py": "1 2>3 !2>4 2 !3 !4"}, branches=True)
    assert recorded.check().status == 2
    assert recorded.init("--again", "--reason", "branches are measured").status == 0
    assert '"measure": "branches", "module": "", "count": 1' in recorded.baseline()
    said = recorded.check()
    assert said.status == 1
    assert "ABT041 coverage: grown from 1 to 2" in said.out


# ---- the report and this code


def test_a_report_of_other_code_is_not_judged(recorded: Shop) -> None:
    recorded.write({"shop/till.py": f"# Money.\n{TILL}"})
    said = recorded.check()
    assert said.status == 2
    assert "shop/till.py:1: not judged: the coverage report has a statement here, where there is none" in said.out
    recorded.write({"shop/till.py": "def total(rows): pass\n"})
    assert "shop/till.py:2: not judged" in recorded.check().out


def test_a_report_that_is_older_than_a_function_is_not_judged(recorded: Shop) -> None:
    added = f"{TILL}\n\n@cached\ndef tax(rows):\n    return 0\n"
    recorded.write({"shop/till.py": added})
    said = recorded.check()
    assert said.status == 2
    assert "shop/till.py:7: not judged: the coverage report says nothing of what is defined here" in said.out
    recorded.report({"shop/till.py": "1 2 3 !4 -7"})
    assert recorded.check().status == 0
    recorded.write({"shop/till.py": f"{TILL}raise SystemExit\ndef tax(rows):\n    return 0\n"})
    recorded.report({"shop/till.py": "1 2 3 !4 5"})
    assert recorded.check().status == 0


def test_a_function_that_has_moved_is_seen(recorded: Shop) -> None:
    text = (recorded.tool.root / "coverage.json").read_text(encoding="utf-8")
    regions = '"functions": {"total": {"start_line": 1}, "": {"start_line": 2}}, "executed_lines": [1, 2, 3]'
    recorded.write({"coverage.json": text.replace('"executed_lines": [1, 2, 3]', regions)})
    assert recorded.check().status == 0
    recorded.write({"shop/till.py": "import sys\n\ndef total(rows):\n    return 0\n"})
    assert recorded.check().status == 2
    recorded.write({"shop/till.py": "X = 1\nX = 2\nX = 3\nX = 4\n"})
    assert "has a function or class here, where none begins" in recorded.check().out


@pytest.mark.parametrize(
    ("files", "says"),
    [
        ({}, "the coverage report has no statement in it: that is 100 percent of nothing"),
        ({"/build/app/shop/till.py": "1 2 3 !4"}, "none of this project"),
        ({"shop/__init__.py": "", "tests/test_till.py": "1"}, "no statement of this project"),
    ],
)
def test_a_report_of_nothing_is_not_judged(recorded: Shop, files: Mapping[str, str], says: str) -> None:
    before = recorded.tool.documents()
    recorded.write({"coverage.json": coverage_json(files)})
    assert says in recorded.check().out
    assert recorded.check().status == 2
    assert recorded.tighten().status == 2
    assert recorded.tool.documents() == before


def test_a_report_that_is_not_there_is_not_judged(recorded: Shop) -> None:
    (recorded.tool.root / "coverage.json").unlink()
    said = recorded.check()
    assert said.status == 2
    assert "not judged: coverage.json is not there. Make it with `coverage json`" in said.out


def test_a_report_that_was_made_elsewhere_has_its_root(recorded: Shop) -> None:
    text = (recorded.tool.root / "coverage.json").read_text(encoding="utf-8")
    recorded.write({"coverage.json": text.replace("shop/", "/build/app/shop/")})
    recorded.configure('input_root = "/build/app"\n')
    assert recorded.check().status == 0


def test_what_is_uncovered_is_listed_with_its_places(recorded: Shop) -> None:
    said = recorded.tool("facts", "coverage", "--sites", "--format", "jsonl")
    assert '"path": "shop/till.py", "line": 4' in said.out
    assert '"kind": "statements"' in said.out


# ---- changed lines


@pytest.fixture
def branch(shop: Shop) -> Shop:
    """Return the shop on a branch of its own, with a floor for changed lines."""
    shop.configure("changed_floor = 90\n")
    shop.write({".gitignore": "coverage.json\n"})
    shop.report({"shop/till.py": "1 2 3 !4"})
    repository(shop.tool.root)
    assert shop.init().status == 0
    git(shop.tool.root, "add", "-A")
    git(shop.tool.root, "commit", "-q", "-m", "law")
    git(shop.tool.root, "checkout", "-q", "-b", "topic")
    git(shop.tool.root, "commit", "-q", "--allow-empty", "-m", "topic")
    return shop


def test_no_changed_statement_is_held_and_said(branch: Shop) -> None:
    said = branch.check()
    assert said.status == 0
    assert "no statement was changed since main at " in said.out


def test_a_changed_line_has_to_be_covered(branch: Shop) -> None:
    """The line was uncovered before, so that the record alone would let it pass."""
    branch.write({"shop/till.py": TILL.replace("return 0", "return 1")})
    said = branch.check()
    assert said.status == 1
    assert (
        "shop/till.py:4: ABT045 coverage: new: no test runs 1 line of shop/till.py changed since main at " in said.out
    )
    assert "(covered: 0 of 1, 0.00 %, where 90 % is set)" in said.out
    branch.report({"shop/till.py": "1 2 3 4"})
    assert "ABT045" not in branch.check().out


def test_changed_lines_together_reach_the_floor(branch: Shop) -> None:
    branch.write({"shop/till.py": "x = 1\n" * 10})
    branch.report({"shop/till.py": "1 2 3 4 5 6 7 8 9 !10"})
    said = branch.check()
    assert said.status == 0
    assert "of statements changed since main at" in said.out
    assert "9 of 10 are covered" in said.out
    branch.configure('changed_floor = "90.01"\n')
    assert branch.check().status == 1


def test_a_change_inside_a_statement_is_one_of_the_statement(branch: Shop) -> None:
    long = TILL.replace("return 0", "return dict(\n        a=1,\n    )")
    branch.write({"shop/till.py": long})
    git(branch.tool.root, "commit", "-q", "-a", "-m", "longer")
    branch.configure('changed_floor = 90\nbase = "topic"\n')
    branch.write({"shop/till.py": long.replace("a=1", "a=2")})
    assert "shop/till.py:4: ABT045" in branch.check().out


def test_a_file_that_git_does_not_know_is_changed_as_a_whole(branch: Shop) -> None:
    branch.write({"shop/new.py": "def new():\n    return 1\n"})
    branch.report({"shop/till.py": "1 2 3 !4", "shop/new.py": "1 !2"})
    assert "shop/new.py:2: ABT045" in branch.check().out


def test_a_changed_file_that_is_not_measured_covers_nothing(branch: Shop) -> None:
    branch.write({"shop/new.py": "# new\n\ndef new():\n    return 1\n"})
    said = branch.check()
    assert "shop/new.py:3: ABT045 coverage: new: no test runs 2 lines of shop/new.py changed" in said.out


def test_deleted_moved_and_blank_lines_are_no_change_to_cover(branch: Shop) -> None:
    (branch.tool.root / "shop/till.py").rename(branch.tool.root / "shop/desk.py")
    git(branch.tool.root, "add", "-A")
    branch.write({"shop/desk.py": f"# Money.\n\n{TILL}"})
    branch.report({"shop/desk.py": "3 4 5 !6"})
    assert branch.check().status == 0


def test_odd_names_and_odd_content_are_told_apart(branch: Shop) -> None:
    branch.write({'shop/a"b\tc.py': "x = 1\n", "shop/notes.txt": "diff --git a/x b/x\n@@ -1 +1,9 @@\n"})
    git(branch.tool.root, "add", "-A")
    branch.report({"shop/till.py": "1 2 3 !4", 'shop/a"b\tc.py': "1"})
    said = branch.check()
    assert "1 of 1 are covered" in said.out
    assert said.status == 0


def test_on_the_main_branch_the_last_commit_is_what_changed(branch: Shop) -> None:
    git(branch.tool.root, "checkout", "-q", "main")
    branch.write({"shop/till.py": TILL.replace("return 0", "return 1")})
    git(branch.tool.root, "commit", "-q", "-a", "-m", "more")
    assert "ABT045" in branch.check().out


def test_changed_lines_take_no_approval(branch: Shop) -> None:
    branch.write({"shop/till.py": TILL.replace("return 0", "return 1")})
    drafted = branch.tool("draft", "coverage")
    text = drafted.out.replace('owner = ""', 'owner = "shop"').replace('reason = ""', 'reason = "No time."')
    text = text.replace('class = "debt"', 'class = "exception"').replace('tracking = ""\n', "")
    branch.write({"fixtures/architecture/coverage.toml": text})
    said = branch.check()
    assert said.status == 2
    assert "changed lines take no approval" in said.out


def test_without_the_main_branch_nothing_is_judged(branch: Shop) -> None:
    git(branch.tool.root, "branch", "-q", "-D", "main")
    said = branch.check()
    assert said.status == 2
    assert "the main branch is not known here" in said.out
    assert "say `base` in [tool.abutment.coverage]" in said.out
    assert "git fetch" in said.out


def test_a_base_is_named(branch: Shop) -> None:
    branch.configure('changed_floor = 90\nbase = "trunk"\n')
    assert "git does not know 'trunk' here" in branch.check().out
    git(branch.tool.root, "branch", "-q", "trunk", "main")
    assert branch.check().status == 0


def test_a_shallow_clone_is_not_judged_and_names_the_fetch(branch: Shop, tmp_path: Path) -> None:
    for number in range(2):
        branch.write({"shop/till.py": TILL.replace("return 0", f"return {number + 1}")})
        git(branch.tool.root, "commit", "-q", "-a", "-m", "more")
    shallow = tmp_path / "shallow"
    url = branch.tool.root.as_uri()
    git(branch.tool.root, "clone", "-q", "--depth", "1", "--no-single-branch", "--branch", "topic", url, str(shallow))
    report = (branch.tool.root / "coverage.json").read_text(encoding="utf-8")
    (shallow / "coverage.json").write_text(report, encoding="utf-8")
    said = Tool(shallow, branch.tool.capture)("check")
    assert said.status == 2
    assert "git fetch --unshallow" in said.out
