"""Which project is meant, and with which cache and how many processes is it read?"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any, TypeVar

import click
from click.core import ParameterSource

from abutment import __version__
from abutment.cli.file_path import FilePath
from abutment.config import Config, read_config
from abutment.errors import NotJudged
from abutment.gates import TABLE, load_gates
from abutment.gates.gate import Gate
from abutment.run import Project, Reading, open_project
from abutment.semantics.cache import Cache
from abutment.sources.codeowners import repository_owners
from abutment.sources.git import find_repository, outer_ignores, tracked_files
from abutment.sources.settings import Given, find_configuration, load_settings
from abutment.sources.tree import Tree
from abutment.sources.work_tree import WorkTree

F = TypeVar("F", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True)
class Opening:
    """The options that every verb which reads the code shares."""

    configs: tuple[Path, ...]  # given with --config; () means the nearest upward
    cache_dir: Path | None
    no_cache: bool
    jobs: int
    given: Given = field(default_factory=dict)  # settings of gates for this run alone

    def each(self) -> tuple[Opening, ...]:
        """Return one opening for each folder that is meant, in the order given; a folder given twice is one."""
        folders: dict[str, Path] = {}
        for path in self.configs:
            folder = path if path.is_dir() else path.parent
            folders.setdefault(os.path.abspath(folder), path)  # noqa: PTH100  # a link is a place of its own
        return tuple(replace(self, configs=(path,)) for path in folders.values()) or (self,)

    def one(self) -> Config:
        """Return the single configuration that is meant; raises NotJudged where it cannot be found or read."""
        if len(self.configs) > 1:
            raise click.UsageError("this verb takes one --config; only `check` may be given several")
        raw = load_settings(self.configs[0] if self.configs else find_configuration(Path.cwd()))
        return read_config(raw, given=self.given)

    def reading(self, config: Config) -> Reading:
        """Return how the configured codebase is read: what git says of it, the cache, and the processes."""
        root = Path(config.root)
        tracked = tracked_files(root)
        return Reading(
            tracked=tracked,
            outer=outer_ignores(root),
            owners=repository_owners(root),
            cache=self.cache(),
            jobs=self.jobs,
            tracked_is_unknown=tracked is None and find_repository(root) is not None,
        )

    def cache(self) -> Cache | None:
        """Return the cache to use, or None."""
        directory = self.cache_dir or default_cache_dir()
        return None if self.no_cache or directory is None else Cache(directory, __version__)

    def cache_notes(self, cache: Cache | None) -> tuple[str, ...]:
        """Return why the cache was of no use, as far as that is a surprise."""
        if cache is not None:
            return tuple(cache.notes)
        return () if self.no_cache else ("Nothing is cached: this user has no home folder. Name one with --cache-dir.",)

    def project(self, config: Config) -> Project:
        """Read and link the configured codebase; what is found out about its uses is kept when the command ends."""
        project = open_project(config, self.tree(config), self.reading(config))
        click.get_current_context().call_on_close(project.program.uses.keep)
        return project

    def tree(self, config: Config) -> Tree:
        """Return the work tree below the configuration."""
        return WorkTree(Path(config.root))


_config_option = click.option(
    "--config",
    "configs",
    multiple=True,
    type=FilePath(exists=True, path_type=Path),
    help="Configuration file (or its folder). Default: the nearest upward.",
)


def place_option(command: F) -> F:
    """Add `--config` alone, for verbs that read documents and no code; the command receives an `opening`."""

    @_config_option
    def opened(configs: tuple[Path, ...], **rest: Any) -> Any:
        return _answered(command, Opening(configs, None, True, 1), rest)

    return dressed(opened, command)


def opening_options(command: F) -> F:
    """Add the shared options; the command receives them as one `opening`."""

    @_config_option
    @click.option("--cache-dir", type=FilePath(file_okay=False, path_type=Path), help="Where the cache is kept.")
    @click.option("--no-cache", is_flag=True, help="Neither read nor write the cache.")
    @click.option(
        "--jobs",
        type=click.IntRange(1),
        default=None,
        help="Most processes to parse with; never more than one a core, which is the default.",
    )
    def opened(configs: tuple[Path, ...], cache_dir: Path | None, no_cache: bool, jobs: int | None, **rest: Any) -> Any:
        return _answered(command, Opening(configs, cache_dir, no_cache, min(jobs or cores(), cores())), rest)

    return dressed(opened, command)


def _answered(command: Callable[..., Any], opening: Opening, rest: Mapping[str, Any]) -> Any:
    try:
        return command(opening=opening, **rest)
    except (BrokenPipeError, EOFError, SystemExit) as fault:
        # click takes these for a reader that left, for an interrupt, and for the verb's answer. Those are told
        # before it comes to this; here something broke.
        raise RuntimeError(f"{type(fault).__name__} {fault}".strip()) from fault


def dressed(opened: Callable[..., Any], command: F) -> F:
    """Return what stands before a command, with the command's own words and options."""
    opened.__name__, opened.__doc__ = command.__name__, command.__doc__
    opened.__click_params__ = [*getattr(command, "__click_params__", []), *opened.__click_params__]  # type: ignore[attr-defined]  # how click collects options
    return opened  # type: ignore[return-value]  # click calls it with keywords only


def foreign_gates(opening: Opening) -> tuple[Gate, ...]:
    """Return the users' own gates that are switched on here; none where there is no configuration to say so."""
    try:
        names = opening.one().gates
    except NotJudged:
        return ()
    return load_gates(name for name in names if name not in TABLE)


def cores() -> int:
    """Return how many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def default_cache_dir() -> Path | None:
    """Return `$XDG_CACHE_HOME/abutment` (XDG Base Directory Specification), by default `~/.cache/abutment`.

    None where this user has no home, as in many containers: then nothing is cached.
    """
    base = os.environ.get("XDG_CACHE_HOME", "")
    if Path(base).is_absolute():
        return Path(base) / "abutment"
    try:
        home = Path.home()
    except RuntimeError:
        return None
    return home / ".cache" / "abutment" if home.is_absolute() else None


def today_option(command: F) -> F:
    """Add `--today`, the UTC date on which approvals are read; the command receives a `date`."""
    return click.option(
        "--today",
        default=None,
        metavar="YYYY-MM-DD",
        callback=_day,
        help="Judge as of this UTC date (approvals expire).",
    )(command)


def _day(_context: click.Context, _parameter: click.Parameter, value: str | None) -> date:
    if value is None:
        return datetime.now(UTC).date()
    try:
        return date.fromisoformat(value)
    except ValueError as error:
        raise click.BadParameter(f"{value!r} is no date such as 2027-01-31") from error


def names_day() -> bool:
    """Say whether `--today` was given to the command that runs."""
    return click.get_current_context().get_parameter_source("today") is ParameterSource.COMMANDLINE


def gate_names(names: Iterable[str]) -> tuple[str, ...] | None:
    """Return the gates named on the command line without repeats, None where there are none."""
    return tuple(dict.fromkeys(names)) or None
