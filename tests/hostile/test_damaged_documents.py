"""Documents that were cut off or tampered with: never a better verdict than the whole ones give."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.laws.workshop import DOCUMENTS, Workshop, adopted

SHOP = {
    "abutment.toml": """\
roots = ["shop"]
gates = ["blindspots", "cycles", "boundaries"]

[[contracts]]
id = "no-db"
kind = "forbidden"
sources = ["shop.web"]
forbidden = ["shop.db"]
""",
    "shop/__init__.py": "",
    "shop/db.py": "import shop.web\n",
    "shop/web.py": "import shop.db\nimport shop.gone\nimport shop.lost\n",
}
PAID = {"shop/web.py": "import shop.db\nimport shop.gone\n"}
NEW = {"shop/web.py": "import shop.db\nimport shop.gone\nimport shop.lost\nimport shop.more\n"}
COUNTS = ["0", "-1", "true", "1.0", "1e0", '"1"', "null", "[1]", "NaN", "01", "99999999999999999999", '1, "count": 1']
MARKERS = ["<<<<<<< HEAD", "<<<<<<<", "||||||| base", "=======", ">>>>>>> 1a2b3c (paid)", "<<<<<<< HEAD\r"]


@pytest.fixture(scope="module")
def shop() -> Iterator[Workshop]:
    """A project with debt, some of which was paid and recorded as paid."""
    with adopted(SHOP) as made:
        made.write(PAID)
        assert made("tighten").status == 0
        yield made


def document(shop: Workshop, pattern: str) -> Path:
    return next((shop.root / DOCUMENTS).glob(pattern))


@pytest.mark.parametrize("pattern", ["boundaries.jsonl", "blindspots.jsonl", "receipts/*.json"])
def test_a_document_cut_off_anywhere_never_turns_red_to_green(shop: Workshop, pattern: str) -> None:
    shop.write(NEW)
    path = document(shop, pattern)
    whole = path.read_bytes()
    lines = {at + 1 for at, byte in enumerate(whole) if byte == ord("\n")}
    for length in range(0, len(whole) - 1, 3):
        path.write_bytes(whole[:length])
        status = shop("check").status
        # Only where a line ends can a baseline be mistaken for a shorter one, and that is red.
        assert status == 2 or (status == 1 and {length, length + 1} & lines), (length, status)
    path.write_bytes(whole)
    assert shop("check").status == 1


@pytest.mark.parametrize("count", COUNTS)
def test_a_count_that_is_no_count_is_not_judged(shop: Workshop, count: str) -> None:
    shop.write(PAID)
    path = document(shop, "boundaries.jsonl")
    whole = path.read_bytes()
    path.write_bytes(whole.replace(b'"count": 1', f'"count": {count}'.encode()))
    answer = shop("check")
    path.write_bytes(whole)
    assert (answer.status, f"{DOCUMENTS}/boundaries.jsonl:2: not judged: " in answer.out) == (2, True)


@pytest.mark.parametrize("pattern", ["boundaries.jsonl", "receipts/*.json"])
@pytest.mark.parametrize("marker", MARKERS)
def test_a_conflict_is_not_judged(shop: Workshop, pattern: str, marker: str) -> None:
    shop.write(PAID)
    path = document(shop, pattern)
    whole = path.read_bytes()
    first, rest = whole.split(b"\n", 1)
    path.write_bytes(b"\n".join((first, marker.encode(), rest)))
    answer = shop("check")
    path.write_bytes(whole)
    assert (answer.status, ":2: not judged: holds merge conflict markers" in answer.out) == (2, True)


def test_a_line_written_by_hand_grants_nothing(shop: Workshop) -> None:
    shop.write(NEW)
    path = document(shop, "blindspots.jsonl")
    whole = path.read_bytes()
    path.write_bytes(
        whole
        + b'{"kind": "unresolved", "module": "shop.web", "qualname": "<module>", "what": "shop.more", "count": 1}\n'
    )
    found = shop.kinds("blindspots")
    path.write_bytes(whole)
    assert ("new", "unresolved shop.web <module> shop.more") in found
    assert ("returned", "unresolved shop.web <module> shop.lost") in found


def test_a_receipt_taken_away_grants_nothing(shop: Workshop) -> None:
    shop.write(PAID)
    path = next(p for p in (shop.root / DOCUMENTS / "receipts").iterdir() if b'"init"' in p.read_bytes())
    whole = path.read_bytes()
    path.unlink()
    status = shop("check").status
    path.write_bytes(whole)
    assert status == 2
