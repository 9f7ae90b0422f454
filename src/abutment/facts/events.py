"""Who sends which events, and who takes them?"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from abutment.facts.event_api import CONSUME, EventApi, Method, Unbound, Unknown
from abutment.facts.event_names import Names, spelt
from abutment.facts.named import home_of
from abutment.facts.unproven import UNPROVEN
from abutment.model.site import Site
from abutment.semantics.program import Program
from abutment.semantics.uses import Application, Argument, Use, canonical

UNAPPLIED, REFUSED = "unapplied", "refused"  # listed, and not judged, as is UNPROVEN
DEFAULT, UNSEEN = "<default>", "<dynamic>"


@dataclass(frozen=True, slots=True, order=True)
class EventUse:
    """One call that sends events, or one registration of a handler for some."""

    module: str
    qualname: str
    kind: str  # "produce", "consume"
    method: str  # the canonical dotted name: "pier.bus.Bus.publish"
    events: str  # their names, sorted, `, ` between them; `?` among them for those that cannot be seen
    certainty: str  # "static", "dynamic", "invalid"
    handler: str  # of a consumer: a dotted name, `<lambda>`, `<dynamic>`
    priority: str  # of a consumer: as written, `<default>`, `<dynamic>`
    site: Site = field(compare=False)
    word: str = field(compare=False)  # "produce", "consume", "unapplied", "refused", "unproven"

    @property
    def names(self) -> frozenset[str]:
        """The events that can be seen."""
        return frozenset(one for one in self.events.split(", ") if one not in ("", "?"))


@dataclass(frozen=True, slots=True)
class _Call:
    """One call of an event method on a proven receiver."""

    api: EventApi
    method: Method
    path: str  # the method's canonical name
    use: Use
    is_proven: bool


def scan_events(program: Program, apis: Sequence[EventApi]) -> Iterator[EventUse]:
    """Yield every producer and consumer: the receiver has to be proven (must), the event need not be.

    A registration by a decorator counts once for each place at which it is applied, also where a function of this
    codebase gives the decorator back.
    """
    calls = list(_calls(program, apis))
    names = Names(program)
    makers: dict[str, list[_Call]] = {}  # function that gives a decorator back -> the calls that make it
    for call in calls:
        if not call.is_proven:
            yield _fact(call, names, _bound(call), call.use.site, word=UNPROVEN)
        elif call.method.gives_decorator and not call.use.applied and call.use.is_returned:
            makers.setdefault(f"{call.use.module}.{call.use.site.scope}", []).append(call)
        else:
            yield from _told(call, names)
    yield from _made_elsewhere(program, makers, names)


def _calls(program: Program, apis: Sequence[EventApi]) -> Iterator[_Call]:
    seen: set[tuple[str, Site]] = set()
    for api in apis:
        for use, name in program.uses.of(api.watched, through=True):
            method = api.watched[name]
            is_proven = _is_proven(use, name, api)
            may_be = is_proven or name in map(canonical, use.origins)
            if use.verb == "call" and may_be and (use.module, use.site) not in seen:
                seen.add((use.module, use.site))
                call = _Call(api, method, name, use, is_proven)
                if not (_is_inside(program, call) and method.kind == CONSUME):
                    yield call


def _is_proven(use: Use, name: str, api: EventApi) -> bool:
    """Say whether the call certainly is one of that method: nothing else is possible."""
    paths = set(map(canonical, use.origins))
    known = {path for path in paths if path in api.watched and api.watched[path] is api.watched[name]}
    if known or len(paths) != 1:
        return paths == known
    (path,) = paths  # what is named as an instance need not be known any further
    return path == "?" or not path.startswith(name)


def _is_inside(program: Program, call: _Call) -> bool:
    """Say whether the call stands in the class whose method it calls: there it hands on what it was told."""
    owner = call.path.rpartition(".")[0]
    home = home_of(program, owner)
    scope = f"{call.use.site.scope}."
    return bool(home) and home == call.use.module and scope.startswith(f"{owner[len(home) + 1 :]}.")


def _told(call: _Call, names: Names) -> Iterator[EventUse]:
    """Yield what one call is."""
    try:
        bound: Mapping[str, Argument] = call.method.signature.bound(call.use)
    except Unbound:
        yield _fact(call, names, {}, call.use.site, word=REFUSED)
        return
    except Unknown:
        bound = {}
    if not call.method.gives_decorator:
        yield _fact(call, names, bound, call.use.site)
        return
    for one in call.use.applied:
        yield _applied(call, names, bound, one)
    if not call.use.applied:
        yield _fact(call, names, bound, call.use.site, word=UNAPPLIED)


def _bound(call: _Call) -> Mapping[str, Argument]:
    try:
        return call.method.signature.bound(call.use)
    except (Unbound, Unknown):
        return {}


def _applied(call: _Call, names: Names, bound: Mapping[str, Argument], one: Application) -> EventUse:
    """Return the consumer that the application of a decorator makes: it takes exactly the handler."""
    given = [*one.arguments, *one.named.values()]
    handler = _named_handler(given[0]) if given else UNSEEN
    is_named_so = not call.api.decorated or one.named.keys() <= {call.api.decorated}
    word = CONSUME if len(given) == 1 and is_named_so and not one.is_spread else REFUSED
    return replace(_fact(call, names, bound, one.site, word=word), handler=handler)


def _fact(call: _Call, names: Names, bound: Mapping[str, Argument], site: Site, *, word: str = "") -> EventUse:
    api, method = call.api, call.method
    events, certainty = names.told(api, method, bound.get(api.event_of(method)))
    is_consumer = method.kind == CONSUME
    signature = method.signature
    handler = _named_handler(bound.get(api.handler)) if is_consumer else ""
    priority = ""
    if is_consumer:
        known = api.priority in bound or api.priority in signature.optional or call.use.is_spread
        priority = _priority(bound.get(api.priority), is_seen=not call.use.is_spread) if known else DEFAULT
    return EventUse(
        module=call.use.module,
        qualname=site.scope,
        kind=method.kind,
        method=call.path,
        events=", ".join(events),
        certainty=certainty,
        handler=handler,
        priority=priority,
        site=site,
        word=word or method.kind,
    )


def _named_handler(given: Argument | None) -> str:
    """Return a handler's dotted name, where there is one that it certainly is."""
    (one, *others) = given.origins if given is not None else ("?",)
    if others or one[0] in "?'#~" or one == "None":
        return UNSEEN
    return "<lambda>" if one.endswith("<lambda>") else canonical(one)


