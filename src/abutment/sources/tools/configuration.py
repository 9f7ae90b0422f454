"""What configures another tool, without the comments and the order in which it is written? And its digest."""

from __future__ import annotations

import configparser
import hashlib
import json
import tomllib
from collections.abc import Mapping
from pathlib import Path

from abutment.errors import NotJudged
from abutment.model.fault import Fault

_DIGITS = 16  # of a digest that stands for a configuration


def ini_sections(path: Path, name: str) -> dict[str, bytes]:
    """Return the sections `name` and `name-…` of an INI file, each as canonical bytes; none where there is no file.

    Raises NotJudged where it cannot be read.
    """
    return {section: canonical(options) for section, options in read_ini(path, name).items()}


def read_ini(path: Path, name: str) -> dict[str, dict[str, str]]:
    """Return the sections `name` and `name-…` of an INI file; none where there is no file.

    Raises NotJudged where it cannot be read.
    """
    parser = configparser.RawConfigParser()
    try:
        parser.read_string(path.read_text(encoding="utf-8"), str(path))
    except FileNotFoundError:
        return {}
    except (OSError, UnicodeDecodeError, configparser.Error) as error:
        raise _unreadable(path, error) from error
    wanted = (section for section in parser.sections() if section == name or section.startswith(f"{name}-"))
    return {section: dict(parser.items(section)) for section in wanted}


def toml_table(path: Path, *keys: str) -> dict[str, bytes]:
    """Return the table below these keys of a TOML file as canonical bytes; none where there is no such table.

    Raises NotJudged where it cannot be read.
    """
    table = read_toml(path, *keys)
    return {} if table is None else {".".join(keys): canonical(table)}


def read_toml(path: Path, *keys: str) -> object:
    """Return what stands below these keys of a TOML file; None where there is no such thing, or no file.

    Raises NotJudged where it cannot be read.
    """
    try:
        table: object = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise _unreadable(path, error) from error
    for key in keys:
        table = table.get(key) if isinstance(table, Mapping) else None
    return table


def canonical(value: object) -> bytes:
    """Return the bytes that stand for a value, whatever order its tables are written in."""
    return json.dumps(value, sort_keys=True, default=str, ensure_ascii=False).encode("utf-8", "surrogatepass")


def digest_of(parts: Mapping[str, bytes]) -> str:
    """Return a short digest that stands for named contents: of configuration files, of resolved settings."""
    found = hashlib.sha256()
    for name in sorted(parts):
        for part in (name.encode("utf-8", "surrogatepass"), parts[name]):
            found.update(len(part).to_bytes(8, "big") + part)
    return found.hexdigest()[:_DIGITS]


def _unreadable(path: Path, error: Exception) -> NotJudged:
    return NotJudged(Fault(path.name, 0, f"cannot be read: {error}"))
