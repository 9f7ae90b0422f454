"""What tools print where something went wrong, kept below `fixtures/tools/<tool>/`."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path

from abutment.sources.tools.output import Output

KEPT = Path(__file__).parents[1] / "fixtures" / "tools"


@dataclass(frozen=True)
class Broken:
    """One output that must not be believed, and a part of what is said of it."""

    name: str
    output: Output
    says: str
    tool: str


def broken_outputs(tool: str) -> list[Broken]:
    """Return the outputs in the order in which `broken.toml` lists them."""
    rows = tomllib.loads((KEPT / tool / "broken.toml").read_text(encoding="utf-8"))["broken"]
    return [
        Broken(
            name=row["name"],
            output=kept_output(tool, f"broken/{row['name']}.out", row["status"]),
            says=row["says"],
            tool=row.get("tool", tool),
        )
        for row in rows
    ]


def kept_output(tool: str, name: str, status: int | None = None) -> Output:
    """Return one kept output, with what was said on stderr beside it."""
    path = KEPT / tool / name
    complaints = path.with_suffix(".err")
    return Output(tool, path.read_bytes(), complaints.read_bytes() if complaints.exists() else b"", status)
