"""Which names of a configuration look wrong, though nobody can prove that they are?

What lies outside of the codebase is not read, and a module with `__getattr__` may have anything. A name there is never
refused; one that stands for nothing, as far as can be told, is named in a note.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from types import ModuleType

from abutment.facts.named import defined, home_of, names_below
from abutment.gates.named import Named
from abutment.model.likeness import alike
from abutment.semantics.program import OTHERS, Program


def unseen(program: Program, named: Iterable[Named]) -> Iterator[str]:
    """Yield a note for each name that looks as if nothing stood under it; those that are refused are left out."""
    for one in named:
        name = (defined(program, one.name) or "").removesuffix(".*")
        home = home_of(program, name)
        doubt = _of_ours(program, home, name) if home else _of_others(program, name) if name else ""
        if doubt:
            yield f"{one.key}: {doubt}"


def _of_ours(program: Program, home: str, name: str) -> str:
    """Return what is odd of a name in a module of the codebase that may have names nobody sees."""
    symbol = name[len(home) + 1 :].partition(".")[0]
    names = program.exports.get(home, {})
    if not symbol or OTHERS not in names or symbol in names:
        return ""
    near = alike(symbol, names_below(program, home), 1)
    return f"{home} has no {symbol} that can be seen{_meant(f'{home}.{one}' for one in near)}"


def _of_others(program: Program, name: str) -> str:
    """Return what is odd of a name outside of the codebase."""
    top, _, below = name.partition(".")
    if top in sys.stdlib_module_names:
        return _lost(_library()[top], below) if top in _library() else ""
    imported = {program.columns.names[at].partition(".")[0] for at in set(program.columns.imported)}
    if top in imported:
        return ""
    near = alike(top, imported | {one.partition(".")[0] for one in program.modules} | sys.stdlib_module_names, 1)
    return f"nothing imports {top}{_meant(near)}" if near else ""  # banned before anybody used it


def _lost(module: ModuleType, below: str) -> str:
    """Return what is odd of a name in the standard library: it is not there, and another one is that may be meant.

    What is there in another version, or on another system, is not odd.
    """
    found: object = module
    above = module.__name__
    for part in below.replace("()", "").split(".") if below else ():
        if not hasattr(found, part):
            is_fixed = isinstance(found, type) and not found.__dictoffset__  # its instances have no others
            near = _near(found, part) if isinstance(found, ModuleType) or is_fixed else ()
            meant = (f"{above}.{one}" for one in near)
            return f"{above} has no {part} in Python {_PYTHON}{_meant(meant)}" if near else ""
        found, above = getattr(found, part), f"{above}.{part}"
    return ""


def _near(owner: object, name: str) -> tuple[str, ...]:
    """Return what a module or a class has instead of a name: in a class of its own, or one that is spelt alike."""
    inside = (one for one in dir(owner) if isinstance(vars(owner).get(one), type) and one[0] != "_")
    deeper = [f"{one}.{name}" for one in inside if name in vars(vars(owner)[one])]
    return (*deeper[:1], *alike(name, dir(owner), 1))[:1]


def _meant(near: Iterable[str]) -> str:
    return "".join(f"; did you mean {one}?" for one in near) or "."


_PYTHON = f"{sys.version_info.major}.{sys.version_info.minor}"


@cache
def _library() -> Mapping[str, ModuleType]:
    """Return the modules of the standard library whose names are looked up: what rules are mostly about."""
    import builtins
    import datetime
    import logging
    import os
    import pathlib
    import random
    import socket
    import threading
    import time
    import uuid
    import warnings

    known = (builtins, datetime, logging, os, pathlib, random, socket, sys, threading)
    return {one.__name__: one for one in (*known, time, uuid, warnings)}
