"""The browser: packs and their progress, levels and their figures, and a preview of the chosen level.

A pack is read when entered; a small one also when the cursor rests on it. Other figures come from the index, which is
extended while the player is idle.
"""

import os
from collections.abc import Sequence
from functools import partial

from sokoterm.app.catalog import Catalog
from sokoterm.app.generated import DescentPack, SeriesEntry
from sokoterm.app.keymap import BROWSER, Keymap, shown
from sokoterm.app.lists import Folder, LevelSort, Lists, Resume
from sokoterm.app.options import DESCENT
from sokoterm.app.pack_session import PackSession, number_of
from sokoterm.app.request import Ask, Collect, OpenEditor, Reread, ShowRuns, Start
from sokoterm.engine.level import Level, LevelError
from sokoterm.engine.text import one_line, printable, several_lines
from sokoterm.language import _, labelled, listed, pgettext
from sokoterm.store.packs import PackFile
from sokoterm.terminal.events import Pointer
from sokoterm.tui.screens.browser_lists import BrowserLists, ListedRow
from sokoterm.tui.screens.browser_panes import BrowserPanes
from sokoterm.tui.screens.screen import Prompt, Reaction, Screen, edited
from sokoterm.tui.widgets.board_view import Appearance
from sokoterm.tui.widgets.canvas import Canvas
from sokoterm.tui.widgets.frame import Area, Frame, Hints, Size, StatusText
from sokoterm.wording import lists as wording
from sokoterm.wording.columns import clipped, text_width, typed_line
from sokoterm.wording.packs import generated_words_of, words_of

_LONGEST = 200  # of pasted text: longer than any title or file name
_LEAST_TOLD = 20  # columns from which words fit beside the filter