def _priority(given: Argument | None, *, is_seen: bool) -> str:
    if given is None:
        return DEFAULT if is_seen else UNSEEN
    (one, *others) = given.origins
    if others or one[0] in "?~":
        return UNSEEN
    return repr(spelt(one[1:])) if one[0] == "'" else one[1:] if one[0] == "#" else canonical(one)


def _made_elsewhere(program: Program, makers: Mapping[str, list[_Call]], names: Names) -> Iterator[EventUse]:
    """Yield the consumers whose decorator a function of this codebase makes, where they are applied."""
    applied: set[str] = set()
    for use, name in program.uses.of(makers.keys()):
        if use.verb != "call" or {canonical(origin) for origin in use.origins} != {name}:
            continue
        for call in makers[name]:
            for one in use.applied:
                applied.add(name)
                found = _applied(call, names, _handed_on(call, use), one)
                yield replace(found, module=use.module)
    for name, calls in makers.items():
        for call in calls if name not in applied else ():
            yield _fact(call, names, _handed_on(call, call.use), call.use.site, word=UNAPPLIED)


def _handed_on(call: _Call, outer: Use) -> Mapping[str, Argument]:
    """Return what a call inside a function is given, where the function is called as `outer` does.

    What came in as an argument there is that caller's alone, if just one of its arguments is among what may arrive.
    """
    bound = _bound(call)
    if outer is call.use:
        return bound
    return {name: _of_caller(given, (*outer.arguments, *outer.named.values())) for name, given in bound.items()}


def _of_caller(inner: Argument, given: Iterable[Argument]) -> Argument:
    if "?" not in inner.origins:
        return inner
    arriving = [one for one in given if len(one.origins) == 1 and one.origins < inner.origins]
    return arriving[0] if len(arriving) == 1 else inner
