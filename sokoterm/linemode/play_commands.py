"""Commands for a level in play and for a replay: each does something, and answers in one line."""

from collections.abc import Callable, Iterable, Iterator

from sokoterm.app.improvement import ImproveChoices, Scope, ShowReplay
from sokoterm.app.keymap import Keymap
from sokoterm.app.play import PlayModel
from sokoterm.app.replay import Replay
from sokoterm.app.request import Answer as PlayAnswer
from sokoterm.app.request import Ask, ChooseImprovement, Improve, Note, Outcome, Perform, Request, TakeOver
from sokoterm.app.session import Session
from sokoterm.engine.bits import Bitboard, Square, bitboard_of, squares_of
from sokoterm.engine.deadlock.check import check_of
from sokoterm.engine.level import LevelError
from sokoterm.engine.lurd import LurdError, steps_of
from sokoterm.engine.rules import boxes_taken, goals_taking
from sokoterm.formats.text import moves_in
from sokoterm.language import N_, _, boxes_text, in_clauses, joined, labelled, moves_text, ngettext, pushes_text
from sokoterm.linemode.commands import COUNT, DIRECTIONS_BY_NAME, ArgumentError, Arguments, Given, number_in, numbers_in
from sokoterm.linemode.speech import BoxNames, Situation, solved, with_and
from sokoterm.solver.optimizer.objective import Objective
from sokoterm.store.known_levels import Source
from sokoterm.wording.figures import moves_and_pushes
from sokoterm.wording.kinds import kind_rules, kind_text
from sokoterm.wording.outcomes import ChoiceWords, improvement_text, no_stretch_text, phrase, source, stretch_text
from sokoterm.wording.packs import words_of
from sokoterm.wording.standing import WinWords

Answer = Iterable[str]
React = Callable[[Request], Answer]
HINT = N_("hint: {change}")
_ALL = 1 << 30  # more groups than any game has
# If all groups asked for were undone, or only some.
_UNDONE = N_("undone: {change}"), N_("undone {made} of {count}: {change}")
_REDONE = N_("redone: {change}"), N_("redone {made} of {count}: {change}")
_MOVE = N_("the number of a move: move 12")
_SCOPES = {"rest": Scope.FROM_HERE, "start": Scope.UP_TO_HERE}


