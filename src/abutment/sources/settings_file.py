"""How does a first configuration get into a project's files without disturbing what people wrote there?

tomlkit renders our lines. They are put between theirs as text, so that comments, order and line endings stay byte
for byte; then the whole is parsed, and must say what the file said before plus exactly what was asked for. Nothing
else in the project writes configuration.
"""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from abutment.errors import NotJudged, Refused
from abutment.model.fault import Fault
from abutment.sources.plain_file import content
from abutment.sources.settings import OWN_FILE, PYPROJECT, settings_from
from abutment.sources.toml_document import load_toml
from abutment.sources.whole_file import put_whole

if TYPE_CHECKING:
    from tomlkit import TOMLDocument
    from tomlkit.items import Item, Table

_TABLE = ("tool", "abutment")
_HEADER = ".".join(_TABLE)
_WIDTH = 100


@dataclass(frozen=True, slots=True)
class Draft:
    """A configuration file as it would be written."""

    path: Path
    text: str  # the whole file
    added: str  # our lines alone
    before: bytes | None  # what the file held when this was drawn up; None where there was none


def write_configuration(
    root: Path, settings: Mapping[str, object], comments: Mapping[str, Sequence[str]] | None = None
) -> Path:
    """Write the settings and return the file; the old file stays whole until the new one is.

    See `render_configuration` for what is written and refused. Also raises NotJudged where the file cannot be
    written, and Refused where somebody else wrote it in the meantime.
    """
    draft = render_configuration(root, settings, comments)
    try:
        _replace(draft)
    except OSError as error:
        name = draft.path.name
        raise NotJudged(Fault(name, 0, f"the file cannot be written: {error.strerror or error}.")) from error
    return draft.path


def render_configuration(
    root: Path, settings: Mapping[str, object], comments: Mapping[str, Sequence[str]] | None = None
) -> Draft:
    """Return what `write_configuration` would write: into `pyproject.toml` where there is one, else `abutment.toml`.

    `settings` are texts, numbers, truth values, lists, tables and lists of tables, in the order in which they are
    to stand. `comments` are lines that stand above a key, those of the key "" at the end. Raises Refused where there
    is a configuration already or a link leads out of the project, and NotJudged where the file is no TOML.
    """
    path = root / PYPROJECT
    if not path.is_file():
        path = root / OWN_FILE
    _refuse_outside(root, path)
    before = _read(path)
    old = before if before is not None else b""
    if settings_from(path.name, old, str(root)).table or _has_other(root, path):
        raise Refused(Fault(path.name, 0, "there is a configuration already.", "Edit it, or remove it first."))
    own_file = path.name == OWN_FILE
    added = _rendered(settings, comments or {}, own_file=own_file)
    header = None if own_file else _empty_header(old)
    if header is not None:
        added = added.removeprefix(f"[{_HEADER}]\n")
    text = _joined(old.decode("utf-8"), added, header)
    _prove(path.name, old, text, settings)
    return Draft(path, text, added, before)


def _refuse_outside(root: Path, path: Path) -> None:
    target = Path(os.path.realpath(path))
    if not target.is_relative_to(os.path.realpath(root)):
        message = f"is a link that leads out of the project ({target}); nothing is written there."
        raise Refused(Fault(path.name, 0, message, "Put a file of the project in its place."))


def _has_other(root: Path, path: Path) -> bool:
    other = root / OWN_FILE
    return path != other and other.is_file() and bool(settings_from(OWN_FILE, other.read_bytes(), str(root)).table)


def _read(path: Path) -> bytes | None:
    try:
        return content(path)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise NotJudged(Fault(path.name, 0, f"the file cannot be read: {error.strerror}.")) from error


def _empty_header(old: bytes) -> int | None:
    """Return the line of an empty `[tool.abutment]` that waits to be filled, None where there is none."""
    if not old:
        return None
    line = load_toml(PYPROJECT, old).locate(("tool", "abutment"))
    text = old.decode("utf-8").split("\n")[line - 1] if line else ""
    return line if re.match(r"\s*\[\s*tool\s*\.\s*abutment\s*\]", text) else None


def _joined(old: str, added: str, header: int | None) -> str:
    """Return the file with our lines under the header, or at its end, in the file's own line endings."""
    newline = "\r\n" if "\r\n" in old else "\n"
    added = added.replace("\n", newline)
    if header is not None:
        lines = old.split("\n")
        head = "\n".join(lines[:header])
        head = head if head.endswith("\r") or newline == "\n" else head + "\r"
        return f"{head}\n{added}" + "\n".join(lines[header:])
    if old and not old.endswith("\n"):
        old += newline
    return old + (newline if old else "") + added