class BrowserScreen(Screen):
    """The list of packs and, one step to the right, the levels of a pack."""

    def __init__(
        self, model: Lists, catalog: Catalog, keymap: Keymap = BROWSER, series: Sequence[SeriesEntry] = ()
    ) -> None:
        """``series`` are listed above the packs of the ``model``."""
        self.keymap = keymap
        self._model = model
        self._catalog = catalog
        self.lists = BrowserLists(model, catalog, series)
        self._rests = False  # no key was pressed between two ticks
        self._panes = BrowserPanes(self.lists, model, catalog, keymap)
        if len(model.files) == 1 and (opened := self._opened()) is not None:
            self._enter_pack(opened)

    @property
    def reads_text(self) -> bool:
        return self.lists.filter.reads_text or super().reads_text

    # Work while idle

    def wake_after(self) -> float | None:
        pack_session = self.lists.pack_session
        is_replaying = pack_session is not None and pack_session.lookups.is_replaying
        return 0.0 if is_replaying or self._pictureless() else self._model.wake_after(pack_session)

    def tick(self) -> None:
        """Read the chosen pack for its preview, index a pack or replay solutions, unless a key was just pressed."""
        lists, pack_session = self.lists, self.lists.pack_session
        is_indexed = self._model.wake_after(pack_session) != 0.0
        if not self._rests:
            self._rests = True
        elif (file := self._pictureless()) is not None:
            self._model.open(file)
        elif is_indexed and pack_session is not None and pack_session.lookups.is_replaying:
            pack_session.lookups.go_on()
        else:
            chosen = lists.chosen
            if self._model.work(pack_session):
                lists.choose(chosen, in_place=True)

    def _pictureless(self) -> PackFile | None:
        """Return the chosen pack if it is small and not yet read."""
        file = self.lists.chosen_file if self.lists.pack_session is None and self._model.shown else None
        if file is None or self._model.get(file) is not None or self._catalog.problem(file):
            return None
        return file if self._catalog.is_small(file) else None

    # Keys

    def update(self, action: str | None, key: str) -> Reaction | None:
        self._rests = False
        self._model.rest()
        lists = self.lists
        if self.question is not None:
            return self.answer(self.question, key)
        if lists.filter.reads_text:
            self._type(key)
            return None
        match action:
            case "accept":
                return self._accept()
            case "open" if lists.pack_session is None:
                return self._open()
            case "close" if lists.pack_session is not None:
                self._leave_pack()
            case "close":
                lists.leave_folder()
            case "cancel" if lists.filter.text:
                lists.end_filter()
            case "cancel":
                return Ask.CLOSE
            case "search":
                lists.begin_filter()
            case "next unsolved":
                self._next_unsolved()
            case "series":
                return self._play_found()
            case "statistics":
                return Ask.SHOW_STATISTICS
            case "letslogic":
                return Ask.SHOW_ONLINE
            case "edit":
                level = self._chosen_level()
                return OpenEditor(*level) if level is not None else None
            case "draw":
                return OpenEditor()
            case "order" | "order back":
                self._sort(1 if action == "order" else -1)
            case "collect" | "collect into":
                return self._collect(asks_name=action == "collect into")
            case "rename" | "remove" | "move up" | "move down" | "move first" | "move last":
                return self._change(action)
            case str():
                lists.choice.move(action, len(lists.rows), self._panes.list_area.height)
        return None

    def point(self, pointer: Pointer) -> Reaction | None:
        """Click: choose a row, or open the chosen one; right button: open a row or leave a pack; wheel: scroll."""
        if not pointer.is_press:
            return None
        self.question = None
        self.message = ""
        self._rests = False
        lists = self.lists
        has_moved = self._panes.layout.are_three and self._enter_pane(pointer.column)
        area = self._panes.list_area
        row = lists.choice.point(pointer, len(lists.rows), range(area.top, area.top + area.height))
        if pointer.button == "right" and lists.pack_session is not None:
            self._leave_pack()
        elif row is None or not _is_over(pointer.column, area) or pointer.button == "middle":
            return None
        elif pointer.button == "left" and row == lists.choice.index and not has_moved:
            lists.filter.accept()
            return self._accept()
        else:
            lists.choice.index = row
            if pointer.button == "right":
                return self._open()
        return None

    def _enter_pane(self, column: int) -> bool:
        """Move the cursor to the list under the mouse; False if it is already there."""
        layout = self._panes.layout
        if _is_over(column, layout.packs) and self.lists.pack_session is not None:
            self._leave_pack()
            return True
        return _is_over(column, layout.levels) and self.lists.enter_beside()

    def paste(self, text: str) -> bool:
        if self.lists.filter.reads_text:
            self.lists.type((self.lists.filter.text + text)[:_LONGEST])
        return super().paste(text)

    def _type(self, key: str) -> None:
        if key == "esc":
            self.lists.end_filter()
        elif key == "enter":
            self.lists.filter.accept()
        else:
            self.lists.type(edited(self.lists.filter.text, key))

    def _accept(self) -> Reaction | None:
        lists, entry = self.lists, self.lists.chosen_entry
        if lists.pack_session is None and isinstance(chosen := lists.chosen_pack, Folder):
            lists.fold(chosen)
        elif lists.pack_session is not None and isinstance(entry, LevelError):
            self.message = words_of(lists.pack_session).why_missing(entry.level)
        elif (level := self._chosen_level()) is not None:
            return Start(*level)
        return None

    def _chosen_level(self) -> tuple[PackSession, int] | None:
        """Return the chosen level, or the next one to play in the chosen pack; without one, explain why."""
        pack_session, entry = self.lists.pack_session, self.lists.chosen_entry
        if pack_session is not None:
            return (pack_session, number_of(entry)) if entry is not None else None
        if (opened := self._opened()) is None:
            return None
        if (number := self.lists.number_in(opened)) is not None:
            return opened, number
        self.message = words_of(opened).none_readable
        return None

    def _play_found(self) -> Reaction | None:
        typed = self.lists.filter
        if not typed.text:
            self.message = _(wording.NO_FILTER)
            return None
        unknown = self.lists.unknown
        start = self._model.open_found(typed.text, typed.wanted, self.lists.pack_session)
        if start is None:
            self.message = unknown or _(wording.NOTHING_FOUND)
        elif unknown:
            self._catalog.notices.append(unknown)
        return start

    def _open(self) -> Reaction | None:
        if isinstance(chosen := self.lists.chosen_pack, Folder):
            if chosen.is_folded:
                self.lists.fold(chosen)
            return None
        opened = self._opened()
        if isinstance(opened, DescentPack):
            return ShowRuns(opened)
        if opened is not None:
            self._enter_pack(opened)
        return None

    def _enter_pack(self, pack_session: PackSession) -> None:
        chosen, number = self.lists.chosen_pack, self.lists.number_in(pack_session)
        self.lists.filter.enter_pack()
        self.lists.choose(chosen)
        self.lists.enter(pack_session, number)

    def _leave_pack(self) -> None:
        # Small packs show their figures immediately.
        self._catalog.work(self._model.shown)
        self.lists.leave_pack()

    def _sort(self, step: int) -> None:
        lists = self.lists
        chosen, chosen_pack = lists.chosen, lists.chosen_pack
        self._model.turn(step)
        is_grading = self._model.progress(lists.pack_session) is not None
        self.message = "" if is_grading else wording.order_text(self._model.sort)
        if chosen_pack is not None and not isinstance(chosen_pack, Folder):
            lists.choose_pack(chosen_pack.key)
        lists.choose(chosen)

    # The player's own packs and their levels

    def _change(self, action: str) -> Reaction | None:
        """Rename or remove one of the player's packs, or change a level in it; explain why others are fixed."""
        lists, model, entry = self.lists, self._model, self.lists.chosen_entry
        file = lists.chosen_file if lists.pack_session is None else model.own_file(lists.pack_session)
        if file is None or not model.is_own(file) or lists.pack_session is not None and not isinstance(entry, Level):
            self.message = _(wording.WHY_NOT_OWN)
        elif lists.pack_session is not None and isinstance(entry, Level):
            return self._change_level(action, file, entry)
        elif action == "rename":
            asked = _("new name of {pack}:", pack=printable(file.name))
            name = os.path.basename(file.name)
            self.question = Prompt(asked, partial(self._change_pack, file), name, _("rename"))
        elif action == "remove":
            asked = _("remove the file of {pack}? Your solutions are kept", pack=printable(file.name))
            self.question = Prompt(asked, lambda __: self._change_pack(file), label=_("remove"), no=_keep())
        return None

    def _change_pack(self, file: PackFile, name: str | None = None) -> None:
        renamed, self.lists.beside = None, None
        if name is None:
            self._model.remove(file)
        else:
            renamed = self._model.rename(file, name)
            self.lists.choose_pack(renamed.key)
        self.message = wording.changed_text(file, renamed)

    def _change_level(self, action: str, file: PackFile, level: Level) -> Reaction | None:
        model, number, last, accept = self._model, level.number, len(self.lists.rows), pgettext("footer", "accept")
        places = {"move up": number - 1, "move down": number + 1, "move first": 1, "move last": last}

        def take_title(title: str) -> None:
            def take_note(note: str) -> Reaction:
                return model.alter(file, level, title=title.strip(), comment=several_lines(note))

            asked = _("note of level {number}:", number=number)
            self.question = Prompt(asked, take_note, one_line(level.comment), accept)

        if action == "rename":
            asked = _("title of level {number}:", number=number)
            self.question = Prompt(asked, take_title, level.title, accept)
        elif action == "remove":
            asked = _("take level {number} out of {pack}?", number=number, pack=printable(file.name))
            self.question = Prompt(asked, lambda __: model.take_out(file, level), label=_("take out"), no=_keep())
        elif model.sort is not LevelSort.PLACE or self.lists.filter.text:
            self.message = _(wording.WHY_NOT_MOVED)
        else:
            return model.move(file, level, places[action])
        return None

    def _collect(self, *, asks_name: bool) -> Reaction | None:
        """Collect the chosen level; in the collection itself, ask whether to remove it."""
        if (chosen := self._chosen_level()) is None:
            return None
        collection = self._model.collection
        if asks_name:
            asked, name = _("into which pack? ({name})", name=collection.name), collection.name
            self.question = Prompt(asked, lambda typed: Collect(*chosen, typed or name), "", _("collect"))
        elif self.lists.pack_session is not None and self.lists.pack_session.key == collection.key:
            return self._change("remove")
        else:
            return Collect(*chosen)
        return None

    def reread(self, changed: Reread) -> None:
        lists, file = self.lists, changed.file
        chosen, entry, lists.beside = lists.chosen_pack, lists.chosen_entry, None
        is_shown = lists.pack_session is not None and lists.pack_session.key == file.key
        self._model.drop(file)
        if is_shown:
            lists.pack_session = self._model.open(file) if file in self._model.files else None
        if chosen is not None and not isinstance(chosen, Folder):
            lists.choose_pack(chosen.key)
        if is_shown and lists.pack_session is not None and entry is not None:
            lists.choose_number(changed.number_of(number_of(entry)) or min(changed.was, lists.pack_session.pack.size))

    def _next_unsolved(self) -> None:
        pack_session, entry = self.lists.pack_session, self.lists.chosen_entry
        if pack_session is None:
            return
        before = entry.number if isinstance(entry, Level) else 0
        self.lists.filter.set("", reads_text=False)
        number = self._model.next_unsolved(pack_session, before)
        if number is None:
            self.message = words_of(pack_session).why_no_unsolved(before)
        elif number not in pack_session.numbers:  # a generated level not yet begun
            self.message = self._panes.not_begun(pack_session, number)
        else:
            self.lists.choose_number(number)

    def _opened(self) -> PackSession | None:
        chosen = self.lists.chosen_pack
        opened: PackSession | None = None
        if isinstance(chosen, SeriesEntry) and (opened := chosen.open()) is None:
            self.message = _series_problem(chosen)
        elif isinstance(chosen, PackFile) and (opened := self._model.open(chosen)) is None:
            self.message = self._catalog.problem(chosen)
        return opened

    # The frame

    def fit(self, size: Size, appearance: Appearance) -> None:  # noqa: ARG002 - lists look the same in every theme
        self._panes.fit(size)

    def view(self, size: Size, appearance: Appearance) -> Frame:
        canvas, lists = Canvas(*size), self.lists
        self._panes.draw(canvas, appearance)
        canvas.draw_page(StatusText(self._bottom_line(size.columns)), self._hints())
        if self.reads_text:
            return canvas.frame((size.rows - 2, min(text_width(self._typed_line(size.columns)), size.columns - 1)))
        area = self._panes.list_area
        return canvas.frame((area.top + lists.choice.index - lists.choice.first, area.left))

    # The lines below the lists

    def _facts(self) -> str:
        pack_session, entry = self.lists.pack_session, self.lists.chosen_entry
        if pack_session is None:
            facts = self._pack_facts(self.lists.chosen_pack)
        elif isinstance(entry, Level):
            # The first frame does not wait for the library.
            facts = wording.level_facts(pack_session, entry, with_library=self._catalog.is_open)
        else:
            facts = words_of(pack_session).why_missing(entry.level) if entry else ""
        return listed([self.lists.unknown, wording.graded_text(self._model.progress(pack_session)), facts])

    def _pack_facts(self, file: ListedRow | None) -> str:
        if file is None:
            return ""
        if isinstance(file, Folder):
            return wording.folder_facts(file, self._catalog.count_levels(file.files))
        if isinstance(file, SeriesEntry):
            if (words := generated_words_of(file.pack)) is None:
                return _series_problem(file)
            return words.facts
        figures = self._catalog.figures([file]).get(file.key)
        if figures is None:
            later = _("not read yet: press {key} to read it", key=self.keymap.key_of("open"))
            return self._catalog.problem(file) or ("" if self._catalog.is_small(file) else later)
        opened = None if self._panes.layout.has_note else self._model.get(file)
        pack = opened.pack if opened is not None else None
        return wording.pack_facts(figures, self.lists.level_found(file), pack)

    def _typed_line(self, columns: int) -> str:
        """Return the filter or question and what has been typed, "" for neither."""
        if self.question is not None:
            asked, text = self.question.asked, self.question.typed
            return asked if text is None else typed_line(asked, text, columns)
        typed = self.lists.filter
        return f"/{typed.text}" if typed.reads_text or typed.text else ""

    def _bottom_line(self, columns: int) -> str:
        typed, line = self.lists.filter, self._typed_line(columns)
        if self.question is not None:
            return clipped(line, columns)
        if self.message or not line:
            return self.message or self._facts()
        if not self.reads_text:
            return f"{line}   {self.lists.found}   {self._facts()}".rstrip()
        told = listed([self.lists.found, self.lists.unknown])
        if typed.problem is not None:
            told = wording.query_problem(typed.problem)
        elif not told and typed.is_of_packs:
            told = _("in packs, authors, level titles; or boxes:4, unsolved, unique, pushes<50")
        elif not told:
            told = _("in numbers, titles, authors; or boxes:4, unsolved, unique, pushes<50")
        has_room = text_width(f"{line}   {told}") <= columns or text_width(line) + _LEAST_TOLD <= columns
        return f"{line}   {told}" if has_room else clipped(line, columns)

    def _hints(self) -> Hints:
        if self.question is not None:
            return self.question.hints
        if self.reads_text:
            return [(shown("enter"), pgettext("footer: ends typing", "done")), (shown("esc"), _("clear the search"))]
        lists, labels = self.lists, dict[str, str]()
        chosen, has_filter = lists.chosen, bool(lists.filter.text)
        if has_filter:
            labels["cancel"] = _("clear the search")
        if chosen is not None:
            labels["accept"] = _("play")
            if has_filter:
                labels["series"] = _("play all")
        if lists.pack_session is not None:
            labels |= {"close": _("packs"), "next unsolved": _("next unsolved")}
        elif isinstance(chosen, Folder):
            labels["accept"] = _("unfold") if chosen.is_folded else _("fold")
        elif isinstance(chosen, SeriesEntry):
            labels["open"] = _("all runs") if chosen.key == DESCENT else _("all days")
        elif chosen is not None:
            labels["open"] = _("all levels")
            if isinstance(chosen, Resume):
                labels["accept"] = wording.start_text(chosen).lower()
        if chosen is not None:
            labels["order"] = _("sort")
        labels["search"] = pgettext("footer: filters the list", "search")
        if lists.pack_session is not None and chosen is not None:
            labels["collect"] = _("collect")
        labels |= {"help": _("help"), "quit": _("quit")}
        return self.keymap.hints(labels)


def _is_over(column: int, area: Area) -> bool:
    return column - area.left in range(area.width)


def _keep() -> str:
    return pgettext("footer: does not remove it", "keep")


def _series_problem(entry: SeriesEntry) -> str:
    return printable(labelled(_(entry.name), entry.problem))