class PlayCommands:
    """Line-mode commands for a level in play."""

    def __init__(self, play: PlayModel, keymap: Keymap, session: Session, react: React) -> None:
        """``keymap`` is the one of the level; ``react`` performs its requests, and returns the answer."""
        self.play = play
        self.keymap = keymap
        self._words = words_of(play.pack_session)
        self._session = session
        self._react = react
        self._names = BoxNames(play.level)
        self._told = self.situation  # the position told last
        self._was_lost = False
        self._was_solved = False
        self._is_win_untold = False
        self._fewest = ""

    def do(self, given: Given) -> Answer:
        """Run a command for this level; raises ArgumentError."""
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
            case "push" | "reach" | "fill" if declined := play.why_no_planning:
                return [self._phrase(declined)]
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
                return self.tell(play.set_bookmark(word))
            case "return":
                return self._to_bookmark(word)
            case "hint":
                return self.tell(play.act("hint"), HINT)
            case "improve":
                return self.improve(play.act("improve"), arguments, self.keymap)
            case "result":
                return [
                    self._words.result(play.level.number) or _("no result: only a solved daily or a descent has one")
                ]
            case "link":
                best = play.pack_session.best(play.level).by_moves if word else None
                if word and best is None:
                    return [self._phrase(Note.NO_SOLUTION_YET)]
                return [self._session.link_to(play.credited_level, best.lurd if best is not None else "")]
            case "end run" if play.run is None:
                return [_("there is no run to end: this is not a descent")]
            case "end run" if word != "yes":
                return [_("this cannot be undone: to end the run, type end run yes")]
            case "end run":
                return self._react(Ask.END_RUN)
            case "enter":
                homes = self.situation.homes
                otherwise = _("not solved yet: {homes}; help lists the commands", homes=homes)
                return self.tell(play.act("accept"), otherwise=otherwise)
            case "go":
                return self.tell(play.go_to_level(number_in(arguments, N_("the number of a level: go 5"))))
            case "warnings" if word in ("on", "off") and play.warns == (word == "on"):
                return [_("deadlock warnings are on") if word == "on" else _("deadlock warnings are off")]
        return self.tell(play.act(given.action), otherwise=_("nothing to do"))

    # The position in words

    @property
    def situation(self) -> Situation:
        return self._names.situation(self.play.game.lurd)

    @property
    def _comment(self) -> str:
        """The remark on a generated level; empty for other levels."""
        key, is_solved = self.keymap.key_of("end run"), self.play.game.is_solved
        return self._words.remark(self.play.level, key, is_solved=is_solved)

    def heading(self) -> Iterator[str]:
        """Yield the introduction of a level, with its board."""
        play, here, words = self.play, self.situation, self._words
        level, board = play.level, play.level.board
        author, spoken = words.author(level), words.spoken_heading(level)
        if title := words.title_below_heading(level):
            spoken = _("{level}: {title}", level=spoken, title=title)
        yield _("{level}, by {author}", level=spoken, author=author) if author else spoken
        if comment := self._comment:
            yield comment
        rows = ngettext("{n} row", "{n} rows", board.height)
        columns = ngettext("{n} column", "{n} columns", board.width)
        size = {"rows": rows, "columns": columns, "boxes": boxes_text(level.boxes)}
        yield _("{rows}, {columns}, {boxes}; you are at {place}", place=here.place(here.state.player), **size)
        if kind := kind_text(board):
            yield labelled(kind, kind_rules(board))
        yield from here.picture()
        if play.game.moves or play.game.can_redo:
            yield _("as you left it: {status}", status=here.status)
        best = play.pack_session.best(level).by_moves
        if best:
            yield _("you have solved it in {solution}", solution=moves_and_pushes(best))
        if play.cannot_be_played:
            yield self._phrase(Note.CANNOT_BE_PLAYED)
        if news := self.news():
            yield news

    def news(self, *, only_new: bool = False) -> str:
        """Return news since the last call: solved, lost, no longer lost or, unless ``only_new``, still lost."""
        play, key = self.play, self.keymap.key_of("accept")
        recorded = self._session.record_solution()
        was_solved, self._was_solved = self._was_solved, play.game.is_solved
        if was_solved and self._was_solved:
            return ""
        if recorded is not None:
            self._is_win_untold = True
            if after := self._words.solved_text(play.level, key):
                return _("solved: {comment}; {after}", comment=self._comment, after=after)
            after = _("next: {key}", key=key) if play.has_next else _("every level of the pack is solved")
            solution = recorded.solution
            verdict = self._words.score_verdict(play.level, solution.moves, solution.pushes)
            return solved(recorded, in_clauses([verdict, after]))
        deadlock = play.deadlock
        was_lost, self._was_lost = self._was_lost, deadlock is not None
        if deadlock is None:
            return _("solved") if play.game.is_solved else _("no longer lost") if was_lost and play.warns else ""
        if was_lost:
            return "" if only_new else _("still lost")
        return self.situation.lost(deadlock, self.keymap.key_of("undo dead") if play.has_way_back else "")

    def win_lines(self) -> list[str]:
        """Return further lines about a level just solved, and later what is proven about it, each once."""
        if self.play.win is None or not self.play.game.is_solved:
            return []
        words = WinWords(self.play, self.play.win, self.keymap)
        lines = words.lines if self._is_win_untold else [words.fewest] if words.fewest != self._fewest else []
        self._is_win_untold, self._fewest = False, words.fewest
        return lines

    # Answers

    def tell(self, answer: PlayAnswer, told: str = "", otherwise: str = "") -> Answer:
        """Describe what an action has changed (within ``told``, if given), or its outcome, or say ``otherwise``."""
        change = self.situation.since(self._told)
        if change:
            return self._done(_(told, change=change) if told else change)
        if isinstance(answer, Request):
            return self._react(answer)
        return [self._phrase(answer) or otherwise]

    def _done(self, line: str) -> Answer:
        """Describe what was done, followed by news about the position."""
        self._told = self.situation
        news = self.news()
        # Translators: two sentences, one after the other.
        return [_("{done}. {news}", done=line, news=news[0].upper() + news[1:]) if news else line]

    def _phrase(self, outcome: Outcome | None) -> str:
        return phrase(outcome, self.keymap, self.play.pack_session)

    # Moves

    def moves(self, text: str) -> Answer:
        """Make moves as one undo group, up to the first that fails."""
        play = self.play
        try:
            steps = steps_of(play.level.board, play.game.state, moves_in(text))
        except (LevelError, LurdError) as error:
            return [str(error)]
        stop = play.game.play_legal(steps)
        here = self.situation
        change = here.since(self._told)
        if stop is None:
            return self._done(change)
        reason = here.blocked(stop.direction) if play.game.room else stop.reason
        if len(steps) == 1:
            return [reason]
        stopped = _("stopped after {made} of {count}: {reason}", made=stop.number - 1, count=len(steps), reason=reason)
        return self._done(in_clauses([change, stopped])) if change else [stopped]

    def _run(self, name: str) -> Answer:
        if name not in DIRECTIONS_BY_NAME:
            return [_("name a direction: run left")]
        why = self.situation.blocked(DIRECTIONS_BY_NAME[name])
        return self.tell(self.play.act(f"run {name}"), otherwise=why)

    # History

    def _again(self, given: Given) -> Answer:
        """Undo or redo up to some number of groups; raises ArgumentError."""
        game, is_undo, made = self.play.game, given.name == "undo", 0
        takes_all = given.action.endswith("all") or "all" in given.arguments
        count = _ALL if takes_all else number_in(given.arguments, COUNT, otherwise=1)
        while made < count and (game.can_undo if is_undo else game.can_redo):
            self.play.act(given.name)
            made += 1
        if not made:
            return [self._phrase(Note.NOTHING_TO_UNDO if is_undo else Note.NOTHING_TO_REDO)]
        all_made, some_made = _UNDONE if is_undo else _REDONE
        told, here, before = some_made if made < count < _ALL else all_made, self.situation, self._told
        if is_undo and made == 1 and not before.lurd:
            return self._done(_("reset undone: {status}", status=here.status))
        # Moves that come back, as those before a jump to a bookmark, are not made one by one.
        change = "" if is_undo and len(here.lurd) > len(before.lurd) else here.since(before)
        return self._done(_(told, change=change or here.status, made=made, count=count))

    def _reset(self) -> Answer:
        moves = self.play.game.moves
        if not moves:
            return [_("you are at the start")]
        self.play.act("restart")
        told = ngettext(
            "back to the start; {undo} brings the {n:,} move back",
            "back to the start; {undo} brings the {n:,} moves back",
            moves,
            undo=self.keymap.key_of("undo"),
        )
        return self._done(told)

    def _to_bookmark(self, name: str) -> Answer:
        bookmarks = sorted(self.play.game.bookmarks)
        if not name:
            return [_("bookmarks: {names}", names=with_and(bookmarks)) if bookmarks else _("no bookmarks")]
        if (answer := self.play.go_to_bookmark(name)) is not Note.DONE:
            return [self._phrase(answer)]
        return self._done(_("at bookmark {name}: {status}", name=name, status=self.situation.status))

    # The push planner

    def _walk(self, arguments: Arguments) -> Answer:
        here = self.situation
        square = here.find_square(numbers_in(arguments))
        if square is None:
            return [_("name a row and column of the board: walk to 4,7")]
        if square == here.state.player:
            return [_("you are already there")]
        if why := _why_taken(here, square):
            return [why]
        answer = self.play.walk_to(square)
        return self.tell(self.play.perform(answer.lurd) if isinstance(answer, Perform) else answer)

    def _push(self, arguments: Arguments) -> Answer:
        from sokoterm.app.planning import boxes_at_hand  # takes 4 ms
        from sokoterm.engine.planner.box_reach import BoxReach

        here = self.situation
        if not arguments:
            boxes = [here.box(box) for box in boxes_at_hand(here.board, here.state)]
            if not boxes:
                return [_("no box can be pushed from here")]
            return [_("you can push, the nearest first: {boxes}", boxes=joined(boxes))]
        box = here.find_box(arguments[0])
        if box is None:
            told = N_("no box {name}; name a box and where to push it: push a to 4,7 or push a left 2")
            return [_(told, name=arguments[0])]
        square = _target(here, box, arguments[1:])
        if square is None:
            return [_("name a row and column of the board, or a direction: push a to 4,7 or push a left 2")]
        if why := _why_taken(here, square):
            return [why]
        reach = BoxReach(here.board, here.state, box)
        if len(reach.pushes) == 1:
            return [_("{box} cannot be pushed from here", box=here.box(box))]
        if square not in reach.pushes:
            place = here.place(square)
            return [_("{box} cannot be pushed to {place} without moving others", box=here.box(box), place=place)]
        return self.tell(self.play.perform(reach.plan(square).lurd))

    def _reach(self, arguments: Arguments) -> Answer:
        from sokoterm.app.planning import landing_risks  # takes 4 ms
        from sokoterm.engine.planner.box_reach import BoxReach

        here = self.situation
        box = here.find_box(arguments[0]) if arguments else None
        if box is None:
            return [_("name a box: reach a")]
        board, boxes = here.board, here.state.boxes
        squares = [square for square in BoxReach(board, here.state, box).pushes if square != box]
        if not squares:
            return [_("{box} cannot be pushed from here", box=here.box(box))]
        risks = landing_risks(check_of(board), boxes, box, squares)
        taking = goals_taking(board, boxes, box)
        fine = [square for square in squares if square not in risks]
        goals = [square for square in fine if taking >> square & 1]
        others = [square for square in fine if not taking >> square & 1]
        lost_at = [square for square in squares if square in risks]
        told = ngettext(
            "{box} can be pushed to {n} square", "{box} can be pushed to {n} squares", len(squares), box=here.box(box)
        )
        parts = ((N_("goals: {places}"), goals), (N_("others: {places}"), others), (N_("dead ends: {places}"), lost_at))
        return [in_clauses([told, *(_(text, places=here.places(some)) for text, some in parts if some)])]

    def _fill(self, arguments: Arguments) -> Answer:
        from sokoterm.engine.planner.box_reach import boxes_that_reach  # the planner takes 4 ms

        here = self.situation
        board, boxes = here.board, here.state.boxes
        square = here.find_square(numbers_in(arguments))
        if square is None or not board.goals >> square & 1:
            empty = here.places(squares_of(board.goals & ~boxes))
            return [_("name one of the empty goals: {places}", places=empty) if empty else _("every goal has a box")]
        if square in here.names:
            return [_("{box} is on that goal", box=here.box(square))]
        taken, reaching = boxes_taken(board, boxes, square), boxes_that_reach(board, here.state, square)
        found = sorted((pushes, here.names[box], box) for box, pushes in reaching if taken >> box & 1)
        if not found:
            return [_("no box can be pushed there without moving others")]
        each = [_("{box} in {pushes}", box=here.box(box), pushes=pushes_text(pushes)) for pushes, __, box in found]
        return [in_clauses(each)]

    # Improvements

    def improve(self, answer: PlayAnswer, arguments: Arguments, keymap: Keymap) -> Answer:
        """Run the command ``improve``; ``answer`` is the model's. Raises ArgumentError."""
        improvement = self.play.hints.improvement
        if arguments == ("stop",):
            return self._react(Ask.STOP_SEARCH)
        if improvement is not None and improvement.is_running:
            if arguments:
                return [_("an improvement is running: stop ends it")]
            if improvement.gain is not None:
                return [improvement_text(improvement, keymap)[0]]
            return [_("improving for {seconds} s: stop ends it", seconds=round(improvement.seconds))]
        if isinstance(answer, ChooseImprovement):
            _choose(answer.choices, [word.casefold() for word in arguments])
            answer = Improve(answer.choices)
        return self._react(answer) if isinstance(answer, Request) else [phrase(answer, keymap)]


