"""Commands on a level in play, and on a replay of it: each does something and answers in one line."""

from collections.abc import Callable, Iterable, Iterator

from sokoterm.app.improvement import FoundBy, ImproveChoices, Scope, ShowReplay
from sokoterm.app.keymap import Keymap
from sokoterm.app.play import PlayModel
from sokoterm.app.replay import Replay
from sokoterm.app.request import Answer as PlayAnswer
from sokoterm.app.request import (
    ChooseImprovement,
    Close,
    EndRun,
    Improve,
    Note,
    Outcome,
    Perform,
    Request,
    StopSearch,
    TakeOver,
)
from sokoterm.app.session import Session
from sokoterm.engine.bits import Square, squares_of
from sokoterm.engine.board import State
from sokoterm.engine.deadlock.check import check_of
from sokoterm.engine.guide import Stretch
from sokoterm.engine.level import LevelError
from sokoterm.engine.lurd import LurdError
from sokoterm.engine.record import steps_of
from sokoterm.engine.rules import boxes_taken, goals_taking
from sokoterm.formats.text import moves_in
from sokoterm.language import N_, _, boxes_text, in_clauses, listed, moves_text, ngettext, pushes_text
from sokoterm.linemode.commands import COUNT, DIRECTIONS_BY_NAME, Given, number_in, numbers_in
from sokoterm.linemode.speech import (
    BoxNames,
    Situation,
    blocked,
    board_lines,
    box_called,
    box_named,
    color_lines,
    find_square,
    homes,
    lost,
    place,
    places,
    shared_moves,
    solved,
    square_line,
    status,
    told_back,
    told_moves,
    with_and,
)
from sokoterm.solver.optimizer.objective import Objective
from sokoterm.wording.figures import moves_and_pushes
from sokoterm.wording.improvement import ChoiceWords, improvement_text, no_stretch_text, stretch_text
from sokoterm.wording.kinds import kind_rules, kind_text
from sokoterm.wording.outcomes import phrase, source
from sokoterm.wording.packs import result_text, solved_text, words_of
from sokoterm.wording.standing import WinWords

