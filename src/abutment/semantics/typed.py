"""Which instances does a type stand for?

Types are read as type checkers read them (PEP 484, PEP 585, PEP 604); only what names a class gives an instance.
"""

from __future__ import annotations

import re

from abutment.semantics.outline import Row
from abutment.semantics.provenance import UNLESS
from abutment.semantics.reading import ANY, NONE, NOTHING, Atom, Atoms, Reading
from abutment.semantics.recording import doubted

_TYPING = ("typing", "typing_extensions")
_SAME = {
    f"{module}:{name}"
    for module in _TYPING
    for name in ("Annotated", "ClassVar", "Final", "Required", "NotRequired", "ReadOnly", "Awaitable", "InitVar")
} | {"collections.abc:Awaitable", "dataclasses:InitVar"}
_LAST = {f"{module}:Coroutine" for module in (*_TYPING, "collections.abc")}
_TYPES = {"builtins:type", "typing:Type", "typing_extensions:Type"}
# What stands for a field's value in a class body (`dataclasses`, `attrs`, pydantic), and is none.
_FIELDS = {f"{name}()" for name in ("dataclasses:field", "attr:ib", "attr:field", "attrs:field", "pydantic:Field")}
_OPTIONAL = {f"{module}:Optional" for module in _TYPING}
_UNION = {f"{module}:Union" for module in _TYPING}
_SELF = {f"{module}:Self" for module in _TYPING}
_UNIONS = ("Optional", "Union")
_SEEN_THROUGH = frozenset((*_UNIONS, *(one.rpartition(":")[2] for one in _SAME)))
_ONE_OF = ("Collection", "Sequence", "MutableSequence", "Iterable", "Iterator", "AsyncIterable", "AsyncIterator")
_MORE = ("Generator", "AsyncGenerator", "AbstractSet", "MutableSet", "Set", "FrozenSet", "List", "Tuple", "Deque")
_COLLECTIONS = {f"{module}:{name}" for module in (*_TYPING, "collections.abc") for name in (*_ONE_OF, *_MORE)}
_COLLECTIONS |= {f"builtins:{name}" for name in ("list", "set", "frozenset", "tuple")} | {"collections:deque"}
_MAPPINGS = {f"{module}:{name}" for module in _TYPING for name in ("Dict", "Mapping", "MutableMapping", "DefaultDict")}
_MAPPINGS |= {"builtins:dict", "collections:defaultdict", "collections:OrderedDict"}
_MAPPINGS |= {"collections.abc:Mapping", "collections.abc:MutableMapping"}
# Names that stand for no one class.
_NO_CLASS = {f"{module}:{name}" for module in _TYPING for name in ("Any", "NoReturn", "Never", "Callable", "Literal")}
# A type variable of this file stands for whatever is there.
_NO_CLASS |= {f"{module}:{name}()" for module in _TYPING for name in ("TypeVar", "ParamSpec", "TypeVarTuple")}
_NO_CLASS |= _OPTIONAL | _UNION | _SAME | _LAST | {"collections.abc:Callable", "builtins:object"}
_CALLABLES = {f"{module}:Callable" for module in (*_TYPING, "collections.abc")}
TYPE_VARIABLES = {f"{module}:TypeVar" for module in _TYPING}
_OF_CLASSES = re.compile(r"\*+(?!builtins:)[^*]*:")  # a collection of what is no plain text or number


def instances_of(r: Reading, types: Atoms) -> Atoms:
    """Return what a value of these types may be; `?` for what names no class."""
    found: set[Atom] = set()
    for atom in types:
        if isinstance(atom, int) or atom in _NO_CLASS:
            found.add("?")
        elif atom in _SELF:
            found |= _instance_of_owner(r)
        elif atom == "None":
            found.add(atom)
        elif atom[0] in f"/{UNLESS}":  # a type whose instance is known already, or a doubt about all of it
            found.add(atom.removeprefix("/"))
        elif atom.startswith("@"):
            found.add(f"{atom}()" if ":" in atom else f"{atom}:()")
        elif ":" in atom:
            found.add(f"{atom}()")
        elif atom not in ("-", "="):
            found.add("?")
    return frozenset(found) or ANY


def _instance_of_owner(r: Reading) -> Atoms:
    owner = r.o.scopes[r.scope].owner
    return frozenset((f"{r.record.definitions[owner]}:()",)) if owner >= 0 else ANY


GENERICS = frozenset(_OPTIONAL | _UNION | _SAME | _LAST | _TYPES | _COLLECTIONS | _MAPPINGS | _CALLABLES)


def generic(r: Reading, types: Atoms, key: Atoms) -> Atoms:
    """Return the type that an alias names (`Client = Optional[Session]`)."""
    arguments = [key]
    for atom in key:
        if isinstance(atom, int) and len(key) == 1:
            arguments = [part for _, part in r.parts.get(atom, ())]
    return NOTHING.union(*(_generic(r, atom, arguments) for atom in types))


