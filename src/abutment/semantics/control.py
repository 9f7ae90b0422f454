"""How do choices, loops, handlers and early ends shape what names hold?"""

from __future__ import annotations

from collections.abc import Callable

from abutment.semantics.outline import Op, Row
from abutment.semantics.provenance import Bit
from abutment.semantics.reading import ANY, EARLY, NOTHING, UNBOUND, Atom, Atoms, Env, Frame, Reading, merged
from abutment.semantics.swallowing import MAY, NEVER, SUPPRESS, SWALLOWED, swallows

_FOR_CHECKERS = {("typing:TYPE_CHECKING",), ("typing_extensions:TYPE_CHECKING",)}
_NOT_IMPORTED = "@*+<?-~#'!"
_IMPORT_ERRORS = {f"builtins:{name}" for name in ("ImportError", "ModuleNotFoundError", "Exception", "BaseException")}


def _run_fork(r: Reading, row: Row) -> None:
    frame = Frame(dict(r.env), r.dead, r.guard, r.condition(row[1]))
    r.frames.append(frame)
    r.guard = r.guarded(frame.condition, False, frame.guard)


def _run_alt(r: Reading, _row: Row) -> None:
    frame = r.frames[-1]
    if not r.dead:
        frame.exits.append(r.env)
    r.env, r.dead = dict(frame.saved) if frame.condition else frame.saved, frame.saved_dead
    r.guard = r.guarded(frame.condition, True, frame.guard)


def _run_join(r: Reading, _row: Row) -> None:
    frame = r.frames.pop()
    r.guard = frame.guard
    arms = (*frame.exits, r.env)
    _leave_by(r, frame)
    if len(arms) == 2 and not r.dead:
        runs = _runs(r, frame.condition)
        if runs is not None:
            _prefer(r, frame.saved, arms[0 if runs else 1])


def _runs(r: Reading, condition: int) -> bool | None:
    """Say whether what stands below a test runs; None where it is no test for a type checker."""
    found = r.conditions[condition]
    if found.op == "not":
        inner = _runs(r, found.parts[0])
        return None if inner is None else not inner
    return False if found.op == "value" and found.atoms in _FOR_CHECKERS else None


def _prefer(r: Reading, before: Env, runs: Env) -> None:
    """Let a name that the arm which runs imports be that alone, whatever a type checker is told.

    What else it is given there (`Session = object`) says less than the declaration does.
    """
    for name, atoms in runs.items():
        if atoms != before.get(name) and all(isinstance(atom, str) and _is_imported(atom) for atom in atoms):
            r.env[name] = atoms


def _is_imported(atom: str) -> bool:
    return atom[0] not in _NOT_IMPORTED and not atom.startswith(("builtins:", "typing:", "typing_extensions:"))


def _leave_by(r: Reading, frame: Frame) -> None:
    """Go on from every way out of a frame, the current one among them."""
    if not r.dead:
        frame.exits.append(r.env)
    r.dead = not frame.exits
    if frame.exits:
        r.env = merged(frame.exits)


def _run_loop(r: Reading, row: Row) -> None:
    frame = Frame(dict(r.env), r.dead)
    frame.endless = bool(row[1])
    scope = r.record.definitions[r.scope]
    for name in _bound_in_loop(r):  # the next time round sees what this time bound
        again = ANY if r.class_prefix else frozenset((f"{scope}:%{name}",))
        r.env[name] = r.env.get(name, UNBOUND) | again
    frame.exits.append(frame.saved)
    r.frames.append(frame)
    r.loops.append(frame)


def _bound_in_loop(r: Reading) -> set[str]:
    """Return the names that the loop which starts at this row binds, as the environment knows them."""
    names, depth, at = set[str](), 0, r.row_at
    while True:
        op, a, _, _, _ = r.o.rows[at]
        depth += (op in (Op.LOOP, Op.CLASS)) - (op in (Op.END_LOOP, Op.END_CLASS))
        if depth == 1 and op == Op.EXHAUSTED:
            return names
        if op in (Op.BIND, Op.UNBIND, Op.AUGMENT, Op.DEF, Op.CLASS):
            names.add(r.class_prefix + r.o.strings[a])
        elif op == Op.IMPORT:
            names.add(r.class_prefix + r.o.strings[r.o.imports[a].alias])
        at += 1


def _run_leave(r: Reading, row: Row) -> None:
    if r.loops and not r.dead:
        (r.loops[-1].breaks if row[1] else r.loops[-1].exits).append(dict(r.env))
    r.dead = True


def _run_exhausted(r: Reading, _row: Row) -> None:
    frame = r.loops.pop()
    _leave_by(r, frame)
    r.dead = r.dead or frame.endless


def _run_end_loop(r: Reading, _row: Row) -> None:
    frame = r.frames.pop()
    frame.exits = frame.breaks
    _leave_by(r, frame)


def _run_stop(r: Reading, _row: Row) -> None:
    r.dead = True


def _run_try(r: Reading, row: Row) -> None:
    _collect(r, Frame(dict(r.env), r.dead, optional=_catches(r, r.list_values(row[1])), returns=r.returns))


