"""`abutment migrate plan --from`: another tool's record becomes debt here, as far as the code has it."""

from __future__ import annotations

import json
import re
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

from tests.cli.tool import Answer, Tool

APP = {
    "abutment.toml": """\
roots = ["app"]
gates = ["cycles", "boundaries", "configuration", "transactions", "egress", "events"]

[configuration]
objects = ["app.config.settings"]
classes = ["app.oper.SystemConfigOper"]

[transactions]
decorators = ["app.tx.db_update"]

[[events.apis]]
id = "bus"
classes = ["app.bus.Bus"]
enums = ["app.bus.E"]
produce = ["send(event)"]
consume = ["on(event, handler)"]

[[contracts]]
id = "adapters"
kind = "forbidden"
sources = ["app.core"]
forbidden = ["app.adapters"]
indirect = false
""",
    "app/__init__.py": "",
    "app/config.py": "settings = dict(a=1)\n",
    "app/oper.py": "class SystemConfigOper:\n    pass\n",
    "app/tx.py": "def db_update(function):\n    return function\n",
    "app/bus.py": "from enum import Enum\nclass E(Enum):\n    A = 1\n"
    "class Bus:\n    def send(self, event): pass\n    def on(self, event, handler): pass\nbus = Bus()\n",
    "app/core/__init__.py": "",
    "app/core/one.py": "from app.config import settings\nimport app.adapters.mail\n\n\ndef late():\n"
    "    from app.config import settings\n",
    "app/core/two.py": "from app.oper import SystemConfigOper as O\nimport app.adapters.disk\nO()\nO()\nO()\n",
    "app/adapters/__init__.py": "",
    "app/adapters/mail.py": "import httpx\n\n\ndef post():\n    httpx.get('')\n",
    "app/adapters/disk.py": "import requests\n",
    "app/ring.py": "import app.rung\n",
    "app/rung.py": "import app.ring\n",
    "app/models.py": "from sqlalchemy.orm import Session\nfrom app.tx import db_update\n\n\nclass Model:\n"
    "    @db_update\n    def save(self, session: Session):\n        session.commit()\n        session.rollback()\n\n\n"
    "def other(session: Session):\n    session.commit()\n",
    "app/listens.py": "from app.bus import bus, E\n\n\ndef handle(event): pass\n\n\nbus.on(E.A, handle)\n",
}


