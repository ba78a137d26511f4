"""Commands on a level in play: each does something and answers in one line."""

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from sokoterm.app.keymap import Keymap
from sokoterm.app.lists import steps_in
from sokoterm.app.play import PlayModel
from sokoterm.app.request import EndRun, Note, Outcome, Perform, Request
from sokoterm.app.session import Session
from sokoterm.engine.bits import Square, squares_of
from sokoterm.engine.board import State
from sokoterm.engine.deadlock.check import check_of
from sokoterm.engine.level import LevelError
from sokoterm.engine.lurd import LurdError
from sokoterm.engine.rules import boxes_taken, goals_taking
from sokoterm.language import N_, _, boxes_text, in_clauses, listed, ngettext, pushes_text
from sokoterm.linemode.commands import COUNT, DIRECTIONS_BY_NAME, Given, number_in, numbers_in
from sokoterm.linemode.improve_commands import asked
from sokoterm.linemode.look import BoxNames, board_lines, color_lines, find_square, shared_moves, square_line, status
from sokoterm.linemode.speech import (
    Situation,
    blocked,
    box_called,
    homes,
    lost,
    place,
    places,
    solved,
    told_back,
    told_moves,
    with_and,
)
from sokoterm.wording.figures import moves_and_pushes
from sokoterm.wording.kinds import kind_rules, kind_text
from sokoterm.wording.outcomes import phrase
from sokoterm.wording.packs import result_text, solved_text, words_of
from sokoterm.wording.standing import WinWords

Answer = Iterable[str]
React = Callable[[Request | None], Answer]
_ALL = 1 << 30  # more groups than any play has
# Of all that was asked for, and of some.
_UNDONE = N_("undone: {change}"), N_("undone {made} of {count}: {change}")
_REDONE = N_("redone: {change}"), N_("redone {made} of {count}: {change}")
_HINT = N_("hint: {change}")


class Moment(NamedTuple):
    """Snapshot of the play, to compare with a later one."""

    place: Situation
    lurd: str