def _collect(r: Reading, frame: Frame) -> None:
    r.optional += frame.optional
    r.frames.append(frame)
    r.collecting.append(frame)


def _catches(r: Reading, kinds: list[Atoms]) -> bool:
    """Say whether an `except` of these kinds, tuples among them, takes an ImportError."""
    todo, seen = [atom for kind in kinds for atom in kind], set[Atom]()
    while todo:
        atom = todo.pop()
        if atom in _IMPORT_ERRORS:
            return True
        if isinstance(atom, int) and atom not in seen:
            seen.add(atom)
            todo += [inner for _, part in r.parts.get(atom, ()) for inner in part]
    return False


def _run_end_body(r: Reading, _row: Row) -> None:
    frame = r.frames[-1]
    r.optional -= frame.optional
    frame.raised = dict(frame.weak)  # bindings are still collected, for a `finally`


def _run_handlers(r: Reading, _row: Row) -> None:
    if not r.dead:
        r.frames[-1].exits.append(r.env)
    r.dead = True


def _run_handler(r: Reading, _row: Row) -> None:
    frame = r.frames[-1]
    if not r.dead:
        frame.exits.append(r.env)
    r.env, r.dead = {**frame.saved, **_raised(frame, frame.raised)}, frame.saved_dead


def _raised(frame: Frame, weak: Env) -> Env:
    """Return what the names that a body bound may hold, whichever of its states was the last."""
    return {name: frame.saved.get(name, UNBOUND) | atoms for name, atoms in weak.items()}


def _run_finally(r: Reading, _row: Row) -> None:
    """Go into a `finally`, which runs on the way out of every state, too."""
    frame = r.frames[-1]
    _leave_by(r, frame)
    raised = _raised(frame, frame.weak)
    frame.in_finally, frame.live = True, not r.dead
    if r.dead:
        r.env, r.dead = {**frame.saved, **raised}, False
    for name, atoms in raised.items():
        frame.before[name] = r.env.get(name)
        r.env[name] = r.env.get(name, UNBOUND) | atoms
    frame.returns, r.returns = r.returns, frame.returns  # what it returns itself replaces what was to be returned
    frame.weak = {}  # from here on: what the `finally` binds


def _run_end_try(r: Reading, _row: Row) -> None:
    frame = r.frames.pop()
    r.collecting.pop()
    if not frame.in_finally:
        _leave_by(r, frame)
        return
    r.returns |= NOTHING if r.dead else frame.returns
    r.dead = r.dead or not frame.live
    for name, atoms in frame.before.items():  # what goes on is not what was raised
        if name not in frame.weak:
            if atoms is None:
                r.env.pop(name, None)
            else:
                r.env[name] = atoms


def _run_with(r: Reading, row: Row) -> None:
    if (call := r.call_behind(row[1])) >= 0:
        r.record.mark(call, Bit.MANAGED)
    entered = r.value(row[1])
    found = swallows(r, entered)
    if found == NEVER:
        r.frames.append(Frame({}, True))
        return
    frame = Frame(dict(r.env), r.dead)
    if found == MAY:
        frame.optional = _catches(r, _suppressed(r, entered))
        _collect(r, frame)
    else:
        r.frames.append(frame)


def _suppressed(r: Reading, entered: Atoms) -> list[Atoms]:
    """Return what `contextlib.suppress` is called with."""
    found: list[Atoms] = []
    for atom in entered:
        if isinstance(atom, str) and atom.startswith("!"):
            _, callee, arguments, _, _ = r.o.rows[int(atom[1:].partition(".")[0])]
            found += r.list_values(arguments) if SUPPRESS in r.value(callee) else ()
    return found


def _run_end_with(r: Reading, _row: Row) -> None:
    frame = r.frames.pop()
    r.optional -= frame.optional
    if r.collecting and r.collecting[-1] is frame:
        r.collecting.pop()
        if not frame.saved_dead:
            frame.exits.append({**frame.saved, **_raised(frame, frame.weak)})
        _leave_by(r, frame)
    elif r.dead and not frame.saved_dead:
        # Nobody can tell whether it swallows: what stands behind may run, but that it then gives nothing is not said.
        r.env, r.dead = merged([frame.saved, r.env]), False
        r.env[SWALLOWED] = EARLY


CONTROL: dict[int, Callable[[Reading, Row], None]] = {
    Op.FORK: _run_fork,
    Op.ALT: _run_alt,
    Op.JOIN: _run_join,
    Op.LOOP: _run_loop,
    Op.LEAVE: _run_leave,
    Op.EXHAUSTED: _run_exhausted,
    Op.END_LOOP: _run_end_loop,
    Op.STOP: _run_stop,
    Op.TRY: _run_try,
    Op.END_BODY: _run_end_body,
    Op.HANDLERS: _run_handlers,
    Op.HANDLER: _run_handler,
    Op.FINALLY: _run_finally,
    Op.END_TRY: _run_end_try,
    Op.WITH: _run_with,
    Op.END_WITH: _run_end_with,
}
