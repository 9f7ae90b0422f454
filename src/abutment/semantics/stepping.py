"""Where does a definition, an instance or an attribute lead, by what is done with it?

One step of following an access path: functions give what they return, classes their instances, and attributes what is
set anywhere or bound in the nearest class. Where it leads is told to a `Following`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial

from abutment.semantics.ancestry import Ancestry
from abutment.semantics.descriptors import Descriptors, Standing
from abutment.semantics.entries import End, Entries
from abutment.semantics.following import UNSEEN, Following
from abutment.semantics.giving import Giving
from abutment.semantics.hierarchy import Hierarchy, Holder, Receiver
from abutment.semantics.meaning import Value
from abutment.semantics.names import Names
from abutment.semantics.outside import Outside, Setting
from abutment.semantics.paths import ENTERED, parted, shown, simplified
from abutment.semantics.provenance import IMPLICIT, FunctionRow, Provenance, Trait
from abutment.semantics.receiving import Receiving

# How attributes are looked up on what a step gives: an instance, `self`, `super()`, `cls`, `super()` in a class method.
_RECEIVERS = {
    "()": Receiver(),
    "&": Receiver(is_below=True),
    "^": Receiver(is_below=True, is_past=True),
    "&&": Receiver(is_class=True, is_below=True),
    "^^": Receiver(is_class=True, is_below=True, is_past=True),
}
_CLASS = Receiver(is_class=True)
# What Python calls where a class has no such method.
_INSTEAD = {
    "bool": ("len",),
    "contains": ("iter", "getitem"),
    "iter": ("getitem",),
    "ne": ("eq",),
    "str": ("repr",),
    "format": ("str", "repr"),
    "reversed": ("len", "getitem"),
    **{f"i{name}": (name,) for name in ("add", "sub", "mul", "matmul", "truediv", "floordiv", "mod", "pow")},
    **{f"i{name}": (name,) for name in ("lshift", "rshift", "and", "xor", "or")},
}


class Stepping:
    """The rules by which one step is taken."""

    def __init__(
        self,
        names: Names,
        provenances: Mapping[str, Provenance],
        entries: Entries,
        ends: Callable[[str, Value], frozenset[End]],
    ) -> None:
        """Take all modules' names and definitions; `ends` says what a value is."""
        self._names, self._provenances, self._entries = names, provenances, entries
        self.hierarchy = Hierarchy(entries, self._ends_apart)
        self._giving = Giving(names, entries, self.hierarchy)
        self.set_outside = Outside(entries, self.hierarchy, self._ends_apart)
        self._descriptors = Descriptors(entries, self.hierarchy, ends)

    @property
    def standing(self) -> Standing | None:
        """On what steps depend beside the code; None while a class is worked out, as that changes at each turn."""
        return None if self.hierarchy.is_underway else (self._descriptors.levels, self.set_outside.is_asking)

    def _ends_apart(self, module: str, value: Value) -> frozenset[End]:
        return self._descriptors.ends_apart(module, value)

    def go_on(self, module: str, name: str, rest: str, search: Following) -> None:
        """Tell where a name leads, with what is done with what it holds."""
        if name[0] != "@":
            search.note_way(module, name, rest)
            self._names.expand(module, name, rest, search)
            return
        if module not in self._provenances:
            search.found.add("?")
        elif not rest:
            search.ends.add((module, name))
        elif rest[0] in "$%":
            step, rest = parted(rest)
            self._giving.from_variable(module, f"{name}:{step}", rest, search)
        elif self._entries.is_class(module, name):
            self._from_class(module, name, rest, search)
        elif (function := self._entries.function(module, name)) is not None:
            self._giving.from_function(module, name, function, rest, search)
        else:
            search.found.add("?")

    # ---- classes

    def _from_class(self, module: str, name: str, rest: str, search: Following) -> None:
        step, after = parted(rest)
        if step[0] == IMPLICIT:  # of a class its metaclass would be asked
            search.found.add("?")
        elif step == "[]":  # a generic class with its arguments is the class
            search.look_up(module, name, after.removeprefix("."))
        elif step[0] == "=":  # it decorates something, which is to make an instance
            self._from_receiver((module, name), "()", after, search)
        elif step in _RECEIVERS:
            self._from_receiver((module, name), step, after, search)
        elif self.hierarchy.ancestry((module, name)).is_enum and not step.startswith("_"):
            self._member((module, name), step, after, search)
        else:
            self._attribute((module, name), step, after, search, _CLASS)

    def _from_receiver(self, owner: End, step: str, rest: str, search: Following) -> None:
        """Go on from an instance of a class, from `self`, `cls` or `super()`."""
        module, atom = owner
        receiver = _RECEIVERS[step]
        if step == "()" and self.hierarchy.has(owner, "__new__"):
            self._attribute(owner, "__new__", "()" + rest, search, _CLASS)
        if not receiver.is_class:
            self._from_instance(owner, rest, search, receiver)
        elif not rest:
            self._each_below(owner, search)
        elif rest.startswith(("()", "[]")):
            search.look_up(module, atom, ("&" if rest[0] == "(" else "&&") + rest[2:])
        else:
            self._attribute(owner, *parted(rest), search, receiver)

    def _each_below(self, owner: End, search: Following) -> None:
        """Note a class and all below it: what a class method is called on."""
        if search.is_kept:
            search.ends.add((owner[0], f"{owner[1]}:&&"))
            return
        below = self.hierarchy.classes_below(owner)
        search.ends.add(owner)
        if below is None:
            search.found.add("?")
        else:
            search.ends.update(below)

    def _member(self, owner: End, name: str, rest: str, search: Following) -> None:
        """Go on from a member of an enum, which is an instance of it, and not its value (Library Reference, enum)."""
        module, atom = owner
        held = self._entries.body(module, atom, name)
        if any(one[0] == "@" for one in held):  # a method, or a class
            self._attribute(owner, name, rest, search, _CLASS)
            return
        step, after = parted(rest) if rest else ("", "")
        if held and step == "value":
            self._giving.each(module, held, after, search)
        elif held and step and self._entries.body(module, atom, step):
            self._attribute(owner, step, after, search, Receiver())
        elif rest:
            search.found.add(f"{shown(owner)}.{name}{rest}")
        else:
            search.ends.add((module, f"{atom}:{name}"))

    def _from_instance(self, owner: End, rest: str, search: Following, receiver: Receiver) -> None:
        module, name = owner
        if self.hierarchy.ancestry(owner).is_open or (rest and self.hierarchy.has(owner, "__getattribute__")):
            search.found.add("?")
        if not rest:
            search.ends.add((module, f"{name}:{'&' if receiver.is_below else '()'}"))
            return
        step, after = parted(rest)
        if step == "()":
            self._attribute(owner, "__call__", "()" + after, search, receiver)
        elif step[0] == IMPLICIT:
            self._implicitly(owner, step[1:], after, search, receiver)
        elif step == "[*]":
            self._attribute(owner, "__getitem__", "()" + after, search, receiver)
        elif step == "[]":
            self._element(owner, after, search, receiver)
        elif step == "__class__":
            search.look_up(module, name, f"&&{after}" if receiver.is_below else after.removeprefix("."))
        else:
            self._attribute(owner, step, after, search, receiver)

    def _element(self, owner: End, rest: str, search: Following, receiver: Receiver) -> None:
        """Go on from an element or item of an instance."""
        given = [name for name in ("__next__", "__iter__", "__getitem__") if self.hierarchy.has(owner, name)]
        if "__next__" in given or "__iter__" in given:
            step = "()" if given[0] == "__next__" else "()[]"
            self._attribute(owner, given[0], step + rest, search, receiver)
        if "__getitem__" in given or not given:
            self._attribute(owner, "__getitem__", "()" + rest, search, receiver)

    def _implicitly(self, owner: End, method: str, rest: str, search: Following, receiver: Receiver) -> None:
        """Go on from a method that Python calls of itself, or from the one that it calls where there is none."""
        has = self.hierarchy.has
        if method == "iter" and has(owner, "__next__"):  # an iterator gives itself, and is asked for more
            self._attribute(owner, "__next__", rest, search, receiver)
        name = next((one for one in _named(method) if has(owner, one)), f"__{method}__")
        if has(owner, name) or (receiver.is_below and self.hierarchy.is_overridden(owner, name)):
            self._attribute(owner, name, rest, search, receiver)
        elif method == "truediv" and rest.startswith("()"):  # as a class outside would do it: a path is a path
            self._from_instance(owner, rest[2:], search, receiver)
        else:
            search.found.add("?")

    def _attribute(self, owner: End, name: str, rest: str, search: Following, receiver: Receiver) -> None:
        """Go on from an attribute: what is set on instances anywhere above, and what the nearest class body has."""
        again = partial(self._attribute, owner, name, receiver=receiver)
        if not search.comes_by(owner[0], f"{owner[1]}.{name}", rest, again, receiver):
            return
        settings = self.set_outside.of(owner, name)
        if settings is None:
            search.found.add("?")
        told = search.tells_given and receiver.is_below
        for setting in settings or ():
            end = search.given(setting.module, rest) if told and self._is_given(owner, setting) else None
            self._giving.each(setting.module, setting.value, rest, search)
            if end:
                end()
        for holder in self.hierarchy.holders(owner, name, receiver):
            if holder.how != "missing" or not settings:
                is_below = told and holder.where[0] and holder.where not in self.hierarchy.ancestry(owner).classes
                end = search.given(holder.where[0], rest) if is_below else None
                self._from_holder(holder, owner, name, rest, search, receiver)
                if end:
                    end()

    def _is_given(self, owner: End, setting: Setting) -> bool:
        """Say whether instances alone are given something, of a class or of those below it: not all that share one."""
        above = self.hierarchy.ancestry
        return not setting.is_shared and all(owner in above(one).classes for one in setting.owners)

    def _from_holder(
        self, holder: Holder, owner: End, name: str, rest: str, search: Following, receiver: Receiver
    ) -> None:
        how, (module, atom) = holder
        if how == "outside":
            _from_outside(owner, atom, name, rest, search, receiver)
        elif how == "missing":
            self._missing(owner, name, rest, search, receiver)
        elif how == "unseen":
            search.found.add("?")
        else:
            search.note_way(module, f"{atom}.{name}", rest)
            found = self._entries.attribute(module, atom, name)
            own = Receiving(atom, owner) if self._is_above((module, atom), owner) else None
            if how == "field":
                self._giving.each(module, found.field or (), rest, search, own=own)
            else:
                held = found.body or ()
                self._each_attribute(module, held, rest, search, own, receiver)
                self._by_descriptor(module, held, rest, search)

    def _by_descriptor(self, module: str, held: Value, rest: str, search: Following) -> None:
        """Go on from what a class's attribute gives that is an instance of a class with a `__get__`."""
        for owner in self._descriptors.of(self.standing, module, held):
            if owner == UNSEEN:
                search.found.add("?")
            else:
                self._attribute(owner, "__get__", "()" + rest, search, _RECEIVERS["()"])

    def _is_above(self, one: End, owner: End) -> bool:
        return one != owner and one in self.hierarchy.ancestry(owner).classes

    def _each_attribute(
        self, module: str, held: Value, rest: str, search: Following, own: Receiving | None, receiver: Receiver
    ) -> None:
        """Go on from what a class's body binds: of a property from what it gives, of a method as it is called."""
        for atom in held:
            row = self._entries.function(module, atom) if atom[0] == "@" else None
            steps = f"(){rest}" if not receiver.is_class and _is_property(row) else rest
            if own and row is not None and steps.startswith("()") and _is_handed(row, atom, receiver):
                self._giving.from_function(module, atom, row, steps, search, own)
            else:
                self._names.follow(module, atom, steps, search)

    def _missing(self, owner: End, name: str, rest: str, search: Following, receiver: Receiver) -> None:
        """Note an attribute that no class has: certainly none where all of them are known."""
        ancestry = self.hierarchy.ancestry(owner)
        entered = ENTERED.match(f".{name}{rest}")
        of_instance = not receiver.is_class
        if of_instance and entered:  # `closing`, which needs no `__enter__`
            search.look_up(owner[0], owner[1], "()" + f".{name}{rest}"[entered.end() :])
        elif (
            ancestry.is_open
            or name == "__getattr__"
            or self._entries.is_set_on_unknown(name)
            or (of_instance and _may_answer_any(self._entries, ancestry))
        ):
            search.found.add("?")
        elif not receiver.is_below:
            search.found.add(f"{shown(owner)}{'()' if of_instance else ''}.{name}{rest}")
        elif not (self.hierarchy.is_overridden(owner, name) and self.hierarchy.is_closed_below(owner)):
            search.found.add("?")  # a class below may have it


