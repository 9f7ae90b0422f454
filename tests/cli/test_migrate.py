"""`abutment migrate` on a real project, from names that changed to a green check."""

from __future__ import annotations

import stat

import pytest

from tests.cli.tool import Answer, Tool, repository

POLICY = """\
schema = 1

[[approvals]]
contract = "layers"
importer = "shop.store"
imported = "shop.web"
class = "exception"
owner = "core"
reason = "Agreed."
"""


def renamed(tool: Tool) -> None:
    """Rename `shop.store` to `shop.stock` in code and configuration."""
    (tool.root / "shop/store.py").rename(tool.root / "shop/stock.py")
    tool.write({"shop/core.py": "import shop.stock\n"})
    settings = (tool.root / "abutment.toml").read_text()
    tool.write({"abutment.toml": settings.replace("shop.store", "shop.stock"), "names.csv": "shop.store,shop.stock\n"})


def planned(tool: Tool, *words: str) -> tuple[Answer, str]:
    """Plan into `plan.jsonl` and return what was said, and the digest."""
    answer = tool("migrate", "plan", *words, "--output", str(tool.root / "plan.jsonl"))
    return answer, answer.out.strip().rpartition(" ")[2]


def names(tool: Tool) -> tuple[str, str]:
    return "--names", str(tool.root / "names.csv")


def apply(tool: Tool, digest: str) -> Answer:
    return tool("migrate", "apply", str(tool.root / "plan.jsonl"), "--approve", digest)


def test_from_changed_names_to_a_green_check(recorded: Tool) -> None:
    renamed(recorded)
    assert recorded("check").status == 1
    before = recorded.documents()
    answer, digest = planned(recorded, *names(recorded))
    assert answer.status == 0, answer.err
    assert "boundaries: 1 mutation; 1 entry before, 1 after" in answer.out
    assert recorded.documents() == before
    assert stat.S_IMODE((recorded.root / "plan.jsonl").stat().st_mode) == 0o444
    assert recorded("migrate", "verify", str(recorded.root / "plan.jsonl")).out == f"ready: {digest}\n"
    done = apply(recorded, digest)
    assert (done.status, done.out.splitlines()[0].partition(":")[0]) == (0, "applied")
    assert recorded("check").status == 0
    assert recorded("receipts", "verify").status == 0
    assert "migrate: boundaries (" in recorded("receipts", "list").out
    assert recorded("migrate", "verify", str(recorded.root / "plan.jsonl")).out == f"existing: {digest}\n"
    after = recorded.documents()
    assert apply(recorded, digest).out.startswith("existing: fixtures/architecture/migrations/")
    assert recorded.documents() == after


def test_only_what_was_approved_is_applied(recorded: Tool) -> None:
    renamed(recorded)
    _, digest = planned(recorded, *names(recorded))
    before = recorded.documents()
    answer = apply(recorded, "0" * 64)
    assert (answer.status, recorded.documents()) == (2, before)
    assert f"is not the plan that was approved: its digest is {digest}" in answer.err


def test_edits_of_a_policy_are_printed_and_never_made(recorded: Tool) -> None:
    recorded.write({"fixtures/architecture/boundaries.toml": POLICY})
    assert recorded("tighten").status == 0
    renamed(recorded)
    answer, digest = planned(recorded, *names(recorded))
    edit = 'Edit fixtures/architecture/boundaries.toml:3: importer = "shop.stock".'
    assert edit in answer.out
    assert edit in apply(recorded, digest).out
    assert (recorded.root / "fixtures/architecture/boundaries.toml").read_text() == POLICY


def test_an_approval_of_an_older_name_is_legal_and_checked_again(recorded: Tool) -> None:
    recorded.write({"fixtures/architecture/boundaries.toml": POLICY})
    assert recorded("tighten").status == 0
    renamed(recorded)
    _, digest = planned(recorded, *names(recorded))
    recorded.write({"fixtures/architecture/boundaries.toml": POLICY.replace("Agreed", "Agreed again")})
    answer = apply(recorded, digest)
    assert answer.status == 2
    assert "boundaries.toml: was changed after the plan was made" in answer.err
    recorded.write({"fixtures/architecture/boundaries.toml": POLICY})
    assert apply(recorded, digest).status == 0


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("shop.web,shop.stock\n", "names.csv:1: shop.web is still there, so it has not become shop.stock."),
        ("shop.store,shop.nowhere\n", "names.csv:1: there is no module shop.nowhere, and no function or class"),
        ("shop.store,shop.store\n", "names.csv:1: shop.store becomes itself."),
        ("shop.store,shop.stock\nshop.store,shop.core\n", "names.csv:2: shop.store is named in line 1 already."),
        ("shop.store\n", "names.csv:1: '' is no dotted name."),
        ("shop..store,shop.stock\n", "names.csv:1: 'shop..store' is no dotted name."),
        ("", "names.csv: names nothing."),
    ],
)
def test_names_that_the_code_does_not_bear_out_are_refused(recorded: Tool, text: str, message: str) -> None:
    renamed(recorded)
    recorded.write({"names.csv": text})
    answer, _ = planned(recorded, *names(recorded))
    assert answer.status == 2
    assert message in answer.err
    assert not (recorded.root / "plan.jsonl").exists()


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("names.toml", '"shop.store" = "shop.stock"\n'),
        ("names.jsonl", '{"old": "shop.store", "new": "shop.stock"}\n'),
        ("names.csv", "old,new\nshop.store,shop.stock\n"),
        ("names.csv", "\ufeffold, new\r\n\r\nshop.store, shop.stock\r\n"),
    ],
)
def test_names_are_read_from_three_kinds_of_file(recorded: Tool, name: str, text: str) -> None:
    renamed(recorded)
    recorded.write({name: text})
    answer, digest = planned(recorded, "--names", str(recorded.root / name))
    assert (answer.status, apply(recorded, digest).status, recorded("check").status) == (0, 0, 0)


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("names.toml", "shop.store = 'shop.stock'\n", "names.toml:1: shop is a table, and no name. A name with dots"),
        ("names.toml", "'shop.store' = 3\n", "names.toml:1: '' is no dotted name"),
        ("names.jsonl", '{"old": "shop.store", "old": "x", "new": "y"}\n', "names.jsonl:1: the line says 'old' twice"),
        ("names.jsonl", '{"old": "shop.store"}\n', "names.jsonl:1: '' is no dotted name"),
        ("names.csv", '"shop.store,shop.stock\n', "names.csv: cannot be read: unexpected end of data"),
        ("names.txt", "shop.store,shop.stock\n", "names.txt: is neither TOML, JSON Lines nor CSV, by its ending"),
    ],
)
def test_a_file_of_names_that_is_none_is_refused(recorded: Tool, name: str, text: str, message: str) -> None:
    renamed(recorded)
    recorded.write({name: text})
    answer, _ = planned(recorded, "--names", str(recorded.root / name))
    assert (answer.status, message in answer.err) == (2, True), answer.err


