"""Which folders are searched for programs before all that were searched before?"""

from __future__ import annotations

import re

TAKEN_FROM = "taken from "
FOUND_BESIDE = "found in the folder it runs in"  # before what is installed: harmless where there is nothing of our name
_PATH = frozenset({"$PATH", "${PATH}", "$(PATH)", "$$PATH", "$${PATH}"})
# The folder that a job begins in; what is left of a path is below it.
_HOME = re.compile(
    r"^(?:\$\$?\{?(?:PWD|GITHUB_WORKSPACE|CI_PROJECT_DIR)\}?|\$\((?:pwd|CURDIR)\)|\$\{\{ github\.workspace \}\}|\.)/"
)
_OF_PROGRAMS = re.compile(r"(?:(?:~|\$\$?\{?HOME\}?|\$\(HOME\))?/)?(?:[\w.@+-]+/)*(?:bin|Scripts)/?")
_TO_PATH = re.compile(r"echo (?P<quote>[\"']?)(?P<folder>[^\"'\s]+)(?P=quote) *>> *[\"']?\$\{?GITHUB_PATH\}?[\"']?")


def searched_first(word: str) -> list[str] | None:
    """Return the folders that an assignment of PATH puts before all others; None where that is not all it does.

    They are folders for programs, and what PATH was stays behind them.
    """
    name, _equals, value = word.partition("=")
    folders = value.split(":")
    at = next((at for at, folder in enumerate(folders) if folder in _PATH), None)
    if name != "PATH" or at is None:
        return None
    ahead = [below_home(folder) for folder in folders[:at]]
    return ahead if all(map(_OF_PROGRAMS.fullmatch, ahead)) else None


def below_home(path: str) -> str:
    """Return a path as the folder sees it that a job begins in."""
    return _HOME.sub("", path, count=1)


def taken_from(folder: str) -> str:
    """Return the condition of a program that is taken from a folder: harmless where the repository has none there."""
    return f"{TAKEN_FROM}`{folder}`"


def handed_on(line: str) -> list[str] | None:
    """Return the folders that a line of a step puts before all others for those that follow it, in the same way."""
    found = _TO_PATH.fullmatch(line)
    return searched_first(f"PATH={found['folder']}:$PATH") if found else None
