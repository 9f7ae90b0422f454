"""A project with as much recorded debt as somebody asks for, and the steps of its migration, each for a process."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from abutment.baselines.disk import RealDisk
from abutment.baselines.migration.folder import Folder
from abutment.baselines.migration.plan_file import PlanFile, plan_pieces, read_plan
from abutment.baselines.migration.planning import plan_migration
from abutment.sources.scratch import Spool
from abutment.sources.whole_file import put_pieces
from tests.baselines.laws import FOLDER, TERMS
from tests.baselines.migrating import VERSION, apply, renames, subject, verify

FIRST = replace(TERMS, gate="blindspots", baseline="law/blindspots.jsonl", policy="law/blindspots.toml")


def build(root: Path, first: int, second: int) -> None:
    """Record so many entries of one gate and of another, all of which will move, and the receipt of that."""
    folder = root / FOLDER
    (folder / "receipts").mkdir(parents=True)
    gates = {"blindspots": first, "boundaries": second}
    for gate, count in gates.items():
        with (folder / f"{gate}.jsonl").open("w") as file:
            file.write(json.dumps({"schema": 1, "gate": gate, "fields": list(TERMS.fields)}) + "\n")
            file.writelines(json.dumps({**entry, "count": 1}) + "\n" for entry in entries(count))
    whole = hashlib.sha256(b'{"documents":[],"gates":[')
    with (folder / "receipts" / "draft").open("w") as file:
        file.write(
            '{\n "schema": 1,\n "verb": "init",\n "reason": "",\n "tools": {},\n "supersedes": [],\n "documents": [],\n'
        )
        file.write(' "gates": [')
        for at, (gate, count) in enumerate(gates.items()):
            head = {"gate": gate, "fields": list(TERMS.fields), "covers": []}
            file.write(("," if at else "") + "\n " + json.dumps(head)[:-1] + ', "keys": [')
            canonical = json.dumps({**head, "keys": []}, sort_keys=True, separators=(",", ":"))
            whole.update((("," if at else "") + canonical[:-2]).encode())
            for number, entry in enumerate(entries(count)):
                touch = {**entry, "count": 1, "how": "recorded"}
                file.write(("," if number else "") + "\n  " + json.dumps(touch))
                canonical = json.dumps(touch, sort_keys=True, separators=(",", ":"))
                whole.update((("," if number else "") + canonical).encode())
            file.write("]}")
            whole.update(b"]}")
        file.write("]\n}\n")
    whole.update(b'],"reason":"","schema":1,"supersedes":[],"tools":{},"verb":"init"}')
    (folder / "receipts" / "draft").rename(folder / "receipts" / f"{whole.hexdigest()[:32]}.json")


def entries(count: int) -> Iterator[dict[str, str]]:
    for number in range(count):
        yield {"contract": "layers", "importer": f"app.old.module_{number:06}", "imported": "app.db.session"}


def planned(root: Path) -> None:
    folder = Folder(RealDisk(), root, FOLDER)
    with Spool() as spool:
        made = plan_migration(folder, [subject(FIRST), subject()], renames("app.old app.new"), VERSION, spool)
        put_pieces(root / "plan.jsonl", plan_pieces(made, spool))


def opened(root: Path) -> PlanFile:
    return read_plan(RealDisk(), root / "plan.jsonl", "plan.jsonl")


def verified(root: Path) -> None:
    assert verify(root, opened(root)) == "ready"


def applied(root: Path) -> None:
    assert apply(root, opened(root)).word == "applied"


def verified_again(root: Path) -> None:
    assert verify(root, opened(root)) == "existing"