def _prove(name: str, old: bytes, text: str, settings: Mapping[str, object]) -> None:
    """Raise Refused unless the new file says what the old one said, and the settings, and nothing else."""
    if name == OWN_FILE:
        expected = _plain(settings)
    else:
        table = load_toml(name, old).table
        tool = table.get("tool", {})
        assert isinstance(tool, Mapping), "settings_from has refused another `tool`"
        expected = {**table, "tool": {**tool, "abutment": _plain(settings)}}
    try:
        found = tomllib.loads(text.encode("utf-8").decode("utf-8"))
    except ValueError as error:  # no TOML, or a name of the file system that is no text
        raise _no_room(name, str(error)) from error
    if found != expected:
        raise _no_room(name, "the result would not say what was meant")


def _plain(value: object) -> object:
    """Return the value with the types that a TOML reader gives."""
    if isinstance(value, Mapping):
        return {key: _plain(below) for key, below in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [_plain(item) for item in value]
    return value


def _no_room(name: str, why: str) -> Refused:
    message = f"[{_HEADER}] cannot be added to the file ({why})."
    return Refused(Fault(name, 0, message, f"Write the table by hand, or move the project's settings to {OWN_FILE}."))


def _rendered(settings: Mapping[str, object], comments: Mapping[str, Sequence[str]], *, own_file: bool) -> str:
    """Return the settings as the lines of a file of our own, or as `[tool.abutment]` with all that is below it."""
    import tomlkit

    document = tomlkit.document()
    if own_file:
        _fill(document, settings, comments)
        return document.as_string()
    tool, ours = tomlkit.table(is_super_table=True), tomlkit.table()
    _fill(ours, settings, comments)
    tool.append(_TABLE[1], ours)
    document.append(_TABLE[0], tool)
    return document.as_string()


def _fill(table: TOMLDocument | Table, settings: Mapping[str, object], comments: Mapping[str, Sequence[str]]) -> None:
    """Put the settings into the table. What has a header of its own ends the table in TOML, so it comes last."""
    import tomlkit

    sections = {key: value for key, value in settings.items() if _is_section(value)}
    for key, value in settings.items():
        if key not in sections:
            _comment(table, comments.get(key, ()))
            table.append(key, _value(value))
    for key, section in sections.items():
        table.add(tomlkit.nl())
        _comment(table, comments.get(key, ()))
        table.add(tomlkit.ws(""))  # or tomlkit would put a blank line between the comment and the header
        table.append(key, _section(section))
    if comments.get(""):
        table.add(tomlkit.nl())
        _comment(table, comments[""])


def _comment(table: TOMLDocument | Table, lines: Sequence[str]) -> None:
    import tomlkit

    for line in lines:
        clean = "".join(char if char >= " " and char != "\x7f" else " " for char in line)
        table.add(tomlkit.comment(clean.rstrip()))


def _is_section(value: object) -> bool:
    return isinstance(value, Mapping) or (
        isinstance(value, list)
        and len(value) > 0
        and all(isinstance(item, Mapping) and len(item) > 2 for item in value)
    )


def _section(value: object) -> Item:
    """Return a table, or a list of tables, each under a header of its own."""
    import tomlkit

    if isinstance(value, list):
        tables = tomlkit.aot()
        for member in value:
            tables.append(_section(member))
        return tables
    assert isinstance(value, Mapping), "_is_section has seen to it"
    table = tomlkit.table()
    for key, below in value.items():
        table.append(key, _value(below))
    return table


def _value(value: object) -> Item:
    """Return a value that stands behind its key; a long list has a line for each member."""
    import tomlkit

    if isinstance(value, Mapping):
        table = tomlkit.inline_table()
        for key, below in value.items():
            table.append(key, _value(below))
        return table
    if isinstance(value, Sequence) and not isinstance(value, str):
        array = tomlkit.array()
        for member in value:
            array.append(_value(member))
        return array.multiline(len(array.as_string()) > _WIDTH)
    return tomlkit.item(value)


def _replace(draft: Draft) -> None:
    """Put the new file in the old one's place; a link is written through."""

    def refuse_changed() -> None:
        if _read(draft.path) != draft.before:
            raise Refused(Fault(draft.path.name, 0, "somebody else has just written the file.", "Run it again."))

    put_whole(Path(os.path.realpath(draft.path)), draft.text.encode("utf-8"), refuse_changed)
