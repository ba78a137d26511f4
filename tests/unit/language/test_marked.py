"""Texts are marked so that they can be found: what is translated is a whole text, never one that was put together."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from sokoterm.app.keymap import KEYMAPS
from sokoterm.commands import EXIT_STATUSES
from sokoterm.solver.search import Reason
from sokoterm.terminal.events import DARK_BACKGROUND, LIGHT_BACKGROUND, NO_PICTURES, SLOW_LINE

PACKAGE = Path(__file__).parents[3] / "sokoterm"
# The number of texts that each function takes.
MARKS = {"_": 1, "N_": 1, "ngettext": 2, "pgettext": 2}


def calls(tree: ast.AST) -> Iterator[tuple[ast.Call, int]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in MARKS:
            yield node, MARKS[node.func.id]


def is_put_together(text: ast.expr) -> bool:
    return isinstance(text, ast.JoinedStr | ast.BinOp)


@pytest.fixture(name="trees", scope="module")
def _trees() -> dict[str, ast.Module]:
    """The syntax tree of each module of the package, by its path."""
    paths = sorted(PACKAGE.rglob("*.py"))
    return {str(path.relative_to(PACKAGE)): ast.parse(path.read_text(encoding="utf-8")) for path in paths}


def test_no_text_is_put_together_before_it_is_translated(trees: dict[str, ast.Module]) -> None:
    wrong = [
        f"{path}:{call.lineno}"
        for path, tree in trees.items()
        for call, texts in calls(tree)
        if any(map(is_put_together, call.args[:texts]))
    ]
    assert not wrong


def test_no_text_is_translated_before_the_language_is_chosen(trees: dict[str, ast.Module]) -> None:
    """Modules, classes and default arguments come first."""
    early = [
        f"{path}:{call.lineno}"
        for path, tree in trees.items()
        for statement in _early(tree)
        for call, __ in calls(statement)
        if isinstance(call.func, ast.Name) and call.func.id != "N_"
    ]
    assert not early


def _early(tree: ast.Module | ast.ClassDef) -> Iterator[ast.AST]:
    for statement in tree.body:
        match statement:
            case ast.ClassDef():
                yield from _early(statement)
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                yield from [*statement.args.defaults, *filter(None, statement.args.kw_defaults)]
            case _:
                yield statement


# What has several words and is no text: actions, events, names of pictures and of a file, types, orders of a shell.
_NAMES = {
    *(binding.action for keymap in KEYMAPS for binding in keymap.bindings),
    *(
        "wheel up",
        "wheel down",
        DARK_BACKGROUND,
        LIGHT_BACKGROUND,
        NO_PICTURES,
        SLOW_LINE,
        f", {SLOW_LINE}",
        "take over ",
    ),
    *("Reaction | None", "ulimit -f", "pip install windows-curses", "TERM=xterm ssh", "TERM=xterm sokoterm"),
    *("My levels", "play packs", "this machine", "zoom in", "zoom out", "turn view", "mirror view"),
    *("pip install 'sokoterm[cluster]'", r"\s*(?:number of )?(?:levels|puzzles)\s*[:=]\s*([0-9]{1,9})\s*"),
    *("none stored", "not sent", "begins solved", *(f"gave up: {reason}" for reason in Reason), "\nRecipe: "),
    *EXIT_STATUSES.values(),
}
# What these write is not for the eyes of players: tables of a bench, scripts, a page in English, pictures, sprites.
_PLAIN = {"bench.py", "completion.py", "pictures.py", "tiles.py"}
_WORDS = re.compile(r"[A-Za-z]{2,}[,:;]? +[a-z]")


def test_no_text_goes_untranslated(trees: dict[str, ast.Module]) -> None:
    """Words in a row are a text, wherever no session of a test comes to."""
    unmarked = {
        path: unmarked_texts(tree)
        for path, tree in trees.items()
        if path.startswith(("tui", "commands")) and Path(path).name not in _PLAIN
    }
    assert {path: texts for path, texts in unmarked.items() if texts} == {}


def unmarked_texts(tree: ast.Module) -> list[str]:
    """Return the strings with words in a row that are none of these: marked, compared with, documentation, commands."""
    marked = {id(part) for call, __ in calls(tree) for part in ast.walk(call)}
    for node in ast.walk(tree):
        match node:
            case ast.Expr(value=ast.Constant()) | ast.Compare() | ast.MatchValue():
                marked |= {id(part) for part in ast.walk(node)}
            case ast.Call(func=ast.Name(id="AssertionError" | "RuntimeError")):  # of bugs, for the log
                marked |= {id(part) for part in ast.walk(node)}
    texts = (node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and id(node) not in marked)
    return [each for each in texts if isinstance(each, str) and _is_text(each)]


def _is_text(text: str) -> bool:
    is_name = text in _NAMES or _NAMES.issuperset(text.split("/"))  # of two keys with one label
    return _WORDS.search(text) is not None and not is_name and not text.startswith("sokoterm ")


def test_a_text_that_is_not_marked_is_found() -> None:
    assert unmarked_texts(ast.parse('put(f"nothing for {name} here", _("a text"))')) == ["nothing for "]


def test_a_text_put_together_is_found() -> None:
    ((call, texts),) = calls(ast.parse('_(f"{n} moves")'))
    assert is_put_together(call.args[texts - 1])