Answer = Iterable[str]
Moment = tuple[Situation, str]  # a position of the play, and the moves that led there
React = Callable[[Request | None], Answer]
_ALL = 1 << 30  # more groups than any play has
# Of all that was asked for, and of some.
_UNDONE = N_("undone: {change}"), N_("undone {made} of {count}: {change}")
_REDONE = N_("redone: {change}"), N_("redone {made} of {count}: {change}")
_HINT = N_("hint: {change}")
_MOVE = N_("the number of a move: move 12")
_SCOPES = {"rest": Scope.FROM_HERE, "start": Scope.UP_TO_HERE}


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
        play, arguments, word = self.play, given.arguments, " ".join(given.arguments)
        match given.name:
            case "left" | "right" | "up" | "down":
                count = number_in(arguments, COUNT, otherwise=1)
                return self.moves(f"{count}{DIRECTIONS_BY_NAME[given.name].letter}")
            case "run":
                return self._run(given.action.removeprefix("run ") or word)
            case "moves" if word:
                return self.moves(word)
            case "moves" if not play.has_result:
                return [play.game.lurd or self._phrase(Note.NO_MOVES)]
            case "walk":
                return self._walk(arguments)
            case "push":
                return self._push(arguments)
            case "reach":
                return self._reach(arguments)
            case "fill":
                return self._fill(arguments)
            case "undo" | "redo":
                return self._again(given)
            case "reset":
                return self._reset()
            case "mark":
                if len(word) != 1 or not word.isalpha():
                    return [_("a bookmark is one letter: mark a")]
                return self.tell(lambda: play.set_bookmark(word))
            case "return":
                return self._to_bookmark(word)
            case "hint":
                return self.tell(lambda: play.act("hint"), _HINT)
            case "improve":
                request = _improve(play, play.act("improve"), arguments, self.keymap)
                return [request] if isinstance(request, str) else self._react(request)
            case "result":
                return [result_text(play) or _("no result: only a solved daily or a descent has one")]
            case "end run":
                return self._end_run(word)
            case "enter":
                return self.accept()
            case "go":
                number = number_in(arguments, N_("the number of a level: go 5"))
                return self.tell(lambda: play.go_to_level(number))
            case "warnings" if word in ("on", "off") and play.warns == (word == "on"):
                return [_("deadlock warnings are on") if word == "on" else _("deadlock warnings are off")]
        return self._act(given.action)

    # The position in words

    @property
    def state(self) -> State:
        return self.play.game.state

    @property
    def situation(self) -> Situation:
        return Situation(self.state, self._names.after(self.play.game.lurd))

    @property
    def names(self) -> dict[Square, str]:
        """The names of the boxes by square."""
        return self.situation.name_of

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
        names = self.names
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
        return lost(deadlock, self.names, self.keymap.key_of("undo dead") if play.has_way_back else "")

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
        return self.situation, self.play.game.lurd

    def _change(self, before: Moment) -> str:
        """Return what has changed since; empty for nothing."""
        board, lurd = self.play.level.board, self.play.game.lurd
        situation, lurd_before = before
        if lurd == lurd_before:
            return ""
        shared = shared_moves(lurd_before, lurd)
        if shared == len(lurd_before):
            return told_moves(board, situation, self.situation, lurd[shared:])
        return told_back(board, situation, self.situation) if shared == len(lurd) else self.status()

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

    def _act(self, action: str, otherwise: str = "") -> Answer:
        """Do an action of the keymap."""
        return self.tell(lambda: self.play.act(action), otherwise=otherwise or _("nothing to do"))

    # Moves

    def moves(self, text: str) -> Answer:
        """Make moves as one undo group, as far as possible."""
        play = self.play
        before = self.moment()
        try:
            steps = steps_of(play.level.board, play.game.state, moves_in(text))
        except (LevelError, LurdError) as error:
            return [str(error)]
        stop = play.game.play_legal(steps)
        change = self._change(before)
        if stop is None:
            return [self._with_news(change)]
        reason = blocked(play.level.board, self.state, stop.direction, self.names) if play.game.room else stop.reason
        if len(steps) == 1:
            return [reason]
        stopped = _("stopped after {made} of {count}: {reason}", made=stop.number - 1, count=len(steps), reason=reason)
        return [self._with_news(in_clauses([change, stopped])) if change else stopped]

    def _run(self, name: str) -> Answer:
        if name not in DIRECTIONS_BY_NAME:
            return [_("name a direction: run left")]
        direction = DIRECTIONS_BY_NAME[name]
        why = blocked(self.play.level.board, self.state, direction, self.names)
        return self._act(f"run {name}", why)

    def _end_run(self, word: str) -> Answer:
        if self.play.run is None:
            return [_("no run to end: this is not a descent")]
        if word != "yes":
            return [_("this cannot be undone: to end the run, type end run yes")]
        return self._react(EndRun())

    # History

    def _again(self, given: Given) -> Answer:
        """Undo or redo a number of groups, as far as possible; raises NumberError."""
        action, takes_all = given.name, given.action.endswith("all") or "all" in given.arguments
        count = _ALL if takes_all else number_in(given.arguments, COUNT, otherwise=1)
        game, before, made = self.play.game, self.moment(), 0
        while made < count and (game.can_undo if action == "undo" else game.can_redo):
            self.play.act(action)
            made += 1
        if not made:
            return [self._phrase(Note.NOTHING_TO_UNDO if action == "undo" else Note.NOTHING_TO_REDO)]
        all_made, some_made = _UNDONE if action == "undo" else _REDONE
        told = some_made if made < count < _ALL else all_made
        return [self._with_news(_(told, change=self._change(before) or self.status(), made=made, count=count))]

    def _reset(self) -> Answer:
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

    def _to_bookmark(self, name: str) -> Answer:
        bookmarks = sorted(self.play.game.bookmarks)
        if not name:
            return [_("bookmarks: {names}", names=with_and(bookmarks)) if bookmarks else _("no bookmarks")]
        if (answer := self.play.go_to_bookmark(name)) is not Note.DONE:
            return [self._phrase(answer)]
        return [self._with_news(_("at bookmark {name}: {status}", name=name, status=self.status()))]

    # The push planner

    def _walk(self, arguments: tuple[str, ...]) -> Answer:
        square = find_square(self.play.level.board, numbers_in(arguments))
        if square is None:
            return [_("name a row and column of the board: walk to 4,7")]
        if square == self.state.player:
            return [_("you are already there")]
        if why := self._why_taken(square):
            return [why]
        answer = self.play.walk_to(square)
        return self.tell(lambda: self.play.perform(answer.lurd) if isinstance(answer, Perform) else answer)

    def _push(self, arguments: tuple[str, ...]) -> Answer:
        from sokoterm.engine.planner.box_reach import BoxReach  # the planner takes 4 ms

        if declined := self.play.why_no_planning:
            return [self._phrase(declined)]
        if not arguments:
            return [self._boxes_at_hand()]
        box = box_named(arguments[0], self.names)
        if box is None:
            return [
                _("no box {name}; name a box and where to push it: push a to 4,7 or push a left 2", name=arguments[0])
            ]
        square = self._target(box, arguments[1:])
        if square is None:
            return [_("name a row and column of the board, or a direction: push a to 4,7 or push a left 2")]
        if why := self._why_taken(square):
            return [why]
        board, name = self.play.level.board, self.names[box]
        reach = BoxReach(board, self.state, box)
        if square not in reach.pushes:
            if len(reach.pushes) == 1:
                return [_("{box} cannot be pushed from here", box=box_called(name))]
            end = place(board, square)
            return [_("{box} cannot be pushed to {place} without moving others", box=box_called(name), place=end)]
        return self.tell(lambda: self.play.perform(reach.plan(square).lurd))

    def _why_taken(self, square: Square) -> str:
        """Return what is on a square that neither player nor box can enter; empty for a free one."""
        board, names = self.play.level.board, self.names
        if square in names:
            return _("{box} is on that square", box=box_called(names[square]))
        return "" if board.floor >> square & 1 else square_line(board, self.state, square, names)

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

        names = self.names
        boxes = [box_called(names[box]) for box in boxes_at_hand(self.play.level.board, self.state)]
        if not boxes:
            return _("no box can be pushed from here")
        return _("you can push, the nearest first: {boxes}", boxes=listed(boxes))

    def _reach(self, arguments: tuple[str, ...]) -> Answer:
        # The planner takes 4 ms.
        from sokoterm.app.planning import landing_risks
        from sokoterm.engine.planner.box_reach import BoxReach

        if declined := self.play.why_no_planning:
            return [self._phrase(declined)]
        box = box_named(arguments[0], self.names) if arguments else None
        if box is None:
            return [_("name a box: reach a")]
        board, name = self.play.level.board, self.names[box]
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

    def _fill(self, arguments: tuple[str, ...]) -> Answer:
        from sokoterm.engine.planner.box_reach import boxes_that_reach  # the planner takes 4 ms

        if declined := self.play.why_no_planning:
            return [self._phrase(declined)]
        board, names = self.play.level.board, self.names
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

    def accept(self) -> Answer:
        play = self.play
        otherwise = _("not solved yet: {homes}; help lists the commands", homes=homes(play.level.board, self.state))
        return self._act("accept", otherwise)


