"""What the first users' collector of ways out promised of its list: whole, sorted, and nothing in it that moves."""

from __future__ import annotations

import json
import re

from abutment.facts.listing import Family, facts_document
from abutment.gates.egress import GATE
from abutment.model.identity import fingerprint
from tests.families import program_of
from tests.settings import settings_of

FILES = {
    "app/__init__.py": "",
    "app/b.py": "from requests import *\nimport requests\ndef f():\n    get(''); get('')\n    requests.post('')\n",
    "app/a.py": "import boto3\nfrom typing import TYPE_CHECKING as T\nif T:\n    import httpx\nboto3.client('s3')\n",
    "app/ü.py": "import requests\ndef grüßen(): requests.get('')\n",
}


def document(files: dict[str, str]) -> dict[str, object]:
    assert GATE.facts is not None
    scan, settings = GATE.facts.scan, settings_of(GATE)
    family = Family("egress", lambda program: scan(program, settings), GATE.fields, GATE.facts.word, GATE.facts.what)
    return facts_document(family, program_of(files))


def rows(files: dict[str, str]) -> list[dict[str, object]]:
    found = document(files)["facts"]
    assert isinstance(found, list)
    return found


def test_every_fact_is_there_once_with_its_count_and_in_order() -> None:
    told = [(row["module"], row["target"], row["operation"], row["count"]) for row in rows(FILES)]
    assert told == [
        ("app.a", "boto3", "client", 1),
        ("app.a", "boto3", "import", 1),
        ("app.b", "requests", "import", 1),
        ("app.b", "requests", "get", 2),
        ("app.b", "requests", "post", 1),
        ("app.ü", "requests", "import", 1),
        ("app.ü", "requests", "get", 1),
    ]
    identities = [tuple(str(row[name]) for name in GATE.fields) for row in rows(FILES)]
    assert identities == sorted(set(identities))


def test_a_fingerprint_is_that_of_the_identity_alone() -> None:
    for row in rows(FILES):
        identity = {name: row[name] for name in GATE.fields}
        assert row["fingerprint"] == fingerprint("egress", identity)
        assert re.fullmatch("[0-9a-f]{64}", str(row["fingerprint"]))
    assert len({row["fingerprint"] for row in rows(FILES)}) == len(rows(FILES))


def test_a_moved_line_moves_no_fingerprint() -> None:
    moved = {path: f"\n\n{text}" for path, text in FILES.items()}
    assert [row["fingerprint"] for row in rows(moved)] == [row["fingerprint"] for row in rows(FILES)]
    assert json.dumps(rows(moved)) != json.dumps(rows(FILES)), "their places did move"
