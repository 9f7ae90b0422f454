"""Where does a call run, as seen from the project? A project that moves in its repository takes its calls along."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from dataclasses import replace

from abutment.guard.ci.around import IN_FOLDER
from abutment.guard.ci.calls import Call
from abutment.sources.settings import OWN_FILE, PYPROJECT


def seen_from(call: Call, above: str, here: str = "") -> Call:
    """Return a call with its folder and its configuration as the project in the folder `above` sees them.

    `here` is the folder that it runs in where nothing says otherwise.
    """
    folders = [one.removeprefix(IN_FOLDER) for one in call.softened if one.startswith(IN_FOLDER)]
    stands = posixpath.normpath(posixpath.join(here, *folders)) if len(folders) < 2 else None
    if stands is None:
        return replace(call, softened=frozenset(_below(one, above) for one in call.softened))
    rest = frozenset(_below(one, above) for one in call.softened if not one.startswith(IN_FOLDER))
    if call.config:
        asked = _folder_of(posixpath.normpath(posixpath.join(stands, call.config)))
        is_ours = asked == (above or ".")
        elsewhere = () if is_ours else _elsewhere(stands, ".")
        return replace(call, config="" if is_ours else call.config, softened=rest.union(elsewhere))
    return replace(call, softened=rest.union(_elsewhere(stands, above or ".")))


def _folder_of(config: str) -> str:
    """Return the folder that a configuration stands in, which may be named itself."""
    folder, _slash, name = config.rpartition("/")
    return (folder or ".") if name in (PYPROJECT, OWN_FILE) else config


def _elsewhere(stands: str, project: str) -> Iterator[str]:
    if stands != project:
        yield "at the top of the repository" if stands == "." else f"{IN_FOLDER}{stands}"


def _below(condition: str, above: str) -> str:
    """Return a condition with the patterns of paths that begin at the top (`"/src/**"`) as the project sees them."""
    prefix = f"{above}/" if above else ""
    return re.sub(rf'"(!?)/{re.escape(prefix)}', r'"\1', condition)
