"""By which ways can first-party code leave the process over the network?"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Mapping
from dataclasses import dataclass, field, replace

from abutment.facts.named import names_class
from abutment.model.selector import nearest
from abutment.model.site import Site
from abutment.semantics.program import Program
from abutment.semantics.uses import Use, canonical, used_itself

RAW, SDK, PROTOCOL = "raw_transport", "network_sdk", "protocol_operation"
KINDS = (RAW, SDK, PROTOCOL)
CONSTRUCTION = "construction"
_CLIENT = re.compile(
    r"(Client|Session|Connection|Manager|Pool|Proxy|Opener|OpenerDirector|Http|HTTP|Curl|CurlMulti|WebSocket|WebSocketApp"
    r"|FTP|FTP_TLS|SMTP|SMTP_SSL|LMTP|IMAP4|IMAP4_SSL|POP3|POP3_SSL|NNTP|Telnet|Scraper|CloudScraper|Transport|Channel"
    r"|Adapter|HTTP20Connection)$"
)
# What a library's classes are called that carry data, not a connection.
_DATA = re.compile(
    r"(Error|Exception|Warning|Response|Request|Headers|Cookies|CookieJar|URL|Url|Timeout|Limits|Retry|Auth|Config|Configuration|Settings"
    r"|Options|Params|Policy|Message|Status|Codes|Type|Enum|Event|Result|Model|Schema|Column|Field|Key|Attr|Data|Item"
    r"|Credentials|Filter|Builder|FormData|Metadata|Info|Dict|Update"
    r"|Intents|Colou?r|Permissions|Embed)$|^V\d"  # `V1Pod`: the objects of Kubernetes
)
# What Python itself calls or asks: `super().__init__`, `__version__`.
_DUNDER = re.compile(r"(^|\.)__(?!call__$)\w+__(\.|$)")
# What clients have that sends nothing.
_IDLE = {
    *("close", "aclose", "mount", "clear", "set_debuglevel", "fileno", "headers", "cookies", "auth", "params"),
    "proxies",
    *("build_request", "prepare_request", "merge_environment_settings", "mogrify"),
    *("set_auth", "add_handler", "add_error_handler", "remove_handler"),
    *("is_connected", "is_closed", "is_open", "has_pending_idle"),
    *("verify", "cert", "adapters", "hooks", "closed", "timeout", "base_url", "event_hooks", "cookie_jar", "connector"),
    # of texts and other data that a client's attributes are
    *(
        "detach",
        "startswith",
        "endswith",
        "strip",
        "split",
        "lower",
        "upper",
        "isoformat",
        "to_dict",
        "encode",
        "decode",
    ),
}
# What data of a client is called, where it is handed to a call: `log(client.user_id)`. A function may be called `user`.
_NOUN = re.compile(
    r"((^|_)(id|uid|oid|uuid|identifier|name|key|url|uri|host|port|token|title|data|version|status|from_user)"
    r"|[a-z](Id|Identifier|Name|Key|Url|Uri|Title|Version|Status))$"
)
# What looks at whatever it is given, and calls none of it.
_LOOKING = frozenset(
    f"builtins.{name}"
    for name in (
        *("getattr", "hasattr", "setattr", "delattr", "isinstance", "issubclass", "callable", "id", "type", "vars"),
        *("dir", "hash", "repr", "str", "ascii", "format", "print", "bytes", "bool", "int", "float", "len"),
        *("list", "tuple", "set", "frozenset", "dict", "enumerate", "zip", "reversed", "sum", "any", "all"),
    )
)
# Under which names functions are given that are called later.
_FUNCTION_NAMES = {"target", "func", "function", "fn", "callback", "method", "call"}


@dataclass(frozen=True, slots=True)
class Network:
    """What gives access to the network."""

    providers: Mapping[str, str]  # dotted name -> one of KINDS
    factories: frozenset[str]  # functions' last names whose result is a client, too
    connecting: frozenset[str]  # classes whose construction itself goes out
    harmless: frozenset[str]  # what stands below a provider and reaches nothing: `requests.utils`
    constructing: frozenset[str] = frozenset()  # functions that make a client and reach nothing
    same: Mapping[str, str] = field(default_factory=dict)  # provider -> how it is told, where it has several names
    builders: Mapping[str, frozenset[str]] = field(default_factory=dict)  # provider -> what sends what it has built

    def beyond(self, modules: Container[str]) -> Network:
        """Return the network without what the codebase itself is: of a library's own code, what it calls counts."""
        return replace(self, providers={name: kind for name, kind in self.providers.items() if name not in modules})

    def reaches(self, path: str) -> bool:
        """Say whether what a dotted path stands for is not among what reaches nothing."""
        root = self.root_of(path)
        while path != root and path not in self.harmless:
            path = path.rpartition(".")[0]
        return path == root

    def root_of(self, path: str) -> str:
        """Return the longest provider that a dotted path is or stands below; "" where there is none."""
        return nearest(path, self.providers)


@dataclass(frozen=True, slots=True, order=True)
class EgressUse:
    """One way by which first-party code can leave the process, and where it is taken."""

    module: str
    qualname: str
    target: str  # the provider: "requests"
    kind: str  # one of KINDS, or CONSTRUCTION, which no gate counts
    operation: str  # "get", "Session.get"; "import"; "?" for a computed name; "()" for the provider itself
    site: Site = field(compare=False)

    @property
    def api(self) -> str:
        """The canonical dotted name."""
        if self.operation in ("import", "()"):
            return self.target
        return f"{self.target}.{self.operation.replace('?', '*')}"


