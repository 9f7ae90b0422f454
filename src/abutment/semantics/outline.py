"""What does one file say, in a form that knows neither Python's `ast` nor any other file?

An `Outline` is flat: interned strings and tuples of small integers, so that it can be written as bytes, cached by
content, and produced by a second implementation. `docs/engine.md` describes every table.

Operands are integers: 0 means "unknown", anything else is `id * 4 + tag`, where the tag says whether the id is that
of a dotted path (a string), a text constant (a string) or the result of an earlier row.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from abutment.semantics.grammar import FORMAT

PATH, TEXT, ROW = 1, 2, 3  # tags of operands
UNKNOWN = 0

Row = tuple[int, int, int, int, int]  # op, a, b, c, place


class Op:
    """What a row does. `a`, `b` and `c` are named after the op; place is an index into `places`, 0 for none."""

    BIND = 1  # a: string of the name, b: operand
    UNBIND = 2  # a: string of the name (`del`, the end of `except … as`)
    AUGMENT = 3  # a: string of the name, b: operand (`name += value`), c: operand of what the operator gives
    POKE = 4  # a: operand of the object, b: string of the attribute, c: operand (`m.x = value`, also `self.x = value`)
    IMPORT = 5  # a: index into `imports`
    DEF = 6  # a: string of the name, b: index of the scope, c: list of (operand, place) pairs of its decorators
    CLASS = 7  # a: string of the name, b: index of the scope, c: list of the metaclass's operand and the bases'
    END_CLASS = 8  # a: list of (operand, place) pairs of its decorators
    CALL = 9  # a: operand of what is called, b: list of positional operands, c: list of (name, operand) pairs
    SEQUENCE = 10  # a: list of operands
    SPLAT = 11  # a: operand (`*value` inside a sequence), b: 1 where a comprehension gives any number of what follows
    TABLE = 12  # a: list of (key operand, value operand) pairs; a `SPLAT` as the value is `**mapping`
    ITEM = 13  # a: operand of the object, b: operand of the key
    ELEMENT = 14  # a: operand (any element of it: the target of a loop), b: 1 for `async for`
    PART = 15  # a: operand, b: index (the b-th of an unpacking; negative from the end)
    JOINED = 16  # a: operand, b: operand (`a + b`, an f-string's known beginning)
    ATTRIBUTE = 17  # a: operand of a row, b: string of the dotted rest
    NOT = 18  # a: operand
    AND = 19  # a: list of operands
    OR = 20  # a: list of operands
    EITHER = 21  # a: operand, b: operand (a conditional expression)
    FORK = 22  # a: operand of the test, 0 for a choice that is no test
    ALT = 23  # the other arm of the innermost fork
    JOIN = 24
    LOOP = 25  # a: 1 where only a `break` leaves it (`while True`)
    LEAVE = 26  # a: 1 for `break`, which goes to the innermost loop's end, 0 for `continue`, which goes on looping
    END_LOOP = 27
    STOP = 28  # after `return` and `raise`: what follows in this arm does not run
    TRY = 29  # a: list of the operands its handlers catch; a bare `except` catches the path `BaseException`
    END_BODY = 30  # of the try; an `else` follows
    HANDLERS = 31
    HANDLER = 32
    FINALLY = 33
    END_TRY = 34
    WITH = 35  # a: operand of a call that is entered; its body follows
    END_WITH = 36
    STORE = 37  # a: operand of the object, b: operand of the key, c: operand (`d[key] = value`)
    EXHAUSTED = 38  # the loop ran out; its `else` follows
    READ = 39  # a: operand of a path that is read here and not called
    AWAIT = 40  # a: operand
    ENTER = 41  # a: operand that a `with` enters, b: 1 for `async with`; gives what `as` binds
    RETURN = 42  # a: operand; a lambda's value, too
    YIELD = 43  # a: operand, b: 1 for `yield from`
    LAMBDA = 44  # a: index of the scope
    COMPREHENSION = 45  # what follows cannot see the names of a class; b: 1 where it waits until somebody asks for it
    END_COMPREHENSION = 46  # b: as above
    DEFAULTS = 47  # a: index of the scope whose definition follows, b: list of (name, operand) pairs
    PARAMETER = 48  # a: string of a parameter, b: operand of its annotation, c: 1 for `*args` and `**kwargs`; these
    # stand before all other rows of a function
    RETURNS = 49  # a: operand of what a function is annotated to return
    TYPED = 50  # a: operand of a generic type, b: list of its arguments' operands (`Optional[Client]`)
    DECLARED = 51  # a: operand of a value, b: operand of the type that the value is declared to have
    ERASE = 52  # a: operand of the object, b: operand of the key (`del d[key]`), or c: string of the attribute
    UNPACKED = 53  # a: operand, b: how many targets stand before `*rest`, c: how many behind it
    BODY = 54  # a function's annotations end here; its parameters hold what it was called with
    MAIN = 55  # `__name__ == "__main__"`
    KEEP = 56  # a: operand of a value that is put where it is not followed: an attribute, an item, a default, a return
    SLICE = 57  # a: operand of the object (`x[1:]`)
    OPERATE = 58  # a: list of the operands of both sides and of what is known of the result, b: string of the method's
    # name without its underscores (`add`); of what has one side only, the other is unknown
    ASK = 59  # a: operand of the object, b: string as above, of a method whose result nobody asks for (`bool`, `eq`);
    # c: 1 where it may be asked after something else was


class ScopeKind:
    """What a scope is."""

    MODULE, FUNCTION, ASYNC, LAMBDA, CLASS = range(5)


@dataclass(frozen=True, slots=True)
class Scope:
    """One scope; its rows are contiguous, but for a class, whose body stands where it runs."""

    kind: int
    qualname: int  # string
    parent: int  # index of the nearest enclosing scope that is no class; -1 for the module
    first: int  # index of its first row
    end: int  # index after its last row
    parameters: tuple[int, ...]  # strings: positional ones first, then keyword-only ones, `*args`, `**kwargs`
    bound: tuple[int, ...]  # strings of every name bound anywhere in it, parameters left out
    outer: tuple[int, ...]  # strings of names it declares `global`
    nonlocals: tuple[int, ...]  # strings
    place: int
    owner: int = -1  # index of the class whose body this stands in; -1 for none
    shape: tuple[int, ...] = (0, 0, 0, 0, 0)  # positional-only, positional in all, keyword-only, `*args`, `**kwargs`
    is_generator: bool = False


@dataclass(frozen=True, slots=True)
class Imported:
    """One alias of one import statement; levels stay unresolved."""

    level: int  # leading dots
    module: int  # string
    name: int  # string: "" for `import module`, "*" for a star
    alias: int  # string: the name that is bound, "" for a star
    lazy: bool  # PEP 810
    place: int


class Mark:
    """Why a module's names or submodules may not be all that the rows show. Bits."""

    NAMES_OPEN = 1  # something writes names by other means than a statement: `globals()`, `sys.modules`, `exec`
    PATH_OPEN = 2  # a package that changes its `__path__`
    CUT = 4  # a display that names or calls something is too long to be evaluated; no `Meaning` says so


