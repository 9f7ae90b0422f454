"""`abutment migrate plan --from`: another tool's record becomes debt here, as far as the code has it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.cli.records import approvals, left, planned, recorded
from tests.cli.tool import Tool

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
        "event_consumers.entries[1]: app.listens, <module> has handle take E.B: the code has nothing of that kind that "
        "may still be granted."
    ]


def test_a_review_is_that_of_its_own_handler(app: Tool) -> None:
    app.write(
        {
            "app/listens.py": "from app.bus import bus, E\n\n\ndef first(event): pass\ndef second(event): pass\n"
            "bus.on(E.A, first)\nbus.on(E.A, second)\nbus.on(E.A, lambda event: None)\n"
        }
    )
    entry = {"caller": "app.listens", "qualname": "<module>", "events": ["E.A"], "owner": "app.listens"}
    handlers = ["second", "<lambda>", "Gone.third", "first"]
    entries = [{**entry, "handler": handler, "reason": f"That of {handler}."} for handler in handlers]
    answer = planned(app, "runtime-contract-policy", {"event_consumers": {"entries": entries}})
    assert {one["handler"]: one["reason"] for one in approvals(answer)} == {
        "<lambda>": "That of <lambda>.",
        "app.listens.first": "That of first.",
        "app.listens.second": "That of second.",
    }
    (lost,) = left(answer)
    assert "app.listens, <module> has Gone.third take E.A" in lost


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
        (
            "coverage",
            {"domain": {"statements": 9, "covered_lines": 3, "percent": 33.33}},
            "domain: domain misses 6 statements: the gate coverage is not here",
        ),
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
        ("importlinter", "", "debt.json: says nothing of import-linter"),
        ("importlinter", "[importlinter]\nroot_packages =\n", "import-linter's `root_package` is missing"),
        ("coverage", {"domain": 81.6}, "domain: expected a table"),
        ("coverage", {"domain": {"statements": 9, "covered_lines": 3}}, "domain.percent: expected a number"),
        ("coverage", {"domain": {"statements": 9, "covered_lines": True, "percent": 11.11}}, "covered_lines: expected"),
        (
            "coverage",
            {"domain": {"statements": 3, "covered_lines": 9, "percent": 300.0}},
            "domain.percent: 300.0 is not what 9 of 3 are",
        ),
        (
            "coverage",
            {"domain": {"statements": 9, "covered_lines": 3, "percent": 33.4}},
            "domain.percent: 33.4 is not what 3 of 9 are",
        ),
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
