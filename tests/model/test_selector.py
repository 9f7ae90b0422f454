"""A selector means whole segments of a dotted name, and never a text that one begins with."""

from __future__ import annotations

import pytest

from abutment.model.selector import Selector, within


@pytest.mark.parametrize(
    ("text", "module", "meant"),
    [
        ("app.db", "app.db", True),
        ("app.db", "app.db.models", True),
        ("app.db", "app.dbx", False),
        ("app.db", "app", False),
        ("=app.db", "app.db", True),
        ("=app.db", "app.db.models", False),
        ("app.*.db", "app.web.db", True),
        ("app.*.db", "app.web.db.models", True),
        ("app.*.db", "app.db", False),
        ("app.*.db", "app.web.core.db", False),
        ("app.**.db", "app.web.core.db", True),
        ("=app.*", "app.web", True),
        ("=app.*", "app.web.db", False),
        ("**", "any.module", True),
        ("a.b", "axb", False),  # a dot is a dot
        ("a.*.c+", "a.b.c+", True),
        ("a.*.c+", "a.b.ccc", False),
    ],
)
def test_a_selector_means_whole_segments(text: str, module: str, meant: bool) -> None:
    assert Selector(text).matches(module) == meant


@pytest.mark.parametrize("text", ["", "=", "a..b", ".a", "a.", " a", "a ", "a.b*", "a.***", "*a.b"])
def test_what_is_no_dotted_name_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"is no dotted module name|must be a whole segment"):
        Selector(text)


def test_a_selector_says_what_kind_it_is() -> None:
    kinds = {text: (Selector(text).name, Selector(text).exact, Selector(text).wild) for text in ("a", "=a", "a.*")}
    assert kinds == {"a": ("a", False, False), "=a": ("a", True, False), "a.*": ("a.*", False, True)}


def test_within_ends_at_a_dot() -> None:
    assert within("a.b", "a")
    assert within("a", "a")
    assert not within("ab", "a")