class ReplayCommands:
    """A replay of moves; the play below does not change until they are taken over."""

    def __init__(self, play: PlayModel, replay: ShowReplay, keymap: Keymap, react: Callable[[Request], Answer]) -> None:
        """Raises LurdError if the moves do not fit the level."""
        self._play = play
        self._replay = replay
        self._keymap = keymap
        self._react = react
        self._playback = Replay(play.level, replay.before, replay.lurd)
        self._names = BoxNames(play.level)

    @property
    def situation(self) -> Situation:
        return Situation(self._playback.state, self._names.after(self._playback.lurd))

    def status(self) -> str:
        shown, board = self._playback, self._play.level.board
        before = sum(map(str.isupper, shown.before))
        return status(board, shown.state, len(shown.lurd), before + shown.pushes_shown)

    @property
    def heading(self) -> str:
        """The source of the moves, and the main commands."""
        take_over = self._keymap.key_of("take over")
        return _(
            "replay, {source}; next and back step, play reads all, {take_over} takes over, leave goes back",
            source=self._source(),
            take_over=take_over,
        )

    def _source(self) -> str:
        """Return the source of the moves and their number."""
        told = source(self._replay)
        if self._replay.found_by is not FoundBy.COMMAND_LINE:
            return told
        moves, pushes = moves_text(self._playback.moves), pushes_text(self._playback.pushes)
        return _("{source}, {moves}, {pushes}", source=told, moves=moves, pushes=pushes)

    def do(self, given: Given) -> Answer:
        """Do a command of REPLAY_COMMANDS; raises NumberError."""
        shown, arguments = self._playback, given.arguments
        match given.name:
            case "next" | "back":
                count = number_in(arguments, COUNT, otherwise=1)
                return [self._show(shown.k + (count if given.name == "next" else -count))]
            case "move":
                return [self._show(number_in(arguments, _MOVE, least=0))]
            case "play":
                return self._play_on(number_in(arguments, _MOVE, least=0, otherwise=shown.moves))
            case "take over":
                direction = given.action.removeprefix("take over").strip() or " ".join(arguments)
                return self._react(TakeOver(shown.lurd, direction))
            case "another":
                after = self._play.hints.find_offer() or self._play.hints.after(self._replay)
                return [phrase(Note.NO_OTHER_SOLUTION, self._keymap)] if after is None else self._react(after)
            case "parts":
                return self._go_to_stretch(given.action) if given.action else self._parts()
            case "improve":
                answer = self._play.improve_shown(self._replay, len(shown.lurd), None)
                request = _improve(self._play, answer, arguments, self._keymap)
                return [request] if isinstance(request, str) else self._react(request)
            case "moves":
                return [shown.lurd or phrase(Note.NO_MOVES, self._keymap)]
            case "leave":
                return self._react(Close())
        target = shown.target(given.action)
        return [self._show(shown.k if target is None else target)]

    def _play_on(self, last: int) -> Iterator[str]:
        """Yield a line for each push up to a move."""
        shown = self._playback
        end = min(last, shown.moves)
        if shown.k == end:
            yield self._where()
        while shown.k < end:
            yield self._show(min(shown.target("push") or end, end))

    def _parts(self) -> Answer:
        """Say where this solution and another one part, and what that saves."""
        stretches = self._stretches
        if not stretches:
            return [no_stretch_text(stretches, is_next=True)]
        return [
            _("moves {first} to {last}: {saving}", first=each.first, last=each.last, saving=stretch_text(each))
            for each in stretches
        ]

    def _go_to_stretch(self, action: str) -> Answer:
        """Go to where the next or previous difference from another solution begins."""
        stretches, is_next = self._stretches, action == "next stretch"
        target = self._playback.start_of_stretch(stretches, is_next=is_next)
        if target is None:
            return [no_stretch_text(stretches, is_next=is_next)]
        told, stretch = self._show(target), self._playback.find_stretch(stretches)
        return [in_clauses([told, stretch_text(stretch)]) if stretch is not None else told]

    @property
    def _stretches(self) -> list[Stretch]:
        return self._play.hints.parts(self._replay)

    def _show(self, number: int) -> str:
        """Go to a move; return what has changed."""
        shown, board = self._playback, self._play.level.board
        before, k = self.situation, shown.k
        shown.show(number)
        if shown.k == k:
            where = self._where()
            return _("at the end: {move}", move=where) if shown.k else _("at the start: {move}", move=where)
        if shown.k < k:
            return f"{self._where()}: {told_back(board, before, self.situation)}"
        return f"{self._where()}: {told_moves(board, before, self.situation, shown.letters[k : shown.k])}"

    def _where(self) -> str:
        return _("move {number} of {moves}", number=self._playback.k, moves=self._playback.moves)


