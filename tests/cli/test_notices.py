"""What breaks nothing and is told all the same, and what must not be left out in silence."""

from __future__ import annotations

import json
from pathlib import Path

import click
import pytest

from abutment.cli.opening import Opening, cores, opening_options
from tests.cli.tool import Tool, child, repository

TWO_GATES = 'roots = ["shop"]\ngates = ["blindspots", "cycles"]\n'


@pytest.fixture
def outside(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("outside")
    (folder / "far.py").write_text("import shop.web\n", encoding="utf-8")
    return folder


def notices(tool: Tool) -> list[str]:
    return [line for line in tool("check").out.splitlines() if "notice: " in line]


def test_a_source_behind_a_link_that_leads_out_is_not_judged(recorded: Tool, outside: Path) -> None:
    (recorded.root / "shop/far.py").symlink_to(outside / "far.py")
    answer = recorded("check")
    assert answer.status == 2
    assert "shop/far.py: not judged: the link leads out of the project, where nothing is read." in answer.out
    law = (recorded.root / "abutment.toml").read_text(encoding="utf-8")
    recorded.write({"abutment.toml": f'exclude = ["shop/far.py"]\n{law}'})
    assert recorded("check").status == 0


def test_a_folder_behind_a_link_that_leads_out_is_told(recorded: Tool, outside: Path) -> None:
    (recorded.root / "shop/far").symlink_to(outside)
    assert recorded("check").status == 0
    (notice,) = notices(recorded)
    assert notice.startswith("notice: nothing behind links that lead out of the project was read: shop/far.")


def test_a_link_that_leads_nowhere_is_neither_red_nor_told(recorded: Tool) -> None:
    (recorded.root / "shop/.#web.py").symlink_to("user@host.1:2")
    (recorded.root / "shop/gone.py").symlink_to("nowhere.py")
    answer = recorded("check")
    assert answer.status == 0
    assert "notice" not in answer.out


def test_without_git_what_may_be_tracked_is_not_left_out_in_silence(recorded: Tool, tmp_path: Path) -> None:
    recorded.write({"shop/late.py": "import shop.web\n"})
    repository(recorded.root)
    recorded.write({".gitignore": "late.py\n"})
    assert "notice" not in recorded("check").out
    words = ("check", "--no-cache", "--today", "2027-01-01")
    answer = child(recorded.root, *words, PATH=str(tmp_path / "no programs"))
    assert "notice: git cannot be asked which files it tracks; taken for generated, and not read: shop/late.py." in (
        answer.out
    )
    (recorded.root / "shop/late.py").unlink()
    assert "notice" not in child(recorded.root, *words, PATH=str(tmp_path / "no programs")).out


@pytest.mark.parametrize(
    ("patterns", "idle"),
    [
        (["shop/stroe.py"], [1]),
        (["*_pb2.py", "vendored/"], [1, 2]),
        (["shop/store.py", "docs/", "!web.py"], []),
        (["store.py", "shop/sto*.py"], []),  # the last one decides, and the first names it as well
        (["shop/deep/", "shop/deep/er/"], []),
    ],
)
def test_a_pattern_that_names_nothing_is_told_with_its_place(
    recorded: Tool, patterns: list[str], idle: list[int]
) -> None:
    law = (recorded.root / "abutment.toml").read_text(encoding="utf-8")
    listed = ",\n".join(map(json.dumps, patterns))
    files = {"docs/conf.py": "", "shop/deep/__init__.py": "", "shop/deep/er/x.py": ""}
    recorded.write({**files, "abutment.toml": f"exclude = [{listed}]\n{law}"})
    assert notices(recorded) == [
        f"abutment.toml:{line}: notice: exclude: {patterns[line - 1]!r} names nothing here. Correct it, or delete it."
        for line in idle
    ]


def test_documents_that_no_gate_reads_are_told_in_one_line(recorded: Tool) -> None:
    recorded.write({"abutment.toml": TWO_GATES, "fixtures/architecture/egres.toml": ""})
    assert recorded("check").status == 0
    (notice,) = notices(recorded)
    assert notice.startswith(
        "fixtures/architecture: notice: no gate that is switched on reads boundaries.jsonl, egres.toml."
    )
    assert "egres.toml" in json.loads(recorded("check", "--format", "json").out)["notices"][0]["message"]
    for form in ("sarif", "markdown"):
        assert "egres.toml" in recorded("check", "--format", form).out


def test_documents_of_a_gate_that_is_asked_by_name_are_read(recorded: Tool) -> None:
    recorded.write({"abutment.toml": f"{TWO_GATES}[boundaries]\nindirect = false\n"})
    assert notices(recorded) == []


def test_an_unknown_gate_is_told_with_its_place(recorded: Tool) -> None:
    recorded.write({"abutment.toml": 'roots = ["shop"]\ngates = [\n  "cycles",\n  "cycels",\n]\n'})
    for words in (("check",), ("tighten",), ("config",), ("list",), ("init",)):
        answer = recorded(*words)
        assert answer.status == 2, words
        assert "abutment.toml:4: " in answer.out + answer.err, words
        assert "there is no gate 'cycels'" in answer.out + answer.err
    assert "abutment.toml" not in recorded("check", "cylces").out.splitlines()[0]


def test_verbose_says_why_the_cache_was_not_written(recorded: Tool, tmp_path: Path) -> None:
    place = tmp_path / "taken"
    place.write_text("", encoding="utf-8")
    words = ("check", "--today", "2027-01-01", "--cache-dir", str(place / "cache"))
    answer = child(recorded.root, *words, "--verbose")
    assert answer.status == 0
    assert "The cache could not be written: " in answer.err
    assert "The cache" not in child(recorded.root, *words).err


def test_verbose_says_that_nothing_is_cached_without_a_home(recorded: Tool) -> None:
    words = ("check", "--today", "2027-01-01", "--verbose")
    answer = child(recorded.root, *words, HOME="relative", XDG_CACHE_HOME="")
    assert answer.status == 0
    assert "Nothing is cached: this user has no home folder." in answer.err
    assert "Nothing is cached" not in child(recorded.root, *words, "--no-cache", HOME="relative").err


@pytest.mark.parametrize(("jobs", "fits"), [("300", True), ("1", True), ("0", False), ("-3", False), ("many", False)])
def test_a_number_of_processes_is_bounded_or_refused(recorded: Tool, jobs: str, fits: bool) -> None:
    answer = child(recorded.root, "check", "--today", "2027-01-01", "--no-cache", "--jobs", jobs)
    assert answer.status == (0 if fits else 2)
    assert ("--jobs" in answer.err) is not fits


def test_more_processes_than_cores_are_never_started() -> None:
    taken: list[int] = []

    @click.command()
    @opening_options
    def verb(opening: Opening) -> None:
        taken.append(opening.jobs)

    for words in (["--jobs", "300"], ["--jobs", "1"], []):
        verb.main(words, standalone_mode=False)
    assert taken == [cores(), 1, cores()]


def test_a_table_of_a_gate_that_nothing_asks_is_told_until_something_does(recorded: Tool) -> None:
    law = (recorded.root / "abutment.toml").read_text(encoding="utf-8")
    recorded.write({"abutment.toml": f"{law}\n[sizes]\nfunction = 40\n"})
    line = len(law.split("\n")) + 1
    assert [one for one in notices(recorded) if "sizes" in one] == [
        f"abutment.toml:{line}: notice: [sizes] is set, and nothing is held by it: `gates` does not name sizes. "
        "Add it to `gates`, or ask it by name: `abutment check sizes`."
    ]
    assert recorded("init", "sizes").status == 0
    assert [one for one in notices(recorded) if "sizes" in one] == []
