"""What does a name of another module stand for?

`Names` answers across modules what `Meaning` leaves symbolic: relative levels, re-exports, star imports, literal
PEP 562 tables, submodules. While it answers it notes whose bindings it looked at: after an edit, whoever asked for
nothing that changed need not be asked again (`relink.py`).
"""

from __future__ import annotations

import builtins
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from abutment.semantics.meaning import Guard, LazyName, Meaning, Value
from abutment.semantics.outline import Mark
from abutment.semantics.program import Module, ModuleKind

if TYPE_CHECKING:
    from abutment.semantics.provenance import Provenance

_MOST_NAMES = 2_000  # that one question may lead to; beyond it the answer is `?`
_LONGEST_REST = 200
_FIRST_NAME = re.compile(r"[^.(\[]*")
EVERY_NAME = "*"  # in a `Read`: the whole table
_TYPING = {"typing:TYPE_CHECKING", "typing_extensions:TYPE_CHECKING"}
CONSTANTS = frozenset(("?", "-", "None", "True", "False"))
_BUILTINS = frozenset(dir(builtins))
# First-party names of which nothing is known, so that nothing below them can be said to be missing.
OPEN_KINDS = (ModuleKind.EXTENSION, ModuleKind.GENERATED, ModuleKind.EXCLUDED, ModuleKind.UNREAD)
# What the interpreter puts into every module.
_MODULE_ATTRIBUTES = frozenset(
    (
        *("__name__", "__doc__", "__file__", "__cached__", "__path__", "__package__", "__spec__", "__loader__"),
        *("__dict__", "__builtins__", "__class__", "__annotations__", "__getattr__", "__dir__"),
    )
)


Read = tuple[str, ...]  # a module, and what was looked at in it: a name of its table, or a key of `entries.py`


@dataclass(frozen=True, slots=True)
class Groundwork:
    """What is true of all modules together, worked out once before anything is linked."""

    poked: frozenset[str]  # names that another module sets: `module:name`, `module:?`
    public: Mapping[str, Mapping[str, str]]  # what the modules that take names by stars hand on
    open: frozenset[str]  # modules whose names are not all known
    reads: frozenset[Read]  # what it was worked out from, beside each module's own character


def absolute(module: str, is_package: bool, level: int, base: str) -> str | None:
    """Return the module that a from-import names; None where the level climbs past the top.

    A module whose name no import can reach (its name is a path) has no package to be relative to.
    """
    if not level:
        return base
    parts = [] if "/" in module else module.split(".")
    climb = level if not is_package else level - 1
    if climb >= len(parts):
        return None
    package = ".".join(parts[: len(parts) - climb])
    return f"{package}.{base}" if base else package


class Search:
    """Names that are still to be followed, and what was found.

    `rest` is what is still to be done with what a name holds, as `provenance.py` writes it: `.attribute`, `()`, `[]`.
    """

    def __init__(self) -> None:
        self.found: set[str] = set()
        self.seen: set[tuple[str, str, str]] = set()
        self.todo: list[tuple[str, str, str]] = []  # module, name, rest

    def look_up(self, module: str, name: str, rest: str = "") -> None:
        """Note a name to be followed."""
        if len(rest) > _LONGEST_REST:  # `x = x.next` would grow for ever
            self.found.add("?")
        else:
            self.todo.append((module, name, rest))

    def table(self, _meaning: Meaning, _name: str, bound: Value) -> Value:
        """Return what a module's own table holds under a name, of which `Meaning` says `bound`."""
        return bound

    def definition(self, module: str, atom: str, rest: str) -> None:
        """Note a definition of `module`: an end."""
        self.found.add("?" if rest else f"{module}:{atom[1:].partition('#')[0]}")

    def constant(self, atom: str, rest: str) -> None:
        """Note a constant: an end."""
        self.found.add("?" if rest else atom)

    def outside(self, module: str, steps: str) -> None:
        """Note what a module that is not first-party holds: an end."""
        self.found.add(f"{module}:{steps}")


