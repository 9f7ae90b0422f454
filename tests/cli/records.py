"""`abutment migrate plan --from` in a project, and what came of it, for tests."""

from __future__ import annotations

import json
import re
import tomllib
from typing import Any

from tests.cli.tool import Answer, Tool


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
