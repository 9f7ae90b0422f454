"""What a short program reaches when CPython runs it, place by place, in the words of the conformance suite.

    reached("import markers\\nmarkers.A().m()\\n")

`markers` is a module that is not there: whatever is taken from it knows the path by which it was reached. Every call,
decorator and attribute read of the program is wrapped to note what it found; there is nothing else to import but
`contextlib` and `functools`. `c()` tosses a coin, `r()` sometimes
raises `Stop`, and so does now and then every call; what is tossed depends on the seed alone.
"""

from __future__ import annotations

import ast
import builtins
import contextlib
import functools
import re
import types
import warnings
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from random import Random

Spot = tuple[str, int, int, int, int]  # verb, line, column, end line, end column, as `Site` counts them

# Until 3.11 a comprehension is a function of its own (PEP 709).
_COMPREHENSION = re.compile(r"<(?:listcomp|setcomp|dictcomp|genexpr)>\.(?:<locals>\.)?")

_MOST_STEPS = 250
_SEEDS = 10


class Stop(Exception):
    """Raised where a program may expect it."""


class Enough(BaseException):
    """The program has run long enough."""


class Toss:
    """The chance and the budget of one run."""

    def __init__(self, seed: int) -> None:
        self._random, self._steps = Random(seed), _MOST_STEPS
        self._raises = 0.0 if seed % 2 else 0.06
        self._bases: dict[str, type] = {}

    def step(self) -> None:
        self._steps -= 1
        if self._steps < 0:
            raise Enough

    def coin(self) -> bool:
        self.step()
        return self._random.random() < 0.5

    def stumble(self, chance: float | None = None) -> None:
        self.step()
        if self._random.random() < (self._raises if chance is None else chance):
            raise Stop

    def base(self, path: str) -> type:
        """Return a class that stands for one from outside where a program inherits from it."""
        if path not in self._bases:
            self._bases[path] = type(path, (), {name: _Inherited(path, name, self) for name in self._has(path)})
        return self._bases[path]

    @staticmethod
    def _has(path: str) -> tuple[str, ...]:
        return ("n", "o") if path.endswith("Other") else ("m", "n")


class Mark:
    """Something from outside, which knows the path by which it was reached."""

    __slots__ = ("_mark", "_toss")

    def __init__(self, path: str, toss: Toss) -> None:
        self._mark, self._toss = path, toss

    def __getattr__(self, name: str) -> Mark:
        if name.startswith("__"):
            raise AttributeError(name)
        return Mark(f"{self._mark}.{name}", self._toss)

    def __setattr__(self, name: str, value: object) -> None:
        if name not in Mark.__slots__:
            raise AttributeError(name)
        object.__setattr__(self, name, value)

    def __call__(self, *_arguments: object, **_named: object) -> Mark:
        return Mark(f"{self._mark}()", self._toss)

    def __getitem__(self, _key: object) -> Mark:
        return Mark(f"{self._mark}[]", self._toss)

    def __iter__(self) -> Iterator[Mark]:
        yield Mark(f"{self._mark}[]", self._toss)
        yield Mark(f"{self._mark}[]", self._toss)

    def __bool__(self) -> bool:
        return self._toss.coin()

    def close(self) -> None:
        return None

    def __enter__(self) -> Mark:
        return self

    def __exit__(self, *_raised: object) -> None:
        return None

    def __mro_entries__(self, _bases: object) -> tuple[type]:
        return (self._toss.base(self._mark),)


class _Inherited:
    """An attribute of a class from outside."""

    def __init__(self, path: str, name: str, toss: Toss) -> None:
        self._path, self._name, self._toss = path, name, toss

    def __get__(self, instance: object, _owner: type) -> Mark:
        return Mark(f"{self._path}{'' if instance is None else '()'}.{self._name}", self._toss)


def reached(text: str) -> Mapping[Spot, set[str]]:
    """Return what was found at each place, over several runs; raises SyntaxError for what Python refuses."""
    found: defaultdict[Spot, set[str]] = defaultdict(set)
    code = _instrumented(text)
    for seed in range(_SEEDS):
        _run(code, Toss(seed), lambda spot, value: _note(found, spot, value))
    return found


