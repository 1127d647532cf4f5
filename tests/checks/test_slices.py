"""From a notebook to one answer: helpers come along, trial lines and magics fall away, old versions too."""

from __future__ import annotations

import pytest

from sharedstate.checks.slices import answer_slice

REGISTERED = """
fixes = {}
def fix(name):
    def enter(kind):
        fixes[name] = kind
        return kind
    return enter
@fix("a")
class A:
    pass
"""
KEPT = (
    ("x = 1\nanswer = x", "x = 1\nanswer = x\n"),
    ("answer = {}\nfor n in range(2):\n    answer[n] = n", "answer = {}\nfor n in range(2):\n    answer[n] = n\n"),
    ("answer = []\nanswer.append(1)\nprint(answer)", "answer = []\nanswer.append(1)\n"),
    ("def f():\n    return g()\ndef g():\n    return 1\nanswer = f",
     "def f():\n    return g()\ndef g():\n    return 1\nanswer = f\n"),
    ("from __future__ import annotations\nclass answer:\n    pass",
     "from __future__ import annotations\nclass answer:\n    pass\n"),
    ("class answer:\n    pass\nanswer.name = 3", "class answer:\n    pass\nanswer.name = 3\n"),
    ("class answer:\n    pass\nsetattr(answer, 'name', 3)", "class answer:\n    pass\nsetattr(answer, 'name', 3)\n"),
)
HELPED = "def helper():\n    return 1\ndef answer():\n    return helper()\n"
BY_ARGUMENT = "def answer(mine):\n    mine.user = 1\nmine = 3\n"
DROPPED = (
    "print(answer())", "assert answer() == 1", "for one in range(3):\n    answer()", "await answer()",
    "if True:\n    answer()",
    "%timeit answer()", "!ls", "answer?", "trial = answer()\nassert trial", "with open('x') as f:\n    f.read()",
    "if __name__ == '__main__':\n    answer()", "try:\n    answer()\nexcept Exception as problem:\n    print(problem)",
)


@pytest.mark.parametrize(("source", "wanted"), KEPT)
def test_what_an_answer_is_built_of_comes_along(source: str, wanted: str) -> None:
    assert answer_slice([(1, source)], "answer").text == wanted


@pytest.mark.parametrize("trial", DROPPED)
def test_trial_lines_fall_away(trial: str) -> None:
    answer = "def answer():\n    return 1\n"
    assert answer_slice([(1, answer + trial)], "answer").text == answer
    assert answer_slice([(1, answer), (2, trial)], "answer").text == answer


def test_what_a_function_does_to_its_argument_changes_nothing_else() -> None:
    assert answer_slice([(1, BY_ARGUMENT + "answer(mine)\nmine = open")], "answer").text == BY_ARGUMENT[:-9]


def test_a_trial_of_an_answer_that_has_a_helper_falls_away() -> None:
    assert answer_slice([(1, HELPED), (2, "found = answer()")], "answer").text == HELPED


def test_what_a_decorator_enters_belongs_to_it() -> None:
    assert answer_slice([(1, REGISTERED + "print(fixes)")], "fixes").text == REGISTERED.lstrip("\n")


def test_the_last_version_counts_and_its_lines_are_known() -> None:
    cells = [(1, "import os\nanswer = os"), (2, "answer = ..."), (4, "\nhelp = 2\nanswer = help")]
    found = answer_slice(cells, "answer")
    assert found.text == "help = 2\nanswer = help\n"
    assert (found.place(2), found.short(1), found.place(9)) == ("cell [4], line 3", "[4]:2", "cell [0], line 9")


def test_cells_that_are_not_python_are_left_out_and_timed_ones_are_read() -> None:
    cells = [(1, "answer = (("), (2, "%%bash\nanswer = 1"), (3, "%%time\nanswer = 2")]
    assert answer_slice(cells, "answer").text == "answer = 2\n"


def test_what_stands_in_the_setup_is_not_said_twice() -> None:
    setup = "class Racy:\n    pass\n"
    cells = [(1, setup + "import math"), (2, "class answer(Racy):\n    n = math.pi")]
    assert answer_slice(cells, "answer", setup).text == "import math\nclass answer(Racy):\n    n = math.pi\n"