class Names:
    """All modules' names, looked up across modules."""

    def __init__(
        self, modules: Mapping[str, Module], meanings: Mapping[str, Meaning], groundwork: Groundwork | None = None
    ) -> None:
        """Take all modules; `groundwork` is what an earlier look at the same ones laid."""
        self.modules, self.meanings = modules, meanings
        self.reads: set[Read] = set()  # what was looked at since the asker last emptied it
        self._lazy: dict[str, dict[str, LazyName]] = {}
        self._known: dict[tuple[str, str], tuple[set[str], set[Read]]] = {}
        self._public: dict[str, Mapping[str, str]] = {}
        self._growing: list[str] = []  # those of `_public` that take names by stars
        self._open: set[str] = set()
        self._complete = groundwork is not None  # whether stars have been followed
        self._common: set[Read] = set()  # what was looked at for all modules together
        self._poked: frozenset[str] = frozenset()
        if groundwork is not None:
            self._poked, self._open, self._common = groundwork.poked, set(groundwork.open), set(groundwork.reads)
            self._public, self._growing = dict(groundwork.public), list(groundwork.public)
            return
        self._poked = frozenset(self._pokes())
        self._known.clear()  # what was found before all pokes were known
        self._common |= self.reads
        self.reads = set()

    @property
    def groundwork(self) -> Groundwork:
        """What is true of these modules together; a later look at them can start from it."""
        if not self._complete:
            self._follow_stars()
        public = {module: self._public[module] for module in self._growing}
        return Groundwork(self._poked, public, frozenset(self._open), frozenset(self._common))

    # ---- values

    def resolve(self, module: str, atoms: Iterable[str]) -> set[str]:
        """Return what atoms written in `module` stand for in the end; nothing for a name that does not exist.

        Names that lead in circles are followed once. `?` where there is more to follow than is worth it.
        """
        search = Search()
        for atom in atoms:
            self.follow(module, atom, "", search)
        return self._found(search)

    def attribute(self, module: str, name: str) -> set[str]:
        """Return what `module.name` may be, looked up as Python does; nothing where it does not exist."""
        known = self._known.get((module, name))
        if known is None:
            search = Search()
            search.look_up(module, name)
            before, self.reads = self.reads, set()
            found = self._found(search)
            known = self._known[module, name] = found, self.reads
            self.reads = before
        self.reads |= known[1]
        return known[0]

    def _found(self, search: Search) -> set[str]:
        seen = search.seen
        while search.todo:
            node = search.todo.pop()
            if node not in seen:
                seen.add(node)
                self.expand(*node, search)
            if len(seen) > _MOST_NAMES:
                return {"?"}
        return search.found

    def follow(self, module: str, atom: str, rest: str, search: Search) -> None:
        """Note an atom written in `module`, and the attributes `rest` of it: an end, or a name to look up."""
        if atom in CONSTANTS or atom[0] in "'~#":
            search.constant(atom, rest)
            return
        if atom[0] in "@*+><;":
            search.definition(module, atom, rest)
            return
        base, colon, path = atom.partition(":")
        target = self.based(module, base)
        steps = path + rest if path else rest.removeprefix(".")
        name = steps[: _FIRST_NAME.match(steps).end()]  # type: ignore[union-attr]  # it matches anything
        if target is None or (target == "builtins" and colon and name not in _BUILTINS) or bool(name) != bool(steps):
            search.found.add("?")
        elif not steps:
            search.found.add(target)
        elif target not in self.modules:
            search.outside(target, steps)
        else:
            search.look_up(target, name, steps[len(name) :])

    def expand(self, module: str, name: str, rest: str, search: Search) -> None:
        """Follow one name of a first-party module one step further."""
        meaning = self.meanings.get(module)
        if meaning is None:
            self.follow(module, f"{module}.{name}" if f"{module}.{name}" in self.modules else "?", rest, search)
            return
        if self._may_be_set(module, name):
            search.found.add("?")
        if self._covering(meaning, name, rest, search):
            return
        bound = self.binding(module, name)
        own = search.table(meaning, name, ("-",) if bound is None else bound)
        atoms = [atom for atom in own if atom != "-" and not self._is_itself(module, name, atom)]
        for atom in atoms:
            self.follow(module, atom, rest, search)
        if len(atoms) < len(own):
            self._expand_unbound(meaning, name, rest, search)

    def binding(self, module: str, name: str) -> Value | None:
        """Return what the module's own table has under the name; None where it has nothing.

        Every look at one name of another module's table goes through here, so that it is noted.
        """
        self.reads.add((module, name))
        return self.meanings[module].names.get(name)

    def based(self, module: str, base: str) -> str | None:
        """Return an atom's module without its leading dots."""
        rest = base.lstrip(".")
        if len(rest) == len(base):
            return base
        importer = self.modules[module]
        return absolute(module, importer.is_package, len(base) - len(rest), rest)

    def _is_itself(self, module: str, name: str, atom: str) -> bool:
        base, colon, path = atom.partition(":")
        return bool(colon) and path == name and self.based(module, base) == module

    def _may_be_set(self, module: str, name: str) -> bool:
        """Say whether another module sets this name."""
        return f"{module}:{name}" in self._poked or f"{module}:?" in self._poked

    def _pokes(self) -> Iterator[str]:
        for meaning in self.meanings.values():
            yield from self._pokes_of(meaning)

    def _pokes_of(self, meaning: Meaning) -> Iterator[str]:
        for poke in meaning.pokes:
            module, _, attribute = poke.rpartition(".") if "." in poke.partition(":")[2] else poke.rpartition(":")
            for found in self.resolve(meaning.module, (module,)):
                yield f"{found}:{attribute}"

    def _covering(self, meaning: Meaning, name: str, rest: str, search: Search) -> bool:
        """Follow a bound name through the stars that come after it; say whether one of them certainly replaces it."""
        first = meaning.covered.get(name, len(meaning.stars))
        return self._through_stars(meaning, name, rest, search, first) if first < len(meaning.stars) else False

    def _through_stars(self, meaning: Meaning, name: str, rest: str, search: Search, first: int = 0) -> bool:
        """Follow a name through stars; say whether one that certainly runs certainly has it."""
        certain = False
        for star in meaning.stars[first:]:
            source = absolute(meaning.module, meaning.is_package, star.level, star.module)
            if source is None:
                continue
            if source not in self.meanings:
                self.follow(source, f"{source}:{name}", rest, search)
            elif name in self.public(source):
                certain = certain or (star.certain and "-" not in (self.binding(source, name) or ()))
                search.look_up(source, name, rest)
        return certain

    def replaced_by(self, meaning: Meaning, name: str) -> str:
        """Return the module whose star certainly gives a name that was bound before it; else the module itself."""
        found = meaning.module
        for star in meaning.stars[meaning.covered.get(name, len(meaning.stars)) :]:
            source = absolute(meaning.module, meaning.is_package, star.level, star.module)
            if source is not None and star.certain and name in self.public(source):
                found = source
        return found

    def _expand_unbound(self, meaning: Meaning, name: str, rest: str, search: Search) -> None:
        """Follow a name that perhaps no statement binds: to a star, a submodule, or a literal table."""
        module = meaning.module
        if meaning.stars and self._through_stars(meaning, name, rest, search):
            return
        lazy = self.lazy_target(module, name)
        if f"{module}.{name}" in self.modules:
            self.follow(module, f"{module}.{name}", rest, search)
        elif lazy is not None:
            self.follow(module, f"{lazy[0]}:{lazy[1]}" if lazy[1] else lazy[0], rest, search)

    # ---- stars

    def public(self, module: str) -> Mapping[str, str]:
        """Return name -> module for what a star import of `module` gives: where each name is bound."""
        if not self._complete:
            self._follow_stars()
        self.reads.add((module, EVERY_NAME))
        known = self._public.get(module)
        if known is None:
            meaning = self.meanings.get(module)
            known = self._public[module] = self._public_now(meaning) if meaning is not None else {}
        return known

    def _follow_stars(self) -> None:
        """Work out the modules that take names by stars, together, as stars may go round in circles."""
        before, self.reads = self.reads, set()
        self._complete = True
        starred = [one for one in self.meanings.values() if one.stars]
        linked = [one for one in self.meanings.values() if any(e.startswith("*") for e in one.exported or ())]
        self._growing = growing = sorted({one.module for one in (*starred, *linked)})
        self._public.update((module, {}) for module in growing)
        changed = True
        while changed:
            changed = False
            for module in growing:
                found = self._public_now(self.meanings[module])
                changed = changed or found != self._public[module]
                self._public[module] = found
        self._open = {name for name, meaning in self.meanings.items() if self._is_open(meaning)}
        size = -1
        while size != len(self._open):
            size = len(self._open)
            self._open.update(one.module for one in starred if self._takes_from_open(one))
        self._known.clear()  # what was found on the way may lack names
        self._common |= self.reads
        self.reads = before

    def _public_now(self, meaning: Meaning) -> dict[str, str]:
        module = meaning.module
        if meaning.exported is None:
            return {name: where for name, where in self.every_name(meaning).items() if not name.startswith("_")}
        found: dict[str, str] = {}
        for element in meaning.exported:
            if element.startswith("'"):
                found[element[1:]] = module
            elif element.startswith("*"):
                for other in self.resolve(module, (element[1:],)):
                    if ":" not in other and other in self.meanings and other != module:
                        found.update(dict.fromkeys(self.public(other), module))
        return found

    def every_name(self, meaning: Meaning) -> dict[str, str]:
        """Return name -> module for every name that the module binds itself or takes by a star."""
        found: dict[str, str] = {}
        for source in self._star_sources(meaning):
            if source is not None and source in self.meanings and source != meaning.module:
                found.update(dict.fromkeys(self.public(source), source))
        found.update((name, meaning.module) for name, atoms in meaning.names.items() if atoms != ("-",))
        return found

    @staticmethod
    def _star_sources(meaning: Meaning) -> list[str | None]:
        return [absolute(meaning.module, meaning.is_package, star.level, star.module) for star in meaning.stars]

    def _is_open(self, meaning: Meaning) -> bool:
        if meaning.suffix != ".py" or meaning.marks & Mark.NAMES_OPEN:
            return True
        return "__getattr__" in meaning.names or "?" in (meaning.exported or ())

    def is_settled(self, module: str) -> bool:
        """Say whether a module's names hold what its own statements give them: nothing else writes them."""
        if self.meanings[module].marks & Mark.NAMES_OPEN:
            return False
        return not self._poked_modules & {module}

    def writers_of(self, module: str) -> Iterator[str]:
        """Yield the modules by which names of a module that is not settled are written, itself perhaps among them."""
        for name, meaning in self.meanings.items():
            itself = name == module and meaning.marks & Mark.NAMES_OPEN
            if itself or any(poke.partition(":")[0] == module for poke in self._pokes_of(meaning)):
                yield name

    def _takes_from_open(self, meaning: Meaning) -> bool:
        return any(one is None or one in self._open or one not in self.meanings for one in self._star_sources(meaning))

    def closed(self, module: str) -> bool:
        """Say whether the module's names are all known, so that one that is not among them does not exist."""
        if not self._complete:
            self._follow_stars()
        return module in self.meanings and module not in self._open

    @cached_property
    def _poked_modules(self) -> frozenset[str]:
        return frozenset(poke.partition(":")[0] for poke in self._poked)

    def may_have_others(self, module: str) -> bool:
        """Say whether the module may have names that nothing we see binds."""
        return not self.closed(module) or self.goes_on_elsewhere(module) or module in self._poked_modules

    def lacks(self, module: str, name: str) -> bool:
        """Say whether `from module import name` certainly finds nothing."""
        if name in _MODULE_ATTRIBUTES or f"{module}.{name}" in self.modules or self._may_be_set(module, name):
            return False
        if self.goes_on_elsewhere(module):
            return False
        if self.modules[module].kind is ModuleKind.NAMESPACE:
            return True
        if not self.closed(module):
            return False
        meaning = self.meanings[module]
        own = self.binding(module, name) or ()
        others = [atom for atom in own if not self._is_itself(module, name, atom)]
        if others and (others != ["-"] or len(others) == len(own)):
            return False
        if any(source and name in self.public(source) for source in self._star_sources(meaning)):
            return False
        return not self._lends_submodule(meaning, name)

    def _lends_submodule(self, meaning: Meaning, name: str) -> bool:
        """Say whether a star may bring a submodule of that name: one that ran is an attribute of its package.

        A package without `__all__` hands on every public attribute, submodules included, also through stars.
        """
        waiting, seen = [meaning], {meaning.module}
        while waiting:
            for source in self._star_sources(waiting.pop()):
                found = self.meanings.get(source or "")
                if found is None or found.module in seen or found.exported is not None:
                    continue
                if f"{found.module}.{name}" in self.modules and not name.startswith("_"):
                    return True
                seen.add(found.module)
                waiting.append(found)
        return False

    # ---- submodules

    def goes_on_elsewhere(self, module: str) -> bool:
        """Say whether another distribution may hold more submodules of `module`.

        That is so for a top-level namespace (PEP 420), and for a package that changes its `__path__`.
        """
        found = self.modules[module]
        if found.kind is ModuleKind.NAMESPACE:
            parts = module.split(".")
            above = (self.modules.get(".".join(parts[:end])) for end in range(1, len(parts)))
            return all(one is None or one.kind is ModuleKind.NAMESPACE for one in above)
        return found.is_package and module in self.meanings and bool(self.meanings[module].marks & Mark.PATH_OPEN)

    # ---- PEP 562

    def lazy_target(self, module: str, name: str) -> tuple[str, str] | None:
        """Return (module, attribute) that a literal table of `module` provides under `name`."""
        lazy = self._table(module).get(name)
        if lazy is None:
            return None
        target = self.relative_name(lazy.module, lazy.package)
        return (target, lazy.attribute) if target else None

    def _table(self, module: str) -> Mapping[str, LazyName]:
        known = self._lazy.get(module)
        if known is None:
            meaning = self.meanings.get(module)
            # Of two entries of one name, the first is the one that is found.
            found = {one.name: one for one in reversed(meaning.lazy)} if meaning is not None else {}
            known = self._lazy[module] = found
        return known

    @staticmethod
    def relative_name(name: str, package: Iterable[str]) -> str | None:
        """Return what `import_module(name, package)` imports; None where it cannot be told."""
        rest = name.lstrip(".")
        if rest == name:
            return name
        texts = [atom[1:] for atom in package if atom.startswith("'")]
        if len(texts) != 1 or len(tuple(package)) != 1:
            return None
        return absolute(texts[0], True, len(name) - len(rest), rest)

    # ---- guards

    def never_runs(self, meaning: Meaning | Provenance) -> list[bool]:
        """Say for each guard whether what it holds runs for a type checker only.

        A `Provenance` has guards of its own: it was read with bodies that its `Meaning` left out.
        """
        truths: list[bool | None] = []
        for condition in meaning.conditions:
            if condition.op == "value":
                truths.append(self._truth(meaning, condition.atoms, condition.named))
            else:
                truths.append(_combined(condition.op, [truths[part] for part in condition.parts]))
        never = [False]
        for guard in meaning.guards[1:]:
            never.append(never[guard.outer] or _is_false(guard, truths))
        return never

    def _truth(self, meaning: Meaning | Provenance, atoms: Iterable[str], named: str) -> bool | None:
        """Return False for a value that is false because only type checkers hold it true; None if not proven."""
        found = self.resolve(meaning.module, atoms) - {"-"}
        typing = found & _TYPING
        # A hand-made `TYPE_CHECKING = False` is false by its value, and its name says for whom.
        named_so = named.rpartition(".")[2] == "TYPE_CHECKING"
        return False if (typing or named_so) and found and found <= _TYPING | {"False"} else None


def _combined(op: str, parts: list[bool | None]) -> bool | None:
    if op == "main":  # true where the file is run, false where it is imported
        return None
    if op == "not":
        return None if parts[0] is None else not parts[0]
    decisive = op == "or"
    if decisive in parts:
        return decisive
    return None if None in parts else not decisive


def _is_false(guard: Guard, truths: list[bool | None]) -> bool:
    return truths[guard.condition] is guard.negated