def _instrumented(text: str) -> types.CodeType:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SyntaxWarning)
        compile(text, "m.py", "exec")  # what is wrong with the text itself
        return compile(ast.fix_missing_locations(_Wrapper().visit(ast.parse(text))), "m.py", "exec")


class _Wrapper(ast.NodeTransformer):
    """Has every callee, decorator and attribute handed to `_see_`."""

    def visit_Call(self, node: ast.Call) -> ast.AST:
        spot = _spot("call", node)
        node.func = self._path(node.func)
        node.args = [self.visit(one) for one in node.args]
        node.keywords = [self.visit(one) for one in node.keywords]
        node.func = _seen(spot, node.func)
        return node

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        spot, is_read = _spot("read", node), isinstance(node.ctx, ast.Load) and _is_path(node)
        node.value = self._path(node.value)
        return _seen(spot, node) if is_read else node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        return self._decorated(node)

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        return self._decorated(node)

    def _decorated(self, node: ast.FunctionDef | ast.ClassDef) -> ast.AST:
        spots = [_spot("decorate", one) for one in node.decorator_list]
        self.generic_visit(node)
        node.decorator_list = [_seen(*pair) for pair in zip(spots, node.decorator_list, strict=True)]
        return node

    def _path(self, node: ast.expr) -> ast.expr:
        """Visit what stands before the dots, and not the path itself: only all of it is a use."""
        if not isinstance(node, ast.Attribute):
            visited: ast.expr = self.visit(node)
            return visited
        node.value = self._path(node.value)
        return node


def _is_path(node: ast.expr) -> bool:
    """Say whether an expression is nothing but names and dots."""
    while isinstance(node, ast.Attribute):
        node = node.value
    return isinstance(node, ast.Name)


def _spot(verb: str, node: ast.expr) -> Spot:
    return (verb, node.lineno, node.col_offset + 1, node.end_lineno or 0, (node.end_col_offset or 0) + 1)


def _seen(spot: Spot, node: ast.expr) -> ast.expr:
    place = ast.Tuple([ast.Constant(part) for part in spot], ast.Load())
    return ast.copy_location(ast.Call(ast.Name("_see_", ast.Load()), [place, node], []), node)


def _run(code: types.CodeType, toss: Toss, note: Callable[[Spot, object], None]) -> None:
    def see(spot: Spot, value: object) -> object:
        toss.step()
        note(spot, value)
        if spot[0] == "call" and value not in (toss.coin, toss.stumble):
            toss.stumble()
        return value

    def bring(name: str, *_rest: object) -> object:
        return {"contextlib": contextlib, "functools": functools, "markers": Mark("markers", toss)}[name]

    given = {
        **vars(builtins),
        "__import__": bring,
        "_see_": see,
        "c": toss.coin,
        "r": lambda: toss.stumble(0.4),
        "Stop": Stop,
    }
    # Code that swallows `Enough` in many handlers one after the other still ends: all its loops are bounded.
    with contextlib.suppress(Exception, Enough):
        exec(code, {"__name__": "m", "__builtins__": given})


def _note(found: Mapping[Spot, set[str]], spot: Spot, value: object) -> None:
    said = _said(value)
    if said is not None:
        found[spot].add(said)


def _said(value: object) -> str | None:
    """Return a value as an origin; None for what is not asked about."""
    if value is None:
        return "None"
    if type(value) is Mark:
        return value._mark
    if isinstance(value, types.MethodType):
        return _said(value.__func__)
    if isinstance(value, functools.partial):
        return _said(value.func)
    own = isinstance(value, types.FunctionType) and value.__code__.co_filename == "m.py"
    if hasattr(value, "__wrapped__") and not own:
        return _said(value.__wrapped__)
    if isinstance(value, types.FunctionType):
        return f"m:{_COMPREHENSION.sub('', value.__code__.co_qualname)}" if own else None
    if isinstance(value, type):
        return f"m:{value.__qualname__}" if value.__module__ == "m" else None
    return f"m:{type(value).__qualname__}()" if type(value).__module__ == "m" else None
