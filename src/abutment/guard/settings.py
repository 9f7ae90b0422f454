"""What is configured for the guard itself?"""

from __future__ import annotations

from dataclasses import dataclass

from abutment.model.reading import TableReader


@dataclass(frozen=True, slots=True)
class Settings:
    """What `[tool.abutment.guard]` says."""

    main: str = ""  # the main branch, as git knows it; "" to find it
    commands: tuple[str, ...] = ()  # what calls us in CI besides our own name: "make check"
    files: tuple[str, ...] = ()  # where CI is described besides the places that are known


def read_settings(reader: TableReader) -> Settings:
    """Read the guard's own table."""
    settings = Settings(
        main=reader.optional_text("main") or "",
        commands=reader.texts("commands", ()),
        files=reader.texts("files", ()),
    )
    reader.close()
    return settings