def test_what_was_approved_is_applied_though_the_code_went_back_and_check_tells(recorded: Tool) -> None:
    before = {path: (recorded.root / path).read_text() for path in ("abutment.toml", "shop/core.py")}
    renamed(recorded)
    _, digest = planned(recorded, *names(recorded))
    (recorded.root / "shop/stock.py").rename(recorded.root / "shop/store.py")
    recorded.write(before)
    assert apply(recorded, digest).out.startswith("applied: ")
    check = recorded("check", "boundaries")
    assert check.status == 1
    assert "boundaries: broken (1 new, 1 gone)" in check.out


def test_documents_that_cannot_be_read_are_no_fault_of_ours(recorded: Tool) -> None:
    renamed(recorded)
    baseline = recorded.root / "fixtures/architecture/boundaries.jsonl"
    baseline.unlink()
    baseline.mkdir()
    answer, _ = planned(recorded, *names(recorded))
    assert answer.status == 2
    assert answer.err == f"fixtures/architecture: cannot be read: Is a directory ({baseline}).\n"


def test_a_contract_that_has_another_id(recorded: Tool) -> None:
    settings = (recorded.root / "abutment.toml").read_text()
    recorded.write({"abutment.toml": settings.replace('id = "layers"', 'id = "rooms"')})
    assert recorded("check").status == 1
    answer, digest = planned(recorded, "--rename", "boundaries.contract", "layers=rooms")
    assert (answer.status, apply(recorded, digest).status) == (0, 0)
    assert recorded("check").status == 0


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--rename", "boundaries.contract", "layers"), "expected OLD=NEW"),
        (("--rename", "boundaries", "a=b"), "expected GATE.FIELD"),
        (("--rename", "egress.kind", "a=b"), "there is no baseline of egress here"),
        (("--rename", "boundaries.what", "a=b"), "the gate has no field what"),
        (("--field", "boundaries.contract=law"), "the field contract comes from nowhere"),
        (("--field", "boundaries.what=law"), "the document has no field what"),
        (("--add", "boundaries.contract"), "expected GATE.FIELD=TEXT"),
        (("--add", "boundaries.what=a", "--add", "boundaries.what=b"), "boundaries.what is named twice"),
        (("--field", "boundaries.a=b", "--field", "boundaries.a=c"), "boundaries.a is named twice"),
        (("--rename", "boundaries.contract", "a=b", "--rename", "boundaries.contract", "a=c"), "each OLD once"),
        ((), "nothing that is recorded here would change"),
    ],
)
def test_what_cannot_be_asked_is_said(recorded: Tool, words: tuple[str, ...], message: str) -> None:
    answer, _ = planned(recorded, *words)
    assert answer.status == 2
    assert message in answer.err


def test_a_plan_is_never_overwritten(recorded: Tool) -> None:
    recorded.write({"plan.jsonl": "mine"})
    answer, _ = planned(recorded, "--rename", "boundaries.contract", "layers=rooms")
    assert (answer.status, (recorded.root / "plan.jsonl").read_text()) == (2, "mine")


def test_a_plan_does_not_lie_among_the_documents(recorded: Tool) -> None:
    before = recorded.documents()
    output = str(recorded.root / "fixtures/architecture/plan.jsonl")
    words = ("migrate", "plan", "--rename", "boundaries.contract", "layers=rooms", "--output")
    answer = recorded(*words, output)
    assert (answer.status, recorded.documents()) == (2, before)
    assert "plan.jsonl: lies among the documents, where each .jsonl is a baseline." in answer.err


def test_a_baseline_of_a_gate_that_nobody_knows_is_named(recorded: Tool) -> None:
    recorded.write({"fixtures/architecture/other.jsonl": "{}\n"})
    answer, _ = planned(recorded, "--rename", "boundaries.contract", "layers=rooms")
    assert answer.status == 2
    assert answer.err.startswith("fixtures/architecture/other.jsonl: there is no gate 'other'.")


def test_the_guard_takes_a_migration_of_names_for_what_it_is(recorded: Tool) -> None:
    repository(recorded.root)
    renamed(recorded)
    _, digest = planned(recorded, *names(recorded))
    assert apply(recorded, digest).status == 0
    answer = recorded("check", "guard", "--against", "HEAD")
    assert answer.status == 0, answer.out
