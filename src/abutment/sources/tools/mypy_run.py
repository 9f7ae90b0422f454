"""How is mypy asked, so that its answer is right and whole, and leaves nothing behind?

Without its cache: an answer must not depend on what somebody ran before, and the judged tree stays as it was. With
its text and not its JSON, as only the text ends with a summary. Under one configuration file, which is named to it.
"""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from abutment.errors import NotJudged
from abutment.model.fault import Fault
from abutment.sources.tools.configuration import digest_of
from abutment.sources.tools.diagnostic import Report
from abutment.sources.tools.environment import variables_in
from abutment.sources.tools.mypy_configuration import MypyConfiguration, find_configuration
from abutment.sources.tools.mypy_files import files_to_check
from abutment.sources.tools.output import SAFE_PATH, SECONDS, Output, run_tool

OPTIONS = (
    "--no-pretty",
    "--no-color-output",
    "--show-error-codes",
    "--show-column-numbers",
    "--hide-error-context",
    "--error-summary",
    "--soft-error-limit=-1",  # or an old mypy leaves out what comes after two hundred errors
    "--no-warn-unused-configs",  # a section that no file needs is no error in the code, and would be a complaint
    "--no-incremental",
    f"--cache-dir={os.devnull}",  # `--no-incremental` alone still writes it
)
# `MYPY_CACHE_DIR` goes before the option in some versions; workers of mypy leave files in the folder they run in, and
# a plugin of the project would leave its byte code.
ENVIRONMENT = {
    "MYPY_CACHE_DIR": os.devnull,
    "MYPY_NUM_WORKERS": "0",
    "PYTHONDONTWRITEBYTECODE": "1",
    **SAFE_PATH,
}
_CONFIG_FILE = "--config-file="
_SET_BY_MYPY = ("MYPY_CONFIG_FILE_DIR",)
_RUNS_MODULE = ("-m", "-c")  # how an interpreter is told to run mypy, which says nothing of what mypy finds
_PROBE = """
import importlib.metadata as m, json, sys
of = m.packages_distributions()
known = {p: sorted(f"{d} {m.version(d)}" for d in set(of.get(p, ()))) for p in sys.argv[1:]}
print(json.dumps({"python": "%d.%d" % sys.version_info[:2], "plugins": known}))
"""


@dataclass(frozen=True, slots=True)
class Question:
    """What mypy is asked, and where."""

    folder: Path
    command: tuple[str, ...]
    python: str | None  # the interpreter that runs it; None where the command does not say
    args: tuple[str, ...]
    targets: tuple[str, ...]
    seconds: float = SECONDS  # how long each process may take

    @property
    def configuration(self) -> MypyConfiguration:
        """The configuration file that counts; raises NotJudged where it cannot be read."""
        named = [word[len(_CONFIG_FILE) :] for word in self.args if word.startswith(_CONFIG_FILE)]
        return find_configuration(self.folder, named[-1] if named else None)

    def words(self, configuration: MypyConfiguration, *further: str) -> tuple[str, ...]:
        """Return the command line but for the targets; what we need comes last, so that it holds."""
        asked = (word for word in self.args if not word.startswith(_CONFIG_FILE))
        return (*self.command, *asked, *OPTIONS, configuration.argument(self.folder), *further)

    def run(self, what: str, *command: str) -> Output:
        """Return what a program prints that answers for mypy; raises NotJudged where it does not end in time."""
        return run_tool(what, command, self.folder, seconds=self.seconds, given=ENVIRONMENT)

    def given(self, option: str) -> str | None:
        """Return what the arguments say of an option; None where they do not."""
        found = [word.partition("=")[2] for word in self.args if word.startswith(f"{option}=")]
        return found[-1] if found else None


def conditions_of(
    question: Question, configuration: MypyConfiguration, version: str | None
) -> tuple[Mapping[str, str], tuple[str, ...]]:
    """Return under which conditions mypy answers, and notes on those that cannot be told.

    `version` is the one that kept output names. Where the configuration says for which Python and platform the code
    is checked, its digest holds them; else they are those of the interpreter and the machine.
    """
    found = {"mypy": version or _version(question), "configuration": _digest(question, configuration)}
    if not (question.given("--platform") or configuration.options.get("platform")):
        found["platform"] = sys.platform
    asks_python = not (question.given("--python-version") or configuration.options.get("python_version"))
    packages = configuration.plugin_packages()
    if not asks_python and not packages:
        return found, ()
    if question.python is None:
        return found, tuple(_untold(asks_python, packages))
    python, plugins = _probed(question, packages)
    if asks_python:
        found["python"] = python
    return found | {f"plugin {name}": said for name, said in plugins.items()}, ()


def _untold(asks_python: bool, packages: Sequence[str]) -> list[str]:
    what = ["the version of Python (say `python_version` in mypy's configuration)"] if asks_python else []
    what += [f"the versions of its plugins ({', '.join(packages)})"] if packages else []
    return [f"not held, as `command` does not say which interpreter runs mypy: {', '.join(what)}."]


def _version(question: Question) -> str:
    said = question.run("mypy", *question.command, "--version")
    said.require_status(0)
    found = re.match(r"mypy (?P<version>\S+)", said.text())
    if found is None:
        raise said.fault("does not say its version.")
    return found["version"]


def _digest(question: Question, configuration: MypyConfiguration) -> str:
    switches = [word for word in question.command if word.startswith("-") and word not in _RUNS_MODULE]
    parts = {
        "targets": "\n".join(question.targets).encode(),
        "args": "\n".join((*switches, *(word for word in question.args if not word.startswith(_CONFIG_FILE)))).encode(),
        "MYPYPATH": os.fsencode(os.environ.get("MYPYPATH", "").replace(str(question.folder), ".")),
    }
    named = variables_in(configuration.paths(), question.folder, known=_SET_BY_MYPY)
    return digest_of({**configuration.parts(question.folder), **parts, **named})


def _probed(question: Question, packages: Sequence[str]) -> tuple[str, Mapping[str, str]]:
    """Return the version of the interpreter that runs mypy, and those of what provides the plugins."""
    assert question.python is not None
    said = question.run("python", question.python, "-c", _PROBE, *packages)
    said.require_status(0)
    try:
        found = json.loads(said.text())
        return found["python"], {name: ", ".join(of) or "not installed" for name, of in found["plugins"].items()}
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise said.fault("does not say what it is.") from error


def hold_files(question: Question, configuration: MypyConfiguration, report: Report, *, kept: bool) -> tuple[str, ...]:
    """Return notes on what could not be counted; raises NotJudged where mypy checked fewer files than there are.

    Output that was kept has to be about as many files as there are now: with more, it is about another tree.
    """
    expected = files_to_check(question.folder, question.targets, question.args, configuration)
    if expected is None:
        return (f"mypy checked {report.looked_at} files; how many there are to check cannot be told.",)
    if report.looked_at < expected or (kept and report.looked_at != expected):
        message = f"mypy checked {report.looked_at} files, and there are {expected} that it has to check."
        remedy = "Make its output anew." if kept else "See what its `files` and `exclude` select."
        raise NotJudged(Fault("", 0, message, remedy))
    if report.looked_at > expected:
        return (f"mypy checked {report.looked_at} files, and we find only {expected} that it has to check.",)
    return ()
