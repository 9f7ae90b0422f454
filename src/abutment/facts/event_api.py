"""How does a codebase send and take events: which methods of what, and how is a call of one bound?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from abutment.semantics.uses import Argument, Use

PRODUCE, CONSUME = "produce", "consume"


class Unbound(Exception):
    """Python would refuse the call; nothing happens."""


class Unknown(Exception):
    """What a star brings along cannot be seen."""


@dataclass(frozen=True, slots=True)
class Signature:
    """A method's parameters, without `self`."""

    positional: tuple[str, ...]  # that may be given by position
    only_positional: int  # how many of them may not be given by name
    only_named: tuple[str, ...]
    optional: frozenset[str]  # that have a default
    takes_more: bool  # `*args`
    takes_others: bool  # `**kwargs`

    @property
    def names(self) -> tuple[str, ...]:
        """All that have a name of their own."""
        return (*self.positional, *self.only_named)

    def bound(self, call: Use) -> Mapping[str, Argument]:
        """Return the arguments by parameter, as Python binds them (Language Reference, 6.3.4 Calls).

        Raises Unbound for a call that Python refuses, Unknown for one with a star.
        """
        named = {name: given for name, given in call.named.items() if name}
        if call.is_spread and "" not in call.named:
            raise Unknown
        if len(call.arguments) > len(self.positional) and not self.takes_more:
            raise Unbound
        found = dict(zip(self.positional, call.arguments, strict=False))
        for name, given in named.items():
            if name in self.positional[self.only_positional :] or name in self.only_named:
                if name in found:
                    raise Unbound
                found[name] = given
            elif not self.takes_others:
                raise Unbound
        if not call.is_spread and set(self.names) - self.optional - found.keys():
            raise Unbound
        return found


@dataclass(frozen=True, slots=True)
class Method:
    """One method by which events are sent or taken."""

    name: str
    kind: str  # PRODUCE, CONSUME
    signature: Signature
    gives_decorator: bool = False  # it counts where what it gives is applied
    takes_many: bool = False  # it takes a list of events, or a whole enum


@dataclass(frozen=True)
class EventApi:
    """One event system."""

    id: str
    receivers: tuple[str, ...]  # dotted: classes, instances, types of injected ports, `factory()`
    methods: tuple[Method, ...]
    enums: tuple[str, ...] = ()  # whose members are the events; () where they are texts, classes or constants
    event: str = ""  # the parameter that takes the event; "" for the first one
    handler: str = "handler"
    priority: str = "priority"
    decorated: str = ""  # what a decorator calls the handler; "" for any name

    @cached_property
    def watched(self) -> Mapping[str, Method]:
        """The methods by the dotted names under which they are reached."""
        return {f"{receiver}.{one.name}": one for receiver in self.receivers for one in self.methods}

    def event_of(self, method: Method) -> str:
        """Return the parameter that takes the event."""
        signature = method.signature
        return self.event or next(iter(signature.names), "")


def read_signature(text: str) -> tuple[str, Signature]:
    """Return the name and the parameters of `send(event, data=, *, priority=)`; raises ValueError for anything else."""
    name, opened, rest = text.partition("(")
    if not opened or not rest.endswith(")") or not name.isidentifier():
        raise ValueError(f"{text!r} is no method with its parameters, such as `send(event, data=, **others)`")
    positional: list[str] = []
    only_named: list[str] = []
    optional: set[str] = set()
    only_positional, takes_more, takes_others, after_star = 0, False, False, False
    for part in _parts(rest[:-1]):
        parameter = part.lstrip("*").partition("=")[0].partition(":")[0].strip()
        if part == "/":
            only_positional = len(positional)
        elif part.startswith("**"):
            takes_others = True
        elif part.startswith("*"):
            after_star, takes_more = True, part != "*"
        elif not parameter.isidentifier():
            raise ValueError(f"{text!r}: {part!r} is no parameter")
        else:
            (only_named if after_star else positional).append(parameter)
            optional.update((parameter,) if "=" in part else ())
    found = tuple(positional), only_positional, tuple(only_named), frozenset(optional), takes_more, takes_others
    return name, Signature(*found)


def _parts(text: str) -> Iterator[str]:
    return (part.strip() for part in text.split(",") if part.strip())
