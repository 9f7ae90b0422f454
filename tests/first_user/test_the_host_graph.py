"""The first user's host graph, from source text to the recorded snapshot: with the right answer where theirs was not.

Single spellings and flags are asserted by the engine's suite; here stands what becomes of them in a document.
"""

from __future__ import annotations

import json

import pytest

from tests.laws.workshop import Workshop, adopted, workshop

LAW = """\
roots = ["app"]
exclude = ["app/plugins/"]
gates = ["blindspots", "cycles", "snapshot"]
"""
PARENTS = "\n[snapshot]\nparents = true\n"
HOST = {
    "app/__init__.py": "",
    "app/core/__init__.py": "",
    "app/core/plan.py": "",
    "app/core/deep/__init__.py": "",
    "app/core/deep/leaf.py": "",
    "app/db/__init__.py": "",
    "app/db/models.py": "",
    "app/plugins/__init__.py": "",
    "app/plugins/extra.py": "import app.db.models\n",
}


def recorded(shop: Workshop, importer: str) -> list[str]:
    """Return what the snapshot says that a module imports."""
    return sorted(key[2] for key in shop.recorded("snapshot") if key[:2] == ("import", importer))


@pytest.mark.parametrize(
    ("text", "imported"),
    [
        ("import app.db.models", ["app.db.models"]),
        ("import app.db.models as rows", ["app.db.models"]),
        ("from app.db.models import Row", ["app.db.models"]),  # a symbol is no module
        ("from app.db import models", ["app.db.models"]),  # its package is passed through, see below
        ("from app.db.models import *", ["app.db.models"]),  # the original lost stars
        ("from ..db import models", ["app.db.models"]),
        ("from . import deep", ["app.core.deep"]),
        ("from app.db import models, Row", ["app.db", "app.db.models"]),
        ("from .deep.leaf import x", ["app.core.deep.leaf"]),
        ("from ....db import models", []),  # too many dots: the original made up a base
        ("def f():\n    import app.db.models", ["app.db.models"]),
        ("class C:\n    import app.db.models", ["app.db.models"]),
        ("try:\n    import app.db.models\nexcept ImportError: ...", ["app.db.models"]),
        ("try:\n    import json\nexcept ImportError:\n    import app.core.deep", ["app.core.deep"]),
        ("if sys.platform:\n    import app.db.models", ["app.db.models"]),
        ("from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import app.db.models", []),
        ("import typing\nif typing.TYPE_CHECKING:\n    import app.db.models", []),
        ("import typing as t\nif t.TYPE_CHECKING:\n    import app.db.models", []),  # an alias the original missed
        ("from typing_extensions import TYPE_CHECKING as T\nif T:\n    import app.db.models", []),
        ("import typing\nif not typing.TYPE_CHECKING:\n    import app.db.models", ["app.db.models"]),
        (  # the branch that runs: the original dropped it
            "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import app.db.models\nelse:\n    import app.core",
            ["app.core"],
        ),
        ("TYPE_CHECKING = True\nif TYPE_CHECKING:\n    import app.db.models", ["app.db.models"]),  # only of that name
        ("import importlib\nimportlib.import_module('app.db.models')", ["app.db.models"]),
        ("__import__('app.db.models')", ["app.db.models"]),
        ("import app.core.plan", []),  # itself
        ("import json, app.nowhere, sqlalchemy.orm", []),  # no modules of the host
        ("import app", ["app"]),  # the top package where it is named
        ("import app.plugins.extra", ["app.plugins.extra"]),  # of an excluded module, which has no imports itself
    ],
)  # fmt: skip
def test_what_the_snapshot_records_of_an_import(text: str, imported: list[str]) -> None:
    with adopted({**HOST, "abutment.toml": LAW, "app/core/plan.py": f"import sys\n{text}\n"}) as shop:
        assert recorded(shop, "app.core.plan") == imported
        assert recorded(shop, "app.plugins.extra") == []


@pytest.mark.parametrize(
    ("text", "imported"),
    [
        ("import app.db.models", ["app", "app.db", "app.db.models"]),  # the target's ancestors run
        ("from app.db import models", ["app", "app.db", "app.db.models"]),
        ("import app.core.deep.leaf", ["app", "app.core", "app.core.deep", "app.core.deep.leaf"]),
        ("import json", []),  # the importer's own packages are no edges on their own account
    ],
)
def test_packages_on_the_way_are_edges_of_the_target(text: str, imported: list[str]) -> None:
    with adopted({**HOST, "abutment.toml": LAW + PARENTS, "app/core/plan.py": f"{text}\n"}) as shop:
        assert recorded(shop, "app.core.plan") == imported


