"""Words for a pack and its levels: titles, remarks, scores, and why there is no next level."""

import re
from abc import abstractmethod

from sokoterm.app.generated import GeneratedPack
from sokoterm.app.pack_session import PackSession
from sokoterm.engine.level import Level
from sokoterm.engine.text import printable
from sokoterm.language import _, listed, moves_text, ngettext, pushes_text
from sokoterm.store.packs import BUNDLED_KEY
from sokoterm.store.series import Effort
from sokoterm.wording.figures import clock_time, over_briefly

# Numbers in the texts of packs that ship.
_NUMBERS = re.compile(r"\d[\d,]*")


def translated_text(text: str) -> str:
    """Return a text of a pack that ships in the player's language."""
    parts, numbers = _(key_of_text(text)).split("#"), _NUMBERS.findall(text)
    return text if len(parts) != len(numbers) + 1 else "".join(map(str.__add__, parts, [*numbers, ""]))


def key_of_text(text: str) -> str:
    """Return what stands in the catalogs for a text of a pack: without its numbers, for hundreds differ in them alone.

    >>> key_of_text("Difficulty 35.")
    'Difficulty #.'
    """
    return _NUMBERS.sub("#", text)


class PackWords:
    """Words for a pack session; those of generated packs differ."""

    def __init__(self, pack_session: PackSession) -> None:
        self._pack_session = pack_session

    # Titles

    @property
    def name(self) -> str:
        """The name of the pack."""
        return self.translated(self._pack_session.name)

    def translated(self, text: str) -> str:
        """Return a text of a pack: in the player's language if the pack ships, else as it is."""
        return translated_text(text) if self._pack_session.key.startswith(BUNDLED_KEY) else text

    def level_title(self, level: Level) -> str:
        """The title of a level, empty if it has none."""
        return self.translated(printable(level.title.strip()))

    def label(self, level: Level) -> str:
        """``First Steps 3``: a level in other titles."""
        return f"{self.name} {level.number}"

    def heading(self, level: Level) -> str:
        """``First Steps 3/24``: a level above its board."""
        return f"{self.name} {level.number}/{self._pack_session.pack.size}"

    def title_below_heading(self, level: Level) -> str:
        """The title of a level; empty if its heading says as much."""
        title = self.level_title(level)
        return "" if title in (str(level.number), self.heading(level)) else title

    def author(self, level: Level) -> str:
        """The author of a level, or of its pack; empty if none is named."""
        return self.translated(printable((level.author or self._pack_session.pack.author).strip()))

    def spoken_heading(self, level: Level) -> str:
        """``First Steps, level 3 of 24``: the same, read out."""
        return _(
            "{pack}, level {number} of {size}", pack=self.name, number=level.number, size=self._pack_session.pack.size
        )

    def listed_title(self, level: Level) -> str:
        """The title of a level in the list of levels; empty if it only repeats the number."""
        title = self.level_title(level)
        return "" if title == str(level.number) else title

    @property
    def number_noun(self) -> str:
        """The noun for the number of a level, in the question for one."""
        return _("level number")

    # A level in play

    def remark(self, level: Level, end_key: str, *, is_solved: bool) -> str:
        """The line above the board: the first line of the comment. ``end_key`` is the key that ends a run."""
        return next(iter(self.comment(level, end_key, is_solved=is_solved)), "")

    def comment(self, level: Level, end_key: str, *, is_solved: bool) -> list[str]:  # noqa: ARG002 - as above
        """The lines of the level's comment that are not blank, safe to show."""
        return [self.translated(printable(line.strip())) for line in level.comment.splitlines() if line.strip()]

    def known_hint(self, level: Level, key: str) -> str:
        """``known: 97 pushes (R shows it)``; empty if that is not known yet or the player has solved the level."""
        known = self._pack_session.lookups.known_at_once(level)
        if self._pack_session.best(level).by_moves or not known:
            return ""
        return _("known: {pushes} ({key} shows it)", pushes=pushes_text(known[0].solution.pushes), key=key)

    def score_verdict(self, level: Level, moves: int, pushes: int) -> str:
        """A solution that was entered in the table of all accounts, compared with the best; empty without a table.

        ``best on this server: 97 pushes by ann; yours 101``, or moves if nobody has fewer pushes. Among equals the
        first one stands in the table.
        """
        standing = self._pack_session.lookups.standing(level, moves, pushes)
        best, shortest = standing.by_pushes, standing.by_moves
        if best is None or shortest is None:
            return ""
        if best.pushes < pushes:
            return _(
                "best on this server: {figure} by {name}; yours {yours:,}",
                figure=pushes_text(best.pushes),
                name=best.name,
                yours=pushes,
            )
        if shortest.moves < moves:
            return _(
                "best on this server: {figure} by {name}; yours {yours:,}",
                figure=moves_text(shortest.moves),
                name=shortest.name,
                yours=moves,
            )
        scores = self._pack_session.scores
        if scores is not None and scores.name in (best.name, shortest.name):
            return _("the best on this server")
        return _("equals the best on this server, by {name}", name=best.name)

    # Levels that are not there

    def why_missing(self, number: int) -> str:
        """The reason why there is no level of this number to play."""
        pack = self._pack_session.pack
        error = next((error for error in pack.errors if error.level == number), None)
        if error is None:
            return ngettext(
                "no level {number}: the pack has {n:,} level",
                "no level {number}: the pack has {n:,} levels",
                pack.size,
                number=number,
            )
        return _("level {number} cannot be read: {problem}", number=number, problem=printable(error.problem))

    @property
    def none_readable(self) -> str:
        """The message for a pack without a level to play."""
        return _("{pack}: no readable level", pack=self.name)

    def why_no_next(self, number: int) -> str:  # noqa: ARG002 - of generated packs
        """The reason why there is no level after this one."""
        return _("this is the last level")

    def why_no_unsolved(self, number: int) -> str:
        """The reason why there is no unsolved level to go to from this one."""
        done = self._pack_session.is_solved(number)
        return _("pack done: every level is solved") if done else _("every other level of the pack is solved")


