"""The level editor: the drawing, the verdict below it, and questions about texts and packs."""

from functools import partial
from itertools import product

from sokoterm.app.drawing import Drawing, Spot
from sokoterm.app.editing import Editor, KeptDrawing, drawn_pack
from sokoterm.app.keymap import Keymaps
from sokoterm.app.lists import Lists
from sokoterm.app.pulling import Pulling, why_no_pulling
from sokoterm.app.request import Ask, CopyText, Note, Outcome, PlayDrawn
from sokoterm.engine.board import Board
from sokoterm.engine.level import Pack
from sokoterm.engine.text import one_line, several_lines
from sokoterm.formats.registry import write
from sokoterm.language import N_, _, labelled, listed, ngettext, pgettext
from sokoterm.store.packs import PackFile, shown_text
from sokoterm.terminal.events import Pointer
from sokoterm.tui.screens.reverse import ReverseScreen
from sokoterm.tui.screens.screen import Open, Prompt, Reaction, Screen
from sokoterm.tui.widgets import theme as styles
from sokoterm.tui.widgets import tiles
from sokoterm.tui.widgets.board_view import Appearance, SquareSize, draw_board, mark_squares, place_board, square_size
from sokoterm.tui.widgets.canvas import Canvas
from sokoterm.tui.widgets.frame import Area, Frame, Hints, Size, StatusText
from sokoterm.tui.widgets.sights import Sight, Sights
from sokoterm.wording.columns import typed_line
from sokoterm.wording.outcomes import deadlock_reason, phrase

_QUESTIONS = {
    "title": N_("title"),
    "author": N_("author"),
    "comment": N_("comment (| starts a new line)"),
}
_MISSING = (
    ("player", {*"@+"}, N_("there is no player yet: {key} puts one here")),
    ("box", {*"$*"}, N_("there is no box yet: {key} puts one here")),
    ("goal", {*".*+"}, N_("there is no goal yet: {key} puts one here")),
)
_OWN_PACK = "My levels"  # suggested for the first save
_FOOTER = {
    "wall": N_("wall"), "box": N_("box"), "goal": N_("goal"), "player": N_("player"), "accept": N_("play"),
    "solve": N_("solve"), "save": N_("save"), "help": N_("help"), "cancel": N_("back"),
}  # fmt: skip


