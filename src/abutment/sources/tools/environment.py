"""Which variables does a tool see, so that its answer depends on the project and not on who asks?

Ours, but for those that would colour, wrap or lead elsewhere what is printed, have a tool complain, look at another
project or read another configuration than the judged one's own. What is left and decides what is found is a condition
of the record: `MYPYPATH`, and the variables that a configuration names.
"""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path

_COLOURS = (
    "FORCE_COLOR",
    "CLICOLOR_FORCE",
    "PY_COLORS",
    "MYPY_FORCE_COLOR",
    "MYPY_FORCE_TERMINAL_WIDTH",
    "PYTHON_COLORS",
)
# What an interpreter says on stderr, and what it takes out of code that it compiles: coverage.py counts the statements
# of compiled code, which has no `assert` under PYTHONOPTIMIZE.
_PYTHON = (
    "PYTHONWARNINGS",
    "PYTHONDEVMODE",
    "PYTHONVERBOSE",
    "PYTHONINSPECT",
    "PYTHONPROFILEIMPORTTIME",
    "PYTHONDUMPREFS",
    "PYTHONMALLOCSTATS",
    "PYTHONOPTIMIZE",
)
# No cache and no output of ours is theirs to place; ruff ends with a fault over `RUFF_NO_CACHE=1` (it takes `true`).
_RUFF = ("RUFF_OUTPUT_FILE", "RUFF_OUTPUT_FORMAT", "RUFF_NO_CACHE", "RUFF_CACHE_DIR")
_COVERAGE = (
    "COVERAGE_RCFILE",
    "COVERAGE_FORCE_CONFIG",
    "COVERAGE_PROCESS_CONFIG",  # the tool would be measured itself, and leave data beside the project's own
    "COVERAGE_PROCESS_START",
    "COVERAGE_FILE",
    "COVERAGE_CORE",
    "COVERAGE_DEBUG",
    "COVERAGE_DEBUG_FILE",
)
_PYLINT = ("PYLINTRC",)
_PIP_AUDIT = (
    "PIP_AUDIT_FORMAT",
    "PIP_AUDIT_OUTPUT",
    "PIP_AUDIT_DESC",
    "PIP_AUDIT_PROGRESS_SPINNER",
    "PIP_AUDIT_LOGLEVEL",
    "PIPAPI_PYTHON_LOCATION",  # another environment would be audited
)
# A lock is held against what the project declares: these would resolve it in another way.
_UV = (
    "UV_PROJECT",
    "UV_WORKING_DIR",
    "UV_WORKING_DIRECTORY",
    "UV_FROZEN",
    "UV_RESOLUTION",
    "UV_PRERELEASE",
    "UV_FORK_STRATEGY",
    "UV_EXCLUDE_NEWER",
    "UV_NO_SOURCES",
)
MISLEADING = frozenset((*_COLOURS, *_PYTHON, *_RUFF, *_COVERAGE, *_PYLINT, *_PIP_AUDIT, *_UV))
# Paths are UTF-8 to a Python that runs a tool, whatever the locale: else it cannot print one with other letters.
_PLAIN = {"NO_COLOR": "1", "TERM": "dumb", "PYTHONIOENCODING": "utf-8", "PYTHONUTF8": "1", "COLUMNS": "100000"}
_VARIABLE = re.compile(r"\$(?:\$|(\w+)|\{(\w+)[^}]*\})")  # `$$` is a dollar sign


def tool_environment(given: Mapping[str, str]) -> dict[str, str]:
    """Return the variables that a tool sees; `given` is added to ours."""
    kept = {name: value for name, value in os.environ.items() if name not in MISLEADING}
    return {**kept, **_PLAIN, **given}


def variables_in(texts: Iterable[str], folder: Path, known: Collection[str] = ()) -> dict[str, bytes]:
    """Return the variables that a configuration names, with their values as a tool sees them, for its digest.

    One that is not set is none. `known` are those that the tool sets itself. A value that lies in the folder says the
    same on every machine.
    """
    seen = tool_environment({})
    named = {word for text in texts for found in _VARIABLE.finditer(text) if (word := found[1] or found[2])}
    values = {name: seen[name].replace(str(folder), ".") for name in named - set(known) if name in seen}
    return {f"${name}": os.fsencode(value) for name, value in values.items()}
