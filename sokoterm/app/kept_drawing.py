"""The drawing of an editor in the progress until it is saved, so that the end of the program costs nothing."""

from contextlib import suppress

from sokoterm.app.drawing import drawing_in, text_of_drawing
from sokoterm.app.editing import Editor
from sokoterm.store.packs import PackError
from sokoterm.store.progress import ProgressStore


class KeptDrawing:
    """The drawing of ``editor``, kept for the level from which it was opened: by the key of a pack and a number.

    An empty key and any number stand for a new level: each session that draws one has a number of its own.
    """

    def __init__(self, store: ProgressStore, editor: Editor, pack: str = "", number: int = 0) -> None:
        self._store = store
        self._editor = editor
        self._level = pack, number
        self._text = self._saved = ""
        self._seen = editor.drawing

    def resume(self) -> bool:
        """Take the drawing that was kept, as one edit; False if there is none.

        Raises PackError if it cannot be read now.
        """
        if not self._level[0]:
            self._level = "", next(iter(self._store.drawn_numbers("")), 0)
        self._text = self._saved = self._store.drawing(*self._level)
        found = drawing_in(self._text) if self._text else None
        if found is None or found[0] == self._editor.drawing:
            return False
        self._editor.take(*found)
        self._seen = self._editor.drawing
        return True

    @property
    def is_due(self) -> bool:
        """True if the drawing has changed since it was written."""
        return self._editor.drawing is not self._seen

    def write(self) -> str | None:
        """Write the drawing, or drop it once it is saved; return why it waits in memory, if it does."""
        editor = self._editor
        self._seen = editor.drawing
        text = "" if editor.is_kept else text_of_drawing(editor.drawing, editor.cursor)
        if text != self._text and not self._level[0]:
            self._give_way()
        if text == self._text:
            return None
        self._text = text
        self._store.keep_drawing(*self._level, text)
        problem = self._store.save_rows()
        self._saved = self._saved if problem else text
        return problem

    def _give_way(self) -> None:
        """Take another number if the drawing of a new level is now that of another session."""
        with suppress(PackError):
            if self._store.drawing(*self._level) not in ("", self._text, self._saved):
                self._level = "", self._store.drawn_numbers("")[-1] + 1
                self._text = self._saved = ""

    def saved_as(self, pack: str, number: int) -> str | None:
        """Drop the drawing, which is saved as this level; changes from now on are kept for that one."""
        problem = self.write()
        self._level = pack, number
        return problem
