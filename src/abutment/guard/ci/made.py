"""What does a recipe ask of the make that it calls itself?"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from abutment.guard.ci.around import IN_FOLDER
from abutment.guard.ci.calls import Call

MAKING = ("$(MAKE)", "${MAKE}", "make", "gmake")
_WITH = re.compile(r"with `(?P<words>.*)`", re.DOTALL)
_FOLDER = re.compile(r"(?:-C|--directory=)(?P<folder>.+)")
_SILENT = re.compile(
    r"-s|-w|--silent|--quiet|--no-print-directory|--print-directory|-j\d*|--jobs(=\d+)?|-O\w*|--always-make|-B"
)


@dataclass(frozen=True, slots=True)
class Asked:
    """What a make is asked for."""

    folder: str  # of its Makefile; "" for the one that asks
    targets: tuple[str, ...]  # "" stands for the one that make takes where none is named
    conditions: tuple[str, ...]  # what the recipe makes of it, and what else make was told


def asked_of_make(call: Call) -> Asked:
    """Return what a call of make asks for."""
    told = [found["words"] for one in sorted(call.softened) if (found := _WITH.fullmatch(one))]
    words, folders, targets, more = iter(" ".join(told).split()), list[str](), list[str](), list[str]()
    for word in words:
        if word in ("-C", "--directory"):
            folders.append(next(words, ""))
        elif found := _FOLDER.fullmatch(word):
            folders.append(found["folder"])
        elif word.startswith("-") or "=" in word:
            more += [] if _SILENT.fullmatch(word) else [f"make with `{word}`"]
        else:
            targets.append(word)
    stands = [one.removeprefix(IN_FOLDER) for one in call.softened if one.startswith(IN_FOLDER)]
    around = [one for one in call.softened if not one.startswith(IN_FOLDER) and not _WITH.fullmatch(one)]
    return Asked(posixpath.join("", *stands, *folders), tuple(targets) or ("",), (*around, *more))


def below(folder: str, call: Call) -> Call:
    """Return a call of a Makefile as it is seen from where the folder of that Makefile is named."""
    return replace(call, softened=frozenset(_seen(folder, call.softened))) if folder else call


def _seen(folder: str, conditions: Sequence[str] | frozenset[str]) -> Iterator[str]:
    inside = [one for one in conditions if one.startswith(IN_FOLDER)]
    yield from (one for one in conditions if not one.startswith(IN_FOLDER))
    yield f"{IN_FOLDER}{posixpath.normpath(posixpath.join(folder, *(one.removeprefix(IN_FOLDER) for one in inside)))}"