class GeneratedWords(PackWords):
    """Words for a generated pack: its levels are called by the titles of their recipes."""

    def __init__(self, pack_session: GeneratedPack) -> None:
        super().__init__(pack_session)
        self._generated = pack_session

    @abstractmethod
    def title(self, number: int) -> str:
        """The title of a level, which may still have to be built."""

    def label(self, level: Level) -> str:
        return self.title(level.number)

    heading = spoken_heading = label

    def title_below_heading(self, level: Level) -> str:  # noqa: ARG002 - the heading is the title
        return ""

    def comment(self, level: Level, end_key: str, *, is_solved: bool) -> list[str]:
        return [*filter(None, [self.remark(level, end_key, is_solved=is_solved)])]

    # Beyond those of every pack

    @property
    @abstractmethod
    def standing(self) -> str:
        """The player's standing in a few words, for the list of packs."""

    @property
    @abstractmethod
    def facts(self) -> str:
        """The line below that list."""

    @abstractmethod
    def solved_text(self, level: Level, next_key: str) -> str:
        """The message for a level that has just been solved; ``next_key`` goes on."""

    @abstractmethod
    def result(self, number: int) -> str:
        """One line for others about a level, or its run, without moves; empty if there is no result."""

    def _score(self, level: Level) -> str:
        """``34 pushes (+3), 87 moves, 2:41``: the figures of a level that is solved."""
        effort = self._effort(level)
        over = over_briefly(effort.pushes - self._par(level))
        pushes = _("{pushes} ({over})", pushes=pushes_text(effort.pushes), over=over)
        return listed([pushes, moves_text(effort.moves), clock_time(effort.seconds)])

    def _effort(self, level: Level) -> Effort:
        return self._generated.find_effort(level.number) or Effort()

    def _par(self, level: Level) -> int:
        made = self._generated.find_made(level.number)
        return made.par if made is not None else 0
