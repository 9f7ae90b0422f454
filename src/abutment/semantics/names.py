"""What does a name of another module stand for?

`Names` answers across modules what `Meaning` leaves symbolic: relative levels, re-exports, star imports, literal
PEP 562 tables, submodules.
"""

from __future__ import annotations

import builtins
from collections.abc import Iterable, Mapping

from abutment.semantics.meaning import Guard, LazyName, Meaning
from abutment.semantics.outline import Mark
from abutment.semantics.program import Module, ModuleKind

_LONGEST_CHAIN = 40
_TYPING = {"typing:TYPE_CHECKING", "typing_extensions:TYPE_CHECKING"}
_CONSTANTS = frozenset(("?", "-", "None", "True", "False"))
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


class Names:
    """All modules' names, looked up across modules."""

    def __init__(self, modules: Mapping[str, Module], meanings: Mapping[str, Meaning]) -> None:
        self.modules, self.meanings = modules, meanings
        self._lazy: dict[str, dict[str, LazyName]] = {name: _table(one) for name, one in meanings.items() if one.lazy}
        self._public: dict[str, dict[str, str]] = {}
        self._open: set[str] = set()
        self._complete = False  # whether stars have been followed
        self._poked: frozenset[str] = frozenset()
        self._poked = frozenset(self._pokes())

    def _pokes(self) -> Iterable[str]:
        for name, meaning in self.meanings.items():
            for poke in meaning.pokes:
                module, _, attribute = poke.rpartition(".") if "." in poke.partition(":")[2] else poke.rpartition(":")
                for found in self.resolve(name, (module,)):
                    yield f"{found}:{attribute}"

    # ---- values

    def resolve(self, module: str, atoms: Iterable[str], depth: int = 0) -> set[str]:
        """Return what atoms written in `module` stand for in the end; nothing for a name that does not exist."""
        found: set[str] = set()
        for atom in atoms:
            if atom in _CONSTANTS or atom[0] in "'~#":
                found.add(atom)
            elif atom.startswith("builtins:"):
                found.add(atom if atom[9:].partition(".")[0] in _BUILTINS else "?")
            elif atom[0] == "@":
                found.add(f"{module}:{atom[1:]}")
            else:
                found |= self._resolve_path(module, atom, depth)
        return found

    def _resolve_path(self, module: str, atom: str, depth: int) -> set[str]:
        base, colon, path = atom.partition(":")
        target = self.based(module, base)
        if target is None or depth > _LONGEST_CHAIN:
            return {"?"}
        if not colon:
            return {target}
        if target not in self.modules:
            return {f"{target}:{path}"}
        name, dot, rest = path.partition(".")
        found: set[str] = set()
        for value in self.attribute(target, name, depth + 1):
            if not dot:
                found.add(value)
            elif value in _CONSTANTS or value[0] in "'~#":
                found.add("?")
            else:
                found |= self.resolve(module, (f"{value}.{rest}" if ":" in value else f"{value}:{rest}",), depth + 1)
        return found

    def based(self, module: str, base: str) -> str | None:
        """Return an atom's module without its leading dots."""
        rest = base.lstrip(".")
        if len(rest) == len(base):
            return base
        importer = self.modules[module]
        return absolute(module, importer.is_package, len(base) - len(rest), rest)

    def attribute(self, module: str, name: str, depth: int = 0) -> set[str]:
        """Return what `module.name` may be, looked up as Python does; nothing where it does not exist."""
        meaning = self.meanings.get(module)
        if meaning is None:
            return {f"{module}.{name}"} if f"{module}.{name}" in self.modules else {"?"}
        own = meaning.names.get(name, ("-",))
        atoms = [atom for atom in own if atom != "-" and not self._is_itself(module, name, atom)]
        found = self.resolve(module, atoms, depth)
        if f"{module}:{name}" in self._poked:
            found.add("?")
        return found if len(atoms) == len(own) else found | self._unbound_attribute(meaning, name, depth)

    def _is_itself(self, module: str, name: str, atom: str) -> bool:
        base, colon, path = atom.partition(":")
        return bool(colon) and path == name and self.based(module, base) == module

    def _unbound_attribute(self, meaning: Meaning, name: str, depth: int) -> set[str]:
        """Return what a name that no statement binds may be: from a star, a submodule, or a literal table."""
        if depth > _LONGEST_CHAIN:
            return {"?"}
        found: set[str] = set()
        certain = False
        for level, base in meaning.stars:
            source = absolute(meaning.module, meaning.is_package, level, base)
            if source is not None and (source not in self.meanings or name in self.public(source)):
                certain = certain or source in self.meanings
                found |= self._resolve_path(meaning.module, f"{source}:{name}", depth + 1)
        if certain:
            return found
        lazy = self.lazy_target(meaning.module, name)
        if f"{meaning.module}.{name}" in self.modules:
            found.add(f"{meaning.module}.{name}")
        elif lazy is not None:
            found.add(f"{lazy[0]}:{lazy[1]}" if lazy[1] else lazy[0])
        return found

    # ---- stars

    def public(self, module: str) -> dict[str, str]:
        """Return name -> module for what a star import of `module` gives: where each name is bound."""
        if not self._complete:
            self._follow_stars()
        known = self._public.get(module)
        if known is None:
            meaning = self.meanings.get(module)
            known = self._public[module] = self._public_now(meaning) if meaning is not None else {}
        return known

    def _follow_stars(self) -> None:
        """Work out the modules that take names by stars, together, as stars may go round in circles."""
        self._complete = True
        starred = [one for one in self.meanings.values() if one.stars]
        linked = [one for one in self.meanings.values() if any(e.startswith("*") for e in one.exported or ())]
        growing = sorted({one.module for one in (*starred, *linked)})
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
        return [absolute(meaning.module, meaning.is_package, level, base) for level, base in meaning.stars]

    def _is_open(self, meaning: Meaning) -> bool:
        if meaning.suffix != ".py" or meaning.marks & Mark.NAMES_OPEN:
            return True
        return "__getattr__" in meaning.names or "?" in (meaning.exported or ())

    def _takes_from_open(self, meaning: Meaning) -> bool:
        return any(one is None or one in self._open or one not in self.meanings for one in self._star_sources(meaning))

    def closed(self, module: str) -> bool:
        """Say whether the module's names are all known, so that one that is not among them does not exist."""
        if not self._complete:
            self._follow_stars()
        return module in self.meanings and module not in self._open

    def lacks(self, module: str, name: str) -> bool:
        """Say whether `from module import name` certainly finds nothing."""
        if name in _MODULE_ATTRIBUTES or f"{module}.{name}" in self.modules or f"{module}:{name}" in self._poked:
            return False
        if self.goes_on_elsewhere(module):
            return False
        if self.modules[module].kind is ModuleKind.NAMESPACE:
            return True
        if not self.closed(module):
            return False
        meaning = self.meanings[module]
        return name not in meaning.names and name not in self.every_name(meaning)

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
        lazy = self._lazy.get(module, {}).get(name)
        if lazy is None:
            return None
        target = self.relative_name(lazy.module, lazy.package)
        return (target, lazy.attribute) if target else None

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

    def never_runs(self, meaning: Meaning) -> list[bool]:
        """Say for each guard whether what it holds runs for a type checker only."""
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

    def _truth(self, meaning: Meaning, atoms: Iterable[str], named: str) -> bool | None:
        """Return False for a value that is false because only type checkers hold it true; None if not proven."""
        found = self.resolve(meaning.module, atoms) - {"-"}
        typing = found & _TYPING
        # A hand-made `TYPE_CHECKING = False` is false by its value, and its name says for whom.
        if (typing or named.rpartition(".")[2] == "TYPE_CHECKING") and found and found <= _TYPING | {"False"}:
            return False
        return True if found == {"True"} else None


def _table(meaning: Meaning) -> dict[str, LazyName]:
    return {one.name: one for one in reversed(meaning.lazy)}


def _combined(op: str, parts: list[bool | None]) -> bool | None:
    if op == "not":
        return None if parts[0] is None else not parts[0]
    decisive = op == "or"
    if decisive in parts:
        return decisive
    return None if None in parts else not decisive


def _is_false(guard: Guard, truths: list[bool | None]) -> bool:
    truth = truths[guard.condition]
    return truth is not None and truth is guard.negated
