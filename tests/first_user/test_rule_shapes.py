"""The shapes of rule that the first user needs, each as one contract: what breaks it, where, and what only looks so."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest

from tests.laws.workshop import adopted

PAIRS = (
    ("adapters", "db"), ("agent", "db"), ("api", "db"), ("api.endpoints", "db.models"), ("application", "agent"),
    ("application", "db"), ("chain", "db"), ("modules", "db"), ("monitor", "db"), ("runtime", "db"), ("workflow", "db"),
)  # fmt: skip
ROOMS = ("adapters", "agent", "api", "application", "chain", "db", "modules", "monitor", "runtime", "workflow")
HOST = {
    "app/__init__.py": "",
    **{f"app/{room}/__init__.py": "" for room in ROOMS},
    "app/api/endpoints.py": "",
    "app/api/deps.py": "",
    "app/db/models.py": "class Row: ...\n",
    "app/db/session.py": (
        "from sqlalchemy.orm import Session\nfrom sqlalchemy.ext.asyncio import AsyncSession as Async\n"
    ),
    "app/dbx.py": "",  # only looks like app.db
    "app/apix.py": "",
    "app/modules/base.py": "",
    "app/modules/disk.py": "",
    "app/modules/mail.py": "",
}
HEAD = 'roots = ["app"]\ngates = ["boundaries"]\n'


def contract(id: str, text: str) -> str:
    return f'\n[[contracts]]\nid = "{id}"\n{text}\n'


def ban(source: str, target: str) -> str:
    return contract(
        f"{source}-{target}", f'kind = "forbidden"\nsources = ["app.{source}"]\nforbidden = ["app.{target}"]'
    )


SESSIONS = contract(
    "endpoints-sessions",
    'kind = "symbol"\nsources = ["app.api.endpoints"]\n'
    'symbols = ["sqlalchemy.orm.Session", "sqlalchemy.ext.asyncio.AsyncSession"]',
)
TWELVE = HEAD + "".join(ban(*pair) for pair in PAIRS) + SESSIONS


def test_the_twelve_boundaries_are_clean_and_near_misses_stay_clean() -> None:
    near = {
        f"app/{room}/near.py": "import app.dbx\nfrom app import apix\nimport dbx.models\n"
        for room in ROOMS
        if room != "db"
    }
    near["app/apix.py"] = "import app.db.models\n"  # no part of app.api
    near["app/db/near.py"] = "import app.api.deps\n"  # the other way round
    near["app/api/endpoints.py"] = (
        "from typing import TYPE_CHECKING\nfrom sqlalchemy.orm import Query\nfrom other import Session\n"
        "if TYPE_CHECKING:\n    from sqlalchemy.orm import Session\n    from app.db.models import Row\n"
    )
    with adopted({**HOST, **near, "abutment.toml": TWELVE}) as shop:
        assert shop.recorded("boundaries") == {}
        answer = shop("check")
        assert answer.status == 0, answer.out


@pytest.mark.parametrize("pair", PAIRS, ids=" to ".join)
def test_each_of_the_twelve_boundaries_holds(pair: tuple[str, str]) -> None:
    source, target = pair
    path = "app/api/endpoints.py" if source == "api.endpoints" else f"app/{source}/reader.py"
    with adopted({**HOST, "abutment.toml": TWELVE}) as shop:
        shop.write({path: f"\ndef late():\n    from app.{target} import anything\n"})
        module = path[:-3].replace("/", ".")
        assert ("new", f"{source}-{target} {module} app.{target}") in shop.kinds("boundaries")
        assert f"{path}:3: ABT302 boundaries: new: {module} imports app.{target}" in shop("check").out


@pytest.mark.parametrize(
    "text",
    [
        "from sqlalchemy.orm import Session",
        "from sqlalchemy.orm import Session as Work",
        "from sqlalchemy.ext.asyncio import AsyncSession",
        "from app.db.session import Session",  # re-exported: the original saw only the first address
        "from app.db.session import Async",
        "from app.db.session import *",
    ],
)
def test_endpoints_take_no_session_under_any_address(text: str) -> None:
    law = HEAD + SESSIONS
    with adopted({**HOST, "abutment.toml": law}) as shop:
        shop.write({"app/api/endpoints.py": f"{text}\n", "app/api/deps.py": f"{text}\n"})
        found = shop.kinds("boundaries")
        assert found and {what.split()[1] for _kind, what in found} == {"app.api.endpoints"}


@dataclass(frozen=True)
class Shape:
    """One rule: its contract, an edit that keeps it, and one that breaks it, with the line that is reported."""

    name: str
    law: str
    broken: dict[str, str]
    told: str
    kept: dict[str, str] = field(default_factory=dict)
    start: dict[str, str] = field(default_factory=dict)


SHAPES = [
    Shape(
        "a retired path does not return",
        'kind = "absent_path"\npaths = ["app/legacy", "app/old.py"]',
        broken={"app/legacy/__init__.py": ""},
        told="app/legacy: ABT311",
        kept={"app/legacy2/__init__.py": "", "app/db/old.py": ""},
    ),
    Shape(
        "a root holds what is listed and nothing else",
        'kind = "absent_path"\nfolder = "app"\nonly = ["__init__.py", "apix.py", "dbx.py", '
        + ", ".join(f'"{room}"' for room in ROOMS) + "]",
        broken={"app/utils.py": ""},
        told="app/utils.py: ABT311",
        kept={"app/db/utils.py": ""},
    ),
    Shape(
        "a root keeps off several prefixes",
        'kind = "forbidden"\nsources = ["app.chain"]\nforbidden = ["app.api", "app.modules.*"]',
        broken={"app/chain/x.py": "import app.modules.mail\n"},
        told="app/chain/x.py:1: ABT302",
        kept={"app/chain/x.py": "import app.modules, app.apix\n"},
    ),
    Shape(
        "symbols of one ending are banned",
        'kind = "symbol"\nsources = ["app.chain"]\nsymbols = ["app.modules.base:*PortProxy"]',
        broken={"app/chain/x.py": "from app.modules.base import MailPortProxy as Mail\n"},
        told="app/chain/x.py:1: ABT310",
        kept={"app/chain/x.py": "from app.modules.base import MailPort\n"},
        start={"app/modules/base.py": "class MailPortProxy: ...\nclass MailPort: ...\n"},
    ),
    Shape(
        "only the listed importers",
        'kind = "protected"\nprotected = ["app.db.session"]\nallowed_importers = ["app.runtime"]',
        broken={"app/chain/x.py": "from app.db import session\n"},
        told="app/chain/x.py:1: ABT308",
        kept={"app/runtime/x.py": "from app.db import session\n"},
        start={"app/runtime/__init__.py": "import app.db.session\n"},
    ),
    Shape(
        "an allowance that nobody uses is told",  # a subset test would not see it
        'kind = "protected"\nprotected = ["app.db.session"]\nallowed_importers = ["app.runtime"]',
        broken={"app/runtime/__init__.py": ""},
        told="abutment.toml:8: ABT308",
        start={"app/runtime/__init__.py": "import app.db.session\n"},
    ),
    Shape(
        "a module is a leaf",
        'kind = "leaf"\nmodules = ["app.modules.base"]',
        broken={"app/modules/base.py": "def f():\n    import app.db\n"},
        told="app/modules/base.py:2: ABT306",
        kept={"app/modules/base.py": "import json\nimport yaml\n"},
    ),
    Shape(
        "a module depends on this",
        'kind = "must_depend_on"\nmodules = ["app.modules.mail"]\nmust = ["app.modules.base"]\nnot = ["app.db"]',
        broken={"app/modules/mail.py": ""},
        told="app/modules/mail.py: ABT307",
        start={"app/modules/mail.py": "from app.modules import base\n"},
    ),
    Shape(
        "a module does not depend on that",
        'kind = "must_depend_on"\nmodules = ["app.modules.mail"]\nmust = ["app.modules.base"]\nnot = ["app.db"]',
        broken={"app/modules/mail.py": "from app.modules import base\nimport app.db.models\n"},
        told="app/modules/mail.py:2: ABT307",
        kept={"app/modules/mail.py": "def f():\n    import app.modules.base\n"},
        start={"app/modules/mail.py": "from app.modules import base\n"},
    ),
    Shape(
        "siblings know only what they share",
        'kind = "independence"\nmodules = ["app.modules.disk", "app.modules.mail"]',
        broken={"app/modules/disk.py": "from app.modules import mail\n"},
        told="app/modules/disk.py:1: ABT304",
        kept={"app/modules/disk.py": "import app.modules.base\n"},
    ),
    Shape(
        "a framework is banned from a root",
        'kind = "external"\nmodules = ["app.application"]\nbanned = ["fastapi", "starlette"]',
        broken={"app/application/x.py": "try:\n    from fastapi import Depends\nexcept ImportError: ...\n"},
        told="app/application/x.py:2: ABT309",
        kept={"app/application/x.py": "import fastapi_utils\n", "app/api/x.py": "import fastapi\n"},
    ),
    Shape(
        "a module of the standard library is banned from a root",
        'kind = "external"\nmodules = ["app.db"]\nbanned = ["logging"]',
        broken={"app/db/x.py": "import logging.handlers\n"},
        told="app/db/x.py:1: ABT309",
        kept={"app/db/x.py": "import app.runtime.logging\n"},
        start={"app/runtime/logging.py": ""},
    ),
    Shape(
        "no circle between the rooms of a process",
        'kind = "acyclic_siblings"\nancestors = ["app"]\ndepth = 0',
        broken={"app/db/models.py": "import app.chain.x\n"},
        told="app/db/models.py:1: ABT305",
        kept={"app/db/models.py": "import app.db.session\n"},
        start={"app/chain/x.py": "import app.db.session\n"},
    ),
    Shape(
        "a legacy module is not reached by its name in quotes",
        'kind = "forbidden"\nsources = ["app.chain"]\nforbidden = ["app.modules.disk"]',
        broken={"app/chain/x.py": 'from importlib import import_module\nimport_module("app.modules.disk")\n'},
        told="app/chain/x.py:2: ABT302",
        kept={"app/chain/x.py": 'print("app.modules.disk")\n'},
    ),
    Shape(
        "a chain reaches it as well",
        'kind = "forbidden"\nsources = ["app.api"]\nforbidden = ["app.db"]\nindirect = true',
        broken={"app/runtime/x.py": "import app.db.models\n"},
        told="app/api/deps.py:1: ABT302",
        kept={"app/runtime/x.py": "import app.dbx\n"},
        start={"app/runtime/x.py": "", "app/api/deps.py": "import app.runtime.x\n"},
    ),
]  # fmt: skip


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.name)
def test_a_rule_of_this_shape(shape: Shape) -> None:
    files = {**HOST, **shape.start, "abutment.toml": HEAD + contract("rule", shape.law)}
    with adopted(files) as shop:
        assert shop.recorded("boundaries") == {}
        shop.write(shape.kept)
        kept = shop("check")
        assert kept.status == 0, kept.out
        shop.become({**files, **shape.broken})
        broken = shop("check")
        assert broken.status == 1, broken.out + broken.err
        assert any(line.startswith(shape.told) for line in broken.out.splitlines()), broken.out


def test_a_module_that_was_retired_cannot_be_imported_unnoticed() -> None:
    law = 'roots = ["app"]\ngates = ["blindspots"]\n'
    with adopted({**HOST, "abutment.toml": law}) as shop:
        shop.write({"app/chain/x.py": "def f():\n    from app.legacy import tools\n"})
        answer = shop("check")
        assert answer.status == 1
        said = "app/chain/x.py:2: ABT101 blindspots: new: app.chain.x, in f, imports the missing module"
        assert answer.out.startswith(said)


def test_a_migrated_module_is_in_no_cycle_at_all() -> None:
    files = {"app/chain/x.py": "import app.db.models\n", "app/db/models.py": "import app.chain.x\n"}
    with adopted({**HOST, "abutment.toml": 'roots = ["app"]\ngates = ["cycles"]\n'}) as shop:
        assert shop.recorded("cycles") == {}
        shop.write(files)
        assert {what for _kind, what in shop.kinds("cycles")} == {
            "import app.chain.x app.db.models",
            "import app.db.models app.chain.x",
        }