def _improve(play: PlayModel, answer: PlayAnswer, arguments: tuple[str, ...], keymap: Keymap) -> Request | str:
    """Return what the words of ``improve`` ask for, or what to say instead; ``answer`` is that of the play."""
    if arguments == ("stop",):
        return StopSearch()
    improvement = play.hints.improvement
    if improvement is not None and improvement.is_running:
        if arguments:
            return _("an improvement is running: stop ends it")
        if improvement.gain is not None:
            return improvement_text(improvement, keymap)[0]
        return _("improving {seconds} s: stop ends it", seconds=round(improvement.seconds))
    if not isinstance(answer, ChooseImprovement):
        return answer if isinstance(answer, Request) else phrase(answer, keymap)
    return _choose(answer.choices, arguments) or Improve(answer.choices)


def _choose(choices: ImproveChoices, arguments: tuple[str, ...]) -> str:
    """Choose by the words of a command; return what is wrong with them, empty if nothing is."""
    words = [word.casefold() for word in arguments]
    objective = scope = ""  # the words for them, each of which is given once
    while words:
        word = words.pop(0)
        if word in [*Objective]:
            if objective:
                return _(
                    "found {first} and {second}, expected one of {names}",
                    first=objective,
                    second=word,
                    names=listed(Objective),
                )
            choices.objective, objective = Objective(word), word
        elif word in _SCOPES or "-" in word:
            if scope:
                return _("found {first} and {second}, expected one part of the solution", first=scope, second=word)
            if problem := _limit(choices, word):
                return problem
            scope = word
        elif word == "alone":
            choices.cross_nothing()
        elif word == "keep":
            if problem := _keep(choices, words):
                return problem
        elif word == "bar":
            if problem := _bar(choices, words):
                return problem
        else:
            return _(
                "found {found}, expected {names}, 40-90, rest, start, alone, keep or bar",
                found=word,
                names=listed(Objective),
            )
    return "" if choices.task is not None else ChoiceWords(choices).range_wanted


