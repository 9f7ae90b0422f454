"""How do a file's bytes become a syntax tree, or a reason why not?"""

from __future__ import annotations

import ast
import codecs
import io
import re
import sys
import tokenize
import warnings

from abutment.semantics.grammar import GRAMMAR
from abutment.semantics.outline import Unparsed

_COOKIE = re.compile(rb"^[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)")
_BLANK = re.compile(rb"^[ \t\f]*(?:#.*)?$")
# Frames that a second try may use. Seven thousand levels of syntax take less than a megabyte of stack.
_DEEP_FRAMES = 2_400


def parse(source: bytes) -> ast.Module | Unparsed:
    """Return the file's tree, or why there is none. Nothing is printed and no warning escapes."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # an invalid escape is not ours to report, nor to turn into an error
        try:
            return _tree(source)
        except SyntaxError as error:
            return _unparsed(source, error)
        except ValueError as error:  # null bytes, before 3.11.4
            return _with_null(source, str(error))
        except (RecursionError, MemoryError) as error:
            return given_up(error)


def _tree(source: bytes) -> ast.Module:
    try:
        return ast.parse(source)
    except RecursionError:
        # How deep the parser may go depends on how deep its caller stands; the second try makes the answer
        # the same wherever we are called from.
        limit = sys.getrecursionlimit()
        sys.setrecursionlimit(_frames() + _DEEP_FRAMES)
        try:
            return ast.parse(source)
        finally:
            sys.setrecursionlimit(limit)


def _frames() -> int:
    frame, count = sys._getframe(), 1
    while frame.f_back is not None:
        frame, count = frame.f_back, count + 1
    return count


def given_up(error: RecursionError | MemoryError) -> Unparsed:
    """Return why the parser stopped half-way.

    CPython's parser raises MemoryError where its own stack of 6,000 levels ends (`MAXSTACK` in `Parser/pegen.h`), from
    3.12 on with a message of its own, before with none: then it looks like memory that ran out. The interpreter's
    stack may depend on the thread and the machine, too (3.14), so neither answer holds for another run.
    """
    deep = f"nests deeper than {GRAMMAR} can read"
    if isinstance(error, MemoryError) and "stack" not in str(error):
        remedy = "Run again with more memory. If that does not help, split its longest expression, or exclude it."
        return Unparsed(0, f"could not be parsed: memory ran out, or it {deep}", remedy, lasting=False)
    return Unparsed(0, deep, "Split the expression or statement, or exclude it.", lasting=False)


def _unparsed(source: bytes, error: SyntaxError) -> Unparsed:
    message = (error.msg or "invalid syntax").replace("\n", " ")
    if "null bytes" in message:
        return _with_null(source, message)
    undecodable = undecodable_line(source) if "codec can't decode" in message else 0
    if not error.lineno or undecodable:
        line = undecodable if "codec can't decode" in message else _cookie_line(source)
        return Unparsed(line, f"cannot be decoded: {message}", "Save it as UTF-8, or name its true encoding.")
    return Unparsed(error.lineno, f"does not parse with the grammar of {GRAMMAR}: {message}", _remedy(message))


def _remedy(message: str) -> str:
    if message.startswith(("(unicode error)", "(value error)")):  # as in "C:\Users": the file's own bytes are fine
        return 'Double the backslash, or write a raw literal (r"…"), or exclude the file.'
    return f"Mend the file, exclude it, or run abutment with a newer Python if its syntax is newer than {GRAMMAR}."


def _with_null(source: bytes, message: str) -> Unparsed:
    line = plain_newlines(source[: source.find(b"\0")]).count(b"\n") + 1
    return Unparsed(line, f"is no Python source: {message}", "Save it as UTF-8 text, or exclude it.")


def _cookie_line(source: bytes) -> int:
    first = plain_newlines(source[:4096]).split(b"\n")[0]
    return 1 if _COOKIE.match(first.removeprefix(codecs.BOM_UTF8)) else 2


def undecodable_line(source: bytes) -> int:
    """Return the 1-based line of the first byte that the file's encoding refuses; 0 where none does."""
    for number, line in enumerate(plain_newlines(source).split(b"\n"), 1):
        try:
            line.decode(encoding_of(source))
        except (UnicodeError, LookupError):
            return number
    return 0


def encoding_of(source: bytes) -> str:
    """Return the codec that PEP 263 gives the file; "utf-8" where it says nothing."""
    for line in plain_newlines(source[:4096]).split(b"\n")[:2]:
        found = _COOKIE.match(line.removeprefix(codecs.BOM_UTF8))
        if found:
            return _codec(found[1].decode("ascii", "replace"))
        if not _BLANK.match(line.removeprefix(codecs.BOM_UTF8)):
            break
    return "utf-8"


def _codec(name: str) -> str:
    """Return the codec's own name: Emacs writes its line ends after it (`utf-8-unix`), and CPython allows that."""
    plain = name.lower().replace("_", "-")
    for codec in ("utf-8", "latin-1", "iso-8859-1", "iso-latin-1"):
        if plain.startswith(f"{codec}-"):
            return codec.removeprefix("iso-") if "latin" in codec else codec
    return name


def text_of(source: bytes) -> str:
    """Return the text of a file that parsed, with every line end as LF and without the signature."""
    plain = plain_newlines(source.removeprefix(codecs.BOM_UTF8))
    try:
        return plain.decode(encoding_of(source))
    except (UnicodeError, LookupError):  # a codec that reads lines, but not a whole file
        return plain.decode("utf-8", "replace")


def plain_newlines(source: bytes) -> bytes:
    """Return the bytes with CRLF and CR as LF, as the parser reads them."""
    return source.replace(b"\r\n", b"\n").replace(b"\r", b"\n") if b"\r" in source else source


def comments(text: str) -> list[tuple[int, str]]:
    """Return (line, text) of every comment of a file that parsed."""
    found: list[tuple[int, str]] = []
    try:
        tokens = tokenize.generate_tokens(io.StringIO(text).readline)
        found.extend((token.start[0], token.string) for token in tokens if token.type == tokenize.COMMENT)
    except (tokenize.TokenError, SyntaxError):
        # The pure-Python tokenizer refuses a few files that the parser accepts; what it saw is what there is.
        return found
    return found
