"""Where does code open database sessions, and begin and end transactions?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from abutment.model.site import Site
from abutment.semantics.program import Program
from abutment.semantics.uses import Use, canonical

SESSION, MAKER, DECORATOR = "session", "maker", "decorator"
OPEN, BEGIN, COMMIT, ROLLBACK, DECORATE = "session", "begin", "commit", "rollback", "decorate"
_ENDS = {
    **dict.fromkeys(("commit", "savepoint_commit", "commit_prepared"), COMMIT),
    **dict.fromkeys(("rollback", "savepoint_rollback", "rollback_prepared"), ROLLBACK),
    **dict.fromkeys(("begin", "begin_nested", "begin_twophase", "atomic", "transaction", "savepoint"), BEGIN),
    **dict.fromkeys(("in_transaction", "start_transaction", "manual_commit"), BEGIN),
    **dict.fromkeys(("connect", "raw_connection", "acquire", "get_connection"), OPEN),
}
# What still leads to the same database: `engine.connect()`, `db.session`, `session.begin()`.
_KEPT = {
    *("begin", "begin_nested", "connect", "connection", "raw_connection", "acquire", "get_connection", "session"),
    *("sync_session", "execution_options", "transaction", "start_transaction", "registry", "autocommit"),
}


@dataclass(frozen=True, slots=True, order=True)
class TransactionUse:
    """One place where a session is opened, or a transaction begins, ends, or is put around a function."""

    module: str
    qualname: str
    target: str  # the class or function that it is done with: "sqlalchemy.orm.Session"
    operation: str  # "session", "begin", "commit", "rollback", "decorate"
    site: Site = field(compare=False)
    api: str = field(compare=False)  # the canonical dotted name
    owned: bool = field(compare=False, default=False)  # by a module that may: listed, and not judged


@dataclass(frozen=True, slots=True)
class Provider:
    """Something by which sessions and transactions are had."""

    kind: str  # SESSION, MAKER, DECORATOR
    name: str  # how it is told: a library may export one class under several addresses


def scan_transactions(program: Program, providers: Mapping[str, Provider]) -> Iterator[TransactionUse]:
    """Yield what is done with sessions, connections and transactions, by where the receiver comes from.

    `providers` go by dotted name: a SESSION is a class or a function that gives a session when it is called, a MAKER
    is or gives something that makes sessions, a DECORATOR puts a transaction around a function.
    """
    ours = {name: providers[base] for name, base in program.uses.subclasses(providers).items()}
    places: dict[tuple[object, ...], list[tuple[Provider, TransactionUse]]] = {}
    for provider, found in _found(program, {**ours, **providers}):
        library = provider.name.partition(".")[0]
        places.setdefault((found.site, found.qualname, found.operation, library), []).append((provider, found))
    for several in places.values():
        yield min(several, key=_by_readability)[1]


def _by_readability(pair: tuple[Provider, TransactionUse]) -> tuple[object, ...]:
    """Return what the name is chosen by where a place is told by several: a session's before that of what makes it."""
    provider, found = pair
    return provider.kind != SESSION, not _names_class(provider.name), len(found.api), found.api


def _found(program: Program, providers: Mapping[str, Provider]) -> Iterator[tuple[Provider, TransactionUse]]:
    # What a call gives, and a call of that, are watched by names of their own: `sessionmaker()()`.
    watched = {f"{name}{calls}": name for name in providers for calls in ("", "()", "()()")}
    for use, reached in program.uses.of(watched):
        root = watched[reached]
        for path in sorted(map(canonical, use.origins)):
            if path == root or path.startswith((f"{root}.", f"{root}(")):
                provider, tail = providers[root], path[len(root) :]
                api = f"{provider.name}{tail.lstrip('()') if _names_class(provider.name) else tail}"
                for operation, site in _done(use, tail, provider.kind):
                    yield provider, TransactionUse(use.module, site.scope, provider.name, operation, site, api)


def _names_class(path: str) -> bool:
    return path.rpartition(".")[2][:1].isupper()


def _done(use: Use, tail: str, kind: str) -> Iterator[tuple[str, Site]]:
    """Yield the operations that a use of a provider is, and where each takes place; `tail` is what follows its name."""
    wraps = kind == DECORATOR or _operation(tail.removesuffix("()"), kind) == BEGIN
    if use.verb == "decorate":
        if wraps:
            yield DECORATE, use.site
    elif use.verb == "call":
        operation = DECORATE if kind == DECORATOR else _operation(tail, kind)
        decorated = [one.site for one in use.applied if one.verb == "decorate"] if wraps else []
        yield from ((DECORATE, site) for site in decorated)
        if operation and not decorated:
            yield operation, use.site
    elif use.verb == "hand" and kind != DECORATOR and _operation(tail, kind) in (COMMIT, ROLLBACK):
        yield _operation(tail, kind), use.site  # whoever is handed it calls it: `to_thread(session.commit)`


def _operation(tail: str, kind: str) -> str:
    """Return what a call of a provider, or of something below it, does with a transaction; "" for anything else."""
    if not tail:
        return OPEN if kind == SESSION else ""
    if tail == "()":  # what a call gave is called: `sessionmaker()()`
        return OPEN if kind == MAKER else ""
    *way, last = tail.replace("()", "").removeprefix(".").split(".")
    return _ENDS.get(last, "") if set(way) <= _KEPT and not tail.endswith(")") else ""
