"""Which functions of C hold the thread that calls them up, whoever calls them?

They are where every way down ends: `pathlib`, `shutil` and `tempfile` come to `posix`, an SMTP client to a socket. So
what is seen here owes nothing to a list of ours.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import BuiltinFunctionType, BuiltinMethodType

# What of `posix` asks neither a disk nor another process.
ASKS_NOTHING = frozenset(
    (
        *("fspath", "getpid", "getppid", "getuid", "geteuid", "getgid", "getegid", "getgroups", "umask", "getcwd"),
        *("getcwdb", "urandom", "getrandom", "cpu_count", "strerror", "uname", "times", "get_terminal_size", "isatty"),
        *("device_encoding", "putenv", "unsetenv", "close", "closerange", "dup", "dup2", "pipe", "pipe2", "lseek"),
        *("set_inheritable", "get_inheritable", "set_blocking", "get_blocking", "fstat", "register_at_fork", "kill"),
        *(
            "waitstatus_to_exitcode",
            "sched_getaffinity",
            "sched_yield",
            "getpgid",
            "getsid",
            "sysconf",
            "major",
            "minor",
        ),
    )
)
SOCKET_METHODS = ("connect", "connect_ex", "accept", "recv", "recv_into", "recvfrom", "send", "sendall", "sendto")
FUNCTIONS: Mapping[str, frozenset[str]] = {  # module -> functions; `posix` has all but ASKS_NOTHING
    "io": frozenset(("open", "open_code")),
    "time": frozenset(("sleep",)),
    "builtins": frozenset(("input",)),
    "select": frozenset(("select",)),
    "_posixsubprocess": frozenset(("fork_exec",)),
    "_socket": frozenset(("getaddrinfo", "gethostbyname", "gethostbyname_ex", "gethostbyaddr", "getnameinfo")),
    "_sqlite3": frozenset(("connect",)),
}
METHODS: Mapping[tuple[str, str], frozenset[str]] = {  # (module, class) -> methods
    ("socket", "socket"): frozenset(SOCKET_METHODS),
    ("_socket", "socket"): frozenset(SOCKET_METHODS),
    ("ssl", "SSLContext"): frozenset(("load_verify_locations", "load_cert_chain", "set_default_verify_paths")),
    ("sqlite3", "Connection"): frozenset(("execute", "executemany", "executescript", "commit", "rollback")),
    ("sqlite3", "Cursor"): frozenset(("execute", "executemany", "executescript", "fetchone", "fetchall", "fetchmany")),
}


def bottom_of(function: object) -> str:
    """Return the dotted name of a function of C that may wait for something outside; "" for any other."""
    if not isinstance(function, BuiltinFunctionType | BuiltinMethodType):
        return ""
    module, name = function.__module__, function.__name__
    if module == "posix":
        return "" if name in ASKS_NOTHING else f"os.{name}"
    if module is not None:
        return f"{module.lstrip('_')}.{name}" if name in FUNCTIONS.get(module, ()) else ""
    holder = type(function.__self__)
    if name in METHODS.get((holder.__module__, holder.__qualname__), ()):
        return f"{holder.__module__.lstrip('_')}.{holder.__qualname__}.{name}"
    return ""
