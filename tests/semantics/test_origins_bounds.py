"""Sources that are large or turn in circles: each is answered, in about linear work, or the answer says `?`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import pytest

from abutment.semantics.uses import Use, Uses
from tests.uses import counted_calls, uses_of

Source = str | Mapping[str, str]

_MOST_GROWTH = 4  # of work, where the source doubles; linear work gives 2
_MOST_ORIGINS = 4_000  # of one value, where the source is a few lines


@dataclass(frozen=True)
class Answer:
    """What one source gave, and how much work it was."""

    uses: Uses
    found: list[Use]
    work: int  # calls that Python made for it, which do not depend on the machine

    @property
    def last(self) -> frozenset[str]:
        return self.found[-1].origins


def asked(source: Source) -> Answer:
    files = {"m.py": source} if isinstance(source, str) else source
    with counted_calls() as calls:
        uses = uses_of(files)
        found = list(uses.every("m"))
    return Answer(uses, found, calls.made)


def lines(*parts: str) -> str:
    return "\n".join(("import requests", *parts)) + "\n"


def each(size: int, form: Callable[[int], str]) -> list[str]:
    return [form(index) for index in range(size)]


# ---- sources; the use that matters stands last


def chain_of_names(n: int) -> str:
    return lines("x0 = requests", *each(n, lambda i: f"x{i + 1} = x{i}"), f"x{n}.get('x')")


def chain_of_locals(n: int) -> str:
    return lines("def f():", "    x0 = requests", *each(n, lambda i: f"    x{i + 1} = x{i}"), f"    x{n}.get('x')")


def mutual_recursion(n: int) -> str:
    functions = each(n, lambda i: f"def f{i}(k):\n    return f{(i + 1) % n}(k) if k else requests.Session()")
    return lines(*functions, "f0(1).get('x')")


def returns_in_a_row(n: int) -> str:
    functions = each(n, lambda i: f"def f{i + 1}():\n    return f{i}()")
    return lines("def f0():\n    return requests.Session()", *functions, f"f{n}().get('x')")


def many_returns(n: int) -> str:
    returns = each(n, lambda i: f"    if k == {i}: return requests.a{i}")
    return lines("def g(k):", *returns, "g(1).get('x')")


def functions_that_call_each_other(n: int) -> str:
    functions = each(
        n, lambda i: f"def f{i}(s):\n    f{(i * 7 + 1) % n}(s)\n    f{(i * 3 + 2) % n}(requests)\n    s.get('x')"
    )
    return lines(*functions)


def callers_of_one_function(n: int) -> str:
    return lines("def f():", *each(n, lambda i: f"    use(requests.a{i})"), "def use(s):", "    s.get('x')")


def annotated_functions_in_a_row(n: int) -> str:
    functions = each(n, lambda i: f"def f{i + 1}(s: requests.Session):\n    f{i}(s.x)")
    return lines(*functions, "def f0(s: requests.Session):\n    s.get('x')")


def methods_in_a_ring(n: int) -> str:
    methods = each(n, lambda i: f"    def m{i}(self):\n        self.m{(i + 1) % n}()\n        self.s.get('x')")
    return lines("class C:", "    def __init__(self):", "        self.s = requests.Session()", *methods)


def fields_of_fields(n: int) -> str:
    classes = each(n, lambda i: f"class C{i + 1}:\n    def __init__(self):\n        self.s = C{i}().s")
    first = "class C0:\n    def __init__(self):\n        self.s = requests"
    return lines(first, *classes, f"C{n}().s.get('x')")


def attributes_that_are_made_of_each_other(n: int) -> str:
    """Return a class of whose attributes each is made by some of those before it, any of which may be a descriptor."""
    makers = each(n, lambda i: f"def f{i}(k):\n    return C().a{max(i - 1, 0)}() if k else C().a{max(i - 2, 0)}()")
    attributes = each(n, lambda i: f"    a{i + 1} = f{i}(1)")
    made = "class D:\n    def __get__(self, one, kind):\n        return requests.get"
    return lines(*makers, made, "class C:", "    a0 = D()", *attributes, f"C().a{n}('x')", "C().a0('x')")


def attributes_set_from_outside(n: int) -> str:
    """Return what is set on values that are declared, beside which something stands that all of them lead to."""
    functions = each(n, lambda i: f"def f{i}(k) -> C:\n    k = f{(i + 1) % n}(k).s\n    return k")
    settings = each(n, lambda i: f"    c: C = f{i}(1)\n    c.s = f{i}(c)")
    first = "class C:\n    def __init__(self):\n        self.s = requests"
    return lines(first, *functions, "def g():", *settings, "C().s.get('x')")


def methods_that_give_more_of_each_other(n: int) -> str:
    form = "    def m{0}(self, k):\n        return self.m{1}(k).copy() if k else self.m{2}(k).m{0}(k)"
    methods = each(n, lambda i: form.format(i, (i + 1) % n, (i + 2) % n))
    calls = each(n, lambda i: f"    c.m{i}(1).get{i}('x')")
    return lines("class C:", "    def copy(self):\n        return C()", *methods, "def f(c: C):", *calls)


def many_siblings(n: int) -> str:
    classes = each(n, lambda i: f"class B{i}(A):\n    def __init__(self):\n        self.s = requests.a{i}")
    return lines("class A: pass", *classes, f"B{n - 1}().s.get('x')")


def many_bases(n: int) -> str:
    bases = ", ".join(each(n, lambda i: f"B{i}"))
    return lines(*each(n, lambda i: f"class B{i}: pass"), f"class C({bases}, requests.Session): pass", "C().get('x')")


def deep_classes(n: int) -> str:
    classes = each(n, lambda i: f"class C{i + 1}(C{i}): pass")
    return lines("class C0(requests.Session): pass", *classes, f"C{n}().get('x')")


def diamonds(n: int) -> str:
    classes = each(n, lambda i: f"class A{i}(C{i}): pass\nclass B{i}(C{i}): pass\nclass C{i + 1}(A{i}, B{i}): pass")
    return lines("class C0(requests.Session): pass", *classes, f"C{n}().get('x')")


def crossed_bases(n: int) -> str:
    """Return a hierarchy that Python refuses: each pair of classes orders the pair above both ways."""
    classes = each(n, lambda i: f"class A{i + 1}(A{i}, B{i}): pass\nclass B{i + 1}(B{i}, A{i}): pass")
    first = "class A0(requests.Session): pass\nclass B0(requests.Session): pass"
    return lines(first, *classes, f"A{n}().get('x')")


def loops_down_a_list(n: int) -> str:
    loops = each(n, lambda _: "    while k():\n        x = x.next")
    return lines("def f(k):", "    x = requests.get('x')", *loops, "    x.get('x')")


def loops_that_bind(n: int) -> str:
    loops = each(n, lambda i: f"    for x in k:\n        c = requests.a{i}")
    return lines("def f(k):", "    c = requests", *loops, "    c.get('x')")


def many_branches(n: int) -> str:
    branches = each(n, lambda i: f"    if k == {i}:\n        c = requests")
    return lines("def f(k):", "    c = requests", *branches, "    c.get('x')")


def a_ladder(n: int) -> str:
    arms = each(n, lambda i: f"    elif k == {i}:\n        c = requests.a{i}")
    return lines("def f(k):", "    if k:\n        c = requests", *arms, "    c.get('x')")


def a_large_table(n: int) -> str:
    pairs = ", ".join(each(n, lambda i: f"'k{i}': requests.a{i}"))
    return lines(f"T = {{{pairs}}}", f"T['k{n - 1}'].get('x')")


def a_large_display(n: int) -> str:
    return lines(f"for c in [{', '.join(each(n, lambda i: f'requests.a{i}'))}]:", "    c.get('x')")


def functions_that_fill_a_table(n: int) -> str:
    functions = each(n, lambda i: f"def f{i}():\n    T['k{i}'] = requests.a{i}\n    T['x'].get('x')")
    return lines("T = {}", *functions)


def methods_that_fill_a_field(n: int) -> str:
    methods = each(n, lambda i: f"    def m{i}(self):\n        self.t['k{i}'] = requests\n        self.t['x'].get('x')")
    return lines("class C:", "    def __init__(self):", "        self.t = {}", *methods)


def a_list_that_grows(n: int) -> str:
    return lines("x = []", *each(n, lambda i: f"x.append(requests.a{i})"), "for c in x:", "    c.get('x')")


def many_lambdas(n: int) -> str:
    return lines(f"x = [{', '.join(each(n, lambda _: 'lambda: requests.get(1)'))}]")


def lambdas_inside_each_other(n: int) -> str:
    return lines("f = " + "lambda: " * n + "requests.get('x')")


def functions_inside_each_other(n: int) -> str:
    functions = each(n, lambda i: " " * (i + 1) + f"def f{i}():")
    return lines("def f():", " s = requests", *functions, " " * (n + 1) + "s.get('x')")


def globals_set_by_functions(n: int) -> str:
    functions = each(n, lambda i: f"def f{i}():\n    global g{i}\n    g{i} = requests")
    return lines(*functions, "requests.get('x')")


def many_parameters(n: int) -> str:
    parameters = ", ".join(each(n, lambda i: f"p{i}: requests.Session"))
    return lines(f"def f({parameters}):", f"    p{n - 1}.get('x')")


def reexports_in_a_row(n: int) -> Source:
    modules = {f"m{i + 1}.py": f"from m{i} import get\n" for i in range(n)}
    return {"m0.py": "from requests import get\n", **modules, "m.py": f"from m{n} import get\nget('x')\n"}


def stars_in_a_row(n: int) -> Source:
    modules = {f"m{i + 1}.py": f"from m{i} import *\n" for i in range(n)}
    return {"m0.py": "import requests\n", **modules, "m.py": f"from m{n} import *\nrequests.get('x')\n"}


_GET, _SESSION, _FIRST = {"requests.get"}, {"requests.Session().get"}, {"requests.a0.get"}

GROWING: list[tuple[Callable[[int], Source], int, set[str]]] = [
    (chain_of_names, 1666, _GET),
    (chain_of_locals, 1666, _GET),
    (mutual_recursion, 166, _SESSION),
    (returns_in_a_row, 166, _SESSION),
    (many_returns, 250, _FIRST),
    (functions_that_call_each_other, 200, _GET),
    (callers_of_one_function, 333, _FIRST),
    (annotated_functions_in_a_row, 166, _SESSION),
    (methods_in_a_ring, 166, _SESSION),
    (fields_of_fields, 50, _GET),
    (attributes_that_are_made_of_each_other, 8, _GET),
    (attributes_set_from_outside, 4, _GET),
    (many_siblings, 166, set()),
    (many_bases, 16, _SESSION),
    (crossed_bases, 10, _SESSION),
    (loops_down_a_list, 50, {"requests.get().get", "requests.get().next.get", "?"}),
    (loops_that_bind, 100, _FIRST),
    (many_branches, 666, _GET),
    (a_ladder, 250, _FIRST),
    (a_large_table, 1666, set()),
    (a_large_display, 666, _FIRST),
    (functions_that_fill_a_table, 30, {"requests.a0.get", "?"}),
    (methods_that_fill_a_field, 166, {"requests.get", "?"}),
    (a_list_that_grows, 333, _FIRST),
    (many_lambdas, 333, set()),
    (lambdas_inside_each_other, 166, _GET),
    (functions_inside_each_other, 15, _GET),
    (globals_set_by_functions, 333, _GET),
    (many_parameters, 333, _SESSION),
    (reexports_in_a_row, 83, _GET),
    (stars_in_a_row, 66, _GET),
]


@pytest.mark.parametrize(("build", "size", "reached"), GROWING, ids=lambda one: getattr(one, "__name__", None))
def test_twice_the_source_is_not_much_more_than_twice_the_work(
    build: Callable[[int], Source], size: int, reached: set[str]
) -> None:
    once, twice = asked(build(size)), asked(build(2 * size))
    for answer in (once, twice):
        assert reached <= answer.last
        assert all(use.origins for use in answer.found)
    assert twice.work < _MOST_GROWTH * once.work


@pytest.mark.xfail(strict=True, reason="each question goes round all of them, with what it has to do itself")
def test_methods_that_give_more_of_each_other_are_not_much_more_than_twice_the_work() -> None:
    once, twice = (asked(methods_that_give_more_of_each_other(size)) for size in (8, 16))
    assert twice.work < _MOST_GROWTH * once.work


@pytest.mark.parametrize("build", [deep_classes, diamonds])
def test_a_class_hierarchy_twice_as_deep_is_not_much_more_than_twice_the_work(build: Callable[[int], str]) -> None:
    size = 120 if build is deep_classes else 40
    once, twice = asked(build(size)), asked(build(2 * size))
    assert twice.work < _MOST_GROWTH * once.work


@pytest.mark.parametrize(
    ("build", "size"),
    [
        (deep_classes, 500),
        (diamonds, 60),
        (crossed_bases, 100),
        (a_ladder, 3_000),
        (functions_that_call_each_other, 5_000),
        (a_large_table, 20_000),
    ],
)
def test_what_is_as_large_as_python_reads_is_answered(build: Callable[[int], str], size: int) -> None:
    answer = asked(build(size))
    assert answer.last & {"requests.Session().get", "requests.a0.get", "requests.a19999.get", "requests.get"}


def test_calls_in_a_row_are_followed_as_far_as_a_path_may_be_long() -> None:
    answer = asked(lines("requests.get('x')" + ".a()" * 300))
    assert {"requests.get"} in [use.origins for use in answer.found]
    followed = [max(map(len, use.origins)) for use in answer.found]
    assert max(followed) < 1_000


def test_a_path_that_grows_without_end_is_cut() -> None:
    answer = asked(lines("def f():", "    x = requests", *each(1_000, lambda _: "    x = x.a"), "    x('x')"))
    assert 10 < len(answer.found) < 1_000
    assert all(use.origins for use in answer.found)


def test_a_question_that_leads_too_far_says_so() -> None:
    functions = each(24, lambda i: f"def f{i + 1}(k):\n    return f{i}(k).a if k else f{i}(k).b")
    first = "def f0(k):\n    return requests.a if k else requests.b"
    answer = asked(lines(first, *functions, "f24(1).get('x')"))
    assert "?" in answer.last
    assert len(answer.last) < _MOST_ORIGINS


@pytest.mark.parametrize("size", [2_000, 20_001])
@pytest.mark.parametrize("form", ["[{0}]", "{{0: [{0}]}}[0]", "{{{1}}}.values()"])
def test_a_display_that_is_too_long_says_so(size: int, form: str) -> None:
    items, pairs = (", ".join(each(size, one.format)) for one in ("requests.a{0}", "{0}: requests.a{0}"))
    answer = asked(lines("def f(k):", f"    for c in {form.format(items, pairs)}:", "        c.get('x')"))
    answer.uses.of({"requests"})
    assert answer.uses.limited == {"m"}


def test_a_long_display_of_constants_is_no_limit() -> None:
    answer = asked(lines(f"T = [{', '.join(each(20_001, str))}]", "requests.get('x')"))
    assert answer.uses.of({"requests"})
    assert not answer.uses.limited


def test_a_ring_without_an_end_gives_nothing_that_is_known() -> None:
    answer = asked(lines(*each(1_000, lambda i: f"def f{i}():\n    return f{(i + 1) % 1_000}()"), "f0().get('x')"))
    assert answer.last == {"?"}


@pytest.mark.parametrize(("depth", "is_told"), [(1, True), (2, True), (3, False), (40, False)])
def test_descriptors_that_descriptors_make_are_followed_a_few_times_round(depth: int, is_told: bool) -> None:
    makers = each(depth + 1, lambda i: f"def make{i}():\n    return D{i}()\ndef f{i}():\n    return C().a{i}()")
    gets = each(depth + 1, lambda i: f"class D{i}:\n    def __get__(self, one, kind):\n        return make{i + 1}")
    attributes = each(depth, lambda i: f"    a{i + 1} = f{i}()")
    last = f"def make{depth + 1}():\n    return requests.get('x')"
    answer = asked(lines(*makers, *gets, last, "class C:", "    a0 = D0()", *attributes, f"C().a{depth}()"))
    assert ("?" not in answer.last) is is_told
    assert (f"m:make{depth + 1}" in answer.last) is is_told


@pytest.mark.parametrize("text", ["class A(A): pass\nA().m()\n", "class A(B): pass\nclass B(A): pass\nA().m()\n"])
def test_a_class_above_itself_ends(text: str) -> None:
    assert all(use.origins for use in asked(text).found)


@pytest.mark.parametrize(
    "step",
    ["    a = a.x if k else a.y", "    if k: a = a.z{0}"],
    ids=["arms of an expression", "arms of a statement"],
)
def test_a_value_that_doubles_at_each_line_is_cut(step: str) -> None:
    answer = asked(lines("def f(k):", "    a = requests", *each(13, step.format), "    a.get('x')"))
    assert len(answer.last) < _MOST_ORIGINS


def test_two_names_that_feed_each_other_in_loops_are_cut() -> None:
    loops = each(4, lambda i: f"    while k():\n        a = b.x{i}\n        b = a.y{i}")
    answer = asked(lines("def f(k):", "    a = b = requests", *loops, "    a.get('x')"))
    assert answer.work < 400_000
