"""Is a file held by all of mypy's strict options, or do its configuration or a comment take something away?

Options on the command line give way to sections for single modules, and these to comments in the file. So `--strict`
alone proves nothing of a file for which one of them says less.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path, PurePosixPath

from abutment.sources.file_names import path_named
from abutment.sources.tools.diagnostic import Diagnostic
from abutment.sources.tools.mypy_configuration import MypyConfiguration, is_true, matches

CODE = "not-strict"  # of what takes something away
# Options that make something an error where they are on, and those that do where they are off.
_ON = re.compile(r"disallow_|warn_|strict|check_untyped_defs$|extra_checks$|no_implicit_|local_partial_types$")
_OFF = re.compile(r"allow_|implicit_|ignore_errors$")
# What is said of a module as one that others import, and what only adds to what is looked for.
_BESIDE = frozenset(
    {
        "ignore_missing_imports",
        "follow_imports",
        "follow_imports_for_stubs",
        "follow_untyped_imports",
        "enable_error_code",
        "always_true",
        "always_false",
    }
)
_COMMENT = "# mypy: "
_IGNORE_ALL = re.compile(r"#\s*type:\s*ignore")


def weakened_by_configuration(configuration: MypyConfiguration, path: str) -> Iterator[str]:
    """Yield each option, with its section, by which the configuration holds the file less than strictly."""
    if is_true(configuration.options.get("ignore_errors")):
        yield "`ignore_errors`"
    modules = _modules(path)
    for pattern, options in configuration.sections:
        if any(matches(pattern, module) for module in modules):
            yield from (f"`{key}` for {pattern}" for key, value in options.items() if _weakens(key, value))


def weakened_by_comments(folder: Path, paths: Iterable[str]) -> Iterator[Diagnostic]:
    """Yield what comments in files take away from them as a whole."""
    for path in paths:
        yield from weakening_comments(path, (folder / path_named(path)).read_bytes().decode("utf-8", "replace"))


def weakening_comments(path: str, text: str) -> Iterator[Diagnostic]:
    """Yield what comments in a file take away from it as a whole: `# mypy: …`, and `# type: ignore` on top."""
    is_top = True
    for number, line in enumerate(text.split("\n"), start=1):
        stripped = line.strip()
        is_top = is_top and (not stripped or stripped.startswith("#"))
        if line.startswith(_COMMENT):
            for key, value in _settings(line.removeprefix(_COMMENT)):
                if _weakens(key, value):
                    yield Diagnostic(path, number, 1, CODE, f"a comment sets `{key}`")
        elif is_top and _IGNORE_ALL.match(stripped):
            yield Diagnostic(path, number, 1, CODE, "a comment on top ignores every error in the file")


def _modules(path: str) -> tuple[str, ...]:
    """Return every name under which mypy may know the file: which folder it starts from depends on its options."""
    parts = PurePosixPath(path).with_suffix("").parts
    named = parts[:-1] if parts[-1] == "__init__" else parts
    return tuple(".".join(named[at:]) for at in range(len(named)))


def _weakens(key: str, value: object) -> bool:
    if key in _BESIDE:
        return False
    if _ON.match(key):
        return not is_true(value)
    return not (_OFF.match(key) and not is_true(value))


def _settings(text: str) -> Iterator[tuple[str, object]]:
    """Yield what a comment sets: `name`, `no-name` or `name=value`, between commas that stand outside of quotes."""
    for part in re.split(r""",(?=(?:[^"]*"[^"]*")*[^"]*$)""", text):
        name, _equals, value = part.strip().partition("=")
        if name:
            yield name.strip().replace("-", "_"), value.strip().strip('"') or True