def _why_taken(here: Situation, square: Square) -> str:
    """Describe what blocks a square for the player and boxes; empty for a free square."""
    if square in here.names:
        return _("{box} is on that square", box=here.box(square))
    return "" if here.board.floor >> square & 1 else here.on(square)


def _target(here: Situation, box: Square, arguments: Arguments) -> Square | None:
    """Return a square given by row and column, or by direction and count; raises ArgumentError."""
    direction = next((DIRECTIONS_BY_NAME[each] for each in arguments if each in DIRECTIONS_BY_NAME), None)
    if direction is None:
        return here.find_square(numbers_in(arguments))
    row, column = here.board.row_column(box)
    down, right = ((-1, 0), (0, 1), (1, 0), (0, -1))[direction]
    count = number_in(tuple(each for each in arguments if each not in DIRECTIONS_BY_NAME), COUNT, otherwise=1)
    return here.find_square([row + 1 + down * count, column + 1 + right * count])


class ReplayCommands:
    """A replay of moves; the game below it is unchanged until they are taken over."""

    def __init__(self, below: PlayCommands, replay: ShowReplay, keymap: Keymap, react: React) -> None:
        """``below`` are the commands of the game. Raises LurdError if the moves do not fit the level."""
        self._below = below
        self._play = below.play
        self._replay = replay
        self._keymap = keymap
        self._react = react
        self._playback = Replay(self._play.level, replay.before, replay.lurd)
        self._names = BoxNames(self._play.level)

    @property
    def situation(self) -> Situation:
        return self._names.situation(self._playback.lurd)

    @property
    def heading(self) -> str:
        """The source of the moves, their number, and the main commands."""
        told = source(self._replay)
        if self._replay.source is Source.GIVEN:
            moves, pushes = moves_text(self._playback.moves), pushes_text(self._playback.pushes)
            told = _("{source}, {moves}, {pushes}", source=told, moves=moves, pushes=pushes)
        return _(
            "replay, {source}; next and back step, play reads all, {take_over} takes over, leave goes back",
            source=told,
            take_over=self._keymap.key_of("take over"),
        )

    def do(self, given: Given) -> Answer:
        """Run one of REPLAY_COMMANDS; raises ArgumentError."""
        shown, arguments, hints = self._playback, given.arguments, self._play.hints
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
                after = hints.find_offer() or hints.after(self._replay)
                return [phrase(Note.NO_OTHER_SOLUTION, self._keymap)] if after is None else self._react(after)
            case "parts":
                return self._parts(given.action)
            case "improve":
                answer = self._play.improve_shown(self._replay, len(shown.lurd), None)
                return self._below.improve(answer, arguments, self._keymap)
            case "moves":
                return [shown.lurd or phrase(Note.NO_MOVES, self._keymap)]
            case "leave":
                return self._react(Ask.CLOSE)
        target = shown.target(given.action)
        return [self._show(shown.k if target is None else target)]

    def _play_on(self, last: int) -> Iterator[str]:
        shown = self._playback
        end = min(last, shown.moves)
        if shown.k == end:
            yield self._where()
        while shown.k < end:
            yield self._show(min(shown.target("push") or end, end))

    def _parts(self, action: str) -> Answer:
        """List where this solution and another one differ and what that saves, or go to one of these places."""
        stretches, is_next = self._play.hints.parts(self._replay), action != "previous stretch"
        if stretches and not action:
            return [
                _("moves {first} to {last}: {saving}", first=each.first, last=each.last, saving=stretch_text(each))
                for each in stretches
            ]
        target = self._playback.start_of_stretch(stretches, is_next=is_next)
        if target is None:
            return [no_stretch_text(stretches, is_next=is_next)]
        told, stretch = self._show(target), self._playback.find_stretch(stretches)
        return [in_clauses([told, stretch_text(stretch)]) if stretch is not None else told]

    def _show(self, number: int) -> str:
        before = self.situation
        self._playback.show(number)
        where, change = self._where(), self.situation.since(before)
        if change:
            return labelled(where, change)
        return _("at the end: {move}", move=where) if self._playback.k else _("at the start: {move}", move=where)

    def _where(self) -> str:
        return _("move {number} of {moves}", number=self._playback.k, moves=self._playback.moves)


