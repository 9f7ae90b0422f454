"""`receipts`: do the baselines agree with what was written, and what was that?"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from abutment.baselines.reading import read_documents
from abutment.baselines.verify import missing_receipts, powerless_lines
from abutment.sources.memory_tree import MemoryTree
from tests.baselines.laws import FOLDER, World
from tests.cli.branches import BASELINE, LAW
from tests.cli.tool import Tool

KEY = '"contract": "layers", "importer": "shop.store", "imported": "shop.web"'
LINE = f'{{{KEY}, "count": 1}}\n'


def baseline(tool: Tool) -> str:
    return (tool.root / BASELINE).read_text(encoding="utf-8")


def receipts(tool: Tool) -> list[Path]:
    return sorted((tool.root / LAW / "receipts").iterdir())


def test_what_our_verbs_wrote_is_held(recorded: Tool) -> None:
    answer = recorded("receipts", "verify")
    assert (answer.status, answer.out) == (0, "receipts: held: 1 receipt, 4 entries in 3 baselines\n")
    recorded.write({"shop/store.py": ""})
    assert recorded("tighten").status == 0
    answer = recorded("receipts", "verify")
    assert (answer.status, answer.out) == (0, "receipts: held: 2 receipts, 0 entries in 3 baselines\n")


def test_a_line_above_its_level_is_named_and_tighten_lowers_it(recorded: Tool) -> None:
    recorded.write({BASELINE: baseline(recorded).replace('"count": 1', '"count": 3')})
    answer = recorded("receipts", "verify")
    assert answer.status == 1
    assert answer.out.splitlines() == [
        f"{BASELINE}:2: boundaries: contract layers, importer shop.store, imported shop.web: the line says 3, and "
        "receipts recorded 1, which is what counts. Run `abutment tighten boundaries` to lower it.",
        "receipts: broken: 1 receipt, 4 entries in 3 baselines",
    ]
    assert " shrunk from 3 to 1: " in recorded("check").out
    assert recorded("tighten").status == 0
    assert recorded("receipts", "verify").status == 0


def test_a_line_without_a_receipt_is_named(recorded: Tool) -> None:
    recorded.write({BASELINE: baseline(recorded) + LINE.replace("shop.store", "shop.zzz")})
    answer = recorded("receipts", "verify")
    assert answer.status == 1
    assert (
        f"{BASELINE}:3: boundaries: contract layers, importer shop.zzz, imported shop.web: no receipt tells of this "
        "line, so that it grants nothing. Delete it, or run `abutment tighten boundaries`; new debt needs an approval "
        f"in {LAW}/boundaries.toml."
    ) in answer.out
    assert recorded("tighten").status == 0
    assert recorded("receipts", "verify").status == 0


def test_a_line_that_a_bad_merge_brought_back_is_named_and_tighten_takes_it_out(recorded: Tool) -> None:
    before = baseline(recorded)
    recorded.write({"shop/store.py": ""})
    assert recorded("tighten").status == 0
    recorded.write({BASELINE: before})
    answer = recorded("receipts", "verify")
    assert answer.status == 1
    assert "the line says 1, and receipts recorded 0" in answer.out
    assert recorded("tighten").status == 0
    assert recorded("receipts", "verify").status == 0


def test_a_line_below_its_level_is_nothing_wrong(recorded: Tool) -> None:
    recorded.write({BASELINE: baseline(recorded).replace(LINE, "")})
    assert recorded("receipts", "verify").status == 0


def edited(tool: Tool) -> None:
    path = receipts(tool)[0]
    path.write_text(path.read_text().replace('"count": 1', '"count": 9', 1))


def renamed(tool: Tool) -> None:
    path = receipts(tool)[0]
    path.rename(path.with_name("0" * 32 + ".json"))


def with_more(tool: Tool) -> None:
    path = receipts(tool)[0]
    path.write_text(path.read_text().replace('"schema": 1', '"schema": 1, "at": "noon"'))


def with_more_in_a_key(tool: Tool) -> None:
    path = receipts(tool)[0]
    path.write_text(path.read_text().replace('"count": 1,', '"count": 1, "note": "x",', 1))


def gone(tool: Tool) -> None:
    for path in receipts(tool):
        path.unlink()


def without_baseline(tool: Tool) -> None:
    (tool.root / BASELINE).unlink()


def in_conflict(tool: Tool) -> None:
    tool.write({BASELINE: "<<<<<<< a\n" + baseline(tool)})


def of_no_gate(tool: Tool) -> None:
    tool.write({f"{LAW}/nothing.jsonl": baseline(tool)})


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (edited, r"receipts/[0-9a-f]{32}\.json: its name is not the digest of its content, which is [0-9a-f]{32}\. "),
        (renamed, r"receipts/0{32}\.json: its name is not the digest of its content"),
        (with_more, r"receipts/[0-9a-f]{32}\.json: at: unknown"),
        (with_more_in_a_key, r"receipts/[0-9a-f]{32}\.json: gates\[\d\]\.keys\[0\]: expected text in "),
        (gone, r"boundaries\.jsonl: no receipt tells of this baseline, so that no level holds it"),
        (without_baseline, r"boundaries\.jsonl: the baseline is missing, though boundaries was recorded before"),
        (in_conflict, r"boundaries\.jsonl:1: holds merge conflict markers\. Run `abutment resolve`"),
        (of_no_gate, r"there is no gate 'nothing'"),
    ],
)
def test_what_cannot_be_trusted_is_not_judged(recorded: Tool, damage: Callable[[Tool], None], message: str) -> None:
    damage(recorded)
    answer = recorded("receipts", "verify")
    assert answer.status == 2
    assert re.search(f"^not judged: .*{message}", answer.out, re.MULTILINE), answer.out
    assert re.search("^receipts: not judged: ", answer.out, re.MULTILINE)


def test_a_superseded_receipt_that_is_not_there_is_told(recorded: Tool) -> None:
    (recorded.root / "shop/store.py").unlink()
    recorded.write({"shop/store/__init__.py": "", "shop/store/sql.py": "import shop.web\n"})
    recorded.write({"shop/core.py": "import shop.store.sql\n"})
    (first,) = receipts(recorded)
    assert recorded("move", "shop.store", "shop.store.sql").status == 0
    (move,) = (path for path in receipts(recorded) if path != first)
    first.unlink()
    answer = recorded("receipts", "verify")
    assert answer.status == 1, "one line is left that only the first receipt told of"
    assert (
        f"note: {LAW}/receipts/{move.name}: supersedes {first.stem}, which is not there. Restore it from version "
        "control, unless the commit that wrote it was reverted or is of a branch that was never merged."
    ) in answer.out


def test_a_payment_that_was_reverted_below_a_move_is_no_fault_of_the_moves() -> None:
    world = World()
    world.init({"c a b": 2})
    before = world.receipts()
    world.tighten({"c a b": 1})
    (payment,) = world.receipts() - before
    world.move("a", "z", {"c z b": 1}, ["z"])
    del world.files[payment]
    (told,) = missing_receipts(read_documents(MemoryTree(world.files), FOLDER))
    assert told.message == f"supersedes {payment[-37:-5]}, which is not there."
    assert list(powerless_lines(world.law())) == []


def test_a_snapshot_is_held_to_no_level(recorded: Tool) -> None:
    config = (recorded.root / "abutment.toml").read_text().replace('"boundaries"]', '"boundaries", "snapshot"]')
    recorded.write({"abutment.toml": config})
    assert recorded("init", "snapshot").status == 0
    path = recorded.root / LAW / "snapshot.jsonl"
    path.write_text(path.read_text().replace('"count": 1', '"count": 2'))
    assert recorded("receipts", "verify").status == 0


def test_every_write_is_listed_with_what_it_did(recorded: Tool) -> None:
    recorded.write({"shop/store.py": ""})
    assert recorded("tighten").status == 0
    lines = recorded("receipts", "list").out.splitlines()
    assert sorted(line.partition("  ")[2] for line in lines) == [
        "init: blindspots, boundaries (1 recorded), cycles (3 recorded)",
        "tighten: boundaries (1 paid), cycles (3 paid)",
    ]
    assert recorded("receipts", "list", "egress").out == ""


def test_one_write_is_shown_key_by_key(recorded: Tool) -> None:
    (path,) = receipts(recorded)
    answer = recorded("receipts", "show", path.stem[:6])
    assert answer.status == 0
    assert "boundaries: contract layers, importer shop.store, imported shop.web: 1 (recorded)" in answer.out
    after = json.loads(path.read_text())["documents"][1]["after"]
    assert f"{BASELINE}: none -> {after[:12]}" in answer.out
    unknown = recorded("receipts", "show", "zz")
    assert unknown.status == 2
    assert "there is no receipt 'zz'. `abutment receipts list` shows them." in unknown.err


def test_an_edited_receipt_lists_nothing(recorded: Tool) -> None:
    edited(recorded)
    assert recorded("receipts", "list").status == 2
