"""Texts are marked so that they can be found: what is translated is a whole text, never one that was put together."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[3] / "sokoterm"
# The number of texts that each function takes.
MARKS = {"_": 1, "N_": 1, "ngettext": 2, "pgettext": 2}


def calls(tree: ast.AST) -> Iterator[tuple[ast.Call, int]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in MARKS:
            yield node, MARKS[node.func.id]


def is_put_together(text: ast.expr) -> bool:
    return isinstance(text, ast.JoinedStr | ast.BinOp)


@pytest.mark.parametrize("path", sorted(PACKAGE.rglob("*.py")), ids=lambda path: str(path.relative_to(PACKAGE)))
def test_no_text_is_put_together_before_it_is_translated(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    wrong = [call.lineno for call, texts in calls(tree) if any(map(is_put_together, call.args[:texts]))]
    assert not wrong


@pytest.mark.parametrize("path", sorted(PACKAGE.rglob("*.py")), ids=lambda path: str(path.relative_to(PACKAGE)))
def test_no_text_is_translated_before_the_language_is_chosen(path: Path) -> None:
    """Modules, classes and default arguments come first."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    early = [
        call.lineno
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


def test_a_text_put_together_is_found() -> None:
    ((call, texts),) = calls(ast.parse('_(f"{n} moves")'))
    assert is_put_together(call.args[texts - 1])
