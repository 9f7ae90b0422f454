"""What does each verb answer, write, and end with?"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from abutment.cli.draft import fields_wanted
from abutment.cli.main import VERBS, status_of
from abutment.gates import load_gate
from tests.cli.tool import Tool

UPWARD = "shop/store.py:1: ABT301 boundaries:"


def test_init_records_todays_debt_and_check_holds_it(tool: Tool) -> None:
    assert tool("init").status == 0
    answer = tool("check")
    assert answer.status == 0, answer.out
    assert "3 held, 0 broken, 0 not judged" in answer.out


def test_check_without_a_baseline_is_not_judged_and_says_what_to_do(tool: Tool) -> None:
    answer = tool("check")
    assert answer.status == 2
    assert "`abutment init cycles`" in answer.out


def test_check_writes_nothing(recorded: Tool) -> None:
    before = recorded.documents()
    recorded.write({"shop/web.py": "import shop.core\nimport shop.missing\n"})
    assert recorded("check").status == 1
    assert recorded.documents() == before


def test_a_new_upward_import_is_one_violation_at_its_line(recorded: Tool) -> None:
    recorded.write({"shop/core.py": "import shop.store\n\n\nimport shop.web\n"})
    answer = recorded("check", "boundaries")
    assert answer.status == 1
    lines = [line for line in answer.out.splitlines() if "ABT301" in line]
    assert len(lines) == 1
    assert lines[0].startswith("shop/core.py:4: ABT301 boundaries: new: shop.core imports shop.web")


def test_paid_debt_is_stale_until_tightened_and_then_may_not_return(recorded: Tool) -> None:
    recorded.write({"shop/store.py": ""})
    stale = recorded("check")
    assert stale.status == 1
    assert "gone" in stale.out and "`abutment tighten boundaries`" in stale.out
    assert recorded("check", "--stale", "warn").status == 0
    assert recorded("tighten").status == 0
    assert recorded("check").status == 0
    recorded.write({"shop/store.py": "import shop.web\n"})
    back = recorded("check", "boundaries")
    assert back.status == 1
    assert f"{UPWARD} returned" in back.out


def test_tighten_refuses_growth_and_writes_nothing(recorded: Tool) -> None:
    before = recorded.documents()
    recorded.write({"shop/store.py": "", "shop/core.py": "import shop.web\n"})
    answer = recorded("tighten")
    assert answer.status == 2
    assert "shop.core imports shop.web" in answer.err
    assert recorded.documents() == before


def test_a_dry_run_of_tighten_writes_nothing(recorded: Tool) -> None:
    before = recorded.documents()
    recorded.write({"shop/store.py": ""})
    answer = recorded("tighten", "--dry-run")
    assert answer.status == 0
    assert "would write fixtures/architecture/boundaries.jsonl" in answer.out
    assert recorded.documents() == before


def test_a_moved_module_takes_its_debt_along(recorded: Tool) -> None:
    (recorded.root / "shop/store.py").unlink()
    recorded.write({"shop/store/__init__.py": "", "shop/store/sql.py": "import shop.web\n"})
    recorded.write({"shop/core.py": "import shop.store.sql\n"})
    assert recorded("check", "boundaries").status == 1
    answer = recorded("move", "shop.store", "shop.store.sql")
    assert answer.status == 0, answer.err
    assert recorded("check", "boundaries").status == 0


def test_move_of_what_did_not_move_is_refused(recorded: Tool) -> None:
    before = recorded.documents()
    answer = recorded("move", "shop.store", "shop.elsewhere")
    assert answer.status == 2
    assert recorded.documents() == before


def test_a_draft_is_a_fault_until_a_person_fills_it_in(recorded: Tool) -> None:
    recorded.write({"shop/core.py": "import shop.store\nimport shop.web\n"})
    draft = recorded("draft", "boundaries")
    assert draft.status == 0
    policy = "fixtures/architecture/boundaries.toml"
    recorded.write({policy: draft.out})
    assert recorded("check", "boundaries").status == 2
    filled = draft.out.replace('owner = ""', 'owner = "core team"').replace('reason = ""', 'reason = "until split"')
    recorded.write({policy: filled.replace('tracking = ""', 'tracking = "SHOP-7"')})
    assert recorded("check", "boundaries").status == 0


@pytest.mark.parametrize(
    ("gate", "wanted"),
    [
        ("boundaries", "owner, reason and, for debt, tracking"),
        ("egress", "owner, reason and, for debt, tracking and target_state"),
        ("effects", "owner, reason, target_state (when it is no longer needed) and, for debt, tracking"),
    ],
)
def test_a_draft_says_what_a_person_has_to_fill_in(gate: str, wanted: str) -> None:
    assert fields_wanted(load_gate(gate).terms("law")) == wanted


def test_draft_says_when_there_is_nothing_to_approve(recorded: Tool) -> None:
    answer = recorded("draft", "boundaries")
    assert (answer.status, answer.out) == (0, "")
    assert "nothing to approve" in answer.err


def test_a_draft_may_be_written_into_the_document_that_the_shell_has_just_made(recorded: Tool) -> None:
    recorded.write({"shop/core.py": "import shop.store\nimport shop.web\n"})
    policy = "fixtures/architecture/boundaries.toml"
    for empty in ("", "\n"):
        recorded.write({policy: empty})
        answer = recorded("draft", "boundaries")
        assert (answer.status, answer.out.count("schema = 1")) == (0, 1)
        assert recorded("check", "boundaries").status == 2  # there, an empty document is none of ours
    recorded.write({policy: "schema = 1\n"})
    assert "schema" not in recorded("draft", "boundaries").out


def test_a_draft_of_a_cycle_has_the_import_that_closed_it_first(tool: Tool) -> None:
    chain = {f"shop/m{n}.py": f"import shop.m{n + 1}\nimport shop.n{n}\n" for n in range(3)}
    chain |= {f"shop/n{n}.py": f"import shop.m{n + 1}\n" for n in range(3)}
    tool.write({**chain, "shop/m3.py": ""})
    tool("init")
    tool.write({"shop/m3.py": "import shop.m0\n"})
    answer = tool("draft", "cycles")
    assert "without them in the code, none of the 9 below is\n# needed" in answer.out
    (first, *_rest) = [line for line in answer.out.splitlines() if line.startswith("importer")]
    assert first == 'importer = "shop.m3"'
    checked = tool("check", "cycles")
    assert "gate cycles: broken (1 new, 9 follow)" in checked.out
    assert "abutment: broken: 1 violation (1 new), 9 that follow; " in checked.out
    assert "not asked for: blindspots, boundaries" in checked.out


def test_contracts_that_nobody_judges_are_told_of(tool: Tool) -> None:
    text = (tool.root / "abutment.toml").read_text(encoding="utf-8")
    tool.write({"abutment.toml": text.replace(', "boundaries"', "")})
    tool("init")
    said = "1 contract is written, but the gate boundaries is not switched on."
    told = tool("check").out
    assert f'abutment.toml:4: notice: {said} Add "boundaries" to `gates`.' in told
    assert "::notice file=abutment.toml,line=4,title=abutment::1 contract" in tool("check", "--format", "github").out
    (notice,) = json.loads(tool("check", "--format", "json").out)["notices"]
    assert (notice["path"], notice["line"], notice["message"]) == ("abutment.toml", 4, said)
    assert "notice" not in tool("check", "boundaries").out


def test_a_draft_of_a_part_says_so(recorded: Tool) -> None:
    recorded.write({"shop/core.py": "import shop.store\nimport shop.web\n", "shop/odd.py": "def broken(:\n"})
    answer = recorded("draft", "boundaries")
    assert answer.status == 2
    assert 'importer = "shop.core"' in answer.out
    assert "not judged: shop/odd.py:1" in answer.err


def test_why_shows_the_chain_with_places(tool: Tool) -> None:
    answer = tool("why", "=shop.web", "shop.store")
    assert answer.status == 0
    assert "shop/web.py:1: shop.web imports shop.core" in answer.out
    assert "shop/core.py:1: shop.core imports shop.store" in answer.out


def test_why_answers_that_there_is_no_chain(recorded: Tool) -> None:
    recorded.write({"shop/store.py": ""})
    answer = recorded("why", "shop.store", "shop.web")
    assert answer.status == 0
    assert "no chain" in answer.out


@pytest.mark.parametrize(
    "words",
    [
        ("why", "shop.wbe", "shop.store"),
        ("why", "shop", "shop.store"),
        ("explain", "ABT999"),
        ("explain", "0123456789abcdef"),
        ("facts", "import"),
        ("check", "cycle"),
        ("check", "shop/web.py"),
        ("draft", "nothing"),
        ("record", "cycles"),
        ("graph", "shop.nowhere"),
    ],
)
def test_an_unknown_name_is_2_with_a_hint_and_nothing_on_stdout(recorded: Tool, words: tuple[str, ...]) -> None:
    answer = recorded(*words)
    assert answer.status == 2
    said = answer.err if words[0] != "check" else answer.out
    assert words[-1].partition(".")[0] in said or words[-2] in said


def test_explain_knows_every_rule_by_id_and_by_name(tool: Tool) -> None:
    rules = [line.split()[:2] for line in tool("list", "rules").out.splitlines()]
    assert len(rules) > 20
    for rule, name in rules:
        by_id, by_name = tool("explain", rule), tool("explain", name)
        assert by_id.status == 0
        assert by_id.out == by_name.out
        assert by_id.out.startswith(f"{rule} {name} (")


def test_explain_tells_who_grants_a_fact(recorded: Tool) -> None:
    report = json.loads(recorded("facts", "imports", "--format", "json").out)
    assert report["schema"] == 1
    recorded.write({"shop/core.py": "import shop.store\nimport shop.web\n"})
    shown = json.loads(recorded("check", "boundaries", "--format", "json").out)
    fingerprint = shown["gates"][0]["violations"][0]["fingerprint"]
    answer = recorded("explain", fingerprint[:12])
    assert answer.status == 0
    assert "shop.core imports shop.web" in answer.out and fingerprint in answer.out


def test_facts_are_the_same_bytes_on_repeat_and_one_row_a_place(tool: Tool) -> None:
    once, again = (tool("facts", "imports", "--sites", "--format", "jsonl").out for _ in range(2))
    assert once == again
    rows = [json.loads(line) for line in once.splitlines()]
    assert [(row["path"], row["line"], row["kind"], row["what"]) for row in rows] == [
        ("shop/core.py", 1, "parent", "shop"),
        ("shop/core.py", 1, "runtime", "shop.store"),
        ("shop/store.py", 1, "parent", "shop"),
        ("shop/store.py", 1, "runtime", "shop.web"),
        ("shop/web.py", 1, "parent", "shop"),
        ("shop/web.py", 1, "runtime", "shop.core"),
    ]


def test_facts_say_which_module_could_not_be_followed(tool: Tool) -> None:
    loops = "".join(f"    for x in k: c = requests.a{index}\n" for index in range(1_600))
    tool.write({"shop/many.py": f"import requests\ndef f(k):\n    c = requests\n{loops}    c.get('')\n"})
    answer = tool("facts", "egress")
    assert answer.status == 2
    assert "a name in shop.many may stand for more than can be followed" in answer.err
    assert tool("facts", "imports").status == 0


@pytest.mark.parametrize("form", ["dot", "mermaid", "json"])
def test_graph_draws_written_imports(tool: Tool, form: str) -> None:
    answer = tool("graph", "--format", form)
    assert answer.status == 0
    assert "shop.web" in answer.out


def test_graph_folds_modules_below_a_depth(tool: Tool) -> None:
    drawn = json.loads(tool("graph", "--depth", "1", "--format", "json").out)
    assert drawn["nodes"] == ["shop"]
    assert drawn["edges"] == []


@pytest.mark.parametrize("what", ["gates", "rules", "contracts", "modules", "grants"])
def test_list_shows_one_a_line(recorded: Tool, what: str) -> None:
    answer = recorded("list", what)
    assert answer.status == 0
    assert answer.out.strip()


def test_config_tells_origins_and_what_was_scanned(tool: Tool) -> None:
    answer = tool("config", "--files")
    assert answer.status == 0
    assert "documents = fixtures/architecture    [default]" in answer.out
    assert "shop/web.py: module shop.web" in answer.out
    assert json.loads(tool("config", "--format", "json").out)["scanned"] == 4


def test_every_fault_of_a_configuration_is_told_in_one_go(tool: Tool) -> None:
    tool.write({"abutment.toml": 'roots = ["shop", "nowhere"]\ngats = []\n\n[cycles]\nhold = "edge"\n'})
    answer = tool("check")
    assert answer.status == 2
    for said in ("nowhere", "gats", "hold"):
        assert said in answer.out


def test_a_file_that_does_not_parse_is_not_judged_and_what_was_found_is_still_told(recorded: Tool) -> None:
    recorded.write({"shop/odd.py": "def broken(:\n", "shop/core.py": "import shop.store\nimport shop.web\n"})
    answer = recorded("check")
    assert answer.status == 2
    assert "shop/odd.py:1" in answer.out
    assert "shop.core imports shop.web" in answer.out
    assert ": gone:" not in answer.out
    assert recorded("check", "--exit-zero").status == 2
    assert recorded("tighten").status == 2


def test_exit_zero_softens_broken_alone(recorded: Tool) -> None:
    recorded.write({"shop/core.py": "import shop.store\nimport shop.web\n"})
    assert recorded("check").status == 1
    assert recorded("check", "--exit-zero").status == 0


@pytest.mark.parametrize("form", ["text", "json", "sarif", "github", "gitlab", "junit", "markdown"])
def test_every_format_says_what_broke_and_what_was_not_judged(recorded: Tool, form: str, tmp_path: Path) -> None:
    recorded.write({"shop/odd.py": "def broken(:\n", "shop/core.py": "import shop.store\nimport shop.web\n"})
    answer = recorded("check", "--format", form)
    assert answer.status == 2
    assert "shop.core imports shop.web" in answer.out
    assert "odd.py" in answer.out
    target = tmp_path / "report.out"
    assert recorded("check", "--format", form, "--output", str(target)).status == 2
    assert target.read_text(encoding="utf-8") == answer.out


def test_an_output_that_cannot_be_written_is_2(recorded: Tool, tmp_path: Path) -> None:
    answer = recorded("check", "--output", str(tmp_path / "no" / "such" / "folder"))
    assert answer.status == 2
    assert "cannot be written" in answer.err


@pytest.mark.parametrize("words", [["check", "--nonsense"], ["nonsense"], ["check", "--format", "xml"], ["why", "a"]])
def test_a_wrong_option_is_2(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert status_of(words) == 2
    assert capsys.readouterr().err


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_has_help(verb: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert status_of([verb, "--help"]) == 0
    assert "Usage: abutment" in capsys.readouterr().out


def test_snapshot_is_recorded_and_shows_change(tool: Tool) -> None:
    text = (tool.root / "abutment.toml").read_text(encoding="utf-8")
    tool.write({"abutment.toml": text.replace('"cycles",', '"cycles", "snapshot",')})
    assert tool("init").status == 0
    tool.write({"shop/extra.py": ""})
    assert tool("check", "snapshot").status == 1
    assert tool("record", "snapshot").status == 0
    assert tool("check", "snapshot").status == 0


def test_a_renamed_module_is_pointed_to_move(recorded: Tool) -> None:
    (recorded.root / "shop" / "store.py").rename(recorded.root / "shop" / "shelf.py")
    law = (recorded.root / "abutment.toml").read_text(encoding="utf-8")
    recorded.write({"shop/core.py": "import shop.shelf\n"})
    refused = recorded("move", "shop.store", "shop.shelf")
    assert refused.status == 2
    assert "abutment.toml:7: still names shop.store" in refused.err
    assert "Write shop.shelf there, then run `abutment move` again." in refused.err
    recorded.write({"abutment.toml": law.replace("shop.store", "shop.shelf")})
    hint = "`abutment move shop.store shop.shelf`"
    assert recorded("check").out.count(hint) == 3
    assert hint in recorded("tighten").err
    assert recorded("move", "shop.store", "shop.shelf").status == 0
    assert recorded("tighten").status == 0
    assert recorded("check").status == 0


def test_a_misspelt_approval_is_told_what_is_near(recorded: Tool) -> None:
    entry = (
        recorded("draft", "boundaries").out
        or """schema = 1