def _choose(choices: ImproveChoices, words: list[str]) -> None:
    """Apply the words of a command, consuming them; raises ArgumentError."""
    start, names = BoxNames(choices.level).situation(""), joined(Objective)
    objective = scope = ""  # as typed; each may be given once
    while words:
        word = words.pop(0)
        if word in [*Objective]:
            if objective:
                both = {"first": objective, "second": word}
                raise ArgumentError(
                    _("{first} and {second} cannot be combined: name one of {names}", names=names, **both)
                )
            choices.objective, objective = Objective(word), word
        elif word in _SCOPES or "-" in word:
            if scope:
                both = {"first": scope, "second": word}
                raise ArgumentError(_("{first} and {second} cannot be combined: name one part of the solution", **both))
            scope = word
            if "-" in word:
                choices.type(word)
            elif _SCOPES[word] in choices.scopes:
                choices.scope = _SCOPES[word]
            else:
                told = N_("{word} works only in the middle of a replay: replay, move 12, improve {word}")
                raise ArgumentError(_(told, word=word))
        elif word == "alone":
            choices.cross_nothing()
        elif word == "keep":
            choices.kept |= _kept(start, words)
        elif word == "bar":
            choices.barred |= _barred(start, words)
        else:
            told = N_("found {found}, expected {names}, 40-90, rest, start, alone, keep or bar")
            raise ArgumentError(_(told, found=word, names=names))
    if choices.task is None:
        raise ArgumentError(ChoiceWords(choices).range_wanted)