class EditorScreen(Screen):
    """A drawing in the editor; ``home`` is the pack it was opened from or last saved to, and its number there."""

    def __init__(
        self,
        editor: Editor,
        keymaps: Keymaps,
        kept: KeptDrawing,
        lists: Lists,
        home: tuple[PackFile, int] | None = None,
    ) -> None:
        """``kept`` stores the editor's drawing; drawings are saved to packs of ``lists``. May raise PackError."""
        self.keymap = keymaps.editor
        self._keymaps = keymaps
        self.editor = editor
        self.home = home
        self.message = editor.problem
        if kept.resume():
            self.message = _("unsaved changes restored; {key} undoes them all", key=self.keymap.key_of("undo"))
        self._kept = kept
        self._lists = lists
        # The screen cell of the square that was at the origin when the editor was opened, for an area and a square
        # size.
        self._anchor: tuple[tuple[int, int], Area, SquareSize] | None = None
        self._pressed: tuple[Spot, bool] | None = None

    @property
    def board(self) -> Board:
        return self.editor.picture.board

    # Keys

    def update(self, action: str | None, key: str) -> Reaction | None:
        if self.question is not None:
            return self.answer(self.question, key)
        match action:
            case "cancel" if self.editor.corner is not None:
                self.editor.corner = None
            case "cancel" if self.editor.is_kept:
                return Ask.CLOSE
            case "cancel":
                self._ask_to_leave(Ask.CLOSE)
            case "texts":
                self._ask_text("title")
            case "save":
                self._ask_pack()
            case "copy" | "accept" | "solve":
                return self._use(action)
            case "reverse":
                return self._reverse()
            case str():
                self._say(self.editor.act(action))
        return None

    def _use(self, action: str) -> Reaction | None:
        level = self.editor.level
        if level is None:
            self.message = self._no_level
            return None
        if action == "copy":
            return CopyText(write(Pack("", (level,)), "xsb").data.decode(), level)
        is_saved = self.home is not None and self.editor.is_kept
        file, number = self.home if self.home is not None and is_saved else (drawn_pack(level), 1)
        return PlayDrawn(file, number, solves=action == "solve")

    def _reverse(self) -> Reaction | None:
        """Open reverse play: the player pulls boxes from the goals to where the level will start."""
        level = self.editor.solved_level
        why = why_no_pulling(level) if level is not None else Note.NOTHING_TO_REVERSE
        if level is None or why is not None:
            self._say(why)
            return None

        def take(pulling: Pulling) -> Reaction:
            self.editor.begin_at(pulling.state, pulling.lurd)
            return Ask.CLOSE

        return Open(ReverseScreen(level, self._keymaps.reverse, take))

    def _say(self, outcome: Outcome | None) -> None:
        self.message = phrase(outcome, self.keymap)

    # Questions

    def _ask_text(self, field: str) -> None:
        before = one_line(getattr(self.editor.drawing, field))
        do = partial(self._take_text, field, before)
        self.question = Prompt(_(_QUESTIONS[field]), do, before, pgettext("footer", "accept"))

    def _take_text(self, field: str, before: str, typed: str) -> None:
        drawing = self.editor.drawing
        if typed != before:
            texts = {each: getattr(drawing, each) for each in _QUESTIONS}
            text = several_lines(typed) if field == "comment" else typed.strip()
            self.editor.take(Drawing(drawing.cells, **texts | {field: text}))
        if following := {"title": "author", "author": "comment"}.get(field):
            self._ask_text(following)

    def _ask_pack(self) -> None:
        if self.editor.level is None:
            self.message = self._no_level
        else:
            name = self.home[0].name if self.home is not None else _OWN_PACK
            self.question = Prompt(_("save to pack"), self._save, name, pgettext("footer", "accept"))

    def _ask_to_leave(self, asked: Ask) -> None:
        def leave(__: str) -> Reaction:
            self.editor.keep()
            self._kept.write()
            return asked

        text, stays = _("not saved; leave anyway? y"), _("the drawing stays open")
        self.question = Prompt(text, leave, label=_("leave"), no=_("stay"), refused=stays)

    def _save(self, name: str) -> Reaction | None:
        level = self.editor.level
        if level is None:
            return None
        number = self.home[1] if self.home is not None and self.home[0].name == name.strip() else None
        saved = self._lists.put_level(name, level, number, self.editor.origin)
        self.home = saved.file, saved.number
        self.editor.keep()
        self.editor.origin = level
        self.message = self._kept.saved_as(saved.file.key, saved.number) or ""
        return saved

    def holds_back(self) -> bool:
        if self.editor.is_kept:
            return False
        self._ask_to_leave(Ask.QUIT)
        return True

    def rescue(self) -> str:
        problem = self._kept.write()
        return "" if self.editor.is_kept else problem or _("your unsaved drawing is kept for next time")

    def point(self, pointer: Pointer) -> Reaction | None:
        """Draw by clicking, fill a rectangle by dragging; the right button draws floor."""
        if self.place is None or pointer.button not in ("left", "right"):
            return None
        self.message, self.question = "", None
        square, editor = self.square_under(pointer), self.editor
        place = editor.drawing.place_of(square) if square is not None else None
        thing = "floor" if pointer.button == "right" else editor.brush
        if pointer.is_press and place is not None:
            before = editor.drawing
            self._say(editor.put_at(place, thing))
            self._pressed = place, editor.drawing is not before
        elif pointer.is_press:
            self._pressed = None
        elif place is not None and self._pressed is not None:
            self._say(self._fill(*self._pressed, place, thing))
        return None

    def _fill(self, first: Spot, was_drawn: bool, last: Spot, thing: str) -> Outcome | None:
        """Fill the rectangle of a drag; the press has drawn its first square, which may have enlarged the drawing."""
        editor = self.editor
        if was_drawn:
            grown = editor.cursor[0] - first[0], editor.cursor[1] - first[1]
            last = last[0] - grown[0], last[1] - grown[1]
            editor.act("undo")
        return editor.fill(first, last, thing)

    # Work while idle

    def wake_after(self) -> float | None:
        warning = self.editor.warning
        return 0.0 if self._kept.is_due or warning is not None and not warning.is_sharp else None

    def tick(self) -> None:
        if self._kept.is_due:
            self.message = self._kept.write() or self.message
        if (warning := self.editor.warning) is not None:
            warning.sharpen()

    # The frame

    def fit(self, size: Size, appearance: Appearance) -> None:
        area = Area(1, 0, size.rows - 3, size.columns)
        board = self.board
        square = square_size(appearance, board, area.height, area.width)
        focus = self.editor.drawing.square_at(self.editor.cursor)
        steady = self._steady_area(area, square)
        self.place = place_board(board, focus, steady or area, square, self.place)
        if steady is None and (first := self.place.cell_of(0)) is not None:
            above, left_of = self.editor.shift
            self._anchor = (first[0] + above * square.rows, first[1] + left_of * square.columns), area, square

    def _steady_area(self, area: Area, square: SquareSize) -> Area | None:
        """Return the part of an area that keeps squares in place although the drawing has grown, None if impossible."""
        if self._anchor is None or self._anchor[1:] != (area, square):
            return None
        (above, left_of), (row, column) = self.editor.shift, self._anchor[0]
        top, left = row - above * square.rows, column - left_of * square.columns
        height, width = self.board.height * square.rows, self.board.width * square.columns
        has_rows = area.top <= top <= area.top + area.height - height
        has_columns = area.left <= left <= area.left + area.width - width
        return Area(top, left, height, width) if has_rows and has_columns else None

    def view(self, size: Size, appearance: Appearance) -> Frame:
        canvas = Canvas(*size)
        editor, place = self.editor, self.place
        assert place is not None  # see ``fit``
        picture, deadlock = editor.picture, editor.deadlock
        dead = deadlock.boxes if deadlock is not None else 0
        draw_board(canvas, place, picture, picture.start, appearance.theme, dead)
        mark = partial(mark_squares, canvas, place, picture, picture.start, theme=appearance.theme)
        if (fault := editor.verdict.place) is not None:
            square = editor.drawing.square_at(fault)
            is_blank = Sights(picture, picture.start).at(square) == Sight(" ")
            text = appearance.theme.marks.dead if is_blank else ""
            mark([square], style=styles.MARK_DEAD, text=text, over=(tiles.DEAD,))
        shown = [{*marked}.intersection(part) for marked, part in zip(editor.marked, place.shown, strict=True)]
        mark(map(editor.drawing.square_at, product(*shown)), style=styles.CHOSEN, label="><")
        title, *more = self._heading
        end = canvas.draw_page(self._line(size.columns), self._hints(), title, "  ".join(more))
        cursor = place.cell_of(editor.drawing.square_at(editor.cursor))
        return canvas.frame((size.rows - 2, min(end, size.columns - 1)) if self.question is not None else cursor)

    def _line(self, columns: int) -> StatusText:
        if (question := self.question) is not None and question.typed is None:
            return StatusText(question.asked, styles.KEY, "y")
        if question is not None and question.typed is not None:
            return StatusText(typed_line(labelled(question.asked, "").rstrip(), question.typed, columns), styles.KEY)
        if self.message:
            return StatusText(self.message)
        if self.editor.corner is not None:
            key = self.keymap.key_of("cancel")
            text = _("the next thing you draw fills the rectangle; {key} cancels", key=key)
            return StatusText(text, kept=key)
        is_good = self.editor.verdict.level is not None and self.editor.deadlock is None
        return StatusText(self._verdict, styles.GOOD if is_good else styles.WARNING)

    @property
    def _heading(self) -> list[str]:
        """Return for example ``Round the pillar``, ``by A. Person``, ``12x9``, ``(not saved)``."""
        drawing, level = self.editor.drawing, self.editor.verdict.level
        author = _("by {author}", author=shown_text(drawing.author)) if drawing.author else ""
        size = f"{level.board.width}x{level.board.height}" if level is not None else ""
        is_kept = "" if self.editor.is_kept else _("(not saved)")
        return [*filter(None, (shown_text(drawing.title) or _("New level"), author, size, is_kept))]

    @property
    def _verdict(self) -> str:
        """Return the fault of the drawing, or what kind of level it is."""
        verdict, signs = self.editor.verdict, "".join(self.editor.picture.rows)
        for action, shown, text in _MISSING:
            if verdict.place is None and not shown.intersection(signs):
                return _(text, key=self.keymap.key_of(action))
        if verdict.level is None:
            return verdict.problem
        if verdict.solved:
            return _("every box starts on a goal")
        if (deadlock := self.editor.deadlock) is not None:
            why = deadlock_reason(deadlock.kind)
            return _("lost from the start: {why}", why=why) if why else _("lost from the start")
        boxes = verdict.level.boxes
        text = ngettext("a level with {n:,} box", "a level with {n:,} boxes", boxes)
        outside = sum(row.count("$") + row.count("*") for row in self.editor.picture.rows) - boxes
        beyond = ngettext("{n:,} box outside does not count", "{n:,} boxes outside do not count", outside)
        return listed([text, beyond if outside else ""])

    @property
    def _no_level(self) -> str:
        return _("not a level yet: {problem}", problem=self._verdict)

    def _hints(self) -> Hints:
        keymap = self.keymap
        if self.question is not None:
            return self.question.hints
        return keymap.hints({action: _(label) for action, label in _FOOTER.items()})
