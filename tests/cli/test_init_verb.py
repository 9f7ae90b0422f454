"""`abutment init` through the command line: where it stands, what it carries over, what it refuses."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from tests.cli.conftest import SHOP
from tests.cli.tool import Answer, Tool, child

CODE = {path: text for path, text in SHOP.items() if path.endswith(".py")}


@pytest.fixture
def bare(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Tool:
    """The shop without a configuration."""
    tool = Tool(tmp_path, capsys)
    tool.write(CODE)
    return tool


def init(root: Path, *words: str) -> Answer:
    return child(root, "init", *words, "--no-cache", "--jobs", "1")


def configuration(root: Path) -> dict[str, object]:
    return tomllib.loads((root / "abutment.toml").read_text(encoding="utf-8"))


def test_init_needs_nothing_but_code_and_what_it_wrote_is_held(bare: Tool) -> None:
    answer = init(bare.root)
    assert answer.status == 0, answer.err
    assert configuration(bare.root)["roots"] == ["shop"]
    assert "fixtures/architecture/cycles.jsonl" in answer.out
    assert child(bare.root, "check", "--no-cache").status == 0


def test_a_dry_run_writes_nothing(bare: Tool) -> None:
    before = sorted(bare.root.rglob("*"))
    answer = init(bare.root, "--dry-run")
    assert answer.status == 0
    for section in ("Found:", "Decided:", "Recorded:", "Would write"):
        assert section in answer.out
    assert sorted(bare.root.rglob("*")) == before


def test_init_never_overwrites(bare: Tool) -> None:
    assert init(bare.root).status == 0
    before = bare.documents(), (bare.root / "abutment.toml").read_bytes()
    for words in ([], ["cycles"], ["--root", "shop"], ["--from", "tach"]):
        answer = init(bare.root, *words)
        assert (answer.status, answer.out) == (2, "")
        assert answer.err
    assert (bare.documents(), (bare.root / "abutment.toml").read_bytes()) == before


def test_in_a_folder_that_is_judged_already_init_refuses(bare: Tool) -> None:
    bare.write({"shop/parts/__init__.py": "", "shop/parts/one.py": ""})
    assert init(bare.root).status == 0
    answer = init(bare.root / "shop" / "parts")
    assert (answer.status, answer.out) == (2, "")
    assert "judges this folder already: it lies in the root 'shop'" in answer.err
    assert not (bare.root / "shop" / "parts" / "abutment.toml").exists()


def test_in_a_folder_of_its_own_below_a_configuration_init_is_free(bare: Tool) -> None:
    assert init(bare.root).status == 0
    bare.write({"services/pay/till/__init__.py": "", "services/pay/till/coin.py": "import till\n"})
    answer = init(bare.root / "services" / "pay")
    assert answer.status == 0, answer.err
    assert configuration(bare.root / "services" / "pay")["roots"] == ["till"]


def test_a_folder_that_is_judged_already_can_be_configured_by_name(bare: Tool) -> None:
    bare.write({"shop/parts/__init__.py": "", "shop/parts/one.py": ""})
    assert init(bare.root).status == 0
    assert init(bare.root, "--config", "shop/parts").status == 0
    assert (bare.root / "shop" / "parts" / "abutment.toml").exists()


def test_a_gate_that_is_named_in_a_folder_below_is_that_of_the_configuration(bare: Tool) -> None:
    bare.write({"abutment.toml": 'roots = ["shop"]\ngates = ["blindspots", "cycles"]\n'})
    assert init(bare.root / "shop", "cycles").status == 0
    assert (bare.root / "fixtures/architecture/cycles.jsonl").exists()
    assert not (bare.root / "fixtures/architecture/blindspots.jsonl").exists()
    assert init(bare.root).status == 0  # the one that is missing
    assert (bare.root / "fixtures/architecture/blindspots.jsonl").exists()


def test_what_cannot_be_read_is_2_and_the_rest_is_written(bare: Tool) -> None:
    bare.write({"shop/odd.py": "def broken(:\n"})
    answer = init(bare.root)
    assert answer.status == 2
    assert "not judged: shop/odd.py:1" in answer.err
    assert (bare.root / "abutment.toml").exists()
    bare.write({"shop/odd.py": ""})
    assert init(bare.root).status == 0
    assert child(bare.root, "check", "--no-cache").status == 0


def test_a_configuration_without_gates_has_nothing_to_record(bare: Tool) -> None:
    bare.write({"abutment.toml": 'roots = ["shop"]\n'})
    answer = init(bare.root)
    assert (answer.status, answer.out) == (2, "")
    assert answer.err == "abutment.toml: is configured, and switches no gate on. Name one, or fill in `gates`.\n"


IMPORTLINTER = """\
[importlinter]
root_package = shop