@pytest.fixture
def app(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Tool:
    tool = Tool(tmp_path, capsys)
    tool.write(APP)
    return tool


def planned(app: Tool, kind: str, document: Any, name: str = "debt.json") -> Answer:
    app.write({name: document if isinstance(document, str) else json.dumps(document)})
    return app("migrate", "plan", "--from", kind, str(app.root / name), "--output", str(app.root / "plan.jsonl"))


def recorded(app: Tool, answer: Answer, gate: str) -> dict[str, int]:
    """Apply what was planned, and return what the baseline says."""
    assert answer.status == 0, answer.err
    digest = answer.out.strip().rpartition(" ")[2]
    done = app("migrate", "apply", str(app.root / "plan.jsonl"), "--approve", digest)
    assert (done.status, done.out.split(":")[0]) == (0, "applied"), done.err
    _, *lines = app.documents()[f"{gate}.jsonl"].decode().splitlines()
    entries = [json.loads(line) for line in lines]
    return {" ".join(str(part) for name, part in entry.items() if name != "count"): entry["count"] for entry in entries}


def approvals(answer: Answer) -> list[dict[str, Any]]:
    """Return the approvals that were printed."""
    assert answer.status == 0, answer.err
    toml = re.compile(r"\[\[approvals\]\]|\w+ = .*")
    text = "\n".join(line for line in answer.out.splitlines() if toml.fullmatch(line))
    found: list[dict[str, Any]] = tomllib.loads(text).get("approvals", [])
    return found


def left(answer: Answer) -> list[str]:
    start = "NOT carried over from "
    return [line.removeprefix(start) for line in answer.out.splitlines() if line.startswith(start)]


CONFIGURATION = {
    "schema_version": 2,
    "scope": {"root": "app", "excluded": []},
    "settings_imports": {"count": 2, "files": ["app/core/one.py", "app/gone.py"]},
    "system_config_oper_constructions": {
        "count": 2,
        "calls": [{"file": "app/core/two.py", "name": "O"}, {"file": "app/core/two.py", "name": "O"}],
    },
    "foundational_settings_boundaries": {"count": 0, "entries": []},
    "composition_root_oper_boundaries": {"count": 0, "entries": []},
}


def test_configuration_debt_is_recorded_as_far_as_it_goes(app: Tool) -> None:
    answer = planned(app, "configuration-debt", CONFIGURATION)
    path = app.root / "debt.json"
    assert left(answer) == [f"{path}: settings_imports.files[1]: app/gone.py is no module of this codebase."]
    assert "configuration: 1 fact of the code no record names: new" in answer.out
    assert recorded(app, answer, "configuration") == {
        "app.core.one <module> app.config.settings import": 1,
        "app.core.one late app.config.settings import": 1,
        "app.core.two <module> app.oper.SystemConfigOper construction": 2,
    }
    check = app("check", "configuration")
    assert check.status == 1
    assert "grown from 2 to 3: app.core.two constructs app.oper.SystemConfigOper" in check.out, check.out


def test_boundaries_that_a_script_approved_are_printed_and_not_recorded(app: Tool) -> None:
    entries = [{"file": "app/core/one.py", "reason": "The root of it all."}]
    sections = {"foundational_settings_boundaries": {"count": 1, "entries": entries}}
    answer = planned(app, "configuration-debt", {**CONFIGURATION, **sections})
    assert [(one["module"], one["class"], one["owner"], one["reason"]) for one in approvals(answer)] == [
        ("app.core.one", "exception", "", "The root of it all.")
    ] * 2
    assert list(recorded(app, answer, "configuration")) == [
        "app.core.two <module> app.oper.SystemConfigOper construction"
    ]
    assert not list((app.root / "fixtures/architecture").glob("*.toml"))


def test_transaction_debt_is_recorded(app: Tool) -> None:
    none: dict[str, Any] = {"count": 0, "calls": []}
    document = {
        "schema_version": 1,
        "scope": {},
        "model_decorators": {
            "count": 1,
            "by_kind": {"db_update": 1},
            "methods": [{"decorator": "db_update", "file": "app/models.py", "method": "Model.save"}],
        },
        "model_transaction_calls": {
            "count": 2,
            "calls": [
                {"file": "app/models.py", "method": "Model.save", "operation": "commit"},
                {"file": "app/models.py", "method": "missing", "operation": "rollback"},
            ],
        },
        **dict.fromkeys(("oper_transaction_calls", "model_session_factories", "oper_session_factories"), none),
    }
    answer = planned(app, "transaction-debt", document)
    assert [line.partition("debt.json: ")[2] for line in left(answer)] == [
        "model_transaction_calls.calls[1]: app/models.py, missing: rollback: the code has nothing of that kind "
        "that may still be granted."
    ]
    assert recorded(app, answer, "transactions") == {
        "app.models Model app.tx.db_update decorate": 1,
        "app.models Model.save sqlalchemy.orm.Session commit": 1,
    }


def test_a_dependency_policy_becomes_approvals(app: Tool) -> None:
    document = {
        "schema_version": 3,
        "scope": {},
        "allowed_sccs": [
            {
                "id": "ring",
                "classification": "temporary_debt",
                "modules": ["app.ring", "app.rung"],
                "reason": "Grown.",
                "tracking": "ARCH-1",
            }
        ],
        "direct_adapter_imports": {
            "classification": "temporary_debt",
            "target_state": "empty",
            "scope": {},
            "entries": [{"source": "app.core.one", "target": "app.adapters.mail", "tracking": "S2-L5"}],
        },
        "direct_egress": {
            "scope": {},
            "registry": {},
            "groups": [
                {
                    "classification": "approved_exception",
                    "reason_code": "diagnostic_probe",
                    "owner": "$source",
                    "reason": "Looks whether we are online.",
                    "facts": [{"source": "app.adapters.mail", "target": "httpx", "kind": "call", "fingerprint": "0"}],
                },
                {
                    "classification": "temporary_debt",
                    "reason_code": "direct_http",
                    "tracking": "ARCH-9",
                    "target_state": "empty",
                    "reason": "Moves.",
                    "facts": [{"source": "app.adapters.disk", "target": "requests", "kind": "x", "fingerprint": "1"}],
                },
            ],
        },
    }
    answer = planned(app, "dependency-policy", document)
    found = approvals(answer)
    assert [(one["importer"], one["class"], one["tracking"], one["reason"]) for one in found if "reading" in one] == [
        ("app.ring", "debt", "ARCH-1", "Grown."),
        ("app.rung", "debt", "ARCH-1", "Grown."),
    ]
    assert [
        (one["contract"], one["importer"], one["tracking"], one["target_state"], one["owner"], one["reason"])
        for one in found
        if "contract" in one
    ] == [("adapters", "app.core.one", "S2-L5", "empty", "", "")]
    assert {
        (one["module"], one["class"], one["owner"], one["reason"], one.get("tracking"), one.get("target_state"))
        for one in found
        if "operation" in one
    } == {
        (
            "app.adapters.mail",
            "exception",
            "app.adapters.mail",
            "diagnostic_probe: Looks whether we are online.",
            None,
            None,
        ),
        ("app.adapters.disk", "debt", "", "direct_http: Moves.", "ARCH-9", "empty"),
    }
    assert "Nothing to record, and no plan written." in answer.out
    assert not (app.root / "plan.jsonl").exists()


def test_a_runtime_contract_policy_becomes_approvals(app: Tool) -> None:
    entry = {
        "caller": "app.listens",
        "qualname": "<module>",
        "method": "on",
        "receiver_kind": "bus",
        "events": ["E.A"],
        "dynamic": False,
        "invalid": False,
        "handler": "handle",
        "registration_kind": "call",
        "priority": None,
        "fingerprint": "0" * 64,
        "classification": "approved_static_registration",
        "owner": "app.listens",
        "reason": "It has to hear of A.",
    }
    other = {**entry, "events": ["E.B"]}
    consumers = {"match_mode": "exact_fingerprint_set", "entries": [entry, other]}
    answer = planned(app, "runtime-contract-policy", {"schema_version": 1, "scope": {}, "event_consumers": consumers})
    (approved,) = approvals(answer)
    assert (approved["events"], approved["handler"], approved["owner"], approved["reason"]) == (
        "app.bus.E.A",
        "app.listens.handle",
        "app.listens",
        "It has to hear of A.",
    )
    assert [line.partition("debt.json: ")[2] for line in left(answer)] == [
        "event_consumers.entries[1]: app.listens, <module> takes E.B: the code has nothing of that kind that may still "
        "be granted."
    ]


IMPORTLINTER = """\
[importlinter]
root_package = app

[importlinter:contract:adapters]
name = Adapters
type = forbidden
source_modules = app.core
forbidden_modules = app.adapters
allow_indirect_imports = true
ignore_imports =
    app.core.* -> app.adapters.mail
    app.core.two -> app.adapters.gone
"""


def test_ignored_imports_of_import_linter_are_recorded(app: Tool) -> None:
    answer = planned(app, "importlinter", IMPORTLINTER, ".importlinter")
    assert [line.partition("adapters: ")[2] for line in left(answer)] == [
        "the ignored import =app.core.two -> =app.adapters.gone: the code has nothing of that kind that may still "
        "be granted."
    ]
    assert recorded(app, answer, "boundaries") == {"adapters app.core.one app.adapters.mail": 1}
    assert "app.core.two imports app.adapters.disk" in app("check", "boundaries").out


@pytest.mark.parametrize(
    ("kind", "document", "message"),
    [
        (
            "ruff",
            {"app/core/one.py": {"F401": 2}},
            "one.py.F401: app/core/one.py has 2 of F401: the gate lint",
        ),
        (
            "mypy",
            {"app/core/one.py": {"misc": 1}},
            "one.py.misc: app/core/one.py has 1 of misc: the gate mypy",
        ),
        ("ruff", {"app/gone.py": {"F401": 2}}, "app/gone.py.F401: app/gone.py is no module of this codebase."),
        (
            "complexity",
            {"schema_version": 3, "thresholds": {"C901": 15}, "metrics": {"C901": {"app/core/one.py:late#2": 17}}},
            "C901.app/core/one.py:late#2: app/core/one.py:late#2 has 17: the gate complexity is not here",
        ),
        (
            "complexity",
            {"method": {"app/core/one.py:late": 151}},
            "method.app/core/one.py:late: app/core/one.py:late has 151: the gate sizes is not here",
        ),
        ("complexity", {"file": {"app/gone.py": 1001}}, "file.app/gone.py: app/gone.py is no module of this codebase."),
        ("coverage", {"domain": {"percent": 81.6}}, "domain: a share of covered lines names no place"),
        ("mypy-baseline", "app/core/one.py:0: error: Odd thing  [misc]\n", "Odd thing: the gate mypy is not here"),
        ("mypy-baseline", "app/core/one.py:0: note: See there\n", "debt.json:1: note: only errors are held here."),
        ("mypy-baseline", "app/gone.py:0: error: Odd  [misc]\n", "app/gone.py is no module of this codebase."),
        ("configuration-debt", {**CONFIGURATION, "more": 1}, "debt.json: more: nobody here knows what it says."),
    ],
)
def test_what_cannot_be_carried_over_is_named_with_its_place(app: Tool, kind: str, document: Any, message: str) -> None:
    answer = planned(app, kind, document)
    assert answer.status == 0, answer.err
    assert any(message in line for line in left(answer)), answer.out


@pytest.mark.parametrize(
    ("kind", "document", "message"),
    [
        ("ruff", "[]", "expected a table"),
        ("ruff", "{", "is no JSON"),
        ("ruff", {"app/core/one.py": {"F401": True}}, "app/core/one.py: expected whole numbers by name"),
        ("complexity", {"schema_version": 3}, "metrics: expected figures by rule"),
        ("mypy-baseline", "what is this\n", "is no line of mypy-baseline: 'what is this'"),
        ("transaction-debt", {}, "count is missing: expected a whole number"),
        (
            "configuration-debt",
            {**CONFIGURATION, "settings_imports": {"count": 3, "files": []}},
            "settings_imports.count: there are 0 files",
        ),
        (
            "dependency-policy",
            {"allowed_sccs": [{"id": "x", "classification": "what", "modules": [], "reason": "r", "tracking": "t"}]},
            "allowed_sccs[0].classification: expected one of",
        ),
        ("importlinter", "", "there is no import-linter configuration"),
    ],
)
def test_a_document_that_is_not_understood_is_not_carried_over_at_all(
    app: Tool, kind: str, document: Any, message: str
) -> None:
    answer = planned(app, kind, document)
    assert answer.status == 2
    assert message in answer.err
    assert not (app.root / "plan.jsonl").exists()


def test_nothing_is_added_to_a_baseline_that_is_there(app: Tool) -> None:
    assert app("init", "configuration").status == 0
    before = app.documents()
    answer = planned(app, "configuration-debt", CONFIGURATION)
    assert all("configuration was recorded here before, and nothing is added" in line for line in left(answer)[1:])
    assert "Nothing to record" in answer.out
    assert app.documents() == before


def test_a_baseline_that_came_meanwhile_is_drift(app: Tool) -> None:
    answer = planned(app, "configuration-debt", CONFIGURATION)
    assert app("init", "configuration").status == 0
    before = app.documents()
    done = app("migrate", "apply", str(app.root / "plan.jsonl"), "--approve", answer.out.strip().rpartition(" ")[2])
    assert (done.status, app.documents()) == (2, before)
    assert "configuration.jsonl: was changed after the plan was made" in done.err


def test_sources_and_names_are_two_migrations(app: Tool) -> None:
    app.write({"debt.json": "{}"})
    output = ("--output", str(app.root / "plan.jsonl"))
    answer = app("migrate", "plan", "--from", "ruff", str(app.root / "debt.json"), "--rename", "a.b", "c=d", *output)
    assert (answer.status, "--from is a migration of its own" in answer.err) == (2, True)


def test_what_mypy_baseline_kept_is_recorded_under_the_conditions_of_today(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    app = Tool(tmp_path, capsys)
    command = json.dumps([sys.executable, "-m", "mypy"])
    app.write(
        {
            "abutment.toml": f'roots = ["app"]\ngates = ["mypy"]\n\n[mypy]\ncommand = {command}\ntargets = ["app"]\n',
            "app/__init__.py": "",
            "app/one.py": "a: int = ''\nb: int = ''\n\n\ndef f() -> int:\n    return ''\n",
        }
    )
    said = 'app/one.py:0: error: Incompatible types in assignment (expression has type "str", variable has type "int")'
    kept = f"{said}  [assignment]\n{said}  [assignment]\napp/one.py:0: error: Gone since  [misc]\n"
    answer = planned(app, "mypy-baseline", kept, "mypy-baseline.txt")
    assert [line.partition("mypy-baseline.txt:")[2].partition(":")[0] for line in left(answer)] == ["3"]
    (count,) = recorded(app, answer, "mypy").values()
    assert count == 2
    assert '"conditions": {' in app.documents()["mypy.jsonl"].decode().splitlines()[0]
    check = app("check")
    assert check.status == 1
    assert "mypy: broken (1 new)" in check.out


def test_lengths_are_recorded_and_never_above_what_was_admitted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    app = Tool(tmp_path, capsys)
    body = "    x = 1\n" * 11
    app.write(
        {
            "abutment.toml": 'roots = ["app"]\ngates = ["sizes"]\n\n[sizes]\nfunction = 10\n',
            "app/__init__.py": "",
            "app/one.py": f"def f():\n{body}\n\ndef f():\n{body}\n\ndef g():\n{body}\n\ndef h():\n{body}",
        }
    )
    lengths = {"app/one.py:f": 12, "app/one.py:f#2": 90, "app/one.py:g": 11}
    answer = planned(app, "complexity", {"method": lengths, "class": {}, "file": {}})
    assert recorded(app, answer, "sizes") == {
        "app.one f function": 12,
        "app.one f#2 function": 12,
        "app.one g function": 11,
    }
    check = app("check").out
    assert "grown from 11 to 12" in check
    assert "sizes: broken (1 new, 1 grown)" in check
