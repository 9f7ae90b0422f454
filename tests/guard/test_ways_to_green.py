"""A new violation, and every document made to fit it, in one branch: the gates are green, and the guard is not."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from abutment.gates import own_gates
from abutment.model.terms import Direction
from tests.cli.tool import Tool
from tests.coverage_reports import coverage_json
from tests.guard.shop import CONFIGURATION, LAW, NEW, PAGE, Shop, violations


@dataclass(frozen=True)
class Wrong:
    """What breaks one gate, and the configuration that the gate needs."""

    code: str
    settings: str = ""
    before: Mapping[str, str] = field(default_factory=dict)  # files that are there from the beginning
    after: Mapping[str, str] = field(default_factory=dict)  # what becomes of them together with the code


ASYNC = "import time, asyncio, threading\n"
WRONG = {
    "blindspots": Wrong("import importlib\n\n\ndef load(name):\n    return importlib.import_module(name)\n"),
    "cycles": Wrong("import shop.web.cart\nimport shop.web.tour\n"),
    "boundaries": Wrong(NEW[PAGE]),
    "egress": Wrong("import requests\n\n\ndef go():\n    requests.get('x')\n"),
    "blocking": Wrong(ASYNC + "\n\nasync def go():\n    time.sleep(1)\n"),
    "bans": Wrong("print(1)\n", '[[bans.rules]]\nid = "no-print"\nnames = ["builtins.print"]\n'),
    "concurrency": Wrong(ASYNC + "\n\ndef go():\n    threading.Thread(target=go).start()\n"),
    "events": Wrong(
        "from shop.core import Bus\n\n\ndef go():\n    Bus().send('paid')\n",
        '[[events.apis]]\nid = "bus"\nclasses = ["shop.core.Bus"]\nproduce = ["send(event)"]\n',
    ),
    "effects": Wrong(ASYNC + "\nthreading.Thread(target=print).start()\n"),
    "transactions": Wrong("from sqlalchemy.orm import Session\n\n\ndef go():\n    Session().commit()\n"),
    "configuration": Wrong(
        "from shop.core import Bus\n\n\ndef go():\n    return Bus()\n", '[configuration]\nclasses = ["shop.core.Bus"]\n'
    ),
    "startup": Wrong("import shop.web.tour\n", '[startup]\nmodules = ["shop.web.page"]\n'),
    "locators": Wrong(
        "import shop.core\n\n\ndef go():\n    return shop.core.find()\n",
        '[[locators.rules]]\nid = "find"\nnames = ["shop.core.find"]\n',
    ),
    "mypy": Wrong("number: int = ''\n", '[mypy]\ntargets = ["src"]\n'),
    "tools": Wrong(
        "exec('1')\n",
        '[[tools.declared]]\nid = "exec"\nformat = "sarif"\nproof = { clean = [0], found = [1] }\n'
        'command = ["ruff", "check", "--isolated", "--no-cache", "--select=S102", "--output-format=sarif", "src"]\n',
    ),
    "lint": Wrong("import os\n", '[lint]\ntargets = ["src"]\n'),
    "complexity": Wrong("def go(a):\n" + "    if a: pass\n" * 15),
    "sizes": Wrong("def go(a):\n" + "    pass\n" * 150),
    "coverage": Wrong(
        "import shop.core\n",
        before={"coverage.json": coverage_json({PAGE: "1"})},
        after={"coverage.json": coverage_json({PAGE: "!1"})},
    ),
}
CORE = "class Bus:\n    def send(self, event): ...\n\n\ndef find(): ...\n"


def test_every_gate_with_a_baseline_is_played() -> None:
    assert sorted(WRONG) == sorted(gate.name for gate in own_gates() if gate.direction is Direction.RATCHET)


def under(gate: str, wrong: Wrong, tool: Tool) -> Shop:
    gates = f'gates = ["{gate}"]' if gate == "boundaries" else f'gates = ["{gate}", "boundaries"]'
    configuration = CONFIGURATION.replace('gates = ["blindspots", "cycles", "boundaries", "egress"]', gates)
    more = {"src/shop/core.py": CORE, "src/shop/web/tour.py": "import shop.web.page\n", **wrong.before}
    return Shop.under_law(tool, configuration + wrong.settings, more)


@pytest.mark.parametrize("gate", WRONG)
def test_documents_that_were_recorded_anew_are_red(
    gate: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shop = under(gate, WRONG[gate], Tool(tmp_path, capsys))
    shop.branch()
    shop.write({PAGE: WRONG[gate].code, **WRONG[gate].after})
    assert shop.tool("check").status == 1
    shop.remove_documents()
    shop.init()
    shop.commit()
    assert shop.tool("check").status == 0
    answer = shop.guard()
    assert answer.status == 1
    assert [said for said in violations(answer) if said.startswith(f"{gate} grants ")]


FORBIDDEN = 'forbidden = ["shop.db"]'


def edited(*pairs: tuple[str, str], path: str = "abutment.toml") -> Callable[[Shop], None]:
    def edit(shop: Shop) -> None:
        text = (shop.root / path).read_text(encoding="utf-8")
        for old, new in pairs:
            assert old in text
            text = text.replace(old, new)
        shop.write({path: text})

    return edit


def approve(shop: Shop) -> None:
    drafted = shop.tool("draft", "boundaries").out
    for key in ("owner", "reason", "tracking"):
        drafted = drafted.replace(f'{key} = ""', f'{key} = "said"')
    shop.write({f"{LAW}/boundaries.toml": drafted})


def start_anew(shop: Shop) -> None:
    """Take away configuration and documents alike, and begin as if there had been nothing."""
    shop.remove_documents()
    shop.init()


def elsewhere(shop: Shop) -> None:
    edited(("roots =", 'documents = "law"\nroots ='))(shop)
    shop.init()


def as_pyproject(shop: Shop) -> None:
    text = (shop.root / "abutment.toml").read_text(encoding="utf-8")
    (shop.root / "abutment.toml").unlink()
    text = text.replace("[[contracts]]", "[[tool.abutment.contracts]]")
    shop.write({"pyproject.toml": "[tool.abutment]\n" + text})
    start_anew_in(shop)


def start_anew_in(shop: Shop) -> None:
    shop.remove_documents()
    assert shop.tool("init", "blindspots", "cycles", "boundaries", "egress").status == 0


def again(shop: Shop) -> None:
    """Give the contract another id, and record it as a new one."""
    edited(('"web-not-db"', '"web-without-db"'))(shop)
    shop.remove_documents()
    shop.init()


def as_tests(shop: Shop) -> None:
    edited(('["src"]', '["src", { path = "src/shop/web/page.py", role = "tests" }]'))(shop)
    start_anew(shop)


def another(shop: Shop) -> None:
    edited((FORBIDDEN, 'forbidden = ["shop.core"]'))(shop)
    start_anew(shop)


def without(shop: Shop, gate: str) -> None:
    edited((f'"{gate}", ', ""))(shop)
    for path in (shop.root / LAW).glob(f"{gate}.*"):
        path.unlink()


WAYS: dict[str, Callable[[Shop], None]] = {
    "an approval": approve,
    "init once more": start_anew,
    "documents in another folder": elsewhere,
    "the configuration in another file": as_pyproject,
    "a contract under another id": again,
    "the gate removed": lambda shop: without(shop, "boundaries"),
    "an exclusion for all": edited(("roots =", f'exclude = ["{PAGE}"]\nroots =')),
    "an exclusion of the gate": edited((FORBIDDEN, f'{FORBIDDEN}\n\n[boundaries]\nexclude = ["shop.web.page"]')),
    "an exception in the contract": edited((FORBIDDEN, f'{FORBIDDEN}\nexcept_sources = ["shop.web.page"]')),
    "an import that is ignored": edited((FORBIDDEN, f'{FORBIDDEN}\nignore = ["shop.web.page -> shop.db"]')),
    "a narrower source": edited((('sources = ["shop.web"]'), 'sources = ["shop.web.cart", "shop.web.item"]')),
    "another thing forbidden": another,
    "a root for tests": as_tests,
}


@pytest.mark.parametrize("way", WAYS)
def test_a_way_to_green_is_red(way: str, shop: Shop) -> None:
    shop.branch()
    shop.write(NEW)
    assert shop.tool("check").status == 1
    WAYS[way](shop)
    shop.commit()
    assert shop.tool("check").status == 0, shop.tool("check").out
    answer = shop.guard()
    assert answer.status == 1, answer.out


def test_a_second_configuration_is_not_judged(shop: Shop) -> None:
    shop.branch()
    shop.write({**NEW, "pyproject.toml": '[tool.abutment]\nroots = ["src"]\ngates = ["cycles"]\n'})
    answer = shop.guard()
    assert answer.status == 2


def test_a_receipt_that_was_edited_is_not_judged(shop: Shop) -> None:
    shop.branch()
    (receipt,) = (shop.root / LAW / "receipts").glob("*.json")
    receipt.write_text(receipt.read_text().replace('"count": 1', '"count": 2'), encoding="utf-8")
    answer = shop.guard()
    assert answer.status == 2
    assert "its name is not the digest of its content" in answer.out


def test_a_journal_that_is_left_over_is_no_way_either(shop: Shop) -> None:
    shop.branch()
    shop.write({f"{LAW}/.abutment/journal.json": "{}"})
    assert shop.guard().status == 2
    (shop.root / LAW / ".abutment" / "journal.json").unlink()
    assert shop.guard().status == 0


def test_a_watch_list_that_was_emptied_is_red(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    watched = '[egress]\nraw_transports = ["wire"]\n'
    shop = Shop.under_law(Tool(tmp_path, capsys), CONFIGURATION + watched)
    shop.branch()
    shop.write({PAGE: "import wire\n\n\ndef go():\n    wire.send()\n"})
    assert shop.tool("check").status == 1
    edited((watched, ""))(shop)
    assert shop.tool("check").status == 0
    assert violations(shop.guard()) == ["egress.raw_transports: 'wire' was taken out"]


def test_reviewed_only_that_was_switched_off_is_red(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    strict = CONFIGURATION + "reviewed_only = true\n"
    code = {f"src/shop/web/{name}.py": "" for name in ("cart", "item")}
    shop = Shop.under_law(Tool(tmp_path, capsys), strict, code)
    shop.branch()
    shop.write(NEW)
    edited(("reviewed_only = true\n", ""))(shop)
    start_anew(shop)
    assert shop.tool("check").status == 0
    assert "contract web-not-db.reviewed_only: went from true to false" in violations(shop.guard())


# And what is honest.


def test_a_module_that_was_renamed_takes_its_debt_along(shop: Shop) -> None:
    shop.branch()
    shop.git("mv", "src/shop/web/cart.py", "src/shop/web/basket.py")
    assert shop.tool("move", "shop.web.cart", "shop.web.basket").status == 0
    shop.commit()
    assert shop.tool("check").status == 0
    assert shop.guard().status == 0


NAMED = (
    'exclude = ["src/shop/web/gen/"]\n'
    + CONFIGURATION.replace('["shop.web"]', '["shop.web", "shop.web.cart", "shop.web.*"]')
    + '[[contracts]]\nid = "order"\nkind = "layers"\nlayers = ["shop.web.page", "shop.web.cart | shop.core"]\n'
    + '[cycles]\nexclude = ["shop.core", "shop.web.page"]\n[[bans.rules]]\nid = "b"\nnames = ["shop.core.find"]\n'
)
NAMED_CODE = {"src/shop/web/gen/__init__.py": "", "src/shop/web/gen/x.py": "import shop.db\n", "src/shop/core.py": CORE}


@pytest.mark.parametrize(
    "names",
    [
        {"shop.web.cart": "shop.web.basket", "shop.core": "shop.heart"},
        {"shop.web.cart": "shop.web.page_of_cart", "shop.web.item": "shop.web.thing", "shop.web.page": "shop.web.leaf"},
        {"shop.web": "shop.front"},
        {"shop.web": "shop.front", "shop.core": "shop.heart", "shop.db": "shop.store"},
        {"shop": "store"},
    ],
    ids=str,
)
def test_several_modules_and_packages_may_be_renamed_at_once(
    names: dict[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shop = Shop.under_law(Tool(tmp_path, capsys), NAMED, NAMED_CODE)
    shop.branch()
    for old, new in names.items():
        rename(shop, old, new)
    shop.commit()
    assert shop.tool("check").status == 0, shop.tool("check").out
    assert violations(shop.guard()) == []
    shop.loosen('[blindspots]\nexclude = ["shop.core"]\n')
    assert violations(shop.guard()) == ["blindspots.exclude: 'shop.core' was added"]


def rename(shop: Shop, old: str, new: str) -> None:
    """Rename a module or package as an editor does: its files, every name of it, and what was recorded."""
    was, now = (f"src/{name.replace('.', '/')}" for name in (old, new))
    ends = "" if (shop.root / was).is_dir() else ".py"
    shop.git("mv", f"{was}{ends}", f"{now}{ends}")
    for path in (shop.root / "abutment.toml", *(shop.root / "src").rglob("*.py")):
        text = re.sub(rf"\b{re.escape(old)}\b", new, path.read_text(encoding="utf-8"))
        path.write_text(text.replace(f"{was}/", f"{now}/"), encoding="utf-8")
    shop.tool("move", old, new)


GO = "import requests\n\n\ndef go(url):\n    url = url or 'x'\n    return requests.get(url)\n"
OTHER = "import requests\n\n\ndef fetch(*urls):\n    for url in urls:\n        requests.get(url, timeout=1)\n"


def approve_way_out(shop: Shop, qualname: str) -> None:
    said = 'class = "exception"\nowner = "me"\nreason = "Reviewed."\n'
    where = 'module = "shop.web.page"\ntarget = "requests"\nkind = "raw_transport"\n'
    places = ((qualname, "get"), ("<module>", "import"))
    entries = (f'[[approvals]]\n{where}qualname = "{name}"\noperation = "{what}"\n{said}' for name, what in places)
    shop.write({f"{LAW}/egress.toml": "schema = 1\n" + "".join(entries)})


@pytest.mark.parametrize(
    ("code", "said"),
    [
        (GO.replace("def go", "def fetch"), []),
        (OTHER, ["egress grants shop.web.page, fetch, requests, raw_transport, get: 1 instead of 0"]),
    ],
)
def test_an_approved_function_may_be_renamed_by_hand_and_not_replaced(shop: Shop, code: str, said: list[str]) -> None:
    shop.write({PAGE: GO})
    approve_way_out(shop, "go")
    assert shop.tool("check").status == 0, shop.tool("check").out
    shop.commit()
    shop.branch()
    shop.write({PAGE: code})
    assert shop.tool("check").status == 1
    approve_way_out(shop, "fetch")
    assert shop.tool("check").status == 0, shop.tool("check").out
    shop.commit()
    assert violations(shop.guard()) == said


def test_more_law_with_the_debt_it_finds_is_held(shop: Shop) -> None:
    shop.branch()
    contract = '[[contracts]]\nid = "core"\nkind = "forbidden"\nsources = ["shop.web"]\nforbidden = ["shop.core"]\n'
    edited(("[[contracts]]", f"{contract}\n[[contracts]]"))(shop)
    assert shop.tool("init", "boundaries", "--again", "--reason", "One more contract.").status == 0
    assert shop.tool("check").status == 0
    assert shop.guard().status == 0


def test_one_more_gate_with_the_debt_it_finds_is_held(shop: Shop) -> None:
    shop.branch()
    shop.write({PAGE: WRONG["effects"].code})
    edited(('"egress"]', '"egress", "effects"]'))(shop)
    assert shop.tool("init", "effects").status == 0
    assert shop.tool("check").status == 0
    assert shop.guard().status == 0


def test_debt_that_was_promoted_is_held(shop: Shop) -> None:
    shop.branch()
    entry = 'contract = "web-not-db"\nimporter = "shop.web.cart"\nimported = "shop.db"\nclass = "debt"\n'
    said = 'owner = "me"\nreason = "June."\ntracking = "T-1"\n'
    shop.write({f"{LAW}/boundaries.toml": f"schema = 1\n[[approvals]]\n{entry}{said}"})
    assert shop.tool("tighten").status == 0
    assert shop.tool("check").status == 0
    assert shop.guard().status == 0