[[approvals]]
contract = "layers"
importer = "shop.stroe"
imported = "shop.web"
class = "exception"
owner = "core"
reason = "It was so."
"""
    )
    recorded.write({"fixtures/architecture/boundaries.toml": entry})
    assert "there is no module shop.stroe; did you mean shop.store" in recorded("check").out


def test_why_does_not_deny_what_it_could_not_read(recorded: Tool) -> None:
    recorded.write({"shop/core.py": "def broken(:\n"})
    answer = recorded("why", "shop.core", "shop.web")
    assert answer.status == 2
    assert answer.out.startswith("It is not known whether there is a chain of imports")


def test_a_gate_is_explained_by_its_page(recorded: Tool) -> None:
    assert recorded("explain", "boundaries").out.startswith("# boundaries")
    assert "`abutment check --verbose` shows them" in recorded("explain", "deadbeef").err


def test_a_misspelt_gate_is_told_what_is_near(recorded: Tool) -> None:
    assert "Did you mean boundaries? Known gates" in recorded("check", "boundarys").out


def test_our_own_lock_is_no_file_that_was_left_out(recorded: Tool) -> None:
    assert (recorded.root / "fixtures/architecture/.abutment").is_dir()
    assert "0 left out" in recorded("check").out


def test_a_line_that_a_merge_has_brought_back_was_paid_already(recorded: Tool) -> None:
    baseline = recorded.root / "fixtures/architecture/boundaries.jsonl"
    before = baseline.read_bytes()
    recorded.write({"shop/store.py": ""})
    assert recorded("tighten").status == 0
    baseline.write_bytes(before)
    said = recorded("check", "boundaries").out
    assert "It was paid already, as a receipt says: delete the line, or run `abutment tighten boundaries`." in said
    assert recorded("tighten").status == 0
    assert recorded("check").status == 0