def _limit(choices: ImproveChoices, word: str) -> str:
    """Choose the part that may change; return why that cannot be."""
    if "-" in word:
        choices.type(word)
    elif _SCOPES[word] in choices.scopes:
        choices.scope = _SCOPES[word]
    else:
        return _(
            "{word} is for a replay, between its first move and its last: replay, move 12, improve {word}", word=word
        )
    return ""


def _keep(choices: ImproveChoices, words: list[str]) -> str:
    """Keep the boxes that the next words name; return what is wrong with them."""
    names, kept = BoxNames(choices.level).after(""), 0
    while words and (box := box_named(words[0], names)) is not None:
        kept |= 1 << box
        del words[0]
    choices.kept |= kept
    found = " ".join(["keep", *words[:1]])
    if kept:
        return ""
    example = next(iter(names.values()))
    return _("found {found}, expected the letters of boxes: keep {example}", found=found, example=example)


def _bar(choices: ImproveChoices, words: list[str]) -> str:
    """Bar the squares that the next words name, as ``4,12`` or ``4 12``; return what is wrong with them."""
    board, typed = choices.level.board, list[str]()
    while words and words[0].replace(",", "").isdecimal():
        typed.append(words.pop(0))
    numbers = numbers_in(tuple(typed))
    squares = [find_square(board, numbers[k : k + 2]) for k in range(0, len(numbers), 2)]
    barred = [square for square in squares if square is not None and board.floor >> square & 1]
    if not squares or len(barred) < len(squares):
        example = "{},{}".format(*(each + 1 for each in board.row_column(choices.level.start.player)))
        return _(
            "found {found}, expected the row and column of a square of the floor: bar {example}",
            found=" ".join(["bar", *typed]),
            example=example,
        )
    choices.barred |= sum(1 << square for square in {*barred})
    return ""
