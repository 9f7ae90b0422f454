"""How do choices, loops, handlers and early ends shape what names hold?"""

from __future__ import annotations

from collections.abc import Callable

from abutment.semantics.outline import ROW, Op, Row
from abutment.semantics.reading import ANY, UNBOUND, Atoms, Env, Frame, Reading, merged

_IMPORT_ERRORS = {f"builtins:{name}" for name in ("ImportError", "ModuleNotFoundError", "Exception", "BaseException")}


def _run_fork(r: Reading, row: Row) -> None:
    frame = Frame(dict(r.env), r.dead, r.guard, r.condition(row[1]))
    r.frames.append(frame)
    r.guard = r.guarded(frame.condition, False, frame.guard)


def _run_alt(r: Reading, _row: Row) -> None:
    frame = r.frames[-1]
    if not r.dead:
        frame.exits.append(r.env)
    r.env, r.dead = frame.saved, frame.saved_dead
    r.guard = r.guarded(frame.condition, True, frame.guard)


def _run_join(r: Reading, _row: Row) -> None:
    frame = r.frames.pop()
    r.guard = frame.guard
    _leave_by(r, frame)


def _leave_by(r: Reading, frame: Frame) -> None:
    """Go on from every way out of a frame, the current one among them."""
    if not r.dead:
        frame.exits.append(r.env)
    r.dead = not frame.exits
    if frame.exits:
        r.env = merged(frame.exits)


def _run_loop(r: Reading, _row: Row) -> None:
    frame = Frame(dict(r.env), r.dead)
    for name in _bound_in_loop(r):  # the next time round sees what this time bound
        r.env[name] = r.env.get(name, UNBOUND) | ANY
    frame.exits.append(frame.saved)
    r.frames.append(frame)
    r.loops.append(frame)


def _bound_in_loop(r: Reading) -> set[str]:
    """Return the names that the loop which starts at this row binds, as the environment knows them."""
    names, depth, at = set[str](), 0, r.row_at
    while True:
        op, a, _, _, _ = r.o.rows[at]
        depth += (op in (Op.LOOP, Op.CLASS)) - (op in (Op.END_LOOP, Op.END_CLASS))
        if depth == 0:
            return names
        if op in (Op.BIND, Op.UNBIND, Op.AUGMENT, Op.DEF, Op.CLASS):
            names.add(r.class_prefix + r.o.strings[a])
        elif op == Op.IMPORT:
            names.add(r.class_prefix + r.o.strings[r.o.imports[a].alias])
        at += 1


def _run_leave(r: Reading, _row: Row) -> None:
    if r.loops:
        r.loops[-1].exits.append(dict(r.env))
    r.dead = True


def _run_end_loop(r: Reading, _row: Row) -> None:
    frame = r.frames.pop()
    r.loops.pop()
    _leave_by(r, frame)


def _run_stop(r: Reading, _row: Row) -> None:
    r.dead = True


def _run_try(r: Reading, row: Row) -> None:
    frame = Frame(dict(r.env), r.dead, optional=_catches(r, r.list_values(row[1])), collecting=True)
    r.optional += frame.optional
    r.frames.append(frame)


def _catches(r: Reading, kinds: list[Atoms]) -> bool:
    """Say whether an `except` of these kinds takes an ImportError."""
    for kind in kinds:
        for atom in kind:
            if isinstance(atom, int):
                if any(part & _IMPORT_ERRORS for _, part in r.parts.get(atom, ())):
                    return True
            elif atom in _IMPORT_ERRORS:
                return True
    return False


def _run_end_body(r: Reading, _row: Row) -> None:
    frame = r.frames[-1]
    r.optional -= frame.optional
    frame.collecting = False


def _run_handlers(r: Reading, _row: Row) -> None:
    if not r.dead:
        r.frames[-1].exits.append(r.env)
    r.dead = True


def _run_handler(r: Reading, _row: Row) -> None:
    frame = r.frames[-1]
    if not r.dead:
        frame.exits.append(r.env)
    r.env, r.dead = _raised(frame), frame.saved_dead


def _raised(frame: Frame) -> Env:
    """Return the union of every state that a body went through."""
    env = dict(frame.saved)
    for name, atoms in frame.weak.items():
        env[name] = env.get(name, UNBOUND) | atoms
    return env


def _run_finally(r: Reading, _row: Row) -> None:
    frame = r.frames[-1]
    frame.in_finally = True
    _leave_by(r, frame)
    frame.saved_dead = r.dead
    if r.dead:  # a `finally` runs on the way out, too
        r.env = _raised(frame)
    r.dead = False


def _run_end_try(r: Reading, _row: Row) -> None:
    frame = r.frames.pop()
    if frame.in_finally:
        r.dead = r.dead or frame.saved_dead
    else:
        _leave_by(r, frame)


def _run_with(r: Reading, row: Row) -> None:
    suppressed = _suppressed(r, row[1])
    frame = Frame({}, r.dead)
    if suppressed is not None:
        frame = Frame(dict(r.env), r.dead, optional=_catches(r, suppressed), collecting=True)
    r.optional += frame.optional
    r.frames.append(frame)


def _suppressed(r: Reading, operand: int) -> list[Atoms] | None:
    """Return what `contextlib.suppress` is called with; None for another call."""
    if operand & 3 != ROW:
        return None
    op, callee, arguments, _, _ = r.o.rows[operand >> 2]
    return r.list_values(arguments) if op == Op.CALL and "contextlib:suppress" in r.value(callee) else None


def _run_end_with(r: Reading, _row: Row) -> None:
    frame = r.frames.pop()
    r.optional -= frame.optional
    if frame.collecting:
        frame.exits.append(_raised(frame))
        _leave_by(r, frame)


CONTROL: dict[int, Callable[[Reading, Row], None]] = {
    Op.FORK: _run_fork,
    Op.ALT: _run_alt,
    Op.JOIN: _run_join,
    Op.LOOP: _run_loop,
    Op.LEAVE: _run_leave,
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