def test_the_top_package_closes_no_cycle_unless_it_is_named() -> None:
    law = LAW + '\n[cycles]\nparents = "shared"\n'
    host = {**HOST, "abutment.toml": law, "app/__init__.py": "import app.core.plan\n"}
    with adopted({**host, "app/core/plan.py": "import app.db.models\n"}) as shop:
        assert shop.recorded("cycles") == {}
    with adopted({**host, "app/core/plan.py": "import app\n"}) as shop:
        assert {key[1:] for key in shop.recorded("cycles")} == {("app", "app.core.plan"), ("app.core.plan", "app")}


def test_a_package_whose_submodules_use_each_other_is_the_first_users_cycle() -> None:
    law = LAW + '\n[cycles]\nparents = "shared"\n'
    files = {"app/core/__init__.py": "from app.core import plan\n", "app/core/plan.py": "import app.core.deep.leaf\n"}
    with adopted({**HOST, "abutment.toml": law, **files}) as shop:
        assert {key[1:] for key in shop.recorded("cycles")} == {
            ("app.core", "app.core.plan"),
            ("app.core.plan", "app.core"),
        }


def test_an_import_in_a_function_hides_no_cycle() -> None:
    files = {"app/core/plan.py": "import app.db.models\n", "app/db/models.py": "def f():\n    import app.core.plan\n"}
    with adopted({**HOST, "abutment.toml": LAW + "\n[cycles]\ndeferred = true\n", **files}) as shop:
        assert sorted(shop.recorded("cycles")) == [
            ("deferred", "app.core.plan", "app.db.models"),
            ("deferred", "app.db.models", "app.core.plan"),
        ]
    with adopted({**HOST, "abutment.toml": LAW, **files}) as shop:
        assert "deferred" in " ".join(shop.report("cycles")["gates"][0]["notes"])


def test_what_is_installed_into_an_excluded_folder_changes_no_record() -> None:
    with adopted({**HOST, "abutment.toml": LAW}) as shop:
        shop.write(
            {"app/plugins/late/__init__.py": "import app.core.plan\nimport app.gone\n", "app/plugins/odd.py": "("}
        )
        answer = shop("check")
        assert answer.status == 0, answer.out


def test_a_leading_signature_is_read_over() -> None:
    with adopted({**HOST, "abutment.toml": LAW, "app/core/plan.py": "\ufeffimport app.db.models\n"}) as shop:
        assert recorded(shop, "app.core.plan") == ["app.db.models"]


def test_a_folder_without_init_holds_modules_of_the_host() -> None:
    with adopted({**HOST, "abutment.toml": LAW, "app/loose/part.py": "import app.db.models\n"}) as shop:
        assert recorded(shop, "app.loose.part") == ["app.db.models"]


def test_one_file_that_does_not_parse_is_named_and_the_rest_is_still_told() -> None:
    with adopted({**HOST, "abutment.toml": LAW}) as shop:
        shop.write({"app/db/models.py": "class (:\n", "app/core/plan.py": "import app.core.nowhere\n"})
        answer = shop("check")
        assert answer.status == 2
        assert "app/db/models.py:1" in answer.out
        assert "app/core/plan.py:1: ABT101" in answer.out


def test_documents_hold_no_line_and_no_path_of_this_machine() -> None:
    with workshop({**HOST, "abutment.toml": LAW + PARENTS, "app/core/plan.py": "\n\nimport app.db.nowhere\n"}) as shop:
        assert shop("init").status == 0
        written = shop.documents()
        assert len(written) == 4
        for name, data in written.items():
            values = [json.loads(data)] if name.endswith(".json") else [json.loads(row) for row in data.splitlines()]
            assert "line" not in _names(values)
            assert str(shop.root) not in data.decode()


def _names(value: object) -> set[str]:
    if isinstance(value, dict):
        return set(value).union(*map(_names, value.values()))
    return set().union(*map(_names, value)) if isinstance(value, list) else set()