@dataclass(frozen=True, slots=True)
class Outline:
    """One file, read once."""

    module: str
    is_package: bool
    suffix: str
    strings: tuple[str, ...]  # strings[0] is ""
    rows: tuple[Row, ...]
    scopes: tuple[Scope, ...]  # scopes[0] is the module
    lists: tuple[tuple[int, ...], ...]  # lists[0] is empty
    imports: tuple[Imported, ...]
    places: tuple[tuple[int, int, int, int], ...]  # line, column, end line, end column; places[0] is not known
    directives: tuple[
        tuple[int, int, int], ...
    ]  # (string of the comment from its `#` on, line, string of the qualname)
    marks: int

    def packed(self) -> tuple[Any, ...]:
        """Return the outline as plain tuples, strings and integers, for `marshal`."""
        return (
            FORMAT,
            self.module,
            self.is_package,
            self.suffix,
            self.strings,
            self.rows,
            tuple(tuple(getattr(scope, name) for name in Scope.__slots__) for scope in self.scopes),
            self.lists,
            tuple(tuple(getattr(one, name) for name in Imported.__slots__) for one in self.imports),
            self.places,
            self.directives,
            self.marks,
        )

    @staticmethod
    def unpacked(packed: tuple[Any, ...]) -> Outline:
        """Return the outline that `packed()` gave; raises ValueError for another format."""
        found, module, is_package, suffix, strings, rows, scopes, lists, imports, places, directives, marks = packed
        if found != FORMAT:
            raise ValueError(f"outline of format {found}, expected {FORMAT}")
        return Outline(
            module,
            is_package,
            suffix,
            strings,
            rows,
            tuple(Scope(*scope) for scope in scopes),
            lists,
            tuple(Imported(*one) for one in imports),
            places,
            directives,
            marks,
        )


@dataclass(frozen=True, slots=True)
class Unparsed:
    """Why a file could not be read as source."""

    line: int  # 0 where the whole file is meant
    message: str
    remedy: str
    lasting: bool = True  # whether these bytes are always answered so; not where the process's stack or memory decides
