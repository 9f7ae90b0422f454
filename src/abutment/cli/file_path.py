"""Which file does a word of the command line name?"""

from __future__ import annotations

import os

import click

from abutment.sources.file_names import path_named


class FilePath(click.Path):
    """A path as a word names it: words are UTF-8 to us, and to Python whatever the locale says."""

    def convert(
        self, value: str | os.PathLike[str], param: click.Parameter | None, ctx: click.Context | None
    ) -> str | bytes | os.PathLike[str]:
        """Return the path; ends with a fault of usage where it is not what was asked for."""
        named: str | os.PathLike[str] = path_named(value) if isinstance(value, str) and value != "-" else value
        return super().convert(named, param, ctx)
