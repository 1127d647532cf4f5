"""The rules of the house: layers one way, small modules, types, nothing shared by accident, no machine's traces."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import MappingProxyType

import pytest

from sharedstate.percent import code_cells

HOME = Path(__file__).resolve().parents[1]
PACKAGE = HOME / "src" / "sharedstate"
MODULES = sorted(PACKAGE.rglob("*.py"))
# Parts to which the newest rules do not apply yet; each is switched on by deleting its line.
LATER = ("tests/checks", "tests/interleave")


def others() -> list[Path]:
    """Return the Python files that are not the package's: run.py, the tests, the benchmarks, the lessons and labs."""
    sources = [*(HOME / "tests").rglob("*.py"), *(HOME / "benchmarks").glob("*.py"), *(HOME / "course").glob("*/l*.py")]
    return [HOME / "run.py", *sorted(path for path in sources if not is_later(path))]


def is_later(path: Path) -> bool:
    """Say whether a file lies in one of the parts of LATER."""
    return any((HOME / part) in path.parents for part in LATER)


def place(path: Path) -> str:
    """Return where a file lies in the checkout, for a test's name."""
    return path.relative_to(HOME).as_posix()


def is_lab(path: Path) -> bool:
    """Say whether a file is a lab: an answer there is one cell, and brings its own imports."""
    return path.name == "lab.py" and path.parts[-3] == "course"


IMPORTING = [
    path for path in (*MODULES, *others()) if not (is_later(path) or is_lab(path) or "benchmarks" in path.parts)
]

# A part may import from parts with a smaller number, and from itself. The domain is 1.
RANK = {
    "__init__": 0, "paths": 0, "files": 0, "switch_points": 0, "palette": 0, "wording": 0, "percent": 0,
    "syllabus": 0.5,
    "progress": 1, "workspace": 2.5,
    "interleave": 1, "game": 1.2, "passcodes": 1, "model": 1, "influence": 1.5, "isolation": 1.5, "kvcache": 1.7,
    "serving": 1.8, "watch": 1.9, "devices": 0.5,
    "figures": 2, "checks": 2, "faults": 2, "grading": 2.5, "classroom": 2.5, "drills": 2.5,
    "panels": 3, "authoring": 3, "site": 3.5, "commands": 4, "cli": 5, "__main__": 6,
}  # fmt: skip
NEVER = {
    "interleave": {"ipywidgets", "IPython", "matplotlib", "torch", "numpy"},
    "game": {"ipywidgets", "IPython", "matplotlib", "torch", "numpy"},
    "passcodes": {"ipywidgets", "IPython", "matplotlib", "torch"},
    "influence": {"ipywidgets", "IPython", "matplotlib"},
    "isolation": {"ipywidgets", "IPython", "matplotlib", "torch", "numpy"},
    "model": {"ipywidgets", "IPython", "matplotlib", "transformers"},
    "kvcache": {"ipywidgets", "IPython", "matplotlib", "transformers"},
    "serving": {"ipywidgets", "IPython", "matplotlib", "transformers"},
    "watch": {"ipywidgets", "IPython", "matplotlib", "transformers"},
    "figures": {"ipywidgets", "torch", "pyplot"},
    "checks": {"ipywidgets", "matplotlib", "nbformat"},
    "drills": {"ipywidgets", "IPython", "matplotlib", "torch", "numpy"},
}
LONGEST_MODULE, LONGEST_FUNCTION = 350, 40
# Loops that stay in one piece: each turn is a step of a search, and every call made in a turn is paid for at each step.
LONG_LOOPS = MappingProxyType({
    "interleave/runs/generators.py": {"on": 61}, "interleave/runs/tight.py": {"proceed": 46},
})
MUTABLE = (ast.List, ast.Dict, ast.Set, ast.ListComp, ast.DictComp, ast.SetComp, ast.GeneratorExp)
MAKERS = {
    "list", "dict", "set", "bytearray", "defaultdict", "deque", "Counter", "OrderedDict", "count", "cycle",
    "Lock", "RLock", "local", "Random", "default_rng", "ContextVar", "lru_cache", "cache",
}  # fmt: skip


def part(path: Path) -> str:
    """Return which part of the package a module belongs to."""
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def tree(path: Path) -> ast.Module:
    """Return a module's syntax tree."""
    return ast.parse(path.read_text(encoding="utf-8"))