class PlayCommands:
    """The play of one level, line by line."""

    def __init__(self, play: PlayModel, keymap: Keymap, session: Session, react: React) -> None:
        """``keymap`` is the one of the play; ``react`` does what a play requests, and answers."""
        self.play = play
        self.keymap = keymap
        self._session = session
        self._react = react
        self._names = BoxNames(play.level)
        self._was_lost = False
        self._was_solved = False
        self._is_win_untold = False
        self._fewest = ""

    def do(self, given: Given) -> Answer:
        """Do a command about this level; raises NumberError."""
        arguments, word = given.arguments, " ".join(given.arguments)
        match given.name:
            case "left" | "right" | "up" | "down":
                return self.step(given.name, number_in(arguments, COUNT, otherwise=1))
            case "run":
                return self.run(given.action.removeprefix("run ") or word)
            case "moves":
                return self.moves(" ".join(arguments)) if word else self.print_moves()
            case "walk":
                return self.walk(arguments)
            case "push":
                return self.push(arguments)
            case "reach":
                return self.reach(arguments)
            case "fill":
                return self.fill(arguments)
            case "undo" | "redo":
                return self.again(given.name, _times(given))
            case "reset":
                return self.reset()
            case "mark":
                return self.bookmark(word)
            case "return":
                return self.to_bookmark(word)
            case "hint":
                return self.hint()
            case "improve":
                return self.improve(arguments)
            case "result":
                return self.result()
            case "end run":
                return self.end_run(word)
            case "enter":
                return self.accept()
            case "go":
                return self.go(number_in(arguments, N_("the number of a level: go 5")))
            case "warnings" if word in ("on", "off") and self.play.warns == (word == "on"):
                return [_("deadlock warnings are on") if word == "on" else _("deadlock warnings are off")]
        return self.act(given.action)

    # The position in words

    @property
    def state(self) -> State:
        return self.play.game.state

    def names(self) -> dict[Square, str]:
        """Return the names of the boxes by square."""
        self._names.follow(self.play.game.lurd)
        return self._names.now()

    def status(self) -> str:
        game = self.play.game
        return status(game.level.board, game.state, game.moves, game.pushes)

    @property
    def comment(self) -> str:
        """The remark on a generated level, empty for any other."""
        play, key = self.play, self.keymap.key_of("end run")
        return words_of(play.pack_session).remark(play.level, key, is_solved=play.game.is_solved)

    def heading(self) -> Iterator[str]:
        """Yield the introduction of a level, and the board."""
        play = self.play
        pack_session, level, board = play.pack_session, play.level, play.level.board
        words = words_of(pack_session)
        author, spoken = words.author(level), words.spoken_heading(level)
        if title := words.title_below_heading(level):
            spoken = _("{level}: {title}", level=spoken, title=title)
        yield _("{level}, by {author}", level=spoken, author=author) if author else spoken
        if comment := self.comment:
            yield comment
        yield _(
            "{rows}, {columns}, {boxes}; you are at {place}",
            rows=ngettext("{n} row", "{n} rows", board.height),
            columns=ngettext("{n} column", "{n} columns", board.width),
            boxes=boxes_text(level.boxes),
            place=place(board, self.state.player),
        )
        if kind := kind_text(board):
            yield f"{kind}: {kind_rules(board)}"
        names = self.names()
        yield from board_lines(level, self.state, names)
        yield from color_lines(board, names)
        if play.game.moves or play.game.can_redo:
            yield _("as you left it: {status}", status=self.status())
        best = pack_session.best(level).by_moves
        if best:
            yield _("you have solved it in {solution}", solution=moves_and_pushes(best))
        if play.cannot_be_played:
            yield phrase(Note.CANNOT_BE_PLAYED, self.keymap)
        if news := self.news():
            yield news

    def news(self, *, only_new: bool = False) -> str:
        """Return what is new about the position since the last call: solved, lost, or no longer lost.

        That it is still lost is said too, unless ``only_new``.
        """
        play = self.play
        recorded = self._session.record_solution()
        was_solved, self._was_solved = self._was_solved, play.game.is_solved
        if was_solved and self._was_solved:
            return ""
        if recorded is not None:
            self._is_win_untold = True
        if recorded is not None and (after := solved_text(play, self.keymap.key_of("accept"))):
            return _("solved: {comment}; {after}", comment=self.comment, after=after)
        if recorded is not None:
            if play.has_next:
                after = _("next: {key}", key=self.keymap.key_of("accept"))
            else:
                after = _("every level of the pack is solved")
            solution, words = recorded.solution, words_of(play.pack_session)
            verdict = words.score_verdict(play.level, solution.moves, solution.pushes)
            return solved(recorded, in_clauses([verdict, after]))
        deadlock = play.deadlock
        was_lost, self._was_lost = self._was_lost, deadlock is not None
        if deadlock is None:
            return _("solved") if play.game.is_solved else _("no longer lost") if was_lost and play.warns else ""
        if was_lost:
            return "" if only_new else _("still lost")
        return lost(deadlock, self.names(), self.keymap.key_of("undo dead") if play.has_way_back else "")

    def win_lines(self) -> list[str]:
        """Return, once, what else there is to say of a level that has just been solved, and later what is proven."""
        if self.play.win is None or not self.play.game.is_solved:
            return []
        words = WinWords(self.play, self.play.win, self.keymap)
        lines = words.lines if self._is_win_untold else [words.fewest] if words.fewest != self._fewest else []
        self._is_win_untold, self._fewest = False, words.fewest
        return lines

    # Actions and answers

    def moment(self) -> Moment:
        return Moment(Situation(self.state, self.names()), self.play.game.lurd)

    def _change(self, before: Moment) -> str:
        """Return what has changed since; empty for nothing."""
        board, lurd = self.play.level.board, self.play.game.lurd
        if lurd == before.lurd:
            return ""
        now = Situation(self.state, self.names())
        shared = shared_moves(before.lurd, lurd)
        if shared == len(before.lurd):
            return told_moves(board, before.place, now, lurd[shared:])
        return told_back(board, before.place, now) if shared == len(lurd) else self.status()

    def _with_news(self, line: str) -> str:
        news = self.news()
        # Translators: two sentences, one after the other.
        return _("{done}. {news}", done=line, news=news[0].upper() + news[1:]) if news else line

    def tell(self, do: Callable[[], Outcome | Request | None], told: str = "", otherwise: str = "") -> Answer:
        """Do something; answer with what has changed, else with the outcome, else with ``otherwise``.

        ``told`` is a sentence with the place for ``{change}``.
        """
        before = self.moment()
        answer = do()
        change = self._change(before)
        if change:
            return [self._with_news(_(told, change=change) if told else change)]
        if isinstance(answer, Request):
            return self._react(answer)
        return [self._phrase(answer) or otherwise]

    def _phrase(self, outcome: Outcome | None) -> str:
        return phrase(outcome, self.keymap, self.play.pack_session)

    def act(self, action: str, otherwise: str = "") -> Answer:
        """Do an action of the keymap."""
        return self.tell(lambda: self.play.act(action), otherwise=otherwise or _("nothing to do"))

    # Moves

    def step(self, name: str, count: int = 1) -> Answer:
        return self.moves(f"{count}{DIRECTIONS_BY_NAME[name].letter}")

    def moves(self, text: str) -> Answer:
        """Make moves as one undo group, as far as possible."""
        play = self.play
        before = self.moment()
        try:
            steps = steps_in(text, play.level.board, play.game.state)
        except (LevelError, LurdError) as error:
            return [str(error)]
        stop = play.make_legal(steps)
        change = self._change(before)
        if stop is None:
            return [self._with_news(change)]
        reason = blocked(play.level.board, self.state, stop.direction, self.names()) if play.game.room else stop.reason
        if len(steps) == 1:
            return [reason]
        stopped = _("stopped after {made} of {count}: {reason}", made=stop.number - 1, count=len(steps), reason=reason)
        return [self._with_news(in_clauses([change, stopped])) if change else stopped]

    def run(self, name: str) -> Answer:
        if name not in DIRECTIONS_BY_NAME:
            return [_("name a direction: run left")]
        direction = DIRECTIONS_BY_NAME[name]
        why = blocked(self.play.level.board, self.state, direction, self.names())
        return self.act(f"run {name}", why)

    def print_moves(self) -> Answer:
        """Print the moves made so far, or the result of a daily or descent."""
        if self.play.has_result:
            return self.act("copy")
        return [self.play.game.lurd or self._phrase(Note.NO_MOVES)]

    def result(self) -> Answer:
        return [result_text(self.play) or _("no result: only a solved daily or a descent has one")]

    def end_run(self, word: str) -> Answer:
        if self.play.run is None:
            return [_("no run to end: this is not a descent")]
        if word != "yes":
            return [_("this cannot be undone: to end the run, type end run yes")]
        return self._react(EndRun())

    # History

    def again(self, action: str, count: int) -> Answer:
        """Undo or redo a number of groups, as far as possible."""
        game, before, made = self.play.game, self.moment(), 0
        while made < count and (game.can_undo if action == "undo" else game.can_redo):
            self.play.act(action)
            made += 1
        if not made:
            return [self._phrase(Note.NOTHING_TO_UNDO if action == "undo" else Note.NOTHING_TO_REDO)]
        all_made, some_made = _UNDONE if action == "undo" else _REDONE
        told = some_made if made < count < _ALL else all_made
        return [self._with_news(_(told, change=self._change(before) or self.status(), made=made, count=count))]

    def reset(self) -> Answer:
        moves = self.play.game.moves
        if not moves:
            return [_("you are at the start")]
        self.play.act("restart")
        undo = self.keymap.key_of("undo")
        told = ngettext(
            "back to the start; {undo} brings the {n:,} move back",
            "back to the start; {undo} brings the {n:,} moves back",
            moves,
            undo=undo,
        )
        return [self._with_news(told)]

    def bookmark(self, name: str) -> Answer:
        if len(name) != 1 or not name.isalpha():
            return [_("a bookmark is one letter: mark a")]
        return self.tell(lambda: self.play.set_bookmark(name))

    def to_bookmark(self, name: str) -> Answer:
        bookmarks = sorted(self.play.game.bookmarks)
        if not name:
            return [_("bookmarks: {names}", names=with_and(bookmarks)) if bookmarks else _("no bookmarks")]
        if (answer := self.play.go_to_bookmark(name)) is not Note.DONE:
            return [self._phrase(answer)]
        return [self._with_news(_("at bookmark {name}: {status}", name=name, status=self.status()))]

    # The push planner

    def find_box(self, name: str) -> Square | None:
        self._names.follow(self.play.game.lurd)
        return self._names.find(name)

    def walk(self, arguments: tuple[str, ...]) -> Answer:
        square = find_square(self.play.level.board, numbers_in(arguments))
        if square is None:
            return [_("name a row and column of the board: walk to 4,7")]
        if square == self.state.player:
            return [_("you are already there")]
        if why := self._why_taken(square):
            return [why]
        return self._perform(lambda: self.play.walk_to(square))

    def push(self, arguments: tuple[str, ...]) -> Answer:
        from sokoterm.engine.planner.box_reach import BoxReach  # the planner takes 4 ms

        if declined := self.play.why_no_planning:
            return [self._phrase(declined)]
        if not arguments:
            return [self._boxes_at_hand()]
        box = self.find_box(arguments[0])
        if box is None:
            return [
                _("no box {name}; name a box and where to push it: push a to 4,7 or push a left 2", name=arguments[0])
            ]
        square = self._target(box, arguments[1:])
        if square is None:
            return [_("name a row and column of the board, or a direction: push a to 4,7 or push a left 2")]
        if why := self._why_taken(square):
            return [why]
        board, name = self.play.level.board, self.names()[box]
        reach = BoxReach(board, self.state, box)
        if square not in reach.pushes:
            if len(reach.pushes) == 1:
                return [_("{box} cannot be pushed from here", box=box_called(name))]
            end = place(board, square)
            return [_("{box} cannot be pushed to {place} without moving others", box=box_called(name), place=end)]
        return self._perform(lambda: Perform(reach.plan(square).lurd))

    def _why_taken(self, square: Square) -> str:
        """Return what is on a square that neither player nor box can enter; empty for a free one."""
        board, names = self.play.level.board, self.names()
        if square in names:
            return _("{box} is on that square", box=box_called(names[square]))
        return "" if board.floor >> square & 1 else square_line(board, self.state, square, names)

    def _perform(self, do: Callable[[], Outcome | Request | None]) -> Answer:
        """Make the moves of a plan as one undo group."""

        def perform() -> Outcome | Request | None:
            answer = do()
            return self.play.perform(answer.lurd) if isinstance(answer, Perform) else answer

        return self.tell(perform)

    def _target(self, box: Square, arguments: tuple[str, ...]) -> Square | None:
        """Return a square by row and column, or by direction and count."""
        board = self.play.level.board
        direction = next((DIRECTIONS_BY_NAME[each] for each in arguments if each in DIRECTIONS_BY_NAME), None)
        if direction is None:
            return find_square(board, numbers_in(arguments))
        row, column = board.row_column(box)
        down, right = ((-1, 0), (0, 1), (1, 0), (0, -1))[direction]
        count = number_in(tuple(each for each in arguments if each not in DIRECTIONS_BY_NAME), COUNT, otherwise=1)
        return find_square(board, [row + 1 + down * count, column + 1 + right * count])

    def _boxes_at_hand(self) -> str:
        from sokoterm.app.planning import boxes_at_hand  # the planner takes 4 ms

        names = self.names()
        boxes = [box_called(names[box]) for box in boxes_at_hand(self.play.level.board, self.state)]
        if not boxes:
            return _("no box can be pushed from here")
        return _("you can push, the nearest first: {boxes}", boxes=listed(boxes))

    def reach(self, arguments: tuple[str, ...]) -> Answer:
        # The planner takes 4 ms.
        from sokoterm.app.planning import landing_risks
        from sokoterm.engine.planner.box_reach import BoxReach

        if declined := self.play.why_no_planning:
            return [self._phrase(declined)]
        box = self.find_box(arguments[0]) if arguments else None
        if box is None:
            return [_("name a box: reach a")]
        board, name = self.play.level.board, self.names()[box]
        squares = [square for square in BoxReach(board, self.state, box).pushes if square != box]
        if not squares:
            return [_("{box} cannot be pushed from here", box=box_called(name))]
        risks = landing_risks(check_of(board), self.state.boxes, box, squares)
        fine = [square for square in squares if square not in risks]
        taking = goals_taking(board, self.state.boxes, box)
        goals = [square for square in fine if taking >> square & 1]
        lost_at = [square for square in squares if square in risks]
        parts = [
            ngettext(
                "{box} can be pushed to {n} square",
                "{box} can be pushed to {n} squares",
                len(squares),
                box=box_called(name),
            )
        ]
        if goals:
            parts.append(_("goals: {places}", places=places(board, goals)))
        if others := sorted({*fine} - {*goals}):
            parts.append(_("others: {places}", places=places(board, others)))
        if lost_at:
            parts.append(_("lost at: {places}", places=places(board, lost_at)))
        return [in_clauses(parts)]

    def fill(self, arguments: tuple[str, ...]) -> Answer:
        from sokoterm.engine.planner.box_reach import boxes_that_reach  # the planner takes 4 ms

        if declined := self.play.why_no_planning:
            return [self._phrase(declined)]
        board, names = self.play.level.board, self.names()
        square = find_square(board, numbers_in(arguments))
        if square is None or not board.goals >> square & 1:
            empty = places(board, squares_of(board.goals & ~self.state.boxes))
            return [_("name one of the empty goals: {places}", places=empty) if empty else _("every goal has a box")]
        if square in names:
            return [_("{box} is on that goal", box=box_called(names[square]))]
        taken = boxes_taken(board, self.state.boxes, square)
        reaching = boxes_that_reach(board, self.state, square)
        found = sorted((pushes, names[box]) for box, pushes in reaching if taken >> box & 1)
        if not found:
            return [_("no box can be pushed there without moving others")]
        each = [_("{box} in {pushes}", box=box_called(name), pushes=pushes_text(pushes)) for pushes, name in found]
        return [in_clauses(each)]

    # Searches

    def told_hint(self, before: Moment, answer: Outcome | Request | None) -> str:
        """Return what a hint of the solver has changed; if the player has moved, only that there is one."""
        change = self._change(before)
        if change:
            return self._with_news(_(_HINT, change=change))
        return "" if isinstance(answer, Request) else self._phrase(answer)

    def hint(self) -> Answer:
        return self.tell(lambda: self.play.act("hint"), _HINT)

    def improve(self, arguments: tuple[str, ...]) -> Answer:
        """Improve the player's best, or tell how far that has come."""
        request = asked(self.play, self.play.act("improve"), arguments, self.keymap)
        return [request] if isinstance(request, str) else self._react(request)

    def go(self, number: int) -> Answer:
        return self.tell(lambda: self.play.go_to_level(number))

    def accept(self) -> Answer:
        play = self.play
        otherwise = _("not solved yet: {homes}; help lists the commands", homes=homes(play.level.board, self.state))
        return self.act("accept", otherwise)


def _times(given: Given) -> int:
    """Return how often to undo or redo; raises NumberError."""
    if given.action.endswith("all") or "all" in given.arguments:
        return _ALL
    return number_in(given.arguments, COUNT, otherwise=1)
