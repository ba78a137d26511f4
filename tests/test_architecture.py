"""The parts of the program: the arrows between them, read from the imports, and what each must not hold.

cli -> commands -> {tui -> pictures, linemode} -> {wording, terminal} -> app
app -> {generator -> solver, store -> formats} -> engine -> language
"""

import ast
import re
import sys
from collections import Counter
from collections.abc import Iterator
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path
from typing import NamedTuple

import pytest

from sokoterm.app.keymap import KEYMAPS

PACKAGE = Path(__file__).parents[1] / "sokoterm"

# What each part may import besides itself; parts not named here (cli, commands ...) stand above them all.
BELOW = {
    "language": set[str](),
    "engine": {"language"},
    "formats": {"engine", "language"},
    "store": {"engine", "formats", "language"},
    "solver": {"engine", "language"},
    "generator": {"engine", "solver", "language"},
    "app": {"engine", "formats", "generator", "solver", "store", "language"},
    "wording": {"app", "engine", "formats", "generator", "solver", "store", "language"},
    "terminal": {"app", "engine", "language"},
    "pictures": {"engine", "store", "language"},
    "tui": {"app", "engine", "formats", "generator", "pictures", "solver", "store", "terminal", "wording", "language"},
    "linemode": {"app", "engine", "formats", "solver", "store", "terminal", "wording", "language"},
}
# What programs import: LIBRARY, its SEARCHES, the library of a player in DATA_FOLDER, and the objects that all give
# them, which need the engine alone.
LIBRARY, OBJECTS, SEARCHES = "sokoterm.library", "sokoterm.position", "sokoterm.searches"
DATA_FOLDER = "sokoterm.data_folder"
WORKERS = "sokoterm.commands.support.workers"
# The same inside the solver; what stands in the package itself (registry, difficulty, job) is above its parts.
_BASE = {"sokoterm.solver.domain", "sokoterm.solver.search"}
SOLVER_BELOW = {
    "common": set[str](),
    "fess": {"common"},
    "optimizer": {"common"},
    "strategies": {"common", "fess", "optimizer"},
}
IMPURE = {"curses", "json", "os", "pathlib", "random", "sqlite3", "sys", "threading", "time"}
THREADS = {"_thread", "concurrent", "threading"}
# Work beside the game, the pipes of processes, and a lock of what programs begin in one thread and end in another.
THREADED = {"sokoterm.app.background", WORKERS, "sokoterm.solver.lanes", SEARCHES}
HIDDEN = {"importlib", "imp", "pkgutil", "runpy"}


class Import(NamedTuple):
    """One import: ``target`` is the dotted name of a module, ``line`` says where it stands in ``module``."""

    module: str
    line: int
    target: str
    is_for_types: bool

    @property
    def part(self) -> str:
        """The part of the program that imports."""
        return _part(self.module)

    @property
    def target_part(self) -> str:
        """The part of the program that is imported; empty outside of it."""
        return _part(self.target) if self.target.split(".")[0] == "sokoterm" else ""

    @property
    def top(self) -> str:
        """The package that is imported."""
        return self.target.split(".")[0]


def _part(module: str) -> str:
    return module.split(".")[1] if "." in module else "sokoterm"


def _name(path: Path) -> str:
    names = path.relative_to(PACKAGE.parent).with_suffix("").parts
    return ".".join(names[:-1] if names[-1] == "__init__" else names)


@cache
def trees() -> dict[str, ast.Module]:
    """Return the modules by name; read once a test asks, for each worker collects this file."""
    return {_name(path): ast.parse(path.read_text(encoding="utf-8")) for path in sorted(PACKAGE.rglob("*.py"))}