def _is_property(row: FunctionRow | None) -> bool:
    return row is not None and bool(row.marks & Trait.PROPERTY)


def _is_handed(row: FunctionRow, atom: str, receiver: Receiver) -> bool:
    """Say whether a method's `self` or `cls` is what it is looked up on: of `A.m(b)` it is whatever is handed over."""
    return not receiver.is_class or bool(row.marks & Trait.CLASS) or atom.endswith(".__new__")


def _from_outside(owner: End, base: str, name: str, rest: str, search: Following, receiver: Receiver) -> None:
    """Go on from an attribute that a class outside of the codebase may have."""
    of_instance = not receiver.is_class
    entered = ENTERED.match(f".{name}{rest}")
    if of_instance and entered:  # what is entered is the instance itself, also of a class of ours
        module, atom = owner
        search.look_up(module, atom, "()" + f".{name}{rest}"[entered.end() :])
    elif base == "?":
        search.found.add("?")
    elif base != "builtins.object":
        search.found.update(simplified(f"{base}{'()' if of_instance else ''}.{name}{rest}"))


def _may_answer_any(entries: Entries, ancestry: Ancestry) -> bool:
    ours = ((module, atom) for module, atom in ancestry.classes if module)
    return any(entries.attribute(*one, "__getattr__").body is not None for one in ours)


def _named(method: str) -> Iterator[str]:
    """Yield the names of a method that Python calls of itself, and of those that it calls instead."""
    return (f"__{name}__" for name in (method, *_INSTEAD.get(method, ())))