def scan_egress(program: Program, network: Network) -> Iterator[EgressUse]:
    """Yield imports of providers that run, and calls that may reach one; a response is no client.

    A door is open or not: a second import of the same provider in one scope is no other fact.
    """
    yield from dict.fromkeys(_doors(program, network))
    seen: set[tuple[object, ...]] = set()
    made = program.uses.subclasses(network.connecting)
    for use, root in program.uses.of((*network.providers, *made)):
        if use.verb in ("call", "hand"):
            of_ours = root in made and root in used_itself(use)
            for found in _made(use, made[root], network) if of_ours else ways_out(use, root, network):
                place = (use.module, use.site, use.verb, found)
                if place not in seen:  # one place, one way, however many origins lead there
                    seen.add(place)
                    yield found


def _doors(program: Program, network: Network) -> Iterator[EgressUse]:
    """Yield the imports of providers that run. Most imports are of something else, and no value is made of those."""
    columns = program.columns
    roots: dict[tuple[int, int], str] = {}
    for row, pair in enumerate(zip(columns.imported, columns.symbol, strict=True)):
        root = roots.get(pair)
        if root is None:
            root = roots[pair] = network.root_of(_candidate(*(columns.names[at] for at in pair)))
        if root:
            one = program.import_at(row)
            if one.when != "type_only" and one.via != "parent":
                yield EgressUse(one.importer, one.site.scope, root, network.providers[root], "import", one.site)


def _candidate(imported: str, symbol: str) -> str:
    """Return the longest dotted path that an import may name."""
    return f"{imported}.{symbol}" if symbol not in ("", "*") else imported


def ways_out(use: Use, root: str, network: Network) -> Iterator[EgressUse]:
    """Yield the ways out that a call which reaches a provider may take, or what a call is handed."""
    if root not in network.providers:
        return
    if use.applied and all(one.verb == "decorate" for one in use.applied):
        return  # `@app.event("message")` names a function that is called when something comes in
    for origin in sorted(use.origins):
        path = canonical(origin)
        if network.root_of(path) != root or not network.reaches(path):
            continue
        tail = path[len(root) :].removeprefix(".")
        kind = network.providers[root]
        if use.verb == "hand" and not _is_handed_on(use, origin, tail, kind):
            continue
        operation = _operation(tail, kind, network.factories, network.builders.get(root))
        if operation is not None:
            if path in network.constructing or (
                _makes_client(path, operation, kind) and path not in network.connecting
            ):
                kind = CONSTRUCTION
            # An approval names one fact and may hold no wildcard. Which operation it is, is not known; it is not any.
            target = network.same.get(root, root)
            yield EgressUse(use.module, use.site.scope, target, kind, operation.replace("*", "?"), use.site)


def _made(use: Use, base: str, network: Network) -> Iterator[EgressUse]:
    """Yield the way out that it is to make an instance of a class of this codebase whose base connects at once."""
    root = network.root_of(base)
    if root and use.verb == "call":
        operation = base[len(root) :].removeprefix(".") or "()"
        yield EgressUse(use.module, use.site.scope, root, network.providers[root], operation, use.site)


def _is_handed_on(use: Use, origin: str, tail: str, kind: str) -> bool:
    """Say whether what a call is given is something to be called later, not a client, a module or a client's data.

    A transport's function is one wherever it stands. What an instance or an SDK has may be data
    (`log("at %s", client.url)`), so it counts only where functions are wont to stand.
    """
    last = tail.rpartition(".")[2]
    if use.given_to and use.given_to <= _LOOKING:
        return False
    if "()" in origin and _NOUN.search(last):
        return False
    if origin.endswith("()") or last[:1].isupper() or last == "*" or not (tail or kind == PROTOCOL):
        return False
    return (kind != SDK and "()" not in origin) or _stands_for_function(use, origin)


def _stands_for_function(use: Use, origin: str) -> bool:
    """Say whether it comes first, second after `None` (`run_in_executor`), or by a name as `target`."""
    first, *others = (one.origins for one in use.arguments[:2]) if use.arguments else (frozenset[str](),)
    if origin in first or (first == {"None"} and any(origin in one for one in others)):
        return True
    return any(origin in one.origins for name, one in use.named.items() if name in _FUNCTION_NAMES)


def _operation(tail: str, kind: str, factories: frozenset[str], sending: frozenset[str] | None = None) -> str | None:
    """Return what is done with a provider; None where it is something that gives no access, as a response.

    Of what builds requests (`service.files().list().execute()`), only what is `sending` one gives access.
    """
    if sending is not None and "()" in tail:
        return tail.replace("()", "") if tail.rpartition(".")[2] in sending else None
    if not tail:
        return "()"
    if _DUNDER.search(tail):
        return None
    called = tail.split("()")
    if any(part.rpartition(".")[2] not in factories for part in called[:-1] if part):
        return None
    path = tail.replace("()", "").replace("[]", "").removeprefix(".")
    segments = path.split(".")
    at = next((index for index, part in enumerate(segments) if part.lstrip("_")[:1].isupper()), len(segments))
    if at < len(segments):
        if _DATA.search(segments[at]) or (kind == RAW and not _CLIENT.search(segments[at])):
            return None
        if segments[-1] in _IDLE or (kind == RAW and len(segments) - at > 2):  # `session.headers.get` asks a mapping
            return None
    return path


def _makes_client(path: str, operation: str, kind: str) -> bool:
    """Say whether a call makes an object that may go out later; a class among the protocol operations is one itself."""
    return names_class(operation) or (operation == "()" and kind != PROTOCOL and names_class(path))
