"""Words of the editor: what a drawing lacks to be a level, its questions, and what was done with it."""

import re

from sokoterm.app.editing import Editor
from sokoterm.app.keymap import Keymap
from sokoterm.engine.text import printable
from sokoterm.language import N_, _, boxes_text, listed, ngettext
from sokoterm.store.packs import PackFile
from sokoterm.wording.outcomes import deadlock_reason

_NEW_TITLE = N_("New level")
_QUESTIONS = {
    "title": N_("title"),
    "author": N_("author"),
    "comment": N_("comment (| begins a new line)"),
    "save": N_("save to pack"),
}
LEAVE_QUESTION = N_("not saved: leave the drawing? y")
NOT_LEFT = N_("the drawing stays")
OWN_PACK = "My levels"
"""The pack that is offered first."""
NOT_LOST = N_("the drawing that was not saved is kept for the next time")

# A shorter form of a problem ends there.
_BREAK = re.compile(r"[:,] |[：，]| within | expected ")  # noqa: RUF001 - Chinese


def question(field: str) -> str:
    """Return the question for the text of a field."""
    return _(_QUESTIONS[field])


def heading(editor: Editor) -> str:
    """``Round the pillar  by A. Person  12x9 *``: the star means that it is not saved."""
    drawing = editor.drawing
    author = _("by {author}", author=printable(drawing.author)) if drawing.author else ""
    level = editor.verdict.level
    size = f"{level.board.width}x{level.board.height}" if level is not None else ""
    parts = (printable(drawing.title) or _(_NEW_TITLE), author, size, "" if editor.is_kept else _("(not saved)"))
    return "  ".join(filter(None, parts))


def verdict_forms(editor: Editor) -> tuple[str, ...]:
    """Return what is wrong with a drawing, else what it is, and shorter forms."""
    verdict = editor.verdict
    if verdict.level is None:
        return verdict.problem, _BREAK.split(verdict.problem)[0]
    if verdict.solved:
        return _("every box begins on a goal"), _("solved from the start")
    if (deadlock := editor.deadlock) is not None:
        why = deadlock_reason(deadlock.kind)
        return (_("lost from the start: {why}", why=why), why) if why else (_("lost from the start"),)
    boxes = verdict.level.boxes
    text = ngettext("a level of {n:,} box", "a level of {n:,} boxes", boxes)
    if outside := sum(row.count("$") + row.count("*") for row in editor.picture.rows) - boxes:
        beyond = ngettext("{n:,} box outside does not count", "{n:,} boxes outside do not count", outside)
        return listed([text, beyond]), beyond
    return text, boxes_text(boxes)


def no_level_text(editor: Editor) -> str:
    """Return why a drawing can be neither played nor saved."""
    return _("this is no level yet: {problem}", problem=verdict_forms(editor)[-1])


def fill_text(keymap: Keymap) -> str:
    """Return what a marked corner is for."""
    return _("what is drawn next fills the rectangle; {key} drops it", key=keymap.key_of("cancel"))


def saved_text(file: PackFile, number: int) -> str:
    """``saved: level 3 of My levels``."""
    return _("saved: level {number} of {pack}", number=number, pack=printable(file.name))


def resumed_text(keymap: Keymap) -> str:
    """Return the line about a drawing that was kept when it was not saved."""
    return _("as you left it, not saved; {key} undoes all of it", key=keymap.key_of("undo"))


def no_own_packs(keymap: Keymap) -> str:
    """Return why nothing can be saved, and the way out."""
    return _("no packs of your own here: {key} copies the level", key=keymap.key_of("copy"))