def statements(tree: ast.AST) -> Iterator[ast.stmt]:
    """Every statement, those inside others too; quicker than a walk through their expressions."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.stmt):
            yield node
        if isinstance(node, (ast.stmt, ast.excepthandler, ast.match_case)):
            yield from statements(node)


def _imports(module: str, tree: ast.AST) -> Iterator[Import]:
    """Every import, those inside functions too; ``from package import module`` counts as the module."""
    nodes = [*statements(tree)]
    for_types = {
        each
        for node in nodes
        if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"
        for each in node.body
    }
    for node in nodes:
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield Import(module, node.lineno, alias.name, node in for_types)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{module}, line {node.lineno}: a relative import"
            for alias in node.names:
                full = f"{node.module}.{alias.name}"
                yield Import(module, node.lineno, full if full in trees() else node.module or "", node in for_types)


@cache
def imports() -> list[Import]:
    """Return all imports of the program."""
    return [each for module, tree in trees().items() for each in _imports(module, tree)]


def said(found: list[Import]) -> list[str]:
    """The imports as lines for a failing test to show."""
    return [f"{each.module}, line {each.line}: {each.target}" for each in found]


def test_arrows_run_one_way() -> None:
    assert set(BELOW) <= {_part(module) for module in trees()}
    against = [
        each
        for each in imports()
        if each.part in BELOW and each.target_part not in BELOW[each.part] | {each.part, "sokoterm", ""}
    ]
    assert said(against) == []


def _shown_strings(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Yield the line and the text of each string with a letter and a blank that is no docstring or annotation."""
    others: set[ast.expr | None] = {node.value for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    others |= {node.annotation for node in ast.walk(tree) if isinstance(node, (ast.arg, ast.AnnAssign))}
    others |= {node.returns for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in others:
            is_sentence = " " in node.value and any(map(str.isalpha, node.value))
            yield from [(node.lineno, node.value)] if is_sentence else []


def test_the_app_has_no_string_that_is_shown() -> None:
    """A string with a letter and a blank is a sentence or a part of one, and sentences stand in ``wording``.

    The table of keys has their help beside them, and an outcome without figures its sentence, so that neither is
    without the other; the names of actions are no sentences.
    """
    actions = {binding.action for keymap in KEYMAPS for binding in keymap.bindings}
    shown = [
        f"{module}, line {line}: {text!r}"
        for module, tree in trees().items()
        if _part(module) == "app" and module not in {"sokoterm.app.keymap", "sokoterm.app.request"}
        for line, text in _shown_strings(tree)
        if text not in actions
    ]
    assert shown == []


def test_every_action_is_named_by_the_code_that_does_it() -> None:
    """A key without code does nothing and says nothing: no action is named in the table of keys alone."""
    named = {
        node.value
        for module, tree in trees().items()
        if _part(module) in ("app", "tui") and module != "sokoterm.app.keymap"
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant)
    }
    # Taken apart where they are done.
    directions = {f"take over {towards}" for towards in ("left", "down", "up", "right")}
    actions = {binding.action for keymap in KEYMAPS for binding in keymap.bindings}
    assert actions - named == directions


def test_no_two_classes_share_a_name() -> None:
    """Private ones of different modules aside."""
    names = [
        node.name
        for tree in trees().values()
        for node in statements(tree)
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_")
    ]
    assert sorted(name for name, times in Counter(names).items() if times > 1) == []


def test_arrows_run_one_way_inside_the_solver() -> None:
    against = []
    for each in imports():
        part = each.module.split(".")[2] if each.module.startswith("sokoterm.solver.") else ""
        if part not in SOLVER_BELOW or each.target_part != "solver" or each.target in _BASE:
            continue
        if each.target.split(".")[2] not in SOLVER_BELOW[part] | {part}:
            against.append(each)
    assert said(against) == []


def test_nothing_above_is_imported_by_the_package_itself() -> None:
    """But the engine and the library, once one of their names is asked for."""
    targets = {each.target for each in imports() if each.module == "sokoterm"}
    assert targets == {"sokoterm.engine", LIBRARY, OBJECTS, DATA_FOLDER, SEARCHES}
    assert [node for node in trees()["sokoterm"].body if isinstance(node, (ast.Import, ast.ImportFrom))] == []


def test_the_library_does_not_stand_on_the_command_line() -> None:
    below = {"engine", "formats", "generator", "library", "position", "process", "solver", "store"}
    assert {each.target_part for each in imports() if each.module in (LIBRARY, SEARCHES)} <= {*below, ""}
    below = {"app", "engine", "position", "solver", "store", "wording"}
    assert {each.target_part for each in imports() if each.module == DATA_FOLDER} <= {*below, ""}


def test_the_objects_of_the_library_stand_on_the_engine() -> None:
    """What draws and rates them is loaded when it is asked for."""
    at_once = {node.module for node in trees()[OBJECTS].body if isinstance(node, ast.ImportFrom)}
    assert {_part(each) for each in at_once if each and each.startswith("sokoterm.")} == {"engine"}
    assert {each.target_part for each in imports() if each.module == OBJECTS} == {"engine", "pictures", "solver", ""}


def test_no_module_below_the_command_line_imports_itself_by_a_detour() -> None:
    """Imports of types alone aside: they import nothing at run time."""
    modules = {module for module in trees() if _part(module) in BELOW}
    at_run_time = [each for each in imports() if not each.is_for_types]
    graph = {module: {each.target for each in at_run_time if each.module == module} & modules for module in modules}
    assert set(TopologicalSorter(graph).static_order()) == modules  # raises CycleError, with the cycle, if there is one


@pytest.mark.parametrize(
    ("parts", "forbidden"),
    [
        ({"engine", "formats", "language", "generator"}, IMPURE),
        ({"solver"}, IMPURE - {"threading"}),  # no clock and no dice
        (set(BELOW), HIDDEN),
    ],
)
def test_what_a_part_does_without(parts: set[str], forbidden: set[str]) -> None:
    assert said([each for each in imports() if each.part in parts and each.top in forbidden]) == []


@pytest.mark.parametrize(
    ("names", "modules"), [({"curses", "_curses"}, {"sokoterm.tui.curses_terminal"}), (THREADS, THREADED)]
)
def test_curses_and_threads_stand_where_they_are_named(names: set[str], modules: set[str]) -> None:
    found = [each for each in imports() if each.top in names]
    assert {each.module for each in found} <= modules, said(found)
    assert found


def test_only_the_standard_library_is_imported() -> None:
    """Dask aside, which one module imports in functions: an extra for one flag."""
    foreign = [each for each in imports() if each.top not in sys.stdlib_module_names | {"sokoterm"}]
    dask = [each for each in foreign if (each.module, each.top) == (WORKERS, "distributed")]
    assert said([each for each in foreign if each not in dask]) == []
    at_once = [node for node in trees()[WORKERS].body if isinstance(node, (ast.Import, ast.ImportFrom))]
    assert {each.line for each in dask} & {node.lineno for node in at_once} == set()


def test_no_import_is_hidden() -> None:
    assert [path for path in PACKAGE.rglob("*.py") if "__import__" in path.read_text(encoding="utf-8")] == []


# Imports inside functions, in all.
_MOST_LATE = 159


def _late_imports(module: str) -> Iterator[tuple[int, bool]]:
    """Yield the first line of each run of imports inside functions, and whether a reason stands beside or above it."""
    path = Path(PACKAGE, *module.split(".")[1:]).with_suffix(".py")
    path = path if path.exists() else path.with_suffix("") / "__init__.py"
    source = path.read_text(encoding="utf-8").split("\n")
    found = {
        node.lineno: node.end_lineno or node.lineno
        for function in statements(trees()[module])
        if isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef))
        for node in statements(function)
        if isinstance(node, (ast.Import, ast.ImportFrom))
    }
    begin = -1
    for line, end in sorted(found.items()):
        if line - 1 not in found.values():
            begin = line
        yield line, "#" in "".join(source[begin - 1 : end]) or source[begin - 2].strip().startswith("#")


