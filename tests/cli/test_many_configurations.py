"""Several configurations in one run: verdicts apart, the worst status wins, one valid report in every format."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import jsonschema
import pytest

from abutment.cli.main import status_of
from tests.cli.conftest import SHOP
from tests.cli.tool import Answer, Tool, child

ROOT = Path(__file__).parents[2]
FORMATS = ["text", "json", "sarif", "github", "gitlab", "junit", "markdown"]
SCHEMAS = {
    "json": ("docs/report.schema.json", jsonschema.Draft202012Validator),
    "sarif": ("fixtures/schemas/sarif-schema-2.1.0.json", jsonschema.Draft4Validator),
    "gitlab": ("fixtures/schemas/gitlab-code-quality.schema.json", jsonschema.Draft202012Validator),
}


class Fleet:
    """Two projects side by side, `pay` and `web`, each with a module `shop`; one of them is broken."""

    def __init__(self, root: Path, capture: pytest.CaptureFixture[str]) -> None:
        self.root, self._capture = root, capture
        self.pay, self.web = Tool(root / "pay", capture), Tool(root / "web", capture)
        for tool in (self.pay, self.web):
            tool.write(SHOP)
            assert tool("init").status == 0
        self.web.write({"shop/core.py": "import shop.store\nimport shop.web\n"})

    def check(self, *words: str, configs: tuple[str, ...] = ("pay", "web")) -> Answer:
        self._capture.readouterr()
        given = [word for config in configs for word in ("--config", str(self.root / config))]
        status = status_of(["check", *given, "--no-cache", "--jobs", "1", *words])
        said = self._capture.readouterr()
        return Answer(status, said.out, said.err)


@pytest.fixture
def fleet(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Fleet:
    return Fleet(tmp_path, capsys)


def test_verdicts_stand_apart_and_the_worst_wins(fleet: Fleet) -> None:
    assert fleet.pay("check").status == 0
    answer = fleet.check()
    assert answer.status == 1
    assert "web/shop/core.py:2: ABT301 boundaries: new: shop.core imports shop.web" in answer.out
    assert "gates: 4 held, 2 broken, 0 not judged" in answer.out
    (fleet.pay.root / "shop" / "odd.py").write_text("def broken(:\n")
    answer = fleet.check()
    assert answer.status == 2
    assert "pay/shop/odd.py:1" in answer.out and "web/shop/core.py:2" in answer.out


def test_one_that_cannot_be_read_leaves_the_others_judged(fleet: Fleet) -> None:
    fleet.pay.write({"abutment.toml": 'roots = ["shop"]\ngates = ["cycles"]\nnonsense = 1\n'})
    answer = fleet.check()
    assert answer.status == 2
    assert "nonsense: unknown key" in answer.out
    assert "web/shop/core.py:2: ABT301" in answer.out
    assert fleet.check("--exit-zero").status == 2


@pytest.mark.parametrize("form", FORMATS)
def test_every_format_is_one_valid_report(fleet: Fleet, form: str, tmp_path: Path) -> None:
    answer = fleet.check("--format", form)
    assert answer.status == 1
    assert "web/shop/core.py" in answer.out
    if form in SCHEMAS:
        schema, validator = SCHEMAS[form]
        validator(json.loads((ROOT / schema).read_text(encoding="utf-8"))).validate(json.loads(answer.out))
    if form == "junit":
        suites = ElementTree.fromstring(answer.out).findall("testsuite")
        assert {str(suite.get("name")) for suite in suites} >= {"pay/boundaries", "web/boundaries"}
    target = tmp_path / "report"
    assert fleet.check("--format", form, "--output", str(target)).status == 1
    assert target.read_text(encoding="utf-8") == answer.out


@pytest.mark.parametrize("form", FORMATS)
def test_every_format_says_which_configuration_could_not_be_judged(fleet: Fleet, form: str) -> None:
    fleet.pay.write({"abutment.toml": 'roots = ["nowhere"]\ngates = ["cycles"]\n'})
    answer = fleet.check("--format", form)
    assert answer.status == 2
    assert "nowhere" in answer.out and "web/shop/core.py" in answer.out


def test_a_folder_given_twice_is_judged_once(fleet: Fleet) -> None:
    once = fleet.check()
    assert fleet.check(configs=("pay", "web", "web/abutment.toml", "pay/../pay")).out == once.out


@pytest.mark.parametrize("verb", ["tighten", "init", "facts imports", "why a b", "list modules", "config"])
def test_other_verbs_take_one(fleet: Fleet, verb: str, capsys: pytest.CaptureFixture[str]) -> None:
    given = ["--config", str(fleet.pay.root), "--config", str(fleet.web.root)]
    assert status_of([*verb.split(), *given]) == 2
    assert "one --config" in capsys.readouterr().err


def test_above_several_configurations_one_has_to_say_which(fleet: Fleet) -> None:
    answer = child(fleet.root, "check")
    assert answer.status == 2
    for folder in ("pay", "web"):
        assert f"--config {folder}/abutment.toml" in answer.out


def test_a_configuration_that_is_not_there_is_2(fleet: Fleet, capsys: pytest.CaptureFixture[str]) -> None:
    assert status_of(["check", "--config", str(fleet.root / "none")]) == 2
    assert "does not exist" in capsys.readouterr().err


def test_the_step_summary_is_appended_to(fleet: Fleet, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    summary = tmp_path / "summary.md"
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(summary))
    assert fleet.check("--format", "text").status == 1
    assert not summary.exists()
    for times in (1, 2):
        assert fleet.check("--format", "github").status == 1
        assert summary.read_text(encoding="utf-8").count("shop.core imports shop.web") % times == 0
    assert len(summary.read_text(encoding="utf-8")) > 100


def test_a_step_summary_that_cannot_be_written_changes_no_answer(fleet: Fleet, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(fleet.root / "no" / "summary.md"))
    answer = fleet.check("--format", "github")
    assert answer.status == 1
    assert "summary.md cannot be written" in answer.err


def test_github_reads_annotations_from_the_log_though_there_is_a_file(fleet: Fleet, tmp_path: Path) -> None:
    target = tmp_path / "report"
    answer = fleet.check("--format", "github", "--output", str(target))
    assert answer.out == target.read_text(encoding="utf-8")
    assert answer.out.startswith("::error file=web/shop/core.py,line=2")


def test_every_path_is_told_from_where_it_is_run(fleet: Fleet) -> None:
    fleet.web.write({"shop/store.py": "import shop.web\nimport shop.late\n", "shop/late.py": "import shop.core\n"})
    answer = child(fleet.root, "check", "--config", "pay", "--config", "web", "--no-cache")
    assert "web/shop/late.py:1" in answer.out
    assert "the way round: shop.core imports shop.store (web/shop/core.py:1)" in answer.out
    assert "approves it in web/fixtures/architecture/boundaries.toml" in answer.out
    github = child(fleet.root, "check", "--config", "pay", "--config", "web", "--no-cache", "--format", "github").out
    assert "(shop/" not in github and " fixtures/" not in github
    above = child(fleet.root.parent, "check", *(f"--config={fleet.root.name}/{name}" for name in ("pay", "web")))
    assert f"{fleet.root.name}/web/shop/core.py:2: ABT301" in above.out


def test_a_notice_is_told_of_its_own_root(fleet: Fleet, tmp_path_factory: pytest.TempPathFactory) -> None:
    (fleet.web.root / "shop" / "far").symlink_to(tmp_path_factory.mktemp("outside"))
    law = (fleet.pay.root / "abutment.toml").read_text(encoding="utf-8")
    fleet.pay.write({"abutment.toml": f'exclude = ["nothing/"]\n{law}'})
    told = fleet.check().out
    assert "\npay/abutment.toml:1: notice: exclude: 'nothing/' names nothing here." in told
    assert "\nweb: notice: nothing behind links that lead out of the project was read: shop/far." in told
