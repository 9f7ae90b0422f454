"""What does one file do with the names it knows, with everything that another scope must answer still symbolic?

A `Provenance` stands beside a file's `Meaning`, made in the same pass. Values are sets of *origins*: the atoms of
`meaning.py`, and access paths from them. A path is a base, one colon, and steps:

- the base is a module (`requests`, `.sibling`) or a definition of this module (`@Client.get`, the second of one name
  `@get#2`; `@<module>` is module code);
- the steps are `.name`, `.~add` a method that an operator calls, `()` what a call gives, `[]` an element or item, `[*]`
  a slice: `requests:Session().get`, `@C:().field`.

Steps that only a definition has: `$p` what a parameter may hold, `%x` every value that a scope ever gives a name,
`&` an instance of a class or of one below it (`self`), `^` such an instance whose attributes are looked up past the
class (`super()`), `&&` and `^^` the same of the class itself (`cls`), `=3` what a decorator makes of the definition of
scope 3. An origin `*x` is a collection of `x`, `>x` something that gives `x` when it is called,
`<w>x` an `x` if `w` is a word of `typing` (`Optional`) that another module hands on; of `w` itself an instance, if not.
`;d` is `?`, unless `d` is a decorator of the codebase that certainly gives back what it decorates. In what a class's
field holds, `@C:&` is the instance that has it; what others gave it by a `self` of theirs is kept apart (`BY_CLASS`,
`SHARED`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from abutment.semantics.meaning import Condition, Guard, Place, Value

# Methods of a collection that give one of its items, and such that give a collection of them.
GIVE_ITEM = frozenset(("get", "pop", "popleft", "setdefault", "__getitem__"))
GIVE_SAME = frozenset(("copy", "values", "union", "intersection", "difference", "symmetric_difference"))

UNLESS = ";"  # before a decorator: what it decorates may be anything else, unless the decorator gives back just that
DECORATED = ":%decorated by"  # in a variable: by what a definition is decorated of which the file itself cannot tell
# In a variable: what an attribute was given elsewhere than on `self`, by a `self` or `cls` of perhaps another class.
BY_CLASS = ":%by class "  # on the class itself, or that of the instance
SHARED = ":%shared "
IMPLICIT = "~"  # before the name of a method that is looked up in the class alone, as Python does of itself


class Verb:
    """What is done with a value."""

    CALL, READ, SET, ERASE, DECORATE = range(5)
    ENTER = 5  # the two methods of what a `with` enters
    ITERATE = 6  # what was called to get something that is gone through
    OPERATE = 7  # a method that an operator, an item, a test or a builtin calls of an object


class Bit:
    """How a use happens. Bits."""

    AWAITED = 1
    MANAGED = 2  # entered by a `with`
    SPREAD = 4  # called with `*` or `**`
    ITEM = 8  # an item of the value is set or erased, not an attribute
    WAITING = 16  # in a generator expression that is only kept
    RETURNED = 32  # the function gives back what the call gives
    GONE_THROUGH = 64  # the object is gone through, and so is what its method gives


class UseRow(NamedTuple):
    """One use of a value, in the order of the source within its scope."""

    verb: int
    value: int  # index into `values`
    scope: int  # index into `scopes`
    place: Place
    guard: int  # index into `guards`
    bits: int
    arguments: tuple[int, ...]  # indices into `values`
    named: tuple[tuple[str, int], ...]
    applied: tuple[tuple[Any, ...], ...] = ()  # the uses, in the same form, in which what a call gave is called
    by: str = ""  # the path by which it is written, where that begins with a variable of the module (`bus.send`)


class ScopeRow(NamedTuple):
    """One scope, as far as a use wants to know it."""

    qualname: str
    kind: int  # ScopeKind
    parent: int  # the scope it stands in; -1 for the module
    atom: str  # its definition's atom


class FunctionRow(NamedTuple):
    """One function or lambda."""

    parameters: tuple[str, ...]
    shape: tuple[int, ...]
    marks: int  # of `Trait`
    owner: str  # the class's atom; "" for none
    line: int


class Trait:
    """What a function is. Bits."""

    ASYNC = 1
    GENERATOR = 2
    STATIC = 4
    CLASS = 8
    PROPERTY = 16
    CONTEXT = 32  # made a context manager
    OPEN = 64  # a decorator that is not known may have replaced it
    LAMBDA = 128
    DECORATED = 256  # so may one of another file, or what a call gave: see `DECORATED`


class ClassRow(NamedTuple):
    """One class."""

    bases: tuple[int, ...]  # indices into `values`
    is_open: bool  # whether a metaclass or a decorator that is not known may change it
    names: dict[str, int]  # what its body binds -> index into `values`
    fields: dict[str, int]  # what is set on an instance or on the class -> index into `values`
    perhaps: tuple[str, ...]  # names that its body binds on some path only
    line: int


@dataclass(frozen=True, slots=True)
class Provenance:
    """One file's definitions, variables and uses."""

    module: str
    values: Sequence[Value]
    names: dict[str, int]  # the module's final table
    variables: dict[str, int]  # `@f:()` what it returns, `@f:$p`, `@f:%x`, `@f:yield` -> index into `values`
    functions: dict[str, FunctionRow]  # by atom
    classes: dict[str, ClassRow]  # by atom
    scopes: tuple[ScopeRow, ...]
    uses: tuple[UseRow, ...]
    conditions: tuple[Condition, ...]
    guards: tuple[Guard, ...]
    is_limited: bool  # whether a value was too many things to be followed
    set_elsewhere: tuple[str, ...]  # attributes that are set on what is no `self`, `cls` or instance of this file

    def packed(self) -> tuple[Any, ...]:
        """Return plain values for `marshal`."""
        return (
            self.module,
            tuple(self.values),
            self.names,
            self.variables,
            {atom: tuple(row) for atom, row in self.functions.items()},
            {atom: tuple(row) for atom, row in self.classes.items()},
            tuple(map(tuple, self.scopes)),
            tuple(map(tuple, self.uses)),
            tuple(map(tuple, self.conditions)),
            tuple(map(tuple, self.guards)),
            self.is_limited,
            self.set_elsewhere,
        )

    @staticmethod
    def unpacked(packed: tuple[Any, ...]) -> Provenance:
        """Return what `packed()` gave."""
        module, values, names, variables, functions, classes, scopes, uses, *rest = packed
        conditions, guards, limited, set_elsewhere = rest
        return Provenance(
            module,
            values,
            names,
            variables,
            {atom: FunctionRow(*row) for atom, row in functions.items()},
            {atom: ClassRow(*row) for atom, row in classes.items()},
            tuple(map(ScopeRow._make, scopes)),
            tuple(map(UseRow._make, uses)),
            tuple(map(Condition._make, conditions)),
            tuple(map(Guard._make, guards)),
            limited,
            set_elsewhere,
        )
