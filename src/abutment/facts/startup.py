"""What does starting load, and what does it leave alive, told apart by names that are the same on every machine?"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

from abutment.model.site import Site
from abutment.semantics.program import ModuleKind, Program
from abutment.sources.file_names import text_of_path
from abutment.sources.tools.startup import Alive, Answer, path_below

MODULE, PACKAGE, COMPONENT, ORDER, TIME = "module", "package", "component", "order", "time"
_NUMBER = re.compile(r"#?\d+")
_VERSION = re.compile(r"[\d.]+$")
_TEMPORARY = re.compile(r".*/abutment-[^/]+/(?:.*/)?")  # the home and the temporary folder of what is run
_RANDOM = re.compile(r"\btmp\w{8}\b")
_PACKAGES = re.compile(r".*/(?:site|dist)-packages/")


@dataclass(frozen=True, slots=True, order=True)
class StartupFact:
    """One thing that starting a target brings about."""

    target: str  # a module, `module:callable`, a mode, or modules in an order
    kind: str
    name: str
    site: Site = field(compare=False)
    words: str = field(compare=False, default="")  # what an exception said, what a time was


@dataclass(frozen=True, slots=True)
class Place:
    """Where the judged code is, so that paths of this machine become paths of the project."""

    folder: Path
    program: Program

    def path_of(self, file: str) -> str:
        """Return the path of a file relative to the root; "" for one that lies outside."""
        return path_below(self.folder, file)

    def site_of(self, started: str) -> Site:
        """Return the file of a module, or of the module of `module:callable`."""
        module = self.program.modules.get(started.partition(":")[0])
        return Site(module.path if module else "")


def is_first_party(program: Program, name: str) -> bool:
    """Say whether a module that was loaded is the project's own: also one that no file of its own stands for."""
    module, above = program.modules.get(name), name.rpartition(".")[0]
    if module is not None:
        return True
    while above and above not in program.modules:
        above = above.rpartition(".")[0]
    return bool(above) and program.modules[above].kind is not ModuleKind.NAMESPACE  # others may stand in it as well


def scan_loaded(place: Place, target: str, answer: Answer) -> Iterator[StartupFact]:
    """Yield the project's own modules that importing the target loads, and the top packages of others."""
    site, packages = place.site_of(target), set[str]()
    for one in answer.loaded:
        if is_first_party(place.program, one.name):
            yield StartupFact(target, MODULE, one.name, site)
        elif not one.standard and one.file:
            packages.add(one.name.partition(".")[0])
    for name in sorted(packages):
        yield StartupFact(target, PACKAGE, name, site)


def strangers(place: Place, answer: Answer) -> Iterator[tuple[str, str]]:
    """Yield the project's own modules that were loaded from another file than the judged one, with that file."""
    for one in answer.loaded:
        module = place.program.modules.get(one.name)
        if module is None or module.kind is not ModuleKind.SOURCE or not one.file:
            continue
        if place.path_of(one.file) != place.path_of(f"{text_of_path(place.folder)}/{module.path}"):
            yield one.name, one.file


def scan_alive(place: Place, target: str, alive: Iterable[Alive], started: str) -> Iterator[StartupFact]:
    """Yield what is alive after the target was started; `started` is what of the code that was."""
    for one in alive:
        yield StartupFact(target, one.kind, stable_name(place, one), _site(place, started, one))


def stable_name(place: Place, one: Alive) -> str:
    """Return a name that does not change from run to run: counters are `#`, folders of a machine have a name.

    `Thread-3 (poll)` is `Thread-# (poll)`; `python3.11` is `python`; a file is named relative to the root, to the
    folder of installed packages, or to the temporary one.
    """
    if one.kind == "process":
        return _VERSION.sub("", one.name) or one.name
    if one.kind == "file":
        return _file_name(place, one.name)
    return _NUMBER.sub("#", one.name) if one.kind == "thread" else one.name


def _file_name(place: Place, name: str) -> str:
    if not name.startswith("/"):
        return _inode_word(name) if name.startswith("anon_inode:") else name.partition(":[")[0]  # `pipe:[4711]`
    name = name.removesuffix(" (deleted)")
    inside, installed, temporary = place.path_of(name), _PACKAGES.match(name), _TEMPORARY.match(name)
    if inside:
        return inside
    if installed:
        return f"<packages>/{name[installed.end() :]}"
    if temporary:
        return f"<temporary>/{_NUMBER.sub('#', _RANDOM.sub('#', name[temporary.end() :]))}"
    return name


def _inode_word(name: str) -> str:
    """Return what the system calls a handle that is no file: `anon_inode:[eventpoll]`."""
    return name.removeprefix("anon_inode:").strip("[]")


def _site(place: Place, started: str, one: Alive) -> Site:
    """Return the innermost place in the project's own code from where it comes; else the file of what was started."""
    own = {module.path for module in place.program.modules.values()} if one.stack else frozenset[str]()
    for file, line in one.stack:
        path = place.path_of(file)
        if path in own:
            return Site(path, line)
    return place.site_of(started)


def scan_components(
    target: str, manifest: tuple[str, ...], started: tuple[str, ...], site: Site
) -> Iterator[StartupFact]:
    """Yield each component that is not started as the manifest has it: missing, unknown, or before another one."""

    def fact(words: str) -> StartupFact:
        return StartupFact(target, COMPONENT, words, site)

    for name in manifest:
        if name not in started:
            yield fact(f"{name} is not started")
    for name in dict.fromkeys(started):
        if name not in manifest:
            yield fact(f"{name} is started, and is not in the manifest")
        elif started.count(name) > 1:
            yield fact(f"{name} is started more than once")
    places = {name: at for at, name in reversed(list(enumerate(started)))}
    both = [name for name in manifest if name in places]
    for one, other in pairwise(both):
        if places[other] < places[one]:
            yield fact(f"{other} is started before {one}")
