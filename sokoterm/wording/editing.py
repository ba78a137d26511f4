"""Words of the editor: what a drawing lacks to be a level, its questions, and what was done with it."""

import re

from sokoterm.app.editing import Editor
from sokoterm.app.keymap import Keymap
from sokoterm.engine.text import counted, printable
from sokoterm.store.packs import PackFile
from sokoterm.wording.outcomes import DEADLOCK_REASONS

NEW_TITLE = "New level"
QUESTIONS = {"title": "title", "author": "author", "comment": "comment (| begins a new line)", "save": "save to pack"}
"""Questions for a text, by its field."""
LEAVE_QUESTION = "not saved: leave the drawing? y"
NOT_LEFT = "the drawing stays"
OWN_PACK = "My levels"
"""The pack that is offered first."""
RESCUE_PACK = "Not saved"
"""The pack for drawings that were left without saving them."""

# A shorter form of a problem ends there.
_BREAK = re.compile(r"[:,] | within | expected ")


def heading(editor: Editor) -> str:
    """``Round the pillar  by A. Person  12x9 *``: the star means that it is not saved."""
    drawing = editor.drawing
    author = f"by {printable(drawing.author)}" if drawing.author else ""
    level = editor.verdict.level
    size = f"{level.board.width}x{level.board.height}" if level is not None else ""
    parts = (printable(drawing.title) or NEW_TITLE, author, size, "" if editor.is_kept else "(not saved)")
    return "  ".join(filter(None, parts))


def verdict_forms(editor: Editor) -> tuple[str, ...]:
    """Return what is wrong with a drawing, else what it is, and shorter forms."""
    verdict = editor.verdict
    if verdict.level is None:
        return verdict.problem, _BREAK.split(verdict.problem)[0]
    if verdict.solved:
        return "every box begins on a goal", "solved from the start"
    if (deadlock := editor.deadlock) is not None:
        why = DEADLOCK_REASONS.get(deadlock.kind, "")
        return (f"lost from the start: {why}", why) if why else ("lost from the start",)
    boxes = verdict.level.boxes
    return f"a level of {counted(boxes, 'box')}", counted(boxes, "box")


def fill_text(keymap: Keymap) -> str:
    """Return what a marked corner is for."""
    return f"what is drawn next fills the rectangle; {keymap.key_of('cancel')} drops it"


def saved_text(file: PackFile, number: int) -> str:
    """``saved: level 3 of My levels``."""
    return f"saved: level {number} of {printable(file.name)}"


def rescued_text(file: PackFile, number: int) -> str:
    """``the drawing that was not saved is level 3 of Not saved``."""
    return f"the drawing that was not saved is level {number} of {printable(file.name)}"


def no_own_packs(keymap: Keymap) -> str:
    """Return why nothing can be saved, and the way out."""
    return f"no packs of your own here: {keymap.key_of('copy')} copies the level"
