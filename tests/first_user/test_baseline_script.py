"""The first user's `baseline.py`: what it judges, what it writes, and what it never writes."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.laws.workshop import DOCUMENTS, Workshop, adopted, workshop

SCRIPT = Path(__file__).parents[2] / "scripts" / "architecture" / "baseline.py"
LAW = """\
roots = ["app"]
gates = ["blindspots", "cycles", "boundaries", "snapshot"]

[[contracts]]
id = "rooms"
kind = "layers"
layers = ["app.api", "app.chain", "app.db"]
"""
HOST = {
    "abutment.toml": LAW,
    "app/__init__.py": "",
    "app/api.py": "import app.chain\n",
    "app/chain.py": "import app.db\nimport app.api\n",
    "app/db.py": "import app.chain\nfrom importlib import import_module\n\nimport_module(NAME)\nimport_module(OTHER)\n",
    "app/lone.py": "",
}
PAID = {"app/db.py": HOST["app/db.py"].replace("import app.chain\n", "")}
GROWN = {"app/lone.py": "import app.nowhere\n"}
POLICY = (
    'schema = 1\n# by hand\n\n[[approvals]]\nreading   = "import"\nimporter  = "app.chain"\nimported  = "app.api"\n'
    'class = "exception"\nowner = "core"\nreason = "Chain and API are one."\n'
)
WRITTEN = {f"{DOCUMENTS}/{gate}.jsonl" for gate in ("blindspots", "cycles", "boundaries", "snapshot")}


def report(shop: Workshop, name: str = "report.json") -> dict[str, Any]:
    return dict(json.loads((shop.root / name).read_text()))


def status_by_gate(found: dict[str, Any]) -> dict[str, str]:
    return {gate["gate"]: gate["status"] for gate in found["gates"]}


@pytest.mark.parametrize(
    "words",
    [
        (),
        ("--check-host", "--write-host"),
        ("--check-host", "--check-host", "more"),
        ("--write-host", "--diagnostics"),
        ("--write-host", "--report", "report.json"),
        ("--report", "report.json"),
        ("--diagnostics",),
        ("--check-plugins",),  # comes with the contracts of plugins
        ("--write-plugins", "--plugin-repo", "elsewhere"),
        ("--check", "--scope", "host"),  # the original's deprecated words
        ("--check-host", "--report"),
    ],
)
def test_a_wrong_call_is_2_before_anything_is_read_or_written(words: tuple[str, ...]) -> None:
    with adopted(HOST) as shop:
        documents = shop.documents()
        shop.write({"app/lone.py": "def broken(:\n"})
        answer = shop.host(*words)
        assert answer.status == 2
        assert answer.out == "" and "baseline.py" in answer.err
        assert "broken" not in answer.err
        assert shop.documents() == documents
        assert not (shop.root / "report.json").exists()


def test_a_check_of_what_was_recorded_holds_and_writes_nothing() -> None:
    with adopted(HOST) as shop:
        documents = shop.documents()
        answer = shop.host("--check-host")
        assert answer.status == 0, answer.out
        assert shop.documents() == documents


@pytest.mark.parametrize(
    ("files", "statuses"),
    [
        ({}, {"blindspots": "held", "cycles": "held", "boundaries": "held", "snapshot": "held"}),
        # An allowed import: only the snapshot sees it, and cannot say whether it is right.
        (
            {"app/lone.py": "import app.db\n"},
            {"blindspots": "held", "cycles": "held", "boundaries": "held", "snapshot": "broken"},
        ),
        # Debt that is paid: an improvement fails too, until it is written down.
        (PAID, {"blindspots": "held", "cycles": "broken", "boundaries": "broken", "snapshot": "broken"}),
        # An import made lazy: a cycle less, and neither the law nor the snapshot has anything to say.
        (
            {"app/chain.py": "import app.db\ndef f():\n    import app.api\n"},
            {"blindspots": "held", "cycles": "broken", "boundaries": "held", "snapshot": "held"},
        ),
        # A blind spot more: nothing the snapshot could see.
        (GROWN, {"blindspots": "broken", "cycles": "held", "boundaries": "held", "snapshot": "held"}),
    ],
)
def test_law_and_snapshot_answer_different_questions(files: dict[str, str], statuses: dict[str, str]) -> None:
    with adopted(HOST) as shop:
        shop.write(files)
        answer = shop.host("--check-host", "--report", str(shop.root / "report.json"))
        assert status_by_gate(report(shop)) == statuses
        assert answer.status == (0 if set(statuses.values()) == {"held"} else 1)


def test_a_snapshot_that_is_off_is_no_part_of_the_host() -> None:
    with adopted({**HOST, "abutment.toml": LAW.replace(', "snapshot"', "")}) as shop:
        shop.write({"app/lone.py": "import app.db\n"})
        assert shop.host("--check-host").status == 0
        assert f"wrote {DOCUMENTS}/snapshot.jsonl" not in shop.host("--write-host").out


def test_the_report_is_written_when_the_check_fails_and_touches_no_document() -> None:
    with adopted(HOST) as shop:
        documents = shop.documents()
        shop.write({**GROWN, "app/api.py": "import app.chain\nimport app.db\n"})
        answer = shop.host("--check-host", "--report", str(shop.root / "report.json"))
        assert answer.status == 1
        assert shop.documents() == documents
        found = report(shop)
        assert found["exit_status"] == 1
        told = {(v["kind"], v["what"]) for gate in found["gates"] for v in gate["violations"]}
        assert told >= {
            ("new", "app.lone imports the missing module app.nowhere"),
            ("new", "app.api imports app.db"),
        }
        assert json.loads(shop("check", "--format", "json").out) == found


def test_the_report_is_written_when_nothing_could_be_judged() -> None:
    with adopted(HOST) as shop:
        shop.write({"app/lone.py": "def broken(:\n"})
        assert shop.host("--check-host", "--report", str(shop.root / "report.json")).status == 2
        assert report(shop)["status"] == "not judged"
        assert "app/lone.py" in {fault["path"] for fault in report(shop)["faults"]}


@pytest.mark.parametrize(
    ("calls", "kind", "found"),
    [(3, "grown", 3), (1, "shrunk", 1), (0, "gone", 0), (2, None, 2)],
)
def test_repeats_keep_their_number(calls: int, kind: str | None, found: int) -> None:
    with adopted(HOST) as shop:
        assert shop.recorded("blindspots") == {("dynamic", "app.db", "<module>", "?"): 2}
        text = "import app.chain\nfrom importlib import import_module\n\n" + "\n\nimport_module(NAME)" * calls + "\n"
        # What goes elsewhere pays for nothing here: the original compared sets and totals.
        shop.write({"app/db.py": text})
        shop.host("--check-host", "--report", str(shop.root / "report.json"))
        (gate,) = (gate for gate in report(shop)["gates"] if gate["gate"] == "blindspots")
        assert gate["facts"] == found
        assert [(v["kind"], v["found"], v["granted"]) for v in gate["violations"]] == (
            [(kind, found, 2)] if kind else []
        )


def test_a_repeat_more_is_not_paid_by_one_less_elsewhere() -> None:
    twice = {"app/lone.py": "from importlib import import_module\nimport_module(A)\nimport_module(B)\n"}
    with adopted({**HOST, **twice}) as shop:
        shop.write({"app/lone.py": twice["app/lone.py"].replace("import_module(B)\n", "")})
        shop.write({"app/db.py": HOST["app/db.py"] + "import_module(THIRD)\n"})
        assert shop.kinds("blindspots") == [
            ("grown", "dynamic app.db <module> ?"),
            ("shrunk", "dynamic app.lone <module> ?"),
        ]
        assert shop.host("--write-host").status == 2


def test_diagnostics_are_places_on_stdout_and_the_verdict_on_stderr() -> None:
    with adopted(HOST) as shop:
        shop.write(GROWN)
        answer = shop.host("--check-host", "--diagnostics")
        assert answer.status == 1
        sites = json.loads(answer.out)["sites"]
        assert [(row["path"], row["line"], row["what"]) for row in sites["blindspots"]] == [
            ("app/db.py", 4, "?"),
            ("app/db.py", 5, "?"),
            ("app/lone.py", 1, "app.nowhere"),
        ]
        assert ("app/chain.py", 2, "app.api") in [(row["path"], row["line"], row["what"]) for row in sites["imports"]]
        assert "app.lone imports the missing module" in answer.err


def test_a_write_prints_and_writes_the_names_of_what_changed_and_never_a_policy() -> None:
    policies = {f"{DOCUMENTS}/cycles.toml": POLICY, f"{DOCUMENTS}/snapshot.toml": "schema = 1\n\n\n# nothing\n"}
    with adopted(HOST) as shop:
        shop.write({**policies, **PAID})
        before = shop.documents()
        answer = shop.host("--write-host")
        assert answer.status == 0, answer.err
        after = shop.documents()
        changed = {f"{DOCUMENTS}/{name}" for name in after if after[name] != before.get(name)}
        printed = {line.removeprefix("wrote ") for line in answer.out.splitlines() if line.startswith("wrote ")}
        assert printed == changed
        assert {name for name in changed if "/receipts/" not in name} == WRITTEN - {f"{DOCUMENTS}/blindspots.jsonl"}
        for path, text in policies.items():
            assert (shop.root / path).read_text() == text


def test_after_a_write_the_check_holds_and_a_second_write_changes_nothing() -> None:
    with adopted(HOST) as shop:
        shop.write(PAID)
        assert shop.host("--check-host").status == 1
        assert shop.host("--write-host").status == 0
        assert shop.host("--check-host").status == 0
        documents = shop.documents()
        again = shop.host("--write-host")
        assert (again.status, set(again.out.splitlines())) == (0, {"Nothing to write."})
        assert shop.documents() == documents


@pytest.mark.parametrize(
    "files",
    [
        GROWN,
        {**PAID, **GROWN},
        {"app/db.py": HOST["app/db.py"] + "import_module(THIRD)\n"},
        {"app/lone.py": "def broken(:\n"},
        {f"{DOCUMENTS}/cycles.jsonl": '{"schema": 1}\n'},
        {f"{DOCUMENTS}/boundaries.jsonl": "<<<<<<< ours\n"},
        {f"{DOCUMENTS}/blindspots.jsonl": '{"schema": 2, "gate": "blindspots", "fields": []}\n'},
        {f"{DOCUMENTS}/snapshot.jsonl": ""},
    ],
)  # fmt: skip
def test_a_write_is_guarded(files: dict[str, str]) -> None:
    with adopted(HOST) as shop:
        shop.write(files)
        documents = shop.documents()
        answer = shop.host("--write-host")
        assert (answer.status, answer.out) == (2, "")
        assert shop.documents() == documents


@pytest.mark.parametrize("gate", ["blindspots", "cycles", "boundaries", "snapshot"])
def test_the_first_record_is_made_by_init_alone(gate: str) -> None:
    with workshop(HOST) as shop:
        for words in (("--check-host",), ("--write-host",)):
            answer = shop.host(*words)
            assert answer.status == 2
            assert f"{DOCUMENTS}/{gate}.jsonl" in answer.out + answer.err
        assert shop.documents() == {}
        assert shop("init").status == 0
        (shop.root / DOCUMENTS / f"{gate}.jsonl").unlink()
        for words in (("--check-host",), ("--write-host",)):  # lost is not first
            assert shop.host(*words).status == 2
        assert shop("init").status == 2


OLD = json.dumps({"schema_version": 3, "scope": "host", "module_count": 2, "edges": ["app.api -> app.chain"]}, indent=2)


@pytest.mark.parametrize("gate", ["blindspots", "cycles", "boundaries", "snapshot"])
@pytest.mark.parametrize(
    ("text", "said"),
    [
        (OLD, "header"),  # a fixture of the original
        ('{"schema": 2, "gate": "GATE", "fields": []}\n', "schema 2 was written by a newer abutment"),
        ('{"schema": 0, "gate": "GATE", "fields": []}\n', "schema 0 is older"),
        ('{"schema": true, "gate": "GATE", "fields": []}\n', "expected a whole number, found true"),
        ('{"schema": 1, "gate": "other", "fields": []}\n', "is the baseline of the gate"),
        ("", "is empty"),
    ],
)
def test_a_fixture_of_another_schema_fails_cleanly(gate: str, text: str, said: str) -> None:
    with adopted(HOST) as shop:
        shop.write({f"{DOCUMENTS}/{gate}.jsonl": text.replace("GATE", gate)})
        answer = shop.host("--check-host", "--report", str(shop.root / "report.json"))
        assert answer.status == 2
        assert f"{DOCUMENTS}/{gate}.jsonl" in answer.out and said in answer.out
        assert "Traceback" not in answer.err
        assert status_by_gate(report(shop))[gate] == "not judged"
        others = {status for name, status in status_by_gate(report(shop)).items() if name != gate}
        assert others == {"held"}


def test_line_moves_change_no_semantic_view_and_repeats_stay() -> None:
    with adopted(HOST) as shop:
        shop.write({"app/db.py": "\n\n# moved\n" + HOST["app/db.py"].replace("\nimport_module", "\n\n\nimport_module")})
        assert shop.host("--check-host").status == 0
        assert shop.recorded("blindspots") == {("dynamic", "app.db", "<module>", "?"): 2}


def test_no_verb_writes_a_policy() -> None:
    texts = {
        f"{DOCUMENTS}/cycles.toml": POLICY,
        f"{DOCUMENTS}/boundaries.toml": "schema=1 # spaced by hand\n",
        f"{DOCUMENTS}/blindspots.toml": "\nschema = 1\n",
        f"{DOCUMENTS}/snapshot.toml": "schema = 1\r\n",
    }
    more = '\n[[contracts]]\nid = "leaf"\nkind = "leaf"\nmodules = ["app.lone"]\n'
    with workshop({**HOST, **texts}) as shop:
        stamps = {path: (shop.root / path).stat() for path in texts}
        assert shop("init").status == 0
        shop.write({"abutment.toml": LAW + more})
        assert shop("init", "boundaries", "--again", "--reason", "a new contract").status == 0
        shop.write({**PAID, "app/moved.py": HOST["app/chain.py"], "app/api.py": "import app.moved\n"})
        (shop.root / "app/chain.py").unlink()
        for words in (("move", "app.chain", "app.moved"), ("draft", "cycles"), ("tighten",), ("record", "snapshot")):
            shop(*words)
        shop.host("--write-host")
        for path, text in texts.items():
            found = shop.root / path
            assert found.read_bytes() == text.encode()
            assert (found.stat().st_mtime_ns, found.stat().st_ino) == (stamps[path].st_mtime_ns, stamps[path].st_ino)


def test_the_script_is_the_same_command() -> None:
    with adopted(HOST) as shop:
        shop.write(GROWN)
        words = ["--check-host", "--config", str(shop.root), "--no-cache", "--jobs", "1"]
        script = subprocess.run([sys.executable, str(SCRIPT), *words], capture_output=True, text=True, check=False)
        inside = shop.host("--check-host")
        assert (script.returncode, script.stdout) == (inside.status, inside.out) == (1, inside.out)