[importlinter:contract:rooms]
name = Rooms
type = layers
layers =
    shop.web
    shop.core
    shop.store

[importlinter:contract:own]
name = Own
type = tools.contracts.OwnContract
"""


def test_contracts_of_import_linter_come_over_and_break_where_they_broke(bare: Tool) -> None:
    bare.write({".importlinter": IMPORTLINTER, "shop/store.py": ""})
    answer = init(bare.root, "--from", "importlinter")
    assert answer.status == 0, answer.err
    assert "contract 'Rooms' as rooms" in answer.out
    assert "NOT carried over from .importlinter: contract 'Own'" in answer.out
    assert child(bare.root, "check", "--no-cache").status == 0
    bare.write({"shop/store.py": "import shop.web\n"})
    broken = child(bare.root, "check", "boundaries", "--no-cache")
    assert broken.status == 1
    assert "shop/store.py:1: ABT301 boundaries: new: shop.store imports shop.web" in broken.out


TACH = """\
source_roots = ["."]

[[modules]]
path = "shop.core"
depends_on = ["shop.store"]

[[modules]]
path = "shop.store"
depends_on = []

[[modules]]
path = "shop.web"
depends_on = ["shop.core"]
"""


def test_modules_of_tach_come_over_and_break_where_they_broke(bare: Tool) -> None:
    bare.write({"tach.toml": TACH, "shop/store.py": ""})
    answer = init(bare.root, "--from", "tach")
    assert answer.status == 0, answer.err
    assert "Carried over from tach.toml: tach module shop.store as tach-shop-store." in answer.out
    assert child(bare.root, "check", "--no-cache").status == 0
    bare.write({"shop/store.py": "from shop import web\n"})
    broken = child(bare.root, "check", "boundaries", "--no-cache")
    assert broken.status == 1
    assert "shop/store.py:1: ABT302 boundaries: new: shop.store imports shop.web" in broken.out


@pytest.mark.parametrize("other", ["importlinter", "tach"])
def test_a_configuration_that_is_not_there_is_not_carried_over(bare: Tool, other: str) -> None:
    answer = init(bare.root, "--from", other)
    assert (answer.status, answer.out) == (2, "")
    assert "there is no" in answer.err
    assert not (bare.root / "abutment.toml").exists()


@pytest.mark.parametrize(
    "words", [["--root", "nowhere"], ["--root", "../x"], ["nothing"], ["cycles", "--again"], ["--reason", "Because."]]
)
def test_what_cannot_be_done_is_2_and_nothing_is_written(bare: Tool, words: list[str]) -> None:
    answer = init(bare.root, *words)
    assert (answer.status, answer.out) == (2, "")
    assert answer.err
    assert sorted(path.name for path in bare.root.iterdir()) == ["shop"]


EDGES = 'roots = ["shop"]\ngates = ["cycles"]\n'
MEMBERS = EDGES + '\n[cycles]\nhold = "members"\n'


def test_cycles_can_be_held_in_another_way_from_now_on(bare: Tool) -> None:
    bare.write({"abutment.toml": EDGES})
    assert bare("init").status == 0
    bare.write({"abutment.toml": MEMBERS})
    red = bare("check")
    assert red.status == 1
    assert "3 new, 3 gone" in red.out
    assert bare("init", "cycles").status == 2
    assert "needs a reason" in bare("init", "cycles", "--again").err
    assert bare("tighten").status == 2
    again = bare("init", "cycles", "--again", "--reason", "Too large to be held edge by edge.")
    assert again.status == 0, again.err
    assert bare("check").status == 0  # the edges that were recorded are set aside
    # A new member is new; an import among members is not.
    bare.write({"shop/core.py": "import shop.store, shop.web\n"})
    assert bare("check").status == 0
    bare.write({"shop/late.py": "import shop.web\n", "shop/store.py": "import shop.web, shop.late\n"})
    assert "ABT203 cycles: new: shop.late is a member" in bare("check").out
    # What was recorded once is not forgiven a second time.
    assert bare("init", "cycles", "--again", "--reason", "More.").status == 2


def test_cycles_can_be_held_as_before_without_forgiving_what_came_meanwhile(bare: Tool) -> None:
    bare.write({"abutment.toml": EDGES})
    assert bare("init").status == 0
    before = bare.documents()["cycles.jsonl"]
    bare.write({"abutment.toml": MEMBERS})
    assert bare("init", "cycles", "--again", "--reason", "Too large.").status == 0
    bare.write({"shop/core.py": "import shop.store, shop.web\n"})  # one edge more, among the same members
    assert bare("check").status == 0
    bare.write({"abutment.toml": EDGES})
    back = bare("init", "cycles", "--again", "--reason", "It is smaller now.")
    assert back.status == 0, back.err
    assert "What came meanwhile needs an approval" in back.out
    assert bare.documents()["cycles.jsonl"] == before
    red = bare("check")
    assert red.status == 1
    assert "shop.core imports shop.web" in red.out and "(1 new)" in red.out
    bare.write({"shop/core.py": "import shop.store\n"})
    assert bare("check").status == 0
    # An edge that is paid while edges are held is not brought back by going to and fro.
    bare.write({"shop/store.py": ""})
    assert bare("tighten").status == 0
    bare.write({"abutment.toml": MEMBERS, "shop/store.py": "import shop.web\n"})
    assert bare("init", "cycles", "--again", "--reason", "Once more.").status == 2


def test_what_was_paid_while_it_was_set_aside_does_not_come_back(bare: Tool) -> None:
    ring = {"shop/a.py": "import shop.b\n", "shop/b.py": "import shop.a\n"}
    bare.write({**ring, "abutment.toml": EDGES})
    assert bare("init").status == 0
    bare.write({"abutment.toml": MEMBERS})
    assert bare("init", "cycles", "--again", "--reason", "One.").status == 0
    bare.write({"shop/b.py": "", "abutment.toml": EDGES})
    assert bare("init", "cycles", "--again", "--reason", "Two.").status == 0
    assert bare("check").status == 0
    bare.write(ring)
    assert bare("check").status == 1
    for law in (MEMBERS, EDGES):
        bare.write({"abutment.toml": law})
        assert bare("init", "cycles", "--again", "--reason", "To and fro.").status == 0
    assert bare("check").status == 1


def test_the_deferred_reading_can_be_judged_from_now_on(bare: Tool) -> None:
    bare.write({"abutment.toml": EDGES, "shop/web.py": "import shop.core\ndef f():\n    import shop.late\n"})
    bare.write({"shop/late.py": "import shop.web\n"})
    assert bare("init").status == 0
    bare.write({"abutment.toml": EDGES + "\n[cycles]\ndeferred = true\n"})
    assert bare("check").status == 1
    assert bare("init", "cycles", "--again", "--reason", "Lazy cycles count, too.").status == 0
    assert bare("check").status == 0