def test_an_import_inside_a_function_has_its_reason_beside_it() -> None:
    late = {module: [*_late_imports(module)] for module in trees() if module != "sokoterm"}
    without = [
        f"{module}, line {line}" for module, found in late.items() for line, has_reason in found if not has_reason
    ]
    assert without == []
    assert sum(map(len, late.values())) <= _MOST_LATE


def _private_parts(tree: ast.Module, private: set[str]) -> Iterator[tuple[int, str]]:
    """Line and name of each private name of sokoterm that a test reads, imports, or replaces by its name."""
    own = {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
    own |= {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store)}
    for node in ast.walk(tree):
        names: list[str] = []
        if not isinstance(node, (ast.expr, ast.stmt)):
            continue
        if isinstance(node, ast.Attribute):
            is_self = isinstance(node.value, ast.Name) and node.value.id in {"self", "cls"}
            names = [] if is_self and node.attr in own else [node.attr]
        elif isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "sokoterm":
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):  # setattr(x, "_name", ...)
            names = [str(each.value).split(".")[-1] for each in node.args if isinstance(each, ast.Constant)]
        yield from ((node.lineno, name) for name in names if name in private)


def test_no_test_touches_private_parts() -> None:
    sources = "".join(path.read_text(encoding="utf-8") for path in PACKAGE.rglob("*.py"))
    private = {*re.findall(r"\b_[a-zA-Z]\w*", sources)}
    assert len(private) > 1000
    private -= {"_asdict", "_exit", "_fields", "_make", "_replace", "_repr_svg_"}  # of Python and of notebooks
    texts = {path: path.read_text(encoding="utf-8") for path in sorted(Path(__file__).parent.rglob("*.py"))}
    found = [
        f"{path}, line {line}: {name}"
        for path, text in texts.items()
        if private & {*re.findall(r"\b_\w+", text)}  # to parse them all takes long
        for line, name in _private_parts(ast.parse(text), private)
    ]
    assert found == []
