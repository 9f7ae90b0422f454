"""What do a variable and a call of a function give to those who follow them?"""

from __future__ import annotations

from functools import partial

from abutment.semantics.entries import End, Entries
from abutment.semantics.following import Following
from abutment.semantics.hierarchy import Hierarchy
from abutment.semantics.meaning import Value
from abutment.semantics.names import Names
from abutment.semantics.paths import ENTERED, parted
from abutment.semantics.provenance import DECORATED, FunctionRow, Trait
from abutment.semantics.receiving import Receiving


class Giving:
    """The steps that lead from a variable or a function to what it holds or gives.

    Where a method was looked up on a class below the one that has it, `own` says so.
    """

    def __init__(self, names: Names, entries: Entries, hierarchy: Hierarchy) -> None:
        self._names, self._entries, self._hierarchy = names, entries, hierarchy

    def from_variable(
        self, module: str, variable: str, rest: str, search: Following, own: Receiving | None = None
    ) -> None:
        """Go on from a variable of a file: a parameter, a name of a scope, what a function returns or yields."""
        place = own.place(variable) if own else variable
        if search.comes_by(module, place, rest, partial(self.from_variable, module, variable, own=own)):
            self.each(module, self._entries.variable(module, variable), rest, search, own=own)

    def from_function(
        self, module: str, name: str, function: FunctionRow, rest: str, search: Following, own: Receiving | None = None
    ) -> None:
        """Go on from a function, by what is done with it first."""
        step, rest = parted(rest)
        if step[0] == "=":
            given = self._entries.body_of(module, int(step[1:]))
            self._decorated(module, name, function, given, rest, search)
            return
        if step != "()":
            search.found.add("?")  # an attribute of a function
            return
        if function.marks & Trait.OPEN:
            search.found.add("?")
        if function.marks & Trait.DECORATED:
            self.each(module, self._entries.variable(module, f"{name}{DECORATED}"), "", search)
        entered = ENTERED.match(rest)
        if function.marks & Trait.CONTEXT and entered:
            self.from_variable(module, f"{name}:$yield", rest[entered.end() :], search, own)
        elif function.marks & Trait.CONTEXT:
            search.found.add("?")
        elif own and function.marks & Trait.GENERATOR and rest.startswith("[]"):
            self.from_variable(module, f"{name}:$yield", rest[2:], search, own)
        else:
            self.from_variable(module, f"{name}:()", rest, search, own)

    def _decorated(self, module: str, name: str, row: FunctionRow, given: str, rest: str, search: Following) -> None:
        """Go on from what a decorator of this file makes of a definition: it may give back just that."""
        search.note_way(module, given.partition("#")[0], rest)
        same = f"{name}:${row.parameters[0]}" if row.parameters else ""
        for atom in self._entries.variable(module, f"{name}:()"):
            is_given = same and atom.removeprefix("+") == same
            self._names.follow(module, given if is_given else atom, rest, search)

    def each(self, module: str, held: Value, rest: str, search: Following, *, own: Receiving | None = None) -> None:
        """Go on from each atom that a file writes."""
        for atom in held:
            beside = self._hierarchy.beside(own.owner, (module, own.above)) if own and own.is_by_class(atom) else None
            if own and beside is not None:
                self._by_class(module, atom, rest, search, own, beside)
            else:
                where, named = own.named(module, atom) if own else (module, atom)
                self._names.follow(where, named, rest, search)

    def _by_class(
        self, module: str, variable: str, rest: str, search: Following, own: Receiving, beside: list[End]
    ) -> None:
        """Go on from what classes keep with themselves: that which is asked, those below it, and each beside them."""
        again = partial(self._by_class, module, variable, own=own, beside=beside)
        if search.comes_by(module, own.place(variable), rest, again):
            for atom in self._entries.variable(module, variable):
                asked = own.asked(atom)
                able = (one for one in beside if asked is None or not self._hierarchy.lacks(one, *asked))
                every = [own.named(module, atom), *(own.named_of(module, atom, one) for one in able)]
                for where, named in dict.fromkeys(every):
                    self._names.follow(where, named, rest, search)
