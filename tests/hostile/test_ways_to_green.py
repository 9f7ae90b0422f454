"""Code that takes a forbidden import in disguise: each disguise is seen."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.laws.workshop import Workshop, adopted

SHOP = {
    "abutment.toml": """\
roots = ["src"]
gates = ["blindspots", "cycles", "boundaries"]

[[contracts]]
id = "no-db"
kind = "forbidden"
sources = ["app.web"]
forbidden = ["app.db"]
""",
    "src/app/__init__.py": "",
    "src/app/db.py": "",
    "src/app/web/__init__.py": "",
}
GUARD = "from typing import TYPE_CHECKING\n"
BODY = "if TYPE_CHECKING:\n    import app.db\n"
DISGUISES = [
    *("import \\\n app \\\n . db", "x = 1;import app.db", "\x0cimport app.db", "if 0:\n    import app.db"),
    *("# coding: utf-7\nimport app+AC4-db", "# coding: unicode_escape\nx = 1\\nimport app.db"),
    *("import \uff41\uff50\uff50.\uff44\uff42", "from \uff41pp import d\uff42"),  # identifiers are read in NFKC
    *("def f(x=__import__('app.db')): ...", "f = lambda: __import__('app.db')", "x = f\"{__import__('app.db')}\""),
    *("import importlib as i\nj = i\nj.import_module('app.db')", "from importlib import *\nimport_module('app.db')"),
    "import importlib\nn = 'import_' + 'module'\ngetattr(importlib, n)('app.db')",
    *(
        f"TYPE_CHECKING = True\n{BODY}",
        f"{GUARD}TYPE_CHECKING = True\n{BODY}",
        f"{GUARD}if not TYPE_CHECKING:\n import app.db",
    ),
    f"{GUARD}if TYPE_CHECKING or True:\n    import app.db",
    f"TYPE_CHECKING = False\nfor TYPE_CHECKING in [1]: ...\n{BODY}",
    f"TYPE_CHECKING = False\n[TYPE_CHECKING := 1 for _ in 'a']\n{BODY}",
    f"TYPE_CHECKING = False\ndef f():\n    global TYPE_CHECKING\n    TYPE_CHECKING = 1\nf()\n{BODY}",
    f"TYPE_CHECKING = False\nmatch 1:\n    case TYPE_CHECKING: ...\n{BODY}",
]


@pytest.fixture(scope="module")
def shop() -> Iterator[Workshop]:
    with adopted(SHOP) as made:
        yield made


@pytest.mark.parametrize("text", DISGUISES)
def test_a_forbidden_import_in_disguise_is_seen(shop: Workshop, text: str) -> None:
    shop.become({**SHOP, "src/app/web/page.py": text + "\n"})
    assert shop.kinds("boundaries") == [("new", "no-db app.web.page app.db")]


def test_what_only_the_type_checker_sees_is_free(shop: Workshop) -> None:
    shop.become({**SHOP, "src/app/web/page.py": GUARD + BODY})
    assert shop("check").status == 0


@pytest.mark.parametrize("folder", ["build", "dist", ".hidden", "node_modules"])
def test_code_that_is_left_out_cannot_be_imported_unseen(shop: Workshop, folder: str) -> None:
    name = folder.removeprefix(".")
    shop.become(
        {**SHOP, f"src/app/{folder}/page.py": "import app.db\n", "src/app/web/page.py": f"import app.{name}.page\n"}
    )
    assert shop.kinds("blindspots") == [("new", f"unresolved app.web.page <module> app.{name}.page")]


def test_a_computed_import_does_not_pay_for_another_one() -> None:
    before, after = (f"import importlib\ndef {n}(name):\n    importlib.import_module(name)\n" for n in "fg")
    with adopted({**SHOP, "src/app/db.py": before}) as made:
        made.write({"src/app/db.py": after})
        assert sorted(made.kinds("blindspots")) == [("gone", "dynamic app.db f ?"), ("new", "dynamic app.db g ?")]
