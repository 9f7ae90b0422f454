"""Does a format load only what it needs?"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import abutment

HEAVY = ("networkx", "tomlkit", "rich", "libcst", "difflib", "click", "abutment.semantics", "abutment.gates")


@pytest.mark.parametrize("form", ["text", "json", "sarif", "github", "gitlab", "junit", "markdown", "explain", "agent"])
def test_a_report_loads_nothing_heavy_and_knows_no_python(form: str) -> None:
    program = f"import sys, abutment.reports.{form}; print(*[name for name in {HEAVY!r} if name in sys.modules])"
    done = subprocess.run(
        [sys.executable, "-S", "-c", program], capture_output=True, text=True, check=True, env=_path()
    )
    assert done.stdout.split() == []


def _path() -> dict[str, str]:
    return {"PYTHONPATH": str(Path(abutment.__file__).parents[1])}