def run_typed(r: Reading, row: Row) -> None:
    """Read a generic type with its arguments."""
    arguments = r.list_values(row[2])
    found: set[Atom] = set()
    for atom in r.value(row[1]):
        found |= _generic(r, _by_module(atom), arguments)
    r.result(frozenset(found))


def _generic(r: Reading, atom: Atom, arguments: list[Atoms]) -> Atoms:
    if isinstance(atom, int) or not arguments:
        return ANY
    if atom in _OPTIONAL | _UNION:
        return NOTHING.union(*arguments, NONE if atom in _OPTIONAL else NOTHING)
    if atom in _SAME | _LAST:
        return arguments[-1 if atom in _LAST else 0]
    if atom in _TYPES:
        return frozenset(f"/{one}" for one in arguments[0] if isinstance(one, str) and one[:1] not in "?-=/;")
    if atom in _CALLABLES:
        return _calling(r, arguments[-1])
    if atom == "builtins:tuple":
        return _held(r, NOTHING.union(*arguments))
    if atom in _COLLECTIONS | _MAPPINGS:
        return _held(r, arguments[-1 if atom in _MAPPINGS else 0])
    return _perhaps_a_word(r, atom, arguments)


def _perhaps_a_word(r: Reading, atom: str, arguments: list[Atoms]) -> Atoms:
    """Return a type, or what it is given, where another module may have a word of that name from `typing`."""
    if atom.rpartition(":")[2] not in _SEEN_THROUGH or ":" not in atom or atom[0] == "@":
        return frozenset((atom,))
    inner = arguments[:1] if atom.rpartition(":")[2] not in _UNIONS else arguments
    given = instances_of(r, NOTHING.union(*inner)) - ANY
    return frozenset(f"/<{atom}>{one}" for one in given if isinstance(one, str) and ":" in one) | {f"/<{atom}>{atom}()"}


def _by_module(atom: Atom) -> Atom:
    """Return a path with the module that a name is in, where that was come by through a package."""
    return atom.replace("collections:abc.", "collections.abc:") if isinstance(atom, str) else atom


def _calling(r: Reading, types: Atoms) -> Atoms:
    """Return a type whose instance gives, when it is called, an instance of these."""
    found = instances_of(r, types)
    if "?" in found or not any(isinstance(one, str) and _OF_CLASSES.match(f"*{one}") for one in found):
        return ANY
    return frozenset(f"/>{one}" for one in found)


def type_variable(r: Reading, arguments: list[Atoms], named: dict[str, Atoms]) -> Atoms | None:
    """Return what a type variable stands for: its bound, or what it is constrained to; None for anything."""
    return named_by(r, NOTHING.union(*arguments[1:], named.get("bound", NOTHING))) or None


def named_by(r: Reading, types: Atoms) -> Atoms:
    """Return types with those in the place of texts that these name."""
    texts = frozenset(atom for atom in types if isinstance(atom, str) and atom[0] == "'")
    return (types - texts).union(*(_named(r, str(one)[1:]) for one in texts))


def _named(r: Reading, text: str) -> Atoms:
    return r.path(text) if all(map(str.isidentifier, text.split("."))) else ANY


def _held(r: Reading, types: Atoms) -> Atoms:
    """Return a type whose instance is a collection of these."""
    return frozenset(f"/*{one}" for one in instances_of(r, types) if isinstance(one, str) and one != "?") or ANY


def run_declared(r: Reading, row: Row) -> None:
    """Read a value of which the type is declared, too."""
    known, declared = r.value(row[1]) if row[1] else NOTHING, instances_of(r, r.value(row[2]))
    if known and all(map(_is_plain, known)):
        r.result(_with_declared_items(r, known, declared))
    else:  # a declaration is trusted: where it names classes, the value is of them, whatever else was seen
        r.result(doubted(known - _FIELDS) | declared if "?" not in declared else known or declared)


def _is_plain(atom: Atom) -> bool:
    """Say whether a value is known as it is, so that its declared type adds nothing."""
    return isinstance(atom, int) or (atom not in ("?", "None", "-", "=") and "(" not in atom and atom[0] != "@")


def _with_declared_items(r: Reading, known: Atoms, declared: Atoms) -> Atoms:
    """Return a value that is known, with what its type says of items that it does not hold yet, or holds none of."""
    items = frozenset(atom for atom in declared if isinstance(atom, str) and _OF_CLASSES.match(atom))
    displays = [atom for atom in known if isinstance(atom, int)]
    if not items or "?" in declared or not displays:
        return known
    if len(displays) == len(known) and not any(r.parts.get(one) or r.tables.get(one) for one in displays):
        return items
    held = NOTHING.union(*(r.held_by(one) for one in displays))
    return known | items if held & {"?", "*None"} else known
