"""Commands of a replay: a solution step by step, as lines."""

from collections.abc import Callable, Iterator
from typing import NamedTuple

from sokoterm.app.improvement import FoundBy, ShowReplay
from sokoterm.app.keymap import Keymap
from sokoterm.app.play import PlayModel
from sokoterm.app.replay import Replay
from sokoterm.app.request import Close, Copy, Note, Request, TakeOver
from sokoterm.engine.bits import Square
from sokoterm.engine.board import State
from sokoterm.engine.guide import Stretch
from sokoterm.language import N_, _, in_clauses, moves_text, pushes_text
from sokoterm.linemode.commands import COUNT, Given, number_in
from sokoterm.linemode.improve_commands import asked
from sokoterm.linemode.look import BoxNames, status
from sokoterm.linemode.play_commands import Answer
from sokoterm.linemode.speech import Situation, told_back, told_moves
from sokoterm.wording.improvement import no_stretch_text, stretch_text
from sokoterm.wording.outcomes import phrase, source

_TAKE_OVER = "take over"
_MOVE = N_("the number of a move: move 12")


class _Moment(NamedTuple):
    place: Situation
    k: int


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
    def state(self) -> State:
        return self._playback.state

    def names(self) -> dict[Square, str]:
        """Return the names of the boxes by square."""
        self._names.follow(self._playback.lurd)
        return self._names.now()

    def status(self) -> str:
        shown, board = self._playback, self._play.level.board
        before = sum(map(str.isupper, shown.before))
        return status(board, self.state, len(shown.lurd), before + shown.pushes_shown)

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
        arguments, end = given.arguments, self._playback.moves
        match given.name:
            case "next" | "back":
                return self.step(given.name, number_in(arguments, COUNT, otherwise=1))
            case "move":
                return self.jump(number_in(arguments, _MOVE, least=0))
            case "play":
                return self.play_on(number_in(arguments, _MOVE, least=0, otherwise=end))
            case "take over":
                return self.take_over(given.action, arguments)
            case "another":
                return self.another()
            case "parts" if given.action:
                return self.go_to_stretch(given.action)
            case "parts":
                return self.parts()
            case "improve":
                return self.improve(arguments)
            case "moves":
                return self.print_moves()
            case "leave":
                return self.leave()
        return self.go(given.action)

    def step(self, name: str, count: int) -> Answer:
        """Go a number of moves forward or back."""
        return [self._show(self._playback.k + (count if name == "next" else -count))]

    def go(self, action: str) -> Answer:
        """Go to the next or previous push, or to an end."""
        target = self._playback.target(action)
        return [self._show(target if target is not None else self._playback.k)]

    def jump(self, number: int) -> Answer:
        return [self._show(number)]

    def play_on(self, last: int) -> Iterator[str]:
        """Yield a line for each push up to a move."""
        shown = self._playback
        end = min(last, shown.moves)
        if shown.k == end:
            yield self._where()
        while shown.k < end:
            yield self._show(min(shown.target("push") or end, end))

    def take_over(self, action: str, arguments: tuple[str, ...]) -> Answer:
        """Play on from here, with a first move if a direction is given."""
        direction = " ".join(arguments) if action in ("", _TAKE_OVER) else action.removeprefix(f"{_TAKE_OVER} ")
        return self._react(TakeOver(self._playback.lurd, direction))

    def another(self) -> Answer:
        after = self._play.hints.find_offer() or self._play.hints.after(self._replay)
        return [phrase(Note.NO_OTHER_SOLUTION, self._keymap)] if after is None else self._react(after)

    def parts(self) -> Answer:
        """Say where this solution and another one part, and what that saves."""
        stretches = self._stretches
        if not stretches:
            return [no_stretch_text(stretches, is_next=True)]
        return [
            _("moves {first} to {last}: {saving}", first=each.first, last=each.last, saving=stretch_text(each))
            for each in stretches
        ]

    def go_to_stretch(self, action: str) -> Answer:
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

    def improve(self, arguments: tuple[str, ...]) -> Answer:
        """Improve this solution, or tell how far that has come."""
        answer = self._play.improve_shown(self._replay, len(self._playback.lurd), None)
        request = asked(self._play, answer, arguments, self._keymap)
        return [request] if isinstance(request, str) else self._react(request)

    def print_moves(self) -> Answer:
        lurd = self._playback.lurd
        return self._react(Copy(lurd)) if lurd else [phrase(Note.NO_MOVES, self._keymap)]

    def leave(self) -> Answer:
        return self._react(Close())

    def _show(self, k: int) -> str:
        """Go to a move; return what has changed."""
        shown, board = self._playback, self._play.level.board
        before = _Moment(Situation(self.state, self.names()), shown.k)
        shown.show(k)
        now = Situation(self.state, self.names())
        if shown.k == before.k:
            where = self._where()
            return _("at the end: {move}", move=where) if shown.k else _("at the start: {move}", move=where)
        if shown.k < before.k:
            return f"{self._where()}: {told_back(board, before.place, now)}"
        return f"{self._where()}: {told_moves(board, before.place, now, shown.letters[before.k : shown.k])}"

    def _where(self) -> str:
        return _("move {number} of {moves}", number=self._playback.k, moves=self._playback.moves)