def imports(module: ast.Module, package: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """Yield every imported name, relative ones made absolute, as a tuple of words."""
    for node in ast.walk(module):
        if isinstance(node, ast.Import):
            yield from (tuple(alias.name.split(".")) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            before = package[: len(package) - node.level + 1] if node.level else ()
            base = (*before, *(node.module or "").split(".")) if node.module else before
            yield from ((*base, alias.name) for alias in node.names)


def layer_faults(name: str, module: ast.Module, package: tuple[str, ...] = ("sharedstate",)) -> list[str]:
    """Return the imports of a part that point the wrong way, or at what the part must not know."""
    wrong = []
    for words in imports(module, package):
        if NEVER.get(name, set()) & set(words):
            wrong.append(f"{name} imports {'.'.join(words)}")
        if words[0] != "sharedstate" or len(words) < 2 or words[1] not in RANK:
            continue
        if words[1] != name and RANK[words[1]] >= RANK[name]:
            wrong.append(f"{name} imports {'.'.join(words)}")
    return wrong


def package_of(path: Path) -> tuple[str, ...]:
    """Return the package whose relative imports a module would resolve."""
    return ("sharedstate", *path.relative_to(PACKAGE).parent.parts)


@pytest.mark.parametrize("path", MODULES, ids=lambda p: p.relative_to(PACKAGE).as_posix())
def test_layers_point_one_way(path: Path) -> None:
    assert part(path) in RANK, "a new part: give it its place in RANK"
    assert layer_faults(part(path), tree(path), package_of(path)) == []


@pytest.mark.parametrize(
    ("name", "code"),
    [("interleave", "import matplotlib.pyplot"), ("interleave", "def f():\n    from torch import nn"),
     ("passcodes", "from sharedstate.figures import style"), ("figures", "from sharedstate import panels"),
     ("interleave", "from sharedstate.passcodes import sweep"), ("checks", "from ..panels import predict"),
     ("checks", "from ..cli import main"), ("paths", "from sharedstate import progress")],
)  # fmt: skip
def test_an_import_the_wrong_way_is_caught(name: str, code: str) -> None:
    assert layer_faults(name, ast.parse(code), ("sharedstate", name))


def test_an_import_the_right_way_is_not() -> None:
    code = "from sharedstate.interleave import Scenario\nfrom .types import Case\nfrom ..progress import P"
    assert layer_faults("checks", ast.parse(code), ("sharedstate", "checks")) == []


# --- sizes


def size_faults(text: str) -> list[str]:
    """Return what is too long in a module."""
    lines = sum(1 for line in text.splitlines() if line.strip())
    wrong = [f"{lines} lines"] if lines > LONGEST_MODULE else []
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            length = node.end_lineno - node.lineno + 1
            wrong += [f"{node.name}: {length} lines"] if length > LONGEST_FUNCTION else []
    return wrong


@pytest.mark.parametrize("path", MODULES, ids=lambda p: p.relative_to(PACKAGE).as_posix())
def test_modules_and_functions_stay_small(path: Path) -> None:
    loops = LONG_LOOPS.get(path.relative_to(PACKAGE).as_posix(), {})
    known = [f"{name}: {length} lines" for name, length in loops.items()]  # no longer than they are, and no shorter
    assert size_faults(path.read_text(encoding="utf-8")) == known


@pytest.mark.parametrize("path", others(), ids=place)
def test_what_is_not_the_packages_stays_small_too(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    if path.parts[-3] == "course":  # a lesson is measured by its cells (authoring/style.py): only its functions here
        text = "\n".join(cell.source for cell in code_cells(text) if not cell.source.startswith("%"))
        assert [wrong for wrong in size_faults(text) if ":" in wrong] == []
    else:
        assert size_faults(text) == []
        assert ast.get_docstring(ast.parse(text)) or not text.strip()


def test_sizes_are_measured() -> None:
    assert size_faults("x = 1\n" * 351) == ["351 lines"]
    assert size_faults("def f():\n" + "    x = 1\n" * 40) == ["f: 41 lines"]
    assert size_faults("def f():\n" + "    x = 1\n" * 39 + "\n" * 300) == []


# --- imports inside functions

# What may be imported inside a function, and why: nothing else may, since it would hide a circle.
HEAVY = {
    "torch": "1.8 s, and what has no tensors needs none",
    "matplotlib": "0.5 s, when the first figure is asked for",
    "ipywidgets": "0.4 s, when the first widget is asked for",
    "IPython": "0.3 s, and a plain Python has no notebook to show something in",
    "numpy": "0.1 s, and the checkers need none",
    "jupyter_client": "only where a notebook is executed",
    "jupyter_core": "the doctor tells of it where it is missing",
    "psutil": "the doctor tells of it where it is missing",
    "docutils": "extra build: a learner has none",
    "jupytext": "extra build: a learner has none",
    "nbclient": "extra build: a learner has none",
    "nbformat": "extra build: a learner has none",
    "distributed": "extra classroom: a learner has none",
    "nbgrader": "extra build: a learner has none",
    "sphinx": "extra build: a learner has none",
    "yaml": "extra build: a learner has none",
    "sharedstate.kvcache": "loads torch, and most faults need none",
    "transformers": "2 s, and one test compares with it",
    "cloudpickle": "extra test: without it, what a notebook defines does not travel to other processes",
}


def hidden_imports(module: ast.Module) -> list[str]:
    """Return what is imported inside functions and does not stand in HEAVY."""
    wrong = []
    for function in ast.walk(module):
        if isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
            for node in ast.walk(function):
                names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
                names += [node.module or "."] if isinstance(node, ast.ImportFrom) else []
                wrong += [name for name in names if not any(f"{name}.".startswith(f"{heavy}.") for heavy in HEAVY)]
    return sorted(set(wrong))


@pytest.mark.parametrize("path", IMPORTING, ids=place)
def test_no_function_imports_anything_but_what_is_heavy(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    if path.parts[-3] == "course":
        text = "\n".join(cell.source for cell in code_cells(text) if not cell.source.startswith("%"))
    assert hidden_imports(ast.parse(text)) == []


def test_hidden_imports_are_seen() -> None:
    code = "import a\ndef f():\n    import torch.nn, json\n    from .x import y\n    from sharedstate import paths"
    assert hidden_imports(ast.parse(code)) == ["json", "sharedstate", "x"]


# --- habits


def habit_faults(text: str) -> list[str]:
    """Return public names without a docstring, functions without a return type, no future import."""
    module = ast.parse(text)
    future = any(isinstance(n, ast.ImportFrom) and n.module == "__future__" for n in module.body)
    wrong = (
        []
        if future or not any(not isinstance(n, (ast.Expr, ast.Assign)) for n in module.body)
        else ["__future__"]
    )
    wrong += [] if ast.get_docstring(module) else ["the module has no docstring"]
    for node in ast.walk(module):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.returns is None:
            wrong.append(f"{node.name}: no return type")
        if isinstance(node, (ast.ClassDef, ast.FunctionDef)) and node in public(module):
            private = node.name.startswith("_")
            wrong += [] if private or ast.get_docstring(node) else [f"{node.name}: no docstring"]
    return wrong


def public(module: ast.Module) -> list[ast.AST]:
    """Return the functions of a module and the methods of its public classes."""
    classes = [n for n in module.body if isinstance(n, ast.ClassDef) and not n.name.startswith("_")]
    return [*module.body, *(member for each in classes for member in each.body)]


@pytest.mark.parametrize("path", MODULES, ids=lambda p: p.relative_to(PACKAGE).as_posix())
def test_public_names_are_explained_and_typed(path: Path) -> None:
    assert habit_faults(path.read_text(encoding="utf-8")) == []


def test_habits_are_looked_at() -> None:
    found = habit_faults("import os\n\ndef f(): ...\n\nclass A:\n    '''A.'''\n    def g(self) -> None: ...")
    assert found == ["__future__", "the module has no docstring", "f: no return type", "f: no docstring",
                     "g: no docstring"]  # fmt: skip


# --- nothing shared by accident


def shared_faults(module: ast.Module) -> list[str]:
    """Return mutable values of modules and classes, mutable defaults, `global` statements and caches."""
    wrong = []
    classes = [n for n in module.body if isinstance(n, ast.ClassDef)]
    for node in [*module.body, *(member for each in classes for member in each.body)]:
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        names = [t.id for t in targets if isinstance(t, ast.Name)]
        value = getattr(node, "value", None) if isinstance(node, (ast.Assign, ast.AnnAssign)) else None
        if value is not None and "__all__" not in names and is_mutable(value):
            wrong.append(f"{', '.join(names)} is mutable and shared")
    for node in ast.walk(module):
        if isinstance(node, ast.Global):
            wrong.append(f"global {', '.join(node.names)}")
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            defaults = [*node.args.defaults, *filter(None, node.args.kw_defaults)]
            wrong += [f"{node.name}: a mutable default"] if any(map(is_mutable, defaults)) else []
            wrong += [f"{node.name}: a hidden cache" for d in node.decorator_list if called(d) in MAKERS]
    return wrong


def called(node: ast.AST) -> str:
    """Return the last word of what a call calls, or of a plain name."""
    node = node.func if isinstance(node, ast.Call) else node
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")


def is_mutable(node: ast.AST) -> bool:
    """Say whether an expression makes something that can be changed, or holds state."""
    return isinstance(node, MUTABLE) or (isinstance(node, ast.Call) and called(node) in MAKERS)


@pytest.mark.parametrize("path", MODULES, ids=lambda p: p.relative_to(PACKAGE).as_posix())
def test_nothing_is_shared_by_accident(path: Path) -> None:
    assert shared_faults(tree(path)) == []


@pytest.mark.parametrize(
    "code",
    ["seen = []", "TABLE = {'a': 1}", "names: dict[str, int] = {}", "lock = Lock()", "rng = Random(1)",
     "class A:\n    seen = []", "def f(x=[]): ...", "def f():\n    global n\n    n = 1",
     "@lru_cache(maxsize=None)\ndef f(): ...", "@functools.cache\ndef f(): ..."],
)  # fmt: skip
def test_shared_state_is_caught(code: str) -> None:
    assert shared_faults(ast.parse(code))


def test_constants_are_not_state() -> None:
    code = "A = (1, 2)\nB = MappingProxyType({'a': 1})\nC = frozenset({1})\n__all__ = ['A']\ndef f(x=()): ..."
    assert shared_faults(ast.parse(code)) == []


# --- no traces of a machine, nothing unfinished


# Written with classes of one letter, so that this file does not hold what it looks for. (Ann is an example.)
TRACES = re.compile(
    r"/wor[k]/|/roo[t]/|/hom[e]/(?!ann/)[a-z]+/|/User[s]/[a-z]+/|C:\\User[s]\\|/tm[p]/bash|index-ur[l]|pypi\.or[g]|"
    r"pythonhoste[d]|npmjs\.or[g]|\"resolved\": \"htt[p]|\bsub[a]gent|\bthis sess[i]on\b|\bLLM ag[e]nt",
    re.I,
)
UNFINISHED = re.compile(r"\b(TOD[O]|FIXM[E]|XX[X]|NotImplementedErro[r]|not implemented ye[t])\b")
TEXT = {
    ".py",
    ".md",
    ".toml",
    ".lock",
    ".yml",
    ".yaml",
    ".ipynb",
    ".json",
    ".cfg",
    ".txt",
    ".html",
    ".svg",
    "",
}


def tracked() -> list[Path]:
    """Return the text files that git holds."""
    done = subprocess.run(["git", "ls-files", "-z"], cwd=HOME, capture_output=True, text=True, check=True)
    paths = (HOME / name for name in done.stdout.split("\0") if name)
    return [path for path in paths if path.suffix in TEXT and path.is_file()]


def test_no_file_speaks_of_a_machine_or_is_unfinished() -> None:
    wrong = []
    for path in tracked():
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            if TRACES.search(line) or (path.suffix == ".py" and UNFINISHED.search(line)):
                wrong.append(f"{path.relative_to(HOME)}:{number}")
    assert wrong == []


@pytest.mark.parametrize("line", ["see /wor" + "k/main", "pip --index-ur" + "l x", "open('/roo" + "t/.x')"])
def test_traces_are_seen(line: str) -> None:
    assert TRACES.search(line)


def test_the_course_can_be_read_where_names_ignore_case() -> None:
    names = [path.relative_to(HOME).as_posix() for path in tracked()]
    assert len({name.lower() for name in names}) == len(names)
    assert not [name for name in names if re.search(r'[<>:"|?*\\]', name) or len(name) > 120]


# --- what an import costs


def test_importing_the_package_loads_nothing_but_itself() -> None:
    code = (
        "import sys\nbefore = set(sys.modules)\nimport sharedstate\n"
        "print(sorted(name for name in set(sys.modules) - before if not name.startswith('sharedstate')))"
    )
    done = subprocess.run([sys.executable, "-I", "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize("name", ["interleave", "passcodes", "checks", "faults", "progress", "workspace"])
def test_light_parts_load_nothing_heavy(name: str) -> None:
    heavy = "{'torch', 'matplotlib', 'nbformat', 'ipywidgets', 'IPython'}"
    code = f"import sys, sharedstate.{name}\nprint(sorted({heavy} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_ruff_is_content() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "ruff", "check", "--no-cache", "--output-format", "concise", "."],
        cwd=HOME, capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout
