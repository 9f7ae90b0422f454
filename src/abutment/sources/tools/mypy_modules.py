"""Which modules does mypy find, with types? Asked of mypy itself, with a file of imports and nothing else in it.

Where it is told to ignore missing imports, it says nothing of a package that is not installed, nor of what it would
say with it. Here nothing is ignored, and nothing that is found is read (`follow_imports` in its documentation), so
that the answer takes a moment. Everything that decides where mypy looks is as in the run that is judged.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from abutment.sources.file_names import text_of_path
from abutment.sources.tools.mypy import parse_mypy
from abutment.sources.tools.mypy_configuration import MypyConfiguration, Options
from abutment.sources.tools.mypy_run import OPTIONS, Question
from abutment.sources.tools.output import BY_HAND
from abutment.sources.tools.place import PathsBelow

_NOWHERE = "no_module_has_this_name"  # imported last: an answer that finds it is none
_FILE, _CONFIGURATION = "imports.py", "mypy.ini"
_UNTYPED = "follow_untyped_imports"  # reads the code of packages that say nothing of types; for some modules, or all
# The options that say where mypy looks for modules, and for which Python.
_LOOKS = (
    "python_version",
    "platform",
    "mypy_path",
    "python_executable",
    "no_site_packages",
    "namespace_packages",
    "explicit_package_bases",
    "custom_typeshed_dir",
    _UNTYPED,
)
_LOOKING = re.compile(
    r"--(?:python-version|platform|python-executable|no-site-packages|(?:no-)?namespace-packages"
    r"|(?:no-)?explicit-package-bases|custom-typeshed-dir|follow-untyped-imports)(?:=|$)"
)
_HERE = re.compile(r"\$(?:MYPY_CONFIG_FILE_DIR\b|\{MYPY_CONFIG_FILE_DIR\})")


def find_modules(
    question: Question, configuration: MypyConfiguration, names: Iterable[str], bases: Iterable[str]
) -> frozenset[str]:
    """Return those of the named modules that mypy finds; one that says nothing of its types is not found.

    `bases` are folders below the root from which modules are imported. Raises NotJudged where the answer is not whole.
    """
    asked = sorted(set(names))
    if not asked:
        return frozenset()
    with tempfile.TemporaryDirectory() as made:
        place = Path(made).resolve()
        (place / _FILE).write_text("".join(f"import {name}\n" for name in (*asked, _NOWHERE)), encoding="utf-8")
        (place / _CONFIGURATION).write_text(_configured(configuration, bases), encoding="utf-8")
        lacking = _lacking(question, place, len(asked) + 1)
    return frozenset(name for line, name in enumerate(asked, start=1) if line not in lacking)


def _lacking(question: Question, place: Path, last: int) -> frozenset[int]:
    """Return the lines whose import mypy does not find."""
    looking = (word for word in question.args if _LOOKING.match(word))
    command = (
        *question.command,
        *looking,
        *OPTIONS,
        f"--config-file={text_of_path(place / _CONFIGURATION)}",
        text_of_path(place / _FILE),
    )
    output = question.run("mypy", *command)
    report = parse_mypy(output, PathsBelow(place))
    lines = frozenset(one.line for one in report.diagnostics if one.path == _FILE)
    if report.looked_at != 1 or last not in lines:
        raise output.fault("does not say which modules it finds.", BY_HAND)
    return lines


def _configured(configuration: MypyConfiguration, bases: Iterable[str]) -> str:
    """Return a configuration that looks for modules as the given one does, follows none, and ignores nothing."""
    above = configuration.path.parent if configuration.path else Path()
    options = {name: _texts(configuration.options[name], above) for name in _LOOKS if name in configuration.options}
    options["mypy_path"] = (*options.get("mypy_path", ()), *sorted(set(bases)))
    table = {**options, "follow_imports": ("skip",), "follow_imports_for_stubs": ("True",)}
    return "".join((_section("mypy", table), *_untyped(configuration.sections)))


def _untyped(sections: Sequence[tuple[str, Options]]) -> Iterator[str]:
    for pattern, options in sections:
        if _UNTYPED in options:
            yield _section(f"mypy-{pattern}", {_UNTYPED: _texts(options[_UNTYPED], Path())})


def _texts(value: object, above: Path) -> tuple[str, ...]:
    """Return an option's value as texts, in which the folder of the configuration is named."""
    values = value if isinstance(value, list) else [value]
    return tuple(_HERE.sub(lambda _found: text_of_path(above), str(each)) for each in values)


def _section(name: str, options: Mapping[str, Sequence[str]]) -> str:
    lines = (f"{key} = {', '.join(' '.join(text.split()) for text in texts)}\n" for key, texts in options.items())
    return f"[{name}]\n{''.join(lines)}"