def _kept(start: Situation, words: list[str]) -> Bitboard:
    """Consume leading words that name boxes; return those boxes."""
    kept = set[Square]()
    while words and (box := start.find_box(words[0])) is not None:
        kept.add(box)
        del words[0]
    if not kept:
        told = N_("found {found}, expected letters of boxes: keep {example}")
        raise ArgumentError(_(told, found=" ".join(["keep", *words[:1]]), example=next(iter(start.names.values()))))
    return bitboard_of(kept)


def _barred(start: Situation, words: list[str]) -> Bitboard:
    """Consume leading words that name floor squares, as ``4,12`` or ``4 12``; return those squares."""
    typed = list[str]()
    while words and words[0].replace(",", "").isdecimal():
        typed.append(words.pop(0))
    numbers = numbers_in(tuple(typed))
    squares = [start.find_square(numbers[k : k + 2]) for k in range(0, len(numbers), 2)]
    barred = {square for square in squares if square is not None and start.board.floor >> square & 1}
    if not squares or len(barred) < len({*squares}):
        row, column = start.board.row_column(start.state.player)
        told = N_("found {found}, expected the row and column of a floor square: bar {example}")
        raise ArgumentError(_(told, found=" ".join(["bar", *typed]), example=f"{row + 1},{column + 1}"))
    return bitboard_of(barred)
